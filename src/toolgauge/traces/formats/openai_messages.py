"""Chat messages and chat replies of OpenAI and of those who speak its dialect.

Among them are replies that were streamed in pieces, and calls and results that stand among the parts of a message, as
Amazon Bedrock and Vercel's AI SDK write them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from toolgauge.core import JsonValue

from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, dicts, record_of, structured, text, texts

__all__ = [
    "NO_TEXT",
    "ChatReply",
    "ReplyStream",
    "add_calls",
    "add_message",
    "add_results",
    "is_chunk",
    "marks_of",
    "reply_of",
    "stand_in",
    "without_calls",
]

NO_TEXT = "a part of a message that is not text, such as an image, is left out"


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model answered."""

    response: Record
    choices: tuple[tuple[Record, JsonValue], ...]
    """The messages that it offered, each with the reason why the model stopped."""
    tokens: tuple[JsonValue, JsonValue] | None
    """Tokens in and out, where they were recorded."""


def add_message(builder: TrajectoryBuilder, message: Record) -> None:
    """Add one message to a trajectory: a question, an answer with its calls, or a result."""
    role = message.get("role")
    if role == "assistant":
        _add_answer(builder, message)
    elif role == "user":
        content = message.get("content")
        rest = without_calls(content)
        if rest != content:
            add_results(builder, content)
        if rest or not content:
            builder.add_user_message(_words(builder, rest))
    elif role == "function" and (asked := _asked_for(message)):
        builder.begin_turn()
        for call in asked:
            builder.add_call(call.get("name"), call.get("arguments"))
    elif role in ("tool", "function", "observation"):
        content = message.get("content")
        if add_results(builder, content):
            return
        failed = True if message.get("status") == "error" or message.get("is_error") is True else None
        result = _documents(content) or texts(content) or content if isinstance(content, list) else content
        name = message.get("name") or message.get("tool_name")
        builder.add_result(result, id=message.get("tool_call_id"), tool=name, failed=failed)


def _asked_for(message: Record) -> list[Record]:
    """The calls in a message of the role `function`, as LLaMA-Factory writes them; a result names its function."""
    content = message.get("content")
    if message.get("name") or not isinstance(content, str):
        return []
    written = structured(content)
    calls = dicts(written if isinstance(written, list) else [written])
    found = [call for call in calls if isinstance(call.get("name"), str) and "arguments" in call]
    return found if written and len(found) == (len(written) if isinstance(written, list) else 1) else []


def _documents(content: list[JsonValue]) -> JsonValue:
    """What a tool answered as documents, as Cohere wants it: one, or a list of several; None where there are none."""
    found = [at(part, "document", "data") for part in dicts(content) if part.get("type") == "document"]
    return structured(found[0]) if len(found) == 1 else [structured(each) for each in found] or None


def _add_answer(builder: TrajectoryBuilder, message: Record) -> None:
    builder.begin_turn()
    content = message.get("content")
    words = content if isinstance(content, str) else _words(builder, without_calls(content))
    if words:
        builder.add_agent_message(words)
    elif "refusal" in message or "audio" in message:
        builder.add_agent_message(text(message.get("refusal")) or text(at(message, "audio", "transcript")))
    if isinstance(content, list):
        add_calls(builder, content)
    calls = _calls_of(message)
    for call in calls:
        custom = call.get("custom")
        if isinstance(custom, dict):
            builder.add_call(custom.get("name"), {"input": custom.get("input")}, id=call.get("id"))
        else:
            # Some servers leave out the level `function`.
            function = record_of(call.get("function") or call)
            given = function.get("arguments", function.get("parameters"))
            builder.add_call(function.get("name"), given, id=call.get("id"))
    older = structured(message.get("function_call"))
    # Some servers write a call in both ways.
    if isinstance(older, dict) and not calls:
        builder.add_call(older.get("name"), older.get("arguments"))


def _calls_of(message: Record) -> list[Record]:
    """The calls of a message, which some loggers write as JSON text."""
    calls = message.get("tool_calls")
    if not calls:
        return []
    calls = structured(calls)
    return [calls] if isinstance(calls, dict) else list(dicts(calls))


def _words(builder: TrajectoryBuilder, content: JsonValue) -> str | None:
    if not isinstance(content, list):
        return texts(content)
    if any(isinstance(part, dict) and "text" not in part and "refusal" not in part for part in content):
        builder.note_loss(NO_TEXT)
    refusal = next((text(part.get("refusal")) for part in dicts(content) if part.get("type") == "refusal"), None)
    return texts(content) or refusal


def stand_in(message: JsonValue) -> Hashable:
    """What two recordings of a message have in common, though one may say more than the other."""
    if not isinstance(message, dict):
        return None
    role, content = message.get("role"), message.get("content")
    calls = (*map(_call_stand_in, _calls_of(message)), *(marks_of(content) if isinstance(content, list) else ()))
    older = at(message, "function_call", "name")
    of = message.get("tool_call_id")
    return (text(role), texts(content), calls, text(older), text(of))


def _call_stand_in(call: Record) -> Hashable:
    return text(call.get("id")) or text(at(call, "function", "name")) or text(call.get("name"))


def reply_of(response: JsonValue) -> ChatReply | None:
    """The reply in a response object, in a list of streamed pieces, or in the body of an answer over HTTP."""
    if isinstance(response, list) and response and is_chunk(response[0]):
        stream = ReplyStream()
        for chunk in dicts(response):
            stream.add(chunk)
        response = stream.response()
    if not isinstance(response, dict):
        return None
    body = response.get("body")
    if isinstance(body, dict):
        response = body
    usage = response.get("usage")
    tokens = None
    if isinstance(usage, dict):
        tokens = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    if isinstance(response.get("choices"), list):
        return ChatReply(response, tuple(map(_choice, dicts(response["choices"]))), tokens)
    message = response.get("message")
    if isinstance(message, dict) and message.get("role") == "assistant":
        # Ollama answers with one message, and counts tokens in words of its own.
        if "prompt_eval_count" in response or "eval_count" in response:
            tokens = (response.get("prompt_eval_count"), response.get("eval_count"))
        return ChatReply(response, ((message, response.get("done_reason")),), tokens)
    message = at(response, "output", "message")
    if isinstance(message, dict) and message.get("role") == "assistant":
        # Bedrock counts tokens in words of its own, too.
        usage = record_of(usage)
        return ChatReply(
            response,
            ((message, response.get("stopReason")),),
            (usage.get("inputTokens"), usage.get("outputTokens")) if usage else None,
        )
    if response.get("role") == "assistant" and "type" not in response:
        return ChatReply({}, ((response, None),), tokens)
    return ChatReply(response, (), tokens) if response.get("error") else None


def _choice(choice: Record) -> tuple[Record, JsonValue]:
    message = choice.get("message")
    if not isinstance(message, dict):
        message = {"content": choice.get("text")}
    return {**message, "role": "assistant"}, choice.get("finish_reason")


def is_chunk(value: JsonValue) -> bool:
    """Whether a record is a piece of a streamed chat reply."""
    return isinstance(value, dict) and value.get("object") == "chat.completion.chunk"


class _Choice:
    """One reply that grows."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self.calls: dict[JsonValue, Record] = {}
        self.pieces: dict[JsonValue, list[str]] = {}
        self.older: list[str] = []
        self.older_name: JsonValue = None
        self.finish: JsonValue = None

    def add(self, choice: Record) -> None:
        delta = record_of(choice.get("delta"))
        for key, pieces in self.texts.items():
            piece = delta.get(key)
            if isinstance(piece, str):
                pieces.append(piece)
        for call in dicts(delta.get("tool_calls")):
            self._add_call(call)
        older = record_of(delta.get("function_call"))
        self.older_name = older.get("name") or self.older_name
        if isinstance(piece := older.get("arguments"), str):
            self.older.append(piece)
        self.finish = choice.get("finish_reason") or self.finish

    def _add_call(self, call: Record) -> None:
        index = call.get("index")
        # Some servers leave out the index; then an id begins a call, and pieces without one continue it.
        key = index if isinstance(index, int) else len(self.calls) - (0 if call.get("id") else 1)
        known = self.calls.setdefault(key, {"id": None, "name": None, "custom": False})
        function = record_of(call.get("function") or call.get("custom"))
        known["id"] = call.get("id") or known["id"]
        known["name"] = function.get("name") or known["name"]
        known["custom"] = known["custom"] or isinstance(call.get("custom"), dict)
        piece = function.get("arguments", function.get("input"))
        if isinstance(piece, str):
            self.pieces.setdefault(key, []).append(piece)
        elif isinstance(piece, dict):
            known["arguments"] = piece

    def message(self) -> Record:
        """The message that the pieces make."""
        message: Record = {"role": "assistant"}
        for key, pieces in self.texts.items():
            message[key] = "".join(pieces)
        calls: list[JsonValue] = []
        for index, known in self.calls.items():
            written = "".join(self.pieces.get(index, ()))
            if known["custom"]:
                calls.append({"id": known["id"], "custom": {"name": known["name"], "input": written}})
            else:
                arguments = known.get("arguments", written)
                calls.append({"id": known["id"], "function": {"name": known["name"], "arguments": arguments}})
        message["tool_calls"] = calls
        if self.older_name:
            message["function_call"] = {"name": self.older_name, "arguments": "".join(self.older)}
        return message


class ReplyStream:
    """A streamed reply, as far as it came."""

    def __init__(self) -> None:
        self._choices: dict[JsonValue, _Choice] = {}
        self._last: Record = {}
        self._usage: JsonValue = None

    def add(self, chunk: Record) -> None:
        """Add the next piece."""
        self._last = chunk
        self._usage = chunk.get("usage") or self._usage
        for choice in dicts(chunk.get("choices")):
            index = choice.get("index")
            self._choices.setdefault(index if isinstance(index, int) else 0, _Choice()).add(choice)

    def response(self) -> Record:
        """The reply, as it would have come in one piece."""
        kept = {key: value for key, value in self._last.items() if key not in ("choices", "object", "usage")}
        choices: list[JsonValue] = [
            {"message": choice.message(), "finish_reason": choice.finish} for choice in self._choices.values()
        ]
        return {**kept, "choices": choices, "usage": self._usage}


CALL, RESULT = "tool-call", "tool-result"
FAILED_OUTPUTS = ("error-text", "error-json", "execution-denied")


def without_calls(content: JsonValue) -> JsonValue:
    """The content of a message without the calls and results in it."""
    if not isinstance(content, list):
        return content
    return [part for part in content if not isinstance(part, dict) or not (_call(part) or _result(part))]


def add_calls(builder: TrajectoryBuilder, content: JsonValue) -> None:
    """Add the calls among the parts of an answer, and the results that the provider added."""
    for part in dicts(content):
        call = _call(part)
        if call:
            arguments = call.get("input", call.get("args"))
            builder.add_call(call.get("name") or call.get("toolName"), arguments, id=_id(call))
        elif _result(part):
            _add_result(builder, _result(part), same_turn=True)


def add_results(builder: TrajectoryBuilder, content: JsonValue) -> bool:
    """Add the results among the parts of a message; returns whether there were any."""
    found = [result for part in dicts(content) if (result := _result(part))]
    for result in found:
        _add_result(builder, result)
    return bool(found)


def marks_of(content: JsonValue) -> tuple[Hashable, ...]:
    """The ids of the calls and results among the parts of a message."""
    return tuple(text(_id(found)) for part in dicts(content) if (found := _call(part) or _result(part)))


def _call(part: Record) -> Record:
    return part if part.get("type") == CALL else record_of(part.get("toolUse"))


def _result(part: Record) -> Record:
    return part if part.get("type") == RESULT else record_of(part.get("toolResult"))


def _id(holder: Record) -> JsonValue:
    return holder.get("toolCallId") or holder.get("toolUseId")


def _add_result(builder: TrajectoryBuilder, result: Record, *, same_turn: bool = False) -> None:
    value = next((result[key] for key in ("output", "result", "content") if result.get(key) is not None), None)
    failed = True if result.get("isError") is True or result.get("status") == "error" else None
    holder = record_of(value)
    kind = holder.get("type")
    if isinstance(kind, str) and ("value" in holder or kind in FAILED_OUTPUTS):
        # The newer layout says of what kind the result is.
        failed = failed or (True if kind in FAILED_OUTPUTS else None)
        value = holder.get("value", holder.get("reason"))
        value = texts(value) or value if kind == "content" else value
    elif isinstance(value, list):
        written = [part["json"] for part in dicts(value) if "json" in part]
        value = written[0] if len(written) == 1 else written or texts(value) or value
    builder.add_result(value, id=_id(result), tool=result.get("toolName"), failed=failed, same_turn=same_turn)
