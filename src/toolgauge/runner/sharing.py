"""Where the next trial comes from: out of the plan, or out of a store in which several processes share the plan."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Protocol

from toolgauge.core import TrialKey

from .persist import RunRecorder
from .plan import PlannedTrial, RunPlan

__all__ = ["PlannedTrials", "SharedTrials", "TrialSource", "trial_source"]


class TrialSource(Protocol):
    """Gives one trial after the other."""

    def next(self) -> PlannedTrial | None:
        """The next trial; None: there is none at the moment."""

    def over(self, key: TrialKey) -> None:
        """Take note that this process is done with a trial, however it ended."""

    def left(self) -> bool:
        """Whether there may be another trial later, although there is none at the moment."""


class PlannedTrials:
    """What is left of a plan that nobody else works on."""

    def __init__(self, plan: RunPlan, recorder: RunRecorder) -> None:
        done = frozenset(recorder.done)
        self._left: Iterator[PlannedTrial] = (planned for planned in plan if planned.key not in done)

    def next(self) -> PlannedTrial | None:
        """The next trial; None: there is none."""
        return next(self._left, None)

    def over(self, key: TrialKey) -> None:
        """No-op: nobody else waits for it."""

    def left(self) -> bool:
        """Never: what was given is not given again."""
        return False


class SharedTrials:
    """What is left of a plan that other processes may work on, too.

    They are taken one by one as this process gets to them, so that nobody holds what another could do meanwhile; only
    the first ones are taken together.
    """

    def __init__(self, plan: RunPlan, recorder: RunRecorder, first: int) -> None:
        self._cases = {case.id: case for case in plan.suite.cases}
        self._recorder = recorder
        self._first = first
        self._taken: deque[TrialKey] = deque()
        self._having: set[TrialKey] = set()

    def next(self) -> PlannedTrial | None:
        """The next trial that nobody else has; None: there is none at the moment."""
        if not self._taken:
            self._taken.extend(self._recorder.claim(self._first, self._having))
            self._having.update(self._taken)
            self._first = 1
        if not self._taken:
            return None
        agent, case, trial = self._taken.popleft()
        return PlannedTrial(agent, self._cases[case], trial)

    def over(self, key: TrialKey) -> None:
        """Take note that this process is done with a trial."""
        self._having.discard(key)

    def left(self) -> bool:
        """Whether others have trials that they may not finish."""
        return self._recorder.left()


def trial_source(plan: RunPlan, recorder: RunRecorder, concurrency: int) -> TrialSource:
    """Where the trials of a run come from."""
    return SharedTrials(plan, recorder, concurrency) if recorder.shared else PlannedTrials(plan, recorder)
