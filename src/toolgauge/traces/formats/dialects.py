"""Telling apart the lists of messages that vendors record, which look alike at first sight."""

from __future__ import annotations

from typing import Literal

from toolgauge.core import JsonValue

from ..values import items_of

__all__ = ["ITEM_KINDS", "Dialect", "dialect", "is_item", "is_one_of", "is_ui_message"]

Dialect = Literal["openai-chat", "openai-responses", "anthropic"]

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})

ITEM_KINDS = frozenset(
    {
        "apply_patch_call",
        "apply_patch_call_output",
        "code_interpreter_call",
        "compaction",
        "computer_call",
        "computer_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "file_search_call",
        "function_call",
        "function_call_output",
        "image_generation_call",
        "local_shell_call",
        "local_shell_call_output",
        "mcp_approval_request",
        "mcp_approval_response",
        "mcp_call",
        "mcp_list_tools",
        "reasoning",
        "shell_call",
        "shell_call_output",
        "tool_search_call",
        "tool_search_output",
        "web_search_call",
    }
)
"""What `type` says of the items of OpenAI's Responses, other than messages."""

PARTS: dict[str, Dialect] = {
    "image_url": "openai-chat",
    "input_audio": "openai-chat",
    "refusal": "openai-chat",
    "input_text": "openai-responses",
    "output_text": "openai-responses",
    "input_image": "openai-responses",
    "input_file": "openai-responses",
    "tool_use": "anthropic",
    "tool_result": "anthropic",
    "thinking": "anthropic",
    "redacted_thinking": "anthropic",
    "server_tool_use": "anthropic",
    "mcp_tool_use": "anthropic",
    "mcp_tool_result": "anthropic",
    "web_search_tool_result": "anthropic",
    "web_fetch_tool_result": "anthropic",
    "code_execution_tool_result": "anthropic",
}
"""Kinds of parts of a message that only one vendor has."""


UI_PARTS = frozenset({"text", "reasoning", "step-start", "dynamic-tool", "file"})
"""Kinds of parts of Vercel's messages, beside those that begin with `tool-`, `data-` or `source`."""


def is_one_of(value: JsonValue, words: frozenset[str] | dict[str, Dialect]) -> bool:
    """Whether a value is one of these words; values of other types are none."""
    return isinstance(value, str) and value in words


def is_item(value: JsonValue) -> bool:
    """Whether a value is an item of OpenAI's Responses that is no message."""
    return isinstance(value, dict) and is_one_of(value.get("type"), ITEM_KINDS) and "data" not in value


def is_ui_message(value: JsonValue) -> bool:
    """Whether a value is a message as Vercel's AI SDK keeps it for the screen: with parts, or with tool invocations."""
    if not isinstance(value, dict) or value.get("role") not in ("user", "assistant", "system"):
        return False
    parts = value.get("parts")
    if isinstance(parts, list) and parts:
        return all(isinstance(part, dict) and _is_ui_part(part) for part in parts)
    invocations = value.get("toolInvocations")
    return isinstance(invocations, list) and (bool(invocations) or isinstance(parts, list))


def _is_ui_part(part: dict[str, JsonValue]) -> bool:
    kind = part.get("type")
    if not isinstance(kind, str) or "content" in part:
        return False
    return kind in UI_PARTS or kind.startswith(("tool-", "data-", "source"))


def dialect(messages: JsonValue) -> Dialect | None:
    """Whose messages a list holds; None where it holds none.

    Messages with nothing but a role and a text look the same everywhere, and are read as OpenAI's chat messages.
    """
    found: Dialect | None = None
    for message in items_of(messages):
        if not isinstance(message, dict):
            return None
        role = message.get("role")
        if not isinstance(role, str) or role not in ROLES or message.get("type", "message") != "message":
            return "openai-responses" if is_item(message) else None
        decided = _of_message(message)
        if decided == "unknown":
            return None
        if decided == "openai-chat" and any(_has_responses(other) for other in items_of(messages)):
            return None
        if decided is not None:
            return decided
        found = "openai-chat"
    return found


def _of_message(message: dict[str, JsonValue]) -> Dialect | Literal["unknown"] | None:
    """Whose a message is; None where it could be anybody's."""
    if _is_of_framework(message):
        return "unknown"
    if message["role"] in ("tool", "function"):
        return "openai-chat"
    if is_ui_message(message) or message.get("object") == "thread.message":
        return "unknown"
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return "openai-chat" if _are_calls(calls[0]) else "unknown"
    if isinstance(message.get("function_call"), dict) or message.get("refusal"):
        return "openai-chat"
    for part in items_of(message.get("content")):
        kind = part.get("type") if isinstance(part, dict) else None
        if is_one_of(kind, PARTS):
            return PARTS[str(kind)]
    if message.get("type") == "message" and "stop_reason" in message:
        return "anthropic"
    return None


def _is_of_framework(message: dict[str, JsonValue]) -> bool:
    """Whether a message has what only LlamaIndex or AutoGen adds, in which calls or results stand."""
    blocks = message.get("blocks")
    if isinstance(message.get("additional_kwargs"), dict) or _has_responses(message):
        return True
    return isinstance(blocks, list) and any(isinstance(block, dict) and "block_type" in block for block in blocks)


def _has_responses(message: JsonValue) -> bool:
    """Whether a message holds the responses of several tools, as AutoGen's do."""
    return isinstance(message, dict) and isinstance(message.get("tool_responses"), list)


def _are_calls(call: JsonValue) -> bool:
    """Whether this is how OpenAI writes a call, or how those do who leave out one level."""
    if not isinstance(call, dict):
        return True
    function = call.get("function", call.get("custom"))
    return isinstance(function, dict) or (function is None and "args" not in call and "requestor" not in call)
