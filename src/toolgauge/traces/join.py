"""Joining trajectories to the cases of a suite: which case, which agent, which trial."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from toolgauge.core import MAX_MASKED_TRIAL, UNSAID, SeenTrials, Suite, Trajectory, nfc
from toolgauge.errors import UsageError

from .import_report import ImportReport

__all__ = ["Join", "Seen"]

BARE_ID = "id"
"""A key that may name a case, but may also number the records, and some case may have that number as its id."""


class Seen(NamedTuple):
    """What a join has seen, for one of the same suite in another process."""

    trials: dict[str, dict[str, int]]
    recorded: dict[str, dict[str, None]]
    depends: bool
    """Whether something depended on the order of all lines."""


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
        self._seen = SeenTrials()
        self._recorded: dict[str, dict[str, None]] = {}
        """By the name that the agent of a file was given, the names it has in the file."""
        self.claims: list[int] | None = None
        """Where a list is given, it takes the trial that each trajectory asks for, in their order."""
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
            self._seen.masks.setdefault(agent, {})
        masks: dict[str, int] = {}
        current: str | None = None
        for trajectories in lists:
            found: list[Trajectory] = []
            for trajectory in trajectories:
                # The short way, for a line that says everything and comes after another of its case and agent.
                if agent is None and trajectory.agent == current and BARE_ID not in trajectory.meta:
                    mask = masks.get(trajectory.case)
                    wanted = trajectory.trial
                    if mask is not None and 0 < wanted <= MAX_MASKED_TRIAL and not mask >> wanted & 1:
                        masks[trajectory.case] = mask | 1 << wanted
                        if self.claims is not None:
                            self.claims.append(wanted)
                        found.append(trajectory)
                        continue
                if agent is not None and trajectory.agent and trajectory.agent != named:
                    if named:
                        raise UsageError(
                            f"the name {agent!r} is given to a file with trajectories of several agents, "
                            f"{named!r} and {trajectory.agent!r}; leave out the name, or --agent-from path"
                        )
                    named = trajectory.agent
                    self._recorded.setdefault(agent, {})[named] = None
                joined = self._join(trajectory, agent or trajectory.agent or fallback)
                if joined is not None:
                    current = joined.agent
                    masks = self._seen.masks[current]
                    found.append(joined)
            yield found

    @property
    def agents(self) -> KeysView[str]:
        """The names of all agents, in the order in which they appeared."""
        return self._seen.masks.keys()

    def seen(self) -> Seen:
        """What was seen, for another process."""
        return Seen(self._seen.masks, self._recorded, bool(self._asked or self._seen.large))

    @property
    def depends_on_order(self) -> bool:
        """Whether the order of all lines decided which of several cases with the same question some are of."""
        return bool(self._asked)

    def note_seen(self, seen: Mapping[str, Iterable[str]]) -> None:
        """Take over from elsewhere, by agent, of which cases there is a trajectory, whatever its trial."""
        for agent, cases in seen.items():
            self._seen.masks.setdefault(agent, {}).update(dict.fromkeys(cases, 0))

    def merge(self, other: Seen) -> bool:
        """Take over what another join of the same suite has seen of other lines.

        Returns:
            False where the lines should have been joined one after the other: both have taken the same trial of a
            case. Then this join is of no more use.
        """
        if other.depends or self._seen.large:
            return False
        for name, recorded in other.recorded.items():
            self._recorded.setdefault(name, {}).update(recorded)
        for agent, masks in other.trials.items():
            known = self._seen.masks.setdefault(agent, {})
            for case, mask in masks.items():
                if known.get(case, 0) & mask:
                    return False
                known[case] = known.get(case, 0) | mask
        return True

    @property
    def mixes_agents(self) -> bool:
        """Whether one name was given to several agents, in one file or in several."""
        return any(len(recorded) > 1 for recorded in self._recorded.values())

    def put_in_order(self, agents: Iterable[str]) -> None:
        """Put all agents in the order in which they appear here."""
        self._seen.masks = {agent: self._seen.masks[agent] for agent in agents}

    def missing(self) -> Iterator[tuple[str, str]]:
        """Every agent and case without a trajectory, agents in the order in which they appeared."""
        for agent, masks in self._seen.masks.items():
            for case in self._cases:
                if case not in masks:
                    yield agent, case

    def _join(self, trajectory: Trajectory, agent: str) -> Trajectory | None:
        self._seen.masks.setdefault(agent, {})
        case = trajectory.case if trajectory.case in self._ids else self._find(trajectory, agent)
        if case is not None and BARE_ID in trajectory.meta and self._asks_something_else(trajectory, case):
            self.report.note("a trajectory has the id of one case and the question of another; the question decides")
            case = self._find(replace(trajectory, case=""), agent)
        if case is None:
            self.report.note_unmatched(_shown(trajectory))
            return None
        trial = self._take_trial(agent, case, trajectory.trial)
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

    def _take_trial(self, agent: str, case: str, wanted: int) -> int:
        """The trial that a trajectory gets: the one it names if that is free, else the lowest that is."""
        if self.claims is not None:
            self.claims.append(wanted)
        if wanted != UNSAID:
            if self._seen.add(agent, case, wanted):
                return wanted
            self.report.renumbered += 1
        return self._seen.add_lowest_free(agent, case)


def _normal(text: str) -> str:
    return nfc(text.strip())


def _shown(trajectory: Trajectory) -> str:
    name = trajectory.case or trajectory.input or ""
    return name if len(name) <= 60 else f"{name[:57]}..."
