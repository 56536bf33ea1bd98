"""Requests and responses of Gemini: contents, candidates, logged exchanges, batch lines, and streams of responses.

Vertex AI logs a request and its response as `full_request` and `full_response`, of a stream all its responses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..values import Record, dicts, either, record_of, structured, text
from .conversation_reader import Conversation, ConversationReader, Reply
from .gemini_parts import are_contents, content_messages, gemini_messages, is_content, reply_state

__all__ = ["GeminiReader", "tokens_of"]

REQUESTS = ("request", "full_request", "fullRequest", "input")
RESPONSES = ("response", "full_response", "fullResponse", "output")
BROKEN_CALLS = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL")
HISTORY = "automaticFunctionCallingHistory"


class GeminiReader(ConversationReader):
    """Reads conversations that stand in one record, and gathers requests, and responses that were streamed."""

    title: ClassVar[str] = "Gemini contents"

    def __init__(self, context: ReadContext) -> None:
        super().__init__(context)
        self._stream: list[Record] = []
        """Responses by themselves that have the id of one response, or none, and are not finished."""

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Contents with parts, or candidates, by themselves or in a request, a response, or both."""
        if isinstance(value, list):
            return are_contents(value) or (bool(value) and all(map(_is_only_response, value[:3])))
        if not isinstance(value, dict) or "observations" in value or "events" in value:
            return False
        if _is_request(value) or _is_response(value) or GeminiReader.single(value):
            return True
        if any(_is_request(structured(value.get(key))) for key in REQUESTS):
            return True
        return any(_responses(value.get(key)) for key in RESPONSES)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        if isinstance(value, list):
            holder: Record = {"response": value} if _responses(value) else {"contents": value}
            yield from self.read_record(holder)
            return
        holder = record_of(value)
        key = text(either(holder, "responseId"))
        if self._stream and text(either(self._stream[-1], "responseId")) != key:
            yield from self._give_stream()
        if key is not None and _is_response(holder):
            self._stream.append(holder)
            return
        if _is_only_response(holder) and (self._stream or not _is_finished(holder)):
            self._stream.append(holder)
            if _is_finished(holder):
                yield from self._give_stream()
            return
        yield from self._give_stream()
        yield from super().read(holder)

    @staticmethod
    def single(holder: Record) -> list[Record]:
        """The messages of a content that is a record of its own."""
        return content_messages(holder) if is_content(holder) and "role" in holder else []

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        yield from self._give_stream()
        yield from super().finish()

    def _give_stream(self) -> Iterator[Trajectory]:
        stream, self._stream = self._stream, []
        if stream and text(either(stream[-1], "responseId")) is None and not _is_finished(stream[-1]):
            # Nothing says that these belong together: no id, and no end.
            for response in stream:
                yield from self.read_record(response)
        elif stream:
            yield from self.read_record({**stream[-1], "response": [*stream]} if len(stream) > 1 else stream[0])

    def conversation(self, holder: Record) -> Conversation:
        """The contents of the request, and the candidates of the response."""
        asked = gemini_messages({"contents": holder.get("contents")})
        for key in () if asked else REQUESTS:
            asked = asked or gemini_messages({"contents": record_of(structured(holder.get(key))).get("contents")})
        found = next((found for key in RESPONSES if (found := _responses(holder.get(key)))), [])
        responses = found or _responses(holder)
        history = next((past for each in responses if isinstance(past := either(each, HISTORY), list) and past), None)
        if history is not None:
            # The Python client called the functions itself, and tells what it did beside the last response.
            asked = gemini_messages(history)
        last = responses[-1] if responses else {}
        replies = _replies(responses)
        return Conversation(
            asked,
            replies,
            tokens_of(either(last, "usageMetadata")),
            error=_failure(last) if not any(map(_says_something, replies)) else None,
            case=text(holder.get("key")) or "",  # the name of a request in a batch
        )


def _is_request(value: JsonValue) -> bool:
    contents = structured(value.get("contents")) if isinstance(value, dict) else None
    return are_contents(contents) or is_content(contents)


def _is_response(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    candidates = value.get("candidates")
    if not isinstance(candidates, list):
        return False
    if not candidates:
        return either(value, "promptFeedback") is not None or either(value, "usageMetadata") is not None
    first = record_of(candidates[0])
    return isinstance(first.get("content"), dict) or either(first, "finishReason") is not None


def _is_finished(response: Record) -> bool:
    """Whether a response says why the model stopped, as the last one of a stream does."""
    return any(either(candidate, "finishReason") is not None for candidate in dicts(response.get("candidates")))


def _failure(response: Record) -> str | None:
    """Why a response has no call where the model tried to write one."""
    for candidate in dicts(response.get("candidates")):
        reason = str(either(candidate, "finishReason")).rpartition(".")[2].upper()
        if reason in BROKEN_CALLS:
            return text(either(candidate, "finishMessage")) or reason
    return None


def _says_something(reply: Reply) -> bool:
    return any(message.get("content") or message.get("tool_calls") for message in reply.messages)


def _is_only_response(value: JsonValue) -> bool:
    """Whether a value is a response, and not a request with it."""
    return _is_response(value) and isinstance(value, dict) and "contents" not in value


def _responses(value: JsonValue) -> list[Record]:
    """The responses that a value holds: one, those of a stream, or none."""
    value = structured(value)
    found = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
    return found if found and all(map(_is_response, found)) else []


def _replies(responses: list[Record]) -> list[Reply]:
    """A reply for each candidate, put together from all responses of a stream."""
    parts: dict[int, list[JsonValue]] = {}
    last: dict[int, Record] = {}
    for response in responses:
        for position, candidate in enumerate(dicts(response.get("candidates"))):
            index = candidate.get("index")
            key = index if isinstance(index, int) else position
            content = record_of(candidate.get("content"))
            parts.setdefault(key, []).extend(found if isinstance(found := content.get("parts"), list) else [])
            last[key] = candidate
    return [Reply(content_messages({"role": "model", "parts": parts[key]}), reply_state(last[key])) for key in parts]


def tokens_of(usage: JsonValue) -> tuple[JsonValue, JsonValue] | None:
    """Tokens in and out; thoughts are written by the model, too."""
    if not isinstance(usage, dict):
        return None
    written = [either(usage, "candidatesTokenCount"), either(usage, "thoughtsTokenCount")]
    counted = [each for each in written if isinstance(each, int) and not isinstance(each, bool)]
    return either(usage, "promptTokenCount"), sum(counted) if counted else None
