"""The record of one trial, and what stops it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest

import toolgauge
from tests.runner.weather import TOOL, only, solver
from toolgauge.core import Case, JsonValue, Limits, Message, ModelReply, ModelRequest, Suite, Trajectory, Usage
from toolgauge.errors import ModelError
from toolgauge.runner import DEFAULT_LIMITS, Trial
from toolgauge.runner.agent_task import run_agent
from toolgauge.runner.plan import with_overrides
from toolgauge.testing import ScriptedModel
from toolgauge.tools import Box, from_definition, from_function

CASE = Case("c", "?")
REQUEST = ModelRequest((Message("user", "?"),))


def fails() -> None:
    raise ValueError("broken")


def conducted(agent: Callable[..., object], limits: Limits, *tools: object) -> Trajectory:
    """What the agent did in a run with a single trial."""
    given = list(tools or [from_definition(TOOL), from_function(fails)])
    return only(toolgauge.run(Suite("s", (CASE,)), agent, tools=given, limits=limits, store=False))


def test_calls_are_recorded_with_turn_round_and_times() -> None:
    async def agent(case: Case, tools: Trial) -> str:
        await tools.ask(solver(), REQUEST)
        await tools.call("get_weather", {"city": "Hanoi"}, id="x")
        tools.begin_round(2)
        await tools.ask(solver(), REQUEST)
        await tools.call("fails")
        return "done"

    trajectory = conducted(agent, Limits())
    first, second = trajectory.calls
    assert (first.id, first.turn, first.round, first.result) == ("x", 1, None, {"celsius": 31})
    assert (second.turn, second.round, second.error) == (2, 2, "ValueError: broken")
    assert first.started_ms is not None
    assert second.started_ms is not None
    assert 0 <= first.started_ms <= second.started_ms <= (trajectory.latency_ms or 0)
    assert [event["kind"] for event in trajectory.events] == ["tool_trace"]
    assert "in fails" in str(trajectory.events[0]["trace"])
    assert trajectory.usage == Usage(2, 20, 10, 0.002, waited_ms=0.0)


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_clock_that_jumps_gives_no_negative_times(jump: float) -> None:
    now = iter([100.0, 100.5, 100.5 + jump, 100.5 + jump, 100.5 + jump, 100.5 + jump])

    async def agent(case: Case, tools: Trial) -> str:
        await tools.call("get_weather", {"city": "Hanoi"})
        return "done"

    trial = Trial(Box([from_definition(TOOL)]), Limits(), clock=lambda: next(now))
    trajectory = asyncio.run(run_agent(agent, CASE, trial))  # type: ignore[arg-type]  # an agent of tests
    assert (trajectory.latency_ms or 0) >= 0
    assert (trajectory.calls[0].started_ms or 0) >= 0


def test_the_real_clock_is_one_that_never_jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(10_000, 0, -1))
    monkeypatch.setattr("time.time", lambda: float(next(moments)))

    async def agent(case: Case, tools: Trial) -> str:
        await tools.call("get_weather", {"city": "Hanoi"})
        return "done"

    trajectory = conducted(agent, Limits())
    assert trajectory.calls[0].duration_ms is not None
    assert 0 <= trajectory.calls[0].duration_ms <= (trajectory.latency_ms or 0)


async def turns(case: Case, tools: Trial) -> str:
    while True:
        await tools.ask(solver(), REQUEST)


async def waits(case: Case, tools: Trial) -> str:
    await asyncio.Event().wait()
    return "never"


async def calls(case: Case, tools: Trial) -> str:
    while True:
        await tools.call("get_weather", {"city": "Hanoi"})


async def many_at_once(case: Case, tools: Trial) -> str:
    await asyncio.gather(*(tools.call("get_weather", {"city": str(n)}) for n in range(1000)))
    return "done"


async def catches_everything(case: Case, tools: Trial) -> str:
    while True:
        try:
            await tools.call("get_weather", {"city": "Hanoi"})
        except Exception:  # noqa: BLE001 - what is tested
            return "never"


async def catches_even_that(case: Case, tools: Trial) -> str:
    while True:
        try:
            await tools.call("get_weather", {"city": "Hanoi"})
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("agent", "limits", "state", "error"),
    [
        (turns, Limits(turns=3), "limit", "limit: turns (3)"),
        (turns, Limits(tokens=30), "limit", "limit: tokens (30)"),
        (waits, Limits(seconds=0.05), "timeout", "no answer after 0.05 s"),
        (calls, Limits(calls=5), "limit", "limit: calls (5)"),
        (calls, Limits(calls=0), "limit", "limit: calls (0)"),
        (many_at_once, Limits(calls=50), "limit", "limit: calls (50)"),
        (catches_everything, Limits(calls=5), "limit", "limit: calls (5)"),
        (catches_even_that, Limits(calls=5), "limit", "limit: calls (5)"),
    ],
)
def test_limits_stop_an_agent(
    agent: Callable[[Case, Trial], Awaitable[str]], limits: Limits, state: str, error: str
) -> None:
    trajectory = conducted(agent, limits)
    assert (trajectory.state, trajectory.error) == (state, error)
    assert len(trajectory.calls) <= (1000 if limits.calls is None else limits.calls)


def test_a_call_that_was_cut_short_is_in_the_record() -> None:
    async def slow() -> None:
        await asyncio.sleep(60)

    async def agent(case: Case, tools: Trial) -> str:
        await tools.call("slow")
        return "never"

    trajectory = conducted(agent, Limits(seconds=0.05), slow)
    assert trajectory.state == "timeout"
    assert [(call.tool, call.error) for call in trajectory.calls] == [("slow", "stopped before it finished")]


def test_what_an_agent_raises_is_its_error_with_the_place_it_came_from() -> None:
    async def agent(case: Case, tools: Trial) -> str:
        raise LookupError("nothing there")

    trajectory = conducted(agent, Limits())
    line = agent.__code__.co_firstlineno + 1
    assert trajectory.state == "error"
    assert trajectory.error == f"LookupError: nothing there ({Path(__file__).relative_to(Path.cwd())}:{line})"
    assert "in agent" in str(trajectory.events[0]["trace"])


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt("me")])
def test_an_agent_cannot_end_the_program(error: BaseException) -> None:
    async def agent(case: Case, tools: Trial) -> str:
        raise error

    trajectory = conducted(agent, Limits())
    assert trajectory.state == "error"
    assert str(trajectory.error).startswith(f"{type(error).__name__}: {error} (")


def test_a_model_that_takes_too_long_is_a_timeout() -> None:
    model = ScriptedModel([ModelError("no reply within 120 s", kind="timeout")])

    async def agent(case: Case, tools: Trial) -> str:
        return (await tools.ask(model, REQUEST)).text

    trajectory = conducted(agent, Limits())
    assert (trajectory.state, trajectory.error) == ("timeout", "no reply within 120 s")


def test_what_one_reply_does_not_tell_of_its_cost_is_unknown() -> None:
    model = ScriptedModel([ModelReply("a", usage=Usage(1, 5, 5, 0.1)), ModelReply("b", usage=Usage(1, 5, None, None))])

    async def agent(case: Case, tools: Trial) -> str:
        await tools.ask(model, REQUEST)
        return (await tools.ask(model, REQUEST)).text

    assert conducted(agent, Limits()).usage == Usage(2, 10, None, None, waited_ms=0.0)


def test_a_part_of_the_box_has_some_of_its_tools_and_the_same_record() -> None:
    async def agent(case: Case, tools: Trial) -> str:
        part = tools.only(["fails"])
        assert [tool.name for tool in part.definitions] == ["fails"]
        refused = await part.call("get_weather", {"city": "Hanoi"})
        part.tell("plan", steps=1)
        return str(refused.error)

    trajectory = conducted(agent, Limits())
    assert trajectory.output == "the tool 'get_weather' is not for this part of the work"
    assert trajectory.calls[0].error == trajectory.output
    assert trajectory.events == ({"kind": "plan", "steps": 1},)


def test_a_call_is_recorded_before_it_is_made() -> None:
    recorded: list[Mapping[str, JsonValue]] = []
    seen: list[int] = []

    def effect() -> None:
        seen.append(len(recorded))

    async def record(event: Mapping[str, JsonValue]) -> None:
        recorded.append(event)

    async def go() -> None:
        trial = Trial(Box([from_function(effect)]), Limits(), journal=record)
        await trial.call("effect")

    asyncio.run(go())
    assert seen == [1]
    assert recorded == [{"kind": "call", "tool": "effect", "args": {}, "turn": None}]


def test_the_limits_of_a_case_take_the_place_of_the_defaults() -> None:
    assert with_overrides(DEFAULT_LIMITS, None) == DEFAULT_LIMITS
    assert with_overrides(DEFAULT_LIMITS, Limits(turns=100)) == Limits(100, 50, 120.0, 200_000)
