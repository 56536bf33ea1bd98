"""What is said of a conversation that nobody expected anything of, measure by measure."""

from __future__ import annotations

import pytest

from toolgauge.core import Call, ToolDefinition, Trajectory, Usage
from toolgauge.drift import OTHER
from toolgauge.watch.measures import LONGEST_LABEL, MAX_LABELS, MEASURES, Measurer, error_class

TOOLS = [ToolDefinition("f", parameters={"type": "object", "properties": {"a": {"type": "integer"}}})]


def values(trajectory: Trajectory, series: str, **options: object) -> list[tuple[float, str]]:
    found = Measurer(TOOLS, **options).observe(trajectory, 1.0, "s", "t")  # type: ignore[arg-type]
    return [(each.value, each.label) for each in found if each.series == series]


def did(*calls: Call, **more: object) -> Trajectory:
    return Trajectory(calls=calls, **more)  # type: ignore[arg-type]


def test_calls_tools_and_failures() -> None:
    one = did(Call("f", {"a": 1}), Call("g", {}, error="404 no such thing"), Call("f", {"a": "x"}))
    assert values(one, "calls") == [(3, "")]
    assert [label for _, label in values(one, "tool_mix")] == ["f", "g", "f"]
    assert values(one, "fail_rate") == [(0, ""), (1, ""), (0, "")]
    assert values(one, 'fail_rate{tool="g"}') == [(1, "")]
    assert [label for _, label in values(one, "error_class")] == ["none", "not found", "none"]
    assert values(one, "unknown_tools") == [(0, ""), (1, ""), (0, "")]
    assert values(one, "schema_errors") == [(0, ""), (0, ""), (1, "")]


def test_repeats_and_loops() -> None:
    again = [Call("f", {"a": 1})] * 3
    assert values(did(*again), "repeated_calls") == [(0, ""), (1, ""), (1, "")]
    assert values(did(*again), "loops") == [(1, "")]
    assert values(did(*again[:2]), "loops") == [(0, "")]
    assert values(did(*[Call("f", {"a": 1}), Call("g", {})] * 3), "loops") == [(1, "")]
    assert values(did(*(Call("f", {"a": number}) for number in range(9))), "loops") == [(0, "")]


def test_results_that_are_never_used() -> None:
    used = did(
        Call("f", {}, result={"city": "Hanoi"}), Call("g", {"where": "Hanoi"}, result="wet"), output="It is wet."
    )
    assert values(used, "unused_results") == [(0, "")], "short words say nothing"
    unused = did(Call("f", {}, result={"city": "Hanoi"}), output="I do not know.")
    assert values(unused, "unused_results") == [(1, "")]
    number = did(Call("f", {}, result={"celsius": 31}), output="It has 31 degrees.")
    assert values(number, "unused_results") == [(0, "")]


@pytest.mark.parametrize("large", [10**400, -(10**309), float("inf"), [{"x": 10**1000}]])
def test_numbers_larger_than_any_floating_point_number_are_passed_over(large: object) -> None:
    calls = [Call("f", {"x": large}, result={"y": large}), Call("g", {"x": large}, result="31")]  # type: ignore[dict-item]  # JSON
    for measure in MEASURES:
        found = values(did(*calls, output="31"), measure.series if hasattr(measure, "series") else measure.name)
        assert isinstance(found, list)


def test_arguments_that_came_from_nowhere() -> None:
    one = did(Call("f", {"city": "Hanoi"}), Call("f", {"city": "Paris"}), input="Weather in Hanoi?")
    assert values(one, "ungrounded_arguments") == [(0, ""), (1, "")]
    assert values(one, "ungrounded_arguments", grounding=False) == []


def test_width_latency_tokens_and_cost() -> None:
    one = did(
        Call("f", {}, turn=1, duration_ms=5.0),
        Call("f", {}, turn=1),
        Call("f", {}, turn=2),
        latency_ms=70.0,
        usage=Usage(2, 100, 20, 0.5),
    )
    assert values(one, "parallel_width") == [(2, "")]
    assert values(one, "latency") == [(70.0, "")]
    assert values(one, 'tool_latency{tool="f"}') == [(5.0, "")]
    assert values(one, "tokens") == [(120, "")]
    assert values(one, "lost_tokens") == [(0, "")]
    assert values(one, "cost") == [(0.5, "")]
    lost = did(Call("f", {}, error="x"), usage=Usage(1, 100, 20))
    assert values(lost, "lost_tokens") == [(120, "")]
    assert values(did(state="timeout"), "not_completed") == [(1, "")]


def test_nothing_is_said_of_what_is_not_known() -> None:
    found = {each.series for each in Measurer().observe(Trajectory(output="x"), 1.0, "s", "t")}
    assert found == {"calls", "not_completed"}


def test_groups_have_series_of_their_own_up_to_a_limit() -> None:
    one = did(agent="desk", meta={"service.version": "7"})
    measurer = Measurer(by=("agent", "service.version", "region"))
    names = {each.series for each in measurer.observe(one, 1.0, "s", "t")}
    assert {'calls{agent="desk"}', 'calls{service.version="7"}', "calls"} <= names
    small = Measurer(by=("agent",), max_series=2)
    small.observe(one, 1.0, "s", "t")
    assert small.left_out == 2


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("HTTP 429 Too Many Requests", "rate limit"),
        ("TimeoutError: no answer after 10 s", "timeout"),
        ("403 Forbidden", "denied"),
        ("503 Service Unavailable", "server error"),
        ("KeyError: 'x'", "KeyError"),
        ("went wrong", "other"),
    ],
)
def test_errors_are_of_few_kinds(error: str, kind: str) -> None:
    assert error_class(error) == kind


def test_every_measure_has_a_name_of_its_own() -> None:
    assert len({measure.name for measure in MEASURES}) == len(MEASURES)


def test_labels_of_a_mix_are_so_many_at_most_and_short() -> None:
    measurer = Measurer(max_series=10)
    measurer.know(["tool_mix"], [("tool_mix", f"known {number}") for number in range(MAX_LABELS - 2)])
    tools = ["t" * 1000, "known 3", "second", "third", "third"]
    found = [
        each.label
        for tool in tools
        for each in measurer.observe(Trajectory(case="", calls=(Call(tool),)), 0.0, "s", "t")
        if each.series == "tool_mix"
    ]
    assert found == ["t" * LONGEST_LABEL, "known 3", "second", OTHER, OTHER]
    assert measurer.merged == 2
