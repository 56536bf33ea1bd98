"""What is true of a trajectory whatever the plan: who was called, what failed, what was repeated, what was said."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import Struct

from toolgauge.core import Call, Trajectory, identity

from .plans import ReadyCase, fold

__all__ = ["Observations", "find_repeats", "observe"]


class Observations(Struct, frozen=True, gc=False):
    """What does not depend on the plan."""

    calls: Sequence[Call]
    by_tool: dict[str, list[int]]
    """The indices of the calls of each tool."""
    failed: int
    """How many calls failed."""
    worked: set[str]
    """The tools with a call that did not fail."""
    repeats: dict[int, int]
    """Calls that repeat an identical successful one, and which."""
    missing: Sequence[str]
    """Keywords that the answer does not hold."""
    content: float
    """Share of the keywords that it holds."""


def observe(case: ReadyCase, trajectory: Trajectory) -> Observations:
    """Look over a trajectory once."""
    calls = trajectory.calls
    by_tool: dict[str, list[int]] = {}
    worked: set[str] = set()
    failed = 0
    for index, call in enumerate(calls):
        by_tool.setdefault(call.tool, []).append(index)
        if call.error is None:
            worked.add(call.tool)
        else:
            failed += 1
    missing = _missing_keywords(case, trajectory.output or "")
    return Observations(
        calls=calls,
        by_tool=by_tool,
        failed=failed,
        worked=worked,
        repeats=find_repeats(calls, by_tool),
        missing=missing,
        content=1 - len(missing) / len(case.keywords) if case.keywords else 1.0,
    )


def find_repeats(calls: Sequence[Call], by_tool: dict[str, list[int]]) -> dict[int, int]:
    """The calls that repeat an identical successful one, and which."""
    repeats: dict[int, int] = {}
    for indices in by_tool.values():
        if len(indices) == 1:
            continue
        seen: dict[Hashable, int] = {}
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


def _missing_keywords(case: ReadyCase, output: str) -> list[str]:
    if not case.keywords:
        return []
    folded = fold(output)
    pairs = zip(case.case.expect.contains, case.keywords, strict=True)
    return [text for text, keyword in pairs if keyword not in folded]
