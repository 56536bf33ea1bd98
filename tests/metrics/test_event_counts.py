"""Figures of how agents went about their work: plans, rounds, hand-offs and requests."""

from __future__ import annotations

from toolgauge.core import Call, Case, Estimate, Expect, ExpectedCall, JsonValue, Scored, Suite, Trajectory, Usage
from toolgauge.metrics import summarise
from toolgauge.metrics.contributions import event_counts
from toolgauge.scoring import score

PLAN: dict[str, JsonValue] = {"kind": "plan", "number": 2, "steps": [{"tool": "a"}, {"tool": "b"}], "usable": True}
REJECTED: dict[str, JsonValue] = {"kind": "plan", "number": 1, "steps": [{"tool": "x"}], "usable": False}


def figures(*events: tuple[dict[str, JsonValue], ...]) -> dict[str, Estimate]:
    """The figures of an agent that told of these events, case by case."""
    expect = Expect(calls=(ExpectedCall("a"),))
    cases = tuple(Case(f"c{n}", expect=expect) for n in range(len(events)))
    done = [
        Trajectory(case.id, "agent", 1, calls=(Call("a"),), usage=Usage(n + 1), events=told)
        for n, (case, told) in enumerate(zip(cases, events, strict=True))
    ]
    scored = [Scored(one, score(case, one)) for case, one in zip(cases, done, strict=True)]
    return summarise(Suite("s", cases), scored).rows[-1].metrics


def test_planned_calls_are_those_of_the_plan_that_was_carried_out() -> None:
    found = figures((REJECTED, PLAN), (PLAN,), (REJECTED, REJECTED))
    assert (found["planned_calls"].value, found["planned_calls"].n) == (4 / 3, 3)
    assert (found["planned_calls"].p50, found["planned_calls"].p95) == (2, 2)
    assert found["calls"].value == 1


def test_whoever_does_not_plan_try_again_or_hand_over_has_no_such_figures() -> None:
    found = figures((), ({"kind": "retry"},))
    for name, reason in (
        ("planned_calls", "nothing_planned_ahead"),
        ("rounds", "no_rounds"),
        ("handoffs", "nothing_handed_over"),
    ):
        assert (found[name].value, found[name].reason) == (None, reason)


def test_rounds_and_handoffs_are_counted_where_they_are_told_of() -> None:
    found = figures(
        ({"kind": "round"}, {"kind": "reflection"}, {"kind": "round"}),
        ({"kind": "route"}, {"kind": "handoff"}, {"kind": "route"}, {"kind": "handoff"}, {"kind": "route"}),
        ({"kind": "route"},),
    )
    assert (found["rounds"].value, found["rounds"].n) == (2, 1)
    assert (found["handoffs"].value, found["handoffs"].n) == (1, 2)


def test_requests_are_known_from_usage() -> None:
    found = figures((), (), ())
    assert (found["requests"].value, found["requests"].p95, found["requests"].n) == (2, 3, 3)


def test_events_of_another_shape_are_no_trouble() -> None:
    assert event_counts([{"kind": "plan", "steps": "none"}, {"kind": None}, {}]) == {}
