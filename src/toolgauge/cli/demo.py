"""`toolgauge demo`: the whole way from questions to a comparison, on a fresh machine, without a key or a network."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Iterator

import click

from toolgauge import api
from toolgauge.benchmarks import load_benchmark
from toolgauge.core import Scored
from toolgauge.models.lexical import NAME as MODEL
from toolgauge.report import Lang, Report
from toolgauge.runner import RunOutcome

from .options import Output, language, output_options, tell
from .watching import RunBar

__all__ = ["command"]

BENCHMARK = "vn-finance"
AGENTS = ("react", "rewoo", "reflexion", "multi")

INCOMPLETE = 3
ENDINGS = {"interrupted": 130, "terminated": 143}

OPENING: dict[Lang, str] = {
    "en": (
        "Four agents answer the {cases} questions of {suite}.\n"
        "Behind all of them is {model}, a baseline that compares words. It is not a language model: any real one\n"
        "should do better. What differs here is how the agents go about it.\n\n"
    ),
    "vi": (
        "Bốn agent trả lời {cases} câu hỏi của {suite}.\n"
        "Đứng sau cả bốn là {model}, một mốc so sánh chỉ đối chiếu từ ngữ. Đây không phải là mô hình ngôn ngữ:\n"
        "mô hình thật nào cũng phải làm tốt hơn. Điều khác nhau ở đây là cách làm việc của từng agent.\n\n"
    ),
}

NEXT: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Where to look next",
        "case": "one question that the agents went about differently",
        "failures": "what was expected beside what was done",
        "diagnose": "patterns in what went wrong",
        "run": "the same with a real model",
        "read": "how each agent works, and why the figures differ",
    },
    "vi": {
        "title": "Xem tiếp",
        "case": "một câu hỏi mà các agent xử lý khác nhau",
        "failures": "điều kỳ vọng bên cạnh điều đã làm",
        "diagnose": "những kiểu sai lặp lại",
        "run": "chạy lại với một mô hình thật",
        "read": "cách làm việc của từng agent và vì sao kết quả khác nhau",
    },
}


@click.command()
@click.option("--store", metavar="URL", help="Where the run is kept; default: .toolgauge/runs.db.")
@output_options()
def command(store: str | None, output: Output) -> int:
    """Compare four agents on the benchmark vn-finance: run them, keep what they do, score it, show the figures.

    It takes some seconds, and the figures are the same every time. No language model is asked: the baseline
    local:lexical chooses tools by the words they share with the question.
    """
    benchmark = load_benchmark(BENCHMARK)
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
        sys.stdout.write(OPENING[output.lang].format(cases=len(suite.cases), suite=suite.name, model=MODEL))
        sys.stdout.flush()
    output.draw(Report(outcome.run, lang=output.lang, brief=output.format != "json"))
    if spoken:
        sys.stdout.writelines(_next(outcome, store, output.lang))
    tell(f"kept as run {outcome.id} in {store or os.path.join('.toolgauge', 'runs.db')}")
    return _code(outcome)


def _next(outcome: RunOutcome, store: str | None, lang: Lang) -> Iterator[str]:
    """What can be done with the run from here, in the same place and language."""
    words = NEXT[lang]
    place = "" if store is None else f" --store {shlex.quote(store)}"
    if lang != language():
        place += f" --lang {lang}"
    commands = {
        "case": f"toolgauge report demo@latest --case {_telling_case(outcome.run.scored)}{place}",
        "failures": f"toolgauge report demo@latest --failures{place}",
        "diagnose": f"toolgauge diagnose demo@latest{place}",
        "run": f"toolgauge run {BENCHMARK} --agent {','.join(AGENTS)} --model anthropic:claude-haiku-4-5{place}",
        "read": "docs/agents.md",
    }
    yield f"\n{words['title']}\n"
    for name, what in commands.items():
        yield f"  {what}\n      {words[name]}\n"


def _telling_case(scored: Iterable[Scored]) -> str:
    """The case on which the agents called the most different things."""
    called: dict[str, set[tuple[str, ...]]] = {}
    for one in scored:
        tools = tuple(call.tool for call in one.trajectory.calls)
        called.setdefault(one.trajectory.case, set()).add(tools)
    return max(called, key=lambda case: len(called[case]))


def _code(outcome: RunOutcome) -> int:
    if outcome.error is not None:
        raise outcome.error
    counts = outcome.run.summary.counts
    return ENDINGS.get(outcome.stop, INCOMPLETE if counts.not_run or counts.cancelled else 0)
