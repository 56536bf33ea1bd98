"""Comparing a score with what the oracle says of the same trajectory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.oracle import IssueKey, Judgement, Pairs, argument_score, best_alignments, judge, plans_of
from tests.strategies import Situation
from toolgauge.core import Issue, Score, ToolCounts

MEASURES = ("score", "call_precision", "call_recall", "param_accuracy", "content")

KINDS_OF_THE_CALL = {
    "unexpected_call",
    "duplicate_call",
    "forbidden_tool",
    "unknown_tool",
    "wrong_order",
    "missing_arg",
    "wrong_arg",
    "forbidden_arg",
    "invalid_arg",
    "tool_error",
}
"""Issues that are about one call; the others are compared without the call they may name."""

KINDS_OF_A_TOOL = {*KINDS_OF_THE_CALL, "missing_call", "unrecovered_error"}
KINDS_OF_AN_ARGUMENT = {"missing_arg", "wrong_arg", "forbidden_arg", "invalid_arg"}


def agree(situation: Situation, got: Score) -> Judgement | None:
    """Assert that a score is one that the definitions allow, and return the oracle's judgement.

    Where alignments are equally good any of them may be chosen; everything else has to follow from the choice.
    """
    case, trajectory = situation.case, situation.trajectory
    assert (got.case, got.agent, got.trial, got.state) == (
        case.id,
        trajectory.agent,
        trajectory.trial,
        trajectory.state,
    )
    if trajectory.state == "not_run":
        assert not got.passed
        assert [getattr(got, name) for name in MEASURES] == [None] * len(MEASURES)
        assert got.issues == ()
        return None
    plans = plans_of(case)
    pairs: Pairs = tuple(sorted(((pair.expected, pair.call) for pair in got.alignment), key=lambda pair: pair[1]))
    if plans:
        wanted = plans[got.plan].wanted
        _, best = best_alignments(wanted, trajectory.calls)
        assert pairs in best, "the alignment is not among the best ones"
        for pair in got.alignment:
            calls = trajectory.calls
            fit = argument_score(wanted[pair.expected], calls[pair.call], calls[: pair.call])
            assert pair.params == pytest.approx(float(fit), abs=1e-12)
        best_plan_counts(situation, got)
    want = judge(
        case,
        trajectory,
        plans[got.plan] if plans else None,
        pairs,
        settings=situation.settings,
        tools=situation.tools,
    )
    for name in MEASURES:
        assert getattr(got, name) == pytest.approx(float(getattr(want, name)), abs=1e-9), name
    assert issue_keys(got.issues) == without_repeats_of_order(want.issues)
    assert set(issue_keys([issue for issue in got.issues if issue.failing])) == set(want.failing)
    assert got.passed == want.passed
    assert got.says_tools == want.says_tools
    counts_agree(situation, got.counts, want)
    return want


def best_plan_counts(situation: Situation, got: Score) -> None:
    """Assert that no other plan scores higher, and that a tie went to a passing plan, then to the first."""
    plans = plans_of(situation.case)
    if len(plans) == 1:
        assert got.plan == 0
        return
    scores: list[Fraction] = []
    may_fail: list[bool] = []
    for plan in plans:
        _, best = best_alignments(plan.wanted, situation.trajectory.calls)
        verdicts = [
            judge(
                situation.case,
                situation.trajectory,
                plan,
                pairs,
                settings=situation.settings,
                tools=situation.tools,
            )
            for pairs in best
        ]
        assert len({verdict.score for verdict in verdicts}) == 1, "equally good alignments have one score"
        scores.append(verdicts[0].score)
        may_fail.append(not all(verdict.passed for verdict in verdicts))
    highest = [index for index, score in enumerate(scores) if score == max(scores)]
    assert got.plan in highest
    rivals = [index for index in highest if index != got.plan]
    if got.passed:
        assert all(may_fail[index] for index in rivals if index < got.plan), "an earlier plan passes too"
    else:
        assert got.plan == highest[0], "an earlier plan is as good"
        assert all(may_fail[index] for index in rivals), "another plan with this score passes"


def counts_agree(situation: Situation, got: ToolCounts, want: Judgement) -> None:
    """Assert that what is counted for the pooled metrics is right."""
    made = situation.trajectory.calls
    assert got.calls == len(made)
    assert got.failed_calls == sum(call.error is not None for call in made)
    assert got.redundant_calls == want.redundant_calls
    assert got.unknown_tools == want.unknown_tools
    if want.says_tools:
        assert got.true_positive == len(want.tools_expected & want.tools_called)
        assert got.false_positive == len(want.tools_called - want.tools_expected)
        assert got.false_negative == len(want.tools_expected - want.tools_called)


def issue_keys(issues: Sequence[Issue]) -> Counter[IssueKey]:
    """Issues with what they are about, as far as the definitions say what that is."""
    keys: Counter[IssueKey] = Counter()
    for issue in issues:
        keys[
            issue.kind,
            issue.tool if issue.kind in KINDS_OF_A_TOOL else None,
            issue.argument if issue.kind in KINDS_OF_AN_ARGUMENT else None,
            issue.call if issue.kind in KINDS_OF_THE_CALL else None,
        ] += 1
    return without_repeats_of_order(keys)


def without_repeats_of_order(keys: Counter[IssueKey]) -> Counter[IssueKey]:
    """A call that is out of order in two ways may be named once or twice."""
    return Counter({key: 1 if key[0] == "wrong_order" else count for key, count in keys.items()})
