"""The content blocks of Anthropic's messages: words, calls, and results of tools at either end of the line."""

from __future__ import annotations

from collections.abc import Hashable

from toolgauge.core import JsonValue

from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, dicts, items_of, text, texts

__all__ = ["CALLS", "add_answer", "add_blocks", "add_message", "stand_in", "tokens_of"]

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def add_message(builder: TrajectoryBuilder, message: Record) -> None:
    """Add one message to a trajectory: a question, results, or an answer with its calls."""
    if message.get("role") == "assistant":
        builder.begin_turn()
        add_answer(builder, message.get("content"))
    elif message.get("role") == "user":
        _add_user(builder, message.get("content"))


def add_answer(builder: TrajectoryBuilder, content: JsonValue) -> None:
    """Add what stands in an answer, in the turn that was begun."""
    if isinstance(content, str):
        builder.add_agent_message(text(content))
    else:
        add_blocks(builder, items_of(content))


def add_blocks(builder: TrajectoryBuilder, blocks: list[JsonValue]) -> None:
    """Add the blocks of an answer. Words that follow one another without a call between them belong together."""
    said: list[Record] = []
    for block in dicts(blocks):
        kind = block.get("type")
        if kind == "text":
            said.append(block)
            builder.add_agent_message(_joined(said))
        elif isinstance(kind, str) and kind in CALLS:
            said = []
            builder.add_call(block.get("name"), block.get("input"), id=block.get("id"))
        elif isinstance(kind, str) and kind.endswith("_result"):
            _add_result(builder, block, same_turn=True)


def _joined(said: list[Record]) -> str:
    # Where sources are cited, an answer is cut into pieces in the middle of its sentences.
    cited = any(block.get("citations") for block in said)
    return ("" if cited else "\n").join(piece for block in said if isinstance(piece := block.get("text"), str))


def _add_user(builder: TrajectoryBuilder, content: JsonValue) -> None:
    if isinstance(content, str):
        builder.add_user_message(content)
        return
    blocks: list[JsonValue] = []
    for block in items_of(content):
        if isinstance(block, dict) and _is_result(block):
            _add_result(builder, block)
        else:
            blocks.append(block)
    if blocks:
        if any("text" not in block for block in dicts(blocks)):
            builder.note_loss("a part of a message that is not text, such as an image, is left out")
        builder.add_user_message(texts(blocks))


def _is_result(block: Record) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("tool_result")


def _add_result(builder: TrajectoryBuilder, block: Record, *, same_turn: bool = False) -> None:
    content = block.get("content")
    error = _error_code(content) if isinstance(content, dict) else None
    failed = block.get("is_error")
    if isinstance(content, list) and block.get("type") in ("tool_result", "mcp_tool_result"):
        content = texts(content) or content
    builder.add_result(
        content,
        id=block.get("tool_use_id"),
        failed=failed if isinstance(failed, bool) else None,
        error=error,
        same_turn=same_turn,
    )


def _error_code(content: Record) -> str | None:
    kind = content.get("type")
    return text(content.get("error_code")) if isinstance(kind, str) and kind.endswith("_error") else None


def stand_in(message: JsonValue) -> Hashable:
    """What two recordings of a message have in common, though one may say more than the other."""
    content = at(message, "content")
    marks = tuple(
        text(block.get("id")) or text(block.get("tool_use_id"))
        for block in dicts(content)
        if block.get("type") not in ("text", "thinking", "redacted_thinking")
    )
    return (text(at(message, "role")), marks or texts(content))


def tokens_of(usage: JsonValue) -> tuple[JsonValue, JsonValue] | None:
    """Tokens in and out; what was read from a cache was read all the same."""
    if not isinstance(usage, dict):
        return None
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    read = [value for key in keys if isinstance(value := usage.get(key), int) and not isinstance(value, bool)]
    return (sum(read) if read else None, usage.get("output_tokens"))
