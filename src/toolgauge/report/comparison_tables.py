"""The tables of a comparison: figures, tests and effects, power, and several trials of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from toolgauge.catalogue import Words
from toolgauge.core import Comparison, Contrast, Estimate, Judged, Pairing, Repeated

from .blocks import Column, Line, Table, Tone
from .display import amount, interval, signed
from .figures import value_of_label
from .values import redact, short_name

__all__ = [
    "figures_table",
    "matrix_table",
    "metric_name",
    "power_table",
    "short",
    "tests_table",
    "trials_table",
]

_MAX_NAME = 40
_TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}


MAX_LISTED_K = 5
"""Of more trials not every k is shown."""


def short(text: str) -> str:
    """A name from data: without credentials, harmless, and not too long."""
    return short_name(text, _MAX_NAME)


def metric_name(metric: str, words: Words) -> str:
    """What a metric is called in a comparison."""
    return words.known(f"compare.metric.{metric}", metric)


def figures_table(pairing: Pairing, by: str | None, words: Words, *, groups: bool = True) -> Table:
    """Both figures, their difference, and what is said of it: over all cases, and if wanted in each group."""
    columns = (
        Column(words("compare.column.verdict"), "left"),
        Column(words("compare.column.adjusted")),
        Column("A"),
        Column("B"),
        Column(words("compare.column.difference")),
        Column(words("column.interval")),
        Column(words("compare.column.cases")),
    )

    def cells(one: Contrast) -> tuple[str, ...]:
        return (
            words(f"compare.verdict.{one.verdict}"),
            _p(one.adjusted_p, words),
            _figure(one.first, words),
            _figure(one.second, words),
            signed(one.difference.value, words),
            _interval(one.difference, words),
            number_of_cases(one, words),
        )

    contrasts = pairing.contrasts if groups else tuple(one for one in pairing.contrasts if not one.group)
    return _table("figures", contrasts, by if groups else None, words, columns, cells)


def matrix_table(comparison: Comparison, words: Words) -> Table:
    """Who beats whom: each line says how its contender stands to those in the columns, by the metric that decides."""
    found: dict[tuple[str, str], Contrast] = {}
    for pairing in comparison.pairings:
        found[pairing.first, pairing.second] = _deciding(pairing, comparison.metric)
    names = [one.name for one in comparison.contenders]
    across = [name for name in names if any(name in pair for pair in found)]
    if len({first for first, _ in found}) == 1 and len(found) > 1:
        across = [next(iter(found))[0]]  # all others are compared with one of them
    columns = (Column(words("column.agent"), "left", key=True), *(Column(short(name)) for name in across))
    lines = []
    for name in names:
        cells = []
        for other in across:
            one, turned = found.get((other, name)), found.get((name, other))
            if name == other:
                cells.append(words("compare.matrix.self", value=_own(name, found, words)))
            elif one is not None:
                cells.append(_cell(one, one.verdict, words))
            elif turned is not None:
                cells.append(_cell(turned, _OPPOSITE.get(turned.verdict, turned.verdict), words))
            else:
                cells.append("")
        lines.append(Line((short(name), *cells)))
    return Table(columns, tuple(lines), name="matrix")


_OPPOSITE: dict[Judged, Judged] = {"better": "worse", "worse": "better"}


def _cell(one: Contrast, verdict: Judged, words: Words) -> str:
    return words(f"compare.matrix.{verdict}", p=_p(one.adjusted_p, words))


def _own(name: str, found: dict[tuple[str, str], Contrast], words: Words) -> str:
    """The figure of a contender itself."""
    value = next((one.first if name == pair[0] else one.second for pair, one in found.items() if name in pair), None)
    return _figure(value, words)


def _deciding(pairing: Pairing, metric: str) -> Contrast:
    return next(one for one in pairing.contrasts if one.metric == metric and not one.group)


def number_of_cases(one: Contrast, words: Words) -> str:
    """On how many cases a contrast rests; where some of them were not run, how many were, too."""
    if one.measured == one.n:
        return words.number(one.n)
    return f"{words.number(one.measured)}/{words.number(one.n)}"


def tests_table(pairing: Pairing, by: str | None, words: Words) -> Table:
    """Which test was used, what it says, and how large the effect is."""
    tested = [one for one in pairing.contrasts if one.p is not None]
    binary = any(one.only_first is not None for one in tested)
    columns = [Column(words("compare.column.test"), "left"), Column(words("compare.column.p"))]
    if binary:
        columns += [Column(words(f"compare.column.{name}")) for name in ("mid_p", "only")]
    columns.append(Column(words("compare.column.effect")))

    def cells(one: Contrast) -> tuple[str, ...]:
        found = [words(f"compare.test.{one.test}"), _p(one.p, words)]
        if binary:
            only = "" if one.only_first is None else f"{one.only_first} / {one.only_second}"
            found += [_p(one.mid_p, words), only]
        return *found, _effect(one, words)

    return _table("tests", tested, by, words, columns, cells)


def power_table(pairing: Pairing, by: str | None, words: Words) -> Table:
    """The smallest difference that can be shown, the one seen, and how many more cases it would take."""
    columns = tuple(Column(words(f"compare.column.{name}")) for name in ("cases", "detectable", "seen", "more"))

    def cells(one: Contrast) -> tuple[str, ...]:
        more = (
            ""
            if one.more_cases is None
            else words.number(one.more_cases)
            if one.more_cases
            else words("compare.enough")
        )
        least = words("compare.no_limit") if one.detectable is None else signed(one.detectable, words).lstrip("+")
        return number_of_cases(one, words), least, signed(one.difference.value, words), more

    tested = [one for one in pairing.contrasts if one.p is not None]
    return _table("power", tested, by, words, columns, cells)


def _table(
    name: str,
    contrasts: Sequence[Contrast],
    by: str | None,
    words: Words,
    columns: Sequence[Column],
    cells: Callable[[Contrast], tuple[str, ...]],
) -> Table:
    """A table with a line per metric and group; the metric stands above its groups where there are some."""
    keys = [Column(words("compare.column.metric"), "left", key=True)]
    if by is not None:
        keys.append(Column(words.known(f"label.{by}", short(by)), "left", key=True))
    lines = []
    for one in contrasts:
        group = [_group(one, words)] if by is not None else []
        tone = _TONES.get(one.verdict, "strong" if by is not None and not one.group else "plain")
        lines.append(Line((metric_name(one.metric, words), *group, *cells(one)), tone, name=one.metric))
    return Table((*keys, *columns), tuple(lines), grouped=by is not None, name=name)


def _group(one: Contrast, words: Words) -> str:
    return (
        ", ".join(value_of_label(redact(value), words) for value in one.group.values()) if one.group else words("all")
    )


def trials_table(found: Iterable[tuple[str, Sequence[Repeated]]], words: Words) -> Table:
    """pass@k and pass^k by the name of the agent; of many k, those that double and the largest."""
    columns = (
        Column(words("compare.column.agent"), "left", key=True),
        Column(words("compare.column.k"), key=True),
        Column(words("compare.column.cases")),
        Column(words("compare.column.pass_any")),
        Column(words("column.interval")),
        Column(words("compare.column.pass_all")),
        Column(words("column.interval")),
    )
    lines = [
        Line(
            (
                short(name),
                str(each.k),
                words.number(each.pass_any.n),
                _figure(each.pass_any.value, words),
                interval(each.pass_any, words),
                _figure(each.pass_all.value, words),
                interval(each.pass_all, words),
            )
        )
        for name, repeated in found
        for each in repeated
        if len(repeated) <= MAX_LISTED_K or each.k.bit_count() == 1 or each is repeated[-1]
    ]
    return Table(columns, tuple(lines), grouped=True, name="trials")


def _figure(value: float | None, words: Words) -> str:
    if value is None:
        return words("none")
    return words.number(f"{value:.3f}") if abs(value) < 10 else amount(value, words)


def _interval(estimate: Estimate, words: Words) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return words("compare.interval", low=signed(estimate.low, words, 2), high=signed(estimate.high, words, 2))


def _effect(one: Contrast, words: Words) -> str:
    """The odds ratio of a rate, or the difference of means in standard deviations."""
    estimate = one.odds_ratio
    if one.standardised is not None:
        return words("compare.standardised", value=signed(one.standardised, words, 2))
    if estimate is None or not estimate.n:
        return ""

    def shown(value: float | None) -> str:
        return words("compare.infinite") if value is None else words.number(f"{value:.2f}")

    return words("compare.odds", value=shown(estimate.value), low=shown(estimate.low or 0), high=shown(estimate.high))


def _p(value: float | None, words: Words) -> str:
    if value is None:
        return ""
    return words.number("<0.001" if value < 0.001 else f"{value:.3f}")
