"""`toolgauge convert`: what any tool recorded, as native trajectories."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import click

from toolgauge import api
from toolgauge.catalogue import language
from toolgauge.core import Trajectory, without_cycles
from toolgauge.errors import NothingToDo
from toolgauge.traces import ImportReport, Written, encode_trajectories

from .columns import columns_option
from .options import Output, reading_options, tell
from .progress import watched

__all__ = ["command"]

MOST_JOBS = 4


def processors() -> int:
    """How many processes can work at once here, up to as many as are of use."""
    return min(MOST_JOBS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACES...")
@click.option("-o", "--output", "path", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--suite", metavar="SUITE", help="Take names of tools and ids of cases from SUITE, where they fit.")
@click.option("--suite-format", type=click.Choice(["yaml", "json", "jsonl", "csv"]), help="How SUITE is written.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=processors,
    help="How many processes read a large log; default: as many as there are processors, up to 4.",
)
@columns_option
@reading_options
def command(
    traces: tuple[str, ...],
    path: str | None,
    suite: str | None,
    suite_format: str | None,
    jobs: int,
    input_format: str | None,
    join_by: str,
    error_patterns: tuple[str, ...],
    columns: dict[str, str],
) -> None:
    """Turn traces of any format into native ones, one JSON object a line.

    TRACES are files that an agent, a framework or a monitor wrote; each is recognised by its content. What was read as
    what, and what was lost on the way, is told on standard error.

    \b
    toolgauge convert messages.jsonl -o traces.jsonl
    toolgauge convert log.eval --suite suite.yaml -o traces.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    output = Output("jsonl", path, language())
    output.refuse_inputs(suite, *traces)
    imported = ImportReport()
    trajectories: Iterable[Trajectory | Written]
    if len(traces) == 1 and suite is None and not error_patterns:
        trajectories = api.convert_to_write(traces[0], jobs=jobs, input_format=input_format, report=imported)
    else:
        trajectories = api.convert(
            traces,
            suite=suite,
            suite_format=suite_format,
            columns=columns,
            input_format=input_format,
            join_by=join_by,
            error_patterns=error_patterns or None,
            report=imported,
            verbatim=True,
        )
    try:
        with without_cycles():
            output.write(encode_trajectories(watched(trajectories, "converted")))
    except NothingToDo:
        # What was lost is the reason why nothing is left.
        tell(*imported.lines())
        raise
    tell(*_own(imported), *imported.lines())


def _own(imported: ImportReport) -> Iterator[str]:
    """How many trajectories were in a format of our own; the report tells of the others."""
    count = imported.read - sum(trajectories for trajectories, _ in imported.formats.values())
    if count:
        yield f"read {'1 trajectory' if count == 1 else f'{count:,} trajectories'} in a format of toolgauge itself"
