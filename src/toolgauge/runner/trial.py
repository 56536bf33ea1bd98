"""One trial: what an agent gets to work with on a case, which records everything that is done through it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

from toolgauge.core import (
    Call,
    JsonValue,
    Limits,
    Model,
    ModelReply,
    ModelRequest,
    Toolbox,
    ToolDefinition,
    ToolResult,
    Usage,
    copied,
)
from toolgauge.errors import ModelError, OutputError, ToolgaugeError
from toolgauge.models import WaitClock
from toolgauge.tools import Called, plain_arguments

from .deadlines import expire

__all__ = ["NOT_RECORDED", "Caller", "Ending", "Trial", "TrialStopped"]

NO_ARGUMENTS: Mapping[str, JsonValue] = {}

NOT_RECORDED = "not recorded"
"""The kind of error by which a record says that it does not hold a request."""

STOPPED_CALL = "stopped before it finished"

Ending: TypeAlias = Literal["limit", "timeout", "cancelled"]
"""Why a trial is stopped from outside the agent."""

JournalWriter: TypeAlias = Callable[[Mapping[str, JsonValue]], Awaitable[None]]


class Caller(Protocol):
    """What calls tools: the box of the run, or a recording of one."""

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """All tools."""

    async def call(self, name: str, args: Mapping[str, JsonValue] | None) -> Called:
        """Call a tool. Whatever goes wrong is a result."""


class TrialStopped(asyncio.CancelledError):
    """The trial is over. An agent that catches all exceptions does not catch this one."""


class Trial:
    """The box of tools of one agent on one case in one trial, and its record."""

    def __init__(
        self,
        box: Caller,
        limits: Limits,
        *,
        journal: JournalWriter | None = None,
        definitions: tuple[ToolDefinition, ...] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Begin the record; its times count from here.

        Args:
            box: What calls the tools.
            limits: What stops the agent; those that are None do not.
            journal: Records a call before it is made, so that it is known even if the process is killed.
            definitions: What the agent sees of the tools; default: what the box has.
            clock: Seconds that never go back.
        """
        self._box = box
        self._definitions = definitions
        self._limits = limits
        self._journal = journal
        self._clock = clock
        self._began = clock()
        self._calls: list[Call] = []
        self._round: int | None = None
        self._input_tokens: int | None = 0
        self._output_tokens: int | None = 0
        self._cached_tokens: int | None = 0
        self._cost: float | None = 0.0
        self._tokens = 0
        self.spent = 0.0
        """Dollars so far, as far as they are known."""
        self.waits = WaitClock(clock)
        """Adds up what the models are waited for without being at work."""
        self.turn = 0
        self.events: list[dict[str, JsonValue]] = []
        self.ending: Ending | None = None
        self.reason = ""
        """Why it was stopped."""
        self.broken: ToolgaugeError | None = None
        """What no other trial could do better either: a wrong key, a record without this request, a full disk."""
        self.on_stop: Callable[[], None] | None = None
        """Ends the agent."""

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that can be called."""
        return self._box.definitions if self._definitions is None else self._definitions

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far, in the order in which they were begun."""
        return tuple(self._calls)

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the beginning."""
        return max(0.0, (self._clock() - self._began) * 1000)

    @property
    def latency_ms(self) -> float:
        """Milliseconds since the beginning, without those in which a request waited to be made, or made again."""
        return max(0.0, self.elapsed_ms - self.waits.seconds * 1000)

    @property
    def usage(self) -> Usage | None:
        """What the models took together; None where none was asked. What one of them did not tell is not known."""
        if not self.turn:
            return None
        waited_ms = self.waits.seconds * 1000
        return Usage(
            self.turn, self._input_tokens, self._output_tokens, self._cost, self._cached_tokens or None, waited_ms
        )

    def begin(self) -> None:
        """Let times count from now on."""
        self._began = self._clock()

    def stop(self, ending: Ending, reason: str) -> None:
        """End the trial. Only the first reason counts."""
        if self.ending is None:
            self.ending, self.reason = ending, reason
            if self.on_stop is not None:
                self.on_stop()

    async def call(self, tool: str, args: Mapping[str, JsonValue] | None = NO_ARGUMENTS, *, id: str = "") -> ToolResult:  # noqa: A002
        """Call a tool. A failure is a result too.

        Args:
            tool: The name.
            args: The arguments; None says that what the model wrote is no JSON object.
            id: What the model calls the call.

        Raises:
            TrialStopped: The trial is over, or this call would go beyond its limits.
        """
        return await self._make(tool, args, id, None)

    async def _make(
        self, tool: str, args: Mapping[str, JsonValue] | None, mark: str, allowed: frozenset[str] | None
    ) -> ToolResult:
        self._check_tokens()
        self._check("calls", self._limits.calls, len(self._calls))
        index = len(self._calls)
        # A copy: what the tool does to its arguments is not what the model wrote.
        written, fault = plain_arguments(args) if args is not None else ({}, "")
        turn, started = self.turn or None, self.elapsed_ms
        # It stands in the record from the beginning, so that a call that is never done is there too.
        self._calls.append(Call(tool, written, mark or None, turn, self._round, None, STOPPED_CALL, started))
        try:
            if self._journal is not None:
                await self._journal({"kind": "call", "tool": tool, "args": written, "turn": turn})
            if allowed is not None and tool not in allowed and any(tool == one.name for one in self._box.definitions):
                called = _refused(f"the tool {tool!r} is not for this part of the work")
            elif fault:
                called = _refused(f"the arguments cannot be read: {fault}")
            else:
                called = await self._box.call(tool, _own(args))
        except ToolgaugeError as error:
            self.broken = error
            raise
        result = called.result
        kept = _copied(result.value)
        self._calls[index] = Call(
            tool, written, mark or None, turn, self._round, kept, result.error, started, called.duration_ms
        )
        if called.size is not None:
            self.events.append({"kind": "result_cut", "call": index, "bytes": called.size})
        if called.trace:
            self.events.append({"kind": "tool_trace", "call": index, "trace": called.trace})
        return result

    async def ask(self, model: Model, request: ModelRequest) -> ModelReply:
        """Ask a model.

        Raises:
            TrialStopped: The trial is over, or this turn would go beyond its limits.
            ModelError: The model did not answer.
        """
        self._check_tokens()
        self._check("turns", self._limits.turns, self.turn)
        self.turn += 1
        told: Usage | None = None
        try:
            reply = await model.ask(request)
            told = reply.usage
        except OutputError as error:
            self.broken = error
            raise
        except ModelError as error:
            if error.fatal or error.kind == NOT_RECORDED:
                self.broken = error
            raise
        finally:
            self._count(told)  # what a request took that got no reply, nobody knows
        if reply.cut:
            self.events.append({"kind": "reply_cut", "turn": self.turn})
        return reply

    def tell(self, kind: str, **what: JsonValue) -> None:
        """Record something that is neither a call nor an answer."""
        self.events.append({"kind": kind, **what})

    def note_once(self, kind: str, **what: JsonValue) -> None:
        """Record something that may be seen many times and is worth recording once."""
        event = {"kind": kind, **what}
        if event not in self.events:
            self.events.append(event)

    def stop_if_late(self) -> None:
        """End the trial if its time is over, where it keeps those from doing so who usually would."""
        seconds = self._limits.seconds
        if seconds is not None and self.elapsed_ms / 1000 > seconds:
            expire(self, seconds)

    def begin_round(self, number: int) -> None:
        """Calls from here on belong to this attempt."""
        self._round = number

    def only(self, names: Sequence[str]) -> Toolbox:
        """The same box with some of its tools."""
        return _Part(self, frozenset(names))

    def _check(self, name: str, limit: int | None, used: int) -> None:
        if self.ending is None and limit is not None and used >= limit:
            self.stop("limit", f"limit: {name} ({limit:,})")
        if self.ending is not None:
            raise TrialStopped(self.reason)

    def _check_tokens(self) -> None:
        self._check("tokens", self._limits.tokens, self._tokens)

    def _count(self, usage: Usage | None) -> None:
        if usage is None:
            self._input_tokens = self._output_tokens = self._cached_tokens = self._cost = None
            return
        self._tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0)
        self._input_tokens = _plus(self._input_tokens, usage.input_tokens)
        self._output_tokens = _plus(self._output_tokens, usage.output_tokens)
        self._cached_tokens = _plus(self._cached_tokens, usage.cached_tokens or 0)
        self.spent += usage.cost_usd or 0.0
        if self._cost is not None:
            self._cost = None if usage.cost_usd is None else self._cost + usage.cost_usd


def _refused(words: str) -> Called:
    return Called(ToolResult(None, words, f"Error: {words}"), 0.0)


def _own(args: Mapping[str, JsonValue] | None) -> dict[str, JsonValue] | None:
    """The arguments for the tool: what it does to them is seen by nobody else, the model that wrote them included."""
    return None if args is None else {name: copied(value) for name, value in args.items()}


def _copied(result: JsonValue) -> JsonValue:
    """The result for the record: the agent may do with its own what it likes."""
    if isinstance(result, (dict, list)):
        copied: JsonValue = msgspec.json.decode(msgspec.json.encode(result))
        return copied
    return result


def _plus(sum_so_far: int | None, more: int | None) -> int | None:
    return None if sum_so_far is None or more is None else sum_so_far + more


class _Part:
    """A box with some of the tools of another; the record is the same."""

    def __init__(self, whole: Trial, names: frozenset[str]) -> None:
        self._whole = whole
        self._names = names

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        return tuple(tool for tool in self._whole.definitions if tool.name in self._names)

    async def call(self, tool: str, args: Mapping[str, JsonValue] | None = NO_ARGUMENTS, *, id: str = "") -> ToolResult:  # noqa: A002
        return await self._whole._make(tool, args, id, self._names)

    async def ask(self, model: Model, request: ModelRequest) -> ModelReply:
        return await self._whole.ask(model, request)

    def tell(self, kind: str, **what: JsonValue) -> None:
        self._whole.tell(kind, **what)

    def begin_round(self, number: int) -> None:
        self._whole.begin_round(number)

    def only(self, names: Sequence[str]) -> Toolbox:
        return _Part(self._whole, self._names & frozenset(names))
