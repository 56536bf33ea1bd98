"""What is asked of an agent: a suite of cases, each with what is expected of its calls and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from .constants import ROUNDING_SLACK
from .json import JsonValue
from .score import IssueKind, PassRule

__all__ = [
    "Annotations",
    "Budget",
    "CannedResult",
    "Case",
    "CaseSettings",
    "CodeTool",
    "Expect",
    "ExpectedCall",
    "Judge",
    "Limits",
    "Plan",
    "Settings",
    "Suite",
    "Times",
    "ToolDefinition",
    "Weights",
]

Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Positive = Annotated[float, Meta(gt=0)]


class Written(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the values that people write by hand: an unknown key is an error, a default is left out again."""


class Times(Written, frozen=True, gc=False):
    """How often an expected call should be made."""

    min: Count = 1
    """The minimum number of times."""
    max: Count | None = None
    """Absent: as often as the agent likes."""


class ExpectedCall(Written, frozen=True, gc=False):
    """A call that a case expects."""

    tool: str
    """The name of the tool."""
    args: dict[str, JsonValue] = {}
    """Arguments that must be there: a literal value, or a matcher such as `{$one_of: [1, 2]}`."""
    check: dict[str, JsonValue] = {}
    """Rules for arguments that may be left out."""
    forbid_args: tuple[str, ...] = ()
    """Arguments that must not be there."""
    optional: bool = False
    """The call may be left out at no cost."""
    times: Times | Count | None = None
    """How often; absent: once."""
    id: str | None = None
    """A name for `after`."""
    after: tuple[str, ...] = ()
    """Ids of the expected calls that have to come before this one."""

    @property
    def min_calls(self) -> int:
        """How many such calls are required."""
        if self.optional:
            return 0
        return self.times.min if isinstance(self.times, Times) else self.times if self.times is not None else 1

    @property
    def max_calls(self) -> int | None:
        """How many such calls are welcome; None: any number."""
        return self.times.max if isinstance(self.times, Times) else self.times if self.times is not None else 1


Order = Literal["any", "strict"]
Extra = Literal["penalise", "allow", "forbid"]
Failed = Literal["count", "ignore"]


class Plan(Written, frozen=True, gc=False):
    """One way of solving a case."""

    calls: tuple[ExpectedCall, ...]
    """The calls of this plan."""
    order: Order | None = None
    """Absent: the order of its expectation."""


class Expect(Written, frozen=True, gc=False):
    """What is expected of one trajectory."""

    calls: tuple[ExpectedCall, ...] | None = None
    """Absent: no statement about tools. Empty: no tool may be called."""
    any_of: tuple[Plan, ...] = ()
    """Alternative plans instead of `calls`; the best-scoring one counts."""
    order: Order = "any"
    """`strict`: the calls have to be made in the listed order."""
    extra: Extra = "penalise"
    """The effect of calls beyond the expected ones: they lower the score, are neutral, or fail the case."""
    failed: Failed | None = None
    """Failed calls that answer no expectation: `count` as extra calls, or `ignore`. Absent: as in the suite."""
    neutral: tuple[str, ...] = ()
    """Tools that cost nothing."""
    forbid: tuple[str, ...] = ()
    """Tools that must not be called."""
    contains: tuple[str, ...] = ()
    """Texts that the final answer must contain."""
    answer: dict[str, JsonValue] | None = None
    """The typed answer."""

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans to choose from; none if the case makes no statement about tools."""
        if self.any_of:
            return self.any_of
        return () if self.calls is None else (Plan(self.calls),)

    @property
    def plan_sizes(self) -> tuple[int, ...]:
        """How many calls each plan expects; without a statement about tools, there is one empty plan."""
        if self.any_of:
            return tuple([len(plan.calls) for plan in self.any_of])
        return (0 if self.calls is None else len(self.calls),)


class Budget(Written, frozen=True, gc=False):
    """What a trajectory should not exceed. Exceeding it is an issue; it stops nothing."""

    calls: Count | None = None
    """Maximum number of tool calls."""
    latency_ms: Positive | None = None
    """Maximum milliseconds from the question to the answer."""


class Limits(Written, frozen=True, gc=False):
    """What stops an agent."""

    turns: Annotated[int, Meta(ge=1)] | None = None
    """Maximum number of requests to the model."""
    calls: Count | None = None
    """Maximum number of tool calls."""
    seconds: Positive | None = None
    """Maximum duration in seconds."""
    tokens: Annotated[int, Meta(ge=1)] | None = None
    """Maximum number of tokens, of requests and replies together."""


class Judge(Written, frozen=True, gc=False):
    """What a language model is asked about the answer. Its reply is an opinion, kept apart from what is measured."""

    rubric: str
    """A description of a good answer."""
    model: str | None = None
    """The model to ask; absent: the model of the run."""


class Weights(Written, frozen=True, gc=False):
    """The weight of each part of the score; they sum to 1."""

    call_precision: Share = 0.3
    """The share of calls that were expected."""
    call_recall: Share = 0.3
    """The share of expected calls that were made."""
    param_accuracy: Share = 0.3
    """How well arguments match."""
    content: Share = 0.1
    """The share of `contains` found in the answer."""


class CaseSettings(Written, frozen=True, gc=False):
    """How the trajectories of one case are scored, where it differs from the suite."""

    weights: Weights | None = None
    """The weight of each part of the score; absent: as in the suite."""
    threshold: Share | None = None
    """The minimum score to pass; absent: as in the suite."""
    passing: PassRule | None = field(default=None, name="pass")
    """Which issues fail the case, `strict` or `score`; absent: as in the suite."""
    fail_on: tuple[IssueKind, ...] = ()
    """Issues that fail this case, in addition to those of the suite."""
    ignore: tuple[IssueKind, ...] = ()
    """Issues that do not fail this case, even if the suite says so."""
    answer_line: bool | None = None
    """Whether built-in agents end with a line `Answer: …`; absent: as in the suite."""


class Case(Written, frozen=True, gc=False):
    """One question and what is expected."""

    id: str
    """The id of the case in traces, in reports and for `--case`; unique in the suite."""
    input: str = ""
    """The question that the agent gets."""
    labels: dict[str, str] = {}
    """Any keys, such as `difficulty`; reports break figures down by one of them."""
    locale: Literal["vi", "en"] | None = None
    """The language in which numbers and dates are read, such as 1.234; absent: unknown."""
    now: str | None = None
    """The day that relative dates count from."""
    expect: Expect = Expect()
    """What the agent should do and answer."""
    budget: Budget | None = None
    """What it should not exceed. Exceeding it is an issue; it stops nothing."""
    limits: Limits | None = None
    """What stops the agent in this case, where it differs from the options of the run."""
    settings: CaseSettings | None = None
    """How it is scored, where it differs from the suite."""
    judge: Judge | None = None
    """Ask a language model for an opinion on the answer when an agent is run."""
    reviewed: bool = True
    """False: the expectations were proposed from recorded traces and not yet reviewed."""


class CannedResult(Written, frozen=True, gc=False):
    """What a mocked tool returns for certain arguments."""

    when: dict[str, JsonValue] = {}
    """Literal values or matchers for arguments, all of which have to match; none: matches any arguments."""
    result: JsonValue = None
    """What the call returns."""
    error: str | None = None
    """The call fails with this message."""


class Annotations(Struct, frozen=True, gc=False, omit_defaults=True):
    """The effects of a tool, as MCP annotations; absent ones make no statement."""

    read_only: bool | None = field(default=None, name="readOnlyHint")
    """Whether the tool changes nothing."""
    destructive: bool | None = field(default=None, name="destructiveHint")
    """Whether the tool may delete or overwrite something."""


class ToolDefinition(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tool that an agent may call."""

    name: str
    description: str = ""
    parameters: Mapping[str, JsonValue] | None = None
    """JSON schema of the arguments; absent: unknown."""
    results: tuple[CannedResult, ...] = ()
    """What the mocked tool returns when an agent is run; the first match counts."""
    annotations: Annotations | None = None

    @property
    def changes_things(self) -> bool:
        """Whether its annotations say so: `readOnlyHint: false`, or `destructiveHint: true`."""
        said = self.annotations
        return said is not None and (said.read_only is False or said.destructive is True)


class CodeTool(Struct, frozen=True, gc=False):
    """Tools in Python, whose import has to be allowed."""

    python: str
    """The function, or an object with several tools, as `module:object`."""
    isolate: Literal["process"] | None = None
    """`process`: calls run in a separate process, which may hang or crash without harm."""
    annotations: Annotations | None = None
    """The effects of these tools, as MCP annotations."""


class Settings(Written, frozen=True, gc=False):
    """How the trajectories of a suite are scored."""

    weights: Weights = Weights()
    """The weight of each part of the score."""
    threshold: Share = 0.8
    """The minimum score to pass."""
    passing: PassRule = field(default="strict", name="pass")
    """Which issues fail a case whatever its score: `strict`, or only those of the tool-evaluation document: `score`."""
    fail_on: tuple[IssueKind, ...] = ()
    """Additional issues that fail a case."""
    ignore: tuple[IssueKind, ...] = ()
    """Issues that do not fail a case."""
    failed: Failed = "count"
    """Failed calls that answer no expectation: `count` as extra calls, or `ignore`. A case may override it."""
    profile: Literal["bfcl"] | None = None
    """Whose rule decides what passes; `bfcl`: that of the Berkeley Function-Calling Leaderboard."""
    answer_line: bool = False
    """Ask built-in agents to end with one line `Answer: …`, or `Đáp án: …`, which scoring trusts first."""

    def for_case(self, case: Case) -> Settings:
        """The settings of a case: its own where it has some. What it names itself fails it, or does not."""
        own, failed = case.settings, case.expect.failed or self.failed
        if own is None:
            return self if failed == self.failed else replace(self, failed=failed)
        return Settings(
            weights=own.weights or self.weights,
            threshold=self.threshold if own.threshold is None else own.threshold,
            passing=own.passing or self.passing,
            fail_on=(*(kind for kind in self.fail_on if kind not in own.ignore), *own.fail_on),
            ignore=(*(kind for kind in self.ignore if kind not in own.fail_on), *own.ignore),
            failed=failed,
            profile=self.profile,
            answer_line=self.answer_line if own.answer_line is None else own.answer_line,
        )

    @property
    def passing_score(self) -> float:
        """The score from which on a case is passed: sums of decimal weights are not exact."""
        return self.threshold - ROUNDING_SLACK


class Suite(Struct, frozen=True, gc=False, omit_defaults=True):
    """Cases, the tools to solve them, and how they are scored."""

    name: str
    cases: tuple[Case, ...]
    tools: tuple[ToolDefinition, ...] = ()
    settings: Settings = Settings()
