"""What goes wrong in a run, as patterns: which faults, of which tool and argument, how often, and what to change."""

from __future__ import annotations

from msgspec import Struct

from .json import JsonValue
from .score import AdviceKind, FaultGroup, IssueKind
from .trajectory import State

__all__ = [
    "Advice",
    "Companion",
    "Diagnosis",
    "Example",
    "GroupShare",
    "LabelShare",
    "Pattern",
]


class Advice(Struct, frozen=True, gc=False):
    """What to change, as facts; words are made when somebody reads it."""

    kind: AdviceKind
    tool: str | None = None
    argument: str | None = None
    other: str | None = None
    """The other tool of a confused pair, or the one that has to come first."""
    phrases: tuple[str, ...] = ()
    """Words that are frequent in the questions it went wrong in, and rare in others."""
    examples: tuple[JsonValue, ...] = ()
    """Values that were asked for, the most frequent first."""
    described: bool | None = None
    """Whether the definition of the tool describes what is to be changed; None: the suite does not define the tool."""
    detail: str = ""
    """What the tool or the agent said most often, or how an agent ended."""


class Example(Struct, frozen=True, gc=False):
    """A trajectory in which a pattern shows."""

    case: str
    agent: str
    trial: int
    step: int
    """At which call, from 1; one more than there are calls where it is about the answer."""
    want: JsonValue = None
    got: JsonValue = None


class LabelShare(Struct, frozen=True, gc=False):
    """How a pattern is spread over the values of a label."""

    value: str
    count: int
    """Trajectories with the pattern."""
    of: int
    """Trajectories in all."""


class Companion(Struct, frozen=True, gc=False):
    """Another pattern that shows in the same trajectories."""

    kind: IssueKind
    tool: str | None
    argument: str | None
    other: str | None
    state: State | None
    count: int
    """Trajectories with both."""
    lift: float
    """How many times more often than if the two had nothing to do with each other."""


class Pattern(Struct, frozen=True, gc=False, kw_only=True):
    """A fault that shows in one or more trajectories."""

    group: FaultGroup
    kind: IssueKind
    tool: str | None = None
    argument: str | None = None
    other: str | None = None
    """The tool that was called in place of `tool`; of an invented or forbidden tool the one that was expected, and of
    one that was called too early the one that has to come first."""
    state: State | None = None
    """How the agent ended, where it did not finish."""
    occurrences: int
    """How often it happened."""
    trajectories: int
    """In how many trajectories."""
    failed: int
    """How many of these did not pass."""
    share: float
    """`failed`, of all trajectories that did not pass; 0 where all did."""
    first: int
    """In how many trajectories it is where they first went wrong."""
    step: int
    """At which call it usually happens (median), from 1."""
    most: int
    """The most often that it happened in one trajectory."""
    agents: dict[str, int]
    """Trajectories by agent."""
    labels: tuple[LabelShare, ...] = ()
    """The spread over the label that the diagnosis is broken down by; the most affected value first."""
    examples: tuple[Example, ...] = ()
    companions: tuple[Companion, ...] = ()
    """What fails together with it, the closest first."""
    advice: Advice


class GroupShare(Struct, frozen=True, gc=False):
    """How much of what goes wrong belongs to one group of faults. A trajectory may belong to several."""

    group: FaultGroup
    trajectories: int
    failed: int
    share: float
    """`failed`, of all trajectories that did not pass; 0 where all did."""
    first: int
    """In how many of those that did not pass it is where they first went wrong; these sum to at most all of them."""


class Diagnosis(Struct, frozen=True, gc=False, kw_only=True):
    """What goes wrong in a run."""

    suite: str
    agents: tuple[str, ...]
    by: str | None
    """The label that patterns are broken down by."""
    trajectories: int
    """How many were looked at; what was not run is not among them."""
    failed: int
    """How many of these did not pass."""
    not_run: int
    groups: tuple[GroupShare, ...]
    patterns: tuple[Pattern, ...]
    """What fails the most trajectories first."""
