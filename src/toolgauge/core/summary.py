"""The metrics of groups of scores, as values that every report is drawn from."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from .json import JsonValue

__all__ = [
    "Confusion",
    "Counts",
    "Estimate",
    "MetricName",
    "Note",
    "Repeated",
    "Row",
    "SuiteFacts",
    "Summary",
    "ToolRow",
]

MetricName = str
"""Name of a metric, as in `docs/metrics.md`."""


class Estimate(Struct, frozen=True, gc=False, omit_defaults=True):
    """A figure with its 95 % interval, or the reason why there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """How many trajectories it rests on."""
    p50: float | None = None
    p95: float | None = None
    reason: str = ""


class Counts(Struct, frozen=True, gc=False):
    """In which state the planned trajectories ended; the states sum to the plan."""

    planned: int = 0
    passed: int = 0
    failed: int = 0
    error: int = 0
    timeout: int = 0
    limit: int = 0
    cancelled: int = 0
    not_run: int = 0
    passed_with_issues: int = 0
    """Of those that passed the ones with an issue; no state of its own."""

    @property
    def measured(self) -> int:
        """Those that figures rest on: all but what was cancelled or not run."""
        return self.planned - self.cancelled - self.not_run


class Repeated(Struct, frozen=True, gc=False):
    """What k trials of a case come to."""

    k: int
    pass_any: Estimate
    """pass@k: at least one of them passes."""
    pass_all: Estimate
    """pass^k: all of them pass."""


class Row(Struct, frozen=True, gc=False):
    """The metrics of one agent on one group of cases; the empty group is all of them."""

    agent: str
    group: dict[str, str]
    n: int
    """How many trajectories were measured; `counts.planned` says how many were planned."""
    counts: Counts
    metrics: dict[MetricName, Estimate]
    repeated: tuple[Repeated, ...] = ()
    """pass@k and pass^k, by k, where every case was tried several times."""


class ToolRow(Struct, frozen=True, gc=False):
    """What one agent did with one tool, counted in calls."""

    agent: str
    tool: str
    expected: int = 0
    """Calls that the cases require, and optional ones that were made: `right`, `wrong_args` and `missed` together."""
    called: int = 0
    right: int = 0
    """Calls that answer an expectation, with the right arguments."""
    wrong_args: int = 0
    """Calls that answer an expectation with arguments that do not fit."""
    missed: int = 0
    """Required calls that were not made."""
    superfluous: int = 0
    """Calls that answer no expectation and are not neutral."""
    failed: int = 0


class Confusion(Struct, frozen=True, gc=False):
    """How often one tool was called where another was expected."""

    agent: str
    expected: str
    called: str
    count: int


class Note(Struct, frozen=True, gc=False):
    """Something a reader should know about the figures; worded by the report."""

    kind: Literal[
        "fail_rate_published",
        "not_run",
        "cancelled",
        "selected",
        "unmatched",
        "several_trials",
        "answers_not_scored",
        "judge",
        "unscored",
        "scorer_failed",
        "reviews",
        "reviewed",
    ]
    values: dict[str, JsonValue] = field(default_factory=dict)


class SuiteFacts(Struct, frozen=True, gc=False):
    """What a report says of the suite."""

    name: str
    cases: int
    tools: tuple[str, ...]
    """Tools that are defined, or else expected by some case, by name."""
    expected_tools: dict[str, int] = {}
    """In how many cases each tool is expected."""
    groups: dict[str, int] = {}
    """How many cases each value of the label has."""


class Summary(Struct, frozen=True, gc=False):
    """Everything that a report shows, except the individual cases."""

    suite: SuiteFacts
    by: str | None
    """The label that the rows are broken down by."""
    counts: Counts
    rows: tuple[Row, ...]
    tools: tuple[ToolRow, ...] = ()
    confusion: tuple[Confusion, ...] = ()
    notes: tuple[Note, ...] = ()
