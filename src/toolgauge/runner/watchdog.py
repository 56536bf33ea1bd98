"""Looks after the event loop from a thread: agents and tools that block it are named, and stopped when they are due.

What is `async` and calls something that blocks holds up everything else: other cases, limits of time, Ctrl-C. The
thread notices, and sends a signal that interrupts the blocking call; the handler runs within the code that blocks,
knows whose it is, and ends it there if that is due. Code in C that keeps other threads from running is interrupted by a
timer instead, if it looks for signals, as regular expressions do. What catches even that, again and again, can only be
ended with the process. Where the loop is not in the main thread, or the system has no such signal, what blocks is
named, and nothing else can be done about it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from types import FrameType, TracebackType
from typing import Any

from toolgauge.core import Insistence, described
from toolgauge.tools import Overdue, overdue_call

from .agent_task import INSTALLED, LIBRARY, OURS, place_of
from .event_loop import StopSignals, is_own_loop
from .trial import Trial, TrialStopped

__all__ = ["PATIENCE_SECONDS", "LoopWatch", "current_trial"]

LOOK_SECONDS = 0.5
"""So often the loop is asked whether it is still there."""
PATIENCE_SECONDS = 1.0
"""A loop that does not reply for so long is blocked; then it is looked at again and again."""

LOOKS_BEFORE_NAMING = 2
"""Code that is found the first time is perhaps about to be done."""

MAX_STOPS = 5
"""Code that goes on though it was stopped at so many looks catches whatever is raised in it."""
ADVICE = {False: "--isolate-agent", True: "--isolate"}
"""What helps, by whether it is a tool."""

SIGNAL = getattr(signal, "SIGURG", None)
"""What interrupts a blocking call. Programs that do not handle it never notice it."""

TIMER_SIGNAL = getattr(signal, "SIGVTALRM", None)
"""What a timer sends that runs while this process computes, for code that lets no other thread send anything."""

CALLERS = (f"{OURS}agents{os.sep}", f"{OURS}tools{os.sep}", f"{OURS}runner{os.sep}agent_task.")
"""What calls agents and tools. Whatever blocks further inside is theirs."""
LOOP = f"{OURS}runner{os.sep}event_loop."

current_trial: ContextVar[tuple[str, Trial] | None] = ContextVar("toolgauge_current_trial", default=None)
"""The trial that the running code works on, with the name of its agent."""


class LoopWatch:
    """A context manager around what runs in the loop of this thread."""

    def __init__(
        self,
        say: Callable[[str], None],
        agents: Callable[[], Iterable[str]],
        signals: StopSignals,
        stuck: Callable[[str], None] | None = None,
    ) -> None:
        """Prepare to watch.

        Args:
            say: Receives notes.
            agents: Returns the names of the running agents.
            signals: Know why the run has to stop now; they must reach us whatever agents do to handlers.
            stuck: Called from another thread with code that cannot be stopped; may end the process.
        """
        self._say = say
        self._agents = agents
        self._signals = signals
        self._stuck = stuck
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._heard = threading.Event()
        self._over = threading.Event()
        self._looks = self._stops = 0
        self._insistence = Insistence(SIGNAL or 0)
        self._stopped = False
        """Whether code was stopped since the last look."""
        self._timed = False
        self._beaten = time.monotonic()
        """When the loop was last known to go on."""
        self._told: set[str] = set()
        self._found: list[str] = []
        """What the handler has found, and nobody has been told yet."""

    def __enter__(self) -> None:
        self._handles = SIGNAL is not None and threading.current_thread() is threading.main_thread()
        if self._handles and SIGNAL is not None:
            self._before = signal.signal(SIGNAL, self._look_here)
            self._timed = TIMER_SIGNAL is not None and signal.getsignal(TIMER_SIGNAL) == signal.SIG_DFL
            if self._timed and TIMER_SIGNAL is not None:
                signal.signal(TIMER_SIGNAL, self._look_by_timer)
                signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_SECONDS, PATIENCE_SECONDS)
        if is_own_loop(self._loop):
            self._loop.set_exception_handler(self._on_stray)
        self._watcher = threading.Thread(target=self._watch, name="toolgauge watchdog", daemon=True)
        self._watcher.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._heard.set()
        self._watcher.join()
        if self._handles and SIGNAL is not None and signal.getsignal(SIGNAL) == self._look_here:
            signal.signal(SIGNAL, self._before)
        if self._timed and TIMER_SIGNAL is not None:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(TIMER_SIGNAL, signal.SIG_DFL)
        self._tell()

    def _watch(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self._looks = self._stops = 0
            self._heard.clear()
            if self._over.is_set():
                return  # set while the line above cleared what had been heard
            try:
                self._loop.call_soon_threadsafe(self._beat)
            except RuntimeError:
                return  # the loop is closed
            while not self._heard.wait(PATIENCE_SECONDS):
                self._looks += 1
                self._look()
                self._stops, self._stopped = self._stops + self._stopped, False
                if self._stops > MAX_STOPS and self._stuck is not None:
                    self._stuck(self._signals.due())
            self._tell()

    def _beat(self) -> None:
        """The loop goes on."""
        self._beaten = time.monotonic()
        self._heard.set()
        self._insistence.end()
        if self._handles and SIGNAL is not None:
            if signal.getsignal(SIGNAL) != self._look_here:
                signal.signal(SIGNAL, self._look_here)
            self._signals.renew()

    def _on_stray(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Say what was raised where nobody waits for it: in a task of an agent's own, or in a callback."""
        error = context.get("exception")
        if not isinstance(error, BaseException):
            loop.default_exception_handler(context)
            return
        said, place = described(error), place_of(error)
        if place:
            self._found.append(f"in the background, {said} was raised at {place}")
        else:
            self._found.append(f"in the background, {said} was raised")
        self._tell()

    def _look(self) -> None:
        """Look at a loop that is blocked, from within it where that is possible."""
        if self._handles and SIGNAL is not None and signal.getsignal(SIGNAL) == self._look_here:
            signal.pthread_kill(self._thread, SIGNAL)
        elif place := _place(sys._current_frames().get(self._thread)):
            named = sorted(set(self._agents()))
            who = f"the agent {named[0]!r}" if len(named) == 1 else f"one of the agents {', '.join(named)}"
            self._note(who, place, "--isolate-agent")
        self._tell()

    def _look_by_timer(self, number: int, frame: FrameType | None) -> None:
        """Look where no other thread has had the chance to."""
        if time.monotonic() - self._beaten > LOOK_SECONDS + 2 * PATIENCE_SECONDS:
            self._looks += 1
            self._heard.clear()
            self._look_here(number, frame)

    def _look_here(self, _: int, frame: FrameType | None) -> None:
        """See whose code blocks the loop, and end it if that is due.

        Raises:
            TrialStopped: Its trial is over.
            Overdue: It is a tool, and the call has had its time.
        """
        place, found = _place(frame), current_trial.get()
        if self._heard.is_set() or not place or found is None:
            return  # it goes on, or works for itself
        agent, trial = found
        tool, overdue = overdue_call()
        if self._looks >= LOOKS_BEFORE_NAMING:
            self._note(f"the tool {tool!r}" if tool else f"the agent {agent!r}", place, ADVICE[bool(tool)])
            trial.note_once("blocked", place=place)
        if reason := self._signals.due():
            trial.stop("cancelled", reason)
        else:
            trial.stop_if_late()
        self._stopped = trial.ending is not None or bool(overdue)
        if trial.ending is not None:
            raise self._insistence.on(TrialStopped(trial.reason))
        if overdue:
            raise self._insistence.on(Overdue(overdue))

    def _note(self, who: str, place: str, option: str) -> None:
        self._found.append(
            f"{who} blocks the event loop at {place}: other cases, time limits and Ctrl-C have to wait; write it "
            f"without async, or use {option}"
        )

    def _tell(self) -> None:
        while self._found:
            words = self._found.pop(0)
            if words not in self._told:
                self._told.add(words)
                self._say(words)


def _place(frame: FrameType | None) -> str:
    """Where code under test is that keeps the loop from going on: file, line and function; empty: it is not theirs."""
    inner: list[FrameType] = []
    while frame is not None and not frame.f_code.co_filename.startswith(OURS):
        inner.append(frame)
        frame = frame.f_back
    own = [one for one in inner if not one.f_code.co_filename.startswith((LIBRARY, "<"))]
    if frame is None or frame.f_code.co_filename.startswith(LOOP):
        inner = inner if own else []  # in a task of the agent's own, or nowhere
    elif not frame.f_code.co_filename.startswith(CALLERS):
        inner = []
    if not inner:
        return ""
    own = [one for one in own if INSTALLED not in one.f_code.co_filename] or own or inner[-1:]
    return _named(own[0]) if own[0] is inner[0] else f"{_named(own[0])}, in {_named(inner[0])}"


def _named(frame: FrameType) -> str:
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno} ({frame.f_code.co_name})"
