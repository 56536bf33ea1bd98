"""`toolgauge baseline`: which stored run later ones are held against."""

from __future__ import annotations

import sys

import click

from toolgauge import api
from toolgauge.catalogue.speaking import say
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.report import visible

from .sources import store_option

__all__ = ["command"]


@click.group()
def command() -> None:
    """Choose the stored run that toolgauge gate --baseline compares with.

    RUN is a run in the store: its id or the beginning of its id, its name, NAME@latest, or latest.
    """


@command.command("set")
@click.argument("run")
@click.option("--name", metavar="NAME", help="Name of the baseline; default: the name of the suite.")
@store_option
def set_baseline(run: str, name: str | None, store: str | None) -> int:
    """Make RUN the baseline of its suite, or the one called NAME."""
    if name is not None and not name.strip():
        raise UsageError("the name of the baseline is empty")
    with api.open_store(store, create=False) as opened:
        found = opened.find(run)
        if found.finished < found.planned:
            missing = f"{found.planned - found.finished} of {found.planned} planned trajectories are missing"
            raise UsageError(f"run {found.id} cannot be a baseline: {missing}; finish it with toolgauge run --resume")
        called = name or found.suite
        opened.set_baseline(found.id, called)
    sys.stdout.write(say(f"{visible(called)}: {_described(found)}") + "\n")
    return 0


@command.command()
@click.option("--name", metavar="NAME", help="Show this baseline only.")
@store_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def show(name: str | None, store: str | None, format_: str) -> int:
    """Show all baselines."""
    with api.open_store(store, create=False) as opened:
        found = opened.baselines()
    if name is not None and name not in found:
        hint = did_you_mean(name, list(found)) or "set one with toolgauge baseline set RUN"
        raise NothingToDo(f"there is no baseline {name!r}; {hint}")
    chosen = {key: value for key, value in found.items() if name in (None, key)}
    if format_ == "json":
        import msgspec

        entries = [_as_json(key, run, since) for key, (run, since) in chosen.items()]
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(entries), indent=2).decode() + "\n")
        return 0
    if not chosen:
        sys.stdout.write(say("There are no baselines yet; set one with toolgauge baseline set RUN.") + "\n")
    for key, (run, since) in chosen.items():
        sys.stdout.write(say(f"{visible(key)}: {_described(run)}, since {since}") + "\n")
    return 0


def _described(run: api.RunInfo) -> str:
    called = f" ({visible(run.name)})" if run.name else ""
    return f"run {run.id}{called} of {run.created}, {run.passed} of {run.planned} passed"


def _as_json(name: str, run: api.RunInfo, since: str) -> dict[str, object]:
    return {
        "name": name,
        "run": run.id,
        "run_name": run.name,
        "suite": run.suite,
        "created": run.created,
        "planned": run.planned,
        "passed": run.passed,
        "since": since,
    }
