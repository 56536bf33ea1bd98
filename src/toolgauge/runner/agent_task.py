"""Letting an agent work on a case: within its time, whatever it raises, and whether or not it stops when told to."""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolgauge.agents import AgentFailure, call_agent
from toolgauge.core import (
    Agent,
    Case,
    JsonValue,
    Replied,
    State,
    Trajectory,
    Usage,
    cut,
    described,
    is_closing,
    is_interrupt,
    quoted,
    traced,
    type_name,
)
from toolgauge.errors import AgentUnreachable, ModelError, ToolgaugeError, UsageError
from toolgauge.tools import end_copy

from .isolated_agent import IsolatedAgent
from .trial import Trial

__all__ = [
    "Escaped",
    "StopGuard",
    "abandoned",
    "described_agent",
    "failure",
    "place_of",
    "read_reply",
    "run_agent",
]

FIELDS = frozenset(Trajectory.__struct_fields__)

GRACE_SECONDS = 1.0
"""How long an agent that is told to stop may take to do so, before it is left to itself."""


OURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
INSTALLED = f"-packages{os.sep}"
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(os.__file__)), "")


class Escaped(Exception):  # noqa: N818 - stands for what an agent raised to end the whole program
    """An agent tried to end the program."""


class StopGuard:
    """Stops the task of a trial when somebody stops the trial; a context manager around what it does.

    A task that does not stop when told to is left behind.
    """

    __slots__ = ("_grace", "_leave", "_task", "_trial")

    def __init__(self, trial: Trial, task: asyncio.Task[Any], leave: Callable[[], None]) -> None:
        """Make ready.

        Args:
            trial: Whose task it is.
            task: The task.
            leave: Carries on without it.
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
        _abandoned.add(self._task)
        self._task.add_done_callback(_abandoned.discard)
        self._leave()


_abandoned: set[asyncio.Task[Any]] = set()
"""Tasks that did not stop when told to. Nobody waits for them, but something has to hold a reference."""


def _at_once() -> None:
    """Nobody has to know that an agent begins."""


async def run_agent(agent: Agent, case: Case, trial: Trial, begin: Callable[[], None] = _at_once) -> Trajectory:
    """What the agent did on the case, however that ended, in the task that this is awaited in.

    Args:
        agent: The agent.
        case: What it sees of the case.
        trial: Its box of tools.
        begin: Is called when the agent begins; what it takes to start a process is none of its time.
    """
    process = os.getpid()
    try:
        if isinstance(agent, IsolatedAgent):
            agent = await agent.prepared()
            trial.begin()
        begin()
        read = read_reply(await call_agent(agent, case, trial))
        latency = trial.latency_ms
        return _recorded(trial, Trajectory(latency_ms=latency)) if trial.ending else _finished(trial, read, latency)
    except (asyncio.CancelledError, Exception) as error:  # noqa: BLE001 - whatever it raises is how its trial ended
        return _raised(trial, error)
    except BaseException as error:
        if is_interrupt(error) or is_closing(error):
            raise
        # An event loop ends at some of these, but an agent that raises them ends only its trial.
        return _raised(trial, error)
    finally:
        end_copy(process)


def abandoned(trial: Trial) -> Trajectory:
    """The trajectory of an agent that was left behind."""
    trial.tell("left_behind", what="the agent did not stop when told to")
    return _recorded(trial, Trajectory())


def _finished(trial: Trial, read: Trajectory, latency: float) -> Trajectory:
    """What the agent returned, with the record of the trial. Calls that went through the box are those that count."""
    told = replace(read, latency_ms=latency if read.latency_ms is None else read.latency_ms)
    if read.state in ("not_run", "cancelled"):
        told = replace(told, state="error", error=read.error or f"the agent says {read.state!r}")
    return _recorded(trial, told)


def _raised(trial: Trial, error: BaseException) -> Trajectory:
    """What there is of a trial whose agent raised an error."""
    latency = trial.latency_ms
    if trial.ending is not None:
        return _recorded(trial, Trajectory(latency_ms=latency))
    if type(error) is AgentUnreachable:
        trial.broken = error
    failed = failure(error)
    events = (*_events_of(trial), *failed.events)
    return _recorded(trial, replace(failed, events=(), latency_ms=latency), events)


def failure(error: BaseException) -> Trajectory:
    """What an error says of the agent that raised it: state, words, and where it came from."""
    try:
        return _described_failure(error)
    except Exception as second:  # noqa: BLE001 - an exception of somebody's own, which cannot even be looked at
        return Trajectory(state="error", error=f"{type_name(error)} ({type_name(second)} while it was read)")


def _described_failure(error: BaseException) -> Trajectory:
    if isinstance(error, asyncio.CancelledError):
        return Trajectory(state="error", error="the agent was cancelled")
    if not isinstance(error, Exception):
        escaped = Escaped(described(error))
        escaped.__cause__ = error
        error = escaped
    state: State = "timeout" if isinstance(error, ModelError) and error.kind == "timeout" else "error"
    plain = isinstance(error, (AgentFailure, Escaped, ToolgaugeError))
    words = cut((plain and str(error)) or described(error))
    place = "" if isinstance(error, (AgentFailure, ToolgaugeError)) else place_of(error.__cause__ or error)
    if place:
        words = f"{words} ({place})"
    events: tuple[dict[str, JsonValue], ...] = ()
    if not plain:
        events = ({"kind": "trace", "trace": traced(error)},)
    return Trajectory(state=state, error=words, events=events)


def described_agent(agent: Agent) -> dict[str, JsonValue]:
    """What an agent is, as far as it can be told: its type or name, and the settings that it lays open."""
    if isinstance(agent, IsolatedAgent):
        return agent.described
    kind = getattr(agent, "__qualname__", None) or type(agent).__qualname__
    settings = getattr(agent, "settings", None)
    known = settings if isinstance(settings, dict) else {}
    return {"kind": f"{getattr(agent, '__module__', '')}:{kind}", **known}


def place_of(error: BaseException) -> str:
    """The file and line of the code under test that an error came from; empty: it has none.

    That is the innermost place that is neither ours nor of a library, else the innermost in an installed one.
    """
    places = [
        (frame.filename, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((OURS, "<"))
    ]
    installed = [place for place in places if INSTALLED in place[0]]
    own = [place for place in places if place not in installed and not place[0].startswith(LIBRARY)]
    if not own and not installed:
        return ""
    file, line = (own or installed)[-1]
    inside = os.path.relpath(file)
    return f"{os.path.basename(file) if inside.startswith(os.pardir) else inside}:{line}"


def _events_of(record: Trial | Trajectory) -> tuple[dict[str, JsonValue], ...]:
    """The events of a record.

    Raises:
        UsageError: It is a trajectory whose agent has put something else in their place.
    """
    events: object = record.events
    if isinstance(events, (tuple, list)):
        return tuple(events)
    if isinstance(record, Trajectory):
        raise UsageError(f"the agent returned a trajectory whose events are {quoted(events)}")
    return ()


def _recorded(trial: Trial, told: Trajectory, own_events: tuple[dict[str, JsonValue], ...] | None = None) -> Trajectory:
    """A trajectory with the record of the trial in it."""
    state, error = told.state, told.error
    if trial.ending is not None:
        state, error = trial.ending, trial.reason
    calls = trial.calls or told.calls
    events = (*_events_of(told), *(_events_of(trial) if own_events is None else own_events))
    usage: Usage | None = trial.usage or told.usage
    latency = trial.latency_ms if told.latency_ms is None else told.latency_ms
    return replace(told, state=state, error=error, calls=calls, events=events, usage=usage, latency_ms=latency)


def read_reply(replied: Replied) -> Trajectory:
    """The trajectory that a reply tells of. Whose it is, is not said yet.

    Raises:
        UsageError: It cannot be read.
    """
    if replied is None:
        return Trajectory()
    if isinstance(replied, str):
        return Trajectory(output=str.__str__(replied))
    if isinstance(replied, Trajectory):
        return replied
    if isinstance(replied, Mapping):
        return _read_mapping(replied)
    return _read_messages(replied)


def _read_mapping(replied: Mapping[str, object]) -> Trajectory:
    if "messages" in replied and not replied.keys() & {"calls", "state"}:
        read = _read_messages(replied["messages"])
        output = replied.get("output")
        return replace(read, output=output) if isinstance(output, str) else read
    if replied.keys() <= FIELDS and replied.keys() & {"output", "calls"}:
        try:
            return msgspec.convert(replied, Trajectory)
        except msgspec.ValidationError as error:
            raise UsageError(f"the agent returned a trajectory that cannot be read: {error}") from error
    return _read_messages(replied)


def _read_messages(messages: object) -> Trajectory:
    from toolgauge.traces import from_messages

    return from_messages(messages)
