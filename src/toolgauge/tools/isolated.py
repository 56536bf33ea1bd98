"""Tools that run in a process of their own, which is killed when it takes too long, and may crash as it likes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toolgauge.core import JsonValue, ToolDefinition
from toolgauge.errors import UsageError

from .child_process import LARGEST_MESSAGE, ChildProcess, Isolation
from .functions import definition_of
from .mocks import ToolFailure

__all__ = ["IsolatedTool", "from_function_in_process", "importable_name"]


@dataclass(slots=True)
class IsolatedTool:
    """A function that is imported and called by another Python process. Idle processes are used again."""

    target: str
    """Where the function is, as `module:name`."""
    definition: ToolDefinition
    timeout_seconds: float | None = None
    isolation: Isolation = field(default_factory=Isolation)
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
            if not worker.process.ended:
                return worker
        worker = _Worker(await ChildProcess.start("toolgauge.tools.worker", self.target, self.isolation))
        self._started.add(worker)
        return worker

    async def close(self) -> None:
        """End all processes, those included whose calls were cancelled a moment ago."""
        self._idle.clear()
        for worker in list(self._started):
            await self._end(worker)

    async def _end(self, worker: _Worker) -> None:
        await worker.process.end()
        self._started.discard(worker)


class _Worker:
    """A process that calls one function, as often as it is asked to."""

    def __init__(self, process: ChildProcess) -> None:
        self.process = process
        self._asked = 0

    async def ask(self, args: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The reply to one call. Every request has a number, so that no reply is taken for that of another.

        Raises:
            ToolFailure: The process ended, or said too much.
        """
        self._asked += 1
        try:
            await self.process.send({"number": self._asked, "args": dict(args)})
            while (reply := await self.process.receive()) is not None and reply.get("number") != self._asked:
                continue
        except (BrokenPipeError, ConnectionResetError):
            reply = None
        except ValueError as error:
            raise ToolFailure(f"the result is larger than {LARGEST_MESSAGE:,} bytes") from error
        if reply is None:
            await self.process.wait()
            raise ToolFailure(f"the process of the tool {self.process.ending}")
        return reply


def importable_name(function: object) -> str:
    """Where another process finds a function, as `module:name`.

    Raises:
        UsageError: It cannot import it.
    """
    module, qualified = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    found: object = sys.modules.get(module)
    for part in qualified.split("."):
        found = getattr(found, part, None)
    if module == "__main__" or not qualified or found != function:
        what = f"{qualified or function!r} cannot be imported by another process"
        raise UsageError(f"{what}; move it to the top of a module to isolate it")
    return f"{module}:{qualified}"


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
    target = importable_name(function)
    return IsolatedTool(target, definition_of(function, name), timeout_seconds, isolation or Isolation())
