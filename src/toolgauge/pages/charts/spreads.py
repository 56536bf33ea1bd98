"""Distributions of what trajectories took: how many of each agent took how much, from 0 on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import nextafter
from typing import NamedTuple

from toolgauge.catalogue import Words
from toolgauge.core import Row, Scored, Summary
from toolgauge.pages.sets import filters
from toolgauge.report.display import amount, known
from toolgauge.report.figures import agents_of

from .chart import Chart, ChartTable, Drawing
from .drawing import LETTER, letters_of, line, link, mark, name_text, nice_ticks, rect, text, text_width

__all__ = ["SPREADS", "spread_charts"]

_Read = Callable[[Scored], float | None]

SPREADS: dict[str, _Read] = {
    "latency": lambda item: item.trajectory.latency_ms,
    "calls": lambda item: len(item.trajectory.calls),
    "tokens": lambda item: None if item.trajectory.usage is None else item.trajectory.usage.tokens,
    "cost": lambda item: None if item.trajectory.usage is None else item.trajectory.usage.cost_usd,
}
"""By name what is looked at, as the metric of that name has it."""

BINS = 24
_WIDTH, _RIGHT, _ROW = 460.0, 16.0, 52.0
_NAME, _SHORT, _LONG = 20.0, 13, 18
"""Where names begin, and for how many letters there is room."""
_GAP = 4.0
"""How far what is written stands from its line."""


class _Spread(NamedTuple):
    """The values of one agent, counted in bins of the same width, the last of which has no end."""

    agent: int
    row: Row
    counts: list[int]


class _Bins(NamedTuple):
    width: float
    number: int
    open_end: bool


def spread_charts(summary: Summary, scored: Iterable[Scored]) -> list[Chart]:
    """A chart for each quantity that is known of some trajectory and is not the same for all."""
    agents = agents_of(summary)
    measured = [item for item in scored if item.score.measured]
    charts = []
    for name, read in SPREADS.items():
        values: dict[str, list[float]] = {agent: [] for agent in agents}
        for item in measured:
            value = read(item)
            if value is not None and item.score.agent in values:
                values[item.score.agent].append(value)
        if len({value for found in values.values() for value in found}) > 1:
            charts.append(_spread_chart(name, summary, values))
    return charts


def _bins(name: str, values: Sequence[float]) -> _Bins:
    """Bins from 0 to where nearly all values are; single values far out are in the last one."""
    ordered = sorted(values)
    most, nearly = ordered[-1], ordered[min(len(ordered) - 1, int(len(ordered) * 0.98))]
    end = most if most <= 2 * nearly else nearly
    if name == "calls":
        width = max(1.0, float(-(-int(end + 1) // BINS)))
        number = int(end // width) + 1
        return _Bins(width, number, most >= width * number)
    ticks = nice_ticks(end or 1.0)
    width = ticks[-1] / BINS
    return _Bins(width, BINS, most > ticks[-1])


def _spread_chart(name: str, summary: Summary, values: dict[str, list[float]]) -> Chart:
    bins = _bins(name, [value for found in values.values() for value in found])
    rows = {row.agent: row for row in summary.rows if not row.group}
    spreads = []
    for agent, (who, found) in enumerate(values.items()):
        counts = [0] * bins.number
        for value in found:
            counts[min(int(value / bins.width), bins.number - 1)] += 1
        spreads.append(_Spread(agent, rows[who], counts))
    return Chart(
        name,
        lambda words: words(f"quantity.{name}"),
        lambda words: f"{words('page.chart.spread.note')} {_scale(bins, spreads, words)}",
        lambda words: _draw(name, bins, spreads, words),
        lambda words: _table(name, spreads, words),
        lambda words: _scale(bins, spreads, words),
    )


def _scale(bins: _Bins, spreads: Sequence[_Spread], words: Words) -> str:
    """What the tallest bar stands for, and what the last one does."""
    return words("page.chart.spread.scale", most=_most(spreads), open="" if bins.open_end else None)


def _draw(name: str, bins: _Bins, spreads: Sequence[_Spread], words: Words) -> Drawing:
    letters = letters_of((one.row.agent for one in spreads), _SHORT, _LONG)
    left = _NAME + 12 * LETTER * letters + 2
    room = _WIDTH - left - _RIGHT
    step, end = room / bins.number, bins.width * bins.number
    most = _most(spreads)
    bottom = 4 + len(spreads) * _ROW
    whole = name == "calls" and bins.width == 1
    shift = step / 2 if whole else 0.0  # a whole number is in the middle of its bar
    parts = []
    for tick in _ticks(bins, whole=whole):
        x = left + room * tick / end + shift
        more = "+" if whole and bins.open_end and tick == bins.number - 1 else ""
        parts.append(line(x, 4, x, bottom))
        parts.append(text(x, bottom + 16, _few(tick, words) + more, anchor="middle", size=11, kind="quiet"))
    for number, one in enumerate(spreads):
        base = 4 + (number + 1) * _ROW - 4
        parts += [mark(one.agent, 8, base - 6, 4.5), text(_NAME, base - 2, name_text(one.row.agent, letters))]
        for place, count in enumerate(one.counts):
            if count:
                parts.append(_bar(name, bins, one, place, (left + place * step, base, step, (_ROW - 24) / most), words))
        if not any(one.counts):
            parts.append(text(left + _GAP, base - 5, words("none"), size=11, kind="quiet"))
        parts.append(line(left, base, _WIDTH - _RIGHT, base, kind="axis"))
        parts += _quantiles(one, name, base, left, lambda value: left + min(room * value / end + shift, room), words)
    return Drawing(_WIDTH, bottom + 24, parts)


def _ticks(bins: _Bins, *, whole: bool) -> list[float]:
    """Round numbers along the axis; that of the last bar is among them where it holds all that is larger."""
    end = bins.width * bins.number
    last = end - 1 if whole else end * (1 + 1e-9)
    ticks = [tick for tick in nice_ticks(end) if tick <= last]
    if whole and bins.open_end and ticks[-1] != last:
        return [*(tick for tick in ticks if last - tick >= end / 12), last]
    return ticks


def _most(spreads: Sequence[_Spread]) -> int:
    """How many trajectories the tallest bar counts."""
    return max(max(one.counts) for one in spreads)


def _few(value: float, words: Words) -> str:
    """A quantity with three digits that count."""
    return words.number(f"{value:,.0f}".replace(",", "") if abs(value) >= 1000 else f"{value:.3g}")


def _bar(
    name: str, bins: _Bins, one: _Spread, place: int, drawn: tuple[float, float, float, float], words: Words
) -> str:
    x, base, step, scale = drawn
    count = one.counts[place]
    low, high = place * bins.width, (place + 1) * bins.width
    last = bins.open_end and place == bins.number - 1
    limits = f"{low!r}..{'' if last else repr(nextafter(high, 0))}"  # what is as large as the next bar begins is there
    said = words(
        "page.chart.spread.mark",
        agent=one.row.agent,
        count=count,
        low=_few(low, words),
        high=None if last else _few(high, words),
    )
    height = max(count * scale, 1.5)
    bar = rect(x + 0.5, base - height, step - 1, height, agent=one.agent, opacity=0.75)
    return link(filters(("agent", one.row.agent), (name, limits)), said, [bar])


def _quantiles(
    one: _Spread, name: str, base: float, left: float, across: Callable[[float], float], words: Words
) -> list[str]:
    """Where half and 95 % of the values are, as the table has them: beside their lines, and never over each other."""
    estimate = one.row.metrics.get(name)
    if estimate is None or known(estimate) is None:
        return []
    found = [(label, value) for label, value in (("p50", estimate.p50), ("p95", estimate.p95)) if value is not None]
    places = [across(value) for _, value in found]
    texts = [f"{label} {_few(value, words)}" for label, value in found]
    parts = []
    for place, said, before in zip(places, texts, _before(places, texts, left), strict=True):
        dash = "" if said.startswith("p50") else "3 2"
        parts.append(line(place, base - _ROW + 12, place, base + 3, kind="axis", dash=dash, width=1.5))
        x, anchor = (place - _GAP, "end") if before else (place + _GAP, "start")
        parts.append(text(x, base - _ROW + 20, said, size=10, kind="quiet", anchor=anchor))
    return parts


def _before(places: Sequence[float], texts: Sequence[str], left: float) -> list[bool]:
    """Which texts stand before their lines: those for which there is no room behind them."""
    widths = [text_width(said, 10) + 2 * _GAP for said in texts]
    before = [place + width > _WIDTH for place, width in zip(places, widths, strict=True)]
    if len(places) > 1:
        begins = places[1] - (widths[1] if before[1] else 0)
        if places[0] + widths[0] > begins and places[0] - widths[0] >= left:
            before[0] = True
    return before


def _table(name: str, spreads: Sequence[_Spread], words: Words) -> ChartTable:
    columns = [words("column.agent"), *(words(f"column.{one}") for one in ("mean", "p50", "p95", "n"))]
    rows = []
    for one in spreads:
        found = one.row.metrics.get(name)
        if found is not None:
            values = (found.value, found.p50, found.p95)
            rows.append([one.row.agent, *(amount(value, words) for value in values), words.number(found.n)])
    return ChartTable(columns, rows)
