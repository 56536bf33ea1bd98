"""`toolgauge compare`: what the figures of agents support, and what they do not."""

from __future__ import annotations

import click

from toolgauge import api
from toolgauge.catalogue import words_of
from toolgauge.report import ComparisonDocument

from .options import Output, output_options
from .sources import store_option, with_reviews_option

__all__ = ["command"]

MAX_RESAMPLES = 1_000_000


@click.command()
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--by", metavar="LABEL", help="Break results down by this label; default: difficulty, if the suite has it."
)
@click.option(
    "--agent", "agents", multiple=True, metavar="NAME", help="Compare only this agent; may be repeated. Default: all."
)
@click.option("--against", metavar="NAME", help="Compare all others with this agent or run only; default: every pair.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Compare this metric; may be repeated, and the first one decides. Default: pass_rate, accuracy and others.",
)
@click.option("--force", is_flag=True, help="Compare runs even if their suites, tools or scoring rules differ.")
@click.option(
    "--bootstrap",
    "resamples",
    type=click.IntRange(100, MAX_RESAMPLES),
    metavar="N",
    help="Compute intervals from N bootstrap resamples of the cases, instead of in closed form.",
)
@with_reviews_option
@store_option
@output_options(full=True, charts=True)
def command(
    runs: tuple[str, ...],
    by: str | None,
    agents: tuple[str, ...],
    against: str | None,
    metrics: tuple[str, ...],
    force: bool,
    resamples: int | None,
    with_reviews: bool,
    store: str | None,
    output: Output,
) -> None:
    """Compare the agents of a RUN, or of several runs of the same suite, paired by case.

    RUN is a run file, written by toolgauge score --format run, a folder or pattern of such files, their address in
    object storage, or - for standard input; or a run in the store: its id
    or the beginning of its id, its name, NAME@latest, or latest.

    For each pair, it says whether the second agent is better or worse, or whether there is no evidence either way, and
    how many more cases it would take to find out.
    """
    output.refuse_inputs(*runs, store=store)
    runs = tuple(api.named_runs(runs))
    comparison = api.compare(
        *runs,
        by=by,
        agents=agents,
        against=against,
        metrics=metrics,
        force=force,
        resamples=resamples or 0,
        store=store,
        with_reviews=with_reviews,
    )
    more = "" if output.full else words_of(output.lang)("compare.more")
    both = output.format in ("html", "svg") and len(runs) == 2 and not output.tables
    if both and len(comparison.contenders) > 1:
        from toolgauge.pages import TwoRunsDocument  # templates, which no other format needs

        first, second = (api.load_run(run, by=by, store=store, with_reviews=with_reviews) for run in runs)
        output.draw(TwoRunsDocument(comparison, first, second, output.full, more))
    else:
        output.draw(ComparisonDocument(comparison, output.full, more))
