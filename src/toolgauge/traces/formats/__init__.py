"""Readers for what other tools record, one module per source.

A reader looks at one record at a time, a line of JSONL or an item of a list, and gives the trajectories that it
completes. Nothing in here imports a framework: records are plain JSON values.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from toolgauge.core import JsonValue, Trajectory

    from ..context import ReadContext

__all__ = ["BUILT_IN", "Reader", "built_in", "name_of"]


class Reader(Protocol):
    """Reads the records of one source. A reader is made for each file, with `Reader(context)`.

    It may be a `FastReader` as well.
    """

    title: ClassVar[str]
    """What a person calls these records: `OpenAI chat messages`."""

    def __init__(self, context: ReadContext) -> None: ...

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Whether a record, or a whole document, is of this source. Looks at few keys, and never raises."""

    def read(self, value: JsonValue) -> Iterable[Trajectory]:
        """The trajectories that this record completes: one, several, or none yet. Never raises on any JSON value."""

    def finish(self) -> Iterable[Trajectory]:
        """The trajectories that were waiting for more records."""


BUILT_IN = {
    "openinference": "spans.readers:OpenInferenceReader",
    "otel": "spans.readers:OtelReader",
    "inspect": "inspect_log:InspectReader",
    "scout": "scout:ScoutReader",
    "mcp": "mcp:McpReader",
    "tau-bench": "tau:TauReader",
    "swe-agent": "swe_agent:SweAgentReader",
    "api-bank": "api_bank:ApiBankReader",
    "xlam": "xlam:XlamReader",
    "langsmith": "langsmith:LangSmithReader",
    "langfuse": "langfuse:LangfuseReader",
    "langchain": "langchain:LangchainReader",
    "pydantic-ai": "pydantic_ai:PydanticAIReader",
    "openhands": "openhands:OpenHandsReader",
    "atif": "atif:AtifReader",
    "smolagents": "smolagents:SmolagentsReader",
    "ag2": "ag2:Ag2Reader",
    "autogen": "autogen:AutogenReader",
    "llama-index": "llama_index:LlamaIndexReader",
    "gemini-cli": "gemini_cli:GeminiCliReader",
    "adk": "adk:AdkReader",
    "gemini": "gemini:GeminiReader",
    "vercel": "vercel:VercelReader",
    "bfcl": "bfcl:BfclReader",
    "openai-agents": "openai_agents:OpenAIAgentsReader",
    "openai-assistants": "openai_assistants:OpenAIAssistantsReader",
    "openai-responses": "openai_responses:OpenAIResponsesReader",
    "anthropic": "anthropic:AnthropicReader",
    "bedrock": "bedrock:BedrockReader",
    "cohere": "cohere:CohereReader",
    "openai-chat": "openai_chat:OpenAIChatReader",
}
"""The readers by the name that `--input-format` takes, those with the clearest marks first."""


def built_in(name: str) -> type[Reader]:
    """A reader that comes with toolgauge."""
    module, _, attribute = BUILT_IN[name].partition(":")
    found: type[Reader] = getattr(import_module(f".{module}", __name__), attribute)
    return found


def name_of(kind: type[object]) -> str | None:
    """The name of a reader that comes with toolgauge; None for one of another package."""
    place = f"{kind.__module__}:{kind.__qualname__}".removeprefix(f"{__name__}.")
    return next((name for name, known in BUILT_IN.items() if known == place), None)
