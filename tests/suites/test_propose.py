"""Suites that recorded trajectories propose, and that they read back and pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge import api
from toolgauge.analysis.lint import lint
from toolgauge.core import Call, Expect, ExpectedCall, JsonValue, Plan, State, Suite, Trajectory
from toolgauge.suites import load_suite, propose_suite, write_suite
from toolgauge.suites.unicode_names import normal_suite

from ..builders import call, failed, trajectory
from ..strategies import DrawnDice, calls, chance

NAMES = st.text(min_size=1, max_size=6).filter(lambda text: bool(text.strip()) and not text.startswith("$"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["001", "no", "1e5", "2025-01-31", "~", "a: b", "x\ny\n\nz", "- a", "Hà Nội", "{$any: 1}"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def expect_of(*recorded: Trajectory) -> Expect:
    (case,) = propose_suite(recorded, "s").suite.cases
    assert not case.reviewed
    return case.expect


def round_trip(suite: Suite, path: Path) -> Suite:
    path.write_text("".join(write_suite(suite, comments=["x"], schema="y")), encoding="utf-8", newline="")
    return load_suite(path)


def test_calls_that_worked_become_expectations_once_each() -> None:
    recorded = trajectory([failed("a", {"x": 1}), call("a", {"x": 2}), call("a", {"x": 2}), call("b"), failed("c")])
    assert expect_of(recorded) == Expect(
        (ExpectedCall("a", {"x": 2}), ExpectedCall("b"), ExpectedCall("c", optional=True))
    )


def test_what_all_trajectories_did_is_required_and_the_rest_is_optional() -> None:
    one = trajectory([call("a", {"x": 1, "y": 1}), call("b")])
    two = trajectory([call("a", {"x": 2})], trial=2)
    assert expect_of(one, two) == Expect(
        (ExpectedCall("a", {"x": {"$one_of": [1, 2]}}, {"y": 1}), ExpectedCall("b", optional=True))
    )


def test_calls_are_compared_with_those_they_are_most_like() -> None:
    one = trajectory([call("a", {"city": "Huế", "days": 1}), call("a", {"city": "Vinh", "days": 1})])
    two = trajectory([call("a", {"city": "Vinh", "days": 2}), call("a", {"city": "Huế", "days": 1})], trial=2)
    assert expect_of(one, two) == Expect(
        (
            ExpectedCall("a", {"city": "Huế", "days": 1}),
            ExpectedCall("a", {"city": "Vinh", "days": {"$one_of": [1, 2]}}),
        )
    )


def test_many_values_and_long_ones_may_be_any() -> None:
    recorded = [trajectory([call("a", {"x": n, "text": "y" * 2000})], trial=n) for n in range(6)]
    assert expect_of(*recorded) == Expect((ExpectedCall("a", {"x": {"$any": True}, "text": {"$any": True}}),))


def test_plans_that_share_no_tool_are_alternatives() -> None:
    expect = expect_of(trajectory(["a", "b"]), trajectory(["c"], trial=2), trajectory([], trial=3))
    plans = [(ExpectedCall("a"), ExpectedCall("b")), (ExpectedCall("c"),), ()]
    assert expect == Expect(any_of=tuple(map(Plan, plans)))


def test_arguments_that_were_not_recorded_and_those_that_look_like_matchers() -> None:
    assert expect_of(trajectory([call("a", None)])) == Expect((ExpectedCall("a"),))
    odd: dict[str, JsonValue] = {"q": {"$gt": 5}, "$x": 1}
    assert expect_of(trajectory([call("a", odd)])) == Expect((ExpectedCall("a", {"q": {"$literal": {"$gt": 5}}}),))


def test_a_trajectory_that_ended_early_counts_only_where_no_other_completed() -> None:
    early = trajectory(["a", "b"], state="timeout")
    assert expect_of(early, trajectory(["a"], trial=2)) == Expect((ExpectedCall("a"),))
    proposal = propose_suite([early], "s")
    assert proposal.suite.cases[0].expect == Expect((ExpectedCall("a"), ExpectedCall("b")))
    assert proposal.incomplete == 1


def test_cases_are_told_apart_by_id_or_else_by_question() -> None:
    recorded = [
        Trajectory("one", input="Hỏi gì?", calls=(Call("a"),)),
        Trajectory(input=" Hỏi gì? ", calls=(Call("b"),)),
        Trajectory(input="Khác?", calls=(Call("c"),)),
        Trajectory(calls=(Call("d"),)),
    ]
    proposal = propose_suite(recorded, "s")
    assert [(case.id, case.input) for case in proposal.suite.cases] == [("one", "Hỏi gì?"), ("q2", "Khác?")]
    assert proposal.suite.cases[0].expect.any_of == (Plan((ExpectedCall("a"),)), Plan((ExpectedCall("b"),)))
    assert (proposal.trajectories, proposal.nameless) == (4, 1)


def test_tools_are_defined_where_the_traces_define_them() -> None:
    schema: dict[str, JsonValue] = {"type": "object", "properties": {"city": {"type": "string"}}}
    tools: list[JsonValue] = [{"type": "function", "function": {"name": "a", "parameters": schema}}, "noise"]
    proposal = propose_suite([Trajectory("c", calls=(Call("a"),), meta={"tools": tools})], "s")
    assert [(tool.name, tool.parameters) for tool in proposal.suite.tools] == [("a", schema)]


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES, st.text(), st.lists(st.dictionaries(NAMES, VALUES, max_size=3), max_size=3))
def test_whatever_was_recorded_reads_back(
    tmp_path: Path, name: str, question: str, arguments: list[dict[str, JsonValue]]
) -> None:
    recorded = Trajectory(name, input=question, calls=tuple(Call("tool", args) for args in arguments))
    suite = propose_suite([recorded], "s").suite
    assert round_trip(suite, tmp_path / "suite.yaml") == normal_suite(suite)


@st.composite
def recordings(draw: Any) -> list[Trajectory]:
    """Trajectories of a few cases, with repeats, failures and calls without recorded arguments."""
    dice = DrawnDice(draw)
    recorded = []
    for number in range(dice.pick(range(1, 7))):
        state: State = "error" if chance(dice, 0.2) else "completed"
        made = tuple(calls(dice, ("a", "b", "c"), ()))
        question = dice.pick(("first?", "second?"))
        case = dice.pick(("", {"first?": "c1", "second?": "c2"}[question]))
        made *= dice.pick((1, 1, 1, 3))
        recorded.append(Trajectory(case, "agent", number, state, made, output="x", input=question))
    return recorded


@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(recordings())
def test_what_was_recorded_passes_the_suite_that_it_proposes(tmp_path: Path, recorded: list[Trajectory]) -> None:
    suite = round_trip(propose_suite(recorded, "s").suite, tmp_path / "suite.yaml")
    assert not [finding for finding in lint(suite) if finding.severity == "error"]
    run = api.score(suite, recorded)
    verdicts = [scored.score for scored in run.scored if scored.trajectory.state == "completed"]
    assert len(verdicts) == sum(trajectory.state == "completed" for trajectory in recorded)
    assert [verdict for verdict in verdicts if not verdict.passed] == []
