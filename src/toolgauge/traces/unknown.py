"""What to say of a record that no reader knows: what was seen, which format is nearest, and what is missing for it."""

from __future__ import annotations

from collections.abc import Mapping

from toolgauge.core import JsonValue
from toolgauge.errors import Problem, did_you_mean
from toolgauge.files import shorten

from .envelopes import SPEAKERS
from .values import items_of

__all__ = ["unknown_format"]

MAX_KEYS = 8
SHOWN = 80
"""How many characters of the first line are shown."""

ADVICE = "--input-format NAME says which one it is; docs/connect.md lists those that are read"

KEYS: Mapping[str, tuple[str, ...]] = {
    "toolgauge's own": ("case", "calls", "output"),
    "openai-chat": ("messages",),
    "openai-responses": ("input", "output", "model"),
    "anthropic": ("role", "content", "stop_reason"),
    "langchain": ("type", "content", "tool_calls"),
    "langsmith": ("run_type", "inputs", "outputs", "trace_id"),
    "langfuse": ("observations", "input", "output"),
    "otel": ("traceId", "spanId", "attributes"),
    "openinference": ("context", "span_kind", "attributes"),
    "inspect": ("eval", "samples"),
    "tau-bench": ("task_id", "traj", "reward"),
    "bfcl": ("id", "result"),
    "mcp": ("jsonrpc", "method", "params"),
    "pydantic-ai": ("kind", "parts"),
    "swe-agent": ("trajectory", "info"),
    "api-bank": ("role", "api_name", "param_dict", "text"),
    "xlam": ("query", "tools", "answers"),
}
"""Keys by which records of a format are known, by what the format is called."""

COMMON = frozenset({"id", "type", "role", "content", "input", "output", "kind", "text", "model", "context", "result"})
"""Keys that many things have: alone they make nothing look like a format."""


def unknown_format(record: JsonValue, *, line: int | None = None, written: str = "") -> Problem:
    """What is wrong with a file whose records no reader knows.

    Args:
        record: The first of them.
        line: The line in which it stands.
        written: This line.
    """
    seen = _keys(record)
    first = f"; the first line is {_short(written)}" if written else ""
    hint = "; ".join(part for part in (_near(record), ADVICE) if part)
    return Problem(f"no record of this file is of a known format: {seen}{first}", line, hint=hint)


def _short(written: str) -> str:
    written = written.strip()
    return repr(written if len(written) <= SHOWN else f"{written[:SHOWN]}...")


def _keys(record: JsonValue) -> str:
    if isinstance(record, dict):
        names = [shorten(key) for key in record]
        more = ", ..." if len(names) > MAX_KEYS else ""
        keys = "key" if len(names) == 1 else "keys"
        return (
            f"the first one has the {keys} {', '.join(names[:MAX_KEYS])}{more}" if names else "the first one is empty"
        )
    if isinstance(record, list):
        inner = f", whose first item has {_keys(record[0])[len('the first one has ') :]}" if _has_keys(record) else ""
        return f"the first one is a list{inner}"
    return f"the first one is {shorten(record)}"


def _has_keys(record: list[JsonValue]) -> bool:
    return bool(record) and isinstance(record[0], dict) and bool(record[0])


def _near(record: JsonValue) -> str:
    """Which format is nearest, and what is missing for it; empty where none is near."""
    holder = record[0] if isinstance(record, list) and record else record
    if not isinstance(holder, dict):
        return ""
    messages = holder.get("messages")
    if "messages" in holder:
        return f"it is nearest to openai-chat, but {_wrong_messages(messages)}"
    best, name = 0.0, ""
    for format_name, keys in KEYS.items():
        common = [key for key in keys if key in holder]
        likeness = len(common) / len(keys) if not COMMON.issuperset(common) else 0.0
        if likeness > best:
            best, name = likeness, format_name
    if name:
        missing = [repr(key) for key in KEYS[name] if key not in holder]
        lacks = f", which also has {', '.join(missing)}" if missing else ", but its values are of other types"
        return f"it is nearest to {name}{lacks}"
    known = sorted({key for keys in KEYS.values() for key in keys if key not in COMMON})
    for key in list(holder)[:MAX_KEYS]:
        near = did_you_mean(key, known)
        if near.startswith("did you mean"):
            return f"{shorten(key)}: {near}"
    return ""


def _wrong_messages(messages: JsonValue) -> str:
    if not isinstance(messages, list):
        return "'messages' is not a list"
    if not messages:
        return "'messages' is empty"
    for message in items_of(messages):
        if not isinstance(message, dict):
            return f"a message is {shorten(message)}, not an object"
        role = message.get("role", message.get("type"))
        if not isinstance(role, str):
            return "a message has no 'role'"
        if role.strip().lower() not in SPEAKERS:
            return f"the role {shorten(role)} is not known"
    return "its messages are of no known layout"
