"""The shorter way for chat messages in OpenAI's layout that are whole, in order, and not out of the ordinary."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from toolgauge.core import JsonValue, Trajectory

from ...context import Reading
from ...values import Record
from .lines import CASES, TIMES, Never, Story, Text, joined, line_decoder, tell_line

__all__ = ["OF_OTHERS", "REPLYING", "read_plainly"]

OF_OTHERS = frozenset({"reward_info", "simulations", "traj", "observations", "epoch", "lc", "calls"})
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
    type: Never = 0


class _Function(Struct, gc=False):
    name: str
    arguments: str | Record | None = None


class _Asked(Struct, gc=False):
    id: str
    function: _Function
    custom: None = None


class _Assistant(Struct, gc=False, tag_field="role", tag="assistant"):
    content: str | list[Text] | None = None
    tool_calls: list[_Asked] | None = None
    refusal: str | None = None
    function_call: None = None
    audio: None = None
    type: Never = 0


class _Tool(Struct, gc=False, tag_field="role", tag="tool"):
    tool_call_id: str
    content: str | list[Text] | None = None
    status: JsonValue = None
    is_error: JsonValue = None
    type: Never = 0


_Message = _Tool | _Assistant | _User | _System | _Developer

TELLING = ("agent", "metadata", "meta", *CASES, *TIMES)
"""Keys of a record that are looked at."""

_decode_line = line_decoder(list[_Message], telling=TELLING, empty=REPLYING, never={"request", "object", *OF_OTHERS})


def read_plainly(line: bytes, reading: Reading, unfinished: Collection[int] = ()) -> Trajectory | None:
    """The conversation of a record, or None where it takes the long way to read it.

    Args:
        line: The record.
        reading: How names and results are read.
        unfinished: Hashes of the questions of conversations that may go on in another record.
    """
    told = tell_line(line, reading, TELLING, _decode_line, _tell)
    if told is None:
        return None
    story, holder = told
    # What has no answer yet may go on, too.
    return None if story.output is None or hash(story.input) in unfinished else story.finish(holder)


def _tell(messages: list[_Message], story: Story) -> bool:
    """Tell the messages; False where something is not as it should be."""
    for message in messages:
        if type(message) is _Tool:
            result = message.content
            if isinstance(result, list):
                result = joined(result)
                if result is None:
                    return False
            failed = True if message.status == "error" or message.is_error is True else None
            if not story.result(result, message.tool_call_id, failed):
                return False
        elif type(message) is _Assistant:
            words = message.content
            story.turn += 1
            story.output = (joined(words) if isinstance(words, list) else words) or message.refusal or story.output
            for asked in message.tool_calls or ():
                function = asked.function
                if not story.call(function.name, function.arguments, asked.id):
                    return False
        elif type(message) is _User and story.input is None:
            story.input = joined(message.content)
    return True
