"""OpenAI's Responses: response objects, lists of items, logged exchanges, and single items or events, one a line.

What is asked with `previous_response_id` does not repeat what was said, so the conversation is put together from
several records; where requests repeat everything, the last one holds it. Items are messages, calls of all kinds, and
their outputs; OpenAI's agents keep them as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar, NamedTuple

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, dicts, items_of, record_of, text, texts, trial_of
from .conversations import (
    Exchanges,
    InFileOrder,
    LoggedConversation,
    error_of,
    exchange_usage,
    state_of,
    without_rules,
)
from .dialects import dialect, is_item
from .response_stream import ResponseStream, is_stream_event, streamed_response
from .threads import Threads, thread_of

__all__ = ["OpenAIResponsesReader", "add_item", "stand_in"]

LISTS = ("items", "messages", "input", "input_items", "conversation")
"""Where records keep a list of items that is a whole conversation."""


class OpenAIResponsesReader:
    """Reads conversations that stand in one record, and gathers those that are spread over several."""

    title: ClassVar[str] = "OpenAI Responses items"

    def __init__(self, context: ReadContext) -> None:
        self._stream = ResponseStream()
        self._context = context
        self._exchanges = Exchanges(context)
        self._order = InFileOrder(context, self._exchanges, self._trajectories_of)
        self._threads = Threads(context, add_item)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Items by what their `type` says, in a list or under a key, or a response object."""
        if isinstance(value, list):
            return dialect(value) == "openai-responses" and thread_of(record_of(value[0])) is None
        if not isinstance(value, dict) or "new_items" in value or "generated_items" in value or "calls" in value:
            return False
        kind = value.get("type")
        if is_stream_event(value):
            return True
        if is_item(value) or (kind == "message" and dialect([value]) == "openai-responses"):
            return True
        if kind == "message" and "timestamp" not in value and dialect([value]) == "openai-chat":
            return True  # an empty message, or one with its words as they are
        if _response(value) is not None:
            return True
        return any(dialect(value.get(key)) == "openai-responses" for key in LISTS)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversation in the record, or those that it brings to their end."""
        if isinstance(value, list):
            yield from self._order.add(self._whole({"items": value}))
            return
        holder = record_of(value)
        kind = holder.get("type")
        if is_stream_event(holder):
            for response in self._stream.add(holder):
                yield from self._exchange({"response": response})
        elif is_item(holder) or kind == "message":
            yield from self._threads.add(holder, holder)
        elif _response(holder) is not None or "request" in holder:
            yield from self._exchange(holder)
        else:
            yield from self._order.add(self._whole(holder))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        for response in self._stream.rest():
            yield from self._exchange({"response": response})
        yield from self._order.finish()
        yield from self._threads.finish()

    def _exchange(self, holder: Record) -> Iterator[Trajectory]:
        response = _response(holder) or {}
        asked = _stand_ins(_request_items(holder))
        replies = [_stand_ins(response.get("output"))] if items_of(response.get("output")) else []
        over = self._exchanges.add(
            holder,
            asked,
            replies,
            exchange_usage(_timed(holder, response), _tokens(response)),
            seed=case_of(holder, _metadata(holder), own_ids=False),
            id=response.get("id"),
            previous=response.get("previous_response_id") or at(holder, "request", "previous_response_id"),
        )
        yield from self._order.add_exchanges(over)

    def _whole(self, holder: Record) -> Iterator[Trajectory]:
        usages = [exchange_usage(holder, None)]
        return self._trajectories_of(LoggedConversation(self._context.number, [holder], usages, 0, []))

    def _trajectories_of(self, logged: LoggedConversation) -> Iterator[Trajectory]:
        builder = TrajectoryBuilder(self._context)
        for record in logged.records:
            _add_exchange(builder, record)
        logged.add_usage_to(builder)
        holder = logged.records[-1]
        response = _response(holder) or {}
        error = error_of(holder, response, record_of(holder.get("response")), record_of(at(holder, "response", "body")))
        if builder.empty and error is None:
            self._context.note_loss("a conversation without messages is left out")
            return
        metadata = _metadata(holder)
        yield builder.build(
            case=case_of(logged.records[0], _metadata(logged.records[0])) or case_of(holder, metadata),
            agent=text(holder.get("agent")) or text(metadata.get("agent")) or "",
            trial=trial_of(logged.records[0], _metadata(logged.records[0]), holder, metadata),
            state=_state(response),
            error=error,
            latency_ms=logged.latency_ms(),
            meta=self._context.meta_of(holder, metadata),
        )


def _add_exchange(builder: TrajectoryBuilder, record: Record) -> None:
    asked = _request_items(record)
    if isinstance(asked, str):
        builder.add_user_message(asked)
    for item in dicts(asked):
        add_item(builder, item)
    response = _response(record)
    if response is not None:
        builder.begin_turn()
        for item in dicts(response.get("output")):
            add_item(builder, item)


def _request_items(holder: Record) -> JsonValue:
    """What the model was asked with: a text, or items."""
    for found in (holder.get("input"), at(holder, "request", "input"), at(holder, "body", "input")):
        if isinstance(found, (str, list)):
            return found
    return next((found for key in LISTS if isinstance(found := holder.get(key), list)), None)


def _response(holder: Record) -> Record | None:
    """The response object of a record: the record itself, or what it holds."""
    if "output" not in holder and "response" not in holder and "object" not in holder:
        return None
    streamed = streamed_response(holder.get("response"))
    for found in (streamed, holder, holder.get("response"), at(holder, "response", "body")):
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
    return [found for item in without_rules(items_of(asked)) if (found := stand_in(item)) is not None]


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


class _Hosted(NamedTuple):
    """A kind of call that has no name of its own, for the provider knows the tool."""

    tool: str
    arguments: tuple[str, ...]
    """The keys of the item that hold the arguments; a single object is taken for all of them."""
    result: str | None = None
    """The key that holds the result, where the provider ran the tool itself."""


HOSTED = {
    "apply_patch_call": _Hosted("apply_patch", ("operation",)),
    "code_interpreter_call": _Hosted("code_interpreter", ("code",), "outputs"),
    "computer_call": _Hosted("computer", ("action", "actions")),
    "file_search_call": _Hosted("file_search", ("queries",), "results"),
    "image_generation_call": _Hosted("image_generation", ("revised_prompt",), ""),
    "local_shell_call": _Hosted("local_shell", ("action",)),
    "program": _Hosted("program", ("code",)),
    "shell_call": _Hosted("shell", ("action",)),
    "tool_search_call": _Hosted("tool_search", ("arguments",)),
    "web_search_call": _Hosted("web_search", ("action",), ""),
}

OUTPUTS = {
    "apply_patch_call_output": "output",
    "computer_call_output": "output",
    "custom_tool_call_output": "output",
    "function_call_output": "output",
    "local_shell_call_output": "output",
    "program_output": "result",
    "shell_call_output": "output",
    "tool_search_output": "tools",
}
"""Kinds of items that are results, and the key that holds the result."""

SILENT = frozenset({"reasoning", "compaction", "mcp_list_tools", "additional_tools", "configuration_update"})
"""Kinds of items that are neither said nor done."""


def add_item(builder: TrajectoryBuilder, item: Record) -> None:
    """Add one item to a trajectory."""
    kind = item.get("type")
    if kind == "message" or (kind is None and "role" in item):
        _add_message(builder, item)
    elif kind == "function_call":
        builder.add_call(item.get("name"), item.get("arguments"), id=_key(item))
    elif kind == "custom_tool_call":
        builder.add_call(item.get("name"), {"input": item.get("input")}, id=_key(item))
    elif kind == "mcp_call":
        _add_protocol_call(builder, item)
    elif isinstance(kind, str) and kind in HOSTED:
        _add_hosted(builder, item, HOSTED[kind])
    elif isinstance(kind, str) and kind in OUTPUTS:
        output = item.get(OUTPUTS[kind])
        result = texts(output) or output if isinstance(output, list) else output
        failed = True if item.get("status") == "failed" else None
        builder.add_result(result, id=_key(item), tool=item.get("name"), failed=failed)
    elif kind == "mcp_approval_request":
        builder.add_event("approval_request", tool=item.get("name"))
    elif kind == "mcp_approval_response":
        builder.add_event("approval", approved=item.get("approve"))
    elif not (isinstance(kind, str) and kind in SILENT):
        builder.note_loss("an item of an unknown kind is left out")


def _key(item: Record) -> JsonValue:
    return item.get("call_id") or item.get("id")


def _add_message(builder: TrajectoryBuilder, item: Record) -> None:
    content = item.get("content")
    if item.get("role") == "assistant":
        refusal = next((text(part.get("refusal")) for part in dicts(content) if part.get("type") == "refusal"), None)
        builder.add_agent_message(texts(content) or refusal)
    elif item.get("role") == "user":
        if any("text" not in part for part in dicts(content)):
            builder.note_loss("a part of a message that is not text, such as an image, is left out")
        builder.add_user_message(texts(content))


def _add_protocol_call(builder: TrajectoryBuilder, item: Record) -> None:
    builder.add_call(item.get("name"), item.get("arguments"), id=item.get("id"))
    error = item.get("error")
    words = text(error) or text(at(error, "message")) or texts(at(error, "content"))
    output = item.get("output")
    if error or output is not None or item.get("status") in ("completed", "failed"):
        failed = True if error or item.get("status") == "failed" else None
        builder.add_result(output, id=item.get("id"), failed=failed, error=words, same_turn=True)


def _add_hosted(builder: TrajectoryBuilder, item: Record, hosted: _Hosted) -> None:
    given = {key: item[key] for key in hosted.arguments if item.get(key) is not None}
    only = next(iter(given.values())) if len(given) == 1 else None
    arguments = only if isinstance(only, dict) else given
    sources = arguments.get("sources")
    if sources is not None:
        # What a search found is no part of what was asked for.
        arguments = {key: value for key, value in arguments.items() if key != "sources"}
    key = _key(item)
    builder.add_call(hosted.tool, arguments, id=key)
    if hosted.result is None:
        return
    status = item.get("status")
    if status in ("completed", "failed") or item.get(hosted.result) is not None or sources is not None:
        result = item.get(hosted.result) if hosted.result else sources
        error = text(at(item, "error", "message"))
        builder.add_result(result, id=key, failed=status == "failed" or None, error=error, same_turn=True)


def stand_in(item: JsonValue) -> Hashable:
    """What two recordings of an item have in common; None for those that need not be sent again."""
    item = record_of(item)
    kind = text(item.get("type"))
    if kind == "message" or (kind is None and "role" in item):
        role, words = text(item.get("role")), texts(item.get("content"))
        # An answer without words is left out of what is sent next by some clients, and sent by others.
        return None if role == "assistant" and words is None else (role, words)
    if kind in SILENT:
        return None
    return (kind, text(_key(item)))
