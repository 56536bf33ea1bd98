"""Sessions of Gemini CLI and Qwen Code: their session files, and the events that Gemini CLI streams.

Gemini CLI keeps a session in one object, or a message a line; a message holds the calls of its turn with their results.
Among the lines are changes: a message that was there is written again when its calls have ended, `$set` replaces what
the session holds, `$rewindTo` takes back a message and all that follow. Qwen Code writes contents of Gemini a line,
with the name of the session.
"""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, at, dicts, either, items_of, list_at, milliseconds, record_of, text, texts
from .conversation_reader import Conversation, GatheringReader
from .gemini import tokens_of
from .gemini_parts import content_messages, is_content, response_value
from .usual import call, result, said

__all__ = ["GeminiCliReader"]

PATHS = (("pieces",), ("messages",))
FAILED = ("error", "cancelled")
SET, REWIND = "$set", "$rewindTo"
CONTEXT = "<session_context>"
"""How the message begins in which the program tells the model where it is."""

STREAMED = {
    "init": ("session_id", "model"),
    "message": ("role", "content"),
    "tool_use": ("tool_name", "tool_id"),
    "tool_result": ("tool_id", "status"),
    "result": ("status", "stats"),
}
"""Kinds of events that are streamed, and keys that each of them has."""


class GeminiCliReader(GatheringReader):
    """One conversation a session."""

    title: ClassVar[str] = "Gemini CLI and Qwen Code sessions"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A session with messages by the user and by Gemini, one of these messages, or a line of a log."""
        if isinstance(value, list):
            return any(map(_is_answer, value[:3])) or (bool(value) and all(map(_is_line, value[:3])))
        if not isinstance(value, dict):
            return False
        if isinstance(value.get("messages"), list) and "projectHash" in value:
            return True
        return GeminiCliReader.is_piece(value) or any(map(_is_answer, items_of(value.get("messages"))[:3]))

    @staticmethod
    def is_piece(value: JsonValue) -> bool:
        """Whether a record is a line of a session."""
        if isinstance(value, dict) and "projectHash" in value and "messages" not in value:
            return True
        if isinstance(value, dict) and len(value) == 1 and (isinstance(value.get(SET), dict) or REWIND in value):
            return True
        return _is_answer(value) or _is_line(value) or _is_streamed(value) or _is_asked(value)

    @staticmethod
    def begins(piece: Record) -> bool:
        """Whether a session begins with a line."""
        return "projectHash" in piece or piece.get("type") == "init"

    @staticmethod
    def name_of(piece: Record) -> str | None:
        """The session, where every line of it says its name."""
        return text(piece.get("sessionId")) if _is_line(piece) else None

    def conversation(self, holder: Record) -> Conversation:
        """What was said and called."""
        pieces = _settled(list(dicts(list_at(holder, *PATHS))))
        found = Conversation([])
        for piece in pieces:
            last = found.messages[-1] if found.messages else {}
            if piece.get("type") == "tool_use" and last.get("role") == "assistant":
                # Nothing was answered since: the reply asks for several calls, or says something before it calls.
                last["tool_calls"] = [*items_of(last.get("tool_calls")), _use(piece)]
                continue
            if piece.get("delta") is True and last.get("role") == "assistant" and not last.get("tool_calls"):
                last["content"] = f"{last.get('content') or ''}{piece.get('content') or ''}"
                continue
            found.messages += _messages(piece)
            if piece.get("type") == "result":
                stats = record_of(piece.get("stats"))
                found.total = stats.get("input_tokens"), stats.get("output_tokens")
                if piece.get("status") == "error":
                    found.error = text(at(piece, "error", "message")) or "failed"
            if found.case == "":
                found.case = text(piece.get("sessionId")) or text(piece.get("session_id")) or ""
        found.case = found.case or text(holder.get("sessionId")) or ""
        found.session = found.case or None
        moments = [moment for piece in pieces if (moment := milliseconds(piece.get("timestamp"))) is not None]
        found.latency_ms = max(moments) - min(moments) if len(moments) > 1 else None
        found.started = min(moments, default=None)
        return found


def _settled(pieces: list[Record]) -> list[Record]:
    """The lines of a session after the changes that are among them."""
    found: dict[object, Record] = {}
    for number, piece in enumerate(pieces):
        if REWIND in piece:
            keys = list(found)
            first = keys.index(piece[REWIND]) if piece[REWIND] in keys else len(keys)
            found = {key: found[key] for key in keys[:first]}
        elif isinstance(messages := at(piece, SET, "messages"), list):
            kept = {key: each for key, each in found.items() if "type" not in each}
            found = {
                **kept,
                **{text(each.get("id")) or (number, at_): each for at_, each in enumerate(dicts(messages))},
            }
        elif SET not in piece:
            named = text(piece.get("id")) if _is_answer(piece) or _is_asked(piece) else None
            found[named or number] = piece
    return list(found.values())


def _is_answer(value: JsonValue) -> bool:
    """Whether a value is a message of Gemini."""
    return isinstance(value, dict) and value.get("type") == "gemini" and "content" in value


def _is_asked(value: JsonValue) -> bool:
    """Whether a value is what the user said, as it stands among such messages."""
    if not isinstance(value, dict) or value.get("type") not in ("user", "info", "error", "warning"):
        return False
    return (
        "content" in value and "timestamp" in value and "id" in value and "message" not in value and "role" not in value
    )


def _is_line(value: JsonValue) -> bool:
    """Whether a value is a line of Qwen Code."""
    if not isinstance(value, dict) or value.get("type") not in ("user", "assistant", "tool_result", "system"):
        return False
    if not isinstance(value.get("sessionId"), str) or "uuid" not in value:
        return False
    return is_content(value.get("message")) or ("message" not in value and "systemPayload" in value)


def _is_streamed(value: JsonValue) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(kind, str) or "timestamp" not in value:
        return False
    return kind in STREAMED and all(key in value for key in STREAMED[kind])


def _messages(piece: Record) -> list[Record]:
    kind = piece.get("type")
    if isinstance(piece.get("message"), dict):
        return _with_usage(content_messages(record_of(piece["message"])), tokens_of(either(piece, "usageMetadata")))
    if kind == "gemini":
        return _answer(piece)
    if kind == "user":
        words = texts(piece.get("content"))
        return [said("user", words)] if words and not words.startswith(CONTEXT) else []
    if kind == "message" and piece.get("role") in ("user", "assistant"):
        return [said(str(piece["role"]), texts(piece.get("content")))]
    if kind == "tool_use":
        return [said("assistant", None, [_use(piece)])]
    if kind == "tool_result":
        failed = piece.get("status") in FAILED
        error = text(at(piece, "error", "message"))
        return [result(piece.get("output"), id=piece.get("tool_id"), failed=failed, error=error)]
    return []


def _use(piece: Record) -> Record:
    return call(piece.get("tool_name"), piece.get("parameters"), piece.get("tool_id"))


def _with_usage(messages: list[Record], tokens: tuple[JsonValue, JsonValue] | None) -> list[Record]:
    if tokens is not None and messages and messages[0].get("role") == "assistant":
        messages[0]["usage"] = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
    return messages


def _answer(piece: Record) -> list[Record]:
    """A message of Gemini: its words, the calls of its turn, and their results."""
    asked = list(dicts(piece.get("toolCalls")))
    calls = [call(each.get("name"), each.get("args"), each.get("id")) for each in asked]
    messages = [said("assistant", texts(piece.get("content")), calls)]
    for each in asked:
        failed = each.get("status") in FAILED
        value, wrong, error = _result(each)
        if value is not None or failed or each.get("status") == "success":
            messages.append(
                result(value, id=each.get("id"), tool=each.get("name"), failed=failed or wrong, error=error)
            )
    counted = record_of(piece.get("tokens"))
    return _with_usage(messages, (counted.get("input"), counted.get("output")) if counted else None)


def _result(asked: Record) -> tuple[JsonValue, bool, str | None]:
    """What a call gave, whether that says that it failed, and why."""
    for part in dicts(asked.get("result")):
        response = either(part, "functionResponse")
        if isinstance(response, dict):
            return response_value(response.get("response"))
    return texts(asked.get("result")) or asked.get("resultDisplay"), False, None
