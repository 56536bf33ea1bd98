"""The fast way for chat messages in OpenAI's layout that are whole, in order, and not out of the ordinary."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from toolgauge.core import JsonValue, Trajectory

from ...context import ReadContext
from ...values import Record
from .lines import CASES, TIMES, FastBuilder, Never, Text, build_line, joined, line_decoder

__all__ = ["OF_OTHERS", "REPLYING", "read_fast"]

OF_OTHERS = frozenset(
    {"reward_info", "simulations", "traj", "trajectory_format", "observations", "epoch", "lc", "calls"}
)
"""Keys beside messages that mark the records of other tools."""

REPLYING = frozenset({"response", "completion", "output", "choices", "message", "body", "error"})
"""Keys under which a record keeps what the model replied, or the parts of a reply."""


class _Rules(Struct, gc=False, tag_field="role"):
    content: str | list[Text] | None = None
    tool_calls: None = None
    type: Never = 0


class _System(_Rules, gc=False, tag="system"):
    pass


class _Developer(_Rules, gc=False, tag="developer"):
    pass


class _User(Struct, gc=False, tag_field="role", tag="user"):
    content: str | list[Text] | None = None
    tool_calls: None = None
    additional_kwargs: None = None
    blocks: None = None
    parts: None = None
    type: Never = 0


class _Function(Struct, gc=False):
    name: str
    arguments: str | Record | None = None


class _ToolCall(Struct, gc=False):
    id: str
    function: _Function
    custom: None = None


class _Assistant(Struct, gc=False, tag_field="role", tag="assistant"):
    content: str | list[Text] | None = None
    tool_calls: list[_ToolCall] | None = None
    refusal: str | None = None
    function_call: None = None
    audio: None = None
    additional_kwargs: None = None
    blocks: None = None
    parts: None = None
    toolInvocations: None = None  # noqa: N815 - as it is written
    type: Never = 0


class _Tool(Struct, gc=False, tag_field="role", tag="tool"):
    tool_call_id: str
    content: str | list[Text] | None = None
    status: JsonValue = None
    is_error: JsonValue = None
    tool_responses: None = None
    additional_kwargs: None = None
    type: Never = 0


_Message = _Tool | _Assistant | _User | _System | _Developer

READ_KEYS = ("agent", "metadata", "meta", *CASES, *TIMES)
"""Keys of a record that are looked at."""

_decode_line = line_decoder(
    list[_Message], read_keys=READ_KEYS, empty=REPLYING, never={"request", "object", *OF_OTHERS}
)


def read_fast(line: bytes, context: ReadContext, unfinished: Collection[int] = ()) -> Trajectory | None:
    """The conversation of a record, or None where the full reader has to read it.

    Args:
        line: The record.
        context: How names and results are read.
        unfinished: Hashes of the questions of conversations that may continue in another record.
    """
    built = build_line(line, context, READ_KEYS, _decode_line, _add_messages)
    if built is None:
        return None
    builder, holder = built
    # What has no answer yet may continue, too.
    return None if builder.output is None or hash(builder.input) in unfinished else builder.build(holder)


def _add_messages(messages: list[_Message], builder: FastBuilder) -> bool:
    """Add the messages; False where something is not as it should be."""
    for message in messages:
        if type(message) is _Tool:
            result = message.content
            if isinstance(result, list):
                result = joined(result)
                if result is None:
                    return False
            failed = True if message.status == "error" or message.is_error is True else None
            if not builder.add_result(result, message.tool_call_id, failed):
                return False
        elif type(message) is _Assistant:
            words = message.content
            builder.turn += 1
            if not builder.say((joined(words) if isinstance(words, list) else words) or message.refusal):
                return False
            for asked in message.tool_calls or ():
                function = asked.function
                if not builder.add_call(function.name, function.arguments, asked.id):
                    return False
        elif type(message) is _User and not builder.hear(joined(message.content)):
            return False
    return True
