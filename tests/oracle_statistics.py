"""What toolgauge should compute for a group of trajectories: every metric with its interval, by explicit formula.

It builds on the judgements of `tests/oracle.py` and on nothing of the code under test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import atan, cos, exp, inf, pi, sin, sqrt
from typing import TypeAlias

from toolgauge.core import Trajectory

from .oracle import Judgement

Z = 1.959963984540054
"""How many standard errors a 95 % interval reaches to either side."""

WILSON_RATES = {
    "accuracy",
    "tool_fail_rate",
    "tool_fail_rate_published",
    "pass_rate",
    "pass_rate_scored",
    "passed_with_issues",
    "answer",
}
"""Metrics that are yes or no for each trajectory."""

AMOUNTS = ("latency", "calls", "tokens", "cost", "waited")
"""Metrics that are no rates."""


@dataclass(frozen=True)
class Trial:
    """One trajectory and the verdict on it; none for a trajectory that was not run."""

    trajectory: Trajectory
    judgement: Judgement | None
    right: bool | None = None
    """Whether its typed answer is right; None: not stated or not scored."""


Share: TypeAlias = tuple[float, float]
"""What one trajectory adds to the numerator and to the denominator of a ratio."""


@dataclass(frozen=True)
class Figure:
    """A metric; None is n/a. Without an interval there is none to compare."""

    value: float | None
    interval: tuple[float, float] | None = None
    n: int | None = None
    """How many trajectories it rests on; None where the definition leaves it open."""


def within(angle: float, freedom: int) -> float:
    """The chance of a value of Student's distribution below the tangent of the angle times the root of the freedom.

    Either side of nought, and for whole degrees of freedom: Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(2 + odd, freedom + 1, 2):
        total += term
        term *= (step - 1) / step * cos(angle) ** 2
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


@cache
def student(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches to either side, with few degrees of freedom: by halving."""
    low, high = 0.0, atan(inf)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < 0.95 else (low, middle)
    return sqrt(freedom) * sin(low) / cos(low)


def wilson(successes: float, n: float) -> tuple[float, float]:
    """The score interval, as textbooks print it."""
    share = successes / n
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def clustered(shares: Sequence[tuple[str, Share]], *, bounded: bool = True) -> tuple[float, float] | None:
    """The delta-method interval of a ratio, clustered by case; None where the variance says nothing.

    That of a share is symmetric on the scale of log odds, with as many standard errors as Student's t has there.
    """
    clusters: dict[str, Share] = {}
    for case, (part, whole) in shares:
        parts, wholes = clusters.get(case, (0.0, 0.0))
        clusters[case] = (parts + part, wholes + whole)
    count = len(clusters)
    total = sum(whole for _, whole in clusters.values())
    ratio = sum(part for part, _ in clusters.values()) / total
    squares = sum((part - ratio * whole) ** 2 for part, whole in clusters.values())
    if count < 2 or squares < 1e-18:
        return None
    error = sqrt(count / (count - 1) * squares / total**2)
    if not bounded:
        return ratio - Z * error, ratio + Z * error
    if not 0 < ratio < 1:
        return None
    odds, reach = ratio / (1 - ratio), exp(student(count - 1) * error / (ratio * (1 - ratio)))
    return odds / reach / (1 + odds / reach), odds * reach / (1 + odds * reach) if reach < inf else 1.0


def ratio(name: str, trials: Sequence[Trial], share: Callable[[Trial], Share | None]) -> Figure:
    """Sum of the numerators over the sum of the denominators; a trial without a share takes no part."""
    shares = [(trial.trajectory.case, part) for trial in trials if (part := share(trial)) is not None]
    wins = sum(part for _, (part, _) in shares)
    total = sum(whole for _, (_, whole) in shares)
    if not total:
        return Figure(None)
    single = len({case for case, _ in shares}) == len(shares)
    spread = clustered(shares)
    if spread is None or (single and name in WILSON_RATES):
        interval = wilson(wins, total)
    else:
        interval = max(0.0, spread[0]), min(1.0, spread[1])
    return Figure(wins / total, interval, len(shares))


def metrics(trials: Sequence[Trial]) -> dict[str, Figure]:
    """All the rates and means of a group, by name."""
    measured = [
        trial
        for trial in trials
        if trial.judgement is not None and trial.trajectory.state not in ("not_run", "cancelled")
    ]
    told = [trial for trial in measured if verdict(trial).says_tools]
    called = [trial for trial in measured if trial.trajectory.calls]
    worked = [trial for trial in called if any(call.error is None for call in trial.trajectory.calls)]
    completed = [trial for trial in measured if trial.trajectory.state == "completed"]

    figures = {
        "accuracy": ratio("accuracy", told, lambda t: (chose_right(t), 1)),
        "tool_fail_rate": ratio("tool_fail_rate", called, lambda t: (has_failure(t), 1)),
        "tool_fail_rate_published": ratio("tool_fail_rate_published", worked, lambda t: (has_failure(t), 1)),
        "pass_rate": ratio("pass_rate", trials, lambda t: (has_passed(t), 1)),
        "passed_with_issues": ratio(
            "passed_with_issues", measured, lambda t: (has_passed(t) and any(verdict(t).issues), 1)
        ),
        "pass_rate_scored": ratio("pass_rate_scored", completed, lambda t: (has_passed(t), 1)),
        "answer": ratio("answer", measured, lambda t: None if t.right is None else (t.right, 1)),
        "score": ratio("score", measured, lambda t: (float(verdict(t).score), 1)),
        "call_precision": ratio("call_precision", measured, lambda t: (float(verdict(t).call_precision), 1)),
        "call_recall": ratio("call_recall", measured, lambda t: (float(verdict(t).call_recall), 1)),
        "param_accuracy": ratio("param_accuracy", measured, lambda t: (float(verdict(t).param_accuracy), 1)),
        "content": ratio("content", measured, lambda t: (float(verdict(t).content), 1)),
        "redundant_rate": ratio(
            "redundant_rate", measured, lambda t: (verdict(t).redundant_calls, len(t.trajectory.calls))
        ),
        "unknown_tool_rate": ratio("unknown_tool_rate", measured, unknown_share),
    }
    return figures | retrieval(told) | amounts(measured)


def retrieval(told: Sequence[Trial]) -> dict[str, Figure]:
    """Precision, recall and F1 of the tools, pooled over the cases that say something about tools."""
    if not told:
        return dict.fromkeys(("precision", "recall", "f1"), Figure(None))
    hits = sum(true_positive(trial) for trial in told)
    extras = sum(false_positive(trial) for trial in told)
    misses = sum(false_negative(trial) for trial in told)
    if hits + extras + misses == 0:
        return dict.fromkeys(("precision", "recall", "f1"), Figure(1.0))
    figures = {
        "precision": ratio("precision", told, lambda t: (true_positive(t), true_positive(t) + false_positive(t))),
        "recall": ratio("recall", told, lambda t: (true_positive(t), true_positive(t) + false_negative(t))),
        # Half of 2TP / (2TP + FP + FN), so that Wilson, where it has to step in, counts each tool once.
        "f1": ratio("f1", told, lambda t: (true_positive(t), true_positive(t) + mistakes(t) / 2)),
    }
    # What F1 and its kin rest on is a number of tools, not of trajectories.
    return {name: Figure(figure.value, figure.interval) for name, figure in figures.items()}


def amounts(measured: Sequence[Trial]) -> dict[str, Figure]:
    """Means of what is known, which are no rates: their intervals end at 0 only, and have no Wilson form."""
    known: dict[str, Callable[[Trajectory], float | None]] = {
        "latency": lambda trajectory: trajectory.latency_ms,
        "calls": lambda trajectory: len(trajectory.calls),
        "tokens": tokens,
        "cost": lambda trajectory: trajectory.usage.cost_usd if trajectory.usage else None,
        "waited": lambda trajectory: trajectory.usage.waited_ms if trajectory.usage else None,
    }
    figures = {}
    for name, amount in known.items():
        shares = [
            (trial.trajectory.case, (value, 1.0))
            for trial in measured
            if (value := amount(trial.trajectory)) is not None
        ]
        values = [value for _, (value, _) in shares]
        if not values:
            figures[name] = Figure(None)
            continue
        spread = clustered(shares, bounded=False)
        interval = (max(0.0, spread[0]), spread[1]) if spread else None
        figures[name] = Figure(sum(values) / len(values), interval, len(values))
    return figures


def tokens(trajectory: Trajectory) -> float | None:
    """Tokens in and out together; half of them unknown is all of them unknown."""
    usage = trajectory.usage
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return float(usage.input_tokens + usage.output_tokens)


def verdict(trial: Trial) -> Judgement:
    """The judgement of a trial that was measured."""
    assert trial.judgement is not None
    return trial.judgement


def has_passed(trial: Trial) -> bool:
    """Whether a trial passed; one that was not run did not."""
    return trial.judgement is not None and trial.judgement.passed


def has_failure(trial: Trial) -> bool:
    """Whether any call failed."""
    return any(call.error is not None for call in trial.trajectory.calls)


def chose_right(trial: Trial) -> bool:
    """Whether it came to an end, and the tools that worked are those that were expected."""
    return trial.trajectory.state == "completed" and verdict(trial).tools_called == verdict(trial).tools_expected


def true_positive(trial: Trial) -> int:
    """Tools that were expected and worked."""
    return len(verdict(trial).tools_expected & verdict(trial).tools_called)


def false_positive(trial: Trial) -> int:
    """Tools that worked and were not expected."""
    return len(verdict(trial).tools_called - verdict(trial).tools_expected)


def false_negative(trial: Trial) -> int:
    """Tools that were expected and did not work."""
    return len(verdict(trial).tools_expected - verdict(trial).tools_called)


def mistakes(trial: Trial) -> int:
    """Tools that are wrong in either way."""
    return false_positive(trial) + false_negative(trial)


def unknown_share(trial: Trial) -> Share | None:
    """Calls of undefined tools among all calls; none where the suite defines no tools."""
    unknown = verdict(trial).unknown_tools
    return None if unknown is None else (unknown, len(trial.trajectory.calls))
