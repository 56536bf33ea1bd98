"""`toolgauge report`: a run, drawn again."""

from __future__ import annotations

import click

from toolgauge import api
from toolgauge.core import nfc
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.report import CaseDocument

from .options import RUN, Output, output_options
from .sources import by_option, details_option, failures_option, store_option, with_reviews_option

__all__ = ["command"]


@click.command()
@click.argument("run")
@click.option("--case", "case", metavar="ID", help="Show only this case, in any format but run.")
@by_option
@details_option
@failures_option
@with_reviews_option
@store_option
@output_options(cases=True, run=True, full=True, charts=True)
def command(
    run: str,
    case: str | None,
    by: str | None,
    details: bool,
    failures: str | None,
    with_reviews: bool,
    store: str | None,
    output: Output,
) -> None:
    """Show the report of RUN in any format, without scoring it again.

    RUN is a run file, written by toolgauge score --format run, or - for standard input; or a run in the store: its id
    or the beginning of its id, its name, NAME@latest, or latest.
    """
    if case is not None and output.format == RUN:
        raise UsageError("a single case cannot be written as a run; leave out --case, or use another --format")
    if with_reviews and output.format == RUN:
        raise UsageError("a run file contains what was recorded; leave out --with-reviews, or use another --format")
    output.refuse_inputs(run, store=store)
    loaded = api.load_run(run, by=by, store=store, headline=output.read and case is None, with_reviews=with_reviews)
    if case is not None:
        known = [one.id for one in loaded.header.suite.cases]
        if nfc(case) not in map(nfc, known):
            hint = did_you_mean(case, known)
            raise NothingToDo(f"{run}: there is no case {case!r}" + (f"; {hint}" if hint else ""))
        output.draw(CaseDocument(loaded, case))
    elif output.format == RUN:
        output.write(api.encode_run(loaded))
    else:
        output.draw(output.of_run(loaded, details=details, failures=failures))
