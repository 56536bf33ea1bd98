"""`toolgauge convert`: what any tool recorded, as native trajectories."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from toolgauge import api
from toolgauge.catalogue import language
from toolgauge.core import gc_paused
from toolgauge.errors import NothingToDo

from .options import Output, tell
from .progress import ProgressLine
from .sources import columns_option, gathered, reading_options

__all__ = ["command"]

MAX_JOBS = 4


def processors() -> int:
    """How many processes can work at once here, up to as many as are of use."""
    return min(MAX_JOBS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@click.command()
@click.argument("traces", nargs=-1, required=True, metavar="TRACES...")
@click.option("-o", "--output", "path", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--suite", metavar="SUITE", help="Use the names of tools and ids of cases in SUITE, where they match.")
@click.option(
    "--suite-format",
    type=click.Choice(["yaml", "json", "jsonl", "csv"]),
    help="Format of SUITE, if it is not recognised.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=processors,
    help="Number of processes that read a large log; default: the number of processors, up to 4.",
)
@click.option(
    "--to",
    type=click.Choice(["jsonl", "parquet"]),
    default="jsonl",
    show_default=True,
    help="What to write: native lines, or a table of transcripts in Inspect Scout's layout.",
)
@columns_option
@reading_options
@gathered("options", "ConvertOptions")
def command(traces: tuple[str, ...], path: str | None, jobs: int, to: str, options: api.ConvertOptions) -> None:
    """Convert traces of any supported format to the native one, one JSON object per line.

    TRACES are files, folders, patterns, or object addresses such as s3://bucket/key; compressed or not, written by an
    agent, a framework or a monitoring tool. Formats are recognised by content. What was read, in which format, and
    what was lost in conversion is reported on standard error.

    \b
    toolgauge convert messages.jsonl -o traces.jsonl
    toolgauge convert log.eval --suite suite.yaml -o traces.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    output = Output("jsonl", path, language())
    output.refuse_inputs(None if options.suite is None else str(options.suite), *traces)
    imported = api.ImportReport()
    try:
        with gc_paused(), ProgressLine("converted") as line:
            if to == "parquet":
                blocks = api.convert_parquet(traces, options=options, report=imported, advance=line.advance)
            else:
                blocks = api.convert_lines(traces, options=options, jobs=jobs, report=imported, advance=line.advance)
            output.write(blocks)
    except NothingToDo:
        # What was lost is the reason why nothing is left.
        tell(*imported.lines())
        raise
    tell(*_own(imported), *imported.lines())


def _own(imported: api.ImportReport) -> Iterator[str]:
    """How many trajectories were in a format of our own; the report tells of the others."""
    count = imported.read - sum(trajectories for trajectories, _ in imported.formats.values())
    if count:
        yield f"read {'1 trajectory' if count == 1 else f'{count:,} trajectories'} in a format of toolgauge itself"
