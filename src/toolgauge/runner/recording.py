"""Calls of tools that are recorded together with what models say, or that come from such a record."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from toolgauge.core import JsonValue, ToolDefinition
from toolgauge.errors import UsageError
from toolgauge.models import Cassette, tool_request
from toolgauge.tools import Box, Called, McpServer

__all__ = ["AbsentTool", "RecordedBox", "list_tools"]


@dataclass(frozen=True, slots=True)
class AbsentTool:
    """A tool that a record answers for; nothing stands behind it."""

    definition: ToolDefinition

    async def call(self, _: Mapping[str, JsonValue]) -> JsonValue:
        """It cannot be called.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"{self.definition.name!r} is known from a record only and cannot be called")


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
