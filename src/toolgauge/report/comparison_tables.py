"""The tables of a comparison: figures, tests and effects, power, and several trials of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolgauge.catalogue import Words
from toolgauge.core import Contrast, Estimate, Pairing, Reliability

from .blocks import Column, Line, Table, Tone
from .display import amount, interval, signed
from .figures import value_of_label
from .values import redact, short_name

__all__ = [
    "figures_table",
    "metric_name",
    "power_table",
    "short",
    "tests_table",
    "trials_table",
]

_MAX_NAME = 40
_TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}


def short(text: str) -> str:
    """A name from data: without credentials, harmless, and not too long."""
    return short_name(text, _MAX_NAME)


def metric_name(metric: str, words: Words) -> str:
    """What a metric is called in a comparison."""
    return words.known(f"compare.metric.{metric}", metric)


def figures_table(pairing: Pairing, by: str | None, words: Words) -> Table:
    """Both figures, their difference, and what is said of it."""
    columns = (
        Column(words("compare.column.cases")),
        Column("A"),
        Column("B"),
        Column(words("compare.column.difference")),
        Column(words("column.interval")),
        Column(words("compare.column.adjusted")),
        Column(words("compare.column.verdict"), "left"),
    )

    def cells(one: Contrast) -> tuple[str, ...]:
        return (
            words.number(one.n),
            _figure(one.first, words),
            _figure(one.second, words),
            signed(one.difference.value, words),
            _interval(one.difference, words),
            _p(one.adjusted_p, words),
            words(f"compare.verdict.{one.verdict}"),
        )

    return _table("figures", pairing.contrasts, by, words, columns, cells)


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
        more = "" if one.more_cases is None else words.number(one.more_cases) if one.more_cases else words("compare.enough")
        least = words("compare.no_limit") if one.detectable is None else signed(one.detectable, words).lstrip("+")
        return words.number(one.n), least, signed(one.difference.value, words), more

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


def trials_table(found: Sequence[Reliability], words: Words) -> Table:
    """pass@k and pass^k of each agent."""
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
                short(one.contender),
                str(each.k),
                words.number(each.pass_any.n),
                _figure(each.pass_any.value, words),
                interval(each.pass_any, words),
                _figure(each.pass_all.value, words),
                interval(each.pass_all, words),
            )
        )
        for one in found
        for each in one.repeated
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
