"""`toolgauge cases`: from failures to cases."""

from __future__ import annotations

import sys

import click

from toolgauge import api
from toolgauge.errors import UsageError
from toolgauge.report import visible

from .options import tell
from .sources import store_option

__all__ = ["command"]


@click.group()
def command() -> None:
    """Add failures to a suite file as cases for you to review."""


@command.command()
@click.argument("run")
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--to", "suite", metavar="SUITE", required=True, help="Suite file in YAML; created if there is none.")
@click.option("--failed", is_flag=True, help="All cases that did not pass.")
@click.option("--agent", metavar="NAME", help="Only this agent; default: the first one that failed.")
@store_option
def add(run: str, cases: tuple[str, ...], suite: str, failed: bool, agent: str | None, store: str | None) -> int:
    """Add CASE of RUN to a suite, with what it expects, or else with what the agent did.

    RUN is a run file, or a run in the store: its id or the beginning of its id, its name, NAME@latest, or latest.

    New cases are marked reviewed: false until you have reviewed them. Questions that the suite already asks are
    skipped. The rest of the file stays as it is, including comments.

    \b
    toolgauge cases add latest d23 d07 --to regressions.yaml
    toolgauge cases add latest --failed --agent react --to regressions.yaml
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if bool(cases) == failed:
        raise UsageError("name cases, or take all that did not pass with --failed")
    api.check_places({"--to": suite}, [run], store)
    made = api.add_cases(run, cases, suite, agent=agent, store=store)
    for name in made.added:
        sys.stdout.write(f"{visible(name)}\n")
    if made.added:
        count = len(made.added)
        tell(f"new cases to review in {suite}: {count}; set reviewed to true, or remove it, when one is right")
    if made.duplicates:
        tell(f"cases skipped, because {suite} already asks the same: {len(made.duplicates)}")
    if made.nameless:
        tell(f"{made.nameless} trajectories have no question, so no case can be made from them")
    return 0
