"""Every metric as data: what it is computed from, which way is better, why it may be missing, where it is shown.

Each metric is a ratio of sums over trajectories, so that one estimator with one interval serves them all. A metric of
one's own is one more row; see `Metric.part` for one that needs a sum of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .contributions import PARTS, Part

__all__ = [
    "METRICS",
    "NOTHING_MEASURED",
    "NOTHING_PLANNED",
    "SECTIONS",
    "Kind",
    "Metric",
    "Reason",
    "Section",
    "Shown",
    "compared_metrics",
    "find_metric",
    "needed_sums",
    "parts_of",
]

Kind: TypeAlias = Literal["rate", "ratio", "mean", "amount"]
"""rate: a share of trajectories; ratio: of other counts; mean: of values from 0 to 1; amount: without bounds."""

Section: TypeAlias = Literal["choice", "verdicts", "parts", "faults", "amounts", "scorers"]

SECTIONS: tuple[Section, ...] = ("choice", "verdicts", "parts", "faults", "amounts", "scorers")
"""The tables of a report, in their order."""

Reason: TypeAlias = str
"""Why there is no figure: a code that the catalogues of words know as `reason.CODE`, or the words of a scorer."""

NOTHING_MEASURED: Reason = "nothing_measured"
NOTHING_PLANNED: Reason = "nothing_planned"


@dataclass(frozen=True, slots=True)
class Shown:
    """Where and how reports show a metric; each section in the order of the table."""

    section: Section
    as_share: bool = False
    """As a percentage."""
    interval: bool = False
    """Whether its interval stands beside it."""
    optional: bool = False
    """Left out where no agent has a figure."""
    left_out_at: float | None = None
    """Left out where every figure that is known is this one, which says nothing."""
    left_out_with: str | None = None
    """Left out where every figure is the same as that of this other metric."""
    rank: int = 0
    """What has a higher one comes later in its section."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A ratio of two sums over trajectories."""

    name: str
    kind: Kind
    above: tuple[str, ...]
    """The names of the sums that are divided, added together."""
    below: tuple[str, ...]
    """The names of those that they are divided by."""
    shown: Shown
    reason: Reason
    """Why there is no figure, where what is divided by is 0."""
    counted: tuple[str, ...] = ()
    """The sums that tell how many trajectories it rests on, where that is not what it is divided by."""
    perfect_without: tuple[str, ...] = ()
    """Where all of these sums are 0, there was nothing to do and nothing was done, which counts as 1."""
    lower_is_better: bool = False
    """Whether less of it is better, as of every amount and every rate of faults. Nobody else says so."""
    unit: str = ""
    """What it is measured in; empty: a share of 1."""
    percentiles: bool = False
    """Whether p50 and p95 of the single values are given; then one sum is divided by one count of them."""
    compared: int = 0
    """Its place among the metrics that `compare` tests unless others are asked for; 0: it is none of them."""
    part: Part | None = None
    """The sums that nobody else needs, of a metric that is not one of ours."""

    @property
    def n(self) -> tuple[str, ...]:
        """The sums that tell how many trajectories it rests on."""
        return self.counted or self.below

    @property
    def sums(self) -> tuple[str, ...]:
        """The names of all sums that it is computed from."""
        return tuple(dict.fromkeys((*self.above, *self.below, *self.n)))


_MISTAKES = ("true_positive", "false_positive", "false_negative")
_PART_OF_SCORE = Shown("parts")


def _mean(name: str, shown: Shown = _PART_OF_SCORE, *, compared: int = 0) -> Metric:
    """The mean of a measure over the trajectories that have it."""
    return Metric(name, "mean", (name,), ("measured",), shown, NOTHING_MEASURED, compared=compared)


def _fault(name: str, above: str, below: str, reason: Reason) -> Metric:
    """A rate of calls that are not as they should be."""
    shown = Shown("faults", optional=True)
    return Metric(name, "ratio", (above,), (below,), shown, reason, counted=("measured",), lower_is_better=True)


def _amount(
    name: str,
    count: str,
    unit: str,
    reason: Reason,
    *,
    rank: int = 0,
    compared: int = 0,
    left_out_at: float | None = None,
) -> Metric:
    """Time, cost and other quantities: the sum of that name over how many have one."""
    return Metric(
        name,
        "amount",
        (name,),
        (count,),
        Shown("amounts", optional=True, rank=rank, left_out_at=left_out_at),
        reason,
        lower_is_better=True,
        unit=unit,
        percentiles=True,
        compared=compared,
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        "accuracy",
        "rate",
        ("accurate",),
        ("says_tools",),
        Shown("choice", as_share=True, interval=True),
        "no_tools_stated",
        compared=2,
    ),
    Metric(
        "precision",
        "ratio",
        ("true_positive",),
        ("true_positive", "false_positive"),
        Shown("choice"),
        "no_tool_succeeded",
        counted=("says_tools",),
        perfect_without=_MISTAKES,
    ),
    Metric(
        "recall",
        "ratio",
        ("true_positive",),
        ("true_positive", "false_negative"),
        Shown("choice"),
        "no_tool_expected",
        counted=("says_tools",),
        perfect_without=_MISTAKES,
    ),
    Metric(
        "f1",
        "ratio",
        ("true_positive",),
        ("true_positive", "half_of_mistakes"),
        Shown("choice"),
        "no_tools_stated",
        counted=("says_tools",),
        perfect_without=_MISTAKES,
        compared=4,
    ),
    Metric(
        "tool_fail_rate",
        "rate",
        ("with_failure",),
        ("with_calls",),
        Shown("faults", as_share=True, interval=True),
        "no_calls",
        lower_is_better=True,
    ),
    Metric(
        "tool_fail_rate_published",
        "rate",
        ("with_both",),
        ("with_success",),
        Shown("faults", as_share=True),
        "no_call_succeeded",
        lower_is_better=True,
    ),
    Metric(
        "pass_rate",
        "rate",
        ("passed",),
        ("planned",),
        Shown("verdicts", interval=True),
        NOTHING_PLANNED,
        compared=1,
    ),
    Metric(
        "pass_rate_scored",
        "rate",
        ("passed",),
        ("completed",),
        Shown("verdicts", left_out_with="pass_rate"),
        "nothing_completed",
    ),
    Metric(
        "passed_with_issues",
        "rate",
        ("passed_with_issues",),
        ("measured",),
        Shown("verdicts", left_out_at=0.0),
        NOTHING_MEASURED,
        lower_is_better=True,
    ),
    _mean("score", Shown("parts", interval=True), compared=5),
    _mean("call_precision"),
    _mean("call_recall"),
    _mean("param_accuracy"),
    _mean("content", Shown("parts", optional=True, left_out_at=1.0)),
    Metric(
        "answer",
        "rate",
        ("right_answers",),
        ("answers",),
        Shown("verdicts", optional=True),
        "no_answer_scored",
        compared=3,
    ),
    Metric(
        "ambiguous_rate",
        "rate",
        ("ambiguous_answers",),
        ("answers", "ambiguous_answers"),
        Shown("verdicts", optional=True, left_out_at=0.0),
        "no_answer_read",
        lower_is_better=True,
    ),
    _fault("redundant_rate", "redundant_calls", "calls", "no_calls"),
    _fault("unknown_tool_rate", "unknown_tools", "checked_calls", "no_tools_defined_or_no_calls"),
    _fault("schema_error_rate", "schema_errors", "schema_calls", "no_tools_defined_or_no_calls"),
    _fault("ungrounded_rate", "ungrounded", "grounded_calls", "grounding_not_checked"),
    _amount("latency", "timed", "ms", "not_recorded", compared=6),
    _amount("calls", "measured", "calls", NOTHING_MEASURED),
    _amount("tokens", "token_counts", "tokens", "not_recorded", rank=2),
    _amount("cost", "cost_counts", "USD", "not_recorded", rank=2),
    _amount("requests", "request_counts", "requests", "not_recorded", rank=1),
    _amount("waited", "waited_counts", "ms", "not_recorded", rank=3, left_out_at=0.0),
    _amount("planned_calls", "planned_calls_counts", "calls", "nothing_planned_ahead"),
    _amount("rounds", "rounds_counts", "rounds", "no_rounds"),
    _amount("handoffs", "handoffs_counts", "handoffs", "nothing_handed_over"),
    Metric("judge", "mean", ("judge",), ("opinions",), Shown("verdicts", optional=True), "no_judge"),
)
"""The metrics of every run, in the order of files for programs."""


def find_metric(name: str, metrics: Sequence[Metric] = METRICS) -> Metric | None:
    """The metric of a name; None where there is none among these."""
    return next((metric for metric in metrics if metric.name == name), None)


def compared_metrics(metrics: Sequence[Metric] = METRICS) -> list[Metric]:
    """The metrics that are compared unless others are asked for; the first one decides."""
    return sorted((metric for metric in metrics if metric.compared), key=lambda metric: metric.compared)


def parts_of(metrics: Iterable[Metric]) -> tuple[Part, ...]:
    """All sums that there are for these metrics: those of every run, and those that a metric brings along."""
    return (*PARTS, *(metric.part for metric in metrics if metric.part is not None))


def needed_sums(metrics: Iterable[Metric]) -> frozenset[str]:
    """The names of the sums that these metrics are computed from."""
    return frozenset(name for metric in metrics for name in metric.sums)
