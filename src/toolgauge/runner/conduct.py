"""Letting an agent work on a case: within its time, whatever it raises, and whether or not it stops when told to."""

from __future__ import annotations

import asyncio
import traceback

from msgspec.structs import replace

from toolgauge.agents import AgentFailure, call_agent
from toolgauge.core import Agent, Case, JsonValue, State, Trajectory, Usage
from toolgauge.errors import ModelError, ToolgaugeError

from .replies import read_reply
from .trial import Trial

__all__ = ["Escaped", "conduct", "settle"]

GRACE_SECONDS = 1.0
"""How long an agent that is told to stop may take to do so, before it is left to itself."""

FRAMES = -8
"""How many of the innermost places of a traceback are kept."""


_left_behind: set[asyncio.Task[Trajectory]] = set()
"""Agents that did not stop when told to. Nobody waits for them, but something has to hold them."""


class Escaped(Exception):  # noqa: N818 - stands for what an agent raised to end the whole program
    """An agent tried to end the program."""


async def settle(trial: Trial, task: asyncio.Task[object], seconds: float | None) -> bool:
    """Wait for a task of a trial, and stop it when its time is over or somebody stops the trial.

    Returns:
        Whether the task ended; otherwise it was left behind.
    """
    loop = asyncio.get_running_loop()
    over: asyncio.Future[bool] = loop.create_future()

    def end(ended: bool) -> None:
        if not over.done():
            over.set_result(ended)

    def stop() -> None:
        task.cancel()
        loop.call_later(GRACE_SECONDS, end, False)

    task.add_done_callback(lambda _: end(True))
    trial.on_stop = stop
    if trial.ending is not None:
        stop()
    timer = None
    if seconds is not None:
        timer = loop.call_later(seconds, trial.stop, "timeout", f"no answer after {seconds:g} s")
    try:
        return await over
    finally:
        if not over.done():
            task.cancel()  # whoever waits here was cancelled
        trial.on_stop = None
        if timer is not None:
            timer.cancel()


async def conduct(agent: Agent, case: Case, trial: Trial, seconds: float | None) -> Trajectory:
    """What the agent did on the case, however that ended."""
    task = asyncio.ensure_future(_guarded(agent, case, trial))
    if not await settle(trial, task, seconds):
        _left_behind.add(task)
        trial.tell("left_behind", what="the agent did not stop when told to")
        return _taken_down(trial, Trajectory())
    latency = trial.elapsed_ms
    if trial.ending is not None:
        if not task.cancelled():
            task.exception()  # it was asked for, so that nobody complains that it was not
        return _taken_down(trial, Trajectory(latency_ms=latency))
    if task.cancelled():
        return _taken_down(trial, Trajectory(state="error", error="the agent was cancelled", latency_ms=latency))
    error = task.exception()
    if error is None:
        return _finished(trial, task.result(), latency)
    return _failed(trial, error, latency)


async def _guarded(agent: Agent, case: Case, trial: Trial) -> Trajectory:
    """An event loop ends at these two, but an agent that raises them ends only its trial."""
    try:
        return read_reply(await call_agent(agent, case, trial))
    except (SystemExit, KeyboardInterrupt) as error:
        raise Escaped(f"{type(error).__name__}: {error}") from error


def _finished(trial: Trial, read: Trajectory, latency: float) -> Trajectory:
    """What the agent returned, with what was taken down. Calls that went through the box are those that count."""
    told = replace(read, latency_ms=latency if read.latency_ms is None else read.latency_ms)
    if read.state in ("not_run", "cancelled"):
        told = replace(told, state="error", error=read.error or f"the agent says {read.state!r}")
    return _taken_down(trial, told)


def _failed(trial: Trial, error: BaseException, latency: float) -> Trajectory:
    state: State = "timeout" if isinstance(error, ModelError) and error.kind == "timeout" else "error"
    name = type(error).__name__
    plain = isinstance(error, (AgentFailure, Escaped, ToolgaugeError))
    words = str(error) if plain and str(error) else f"{name}: {error}" if str(error) else name
    if not plain:
        trial.tell("trace", trace="".join(traceback.format_exception(error, limit=FRAMES)))
    return _taken_down(trial, Trajectory(state=state, error=words, latency_ms=latency))


def _taken_down(trial: Trial, told: Trajectory) -> Trajectory:
    """A trajectory with the record of the trial in it."""
    state, error = told.state, told.error
    if trial.ending is not None:
        state, error = trial.ending, trial.reason
    calls = trial.calls or told.calls
    events: tuple[dict[str, JsonValue], ...] = (*told.events, *trial.events)
    usage: Usage | None = trial.usage or told.usage
    latency = trial.elapsed_ms if told.latency_ms is None else told.latency_ms
    return replace(told, state=state, error=error, calls=calls, events=events, usage=usage, latency_ms=latency)
