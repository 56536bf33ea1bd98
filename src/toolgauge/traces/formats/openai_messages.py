"""What stands in chat messages and chat replies of OpenAI and of those who speak its dialect."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from toolgauge.core import JsonValue

from ..conversation import Conversation
from ..values import Record, at, dicts, record_of, structured, text, texts
from .chunks import Stream, is_chunk
from .parts import marks_of, tell_calls, tell_results, without_calls

__all__ = ["NO_TEXT", "Reply", "reply_of", "stand_in", "tell_message"]

NO_TEXT = "a part of a message that is no text, such as an image, is left out"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    response: Record
    choices: tuple[tuple[Record, JsonValue], ...]
    """The messages that it offered, each with the reason why the model stopped."""
    tokens: tuple[JsonValue, JsonValue] | None
    """Tokens in and out, where they were recorded."""


def tell_message(conversation: Conversation, message: Record) -> None:
    """Tell a conversation one message: a question, an answer with its calls, or a result."""
    role = message.get("role")
    if role == "assistant":
        _tell_answer(conversation, message)
    elif role == "user":
        content = message.get("content")
        rest = without_calls(content)
        if rest != content:
            tell_results(conversation, content)
        if rest or not content:
            conversation.ask(_words(conversation, rest))
    elif role in ("tool", "function"):
        content = message.get("content")
        if tell_results(conversation, content):
            return
        failed = True if message.get("status") == "error" or message.get("is_error") is True else None
        result = texts(content) or content if isinstance(content, list) else content
        name = message.get("name") or message.get("tool_name")
        conversation.result(result, id=message.get("tool_call_id"), tool=name, failed=failed)


def _tell_answer(conversation: Conversation, message: Record) -> None:
    conversation.begin_turn()
    content = message.get("content")
    words = content if isinstance(content, str) else _words(conversation, without_calls(content))
    if words:
        conversation.say(words)
    elif "refusal" in message or "audio" in message:
        conversation.say(text(message.get("refusal")) or text(at(message, "audio", "transcript")))
    if isinstance(content, list):
        tell_calls(conversation, content)
    calls = _calls_of(message)
    for call in calls:
        custom = call.get("custom")
        if isinstance(custom, dict):
            conversation.call(custom.get("name"), {"input": custom.get("input")}, id=call.get("id"))
        else:
            # Some servers leave out the level `function`.
            function = record_of(call.get("function") or call)
            conversation.call(function.get("name"), function.get("arguments"), id=call.get("id"))
    older = structured(message.get("function_call"))
    # Some servers write a call in both ways.
    if isinstance(older, dict) and not calls:
        conversation.call(older.get("name"), older.get("arguments"))


def _calls_of(message: Record) -> list[Record]:
    """The calls of a message, which some loggers write as JSON text."""
    calls = message.get("tool_calls")
    if not calls:
        return []
    calls = structured(calls)
    return [calls] if isinstance(calls, dict) else list(dicts(calls))


def _words(conversation: Conversation, content: JsonValue) -> str | None:
    if not isinstance(content, list):
        return texts(content)
    if any(isinstance(part, dict) and "text" not in part and "refusal" not in part for part in content):
        conversation.lose(NO_TEXT)
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


def reply_of(response: JsonValue) -> Reply | None:
    """The reply in a response object, in a list of streamed pieces, or in the body of an answer over HTTP."""
    if isinstance(response, list) and response and is_chunk(response[0]):
        stream = Stream()
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
        return Reply(response, tuple(map(_choice, dicts(response["choices"]))), tokens)
    message = response.get("message")
    if isinstance(message, dict) and message.get("role") == "assistant":
        # Ollama answers with one message, and counts tokens in words of its own.
        if "prompt_eval_count" in response or "eval_count" in response:
            tokens = (response.get("prompt_eval_count"), response.get("eval_count"))
        return Reply(response, ((message, response.get("done_reason")),), tokens)
    message = at(response, "output", "message")
    if isinstance(message, dict) and message.get("role") == "assistant":
        # Bedrock counts tokens in words of its own, too.
        usage = record_of(usage)
        return Reply(
            response,
            ((message, response.get("stopReason")),),
            (usage.get("inputTokens"), usage.get("outputTokens")) if usage else None,
        )
    if response.get("role") == "assistant" and "type" not in response:
        return Reply({}, ((response, None),), tokens)
    return Reply(response, (), tokens) if response.get("error") else None


def _choice(choice: Record) -> tuple[Record, JsonValue]:
    message = choice.get("message")
    if not isinstance(message, dict):
        message = {"content": choice.get("text")}
    return {**message, "role": "assistant"}, choice.get("finish_reason")
