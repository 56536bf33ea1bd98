"""Result files of the Berkeley Function-Calling Leaderboard, with one question a line.

A result is a list of calls where a model has an interface for them, and a text where it was asked to write them. In
questions of several turns it is a list of turns, each a list of such results. A text that is no call is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..trajectory_builder import TrajectoryBuilder
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
    for item in items_of(reply) or [reply]:
        if isinstance(item, str):
            _add_text(builder, context, item)
        elif isinstance(item, dict):
            for name, found in item.items():
                builder.add_call(name, found)


def _add_text(builder: TrajectoryBuilder, context: ReadContext, written: str) -> None:
    calls = read_plain_calls(written)
    if calls is None:
        calls = read_calls(written)
        if calls is None:
            builder.add_agent_message(written)
            return
        context.note_loss("calls with a fence, tags or words around them are read, unlike most official decoders")
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
