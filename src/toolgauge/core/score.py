"""The verdict on one trajectory, with its evidence: the alignment, the counts and the issues."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from .constants import ROUNDING_SLACK
from .json import JsonValue
from .trajectory import State

__all__ = [
    "ISSUE_KINDS",
    "MEASURES",
    "Answer",
    "Issue",
    "IssueKind",
    "Measured",
    "Outcome",
    "Pair",
    "Score",
    "ToolCounts",
    "Unscored",
]

SCORING_VERSION = 1
"""Goes up when the same suite and trajectory can get another score."""

Share = Annotated[float, Meta(ge=0, le=1 + ROUNDING_SLACK)]
"""A number from 0 to 1, beyond which rounding may carry it a little."""

Position = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=0)]


class Measured(Struct, frozen=True, gc=False, tag="measured"):
    """How well one trajectory did by one measure."""

    value: Annotated[float, Meta(ge=0, le=1)]
    """1 is the best possible result, 0 the worst."""
    reason: str = ""


class Unscored(Struct, frozen=True, gc=False, tag="unscored"):
    """There is no result, and why."""

    reason: str


Outcome: TypeAlias = Measured | Unscored


IssueKind = Literal[
    "missing_call",
    "unexpected_call",
    "duplicate_call",
    "forbidden_tool",
    "unknown_tool",
    "wrong_order",
    "missing_arg",
    "wrong_arg",
    "forbidden_arg",
    "invalid_arg",
    "schema_error",
    "ungrounded_arg",
    "tool_error",
    "unrecovered_error",
    "too_many_calls",
    "over_latency",
    "missing_content",
    "wrong_answer",
    "agent_error",
]
"""The stable names of what can be wrong with a trajectory."""

ISSUE_KINDS: tuple[IssueKind, ...] = get_args(IssueKind)


class Issue(Struct, frozen=True, gc=False, omit_defaults=True):
    """One named fault. It holds the facts; words are made when somebody reads it."""

    kind: IssueKind
    tool: str | None = None
    argument: str | None = None
    call: Position | None = None
    """Index of the call it is about."""
    expected: Position | None = None
    """Index of the expected call it is about, in the plan that counted."""
    want: JsonValue = None
    """What was asked for."""
    got: JsonValue = None
    """What was there instead."""
    failing: bool = False
    """Whether it alone fails the case."""


class Pair(Struct, frozen=True, gc=False):
    """A call and the expected call that it answers."""

    expected: Position
    call: Position
    params: Share
    """How well the arguments fit, from 0 to 1."""


class Answer(Struct, frozen=True, gc=False, omit_defaults=True):
    """What became of the typed answer of a case."""

    verdict: Literal["right", "wrong", "ambiguous"] | None = None
    """None: not scored."""
    found: JsonValue = None
    reason: str = ""


class ToolCounts(Struct, frozen=True, gc=False, array_like=True):
    """Sets of tools, and calls, counted for the metrics that are pooled over cases."""

    true_positive: Number = 0
    """Tools expected and called with success."""
    false_positive: Number = 0
    """Tools called with success that were not expected."""
    false_negative: Number = 0
    """Tools expected that no call used with success."""
    calls: Number = 0
    failed_calls: Number = 0
    redundant_calls: Number = 0
    """Calls that repeat an identical successful one."""
    unknown_tools: Number | None = None
    """Calls that name no defined tool; None: the suite defines none."""
    schema_errors: Number | None = None
    """Calls whose arguments break the schema of their tool; None: the suite defines no tools."""
    ungrounded: Number | None = None
    """Calls with a value that came from nowhere; None: not looked at."""


MEASURES = ("score", "call_precision", "call_recall", "param_accuracy", "content")
"""The fields of a score that are measures from 0 to 1: all are there, or none."""


class Score(Struct, frozen=True, gc=False):
    """The verdict on one trajectory.

    The measures are None for a case that was not run: nothing is there to be measured.
    """

    case: str
    agent: str
    trial: int
    state: State
    passed: bool = False
    score: Share | None = None
    call_precision: Share | None = None
    call_recall: Share | None = None
    param_accuracy: Share | None = None
    content: Share | None = None
    answer: Answer | None = None
    """None: the case states no typed answer."""
    plan: Position = 0
    """Which of the alternative plans counted."""
    says_tools: bool = False
    """Whether the case says anything about tools."""
    counts: ToolCounts = ToolCounts()
    alignment: tuple[Pair, ...] = ()
    issues: tuple[Issue, ...] = ()
