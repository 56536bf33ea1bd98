"""`toolgauge merge`: the run of parts that were scored apart."""

from __future__ import annotations

import click

from toolgauge import api
from toolgauge.errors import INCOMPLETE, UsageError

from .options import RUN, Output, output_options, tell
from .progress import ProgressLine
from .score import not_run_notes
from .sources import details_option, failures_option, scorer_failures, store_option

__all__ = ["command"]


@click.command()
@click.argument("parts", nargs=-1, required=True, metavar="PART...")
@details_option
@failures_option
@click.option("--run-file", metavar="FILE", help="Also write the run to FILE, for toolgauge report and compare.")
@click.option("--save", metavar="[NAME]", is_flag=False, flag_value="", help="Save the run in the store, as NAME.")
@store_option
@output_options(cases=True, run=True, full=True, charts=True)
def command(
    parts: tuple[str, ...],
    details: bool,
    failures: str | None,
    run_file: str | None,
    save: str | None,
    store: str | None,
    output: Output,
) -> int:
    """Merge the PARTs that toolgauge score --shard wrote into one run, and show its report in any format.

    All parts of the run are needed, in any order; the result is the same as scoring everything at once.

    \b
    toolgauge score suite.yaml traces/ --shard 1/2 -o 1.part
    toolgauge score suite.yaml traces/ --shard 2/2 -o 2.part
    toolgauge merge 1.part 2.part --format run -o today.run.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    output.refuse_inputs(*parts, store=store, beside={"--run-file": run_file})
    if store is not None and save is None:
        raise UsageError("--store names the store for --save; add --save")
    imported = api.ImportReport()
    written = output.path if output.format == RUN else None
    with api.Spool(run_file or written) as spool:
        with ProgressLine() as line:
            run = api.merge_parts(parts, spool=spool, headline=output.read, report=imported, advance=line.advance)
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
