"""What is true of a trajectory whatever the plan: who was called, what failed, what was repeated, what was said."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from toolgauge.core import Call, Trajectory, identity

from .plans import ReadyCase, fold

__all__ = ["Facts", "look"]


class Facts(Struct, frozen=True, gc=False):
    """What does not depend on the plan."""

    calls: Sequence[Call]
    where: dict[str, int]
    """The last call of each tool."""
    failed: int
    """How many calls failed."""
    content: float
    """Share of the keywords that the answer holds."""
    missing: Sequence[str]
    """Keywords that it does not hold."""
    repeats: dict[int, int]
    """Calls that repeat an identical successful one, and which."""

    @property
    def plain(self) -> bool:
        """Whether every tool was called once, with success."""
        return len(self.where) == len(self.calls) and not self.failed

    def by_tool(self) -> dict[str, list[int]]:
        """The indices of the calls of each tool."""
        return _by_tool(self.calls)

    def worked(self) -> set[str]:
        """The tools with a call that did not fail."""
        return {call.tool for call in self.calls if call.error is None}


def look(prepared: ReadyCase, trajectory: Trajectory) -> Facts:
    """Look over a trajectory once."""
    calls = trajectory.calls
    where = {call.tool: index for index, call in enumerate(calls)}
    failed = len(calls) - [call.error for call in calls].count(None)
    missing: Sequence[str] = ()
    content = 1.0
    if prepared.keywords:
        missing = _missing(prepared, trajectory.output or "")
        content = 1 - len(missing) / len(prepared.keywords)
    return Facts(calls, where, failed, content, missing, {} if len(where) == len(calls) else _repeats(calls))


def _by_tool(calls: Sequence[Call]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, call in enumerate(calls):
        if call.tool in found:
            found[call.tool].append(index)
        else:
            found[call.tool] = [index]
    return found


def _repeats(calls: Sequence[Call]) -> dict[int, int]:
    repeats: dict[int, int] = {}
    for indices in _by_tool(calls).values():
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
