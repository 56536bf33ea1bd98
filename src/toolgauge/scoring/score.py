"""The one function that scores: from a case and a trajectory to a score with its evidence."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct

from toolgauge.core import (
    Answer,
    Case,
    Issue,
    Pair,
    Score,
    Settings,
    Suite,
    ToolCounts,
    ToolDefinition,
    Trajectory,
)

from .alignment import align
from .facts import Facts, look
from .issues import (
    agent_issues,
    argument_issues,
    call_issues,
    extra_call_issues,
    missing_calls,
    order_issues,
)
from .plans import ReadyCase, ReadyPlan, ready

__all__ = ["Scorer", "score"]

SLACK = 1e-9
"""A score this close below the threshold has reached it: sums of decimal weights are not exact."""


def score(
    case: Case,
    trajectory: Trajectory,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    tools: Sequence[ToolDefinition] = (),
) -> Score:
    """Score one trajectory of a case."""
    return _score(ready(case), trajectory, settings, frozenset(tool.name for tool in tools))


class Scorer:
    """Scores the trajectories of a suite; each case is made ready once."""

    def __init__(self, suite: Suite) -> None:
        self._cases = {case.id: case for case in suite.cases}
        self._ready: dict[str, ReadyCase] = {}
        self._settings = suite.settings
        self._tools = frozenset(tool.name for tool in suite.tools)

    def score(self, trajectory: Trajectory) -> Score:
        """Score a trajectory whose `case` is one of the suite's."""
        prepared = self._ready.get(trajectory.case)
        if prepared is None:
            prepared = self._ready[trajectory.case] = ready(self._cases[trajectory.case])
        return _score(prepared, trajectory, self._settings, self._tools)


def _score(prepared: ReadyCase, trajectory: Trajectory, settings: Settings, tools: frozenset[str]) -> Score:
    case = prepared.case
    answer = None if case.expect.answer is None else Answer(reason="this version does not score typed answers")
    if trajectory.state == "not_run":
        return Score(case.id, trajectory.agent, trajectory.trial, "not_run", answer=answer)
    facts = look(prepared, trajectory)
    general = [*call_issues(prepared, facts, tools), *agent_issues(case, trajectory, facts.missing)]
    plan, best, passed = _best_plan(prepared, facts, settings, fails_anyway=any(issue.failing for issue in general))
    calls = facts.calls
    return Score(
        case.id,
        trajectory.agent,
        trajectory.trial,
        trajectory.state,
        passed,
        best.score,
        best.call_precision,
        best.call_recall,
        best.param_accuracy,
        facts.content,
        answer,
        plan,
        bool(prepared.plans),
        ToolCounts(
            *best.tools,
            len(calls),
            facts.failed,
            len(facts.repeats),
            sum(call.tool not in tools for call in calls) if tools else None,
        ),
        best.alignment,
        (*best.issues, *general) if general else best.issues,
    )


class _Verdict(Struct, frozen=True, gc=False):
    """How a trajectory did by one plan."""

    score: float
    call_precision: float
    call_recall: float
    param_accuracy: float
    tools: tuple[int, int, int] = (0, 0, 0)
    """Tools right, superfluous and missed."""
    alignment: tuple[Pair, ...] = ()
    issues: tuple[Issue, ...] = ()
    content_decides: bool = False
    """Without any call to judge, the keywords alone decide."""


def _best_plan(
    prepared: ReadyCase, facts: Facts, settings: Settings, *, fails_anyway: bool
) -> tuple[int, _Verdict, bool]:
    """The plan that counts, the verdict by it, and whether that passes."""

    def passes(verdict: _Verdict) -> bool:
        return (
            not fails_anyway
            and verdict.score >= settings.threshold - SLACK
            and not (verdict.content_decides and facts.missing)
            and not any(issue.failing for issue in verdict.issues)
        )

    if not prepared.plans:
        verdict = _nothing_said(facts)
        return 0, verdict, passes(verdict)
    if len(prepared.plans) == 1:
        verdict = _follow(prepared.plans[0], prepared, facts, settings)
        return 0, verdict, passes(verdict)
    verdicts = [_follow(plan, prepared, facts, settings) for plan in prepared.plans]

    def merit(index: int) -> tuple[float, bool, int]:
        return round(verdicts[index].score, 9), passes(verdicts[index]), -index

    best = max(range(len(verdicts)), key=merit)
    return best, verdicts[best], passes(verdicts[best])


def _nothing_said(facts: Facts) -> _Verdict:
    return _Verdict(0.5 if facts.missing else 1.0, 1.0, 1.0, 1.0, content_decides=True)


def _follow(plan: ReadyPlan, prepared: ReadyCase, facts: Facts, settings: Settings) -> _Verdict:
    calls = facts.calls
    plan = plan.for_calls(facts.by_tool)
    pairs = align(plan, calls, facts.by_tool)
    extra = _extra_calls(prepared, facts, {pair.call for pair in pairs})
    if not plan.slots:
        if not extra:
            return _nothing_said(facts)
        uncalled_for = tuple([Issue("unexpected_call", calls[i].tool, call=i, failing=True) for i in extra])
        return _Verdict(0.0, 0.0, 0.0, 0.0, _tool_sets(plan, prepared, facts), issues=uncalled_for)

    slots = plan.slots
    filled, fits = len(pairs), 0.0
    issues: list[Issue] = []
    for pair in pairs:
        fits += pair.params
        if pair.params < 1:
            issues.extend(argument_issues(plan, pair, calls))
    if plan.required < len(slots):
        filled = sum([slots[pair.slot].required for pair in pairs])
    if filled < plan.required:
        issues.extend(missing_calls(plan, pairs))
    if extra:
        issues.extend(extra_call_issues(calls, extra, facts.repeats, forbidden=prepared.extra == "forbid"))
    if plan.ordered:
        issues.extend(order_issues(plan, pairs))
    precision = len(pairs) / (len(pairs) + len(extra)) if pairs or extra else 1.0
    recall = filled / plan.required if plan.required else 1.0
    judged = len(pairs) + plan.required - filled
    params = fits / judged if judged else 1.0
    weights = settings.weights
    return _Verdict(
        # In this order the usual weights sum to exactly 1.
        weights.content * facts.content
        + weights.call_precision * precision
        + weights.call_recall * recall
        + weights.param_accuracy * params,
        precision,
        recall,
        params,
        _tool_sets(plan, prepared, facts, {slots[pair.slot].tool for pair in pairs}),
        tuple([Pair(slots[pair.slot].expected, pair.call, pair.params) for pair in pairs]),
        tuple(issues),
    )


def _extra_calls(prepared: ReadyCase, facts: Facts, answered: set[int]) -> list[int]:
    """Calls that answer nothing and are not neutral."""
    if prepared.extra == "allow" or len(answered) == len(facts.calls):
        return []
    neutral = prepared.neutral
    return [i for i, call in enumerate(facts.calls) if i not in answered and call.tool not in neutral]


def _tool_sets(
    plan: ReadyPlan, prepared: ReadyCase, facts: Facts, accepted: Set[str] = frozenset()
) -> tuple[int, int, int]:
    """How many tools are right, superfluous and missed. Accepted optional tools and neutral ones are neither."""
    expected, worked = plan.required_tools, facts.worked
    right = len(expected & worked)
    superfluous = 0
    if right < len(worked) and prepared.extra != "allow":
        superfluous = len(worked - expected - prepared.neutral - accepted)
    return right, superfluous, len(expected) - right
