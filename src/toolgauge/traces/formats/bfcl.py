"""Result files of the Berkeley Function-Calling Leaderboard, with one question a line.

A result is a list of calls where a model has an interface for them, and a text where it was asked to write them. In
questions of several turns it is a list of turns, each a list of such results. A text that is no call is the answer.

Calls are read in whatever way they are written, also where the leaderboard's own decoder would find none; with
`strict_decoding`, exactly those are calls that the official handler finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, amount, dicts, items_of, record_of, text, texts
from .bfcl_decoding import decode_officially, handler_of_lists
from .calltext import LONGEST, TextCall, calls_in_json, is_definition, literal, read_calls, read_plain_calls

__all__ = ["BfclReader"]

MARKS = ("input_token_count", "output_token_count", "latency", "inference_log", "traceback")
"""What the leaderboard writes beside a result."""

CATEGORY = re.compile(
    r"(live_|exec_|multi_turn_|format_sensitivity|simple|multiple|parallel|irrelevance|relevance|java|rest|sql|chatable"
    r"|memory|web_search)[a-z_]*[-_:]?\d"
)
"""How the ids of its questions begin."""

FAILED = "Error during inference:"

OTHER_STYLES = {
    "xlam": ";",
    "granite": "<function_call>",
    "llama": "parameters",
    "glm": "\n",
    "raven": ";",
    "mixtral": "\\_",
    "arctic": "['",
}
"""Official ways of writing calls that are not those of most models, each with a mark of its own."""

NO_CALLS = frozenset({"out_of_domain", "no_function", "print"})
"""What models call that is no function: NexusRaven and Granite have a name for calling none."""

NAME = re.compile(r"[A-Za-z_][\w.:/-]{0,127}")

CALLED = "Call:"
BEHIND = ("<bot_end>", "\nThought:")
"""What stands before and behind the calls of NexusRaven, until the leaderboard cuts them out."""

MENTIONED = re.compile(
    r"\b[A-Za-z_][\w.]{0,99}\(\s{0,9}[A-Za-z_]\w{0,99}\s{0,9}=[^()]{0,999}\)"
    r"|[\"']name[\"']\s{0,9}:\s{0,9}[\"'][^\"']{1,99}[\"']\s{0,9},\s{0,9}[\"']arguments[\"']"
)
"""What looks like a call in a text that was not read as calls."""

UNREAD = "a text looks as if it contained a call, and is read as an answer: calls have to come first"

KINDER = "calls are read that the official decoder of most models does not find: --strict-decoding leaves them out"


class BfclReader:
    """One question a record."""

    title: ClassVar[str] = "BFCL results"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """An id, a result that is a text or a list, and what else the leaderboard writes, or one of its ids."""
        if not isinstance(value, dict) or not isinstance(value.get("result"), (str, list)):
            return False
        name = value.get("id")
        if not isinstance(name, str) or "jsonrpc" in value:
            return False
        return any(mark in value for mark in MARKS) or CATEGORY.match(name) is not None

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """What a model answered to one question."""
        record = record_of(value)
        name, result = text(record.get("id")), record.get("result")
        if name is None and result is None:
            self._context.note_loss("a record without an id and a result is left out")
            return
        builder = TrajectoryBuilder(self._context, reads_words=False)
        error = result if isinstance(result, str) and result.startswith(FAILED) else None
        if self._context.strict_decoding:
            # On the leaderboard that is an output like any other, without a call.
            error = None
        if error is None:
            _add_result(builder, self._context, result, dicts(record.get("inference_log")))
        _add_usage(builder, record)
        seconds = _numbers(record.get("latency"))
        yield builder.build(
            case=name or "", error=error, latency_ms=sum(seconds) * 1000 if seconds else None, answered=False
        )

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every record is a question."""
        return iter(())


def _add_result(builder: TrajectoryBuilder, context: ReadContext, result: JsonValue, log: Iterator[Record]) -> None:
    if not isinstance(result, list) or not any(isinstance(turn, list) for turn in result):
        _add_reply(builder, context, result)
        return
    turns = [turn for turn in log if "begin_of_turn_query" in turn]
    for number, turn in enumerate(result):
        noted = turns[number] if number < len(turns) else {}
        for message in dicts(noted.get("begin_of_turn_query")):
            if message.get("role") == "user":
                builder.add_user_message(texts(message.get("content")))
        for step, reply in enumerate(turn if isinstance(turn, list) else [turn]):
            _add_reply(builder, context, reply)
            for message in dicts(noted.get(f"step_{step}")):
                if message.get("role") == "tool":
                    builder.add_result(message.get("content"))


def _add_reply(builder: TrajectoryBuilder, context: ReadContext, reply: JsonValue) -> None:
    builder.begin_turn()
    if context.strict_decoding:
        _add_decoded(builder, context, reply)
        return
    for item in items_of(reply) or [reply]:
        if isinstance(item, str):
            _add_text(builder, context, item)
        elif isinstance(item, dict):
            for name, found in _recorded(item):
                builder.add_call(name, found)


def _recorded(item: Record) -> Iterator[tuple[JsonValue, JsonValue]]:
    """The calls that an object stands for: by their names, or with keys for name and arguments."""
    for name, arguments in (("name", "arguments"), ("tool_name", "parameters")):
        if isinstance(item.get(name), str) and arguments in item:
            yield item[name], item[arguments]
            return
    yield from item.items()


def _add_decoded(builder: TrajectoryBuilder, context: ReadContext, reply: JsonValue) -> None:
    """Add the calls that the official handler finds in a result, or else the result as what was said."""
    handler = context.handler or (handler_of_lists(reply) if isinstance(reply, list) else "python")
    calls = decode_officially(handler, reply)
    for call in calls or ():
        builder.add_call(_in_dots(call.name, context, reply), call.arguments)
    if calls:
        return
    written = texts(reply)
    builder.add_agent_message(written)
    if written and read_text(written):
        known = f"the official handler {handler!r}" if context.handler else "the official handler of most models"
        context.note_loss(f"{known} finds no call in an output that looks like one; --handler names another")


def _in_dots(name: str, context: ReadContext, reply: JsonValue) -> str:
    """The name that an interface without dots has for a function, where nobody says whether it is such an interface."""
    if context.handler or not isinstance(reply, list):
        return name
    return context.dotted.get(name, name)


def read_text(written: str) -> list[TextCall]:
    """The calls in a text, in whatever way they are written; none where it says something else."""
    calls = read_calls(written)
    if calls is None:
        calls = _in_lines(written)
    if calls is None and written.lstrip().startswith(CALLED):
        calls = decode_officially("raven", _cut(written))
    for style, mark in OTHER_STYLES.items():
        if calls is None and mark in written:
            found = decode_officially(style, written)
            if found and all(map(_is_likely, found)):
                calls = found
    return [] if calls is None or any(call.name in NO_CALLS for call in calls) else calls


def _cut(written: str) -> str:
    """The calls of NexusRaven without what stands around them."""
    text = written.lstrip().removeprefix(CALLED)
    for mark in BEHIND:
        text = text.partition(mark)[0]
    return text.strip()


def _is_likely(call: TextCall) -> bool:
    """Whether what was decoded may be a call: it has a name, and its arguments are not the schema of some."""
    defined = is_definition({"name": call.name, "description": "", "parameters": call.arguments})
    return NAME.fullmatch(call.name) is not None and not (call.arguments and defined)


def _in_lines(written: str) -> list[TextCall] | None:
    """Calls as objects in Python's quotes, or as JSON objects with a line for each."""
    text = written.strip()
    if text.startswith(("{'", "[{'")):
        return calls_in_json(literal(text))
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not all(line.startswith("{") for line in lines):
        return None
    found = [read_calls(line) for line in lines]
    return None if None in found else [call for calls in found for call in calls or ()]


def _add_text(builder: TrajectoryBuilder, context: ReadContext, written: str) -> None:
    calls = read_plain_calls(written)
    if calls is None:
        calls = read_text(written)
        if not calls:
            builder.add_agent_message(written)
            looks = MENTIONED.search(written[:LONGEST])
            if looks and not looks[0].startswith(tuple(NO_CALLS)):
                context.note_loss(UNREAD)
            return
        context.note_loss(KINDER)
    for name, arguments, unnamed in calls:
        if unnamed:
            context.note_loss("an argument without a name is left out, as on the leaderboard", unnamed)
        builder.add_call(name, arguments)


def _add_usage(builder: TrajectoryBuilder, record: Record) -> None:
    taken, given = _numbers(record.get("input_token_count")), _numbers(record.get("output_token_count"))
    if taken or given:
        requests = max(len(taken), len(given))
        builder.add_usage(
            sum(taken) if taken else None,
            sum(given) if given else None,
            requests=requests,
        )


def _numbers(value: JsonValue) -> list[float]:
    """The numbers in a value: one, or lists of them for each turn and step."""
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    if isinstance(value, (int, float)) and amount(value) is not None:
        return [value]
    return []
