"""`toolgauge demo`: the whole way from questions to a comparison, on a fresh machine, without a key or a network."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Iterator

import click

from toolgauge import api
from toolgauge.catalogue import Lang, Words, language, words_of
from toolgauge.core import Run, Scored
from toolgauge.errors import INCOMPLETE
from toolgauge.report import RunDocument
from toolgauge.report.display import wrap
from toolgauge.report.text import WIDTH

from .options import Output, output_options, tell
from .progress import RunBar
from .run import ENDINGS

__all__ = ["command"]

BENCHMARK = "vn-finance"
MODEL = "local:lexical"
AGENTS = ("react", "rewoo", "reflexion", "multi")


@click.command()
@click.option("--store", metavar="URL", help="Store of runs; default: .toolgauge/runs.db.")
@output_options(cases=True, full=True, charts=True)
def command(store: str | None, output: Output) -> int:
    """Compare four agents on the benchmark vn-finance: run them, record what they do, score it, and show the results.

    It takes a few seconds, and the results are the same every time. No language model is used: the baseline
    local:lexical chooses tools by the words they share with the question.
    """
    output.refuse_inputs(store=store)
    benchmark = api.load_benchmark(BENCHMARK)
    with RunBar() as bar:
        outcome = api.execute_run(
            benchmark.suite,
            list(AGENTS),
            model=MODEL,
            tools=list(benchmark.tools),
            store=store,
            name="demo",
            watcher=bar,
            tell=tell,
        )
    spoken = output.format == "text" and output.path is None
    if spoken:
        suite = benchmark.suite
        words = words_of(output.lang)
        sys.stdout.write(words("demo.opening", cases=len(suite.cases), suite=suite.name, model=MODEL) + "\n\n")
        sys.stdout.flush()
    run = api.with_headline(outcome.run)
    output.draw(RunDocument(run, full=output.full))
    if spoken:
        said = wrap(_conclusion(run, words_of(output.lang)), WIDTH)
        sys.stdout.writelines(f"{line}\n" for line in ("", *said))
        sys.stdout.writelines(_next(outcome, store, output.lang))
    tell(f"saved as run {outcome.id} in {store or os.path.join('.toolgauge', 'runs.db')}")
    return _code(outcome)


def _conclusion(run: Run, words: Words) -> str:
    """What the demo shows: whether the way in which agents work makes a difference, and between whom it is the largest.

    Every two agents were compared; the pass rates of all are in the table.
    """
    rates = {row.agent: row.counts for row in run.summary.rows if not row.group}
    best = max(rates, key=lambda agent: rates[agent].passed)
    least = min(rates, key=lambda agent: rates[agent].passed)
    pairings = run.headline.pairings if run.headline else ()
    differ = any(one.verdict in ("better", "worse") and {one.first, one.second} == {best, least} for one in pairings)
    return words(
        "demo.conclusion.differ" if differ else "demo.conclusion.alike",
        best=best,
        most=rates[best].passed,
        least=least,
        fewest=rates[least].passed,
        planned=rates[best].planned,
    )


def _next(outcome: api.RunOutcome, store: str | None, lang: Lang) -> Iterator[str]:
    """What can be done with the run from here, in the same place and language."""
    words = words_of(lang)
    place = "" if store is None else f" --store {shlex.quote(store)}"
    if lang != language():
        place += f" --lang {lang}"
    commands = {
        "compare": f"toolgauge compare demo@latest{place}",
        "case": f"toolgauge report demo@latest --case {_telling_case(outcome.run.scored)}{place}",
        "full": f"toolgauge report demo@latest --full{place}",
        "html": f"toolgauge report demo@latest --format html -o demo.html{place}",
        "diagnose": f"toolgauge diagnose demo@latest{place}",
        "run": f"toolgauge run {BENCHMARK} --agent {','.join(AGENTS)} --model anthropic:claude-haiku-4-5{place}",
        "read": "docs/agents.md",
    }
    yield f"\n{words('demo.next.title')}\n"
    for name, what in commands.items():
        yield f"  {what}\n      {words(f'demo.next.{name}')}\n"


def _telling_case(scored: Iterable[Scored]) -> str:
    """The case on which the agents called the most different things."""
    called: dict[str, set[tuple[str, ...]]] = {}
    for one in scored:
        tools = tuple(call.tool for call in one.trajectory.calls)
        called.setdefault(one.trajectory.case, set()).add(tools)
    return max(called, key=lambda case: len(called[case]))


def _code(outcome: api.RunOutcome) -> int:
    if outcome.error is not None:
        raise outcome.error
    counts = outcome.run.summary.counts
    return ENDINGS.get(outcome.stop, INCOMPLETE if counts.not_run or counts.cancelled else 0)
