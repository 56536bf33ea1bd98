"""What a summary says of each tool, recounted from the scores call by call."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.builders import case, expected, failed, trajectory
from tests.oracle import plans_of, slots_of
from toolgauge.core import Case, Scored, Suite, ToolRow, Trajectory
from toolgauge.metrics import summarise
from toolgauge.scoring import score

from .test_oracle import Group, group


def recount(made: Group) -> set[ToolRow]:
    """The row of each tool that was expected or called."""
    cases = {case.id: case for case in made.suite.cases}
    wanted: Counter[str] = Counter()
    called: Counter[str] = Counter()
    right: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    superfluous: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for scored in made.scored:
        made_calls, got = scored.trajectory.calls, scored.score
        if got.state == "not_run":
            continue
        plans = plans_of(cases[got.case])
        slots = slots_of(plans[got.plan].wanted, made_calls) if plans else []
        wanted.update(slot.wanted.tool for slot in slots if slot.required)
        called.update(call.tool for call in made_calls)
        broken.update(call.tool for call in made_calls if call.error is not None)
        right.update(made_calls[pair.call].tool for pair in got.alignment)
        missed.update(issue.tool for issue in got.issues if issue.kind == "missing_call" and issue.tool)
        superfluous.update(
            issue.tool for issue in got.issues if issue.kind in ("unexpected_call", "duplicate_call") and issue.tool
        )
    # Required calls, and the optional ones that were made: those right beyond the required ones that were not missed.
    optional = {tool: right[tool] - (wanted[tool] - missed[tool]) for tool in right}
    wanted.update(optional)
    return {
        ToolRow("agent", tool, wanted[tool], called[tool], right[tool], missed[tool], superfluous[tool], broken[tool])
        for tool in wanted.keys() | called.keys()
    }


@pytest.mark.parametrize("part", range(5))
def test_calls_are_counted_per_tool(part: int) -> None:
    for seed in range(1000 + part * 20, 1020 + part * 20):
        made = group(seed)
        rows = summarise(made.suite, made.scored).tools
        assert len({row.tool for row in rows}) == len(rows)
        touched = {row for row in rows if row.expected or row.called}
        assert touched == recount(made), f"seed {seed}"


def scored(of: Case, made: Trajectory) -> Scored:
    """A trajectory with its score."""
    return Scored(made, score(of, made))


def test_the_rows_of_tools_by_hand() -> None:
    first = case(["a", "a", expected("b", optional=True)], id="c1", neutral=("n",))
    second = case(["b"], id="c2")
    summary = summarise(
        Suite("s", (first, second)),
        [
            scored(first, trajectory(["a", "n", "z"], case="c1")),
            scored(second, trajectory([failed("b"), "b"], case="c2")),
        ],
    )
    rows = {row.tool: row for row in summary.tools}
    assert rows["a"] == ToolRow("agent", "a", expected=2, called=1, right=1, missed=1)
    assert rows["b"] == ToolRow("agent", "b", expected=1, called=2, right=1, superfluous=1, failed=1)
    assert rows["n"] == ToolRow("agent", "n", called=1)
    assert rows["z"] == ToolRow("agent", "z", called=1, superfluous=1)
