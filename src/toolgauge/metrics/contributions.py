"""What one trajectory with its score adds to each sum that metrics are computed from. Nobody else says so.

Sums are read in parts: what is known together is read together, and a part that has nothing to add says None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from toolgauge.core import JsonValue, Score, Trajectory

__all__ = ["PARTS", "Part", "contributions", "event_counts"]


Amounts: TypeAlias = tuple[float, ...]
Read: TypeAlias = Callable[[Trajectory, Score], Amounts | None]


@dataclass(frozen=True, slots=True)
class Part:
    """Sums that are read together."""

    names: tuple[str, ...]
    """The names of the sums."""
    read: Read
    """What a trajectory with its score adds to each of them, in their order; None: nothing to any."""
    fractions: frozenset[str] = frozenset()
    """Those of which parts of 1 are added; all others are counts."""
    compiled: bool = False
    """Whether `compiled/adding.c` adds the same for what is plain. Where one does not, Python adds up everything."""


def _adds(*names: str, fractions: Sequence[str] = (), compiled: bool = False) -> Callable[[Read], Part]:
    """Say which sums a function reads; fractions come after counts."""
    return lambda read: Part((*names, *fractions), read, frozenset(fractions), compiled)


@_adds(
    "planned",
    "completed",
    "passed",
    "passed_with_issues",
    "failed",
    "error",
    "timeout",
    "limit",
    "cancelled",
    "not_run",
    compiled=True,
)
def _ending(_: Trajectory, score: Score) -> Amounts:
    """How it ended; only one that completed passed or failed."""
    state = score.state
    if state == "completed":
        return 1, 1, score.passed, score.with_issues, not score.passed, 0, 0, 0, 0, 0
    ended = [state == other for other in ("error", "timeout", "limit", "cancelled", "not_run")]
    return 1, 0, 0, 0, 0, *ended


@_adds("measured", fractions=("score", "call_precision", "call_recall", "param_accuracy", "content"), compiled=True)
def _measures(_: Trajectory, score: Score) -> Amounts | None:
    if not score.measured:
        return None
    parts = score.score, score.call_precision, score.call_recall, score.param_accuracy, score.content
    return 1, *parts  # type: ignore[return-value]  # they are there where something was measured


@_adds(
    "says_tools",
    "accurate",
    "true_positive",
    "false_positive",
    "false_negative",
    fractions=("half_of_mistakes",),
    compiled=True,
)
def _tool_choice(_: Trajectory, score: Score) -> Amounts | None:
    """Which tools were chosen, where the case says something about tools. Only what completed can be accurate."""
    if not score.measured or not score.says_tools:
        return None
    counts = score.counts
    extra, missing = counts.false_positive, counts.false_negative
    accurate = score.state == "completed" and not (extra or missing)
    return 1, accurate, counts.true_positive, extra, missing, (extra + missing) / 2


@_adds("calls", "redundant_calls", "with_calls", "with_success", "with_failure", "with_both", compiled=True)
def _calls(_: Trajectory, score: Score) -> Amounts | None:
    """The calls, and whether some of a trajectory worked, failed, or both."""
    if not score.measured:
        return None
    counts = score.counts
    calls, failed = counts.calls, counts.failed_calls
    with_failure = calls > 0 and failed > 0
    return calls, counts.redundant_calls, calls > 0, failed < calls, with_failure, with_failure and failed < calls


@_adds("checked_calls", "unknown_tools", "schema_calls", "schema_errors", "grounded_calls", "ungrounded", compiled=True)
def _checks(_: Trajectory, score: Score) -> Amounts | None:
    """What looking closer at the calls has found, each with the calls that were looked at for it."""
    counts = score.counts
    unknown, broken, ungrounded = counts.unknown_tools, counts.schema_errors, counts.ungrounded
    if not score.measured or (unknown is None and broken is None and ungrounded is None):
        return None
    calls = counts.calls
    return (
        *((0, 0) if unknown is None else (calls, unknown)),
        *((0, 0) if broken is None else (calls, broken)),
        *((0, 0) if ungrounded is None else (calls, ungrounded)),
    )


@_adds("answers", "right_answers", "ambiguous_answers", compiled=True)
def _answer(_: Trajectory, score: Score) -> Amounts | None:
    if score.answer is None or not score.measured:
        return None
    verdict = score.answer.verdict
    return verdict in ("right", "wrong"), verdict == "right", verdict == "ambiguous"


@_adds("timed", fractions=("latency",), compiled=True)
def _latency(trajectory: Trajectory, score: Score) -> Amounts | None:
    return None if trajectory.latency_ms is None or not score.measured else (1, trajectory.latency_ms)


@_adds(
    "request_counts",
    "requests",
    "token_counts",
    "tokens",
    "cost_counts",
    "waited_counts",
    fractions=("cost", "waited"),
    compiled=True,
)
def _usage(trajectory: Trajectory, score: Score) -> Amounts | None:
    """What it cost, as far as that is known; None is unknown, never 0."""
    usage = trajectory.usage
    if usage is None or not score.measured:
        return None
    requests, tokens, cost, waited = usage.requests, usage.tokens, usage.cost_usd, usage.waited_ms
    counted = requests is not None, requests or 0, tokens is not None, tokens or 0
    return *counted, cost is not None, waited is not None, cost or 0.0, waited or 0.0


@_adds(
    "planned_calls_counts",
    "planned_calls",
    "rounds_counts",
    "rounds",
    "handoffs_counts",
    "handoffs",
    "opinions",
    fractions=("judge",),
    compiled=True,
)
def _events(trajectory: Trajectory, score: Score) -> Amounts | None:
    """How the agent went about its work, and what a judge said of it."""
    if not trajectory.events or not score.measured:
        return None
    told = event_counts(trajectory.events)
    counted = [number for name in _EVENT_COUNTS for number in (name in told, told.get(name, 0))]
    opinion = _opinion(trajectory.events)
    return *counted, opinion is not None, opinion or 0.0


PARTS: tuple[Part, ...] = (
    _ending,
    _measures,
    _tool_choice,
    _calls,
    _checks,
    _answer,
    _latency,
    _usage,
    _events,
)
"""All sums that the metrics of toolgauge are computed from."""


def contributions(trajectory: Trajectory, score: Score, parts: Sequence[Part] = PARTS) -> dict[str, float]:
    """By the name of each sum what one trajectory with its score adds to it; true counts as 1."""
    nothing = {name: 0 for part in parts for name in part.names}
    found = ((part, part.read(trajectory, score)) for part in parts)
    told = {name: amount for part, row in found if row for name, amount in zip(part.names, row, strict=True)}
    return {**nothing, **told}


_EVENT_COUNTS = ("planned_calls", "rounds", "handoffs")


def event_counts(events: Sequence[Mapping[str, JsonValue]]) -> dict[str, int]:
    """What an agent planned, its rounds, what it handed over. Whoever only plans has no rounds, not 0 of them."""
    found = {}
    plans = [event for event in events if event.get("kind") == "plan" and isinstance(event.get("steps"), list)]
    usable = [event for event in plans if event.get("usable") is not False]
    if plans:
        # Only the plan that was carried out is compared with what was; where none could be, nothing was planned.
        steps = usable[-1]["steps"] if usable else []
        found["planned_calls"] = len(steps) if isinstance(steps, list) else 0
    kinds = [event.get("kind") for event in events]
    if "round" in kinds:
        found["rounds"] = kinds.count("round")
    if "route" in kinds or "handoff" in kinds:
        found["handoffs"] = kinds.count("handoff")
    return found


def _opinion(events: Sequence[Mapping[str, JsonValue]]) -> float | None:
    """What a judge said, where one said something; the last word counts."""
    said = [event.get("score") for event in events if event.get("kind") == "judge"]
    return min(1.0, max(0.0, said[-1])) if said and isinstance(said[-1], (int, float)) else None
