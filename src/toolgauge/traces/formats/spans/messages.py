"""The messages that spans carry, however they are spelled: what was said, the calls asked for, the answers that came.

They come as parts of the current conventions, in OpenAI's and Anthropic's layouts, as the events of older conventions,
and as numbered attributes.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from toolgauge.core import JsonValue

from ...context import ReadContext
from ...values import Record, dicts, items_of, record_of, structured, text, texts
from .span import Span

__all__ = [
    "MessageCall",
    "MessageResult",
    "SpanMessage",
    "event_message",
    "messages_of",
    "numbered",
    "question_of",
    "usual_messages",
]

CALLS = frozenset({"tool_call", "tool_use", "tool-call", "function_call", "server_tool_call"})
ANSWERS = frozenset(
    {"tool_call_response", "tool_result", "tool-result", "function_call_output", "server_tool_call_response"}
)
WORDS = frozenset({None, "text", "input_text", "output_text"})
ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "function": "tool", "choice": "assistant"}
"""Other words for the roles that are asked for."""

MAX_STEPS = 12
"""How many steps the name of a numbered attribute is taken apart into."""


class MessageCall(Struct, gc=False):
    """A call that the model asks for."""

    name: JsonValue
    arguments: JsonValue
    id: str | None


class MessageResult(Struct, gc=False):
    """What a tool answered."""

    value: JsonValue
    id: str | None
    tool: str | None = None
    failed: bool | None = None


class SpanMessage(Struct):
    """One message of a conversation."""

    role: str
    words: str | None = None
    calls: list[MessageCall] = []
    answers: list[MessageResult] = []


class _Part(Struct, gc=False):
    """A part of a message as the current conventions have it."""

    type: str
    content: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: JsonValue = None
    response: JsonValue = None
    result: JsonValue = None


class _PartsMessage(Struct, gc=False):
    role: str
    parts: list[_Part]


_decode_parts = msgspec.json.Decoder(list[_PartsMessage]).decode


def messages_of(value: JsonValue, role: str, context: ReadContext) -> list[SpanMessage]:
    """The messages in the value of an attribute: a list, the JSON text of one, one message, or mere words.

    Args:
        value: The value of the attribute.
        role: Whose they are where they do not say it.
        context: Records what cannot be used.
    """
    if isinstance(value, str):
        usual = usual_messages(value)
        if usual is not None:
            return usual
        decoded = structured(value)
        if isinstance(decoded, str):
            if value[:1] in ("[", "{") and value[1:2] in ("{", '"', "]", "}"):
                context.note_loss("the messages of a span are cut off, or are not JSON; they are left out")
                return []
            return [SpanMessage(role, value)] if value else []
        value = decoded
    if isinstance(value, dict):
        inner = value.get("messages")
        value = inner if isinstance(inner, list) else [value]
    found = []
    for item in items_of(value):
        if isinstance(item, dict):
            found.append(_message(item, role))
        elif isinstance(item, str) and item:
            found.append(SpanMessage(role, item))
    return found


def usual_messages(value: str) -> list[SpanMessage] | None:
    """The messages of a text that keeps to the current conventions, which is most; None where it does not."""
    if not value.startswith("[{"):
        return None
    try:
        decoded = _decode_parts(value)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    found = []
    for record in decoded:
        role = record.role
        message = SpanMessage(ROLES.get(role, role))
        for part in record.parts:
            kind = part.type
            if kind == "tool_call":
                message.calls.append(MessageCall(part.name, part.arguments, part.id))
            elif kind == "tool_call_response":
                value_of = part.result if part.response is None else part.response
                message.answers.append(MessageResult(value_of, part.id, part.name))
            elif kind != "text":
                return None
            elif part.content:
                message.words = f"{message.words}\n{part.content}" if message.words else part.content
        found.append(message)
    return found


def question_of(messages: list[SpanMessage]) -> str | None:
    """What the user asked last: the first words after the last answer, for earlier questions may stand before it."""
    begin = 0
    for index, message in enumerate(messages):
        if message.role == "assistant" and message.words and not message.calls:
            begin = index + 1
    asked = [message.words for message in messages if message.role == "user" and message.words]
    later = [message.words for message in messages[begin:] if message.role == "user" and message.words]
    return later[0] if later else asked[-1] if asked else None


def event_message(name: str, held: Record) -> SpanMessage | None:
    """The message that an event of older conventions holds: `gen_ai.user.message`, `gen_ai.choice` and others."""
    content = structured(held.get("gen_ai.event.content"))
    body = {**held, **content} if isinstance(content, dict) else held
    role = name.removeprefix("gen_ai.").removesuffix(".message")
    role = ROLES.get(role, role)
    if role not in ("system", "user", "assistant", "tool"):
        return None
    inner = structured(body.get("message"))
    if isinstance(inner, dict):
        body = {**body, **inner}
    elif isinstance(inner, str) and "content" not in body:
        body = {**body, "content": inner}
    body.pop("message", None)
    return _message({**body, "role": role}, role)


def _message(record: Record, role: str) -> SpanMessage:
    inner = record.get("message")
    if isinstance(inner, dict):
        record = inner
    said = record.get("role") or record.get("type")
    name = said if isinstance(said, str) else role
    message = SpanMessage(ROLES.get(name, name))
    words: list[str] = []
    content = record.get("content")
    if message.role == "tool" and "parts" not in record and not _holds_answers(content):
        message.answers.append(_answer(record, content))
    else:
        for parts in (record.get("parts"), content, record.get("contents")):
            if parts is not None:
                _take_content(message, parts, words)
    calls = structured(record.get("tool_calls"))
    for call in dicts(calls):
        _take_call(message, call)
    older = record.get("function_call_name")
    if isinstance(older, str):
        message.calls.append(MessageCall(older, record.get("function_call_arguments_json"), None))
    if words:
        message.words = "\n".join(words)
    return message


def _holds_answers(content: JsonValue) -> bool:
    return isinstance(content, list) and any(_kind(part) in ANSWERS for part in dicts(content))


def _kind(part: Record) -> str | None:
    kind = part.get("type", part.get("kind"))
    return kind if isinstance(kind, str) else None


def _answer(record: Record, content: JsonValue) -> MessageResult:
    """The answer in a message of the role `tool`."""
    value: JsonValue = texts(content) if isinstance(content, list) else content
    value = record.get("artifact") if value is None else value
    failed = True if record.get("is_error") is True or record.get("status") == "error" else None
    return MessageResult(
        value, text(record.get("tool_call_id")) or text(record.get("id")), text(record.get("name")), failed
    )


def _take_content(message: SpanMessage, content: JsonValue, words: list[str]) -> None:
    if isinstance(content, str):
        if content.startswith('[{"') and isinstance(decoded := structured(content), list) and _are_parts(decoded):
            content = decoded
        else:
            if content:
                words.append(content)
            return
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str) and part:
            words.append(part)
        elif isinstance(part, dict):
            _take_part(message, part, words)


def _are_parts(decoded: list[JsonValue]) -> bool:
    kinds = (CALLS | ANSWERS | WORDS) - {None}
    return all(isinstance(part, dict) and _kind(part) in kinds for part in decoded)


def _take_part(message: SpanMessage, part: Record, words: list[str]) -> None:
    inner = part.get("message_content")
    if isinstance(inner, dict):
        part = inner
    kind = _kind(part)
    if kind in CALLS:
        _take_call(message, part)
    elif kind in ANSWERS:
        message.answers.append(_answered(part))
    elif isinstance(part.get("toolUse"), dict):
        _take_call(message, record_of(part["toolUse"]))
    elif isinstance(part.get("toolResult"), dict):
        message.answers.append(_answered(record_of(part["toolResult"])))
    elif kind in WORDS:
        said = text(part.get("content")) or text(part.get("text"))
        if said:
            words.append(said)


def _take_call(message: SpanMessage, call: Record) -> None:
    inner = call.get("tool_call")
    if isinstance(inner, dict):
        call = inner
    function = call.get("function")
    holder = function if isinstance(function, dict) else call
    name = holder.get("name", holder.get("toolName"))
    arguments = holder.get("arguments", holder.get("input", holder.get("args")))
    identity = call.get("id") or call.get("call_id") or call.get("toolUseId") or call.get("toolCallId")
    message.calls.append(MessageCall(name, arguments, text(identity)))


def _answered(part: Record) -> MessageResult:
    value: JsonValue = None
    for key in ("response", "result", "content", "output"):
        if key in part:
            value = part[key]
            break
    if isinstance(value, list) and value and all(text(part.get("text")) for part in dicts(value)):
        value = texts(value) or value
    failed = True if part.get("is_error") is True or part.get("status") == "error" else None
    if isinstance(value, dict) and value.keys() == {"type", "value"}:
        # How Vercel's AI SDK tells texts, data and errors apart.
        failed = True if str(value["type"]).startswith("error") else failed
        value = value["value"]
    identity = part.get("id")
    for key in ("tool_use_id", "tool_call_id", "toolUseId", "toolCallId", "call_id"):
        identity = part.get(key) or identity
    return MessageResult(value, text(identity), text(part.get("name")), failed)


def numbered(span: Span, prefix: str) -> list[JsonValue]:
    """What attributes with numbers in their names hold, as a list: `prefix.0.role`, `prefix.0.tool_calls.1.name`."""
    if not span.numbered:
        return []
    root: Record = {}
    for key in list(span.attributes):
        if key.startswith(prefix):
            value = span.value(key)
            holder = root
            *path, last = key[len(prefix) :].split(".", MAX_STEPS)
            for step in path:
                inner = holder.setdefault(step, {})
                if not isinstance(inner, dict):
                    break
                holder = inner
            else:
                holder.setdefault(last, value)
    found = _lists(root)
    return found if isinstance(found, list) else []


def _lists(value: JsonValue) -> JsonValue:
    """The value with lists for all objects whose keys are numbers."""
    if not isinstance(value, dict) or not value:
        return value
    inner = {key: _lists(item) for key, item in value.items()}
    if all(key.isdecimal() and len(key) < 8 for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner
