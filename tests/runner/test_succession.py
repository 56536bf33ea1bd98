"""How one trial follows another: at once, after it is kept, and with nothing of it left over."""

from __future__ import annotations

import asyncio
import os
import signal
from contextvars import ContextVar

import pytest
from msgspec.structs import replace

import toolgauge
from tests.runner.weather import counts, solver, solves, suite, trajectories
from toolgauge import api
from toolgauge.core import Case, Limits, ModelReply, ModelRequest, Score, Toolbox, Trajectory
from toolgauge.testing import ScriptedModel

MARK = ContextVar("mark", default="")


class Notes:
    """Records what a watcher is notified of."""

    def __init__(self, told: list[str]) -> None:
        self._told = told

    def begin(self, planned: int, before: int) -> None: ...

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        self._told.append(f"kept {trajectory.case}")

    def retried(self) -> None: ...

    def stopping(self, words: str) -> None: ...

    def stuck(self, why: str) -> None: ...


def test_of_trials_that_end_together_each_is_followed_before_the_next_is_kept() -> None:
    told: list[str] = []
    waves: dict[int, asyncio.Event] = {}

    async def together(request: ModelRequest) -> ModelReply:
        number = int(request.messages[1].text.removeprefix("Weather in Hanoi, ").removesuffix("?"))
        if request.messages[-1].role != "tool":
            told.append(f"asked c{number}")
            wave = waves.setdefault(number // 3, asyncio.Event())
            if number % 3 == 2:
                asyncio.get_running_loop().call_soon(wave.set)
            await wave.wait()
        return solves(request)

    model = ScriptedModel(together)
    run = toolgauge.run(suite(6), "tools", model=model, store=False, concurrency=3, watcher=Notes(told))
    assert counts(run) == {"passed": 6}
    assert told == [
        *("asked c0", "asked c1", "asked c2"),
        *("kept c0", "asked c3", "kept c1", "asked c4", "kept c2", "asked c5"),
        *("kept c3", "kept c4", "kept c5"),
    ]


def test_thousands_of_trials_that_never_wait_follow_one_another() -> None:
    run = toolgauge.run(suite(3_000), "tools", model=solver(), store=False, concurrency=2)
    assert counts(run) == {"passed": 3_000}


def test_others_get_their_turn_between_trials_that_never_wait() -> None:
    turns = 0

    async def program() -> None:
        nonlocal turns
        running = asyncio.ensure_future(
            toolgauge.api.run_async(suite(50), "tools", model=solver(), store=False, concurrency=1)
        )
        while not running.done():
            turns += 1
            await asyncio.sleep(0)
        assert counts(await running) == {"passed": 50}

    asyncio.run(program())
    assert turns >= 50


def test_what_an_agent_sets_in_its_context_is_not_there_for_the_next_one() -> None:
    seen: list[str] = []

    async def agent(case: Case, tools: Toolbox) -> str:
        seen.append(MARK.get())
        MARK.set(case.id)
        await asyncio.sleep(0)
        return ""

    toolgauge.run(suite(3), agent, store=False, concurrency=1)
    assert seen == ["", "", ""]


def test_a_time_limit_that_an_agent_leaves_open_does_not_hit_the_next_one() -> None:
    async def agent(case: Case, tools: Toolbox) -> str:
        if case.id == "c0":
            await asyncio.timeout(0.01).__aenter__()
            return ""
        await asyncio.sleep(0.05)
        return "31"

    run = toolgauge.run(suite(2), agent, store=False, concurrency=1)
    assert [one.state for one in trajectories(run)] == ["completed", "completed"]


def test_an_agent_that_cancels_itself_ends_its_own_trial_only() -> None:
    async def agent(case: Case, tools: Toolbox) -> str:
        if case.id == "c1":
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)
        return "31"

    run = toolgauge.run(suite(3), agent, store=False, concurrency=1)
    assert [one.state for one in trajectories(run)] == ["completed", "error", "completed"]
    assert trajectories(run)[1].error == "the agent was cancelled"


def test_an_agent_that_does_not_stop_is_left_behind_and_its_place_taken() -> None:
    released = asyncio.Event()
    late: list[str] = []

    async def agent(case: Case, tools: Toolbox) -> str:
        if case.id == "c0":
            while not released.is_set():
                try:
                    await released.wait()
                except asyncio.CancelledError:
                    continue
            late.append(case.id)
        else:
            released.set()
            while not late:
                await asyncio.sleep(0.001)
        return "31"

    hasty, patient = suite(2).cases
    cases = (replace(hasty, limits=Limits(seconds=0.01)), patient)
    run = toolgauge.run(replace(suite(2), cases=cases), agent, store=False, concurrency=1)
    first, second = trajectories(run)
    assert (first.state, first.error, first.output) == ("timeout", "no answer after 0.01 s", None)
    assert [event["kind"] for event in first.events] == ["left_behind"]
    assert (second.state, second.output, late) == ("completed", "31", ["c0"])


def test_what_is_wrong_with_the_program_comes_out_of_the_run() -> None:
    class Broken(Notes):
        def finished(self, trajectory: Trajectory, score: Score) -> None:
            raise LookupError("a fault of the watcher")

    with pytest.raises(LookupError, match="a fault of the watcher"):
        toolgauge.run(suite(9), "tools", model=solver(), store=False, concurrency=2, watcher=Broken([]))


class Stopper(Notes):
    """Has the process asked to end while a trial is kept, so that its successor has a task and no turn yet."""

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        super().finished(trajectory, score)
        os.kill(os.getpid(), signal.SIGTERM)


def test_a_trial_whose_task_was_made_when_the_run_is_stopped_is_not_begun() -> None:
    asked: list[str] = []

    async def hangs(case: Case, tools: Toolbox) -> str:
        asked.append(case.id)
        if case.id != "c0":
            await asyncio.sleep(20)
        return (await tools.call("get_weather", {"city": "Hanoi"})).text

    told: list[str] = []
    outcome = api.execute_run(suite(4), hangs, store=False, concurrency=1, watcher=Stopper(told))
    assert asked == ["c0"]
    assert told == ["kept c0"]
    assert outcome.stop == "terminated"
    assert counts(outcome.run) == {"passed": 1, "not_run": 3}
