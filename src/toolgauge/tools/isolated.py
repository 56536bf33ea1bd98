"""Tools that run in a process of their own, which is killed when it takes too long, and may crash as it likes.

Arguments and results go through pipes as lines of JSON; nothing is pickled.
"""

from __future__ import annotations

import asyncio
import os
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

__all__ = ["IsolatedTool", "from_function_in_process"]

LARGEST_REPLY = 256 * 1024 * 1024
"""Bytes of a result; a tool that returns more has failed."""


@dataclass(slots=True)
class IsolatedTool:
    """A function that is imported and called by another Python process. Idle processes are used again."""

    target: str
    """Where the function is, as `module:name`."""
    definition: ToolDefinition
    timeout_seconds: float | None = None
    memory_bytes: int | None = None
    """How much memory a process may take; None: what the system allows."""
    _idle: list[asyncio.subprocess.Process] = field(default_factory=list)
    _started: set[asyncio.subprocess.Process] = field(default_factory=set)
    """All processes that may still be there."""

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """The result of the function.

        Raises:
            ToolFailure: The function raised, or its process ended.
        """
        process = await self._process()
        try:
            reply = await self._ask(process, args)
        except BaseException:
            # Out of time, cancelled, or broken: whatever the process is doing, nobody wants it any more.
            await self._kill(process)
            raise
        self._idle.append(process)
        if "error" in reply:
            raise ToolFailure(str(reply["error"]))
        return reply.get("result")

    async def _process(self) -> asyncio.subprocess.Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        settings = msgspec.json.encode({"target": self.target, "path": sys.path, "memory": self.memory_bytes}).decode()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "toolgauge.tools.worker",
            settings,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # What the tool prints goes where ours goes; the worker leads its standard output there, too.
            stderr=None,
            limit=LARGEST_REPLY,
            # Ctrl-C in a terminal reaches all processes of its group, and calls that go on may still be finished.
            start_new_session=True,
        )
        self._started.add(process)
        return process

    async def _ask(self, process: asyncio.subprocess.Process, args: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        try:
            process.stdin.write(msgspec.json.encode(dict(args)) + b"\n")
            await process.stdin.drain()
            line = await process.stdout.readline()
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        except ValueError as error:
            raise ToolFailure(f"the result is larger than {LARGEST_REPLY:,} bytes") from error
        if not line:
            await process.wait()
            raise ToolFailure(_ending(process.returncode))
        reply = msgspec.json.decode(line)
        return reply if isinstance(reply, dict) else {"error": "the process of the tool does not speak JSON"}

    async def close(self) -> None:
        """End all processes, those included whose calls were cancelled a moment ago."""
        self._idle.clear()
        for process in list(self._started):
            await self._kill(process)

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        """End a process with all that it started."""
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        self._started.discard(process)


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the process of the tool was ended by {signal.Signals(-code).name}"
    return f"the process of the tool ended with exit code {code}"


def from_function_in_process(
    function: Callable[..., object],
    *,
    name: str | None = None,
    timeout_seconds: float | None = None,
    memory_bytes: int | None = None,
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
    return IsolatedTool(target, definition_of(function, name), timeout_seconds, memory_bytes)
