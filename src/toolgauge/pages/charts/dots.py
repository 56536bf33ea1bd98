"""Dot plots: a metric of each agent with its interval; and precision against recall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import NamedTuple

from toolgauge.catalogue import Words
from toolgauge.core import Estimate, Row, Summary
from toolgauge.pages.sets import filters
from toolgauge.report.display import known, span
from toolgauge.report.figures import agents_of, counted, label_of, scorers_of, value_of_label

from .chart import Chart, ChartTable, Drawing, metric_title
from .drawing import LETTER, apart, element, letters_of, line, link, mark, name_text, nice_ticks, text, whisker

__all__ = ["DOTS", "dot_charts", "precision_recall"]

DOTS = ("pass_rate", "accuracy", "f1", "precision", "recall", "tool_fail_rate", "answer", "score")
"""The metrics that have a dot plot, in the order of the page; those of scorers come behind them."""

MAX_GROUPS = 8
"""More values of a label than this are in the table only."""

_FREE_SCALE = ("tool_fail_rate",)
"""Metrics that are usually near 0: their axis begins at 0 and ends behind the last interval."""

_WIDTH, _NAME, _RIGHT, _ROW, _TOP = 360.0, 20.0, 44.0, 26.0, 6.0
_SHORT, _LONG = 13, 16
"""Names of more than `_SHORT` letters get more room, as those of two runs have; of those above `_LONG` some is cut."""


Scale = Callable[[float], float]
"""From a figure to a place."""


class _Dot(NamedTuple):
    """A line of a dot plot."""

    agent: int
    name: str
    row: Row
    estimate: Estimate
    filters: str


def dot_charts(summary: Summary) -> list[Chart]:
    """A dot plot for each metric that some agent has, and one broken down by the label."""
    charts = []
    whole = [row for row in summary.rows if not row.group]
    groups = list(dict.fromkeys(value for row in summary.rows for value in row.group.values()))
    for metric in (*DOTS, *scorers_of(summary.rows)):
        if not any(known(row.metrics.get(metric)) is not None for row in whole):
            continue
        charts.append(_dot_chart(metric, metric, summary, [(None, whole)]))
        if summary.by is not None and 1 < len(groups) <= MAX_GROUPS:
            parts = [(value, [row for row in summary.rows if value in row.group.values()]) for value in groups]
            charts.append(_dot_chart(f"{metric}_by", metric, summary, parts))
    return charts


def _dot_chart(name: str, metric: str, summary: Summary, parts: Sequence[tuple[str | None, Sequence[Row]]]) -> Chart:
    agents = agents_of(summary)
    dots = [(value, [_dot(row, metric, agents) for row in rows]) for value, rows in parts]

    def title(words: Words) -> str:
        said = metric_title(metric, words)
        if len(parts) > 1:
            return words("page.chart.by", metric=said, label=label_of(summary, words).lower())
        return _measured(said, dots[0][1], words)

    return Chart(
        name,
        title,
        lambda words: words("page.chart.dots.note"),
        lambda words: _draw(dots, metric, words),
        lambda words: _table(dots, summary, metric, words),
    )


def _dot(row: Row, metric: str, agents: Sequence[str]) -> _Dot:
    pairs = [("agent", row.agent), *(("label", f"{key}:{value}") for key, value in row.group.items())]
    estimate = row.metrics.get(metric, Estimate(None))
    return _Dot(agents.index(row.agent), row.agent, row, estimate, filters(*pairs))


def _measured(title: str, dots: Sequence[_Dot], words: Words) -> str:
    """A title, and of how many trajectories the figures are where those are not all that were planned."""
    planned = max(dot.row.counts.planned for dot in dots)
    seen = [dot.estimate.n for dot in dots if known(dot.estimate) is not None]
    if not seen or min(seen) == planned:
        return title
    many = None if min(seen) == max(seen) else words.number(max(seen))
    few = words.number(min(seen))
    return words("page.chart.dots.measured", title=title, few=few, many=many, planned=words.number(planned))


def _scale(dots: Sequence[tuple[str | None, Sequence[_Dot]]], metric: str) -> list[float]:
    if metric not in _FREE_SCALE:
        return [0.0, 0.25, 0.5, 0.75, 1.0]
    seen = [one.estimate.high or one.estimate.value or 0.0 for _, found in dots for one in found]
    ticks = nice_ticks(min(max(seen, default=0.0), 1.0) or 0.05, 4)
    return [tick for tick in ticks if tick <= 1.0 + 1e-9]


def _draw(dots: Sequence[tuple[str | None, Sequence[_Dot]]], metric: str, words: Words) -> Drawing:
    ticks = _scale(dots, metric)
    left = _NAME + 2 + 12 * LETTER * letters_of((dot.name for _, found in dots for dot in found), _SHORT, _LONG)
    room = _WIDTH - left - _RIGHT
    lines = sum(len(found) + (value is not None) for value, found in dots)
    bottom = _TOP + lines * _ROW
    parts: list[str] = []

    def across(value: float) -> float:
        return left + room * min(max(value / ticks[-1], 0.0), 1.0)

    for tick in ticks:
        parts.append(line(across(tick), _TOP, across(tick), bottom))
        parts.append(text(across(tick), bottom + 16, words.number(f"{tick:g}"), anchor="middle", size=11, kind="quiet"))
    y = _TOP + _ROW / 2
    for value, found in dots:
        if value is not None:
            parts.append(text(0, y + 4, name_text(value_of_label(value, words), 40), kind="quiet", size=11))
            y += _ROW
        for dot in found:
            parts.append(_line(dot, y, across, words))
            y += _ROW
    return Drawing(_WIDTH, bottom + 24, parts)


def _line(dot: _Dot, y: float, place: Scale, words: Words) -> str:
    figure = known(dot.estimate)
    drawn = [
        element("rect", x=0, y=y - _ROW / 2, width=_WIDTH, height=_ROW, fill="#fff", fill_opacity=0, class_="hit"),
        mark(dot.agent, 8, y, 4.5),
        text(_NAME, y + 4, name_text(dot.name, _LONG)),
    ]
    if figure is None:
        drawn.append(text(_WIDTH, y + 4, "–", anchor="end", kind="quiet"))
        return link(dot.filters, f"{dot.name}: {words('none')}", drawn)
    low, high = dot.estimate.low, dot.estimate.high
    ranged = low is not None and high is not None and isfinite(low) and isfinite(high)
    if ranged and low is not None and high is not None:
        drawn.append(whisker(dot.agent, place(low), y, place(high), y))
    drawn.append(mark(dot.agent, place(figure), y))
    drawn.append(text(_WIDTH, y + 4, words.number(f"{figure:.2f}"), anchor="end"))
    said = words(
        "page.chart.dots.mark",
        agent=dot.name,
        value=words.number(f"{figure:.2f}"),
        interval=span(low, high, words) if ranged and low is not None and high is not None else None,
        n=counted(dot.row, words, dot.estimate.n),
    )
    return link(dot.filters, said, drawn)


def _table(
    dots: Sequence[tuple[str | None, Sequence[_Dot]]], summary: Summary, metric: str, words: Words
) -> ChartTable:
    by = [] if len(dots) == 1 else [label_of(summary, words)]
    columns = [words("column.agent"), *by, metric_title(metric, words), words("column.interval"), words("column.n")]
    rows = []
    for value, found in dots:
        for dot in found:
            figure, low, high = known(dot.estimate), dot.estimate.low, dot.estimate.high
            rows.append(
                [
                    dot.name,
                    *([] if value is None else [value_of_label(value, words)]),
                    words("none") if figure is None else words.number(f"{figure:.4f}"),
                    "" if figure is None or low is None or high is None else span(low, high, words),
                    counted(dot.row, words, dot.estimate.n),
                ]
            )
    return ChartTable(columns, rows)


_SIDE, _AXIS, _HEAD = 300.0, 44.0, 18.0


def precision_recall(summary: Summary) -> Chart | None:
    """Precision against recall, with the lines of equal F1; None where no agent has both."""
    agents = agents_of(summary)
    rows = [row for row in summary.rows if not row.group]
    found = [
        (agents.index(row.agent), row, row.metrics["recall"], row.metrics["precision"])
        for row in rows
        if known(row.metrics.get("recall")) is not None and known(row.metrics.get("precision")) is not None
    ]
    if not found:
        return None
    return Chart(
        "precision_recall",
        lambda words: words("page.chart.precision_recall"),
        lambda words: words("page.chart.precision_recall.note"),
        lambda words: _draw_both(found, words),
        lambda words: _table_both(found, words),
    )


_Both = Sequence[tuple[int, Row, Estimate, Estimate]]


def _draw_both(found: _Both, words: Words) -> Drawing:
    letters = letters_of((row.agent for _, row, _, _ in found), 9, 18)
    width, height = _AXIS + _SIDE + 26 + 12 * LETTER * letters, _HEAD + _SIDE + 40

    def x(value: float) -> float:
        return _AXIS + _SIDE * min(max(value, 0.0), 1.0)

    def y(value: float) -> float:
        return _HEAD + _SIDE * (1 - min(max(value, 0.0), 1.0))

    parts = [*_frame(x, y, words), *_equal_f1(x, y, words)]
    labels = apart([y(known(precision) or 0.0) + 4 for _, _, _, precision in found], _SIDE + _HEAD)
    for (agent, row, recall, precision), label in zip(found, labels, strict=True):
        across, up = known(recall) or 0.0, known(precision) or 0.0
        drawn = []
        if recall.low is not None and recall.high is not None:
            drawn.append(whisker(agent, x(recall.low), y(up), x(recall.high), y(up)))
        if precision.low is not None and precision.high is not None:
            drawn.append(whisker(agent, x(across), y(precision.low), x(across), y(precision.high)))
        drawn += [
            mark(agent, x(across), y(up)),
            mark(agent, _AXIS + _SIDE + 14, label - 4, 4.5),
            text(_AXIS + _SIDE + 24, label, name_text(row.agent, letters)),
        ]
        said = words(
            "page.chart.precision_recall.mark",
            agent=row.agent,
            recall=words.number(f"{across:.2f}"),
            precision=words.number(f"{up:.2f}"),
        )
        parts.append(link(filters(("agent", row.agent)), said, drawn))
    return Drawing(width, height, parts)


def _frame(across: Scale, up: Scale, words: Words) -> list[str]:
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        said = words.number(f"{tick:g}")
        parts += [
            line(across(tick), up(0), across(tick), up(1)),
            line(across(0), up(tick), across(1), up(tick)),
            text(across(tick), up(0) + 16, said, anchor="middle", size=11, kind="quiet"),
            text(across(0) - 6, up(tick) + 4, said, anchor="end", size=11, kind="quiet"),
        ]
    parts.append(text(across(0.5), up(0) + 34, words("column.recall"), anchor="middle"))
    parts.append(text(10, up(0.5), words("column.precision"), anchor="middle", turned=-90))
    return parts


def _equal_f1(across: Scale, up: Scale, words: Words) -> list[str]:
    """Where precision and recall make the same F1."""
    parts = []
    for f1 in (0.3, 0.5, 0.7, 0.9):
        least = f1 / (2 - f1)  # of precision and of recall, where the other is 1
        steps = [least + (1 - least) * step / 40 for step in range(41)]
        points = [f"{across(recall):.1f} {up(f1 * recall / (2 * recall - f1)):.1f}" for recall in steps]
        path = "M" + "L".join(points)
        parts += [
            element("path", d=path, fill="none", stroke="#8b949e", stroke_dasharray="2 4", class_="l-axis"),
            text(across(least), up(1) - 5, f"F1 {words.number(f'{f1:g}')}", size=10, kind="quiet", anchor="middle"),
        ]
    return parts


def _table_both(found: _Both, words: Words) -> ChartTable:
    columns = [words("column.agent"), words("column.recall"), words("column.precision"), words("column.n")]
    rows = [
        [
            row.agent,
            *(words.number(f"{known(one) or 0.0:.4f}") for one in (recall, precision)),
            counted(row, words, recall.n),
        ]
        for _, row, recall, precision in found
    ]
    return ChartTable(columns, rows)
