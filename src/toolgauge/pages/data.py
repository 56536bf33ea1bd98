"""A run as page data: plain values that JSON holds, with every figure as `--format json` has it.

Pages ask for three things, wherever they come from: `run`, everything of a run but its cases; `cases`, rows of the
list by filter, order and place; `case`, one of them with all that was done on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from toolgauge.analysis.diagnose import diagnose
from toolgauge.analysis.headline import headline
from toolgauge.catalogue import LANGUAGES, Lang, words_of
from toolgauge.core import Case, Pattern, Run, Scored, Summary, suite_hash
from toolgauge.metrics import Metric, metrics_with
from toolgauge.report import RunDocument, word_advice
from toolgauge.report.blocks import Paragraph, Table
from toolgauge.report.diagnosis import pattern_name
from toolgauge.report.figures import agents_of
from toolgauge.report.opening import opening
from toolgauge.report.run import counts_json, row_json, run_notes, state_counts
from toolgauge.report.totals import totals_json, totals_line

from .cases import case_page, case_row, said
from .charts import run_charts
from .gathering import gather_items, light
from .sets import CaseSets, set_name

__all__ = ["PAGE_WORDS", "PageData", "agents_json", "page_words", "run_page"]

MAX_COLOURS = 6
"""So many agents have a colour and a shape of their own; then they begin again."""

MAX_PATTERNS = 20

PAGE_WORDS = (
    "page.",
    "section.",
    "state.",
    "column.",
    "quantity.",
    "compare.metric.",
    "answer.",
    "group.",
    "label.",
    "number.",
)
"""How the keys of those texts begin that pages look up themselves."""

_PAGE_TEXTS = ("none", "all", "unlabelled", "more")


def page_words() -> dict[Lang, dict[str, str]]:
    """The texts that scripts of pages need, in every language."""
    return {
        lang: {
            key: text
            for key, text in words_of(lang).catalogue.items()
            if key.startswith(PAGE_WORDS) or key in _PAGE_TEXTS
        }
        for lang in LANGUAGES
    }


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything that the pages of a run show, made case by case."""

    run: Run
    patterns: Sequence[Pattern]
    items: Mapping[str, Sequence[Scored]] = field(default_factory=dict)
    """By the id of a case its trajectories, agents and trials in their order."""

    @classmethod
    def of(cls, run: Run) -> PageData:
        """Gather what there is to show of a run."""
        patterns: Sequence[Pattern] = ()
        if run.summary.rows and run.header.suite.cases:
            patterns = diagnose(run).patterns[:MAX_PATTERNS]
        if run.headline is None and run.header.suite.cases:
            run = replace(run, headline=headline(run))
        items = gather_items(run, agents_of(run.summary) or run.header.agents)
        return cls(run, patterns, items)

    def numbered(self) -> Iterator[tuple[int, Case, Sequence[Scored]]]:
        """The cases with their numbers, from 0."""
        for number, case in enumerate(self.run.header.suite.cases):
            yield number, case, self.items[case.id]

    def rows(self) -> Iterator[dict[str, object]]:
        """The cases as the list shows them."""
        return (case_row(number, case, items) for number, case, items in self.numbered())

    def pages(self) -> Iterator[dict[str, object]]:
        """The cases with everything that was done on them."""
        return (case_page(number, case, items) for number, case, items in self.numbered())

    def sets(self) -> dict[str, list[int]]:
        """Which cases stand behind which figure."""
        sets = CaseSets(self.patterns)
        for number, case, items in self.numbered():
            for item in items:
                sets.add(number, case, item)
        return sets.found()

    def page(self) -> dict[str, object]:
        """Everything of the run but its cases."""
        sets = CaseSets(self.patterns)
        lights: list[Scored] = []
        for number, case, items in self.numbered():
            for item in items:
                sets.add(number, case, item)
                lights.append(light(item))
        return run_page(self.run, self.patterns, sets.found(), lights)


def suite_json(run: Run) -> dict[str, object]:
    """What is said of the suite of a run; its hash is computed, for a file may claim that of another."""
    suite, header = run.summary.suite, run.header
    digest = header.suite_hash and suite_hash(header.suite)
    return {"name": suite.name, "cases": suite.cases, "tools": list(suite.tools), "hash": digest}


def run_page(
    run: Run, patterns: Sequence[Pattern], sets: dict[str, list[int]], scored: Iterable[Scored] | None = None
) -> dict[str, object]:
    """A run without its cases.

    Args:
        run: The run, with its headline.
        patterns: What goes wrong in it, what fails most first.
        sets: Which cases stand behind which figure.
        scored: The trajectories that distributions are drawn of; default: those of the run.
    """
    summary, header = run.summary, run.header
    about = header.about
    found = list(run.scored if scored is None else scored)
    charts = run_charts(summary, found)
    return {
        "id": about.get("id"),
        "name": about.get("name"),
        "title": said(RunDocument(run).title),
        "created": header.created,
        "model": about.get("model"),
        "suite": suite_json(run),
        "scoring": header.scoring,
        "by": summary.by,
        "trials": max(len({item.score.trial for item in found}), 1),
        "agents": agents_json(summary, header.agents),
        "sentences": {lang: _sentences(run, lang) for lang in LANGUAGES},
        "counts": counts_json(summary.counts),
        "passed_with_issues": summary.counts.passed_with_issues,
        "totals": totals_json(summary),
        "totals_line": said(lambda words: totals_line(summary, words)),
        "counts_line": said(lambda words: state_counts(summary.counts, words)),
        "notes": {lang: run_notes(run, words_of(lang)) for lang in LANGUAGES},
        "rows": [row_json(row) for row in summary.rows],
        "metrics": [_metric_json(metric) for metric in metrics_with(header.scorers)],
        "charts": {lang: {chart.name: chart.json(words_of(lang)) for chart in charts} for lang in LANGUAGES},
        "tools": [msgspec.structs.asdict(row) for row in summary.tools],
        "confusion": [msgspec.structs.asdict(one) for one in summary.confusion],
        "patterns": [_pattern_json(number, one) for number, one in enumerate(patterns)],
        "sets": sets,
        "labels": _labels(header.suite.cases),
        "issues": sorted({issue.kind for item in found for issue in item.score.issues}),
        "answers": any(item.score.answer is not None for item in found),
        "called": sorted({call.tool for item in found for call in item.trajectory.calls}),
    }


def agents_json(summary: Summary, named: Sequence[str]) -> list[dict[str, object]]:
    """The agents in their order, each with the number of its colour and shape, the same on every page."""
    agents = agents_of(summary) or tuple(named)
    return [{"name": agent, "colour": index % MAX_COLOURS + 1} for index, agent in enumerate(agents)]


def _sentences(run: Run, lang: Lang) -> list[str]:
    """What a report opens with, up to its table."""
    sentences = []
    for block in opening(run, words_of(lang)):
        if isinstance(block, Table):
            break
        if isinstance(block, Paragraph) and block.text:
            sentences.append(block.text)
    return sentences


def _metric_json(metric: Metric) -> dict[str, object]:
    return {
        "name": metric.name,
        "kind": metric.kind,
        "direction": "lower" if metric.lower_is_better else "higher",
        "unit": metric.unit,
        "section": metric.shown.section,
    }


def _pattern_json(number: int, pattern: Pattern) -> dict[str, object]:
    return {
        "id": number,
        "set": set_name("pattern", str(number)),
        "kind": pattern.kind,
        "group": pattern.group,
        "tool": pattern.tool,
        "argument": pattern.argument,
        "text": said(lambda words: pattern_name(pattern, words)),
        "share": pattern.share,
        "failed": pattern.failed,
        "trajectories": pattern.trajectories,
        "agents": pattern.agents,
        "recommendation": said(lambda words: word_advice(pattern.advice, words.lang)),
        "examples": list(dict.fromkeys(example.case for example in pattern.examples)),
    }


def _labels(cases: Iterable[Case]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for case in cases:
        for key, value in case.labels.items():
            found.setdefault(key, {})[value] = None
    return {key: list(values) for key, values in found.items()}
