"""Looks after the event loop from a thread: agents and tools that block it are named, and stopped when they are due.

What is `async` and calls something that blocks holds up everything else: other cases, limits of time, Ctrl-C. The
thread notices, and sends a signal that interrupts the blocking call; the handler runs within the code that blocks,
knows whose it is, and ends it there if that is due. Where the loop is not in the main thread, or the system has no such
signal, what blocks is named, and nothing else can be done about it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from types import FrameType, TracebackType

from toolgauge.tools import overdue_call

from .agent_task import INSTALLED, LIBRARY, OURS
from .trial import Trial, TrialStopped

__all__ = ["PATIENCE_SECONDS", "LoopWatch", "current_trial"]

LOOK_SECONDS = 0.5
"""So often the loop is asked whether it is still there."""
PATIENCE_SECONDS = 1.0
"""A loop that does not reply for so long is blocked; then it is looked at again and again."""

LOOKS_BEFORE_NAMING = 2
"""Code that is found the first time is perhaps about to be done."""
ADVICE = {False: "--isolate-agent", True: "--isolate"}
"""What helps, by whether it is a tool."""

SIGNAL = getattr(signal, "SIGURG", None)
"""What interrupts a blocking call. Programs that do not handle it never notice it."""

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
        stopping: Callable[[], str],
    ) -> None:
        """Make ready.

        Args:
            say: Takes what is worth a word.
            agents: The names of the agents that are at work.
            stopping: Why everything has to end now; empty: it has not.
        """
        self._say = say
        self._agents = agents
        self._stopping = stopping
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._heard = threading.Event()
        self._over = threading.Event()
        self._looks = 0
        self._told: set[str] = set()
        self._found: list[str] = []
        """What the handler has found, and nobody has been told yet."""

    def __enter__(self) -> None:
        self._handles = SIGNAL is not None and threading.current_thread() is threading.main_thread()
        if self._handles and SIGNAL is not None:
            self._before = signal.signal(SIGNAL, self._look_here)
        self._watcher = threading.Thread(target=self._watch, name="toolgauge watchdog", daemon=True)
        self._watcher.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._heard.set()
        self._watcher.join()
        if self._handles and SIGNAL is not None and signal.getsignal(SIGNAL) == self._look_here:
            signal.signal(SIGNAL, self._before)

    def _watch(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self._looks = 0
            self._heard.clear()
            if self._over.is_set():
                return  # set while the line above cleared what had been heard
            try:
                self._loop.call_soon_threadsafe(self._heard.set)
            except RuntimeError:
                return  # the loop is closed
            while not self._heard.wait(PATIENCE_SECONDS):
                self._looks += 1
                self._look()
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
        if reason := self._stopping():
            trial.stop("cancelled", reason)
        else:
            trial.stop_if_late()
        if trial.ending is not None:
            raise TrialStopped(trial.reason)
        if overdue is not None:
            raise overdue

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
