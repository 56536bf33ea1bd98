"""From the issues of trajectories to patterns: signs are found in one trajectory at a time, and added up.

What belongs together is one sign, what follows is none. A missing call and one that nobody asked for are a tool
mistaken for another. An argument that is wrong and breaks the schema is wrong once. What an agent that did not finish
left undone is no fault of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, cast

from toolgauge.core import (
    ISSUE_TYPES,
    Case,
    Companion,
    Example,
    ExpectedCall,
    FaultGroup,
    Issue,
    IssueKind,
    JsonValue,
    LabelShare,
    Scored,
    State,
    identity,
)

__all__ = ["MAX_EXAMPLES", "PatternCounts", "PatternKey", "RunPatterns", "Sign", "group_of", "signs"]

MAX_EXAMPLES = 3
MAX_COMPANIONS = 3
MAX_VALUES = 1000
"""How many different values or messages are counted for one pattern."""

MAX_KEYS = 40
"""Of so many patterns in one trajectory it is counted which come together."""

MIN_TOGETHER = 2
MIN_LIFT = 1.05


class PatternKey(NamedTuple):
    """What makes two faults the same pattern."""

    kind: IssueKind
    tool: str | None = None
    argument: str | None = None
    other: str | None = None
    state: State | None = None


class Sign(NamedTuple):
    """A pattern that shows at some step of a trajectory."""

    key: PatternKey
    step: int
    """The call, from 1; one more than there are calls where it is about the end."""
    want: JsonValue = None
    got: JsonValue = None


_GROUPS_LEFT_UNDONE: frozenset[FaultGroup] = frozenset({"missing_tool", "answers"})
"""What an agent that did not finish could not help."""

_ARGUMENTS: frozenset[IssueKind] = frozenset({"missing_arg", "wrong_arg", "forbidden_arg", "invalid_arg"})
_PAIRED: frozenset[IssueKind] = frozenset({"missing_call", "unexpected_call", "unknown_tool", "forbidden_tool"})


def group_of(key: PatternKey) -> FaultGroup:
    """The group of faults that a pattern belongs to."""
    return "wrong_tool" if key.kind == "missing_call" and key.other is not None else ISSUE_TYPES[key.kind].group


def signs(case: Case, scored: Scored) -> list[Sign]:
    """The signs in a trajectory, in the order of their steps."""
    issues = scored.score.issues
    if scored.score.state != "completed":
        issues = tuple(issue for issue in issues if ISSUE_TYPES[issue.kind].group not in _GROUPS_LEFT_UNDONE)
    found = [*_choices(case, scored, issues), *_others(scored, issues)]
    return sorted(found, key=lambda sign: (sign.step, _rank(sign.key)))


def _rank(key: PatternKey) -> int:
    """Of two faults at one step, which one led to the other: an end before all, choices before arguments."""
    if key.kind == "agent_error":
        return 0
    order: tuple[FaultGroup, ...] = ("wrong_tool", "missing_tool", "over_calling", "parameters", "faults", "answers")
    return 1 + order.index(group_of(key))


def _choices(case: Case, scored: Scored, issues: Sequence[Issue]) -> Iterator[Sign]:
    """Which tools were called, and which were not."""
    plan = _plan(case, scored.score.plan)
    expected = {call.tool for call in plan}
    left_out = [(_missing_step(issue, scored), issue) for issue in issues if issue.kind == "missing_call"]
    calls = {issue.call: issue for issue in issues if issue.kind == "unexpected_call"}
    # An invented or a forbidden tool says more than that nobody asked for it.
    calls |= {issue.call: issue for issue in issues if issue.kind in ("unknown_tool", "forbidden_tool")}
    # A tool that is expected too was more likely called once too often than in place of another.
    extra = sorted(calls.values(), key=lambda issue: (issue.tool in expected, issue.call or 0))
    for step, issue in sorted(left_out, key=lambda pair: pair[0]):
        instead = next((one for one in extra if one.tool != issue.tool), None)
        if instead is None:
            yield Sign(PatternKey("missing_call", issue.tool), step, issue.want)
            continue
        extra.remove(instead)
        step = (instead.call or 0) + 1
        if instead.kind == "unexpected_call":
            yield Sign(PatternKey("missing_call", issue.tool, other=instead.tool), step, issue.want)
        else:
            yield Sign(PatternKey(instead.kind, instead.tool, other=issue.tool), step)
    for issue in extra:
        # A call that failed and was made again is a fault of the tool, not one call too many; one that fails the case
        # by itself should not have been made at all.
        failed = scored.trajectory.calls[issue.call or 0].error is not None
        if issue.kind == "unexpected_call" and failed and not issue.failing:
            continue
        yield Sign(PatternKey(issue.kind, issue.tool), (issue.call or 0) + 1)


def _plan(case: Case, number: int) -> tuple[ExpectedCall, ...]:
    plans = case.expect.plans
    return plans[number if number < len(plans) else 0].calls if plans else ()


def _missing_step(issue: Issue, scored: Scored) -> int:
    """Where the call should have come: behind those that answer what is expected before it."""
    before = [pair.call for pair in scored.score.alignment if pair.expected < (issue.expected or 0)]
    return max(before) + 2 if before else 1


def _others(scored: Scored, issues: Sequence[Issue]) -> Iterator[Sign]:
    """Everything but which tools were called."""
    end = len(scored.trajectory.calls) + 1
    named = {(issue.call, issue.argument) for issue in issues if issue.kind in _ARGUMENTS}
    bound_to_fail = {issue.call for issue in issues if issue.kind in ("schema_error", "unknown_tool")}
    given_up = {issue.tool for issue in issues if issue.kind == "unrecovered_error"}
    for issue in issues:
        kind = issue.kind
        if kind in _PAIRED or kind == "unrecovered_error":
            continue
        if kind == "schema_error" and (issue.call, issue.argument) in named:
            continue
        step = end if issue.call is None else issue.call + 1
        if kind == "tool_error":
            # A call that breaks the schema of its tool has to fail, and one of a tool that is not there: the call is
            # to be mended, not the tool.
            if issue.call not in bound_to_fail:
                known: IssueKind = "unrecovered_error" if issue.tool in given_up else kind
                yield Sign(PatternKey(known, issue.tool), step, got=issue.got)
        elif kind == "agent_error":
            yield Sign(PatternKey(kind, state=cast(State, issue.want)), end, got=issue.got)
        elif kind == "wrong_order":
            yield Sign(PatternKey(kind, issue.tool, other=cast(str | None, issue.want)), step)
        elif kind == "too_many_calls":
            yield Sign(PatternKey(kind, _most_called(scored)), end, issue.want, issue.got)
        elif kind == "over_latency":
            yield Sign(PatternKey(kind, _slowest(scored)), end, issue.want, issue.got)
        else:
            yield Sign(PatternKey(kind, issue.tool, issue.argument), step, issue.want, issue.got)


def _most_called(scored: Scored) -> str | None:
    """The tool that was called more often than any other."""
    counted = Counter(call.tool for call in scored.trajectory.calls).most_common(2)
    if not counted or (len(counted) > 1 and counted[0][1] == counted[1][1]):
        return None
    return counted[0][0]


def _slowest(scored: Scored) -> str | None:
    """The tool that took the most time, where that is known."""
    spent: Counter[str] = Counter()
    for call in scored.trajectory.calls:
        if call.duration_ms is not None:
            spent[call.tool] += round(call.duration_ms)
    return spent.most_common(1)[0][0] if spent else None


# --- adding up


class PatternCounts:
    """What is known of one pattern."""

    def __init__(self) -> None:
        self.occurrences = 0
        self.trajectories = 0
        self.failed = 0
        self.first = 0
        self.most = 0
        self.steps: Counter[int] = Counter()
        self.agents: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()
        self.cases: dict[str, None] = {}
        self.toolless = 0
        """Trajectories of cases in which no tool may be called."""
        self._wants: Counter[Hashable] = Counter()
        self._values: dict[Hashable, JsonValue] = {}
        self._said: Counter[str] = Counter()
        self._failing: list[Example] = []
        self._passing: list[Example] = []

    def add(self, case: Case, label: str, scored: Scored, shown: Sequence[Sign], *, first: bool) -> None:
        """Add a trajectory with the signs of this pattern in it."""
        score = scored.score
        self.occurrences += len(shown)
        self.trajectories += 1
        self.failed += not score.passed
        self.first += first
        self.most = max(self.most, len(shown))
        self.steps[shown[0].step] += 1
        self.agents[score.agent] += 1
        self.labels[label] += 1
        self.cases[case.id] = None
        self.toolless += any(not plan.calls for plan in case.expect.plans)
        for sign in shown:
            self._count(sign)
        kept = self._passing if score.passed else self._failing
        # Examples are of different cases where there are several.
        if len(kept) < MAX_EXAMPLES and all(one.case != case.id for one in kept):
            sign = shown[0]
            kept.append(Example(case.id, score.agent, score.trial, sign.step, sign.want, sign.got))

    def _count(self, sign: Sign) -> None:
        if sign.want is not None:
            key = identity(sign.want)
            if key in self._values or len(self._values) < MAX_VALUES:
                self._values.setdefault(key, sign.want)
                self._wants[key] += 1
        said = sign.want if sign.key.kind == "schema_error" else sign.got
        if isinstance(said, str) and (said in self._said or len(self._said) < MAX_VALUES):
            self._said[said] += 1

    @property
    def examples(self) -> tuple[Example, ...]:
        """Some trajectories, those that did not pass first."""
        return tuple([*self._failing, *self._passing][:MAX_EXAMPLES])

    @property
    def wanted(self) -> tuple[JsonValue, ...]:
        """The values that were asked for most often."""
        return tuple(self._values[key] for key, _ in self._wants.most_common(MAX_EXAMPLES))

    @property
    def said(self) -> str:
        """The message, or the value that was given, that came most often."""
        return self._said.most_common(1)[0][0] if self._said else ""

    @property
    def step(self) -> int:
        """At which call it usually happens: the median, the lower of two."""
        rest = (self.trajectories + 1) // 2
        for step in sorted(self.steps):
            rest -= self.steps[step]
            if rest <= 0:
                return step
        return 1


class RunPatterns:
    """All patterns of a run, and what they have to do with each other."""

    def __init__(self, by: str | None) -> None:
        self.by = by
        self.found: dict[PatternKey, PatternCounts] = {}
        self.trajectories = 0
        self.failed = 0
        self.not_run = 0
        self.labels: Counter[str] = Counter()
        self.groups: dict[FaultGroup, list[int]] = {}
        """By group: trajectories, those that did not pass, and those of these that first went wrong there."""
        self._together: Counter[tuple[PatternKey, PatternKey]] = Counter()

    def add(self, case: Case, scored: Scored) -> None:
        """Add one trajectory."""
        score = scored.score
        if not score.measured:
            self.not_run += 1
            return
        label = case.labels.get(self.by, "") if self.by else ""
        self.trajectories += 1
        self.failed += not score.passed
        self.labels[label] += 1
        if not score.issues:
            return
        shown: dict[PatternKey, list[Sign]] = {}
        for sign in signs(case, scored):
            shown.setdefault(sign.key, []).append(sign)
        first = next(iter(shown), None)
        for key, own in shown.items():
            self.found.setdefault(key, PatternCounts()).add(case, label, scored, own, first=key == first)
        self._add_groups(shown, first, failed=not score.passed)
        if len(shown) > 1:
            self._together.update(combinations(sorted(shown, key=_order)[:MAX_KEYS], 2))

    def _add_groups(self, shown: dict[PatternKey, list[Sign]], first: PatternKey | None, *, failed: bool) -> None:
        for group in {group_of(key) for key in shown}:
            counts = self.groups.setdefault(group, [0, 0, 0])
            counts[0] += 1
            counts[1] += failed
            counts[2] += failed and first is not None and group_of(first) == group

    def companions(self, key: PatternKey) -> tuple[Companion, ...]:
        """What shows in the same trajectories as a pattern, more often than by chance."""
        close = []
        for pair, both in self._together.items():
            if key not in pair or both < MIN_TOGETHER:
                continue
            other = pair[0] if pair[1] == key else pair[1]
            single = self.found[key].trajectories * self.found[other].trajectories
            lift = both * self.trajectories / single
            if lift >= MIN_LIFT:
                close.append(Companion(*other, both, lift))
        return tuple(sorted(close, key=lambda one: (-one.lift, -one.count))[:MAX_COMPANIONS])

    def spread(self, found: PatternCounts) -> tuple[LabelShare, ...]:
        """How a pattern is spread over the values of the label."""
        if self.by is None:
            return ()
        shares = [LabelShare(value, found.labels[value], of) for value, of in self.labels.items()]
        return tuple(sorted(shares, key=lambda share: (-share.count / share.of, -share.count)))


def _order(key: PatternKey) -> tuple[str, ...]:
    return tuple(part or "" for part in key)
