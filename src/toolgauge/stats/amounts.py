"""What one trajectory adds to each sum, sum by sum, for whoever needs a few sums of very many trajectories.

`Sums.add` adds to all of them and says the same; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from toolgauge.core import Answer, JsonValue, State, ToolCounts, Usage

from .course import COURSE, course
from .metrics import Metric

__all__ = ["AMOUNTS", "Amount", "Told", "Verdict", "sums_of"]


class Told(Protocol):
    """What is needed of a trajectory."""

    @property
    def case(self) -> str:
        """The id of its case."""

    @property
    def latency_ms(self) -> float | None:
        """How long it took; None: not recorded."""

    @property
    def usage(self) -> Usage | None:
        """What it cost; None: not recorded."""

    @property
    def events(self) -> Sequence[Mapping[str, JsonValue]]:
        """What is not a call."""


class Verdict(Protocol):
    """What is needed of its score."""

    @property
    def state(self) -> State:
        """How the trajectory ended."""

    @property
    def passed(self) -> bool:
        """Whether it passed."""

    @property
    def score(self) -> float | None:
        """The whole score; None: nothing was measured."""

    @property
    def call_precision(self) -> float | None:
        """There wherever the score is."""

    @property
    def call_recall(self) -> float | None:
        """There wherever the score is."""

    @property
    def param_accuracy(self) -> float | None:
        """There wherever the score is."""

    @property
    def content(self) -> float | None:
        """There wherever the score is."""

    @property
    def answer(self) -> Answer | None:
        """What became of the typed answer; None: the case states none."""

    @property
    def says_tools(self) -> bool:
        """Whether the case says anything about tools."""

    @property
    def counts(self) -> ToolCounts:
        """Tools and calls, counted."""


Amount = Callable[[Told, Verdict], float]


def _planned(_: Told, __: Verdict) -> float:
    return 1


def _completed(_: Told, score: Verdict) -> float:
    return score.state == "completed"


def _passed(_: Told, score: Verdict) -> float:
    return score.passed and score.state == "completed"


def _failed(_: Told, score: Verdict) -> float:
    return not score.passed and score.state == "completed"


def _ended(state: State) -> Amount:
    return lambda _, score: score.state == state


def _measured(_: Told, score: Verdict) -> float:
    return score.score is not None or _is_plain(score)


def _is_plain(score: Verdict) -> bool:
    """Whether the calls of a completed trajectory are there and all worked, which counts as measured by itself."""
    counts = score.counts
    return bool(
        score.says_tools
        and counts.calls
        and not counts.failed_calls
        and score.answer is None
        and score.state == "completed"
    )


def _says_tools(_: Told, score: Verdict) -> float:
    return score.says_tools and (score.score is not None or _is_plain(score))


def _score(_: Told, score: Verdict) -> float:
    return 0.0 if score.score is None else score.score


def _measure(name: str) -> Amount:
    """One of the measures that are there wherever the score is."""

    def amount(_: Told, score: Verdict) -> float:
        value: float = 0.0 if score.score is None else getattr(score, name)
        return value

    return amount


def _accurate(_: Told, score: Verdict) -> float:
    counts = score.counts
    return score.score is not None and score.says_tools and not (counts.false_positive or counts.false_negative)


def _true_positive(_: Told, score: Verdict) -> float:
    return score.counts.true_positive if score.says_tools and score.score is not None else 0


def _false_positive(_: Told, score: Verdict) -> float:
    return score.counts.false_positive if score.says_tools and score.score is not None else 0


def _false_negative(_: Told, score: Verdict) -> float:
    return score.counts.false_negative if score.says_tools and score.score is not None else 0


def _calls(_: Told, score: Verdict) -> float:
    return 0 if score.score is None else score.counts.calls


def _redundant_calls(_: Told, score: Verdict) -> float:
    return 0 if score.score is None else score.counts.redundant_calls


def _looked_at(name: str) -> Amount:
    """The calls of a trajectory whose calls were looked at for this fault."""
    return lambda _, score: 0 if score.score is None or getattr(score.counts, name) is None else score.counts.calls


def _faults(name: str) -> Amount:
    return lambda _, score: 0 if score.score is None else getattr(score.counts, name) or 0


def _with_calls(_: Told, score: Verdict) -> float:
    return score.counts.calls != 0 and (score.score is not None or _is_plain(score))


def _with_success(told: Told, score: Verdict) -> float:
    return score.counts.failed_calls < score.counts.calls and _with_calls(told, score)


def _with_failure(told: Told, score: Verdict) -> float:
    return score.counts.failed_calls > 0 and _with_calls(told, score)


def _with_both(told: Told, score: Verdict) -> float:
    return 0 < score.counts.failed_calls < score.counts.calls and _with_calls(told, score)


def _answers(*verdicts: str) -> Amount:
    return lambda _, score: score.answer is not None and score.score is not None and score.answer.verdict in verdicts


def _timed(told: Told, score: Verdict) -> float:
    return told.latency_ms is not None and score.score is not None


def _latency(told: Told, score: Verdict) -> float:
    return 0.0 if told.latency_ms is None or score.score is None else told.latency_ms


def _used(name: str) -> Amount:
    def amount(told: Told, score: Verdict) -> float:
        used = None if told.usage is None or score.score is None else getattr(told.usage, name)
        return 0 if used is None else used

    return amount


def _used_counts(name: str) -> Amount:
    return lambda told, score: (
        told.usage is not None and score.score is not None and getattr(told.usage, name) is not None
    )


def _opinion(told: Told, score: Verdict) -> float | None:
    """What a judge said, where one said something; the last word counts."""
    if not told.events or score.score is None:
        return None
    said = [event.get("score") for event in told.events if event.get("kind") == "judge"]
    return min(1.0, max(0.0, said[-1])) if said and isinstance(said[-1], (int, float)) else None


def _judge(told: Told, score: Verdict) -> float:
    return _opinion(told, score) or 0.0


def _opinions(told: Told, score: Verdict) -> float:
    return _opinion(told, score) is not None


def _course(name: str) -> Amount:
    return lambda told, score: dict(course(told.events)).get(name, 0) if told.events and score.score is not None else 0


def _course_counts(name: str) -> Amount:
    return lambda told, score: name in dict(course(told.events)) if told.events and score.score is not None else False


_STATES: tuple[State, ...] = ("error", "timeout", "limit", "cancelled", "not_run")

AMOUNTS: dict[str, Amount] = {
    "planned": _planned,
    "completed": _completed,
    "passed": _passed,
    "failed": _failed,
    **{state: _ended(state) for state in _STATES},
    "measured": _measured,
    "says_tools": _says_tools,
    "score": _score,
    **{name: _measure(name) for name in ("call_precision", "call_recall", "param_accuracy", "content")},
    "accurate": _accurate,
    "true_positive": _true_positive,
    "false_positive": _false_positive,
    "false_negative": _false_negative,
    "calls": _calls,
    "redundant_calls": _redundant_calls,
    "checked_calls": _looked_at("unknown_tools"),
    "unknown_tools": _faults("unknown_tools"),
    "schema_calls": _looked_at("schema_errors"),
    "schema_errors": _faults("schema_errors"),
    "grounded_calls": _looked_at("ungrounded"),
    "ungrounded": _faults("ungrounded"),
    "with_calls": _with_calls,
    "with_success": _with_success,
    "with_failure": _with_failure,
    "with_both": _with_both,
    "answers": _answers("right", "wrong"),
    "right_answers": _answers("right"),
    "ambiguous_answers": _answers("ambiguous"),
    "timed": _timed,
    "latency": _latency,
    "request_counts": _used_counts("requests"),
    "requests": _used("requests"),
    "token_counts": _used_counts("tokens"),
    "tokens": _used("tokens"),
    "cost_counts": _used_counts("cost_usd"),
    "cost": _used("cost_usd"),
    "opinions": _opinions,
    "judge": _judge,
    **{name: _course(name) for name in COURSE},
    **{f"{name}_counts": _course_counts(name) for name in COURSE},
}
"""By the name of a sum, what a trajectory with its score adds to it; true counts as 1."""


class _Asked:
    """Takes down which sums somebody asks for."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}

    def __getattr__(self, name: str) -> int:
        self.names.setdefault(name)
        return 1


def sums_of(metric: Metric) -> list[str]:
    """The names of the sums that a metric is computed from."""
    asked = _Asked()
    for part in (metric.above, metric.below, metric.n):
        # A metric reads nothing but attributes of the sums it is given, and adds them up.
        part(asked)  # type: ignore[arg-type]  # stands for sums
    return list(asked.names)
