"""The process of an MCP server: the last lines it wrote to standard error, and how it ended."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TextIO

__all__ = ["McpProcess"]

MAX_BYTES = 16_000
"""How much is kept of what a server writes to standard error."""

MAX_LINES = 3
MAX_LETTERS = 200

ENDED_SECONDS = 0.5
"""How long it may take until a process that has closed its output is known to have ended."""


class McpProcess:
    """Watches the process of a server. What it logs does not belong between our messages, but into those about it."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._written = b""
        self._process: Any = None
        self._code: int | None = None
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reader, self._read)
        self.log: TextIO = os.fdopen(writer, "w", encoding="utf-8")
        """Where the process writes its standard error to."""

    def close(self) -> None:
        """Let go of the pipe."""
        if not self.log.closed:
            self.log.close()
            self._read()
            self._loop.remove_reader(self._reader)
            os.close(self._reader)

    @asynccontextmanager
    async def watched(self, transport: AbstractAsyncContextManager[Any]) -> AsyncIterator[Any]:
        """The connection to the process; when it breaks, how the process ended is noted before it is cleared up."""
        async with transport as streams:
            # The library does not hand out the process, which is a variable of the generator that holds it.
            frame = getattr(getattr(transport, "gen", None), "ag_frame", None)
            self._process = frame.f_locals.get("process") if frame is not None else None
            try:
                yield streams
            except BaseException:
                await self._remember()
                raise

    async def _remember(self) -> None:
        for _ in range(int(ENDED_SECONDS / 0.01)):
            self._code = getattr(self._process, "returncode", None)
            if self._code is not None or self._process is None:
                return
            await asyncio.sleep(0.01)

    async def obituary(self) -> str:
        """How the process ended and what it last said; nothing while it is alive."""
        if self._code is None:
            await self._remember()
        return "" if self._code is None else self.last_words()

    def last_words(self) -> str:
        """The command, its exit code where it has ended, and the last lines that it wrote to standard error."""
        if not self.log.closed:
            self._read()
        what = f"the MCP server {self._command!r}"
        if self._code is not None:
            what += f" ended with {_ending(self._code)}"
        lines = [line.rstrip() for line in self._written.decode("utf-8", "replace").splitlines() if line.strip()]
        if not lines:
            return f"{what}; it wrote nothing to standard error"
        shown = [line if len(line) <= MAX_LETTERS else line[:MAX_LETTERS] + "…" for line in lines[-MAX_LINES:]]
        return f"{what}; it last wrote to standard error:\n" + "\n".join(f"  {line}" for line in shown)

    def _read(self) -> None:
        """Keep the end of what there is to be read."""
        while True:
            try:
                found = os.read(self._reader, 65_536)
            except BlockingIOError:
                return
            if not found:
                self._loop.remove_reader(self._reader)
                return
            self._written = (self._written + found)[-MAX_BYTES:]


def _ending(code: int) -> str:
    """An exit code, or the signal that ended a process."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
