"""`toolgauge score`: recorded traces against a suite."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click

from toolgauge import api
from toolgauge.report import Report
from toolgauge.store import Spool, encode_header
from toolgauge.traces import ImportReport

from .options import Output, output_options
from .progress import watched

__all__ = ["command"]

INCOMPLETE = 3


@click.command()
@click.argument("suite")
@click.argument("traces", nargs=-1, required=True, metavar="[NAME=]TRACES...")
@click.option("--by", metavar="LABEL", help="Break figures down by this label; default: difficulty, where present.")
@click.option("--details", is_flag=True, help="Add every single case.")
@click.option("--failures", is_flag=True, help="Show expected beside actual calls for each case that did not pass.")
@click.option(
    "--input-format",
    type=click.Choice(["yaml", "json", "jsonl", "csv"]),
    help="How TRACES are written, where their content does not tell.",
)
@output_options("run")
def command(
    suite: str,
    traces: tuple[str, ...],
    by: str | None,
    details: bool,
    failures: bool,
    input_format: str | None,
    output: Output,
) -> int:
    """Score recorded traces against a suite.

    SUITE holds the questions and what is expected; TRACES what an agent did, one file per agent or one for all.
    NAME= gives the agent of a file its name. YAML, JSON, JSONL and CSV are recognised by their content.

    \b
    toolgauge score suite.yaml traces.jsonl
    toolgauge score truth.csv ReAct=react.csv ReWOO=rewoo.csv --lang vi
    toolgauge score suite.yaml traces.jsonl --format run -o today.run.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    imported = ImportReport()
    with Spool() as spool:
        run = api.score(
            suite,
            [_source(argument) for argument in traces],
            by=by,
            keep="all" if details or output.format == "run" else "failed" if failures else "none",
            keeper=spool,
            input_format=input_format,
            report=imported,
            watch=watched,
        )
        for line in imported.lines():
            click.echo(f"Note: {line}", err=True)
        if output.format == "run":
            output.write(chain([encode_header(run.header)], spool.lines()))
        else:
            output.draw(Report(run, details=details, failures=failures, lang=output.lang))
    return INCOMPLETE if run.summary.counts.not_run else 0


def _source(argument: str) -> api.Source:
    """A file of traces with the name of its agent, unless the whole argument is the name of a file."""
    agent, equals, path = argument.partition("=")
    if equals and agent and path and not Path(argument).exists():
        return api.Source(path, agent)
    return api.Source(argument)
