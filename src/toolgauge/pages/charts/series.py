"""A series of a watch over time: what was seen, what is usual, and when it changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from toolgauge.catalogue import Words
from toolgauge.core import Estimate
from toolgauge.report.display import visible

from .chart import Chart, ChartTable, Drawing
from .drawing import COLOURS, apart, element, line, mark, name_text, nice_ticks, text, whisker

__all__ = ["SeriesLine", "SeriesPoint", "series_chart"]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP = 720.0, 200.0, 56.0, 120.0, 24.0
DAY = 86400
MAX_MARKS = 60


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """What was seen in a while."""

    at: float
    """When it began, in seconds since 1970."""
    value: float
    count: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """One line of a chart: a series, or a label of a mix."""

    name: str
    points: Sequence[SeriesPoint]
    usual: Estimate | None = None


def series_chart(
    name: str, title: str, lines: Sequence[SeriesLine], alarms: Sequence[float], *, bounded: bool
) -> Chart:
    """A series over time.

    Args:
        name: What the chart is known by on its page.
        title: What it is called.
        lines: What is drawn.
        alarms: When the series changed, by its alarms, in seconds since 1970.
        bounded: Whether values are shares; others have an axis from 0 to the largest.
    """
    return Chart(
        name,
        lambda _: visible(title),
        lambda words: words("page.watch.chart.note"),
        lambda words: _draw(lines, alarms, words, bounded=bounded),
        lambda words: _table(lines, words),
    )


def _draw(lines: Sequence[SeriesLine], alarms: Sequence[float], words: Words, *, bounded: bool) -> Drawing:
    points = [point for each in lines for point in each.points]
    begin = min((point.at for point in points), default=0.0)
    end = max((point.at for point in points), default=1.0)
    highest = max((point.value for point in points), default=1.0)
    highest = min(1.0, highest * 1.15) if bounded else highest
    ticks = nice_ticks(max(highest, 0.001))
    bottom = _TOP + _HEIGHT

    def across(at: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * ((at - begin) / max(end - begin, 1.0))

    def up(value: float) -> float:
        return bottom - _HEIGHT * min(max(value / ticks[-1], 0.0), 1.0)

    parts: list[str] = []
    for tick in ticks:
        shown = f"{100 * tick:g} %" if bounded else f"{tick:g}"
        parts.append(line(_LEFT, up(tick), _WIDTH - _RIGHT, up(tick)))
        parts.append(text(_LEFT - 6, up(tick) + 4, words.number(shown), anchor="end", size=11, kind="quiet"))
    parts += _days(begin, end, across, bottom)
    for number, each in enumerate(lines):
        parts += _line(number, each, across, up, one=len(lines) == 1)
    for at in alarms:
        if begin <= at <= end:
            parts.append(line(across(at), _TOP, across(at), bottom, kind="axis", dash="4 4"))
            parts.append(text(across(at), _TOP - 8, f"▲ {_moment(at)}", anchor="middle", size=10))
    last = {each.name: up(each.points[-1].value) + 4 for each in lines if each.points}
    for name, y in zip(last, apart(list(last.values()), bottom), strict=True):
        parts.append(text(_WIDTH - _RIGHT + 8, y, name_text(name, 18)))
    return Drawing(_WIDTH, bottom + 28, parts)


def _days(begin: float, end: float, across: Callable[[float], float], bottom: float) -> list[str]:
    first = int(begin // DAY + 1) * DAY
    days = range(first, int(end) + 1, DAY)
    step = len(days) // 10 + 1
    return [
        text(
            across(day),
            bottom + 16,
            datetime.fromtimestamp(day, UTC).strftime("%m-%d"),
            anchor="middle",
            size=10,
            kind="quiet",
        )
        for day in days[::step]
    ]


def _line(
    number: int, each: SeriesLine, across: Callable[[float], float], up: Callable[[float], float], *, one: bool
) -> list[str]:
    parts: list[str] = []
    usual = each.usual
    if one and usual is not None and usual.low is not None and usual.high is not None:
        height = max(up(usual.low) - up(usual.high), 1.0)
        wide = _WIDTH - _LEFT - _RIGHT
        band = element("rect", x=_LEFT, y=up(usual.high), width=wide, height=height, fill=COLOURS[0], fill_opacity=0.12)
        parts.append(band)
    for before, after in pairwise(each.points):
        parts.append(whisker(number, across(before.at), up(before.value), across(after.at), up(after.value)))
    if len(each.points) <= MAX_MARKS:
        for point in each.points:
            if one and point.low is not None and point.high is not None:
                parts.append(line(across(point.at), up(point.low), across(point.at), up(point.high), kind="axis"))
            parts.append(mark(number, across(point.at), up(point.value)))
    return parts


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%m-%d %H:%M")


def _table(lines: Sequence[SeriesLine], words: Words) -> ChartTable:
    rows = [
        [_moment(point.at), visible(each.name), words.number(f"{point.value:.4g}"), words.number(point.count)]
        for each in lines
        for point in each.points
    ]
    columns = [words("page.watch.when"), words("page.watch.series"), words("page.watch.value"), words("column.n")]
    return ChartTable(columns, rows)
