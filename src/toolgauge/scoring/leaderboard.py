"""The verdict of the Berkeley Function-Calling Leaderboard: `settings: {profile: bfcl}` makes it the rule of passing.

Its checker goes through the right calls in their order, takes for each the first output that fits and is still free,
and never goes back; there have to be as many outputs as right calls. Where no call is right, there must be none, and
where any is, one. What a score says besides is as for any other suite.
"""

from __future__ import annotations

from msgspec.structs import replace

from toolgauge.core import Call, Issue, Score, Trajectory

from .issues import missing_call
from .plans import ReadyCase, ReadyPlan, argument_faults

__all__ = ["judge_as_leaderboard"]


def judge_as_leaderboard(score: Score, case: ReadyCase, trajectory: Trajectory) -> Score:
    """A score with the leaderboard's verdict in place of ours.

    A passed case has no failing issue. One that fails has at least one issue that says why: where only the order of
    the calls is to blame, the right call for which none was left is missing.
    """
    if score.score is None:
        return score
    unanswered = _unanswered(case, trajectory.calls)
    passed = unanswered is None and trajectory.state == "completed"
    issues = score.issues
    if passed:
        issues = tuple([replace(issue, failing=False) if issue.failing else issue for issue in issues])
    elif isinstance(unanswered, Issue) and not issues:
        issues = (unanswered,)
    return replace(score, passed=passed, issues=issues)


def _unanswered(case: ReadyCase, calls: tuple[Call, ...]) -> Issue | bool | None:
    """None where the calls are right; otherwise the right call that none is left for, or True: there are too many."""
    if case.extra == "allow":
        # Of relevance it is only asked whether something is called at all.
        return None if calls else _greedy(case.plans[0], ())
    if not case.case.expect.any_of and not case.case.expect.calls:
        return bool(calls) or None
    found = [_greedy(plan, calls) for plan in case.plans]
    return None if None in found else found[0]


def _greedy(plan: ReadyPlan, calls: tuple[Call, ...]) -> Issue | bool | None:
    free = list(range(len(calls)))
    for slot in plan.slots:
        taken = next((i for i in free if calls[i].tool == slot.tool and not argument_faults(slot, calls, i)), None)
        if taken is None:
            return replace(missing_call(slot.tool, slot.expected, slot.shown), failing=True)
        free.remove(taken)
    return True if free else None
