"""The fast way for Anthropic's messages that are whole, in order, and not out of the ordinary."""

from __future__ import annotations

from msgspec import Struct

from toolgauge.core import Trajectory

from ...context import ReadContext
from ...values import Record
from .lines import CASES, TIMES, FastBuilder, Never, Text, build_line, joined, line_decoder

__all__ = ["REPLYING", "read_fast"]

REPLYING = frozenset({"response", "result", "content", "body"})
"""Keys under which a record keeps what the model replied, or the parts of a reply."""


class _Words(Struct, gc=False, tag_field="type", tag="text"):
    text: str
    citations: None = None


class _Call(Struct, gc=False, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: Record


class _Thinking(Struct, gc=False, tag_field="type", tag="thinking"):
    pass


class _Redacted(Struct, gc=False, tag_field="type", tag="redacted_thinking"):
    pass


class _Result(Struct, gc=False, tag_field="type", tag="tool_result"):
    tool_use_id: str
    content: str | list[Text] | None = None
    is_error: bool | None = None


class _User(Struct, gc=False, tag_field="role", tag="user"):
    content: str | list[_Words | _Result]
    tool_calls: None = None
    function_call: None = None
    refusal: None = None
    type: Never = 0
    usage: None = None


class _Assistant(Struct, gc=False, tag_field="role", tag="assistant"):
    content: str | list[_Words | _Call | _Thinking | _Redacted]
    tool_calls: None = None
    function_call: None = None
    refusal: None = None
    type: Never = 0
    usage: None = None


_Message = _User | _Assistant

READ_KEYS = ("agent", "metadata", *CASES, *TIMES)
"""Keys of a record that are looked at."""

_decode_line = line_decoder(
    list[_Message],
    read_keys=READ_KEYS,
    empty={"error"},
    never={"request", "type", "observations", "calls", *REPLYING},
)


def read_fast(line: bytes, context: ReadContext) -> Trajectory | None:
    """The conversation of a record, or None where the full reader has to read it."""
    built = build_line(line, context, READ_KEYS, _decode_line, _add_messages)
    if built is None:
        return None
    builder, holder = built
    return builder.build(holder)


def _add_messages(messages: list[_Message], builder: FastBuilder) -> bool:
    """Add the messages; False where something is not as it should be, or all could be anybody's messages."""
    marked = False
    for message in messages:
        if type(message) is _User:
            if not _add_user(message.content, builder):
                return False
        elif type(message) is _Assistant:
            builder.turn += 1
            if not _add_answer(message.content, builder):
                return False
        content = message.content
        marked = marked or (not isinstance(content, str) and any(type(block) is not _Words for block in content))
    return marked


def _add_user(content: str | list[_Words | _Result], builder: FastBuilder) -> bool:
    if isinstance(content, str):
        return builder.hear(content)
    words = []
    for block in content:
        if type(block) is _Result:
            value = block.content
            if isinstance(value, list):
                value = joined(value)
                if value is None:
                    return False
            if not builder.add_result(value, block.tool_use_id, block.is_error):
                return False
        elif type(block) is _Words:
            words.append(block.text)
    return not words or builder.hear("\n".join(filter(None, words)))


def _add_answer(content: str | list[_Words | _Call | _Thinking | _Redacted], builder: FastBuilder) -> bool:
    if isinstance(content, str):
        return builder.say(content)
    said: list[str] = []
    for block in content:
        if type(block) is _Words:
            said.append(block.text)
            if not builder.say("\n".join(said)):
                return False
        elif type(block) is _Call:
            said = []
            if not builder.add_call(block.name, block.input, block.id):
                return False
    return True
