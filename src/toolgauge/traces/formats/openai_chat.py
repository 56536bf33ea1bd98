"""Chat messages in OpenAI's layout, which most servers and many loggers speak.

A record is a list of messages, an object that holds one, a logged exchange of request and response, a line of a batch
output, a single message, or a piece of a streamed reply.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..open_conversations import MAX_KEPT, OpenConversations
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, dicts, list_at, record_of, structured, text, texts, trial_of
from .conversations import (
    Exchanges,
    ExchangeUsage,
    InFileOrder,
    LoggedConversation,
    error_of,
    exchange_usage,
    state_of,
    without_rules,
)
from .dialects import dialect
from .fast.openai_chat import OF_OTHERS, REPLYING, read_fast
from .openai_messages import ChatReply, ReplyStream, add_message, is_chunk, reply_of, stand_in
from .threads import Threads, thread_of

__all__ = ["OpenAIChatReader", "add_message"]


class OpenAIChatReader:
    """Reads conversations that stand in one record, and gathers those that are spread over several."""

    title: ClassVar[str] = "OpenAI chat messages"

    def __init__(self, context: ReadContext) -> None:
        self.independent = True
        """Whether every record so far stood for itself."""
        self._context = context
        self._threads = Threads(context, add_message, knows_plain=True)
        self._exchanges = Exchanges(context)
        self._order = InFileOrder(context, self._exchanges, self._logged)
        self._streams: OpenConversations[ReplyStream] = OpenConversations()
        self._unfinished: set[int] = set()
        """Hashes of how conversations begin that stand in one record without an answer and may continue in another."""

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages with roles, in a list or under a key that says so, or the choices of a reply."""
        if isinstance(value, list):
            return dialect(value) == "openai-chat" and thread_of(record_of(value[0])) is None
        if not isinstance(value, dict) or not OF_OTHERS.isdisjoint(value):
            return False
        messages = _messages(value)
        if messages:
            return dialect(messages) == "openai-chat" and not _is_of_others(value.get("response"))
        if isinstance(value.get("choices"), list) or isinstance(at(value, "response", "choices"), list):
            return True
        if "custom_id" in value and "response" in value:
            body = at(value, "response", "body")
            return not isinstance(body, dict) or "choices" in body or set(body) == {"error"}
        if isinstance(value.get("message"), dict) and ("done" in value or thread_of(value) is not None):
            return "type" not in value and dialect([value["message"]]) == "openai-chat"
        return "role" in value and "type" not in value and dialect([value]) == "openai-chat"

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        holder: Record = {"messages": value} if isinstance(value, list) else record_of(value)
        messages = _messages(holder)
        if is_chunk(holder):
            self.independent = False
            yield from self._add_chunk(holder)
        elif not messages and "role" in holder:
            self.independent = False
            yield from self._threads.add(holder, holder)
        elif not messages and thread_of(holder) is not None and "role" in record_of(holder.get("message")):
            self.independent = False
            yield from self._threads.add(holder, record_of(holder["message"]))
        else:
            reply = _reply(holder)
            if "request" in holder or (messages and reply is not None):
                yield from self._exchange(holder, messages, reply)
            elif reply is None and messages and self._may_go_on(messages):
                yield from self._exchange(holder, messages, None, longer=True)
            else:
                yield from self._order.add(self._whole(holder, reply))

    def read_line(self, line: bytes) -> list[Trajectory] | None:
        """The conversation of a record that is not decoded yet, where it can be read the fast way."""
        found = read_fast(line, self._context, self._unfinished)
        if found is None:
            return None
        return [found] if self._order.idle else list(self._order.add([found]))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        yield from self._order.finish()
        for stream in self._streams.all():
            yield from self._streamed(stream)
        yield from self._threads.finish()

    def _add_chunk(self, chunk: Record) -> Iterator[Trajectory]:
        key = text(chunk.get("id")) or ""
        stream = self._streams.get(key) or ReplyStream()
        stream.add(chunk)
        for over in self._streams.keep(key, stream, self._context.size):
            yield from self._streamed(over)

    def _streamed(self, stream: ReplyStream) -> Iterator[Trajectory]:
        response = stream.response()
        yield from self._whole(response, reply_of(response))

    def _may_go_on(self, messages: list[JsonValue]) -> bool:
        """Whether a conversation without a reply may continue in another record, or continues an earlier one."""
        begins = next(
            (texts(message.get("content")) for message in dicts(messages) if message.get("role") == "user"), None
        )
        if begins is None:
            return False
        last = next((message for message in dicts(messages[::-1]) if message.get("role") == "assistant"), None)
        if last is not None and not last.get("tool_calls") and not last.get("function_call"):
            return hash(begins) in self._unfinished
        self.independent = False
        if len(self._unfinished) < MAX_KEPT:
            self._unfinished.add(hash(begins))
        return hash(begins) in self._unfinished

    def _exchange(
        self, holder: Record, messages: list[JsonValue], reply: ChatReply | None, *, longer: bool = False
    ) -> Iterator[Trajectory]:
        self.independent = False
        asked = [stand_in(message) for message in without_rules(messages)]
        replies = [[stand_in(message)] for message, _ in reply.choices] if reply is not None else []
        seed = case_of(holder, _metadata(holder), own_ids=longer)
        usage = _exchange_usage(holder, reply)
        over = self._exchanges.add(holder, asked, replies, usage, seed=seed, longer=longer)
        yield from self._order.add_exchanges(over)

    def _logged(self, logged: LoggedConversation) -> Iterator[Trajectory]:
        holder = logged.records[-1]
        return self._conversations(holder, _reply(holder), logged)

    def _whole(self, holder: Record, reply: ChatReply | None) -> Iterator[Trajectory]:
        logged = LoggedConversation(self._context.number, [holder], [_exchange_usage(holder, reply)], 0, [])
        return self._conversations(holder, reply, logged)

    def _conversations(
        self, holder: Record, reply: ChatReply | None, logged: LoggedConversation
    ) -> Iterator[Trajectory]:
        """A trajectory for each choice that the model offered; mostly there is one."""
        choices = reply.choices if reply is not None else ()
        for index, (message, stopped) in enumerate(choices or (({}, None),)):
            builder = TrajectoryBuilder(self._context)
            for each in dicts(_messages(holder)):
                add_message(builder, each)
            add_message(builder, message)
            if len(choices) < 2:
                logged.add_usage_to(builder)
            elif index == 0 and logged.usages[-1].counted:
                self._context.note_loss("the tokens of several choices were counted together; they are left out")
            error = error_of(holder, record_of(holder.get("response")), reply.response if reply is not None else {})
            if builder.empty and error is None:
                self._context.note_loss("a conversation without messages is left out")
                continue
            metadata = _metadata(holder)
            yield builder.build(
                case=case_of(holder, metadata),
                agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
                trial=index if len(choices) > 1 else trial_of(holder, metadata),
                state=state_of(stopped),
                error=error,
                latency_ms=logged.latency_ms(),
                meta=self._context.meta_of(holder, metadata),
            )


def _messages(holder: Record) -> list[JsonValue]:
    paths = (("messages",), ("request", "messages"), ("body", "messages"), ("request", "body", "messages"))
    return list_at(holder, *paths)


def _metadata(holder: Record) -> Record:
    asked = at(holder, "request", "metadata") or at(holder, "body", "metadata")
    return record_of(holder.get("metadata") or holder.get("meta") or asked)


def _reply(holder: Record) -> ChatReply | None:
    if REPLYING.isdisjoint(holder):
        return None
    for key in ("response", "completion", "output"):
        replied = structured(holder.get(key))
        reply = reply_of(replied)
        if reply is None and isinstance(replied, str) and replied.strip() and not _is_last(holder, replied):
            reply = ChatReply({}, (({"role": "assistant", "content": replied}, None),), None)
        if reply is not None:
            return reply
    return None if "role" in holder else reply_of(holder)


def _is_last(holder: Record, words: str) -> bool:
    """Whether a record without messages, or one whose last message is these words, needs no answer besides."""
    messages = _messages(holder)
    if not messages:
        return True
    last = record_of(messages[-1])
    return last.get("role") == "assistant" and texts(last.get("content")) == words


def _exchange_usage(holder: Record, reply: ChatReply | None) -> ExchangeUsage:
    spent = exchange_usage(holder, reply.tokens if reply is not None else None)
    duration = reply.response.get("total_duration") if reply is not None else None
    if spent.latency_ms is None and isinstance(duration, int) and not isinstance(duration, bool) and duration >= 0:
        # Ollama counts nanoseconds.
        return ExchangeUsage(spent.counted, spent.input_tokens, spent.output_tokens, duration / 1e6)
    return spent


def _is_of_others(response: JsonValue) -> bool:
    """Whether a reply to messages without marks is one of another vendor."""
    if isinstance(response, list):
        return bool(response) and not is_chunk(response[0])
    if not isinstance(response, dict):
        return False
    # Cohere says in capitals why a model stopped, beside its message.
    stopped = response.get("finish_reason") if "message" in response else None
    return (
        response.get("type") == "message"
        or response.get("object") == "response"
        or (isinstance(stopped, str) and stopped.isupper())
    )
