"""Which span stands under which, which of them belong to one trajectory, and which case a trace is of."""

from __future__ import annotations

from collections.abc import Iterable

from toolgauge.core import JsonValue

from ...identity import with_identity
from ...values import CASE_KEYS, Record, case_of, items_of, structured, text
from .conventions import kind_of
from .span import Span

__all__ = ["NOTED", "arrange", "begin_of", "case_and_meta", "conversation_of", "with_trace"]

MAX_STEPS = 1000
"""How far up a trace is followed; spans that name each other as parents have no end."""

UNKNOWN = 10**30
"""The beginning of a span that does not say when it began: after all others."""


def arrange(spans: Iterable[Span]) -> tuple[dict[str, Span], list[list[Span]]]:
    """The spans of a trace by their ids, and the groups that are one trajectory each, in the order of their beginning.

    A trace is one trajectory. Where it holds several agents of which none stands under another, or several
    conversations, each of these is one.
    """
    ordered = sorted(spans, key=begin_of)
    by_id = {span.id: span for span in ordered}
    found = []
    for order, span in enumerate(ordered):
        span.order = order
        span.kind = kind_of(span)
        if span.kind != "other" and span.attributes.get("logfire.span_type") != "pending_span":
            found.append(span)
    for span in found:
        if span.parent is not None:
            span.owner = _owner(span, by_id)
    tops = [_top(span) for span in found]
    keys = {key for span, top in zip(found, tops, strict=True) if top is None or top is span if (key := _key(span))}
    if len(keys) <= 1:
        return by_id, [found] if found else []
    groups: dict[str, list[Span]] = {}
    for span, top in zip(found, tops, strict=True):
        groups.setdefault(_key(top or span), []).append(span)
    return by_id, list(groups.values())


def begin_of(span: Span) -> int:
    """When a span began, for sorting."""
    return UNKNOWN if span.start is None else span.start


def _owner(span: Span, by_id: dict[str, Span]) -> Span | None:
    """The next span above that is of a model, a tool or an agent."""
    above = by_id.get(span.parent) if span.parent is not None else None
    for _ in range(MAX_STEPS):
        if above is None or above is span:
            return None
        if above.kind != "other":
            return above
        above = by_id.get(above.parent) if above.parent is not None else None
    return None


def _top(span: Span) -> Span | None:
    """The outermost agent that a span stands under, or is; also notes the innermost one above it."""
    top = span if span.kind == "agent" else None
    above = span.owner
    for _ in range(MAX_STEPS):
        if above is None:
            break
        if above is span:
            # Spans that name each other as parents: this one is as good a beginning as any.
            span.owner = span.scope = None
            return span if span.kind == "agent" else None
        if above.kind == "agent":
            top = above
            if span.scope is None:
                span.scope = above
        above = above.owner
    return top


def _key(span: Span) -> str:
    """What distinguishes the trajectory of an outermost agent, or of a span without one, from others of its trace."""
    conversation = span.value("gen_ai.conversation.id")
    if isinstance(conversation, str) and conversation:
        return conversation
    return span.id if span.kind == "agent" else ""


PROPERTIES = ("metadata.", "traceloop.association.properties.", "ai.telemetry.metadata.")
NOTED = frozenset({"metadata", "tag.tags", "case.id", "case_name", *CASE_KEYS})
CONVERSATIONS = ("gen_ai.conversation.id", "session.id", "gcp.vertex.agent.session_id")


def case_and_meta(spans: list[Span], tops: list[Span], by_id: dict[str, Span]) -> tuple[str, Record]:
    """The id of the case and the metadata, from the first span and those above it; what is nearer to it counts."""
    line = _line_above((tops or spans)[0], by_id)
    meta: Record = {}
    case: Record = {}
    for span in line:
        if _is_noted(span):
            meta.update(_metadata(span))
            case.update(_case(span))
    if not meta and not case:
        for span in filter(_is_noted, spans):
            meta = meta or _metadata(span)
            case = case or _case(span)
    return case_of(case, meta) if meta or case else "", meta


def _is_noted(span: Span) -> bool:
    """Whether there is anything of use on it, which is rare."""
    return span.numbered or not NOTED.isdisjoint(span.attributes)


def _line_above(span: Span, by_id: dict[str, Span]) -> list[Span]:
    """The span and all above it, from the top."""
    line = [span]
    above = by_id.get(span.parent) if span.parent is not None else None
    while above is not None and above not in line and len(line) < MAX_STEPS:
        line.append(above)
        above = by_id.get(above.parent) if above.parent is not None else None
    return line[::-1]


def _metadata(span: Span) -> Record:
    found: Record = {}
    whole = structured(span.value("metadata"))
    if isinstance(whole, dict):
        found.update(whole)
    for key in list(span.attributes):
        if key.startswith(PROPERTIES):
            prefix = next(prefix for prefix in PROPERTIES if key.startswith(prefix))
            found[key[len(prefix) :]] = span.value(key)
    tags = span.attributes.get("tag.tags")
    if tags:
        found["tags"] = items_of(structured(tags)) or tags
    return found


def _case(span: Span) -> Record:
    attributes = span.attributes
    found: Record = {key: attributes[key] for key in CASE_KEYS if key in attributes}
    other: JsonValue = attributes.get("case.id", attributes.get("case_name"))
    if other is not None:
        found.setdefault("case", other)
    return found


def conversation_of(spans: list[Span]) -> str:
    """The id of the conversation, which may well be that of the case; empty where none is recorded."""
    for span in spans:
        for key in CONVERSATIONS:
            found = text(span.value(key))
            if found is not None:
                return found
    return ""


def with_trace(meta: Record, spans: list[Span], begin: int | None, top: Span) -> Record:
    """The metadata with the ids of the trace, of its outermost span and of the conversation, and when it began."""
    started = None if begin is None else begin / 1e6
    return with_identity(meta, trace=top.trace, span=top.id, session=conversation_of(spans), started=started)
