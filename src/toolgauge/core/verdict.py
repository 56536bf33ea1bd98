"""What the gate says of a run: each thing it was held to, and how that ended."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolgauge.errors import INCOMPLETE

from .score import SCORING_VERSION, Issue
from .showing import as_html
from .summary import Counts, MetricName
from .trajectory import State

__all__ = ["Check", "CheckKind", "Failure", "FlakyCase", "Ruling", "Verdict"]

Ruling = Literal["passed", "failed", "inconclusive"]
"""Inconclusive: what was measured neither shows that a limit is kept nor that it is broken."""

CheckKind = Literal["minimum", "maximum", "no_regression", "must_pass", "no_flaky"]
"""The stable names of what a run can be held to."""

FAILED = 1
INCONCLUSIVE = 4


class Check(Struct, frozen=True, gc=False, kw_only=True):
    """One thing that an agent was held to. Figures are unrounded."""

    kind: CheckKind
    agent: str
    ruling: Ruling
    metric: MetricName | None = None
    """The metric, with `.p50` or `.p95` where a percentile of it is meant."""
    group: dict[str, str] = {}
    """The labels of the cases it is about; empty: all of them."""
    limit: float | None = None
    """The least, or the most, that is allowed; against a baseline the largest loss."""
    value: float | None = None
    """What was measured; against a baseline the difference to it, where less than 0 is worse."""
    low: float | None = None
    high: float | None = None
    n: int = 0
    """How many trajectories it rests on; against a baseline how many cases."""
    baseline: float | None = None
    """What the baseline has."""
    cases: tuple[str, ...] = ()
    """The cases that broke it; against a baseline those that passed more often there."""
    needed: int | None = None
    """How many cases would settle a difference such as the one that was seen; None: no number would."""
    lower_is_better: bool = False
    """Whether less of the metric is better, so that a rise of it is a loss."""
    reason: str = ""
    """Why there is no figure."""


class Failure(Struct, frozen=True, gc=False):
    """A trajectory that did not pass."""

    case: str
    agent: str
    trial: int
    state: State
    score: float | None = None
    issues: tuple[Issue, ...] = ()


class FlakyCase(Struct, frozen=True, gc=False):
    """A case that one agent passed in some trials and not in others."""

    case: str
    agent: str
    passed: int
    trials: int


class Verdict(Struct, frozen=True, gc=False, kw_only=True):
    """The gate's decision on a run."""

    ruling: Ruling
    suite: str
    agents: tuple[str, ...]
    """The agents that were looked at."""
    counts: Counts
    checks: tuple[Check, ...]
    failures: tuple[Failure, ...] = ()
    """What did not pass, in the order of the run; no more than the first thousand."""
    flaky: tuple[FlakyCase, ...] = ()
    several_trials: bool = False
    """Whether cases were tried more than once, so that flaky ones could show."""
    baseline: str | None = None
    """What the run was compared with."""
    scoring: int = SCORING_VERSION
    """By which version of the rules the run was scored."""

    @property
    def passed(self) -> bool:
        """Whether everything it was held to is kept, beyond doubt."""
        return self.ruling == "passed"

    def exit_code(self, *, strict: bool = False) -> int:
        """How a command that rests on this verdict ends.

        A failed gate is 1. A gate that did not fail although cases were not run is 3: what was not run may have failed.

        Args:
            strict: Whether a verdict that is inconclusive is 4 instead of 0.
        """
        if self.ruling == "failed":
            return FAILED
        if self.counts.not_run:
            return INCOMPLETE
        return INCONCLUSIVE if strict and self.ruling == "inconclusive" else 0

    def _repr_html_(self) -> str:
        return as_html(self)
