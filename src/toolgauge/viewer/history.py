"""A metric over runs of the same suite: figures with intervals, and where something changed that they rest on.

Figures are made in the background, the newest runs first, and kept: a finished run does not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock, Thread

import msgspec

from toolgauge.catalogue import LANGUAGES, Words, words_of
from toolgauge.core import Estimate, Run
from toolgauge.errors import ToolgaugeError
from toolgauge.metrics import METRICS, find_metric
from toolgauge.pages.charts import Chart
from toolgauge.pages.charts.history import HistoryPoint, history_chart
from toolgauge.store import RunInfo
from toolgauge.store.comparable import RunDifferences, run_differences

from .library import Library
from .overview import LARGE, Mark, basis_of, drawn_page, step_back

__all__ = ["MARKS", "MAX_RUNS", "History"]

MAX_RUNS = 500
"""So many runs of a suite are looked at, the newest."""

MAX_DRAWN = 40
"""So many of them are drawn."""

MARKS: tuple[Mark, ...] = ("suite", "tools", "model", "scoring")


@dataclass(frozen=True, slots=True)
class Point:
    """What is known of one run."""

    figures: Mapping[str, Mapping[str, Estimate]]
    """By agent and metric."""
    basis: Mapping[Mark, str]
    """What the figures rest on, in a form in which it can be compared."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A run in a history."""

    run: RunInfo
    point: Point
    changed: list[Mark]
    """What is not as in the run before."""
    joined: bool
    """Whether it can be compared with the run before."""


class History:
    """Figures of many runs."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._points: dict[str, Point | None] = {}
        self._comparable: dict[tuple[str, str], bool] = {}
        self._lock = Lock()
        self._worker: Thread | None = None
        self._wanted: list[str] = []

    def suites(self) -> dict[str, int]:
        """The names of suites that several runs are of, with how many."""
        found: dict[str, int] = {}
        for run in self._library.runs():
            found[run.suite] = found.get(run.suite, 0) + 1
        return found

    def of(self, suite: str, metric: str) -> dict[str, object]:
        """The figures of a metric over the runs of a suite, the oldest first, as far as they are made.

        Args:
            suite: The name of the suite.
            metric: The name of the metric.
        """
        runs = [run for run in self._library.runs() if run.suite == suite and run.held_by is None][:MAX_RUNS]
        self._make([run.id for run in runs if run.id not in self._points])
        known = [(run, point) for run in reversed(runs) if (point := self._points.get(run.id)) is not None]
        metrics = dict.fromkeys(name for _, point in known for figures in point.figures.values() for name in figures)
        drawn = self._drawn(known[-MAX_DRAWN:])
        charts = {lang: self._chart(drawn, metric, words_of(lang)).json(words_of(lang)) for lang in LANGUAGES}
        return {
            "suite": suite,
            "metric": metric,
            "metrics": list(metrics),
            "points": [
                {
                    "id": one.run.id,
                    "name": one.run.name,
                    "created": one.run.created,
                    "changed": one.changed,
                    "joined": one.joined,
                    "figures": {
                        agent: msgspec.to_builtins(found[metric])
                        for agent, found in one.point.figures.items()
                        if metric in found
                    },
                }
                for one in drawn
            ],
            "charts": charts,
            "known": len(known),
            "pending": sum(run.id not in self._points for run in runs),
        }

    def _drawn(self, known: Sequence[tuple[RunInfo, Point]]) -> list[Drawn]:
        drawn: list[Drawn] = []
        for number, (run, point) in enumerate(known):
            before = known[number - 1] if number else None
            changed = [] if before is None else [mark for mark in MARKS if before[1].basis[mark] != point.basis[mark]]
            joined = before is not None and self._can_be_compared(before, (run, point))
            drawn.append(Drawn(run, point, changed, joined))
        return drawn

    def _chart(self, drawn: Sequence[Drawn], metric: str, words: Words) -> Chart:
        points = []
        for place, one in enumerate(drawn):
            changed = tuple(words(f"page.history.{mark}") for mark in one.changed)
            when = one.run.created[:16].replace("T", " ")
            for agent, figures in one.point.figures.items():
                if metric in figures:
                    # Joined to the run before it, not to one before that.
                    joined = one.joined and metric in drawn[place - 1].point.figures.get(agent, {})
                    name, go = one.run.name or when, f"run={one.run.id}"
                    points.append(HistoryPoint(agent, name, place, figures[metric], go, joined, changed))
        return history_chart(metric, points, bounded=_is_share(metric))

    def _can_be_compared(self, before: tuple[RunInfo, Point], now: tuple[RunInfo, Point]) -> bool:
        """Whether the figures of two runs are about the same; what that means is said in one place for all."""
        first, second = (point.basis["suite"] + point.basis["scoring"] for _, point in (before, now))
        if first == second:
            return True
        if (first, second) not in self._comparable:
            try:
                headers = [self._library.origin(run.id).open().header for run, _ in (before, now)]
                same = run_differences(*headers) == RunDifferences()
            except ToolgaugeError:
                return False
            self._comparable[first, second] = same
        return self._comparable[first, second]

    def _make(self, wanted: Sequence[str]) -> None:
        with self._lock:
            self._wanted = [*wanted, *(run for run in self._wanted if run not in wanted)]
            if self._wanted and (self._worker is None or not self._worker.is_alive()):
                self._worker = Thread(target=self._work, name="viewer-history", daemon=True)
                self._worker.start()

    def _work(self) -> None:
        step_back()
        while True:
            with self._lock:
                if not self._wanted:
                    return
                run_id = self._wanted.pop(0)
            if run_id not in self._points:
                self._points[run_id] = self._point(run_id)

    def _point(self, run_id: str) -> Point | None:
        try:
            origin = self._library.origin(run_id)
            if origin.info().finished <= LARGE:
                return _point_of(origin.load(headline=False))
            target = self._library.folder / f"{run_id}.history"
            return _kept_point(drawn_page(origin, target, self._library.cache, large=True)[0])
        except (ToolgaugeError, OSError):
            return None  # it was removed, or is not whole: there is nothing to draw


def _is_share(metric: str) -> bool:
    found = find_metric(metric, METRICS)
    return found is None or found.kind != "amount"


def _point_of(run: Run) -> Point:
    figures = {row.agent: dict(row.metrics) for row in run.summary.rows if not row.group}
    return Point(figures, basis_of(run.header))


def _kept_point(page: Mapping[str, object]) -> Point:
    """What the page of a large run says, which is not loaded into this process."""
    drawn = msgspec.convert(page, type=_Figures)
    return Point({row.agent: row.metrics for row in drawn.rows if not row.group}, drawn.basis)


class _FigureRow(msgspec.Struct):
    agent: str
    group: dict[str, str]
    metrics: dict[str, Estimate]


class _Figures(msgspec.Struct):
    rows: list[_FigureRow]
    basis: dict[Mark, str]
