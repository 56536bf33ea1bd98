"""Tasks that run at once, and what they are like apart from that: like any other task."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from contextvars import ContextVar, copy_context
from typing import Any

import pytest

from toolgauge.runner.eager import start_at_once

LANGUAGE = ContextVar("language", default="en")


def started(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return start_at_once(work, copy_context())


def test_a_task_runs_until_it_first_has_to_wait() -> None:
    steps: list[str] = []

    async def work(gate: asyncio.Event) -> None:
        steps.append("begun")
        await gate.wait()
        steps.append("done")

    async def program() -> None:
        gate = asyncio.Event()
        task = started(work(gate))
        steps.append("started")
        gate.set()
        await task

    asyncio.run(program())
    assert steps == ["begun", "started", "done"]


def test_one_that_never_waits_is_over_in_the_next_round() -> None:
    async def work() -> None:
        return

    async def fails() -> None:
        raise LookupError("at once")

    async def program() -> None:
        await started(work())
        with pytest.raises(LookupError, match="at once"):
            await started(fails())

    asyncio.run(program())


def test_it_is_the_task_that_its_work_finds_itself_in() -> None:
    inside: list[object] = []
    outside: list[object] = []

    async def work() -> None:
        inside.append(asyncio.current_task())
        await asyncio.sleep(0)
        inside.append(asyncio.current_task())

    async def program() -> None:
        outside.append(asyncio.current_task())
        task = started(work())
        outside.append(asyncio.current_task())
        await task
        assert inside == [task, task]

    asyncio.run(program())
    assert outside[0] is outside[1] is not None


def test_it_can_be_started_where_there_is_no_task() -> None:
    done: list[str] = []

    async def program() -> None:
        over = asyncio.get_running_loop().create_future()
        held: list[asyncio.Task[None]] = []

        async def work() -> None:
            await asyncio.sleep(0)
            done.append("done")
            over.set_result(None)

        asyncio.get_running_loop().call_soon(lambda: held.append(started(work())))
        await over

    asyncio.run(program())
    assert done == ["done"]


def test_a_time_limit_of_the_first_step_stops_this_task_and_no_other() -> None:
    late: list[bool] = []

    async def work() -> None:
        try:
            async with asyncio.timeout(0.001):
                await asyncio.Event().wait()
        except TimeoutError:
            late.append(True)

    async def program() -> None:
        await started(work())

    asyncio.run(program())
    assert late == [True]


def test_what_it_sets_in_its_context_stays_there() -> None:
    seen: list[str] = []

    async def work() -> None:
        LANGUAGE.set("vi")
        await asyncio.sleep(0)
        seen.append(LANGUAGE.get())

    async def program() -> None:
        task = started(work())
        seen.append(LANGUAGE.get())
        await task
        seen.append(LANGUAGE.get())

    asyncio.run(program())
    assert seen == ["en", "vi", "en"]


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_being_cancelled_reaches_the_work_and_what_it_waits_for(rounds: int) -> None:
    stopped: list[str] = []

    async def waits(name: str, more: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        try:
            await (asyncio.ensure_future(more()) if more is not None else asyncio.Event().wait())
        except asyncio.CancelledError:
            stopped.append(name)
            raise

    async def program() -> None:
        task = started(waits("outer", lambda: waits("inner")))
        await asyncio.sleep(0)
        for _ in range(rounds):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(program())
    assert sorted(stopped) == ["inner", "outer"]


def test_one_that_is_cancelled_before_the_next_round_knows_it() -> None:
    stopped: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append("work")
            raise

    async def program() -> None:
        task = started(work())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(program())
    assert stopped == ["work"]


def test_what_is_cancelled_before_the_next_round_is_waited_for() -> None:
    complaints: list[str] = []
    order: list[str] = []

    async def part(name: str) -> None:
        await asyncio.sleep(0)
        order.append(name)

    async def work() -> None:
        try:
            await asyncio.gather(part("a"), part("b"))
        except asyncio.CancelledError:
            order.append("work")
            raise

    async def program() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
        task = started(work())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        await asyncio.sleep(0.01)
        gc.collect()

    asyncio.run(program())
    assert (order, complaints) == (["work"], [])


def test_several_may_wait_for_the_same_thing() -> None:
    got: list[int] = []

    async def program() -> None:
        shared: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def work() -> None:
            got.append(await shared)

        tasks = [started(work()), asyncio.ensure_future(work()), started(work())]
        await asyncio.sleep(0)
        shared.set_result(7)
        await asyncio.gather(*tasks)

    asyncio.run(program())
    assert got == [7, 7, 7]
