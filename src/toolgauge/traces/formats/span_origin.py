"""Which case a trace is of, and what its recorder noted with it."""

from __future__ import annotations

from toolgauge.core import JsonValue

from ..values import CASE_KEYS, Record, case_of, items_of, structured, text
from .span_tree import MOST_STEPS
from .spans import Span

__all__ = ["NOTED", "case_and_meta", "conversation_of"]

PROPERTIES = ("metadata.", "traceloop.association.properties.")
NOTED = frozenset({"metadata", "tag.tags", "case.id", "case_name", *CASE_KEYS})
CONVERSATIONS = ("gen_ai.conversation.id", "session.id")


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
    while above is not None and above not in line and len(line) < MOST_STEPS:
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
