"""`toolgauge runs`: the history of runs in a store."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import cast

import click

from toolgauge import api
from toolgauge.catalogue import words_of
from toolgauge.catalogue.speaking import say, spoken
from toolgauge.core import REVIEW_VERDICTS, Review, ReviewVerdict
from toolgauge.errors import UsageError
from toolgauge.files import write_file
from toolgauge.report import visible

from .options import tell
from .sources import store_option

__all__ = ["command"]

NARROW = 80

WITHDRAW = "withdraw"
"""In place of a verdict: what was said before counts no more."""


@click.group()
def command() -> None:
    """List, show, review, export, import, copy, delete and salvage stored runs.

    RUN is a run in the store: its id or the beginning of its id, its name, NAME@latest, or latest.
    """


@command.command("list")
@store_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def list_runs(store: str | None, format_: str) -> int:
    """List all runs, the newest first."""
    with api.open_store(store, create=False) as opened:
        runs = opened.runs()
    if format_ == "json":
        _print_json([_as_json(run) for run in runs])
        return 0
    if not runs:
        sys.stdout.write(say("There are no runs yet.") + "\n")
        return 0
    words = words_of(spoken())
    titles = ("run", "name", "suite", "agents", "finished", "passed", "state")
    rows: list[tuple[str, ...]] = [tuple(words(f"runs.{title}") for title in titles)]
    rows += [_row(run) for run in runs]
    sys.stdout.write(_table(rows))
    return 0


@command.command()
@click.argument("run")
@store_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def show(run: str, store: str | None, format_: str) -> int:
    """Show the details of RUN, and how to resume it."""
    with api.open_store(store, create=False) as opened:
        found = opened.find(run)
        location = opened.location
    if format_ == "json":
        _print_json(_as_json(found))
        return 0
    facts = [
        ("run", found.id),
        ("name", found.name or "-"),
        ("created", found.created),
        ("state", _state_in_words(found)),
        ("suite", f"{found.suite} ({found.suite_hash[:12]})"),
        *([] if "agents" in found.about else [("agents", ", ".join(found.agents))]),
        ("planned", str(found.planned)),
        ("finished", str(found.finished)),
        ("passed", str(found.passed)),
        *((str(key), _words(value)) for key, value in found.about.items() if key not in ("name", "suite")),
        ("store", location),
    ]
    words = words_of(spoken())
    shown = [(words.known(f"runs.{name}", name), visible(value)) for name, value in facts]
    width = max(len(name) for name, _ in shown)
    sys.stdout.write("".join(f"{name:<{width}}  {value}\n" for name, value in shown))
    sys.stdout.write("\n" + say(f"Show its report: toolgauge report {found.id}") + "\n")
    if found.finished < found.planned and found.held_by is None:
        sys.stdout.write(say(f"Resume it:       toolgauge run ... --resume {found.id}") + "\n")
    return 0


@command.command()
@click.argument("run")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of standard output.")
@store_option
def export(run: str, output: str | None, store: str | None) -> int:
    """Export RUN as a run file, which can be shared and read by toolgauge report.

    With -o, reviews of the run are written beside it, to a file that ends in .reviews.jsonl.
    """
    api.check_places({"-o": output}, store=store)
    beside = None if output is None else api.reviews_path(output)
    with api.open_store(store, create=False) as opened:
        stored = opened.open_run(opened.find(run).id)
        reviews = stored.reviews()
        api.check_places({"-o": output, "-o, reviews": beside if reviews else None}, store=store)
        if output is not None:
            write_file(output, stored.export())
            if beside is not None and reviews:
                write_file(beside, api.encode_reviews(stored.header, reviews))
                tell(f"{len(reviews)} reviews are in {beside}")
            return 0
        sys.stdout.flush()
        with open(sys.stdout.fileno(), "wb", closefd=False) as stream:
            stream.writelines(stored.export())
    return 0


@command.command("import")
@click.argument("file")
@click.option("--name", default="", help="Name of the run.")
@store_option
def import_run(file: str, name: str, store: str | None) -> int:
    """Import the run of a run file into the store, with the reviews beside it."""
    with api.open_store(store) as opened:
        sys.stdout.write(f"{api.import_run(opened, file, name=name)}\n")
    return 0


@command.command()
@click.argument("run")
@click.option("--to", "target", metavar="URL", required=True, help="Store to copy the run to.")
@click.option("--name", help="Name of the copy; default: the same name.")
@store_option
def copy(run: str, target: str, name: str | None, store: str | None) -> int:
    """Copy RUN with its reviews to another store, where it gets a new id.

    \b
    toolgauge runs copy latest --to postgresql://me@db.example.org/toolgauge
    toolgauge runs copy nightly@latest --store postgresql://me@db.example.org/toolgauge --to nightly.db
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    api.check_other_store(store, target)
    with api.open_store(store, create=False) as source, api.open_store(target) as opened:
        sys.stdout.write(f"{api.copy_run(source, run, opened, name=name)}\n")
    return 0


@command.command()
@click.argument("run")
@click.argument("case", required=False)
@click.argument("verdict", required=False, type=click.Choice([*REVIEW_VERDICTS, WITHDRAW]))
@click.option("--agent", metavar="NAME", help="Only this agent; default: every agent.")
@click.option("--trial", type=click.IntRange(0), metavar="N", help="Only this trial; default: every trial.")
@click.option("--note", default="", help="Why.")
@click.option("--by", default="", metavar="NAME", help="Who reviews.")
@click.option(
    "--from", "file", metavar="FILE", help="Import the reviews in FILE, such as one downloaded from a report."
)
@store_option
def review(
    run: str,
    case: str | None,
    verdict: str | None,
    agent: str | None,
    trial: int | None,
    note: str,
    by: str,
    file: str | None,
    store: str | None,
) -> int:
    """Record whether the agent was right on CASE of RUN, or that the case expects the wrong thing.

    RUN may also be a run file; its reviews are kept beside it, in a file that ends in .reviews.jsonl. A later review
    of the same case, agent and trial replaces the earlier one, and withdraw removes it.

    \b
    toolgauge runs review latest d23 right --agent react --note "31 degrees is what the station says"
    toolgauge runs review today.run.jsonl d07 gold_is_wrong
    toolgauge runs review latest --from report.reviews.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if file is not None:
        tell(f"{api.take_reviews(run, file, store=store)} reviews were imported from {file}")
        return 0
    if case is None or verdict is None:
        raise UsageError("name a case and a verdict, or a file of reviews with --from")
    said = cast(ReviewVerdict | None, None if verdict == WITHDRAW else verdict)
    when = datetime.now(UTC).isoformat(timespec="seconds")
    api.review_run(run, [Review(case, said, agent, trial, note, by, when)], store=store)
    return 0


@command.command()
@click.argument("run")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@store_option
def delete(run: str, yes: bool, store: str | None) -> int:
    """Delete RUN with all its trajectories. A run that is in progress cannot be deleted."""
    with api.open_store(store, create=False) as opened:
        found = opened.find(run)
        if not yes:
            if not sys.stdin.isatty():
                raise UsageError(f"deleting run {found.id} cannot be undone; confirm it with --yes")
            click.confirm(say(f"Delete run {found.id} with {found.finished} trajectories?"), abort=True)
        opened.delete(found.id)
    return 0


@command.command("salvage")
@click.argument("damaged", required=False)
@click.option("-o", "--output", metavar="NEW", required=True, help="File of the new store.")
def salvage_store(damaged: str | None, output: str) -> int:
    """Recover what can be read from a damaged store into a new one.

    DAMAGED is the file of the store; default: .toolgauge/runs.db.
    """
    api.check_places({"-o": output}, store=damaged)
    saved = api.salvage_store(damaged, output)
    runs = "1 run" if saved.runs == 1 else f"{saved.runs} runs"
    lost = f"; {saved.unreadable} places could not be read" if saved.unreadable else ""
    sys.stdout.write(say(f"{output}: saved {runs} with {saved.trajectories} trajectories{lost}") + "\n")
    return 0


def _state(run: api.RunInfo) -> str:
    if run.state != "running":
        return run.state
    return f"running, {run.held_by}" if run.held_by else "interrupted"


def _state_in_words(run: api.RunInfo) -> str:
    state, comma, more = _state(run).partition(",")
    return words_of(spoken()).known(f"runs.state.{state}", state) + comma + say(more)


def _row(run: api.RunInfo) -> tuple[str, ...]:
    state = _state_in_words(run).partition(",")[0]
    finished = f"{run.finished}/{run.planned}"
    return (run.id, run.name or "-", run.suite, ",".join(run.agents), finished, str(run.passed), state)


def _table(rows: list[tuple[str, ...]]) -> str:
    """A table no wider than a terminal: names are shortened before anything else."""
    shown = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in shown) for column in range(len(shown[0]))]
    for column in (3, 2, 1):
        over = sum(widths) + 2 * (len(widths) - 1) - NARROW
        widths[column] = max(min(8, widths[column]), widths[column] - max(0, over))
    lines = ["  ".join(_cut(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in shown]
    return "\n".join(lines) + "\n"


def _cut(cell: str, width: int) -> str:
    return f"{cell:<{width}}" if len(cell) <= width else f"{cell[: width - 1]}…"


def _words(value: object) -> str:
    import msgspec

    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _as_json(run: api.RunInfo) -> dict[str, object]:
    from dataclasses import asdict

    return {**asdict(run), "state": _state(run).partition(",")[0]}


def _print_json(value: object) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
