"""Which cases stand behind a figure that no filter tells: a cell of a grid of tools, or a pattern of faults.

A set is named by parts between slashes, each quoted as in an address: `tool/AGENT/TOOL/missed`,
`confused/AGENT/EXPECTED/CALLED`, `pattern/NUMBER`; where the agent is left empty, it is that of all agents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlencode

from toolgauge.analysis.diagnose.patterns import PatternKey, signs
from toolgauge.core import Case, Pattern, Scored
from toolgauge.metrics.totals import ToolTotals

__all__ = ["CaseSets", "filters", "set_name"]


def filters(*pairs: tuple[str, str]) -> str:
    """Filters of the list of cases as they stand in an address."""
    return urlencode(pairs, errors="replace")


def set_name(*parts: str) -> str:
    """The name of a set."""
    return "/".join(quote(part, safe="", errors="replace") for part in parts)


class CaseSets:
    """By the name of a set the numbers of its cases, gathered trajectory by trajectory."""

    def __init__(self, patterns: Sequence[Pattern] = ()) -> None:
        self._found: dict[str, dict[int, None]] = {}
        self._patterns = {
            PatternKey(one.kind, one.tool, one.argument, one.other, one.state): set_name("pattern", str(number))
            for number, one in enumerate(patterns)
        }

    def add(self, number: int, case: Case, item: Scored) -> None:
        """Add a trajectory of the case that has this number."""
        if not item.score.measured:
            return
        agent = item.score.agent
        for kind, parts in _tools(item):
            for whose in (agent, ""):
                self._found.setdefault(set_name(kind, whose, *parts), {})[number] = None
        if self._patterns and item.score.issues:
            for sign in signs(case, item):
                if (name := self._patterns.get(sign.key)) is not None:
                    self._found.setdefault(name, {})[number] = None

    def found(self) -> dict[str, list[int]]:
        """All sets, with the numbers of cases in their order."""
        return {name: sorted(numbers) for name, numbers in sorted(self._found.items())}


def _tools(item: Scored) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a trajectory adds to which count of which tool, and what it called in place of what."""
    counted = ToolTotals()
    counted.add_calls(item.trajectory, item.score)
    counted.add_faults([item.score.issues])
    right = counted.right - counted.wrong_args
    by_count = {
        "called": counted.called,
        "right": right,
        "wrong_args": counted.wrong_args,
        "missed": counted.missed,
        "superfluous": counted.superfluous,
        "expected": counted.right + counted.missed,
    }
    for what, tools in by_count.items():
        for tool in tools:
            yield "tool", (tool, what)
    for tool in {call.tool for call in item.trajectory.calls if call.error is not None}:
        yield "tool", (tool, "failed")
    for expected, called in counted.confused:
        yield "confused", (expected, called)
