"""A run whose answers a model judges, in which everybody leaves a line for each time that they are asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from toolgauge import api
from toolgauge.core import Case, Judge, ModelReply, ModelRequest, Suite, Toolbox
from toolgauge.testing import ScriptedModel

__all__ = ["CASES", "check", "judged"]

CASES = 12
AT_ONCE = 2

SUITE = Suite("s", tuple(Case(f"c{n}", "How warm?", judge=Judge("Names a temperature.")) for n in range(CASES)))


def _note(name: str, line: str) -> None:
    with Path(name).open("a") as stream:
        stream.write(f"{line}\n")


def _answer(case: Case, tools: Toolbox) -> str:
    _note("answered.txt", case.id)
    return f"It is 31 degrees in {case.id}."


async def _judge(request: ModelRequest) -> ModelReply:
    await asyncio.sleep(0.03)
    return ModelReply('{"score": 0.5, "reason": "so so"}')


def judged(resume: str | None) -> Callable[[], object]:
    """What runs it, or resumes it, in the folder where it is called."""
    return lambda: api.run(
        SUITE, _answer, judge_model=ScriptedModel(_judge), store="runs.db", concurrency=AT_ONCE, resume=resume
    )


def check(folder: Path, kills: int) -> None:
    """Make sure that every answer has its opinion, and that nobody was asked again who had answered."""
    asked = Counter((folder / "answered.txt").read_text().split())
    assert len(asked) == CASES
    assert sum(asked.values()) <= CASES + kills * AT_ONCE, "an agent was asked again although it had answered"
    run = api.load_run("latest", store=folder / "runs.db")
    opinions = [event for one in run.scored for event in one.trajectory.events if event.get("score") == 0.5]
    assert len(opinions) == CASES
