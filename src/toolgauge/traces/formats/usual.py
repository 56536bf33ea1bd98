"""Chat messages in one usual layout, which readers of other layouts translate theirs into.

`messages.add_message` adds such a message to a trajectory. A tool that the provider ran itself stands among the blocks
of the answer: `provider_call`, then `provider_result`.
"""

from __future__ import annotations

from collections.abc import Iterable

from toolgauge.core import JsonValue

from ..values import Record

__all__ = ["LEFT_OUT", "call", "provider_call", "provider_result", "result", "said"]

LEFT_OUT = "left_out"
"""The key of a message that says how many parts of it, such as images, could not be read."""


def said(
    role: str,
    words: str | None,
    calls: Iterable[Record] = (),
    *,
    blocks: Iterable[Record] = (),
    name: str | None = None,
    left_out: int = 0,
) -> Record:
    """What somebody says, and the calls that are asked for with it.

    Args:
        role: user, assistant or system.
        words: What is said.
        calls: What `call` makes.
        blocks: What `provider_call` and `provider_result` make.
        name: The name of the agent, where there are several.
        left_out: How many parts could not be read.
    """
    listed: list[JsonValue] = [*blocks]
    content: JsonValue = [*listed, {"type": "text", "text": words}] if listed else words
    message: Record = {"role": role, "content": content}
    if asked := [*calls]:
        message["tool_calls"] = [*asked]
    if name:
        message["name"] = name
    if left_out:
        message[LEFT_OUT] = left_out
    return message


def call(name: JsonValue, arguments: JsonValue, id: JsonValue = None) -> Record:  # noqa: A002 - as in a trajectory
    """A call that a message asks for."""
    return {"name": name, "args": arguments, "id": id}


def result(
    value: JsonValue,
    *,
    id: JsonValue = None,  # noqa: A002 - as in a trajectory
    tool: JsonValue = None,
    failed: bool = False,
    error: str | None = None,
) -> Record:
    """What a tool answered."""
    # A list is no text in parts here, but what the tool returned.
    content = None if isinstance(value, list) else value
    message: Record = {"role": "tool", "content": content, "artifact": value, "tool_call_id": id, "name": tool}
    return {**message, "is_error": True, "error": error} if failed else message


def provider_call(name: JsonValue, arguments: JsonValue, id: JsonValue = None) -> Record:  # noqa: A002 - likewise
    """A call that the provider answers within its reply."""
    return {"type": "server_tool_use", "name": name, "input": arguments, "id": id}


def provider_result(value: JsonValue, *, id: JsonValue = None, failed: bool = False) -> Record:  # noqa: A002 - likewise
    """The answer to it."""
    return {"type": "server_tool_result", "output": value, "tool_use_id": id, "is_error": failed}
