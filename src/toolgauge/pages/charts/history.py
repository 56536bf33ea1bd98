"""A metric over runs: each with its interval, not joined where they cannot be compared, and marks for what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from toolgauge.catalogue import Words
from toolgauge.core import Estimate
from toolgauge.report.display import amount, known

from .chart import Chart, ChartTable, Drawing, metric_title
from .drawing import line, link, mark, name_text, nice_ticks, text, whisker

__all__ = ["HistoryPoint", "history_chart"]

_LEFT, _RIGHT, _TOP, _HEIGHT, _STEP, _BELOW = 52.0, 110.0, 22.0, 260.0, 26.0, 64.0
_LEAST = 420.0
_BOTTOM = _TOP + _HEIGHT


class HistoryPoint(NamedTuple):
    """A run in a history."""

    run: str
    """Its id."""
    name: str
    when: str
    figures: Mapping[str, Estimate]
    """By agent the figure of the metric."""
    changed: Sequence[str] = ()
    """What is not as in the run before: `suite`, `tools`, `model`, `scoring`."""
    joined: bool = False
    """Whether it can be compared with the run before."""


def history_chart(points: Sequence[HistoryPoint], metric: str, agents: Sequence[str], *, share: bool) -> Chart:
    """The chart of a metric over runs.

    Args:
        points: The runs, the oldest first.
        metric: The name of the metric.
        agents: The agents, whose places decide their shapes and colours.
        share: Whether the metric is from 0 to 1.
    """
    frame = _Frame(points, share)
    return Chart(
        "history",
        lambda words: words("page.chart.history", metric=metric_title(metric, words)),
        lambda words: words("page.chart.history.note"),
        lambda words: _draw(frame, agents, words),
        lambda words: _table(frame, agents, metric, words),
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where points are, and how figures are written."""

    points: Sequence[HistoryPoint]
    share: bool

    @property
    def ticks(self) -> list[float]:
        if self.share:
            return [0.0, 0.25, 0.5, 0.75, 1.0]
        highs = [one.high or one.value or 0.0 for point in self.points for one in point.figures.values()]
        return nice_ticks(max(highs, default=1.0) or 1.0)

    @property
    def width(self) -> float:
        return max(_LEAST, _LEFT + _RIGHT + _STEP * len(self.points))

    @property
    def step(self) -> float:
        return (self.width - _LEFT - _RIGHT) / max(len(self.points), 1)

    def up(self, value: float) -> float:
        return _BOTTOM - _HEIGHT * min(max(value / self.ticks[-1], 0.0), 1.0)

    def across(self, number: int) -> float:
        return _LEFT + self.step * (number + 0.5)

    def shown(self, value: float, words: Words) -> str:
        return words.number(f"{value:.2f}") if self.share else amount(value, words)

    def interval(self, figure: Estimate, words: Words) -> str | None:
        if figure.low is None or figure.high is None:
            return None
        return f"{self.shown(figure.low, words)}–{self.shown(figure.high, words)}"


def _changed(point: HistoryPoint, words: Words) -> str:
    return ", ".join(words(f"page.history.{one}") for one in point.changed)


def _draw(frame: _Frame, agents: Sequence[str], words: Words) -> Drawing:
    parts = []
    for tick in frame.ticks:
        parts.append(line(_LEFT, frame.up(tick), frame.width - _RIGHT, frame.up(tick)))
        shown = words.number(f"{tick:g}")
        parts.append(text(_LEFT - 6, frame.up(tick) + 4, shown, anchor="end", size=11, kind="quiet"))
    for number, point in enumerate(frame.points):
        x = frame.across(number)
        if point.changed:
            border = x - frame.step / 2
            parts.append(line(border, _TOP, border, _BOTTOM, kind="axis", dash="3 3"))
            parts.append(text(border + 3, _TOP - 8, _changed(point, words), size=10, kind="quiet"))
        parts.append(text(x, _BOTTOM + 14, point.when[5:10], size=10, kind="quiet", turned=45))
    for place in range(len(agents)):
        parts += _agent(frame, place, agents, words)
    return Drawing(frame.width, _BOTTOM + _BELOW, parts)


def _agent(frame: _Frame, place: int, agents: Sequence[str], words: Words) -> list[str]:
    """The points of one agent above the lines that join them, and its name beside the last.

    Agents stand a little beside each other, so that no interval hides another.
    """
    agent, aside = agents[place], (place - (len(agents) - 1) / 2) * min(5.0, frame.step / (len(agents) + 1))
    joins: list[str] = []
    marks: list[str] = []
    before: tuple[float, float] | None = None
    for number, point in enumerate(frame.points):
        figure = point.figures.get(agent)
        value = known(figure)
        if figure is None or value is None:
            before = None
            continue
        x, y = frame.across(number) + aside, frame.up(value)
        if before is not None and point.joined:
            joins.append(whisker(place, *before, x, y))
        said = words(
            "page.chart.history.mark",
            agent=agent,
            run=point.name or point.run,
            value=frame.shown(value, words),
            interval=frame.interval(figure, words),
            n=words.number(figure.n),
        )
        drawn = [mark(place, x, y, 4.5)]
        if figure.low is not None and figure.high is not None:
            drawn.insert(0, whisker(place, x, frame.up(figure.low), x, frame.up(figure.high)))
        marks.append(link(f"run={point.run}", said, drawn))
        before = (x, y)
    if before is not None:
        marks.append(text(before[0] + 10, before[1] + 4, name_text(agent, 14)))
    return [*joins, *marks]


def _table(frame: _Frame, agents: Sequence[str], metric: str, words: Words) -> ChartTable:
    columns = [words("page.runs.run"), words("page.runs.created"), words("column.agent"), metric_title(metric, words)]
    rows = []
    for point in reversed(frame.points):
        for agent in agents:
            figure = point.figures.get(agent)
            value = known(figure)
            if figure is None or value is None:
                continue
            when = point.when[:16].replace("T", " ")
            figures = [frame.shown(value, words), frame.interval(figure, words) or "", words.number(figure.n)]
            rows.append([point.name or point.run, when, agent, *figures, _changed(point, words)])
    more = [words("column.interval"), words("column.n"), words("page.history.changed")]
    return ChartTable([*columns, *more], rows)
