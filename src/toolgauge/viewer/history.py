"""A metric over runs of the same suite: figures with intervals, and where something changed that they rest on.

Figures are made in the background, the newest runs first, and kept: a finished run does not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock, Thread
from typing import Literal

import msgspec

from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.core import Estimate, Run
from toolgauge.errors import ToolgaugeError
from toolgauge.metrics import METRICS, find_metric
from toolgauge.pages.charts.history import HistoryPoint, history_chart
from toolgauge.store import RunInfo
from toolgauge.store.comparable import RunDifferences, run_differences
from toolgauge.store.encoding import encode_sorted

from .library import Library
from .overview import step_back

__all__ = ["MARKS", "MAX_RUNS", "History"]

MAX_RUNS = 500
"""So many runs of a suite are looked at, the newest."""

MAX_DRAWN = 60
"""So many of them are drawn."""

Mark = Literal["suite", "tools", "model", "scoring"]
MARKS: tuple[Mark, ...] = ("suite", "tools", "model", "scoring")


@dataclass(frozen=True, slots=True)
class Point:
    """What is known of one run."""

    figures: Mapping[str, Mapping[str, Estimate]]
    """By agent and metric."""
    basis: Mapping[Mark, str]
    """What the figures rest on, in a form in which it can be compared."""


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
        agents = list(dict.fromkeys(agent for _, point in known for agent in point.figures))
        points = self._drawn(known[-MAX_DRAWN:], metric)
        chart = history_chart(points, metric, agents, share=_is_share(metric))
        return {
            "suite": suite,
            "metric": metric,
            "metrics": list(metrics),
            "agents": agents,
            "points": [_json(point) for point in points],
            "charts": {lang: chart.json(words_of(lang)) for lang in LANGUAGES},
            "known": len(known),
            "pending": sum(run.id not in self._points for run in runs),
        }

    def _drawn(self, known: Sequence[tuple[RunInfo, Point]], metric: str) -> list[HistoryPoint]:
        drawn: list[HistoryPoint] = []
        for number, (run, point) in enumerate(known):
            before = known[number - 1] if number else None
            changed = [] if before is None else [mark for mark in MARKS if before[1].basis[mark] != point.basis[mark]]
            joined = before is not None and self._can_be_compared(before, (run, point))
            figures = {agent: found[metric] for agent, found in point.figures.items() if metric in found}
            drawn.append(HistoryPoint(run.id, run.name, run.created, figures, changed, joined))
        return drawn

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
            return _point_of(self._library.origin(run_id).load(headline=False))
        except (ToolgaugeError, OSError):
            return None  # it was removed, or is not whole: there is nothing to draw


def _is_share(metric: str) -> bool:
    found = find_metric(metric, METRICS)
    return found is None or found.kind != "amount"


def _json(point: HistoryPoint) -> dict[str, object]:
    figures = {agent: msgspec.to_builtins(figure) for agent, figure in point.figures.items()}
    return {**point._asdict(), "figures": figures, "changed": list(point.changed)}


def _point_of(run: Run) -> Point:
    header = run.header
    basis: dict[Mark, str] = {
        "suite": header.suite_hash or _hash(header.suite),
        "tools": _hash(header.suite.tools),
        "model": msgspec.json.encode(header.about.get("model")).decode(),
        "scoring": msgspec.json.encode([header.scoring, header.scorers]).decode(),
    }
    figures = {row.agent: dict(row.metrics) for row in run.summary.rows if not row.group}
    return Point(figures, basis)


def _hash(value: object) -> str:
    return sha256(encode_sorted(value)).hexdigest()
