"""What the events of an Inspect sample add to its messages: when calls were made, and those of other agents.

Messages hold what the agent itself did. When it hands over, the calls of the other agent become plain words in them,
and the calls of an agent that is used as a tool are not in them at all; the events have both.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from toolgauge.core import JsonValue

from ..values import Record, dicts, milliseconds, text

__all__ = ["MOST_LEVELS", "Events"]

MOST_LEVELS = 100
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
    def read(cls, events: JsonValue, told: set[str], began: float | None) -> Events:
        """Look through the events.

        Args:
            events: The list of them.
            told: Ids of the calls that the messages tell of.
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
                found._take(event, told, spans, groups)
        return found

    def _take(self, event: Record, told: set[str], spans: dict[str, Record], groups: dict[str, list[Record]]) -> None:
        key = text(event.get("id"))
        if key is not None:
            self._calls[key] = event
        if key in told or text(event.get("function")) in INTERNAL:
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
        if event.get("events") and level < MOST_LEVELS:
            found += _flat(event["events"], level + 1)
    return found


def _holder(event: Record, spans: dict[str, Record]) -> tuple[str, Record]:
    """Whose call it was: that of an agent after a hand-over, of an agent used as a tool, or of the agent itself."""
    span = spans.get(str(event.get("span_id")), {})
    for _ in range(MOST_LEVELS):
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
