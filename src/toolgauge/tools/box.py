"""Calling tools so that nothing they do can hurt: arguments checked first, time and size limited, failures recorded."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from toolgauge.core import (
    JsonValue,
    Tool,
    ToolDefinition,
    ToolResult,
    Unprintable,
    described,
    is_closing,
    is_interrupt,
    own_task,
    printed,
    traced,
    type_name,
)
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.matchers import CompiledSchema, compile_schema

from .mocks import MockTool, ToolFailure
from .processes import child_processes, end_copy, end_processes
from .results import as_json, shortened
from .threads import Ended, watched_threads

__all__ = ["Box", "BoxLimits", "Called", "Overdue", "overdue_call", "stray_threads"]

OWN_THREADS = "toolgauge"
"""How threads of toolgauge itself are called, which end with the run."""

GRACE_SECONDS = 1.0
"""How long a tool that is told to stop may take to do so, before it is left to itself."""

LONGEST_NAME = 200

MOST_FAULTS = 5
"""How many faults of arguments a model is told."""


@dataclass(frozen=True, slots=True)
class BoxLimits:
    """What a single call may take."""

    seconds: float = 30.0
    kept_bytes: int = 1_000_000
    """Of a larger result only this much is kept."""
    read_characters: int = 20_000
    """Of a longer result a model gets only this much to read."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call that was made, or refused."""

    result: ToolResult
    duration_ms: float
    size: int | None = None
    """Bytes of the whole result, where not all of it was kept."""
    trace: str = ""
    """Where in the tool an error came from."""


class Overdue(BaseException):
    """A call has had its time. A tool that catches every `Exception` does not catch this one."""


_current: ContextVar[tuple[str, float, float] | None] = ContextVar("toolgauge_current_call", default=None)
"""The tool that the running code belongs to, the seconds that the call gets, and when they are over."""


def overdue_call() -> tuple[str, str]:
    """The tool that the running code belongs to, empty where it is none, and why it has to end; empty: it has not."""
    found = _current.get()
    if found is None:
        return "", ""
    name, seconds, end = found
    return name, f"no result after {seconds:g} s" if time.monotonic() >= end else ""


@runtime_checkable
class _Closing(Protocol):
    async def close(self) -> None:
        """Let go of processes and connections."""


class Box:
    """The tools of a run. One box serves all cases."""

    def __init__(self, tools: Iterable[Tool] = (), *, limits: BoxLimits | None = None) -> None:
        """Two tools of one name cannot be told apart.

        Raises:
            UsageError: Two tools have one name, or the schema of one is none.
        """
        self.limits = limits or BoxLimits()
        self._tools: dict[str, Tool] = {}
        self._validators: dict[str, CompiledSchema] = {}
        for tool in tools:
            name = tool.definition.name
            if name in self._tools:
                raise UsageError(f"there are two tools called {name!r}; give one of them another name")
            self._tools[name] = tool
            if tool.definition.parameters is not None:
                try:
                    validator = compile_schema(tool.definition.parameters)
                except ValueError as error:
                    raise UsageError(f"the parameters of tool {name!r} are not a JSON schema: {error}") from error
                if getattr(tool, "checks_arguments", True):
                    self._validators[name] = validator
        self._definitions = tuple(tool.definition for tool in self._tools.values())
        self._children = child_processes()
        self._abandoned: dict[str, int] = {}

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """All tools, in the order in which they were given."""
        return self._definitions

    async def call(self, name: str, args: Mapping[str, JsonValue] | None) -> Called:
        """Call a tool. Whatever goes wrong is a result; only being cancelled is not.

        Args:
            name: The tool, as the agent wrote it.
            args: The arguments; None where what the agent wrote is no JSON object.
        """
        began = time.perf_counter()
        refused = self._refusal(name, args)
        if refused is not None:
            return _failed(refused, began)
        tool = self._tools[name]
        limit = getattr(tool, "timeout_seconds", None) or self.limits.seconds
        try:
            if tool.__class__ is MockTool:
                value: object = await tool.call(args or {})  # answers at once, so there is nothing to wait for
            else:
                value = await self._within(limit, tool.call(args or {}), name)
        except TimeoutError as error:
            return _failed(str(error) or f"no result after {limit:g} s", began)
        except (ToolFailure, Ended) as error:
            return _failed(_said(error), began)
        except Exception as error:  # noqa: BLE001 - whatever a tool raises is a failure of the call
            return _failed(described(error), began, traced(error))
        try:
            return self._finished(value, began)
        except BaseException as error:
            if is_interrupt(error):
                raise
            why = _said(error) if isinstance(error, Unprintable) else described(error)
            return _failed(f"the result of {name!r}, of type {type_name(value)}, cannot be read: {why}", began)

    def _refusal(self, name: str, args: Mapping[str, JsonValue] | None) -> str | None:
        """Why a call is not made; None: it is."""
        if name not in self._tools:
            known = list(self._tools)
            shown = ascii(name[:LONGEST_NAME])
            hint = did_you_mean(name[:LONGEST_NAME], known)
            return f"there is no tool {shown}" + (f"; {hint}" if hint else "")
        if args is None:
            return "the arguments are not a JSON object"
        validator = self._validators.get(name)
        try:
            if validator is None or validator.is_valid(dict(args)):
                return None
            faults = [_fault(breach.path, breach.message) for breach in validator.breaches(dict(args), MOST_FAULTS)]
        except Exception as error:  # noqa: BLE001 - half of a surrogate pair, nested without end, or no JSON at all
            return f"the arguments cannot be read: {error}"
        return "the arguments do not fit the tool's schema: " + "; ".join(faults)

    async def _within(self, seconds: float, work: Awaitable[JsonValue], name: str) -> object:
        """The result, if it comes in time. A tool that does not even stop when it is told to is left behind."""
        with watched_threads() as threads:
            token = _current.set((name, seconds, time.monotonic() + seconds))
            task = own_task(_guarded(work))
            _current.reset(token)
        try:
            done, _ = await asyncio.wait((task,), timeout=seconds)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if not done:
            task.cancel()
            done, _ = await asyncio.wait((task,), timeout=GRACE_SECONDS)
            if not done or threads.is_busy():
                self._abandoned[name] = self._abandoned.get(name, 0) + 1
            if done and not task.cancelled():
                task.exception()  # it was asked for, so that nobody complains that it was not
            raise TimeoutError(f"no result after {seconds:g} s")
        if task.cancelled():
            raise Ended("CancelledError: the tool cancelled itself")
        return task.result()

    def _finished(self, value: object, began: float) -> Called:
        plain = as_json(value)
        kept, size = shortened(plain, self.limits.kept_bytes)
        words = kept if isinstance(kept, str) else as_json(kept, text=True)
        if len(words) > self.limits.read_characters:
            whole = f"{size:,} bytes" if size is not None else f"{len(words):,} characters"
            words = f"{words[: self.limits.read_characters]}\n[cut here; the whole result has {whole}]"
        return Called(ToolResult(kept, None, words), _since(began), size)

    async def close(self) -> list[str]:
        """End what tools left behind, and say what that was."""
        for tool in self._tools.values():
            if isinstance(tool, _Closing):
                await tool.close()
        warnings = [
            f"tool {name!r}: 1 call did not stop when told to, and was abandoned"
            if count == 1
            else f"tool {name!r}: {count} calls did not stop when told to, and were abandoned"
            for name, count in self._abandoned.items()
        ]
        left = [child for child in child_processes() if child not in self._children]
        if left:
            await end_processes(left)
            listed = ", ".join(f"{child.command} ({child.pid})" for child in left[:5])
            ended = "was terminated" if len(left) == 1 else "were terminated"
            processes = "1 process" if len(left) == 1 else f"{len(left)} processes"
            warnings.append(f"tools left {processes} behind, which {ended}: {listed}")
        threads = [name for name in stray_threads() if not name.startswith(OWN_THREADS)]
        if threads:
            listed = ", ".join(threads[:5])
            stray = "1 thread" if len(threads) == 1 else f"{len(threads)} threads"
            warnings.append(f"tools left {stray} behind: {listed}")
        return warnings


def stray_threads() -> list[str]:
    """Threads that would keep the program from ending."""
    main = threading.main_thread()
    current = threading.current_thread()
    return [
        thread.name
        for thread in threading.enumerate()
        if not thread.daemon and thread not in (main, current) and not thread.name.startswith("asyncio_")
    ]


async def _guarded(work: Awaitable[JsonValue]) -> JsonValue:
    """An event loop ends at these two, but a tool that raises them ends only its call."""
    process = os.getpid()
    try:
        return await work
    except asyncio.CancelledError:
        raise
    except Exception:
        raise
    except Overdue as error:
        raise TimeoutError(str(error)) from error
    except BaseException as error:
        if is_interrupt(error) or is_closing(error):
            raise
        raise Ended(described(error)) from error
    finally:
        end_copy(process)


def _said(error: BaseException) -> str:
    """What an error says that was raised to say it."""
    try:
        return printed(error) or type_name(error)
    except Unprintable:
        return described(error)


def _fault(path: Iterable[object], message: str) -> str:
    place = ".".join(str(step) for step in path)
    words = message if len(message) <= 300 else f"{message[:297]}..."
    return f"{place}: {words}" if place else words


def _failed(error: str, began: float, trace: str = "") -> Called:
    words = error if len(error) <= 4_000 else f"{error[:4_000]} ..."
    return Called(ToolResult(None, words, f"Error: {words}"), _since(began), None, trace)


def _since(began: float) -> float:
    return max(0.0, (time.perf_counter() - began) * 1000)
