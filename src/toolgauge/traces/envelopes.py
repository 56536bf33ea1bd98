"""Taking records out of what is around them: envelopes of loggers, and documents that are broken.

A record that no reader knows may be one that is known inside of something: an envelope with one key, a list under
another name, JSON written as a text, an object with a record for each id, or messages whose speakers are called
otherwise. Each of these ways of reading it is tried, and the first counts that gives something known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice

from toolgauge.core import JsonValue
from toolgauge.files import BadJson, InputFile, decode_json

from .textcalls.values import calls_in_value, value_of
from .values import Record, at, case_of, structured, text

__all__ = ["CONTAINERS", "SPEAKERS", "opened", "whole_values"]

CONTAINERS = ("data", "traces", "conversations", "results", "runs", "records", "items", "logs", "sessions")
"""Where documents keep a list of records that are recognised one by one."""

HOLDERS = (
    *("messages", "conversation", "conversations", "history", "chat", "chat_history", "trajectory"),
    *("dialogue", "dialog", "transcript", "turns"),
)
"""Where a record keeps its messages."""

WRAPPERS = (
    *("data", "conversation", "chat", "payload", "record", "log", "trace", "session", "thread", "body", "event"),
    *("item", "value", "json", "_source", "jsonPayload", "trajectory", "result", "task_result"),
)
"""Where an envelope keeps its only record."""

WRITTEN = frozenset({*HOLDERS, *WRAPPERS, "request", "response"})
"""Keys whose value may be JSON that was written as a text."""

DEEPEST = 3
"""How many things may be wrapped around a record."""

MAX_LOOKED_AT = (3, 3, 50)
"""So many members of a list are looked at to tell whether it holds records, by how many levels may still follow."""

WHO = ("role", "from", "sender", "speaker", "author")
WHAT = ("content", "value", "text", "message")
CALLING = "call"
SPEAKERS = {
    **dict.fromkeys(("user", "human", "customer"), "user"),
    **dict.fromkeys(("assistant", "gpt", "ai", "bot", "model", "agent", "chatbot"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function", "observation", "ipython"), "tool"),
    **dict.fromkeys(("function_response", "function-response", "tool_response", "tool-response"), "tool"),
    **dict.fromkeys(("function_call", "function-call", "tool_call", "tool-call"), CALLING),
}
"""What the speakers of messages are called, in small letters, and who they are."""

TURN = re.compile(r"^[ \t]*(SYSTEM|USER|ASSISTANT|FUNCTION RESPONSE)[ \t]*:[ \t]*", re.MULTILINE)
TURNS = {"SYSTEM": "system", "USER": "user", "ASSISTANT": "assistant", "FUNCTION RESPONSE": "tool"}
"""The speakers of a dialogue that is one text, as in Glaive's data."""

DIALOGUES = ("chat", "sample")
ROWS = ((("prompt",), "predict"), (("instruction", "input"), "output"))
"""Where rows keep what was asked and what was answered: LLaMA-Factory's predictions, and Alpaca's data."""

BESIDE_ROWS = frozenset({*HOLDERS[:-1], "calls", "case", "steps"}) - {"history"}
"""Keys of records in which an instruction stands beside something else. What was said before (`history`) is no part of
what a row answers."""

END_OF_TEXT = "<|endoftext|>"


def opened(value: JsonValue, recognises: Callable[[JsonValue], bool], depth: int = DEEPEST) -> list[JsonValue]:
    """The records inside of a value, some of which are recognised; empty where there are none."""
    ways = list(_ways(value))
    max_looked_at = MAX_LOOKED_AT[depth - 1]
    for records in ways:
        if any(map(recognises, islice(records, max_looked_at))):
            return records
    if depth > 1:
        for records in ways:
            if any(opened(record, recognises, depth - 1) for record in islice(records, max_looked_at)):
                return [inner for record in records for inner in opened(record, recognises, depth - 1) or [record]]
    return []


def _ways(value: JsonValue) -> Iterator[list[JsonValue]]:
    """The ways in which a value may be one or several records, the likeliest first."""
    if isinstance(value, str) and (decoded := structured(value)) is not value:
        yield [decoded]
    elif isinstance(value, list):
        usual = _usual_messages(value)
        if usual is not None:
            yield [{"messages": usual}]
        yield value
    elif isinstance(value, dict):
        yield from _ways_of_object(value)


def _ways_of_object(holder: Record) -> Iterator[list[JsonValue]]:
    decoded = {key: structured(holder[key]) for key in WRITTEN & holder.keys()}
    if any(decoded[key] is not holder[key] for key in decoded):
        yield [{**holder, **decoded}]
        return
    yield from _ways_of_text(holder)
    tried = at(holder, "answer_generation", "train_messages")
    if isinstance(tried, list) and tried and isinstance(tried[-1], list):
        # ToolBench keeps what was said before each step; the last of these lists is all of it.
        asked = at(holder, "answer_generation", "query")
        yield [{"input": asked, "messages": [_handed_in(message) for message in tried[-1]]}]
    for key in HOLDERS:
        inner = holder.get(key)
        if isinstance(inner, list) and inner:
            rest = {name: each for name, each in holder.items() if name != key}
            yield [{**rest, "messages": inner}]
            usual = _usual_messages(inner)
            if usual is not None:
                yield [{**rest, "messages": usual}]
    for key in WRAPPERS:
        inner = holder.get(key)
        if isinstance(inner, dict) and inner:
            yield [{**_outside(holder, key), **inner}]
    for key in CONTAINERS:
        inner = holder.get(key)
        if isinstance(inner, list) and inner:
            yield inner
    if holder and all(isinstance(inner, (dict, list)) for inner in holder.values()):
        yield [_named(name, inner) for name, inner in holder.items()]


def _handed_in(message: JsonValue) -> JsonValue:
    """A message of ToolBench; the function `Finish` is how a model hands in its answer, and no call."""
    if at(message, "function_call", "name") != "Finish":
        return message
    given = structured(at(message, "function_call", "arguments"))
    return {"role": "assistant", "content": at(given, "final_answer") or at(message, "content")}


def _ways_of_text(holder: Record) -> Iterator[list[JsonValue]]:
    """The ways in which data for training keep a dialogue in texts."""
    for key in DIALOGUES:
        written = text(holder.get(key))
        if written is not None and "USER:" in written and "ASSISTANT:" in written:
            rest = {name: each for name, each in holder.items() if name not in (key, "system")}
            yield [{**rest, "messages": _messages_of(written)}]
    for asking, answering in ROWS if BESIDE_ROWS.isdisjoint(holder) else ():
        asked, answered = [text(holder.get(key)) for key in asking], holder.get(answering)
        if asked[0] is not None and isinstance(answered, str):
            rest = {key: holder[key] for key in holder if key not in (*asking, answering, "history", "system")}
            words = "\n".join(filter(None, asked))
            yield [
                {
                    **rest,
                    "messages": [{"role": "user", "content": words}, {"role": "assistant", "content": answered}],
                }
            ]


def _messages_of(dialogue: str) -> list[JsonValue]:
    """The messages of a dialogue that is one text, with the speaker before each."""
    turns = list(TURN.finditer(dialogue))
    ends = [*(turn.start() for turn in turns[1:]), len(dialogue)]
    messages: list[JsonValue] = []
    for turn, end in zip(turns, ends, strict=True) if turns else ():
        words = dialogue[turn.end() : end].strip().removesuffix(END_OF_TEXT).strip()
        messages.append({"role": TURNS[turn[1]], "content": words})
    return messages


def _outside(holder: Record, key: str) -> Record:
    """What an envelope says of the record in it: which case it is of, and the like."""
    return {
        name: value
        for name, value in holder.items()
        if name != key and (name in ("metadata", "meta") or not isinstance(value, (dict, list)))
    }


def _named(name: str, record: JsonValue) -> JsonValue:
    """A record that stands under the id of its case."""
    if isinstance(record, list):
        return {"case": name, "messages": record}
    if isinstance(record, dict) and not case_of(record, record.get("metadata"), own_ids=False):
        return {"case": name, **record}
    return record


def _usual_messages(messages: list[JsonValue]) -> list[JsonValue] | None:
    """Messages with the usual names for speakers and words; None where these are no messages, or usual already."""
    if not messages or not all(isinstance(message, dict) for message in messages):
        return None
    usual = [_usual(message) for message in messages if isinstance(message, dict)]
    return None if usual == messages else usual


def _usual(message: Record) -> JsonValue:
    said = next((key for key in WHO if isinstance(message.get(key), str)), None)
    role = SPEAKERS.get(str(message[said]).strip().lower()) if said is not None else None
    if said is None or role is None:
        return message
    found = next((key for key in WHAT if key in message), None)
    content = message[found] if found is not None else None
    rest = {key: value for key, value in message.items() if key not in (said, found)}
    if role != CALLING:
        return {**rest, "role": role, "content": content}
    calls = value_of(content) if isinstance(content, str) else content
    asked = calls_in_value(calls, sure=False, marked=True) if isinstance(calls, (dict, list)) else None
    if not asked:
        return {**rest, "role": "assistant", "content": content}
    written: list[JsonValue] = [{"function": {"name": call.name, "arguments": call.arguments}} for call in asked]
    return {**rest, "role": "assistant", "content": None, "tool_calls": written}


LARGEST = 48 * 1024 * 1024
"""The largest file, in bytes, as for documents; it is held as a whole."""

MAX_FAULTS = 20
"""After so many broken values nothing more is looked for: each of them may be looked through to the end of the file."""

BETWEEN = " \t\r\n,]"
"""What may stand between values, also after a list that was entered."""

_end_of = json.JSONDecoder().raw_decode


def whole_values(source: InputFile) -> tuple[list[JsonValue], int]:
    """The values of a file that can be read, and how many cannot.

    A list that is not whole is entered, so that its members are the values. After a broken value the next one is looked
    for where a line begins with an object.

    Raises:
        InputError: The file cannot be read, is too large, or is not UTF-8.
    """
    written = source.text(LARGEST)
    values: list[JsonValue] = []
    faults = entered = position = 0
    while faults < MAX_FAULTS:
        while position < len(written) and written[position] in BETWEEN:
            position += 1
        if position == len(written):
            break
        end = _end(written, position)
        if end is not None and written[position] not in "[{":
            # No record is a single word, and there may be millions of them.
            faults += 1
            position = end
        elif end is not None:
            try:
                values.append(decode_json(written[position:end].encode("utf-8")))
            except BadJson:
                faults += 1
            position = end
        elif written[position] == "[" and entered < MAX_FAULTS:
            entered += 1
            position += 1
        else:
            faults += 1
            position = written.find("\n{", position + 1)
            if position < 0:
                break
    return values, faults


def _end(written: str, position: int) -> int | None:
    """Where the value ends that begins at a position; None where it is none, or not whole."""
    try:
        return _end_of(written, position)[1]
    except (ValueError, RecursionError):
        return None
