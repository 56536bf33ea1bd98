"""Tools that run in a process of their own, which is killed when it takes too long, and may crash as it likes.

Arguments and results go through pipes as lines of JSON; nothing is pickled. Every request has a number and every reply
a secret word, so that nothing that the tool itself writes into the pipe is taken for a reply, or moves later ones.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from toolgauge.core import JsonValue, ToolDefinition
from toolgauge.errors import UsageError

from .functions import definition_of
from .mocks import ToolFailure
from .processes import child, descendants, kill

__all__ = ["IsolatedTool", "Isolation", "from_function_in_process"]

LARGEST_REPLY = 256 * 1024 * 1024
"""Bytes of a result; a tool that returns more has failed."""

PLAIN_VARIABLES = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "TEMP", "TMP", "LANG", "LANGUAGE"}
) | frozenset({"VIRTUAL_ENV", "LD_LIBRARY_PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT"})
PLAIN_PREFIXES = ("LC_", "PYTHON")
"""The variables of the environment that every process gets. Keys are none of them."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """What processes of tools may have."""

    memory_bytes: int | None = None
    """How much memory a process may take; None: what the system allows."""
    variables: frozenset[str] = frozenset()
    """Variables of the environment that tools see besides plain ones such as PATH and HOME."""

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """What tools see of an environment."""
        named = PLAIN_VARIABLES | self.variables
        return {name: value for name, value in variables.items() if name in named or name.startswith(PLAIN_PREFIXES)}


@dataclass(slots=True)
class IsolatedTool:
    """A function that is imported and called by another Python process. Idle processes are used again."""

    target: str
    """Where the function is, as `module:name`."""
    definition: ToolDefinition
    timeout_seconds: float | None = None
    isolation: Isolation = Isolation()
    _idle: list[_Worker] = field(default_factory=list)
    _started: set[_Worker] = field(default_factory=set)
    """All processes that may still be there."""

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """The result of the function.

        Raises:
            ToolFailure: The function raised, or its process ended.
        """
        worker = await self._worker()
        try:
            reply = await worker.ask(args)
        except BaseException:
            # Out of time, cancelled, or broken: whatever the process is doing, nobody wants it any more.
            await self._end(worker)
            raise
        self._idle.append(worker)
        if "error" in reply:
            raise ToolFailure(str(reply["error"]))
        return reply.get("result")

    async def _worker(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.process.returncode is None:
                return worker
        worker = await _Worker.start(self.target, self.isolation)
        self._started.add(worker)
        return worker

    async def close(self) -> None:
        """End all processes, those included whose calls were cancelled a moment ago."""
        self._idle.clear()
        for worker in list(self._started):
            await self._end(worker)

    async def _end(self, worker: _Worker) -> None:
        await worker.end()
        self._started.discard(worker)


class _Worker:
    """A process that calls one function, as often as it is asked to."""

    def __init__(self, process: asyncio.subprocess.Process, word: str) -> None:
        self.process = process
        self._word = word
        self._asked = 0

    @classmethod
    async def start(cls, target: str, isolation: Isolation) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "toolgauge.tools.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # What the tool prints goes where ours goes; the worker leads its standard output there, too.
            stderr=None,
            limit=LARGEST_REPLY,
            # Ctrl-C in a terminal reaches all processes of its group, and calls that go on may still be finished.
            start_new_session=True,
            env=isolation.environment(os.environ),
        )
        word = secrets.token_hex(16)
        settings = {"target": target, "path": sys.path, "memory": isolation.memory_bytes, "word": word}
        settings["parent"] = os.getpid()
        assert process.stdin is not None  # noqa: S101 - a pipe
        process.stdin.write(msgspec.json.encode(settings) + b"\n")
        return cls(process, word)

    async def ask(self, args: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The reply to one call.

        Raises:
            ToolFailure: The process ended, or said too much.
        """
        assert self.process.stdin is not None  # noqa: S101 - both are pipes
        self._asked += 1
        try:
            self.process.stdin.write(msgspec.json.encode({"number": self._asked, "args": dict(args)}) + b"\n")
            await self.process.stdin.drain()
            reply = await self._reply()
        except (BrokenPipeError, ConnectionResetError):
            reply = None
        except ValueError as error:
            raise ToolFailure(f"the result is larger than {LARGEST_REPLY:,} bytes") from error
        if reply is None:
            await self.end()
            raise ToolFailure(_ending(self.process.returncode))
        return reply

    async def _reply(self) -> dict[str, JsonValue] | None:
        """The reply to what was asked last, past anything else that stands in the pipe; None: there is none."""
        assert self.process.stdout is not None  # noqa: S101
        beginning = f"{self._word} {self._asked} ".encode()
        while line := await self.process.stdout.readline():
            if line.startswith(beginning):
                return msgspec.json.decode(line[len(beginning) :], type=dict[str, JsonValue])
        return None

    async def end(self) -> None:
        """End the process with all that it started, wherever that has gone."""
        if self.process.returncode is None and (found := child(self.process.pid)) is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGSTOP)  # so that nothing more is started meanwhile
            for started in reversed(descendants([found])):
                kill(started)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the process of the tool was ended by {signal.Signals(-code).name}"
    return f"the process of the tool ended with exit code {code}"


def from_function_in_process(
    function: Callable[..., object],
    *,
    name: str | None = None,
    timeout_seconds: float | None = None,
    isolation: Isolation | None = None,
) -> IsolatedTool:
    """A tool that calls a function in a process of its own.

    Raises:
        UsageError: The function cannot be imported by another process.
    """
    module, qualified = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    if not module or module == "__main__" or not qualified or "<" in qualified:
        what = f"{qualified or function!r} cannot be imported by another process"
        raise UsageError(f"{what}; move it to the top of a module to isolate it")
    target = f"{module}:{qualified}"
    return IsolatedTool(target, definition_of(function, name), timeout_seconds, isolation or Isolation())
