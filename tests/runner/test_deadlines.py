"""Trials whose time is over are stopped, whichever of them began first, and no others."""

from __future__ import annotations

import asyncio

from toolgauge.core import Limits
from toolgauge.runner import Trial
from toolgauge.runner.deadlines import Deadlines
from toolgauge.tools import Box


def trial(told: list[str], name: str) -> Trial:
    made = Trial(Box(), Limits())
    made.on_stop = lambda: told.append(f"{name}: {made.ending}: {made.reason}")
    return made


def test_trials_are_stopped_when_their_time_is_over() -> None:
    told: list[str] = []

    async def program() -> None:
        deadlines = Deadlines()
        long, short, free, over = (trial(told, name) for name in ("long", "short", "free", "over"))
        deadlines.add(long, 0.05)
        deadlines.add(short, 0.01)
        deadlines.add(free, None)
        deadlines.add(over, 0.02)
        deadlines.remove(over)
        deadlines.remove(free)
        while long.ending is None:
            await asyncio.sleep(0.001)
        assert (free.ending, over.ending) == (None, None)

    asyncio.run(program())
    assert told == ["short: timeout: no answer after 0.01 s", "long: timeout: no answer after 0.05 s"]


def test_a_trial_that_comes_when_nobody_is_waited_for_any_more_is_stopped_too() -> None:
    told: list[str] = []

    async def program() -> None:
        deadlines = Deadlines()
        for name in ("first", "second"):
            one = trial(told, name)
            deadlines.add(one, 0.005)
            while one.ending is None:
                await asyncio.sleep(0.001)

    asyncio.run(program())
    assert [line.partition(":")[0] for line in told] == ["first", "second"]


def test_nobody_is_stopped_after_the_end() -> None:
    told: list[str] = []

    async def program() -> None:
        deadlines = Deadlines()
        deadlines.add(trial(told, "any"), 0.001)
        deadlines.close()
        await asyncio.sleep(0.02)

    asyncio.run(program())
    assert told == []
