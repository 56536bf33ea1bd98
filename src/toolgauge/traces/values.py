"""Looking into records that may hold anything: any value may be missing, or of another type than it should be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache

import msgspec

from toolgauge.core import JsonValue
from toolgauge.files import MOST_DEPTH, holds_key_twice

__all__ = [
    "CASE_KEYS",
    "DEEPEST",
    "OPENING",
    "TRIAL_KEYS",
    "Record",
    "amount",
    "at",
    "case_of",
    "decoded_object",
    "dicts",
    "either",
    "is_deep",
    "items_of",
    "keyword_arguments",
    "list_at",
    "milliseconds",
    "record_of",
    "repeats",
    "structured",
    "text",
    "texts",
    "trial_of",
]

Record = dict[str, JsonValue]

LONGEST_LOOKED_AT = 1 << 20
"""Records of more bytes are not looked through for keys that are there twice."""

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

TRIAL_KEYS = ("trial", "trial_id", "trial_number", "trial_index")
"""Where recorders write which repetition of a case a record is."""

CASE_WORDS = frozenset(CASE_KEYS)
OPENING = frozenset("{[")

UNITS = ((10**11, 1e3), (10**14, 1.0), (10**17, 1e-3))
"""Limits, and how many milliseconds the unit of a timestamp below the limit has."""

DEEPEST = MOST_DEPTH - 10
"""How deep a text may be nested that is taken as JSON: it becomes a part of a trajectory, which adds some levels."""


def at(value: JsonValue, *path: str) -> JsonValue:
    """What stands at a path of keys; None where it leads nowhere."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def either(record: Record, key: str) -> JsonValue:
    """What a key holds that may be written in camel case, as it is given here, or in snake case."""
    found = record.get(key)
    return found if found is not None else record.get(_snake_case(key))


@cache
def _snake_case(key: str) -> str:
    return re.sub("([A-Z])", r"_\1", key).lower()


def list_at(value: JsonValue, *paths: tuple[str, ...]) -> list[JsonValue]:
    """The list at the first of these paths that leads to one, else an empty one."""
    for path in paths:
        found = at(value, *path)
        if isinstance(found, list):
            return found
    return []


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
    if not isinstance(value, str) or not value:
        return value
    if value[0] not in OPENING and (not value[0].isspace() or value.lstrip()[:1] not in ("{", "[")):
        return value
    try:
        decoded: JsonValue = msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return value
    return value if is_deep(value, decoded) else decoded


def is_deep(written: str, value: JsonValue) -> bool:
    """Whether a value is nested so deep that a trajectory with it could not be read again."""
    if len(written) <= DEEPEST or written.count("[") + written.count("{") <= DEEPEST:
        return False
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for holder in level
            if isinstance(holder, (dict, list))
            for inner in (holder.values() if isinstance(holder, dict) else holder)
        ]
        if not level:
            return False
    return True


FUNCTION_KEYS = frozenset({"args", "kwargs", "sanitize_inputs_outputs"})
"""What decorators, LlamaIndex and smolagents record of the call of a function."""


def keyword_arguments(holder: Record) -> Record | None:
    """The arguments in the record of a call, `{"args": [], "kwargs": {}}`; None where it is no such record."""
    given = holder.get("kwargs")
    if not isinstance(given, dict) or not FUNCTION_KEYS.issuperset(holder):
        return None
    return {**given, "args": holder["args"]} if holder.get("args") else given


def amount(value: JsonValue) -> int | None:
    """The value if it can be a number of tokens."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10**15:
        return None
    return int(value)


def milliseconds(value: JsonValue) -> float | None:
    """A moment in milliseconds, from ISO 8601, or from seconds, milli-, micro- or nanoseconds since 1970."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp() * 1000
        except (ValueError, OverflowError, OSError):
            return None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 10**20:
        # Seconds have ten digits until the year 2286, and each finer unit three more.
        scale = next((scale for limit, scale in UNITS if value < limit), 1e-6)
        return value * scale
    return None


def case_of(*holders: JsonValue, own_ids: bool = True) -> str:
    """The id of the case that a record is of, from the record or its metadata; empty where none says it.

    Args:
        holders: The record, its metadata, and whatever else may say it.
        own_ids: Whether the record's own `id` will do where nothing clearer is said.
    """
    telling = [holder for holder in holders if isinstance(holder, dict) and not CASE_WORDS.isdisjoint(holder)]
    if not telling:
        return ""
    for key in CASE_KEYS if own_ids else CASE_KEYS[:-1]:
        for holder in telling:
            found = holder.get(key)
            if isinstance(found, str) and found:
                return found
            if isinstance(found, int) and not isinstance(found, bool):
                return str(found)
    return ""


def trial_of(*holders: JsonValue) -> int | None:
    """Which repetition of its case a record is, from the record or its metadata; None where neither says it."""
    for holder in holders:
        for key in TRIAL_KEYS:
            found = at(holder, key)
            if isinstance(found, str) and found.isdecimal() and len(found) < 10:
                return int(found)
            if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**9:
                return found
    return None


def repeats(data: bytes) -> bool:
    """Whether an object in a record that is not decoded yet holds a key twice. Others say what is wrong with it."""
    if len(data) > LONGEST_LOOKED_AT:
        return False
    try:
        return holds_key_twice(data)
    except (ValueError, RecursionError):
        return False


def decoded_object(written: str) -> Record | None:
    """The object that a text holds; None where it holds none, or one that is nested too deeply."""
    try:
        decoded: JsonValue = msgspec.json.decode(written)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    return decoded if isinstance(decoded, dict) and not is_deep(written, decoded) else None
