"""The definition of scoring: from a case and a trajectory to a score with its evidence.

It is written to be read. `fast.py` scores plain trajectories in less time; what it gives is what this gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

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
    Weights,
)

from .alignment import Aligned, align
from .failing import Failing, changing_tools, mark_failing
from .fast import FastScorer
from .issues import (
    DefinedTools,
    argument_issues,
    call_issues,
    count_by_definitions,
    extra_call_issues,
    missing_calls,
    order_issues,
    trajectory_issues,
    unrecovered_errors,
)
from .leaderboard import judge_as_leaderboard
from .observations import Observations, observe
from .plans import ReadyCase, ReadyPlan, make_ready

__all__ = ["Scorer", "passes", "score", "weighted_sum"]


def score(
    case: Case,
    trajectory: Trajectory,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    tools: Sequence[ToolDefinition] = (),
) -> Score:
    """Score one trajectory of a case."""
    return _judged(make_ready(case, settings, changing_tools(tools)), trajectory, settings, DefinedTools(tools))


class Scorer:
    """Scores the trajectories of a suite; each case is made ready once."""

    def __init__(self, suite: Suite, *, grounding: bool = False) -> None:
        """Make ready to score.

        Args:
            suite: The suite.
            grounding: Also look for arguments that came from nowhere.
        """
        self._cases = {case.id: case for case in suite.cases}
        self._ready: dict[str, ReadyCase] = {}
        self._settings = suite.settings
        self._tools = DefinedTools(suite.tools)
        self._changing = changing_tools(suite.tools)
        self._fast = FastScorer(suite, self._tools, self._score_by_definition)
        self._grounding = None
        if grounding:
            from .grounding import Grounding  # with all that reads numbers and dates

            self._grounding = Grounding(suite.tools)

    def score_all(self, trajectories: list[Trajectory]) -> list[Score]:
        """Score trajectories whose `case` is one of the suite's."""
        scores = self._fast.score_all(trajectories)
        if self._grounding is None:
            return scores
        return [self._grounded(*both) for both in zip(scores, trajectories, strict=True)]

    def score(self, trajectory: Trajectory) -> Score:
        """Score a trajectory whose `case` is one of the suite's."""
        return self.score_all([trajectory])[0]

    def _score_by_definition(self, trajectory: Trajectory) -> Score:
        case = self._ready.get(trajectory.case)
        if case is None:
            case = make_ready(self._cases[trajectory.case], self._settings, self._changing)
            self._ready[trajectory.case] = case
        return _judged(case, trajectory, self._settings, self._tools)

    def _grounded(self, score: Score, trajectory: Trajectory) -> Score:
        """The score with what came from nowhere: a hint, which changes no verdict."""
        if self._grounding is None or score.score is None:
            return score
        issues = tuple(self._grounding.issues(self._cases[trajectory.case], trajectory.calls))
        counts = replace(score.counts, ungrounded=len({issue.call for issue in issues}))
        return replace(score, counts=counts, issues=(*score.issues, *issues))


def _judged(case: ReadyCase, trajectory: Trajectory, settings: Settings, tools: DefinedTools) -> Score:
    """The score of a trajectory, passed by our rule or by that of the leaderboard whose questions these are."""
    found = _score(case, trajectory, tools)
    return found if settings.profile is None else judge_as_leaderboard(found, case, trajectory)


class _Verdict(Struct, frozen=True, gc=False):
    """How a trajectory did by one plan."""

    score: float
    call_precision: float
    call_recall: float
    param_accuracy: float
    failing: Failing
    """The issues that fail the case, whatever the score."""
    right: int = 0
    """Tools expected and called with success."""
    superfluous: int = 0
    missed: int = 0
    alignment: tuple[Pair, ...] = ()
    issues: Sequence[Issue] = ()
    unrecovered: Sequence[Issue] = ()
    """Failures that no later call made good."""
    lacks_content: bool = False
    """Whether there are no calls to judge, so that keywords alone decide, and some are missing."""


def _score(case: ReadyCase, trajectory: Trajectory, tools: DefinedTools) -> Score:
    if trajectory.state == "not_run":
        answer = None if case.answer is None else Answer(reason="not run")
        return Score(case.case.id, trajectory.agent, trajectory.trial, "not_run", answer=answer)
    answer = None if case.answer is None else case.answer(trajectory)
    seen = observe(case, trajectory)
    by_definitions = list(tools.issues(seen.calls))
    by_themselves = list(call_issues(case, seen))
    rest = [*by_definitions, *trajectory_issues(case.case, trajectory, seen.missing, answer)]
    verdicts = [_follow(plan, case, seen) for plan in case.plans] or [_nothing_to_judge(case, seen)]
    listed = [[*verdict.issues, *by_themselves, *verdict.unrecovered, *rest] for verdict in verdicts]
    passed = [
        trajectory.state == "completed" and passes(verdict, issues, case.settings)
        for verdict, issues in zip(verdicts, listed, strict=True)
    ]
    plan = 0 if len(verdicts) == 1 else _best_plan(verdicts, passed)
    best = verdicts[plan]
    unknown, broken = count_by_definitions(by_definitions) if tools else (None, None)
    return Score(
        case=case.case.id,
        agent=trajectory.agent,
        trial=trajectory.trial,
        state=trajectory.state,
        passed=passed[plan],
        score=best.score,
        call_precision=best.call_precision,
        call_recall=best.call_recall,
        param_accuracy=best.param_accuracy,
        content=seen.content,
        answer=answer,
        plan=plan,
        says_tools=bool(case.plans),
        counts=ToolCounts(
            true_positive=best.right,
            false_positive=best.superfluous,
            false_negative=best.missed,
            calls=len(seen.calls),
            failed_calls=seen.failed,
            redundant_calls=len(seen.repeats),
            unknown_tools=unknown,
            schema_errors=broken,
        ),
        alignment=best.alignment,
        issues=mark_failing(listed[plan], best.failing),
    )


def passes(verdict: _Verdict, issues: Sequence[Issue], settings: Settings) -> bool:
    """The pass rule, of a trajectory that completed: the score is high enough, and nothing fails it whatever its score.

    Args:
        verdict: How the trajectory did by a plan.
        issues: All that is wrong with it by that plan.
        settings: The settings of the case.
    """
    if verdict.lacks_content or verdict.score < settings.passing_score:
        return False
    return not any(map(verdict.failing.fails, issues))


def weighted_sum(weights: Weights, *, content: float, precision: float, recall: float, params: float) -> float:
    """The score of a trajectory, from its parts."""
    # In this order the usual weights sum to exactly 1.
    return (
        weights.content * content
        + weights.call_precision * precision
        + weights.call_recall * recall
        + weights.param_accuracy * params
    )


def _best_plan(verdicts: Sequence[_Verdict], passed: Sequence[bool]) -> int:
    """The plan that counts: the one with the best score; of equal ones one that passes, then the first."""
    merits = [(round(verdict.score, 9), passing) for verdict, passing in zip(verdicts, passed, strict=True)]
    return merits.index(max(merits))


def _nothing_to_judge(case: ReadyCase, seen: Observations) -> _Verdict:
    """Without any call to judge, the keywords alone decide."""
    lacks_content = bool(seen.missing)
    return _Verdict(
        score=0.5 if lacks_content else 1.0,
        call_precision=1.0,
        call_recall=1.0,
        param_accuracy=1.0,
        failing=case.failing,
        unrecovered=unrecovered_errors(None, (), seen),
        lacks_content=lacks_content,
    )


def _follow(plan: ReadyPlan, case: ReadyCase, seen: Observations) -> _Verdict:
    """How a trajectory did by a plan."""
    calls = seen.calls
    plan = plan.for_calls(seen.by_tool)
    pairs = align(plan, calls, seen.by_tool)
    extra = _extra_calls(case, seen, pairs)
    right, superfluous, missed = _tool_sets(plan, case, seen, pairs)
    if not plan.slots:
        if not extra:
            return _nothing_to_judge(case, seen)
        issues = [Issue("unexpected_call", calls[index].tool, call=index) for index in extra]
        return _Verdict(
            score=0.0,
            call_precision=0.0,
            call_recall=0.0,
            param_accuracy=0.0,
            failing=case.failing.without_extra_calls(),
            right=right,
            superfluous=superfluous,
            missed=missed,
            issues=issues,
            unrecovered=unrecovered_errors(plan, pairs, seen),
        )

    filled, fits = 0, 0.0
    issues = []
    for index, call, params in pairs:
        slot = plan.slots[index]
        filled += slot.required
        fits += params
        if params < 1:
            issues += argument_issues(plan, slot, calls, call)
    if filled < plan.required:
        issues += missing_calls(plan, {index for index, _, _ in pairs})
    if extra:
        issues += extra_call_issues(calls, extra, seen.repeats)
    if plan.ordered:
        issues += order_issues(plan, pairs)
    judged = len(pairs) + plan.required - filled
    precision = len(pairs) / (len(pairs) + len(extra)) if pairs or extra else 1.0
    recall = filled / plan.required if plan.required else 1.0
    params = fits / judged if judged else 1.0
    return _Verdict(
        score=weighted_sum(
            case.settings.weights, content=seen.content, precision=precision, recall=recall, params=params
        ),
        call_precision=precision,
        call_recall=recall,
        param_accuracy=params,
        failing=case.failing,
        right=right,
        superfluous=superfluous,
        missed=missed,
        alignment=tuple([Pair(plan.slots[index].expected, call, fit) for index, call, fit in pairs]),
        issues=issues,
        unrecovered=unrecovered_errors(plan, pairs, seen),
    )


def _extra_calls(case: ReadyCase, seen: Observations, pairs: Sequence[Aligned]) -> list[int]:
    """Calls that answer nothing and are not neutral; those that failed count unless they are to be ignored."""
    if case.extra == "allow" or len(pairs) == len(seen.calls):
        return []
    answering = {call for _, call, _ in pairs}
    free = case.settings.failed == "ignore"
    return [
        index
        for index, call in enumerate(seen.calls)
        if index not in answering and call.tool not in case.neutral and not (free and call.error is not None)
    ]


def _tool_sets(plan: ReadyPlan, case: ReadyCase, seen: Observations, pairs: Sequence[Aligned]) -> tuple[int, int, int]:
    """How many tools are right, superfluous and missed. Accepted optional tools and neutral ones are neither."""
    right = plan.required_tools & seen.worked
    superfluous = seen.worked - right - case.neutral if case.extra != "allow" else set()
    if superfluous:
        superfluous -= {plan.slots[slot].tool for slot, _, _ in pairs}
    return len(right), len(superfluous), len(plan.required_tools) - len(right)
