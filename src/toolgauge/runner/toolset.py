"""The tools of a run: those that Python code or a server brings, and mocks of what the suite defines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import msgspec

from toolgauge.core import JsonValue, Suite, Tool, ToolDefinition
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.models import Cassette, tool_request
from toolgauge.tools import Box, BoxLimits, Called, McpServer, from_definition

from .trial import Caller

__all__ = ["RunTools", "check_expected", "gather_tools"]

MAX_NAMED = 5


@dataclass(slots=True)
class RunTools:
    """The tools of a run, and what stands behind each."""

    box: Box
    kinds: dict[str, str] = field(default_factory=dict)
    """By name: `mock`, `mcp`, or the type of the tool."""

    def caller(self, cassette: Cassette | None) -> Caller:
        """What trials call tools through."""
        if cassette is None:
            return self.box
        return RecordedBox(self.box, cassette, self.mocks)

    @property
    def mocks(self) -> frozenset[str]:
        """Tools that only answer, and change nothing."""
        return frozenset(name for name, kind in self.kinds.items() if kind == "mock")

    @property
    def echoes(self) -> list[str]:
        """Mocks that repeat their arguments, since the suite gives no results for them."""
        return [tool.name for tool in self.box.definitions if tool.name in self.mocks and not tool.results]


async def gather_tools(
    suite: Suite,
    given: Sequence[Tool],
    servers: Sequence[McpServer],
    stack: AsyncExitStack,
    *,
    mock: bool = False,
    limits: BoxLimits | None = None,
    cassette: Cassette | None = None,
) -> RunTools:
    """Bring together what agents may call.

    Where nothing is given, the tools that the suite defines are mocks. Where something is, it has to bring all tools
    that agents are to have, unless mocks are wanted for the rest.

    Args:
        suite: The suite, with the definitions of tools.
        given: Tools with code.
        servers: MCP servers, which are started.
        stack: Ends them.
        mock: Whether tools of the suite that nobody brings become mocks.
        limits: What a single call may take.
        cassette: Where calls are recorded, or come from; then no server is started.

    Raises:
        UsageError: Two tools have one name.
        PluginError: A server cannot be used.
    """
    tools: dict[str, Tool] = {}
    kinds: dict[str, str] = {}

    def add(tool: Tool, kind: str) -> None:
        name = tool.definition.name
        if name in tools:
            raise UsageError(f"there are two tools called {name!r}; leave one of them out")
        tools[name], kinds[name] = tool, kind

    for tool in given:
        add(tool, type(tool).__name__)
    for server in servers:
        if cassette is None or not cassette.replays:
            await stack.enter_async_context(server)
        definitions = await list_tools(server, cassette) if cassette is not None else ()
        for found in server.tools or map(AbsentTool, definitions):
            add(found, "mcp")
    if mock or not tools:
        for definition in suite.tools:
            if definition.name not in tools:
                add(from_definition(definition), "mock")
    return RunTools(Box(tools.values(), limits=limits), kinds)


def check_expected(suite: Suite, tools: RunTools) -> None:
    """Make sure that what cases expect can be done, before any model is asked.

    Raises:
        UsageError: A case expects a tool that is not there.
    """
    names = [tool.name for tool in tools.box.definitions]
    missing: dict[str, str] = {}
    for case in suite.cases:
        plans = [[call.tool for call in plan.calls if not call.optional] for plan in case.expect.plans]
        if plans and all(any(tool not in names for tool in plan) for plan in plans):
            for tool in plans[0]:
                if tool not in names:
                    missing.setdefault(tool, case.id)
    if missing:
        lines = [
            f"case {case!r} expects the tool {tool!r}, which agents do not get; {did_you_mean(tool, names)}".rstrip(
                "; "
            )
            for tool, case in list(missing.items())[:MAX_NAMED]
        ]
        if len(missing) > MAX_NAMED:
            lines[-1] += f"; and {len(missing) - MAX_NAMED} more"
        raise UsageError("\n".join(lines))


@dataclass(frozen=True, slots=True)
class AbsentTool:
    """A tool that a record answers for; nothing stands behind it."""

    definition: ToolDefinition

    async def call(self, _: Mapping[str, JsonValue]) -> JsonValue:
        """It cannot be called.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"{self.definition.name!r} is known only from a recording and cannot be called")


class RecordedBox:
    """A box whose calls are recorded, or answered from the record. Mocks need no record, and refusals neither."""

    def __init__(self, box: Box, cassette: Cassette, unrecorded: Collection[str]) -> None:
        self._box = box
        self._cassette = cassette
        self._recorded = {tool.name: tool for tool in box.definitions if tool.name not in unrecorded}

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """All tools."""
        return self._box.definitions

    async def call(self, name: str, args: Mapping[str, JsonValue] | None) -> Called:
        """Call a tool, or find the call in the record.

        Raises:
            ModelError: The record does not hold it.
            OutputError: It could not be recorded.
        """
        definition = self._recorded.get(name)
        if definition is None or args is None:
            return await self._box.call(name, args)

        async def make() -> JsonValue:
            answer: JsonValue = msgspec.to_builtins(await self._box.call(name, args))
            return answer

        answer = await self._cassette.exchange("tool", tool_request(definition, args), make)
        return msgspec.convert(answer, Called)


async def list_tools(server: McpServer, cassette: Cassette) -> Sequence[ToolDefinition]:
    """The tools of a server, which are recorded too, so that a replay does without the server."""

    async def ask() -> JsonValue:
        answer: JsonValue = msgspec.to_builtins([tool.definition for tool in server.tools])
        return answer

    answer = await cassette.exchange("tool", {"tool": server.name, "asked": "its tools"}, ask)
    return msgspec.convert(answer, list[ToolDefinition])
