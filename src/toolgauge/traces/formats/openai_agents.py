"""The OpenAI Agents SDK: the items of a run, saved run states, and exported traces with their spans.

What `result.to_input_list()` gives are items of OpenAI's Responses, which have a reader of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..conversation import Conversation, Reading
from ..gathering import Gathering
from ..values import Record, at, case_of, dicts, record_of, text
from .agent_spans import Trace
from .exchanges import error_of, spent_on
from .openai_items import tell_item

__all__ = ["OpenAIAgentsReader"]

ITEMS = ("new_items", "generated_items", "session_items")
"""Where records keep the items of a run."""


class OpenAIAgentsReader:
    """Reads runs record by record, and gathers the spans of a trace."""

    title: ClassVar[str] = "OpenAI Agents SDK runs"

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._traces: Gathering[Trace] = Gathering()

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Items that wrap a `raw_item`, in a list or under a key, or a trace or one of its spans."""
        if isinstance(value, list):
            return bool(value) and _is_run_item(value[0])
        if not isinstance(value, dict):
            return False
        if value.get("object") in ("trace", "trace.span"):
            return "span_data" in value or "workflow_name" in value
        return any(isinstance(value.get(key), list) for key in ITEMS) and ("input" in value or _is_run(value))

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The run in the record, or the traces that had to make room."""
        holder: Record = {"new_items": value} if isinstance(value, list) else record_of(value)
        if holder.get("object") in ("trace", "trace.span"):
            yield from self._add_to_trace(holder)
        else:
            yield from self._run(holder)

    def finish(self) -> Iterator[Trajectory]:
        """The traces; nothing in an export says that one is over."""
        for trace in self._traces.all():
            yield from self._told(trace)

    def _add_to_trace(self, record: Record) -> Iterator[Trajectory]:
        key = text(record.get("trace_id" if record.get("object") == "trace.span" else "id")) or ""
        trace = self._traces.get(key) or Trace(self._reading.number)
        trace.add(record)
        for over in self._traces.keep(key, trace, self._reading.size):
            yield from self._told(over)

    def _told(self, trace: Trace) -> Iterator[Trajectory]:
        number, self._reading.number = self._reading.number, trace.number
        trajectories = list(trace.tell(self._reading))
        self._reading.number = number
        yield from trajectories

    def _run(self, holder: Record) -> Iterator[Trajectory]:
        conversation = Conversation(self._reading)
        _tell_input(conversation, holder)
        agent = ""
        for item in dicts(_items(holder)):
            agent = agent or _agent(item.get("agent"))
            _tell_run_item(conversation, item)
        if conversation.output is None and "final_output" in holder:
            conversation.say(_final(holder["final_output"]))
        _tell_cost(conversation, holder)
        error = error_of(holder)
        if conversation.empty and error is None:
            self._reading.lose("a run without items is left out")
            return
        metadata = record_of(holder.get("metadata") or at(holder, "trace", "metadata"))
        yield conversation.finish(
            case=case_of(holder, metadata),
            agent=text(holder.get("agent")) or agent or _agent(holder.get("last_agent")),
            error=error,
            latency_ms=spent_on(holder, None).latency_ms,
            meta=metadata,
        )


def _items(holder: Record) -> list[JsonValue]:
    for key in ITEMS:
        found = holder.get(key)
        if isinstance(found, list):
            return found
    return []


def _is_run(value: Record) -> bool:
    return "original_input" in value or any(map(_is_run_item, _items(value)[:1]))


def _is_run_item(value: JsonValue) -> bool:
    return isinstance(value, dict) and "raw_item" in value


def _agent(value: JsonValue) -> str:
    """The name of an agent, which is recorded by itself or in an object."""
    return text(value) or text(at(value, "name")) or ""


def _tell_input(conversation: Conversation, holder: Record) -> None:
    asked = holder.get("input", holder.get("original_input"))
    if isinstance(asked, str):
        conversation.ask(asked)
    for item in dicts(asked):
        tell_item(conversation, item)


def _tell_run_item(conversation: Conversation, item: Record) -> None:
    kind = item.get("type")
    raw = record_of(item.get("raw_item"))
    if kind == "handoff_output_item":
        source, target = _agent(item.get("source_agent")), _agent(item.get("target_agent"))
        conversation.happen("handoff", **{"from": source or None, "to": target or None})
        # The agent that takes over begins a reply of its own.
        conversation.ask(None)
    elif kind == "handoff_call_item":
        conversation.say(None)
    elif kind == "tool_call_item" and "type" not in raw:
        conversation.call(raw.get("name") or item.get("tool_name"), raw.get("arguments"), id=raw.get("call_id"))
    elif kind == "tool_call_output_item" and "type" not in raw:
        conversation.result(raw.get("output", item.get("output")), id=raw.get("call_id"))
    elif kind != "tool_approval_item":
        tell_item(conversation, raw)


def _tell_cost(conversation: Conversation, holder: Record) -> None:
    total = holder.get("usage") or at(holder, "context", "usage") or at(holder, "context_wrapper", "usage")
    if isinstance(total, dict):
        requests = total.get("requests")
        count = requests if isinstance(requests, int) and requests > 0 else 1
        conversation.spend(total.get("input_tokens"), total.get("output_tokens"), requests=count)
        return
    for response in dicts(holder.get("raw_responses") or holder.get("model_responses")):
        usage = record_of(response.get("usage"))
        conversation.spend(usage.get("input_tokens"), usage.get("output_tokens"))


def _final(output: JsonValue) -> str | None:
    if output is None or isinstance(output, str):
        return text(output)
    import msgspec

    return msgspec.json.encode(output).decode()
