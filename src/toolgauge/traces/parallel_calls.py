"""Calls that stand in another one: `multi_tool_use.parallel`, by which some models of OpenAI ask for several at once.

It is no tool. Some clients record it beside the calls that they take out of it, some by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import JsonValue

from .made_calls import MadeCall
from .values import dicts, items_of, record_of, structured, text

__all__ = ["PARALLEL", "WrappedCalls", "inner_calls"]

PARALLEL = frozenset({"multi_tool_use.parallel", "multi_tool_use_parallel", "multi_tool_use"})


def inner_calls(tool: str, arguments: JsonValue) -> list[tuple[str, JsonValue]]:
    """The names and the arguments of the calls that stand in one; empty where it is a call as any other."""
    if tool not in PARALLEL:
        return []
    return [
        (name, use.get("parameters", use.get("arguments")))
        for use in dicts(record_of(structured(arguments)).get("tool_uses"))
        if (name := text(use.get("recipient_name")) or text(use.get("name")))
    ]


class WrappedCalls:
    """The calls of one trajectory that stand in others."""

    def __init__(self) -> None:
        """There are none yet."""
        self.by_key: dict[str, list[MadeCall]] = {}
        """Calls by the id of the one that they stood in."""

    def __bool__(self) -> bool:
        return bool(self.by_key)

    def add(self, key: str | None, inside: list[MadeCall], calls: list[MadeCall]) -> None:
        """Add to the calls of the trajectory what stands in another one, but for those that are there already."""
        added = self.by_key.setdefault(key or "", [])
        known = [call for call in calls if inside and call.turn == inside[0].turn]
        for made in inside:
            same = next((call for call in known if call.tool == made.tool and call.args == made.args), None)
            if same is None:
                made.wrapped = True
                calls.append(made)
                added.append(made)
            else:
                known.remove(same)

    def known_as(self, made: MadeCall, calls: list[MadeCall]) -> MadeCall | None:
        """The call that was added when it stood in another one, with its own id from now on; None: it is a new one."""
        for call in calls:
            if call.wrapped and call.turn == made.turn and call.tool == made.tool and call.args == made.args:
                call.wrapped, call.id = False, made.id
                return call
        return None

    def results(self, key: str, value: JsonValue) -> Iterator[tuple[MadeCall, JsonValue]]:
        """The calls that stood in one and have no result yet, each with its part of the result of that one.

        The parts are those of a list with as many, else each gets the whole.
        """
        inside = self.by_key[key]
        listed = items_of(structured(value))
        parts = listed if len(listed) == len(inside) else [value] * len(inside)
        yield from ((made, each) for made, each in zip(inside, parts, strict=True) if not made.answered)
