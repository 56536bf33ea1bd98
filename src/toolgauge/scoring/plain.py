"""The short way for the plain case, which most cases are; it gives what the long way of `score` gives.

A case is plain that has one plan, in any order, without keywords and budgets, and without tools that are optional,
neutral or forbidden; a trajectory is that completed without a failed call.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.core import Call, Issue, Pair, Score, Settings, ToolCounts, Trajectory, Weights

from .alignment import align
from .facts import find_repeats, group_by_tool
from .issues import argument_issues, extra_call_issues, missing_calls
from .plans import ReadyPlan, fit
from .toolset import Toolset

__all__ = ["SLACK", "score_plainly", "weighted"]

SLACK = 1e-9
"""A score this close below the threshold has reached it: sums of decimal weights are not exact."""


def weighted(weights: Weights, content: float, precision: float, recall: float, params: float) -> float:
    """The score of a trajectory, from its parts."""
    # In this order the usual weights sum to exactly 1.
    return (
        weights.content * content
        + weights.call_precision * precision
        + weights.call_recall * recall
        + weights.param_accuracy * params
    )


def score_plainly(plan: ReadyPlan, trajectory: Trajectory, settings: Settings, tools: Toolset) -> Score | None:
    """Score a completed trajectory of a plain case; None where the trajectory is not plain."""
    calls = trajectory.calls
    made = len(calls)
    where = {call.tool: index for index, call in enumerate(calls)}
    if [call.error for call in calls].count(None) < made:
        return None
    if tools and not all(tools.accepts(call) for call in calls):
        return None
    alignment: list[Pair] = []
    issues: list[Issue] = []
    if plan.single and len(where) == made:
        repeats = 0
        fits = _pair_by_name(plan, calls, where, alignment, issues)
    else:
        fits, repeats = _pair(plan, calls, alignment, issues)
    answered, required = len(alignment), len(plan.slots)
    nothing = 0 if tools else None
    right = answered if plan.single else len(plan.required_tools & where.keys())
    precision = answered / made if made else 1.0
    recall = answered / required
    params = fits / required
    total = weighted(settings.weights, 1.0, precision, recall, params)
    return Score(
        trajectory.case,
        trajectory.agent,
        trajectory.trial,
        "completed",
        answered == required and total >= settings.threshold - SLACK,
        total,
        precision,
        recall,
        params,
        1.0,
        None,
        0,
        True,
        ToolCounts(right, len(where) - right, len(plan.required_tools) - right, made, 0, repeats, nothing, nothing),
        tuple(alignment),
        tuple(issues),
    )


def _pair_by_name(
    plan: ReadyPlan, calls: Sequence[Call], where: dict[str, int], alignment: list[Pair], issues: list[Issue]
) -> float:
    """Pairs where no tool is expected or called twice; returns the sum of the argument scores."""
    fits = 0.0
    missing: list[Issue] = []
    for index, slot in enumerate(plan.slots):
        call = where.get(slot.tool)
        if call is None:
            missing.append(Issue("missing_call", slot.tool, None, None, index, slot.shown, None, True))
        elif calls[call].args == slot.literals and not slot.alike:
            fits += 1.0
            alignment.append(Pair(index, call, 1.0))
        else:
            params = fit(slot, calls, call)
            fits += params
            alignment.append(Pair(index, call, params))
            if params < 1:
                issues += argument_issues(plan, slot, calls, call)
    if missing:
        issues += missing
    if len(alignment) < len(calls):
        expected = plan.by_tool
        issues += [Issue("unexpected_call", tool, None, call) for tool, call in where.items() if tool not in expected]
    return fits


def _pair(plan: ReadyPlan, calls: Sequence[Call], alignment: list[Pair], issues: list[Issue]) -> tuple[float, int]:
    """Pairs by alignment; returns the sum of the argument scores, and how many calls repeat one."""
    by_tool = group_by_tool(calls)
    repeats = find_repeats(calls, by_tool)
    fits = 0.0
    pairs = align(plan, calls, by_tool)
    for index, call, params in pairs:
        slot = plan.slots[index]
        fits += params
        alignment.append(Pair(slot.expected, call, params))
        if params < 1:
            issues += argument_issues(plan, slot, calls, call)
    if len(pairs) < len(plan.slots):
        issues += missing_calls(plan, {slot for slot, _, _ in pairs})
    if len(pairs) < len(calls):
        answered = {call for _, call, _ in pairs}
        extra = [index for index in range(len(calls)) if index not in answered]
        issues += extra_call_issues(calls, extra, repeats, forbidden=False)
    return fits, len(repeats)
