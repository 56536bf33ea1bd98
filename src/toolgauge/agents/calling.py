"""Calling what is evaluated, be it `async` or not.

A function that is not runs in a thread and gets a box of tools whose methods wait for the result.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeVar, cast

from toolgauge.core import (
    Agent,
    Case,
    JsonValue,
    Model,
    ModelReply,
    ModelRequest,
    Replied,
    Toolbox,
    ToolDefinition,
    ToolResult,
    described,
)

__all__ = ["BlockingToolbox", "call_agent", "in_thread"]

T = TypeVar("T")

NO_ARGUMENTS: Mapping[str, JsonValue] = {}


class BlockingToolbox:
    """A box of tools for code that cannot wait with `await`: calls return when they are done.

    In the thread of the event loop, where nothing may block, the same methods return what can be awaited. So a plain
    function that only hands over to an `async` one works too.
    """

    def __init__(self, tools: Toolbox, loop: asyncio.AbstractEventLoop, thread: int) -> None:
        self._tools = tools
        self._loop = loop
        self._thread = thread

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that can be called."""
        return self._tools.definitions

    def call(self, tool: str, args: Mapping[str, JsonValue] | None = NO_ARGUMENTS, *, id: str = "") -> ToolResult:  # noqa: A002
        """Call a tool, and wait for the result."""
        return self._wait(self._tools.call(tool, args, id=id))

    def ask(self, model: Model, request: ModelRequest) -> ModelReply:
        """Ask a model, and wait for the reply."""
        return self._wait(self._tools.ask(model, request))

    def tell(self, kind: str, **what: JsonValue) -> None:
        """Record something that is neither a call nor an answer."""
        self._tools.tell(kind, **what)

    def begin_round(self, number: int) -> None:
        """Calls from here on belong to this attempt."""
        self._tools.begin_round(number)

    def only(self, names: Sequence[str]) -> BlockingToolbox:
        """The same box with some of its tools."""
        return BlockingToolbox(self._tools.only(names), self._loop, self._thread)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if threading.get_ident() == self._thread:
            return cast(T, work)  # to be awaited
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def call_agent(agent: Agent, case: Case, tools: Toolbox) -> Replied:
    """What the agent returns."""
    if is_async(agent):
        return await cast(Awaitable[Replied], agent(case, tools))
    blocking = BlockingToolbox(tools, asyncio.get_running_loop(), threading.get_ident())
    replied = await in_thread(partial(agent, case, cast(Toolbox, blocking)))
    return await replied if inspect.isawaitable(replied) else replied


async def in_thread(work: Callable[[], T]) -> T:
    """Do something that blocks in a thread, and wait for it. When the wait is cancelled, the thread is left to itself.

    The pools of the standard library are small, and wait for their threads when the program ends; an agent that hangs
    would hold up the others, and then the end.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: BaseException | None) -> None:
        if ended.done():
            return
        if error is None:
            ended.set_result(value)  # type: ignore[arg-type]  # a value wherever there is no error
        else:
            ended.set_exception(error)

    def run() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = work()
        except StopIteration as raised:
            error = RuntimeError(described(raised))  # a future cannot carry that one
        except Exception as raised:  # noqa: BLE001 - whoever waits gets it
            error = raised
        except BaseException as raised:  # noqa: BLE001 - ends the thread, and nothing else
            error = RuntimeError(described(raised))
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    threading.Thread(target=run, name="toolgauge agent", daemon=True).start()
    return await ended


def is_async(agent: object) -> bool:
    """Whether calling it gives something to wait for, as far as can be seen from outside."""
    while isinstance(agent, partial):
        agent = agent.func
    # What the type says is remembered; a plain function has to be looked at.
    return _is_called_async(cast(Hashable, type(agent))) or inspect.iscoroutinefunction(agent)


@cache
def _is_called_async(kind: Hashable) -> bool:
    """Whether the objects of a type are called with `await`."""
    return inspect.iscoroutinefunction(getattr(kind, "__call__", None))  # noqa: B004 - it is looked at, not called
