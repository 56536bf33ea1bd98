"""What is true of a trajectory whatever the plan: who was called, what failed, what was repeated, what was said."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct

from toolgauge.core import Call, Trajectory, identity

from .plans import ReadyCase, fold

__all__ = ["Facts", "look"]


class Facts(Struct, frozen=True, gc=False):
    """What does not depend on the plan."""

    calls: Sequence[Call]
    by_tool: dict[str, list[int]]
    """Indices of the calls of each tool."""
    worked: Set[str]
    """Tools with a call that did not fail."""
    failed: int
    """How many calls failed."""
    repeats: dict[int, int]
    """Calls that repeat an identical successful one, and which."""
    content: float
    """Share of the keywords that the answer holds."""
    missing: Sequence[str]
    """Keywords that it does not hold."""


def look(prepared: ReadyCase, trajectory: Trajectory) -> Facts:
    """Look over a trajectory once."""
    calls = trajectory.calls
    by_tool: dict[str, list[int]] = {}
    failed = 0
    for index, call in enumerate(calls):
        if call.tool in by_tool:
            by_tool[call.tool].append(index)
        else:
            by_tool[call.tool] = [index]
        if call.error is not None:
            failed += 1
    worked = {call.tool for call in calls if call.error is None} if failed else by_tool.keys()
    repeats = _repeats(calls, by_tool) if len(by_tool) < len(calls) else {}
    if not prepared.keywords:
        return Facts(calls, by_tool, worked, failed, repeats, 1.0, ())
    missing = _missing(prepared, trajectory.output or "")
    return Facts(calls, by_tool, worked, failed, repeats, 1 - len(missing) / len(prepared.keywords), missing)


def _repeats(calls: Sequence[Call], by_tool: dict[str, list[int]]) -> dict[int, int]:
    repeats: dict[int, int] = {}
    for indices in by_tool.values():
        if len(indices) < 2:
            continue
        seen: dict[object, int] = {}
        for index in indices:
            call = calls[index]
            if call.args is None:
                continue
            key = identity(call.args)
            if key in seen:
                repeats[index] = seen[key]
            elif call.error is None:
                seen[key] = index
    return repeats


def _missing(prepared: ReadyCase, output: str) -> list[str]:
    folded = fold(output)
    pairs = zip(prepared.case.expect.contains, prepared.keywords, strict=True)
    return [text for text, keyword in pairs if keyword not in folded]
