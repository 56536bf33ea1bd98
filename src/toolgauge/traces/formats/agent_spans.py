"""A trace of the OpenAI Agents SDK, from the spans that it exports one by one as they end."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import JsonValue, Trajectory

from ..conversation import Conversation, Reading
from ..values import Record, at, case_of, dicts, items_of, milliseconds, record_of, structured, text, texts
from .exchanges import error_of
from .openai_items import tell_item
from .openai_messages import tell_message

__all__ = ["Trace"]


class Trace:
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

    def tell(self, reading: Reading) -> Iterator[Trajectory]:
        """The trajectory, or nothing where the spans hold nothing that an agent did."""
        teller = _Teller(reading, self._spans)
        teller.tell()
        conversation = teller.conversation
        error = teller.error
        if conversation.empty and error is None:
            reading.lose("a trace in which nothing was said or called is left out")
            return
        metadata = record_of(self._trace.get("metadata"))
        conversation.input = conversation.input or text(metadata.get("input"))
        yield conversation.finish(
            case=case_of(self._trace, metadata),
            agent=teller.agent,
            error=error,
            latency_ms=teller.latency_ms,
            meta=metadata,
        )


class _Teller:
    """Tells a conversation what the spans say, in the order in which they began."""

    def __init__(self, reading: Reading, spans: dict[str, Record]) -> None:
        self.conversation = Conversation(reading)
        self.agent = ""
        self.error: str | None = None
        self._spans = spans
        self._announced: list[tuple[JsonValue, JsonValue, JsonValue]] = []
        """Calls that the model asked for and of which no span was seen yet: name, arguments, id."""
        moments = [found for span in spans.values() if (found := milliseconds(span.get("started_at"))) is not None]
        self._begin = min(moments, default=None)
        ends = [found for span in spans.values() if (found := milliseconds(span.get("ended_at"))) is not None]
        self.latency_ms = max(ends) - self._begin if ends and self._begin is not None else None
        self._counts_turns = any(_kind(span) == "turn" for span in spans.values())

    def tell(self) -> None:
        """Tell everything."""
        # Spans that do not say when they began stay where they are, before the others.
        for span in sorted(self._spans.values(), key=lambda span: milliseconds(span.get("started_at")) or 0.0):
            if self._is_inner(span):
                if _kind(span) == "function":
                    self.conversation.happen("inner_call", tool=at(span, "span_data", "name"))
                continue
            self._tell_span(_kind(span), span, record_of(span.get("span_data")))
        self._give_up_announced()
        self._tell_cost()

    def _tell_span(self, kind: str, span: Record, data: Record) -> None:
        if kind == "agent":
            self.agent = self.agent or text(data.get("name")) or ""
            self.error = self.error or error_of(span)
        elif kind == "turn":
            self._begin_turn()
        elif kind in ("generation", "response"):
            if not self._counts_turns:
                self._begin_turn()
            self._tell_reply(data)
            self.error = self.error or error_of(span)
        elif kind == "function":
            self._tell_call(span, data)
        elif kind == "handoff":
            source, target = data.get("from_agent"), data.get("to_agent")
            self._announced = [call for call in self._announced if not _is_handoff(call[0])]
            self.conversation.happen("handoff", **{"from": source, "to": target})
        elif kind == "guardrail" and data.get("triggered") is True:
            self.conversation.happen("guardrail", name=data.get("name"), triggered=True)

    def _begin_turn(self) -> None:
        self._give_up_announced()
        self.conversation.begin_turn()

    def _tell_reply(self, data: Record) -> None:
        """Tell the words of a reply, and keep its calls until their spans come."""
        asked = data.get("input")
        if self.conversation.input is None:
            self.conversation.ask(asked if isinstance(asked, str) else _question(asked))
            self.conversation.continue_turn()
        response = record_of(data.get("response"))
        for item in dicts(response.get("output") or data.get("output")):
            kind = item.get("type")
            if kind == "function_call":
                self._announced.append((item.get("name"), item.get("arguments"), item.get("call_id")))
            elif isinstance(kind, str):
                tell_item(self.conversation, item)
            else:
                self._tell_message(item)

    def _tell_message(self, message: Record) -> None:
        self.conversation.say(text(message.get("content")) or text(message.get("refusal")))
        for call in dicts(message.get("tool_calls")):
            function = record_of(call.get("function"))
            self._announced.append((function.get("name"), function.get("arguments"), call.get("id")))
        if message.get("role") not in ("assistant", None):
            tell_message(self.conversation, message)

    def _tell_call(self, span: Record, data: Record) -> None:
        name, arguments = data.get("name"), data.get("input")
        begin, end = milliseconds(span.get("started_at")), milliseconds(span.get("ended_at"))
        key = self._announced_id(name, arguments)
        self.conversation.call(
            name,
            arguments,
            id=key,
            started_ms=begin - self._begin if begin is not None and self._begin is not None else None,
            duration_ms=end - begin if begin is not None and end is not None else None,
        )
        error = span.get("error")
        words = text(at(error, "data", "error")) or text(at(error, "message"))
        if words is not None or data.get("output") is not None or end is not None:
            failed = True if error else None
            self.conversation.result(data.get("output"), id=key, tool=name, failed=failed, error=words, same_turn=True)

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
            self.conversation.call(name, arguments, id=key)
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

    def _tell_cost(self) -> None:
        """Tell the cost of the run as a whole where it is recorded, else of its replies."""
        for kinds in (("task",), ("generation", "response"), ("turn",)):
            found = [usage for span in self._spans.values() if _kind(span) in kinds and (usage := _usage(span))]
            outer = [_usage(span) for span in self._spans.values() if _kind(span) in kinds and not self._is_inner(span)]
            for usage in filter(None, outer if kinds == ("task",) else found):
                requests = usage.get("requests")
                self.conversation.spend(
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
