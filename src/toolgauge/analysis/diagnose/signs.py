"""From the issues of one trajectory to signs of patterns: what belongs together is one sign, what follows is none.

A missing call and one that nobody asked for are a tool mistaken for another. An argument that is wrong and breaks the
schema is wrong once. What an agent that did not finish left undone is no fault of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from toolgauge.core import Case, ExpectedCall, FaultGroup, Issue, IssueKind, JsonValue, Scored, State

__all__ = ["Key", "Sign", "group_of", "signs"]


class Key(NamedTuple):
    """What makes two faults the same pattern."""

    kind: IssueKind
    tool: str | None = None
    argument: str | None = None
    other: str | None = None
    state: State | None = None


class Sign(NamedTuple):
    """A pattern that shows at some step of a trajectory."""

    key: Key
    step: int
    """The call, from 1; one more than there are calls where it is about the end."""
    want: JsonValue = None
    got: JsonValue = None


_GROUPS: dict[IssueKind, FaultGroup] = {
    "missing_arg": "parameters",
    "wrong_arg": "parameters",
    "forbidden_arg": "parameters",
    "invalid_arg": "parameters",
    "schema_error": "parameters",
    "ungrounded_arg": "parameters",
    "forbidden_tool": "wrong_tool",
    "unknown_tool": "wrong_tool",
    "wrong_order": "wrong_tool",
    "missing_call": "missing_tool",
    "unexpected_call": "over_calling",
    "duplicate_call": "over_calling",
    "too_many_calls": "over_calling",
    "tool_error": "faults",
    "unrecovered_error": "faults",
    "agent_error": "faults",
    "over_latency": "faults",
    "missing_content": "answers",
    "wrong_answer": "answers",
}

_ARGUMENTS: frozenset[IssueKind] = frozenset({"missing_arg", "wrong_arg", "forbidden_arg", "invalid_arg"})
_CONSEQUENCES: frozenset[IssueKind] = frozenset({"missing_call", "missing_content", "wrong_answer"})
"""What an agent that did not finish could not help."""

_PAIRED: frozenset[IssueKind] = frozenset({"missing_call", "unexpected_call", "unknown_tool", "forbidden_tool"})


def group_of(key: Key) -> FaultGroup:
    """The group of faults that a pattern belongs to."""
    return "wrong_tool" if key.kind == "missing_call" and key.other is not None else _GROUPS[key.kind]


def signs(case: Case, scored: Scored) -> list[Sign]:
    """The signs in a trajectory, in the order of their steps."""
    issues = scored.score.issues
    if scored.score.state != "completed":
        issues = tuple(issue for issue in issues if issue.kind not in _CONSEQUENCES)
    found = [*_choices(case, scored, issues), *_others(scored, issues)]
    return sorted(found, key=lambda sign: (sign.step, _rank(sign.key)))


def _rank(key: Key) -> int:
    """Of two faults at one step, which one led to the other: an end before all, choices before arguments."""
    if key.kind == "agent_error":
        return 0
    order: tuple[FaultGroup, ...] = ("wrong_tool", "missing_tool", "parameters", "faults", "over_calling", "answers")
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
            yield Sign(Key("missing_call", issue.tool), step, issue.want)
            continue
        extra.remove(instead)
        step = (instead.call or 0) + 1
        if instead.kind == "unexpected_call":
            yield Sign(Key("missing_call", issue.tool, other=instead.tool), step, issue.want)
        else:
            yield Sign(Key(instead.kind, instead.tool, other=issue.tool), step)
    for issue in extra:
        # A call that failed and was made again is a fault of the tool, not one call too many.
        if issue.kind == "unexpected_call" and scored.trajectory.calls[issue.call or 0].error is not None:
            continue
        yield Sign(Key(issue.kind, issue.tool), (issue.call or 0) + 1)


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
                yield Sign(Key(known, issue.tool), step, got=issue.got)
        elif kind == "agent_error":
            yield Sign(Key(kind, state=cast(State, issue.want)), end, got=issue.got)
        elif kind == "wrong_order":
            yield Sign(Key(kind, issue.tool, other=cast(str | None, issue.want)), step)
        elif kind == "too_many_calls":
            yield Sign(Key(kind, _most_called(scored)), end, issue.want, issue.got)
        elif kind == "over_latency":
            yield Sign(Key(kind, _slowest(scored)), end, issue.want, issue.got)
        else:
            yield Sign(Key(kind, issue.tool, issue.argument), step, issue.want, issue.got)


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
