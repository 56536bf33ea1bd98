"""Looking into records of which nothing is certain: any value may be missing, or of another type than it should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

import msgspec

from toolgauge.core import JsonValue

__all__ = [
    "Record",
    "amount",
    "at",
    "case_of",
    "dicts",
    "items_of",
    "milliseconds",
    "record_of",
    "structured",
    "text",
    "texts",
]

Record = dict[str, JsonValue]

CASE_KEYS = (
    "case",
    "case_id",
    "caseId",
    "test_case_id",
    "test_case",
    "test_id",
    "task_id",
    "sample_id",
    "example_id",
    "question_id",
    "custom_id",
    "id",
)
"""Where recorders write which case a record is of, the clearest first. An id that is no case's does no harm."""


def at(value: JsonValue, *path: str) -> JsonValue:
    """What stands at a path of keys; None where it leads nowhere."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def record_of(value: JsonValue) -> Record:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items_of(value: JsonValue) -> list[JsonValue]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def dicts(value: JsonValue) -> Iterator[Record]:
    """The objects in a list; nothing where it is none."""
    for item in items_of(value):
        if isinstance(item, dict):
            yield item


def text(value: JsonValue) -> str | None:
    """The value if it is a text that is not empty."""
    return value if isinstance(value, str) and value else None


def texts(content: JsonValue) -> str | None:
    """The text of a message: a string, or the text parts of a list, which vendors spell in several ways."""
    if isinstance(content, str):
        return content or None
    if isinstance(content, dict):
        content = [content]
    found = []
    for part in items_of(content):
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, dict) and part.get("type") not in ("thinking", "reasoning", "redacted_thinking"):
            # Some kinds of parts hold an object under `text`, with the text as its value.
            inner = part.get("text")
            inner = at(inner, "value") if isinstance(inner, dict) else inner
            if isinstance(inner, str):
                found.append(inner)
    return "\n".join(part for part in found if part) or None


def structured(value: JsonValue) -> JsonValue:
    """The value, or what a text holds that is a JSON object or list, as tools mostly answer."""
    if not isinstance(value, str) or not value or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        decoded: JsonValue = msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return value
    return decoded


def amount(value: JsonValue) -> int | None:
    """The value if it can be a number of tokens."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10**15:
        return None
    return int(value)


def milliseconds(value: JsonValue) -> float | None:
    """A moment, written as ISO 8601 or as seconds since 1970, in milliseconds."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp() * 1000
        except (ValueError, OverflowError, OSError):
            return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**11:
        return value * 1000.0
    return None


def case_of(*holders: JsonValue) -> str:
    """The id of the case that a record is of, from the record or its metadata; empty where none says it."""
    for key in CASE_KEYS:
        for holder in holders:
            found = holder.get(key) if isinstance(holder, Mapping) else None
            if isinstance(found, str) and found:
                return found
            if isinstance(found, int) and not isinstance(found, bool):
                return str(found)
    return ""
