"""How an agent went about its work, from the events it told of: what it planned, its rounds, what it handed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolgauge.core import JsonValue

__all__ = ["COURSE", "course"]

COURSE = ("planned_calls", "rounds", "handoffs")
"""Amounts that only agents have that plan, try again, or hand over."""


def course(events: Sequence[Mapping[str, JsonValue]]) -> Iterator[tuple[str, int]]:
    """The amounts that events tell of. Whoever only plans has no rounds, not 0 of them."""
    plans = [event for event in events if event.get("kind") == "plan" and isinstance(event.get("steps"), list)]
    usable = [event for event in plans if event.get("usable") is not False]
    if plans:
        # Only the plan that was carried out is compared with what was; where none could be, nothing was planned.
        steps = usable[-1]["steps"] if usable else []
        yield "planned_calls", len(steps) if isinstance(steps, list) else 0
    kinds = [event.get("kind") for event in events]
    if "round" in kinds:
        yield "rounds", kinds.count("round")
    if "route" in kinds or "handoff" in kinds:
        yield "handoffs", kinds.count("handoff")
