"""What a summary says of each tool, recounted from the scores call by call."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.builders import call, case, expected, failed, trajectory
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
    answered: Counter[str] = Counter()
    right: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    superfluous: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for scored in made.scored:
        made_calls, got = scored.trajectory.calls, scored.score
        if got.state in ("not_run", "cancelled"):
            continue
        plans = plans_of(cases[got.case])
        slots = slots_of(plans[got.plan].wanted, made_calls) if plans else []
        wanted.update(slot.wanted.tool for slot in slots if slot.required)
        called.update(call.tool for call in made_calls)
        broken.update(call.tool for call in made_calls if call.error is not None)
        answered.update(made_calls[pair.call].tool for pair in got.alignment)
        right.update(made_calls[pair.call].tool for pair in got.alignment if pair.params == 1)
        missed.update(issue.tool for issue in got.issues if issue.kind == "missing_call" and issue.tool)
        superfluous.update(
            issue.tool for issue in got.issues if issue.kind in ("unexpected_call", "duplicate_call") and issue.tool
        )
    # Required calls, and the optional ones that were made: answered beyond the required ones that were not missed.
    optional = {tool: answered[tool] - (wanted[tool] - missed[tool]) for tool in answered}
    wanted.update(optional)
    return {
        ToolRow(
            agent="agent",
            tool=tool,
            expected=wanted[tool],
            called=called[tool],
            right=right[tool],
            wrong_args=answered[tool] - right[tool],
            missed=missed[tool],
            superfluous=superfluous[tool],
            failed=broken[tool],
        )
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


def test_a_call_is_right_with_the_right_arguments_only() -> None:
    paid = case([expected("pay", {"to": "An", "amount": 5}), expected("pay", {"to": "Bình"})], id="c1")
    made = trajectory([call("pay", {"to": "Ân", "amount": 5000}), call("pay", {"to": "Bình"})], case="c1")
    (row,) = summarise(Suite("s", (paid,)), [scored(paid, made)]).tools
    assert row == ToolRow("agent", "pay", expected=2, called=2, right=1, wrong_args=1)
