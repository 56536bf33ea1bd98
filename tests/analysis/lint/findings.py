"""Short ways of linting in tests."""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.analysis.lint import lint
from toolgauge.core import Case, Finding, JsonValue, Run, Suite, ToolDefinition

__all__ = ["WEATHER", "kinds", "of", "tool"]


def tool(name: str, *, required: Sequence[str] = (), closed: bool = False, **properties: JsonValue) -> ToolDefinition:
    """A tool with a schema of its arguments."""
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties, "required": list(required)}
    if closed:
        schema["additionalProperties"] = False
    return ToolDefinition(name, parameters=schema)


WEATHER = tool(
    "get_weather",
    required=["city"],
    closed=True,
    city={"type": "string"},
    units={"type": "string", "enum": ["celsius", "fahrenheit"]},
    days={"type": "integer", "minimum": 1, "maximum": 7},
)


def of(kind: str, *cases: Case, tools: Sequence[ToolDefinition] = (), runs: Sequence[Run] = ()) -> list[Finding]:
    """The findings of one kind in a suite of these cases."""
    return [finding for finding in lint(Suite("s", cases, tuple(tools)), runs) if finding.kind == kind]


def kinds(*cases: Case, tools: Sequence[ToolDefinition] = ()) -> list[str]:
    """The kinds of all findings."""
    return [finding.kind for finding in lint(Suite("s", cases, tuple(tools)))]
