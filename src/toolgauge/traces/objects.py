"""Trajectories from what an agent has in memory: messages, items or results of whichever library it was written with.

No library is imported. Objects are taken for what they can do: those that know how to write themselves as plain values
do so, and for the rest their fields are read.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from enum import Enum
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, Trajectory
from toolgauge.errors import UsageError

from .context import ReadContext, ReadOptions
from .foreign import ForeignRecords
from .import_report import ImportReport
from .values import Record, dicts, items_of

__all__ = ["from_messages", "plain"]

MOST_DEPTH = 60
"""Objects that hold one another may go on for ever; deeper than this nothing is looked at."""

MOST_VALUES = 1_000_000
"""Nor are more values looked at than these: lists that hold themselves twice, and what is iterated, may have no end."""

WRITERS = ("model_dump", "to_dict", "dict", "_asdict")
"""How objects write themselves as plain values, in the order in which these are tried."""


def from_messages(
    messages: object,
    *,
    case: str = "",
    agent: str = "",
    report: ImportReport | None = None,
    known_tools: Collection[str] = (),
    error_patterns: Sequence[str] | None = None,
) -> Trajectory:
    """One trajectory out of messages, or out of a result that holds them, of any format that is known.

    Args:
        messages: A list of messages or items, a response, or the result of a run; plain values or a library's objects.
        case: Id of the case, in place of what the messages say.
        agent: Name of the agent, in place of what the messages say.
        report: Records what could not be used.
        known_tools: Names of tools; other ways of writing them are taken as these.
        error_patterns: Regular expressions that results of failed calls match; default: those for common messages.

    Raises:
        UsageError: These are no messages of a known format, or messages of several conversations.
    """
    options = ReadOptions(
        known_tools=known_tools, error_patterns=error_patterns, report=ImportReport() if report is None else report
    )
    records = ForeignRecords(ReadContext(options))
    value = _unwrapped(plain(messages))
    if not records.holds_records(value):
        what = "an empty list" if value == [] else f"a value of type {type(messages).__qualname__}"
        raise UsageError(
            f"{what} is not a list of messages in a known format; pass the messages as OpenAI, Anthropic, LangChain or "
            "pydantic-ai have them, or a Trajectory"
        )
    trajectories = list(chain.from_iterable(records.document(value)))
    if len(trajectories) != 1:
        raise UsageError(f"the messages contain {len(trajectories)} conversations, but one is needed")
    return replace(trajectories[0], case=case or trajectories[0].case, agent=agent or trajectories[0].agent)


def _unwrapped(value: JsonValue) -> JsonValue:
    """The messages of a list in which whole replies of a model stand among them, as agents keep what they got."""
    if not isinstance(value, list) or len(value) < 2:
        return value
    messages: list[JsonValue] = []
    for item in value:
        kind = item.get("object") if isinstance(item, dict) else None
        if isinstance(item, dict) and kind == "chat.completion":
            messages += [choice.get("message") for choice in dicts(item.get("choices"))][:1]
        elif isinstance(item, dict) and kind == "response":
            messages += items_of(item.get("output"))
        else:
            messages.append(item)
    return messages


def plain(value: object) -> JsonValue:
    """The value as JSON has it: objects become what they hold; what cannot be written becomes its text.

    Raises:
        UsageError: There is too much of it, or no end to it.
    """
    return _plain(value, MOST_DEPTH, [MOST_VALUES])


def _plain(value: object, depth: int, left: list[int]) -> JsonValue:
    left[0] -= 1
    if left[0] < 0:
        raise UsageError(f"the messages hold more than {MOST_VALUES:,} values, or have no end")
    if isinstance(value, Enum):
        return _plain(value.value, depth - 1, left)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if depth <= 0:
        return None
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _plain(item, depth - 1, left) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)) and not hasattr(value, "_asdict"):
        return [_plain(item, depth - 1, left) for item in value]
    return _plain_object(value, depth, left)


def _plain_object(value: object, depth: int, left: list[int]) -> JsonValue:
    for read in (_run_result, _run_item, _messages_of):
        found = read(value)
        if found is not None:
            return _plain(found, depth - 1, left)
    written = _written(value)
    if written is not None:
        return _plain(written, depth - 1, left)
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name), depth - 1, left) for name in value.__struct_fields__}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]
        return {name: _plain(getattr(value, name, None), depth - 1, left) for name in fields}
    if isinstance(value, Iterable) and not isinstance(value, type):
        return [_plain(item, depth - 1, left) for item in value]
    return str(value)


def _written(value: object) -> object | None:
    """What an object writes of itself, where it knows how to."""
    if isinstance(value, type):
        return None
    for name in WRITERS:
        write: Callable[..., Any] | None = getattr(value, name, None)
        if not callable(write):
            continue
        for options in ({"mode": "json"}, {}) if name == "model_dump" else ({},):
            try:
                found: object = write(**options)
            except Exception:  # noqa: BLE001, S112 - whatever the object's own code raises, the next way may work
                continue
            if isinstance(found, (Mapping, list)):
                return found
    return None


def _run_result(value: object) -> Record | None:
    """The result of a run of the OpenAI Agents SDK, without the agents themselves that it holds."""
    items, asked = getattr(value, "new_items", None), getattr(value, "input", None)
    if not isinstance(items, list) or not callable(getattr(value, "to_input_list", None)):
        return None
    usage = getattr(getattr(value, "context_wrapper", None), "usage", None)
    last: Any = getattr(value, "last_agent", None)
    return {
        "input": plain(asked),
        "new_items": plain(items),
        "final_output": plain(getattr(value, "final_output", None)),
        "last_agent": getattr(last, "name", None),
        "usage": plain(usage),
    }


def _run_item(value: object) -> Record | None:
    """An item of such a run: what it wraps, and the names of the agents that it knows."""
    kind, raw = getattr(value, "type", None), getattr(value, "raw_item", None)
    if not isinstance(kind, str) or raw is None:
        return None
    record: Record = {"type": kind, "raw_item": plain(raw)}
    for name in ("agent", "source_agent", "target_agent"):
        found = getattr(getattr(value, name, None), "name", None)
        if isinstance(found, str):
            record[name] = found
    return record


def _messages_of(value: object) -> object | None:
    """All messages of a result that has a method for them, as pydantic-ai's have."""
    read = getattr(value, "all_messages", None)
    if not callable(read) or isinstance(value, type):
        return None
    found: object = read()
    return found if isinstance(found, list) else None
