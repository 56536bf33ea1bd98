"""What to change about a pattern: which tool and argument, and what the definitions and the questions say about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from difflib import get_close_matches

from toolgauge.core import ISSUE_TYPES, Advice, AdviceKind, JsonValue, Suite, ToolDefinition

from .patterns import MAX_EXAMPLES, PatternCounts, PatternKey
from .phrases import telling_phrases

__all__ = ["Adviser"]

MAX_DETAIL = 400
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

    def advise(self, key: PatternKey, found: PatternCounts) -> Advice:
        """What to change about a pattern: the advice of its kind of issue, with what is known about it."""
        kind = ISSUE_TYPES[key.kind].advice
        match kind:
            case "add_triggers":
                return self._about_choice(key, found)
            case "rename_tool":
                return Advice(kind, key.tool, other=key.other or self._nearest(key.tool or ""))
            case "fence_tool" | "state_order":
                return Advice(kind, key.tool, other=key.other, described=self._described(key.tool))
            case "stop_calling":
                if found.toolless * 2 > found.trajectories:
                    return Advice("answer_without", key.tool, phrases=self._phrases(found, self._toolless()))
                return Advice(kind, key.tool)
            case "set_budget" | "speed_up":
                return Advice(kind, key.tool, examples=found.wanted[:1])
            case "retry_tool" | "recover_tool" | "fix_schema":
                return Advice(kind, key.tool, key.argument, detail=found.said[:MAX_DETAIL])
            case "mend_agent":
                exhausted = key.state in ("timeout", "limit")
                return Advice("raise_limits" if exhausted else kind, detail=found.said[:MAX_DETAIL])
            case "state_content":
                return Advice(kind, examples=found.wanted)
            case "leave_out_argument":
                return Advice(kind, key.tool, key.argument, described=self._argument_described(key))
            case "describe_argument" | "require_argument":
                return self._about_argument(kind, key, found)
            case _:
                return Advice(kind, key.tool, key.argument)

    def _about_choice(self, key: PatternKey, found: PatternCounts) -> Advice:
        phrases = self._phrases(found, self._users.get(key.tool or "", set()))
        kind: AdviceKind = "add_triggers" if key.other is None else "tell_apart"
        return Advice(kind, key.tool, other=key.other, phrases=phrases, described=self._described(key.tool))

    def _about_argument(self, kind: AdviceKind, key: PatternKey, found: PatternCounts) -> Advice:
        schema = self._schema(key.tool)
        if kind == "require_argument" and (schema is None or key.argument in _required(schema)):
            kind = "describe_argument"
        examples = _single_values(found.wanted)
        return Advice(kind, key.tool, key.argument, examples=examples, described=self._argument_described(key))

    def _phrases(self, found: PatternCounts, alike: Set[str]) -> tuple[str, ...]:
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

    def _argument_described(self, key: PatternKey) -> bool | None:
        """Whether the schema of a tool says what an argument is, in words or by the values it may have."""
        schema = self._schema(key.tool)
        if schema is None:
            return None
        properties = schema.get("properties")
        about = properties.get(key.argument or "") if isinstance(properties, dict) else None
        return isinstance(about, dict) and any(about.get(name) for name in ("description", "enum", "examples", "const"))


def _single_values(wanted: Iterable[JsonValue]) -> tuple[JsonValue, ...]:
    """Values that were asked for; where one of several would do, these."""
    values: list[JsonValue] = []
    for value in wanted:
        choices = value.get("$one_of") if isinstance(value, dict) else None
        values += choices if isinstance(choices, list) else [value]
    return tuple(values[:MAX_EXAMPLES])


def _required(schema: Mapping[str, JsonValue]) -> list[JsonValue]:
    required = schema.get("required")
    return required if isinstance(required, list) else []
