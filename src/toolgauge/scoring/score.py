"""The one function that scores: from a case and a trajectory to a score with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.compiled import AVAILABLE
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
    Weights,
)

from .alignment import Aligned, align
from .facts import Facts, look
from .issues import (
    agent_issues,
    argument_issues,
    call_issues,
    extra_call_issues,
    missing_calls,
    order_issues,
)
from .plain import SLACK, PlainScorer, weighted
from .plans import ReadyCase, ReadyPlan, ready
from .quick import QuickScorer
from .toolset import NO_TOOLS, Toolset

if TYPE_CHECKING:
    from .grounding import Grounding

__all__ = ["Scorer", "score"]

OUT_OF_REACH = 2.0
"""The least score where something fails the case whatever the score."""


def score(
    case: Case,
    trajectory: Trajectory,
    *,
    settings: Settings = Settings(),  # noqa: B008 - frozen
    tools: Sequence[ToolDefinition] = (),
) -> Score:
    """Score one trajectory of a case."""
    return _score(ready(case), trajectory, settings, Toolset(tools) if tools else NO_TOOLS)


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
        self._plain: dict[str, PlainScorer] = {}
        self._settings = suite.settings
        self._tools = Toolset(suite.tools)
        self._quick = QuickScorer(suite, self._tools) if AVAILABLE and not grounding else None
        self._grounding = None
        if grounding:
            from .grounding import Grounding  # with all that reads numbers and dates

            self._grounding = Grounding(suite.tools)

    def score_all(self, trajectories: list[Trajectory]) -> list[Score]:
        """Score trajectories whose `case` is one of the suite's."""
        if self._quick is not None:
            return self._quick.score_all(trajectories, self.score)
        return [self.score(trajectory) for trajectory in trajectories]

    def score(self, trajectory: Trajectory) -> Score:
        """Score a trajectory whose `case` is one of the suite's."""
        plain = self._plain.get(trajectory.case)
        if plain is None:
            plain = self._make_ready(trajectory.case)
        verdict = None
        if plain is not None and trajectory.state == "completed":
            verdict = plain.score(trajectory)
        if verdict is None:
            verdict = _score(self._ready[trajectory.case], trajectory, self._settings, self._tools)
        return verdict if self._grounding is None else self._grounded(verdict, trajectory, self._grounding)

    def _make_ready(self, name: str) -> PlainScorer | None:
        """Make a case ready, if it is not, and return what scores it the short way, if anything does."""
        if name not in self._ready:
            prepared = self._ready[name] = ready(self._cases[name])
            if prepared.quick is not None:
                self._plain[name] = PlainScorer(prepared.quick, self._settings, self._tools)
        return self._plain.get(name)

    def _grounded(self, score: Score, trajectory: Trajectory, grounding: Grounding) -> Score:
        """The score with what came from nowhere: a hint, which changes no verdict."""
        if score.score is None:
            return score
        issues = tuple(grounding.issues(self._cases[trajectory.case], trajectory.calls))
        counts = replace(score.counts, ungrounded=len({issue.call for issue in issues}))
        return replace(score, counts=counts, issues=(*score.issues, *issues))


def _score(prepared: ReadyCase, trajectory: Trajectory, settings: Settings, tools: Toolset) -> Score:
    case = prepared.case
    if trajectory.state == "not_run":
        answer = None if prepared.answer is None else Answer(reason="not run")
        return Score(case.id, trajectory.agent, trajectory.trial, "not_run", answer=answer)
    answer = None if prepared.answer is None else prepared.answer(trajectory.output)
    calls = trajectory.calls
    facts = look(prepared, trajectory)
    general: Sequence[Issue] = ()
    if facts.failed or facts.missing or prepared.watched or answer or trajectory.state != "completed" or tools:
        general = [
            *call_issues(prepared, facts),
            *tools.issues(calls),
            *agent_issues(case, trajectory, facts.missing, answer),
        ]
    least = settings.threshold - SLACK
    if general and any(issue.failing for issue in general):
        least = OUT_OF_REACH
    plan, best, passed = _best_plan(prepared, facts, settings.weights, least)
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
            best.right,
            best.superfluous,
            best.missed,
            len(calls),
            facts.failed,
            len(facts.repeats),
            sum([call.tool not in tools.names for call in calls]) if tools else None,
            len({issue.call for issue in general if issue.kind == "schema_error"}) if tools else None,
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
    right: int = 0
    """Tools expected and called with success."""
    superfluous: int = 0
    missed: int = 0
    alignment: tuple[Pair, ...] = ()
    issues: tuple[Issue, ...] = ()
    fails: bool = False
    """Whether an issue fails the case whatever the score."""


def _best_plan(prepared: ReadyCase, facts: Facts, weights: Weights, least: float) -> tuple[int, _Verdict, bool]:
    """The plan that counts, the verdict by it, and whether that passes."""
    plans = prepared.plans
    if len(plans) == 1:
        verdict = _follow(plans[0], prepared, facts, weights)
        return 0, verdict, verdict.score >= least and not verdict.fails
    if not plans:
        verdict = _nothing_said(facts)
        return 0, verdict, verdict.score >= least and not verdict.fails
    verdicts = [_follow(plan, prepared, facts, weights) for plan in plans]

    def merit(index: int) -> tuple[float, bool, int]:
        verdict = verdicts[index]
        return round(verdict.score, 9), verdict.score >= least and not verdict.fails, -index

    best = max(range(len(verdicts)), key=merit)
    return best, verdicts[best], merit(best)[1]


def _nothing_said(facts: Facts) -> _Verdict:
    """Without any call to judge, the keywords alone decide."""
    return _Verdict(0.5 if facts.missing else 1.0, 1.0, 1.0, 1.0, fails=bool(facts.missing))


def _follow(plan: ReadyPlan, prepared: ReadyCase, facts: Facts, weights: Weights) -> _Verdict:
    """How a trajectory did by a plan."""
    calls = facts.calls
    plan = plan.for_calls(facts.by_tool)
    slots = plan.slots
    pairs = align(plan, calls, facts.by_tool)
    extra = [] if len(pairs) == len(calls) else _extra_calls(prepared, calls, {call for _, call, _ in pairs})
    right, superfluous, missed = _tool_sets(plan, prepared, facts.worked(), pairs)
    if not slots:
        if not extra:
            return _nothing_said(facts)
        uncalled_for = tuple([Issue("unexpected_call", calls[i].tool, call=i, failing=True) for i in extra])
        return _Verdict(0.0, 0.0, 0.0, 0.0, right, superfluous, missed, issues=uncalled_for, fails=True)

    filled, fits = 0, 0.0
    issues: list[Issue] = []
    alignment: list[Pair] = []
    for index, call, params in pairs:
        slot = slots[index]
        filled += slot.required
        fits += params
        alignment.append(Pair(slot.expected, call, params))
        if params < 1:
            issues += argument_issues(plan, slot, calls, call)
    if filled < plan.required:
        issues += missing_calls(plan, {slot for slot, _, _ in pairs})
    if extra:
        issues += extra_call_issues(calls, extra, facts.repeats, forbidden=prepared.extra == "forbid")
    if plan.ordered:
        issues += order_issues(plan, pairs)
    precision = len(pairs) / (len(pairs) + len(extra)) if pairs or extra else 1.0
    recall = filled / plan.required if plan.required else 1.0
    judged = len(pairs) + plan.required - filled
    params = fits / judged if judged else 1.0
    return _Verdict(
        weighted(weights, facts.content, precision, recall, params),
        precision,
        recall,
        params,
        right,
        superfluous,
        missed,
        tuple(alignment),
        tuple(issues),
        any(issue.failing for issue in issues) if issues else False,
    )


def _extra_calls(prepared: ReadyCase, calls: Sequence[Call], answered: set[int]) -> list[int]:
    """Calls that answer nothing and are not neutral."""
    if prepared.extra == "allow":
        return []
    neutral = prepared.neutral
    return [i for i, call in enumerate(calls) if i not in answered and call.tool not in neutral]


def _tool_sets(
    plan: ReadyPlan, prepared: ReadyCase, worked: set[str], pairs: Sequence[Aligned]
) -> tuple[int, int, int]:
    """How many tools are right, superfluous and missed. Accepted optional tools and neutral ones are neither."""
    expected = plan.required_tools
    right = len(expected & worked)
    superfluous = 0
    if right < len(worked) and prepared.extra != "allow":
        accepted = {plan.slots[slot].tool for slot, _, _ in pairs} if plan.required < len(plan.slots) else ()
        superfluous = len((worked - expected - prepared.neutral).difference(accepted))
    return right, superfluous, len(expected) - right
