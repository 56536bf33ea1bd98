"""What a run has spent so far, and whether it may begin anything more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from toolgauge.core import OPINIONS, Trajectory
from toolgauge.errors import UsageError

__all__ = ["Spending", "judged_cost"]

SLACK = 1e-12
"""Sums of dollars that differ by less than this are the same."""


class Spender(Protocol):
    """Whoever spends something that is not counted yet: a trial, or a worker with some."""

    @property
    def spent(self) -> float:
        """Dollars so far, as far as they are known."""


class Spending:
    """Dollars of trials that are finished, as far as they are known, with those of the opinions on them."""

    def __init__(self, most: float | None) -> None:
        """Begin to count.

        Raises:
            UsageError: The most that may be spent is no amount.
        """
        if most is not None and not 0 < most < float("inf"):
            raise UsageError(f"the maximum cost of a run is an amount above 0 in dollars, not {most:g}")
        self.most = most
        self.known = 0.0

    def add(self, trajectory: Trajectory) -> None:
        """Count what a finished trial took.

        Raises:
            UsageError: There is a limit, and nobody knows what the models of a trial that came to its end cost.
        """
        usage = trajectory.usage
        self.known += ((usage.cost_usd or 0.0) if usage is not None else 0.0) + (judged_cost(trajectory) or 0.0)
        if self.most is None or usage is None or usage.cost_usd is not None or not usage.requests:
            return
        if trajectory.state == "completed":
            what = "--max-cost cannot be enforced: the price of the model, or how many tokens it used, is not known"
            raise UsageError(f"{what}; give its price with --prices")

    def words(self, running: int) -> str:
        """That nothing more is begun, with how many trials are in progress."""
        rest = "" if not running else "; 1 case in flight will finish" if running == 1 else None
        rest = f"; {running} cases in flight will finish" if rest is None else rest
        return f"no more cases are started: ${self.known:.4f} of --max-cost {self.most:g} spent{rest}"

    def reached(self, trials: Iterable[Spender]) -> bool:
        """Whether nothing more may be begun, with what the trials in progress have taken so far."""
        if self.most is None:
            return False
        return self.known + sum(trial.spent for trial in trials) >= self.most - SLACK


def judged_cost(trajectory: Trajectory) -> float | None:
    """What those who were asked about a trajectory took in dollars; None: none was asked, or nobody knows."""
    used = [event.get("usage") for event in trajectory.events if event.get("kind") in OPINIONS]
    costs = [cost for one in used if isinstance(one, dict) and isinstance(cost := one.get("cost_usd"), (int, float))]
    return float(sum(costs)) if costs else None
