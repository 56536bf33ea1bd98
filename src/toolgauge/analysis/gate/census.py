"""One walk through a run that counts all that the gate looks at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolgauge.core import Counts, Failure, FlakyCase, Run, Score, Scored, Suite, Summary
from toolgauge.metrics import METRICS, CaseSums, Metric, Tally, by_agent, in_batches, needed_sums, parts_of

__all__ = ["Census", "Group", "Tries", "count_cases", "group_key"]

Group = tuple[tuple[str, str], ...]
"""Labels of a group as a key; empty: all cases."""

MAX_FAILURES = 1000
"""How many trajectories that did not pass are kept."""


def group_key(group: Mapping[str, str]) -> Group:
    """A group as a key."""
    return tuple(sorted(group.items()))


@dataclass(slots=True)
class Tries:
    """How one case went with one agent."""

    passed: int = 0
    planned: int = 0
    run: int = 0
    """Trials that were run: one that was not neither passed nor failed."""

    @property
    def flaky(self) -> bool:
        """Whether it passed in some trials and not in others."""
        return 0 < self.passed < self.run


class Census:
    """What a walk through a run has found of some agents."""

    def __init__(
        self,
        suite: Suite,
        agents: Iterable[str],
        groups: Mapping[Group, frozenset[str]],
        *,
        compared: Sequence[Metric] = (),
        metrics: Sequence[Metric] = METRICS,
    ) -> None:
        """Make ready.

        Args:
            suite: The suite of the run.
            agents: The agents to look at.
            groups: By group the ids of its cases.
            compared: The metrics that each case is added up for by itself, as a comparison needs it.
            metrics: The metrics of the run.
        """
        self.tries: dict[str, dict[str, Tries]] = {agent: {} for agent in agents}
        """By agent and case."""
        self.sums = {agent: CaseSums(parts_of(compared), needed_sums(compared)) for agent in self.tries}
        self.failures: list[Failure] = []
        self._groups = [(key, cases, Tally(suite, metrics=metrics)) for key, cases in groups.items() if key]

    def add_all(self, scored: Iterable[Scored]) -> None:
        """Count trajectories with their scores."""
        wanted = ((one.trajectory, one.score) for one in scored if one.score.agent in self.tries)
        for trajectories, scores in in_batches(wanted):
            for score in scores:
                self._add_try(score)
            for _, cases, tally in self._groups:
                members = [index for index, score in enumerate(scores) if score.case in cases]
                tally.add_all([trajectories[index] for index in members], [scores[index] for index in members])
            for agent, own, own_scores in by_agent(trajectories, scores):
                self.sums[agent].add_all(own, own_scores)

    def _add_try(self, score: Score) -> None:
        counted = self.tries[score.agent].setdefault(score.case, Tries())
        counted.passed += score.passed
        counted.planned += 1
        counted.run += score.measured
        if not score.passed and len(self.failures) < MAX_FAILURES:
            self.failures.append(Failure(score.case, score.agent, score.trial, score.state, score.score, score.issues))

    def summaries(self) -> dict[Group, Summary]:
        """The summary of each group, but for the one of all cases."""
        return {key: tally.summary() for key, _, tally in self._groups}

    @property
    def several_trials(self) -> bool:
        """Whether some case was tried more than once."""
        return any(one.planned > 1 for tries in self.tries.values() for one in tries.values())

    def flaky(self) -> list[FlakyCase]:
        """The cases that passed in some trials and not in others."""
        return [
            FlakyCase(case, agent, one.passed, one.run)
            for agent, tries in self.tries.items()
            for case, one in tries.items()
            if one.flaky
        ]


def count_cases(run: Run, agents: Collection[str]) -> Counts:
    """How the planned trajectories of these agents ended."""
    rows = [row.counts for row in run.summary.rows if not row.group and row.agent in agents]
    return Counts(*(sum(getattr(row, name) for row in rows) for name in Counts.__struct_fields__))
