"""Expectations that strong agents contradict in the same way: perhaps it is not the agents that are wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from toolgauge.core import ISSUE_TYPES, Case, Finding, Issue, IssueKind, JsonValue, Review, Run, Suite, identity

__all__ = ["CONTRADICTIONS", "reviewed_gold", "suspected_gold"]

MIN_RATE = 0.5
"""An agent that passes less than this is not strong, even among weaker ones."""

MIN_AGENTS = 2

CONTRADICTIONS: frozenset[IssueKind] = frozenset(kind for kind, known in ISSUE_TYPES.items() if known.contradicts)
"""Issues in which what an agent did stands against what was expected; the others are failures of its own."""

ARGUMENTS: frozenset[IssueKind] = frozenset(("missing_arg", "wrong_arg", "invalid_arg"))
"""Issues that count in a case that is passed as well: an argument or two seldom bring a score below the threshold."""

Fault = tuple[Hashable, ...]


@dataclass(slots=True)
class _Agent:
    """How an agent did: in how many trajectories, and in which way it contradicts each case."""

    passed: int = 0
    planned: int = 0
    faults: dict[str, dict[Fault, Issue]] = field(default_factory=dict)
    """For each case, the issues that all its trials have."""

    @property
    def rate(self) -> float:
        return self.passed / self.planned


def suspected_gold(suite: Suite, runs: Sequence[Run]) -> Iterator[Finding]:
    """Cases that all strong agents contradict with the same issue: they fail, or pass with the same argument wrong.

    Strong are the agents whose pass rate is at least the median and at least a half; there have to be two of them.
    Runs of a case that has been changed since say nothing about what it expects now.
    """
    agents = _agents(suite, runs)
    if not agents:
        return
    middle = median(agent.rate for agent in agents.values())
    strong = {name: agent for name, agent in agents.items() if agent.rate >= max(middle, MIN_RATE)}
    if len(strong) < MIN_AGENTS:
        return
    for case in suite.cases:
        found = [agent.faults.get(case.id, {}) for agent in strong.values()]
        for fault, issue in found[0].items():
            if all(fault in others for others in found[1:]):
                yield _finding(case, issue, sorted(strong))


def reviewed_gold(suite: Suite, runs: Sequence[Run]) -> Iterator[Finding]:
    """Cases that expect something wrong, by what people said of runs in which they expected the same."""
    found: dict[str, list[Review]] = {}
    for run in runs:
        unchanged = _unchanged(suite, run) if run.reviews.left_out else ()
        for review in run.reviews:
            if review.verdict == "gold_is_wrong" and review.case in unchanged:
                found.setdefault(review.case, []).append(review)
    for case in suite.cases:
        if said := found.get(case.id):
            notes = [review.note for review in said if review.note]
            values: dict[str, JsonValue] = {"count": len(said), **({"reason": notes[-1]} if notes else {})}
            yield Finding("reviewed_gold", "warning", case.id, ("expect",), values)


def _unchanged(suite: Suite, run: Run) -> set[str]:
    """The cases that expect the same in the suite and in a run."""
    cases = {case.id: case for case in suite.cases}
    return {case.id for case in run.header.suite.cases if case.id in cases and cases[case.id].expect == case.expect}


def _agents(suite: Suite, runs: Sequence[Run]) -> dict[str, _Agent]:
    """Every agent with what it did, over all runs."""
    agents: dict[str, _Agent] = {}
    for run in runs:
        unchanged = _unchanged(suite, run)
        for scored in run.scored:
            score = scored.score
            if score.case not in unchanged:
                continue
            agent = agents.setdefault(score.agent, _Agent())
            agent.planned += 1
            agent.passed += score.passed
            if not score.measured:
                continue
            counted = ARGUMENTS if score.passed else CONTRADICTIONS
            faults = {_fault(issue): issue for issue in score.issues if issue.kind in counted}
            known = agent.faults.get(score.case, faults)
            agent.faults[score.case] = {fault: issue for fault, issue in known.items() if fault in faults}
    return agents


def _fault(issue: Issue) -> Fault:
    """Equal for issues that contradict an expectation in the same way, whichever of several plans counted."""
    what = identity(issue.want) if issue.kind in ("missing_content", "wrong_order") else None
    return issue.kind, issue.tool, issue.argument, identity(issue.got), what


def _finding(case: Case, issue: Issue, agents: list[str]) -> Finding:
    values: dict[str, JsonValue] = {
        "issue": issue.kind,
        "tool": issue.tool,
        "argument": issue.argument,
        "want": issue.want,
        "got": issue.got,
        "agents": list(agents),
    }
    return Finding("suspected_gold", "hint", case.id, ("expect",), values)
