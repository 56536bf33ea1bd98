"""Gemini's contents, as messages in the usual layout: in camel case as over HTTP, and in snake case as in Python.

A content is a role and parts: words, thoughts, calls of functions and their responses, code that the provider ran.
Calls mostly have no ids; a response belongs to the first call of its function that has none yet.
"""

from __future__ import annotations

from toolgauge.core import JsonValue, State

from ..values import Record, dicts, either, items_of, record_of, structured, text
from .usual import call, provider_call, provider_result, result, said

__all__ = ["are_contents", "content_messages", "gemini_messages", "is_content", "reply_state", "response_value"]

PARTS = (
    *("functionCall", "functionResponse", "executableCode", "codeExecutionResult", "inlineData", "fileData"),
    *("toolCall", "toolResponse", "function_call", "function_response", "executable_code", "code_execution_result"),
    *("inline_data", "file_data", "tool_call", "tool_response"),
)
"""Keys by which a part says what it is, where it is not a text."""

OF_OTHERS = frozenset({"type", "part_kind", "content"})
"""Keys by which parts of other layouts say what they are."""

SPEAKERS = {"model": "assistant", "assistant": "assistant", "system": "system"}
CODE = "code_execution"
STATES: dict[str, State] = {"MAX_TOKENS": "limit", "LENGTH": "limit"}
"""How a conversation ends whose model stopped for these reasons."""


def is_content(value: JsonValue) -> bool:
    """Whether a value is a content: a list of parts that say what they are by their keys."""
    if not isinstance(value, dict) or "kind" in value or "content" in value:
        return False
    parts = value.get("parts")
    if not isinstance(parts, list) or not parts or value.get("role") not in (None, "user", "model", "function", "tool"):
        return False
    if any(not isinstance(part, dict) or not OF_OTHERS.isdisjoint(part) for part in parts):
        return False
    return any(map(_says_what, dicts(parts)))


def _says_what(part: Record) -> bool:
    return isinstance(part.get("text"), str) or any(isinstance(part.get(key), dict) for key in PARTS)


def are_contents(value: JsonValue) -> bool:
    """Whether a value is a list of contents."""
    return isinstance(value, list) and bool(value) and all(is_content(item) for item in value[:3])


def gemini_messages(value: JsonValue) -> list[Record]:
    """The messages in a request, a response, a content or a list of contents; empty where it is none of these."""
    if isinstance(value, list):
        if are_contents(value):
            return [message for content in dicts(value) for message in content_messages(content)]
        return []
    if not isinstance(value, dict):
        return []
    if is_content(value) and value.get("role") is not None:
        return content_messages(value)
    candidates = value.get("candidates")
    if isinstance(candidates, list):
        content = record_of(record_of(candidates[0] if candidates else None).get("content"))
        return content_messages(content, "model")
    contents = structured(value.get("contents"))
    if isinstance(contents, str):
        return [said("user", contents)]
    if isinstance(contents, list) and all(
        isinstance(part, str) or (isinstance(part, dict) and _says_what(part)) for part in contents
    ):
        contents = {"role": "user", "parts": contents}  # the Python client takes parts, too
    if isinstance(contents, dict):
        return content_messages(contents)
    return gemini_messages(contents) if are_contents(contents) else []


def content_messages(content: Record, role: str = "user") -> list[Record]:
    """The messages that a content comes to: what is said, with the calls, or what tools answered.

    Args:
        content: The content.
        role: Whose it is where it does not say it.
    """
    named = text(content.get("role")) or role
    words: list[str] = []
    calls: list[Record] = []
    blocks: list[Record] = []
    answers: list[Record] = []
    left_out = 0
    for part in items_of(content.get("parts")):
        part = {"text": part} if isinstance(part, str) else record_of(part)
        if isinstance(asked := either(part, "functionCall"), dict):
            calls.append(call(asked.get("name"), asked.get("args"), asked.get("id")))
        elif isinstance(answer := either(part, "functionResponse"), dict):
            answers.append(_answer(answer))
        elif found := _provider_block(part):
            blocks.append(found)
        elif isinstance(part.get("text"), str):
            if part.get("thought") is not True:
                words.append(str(part["text"]))
        elif any(isinstance(part.get(key), dict) for key in PARTS):
            left_out += 1
    speaker = SPEAKERS.get(named, "user")
    # Streamed words are cut anywhere, so nothing is put between them.
    spoken = "".join(words) or None
    if speaker == "assistant":
        return [said(speaker, spoken, calls, blocks=blocks, left_out=left_out), *answers]
    if spoken is None and not left_out and answers:
        return answers
    return [*answers, said(speaker, spoken, left_out=left_out)]


def _answer(answer: Record) -> Record:
    value, failed, error = response_value(answer.get("response"))
    return result(value, id=answer.get("id"), tool=answer.get("name"), failed=failed, error=error)


def response_value(response: JsonValue) -> tuple[JsonValue, bool, str | None]:
    """What a function returned, whether it failed, and why, from the object that its response has to be."""
    held = record_of(response)
    if len(held) == 1:
        for key in ("result", "output"):
            if key in held:
                return held[key], False, None
        if held.get("error"):
            return held["error"], True, text(held["error"]) or text(record_of(held["error"]).get("message"))
    return response, False, None


def _provider_block(part: Record) -> Record:
    """A call that the provider answered itself, or the answer; empty where the part is neither."""
    code, outcome = either(part, "executableCode"), either(part, "codeExecutionResult")
    if isinstance(code, dict):
        return provider_call(CODE, {"code": code.get("code")}, code.get("id"))
    if isinstance(outcome, dict):
        failed = outcome.get("outcome") not in (None, "OUTCOME_OK", 1)
        return provider_result(outcome.get("output"), id=outcome.get("id"), failed=failed)
    asked, answer = either(part, "toolCall"), either(part, "toolResponse")
    if isinstance(asked, dict):
        return provider_call(text(either(asked, "toolType")) or "tool", asked.get("args"), asked.get("id"))
    if isinstance(answer, dict):
        return provider_result(answer.get("response"), id=answer.get("id"))
    return {}


def reply_state(candidate: Record) -> State:
    """How a conversation ends with a candidate."""
    reason = either(candidate, "finishReason")
    name = reason.rpartition(".")[2].upper() if isinstance(reason, str) else ""
    return STATES.get(name, "completed")
