"""Short ways of writing cases, calls and trajectories in tests; a bare tool name stands for a call of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict, Unpack

from toolgauge.core import (
    Budget,
    Call,
    Case,
    Expect,
    ExpectedCall,
    Extra,
    JsonValue,
    Order,
    Plan,
    State,
    Times,
    Trajectory,
    Usage,
)

__all__ = ["call", "case", "expected", "failed", "plan", "trajectory"]


class ExpectedFields(TypedDict, total=False):
    """What an expected call may say besides its tool and arguments."""

    check: dict[str, JsonValue]
    forbid_args: tuple[str, ...]
    optional: bool
    times: Times | int | None
    id: str | None
    after: tuple[str, ...]


class ExpectFields(TypedDict, total=False):
    """What an expectation may say besides its calls."""

    any_of: tuple[Plan, ...]
    order: Order
    extra: Extra
    neutral: tuple[str, ...]
    forbid: tuple[str, ...]
    contains: tuple[str, ...]
    answer: dict[str, JsonValue] | None


def expected(tool: str, args: Mapping[str, JsonValue] | None = None, **fields: Unpack[ExpectedFields]) -> ExpectedCall:
    """An expected call; without arguments it says nothing about them."""
    return ExpectedCall(tool, args=dict(args or {}), **fields)


def plan(*calls: ExpectedCall | str, order: Order | None = None) -> Plan:
    """One of several ways of solving a case."""
    return Plan(tuple(map(_expected, calls)), order=order)


def case(
    calls: Iterable[ExpectedCall | str] | None = None,
    *,
    id: str = "c1",  # noqa: A002 - the field is called so
    labels: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    **expect: Unpack[ExpectFields],
) -> Case:
    """A case; without calls it says nothing about tools."""
    wanted = None if calls is None else tuple(map(_expected, calls))
    return Case(id, labels=dict(labels or {}), expect=Expect(calls=wanted, **expect), budget=budget)


def call(tool: str, args: dict[str, JsonValue] | None = {}, *, error: str | None = None) -> Call:  # noqa: B006 - never changed
    """A call, successful unless an error is given; arguments of None were not recorded."""
    return Call(tool, args=args, error=error)


def failed(tool: str, args: dict[str, JsonValue] | None = {}) -> Call:  # noqa: B006 - never changed
    """A call that failed."""
    return call(tool, args, error="boom")


def trajectory(
    calls: Iterable[Call | str] = (),
    *,
    case: str = "c1",
    agent: str = "agent",
    trial: int = 1,
    state: State = "completed",
    output: str | None = None,
    latency_ms: float | None = None,
    usage: Usage | None = None,
) -> Trajectory:
    """What one agent did on one case."""
    made = tuple(Call(each) if isinstance(each, str) else each for each in calls)
    return Trajectory(
        case,
        agent=agent,
        trial=trial,
        state=state,
        calls=made,
        output=output,
        latency_ms=latency_ms,
        usage=usage,
    )


def _expected(wanted: ExpectedCall | str) -> ExpectedCall:
    return ExpectedCall(wanted) if isinstance(wanted, str) else wanted
