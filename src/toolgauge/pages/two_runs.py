"""Two runs side by side: the verdict of `compare`, what broke and what was fixed, and in what the runs differ.

The pages are those of one run whose agents are the contenders: an agent of the first run and the same agent of the
second stand side by side on every case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from toolgauge.catalogue import LANGUAGES, Lang, Words, words_of
from toolgauge.core import Comparison, Contender, Counts, Headline, JsonValue, Pairing, Run, RunHeader, Scored
from toolgauge.report import ComparisonDocument
from toolgauge.report.blocks import Block
from toolgauge.report.comparison import mismatch_texts, p_sign, pair_verdict
from toolgauge.report.display import points, rounded_percent, short

from .data import PageData
from .onefile import one_file

__all__ = ["CHANGES", "TwoRunsDocument", "changes", "run_settings_texts"]

CHANGES = ("broken", "fixed", "flaky", "unchanged")
"""What became of a case. Broken: most of its trials passed and now most do not, and in one of the runs all agree;
fixed is the other way round. Flaky: else, where trials of a run differ, so that a change says little."""

MAX_CHANGES = 1_000
"""So many cases of each kind are listed."""

_SETTINGS = ("model", "base_url", "judge", "trials", "limits", "tools", "agents", "grounding")
"""What of how a run came about can change what agents do."""


@dataclass(frozen=True, slots=True)
class TwoRunsDocument:
    """A comparison of two runs, with their trajectories."""

    comparison: Comparison
    first: Run
    second: Run
    full: bool = True
    more: str = ""
    name: ClassVar[str] = "comparison"

    def _plain(self) -> ComparisonDocument:
        return ComparisonDocument(self.comparison, self.full, self.more)

    def title(self, words: Words) -> str:
        """The suite."""
        return self._plain().title(words)

    def blocks(self, words: Words) -> Iterator[Block]:
        """The comparison."""
        return self._plain().blocks(words)

    def json(self, words: Words) -> Iterator[str]:
        """The comparison."""
        return self._plain().json(words)

    def rows(self, words: Words) -> Iterator[list[str]]:
        """The comparison."""
        return self._plain().rows(words)

    def pages(self, lang: Lang) -> Iterator[str]:
        """Both runs as pages in one file."""
        data = PageData.of(self.merged())
        return one_file(data, lang, self.page(self.changes(data)))

    def merged(self) -> Run:
        """Both as one run, whose agents are the contenders."""
        first, second = _by_run(self.comparison)
        return _merged((self.first, first), (self.second, second))

    def changes(self, data: PageData) -> dict[str, list[dict[str, object]]]:
        """What became of each case and agent that both runs have."""
        return changes(data, *_by_run(self.comparison))

    def page(self, found: Mapping[str, Sequence[object]]) -> dict[str, object]:
        """What the page of both has in place of, or besides, what the page of a run has."""
        names = [contenders[0].run if contenders else "" for contenders in _by_run(self.comparison)]
        differs = {lang: list(self._differs(words_of(lang))) for lang in LANGUAGES}
        return {
            "sentences": {lang: self._sentences(words_of(lang), found) for lang in LANGUAGES},
            "differences": {
                "first": names[0],
                "second": names[1],
                "agents": len({one.agent for one in self.comparison.contenders}),
                "pairs": [[one.name, other.name] for one, other in _pairs(*_by_run(self.comparison))],
                "differs": differs,
                "counts": {kind: len(found[kind]) for kind in CHANGES},
                "cases": {kind: list(found[kind][:MAX_CHANGES]) for kind in CHANGES},
            },
        }

    def _sentences(self, words: Words, found: Mapping[str, Sequence[object]]) -> list[str]:
        """The verdict on each agent in both runs, and how many cases changed."""
        agents = {one.name: one.agent for one in self.comparison.contenders}
        told = [
            _moved(pairing, self.comparison, agents[pairing.second], words)
            for pairing in self.comparison.pairings
            if agents[pairing.first] == agents[pairing.second] or len(self.comparison.pairings) == 1
        ]
        counted: dict[str, object] = {kind: len(found[kind]) for kind in CHANGES}
        return [*told, words("page.changes.counts", **counted)]

    def _differs(self, words: Words) -> Iterator[str]:
        for one in self.comparison.mismatches:
            yield from mismatch_texts(one, words)
        yield from run_settings_texts(self.first.header, self.second.header, words)


def _moved(pairing: Pairing, comparison: Comparison, agent: str, words: Words) -> str:
    """Whether an agent did better or worse in the second run, by the metric that decides, in a sentence."""
    one = next(found for found in pairing.contrasts if found.metric == comparison.metric and not found.group)
    gap = one.difference
    if one.p is None or gap.value is None or comparison.metric != "pass_rate":
        return pair_verdict(pairing, comparison.metric, len(comparison.pairings), words).text
    interval = None
    if gap.low is not None and gap.high is not None:
        low, high = (points(end, words, sign=True) for end in (gap.low, gap.high))
        interval = words("compare.interval", low=low, high=high)
    return words(
        f"page.moved.{pairing.verdict}",
        agent=short(agent, 60),
        first=rounded_percent(one.first, words),
        second=rounded_percent(one.second, words),
        difference=points(gap.value, words, sign=True),
        interval=interval,
        p=p_sign(one.adjusted_p, words),
    )


def run_settings_texts(first: RunHeader, second: RunHeader, words: Words) -> Iterator[str]:
    """In what two runs differ in how they came about."""
    for name in _SETTINGS:
        before, after = first.about.get(name), second.about.get(name)
        if before == after:
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            changed = [key for key in dict.fromkeys((*before, *after)) if before.get(key) != after.get(key)]
            yield f"{name} ({short(', '.join(changed), 80)})"
        else:
            key = "page.differs.model" if name == "model" else "page.differs.setting"
            yield words(key, name=name, first=_shown(before, words), second=_shown(after, words))


def _shown(value: JsonValue, words: Words) -> str:
    return words("none") if value is None else short(str(value), 60)


def _by_run(comparison: Comparison) -> tuple[list[Contender], list[Contender]]:
    """The contenders of the first run and of the second."""
    names = list(dict.fromkeys(one.run for one in comparison.contenders))
    first = [one for one in comparison.contenders if one.run == names[0]]
    return first, [one for one in comparison.contenders if one.run != names[0]]


def _merged(*runs: tuple[Run, Sequence[Contender]]) -> Run:
    """One run whose agents are the contenders."""
    header, summary = runs[-1][0].header, runs[-1][0].summary
    rows, tools, confusion = [], [], []
    both: list[tuple[Run, dict[str, str]]] = []
    counts = Counts()
    for run, contenders in runs:
        named = {one.agent: one.name for one in contenders}
        own = [row for row in run.summary.rows if row.agent in named]
        rows += [msgspec.structs.replace(row, agent=named[row.agent]) for row in own]
        tools += [
            msgspec.structs.replace(row, agent=named[row.agent]) for row in run.summary.tools if row.agent in named
        ]
        confusion += [
            msgspec.structs.replace(one, agent=named[one.agent]) for one in run.summary.confusion if one.agent in named
        ]
        both.append((run, named))
        counts = _added(counts, [row.counts for row in own if not row.group])
    agents = _side_by_side([contenders for _, contenders in runs])
    rows.sort(key=lambda row: agents.index(row.agent))
    about = {**header.about, "name": None, "id": None}
    return Run(
        msgspec.structs.replace(header, agents=agents, about=about),
        msgspec.structs.replace(
            summary, rows=tuple(rows), tools=tuple(tools), confusion=tuple(confusion), counts=counts, notes=()
        ),
        _Renamed(both),
        Headline(),
    )


def _side_by_side(runs: Sequence[Sequence[Contender]]) -> tuple[str, ...]:
    """The contenders, each agent as it was in one run beside itself in the next."""
    all_of_them = [one for contenders in runs for one in contenders]
    order = list(dict.fromkeys(one.agent for one in all_of_them))
    return tuple(one.name for one in sorted(all_of_them, key=lambda one: order.index(one.agent)))


class _Renamed:
    """The trajectories of several runs under the names of contenders, read as often as one likes."""

    def __init__(self, runs: Sequence[tuple[Run, Mapping[str, str]]]) -> None:
        self._runs = runs

    def __iter__(self) -> Iterator[Scored]:
        for run, named in self._runs:
            for item in run.scored:
                if item.score.agent in named:
                    yield _renamed(item, named[item.score.agent])


def _renamed(item: Scored, agent: str) -> Scored:
    return Scored(
        msgspec.structs.replace(item.trajectory, agent=agent), msgspec.structs.replace(item.score, agent=agent)
    )


def _added(counts: Counts, others: Sequence[Counts]) -> Counts:
    names = Counts.__struct_fields__
    return Counts(**{name: sum(getattr(one, name) for one in (counts, *others)) for name in names})


def _pairs(first: Sequence[Contender], second: Sequence[Contender]) -> list[tuple[Contender, Contender]]:
    """What each agent is in both runs; two single agents belong together whatever they are called."""
    pairs = [(one, other) for one in first for other in second if one.agent == other.agent]
    if not pairs and len(first) == len(second) == 1:
        pairs = [(first[0], second[0])]
    return pairs


def changes(
    data: PageData, first: Sequence[Contender], second: Sequence[Contender]
) -> dict[str, list[dict[str, object]]]:
    """What became of each case and agent that both runs have, what broke first."""
    pairs = _pairs(first, second)
    found: dict[str, list[dict[str, object]]] = {kind: [] for kind in CHANGES}
    for _, case, items in data.numbered():
        for one, other in pairs:
            before = [item for item in items if item.score.agent == one.name]
            after = [item for item in items if item.score.agent == other.name]
            if before and after:
                found[_change(before, after)].append(
                    {
                        "case": case.id,
                        "input": case.input,
                        "agent": other.name,
                        "first": _passed(before),
                        "second": _passed(after),
                        "before": _telling(before, after),
                        "after": _telling(after, before),
                    }
                )
    return found


def _change(before: Sequence[Scored], after: Sequence[Scored]) -> str:
    shares = [sum(item.score.passed for item in items) / len(items) for items in (before, after)]
    first, second = shares
    steady = [share in (0.0, 1.0) for share in shares]
    if (first - 0.5) * (second - 0.5) < 0 and any(steady):
        return "fixed" if second > first else "broken"
    return "unchanged" if all(steady) else "flaky"


def _passed(items: Sequence[Scored]) -> list[int]:
    return [sum(item.score.passed for item in items), len(items)]


def _telling(items: Sequence[Scored], others: Sequence[Scored]) -> str:
    """The trajectory to look at, as addresses name it: one that ended otherwise than some of the other run."""
    ended = {item.score.passed for item in others}
    one = next((item for item in items if {item.score.passed} != ended), items[0])
    return f"{one.score.agent}#{one.score.trial}"
