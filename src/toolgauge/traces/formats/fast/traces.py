"""The fast way for traces as most files hold them: whole, of one agent, and with nothing out of the ordinary.

Models say what they answered in messages of the current conventions, and each call they ask for has a span of its tool
with the same id. Whatever is unusual in a trace, a call without a span or a failure, is left to the full reader,
which gives the same for all.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from toolgauge.core import LARGEST_AMOUNT, UNSAID, Call, JsonValue, Trajectory, Usage
from toolgauge.files import repeats_key

from ...context import ReadContext
from ...parallel_calls import PARALLEL
from ...values import Record, amount, decoded_object, trial_of
from ..spans.conventions import agent_says, has_result, kind_of, may_hold_more, was_cut_off
from ..spans.messages import MessageCall, question_of, usual_messages
from ..spans.span import KEPT, Span
from ..spans.tree import NOTED, begin_of, case_and_meta, conversation_of, with_trace

__all__ = ["build_fast"]

GIVEN, ANSWERED = "gen_ai.input.messages", "gen_ai.output.messages"
READ, WRITTEN = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
NAME, CONVERSATION, RESULT = "gen_ai.agent.name", "gen_ai.conversation.id", "gen_ai.tool.call.result"

USUAL = frozenset(
    {
        "gen_ai.operation.name",
        "gen_ai.request.model",
        "gen_ai.response.finish_reasons",
        "gen_ai.tool.name",
        "gen_ai.tool.call.id",
        "gen_ai.tool.call.arguments",
        *(GIVEN, ANSWERED, READ, WRITTEN, NAME, CONVERSATION, RESULT),
        *NOTED,
    }
)
UNUSUAL = frozenset(KEPT) - USUAL
"""Attributes with a meaning that is not known here."""


class _Trace(Struct, eq=False, gc=False):
    """The spans of a trace by what they are of, each in the order of their beginning."""

    by_id: dict[str, Span]
    found: list[Span]
    """All but those of other things."""
    models: list[Span]
    tools: dict[str, Span]
    """By the ids of their calls."""
    agent: Span | None
    noted: bool
    """Whether any span says which case it is of, or holds metadata."""


class _Work(Struct, eq=False, gc=False):
    """What the models of a trace did."""

    calls: list[Call]
    question: str | None = None
    output: str | None = None
    read: int | None = None
    written: int | None = None


def build_fast(spans: Collection[Span], context: ReadContext) -> Trajectory | None:
    """The trajectory of a trace; None where the full reader has to build it."""
    trace = _sorted_out(spans)
    if trace is None or not _is_one(trace):
        return None
    work = _read_models(trace, context)
    if work is None or (not work.calls and work.question is None and work.output is None):
        return None
    name, question, output = _names_and_words(trace, work, context)
    tops = [] if trace.agent is None else [trace.agent]
    case, meta = case_and_meta(trace.found, tops, trace.by_id) if trace.noted else ("", {})
    trial = trial_of(meta)
    return Trajectory(
        case=case or conversation_of(trace.found),
        trial=UNSAID if trial is None else trial,
        agent=name,
        state="limit" if was_cut_off(trace.models[-1]) else "completed",
        calls=tuple(work.calls),
        output=output,
        latency_ms=_latency(trace),
        usage=Usage(len(trace.models), work.read, work.written),
        input=question,
        meta=with_trace(meta, trace.found, _begin(trace), (tops or trace.found)[0]),
    )


def _sorted_out(spans: Collection[Span]) -> _Trace | None:
    """The spans by what they are of; None where something is unusual about one of them."""
    trace = _Trace({}, [], [], {}, None, False)
    rooted = False
    for span in sorted(spans, key=begin_of):
        attributes = span.attributes
        if span.failed or span.numbered or span.events or span.logged or not UNUSUAL.isdisjoint(attributes):
            return None
        rooted = rooted or span.parent is None
        trace.noted = trace.noted or not NOTED.isdisjoint(attributes)
        trace.by_id[span.id] = span
        kind = span.kind = kind_of(span)
        if kind == "model":
            trace.models.append(span)
        elif kind == "tool":
            identity = attributes.get("gen_ai.tool.call.id")
            if not has_result(span) or identity in trace.tools or not identity:
                return None
            trace.tools[identity] = span
        elif kind == "agent":
            if trace.agent is not None:
                return None
            trace.agent = span
        else:
            continue
        trace.found.append(span)
    return trace if rooted and trace.models else None


def _is_one(trace: _Trace) -> bool:
    """Whether all spans are of one trajectory: those of the agent, or of no agent at all."""
    agent = trace.agent
    for span in trace.found:
        if _next_above(span, trace.by_id) is not (None if span is agent else agent):
            return False
    if agent is not None:
        return True
    first = trace.found[0].attributes.get(CONVERSATION)
    return all(span.attributes.get(CONVERSATION) == first for span in trace.found)


def _next_above(span: Span, by_id: dict[str, Span]) -> Span | None:
    """The next span above that is of a model, a tool or an agent; the span itself where it is above itself."""
    above = by_id.get(span.parent) if span.parent is not None else None
    while above is not None and above.kind == "other" and above is not span:
        above = by_id.get(above.parent) if above.parent is not None else None
    return above


def _read_models(trace: _Trace, context: ReadContext) -> _Work | None:
    """What the models did; None where their messages or the spans of the tools say something else, or more."""
    work = _Work([])
    if not _take_question(trace.models, work):
        return None
    begin = _begin(trace)
    for turn, span in enumerate(trace.models, 1):
        attributes = span.attributes
        read, written = amount(attributes.get(READ)), amount(attributes.get(WRITTEN))
        work.read = work.read if read is None else read + (work.read or 0)
        work.written = work.written if written is None else written + (work.written or 0)
        value = span.value(ANSWERED)
        messages = usual_messages(value) if isinstance(value, str) else None
        if messages is None:
            if ANSWERED in attributes:
                return None
            continue
        asked = []
        words = None
        for message in messages:
            if message.role == "assistant":
                words = f"{words}\n{message.words}" if words and message.words else message.words or words
                asked += message.calls
        if words:
            if context.text_calls.may_hold(words):
                return None
            work.output = words
        for each in asked:
            call = _call(each, turn, trace.tools, begin, context)
            if call is None:
                return None
            work.calls.append(call)
            work.output = None
    last = trace.models[-1]
    if trace.tools or (len(trace.models) > 1 and GIVEN in last.attributes and may_hold_more(last, len(work.calls))):
        return None
    return work


def _take_question(models: list[Span], work: _Work) -> bool:
    """Take what the first model was asked; False where that is not plain to see."""
    given = models[0].value(GIVEN)
    if given is None:
        return not any(GIVEN in span.attributes for span in models)
    messages = usual_messages(given) if isinstance(given, str) else None
    if not messages:
        return False
    work.question = question_of(messages)
    if len(models) == 1 and (messages[-1].role != "user" or messages[-1].words != work.question):
        return False
    return bool(work.question)


def _call(
    asked: MessageCall, turn: int, tools: dict[str, Span], begin: int | None, context: ReadContext
) -> Call | None:
    """A call with its result, for which the span of its tool is used up; None where something is unusual."""
    span = tools.pop(asked.id, None) if asked.id is not None else None
    arguments = _arguments(asked.arguments)
    written = asked.name
    if span is None or arguments is None or not isinstance(written, str) or written in PARALLEL:
        return None
    result, error = context.resolve_result(span.value(RESULT))
    name = context.names(written)
    started = duration = None
    if span.start is not None:
        started = (span.start - begin) / 1e6 if begin is not None else None
        duration = (span.end - span.start) / 1e6 if span.end is not None and span.end >= span.start else None
    original = None if name == written else written
    return Call(name, arguments, asked.id, turn, None, result, error, started, duration, original, span.id)


def _arguments(arguments: JsonValue) -> Record | None:
    if not isinstance(arguments, str):
        return arguments if isinstance(arguments, dict) else None
    decoded = decoded_object(arguments)
    return None if decoded is None or repeats_key(arguments, decoded) else decoded


def _names_and_words(trace: _Trace, work: _Work, context: ReadContext) -> tuple[str, str | None, str | None]:
    """The name of the agent, the question and the answer, where the span of the agent may know them better."""
    name, question, output = "", work.question, work.output
    if trace.agent is not None:
        says = agent_says(trace.agent, context)
        name, question = says.name, question or says.question
        output = output if says.answer is None else says.answer
    if not name:
        named = (span.value(NAME) for span in trace.found)
        name = next((found for found in named if isinstance(found, str)), "")
    return name, question, output


def _begin(trace: _Trace) -> int | None:
    return trace.found[0].start if trace.agent is None else trace.agent.start


def _latency(trace: _Trace) -> float | None:
    spans = trace.found if trace.agent is None else [trace.agent]
    begin = spans[0].start
    ends = [span.end for span in spans if span.end is not None]
    if begin is None or not ends or max(ends) < begin:
        return None
    latency = (max(ends) - begin) / 1e6
    return latency if latency <= LARGEST_AMOUNT else None
