"""Traces and observations that Langfuse exports or returns, with keys in camel or in snake case.

A trace with its observations is a conversation. Observations that are records of their own are gathered by their trace.
Runs of tools are observations of the type TOOL, spans that are named as tools, or spans named like a call that a
generation asked for; where there are none, the messages of the generations show what was called, and where there are no
observations at all, those of the trace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

from toolgauge.core import JsonValue, Trajectory

from ..context import ReadContext
from ..identity import with_identity
from ..open_conversations import TraceGroups
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, dicts, either, items_of, milliseconds, record_of, structured, text
from .langchain import add_messages
from .messages import answer_in, calls_of, decoded, messages_in, question_in, speaker
from .steps import Step, add_steps, beginning_of, span_of

__all__ = ["LangfuseReader"]

TYPES = frozenset(
    {
        "SPAN",
        "EVENT",
        "GENERATION",
        "AGENT",
        "TOOL",
        "CHAIN",
        "RETRIEVER",
        "EVALUATOR",
        "EMBEDDING",
        "GUARDRAIL",
    }
)
TRACE_MARKS = ("sessionId", "session_id", "htmlPath", "html_path", "totalCost", "total_cost", "bookmarked")
NAMED_AS_TOOL = re.compile(r"(?:execute[_ ]|running )?tools?(?:[_ -]?call)?\s*[:./ _-]\s*(\S.*)", re.IGNORECASE)
AGENTS = ("agent", "agent_name", "agentName")
INSIDE = "observations"


class LangfuseReader:
    """One conversation a trace."""

    title: ClassVar[str] = "Langfuse traces"

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._traces = TraceGroups(context)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A trace with observations, an observation of a trace, a trace by itself, or a page of any of them."""
        if not isinstance(value, dict):
            return False
        page = value.get("data")
        if isinstance(page, list) and "meta" in value:
            return any(map(_is_record, page[:3]))
        return _is_record(value)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trace in the record, or those that had to make room for an observation."""
        record = record_of(value)
        items = [record] if record else []
        if isinstance(record.get("data"), list) and not _is_record(record):
            items = list(dicts(record["data"]))
        if not items:
            self._context.note_loss("a record without a trace is left out")
        size = self._context.size // max(len(items), 1)
        for item in items:
            yield from self._read_item(item, size)

    def finish(self) -> Iterator[Trajectory]:
        """The traces that are left."""
        for group in self._traces.rest():
            yield from self._give_group(group)

    def _read_item(self, item: Record, size: int) -> Iterator[Trajectory]:
        inside = item.get(INSIDE)
        if isinstance(inside, list) and any(isinstance(found, dict) for found in inside):
            trace = record_of(item.get("trace"))
            yield from self._give(trace or item, list(dicts(inside)))
            return
        name = _trace_of(item) or text(item.get("id"))
        if name is None:
            yield from self._give_group([item])
            return
        for group in self._traces.add(name, item, size):
            yield from self._give_group(group)

    def _give_group(self, records: list[Record]) -> Iterator[Trajectory]:
        trace = next((record for record in records if not _is_observation(record)), {})
        yield from self._give(trace, [record for record in records if record is not trace])

    def _give(self, trace: Record, observations: list[Record]) -> Iterator[Trajectory]:
        observations = sorted(self._distinct(observations), key=_begin)
        root = next((found for found in observations if either(found, "parentObservationId") is None), {})
        if not trace and not root and observations:
            self._context.note_loss("a trace has no root observation; the rest is kept")
        builder = TrajectoryBuilder(self._context)
        question, answer, is_tool = trace.get("input"), trace.get("output"), _kind(root)[0] == "tool"
        if question is None and not is_tool:
            question, answer = root.get("input"), root.get("output") if answer is None else answer
        builder.add_user_message(question_in(question))
        steps = [_step(observation) for observation in observations]
        messages = messages_in(answer) if not steps else []
        if any(calls_of(message) or speaker(message) == "tool" for message in messages):
            add_messages(builder, messages)
        add_steps(builder, steps)
        builder.output = answer_in(answer) or builder.output
        error = _error(root) if root.get("level") == "ERROR" and not is_tool else None
        if builder.empty and error is None:
            self._context.note_loss("a trace without messages and calls is left out")
            return
        metadata = _metadata(trace) or _metadata(root)
        tags = [tag for tag in items_of(trace.get("tags")) if isinstance(tag, str)]
        name = next(filter(None, map(_trace_of, observations)), None)
        yield builder.build(
            case=case_of(metadata, trace, {"id": name}),
            agent=next((found for key in AGENTS if (found := text(metadata.get(key)))), _agent(observations)),
            error=error,
            latency_ms=_latency(trace, steps),
            meta=with_identity(
                {**metadata, "tags": [*tags]} if tags else metadata,
                trace=text(trace.get("id")) or name,
                session=next((named for each in (trace, *observations) if (named := either(each, "sessionId"))), None),
                started=beginning_of(steps) or milliseconds(trace.get("timestamp")),
            ),
        )

    def _distinct(self, observations: list[Record]) -> list[Record]:
        """The observations without those that are there already; the last one that was written counts."""
        found: dict[object, Record] = {}
        for position, observation in enumerate(observations):
            key = text(observation.get("id")) or position
            if key in found:
                self._context.note_loss("an observation was recorded twice; the later one is kept")
            found[key] = observation
        return list(found.values())


def _trace_of(record: Record) -> str | None:
    return text(record.get("traceId")) or text(record.get("trace_id"))


def _is_observation(value: Record) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and kind in TYPES and ("traceId" in value or "trace_id" in value)


def _is_record(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    inside = value.get(INSIDE)
    if isinstance(inside, list):
        if not inside:
            return "id" in value and any(key in value for key in ("timestamp", "input", "output"))
        first = inside[0]
        return isinstance(first, str) or (isinstance(first, dict) and isinstance(first.get("type"), str))
    if _is_observation(value):
        return True
    return "timestamp" in value and "output" in value and "id" in value and any(mark in value for mark in TRACE_MARKS)


def _begin(observation: Record) -> float:
    start = milliseconds(either(observation, "startTime"))
    return float("inf") if start is None else start


def _metadata(record: Record) -> Record:
    return record_of(structured(record.get("metadata")))


def _agent(observations: list[Record]) -> str:
    """The name of the outermost agent."""
    return next((text(found.get("name")) or "" for found in observations if found.get("type") == "AGENT"), "")


def _kind(observation: Record) -> tuple[Literal["model", "tool", "other"], str]:
    """What an observation is of, and the name of the tool where it is of one."""
    name, kind = text(observation.get("name")) or "", observation.get("type")
    if kind == "GENERATION":
        return "model", name
    attributes = at(structured(observation.get("metadata")), "attributes")
    tool = text(record_of(structured(attributes)).get("gen_ai.tool.name"))
    match = NAMED_AS_TOOL.fullmatch(name)
    if kind == "TOOL" or tool is not None:
        return "tool", tool or (match[1] if match and kind == "TOOL" else name)
    if kind == "SPAN" and match:
        return "tool", match[1]
    return "other", name if kind in ("SPAN", "EVENT") else ""


def _step(observation: Record) -> Step:
    kind, name = _kind(observation)
    failed = observation.get("level") == "ERROR"
    step = Step(
        kind,
        name,
        decoded(observation.get("input")),
        decoded(observation.get("output")),
        start=milliseconds(either(observation, "startTime")),
        end=milliseconds(either(observation, "endTime")),
        failed=failed,
        error=_error(observation) if failed else None,
        span=text(observation.get("id")),
    )
    if kind == "model":
        step.tokens, step.cost = _tokens(observation), _cost(observation)
    elif kind == "tool":
        metadata = _metadata(observation)
        step.id = text(metadata.get("tool_call_id")) or text(metadata.get("toolCallId"))
    return step


def _error(observation: Record) -> str:
    return text(either(observation, "statusMessage")) or "failed"


def _tokens(observation: Record) -> tuple[JsonValue, JsonValue] | None:
    for key in ("usageDetails", "usage"):
        usage = record_of(structured(either(observation, key)))
        taken = next(
            (usage[name] for name in ("input", "input_tokens", "promptTokens", "prompt_tokens") if name in usage), None
        )
        given = next(
            (
                usage[name]
                for name in ("output", "output_tokens", "completionTokens", "completion_tokens")
                if name in usage
            ),
            None,
        )
        if taken is not None or given is not None:
            return taken, given
    return None


def _cost(observation: Record) -> float | None:
    for found in (
        either(observation, "totalCost"),
        either(observation, "calculatedTotalCost"),
        at(structured(either(observation, "costDetails")), "total"),
    ):
        if isinstance(found, (int, float)) and not isinstance(found, bool) and 0 < found <= 10**15:
            return float(found)
    return None


def _latency(trace: Record, steps: list[Step]) -> float | None:
    seconds = trace.get("latency")
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and seconds > 0:
        return seconds * 1000.0
    return span_of(steps)
