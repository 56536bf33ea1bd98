"""Cases that were proposed by a program, and that no person has looked at yet."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Finding, JsonValue, Suite

__all__ = ["unreviewed"]

_MOST_NAMED = 5


def unreviewed(suite: Suite) -> Iterator[Finding]:
    """Cases whose expectations are what recorded agents did, right or wrong; one finding for all of them."""
    open_cases = [case.id for case in suite.cases if not case.reviewed]
    if open_cases:
        named: list[JsonValue] = list(open_cases[:_MOST_NAMED])
        values: dict[str, JsonValue] = {"count": len(open_cases), "total": len(suite.cases), "cases": named}
        yield Finding("unreviewed", "warning", open_cases[0], ("reviewed",), values)
