"""The items of OpenAI's Responses, which its agents keep as well: messages, calls of all kinds, and their outputs."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from toolgauge.core import JsonValue

from ..conversation import Conversation
from ..values import Record, at, dicts, record_of, text, texts

__all__ = ["stand_in", "tell_item"]


class _Hosted(NamedTuple):
    """A kind of call that has no name of its own, for the provider knows the tool."""

    tool: str
    arguments: tuple[str, ...]
    """The keys of the item that hold the arguments; a single object is taken for all of them."""
    result: str | None = None
    """The key that holds the result, where the provider ran the tool itself."""


HOSTED = {
    "apply_patch_call": _Hosted("apply_patch", ("operation",)),
    "code_interpreter_call": _Hosted("code_interpreter", ("code",), "outputs"),
    "computer_call": _Hosted("computer", ("action", "actions")),
    "file_search_call": _Hosted("file_search", ("queries",), "results"),
    "image_generation_call": _Hosted("image_generation", ("revised_prompt",), ""),
    "local_shell_call": _Hosted("local_shell", ("action",)),
    "program": _Hosted("program", ("code",)),
    "shell_call": _Hosted("shell", ("action",)),
    "tool_search_call": _Hosted("tool_search", ("arguments",)),
    "web_search_call": _Hosted("web_search", ("action",), ""),
}

OUTPUTS = {
    "apply_patch_call_output": "output",
    "computer_call_output": "output",
    "custom_tool_call_output": "output",
    "function_call_output": "output",
    "local_shell_call_output": "output",
    "program_output": "result",
    "shell_call_output": "output",
    "tool_search_output": "tools",
}
"""Kinds of items that are results, and the key that holds the result."""

SILENT = frozenset({"reasoning", "compaction", "mcp_list_tools", "additional_tools", "configuration_update"})
"""Kinds of items that are neither said nor done."""


def tell_item(conversation: Conversation, item: Record) -> None:
    """Tell a conversation one item."""
    kind = item.get("type")
    if kind == "message" or (kind is None and "role" in item):
        _tell_message(conversation, item)
    elif kind == "function_call":
        conversation.call(item.get("name"), item.get("arguments"), id=_key(item))
    elif kind == "custom_tool_call":
        conversation.call(item.get("name"), {"input": item.get("input")}, id=_key(item))
    elif kind == "mcp_call":
        _tell_protocol_call(conversation, item)
    elif isinstance(kind, str) and kind in HOSTED:
        _tell_hosted(conversation, item, HOSTED[kind])
    elif isinstance(kind, str) and kind in OUTPUTS:
        output = item.get(OUTPUTS[kind])
        result = texts(output) or output if isinstance(output, list) else output
        failed = True if item.get("status") == "failed" else None
        conversation.result(result, id=_key(item), tool=item.get("name"), failed=failed)
    elif kind == "mcp_approval_request":
        conversation.happen("approval_request", tool=item.get("name"))
    elif kind == "mcp_approval_response":
        conversation.happen("approval", approved=item.get("approve"))
    elif not (isinstance(kind, str) and kind in SILENT):
        conversation.lose("an item of an unknown kind is left out")


def _key(item: Record) -> JsonValue:
    return item.get("call_id") or item.get("id")


def _tell_message(conversation: Conversation, item: Record) -> None:
    content = item.get("content")
    if item.get("role") == "assistant":
        refusal = next((text(part.get("refusal")) for part in dicts(content) if part.get("type") == "refusal"), None)
        conversation.say(texts(content) or refusal)
    elif item.get("role") == "user":
        if any("text" not in part for part in dicts(content)):
            conversation.lose("a part of a message that is no text, such as an image, is left out")
        conversation.ask(texts(content))


def _tell_protocol_call(conversation: Conversation, item: Record) -> None:
    conversation.call(item.get("name"), item.get("arguments"), id=item.get("id"))
    error = item.get("error")
    words = text(error) or text(at(error, "message")) or texts(at(error, "content"))
    output = item.get("output")
    if error or output is not None or item.get("status") in ("completed", "failed"):
        failed = True if error or item.get("status") == "failed" else None
        conversation.result(output, id=item.get("id"), failed=failed, error=words, same_turn=True)


def _tell_hosted(conversation: Conversation, item: Record, hosted: _Hosted) -> None:
    given = {key: item[key] for key in hosted.arguments if item.get(key) is not None}
    only = next(iter(given.values())) if len(given) == 1 else None
    arguments = only if isinstance(only, dict) else given
    sources = arguments.get("sources")
    if sources is not None:
        # What a search found is no part of what was asked for.
        arguments = {key: value for key, value in arguments.items() if key != "sources"}
    key = _key(item)
    conversation.call(hosted.tool, arguments, id=key)
    if hosted.result is None:
        return
    status = item.get("status")
    if status in ("completed", "failed") or item.get(hosted.result) is not None or sources is not None:
        result = item.get(hosted.result) if hosted.result else sources
        error = text(at(item, "error", "message"))
        conversation.result(result, id=key, failed=status == "failed" or None, error=error, same_turn=True)


def stand_in(item: JsonValue) -> Hashable:
    """What two recordings of an item have in common; None for those that need not be sent again."""
    item = record_of(item)
    kind = text(item.get("type"))
    if kind == "message" or (kind is None and "role" in item):
        return (text(item.get("role")), texts(item.get("content")))
    if kind in SILENT:
        return None
    return (kind, text(_key(item)))
