"""The verdict on one trajectory, with its evidence: the alignment, the counts and the issues."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, field

from .constants import ROUNDING_SLACK
from .json import JsonValue
from .trajectory import State

__all__ = [
    "FAULT_GROUPS",
    "ISSUE_KINDS",
    "ISSUE_TYPES",
    "MEASURES",
    "NOT_POINTED",
    "SCORER_FAILED",
    "UNSCORED",
    "AdviceKind",
    "Answer",
    "FaultGroup",
    "Issue",
    "IssueKind",
    "IssueType",
    "Measured",
    "Outcome",
    "Pair",
    "PassRule",
    "Passage",
    "Score",
    "ToolCounts",
    "Unscored",
]

SCORING_VERSION = 4
"""Goes up when the same suite and trajectory can get another score."""

PassRule = Literal["strict", "score"]
"""How strict passing is: `strict` fails a case for whatever is wrong with an expected call or with its answer; `score`,
the rule of the tool-evaluation document, lets most of that only cost."""

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

SCORER_FAILED = "error: "
"""How the reason of an outcome begins where the scorer failed, or returned what is no outcome."""


UNSCORED = "unscored"
"""What an issue of kind `agent_error` wants, and the kind of the event beside it, where nothing is wrong with the agent
but its trajectory could not be scored."""

NOT_POINTED = "no model has pointed to it"
"""How the reason of an answer ends that a model was to point to, and none has: the rules have chosen by themselves."""


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

FaultGroup = Literal["parameters", "wrong_tool", "missing_tool", "over_calling", "faults", "answers"]
"""The top level of a diagnosis: parameter errors, the wrong tool, a missing tool, over-calling; faults of agent and
tools; answers."""

FAULT_GROUPS: tuple[FaultGroup, ...] = get_args(FaultGroup)

AdviceKind = Literal[
    "describe_argument",
    "require_argument",
    "leave_out_argument",
    "fix_schema",
    "ground_argument",
    "tell_apart",
    "rename_tool",
    "fence_tool",
    "add_triggers",
    "state_order",
    "stop_calling",
    "answer_without",
    "break_loop",
    "set_budget",
    "retry_tool",
    "recover_tool",
    "mend_agent",
    "raise_limits",
    "speed_up",
    "state_content",
    "mend_answer",
]
"""The stable names of what can be recommended."""


class IssueType(NamedTuple):
    """What is known of a kind of issue wherever it shows."""

    group: FaultGroup
    about: Literal["expected_call", "call", "argument", "trajectory"]
    """What it is about: a call that was not made, one that was, one of its arguments, or the trajectory as a whole."""
    advice: AdviceKind
    """What to do about it, unless more is known."""
    fails: PassRule | None = None
    """By which rule it alone fails a case, whatever the score; what fails by `score` does so by `strict`, too."""
    fails_if: Literal["expected", "changes"] | None = None
    """Fails only if it is about an expected call; or about a tool that changes things, as its definition says."""
    contradicts: bool = False
    """Whether what the agent did stands against what the case expects; the others are failures of its own."""
    shows: Literal["want", "got", "both"] | None = None
    """Which of `want` and `got` an example of it is shown with."""
    messages: bool = False
    """Whether these are messages or names, and no values."""


ISSUE_TYPES: dict[IssueKind, IssueType] = {
    "missing_call": IssueType("missing_tool", "expected_call", "add_triggers", fails="score", contradicts=True),
    "unexpected_call": IssueType(
        "over_calling", "call", "stop_calling", fails="strict", fails_if="changes", contradicts=True
    ),
    "duplicate_call": IssueType("over_calling", "call", "break_loop", fails="strict", fails_if="changes"),
    "forbidden_tool": IssueType("wrong_tool", "call", "fence_tool", fails="score", contradicts=True),
    "unknown_tool": IssueType("wrong_tool", "call", "rename_tool"),
    "wrong_order": IssueType("wrong_tool", "call", "state_order", fails="score", contradicts=True, messages=True),
    "missing_arg": IssueType(
        "parameters", "argument", "require_argument", fails="strict", contradicts=True, shows="want"
    ),
    "wrong_arg": IssueType(
        "parameters", "argument", "describe_argument", fails="strict", contradicts=True, shows="both"
    ),
    "forbidden_arg": IssueType(
        "parameters", "argument", "leave_out_argument", fails="strict", contradicts=True, shows="got"
    ),
    "invalid_arg": IssueType(
        "parameters", "argument", "describe_argument", fails="strict", contradicts=True, shows="both"
    ),
    "schema_error": IssueType("parameters", "argument", "fix_schema", messages=True),
    "ungrounded_arg": IssueType("parameters", "argument", "ground_argument", shows="got"),
    "tool_error": IssueType("faults", "call", "retry_tool", shows="got", messages=True),
    "unrecovered_error": IssueType(
        "faults", "call", "recover_tool", fails="strict", fails_if="expected", shows="got", messages=True
    ),
    "too_many_calls": IssueType("over_calling", "trajectory", "set_budget", shows="both"),
    "over_latency": IssueType("faults", "trajectory", "speed_up", shows="both"),
    "missing_content": IssueType(
        "answers", "trajectory", "state_content", fails="strict", contradicts=True, shows="want"
    ),
    "wrong_answer": IssueType("answers", "trajectory", "mend_answer", fails="score", contradicts=True, shows="both"),
    "agent_error": IssueType("faults", "trajectory", "mend_agent", fails="score", shows="got", messages=True),
}
"""The kinds of issues: what finds them is in `scoring/issues.py`, their words are in the catalogue. Which of them fail
a case is put together in `scoring/failing.py`: where extra calls are forbidden, for example, every `unexpected_call`
does so."""


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


class Passage(Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that an answer states, and what speaks for and against its being meant."""

    words: str
    """As the answer writes it."""
    found: JsonValue = None
    evidence: dict[str, float] = {}
    """The rules that hold for it, each with its weight."""


class Answer(Struct, frozen=True, gc=False, omit_defaults=True):
    """What became of the typed answer of a case."""

    verdict: Literal["right", "wrong", "ambiguous"] | None = None
    """None: not scored."""
    found: JsonValue = None
    reason: str = ""
    chosen: Passage | None = None
    """The value that was taken for the answer; None where there was nothing to choose from."""
    runner_up: Passage | None = None
    """The next likely one that says something else."""
    pointed_by: str = ""
    """The model to whose opinion it is due that only one passage was read; empty: the rules read all of it."""


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


UNMEASURED: frozenset[State] = frozenset({"not_run", "cancelled"})
"""The states of trajectories that say nothing about an agent."""

MEASURES = ("score", "call_precision", "call_recall", "param_accuracy", "content")
"""The fields of a score that are measures from 0 to 1: all are there, or none."""


class Score(Struct, frozen=True, gc=False):
    """The verdict on one trajectory.

    The measures are None for a case that was not run: there is nothing to measure.
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
    by_scorer: dict[str, Outcome] | UnsetType = field(default=UNSET, name="outcomes")
    """The outcomes as they are written: not at all where no scorer has said anything."""

    @property
    def measured(self) -> bool:
        """Whether figures rest on it: not where it was not run, nor where it was cancelled on the way."""
        return self.score is not None and self.state not in UNMEASURED

    @property
    def with_issues(self) -> bool:
        """Whether it passed although something was wrong."""
        return self.passed and bool(self.issues)

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """What scorers of other packages say of it, by the name of the scorer."""
        return {} if self.by_scorer is UNSET else self.by_scorer
