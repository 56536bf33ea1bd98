"""Joining trajectories to the cases of a suite: which case, which agent, which trial."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView
from typing import NamedTuple

from msgspec.structs import replace

from toolgauge.core import UNSAID, Suite, Trajectory, nfc
from toolgauge.errors import UsageError

from .import_report import ImportReport

__all__ = ["Join", "Seen"]

LARGEST_IN_MASK = 1024
"""Trials up to this number are bits of one number; a wild one beyond is kept by itself."""


BARE_ID = "id"
"""A key that may name a case, and as well the record itself, by a number that some case has for an id."""


class Seen(NamedTuple):
    """What a join has seen, for one of the same suite in another process."""

    trials: dict[str, dict[str, int]]
    recorded: dict[str, dict[str, None]]
    depends: bool
    """Whether something was settled by the order of all lines."""


class Join:
    """Fills in what a recorded line leaves open, and leaves out what belongs to no case.

    A trajectory names its case by id, or by the text of the question. Where several cases ask the same, the first
    trajectory with that text goes to the first of them, the second to the second, and so on around.
    """

    def __init__(self, suite: Suite, report: ImportReport, *, by_text: bool = True) -> None:
        """Without `by_text` the text of the question says nothing: a trajectory names its case, or has none."""
        self.report = report
        """Records what is left out."""
        self._cases = [case.id for case in suite.cases]
        self._ids = set(self._cases)
        self._normal_ids = {_normal(name): name for name in self._cases}
        self._texts: dict[str, list[str]] = {}
        for case in suite.cases if by_text else ():
            if case.input.strip():
                self._texts.setdefault(_normal(case.input), []).append(case.id)
        self._trials: dict[str, dict[str, int]] = {}
        """By agent and case the trials that are taken, as bits."""
        self._wild_trials: dict[tuple[str, str], set[int]] = {}
        self._recorded: dict[str, dict[str, None]] = {}
        """By the name that the agent of a file was given, the names it has in the file."""
        self._asked: dict[tuple[str, str, int], int] = {}
        """By agent, text and trial how often a question of several cases was seen."""

    def __call__(self, trajectories: Iterable[Trajectory], *, agent: str | None, fallback: str) -> Iterator[Trajectory]:
        """The trajectories of one file that belong to a case, with case, agent and trial filled in.

        Args:
            trajectories: What was read.
            agent: The name that all of them get.
            fallback: The name of those that have none.

        Raises:
            UsageError: A name is given, but the file holds trajectories of several agents.
        """
        for joined in self.in_lists(([trajectory] for trajectory in trajectories), agent=agent, fallback=fallback):
            yield from joined

    def in_lists(
        self, lists: Iterable[Iterable[Trajectory]], *, agent: str | None, fallback: str
    ) -> Iterator[list[Trajectory]]:
        """The same for trajectories that come several at once."""
        named = ""
        if agent is not None:
            self._trials.setdefault(agent, {})
        trials: dict[str, int] = {}
        current: str | None = None
        for trajectories in lists:
            found: list[Trajectory] = []
            for trajectory in trajectories:
                # The short way, for a line that says everything and comes after another of its case and agent.
                if agent is None and trajectory.agent == current and BARE_ID not in trajectory.meta:
                    taken = trials.get(trajectory.case)
                    wanted = trajectory.trial
                    if taken is not None and 0 < wanted <= LARGEST_IN_MASK and not taken >> wanted & 1:
                        trials[trajectory.case] = taken | 1 << wanted
                        found.append(trajectory)
                        continue
                if agent is not None and trajectory.agent and trajectory.agent != named:
                    if named:
                        raise UsageError(
                            f"the name {agent!r} is given to a file with trajectories of several agents, "
                            f"{named!r} and {trajectory.agent!r}; leave the name out"
                        )
                    named = trajectory.agent
                    self._recorded.setdefault(agent, {})[named] = None
                joined = self._join(trajectory, agent or trajectory.agent or fallback)
                if joined is not None:
                    current = joined.agent
                    trials = self._trials[current]
                    found.append(joined)
            yield found

    @property
    def agents(self) -> KeysView[str]:
        """The names of all agents, in the order in which they appeared."""
        return self._trials.keys()

    def seen(self) -> Seen:
        """What was seen, for another process."""
        return Seen(self._trials, self._recorded, bool(self._asked or self._wild_trials))

    def merge(self, other: Seen) -> bool:
        """Take over what another join of the same suite has seen of other lines.

        Returns:
            False where the lines should have been joined one after the other: both have taken the same trial of a
            case. Then this join is of no more use.
        """
        if other.depends or self._wild_trials:
            return False
        for name, recorded in other.recorded.items():
            self._recorded.setdefault(name, {}).update(recorded)
        for agent, trials in other.trials.items():
            known = self._trials.setdefault(agent, {})
            for case, taken in trials.items():
                if known.get(case, 0) & taken:
                    return False
                known[case] = known.get(case, 0) | taken
        return True

    @property
    def mixes_agents(self) -> bool:
        """Whether one name was given to several agents, in one file or in several."""
        return any(len(recorded) > 1 for recorded in self._recorded.values())

    def put_in_order(self, agents: Iterable[str]) -> None:
        """Put all agents in the order in which they appear here."""
        self._trials = {agent: self._trials[agent] for agent in agents}

    def missing(self) -> Iterator[tuple[str, str]]:
        """Every agent and case without a trajectory, agents in the order in which they appeared."""
        for agent, trials in self._trials.items():
            for case in self._cases:
                if case not in trials:
                    yield agent, case

    def _join(self, trajectory: Trajectory, agent: str) -> Trajectory | None:
        trials = self._trials.get(agent)
        if trials is None:
            trials = self._trials.setdefault(agent, {})
        case = trajectory.case if trajectory.case in self._ids else self._find(trajectory, agent)
        if case is not None and BARE_ID in trajectory.meta and self._asks_something_else(trajectory, case):
            self.report.note("a trajectory has the id of one case and asks the question of another, which counts")
            case = self._find(replace(trajectory, case=""), agent)
        if case is None:
            self.report.note_unmatched(_shown(trajectory))
            return None
        trial = self._take_trial(trials, agent, case, trajectory.trial)
        if case == trajectory.case and agent == trajectory.agent and trial == trajectory.trial:
            return trajectory
        return replace(trajectory, case=case, agent=agent, trial=trial)

    def _asks_something_else(self, trajectory: Trajectory, case: str) -> bool:
        """Whether the case was found by what may be the id of the record, and the question is that of another one."""
        if str(trajectory.meta[BARE_ID]) != trajectory.case or not trajectory.input:
            return False
        cases = self._texts.get(_normal(trajectory.input))
        return cases is not None and case not in cases

    def _find(self, trajectory: Trajectory, agent: str) -> str | None:
        """The case of a trajectory whose id is not exactly that of a case."""
        name = _normal(trajectory.case)
        if name in self._normal_ids:
            return self._normal_ids[name]
        for text in (_normal(trajectory.input or ""), name):
            cases = self._texts.get(text)
            if not cases:
                continue
            if len(cases) == 1:
                return cases[0]
            key = (agent, text, trajectory.trial)
            position = self._asked.get(key, 0)
            self._asked[key] = position + 1
            return cases[position % len(cases)]
        return None

    def _take_trial(self, trials: dict[str, int], agent: str, case: str, wanted: int) -> int:
        """The trial that a trajectory gets: the one it names if that is free, else the lowest that is."""
        taken = trials.get(case, 0)
        if wanted > LARGEST_IN_MASK:
            wild = self._wild_trials.setdefault((agent, case), set())
            if wanted not in wild:
                wild.add(wanted)
                trials[case] = taken
                return wanted
        elif wanted != UNSAID and not taken >> wanted & 1:
            trials[case] = taken | 1 << wanted
            return wanted
        if wanted != UNSAID:
            self.report.renumbered += 1
        free = _lowest_free(taken)
        while free in self._wild_trials.get((agent, case), ()):
            taken |= 1 << free
            free = _lowest_free(taken)
        trials[case] = taken | 1 << free
        return free


def _lowest_free(taken: int) -> int:
    """The lowest number from 1 that is not taken; 0 is for recorders that count from there."""
    taken |= 1
    return (~taken & (taken + 1)).bit_length() - 1


def _normal(text: str) -> str:
    return nfc(text.strip())


def _shown(trajectory: Trajectory) -> str:
    name = trajectory.case or trajectory.input or ""
    return name if len(name) <= 60 else f"{name[:57]}..."
