"""`toolgauge diagnose`: the patterns in what goes wrong."""

from __future__ import annotations

import click

from toolgauge import api
from toolgauge.report import DiagnosisDocument
from toolgauge.report.diagnosis import MAX_PATTERNS

from .options import Output, output_options
from .sources import Subject, subject_options

__all__ = ["command"]


@click.command()
@click.option(
    "--by", metavar="LABEL", help="Break results down by this label; default: difficulty, if the suite has it."
)
@click.option(
    "--agent", "agents", multiple=True, metavar="NAME", help="Include only this agent; may be repeated. Default: all."
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=MAX_PATTERNS,
    show_default=True,
    help="Maximum number of patterns to show; JSON and CSV have them all.",
)
@subject_options
@output_options()
def command(subject: Subject, by: str | None, agents: tuple[str, ...], most: int, output: Output) -> int:
    """Find patterns in the failures of RUN, and suggest what to change about each.

    RUN is a run file, or a run in the store: its id or the beginning of its id, its name, NAME@latest, or latest. With
    --suite, recorded traces are scored first.

    \b
    toolgauge diagnose latest
    toolgauge diagnose traces.jsonl --suite suite.yaml --format md -o diagnosis.md
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    output.refuse_inputs(*subject.inputs, store=subject.store)
    with subject.opened(by=by) as run:
        diagnosis = api.diagnose(run, by=by, agents=agents)
    output.draw(DiagnosisDocument(diagnosis, most))
    return 0
