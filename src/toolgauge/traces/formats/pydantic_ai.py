"""Messages of pydantic-ai, as its `ModelMessagesTypeAdapter` or a run's `all_messages_json()` writes them.

The tool by which an agent hands in a structured result is no tool of the agent's: its arguments are the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..identity import identity_in, with_identity
from ..open_conversations import TraceGroups
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, case_of, dicts, items_of, milliseconds, record_of, structured, text, trial_of

__all__ = ["PydanticAIReader"]

HANDED_IN = "final_result"
"""What output tools are called, or begin with, unless they were named."""

ACCEPTED = "Final result processed."
NOT_RUN = ("Tool not executed - ", "Output tool not used - ")
FAILED = ("failed", "retried", "denied", "interrupted")
CALLS = ("tool-call", "tool-search-call", "capability-load-call")
RETURNS = ("tool-return", "tool-search-return", "capability-load-return")
RETRIES = ("retry-prompt", "retry-feedback")


class PydanticAIReader:
    """One conversation a record, or several messages a conversation where each is a record of its own."""

    title: ClassVar[str] = "pydantic-ai messages"

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._threads = TraceGroups(context)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Requests and responses that consist of parts: in a list, in an object that holds one, or by themselves."""
        messages = _messages(value)
        return bool(messages) and all(map(_is_message, messages[:3]))

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record."""
        holder = record_of(value)
        if _is_message(value):
            thread = text(holder.get("conversation_id")) or text(holder.get("run_id")) or ""
            for group in self._threads.add(thread, holder):
                yield from self._give({}, group)
            return
        yield from self._give(holder, list(dicts(_messages(value))))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that were written message by message."""
        for group in self._threads.rest():
            yield from self._give({}, group)

    def _give(self, holder: Record, messages: list[Record]) -> Iterator[Trajectory]:
        builder = TrajectoryBuilder(self._context)
        handed_in = _handed_in(messages)
        cut_off = False
        for message in messages:
            if message.get("kind") == "response":
                _add_response(builder, message, handed_in)
                cut_off = message.get("finish_reason") == "length"
            else:
                for part in dicts(message.get("parts")):
                    _add_request(builder, part, handed_in)
        if builder.empty:
            self._context.note_loss("a conversation without messages is left out")
            return
        metadata = record_of(holder.get("metadata")) or _metadata(messages)
        moments = _moments(messages)
        yield builder.build(
            case=case_of(holder, metadata),
            trial=trial_of(holder, metadata),
            agent=text(holder.get("agent")) or text(holder.get("agent_name")) or text(metadata.get("agent")) or "",
            state="limit" if cut_off else "completed",
            latency_ms=max(moments) - min(moments) if len(moments) > 1 else None,
            meta=with_identity(
                identity_in(holder, metadata),
                session=next((found for each in messages if (found := text(each.get("conversation_id")))), None),
                started=min(moments, default=None),
            ),
        )


def _is_message(value: JsonValue) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("parts"), list)
        and (value.get("kind") == "request" or value.get("kind") == "response")
    )


def _messages(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, list):
        return value
    if _is_message(value):
        return [value]
    holder = record_of(value)
    for key in ("messages", "all_messages", "message_history", "new_messages"):
        found = holder.get(key)
        if isinstance(found, list):
            return found
    return []


def _metadata(messages: list[Record]) -> Record:
    """What the messages themselves carry, where the record carries nothing."""
    return next((found for message in messages if (found := record_of(message.get("metadata")))), {})


def _handed_in(messages: list[Record]) -> set[str]:
    """The ids of the calls by which a result was handed in, whatever their tool is called."""
    found: set[str] = set()
    for message in messages:
        for part in dicts(message.get("parts")):
            id_ = part.get("tool_call_id")
            if isinstance(id_, str) and part.get("part_kind") == "tool-return" and part.get("content") == ACCEPTED:
                found.add(id_)
    return found


def _hands_in(part: Record, handed_in: set[str]) -> bool:
    id_, name = part.get("tool_call_id"), part.get("tool_name")
    return (isinstance(id_, str) and id_ in handed_in) or (isinstance(name, str) and name.startswith(HANDED_IN))


def _add_response(builder: TrajectoryBuilder, message: Record, handed_in: set[str]) -> None:
    builder.begin_turn()
    said: list[str] = []
    asked: list[Record] = []
    for part in dicts(message.get("parts")):
        kind = part.get("part_kind")
        if kind in CALLS:
            asked.append(part)
        elif kind == "text" or kind == "speech":
            said.append(text(part.get("content")) or text(part.get("transcript")) or "")
        elif isinstance(kind, str) and kind.startswith("builtin-tool-"):
            _add_builtin(builder, part, kind)
    builder.add_agent_message("\n\n".join(filter(None, said)))
    for part in asked:
        if not _hands_in(part, handed_in):
            builder.add_call(part.get("tool_name"), part.get("args"), id=part.get("tool_call_id"))
    answer = next((part for part in asked if _hands_in(part, handed_in)), None)
    if answer is not None:
        builder.add_agent_message(_written(answer.get("args")))
    usage = record_of(message.get("usage"))
    if usage:
        builder.add_usage(
            usage.get("input_tokens", usage.get("request_tokens")),
            usage.get("output_tokens", usage.get("response_tokens")),
            cost_usd=_cost(usage.get("cost")),
        )


def _add_builtin(builder: TrajectoryBuilder, part: Record, kind: str) -> None:
    """A tool that the provider ran within its reply."""
    if kind.endswith("call"):
        builder.add_call(part.get("tool_name"), part.get("args"), id=part.get("tool_call_id"))
    else:
        _add_return(builder, part, same_turn=True)


def _add_request(builder: TrajectoryBuilder, part: Record, handed_in: set[str]) -> None:
    kind = part.get("part_kind")
    if kind == "user-prompt":
        builder.add_user_message(_prompt(part.get("content")))
    elif kind in RETURNS:
        if not _hands_in(part, handed_in):
            _add_return(builder, part)
        elif part.get("outcome") in FAILED:
            builder.add_event("retry", reason=part.get("content"))
    elif kind in RETRIES:
        if text(part.get("tool_name")) is None or _hands_in(part, handed_in):
            builder.add_event("retry", reason=part.get("content"))
        else:
            _add_return(builder, part, failed=True)


def _add_return(
    builder: TrajectoryBuilder, part: Record, *, failed: bool | None = None, same_turn: bool = False
) -> None:
    content, outcome = part.get("content"), part.get("outcome")
    if isinstance(outcome, str):
        failed = outcome in FAILED
    if isinstance(content, str) and content.startswith(NOT_RUN):
        failed = True
    builder.add_result(
        content,
        id=part.get("tool_call_id"),
        tool=part.get("tool_name"),
        # A success is what a part says unless told otherwise, so the text of the result is looked at all the same.
        failed=failed or None,
        same_turn=same_turn,
    )


def _prompt(content: JsonValue) -> str | None:
    if isinstance(content, str):
        return content or None
    parts = [item if isinstance(item, str) else text(record_of(item).get("content")) for item in items_of(content)]
    return "\n".join(part for part in parts if part) or None


def _written(args: JsonValue) -> str:
    """The arguments of an output tool as text; a result that is no object stands alone under one key."""
    fields = structured(args)
    if isinstance(fields, dict) and list(fields) == ["response"]:
        args = fields["response"]
    return args if isinstance(args, str) else msgspec.json.encode(args).decode()


def _cost(value: JsonValue) -> float | None:
    known = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 10**15
    return float(value) if known else None  # type: ignore[arg-type]  # a number, as was found


def _moments(messages: list[Record]) -> list[float]:
    """When messages, and parts of them, were made, in milliseconds since 1970."""
    moments: list[float] = []
    for message in messages:
        written = [message.get("timestamp"), *(part.get("timestamp") for part in dicts(message.get("parts")))]
        moments += [moment for stamp in written if (moment := milliseconds(stamp)) is not None]
    return moments
