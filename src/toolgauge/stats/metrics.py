"""Every metric as data: what is added up for it, and what is said where there is nothing.

Each metric is a ratio of two sums over trajectories, so that one estimator with one interval serves them all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Literal

from toolgauge.core import Score, ToolCounts, Trajectory, Usage

from .course import course
from .summing import ExactSum, in_units

__all__ = ["METRICS", "NOTHING_MEASURED", "SUMS", "Metric", "Sums"]

NOTHING_MEASURED = "nothing was measured"


@dataclass(slots=True)
class Sums:
    """What is added up over the trajectories of one agent on one case. Settle it before it is read.

    Amounts are kept in units, as whole numbers, so that the order of adding makes no difference.
    """

    # What every trajectory adds to comes first, so that it lies together in memory.
    plain: int = 0
    """Trajectories that completed, of a case that says something about tools and states no answer, with calls that all
    worked. What follows from that is added when the sums are settled."""
    passed: int = 0
    failed: int = 0
    score_units: int = 0
    call_precision_units: int = 0
    call_recall_units: int = 0
    param_accuracy_units: int = 0
    content_units: int = 0
    accurate: int = 0
    true_positive: int = 0
    false_positive: int = 0
    false_negative: int = 0
    calls: int = 0
    redundant_calls: int = 0
    checked_calls: int = 0
    unknown_tools: int = 0
    schema_calls: int = 0
    schema_errors: int = 0
    timed: int = 0
    latency_units: int = 0
    planned: int = 0
    error: int = 0
    timeout: int = 0
    limit: int = 0
    cancelled: int = 0
    not_run: int = 0
    completed: int = 0
    measured: int = 0
    says_tools: int = 0
    with_calls: int = 0
    with_failure: int = 0
    with_success: int = 0
    with_both: int = 0
    answers: int = 0
    right_answers: int = 0
    ambiguous_answers: int = 0
    grounded_calls: int = 0
    ungrounded: int = 0
    token_counts: int = 0
    tokens: int = 0
    cost_counts: int = 0
    cost_units: int = 0
    opinions: int = 0
    judge_units: int = 0
    request_counts: int = 0
    requests: int = 0
    planned_calls: int = 0
    planned_calls_counts: int = 0
    rounds: int = 0
    rounds_counts: int = 0
    handoffs: int = 0
    handoffs_counts: int = 0

    score = ExactSum()
    call_precision = ExactSum()
    call_recall = ExactSum()
    param_accuracy = ExactSum()
    content = ExactSum()
    latency = ExactSum()
    cost = ExactSum()
    judge = ExactSum()

    def add(self, trajectory: Trajectory, score: Score) -> None:
        """Add one trajectory with its score."""
        counts = score.counts
        if (
            score.says_tools
            and counts.calls
            and not counts.failed_calls
            and score.answer is None
            and score.state == "completed"
        ):
            self.plain += 1
            if score.passed:
                self.passed += 1
            else:
                self.failed += 1
        else:
            self._add_ending(score)
        if score.score is None:
            return
        self.score_units += in_units(score.score)
        # The other measures are there wherever the score is.
        self.call_precision_units += in_units(score.call_precision)  # type: ignore[arg-type]
        self.call_recall_units += in_units(score.call_recall)  # type: ignore[arg-type]
        self.param_accuracy_units += in_units(score.param_accuracy)  # type: ignore[arg-type]
        self.content_units += in_units(score.content)  # type: ignore[arg-type]
        if score.says_tools:
            self.true_positive += counts.true_positive
            if counts.false_positive or counts.false_negative:
                self.false_positive += counts.false_positive
                self.false_negative += counts.false_negative
            else:
                self.accurate += 1
        self.calls += counts.calls
        if counts.redundant_calls:
            self.redundant_calls += counts.redundant_calls
        if counts.unknown_tools is not None or counts.schema_errors is not None or counts.ungrounded is not None:
            self._add_checks(counts)
        if trajectory.latency_ms is not None:
            self.timed += 1
            self.latency_units += in_units(trajectory.latency_ms)
        if trajectory.usage is not None:
            self._add_usage(trajectory.usage)
        if trajectory.events:
            self._add_opinion(trajectory)
            self._add_course(trajectory)

    def settle(self) -> None:
        """Add what follows from trajectories being plain."""
        plain = self.plain
        self.planned += plain
        self.completed += plain
        self.measured += plain
        self.says_tools += plain
        self.with_calls += plain
        self.with_success += plain
        self.plain = 0

    def _add_ending(self, score: Score) -> None:
        """Add how a trajectory that is not plain ended, and what it has of what every plain one has."""
        self.planned += 1
        if score.state == "completed":
            self.completed += 1
            self.passed += score.passed
            self.failed += not score.passed
        else:
            setattr(self, score.state, getattr(self, score.state) + 1)
        if score.score is None:
            return
        self.measured += 1
        self.says_tools += score.says_tools
        counts = score.counts
        if counts.calls:
            worked = counts.failed_calls < counts.calls
            self.with_calls += 1
            self.with_success += worked
            self.with_failure += counts.failed_calls > 0
            self.with_both += worked and counts.failed_calls > 0
        if score.answer is not None:
            self.answers += score.answer.verdict in ("right", "wrong")
            self.right_answers += score.answer.verdict == "right"
            self.ambiguous_answers += score.answer.verdict == "ambiguous"

    def _add_checks(self, counts: ToolCounts) -> None:
        """Add what looking closer at the calls has found."""
        if counts.unknown_tools is not None:
            self.checked_calls += counts.calls
            self.unknown_tools += counts.unknown_tools
        if counts.schema_errors is not None:
            self.schema_calls += counts.calls
            self.schema_errors += counts.schema_errors
        if counts.ungrounded is not None:
            self.grounded_calls += counts.calls
            self.ungrounded += counts.ungrounded

    def _add_opinion(self, trajectory: Trajectory) -> None:
        """Add what a judge said, where one said something; the last word counts."""
        said = [event.get("score") for event in trajectory.events if event.get("kind") == "judge"]
        if said and isinstance(said[-1], (int, float)):
            self.opinions += 1
            self.judge_units += in_units(min(1.0, max(0.0, said[-1])))

    def _add_course(self, trajectory: Trajectory) -> None:
        """Add what the agent told of how it went about its work."""
        for name, amount in course(trajectory.events):
            setattr(self, name, getattr(self, name) + amount)
            setattr(self, f"{name}_counts", getattr(self, f"{name}_counts") + 1)

    def _add_usage(self, usage: Usage) -> None:
        if usage.requests is not None:
            self.request_counts += 1
            self.requests += usage.requests
        if (tokens := usage.tokens) is not None:
            self.token_counts += 1
            self.tokens += tokens
        if usage.cost_usd is not None:
            self.cost_counts += 1
            self.cost_units += in_units(usage.cost_usd)


SUMS: tuple[str, ...] = tuple([field.name for field in fields(Sums)])
"""The names of all sums."""


Kind = Literal["rate", "ratio", "mean", "amount"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A ratio of two sums."""

    name: str
    kind: Kind
    """rate: a share of trajectories; ratio: of other counts; mean: of values from 0 to 1; amount: without bounds."""
    above: Callable[[Sums], float]
    below: Callable[[Sums], float]
    n: Callable[[Sums], int]
    """How many trajectories it rests on."""
    without: str
    """The reason given where the lower sum is 0."""
    perfect: Callable[[Sums], bool] = lambda _: False
    """Whether nothing above nothing counts as 1: there was nothing to do, and nothing was done."""
    lower_is_better: bool = False
    """Whether less of it is better, as of every amount and every rate of faults. Nobody else says so."""


# Adding up what these get of thousands of cases takes no step of Python.
_measured: Callable[[Sums], int] = attrgetter("measured")
_says_tools: Callable[[Sums], int] = attrgetter("says_tools")


def _nothing_to_do(sums: Sums) -> bool:
    return sums.says_tools > 0 and not sums.true_positive + sums.false_positive + sums.false_negative


def _amount(name: str, above: Callable[[Sums], float], n: Callable[[Sums], int], without: str) -> Metric:
    return Metric(name, "amount", above, n, n, without, lower_is_better=True)


def _mean(name: str, above: Callable[[Sums], float]) -> Metric:
    return Metric(name, "mean", above, _measured, _measured, NOTHING_MEASURED)


_NO_TOOLS = "no case says anything about tools"

METRICS: tuple[Metric, ...] = (
    Metric("accuracy", "rate", attrgetter("accurate"), _says_tools, _says_tools, _NO_TOOLS),
    Metric(
        "precision",
        "ratio",
        attrgetter("true_positive"),
        lambda s: s.true_positive + s.false_positive,
        _says_tools,
        "no tool was called with success",
        _nothing_to_do,
    ),
    Metric(
        "recall",
        "ratio",
        attrgetter("true_positive"),
        lambda s: s.true_positive + s.false_negative,
        _says_tools,
        "no tool was expected",
        _nothing_to_do,
    ),
    Metric(
        "f1",
        "ratio",
        attrgetter("true_positive"),
        lambda s: s.true_positive + (s.false_positive + s.false_negative) / 2,
        _says_tools,
        _NO_TOOLS,
        _nothing_to_do,
    ),
    Metric(
        "tool_fail_rate",
        "rate",
        attrgetter("with_failure"),
        attrgetter("with_calls"),
        attrgetter("with_calls"),
        "no calls were made",
        lower_is_better=True,
    ),
    Metric(
        "tool_fail_rate_published",
        "rate",
        attrgetter("with_both"),
        attrgetter("with_success"),
        attrgetter("with_success"),
        "no call was successful",
        lower_is_better=True,
    ),
    Metric(
        "pass_rate", "rate", attrgetter("passed"), attrgetter("planned"), attrgetter("planned"), "nothing was planned"
    ),
    Metric(
        "pass_rate_scored",
        "rate",
        attrgetter("passed"),
        attrgetter("completed"),
        attrgetter("completed"),
        "nothing completed",
    ),
    _mean("score", attrgetter("score")),
    _mean("call_precision", attrgetter("call_precision")),
    _mean("call_recall", attrgetter("call_recall")),
    _mean("param_accuracy", attrgetter("param_accuracy")),
    _mean("content", attrgetter("content")),
    Metric(
        "answer",
        "rate",
        attrgetter("right_answers"),
        attrgetter("answers"),
        attrgetter("answers"),
        "no typed answer was scored",
    ),
    Metric(
        "ambiguous_rate",
        "rate",
        attrgetter("ambiguous_answers"),
        lambda s: s.answers + s.ambiguous_answers,
        lambda s: s.answers + s.ambiguous_answers,
        "no typed answer was read",
        lower_is_better=True,
    ),
    Metric(
        "redundant_rate",
        "ratio",
        attrgetter("redundant_calls"),
        attrgetter("calls"),
        _measured,
        "no calls were made",
        lower_is_better=True,
    ),
    Metric(
        "unknown_tool_rate",
        "ratio",
        attrgetter("unknown_tools"),
        attrgetter("checked_calls"),
        _measured,
        "the suite defines no tools, or no calls were made",
        lower_is_better=True,
    ),
    Metric(
        "schema_error_rate",
        "ratio",
        attrgetter("schema_errors"),
        attrgetter("schema_calls"),
        _measured,
        "the suite defines no tools, or no calls were made",
        lower_is_better=True,
    ),
    Metric(
        "ungrounded_rate",
        "ratio",
        attrgetter("ungrounded"),
        attrgetter("grounded_calls"),
        _measured,
        "not looked at; ask for it with --grounding",
        lower_is_better=True,
    ),
    _amount("latency", attrgetter("latency"), attrgetter("timed"), "not recorded"),
    _amount("calls", attrgetter("calls"), _measured, NOTHING_MEASURED),
    _amount("tokens", attrgetter("tokens"), attrgetter("token_counts"), "not recorded"),
    _amount("cost", attrgetter("cost"), attrgetter("cost_counts"), "not recorded"),
    _amount("requests", attrgetter("requests"), attrgetter("request_counts"), "not recorded"),
    _amount(
        "planned_calls", attrgetter("planned_calls"), attrgetter("planned_calls_counts"), "nothing was planned ahead"
    ),
    _amount("rounds", attrgetter("rounds"), attrgetter("rounds_counts"), "there were no rounds"),
    _amount("handoffs", attrgetter("handoffs"), attrgetter("handoffs_counts"), "nothing was handed over"),
    Metric("judge", "mean", attrgetter("judge"), attrgetter("opinions"), attrgetter("opinions"), "no judge was asked"),
)
"""All metrics, in the order of the reports."""
