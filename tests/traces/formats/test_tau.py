"""Results of tau-bench and tau2-bench become trajectories."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.tau import TauReader

from .spoiling import read, read_one, survives

TASK: JsonValue = {
    "task_id": 7,
    "reward": 1.0,
    "info": {"task": {"user_id": "mia"}, "reward_info": {"reward": 1.0}},
    "trial": 0,
    "traj": [
        {"role": "system", "content": "# Airline policy"},
        {"role": "user", "content": "Cancel my flight."},
        {"role": "assistant", "content": "Who are you?"},
        {"role": "user", "content": "mia"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "get_user", "arguments": '{"user_id": "mia"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": '{"name": "Mia"}'},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "cancel", "arguments": '{"reservation": "X1"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "name": "cancel", "content": "Error: reservation not found"},
        {"role": "assistant", "content": "There is no such flight."},
        {"role": "user", "content": "###STOP###"},
    ],
}

SIMULATION: JsonValue = {
    "id": "6d0c",
    "task_id": "mobile_data",
    "timestamp": "2026-02-03T10:00:00",
    "start_time": "2026-02-03T10:00:00",
    "end_time": "2026-02-03T10:00:12",
    "duration": 12.5,
    "termination_reason": "user_stop",
    "agent_cost": 0.25,
    "user_cost": 0.5,
    "reward_info": {"reward": 0.0, "db_check": None},
    "trial": 1,
    "messages": [
        {"role": "assistant", "content": "Hi! How can I help?", "tool_calls": None, "cost": 0.0},
        {"role": "user", "content": "No data on my phone.", "tool_calls": None},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "a1", "name": "get_line", "arguments": {"phone": "555"}, "requestor": "assistant"},
                {"id": "a2", "name": "get_plan", "arguments": {"phone": "555"}, "requestor": "assistant"},
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        },
        {
            "role": "tool",
            "tool_messages": [
                {"id": "a1", "role": "tool", "content": '{"on": true}', "requestor": "assistant", "error": False},
                {"id": "a2", "role": "tool", "content": "no plan", "requestor": "assistant", "error": True},
            ],
        },
        {"role": "assistant", "content": "Please restart it.", "usage": {"prompt_tokens": 120, "completion_tokens": 5}},
        {
            "role": "user",
            "content": None,
            "tool_calls": [{"id": "u1", "name": "reboot", "arguments": {}, "requestor": "user"}],
        },
        {"id": "u1", "role": "tool", "content": "rebooted", "requestor": "user", "error": False},
        {"role": "user", "content": "It works. ###STOP###"},
    ],
}

DOCUMENT: JsonValue = {
    "timestamp": "2026-02-03T10:00:00",
    "info": {"agent_info": {"implementation": "llm_agent", "llm": "some-model"}, "num_trials": 1},
    "tasks": [{"id": "mobile_data"}],
    "simulations": [SIMULATION],
}

WRITTEN: JsonValue = {
    "task_id": 3,
    "reward": 0.0,
    "info": {},
    "trial": 2,
    "traj": [
        {"role": "user", "content": "Weather in Hue?"},
        {"role": "assistant", "content": 'Thought:\nLook.\nAction:\n{"name": "weather", "arguments": {"city": "Hue"}}'},
        {"role": "user", "content": "API output: rain"},
        {"role": "assistant", "content": 'Action:\n{"name": "respond", "arguments": {"content": "It rains."}}'},
        {"role": "user", "content": "###STOP###"},
    ],
}

BROKEN: JsonValue = {
    "task_id": 9,
    "reward": 0.0,
    "info": {"error": "rate limit", "traceback": "…"},
    "traj": [],
    "trial": 0,
}

SAMPLES: list[JsonValue] = [TASK, SIMULATION, DOCUMENT, WRITTEN, BROKEN]

EXPECTED = Trajectory(
    case="mobile_data",
    trial=1,
    calls=(
        Call("get_line", {"phone": "555"}, "a1", 2, result={"on": True}),
        Call("get_plan", {"phone": "555"}, "a2", 2, error="no plan"),
    ),
    output="Please restart it.",
    latency_ms=12_500.0,
    usage=Usage(2, 220, 15, 0.25),
    events=({"kind": "user_call", "tool": "reboot", "args": {}},),
    input="No data on my phone.",
    meta={"reward": 0.0, "termination_reason": "user_stop"},
)


def test_a_task_of_tau_bench_is_one_trajectory_even_where_ids_of_calls_repeat() -> None:
    assert read_one(TauReader, TASK) == Trajectory(
        case="7",
        trial=0,
        calls=(
            Call("get_user", {"user_id": "mia"}, "c1", 2, result={"name": "Mia"}),
            Call("cancel", {"reservation": "X1"}, "c1", 3, error="Error: reservation not found"),
        ),
        output="There is no such flight.",
        input="Cancel my flight.",
        meta={"reward": 1.0},
    )


def test_calls_of_the_simulated_user_are_events() -> None:
    assert read_one(TauReader, SIMULATION) == EXPECTED


def test_a_document_of_tau2_bench_names_the_model_of_its_agent() -> None:
    found = read_one(TauReader, DOCUMENT)
    assert found.agent == "some-model"
    assert found.calls == EXPECTED.calls


def test_actions_that_were_written_as_text_are_calls() -> None:
    assert read_one(TauReader, WRITTEN) == Trajectory(
        case="3",
        trial=2,
        calls=(Call("weather", {"city": "Hue"}, turn=1, result="rain"),),
        output="It rains.",
        input="Weather in Hue?",
        meta={"reward": 0.0},
    )


def test_a_run_that_broke_down_is_an_error() -> None:
    assert read_one(TauReader, BROKEN) == Trajectory(
        case="9", trial=0, state="error", error="rate limit", meta={"reward": 0.0}
    )


def test_the_end_of_a_simulation_says_its_state() -> None:
    for reason, state, error in (
        ("max_steps", "limit", None),
        ("too_many_errors", "limit", None),
        ("timeout", "timeout", None),
        ("agent_error", "error", "agent_error"),
        ("agent_stop", "completed", None),
    ):
        record: JsonValue = {**SIMULATION, "termination_reason": reason}  # type: ignore[dict-item]  # an object
        found = read_one(TauReader, record)
        assert (found.state, found.error) == (state, error)


def test_what_is_missing_is_told() -> None:
    cut: JsonValue = {**TASK, "traj": TASK["traj"][:7]}  # type: ignore[dict-item,index,call-overload]  # an object
    found, lost = read(TauReader, cut)
    assert [call.tool for call in found[0].calls] == ["get_user", "cancel"]
    assert lost == {"a call has no recorded result": 1}
    spoken: JsonValue = {"task_id": "a", "reward_info": {"reward": 1.0}, "messages": [], "ticks": [{}]}
    found, lost = read(TauReader, spoken)
    assert (found[0].case, found[0].meta) == ("a", {"reward": 1.0})
    assert lost == {"a spoken simulation has no messages; its ticks are not read": 1}


def test_results_without_calls_and_wrong_arguments_are_kept_as_far_as_they_go() -> None:
    found, lost = read(
        TauReader,
        {
            "task_id": 1,
            "traj": [
                {"role": "tool", "tool_call_id": "c9", "name": "lost", "content": "x" * 1_000_000},
                {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": "{oops"}}]},
                {"role": "tool", "content": "Error: no"},
            ],
        },
    )
    assert [(call.tool, call.args, call.error) for call in found[0].calls] == [
        ("lost", None, None),
        ("f", {}, "Error: no"),
    ]
    assert found[0].calls[0].result == "x" * 1_000_000
    assert lost == {
        "the arguments of a call are not a JSON object; the call is kept without them": 1,
        "a tool result belongs to no recorded call; the call is added without arguments": 1,
    }


def test_other_records_are_not_recognised() -> None:
    others: list[JsonValue] = [{"messages": [{"role": "user", "content": "x"}]}, {"task_id": 1}, [TASK], "x", None]
    assert not any(map(TauReader.recognises, others))
    assert all(map(TauReader.recognises, SAMPLES))


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_breaks_the_reader(seed: int) -> None:
    assert survives(TauReader, SAMPLES, seed)
