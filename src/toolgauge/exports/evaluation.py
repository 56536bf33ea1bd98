"""What is reported of a trajectory elsewhere: one value, of one metric, about one trace.

An evaluation has an id that depends on what it is about and on nothing else, so that it counts once however often it is
sent, and takes the place of what was said before when a trace is scored again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from toolgauge.core import MEASURES, Issue, Measured, Review, Reviews, Score, Scored, Trajectory
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.metrics.contributions import contributions

from .identity import TraceReference, digest, moment_in_utc, trace_of, writable
from .table import EXPORT_METRICS

__all__ = ["NAME_PREFIX", "Evaluation", "EvaluationSource", "Evaluations", "check_metrics"]

NAME_PREFIX = "toolgauge."
"""The prefix of every evaluation's name, which distinguishes it from those of other tools."""

MAX_EXPLANATION = 2_000
"""How many characters an explanation has; systems that show it cut it sooner."""

MAX_EXAMPLES = 5
"""How many trajectories without a trace are named."""

EvaluationSource: TypeAlias = Literal["code", "human", "llm"]
"""Who says so: a rule, a person, or a model that gives its opinion."""


class Evaluation(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """One value of one metric about one trace."""

    id: str
    """32 hexadecimal digits, the same whenever the same is said of the same trace."""
    name: str
    trace_id: str
    """As its recorder wrote it."""
    span_id: str = ""
    """Of the span that the trajectory is, or that the call is; empty: not known."""
    about: Literal["trajectory", "call"] = "trajectory"
    session_id: str = ""
    value: float | None = None
    label: str = ""
    """The value as a word from a short list; empty: a number says it all."""
    explanation: str = ""
    source: EvaluationSource = "code"
    by: str = ""
    """Who says so, where that is a person or a model."""
    at: str
    """When, as an ISO 8601 time in UTC; the same whenever it is sent."""
    metadata: dict[str, str] = {}
    """Suite, case, agent and trial."""


class MetricValue(Struct, frozen=True, gc=False):
    """A value before it is known what it is about."""

    metric: str
    value: float | None
    label: str = ""
    explanation: str = ""
    source: EvaluationSource = "code"
    by: str = ""
    span_id: str = ""
    """The span of the call that it is about; empty: it is about the trajectory."""


class Evaluations:
    """The evaluations of scored trajectories, and what could not become one.

    Can be iterated once for each export; the counts are of the last time.
    """

    def __init__(
        self,
        scored: Iterable[Scored],
        *,
        suite: str,
        created: str,
        reviews: Reviews | None = None,
        metrics: Sequence[str] = (),
    ) -> None:
        """Take what is to be told.

        Args:
            scored: Trajectories with their scores.
            suite: The name of the suite, which is part of what an evaluation is known by.
            created: When they were scored, as an ISO 8601 time: that of trajectories that do not say when they began.
            reviews: What people say of them.
            metrics: Names of `EXPORT_METRICS` and of scorers; default: everything.
        """
        self._scored = scored
        self._suite = suite
        self._created = moment_in_utc(created)
        self._reviews = reviews or Reviews()
        self._metrics = frozenset(metrics or EXPORT_METRICS)
        self.trajectories = 0
        self.untraced = 0
        """Trajectories that no trace is known of: nobody could be told about them."""
        self.untraced_examples: list[str] = []
        """The first of these by case, agent and trial."""
        self.unmeasured = 0
        """Trajectories of which nothing was measured, since they were not run or were cancelled."""
        self.unscored = 0
        """Outcomes of scorers that have no value."""

    def __iter__(self) -> Iterator[Evaluation]:
        self.trajectories = self.untraced = self.unmeasured = self.unscored = 0
        self.untraced_examples = []
        for one in self._scored:
            self.trajectories += 1
            reference = trace_of(one.trajectory)
            if reference is None:
                self._add_untraced(one.score)
                continue
            self.unmeasured += not one.score.measured
            for finding in self._findings(one):
                yield self._evaluation(one.score, finding, reference)

    def _add_untraced(self, score: Score) -> None:
        self.untraced += 1
        if len(self.untraced_examples) < MAX_EXAMPLES:
            self.untraced_examples.append(f"{score.case}, {score.agent or '-'}, {score.trial}")

    def _findings(self, one: Scored) -> Iterator[MetricValue]:
        score = one.score
        if score.measured:
            for finding in measured_findings(one.trajectory, score):
                if finding.metric in self._metrics:
                    yield finding
            for name, outcome in score.outcomes.items():
                if not {"scorers", name} & self._metrics:
                    continue
                if isinstance(outcome, Measured):
                    yield MetricValue(name, outcome.value, explanation=outcome.reason)
                else:
                    self.unscored += 1
        review = self._reviews.of(score.case, score.agent, score.trial)
        if review is not None and "review" in self._metrics:
            yield _reviewed(review)

    def _evaluation(self, score: Score, finding: MetricValue, reference: TraceReference) -> Evaluation:
        about = {
            "suite": writable(self._suite),
            "case": writable(score.case),
            "agent": writable(score.agent),
            "trial": str(score.trial),
        }
        span = finding.span_id or reference.span_id
        return Evaluation(
            id=digest(*about.values(), reference.trace_id, span, finding.metric),
            name=NAME_PREFIX + writable(finding.metric),
            trace_id=reference.trace_id,
            span_id=span,
            about="call" if finding.span_id else "trajectory",
            session_id=reference.session_id,
            value=finding.value,
            label=finding.label,
            explanation=writable(finding.explanation[:MAX_EXPLANATION]),
            source=finding.source,
            by=writable(finding.by),
            at=reference.started or self._created,
            metadata=about,
        )


def measured_findings(trajectory: Trajectory, score: Score) -> Iterator[MetricValue]:
    """What the score itself says of a trajectory that was measured."""
    ended = "" if score.state == "completed" else score.state
    failing = _named(issue for issue in score.issues if issue.failing)
    why = "; ".join(filter(None, (ended, failing)))
    yield MetricValue("passed", float(score.passed), "pass" if score.passed else "fail", why)
    for name in MEASURES:
        yield MetricValue(name, getattr(score, name))
    adds = contributions(trajectory, score)
    if adds["says_tools"]:
        yield MetricValue("accuracy", float(adds["accurate"]))
    if score.answer is not None and score.answer.verdict is not None:
        value = float(adds["right_answers"]) if adds["answers"] else None
        yield MetricValue("answer", value, score.answer.verdict, score.answer.reason)
    yield MetricValue("issues", float(len(score.issues)), explanation=_named(iter(score.issues)))
    yield from _call_findings(trajectory, score)
    if adds["opinions"]:
        yield MetricValue("judge", float(adds["judge"]), source="llm")


def _call_findings(trajectory: Trajectory, score: Score) -> Iterator[MetricValue]:
    """What is wrong with single calls, where it is known in which span they were made."""
    by_call: dict[int, list[Issue]] = {}
    for issue in score.issues:
        if issue.call is not None and issue.call < len(trajectory.calls):
            by_call.setdefault(issue.call, []).append(issue)
    for position, issues in by_call.items():
        if span := trajectory.calls[position].span_id:
            label = "fail" if any(issue.failing for issue in issues) else "note"
            yield MetricValue("calls", float(len(issues)), label, _named(iter(issues)), span_id=span)


def _named(issues: Iterator[Issue]) -> str:
    """Issues by their stable names, with tool and argument, and without the values that were wrong."""
    places = ((issue.kind, ".".join(filter(None, (issue.tool, issue.argument)))) for issue in issues)
    return "; ".join(f"{kind} {place}" if place else kind for kind, place in dict.fromkeys(places))


def _reviewed(review: Review) -> MetricValue:
    value = {"right": 1.0, "wrong": 0.0}.get(str(review.verdict))
    return MetricValue("review", value, str(review.verdict), review.note, "human", review.by)


def check_metrics(metrics: Sequence[str], scorers: Collection[str] = ()) -> None:
    """Make sure that there are such metrics.

    Raises:
        UsageError: One is neither of `EXPORT_METRICS` nor the name of a scorer of the run.
    """
    known = (*EXPORT_METRICS, *scorers)
    for name in metrics:
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise UsageError(f"there is no metric {name!r} to export" + (f"; {hint}" if hint else ""))
