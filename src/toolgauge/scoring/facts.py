"""What is true of a trajectory whatever the plan: who was called, what failed, what was repeated, what was said."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from toolgauge.core import Call, Trajectory, identity, same

from .plans import ReadyCase, fold

__all__ = ["Facts", "look"]


class Facts(Struct, frozen=True, gc=False):
    """What does not depend on the plan."""

    calls: Sequence[Call]
    by_tool: dict[str, list[int]]
    """The indices of the calls of each tool."""
    failed: int
    """How many calls failed."""
    content: float
    """Share of the keywords that the answer holds."""
    missing: Sequence[str]
    """Keywords that it does not hold."""
    repeats: dict[int, int]
    """Calls that repeat an identical successful one, and which."""

    def worked(self) -> set[str]:
        """The tools with a call that did not fail."""
        return {call.tool for call in self.calls if call.error is None}


def look(prepared: ReadyCase, trajectory: Trajectory) -> Facts:
    """Look over a trajectory once."""
    calls = trajectory.calls
    failed = len(calls) - [call.error for call in calls].count(None)
    missing: Sequence[str] = ()
    content = 1.0
    if prepared.keywords:
        missing = _missing(prepared, trajectory.output or "")
        content = 1 - len(missing) / len(prepared.keywords)
    by_tool = group_by_tool(calls)
    return Facts(calls, by_tool, failed, content, missing, find_repeats(calls, by_tool))


def group_by_tool(calls: Sequence[Call]) -> dict[str, list[int]]:
    """The indices of the calls of each tool."""
    found: dict[str, list[int]] = {}
    for index, call in enumerate(calls):
        tool = call.tool
        if tool in found:
            found[tool].append(index)
        else:
            found[tool] = [index]
    return found


def find_repeats(calls: Sequence[Call], by_tool: dict[str, list[int]]) -> dict[int, int]:
    """The calls that repeat an identical successful one, and which."""
    repeats: dict[int, int] = {}
    if len(by_tool) == len(calls):
        return repeats
    for indices in by_tool.values():
        if len(indices) == 2:
            first, second = indices
            if _repeated(calls[first], calls[second]):
                repeats[second] = first
        elif len(indices) > 2:
            _find_among(calls, indices, repeats)
    return repeats


def _repeated(first: Call, second: Call) -> bool:
    if first.error is not None or first.args is None or second.args is None:
        return False
    return len(first.args) == len(second.args) and same(first.args, second.args)


def _find_among(calls: Sequence[Call], indices: Sequence[int], repeats: dict[int, int]) -> None:
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


def _missing(prepared: ReadyCase, output: str) -> list[str]:
    folded = fold(output)
    pairs = zip(prepared.case.expect.contains, prepared.keywords, strict=True)
    return [text for text, keyword in pairs if keyword not in folded]
