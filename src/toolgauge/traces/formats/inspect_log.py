"""Logs of Inspect evaluations: a JSON document with its samples, or a single sample.

Messages hold what the agent itself did. When it hands over, the calls of the other agent become plain words in them,
and the calls of an agent that is used as a tool are not in them at all; the events have both, and the times of calls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..identity import with_identity
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, dicts, items_of, milliseconds, record_of, text, texts

__all__ = ["MAX_LEVELS", "Events", "InspectReader", "read_sample"]

ATTACHMENT = "attachment://"
"""How a text begins that stands for another one, kept beside the messages."""

TIME_LIMITS = frozenset({"time", "working"})
CUT_OFF = frozenset({"max_tokens", "model_length"})


class InspectReader:
    """One trajectory a sample."""

    title: ClassVar[str] = "Inspect logs"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A log with its `eval` and `version`, or a sample with its `epoch` and `target`."""
        if not isinstance(value, dict):
            return False
        evaluation = value.get("eval")
        if isinstance(evaluation, dict):
            return "version" in value and "model" in evaluation
        return "epoch" in value and "target" in value and isinstance(value.get("messages"), list)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The samples of the record."""
        record = record_of(value)
        header = record_of(record.get("eval"))
        if "epoch" in record and not header:
            yield read_sample(self._context, record, header)
            return
        samples = items_of(record.get("samples"))
        if not samples:
            self._context.note_loss("a log contains no samples; they were not kept, or none was run")
        for sample in samples:
            if isinstance(sample, dict):
                yield read_sample(self._context, sample, header)
            else:
                self._context.note_loss("a sample is left out because it is not an object")

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every sample stands for itself."""
        return iter(())


def read_sample(context: ReadContext, sample: Record, header: Record) -> Trajectory:
    """The trajectory of a sample.

    Args:
        context: Where to say what was lost.
        sample: The sample, with its attachments.
        header: What the log says of the evaluation, under `eval`.
    """
    return _Sample(context, sample, header).trajectory()


class _Sample:
    """A sample that is being read."""

    def __init__(self, context: ReadContext, sample: Record, header: Record) -> None:
        self._context = context
        self._sample = sample
        self._header = header
        older = record_of(sample.get("transcript"))
        self._attachments = record_of(sample.get("attachments")) or record_of(older.get("content"))
        messages = list(dicts(sample.get("messages")))
        calls = (call for message in messages for call in dicts(message.get("tool_calls")))
        known = {key for call in calls if (key := text(call.get("id")))}
        began = milliseconds(sample.get("started_at"))
        self._events = Events.read(sample.get("events") or older.get("events"), known, began)
        self._builder = TrajectoryBuilder(context)
        self._elsewhere: set[str] = set()
        """Agents whose calls are taken from the events."""
        for message in messages:
            self._add_message(message)

    def trajectory(self) -> Trajectory:
        """The trajectory."""
        builder, sample = self._builder, self._sample
        builder.input = self._input() or builder.input
        self._answer()
        for agent, event in self._events.inner:
            call = {"agent": agent, "tool": event.get("function"), "args": event.get("arguments")}
            reason = at(event, "error", "message")
            builder.add_event("inner_call", **call, **({"error": reason} if reason else {}))
        for retry in dicts(sample.get("error_retries")):
            builder.add_event("retry", error=retry.get("message"))
        self._add_usage()
        state, error = self._ending()
        number = sample.get("id")
        epoch = sample.get("epoch")
        return builder.build(
            case=str(number) if isinstance(number, (str, int)) and not isinstance(number, bool) else "",
            agent=_agent(self._header, sample),
            trial=epoch if isinstance(epoch, int) and not isinstance(epoch, bool) else None,
            state=state,
            error=error,
            latency_ms=_latency(sample),
            meta=self._meta(),
        )

    def _add_message(self, message: Record) -> None:
        role = message.get("role")
        content = self._resolved(message.get("content"))
        if role == "user":
            self._builder.add_user_message(texts(content))
        elif role == "assistant":
            words = texts(content)
            if words is None or not any(words.startswith(f"[{agent}] ") for agent in self._elsewhere):
                self._reply(words, content, message)
        elif role == "tool":
            key = message.get("tool_call_id")
            self._result(key, message.get("function"), content, message.get("error", message.get("tool_error")))
            self._hand_over(key)

    def _reply(self, words: str | None, content: JsonValue, message: Record) -> None:
        """The model answers: with words, with calls, and with calls that its provider made for it."""
        builder = self._builder
        builder.begin_turn()
        builder.add_agent_message(words)
        inline = [part for part in dicts(content) if part.get("type") == "tool_use"]
        for part in inline:
            builder.add_call(part.get("name"), part.get("arguments"), id=part.get("id"))
        calls = list(dicts(message.get("tool_calls")))
        for call in calls:
            self._call(call)
        for part in inline:
            error = text(part.get("error"))
            builder.add_result(part.get("result"), id=part.get("id"), failed=True if error else None, error=error)
        if inline and not calls:
            # What is said together with such calls is said after them.
            builder.output = words

    def _call(self, call: Record) -> None:
        function = call.get("function")
        # The first versions wrote calls as OpenAI does.
        name = at(function, "name") if isinstance(function, dict) else function
        arguments = call.get("arguments", at(function, "arguments"))
        key = call.get("id")
        started, _ = self._events.time_of(key)
        problem = text(call.get("parse_error"))
        if problem is not None:
            self._context.note_loss("the model wrote arguments that could not be parsed")
            self._builder.add_event("invalid_arguments", call=self._builder.calls, error=problem)
        self._builder.add_call(name, self._resolved(arguments), id=key, started_ms=started)

    def _result(self, key: JsonValue, tool: JsonValue, content: JsonValue, error: JsonValue) -> None:
        _, took = self._events.time_of(key)
        reason = text(at(error, "message")) or text(error)
        failed = True if isinstance(error, (dict, str)) and error else None
        value = content
        if isinstance(content, list):
            value = texts(content) if all(part.get("type") == "text" for part in dicts(content)) else content
        if failed and not value:
            value = None
        self._builder.add_result(value, id=key, tool=tool, failed=failed, error=reason, duration_ms=took)

    def _hand_over(self, key: JsonValue, level: int = 0) -> None:
        """After a hand-over add what the other agent did, which the messages have in words only."""
        agent = self._events.agent_of(key)
        if agent is None or level > MAX_LEVELS:
            return
        self._builder.add_event("handoff", agent=agent)
        groups = self._events.handed.get(agent)
        calls = groups.popleft() if groups else []
        if calls:
            self._elsewhere.add(agent)
        for event in calls:
            self._builder.begin_turn()
            self._call({"id": event.get("id"), "function": event.get("function"), "arguments": event.get("arguments")})
            result = self._resolved(event.get("result"))
            self._result(event.get("id"), event.get("function"), result, event.get("error"))
            self._hand_over(event.get("id"), level + 1)

    def _input(self) -> str | None:
        given = self._resolved(self._sample.get("input"))
        if isinstance(given, str):
            return text(given)
        asked = (texts(message.get("content")) for message in dicts(given) if message.get("role") == "user")
        return next((words for words in asked if words), None)

    def _answer(self) -> None:
        """The answer that was scored, unless the model stopped at a call."""
        output = record_of(self._sample.get("output"))
        message = record_of(next(dicts(output.get("choices")), {}).get("message"))
        completion = text(self._resolved(output.get("completion"))) or texts(self._resolved(message.get("content")))
        if completion and not message.get("tool_calls"):
            self._builder.output = completion

    def _ending(self) -> tuple[State, str | None]:
        sample = self._sample
        error = sample.get("error")
        if error:
            reason = text(at(error, "message")) or text(error) or "the sample failed"
            return ("cancelled" if reason.startswith("CancelledError") else "error"), reason
        limit = sample.get("limit")
        if limit:
            kind = at(limit, "type")
            self._builder.add_event("limit", type=kind, limit=at(limit, "limit"))
            if kind == "operator":
                return "cancelled", None
            return ("timeout" if isinstance(kind, str) and kind in TIME_LIMITS else "limit"), None
        stopped = next(dicts(at(sample, "output", "choices")), {}).get("stop_reason")
        return ("limit" if isinstance(stopped, str) and stopped in CUT_OFF else "completed"), None

    def _add_usage(self) -> None:
        usage = self._sample.get("model_usage")
        requests = self._events.requests
        if not requests:
            messages = dicts(self._sample.get("messages"))
            requests = sum(message.get("source") == "generate" for message in messages)
        if requests:
            self._builder.add_usage(requests=requests)
        for spent in record_of(usage).values():
            cost = at(spent, "total_cost")
            known = isinstance(cost, (int, float)) and not isinstance(cost, bool)
            self._builder.add_usage(
                at(spent, "input_tokens"),
                at(spent, "output_tokens"),
                cost_usd=float(cost) if known and 0 <= cost <= 10**15 else None,  # type: ignore[arg-type, operator]  # a number
                requests=0,
            )
            # What came from a cache is counted by itself, but was read all the same.
            for key in ("input_tokens_cache_read", "input_tokens_cache_write"):
                self._builder.add_usage(at(spent, key), requests=0)

    def _meta(self) -> Record:
        meta = dict(record_of(self._sample.get("metadata")))
        scores = self._sample.get("scores")
        values: Record = {name: at(score, "value") for name, score in record_of(scores).items()}
        older = at(self._sample, "score", "value")
        if values or older is not None:
            meta["scores"] = values or older
        tags = self._header.get("tags")
        if isinstance(tags, list) and tags:
            meta["tags"] = tags
        return with_identity(meta, trace=self._sample.get("uuid"), started=self._events.began)

    def _resolved(self, value: JsonValue) -> JsonValue:
        """The value with the texts in it that are kept elsewhere."""
        if not self._attachments:
            return value
        if isinstance(value, str):
            if not value.startswith(ATTACHMENT):
                return value
            found = self._attachments.get(value.removeprefix(ATTACHMENT))
            if isinstance(found, str):
                return found
            self._context.note_loss("a text is kept in an attachment that is missing")
            return value
        if isinstance(value, list):
            return [self._resolved(item) for item in value]
        if isinstance(value, dict):
            return {key: self._resolved(item) for key, item in value.items()}
        return value


def _agent(header: Record, sample: Record) -> str:
    """The model, with the solver before it where the log names one: agents differ by both."""
    model = text(header.get("model")) or text(at(sample, "output", "model")) or ""
    solver = text(header.get("solver"))
    return f"{solver} ({model})" if solver and model else solver or model


def _latency(sample: Record) -> float | None:
    total = sample.get("total_time")
    if isinstance(total, (int, float)) and not isinstance(total, bool) and 0 <= total <= 10**12:
        return total * 1000.0
    began, ended = milliseconds(sample.get("started_at")), milliseconds(sample.get("completed_at"))
    return ended - began if began is not None and ended is not None else None


MAX_LEVELS = 100
"""How deep agents may call agents; spans that lead around in a circle are left."""

INTERNAL = frozenset({"submit"})
"""Tools by which an agent gives its answer, which Inspect takes out of the messages again."""


@dataclass(slots=True)
class Events:
    """The events of one sample, looked up by call."""

    requests: int = 0
    """How often a model was asked."""
    handed: dict[str, deque[list[Record]]] = field(default_factory=dict)
    """By agent the calls that it made after each hand-over to it."""
    inner: list[tuple[str, Record]] = field(default_factory=list)
    """Calls of agents that were used as a tool, with the name of the agent."""
    began: float | None = None
    _calls: dict[str, Record] = field(default_factory=dict)

    @classmethod
    def read(cls, events: JsonValue, known: set[str], began: float | None) -> Events:
        """Look through the events.

        Args:
            events: The list of them.
            known: Ids of the calls that the messages hold.
            began: When the sample began, in milliseconds.
        """
        found = cls(began=began)
        listed = list(_flat(events))
        spans = {str(event.get("id")): event for event in listed if event.get("event") == "span_begin"}
        groups: dict[str, list[Record]] = {}
        for event in listed:
            kind = event.get("event")
            if kind == "model":
                found.requests += 1
            elif kind == "span_begin" and event.get("type") == "handoff":
                group = groups.setdefault(str(event.get("id")), [])
                found.handed.setdefault(str(event.get("name")), deque()).append(group)
            elif kind == "tool":
                found._take(event, known, spans, groups)
        return found

    def _take(self, event: Record, known: set[str], spans: dict[str, Record], groups: dict[str, list[Record]]) -> None:
        key = text(event.get("id"))
        if key is not None:
            self._calls[key] = event
        if key in known or text(event.get("function")) in INTERNAL:
            return
        kind, span = _holder(event, spans)
        if kind == "handoff" and (group := groups.get(str(span.get("id")))) is not None:
            group.append(event)
        elif kind == "agent":
            self.inner.append((text(span.get("name")) or "", event))

    def agent_of(self, key: JsonValue) -> str | None:
        """The agent that a call hands over to."""
        return text(self._calls.get(key, {}).get("agent")) if isinstance(key, str) else None

    def time_of(self, key: JsonValue) -> tuple[float | None, float | None]:
        """When a call was made, counted from the beginning of the sample, and how long it took, in milliseconds."""
        event = self._calls.get(key) if isinstance(key, str) else None
        if event is None:
            return None, None
        began, ended = milliseconds(event.get("timestamp")), milliseconds(event.get("completed"))
        since = began - self.began if began is not None and self.began is not None else None
        return since, ended - began if began is not None and ended is not None else None


def _flat(events: JsonValue, level: int = 0) -> list[Record]:
    """The events, with those inside others, as older versions write them, after these."""
    found: list[Record] = []
    for event in dicts(events):
        found.append(event)
        if event.get("events") and level < MAX_LEVELS:
            found += _flat(event["events"], level + 1)
    return found


def _holder(event: Record, spans: dict[str, Record]) -> tuple[str, Record]:
    """Whose call it was: that of an agent after a hand-over, of an agent used as a tool, or of the agent itself."""
    span = spans.get(str(event.get("span_id")), {})
    for _ in range(MAX_LEVELS):
        if span.get("type") == "handoff":
            return "handoff", span
        above = spans.get(str(span.get("parent_id")), {})
        if span.get("type") == "agent" and above.get("type") == "tool":
            further = spans.get(str(above.get("parent_id")), {})
            return ("handoff", further) if further.get("type") == "handoff" else ("agent", span)
        if not above:
            break
        span = above
    return "", {}
