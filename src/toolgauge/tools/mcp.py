"""Tools of MCP servers, over standard input and output or over streamable HTTP (extra `mcp`)."""

from __future__ import annotations

import asyncio
import logging
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Self

from toolgauge.core import Annotations, JsonValue, ToolDefinition, own_task
from toolgauge.errors import PluginError, UsageError
from toolgauge.models import shown_address

from .mcp_process import McpProcess
from .mocks import ToolFailure
from .results import as_json

__all__ = ["McpServer", "McpTool"]

STARTING_SECONDS = 30.0
"""How long a server may take to start and to list its tools."""

ENDING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool of a server."""

    definition: ToolDefinition
    server: McpServer

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """The structured content of the result where there is one, else its text.

        Raises:
            ToolFailure: The server calls it an error.
        """
        try:
            result = await self.server.client.call_tool(self.definition.name, dict(args))
        except Exception as error:
            # Whatever a call of a server that is gone raises, the reason is that it is gone.
            if self.server.process is not None and (gone := await self.server.process.obituary()):
                raise ToolFailure(gone) from error
            raise
        if result.is_error:
            raise ToolFailure(_text(result.content) or "the server says that the call failed, but not why")
        if result.structured_content is not None:
            return as_json(result.structured_content)
        return _text(result.content)


class McpServer:
    """A server and its tools. Use it as an asynchronous context manager; its process ends with it.

    The connection lives in a task of its own, since the library wants it closed by whoever opened it.
    """

    def __init__(
        self,
        target: str | Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        remark: Callable[[str], None] | None = None,
    ) -> None:
        """Say where the server is.

        Args:
            target: The address of a server that speaks streamable HTTP, or the command that starts one, as one text
                or as a list of words.
            environment: Variables for the process of the server.
            remark: Takes what is worth a word, such as that it does not keep to the protocol.

        Raises:
            UsageError: The command is empty, or its quotation marks are not closed.
        """
        self.url = target if isinstance(target, str) and target.startswith(("http://", "https://")) else None
        self.command: list[str] = []
        if self.url is None:
            try:
                self.command = shlex.split(target) if isinstance(target, str) else list(target)
            except ValueError as error:
                program = str(target).split(maxsplit=1)[0]
                raise UsageError(f"the command of the MCP server {program!r} cannot be read: {error}") from error
            if not self.command:
                raise UsageError("the command of the MCP server is empty")
        self.environment = environment
        self._remark = remark
        self._noted: set[str] = set()
        self.tools: tuple[McpTool, ...] = ()
        self.client: Any = None
        self.process: McpProcess | None = None
        """Its process, where it is a command."""
        self._task: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    @property
    def name(self) -> str:
        """What the server is called in messages: its address or its program, without what may be a credential."""
        return self.command[0] if self.url is None else shown_address(self.url)

    def note(self, words: str) -> None:
        """Say something of the server, once."""
        if words not in self._noted:
            self._noted.add(words)
            if self._remark is not None:
                self._remark(words)

    async def __aenter__(self) -> Self:
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = own_task(self._serve(ready))
        try:
            async with asyncio.timeout(STARTING_SECONDS):
                await asyncio.shield(ready)
        except TimeoutError as error:
            await self._end()
            what = f"the MCP server {self.name!r} did not list its tools within {STARTING_SECONDS:g} s"
            said = "" if self.process is None else self.process.last_words().partition(";")[2]
            raise PluginError(f"{what};{said}" if said else what) from error
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def _serve(self, ready: asyncio.Future[None]) -> None:
        """Hold the connection open until nobody needs it any more."""
        _serving.set(self)
        _listen_to_library()
        try:
            self.process = None if self.url is not None else McpProcess(self.name)
            async with self._client() as client:
                self.client = client
                self.tools = await self._list(client)
                ready.set_result(None)
                await self._stop.wait()
        except Exception as error:  # noqa: BLE001 - of whatever kind, it means that there is no server
            if not ready.done():
                gone = "" if self.process is None else await self.process.obituary()
                reason = _innermost(error)
                what = f"the MCP server {self.name!r} cannot be used: {type(reason).__name__}: {reason}"
                ready.set_exception(PluginError(gone or what))
        finally:
            if self.process is not None:
                self.process.close()

    def _client(self) -> Any:
        try:
            from mcp import Client, StdioServerParameters
            from mcp.client.stdio import stdio_client
        except ImportError as error:
            raise PluginError("MCP servers need the extra 'mcp': pip install 'toolgauge[mcp]'") from error
        if self.url is not None:
            return Client(self.url)
        environment = dict(self.environment) if self.environment is not None else None
        parameters = StdioServerParameters(
            command=self.command[0], args=self.command[1:], env=environment, encoding_error_handler="replace"
        )
        assert self.process is not None  # noqa: S101 - there is one where there is a command
        return Client(self.process.watched(stdio_client(parameters, errlog=self.process.log)))

    async def _list(self, client: Any) -> tuple[McpTool, ...]:
        found: list[McpTool] = []
        cursor = None
        while True:
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                definition = ToolDefinition(
                    tool.name, tool.description or "", tool.input_schema, annotations=_annotations(tool.annotations)
                )
                found.append(McpTool(definition, self))
            cursor = page.next_cursor
            if not cursor:
                return tuple(found)

    async def _end(self) -> None:
        if self._task is None:
            return
        self._stop.set()
        _, late = await asyncio.wait((self._task,), timeout=ENDING_SECONDS)
        if late:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._task = None


_serving: ContextVar[McpServer | None] = ContextVar("toolgauge_mcp_server", default=None)
"""The server that the running task, and those that it started, are there for."""

MAX_LETTERS = 200


class _LibraryLog(logging.Handler):
    """Turns what the library logs into remarks. Without it, Python would print it between our messages.

    What it logs with an exception while it reads from a server is of a line that is no message of the protocol.
    """

    def emit(self, record: logging.LogRecord) -> None:
        if (server := _serving.get()) is None:
            return
        if record.exc_info and record.name == "mcp.client.stdio":
            server.note(
                f"the MCP server {server.name!r} writes to standard output something other than protocol messages, "
                "which is ignored"
            )
        else:
            said = (record.getMessage().splitlines() or [""])[0]
            server.note(f"the MCP server {server.name!r}: {said[:MAX_LETTERS]}")


def _listen_to_library() -> None:
    log = logging.getLogger("mcp")
    if not any(isinstance(handler, _LibraryLog) for handler in log.handlers):
        log.addHandler(_LibraryLog(logging.WARNING))


def _annotations(said: Any) -> Annotations | None:
    """What a server says of what a tool does; None: nothing."""
    if said is None or (said.read_only_hint is None and said.destructive_hint is None):
        return None
    return Annotations(said.read_only_hint, said.destructive_hint)


def _text(content: Sequence[Any]) -> str:
    parts = [part.text if getattr(part, "type", "") == "text" else f"[{part.type}]" for part in content]
    return "\n".join(parts)


def _innermost(error: BaseException) -> BaseException:
    """What is behind a group of exceptions with one member."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
