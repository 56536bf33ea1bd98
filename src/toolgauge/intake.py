"""Takes in trajectories: scores them, adds them up, and keeps those that are to be kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from toolgauge.core import Scored, Suite, Trajectory
from toolgauge.scoring import Scorer
from toolgauge.stats import Tally, Totals

__all__ = ["Intake", "Keep", "Keeper", "Settings", "Taker"]

Keep = Literal["all", "failed", "none"]
"""Which trajectories a run holds when it is scored; its summary rests on all of them."""


class Taker(Protocol):
    """Where scored trajectories are put."""

    def append(self, scored: Scored, /) -> None:
        """Keep one more."""


class Keeper(Taker, Protocol):
    """Where they can be had again: a list, or a spool on disk."""

    def __iter__(self) -> Iterator[Scored]: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """How trajectories are taken in."""

    suite: Suite
    """The suite that they are of."""
    by: str | None = None
    """The label to break figures down by."""
    keep: Keep = "all"
    """Which of them are kept."""
    grounding: bool = False
    """Whether to look for arguments that came from nowhere, too."""


class Intake:
    """What becomes of the trajectories of one run."""

    def __init__(self, settings: Settings, keeper: Taker) -> None:
        """Make ready to take them in, and to keep them there."""
        self.tally = Tally(settings.suite, by=settings.by)
        self.agents: dict[str, None] = {}
        """The agents, in the order in which they appeared."""
        self.kept = 0
        """How many trajectories were kept."""
        self._scorer = Scorer(settings.suite, grounding=settings.grounding)
        self._keep = settings.keep
        self._keeper = keeper

    def take(self, trajectories: list[Trajectory]) -> None:
        """Take in some trajectories.

        All of them go through one step before the next begins: what a step needs stays in the cache of the processor,
        which saves a fifth of the time.
        """
        scores = self._scorer.score_all(trajectories)
        self.tally.add_all(trajectories, scores)
        self.agents.update(dict.fromkeys([trajectory.agent for trajectory in trajectories]))
        if self._keep == "none":
            return
        keep, everything = self._keeper.append, self._keep == "all"
        for trajectory, verdict in zip(trajectories, scores, strict=True):
            if everything or not verdict.passed:
                keep(Scored(trajectory, verdict))
                self.kept += 1

    def add(self, totals: Totals, kept: int) -> None:
        """Add what another process has taken in; put the agents in order afterwards.

        Args:
            totals: What it has added up, by the same label.
            kept: How many trajectories it kept.
        """
        self.tally.merge(totals)
        self.kept += kept

    def put_in_order(self, agents: Iterable[str]) -> None:
        """Put all agents in the order in which they appear here."""
        self.agents = dict.fromkeys(agents)
        self.tally.put_in_order(self.agents)

    def keep_in(self, keeper: Taker) -> None:
        """From now on, keep trajectories here."""
        self._keeper = keeper
