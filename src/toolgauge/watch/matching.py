"""Conversations of which a suite says what they should be: scored as usual, exported, and proposed as cases."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from toolgauge.core import Case, Scored, Suite, Trajectory
from toolgauge.errors import ToolgaugeError
from toolgauge.exports import ScoreExporter
from toolgauge.scoring import Scorer
from toolgauge.store.places import check_folder
from toolgauge.suites.extend import propose_cases
from toolgauge.traces.import_report import ImportReport
from toolgauge.traces.join import Join

from .notes import WatchNotes

__all__ = ["EMPTY_SUITE", "SuiteMatcher", "check_proposals"]

FALLBACK = "agent"
EMPTY_SUITE = Suite(name="watched", cases=())
"""What conversations are like that no suite is given for."""

MAX_PROPOSED = 200
"""How many failures become cases at most, of one watch: somebody has to review them."""


class SuiteMatcher:
    """Scores the conversations that a case is found for, and passes on what there is to be passed on."""

    def __init__(
        self,
        suite: Suite | None = None,
        *,
        exporter: ScoreExporter | None = None,
        propose: str | None = None,
        notes: WatchNotes | None = None,
    ) -> None:
        """Make ready.

        Args:
            suite: The suite, found by the id of a case in the metadata or by the question.
            exporter: Where scores go.
            propose: The suite file that failures are added to.
            notes: What could not be passed on, and why.
        """
        self.suite = suite if suite is not None else EMPTY_SUITE
        self._scorer = Scorer(self.suite) if suite is not None else None
        self._exporter = exporter
        self._propose = propose
        self.matched = 0
        self.proposed = 0
        self.failure: ToolgaugeError | None = None
        """Why cases could not be proposed, the last time."""
        self._notes = notes if notes is not None else WatchNotes()

    def scored(self, trajectories: Sequence[Trajectory]) -> list[Scored | None]:
        """Each with its score, or None where no case is found."""
        if self._scorer is None:
            return [None] * len(trajectories)
        # A join remembers which trials it has seen; in production every conversation is one of its own.
        found: list[Scored | None] = []
        for trajectory in trajectories:
            joined = next(iter(Join(self.suite, ImportReport())([trajectory], agent=None, fallback=FALLBACK)), None)
            found.append(None if joined is None else Scored(joined, self._scorer.score(joined)))
        self.matched += sum(each is not None for each in found)
        return found

    def close(self) -> None:
        """Let go of connections."""
        if self._exporter is not None:
            self._exporter.close()

    def pass_on(self, trajectories: Sequence[Trajectory], scored: Sequence[Scored | None]) -> None:
        """Export scores, and propose failures. Nothing that fails here stops a watch."""
        known = [each for each in scored if each is not None]
        if self._exporter is not None and known:
            created = datetime.now(UTC).isoformat(timespec="seconds")
            outcome = self._exporter.export(known, suite=self.suite.name, created=created)
            for delivery in outcome.deliveries:
                for reason in delivery.reasons:
                    self._notes.add(reason)
        if self._propose is not None and self.proposed < MAX_PROPOSED:
            # What has a case is proposed as that, with what it expects, and not with what went wrong.
            failed = [
                trajectory if one is None else one
                for trajectory, one in zip(trajectories, scored, strict=True)
                if (not one.score.passed if one is not None else _failed(trajectory))
            ]
            if failed:
                self._propose_cases(self._propose, failed[: MAX_PROPOSED - self.proposed])

    def _propose_cases(self, path: str, failed: Sequence[Scored | Trajectory]) -> None:
        try:
            added = propose_cases(path, failed, _template(self.suite))
        except ToolgaugeError as error:
            self.failure = error
            self._notes.add(f"failures are not proposed as cases: {error}", times=len(failed))
        else:
            self.failure = None
            self.proposed += len(added.added)


def check_proposals(path: str) -> None:
    """Make sure that cases can be added to a file, before anything is watched.

    Raises:
        ToolgaugeError: It is no suite, or cannot be written.
    """
    propose_cases(path, (), EMPTY_SUITE)
    check_folder(path)


def _failed(trajectory: Trajectory) -> bool:
    return trajectory.state != "completed" or any(call.error is not None for call in trajectory.calls)


def _template(suite: Suite) -> Suite:
    """The suite as a model for a file of proposals; one without cases has at least a name."""
    return suite if suite.cases else replace(suite, cases=(Case("none", ""),))
