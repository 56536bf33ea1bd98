"""Pages to look at: a run, its cases and two runs side by side, in one file or served; and their charts."""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .charts import Chart, HistoryPoint, history_chart, run_charts
    from .data import PageData, page_words, run_page
    from .onefile import one_file
    from .two_runs import TwoRunsDocument

__all__ = [
    "Chart",
    "HistoryPoint",
    "PageData",
    "TwoRunsDocument",
    "history_chart",
    "one_file",
    "page_words",
    "run_charts",
    "run_page",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".charts": "Chart HistoryPoint history_chart run_charts",
        ".data": "PageData page_words run_page",
        ".onefile": "one_file",
        ".two_runs": "TwoRunsDocument",
    },
)
