"""The metrics of scorers of one's own: for each the mean of what it has measured, and how often it has not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from toolgauge.core import MEASURES, SCORER_FAILED, Counts, Measured, Score, Trajectory
from toolgauge.errors import UsageError

from .contributions import Amounts, Part
from .table import METRICS, SECTIONS, Metric, Shown, find_metric

__all__ = ["FAILED", "UNSCORED", "Reasons", "check_scorer_names", "metrics_with", "scorer_metrics", "sum_of"]

MEASURED, UNSCORED, FAILED = "measured", "unscored", "failed"

MAX_REASONS = 3
"""How many of the reasons why nothing was measured are kept."""

COMPARED_AFTER = 100
"""Comparisons show scorers behind all other metrics."""

NAME = re.compile(r"[^\W\d][\w-]{0,63}")

SUFFIXES = ("", "_low", "_high", "_p50", "_p95")
"""What stands behind the name of a metric in the titles of columns."""

TITLES = ("agent", "answer", "id", "issues", "n", "state", "trial", *Counts.__struct_fields__, *MEASURES, *SECTIONS)
"""Names of columns and tables that are no metrics."""


def scorer_metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    """The metrics of scorers of these names."""
    return tuple(_metric(name, place) for place, name in enumerate(dict.fromkeys(names), COMPARED_AFTER))


def metrics_with(names: Iterable[str]) -> tuple[Metric, ...]:
    """The metrics of a run with scorers of these names; what a file calls by the name of a metric of ours is none."""
    return (*METRICS, *scorer_metrics(name for name in names if find_metric(name) is None))


def sum_of(scorer: str, what: str = "") -> str:
    """The name of a sum of a scorer, which is that of no other sum."""
    return f"scorer {scorer} {what}".rstrip()


def _metric(name: str, place: int) -> Metric:
    total, measured = sum_of(name), sum_of(name, MEASURED)

    def read(_: Trajectory, score: Score) -> Amounts | None:
        outcome = score.outcomes.get(name)
        if outcome is None:
            return None
        if isinstance(outcome, Measured):
            return 1, 0, 0, outcome.value
        return 0, 1, outcome.reason.startswith(SCORER_FAILED), 0.0

    part = Part((measured, sum_of(name, UNSCORED), sum_of(name, FAILED), total), read, frozenset((total,)))
    shown = Shown("scorers", interval=True)
    return Metric(name, "mean", (total,), (measured,), shown, "nothing_scored", compared=place, part=part)


def check_scorer_names(names: Iterable[str]) -> None:
    """Make sure that reports, comparisons and limits can name scorers, and mean no other metric.

    Raises:
        UsageError: A name cannot be written there, or is taken.
    """
    known = [metric.name for metric in METRICS]
    taken = dict.fromkeys(TITLES, "a column of reports")
    taken |= {f"{name}{suffix}": f"the metric {name!r}" for name in known for suffix in SUFFIXES}
    for name in names:
        if not NAME.fullmatch(name):
            raise UsageError(f"a scorer cannot be called {name!r}; a name has letters, digits, _ and -, 64 at most")
        own = [f"{name}{suffix}" for suffix in SUFFIXES]
        if clash := next((taken[title] for title in own if title in taken), None):
            raise UsageError(f"a scorer cannot be called {name!r}: that is taken by {clash}; give it another name")
        taken |= dict.fromkeys(own, f"the scorer {name!r}")


class Reasons:
    """Why scorers have not measured trajectories: of each the first few by the alphabet, in whatever order they come.

    Where a scorer failed comes before all else.
    """

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, list[str]]] = {}
        """By group of cases and by scorer."""

    def add(self, group: str, score: Score) -> None:
        """Keep the reasons of one score."""
        for name, outcome in score.outcomes.items():
            if not isinstance(outcome, Measured):
                self._keep(group, name, (outcome.reason,))

    def merge(self, other: dict[str, dict[str, list[str]]]) -> None:
        """Keep what was kept elsewhere."""
        for group, scorers in other.items():
            for name, reasons in scorers.items():
                self._keep(group, name, reasons)

    def pack(self) -> dict[str, dict[str, list[str]]]:
        """All of them, by group and scorer."""
        return self._kept

    def of(self, scorer: str, group: str | None = None) -> list[str]:
        """The reasons of a scorer, in one group of cases or in all."""
        groups = self._kept.values() if group is None else [self._kept.get(group, {})]
        return _first(reason for scorers in groups for reason in scorers.get(scorer, ()))

    def _keep(self, group: str, scorer: str, reasons: Iterable[str]) -> None:
        known = self._kept.setdefault(group, {}).setdefault(scorer, [])
        if not set(reasons) <= set(known):
            known[:] = _first((*known, *reasons))


def _first(reasons: Iterable[str]) -> list[str]:
    def place(reason: str) -> tuple[bool, str]:
        return not reason.startswith(SCORER_FAILED), reason

    found: Iterator[str] = iter(sorted({reason for reason in reasons if reason}, key=place))
    return list(islice(found, MAX_REASONS))
