"""The OpenAI Agents SDK: the items of a run, saved run states, and exported traces with their spans.

What `result.to_input_list()` gives are items of OpenAI's Responses, which have a reader of their own. The SDK exports
the spans of a trace one by one as they end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..identity import identity_in, with_identity
from ..open_conversations import OpenConversations
from ..trajectory_builder import TrajectoryBuilder
from ..values import (
    Record,
    at,
    case_of,
    dicts,
    items_of,
    milliseconds,
    record_of,
    structured,
    text,
    texts,
    trial_of,
)
from .conversations import error_of, exchange_usage
from .openai_messages import add_message
from .openai_responses import add_item

__all__ = ["AgentTrace", "OpenAIAgentsReader"]

ITEMS = ("new_items", "generated_items", "session_items")
"""Where records keep the items of a run."""


class OpenAIAgentsReader:
    """Reads runs record by record, and gathers the spans of a trace."""

    title: ClassVar[str] = "OpenAI Agents SDK runs"

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._traces: OpenConversations[AgentTrace] = OpenConversations()

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
            yield from self._built(trace)

    def _add_to_trace(self, record: Record) -> Iterator[Trajectory]:
        key = text(record.get("trace_id" if record.get("object") == "trace.span" else "id")) or ""
        trace = self._traces.get(key) or AgentTrace(self._context.number)
        trace.add(record)
        for over in self._traces.keep(key, trace, self._context.size):
            yield from self._built(over)

    def _built(self, trace: AgentTrace) -> Iterator[Trajectory]:
        number, self._context.number = self._context.number, trace.number
        trajectories = list(trace.add_spans(self._context))
        self._context.number = number
        yield from trajectories

    def _run(self, holder: Record) -> Iterator[Trajectory]:
        builder = TrajectoryBuilder(self._context)
        _add_input(builder, holder)
        agent = ""
        for item in dicts(_items(holder)):
            agent = agent or _agent(item.get("agent"))
            _add_run_item(builder, item)
        if builder.output is None and "final_output" in holder:
            builder.add_agent_message(_final(holder["final_output"]))
        _add_usage(builder, holder)
        error = error_of(holder)
        if builder.empty and error is None:
            self._context.note_loss("a run without items is left out")
            return
        metadata = record_of(holder.get("metadata") or at(holder, "trace", "metadata"))
        yield builder.build(
            case=case_of(holder, metadata),
            agent=text(holder.get("agent")) or agent or _agent(holder.get("last_agent")),
            trial=trial_of(holder, metadata),
            error=error,
            latency_ms=exchange_usage(holder, None).latency_ms,
            meta=identity_in(holder, metadata),
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


def _add_input(builder: TrajectoryBuilder, holder: Record) -> None:
    asked = holder.get("input", holder.get("original_input"))
    if isinstance(asked, str):
        builder.add_user_message(asked)
    for item in dicts(asked):
        add_item(builder, item)


def _add_run_item(builder: TrajectoryBuilder, item: Record) -> None:
    kind = item.get("type")
    raw = record_of(item.get("raw_item"))
    if kind == "handoff_output_item":
        source, target = _agent(item.get("source_agent")), _agent(item.get("target_agent"))
        builder.add_event("handoff", **{"from": source or None, "to": target or None})
        # The agent that takes over begins a reply of its own.
        builder.add_user_message(None)
    elif kind == "handoff_call_item":
        builder.add_agent_message(None)
    elif kind == "tool_call_item" and "type" not in raw:
        builder.add_call(raw.get("name") or item.get("tool_name"), raw.get("arguments"), id=raw.get("call_id"))
    elif kind == "tool_call_output_item" and "type" not in raw:
        builder.add_result(raw.get("output", item.get("output")), id=raw.get("call_id"))
    elif kind != "tool_approval_item":
        add_item(builder, raw)


def _add_usage(builder: TrajectoryBuilder, holder: Record) -> None:
    total = holder.get("usage") or at(holder, "context", "usage") or at(holder, "context_wrapper", "usage")
    if isinstance(total, dict):
        requests = total.get("requests")
        count = requests if isinstance(requests, int) and requests > 0 else 1
        builder.add_usage(total.get("input_tokens"), total.get("output_tokens"), requests=count)
        return
    for response in dicts(holder.get("raw_responses") or holder.get("model_responses")):
        usage = record_of(response.get("usage"))
        builder.add_usage(usage.get("input_tokens"), usage.get("output_tokens"))


def _final(output: JsonValue) -> str | None:
    if output is None or isinstance(output, str):
        return text(output)
    import msgspec

    return msgspec.json.encode(output).decode()


class AgentTrace:
    """The spans of one trace, in whichever order they come."""

    def __init__(self, number: int) -> None:
        self.number = number
        """The record in which it was seen first."""
        self._trace: Record = {}
        self._spans: dict[str, Record] = {}

    def add(self, record: Record) -> None:
        """Add the trace itself or one of its spans; what is recorded twice counts once."""
        if record.get("object") == "trace":
            self._trace = record
        else:
            self._spans[text(record.get("id")) or f"span {len(self._spans)}"] = record

    def add_spans(self, context: ReadContext) -> Iterator[Trajectory]:
        """The trajectory, or nothing where the spans hold nothing that an agent did."""
        trace_builder = _TraceBuilder(context, self._spans)
        trace_builder.add_spans()
        builder = trace_builder.builder
        error = trace_builder.error
        if builder.empty and error is None:
            context.note_loss("a trace without messages or calls is left out")
            return
        metadata = record_of(self._trace.get("metadata"))
        builder.input = builder.input or text(metadata.get("input"))
        yield builder.build(
            case=case_of(self._trace, metadata),
            agent=trace_builder.agent,
            error=error,
            latency_ms=trace_builder.latency_ms,
            meta=with_identity(
                metadata,
                trace=text(self._trace.get("id")) or trace_builder.trace_id,
                session=self._trace.get("group_id"),
                started=trace_builder.began,
            ),
        )


class _TraceBuilder:
    """Builds a trajectory from spans, in the order in which they began."""

    def __init__(self, context: ReadContext, spans: dict[str, Record]) -> None:
        self.builder = TrajectoryBuilder(context)
        self.agent = ""
        self.error: str | None = None
        self._spans = spans
        self._announced: list[tuple[JsonValue, JsonValue, JsonValue]] = []
        """Calls that the model asked for and of which no span was seen yet: name, arguments, id."""
        moments = [found for span in spans.values() if (found := milliseconds(span.get("started_at"))) is not None]
        self.began = min(moments, default=None)
        self.trace_id = next((named for span in spans.values() if (named := text(span.get("trace_id")))), None)
        ends = [found for span in spans.values() if (found := milliseconds(span.get("ended_at"))) is not None]
        self.latency_ms = max(ends) - self.began if ends and self.began is not None else None
        self._counts_turns = any(_kind(span) == "turn" for span in spans.values())

    def add_spans(self) -> None:
        """Add everything."""
        # Spans that do not say when they began stay where they are, before the others.
        for span in sorted(self._spans.values(), key=lambda span: milliseconds(span.get("started_at")) or 0.0):
            if self._is_inner(span):
                if _kind(span) == "function":
                    self.builder.add_event("inner_call", tool=at(span, "span_data", "name"))
                continue
            self._add_span(_kind(span), span, record_of(span.get("span_data")))
        self._give_up_announced()
        self._add_usage()

    def _add_span(self, kind: str, span: Record, data: Record) -> None:
        if kind == "agent":
            self.agent = self.agent or text(data.get("name")) or ""
            self.error = self.error or error_of(span)
        elif kind == "turn":
            self._begin_turn()
        elif kind in ("generation", "response"):
            if not self._counts_turns:
                self._begin_turn()
            self._add_reply(data)
            self.error = self.error or error_of(span)
        elif kind == "function":
            self._add_call(span, data)
        elif kind == "handoff":
            source, target = data.get("from_agent"), data.get("to_agent")
            self._announced = [call for call in self._announced if not _is_handoff(call[0])]
            self.builder.add_event("handoff", **{"from": source, "to": target})
        elif kind == "guardrail" and data.get("triggered") is True:
            self.builder.add_event("guardrail", name=data.get("name"), triggered=True)

    def _begin_turn(self) -> None:
        self._give_up_announced()
        self.builder.begin_turn()

    def _add_reply(self, data: Record) -> None:
        """Add the words of a reply, and keep its calls until their spans come."""
        asked = data.get("input")
        if self.builder.input is None:
            self.builder.add_user_message(asked if isinstance(asked, str) else _question(asked))
            self.builder.continue_turn()
        response = record_of(data.get("response"))
        for item in dicts(response.get("output") or data.get("output")):
            kind = item.get("type")
            if kind == "function_call":
                self._announced.append((item.get("name"), item.get("arguments"), item.get("call_id")))
            elif isinstance(kind, str):
                add_item(self.builder, item)
            else:
                self._add_message(item)

    def _add_message(self, message: Record) -> None:
        self.builder.add_agent_message(text(message.get("content")) or text(message.get("refusal")))
        for call in dicts(message.get("tool_calls")):
            function = record_of(call.get("function"))
            self._announced.append((function.get("name"), function.get("arguments"), call.get("id")))
        if message.get("role") not in ("assistant", None):
            add_message(self.builder, message)

    def _add_call(self, span: Record, data: Record) -> None:
        name, arguments = data.get("name"), data.get("input")
        begin, end = milliseconds(span.get("started_at")), milliseconds(span.get("ended_at"))
        key = self._announced_id(name, arguments)
        self.builder.add_call(
            name,
            arguments,
            id=key,
            started_ms=begin - self.began if begin is not None and self.began is not None else None,
            duration_ms=end - begin if begin is not None and end is not None else None,
            span_id=text(span.get("id")),
        )
        error = span.get("error")
        words = text(at(error, "data", "error")) or text(at(error, "message"))
        if words is not None or data.get("output") is not None or end is not None:
            failed = True if error else None
            self.builder.add_result(data.get("output"), id=key, tool=name, failed=failed, error=words, same_turn=True)

    def _announced_id(self, name: JsonValue, arguments: JsonValue) -> JsonValue:
        """The id under which the model asked for a call, of the same arguments if there is one."""
        same = [call for call in self._announced if call[0] == name]
        exact = [call for call in same if structured(call[1]) == structured(arguments)]
        for call in (exact or same)[:1]:
            self._announced.remove(call)
            return call[2]
        return None

    def _give_up_announced(self) -> None:
        for name, arguments, key in self._announced:
            self.builder.add_call(name, arguments, id=key)
        self._announced = []

    def _is_inner(self, span: Record) -> bool:
        """Whether a span is of an agent that another one called as a tool."""
        parent = span.get("parent_id")
        for _ in range(100):
            above = self._spans.get(parent) if isinstance(parent, str) else None
            if above is None:
                return False
            if _kind(above) == "function":
                return True
            parent = above.get("parent_id")
        return False

    def _add_usage(self) -> None:
        """Add the cost of the run as a whole where it is recorded, else of its replies."""
        for kinds in (("task",), ("generation", "response"), ("turn",)):
            found = [usage for span in self._spans.values() if _kind(span) in kinds and (usage := _usage(span))]
            outer = [_usage(span) for span in self._spans.values() if _kind(span) in kinds and not self._is_inner(span)]
            for usage in filter(None, outer if kinds == ("task",) else found):
                requests = usage.get("requests")
                self.builder.add_usage(
                    usage.get("input_tokens", usage.get("prompt_tokens")),
                    usage.get("output_tokens", usage.get("completion_tokens")),
                    requests=requests if isinstance(requests, int) and requests > 0 else 1,
                )
            if found:
                return


def _kind(span: Record) -> str:
    """What a span is of; the SDK writes some of its own kinds as custom ones."""
    data = record_of(span.get("span_data"))
    return text(at(data, "data", "sdk_span_type")) or text(data.get("type")) or ""


def _usage(span: Record) -> Record:
    return record_of(at(span, "span_data", "usage") or at(span, "span_data", "data", "usage"))


def _question(messages: JsonValue) -> str | None:
    for message in items_of(messages):
        if at(message, "role") == "user":
            return texts(at(message, "content"))
    return None


def _is_handoff(name: JsonValue) -> bool:
    return isinstance(name, str) and name.startswith("transfer_to_")
