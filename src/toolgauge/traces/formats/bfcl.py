"""Result files of the Berkeley Function-Calling Leaderboard, with one question a line.

A result is a list of calls where a model has an interface for them, and a text where it was asked to write them. In
questions of several turns it is a list of turns, each a list of such results. A text that is no call is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import Reading
from ..trajectory_builder import Conversation
from ..values import Record, amount, dicts, items_of, record_of, text, texts
from .calltext import read_calls, read_plain_calls

__all__ = ["BfclReader"]

MARKS = ("input_token_count", "output_token_count", "latency", "inference_log", "traceback")
"""What the leaderboard writes beside a result."""

CATEGORY = re.compile(
    r"(live_|exec_|multi_turn_|format_sensitivity|simple|multiple|parallel|irrelevance|relevance|java|rest|sql|chatable"
    r"|memory|web_search)[a-z_]*[-_:]?\d"
)
"""How the ids of its questions begin."""

FAILED = "Error during inference:"


class BfclReader:
    """One question a record."""

    title: ClassVar[str] = "BFCL results"

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

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
            self._reading.lose("a record without an id and a result is left out")
            return
        conversation = Conversation(self._reading)
        error = result if isinstance(result, str) and result.startswith(FAILED) else None
        if error is None:
            _tell_result(conversation, self._reading, result, dicts(record.get("inference_log")))
        _spend(conversation, record)
        seconds = _numbers(record.get("latency"))
        yield conversation.finish(
            case=name or "", error=error, latency_ms=sum(seconds) * 1000 if seconds else None, answered=False
        )

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every record is a question."""
        return iter(())


def _tell_result(conversation: Conversation, reading: Reading, result: JsonValue, log: Iterator[Record]) -> None:
    if not isinstance(result, list) or not any(isinstance(turn, list) for turn in result):
        _tell_reply(conversation, reading, result)
        return
    turns = [turn for turn in log if "begin_of_turn_query" in turn]
    for number, turn in enumerate(result):
        noted = turns[number] if number < len(turns) else {}
        for message in dicts(noted.get("begin_of_turn_query")):
            if message.get("role") == "user":
                conversation.ask(texts(message.get("content")))
        for step, reply in enumerate(turn if isinstance(turn, list) else [turn]):
            _tell_reply(conversation, reading, reply)
            for message in dicts(noted.get(f"step_{step}")):
                if message.get("role") == "tool":
                    conversation.result(message.get("content"))


def _tell_reply(conversation: Conversation, reading: Reading, reply: JsonValue) -> None:
    conversation.begin_turn()
    for item in items_of(reply) or [reply]:
        if isinstance(item, str):
            _tell_text(conversation, reading, item)
        elif isinstance(item, dict):
            for name, found in item.items():
                conversation.call(name, found)


def _tell_text(conversation: Conversation, reading: Reading, written: str) -> None:
    calls = read_plain_calls(written)
    if calls is None:
        calls = read_calls(written)
        if calls is None:
            conversation.say(written)
            return
        reading.lose("calls with a fence, tags or words around them are read, unlike by most official decoders")
    for name, arguments, unnamed in calls:
        if unnamed:
            reading.lose("an argument without a name is left out, as on the leaderboard", unnamed)
        conversation.call(name, arguments)


def _spend(conversation: Conversation, record: Record) -> None:
    taken, given = _numbers(record.get("input_token_count")), _numbers(record.get("output_token_count"))
    if taken or given:
        requests = max(len(taken), len(given))
        conversation.spend(
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
