"""The charts of a run, each with the table behind it.

A chart is drawn in any language, on a page or as a file of its own. Axes begin at 0, intervals are drawn and named, and
every mark says its figure and leads to its cases.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolgauge.core import Scored, Summary

from .chart import Chart, ChartTable, Drawing
from .dots import DOTS, dot_charts, precision_recall
from .grids import confusion_chart, tools_chart
from .history import HistoryPoint, history_chart
from .spreads import SPREADS, spread_charts

__all__ = ["DOTS", "SPREADS", "Chart", "ChartTable", "Drawing", "HistoryPoint", "history_chart", "run_charts"]


def run_charts(summary: Summary, scored: Iterable[Scored]) -> list[Chart]:
    """The charts that have something to show, in the order of the page."""
    found = [*dot_charts(summary), precision_recall(summary), tools_chart(summary), confusion_chart(summary)]
    return [*(chart for chart in found if chart is not None), *spread_charts(summary, scored)]
