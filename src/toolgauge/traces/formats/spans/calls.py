"""Joining what replies, spans of tools and later messages say of one and the same call."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

from toolgauge.core import JsonValue

from ...context import ReadContext
from ...values import structured
from .conventions import tool_arguments, tool_of
from .messages import MessageCall, MessageResult
from .span import Span

__all__ = ["RecordedCall", "Turn", "join_answers", "join_tools"]


class RecordedCall(Struct, eq=False, gc=False):
    """A call, with all that is recorded of it."""

    asked: MessageCall
    """As the model asked for it, or else as the tool was run."""
    id: str | None
    """Its id, from whichever record has one."""
    span: Span | None = None
    """The span of the tool."""
    answer: MessageResult | None = None

    @property
    def answered(self) -> bool:
        """Whether its end is known, be it without a result."""
        return self.answer is not None or self.span is not None

    def arguments(self) -> JsonValue:
        """What the model gave, unless that is unreadable and the tool's own record is not."""
        asked = self.asked.arguments
        if isinstance(asked, dict) or self.span is None:
            return asked
        if isinstance(asked, str) and isinstance(structured(asked), dict):
            return asked
        executed = tool_arguments(self.span)
        return asked if executed is None else executed


class Turn(Struct, eq=False, gc=False):
    """One reply of a model: words, calls, or both."""

    order: tuple[int, int]
    words: str | None
    span: Span | None = None
    calls: list[RecordedCall] = []


def join_tools(turns: list[Turn], tools: list[Span], context: ReadContext) -> None:
    """Give each call the span of its tool; spans without a call become calls of the turn before them."""
    left: list[tuple[Span, str, str | None, MessageResult | None]] = []
    by_id = _by_id(turns)
    for span in tools:
        name, identity, answer = tool_of(span)
        if span.owner is not None and span.owner.kind == "tool" and _runs_another(span.owner, name):
            continue
        waiting = by_id.get(identity) if identity is not None else None
        if waiting:
            call = waiting.popleft()
            call.span, call.answer = span, answer
        else:
            left.append((span, name, identity, answer))
    free = _without_spans(turns, context) if left else {}
    for span, name, identity, answer in left:
        found = _same_call(free.get(context.names(name), []), identity, span)
        if found is None:
            found = RecordedCall(MessageCall(name, tool_arguments(span), identity), identity)
            if found.asked.arguments is None and "input.value" in span.attributes:
                context.note_loss("the arguments of a call are recorded as plain text; the call is kept without them")
            _turn_of(turns, span).calls.append(found)
        found.span, found.answer, found.id = span, answer, found.id or identity


def _by_id(turns: list[Turn]) -> dict[str, deque[RecordedCall]]:
    """The calls of each id, in their order; some recorders use an id again."""
    found: dict[str, deque[RecordedCall]] = {}
    for turn in turns:
        for call in turn.calls:
            if call.id is not None:
                found.setdefault(call.id, deque()).append(call)
    return found


def _runs_another(owner: Span, name: str) -> bool:
    """Whether the span above is of the same call, made by another instrumentation."""
    above = owner.attributes.get("gen_ai.tool.name", owner.attributes.get("tool.name", owner.name))
    return above == name or not name


def _without_spans(turns: list[Turn], context: ReadContext) -> dict[str, list[RecordedCall]]:
    """The calls that no span was found for, by the names of their tools."""
    free: dict[str, list[RecordedCall]] = {}
    for call in _calls(turns):
        if call.span is None:
            free.setdefault(_name(call.asked, context), []).append(call)
    return free


def _same_call(free: list[RecordedCall], identity: str | None, span: Span) -> RecordedCall | None:
    """The first one of these calls with the arguments of the span, or one that has no id to tell it apart."""
    if not free:
        return None
    wanted = structured(tool_arguments(span))
    found = next((call for call in free if structured(call.asked.arguments) == wanted), None)
    if found is None:
        found = next((call for call in free if identity is None or call.id is None), None)
    if found is not None:
        free.remove(found)
    return found


def _name(asked: MessageCall, context: ReadContext) -> str:
    return context.names(asked.name) if isinstance(asked.name, str) else ""


def _turn_of(turns: list[Turn], span: Span) -> Turn:
    """The last turn before a span of a tool. Without any, calls that overlap are of one turn."""
    found = next((turn for turn in reversed(turns) if turn.order[0] <= span.order), None)
    if found is None or (found.span is None and found.words is None and not _overlaps(found, span)):
        found = Turn((span.order, 0), None)
        turns.append(found)
        if len(turns) > 1 and turns[-2].order > found.order:
            turns.sort(key=lambda turn: turn.order)
    return found


def _overlaps(turn: Turn, span: Span) -> bool:
    for call in turn.calls:
        other = call.span
        if other is None or other.end is None or span.start is None or span.start < other.end:
            return True
    return False


def join_answers(turns: list[Turn], answers: Iterable[MessageResult], context: ReadContext) -> list[MessageResult]:
    """Give each call its answer, by id, else by order; returns the answers that belong to no call.

    What a span of the tool says of the answer counts, and the messages only where it says nothing.
    """
    left: list[MessageResult] = []
    by_id = _by_id(turns)
    settled: set[int] = set()
    for answer in answers:
        if answer.id is not None and answer.id in by_id:
            if by_id[answer.id]:
                call = by_id[answer.id].popleft()
                settled.add(id(call))
                if call.answer is None:
                    call.answer = answer
                elif call.answer.failed is None:
                    call.answer.failed = answer.failed
        else:
            left.append(answer)
    waiting = [call for call in _calls(turns) if id(call) not in settled] if left else []
    return [answer for answer in left if not _taken(waiting, answer, context)]


def _taken(waiting: list[RecordedCall], answer: MessageResult, context: ReadContext) -> bool:
    """Whether a call takes an answer whose id is of no use: the first one without, of the same tool."""
    name = context.names(answer.tool) if answer.tool is not None else None
    for index, call in enumerate(waiting):
        if name is None or _name(call.asked, context) == name:
            del waiting[index]
            if call.answer is None:
                call.answer = answer
            return True
    return False


def _calls(turns: list[Turn]) -> Iterator[RecordedCall]:
    for turn in turns:
        yield from turn.calls
