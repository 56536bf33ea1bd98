"""A comparison as a document: the verdict on each pair first, then figures, tests, power, trials and the method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from toolgauge.catalogue import Words, english_reason
from toolgauge.core import Comparison, Contrast, Estimate, JsonValue, Mismatch, Pairing

from .blocks import Block, Bullets, Heading, Item, Paragraph, Tone
from .comparison_tables import (
    figures_table,
    matrix_table,
    metric_name,
    power_table,
    short,
    tests_table,
    trials_table,
)
from .csv import UNLABELLED, cell_of, harmless
from .display import amount, decimal, signed
from .json import encode_json
from .values import redact, redact_value

__all__ = ["COMPARISON_SCHEMA", "ComparisonDocument", "mismatch_texts", "p_sign", "pair_verdict"]

COMPARISON_SCHEMA = "toolgauge.comparison/1"

_TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}
_MAX_LISTED = 3
_MAX_TOLD = 6
"""So many pairs that are told apart are named in a sentence."""


@dataclass(frozen=True, slots=True)
class ComparisonDocument:
    """What the figures of agents support."""

    comparison: Comparison
    full: bool = True
    """Whether everything follows the verdicts: groups, tests, power, and how all of that is computed."""
    more: str = ""
    """How to see more of it."""
    name: ClassVar[str] = "comparison"

    def title(self, words: Words) -> str:  # noqa: ARG002 - a name is the same in every language
        """The suite."""
        return short(self.comparison.suite)

    def blocks(self, words: Words) -> Iterator[Block]:
        """The verdicts, and then all that they rest on."""
        yield from _opening(self.comparison, words, full=self.full)
        if self.full:
            yield from _details(self.comparison, words)
            yield from _method(self.comparison, words)
        yield from _notes(self.comparison, words)
        if self.more:
            yield Paragraph(self.more, "dim")

    def complete(self) -> ComparisonDocument:
        """All of it, for picking single tables."""
        return ComparisonDocument(self.comparison)

    def json(self, words: Words) -> Iterator[str]:  # noqa: ARG002 - it is the same in every language
        """The comparison, one contrast a line."""

        def plain(value: object) -> str:
            return encode_json(redact_value(msgspec.to_builtins(value)))

        yield f'{{"schema":{encode_json(COMPARISON_SCHEMA)}'
        for name in self.comparison.__struct_fields__:
            if name != "pairings":
                yield f',\n"{name}":{plain(getattr(self.comparison, name))}'
        yield ',\n"pairings":['
        for number, pairing in enumerate(self.comparison.pairings):
            head = {"first": pairing.first, "second": pairing.second, "verdict": pairing.verdict}
            yield (",\n" if number else "\n") + plain(head)[:-1] + ',"contrasts":[\n'
            yield ",\n".join(plain(_worded(one)) for one in pairing.contrasts) + "]}"
        yield "]}\n"

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per pair, metric and group; that of all cases has no label."""
        by = self.comparison.by
        keys = ["first", "second", "metric"]
        label = [] if by is None else [f"label {by}" if by in (*keys, *_FIGURES) else by]
        yield list(map(harmless, [*keys, *label, *_FIGURES]))
        for pairing in self.comparison.pairings:
            for contrast in pairing.contrasts:
                cells = [pairing.first, pairing.second, contrast.metric]
                if by is not None:
                    cells.append(", ".join(value or UNLABELLED for value in contrast.group.values()))
                figures = (cell_of(read(contrast)) for read in _FIGURES.values())
                yield [*(harmless(redact(cell)) for cell in cells), *figures]


_FIGURES: dict[str, Callable[[Contrast], float | str | None]] = {
    "n": lambda one: one.n,
    "measured": lambda one: one.measured,
    "value_first": lambda one: one.first,
    "value_second": lambda one: one.second,
    "difference": lambda one: one.difference.value,
    "difference_low": lambda one: one.difference.low,
    "difference_high": lambda one: one.difference.high,
    "test": lambda one: one.test,
    "p": lambda one: one.p,
    "adjusted_p": lambda one: one.adjusted_p,
    "mid_p": lambda one: one.mid_p,
    "only_first": lambda one: one.only_first,
    "only_second": lambda one: one.only_second,
    "odds_ratio": lambda one: _odds(one).value,
    "odds_ratio_low": lambda one: _odds(one).low,
    "odds_ratio_high": lambda one: _odds(one).high,
    "standardised": lambda one: one.standardised,
    "detectable": lambda one: one.detectable,
    "more_cases": lambda one: one.more_cases,
    "verdict": lambda one: one.verdict,
}
"""The columns of CSV behind those that say what a row is about."""


def _worded(one: Contrast) -> Contrast:
    """A contrast that says in words why there is no difference, where there is none."""
    reason = one.difference.reason
    return replace(one, difference=replace(one.difference, reason=english_reason(reason))) if reason else one


def _odds(one: Contrast) -> Estimate:
    """The odds ratio, or nothing where no case tells the two apart."""
    return one.odds_ratio if one.odds_ratio is not None and one.odds_ratio.n else Estimate(None)


def _opening(comparison: Comparison, words: Words, *, full: bool) -> Iterator[Block]:
    """Who is better than whom: of two in sentences and their figures, of more as a matrix."""
    yield Heading(
        words(
            "compare.title",
            suite=short(comparison.suite),
            cases=words.count("cases", comparison.cases),
            contenders=words.count("compare.contenders", len(comparison.contenders)),
        ),
        1,
    )
    if len(comparison.pairings) > 1:
        yield Paragraph(_told_apart(comparison, words), "strong")
    yield from (Paragraph(text, "warn") for text in _not_run(comparison, words))
    if len(comparison.pairings) > 1:
        yield matrix_table(comparison, words)
        yield Paragraph(words("compare.matrix.legend", metric=metric_name(comparison.metric, words)), "dim")
        if not full:
            return
    yield Heading(words("compare.section.verdicts"), name="verdicts")
    pairs = len(comparison.pairings)
    yield Bullets(tuple(pair_verdict(pairing, comparison.metric, pairs, words) for pairing in comparison.pairings))
    if not full:
        (pairing,) = comparison.pairings
        yield Heading(words("compare.section.pair", first=short(pairing.first), second=short(pairing.second)))
        yield figures_table(pairing, comparison.by, words, groups=False)
        yield from _which(pairing, pairs, words, groups=False)


def _told_apart(comparison: Comparison, words: Words) -> str:
    """Which contenders are told apart by the metric that decides, in a sentence."""
    metric = metric_name(comparison.metric, words)
    told = []
    for pairing in comparison.pairings:
        if pairing.verdict in ("better", "worse"):
            names = (pairing.second, pairing.first)
            better, worse = map(short, names if pairing.verdict == "better" else names[::-1])
            told.append(words("compare.told.pair", better=better, worse=worse))
    pairs = len(comparison.pairings)
    if not told:
        found = (_one(pairing, comparison.metric).adjusted_p for pairing in comparison.pairings)
        least = min((p for p in found if p is not None), default=None)
        return words("compare.told.none", metric=metric, pairs=pairs, p=None if least is None else p_sign(least, words))
    if len(told) > _MAX_TOLD:
        told = [*told[:_MAX_TOLD], words("more", number=len(told) - _MAX_TOLD)]
    return words("compare.told", metric=metric, pairs=pairs, told="; ".join(told))


def _not_run(comparison: Comparison, words: Words) -> Iterator[str]:
    for one in comparison.contenders:
        if one.measured < one.planned:
            yield words("compare.incomplete", agent=short(one.name), measured=one.measured, planned=one.planned)


def _which(pairing: Pairing, pairs: int, words: Words, *, groups: bool) -> Iterator[Block]:
    """Below figures of which the interval and the verdict seem to contradict each other: which is which."""
    if any(one.seems_to_contradict for one in pairing.contrasts if groups or not one.group):
        key = "compare.which.corrected" if pairs > 1 else "compare.which.methods"
        yield Paragraph(words(key, pairs=pairs) + ".", "dim")


def _details(comparison: Comparison, words: Words) -> Iterator[Block]:
    pairs = len(comparison.pairings)
    for pairing in comparison.pairings:
        yield Heading(words("compare.section.pair", first=short(pairing.first), second=short(pairing.second)))
        yield figures_table(pairing, comparison.by, words)
        yield from _which(pairing, pairs, words, groups=True)
        yield Heading(words("compare.section.tests"), 3)
        yield tests_table(pairing, comparison.by, words)
        yield Heading(words("compare.section.power"), 3)
        yield power_table(pairing, comparison.by, words)
    yield from _trials(comparison, words)


def _one(pairing: Pairing, metric: str) -> Contrast:
    return next(contrast for contrast in pairing.contrasts if contrast.metric == metric and not contrast.group)


def pair_verdict(pairing: Pairing, metric: str, pairs: int, words: Words) -> Item:
    """What is said of a pair in a sentence or two: by the metric that decides, then by the others."""
    one = _one(pairing, metric)
    figures = power = None
    if one.p is not None:
        show = decimal if abs(one.first or 0) <= 1 and abs(one.second or 0) <= 1 else amount
        gap = one.difference
        interval = None
        if gap.low is not None and gap.high is not None:
            interval = words("compare.interval", low=signed(gap.low, words), high=signed(gap.high, words))
        figures = words(
            "compare.figures",
            second=show(one.second, words),
            first=show(one.first, words),
            difference=signed(gap.value, words),
            interval=interval,
            p=p_sign(one.adjusted_p, words),
        )
    if one.detectable is not None:
        needed = one.more_cases or None
        key = "compare.power.cases" if needed else "compare.power.enough"
        power = words(key, detectable=signed(one.detectable, words).lstrip("+"), more=needed)
    text = words(
        f"compare.pair.{pairing.verdict}",
        first=short(pairing.first),
        second=short(pairing.second),
        metric=metric_name(metric, words),
        figures=figures,
        which=_contradiction(one, pairs, words),
        others=_others(pairing, metric, words),
        power=power,
    )
    return Item(text, _TONES.get(pairing.verdict, "plain"))


def _contradiction(one: Contrast, pairs: int, words: Words) -> str | None:
    """Which figure decides, where the interval and the verdict seem to contradict each other."""
    if not one.seems_to_contradict:
        return None
    return words("compare.which.corrected" if pairs > 1 else "compare.which.methods", pairs=pairs)


def p_sign(value: float | None, words: Words) -> str:
    """A p-value with its sign, as it stands in a sentence."""
    if value is None:
        return ""
    return words.number("< 0.001" if value < 0.001 else f"= {value:.3f}")


def _others(pairing: Pairing, metric: str, words: Words) -> str | None:
    """What the metrics say that do not decide, over all cases."""
    parts = []
    for verdict in ("better", "worse", "no_evidence"):
        names = [
            metric_name(one.metric, words)
            for one in pairing.contrasts
            if one.verdict == verdict and not one.group and one.metric != metric
        ]
        if names:
            parts.append(words(f"compare.others.{verdict}", metrics=", ".join(names)))
    return words("compare.others", parts="; ".join(parts)) if parts else None


def _trials(comparison: Comparison, words: Words) -> Iterator[Block]:
    if not comparison.reliability:
        return
    yield Heading(words("compare.section.trials"))
    yield trials_table(((one.contender, one.repeated) for one in comparison.reliability), words)
    yield Bullets(
        tuple(
            Item(
                words(
                    "compare.trials",
                    agent=short(one.contender),
                    flaky=one.flaky,
                    cases=one.cases,
                    flakiness=words.number(f"{one.flakiness:.3f}"),
                    examples=", ".join(map(short, one.examples)) or None,
                )
            )
            for one in comparison.reliability
        )
    )


def _method(comparison: Comparison, words: Words) -> Iterator[Block]:
    tests = {one.test for pairing in comparison.pairings for one in pairing.contrasts}
    yield Heading(words("compare.section.method"), name="method")
    items = [words("compare.method.paired")]
    if "mcnemar" in tests:
        items.append(words("compare.method.mcnemar"))
    if tests & {"permutation", "permutation_drawn"}:
        items.append(words("compare.method.permutation"))
    if comparison.resamples:
        items.append(words("compare.method.bootstrap", resamples=comparison.resamples))
    items.append(words("compare.method.power"))
    if len({one.metric for pairing in comparison.pairings for one in pairing.contrasts}) > 1:
        items.append(words("compare.method.metrics", metric=metric_name(comparison.metric, words)))
    yield Bullets(tuple(map(Item, items)))


def _notes(comparison: Comparison, words: Words) -> Iterator[Block]:
    items = [words("compare.left_out", number=comparison.left_out)] if comparison.left_out else []
    for one in comparison.mismatches:
        what = "; ".join(mismatch_texts(one, words))
        items.append(words("compare.note.forced", first=short(one.first), second=short(one.second), what=what))
    if items:
        yield Heading(words("compare.section.notes"), name="notes")
        yield Bullets(tuple(Item(text, "warn") for text in items))


def mismatch_texts(one: Mismatch, words: Words) -> Iterator[str]:
    """In what two runs differ that were compared all the same."""
    if one.kind == "cases":
        for run, key in ((one.first, "only_first"), (one.second, "only_second")):
            if names := one.values.get(key):
                yield words("compare.mismatch.only", run=short(run), cases=_listed(names, words))
        return
    values = {name: _listed(value, words) for name, value in one.values.items()}
    yield words(f"compare.mismatch.{one.kind}", **values)


def _listed(names: JsonValue, words: Words) -> str:
    if not isinstance(names, list):
        return str(names)
    shown = [short(str(name)) for name in names[:_MAX_LISTED]]
    if len(names) > _MAX_LISTED:
        shown.append(words("more", number=len(names) - _MAX_LISTED))
    return ", ".join(shown)
