"""What to change about a pattern: which tool and argument, and what the definitions and the questions say about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from difflib import get_close_matches

from toolgauge.core import Advice, AdviceKind, JsonValue, Suite, ToolDefinition

from .gather import MOST_EXAMPLES, Found
from .phrases import telling_phrases
from .signs import Key

__all__ = ["Adviser"]

MOST_DETAIL = 400
"""How many characters of a message are passed on."""


class Adviser:
    """Recommends changes to an agent's tools and instructions."""

    def __init__(self, suite: Suite) -> None:
        self._tools = {tool.name: tool for tool in suite.tools}
        self._inputs = {case.id: case.input for case in suite.cases}
        self._users: dict[str, set[str]] = {}
        """By tool the cases that expect it."""
        for case in suite.cases:
            for plan in case.expect.plans:
                for call in plan.calls:
                    self._users.setdefault(call.tool, set()).add(case.id)

    def advise(self, key: Key, found: Found) -> Advice:
        """What to change about a pattern."""
        match key.kind:
            case "missing_call":
                return self._about_choice(key, found)
            case "unknown_tool":
                return Advice("rename_tool", key.tool, other=key.other or self._nearest(key.tool or ""))
            case "forbidden_tool":
                return Advice("fence_tool", key.tool, other=key.other, described=self._described(key.tool))
            case "wrong_order":
                return Advice("state_order", key.tool, other=key.other, described=self._described(key.tool))
            case "unexpected_call":
                needless = found.toolless * 2 > found.trajectories
                kind: AdviceKind = "answer_without" if needless else "stop_calling"
                return Advice(kind, key.tool, phrases=self._phrases(found, self._toolless()) if needless else ())
            case "duplicate_call":
                return Advice("break_loop", key.tool)
            case "too_many_calls":
                return Advice("set_budget", key.tool, examples=found.wanted[:1])
            case "tool_error" | "unrecovered_error":
                kind = "retry_tool" if key.kind == "tool_error" else "recover_tool"
                return Advice(kind, key.tool, detail=found.said[:MOST_DETAIL])
            case "agent_error":
                kind = "raise_limits" if key.state in ("timeout", "limit") else "mend_agent"
                return Advice(kind, detail=found.said[:MOST_DETAIL])
            case "over_latency":
                return Advice("speed_up", key.tool, examples=found.wanted[:1])
            case "missing_content":
                return Advice("state_content", examples=found.wanted)
            case "wrong_answer":
                return Advice("mend_answer")
            case _:
                return self._about_argument(key, found)

    def _about_choice(self, key: Key, found: Found) -> Advice:
        phrases = self._phrases(found, self._users.get(key.tool or "", set()))
        kind: AdviceKind = "add_triggers" if key.other is None else "tell_apart"
        return Advice(kind, key.tool, other=key.other, phrases=phrases, described=self._described(key.tool))

    def _about_argument(self, key: Key, found: Found) -> Advice:
        schema = self._schema(key.tool)
        described = None if schema is None else self._describes(schema, key.argument)
        examples = _single_values(found.wanted)
        match key.kind:
            case "forbidden_arg":
                return Advice("leave_out_argument", key.tool, key.argument, described=described)
            case "schema_error":
                return Advice("fix_schema", key.tool, key.argument, detail=found.said[:MOST_DETAIL])
            case "ungrounded_arg":
                return Advice("ground_argument", key.tool, key.argument)
            case "missing_arg" if schema is not None and key.argument not in _required(schema):
                return Advice("require_argument", key.tool, key.argument, examples=examples, described=described)
            case _:
                return Advice("describe_argument", key.tool, key.argument, examples=examples, described=described)

    def _phrases(self, found: Found, alike: Set[str]) -> tuple[str, ...]:
        """What tells the questions it went wrong in from others, but for those that ask for the same."""
        inside = [self._inputs[case] for case in found.cases if self._inputs.get(case)]
        outside = [text for case, text in self._inputs.items() if case not in alike and case not in found.cases]
        return telling_phrases(inside, outside)

    def _toolless(self) -> Set[str]:
        """The cases that expect no call."""
        return self._inputs.keys() - set().union(*self._users.values())

    def _nearest(self, tool: str) -> str | None:
        return next(iter(get_close_matches(tool, list(self._tools), n=1, cutoff=0.5)), None)

    def _described(self, tool: str | None) -> bool | None:
        definition = self._tools.get(tool or "")
        return None if definition is None else bool(definition.description.strip())

    def _schema(self, tool: str | None) -> Mapping[str, JsonValue] | None:
        definition: ToolDefinition | None = self._tools.get(tool or "")
        return None if definition is None else definition.parameters

    def _describes(self, schema: Mapping[str, JsonValue], argument: str | None) -> bool:
        """Whether a schema says what an argument is: in words, or by the values it may have."""
        properties = schema.get("properties")
        about = properties.get(argument or "") if isinstance(properties, dict) else None
        return isinstance(about, dict) and any(about.get(name) for name in ("description", "enum", "examples", "const"))


def _single_values(wanted: Iterable[JsonValue]) -> tuple[JsonValue, ...]:
    """Values that were asked for; where one of several would do, these."""
    values: list[JsonValue] = []
    for value in wanted:
        choices = value.get("$one_of") if isinstance(value, dict) else None
        values += choices if isinstance(choices, list) else [value]
    return tuple(values[:MOST_EXAMPLES])


def _required(schema: Mapping[str, JsonValue]) -> list[JsonValue]:
    required = schema.get("required")
    return required if isinstance(required, list) else []
