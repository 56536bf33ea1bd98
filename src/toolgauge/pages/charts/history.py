"""A metric over runs: a mark with its interval for each run, joined only where two runs can be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from toolgauge.catalogue import Words
from toolgauge.core import Estimate
from toolgauge.report.display import amount, known, span

from .chart import Chart, ChartTable, Drawing, metric_title
from .drawing import LETTER, apart, letters_of, line, link, mark, name_text, nice_ticks, text, text_width, whisker

__all__ = ["HistoryPoint", "history_chart"]

_WIDTH, _HEIGHT, _LEFT, _TOP = 720.0, 240.0, 56.0, 24.0


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """The figure of one agent in one run."""

    agent: str
    run: str
    """What the run is called."""
    place: int
    """Which of the runs it is, from 0, the oldest first."""
    estimate: Estimate
    go: str = ""
    """What the page makes an address of."""
    joined: bool = True
    """Whether it can be compared with the run of this agent before it."""
    changed: tuple[str, ...] = ()
    """What changed since then, in words: suite, model, tools, scoring."""


def history_chart(metric: str, points: Sequence[HistoryPoint], *, bounded: bool = True) -> Chart:
    """A metric over runs.

    Args:
        metric: Its name.
        points: The figures of all agents in all runs.
        bounded: Whether it is a share from 0 to 1; others have an axis from 0 to their largest value.
    """
    agents = list(dict.fromkeys(point.agent for point in points))
    found = [point for point in points if known(point.estimate) is not None]
    return Chart(
        "history",
        lambda words: words("page.chart.history", metric=metric_title(metric, words)),
        lambda words: words("page.chart.history.note"),
        lambda words: _draw(found, agents, words, bounded=bounded),
        lambda words: _table(found, metric, words),
    )


def _value(point: HistoryPoint) -> float:
    return known(point.estimate) or 0.0


def _draw(points: Sequence[HistoryPoint], agents: Sequence[str], words: Words, *, bounded: bool) -> Drawing:
    runs = max((point.place for point in points), default=0)
    highest = max((point.estimate.high or _value(point) for point in points), default=1.0)
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0] if bounded else nice_ticks(highest)
    bottom = _TOP + _HEIGHT
    letters = letters_of(agents, 9, 18)
    right = _WIDTH - 24 - 12 * LETTER * letters

    def across(place: float) -> float:
        return _LEFT + (right - _LEFT) * ((place + 0.5) / (runs + 1))

    def up(value: float) -> float:
        return bottom - _HEIGHT * min(max(value / ticks[-1], 0.0), 1.0)

    parts = []
    for tick in ticks:
        parts.append(line(_LEFT, up(tick), right, up(tick)))
        parts.append(text(_LEFT - 6, up(tick) + 4, words.number(f"{tick:g}"), anchor="end", size=11, kind="quiet"))
    free = 0.0
    for place, changed in sorted({point.place: point.changed for point in points if point.changed}.items()):
        x = across(place - 0.5)
        parts.append(line(x, _TOP, x, bottom, kind="axis", dash="4 4"))
        said = name_text(", ".join(changed), 28)
        if x >= free:  # the table has them all
            parts.append(text(x + 3, _TOP - 6, said, size=10, kind="quiet"))
            free = x + text_width(said, 10) + 6
    for place, run in {point.place: point.run for point in points}.items():
        if runs < 12 or place % (runs // 12 + 1) == 0:
            parts.append(text(across(place), bottom + 16, name_text(run, 12), anchor="middle", size=10, kind="quiet"))
    last: dict[str, float] = {}
    for number, agent in enumerate(agents):
        own = sorted((point for point in points if point.agent == agent), key=lambda point: point.place)
        shift = 5.0 * (number - (len(agents) - 1) / 2)
        for before, after in pairwise(own):
            if after.joined:
                ends = [(across(point.place) + shift, up(_value(point))) for point in (before, after)]
                parts.append(whisker(number, *ends[0], *ends[1]))
        parts += [_mark(point, number, across(point.place) + shift, up, words) for point in own]
        if own:
            last[agent] = up(_value(own[-1])) + 4
    for agent, y in zip(last, apart(list(last.values()), bottom), strict=True):
        parts += [
            mark(agents.index(agent), right + 12, y - 4, 4.5),
            text(right + 22, y, name_text(agent, letters)),
        ]
    return Drawing(_WIDTH, bottom + 28, parts)


def _mark(point: HistoryPoint, agent: int, x: float, place: Callable[[float], float], words: Words) -> str:
    low, high = point.estimate.low, point.estimate.high
    drawn = [mark(agent, x, place(_value(point)))]
    if low is not None and high is not None:
        drawn.insert(0, whisker(agent, x, place(low), x, place(high)))
    said = words(
        "page.chart.history.mark",
        agent=point.agent,
        run=point.run,
        value=amount(_value(point), words),
        interval=None if low is None or high is None else span(low, high, words),
        n=point.estimate.n,
    )
    return link(point.go, said, drawn)


def _table(points: Sequence[HistoryPoint], metric: str, words: Words) -> ChartTable:
    titles = [words("page.run"), words("column.agent"), metric_title(metric, words)]
    rows = []
    for point in points:
        low, high = point.estimate.low, point.estimate.high
        interval = "" if low is None or high is None else span(low, high, words)
        figures = (words.number(f"{_value(point):.4g}"), interval, words.number(point.estimate.n))
        rows.append([point.run, point.agent, *figures, ", ".join(point.changed)])
    return ChartTable([*titles, words("column.interval"), words("column.n"), words("page.changed")], rows)
