"""The averages of the Berkeley Function-Calling Leaderboard, from the official accuracy of each category.

The leaderboard gives each category of its own questions the same weight, each question of those of its users
(`live`), and each half of irrelevance. Its overall accuracy is one tenth of each of these three, and for the rest turns
and agents, which are not scored here; what is given instead is the mean of the three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from toolgauge.core import CATEGORY, Row, Summary

__all__ = ["LEADERBOARD_AVERAGES", "Average", "Standing", "official_standings"]

SIMPLE = ("simple", "simple_python")
"""What the same category was called before and after there were others of one function."""


class Average(NamedTuple):
    """An average over categories."""

    name: str
    of: tuple[tuple[str, ...], ...]
    """The categories, or averages; of several names for one, whichever is there."""
    weighted: bool = False
    """Whether every question counts the same, and not every category."""


LEADERBOARD_AVERAGES: tuple[Average, ...] = (
    Average("non_live_ast", (SIMPLE, ("multiple",), ("parallel",), ("parallel_multiple",))),
    Average(
        "live_ast",
        (("live_simple",), ("live_multiple",), ("live_parallel",), ("live_parallel_multiple",)),
        weighted=True,
    ),
    Average("irrelevance_all", (("irrelevance",), ("live_irrelevance",))),
    Average("single_turn", (("non_live_ast",), ("live_ast",), ("irrelevance_all",))),
)
"""The averages that can be had from calls, in their order; each may rest on those before it."""


class Standing(NamedTuple):
    """How one agent does by the rules of the leaderboard."""

    agent: str
    passed: int
    questions: int
    categories: dict[str, float]
    """By category the share of its questions that are right."""
    averages: dict[str, float]
    """The averages of which every category is there."""

    @property
    def accuracy(self) -> float:
        """The share of all questions that are right."""
        return self.passed / self.questions if self.questions else 0.0


def official_standings(summary: Summary) -> list[Standing]:
    """How each agent does; without categories where figures are not broken down by them."""
    groups: dict[str, dict[str, Row]] = {}
    for row in summary.rows:
        by_category = groups.setdefault(row.agent, {})
        if not row.group or CATEGORY in row.group:
            by_category[row.group.get(CATEGORY, "")] = row
    return [_standing(agent, rows) for agent, rows in groups.items() if "" in rows]


def _standing(agent: str, rows: Mapping[str, Row]) -> Standing:
    counts = {name: (row.counts.passed, row.counts.planned) for name, row in rows.items() if row.counts.planned}
    shares = {name: passed / questions for name, (passed, questions) in counts.items() if name}
    weights = {name: float(questions) for name, (_, questions) in counts.items()}
    averages: dict[str, float] = {}
    for average in LEADERBOARD_AVERAGES:
        known = {**shares, **averages}
        found = [next((name for name in names if name in known), None) for names in average.of]
        names = [name for name in found if name is not None]
        if len(names) == len(found):
            averages[average.name] = _mean(
                [known[name] for name in names], [weights.get(name, 1.0) if average.weighted else 1.0 for name in names]
            )
    passed, questions = counts.get("", (0, 0))
    return Standing(agent, passed, questions, shares, averages)


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)
