"""Letting an agent work on a case: within its time, whatever it raises, and whether or not it stops when told to."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

from msgspec.structs import replace

from toolgauge.agents import AgentFailure, call_agent
from toolgauge.core import Agent, Case, JsonValue, State, Trajectory, Usage
from toolgauge.errors import ModelError, ToolgaugeError

from .deadlines import Deadlines
from .eager import start_at_once
from .replies import read_reply
from .trial import Trial

__all__ = ["Escaped", "Watch", "conduct", "left", "perform", "settle"]

GRACE_SECONDS = 1.0
"""How long an agent that is told to stop may take to do so, before it is left to itself."""

FRAMES = -8
"""How many of the innermost places of a traceback are kept."""


class Escaped(Exception):  # noqa: N818 - stands for what an agent raised to end the whole program
    """An agent tried to end the program."""


class Watch:
    """Stops the task of a trial when somebody stops the trial; a context manager around what it does.

    A task that does not stop when told to is left behind.
    """

    __slots__ = ("_grace", "_leave", "_task", "_trial")

    def __init__(self, trial: Trial, task: asyncio.Task[Any], leave: Callable[[], None]) -> None:
        """Make ready to watch.

        Args:
            trial: Whose task it is.
            task: The task.
            leave: Goes on without it.
        """
        self._trial = trial
        self._task = task
        self._leave = leave
        self._grace: asyncio.TimerHandle | None = None

    def __enter__(self) -> None:
        self._trial.on_stop = self._stop
        if self._trial.ending is not None:
            self._stop()

    def __exit__(self, *_: object) -> None:
        self._trial.on_stop = None
        if self._grace is not None:
            self._grace.cancel()

    def _stop(self) -> None:
        self._task.cancel()
        self._grace = self._task.get_loop().call_later(GRACE_SECONDS, self._go_on)

    def _go_on(self) -> None:
        _left_behind.add(self._task)
        self._task.add_done_callback(_left_behind.discard)
        self._leave()


_left_behind: set[asyncio.Task[Any]] = set()
"""What did not stop when told to. Nobody waits for it, but something has to hold it."""


async def settle(trial: Trial, task: asyncio.Task[Any], seconds: float | None) -> bool:
    """Wait for a task of a trial, and stop it when its time is over or somebody stops the trial.

    Returns:
        Whether the task ended; otherwise it was left behind.
    """
    over: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    deadlines = Deadlines()
    deadlines.add(trial, seconds)

    def end(ended: bool) -> None:
        if not over.done():
            over.set_result(ended)

    task.add_done_callback(lambda _: end(True))
    with Watch(trial, task, lambda: end(False)):
        try:
            return await over
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            deadlines.close()


async def conduct(agent: Agent, case: Case, trial: Trial, seconds: float | None) -> Trajectory:
    """What the agent did on the case within its time, however that ended, in a task of its own."""
    outcome: list[Trajectory] = []

    async def carry() -> None:
        outcome.append(await perform(agent, case, trial))

    task = start_at_once(carry(), copy_context())
    if not await settle(trial, task, seconds):
        return left(trial)
    if not outcome:
        task.result()  # raises what went wrong
    return outcome[0]


async def perform(agent: Agent, case: Case, trial: Trial) -> Trajectory:
    """What the agent did on the case, however that ended, in the task that this is awaited in."""
    try:
        read = read_reply(await call_agent(agent, case, trial))
    except (SystemExit, KeyboardInterrupt) as error:
        # An event loop ends at these two, but an agent that raises them ends only its trial.
        return _raised(trial, Escaped(f"{type(error).__name__}: {error}"))
    except (asyncio.CancelledError, Exception) as error:  # noqa: BLE001 - whatever it raises is how its trial ended
        return _raised(trial, error)
    latency = trial.elapsed_ms
    if trial.ending is not None:
        return _taken_down(trial, Trajectory(latency_ms=latency))
    return _finished(trial, read, latency)


def left(trial: Trial) -> Trajectory:
    """The trajectory of an agent that was left behind."""
    trial.tell("left_behind", what="the agent did not stop when told to")
    return _taken_down(trial, Trajectory())


def _finished(trial: Trial, read: Trajectory, latency: float) -> Trajectory:
    """What the agent returned, with what was taken down. Calls that went through the box are those that count."""
    told = replace(read, latency_ms=latency if read.latency_ms is None else read.latency_ms)
    if read.state in ("not_run", "cancelled"):
        told = replace(told, state="error", error=read.error or f"the agent says {read.state!r}")
    return _taken_down(trial, told)


def _raised(trial: Trial, error: BaseException) -> Trajectory:
    """What there is of a trial whose agent raised an error."""
    latency = trial.elapsed_ms
    if trial.ending is not None:
        return _taken_down(trial, Trajectory(latency_ms=latency))
    if isinstance(error, asyncio.CancelledError):
        return _taken_down(trial, Trajectory(state="error", error="the agent was cancelled", latency_ms=latency))
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
