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
    """How often an expected call is to be made."""

    min: Count = 1
    """How often at least."""
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
    """The calls that it takes."""
    order: Order | None = None
    """Absent: the order of the expectation it stands in."""


class Expect(Written, frozen=True, gc=False):
    """What is expected of one trajectory."""

    calls: tuple[ExpectedCall, ...] | None = None
    """Absent: nothing is said about tools. Empty: no tool may be called."""
    any_of: tuple[Plan, ...] = ()
    """Alternative plans instead of `calls`; the best-scoring one counts."""
    order: Order = "any"
    """`strict`: the calls have to come in the order in which they are listed."""
    extra: Extra = "penalise"
    """What calls beyond the expected ones do: cost, count as neutral, or fail the case."""
    failed: Failed | None = None
    """What failed calls that answer nothing do: `count` as extra calls, or `ignore` them. Absent: as the suite says."""
    neutral: tuple[str, ...] = ()
    """Tools that cost nothing."""
    forbid: tuple[str, ...] = ()
    """Tools that must not be called."""
    contains: tuple[str, ...] = ()
    """Texts that the final answer has to hold."""
    answer: dict[str, JsonValue] | None = None
    """The typed answer."""

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans to choose from; none where nothing is said about tools."""
        if self.any_of:
            return self.any_of
        return () if self.calls is None else (Plan(self.calls),)

    @property
    def plan_sizes(self) -> tuple[int, ...]:
        """How many calls each plan expects; where nothing is said about tools, there is one plan without any."""
        if self.any_of:
            return tuple([len(plan.calls) for plan in self.any_of])
        return (0 if self.calls is None else len(self.calls),)


class Budget(Written, frozen=True, gc=False):
    """What a trajectory should not exceed. Exceeding it is an issue; nothing is stopped."""

    calls: Count | None = None
    """How many calls of tools."""
    latency_ms: Positive | None = None
    """How many milliseconds from the question to the answer."""


class Limits(Written, frozen=True, gc=False):
    """What stops an agent."""

    turns: Annotated[int, Meta(ge=1)] | None = None
    """How often the model is asked."""
    calls: Count | None = None
    """How many calls of tools it may make."""
    seconds: Positive | None = None
    """How long it may take."""
    tokens: Annotated[int, Meta(ge=1)] | None = None
    """How many tokens it may use, of requests and replies together."""


class Judge(Written, frozen=True, gc=False):
    """What a language model is asked about the answer. What it says is an opinion, kept apart from what is measured."""

    rubric: str
    """What a good answer is like, in words."""
    model: str | None = None
    """Who is asked; absent: the model of the run."""


class Weights(Written, frozen=True, gc=False):
    """What each part counts in the score; they sum to 1."""

    call_precision: Share = 0.3
    """The share of calls that were expected."""
    call_recall: Share = 0.3
    """The share of expected calls that were made."""
    param_accuracy: Share = 0.3
    """How well arguments fit."""
    content: Share = 0.1
    """The share of `contains` that the answer holds."""


class CaseSettings(Written, frozen=True, gc=False):
    """How the trajectories of one case are scored, where that is not as the suite says."""

    weights: Weights | None = None
    """What each part counts in the score; absent: as the suite says."""
    threshold: Share | None = None
    """The least score of a passed case; absent: as the suite says."""
    passing: PassRule | None = field(default=None, name="pass")
    """Which issues fail it, `strict` or `score`; absent: as the suite says."""
    fail_on: tuple[IssueKind, ...] = ()
    """Issues that fail this case, besides those that the suite names."""
    ignore: tuple[IssueKind, ...] = ()
    """Issues that do not fail this case, whatever the suite says."""
    answer_line: bool | None = None
    """Whether built-in agents end with a line `Answer: …`; absent: as the suite says."""


class Case(Written, frozen=True, gc=False):
    """One question and what is expected."""

    id: str
    """What the case is called: in traces, in reports, and by `--case`. No two have the same."""
    input: str = ""
    """The question, as the agent gets it."""
    labels: dict[str, str] = {}
    """Any keys, for example `difficulty`; reports break figures down by one of them."""
    locale: Literal["vi", "en"] | None = None
    """The language in which numbers and dates are read, such as 1.234; absent: unknown."""
    now: str | None = None
    """The day that relative dates count from."""
    expect: Expect = Expect()
    """What the agent should do and answer."""
    budget: Budget | None = None
    """What it should not exceed. Exceeding it is an issue; nothing is stopped."""
    limits: Limits | None = None
    """What stops the agent in this case, where that is not as the options of the run say."""
    settings: CaseSettings | None = None
    """How it is scored, where that is not as the suite says."""
    judge: Judge | None = None
    """An opinion on the answer that is asked of a language model when an agent is run."""
    reviewed: bool = True
    """False: what is expected was proposed from recorded traces, and nobody has looked at it yet."""


class CannedResult(Written, frozen=True, gc=False):
    """What a tool without code answers to some arguments."""

    when: dict[str, JsonValue] = {}
    """Rules for arguments, literal values or matchers, all of which have to fit; none: it answers to any."""
    result: JsonValue = None
    """What the call returns."""
    error: str | None = None
    """The call fails with these words."""


class Annotations(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a definition says of what a tool does, in the words of MCP; what is absent says nothing."""

    read_only: bool | None = field(default=None, name="readOnlyHint")
    """Whether it changes nothing."""
    destructive: bool | None = field(default=None, name="destructiveHint")
    """Whether it may undo or overwrite what was there."""


class ToolDefinition(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tool that an agent may call."""

    name: str
    description: str = ""
    parameters: Mapping[str, JsonValue] | None = None
    """JSON schema of the arguments; absent: unknown."""
    results: tuple[CannedResult, ...] = ()
    """What the tool answers when an agent is run and no code stands behind it; the first that fits counts."""
    annotations: Annotations | None = None

    @property
    def changes_things(self) -> bool:
        """Whether its annotations say so: `readOnlyHint: false`, or `destructiveHint: true`."""
        said = self.annotations
        return said is not None and (said.read_only is False or said.destructive is True)


class CodeTool(Struct, frozen=True, gc=False):
    """Tools that are Python code, which somebody has to allow to be imported."""

    python: str
    """Where the function is, or the object with several, as `module:object`."""
    isolate: Literal["process"] | None = None
    """`process`: calls are made in a process of their own, which may hang and crash as it likes."""
    annotations: Annotations | None = None
    """What they do, as the suite says."""


class Settings(Written, frozen=True, gc=False):
    """How the trajectories of a suite are scored."""

    weights: Weights = Weights()
    """What each part counts in the score."""
    threshold: Share = 0.8
    """The least score of a passed case."""
    passing: PassRule = field(default="strict", name="pass")
    """Which issues fail a case whatever its score: `strict`, or only those of the tool-evaluation document: `score`."""
    fail_on: tuple[IssueKind, ...] = ()
    """Issues that fail a case as well."""
    ignore: tuple[IssueKind, ...] = ()
    """Issues that do not fail a case."""
    failed: Failed = "count"
    """What failed calls that answer nothing do: `count` as extra calls, or `ignore` them. A case may say otherwise."""
    profile: Literal["bfcl"] | None = None
    """Whose verdict it is that a case is passed; `bfcl`: that of the Berkeley Function-Calling Leaderboard."""
    answer_line: bool = False
    """Whether built-in agents are asked to end with one line `Answer: …`, or `Đáp án: …`, which is trusted first."""

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
    """Cases, the tools that are there to solve them, and how they are scored."""

    name: str
    cases: tuple[Case, ...]
    tools: tuple[ToolDefinition, ...] = ()
    settings: Settings = Settings()
