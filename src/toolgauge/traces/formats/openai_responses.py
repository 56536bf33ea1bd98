"""OpenAI's Responses: response objects, lists of items, logged exchanges, and single items or events, one a line.

What is asked with `previous_response_id` does not repeat what was said, so the conversation is put together from
several records; where requests repeat everything, the last one tells it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..conversation import Conversation, Reading
from ..values import Record, at, case_of, dicts, items_of, record_of, text
from .dialects import dialect, is_item
from .exchanges import Exchanges, Held, error_of, said, spent_on, state_of
from .openai_items import stand_in, tell_item
from .threads import Threads, thread_of

__all__ = ["OpenAIResponsesReader"]

LISTS = ("items", "messages", "input", "input_items", "conversation")
"""Where records keep a list of items that is a whole conversation."""

LAST_EVENTS = frozenset({"response.completed", "response.failed", "response.incomplete"})
"""The events of a stream that hold the whole response."""


class OpenAIResponsesReader:
    """Reads conversations that stand in one record, and gathers those that are spread over several."""

    title: ClassVar[str] = "OpenAI Responses items"

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._exchanges = Exchanges(reading)
        self._threads = Threads(reading, tell_item)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Items by what their `type` says, in a list or under a key, or a response object."""
        if isinstance(value, list):
            return dialect(value) == "openai-responses" and thread_of(record_of(value[0])) is None
        if not isinstance(value, dict) or "new_items" in value or "generated_items" in value or "calls" in value:
            return False
        kind = value.get("type")
        if (
            isinstance(kind, str)
            and kind.startswith("response.")
            and ("response" in value or "sequence_number" in value)
        ):
            return True
        if is_item(value) or (kind == "message" and dialect([value]) == "openai-responses"):
            return True
        if _response(value) is not None:
            return True
        return any(dialect(value.get(key)) == "openai-responses" for key in LISTS)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        if isinstance(value, list):
            yield from self._whole({"items": value})
            return
        holder = record_of(value)
        kind = holder.get("type")
        if isinstance(kind, str) and kind.startswith("response."):
            if kind in LAST_EVENTS:
                yield from self._exchange({"response": holder.get("response")})
        elif is_item(holder) or kind == "message":
            yield from self._threads.add(holder, holder)
        elif _response(holder) is not None or "request" in holder:
            yield from self._exchange(holder)
        else:
            yield from self._whole(holder)

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have gone on."""
        for held in self._exchanges.all():
            yield from self._given(held)
        yield from self._threads.finish()

    def _exchange(self, holder: Record) -> Iterator[Trajectory]:
        response = _response(holder) or {}
        asked = _stand_ins(_asked(holder))
        replies = [_stand_ins(response.get("output"))] if items_of(response.get("output")) else []
        over = self._exchanges.add(
            holder,
            asked,
            replies,
            spent_on(_timed(holder, response), _tokens(response)),
            seed=case_of(holder, _metadata(holder), own_ids=False),
            id=response.get("id"),
            previous=response.get("previous_response_id") or at(holder, "request", "previous_response_id"),
        )
        for held in over:
            yield from self._given(held)

    def _given(self, held: Held) -> Iterator[Trajectory]:
        # What is lost is put down to the record in which it stands, not to the one that made it give way.
        number, self._reading.number = self._reading.number, held.number
        trajectories = list(self._conversation(held))
        self._reading.number = number
        yield from trajectories

    def _whole(self, holder: Record) -> Iterator[Trajectory]:
        return self._conversation(Held(self._reading.number, [holder], [spent_on(holder, None)], 0, []))

    def _conversation(self, held: Held) -> Iterator[Trajectory]:
        conversation = Conversation(self._reading)
        for record in held.records:
            _tell(conversation, record)
        held.spend(conversation)
        holder = held.records[-1]
        response = _response(holder) or {}
        error = error_of(holder, response, record_of(holder.get("response")), record_of(at(holder, "response", "body")))
        if conversation.empty and error is None:
            self._reading.lose("a conversation without messages is left out")
            return
        metadata = _metadata(holder)
        yield conversation.finish(
            case=case_of(held.records[0], _metadata(held.records[0])) or case_of(holder, metadata),
            agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
            state=_state(response),
            error=error,
            latency_ms=held.latency_ms(),
            meta=self._reading.meta_of(holder, metadata),
        )


def _tell(conversation: Conversation, record: Record) -> None:
    asked = _asked(record)
    if isinstance(asked, str):
        conversation.ask(asked)
    for item in dicts(asked):
        tell_item(conversation, item)
    response = _response(record)
    if response is not None:
        conversation.begin_turn()
        for item in dicts(response.get("output")):
            tell_item(conversation, item)


def _asked(holder: Record) -> JsonValue:
    """What the model was asked with: a text, or items."""
    for found in (holder.get("input"), at(holder, "request", "input"), at(holder, "body", "input")):
        if isinstance(found, (str, list)):
            return found
    return next((found for key in LISTS if isinstance(found := holder.get(key), list)), None)


def _response(holder: Record) -> Record | None:
    """The response object of a record: the record itself, or what it holds."""
    if "output" not in holder and "response" not in holder and "object" not in holder:
        return None
    for found in (holder, holder.get("response"), at(holder, "response", "body")):
        if isinstance(found, dict) and isinstance(found.get("output"), list):
            if found.get("object") == "response" or _are_items(found["output"]):
                return found
        elif isinstance(found, dict) and found.get("object") == "response":
            return found
    return None


def _are_items(output: JsonValue) -> bool:
    first = next(dicts(output), {})
    return is_item(first) or (first.get("type") == "message" and dialect([first]) == "openai-responses")


def _stand_ins(asked: JsonValue) -> list[object]:
    if isinstance(asked, str):
        return [("user", asked)]
    return [found for item in said(items_of(asked)) if (found := stand_in(item)) is not None]


def _metadata(holder: Record) -> Record:
    response = _response(holder) or {}
    for found in (holder.get("metadata"), at(holder, "request", "metadata"), response.get("metadata")):
        if isinstance(found, dict) and found:
            return found
    return {}


def _timed(holder: Record, response: Record) -> Record:
    """What says how long an exchange took: the record, or the moments in the response."""
    if "created_at" in response and "completed_at" in response:
        return {"start": response["created_at"], "end": response["completed_at"], **holder}
    return holder


def _tokens(response: Record) -> tuple[JsonValue, JsonValue] | None:
    usage = response.get("usage")
    return (usage.get("input_tokens"), usage.get("output_tokens")) if isinstance(usage, dict) else None


def _state(response: Record) -> State:
    status = response.get("status")
    if status == "cancelled":
        return "cancelled"
    if status == "failed":
        return "error"
    return state_of(at(response, "incomplete_details", "reason"))
