"""The one function that scores: from a case and a trajectory to a score with its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolgauge.core import (
    Answer,
    Call,
    Case,
    Issue,
    Pair,
    Score,
    Settings,
    Suite,
    ToolCounts,
    ToolDefinition,
    Trajectory,
    identity,
)

from .alignment import align
from .issues import (
    agent_issues,
    argument_issues,
    call_issues,
    extra_call_issues,
    missing_calls,
    order_issues,
)
from .plans import ReadyCase, ReadyPlan, fold, ready

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

    def __call__(self, trajectory: Trajectory) -> Score:
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
    calls = trajectory.calls
    facts = _Facts(calls, _repeats(calls), *_content(prepared, trajectory))
    if prepared.plans:
        verdicts = [_follow(plan, prepared, facts, settings) for plan in prepared.plans]
    else:
        verdicts = [_nothing_said(facts)]
    general = [*call_issues(prepared, calls, tools), *agent_issues(case, trajectory, facts.missing)]
    fails_anyway = any(issue.failing for issue in general)

    def passes(verdict: _Verdict) -> bool:
        return (
            not fails_anyway
            and verdict.score >= settings.threshold - SLACK
            and not (verdict.content_decides and facts.missing)
            and not any(issue.failing for issue in verdict.issues)
        )

    plan = max(range(len(verdicts)), key=lambda index: (verdicts[index].score, passes(verdicts[index]), -index))
    best = verdicts[plan]
    failed = sum(call.error is not None for call in calls)
    return Score(
        case=case.id,
        agent=trajectory.agent,
        trial=trajectory.trial,
        state=trajectory.state,
        passed=passes(best),
        score=best.score,
        call_precision=best.call_precision,
        call_recall=best.call_recall,
        param_accuracy=best.param_accuracy,
        content=facts.content,
        answer=answer,
        plan=plan,
        says_tools=bool(prepared.plans),
        counts=ToolCounts(
            *best.tools,
            calls=len(calls),
            failed_calls=failed,
            redundant_calls=len(facts.repeats),
            unknown_tools=sum(call.tool not in tools for call in calls) if tools else None,
        ),
        alignment=best.alignment,
        issues=(*best.issues, *general),
    )


@dataclass(frozen=True, slots=True)
class _Facts:
    """What does not depend on the plan."""

    calls: Sequence[Call]
    repeats: Mapping[int, int]
    """Calls that repeat an identical successful one, and which."""
    content: float
    missing: Sequence[str]
    """Keywords that the answer does not hold."""


def _repeats(calls: Sequence[Call]) -> dict[int, int]:
    if len({call.tool for call in calls}) == len(calls):
        return {}
    repeats: dict[int, int] = {}
    seen: dict[object, int] = {}
    for index, call in enumerate(calls):
        if call.args is None:
            continue
        key = (call.tool, identity(call.args))
        if key in seen:
            repeats[index] = seen[key]
        elif call.error is None:
            seen[key] = index
    return repeats


def _content(prepared: ReadyCase, trajectory: Trajectory) -> tuple[float, list[str]]:
    if not prepared.keywords:
        return 1.0, []
    output = fold(trajectory.output or "")
    missing = [
        text
        for text, folded in zip(prepared.case.expect.contains, prepared.keywords, strict=True)
        if folded not in output
    ]
    return 1 - len(missing) / len(prepared.keywords), missing


@dataclass(frozen=True, slots=True)
class _Verdict:
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


def _nothing_said(facts: _Facts) -> _Verdict:
    return _Verdict(0.5 if facts.missing else 1.0, 1.0, 1.0, 1.0, content_decides=True)


def _follow(plan: ReadyPlan, prepared: ReadyCase, facts: _Facts, settings: Settings) -> _Verdict:
    calls = facts.calls
    plan = plan.for_calls(calls)
    pairs = align(plan, calls)
    answered = {pair.call for pair in pairs}
    extra = (
        []
        if prepared.extra == "allow"
        else [i for i, call in enumerate(calls) if i not in answered and call.tool not in prepared.neutral]
    )
    tools = _tool_sets(plan, prepared, calls, {plan.slots[pair.slot].tool for pair in pairs})
    if not plan.slots:
        if not extra:
            return _nothing_said(facts)
        uncalled_for = tuple(Issue("unexpected_call", tool=calls[i].tool, call=i, failing=True) for i in extra)
        return _Verdict(0.0, 0.0, 0.0, 0.0, tools=tools, issues=uncalled_for)

    filled = sum(plan.slots[pair.slot].required for pair in pairs)
    precision = len(pairs) / (len(pairs) + len(extra)) if pairs or extra else 1.0
    recall = filled / plan.required if plan.required else 1.0
    judged = len(pairs) + plan.required - filled
    params = sum(pair.params for pair in pairs) / judged if judged else 1.0
    weights = settings.weights
    issues: list[Issue] = []
    if filled < plan.required:
        issues.extend(missing_calls(plan, pairs))
    for pair in pairs:
        if pair.params < 1:
            issues.extend(argument_issues(plan, pair, calls[pair.call]))
    if extra:
        issues.extend(extra_call_issues(calls, extra, facts.repeats, forbidden=prepared.extra == "forbid"))
    if plan.ordered:
        issues.extend(order_issues(plan, pairs))
    return _Verdict(
        score=weights.call_precision * precision
        + weights.call_recall * recall
        + weights.param_accuracy * params
        + weights.content * facts.content,
        call_precision=precision,
        call_recall=recall,
        param_accuracy=params,
        tools=tools,
        alignment=tuple(Pair(plan.slots[pair.slot].expected, pair.call, pair.params) for pair in pairs),
        issues=tuple(issues),
    )


def _tool_sets(plan: ReadyPlan, prepared: ReadyCase, calls: Sequence[Call], accepted: set[str]) -> tuple[int, int, int]:
    """How many tools are right, superfluous and missed. Accepted optional tools and neutral ones are neither."""
    expected = plan.required_tools
    worked = {call.tool for call in calls if call.error is None}
    right = len(expected & worked)
    superfluous = set() if prepared.extra == "allow" else worked - expected - prepared.neutral - accepted
    return right, len(superfluous), len(expected) - right
