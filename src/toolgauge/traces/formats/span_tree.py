"""Which span stands under which, what each is of, and which of them belong to one trajectory."""

from __future__ import annotations

from collections.abc import Iterable

from .span_conventions import kind_of
from .spans import Span

__all__ = ["arrange", "begin_of"]

MOST_STEPS = 1000
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
    for _ in range(MOST_STEPS):
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
    for _ in range(MOST_STEPS):
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
    """What tells the trajectory of an outermost agent, or of a span without one, from others of its trace."""
    conversation = span.value("gen_ai.conversation.id")
    if isinstance(conversation, str) and conversation:
        return conversation
    return span.id if span.kind == "agent" else ""
