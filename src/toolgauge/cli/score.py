"""`toolgauge score`: recorded traces against a suite."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from toolgauge import api
from toolgauge.errors import INCOMPLETE, UsageError

from .options import RUN, Output, output_options, tell
from .progress import ProgressLine
from .sources import (
    allow_code_option,
    by_option,
    columns_option,
    details_option,
    failures_option,
    gathered,
    grounding_option,
    ray_address_option,
    reading_options,
    scorer_failures,
    scorer_option,
    selection_options,
    store_option,
    trace_source,
)
from .streams import divert_output

if TYPE_CHECKING:
    from toolgauge.core import Summary

__all__ = ["command", "not_run_notes"]

MAX_EXAMINED = 4 * 1024 * 1024
"""Bytes of traces up to which it is looked for what fails most; of more, `toolgauge diagnose` tells."""


class Jobs(click.ParamType[int | str]):
    """A number of processes, or `ray`."""

    name = "jobs"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """The number, or the word."""
        if isinstance(value, str) and not value.lstrip("+-").isdecimal():
            if value != "ray":
                self.fail(f"{value!r} is neither a number of processes nor ray", param, ctx)
            return value
        return click.IntRange(1, 64).convert(value, param, ctx)


@click.command()
@click.argument("suite")
@click.argument("traces", nargs=-1, required=True, metavar="[NAME=]TRACES...")
@selection_options
@by_option
@details_option
@failures_option
@grounding_option
@scorer_option
@allow_code_option
@reading_options
@click.option(
    "--suite-format",
    type=click.Choice(["yaml", "json", "jsonl", "csv"]),
    help="Format of SUITE, if it is not recognised.",
)
@click.option(
    "--jobs",
    type=Jobs(),
    default=1,
    metavar="N|ray",
    help="Number of processes that score large or several files, or ray for the workers of a Ray cluster; default: 1.",
)
@ray_address_option
@click.option(
    "--parts",
    metavar="FOLDER",
    help="Write finished parts to FOLDER, and resume from those that are there.",
)
@click.option(
    "--shard",
    metavar="K/N",
    help="Score only the K-th of N parts of TRACES, and write it with -o for toolgauge merge.",
)
@click.option(
    "--keep",
    "held",
    type=click.Choice(["all", "issues", "failed", "none"]),
    help="With --shard: which trajectories to keep in the part, for toolgauge merge to show; default: all.",
)
@click.option("--run-file", metavar="FILE", help="Also write the run to FILE, for toolgauge report and compare.")
@click.option("--save", metavar="[NAME]", is_flag=False, flag_value="", help="Save the run in the store, as NAME.")
@store_option
@click.option("--profile", type=click.Choice(["bfcl"]), help="SUITE contains questions of this leaderboard.")
@click.option("--answers", metavar="ANSWERS", help="File of answers to these questions, if it is separate.")
@click.option(
    "--strict-names",
    is_flag=True,
    help="With --profile bfcl: accept only names as the leaderboard does, without prefixes and with dots unchanged.",
)
@click.option(
    "--strict-decoding",
    is_flag=True,
    help="With --profile bfcl: count only calls that the leaderboard's own handler decodes from an output.",
)
@click.option("--handler", metavar="NAME", help="Which handler to use, of those in docs/bfcl.md; default: python.")
@columns_option
@output_options(cases=True, run=True, full=True, charts=True)
@gathered("options", "ScoreOptions")
def command(
    suite: str,
    traces: tuple[str, ...],
    options: api.ScoreOptions,
    details: bool,
    failures: str | None,
    run_file: str | None,
    save: str | None,
    store: str | None,
    shard: str | None,
    held: api.Keep | None,
    output: Output,
) -> int:
    """Score recorded traces against a suite.

    SUITE contains the questions and what is expected of an agent, TRACES what an agent did: one file per agent, or
    one for all of them; a folder, a pattern, or an object address such as s3://bucket/key; compressed or not. NAME=
    sets the agent's name for a file. Formats are recognised by content: YAML, JSON, JSONL, CSV, Parquet and the logs
    of many other tools.

    \b
    toolgauge score suite.yaml traces.jsonl
    toolgauge score truth.csv ReAct=react.csv ReWOO=rewoo.csv --lang vi
    toolgauge score suite.yaml traces.jsonl --format run -o today.run.jsonl
    toolgauge score questions.jsonl --answers answers.jsonl traces.jsonl --profile bfcl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    sources = [trace_source(argument) for argument in traces]
    answers = None if options.answers is None else str(options.answers)
    inputs = [suite, answers, *(str(source.path) for source in sources)]
    output.refuse_inputs(*inputs, store=store, beside={"--run-file": run_file})
    if store is not None and save is None:
        raise UsageError("--store names the store for --save; add --save")
    if held is not None and shard is None:
        raise UsageError("--keep says what a part contains; add --shard")
    if options.ray_address is not None and options.jobs != "ray":
        raise UsageError("--ray-address is for --jobs ray; add it")
    if shard is not None:
        drawn = {
            "--details": details or None,
            "--failures": failures,
            "--format": output.format if output.format != "text" else None,
        }
        kept = {"--run-file": run_file, "--save": save}
        _refuse_beside_shard(output, {**kept, **drawn}, options)
        return _write_part(suite, sources, shard, replace(options, keep=held or "all"), output)
    whole = bool(details or run_file or save is not None or output.cases == "all")
    read = output.read and _is_small(inputs[2:])
    some: api.Keep = "failed" if failures or output.cases == "failed" or read else "none"
    keep = "all" if whole else "issues" if failures == "issues" else some
    options = replace(options, keep=keep, headline=output.read)
    imported = api.ImportReport()
    if options.scorers:
        divert_output()
    written = output.path if output.format == RUN else None
    with api.Spool(run_file or written) as spool:
        with ProgressLine() as line:
            run = api.score(suite, sources, options=options, sink=spool, report=imported, advance=line.advance)
        tell(*imported.lines(), *not_run_notes(run.summary), *scorer_failures(run.summary))
        if save is not None:
            with api.open_store(store) as opened:
                tell(*opened.warnings, f"saved as run {opened.keep(run.header, spool, name=save)} in {opened.location}")
        for path in (written, run_file):
            if path is not None:
                api.write_run(run, output.place(path))
        if output.format != RUN:
            output.draw(output.of_run(run, details=details, failures=failures))
        elif output.path is None:
            output.write(api.encode_run(run))
    return INCOMPLETE if run.summary.counts.not_run else 0


def _refuse_beside_shard(output: Output, others: Mapping[str, object], options: api.ScoreOptions) -> None:
    if options.parts is not None:
        raise UsageError("--shard writes one part, and --parts a folder of them; leave one of them out")
    for option, given in others.items():
        if given is not None:
            raise UsageError(f"{option} is for toolgauge merge, once all parts are there; leave it out with --shard")
    if output.path is None:
        raise UsageError("--shard writes a part; name its file with -o")


def _write_part(
    suite: str, sources: Sequence[api.Source], shard: str, options: api.ScoreOptions, output: Output
) -> int:
    """Score a part of the traces, and write what came of it."""
    which = api.parse_shard(shard)
    imported = api.ImportReport()
    if options.scorers:
        divert_output()
    with ProgressLine() as line:
        part = api.score_shard(suite, sources, which, options=options, report=imported, advance=line.advance)
        output.write(part)
    tell(*imported.lines())
    return 0


def _is_small(paths: Sequence[str | None]) -> bool:
    """Whether what fails can be looked at without taking longer than scoring itself."""
    sizes = [os.path.getsize(path) for path in paths if path is not None and os.path.isfile(path)]
    return sum(sizes) <= MAX_EXAMINED


def not_run_notes(summary: Summary) -> Iterator[str]:
    """Why the exit code says that the run is incomplete, agent by agent."""
    for note in summary.notes:
        if note.kind == "not_run":
            count, names = note.values["count"], note.values["cases"]
            listed = ", ".join(map(str, names)) if isinstance(names, list) else ""
            more = ", ..." if isinstance(names, list) and isinstance(count, int) and count > len(names) else ""
            were = "1 case was" if count == 1 else f"{count} cases were"
            yield f"{note.values['agent']}: {were} not run: {listed}{more}"
