"""A suite on a schedule: run, keep the series, and hold every run to the last one that was accepted.

The first run is accepted. A later one is accepted where the gate lets it pass. Where it fails there is an alarm, and
acknowledging that accepts the run: what is worse now is what later runs are held to. Where so few cases cannot tell,
there is no alarm, and the next run is held to the same one again, so that nothing gets worse in small steps.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from hashlib import sha256

import msgspec
from msgspec import Struct

from toolgauge.analysis.gate import gate
from toolgauge.core import Estimate, Run, Verdict
from toolgauge.drift import Alarm, Observation
from toolgauge.errors import ToolgaugeError

from .measures import series_name
from .notes import WatchNotes
from .state import WatchState
from .watcher import WatchEngine

__all__ = ["GATE", "FinishedRun", "Schedule"]

GATE = "gate"
"""The name of the chart of alarms about runs."""

MAX_EXAMPLES = 5


class FinishedRun(Struct, frozen=True):
    """A run that came to its end, and what the store knows it by."""

    id: str
    run: Run


class Schedule:
    """Runs a suite when it is due. Called with every step of a watch; the run itself has a thread of its own."""

    def __init__(
        self,
        state: str,
        run: Callable[[], FinishedRun],
        load: Callable[[str], Run],
        *,
        every: float | None,
        notes: WatchNotes | None = None,
    ) -> None:
        """Make ready.

        Args:
            state: The file of the state.
            run: Runs the suite.
            load: Opens an earlier run.
            every: How many seconds lie between two runs; None: one run, at once.
            notes: Why a run failed, or cannot be compared.
        """
        self._state = WatchState(state)
        self._run = run
        self._load = load
        self._every = every
        self._thread: threading.Thread | None = None
        self._done: list[FinishedRun | ToolgaugeError] = []
        self._ran = False
        self.failure: ToolgaugeError | None = None
        """Why the last run failed; None: it did not."""
        self._notes = notes if notes is not None else WatchNotes()

    def __call__(self, watcher: WatchEngine, now: float) -> None:
        """Begin a run that is due, and take the one that has come to its end."""
        if self._every is None:
            if not self._ran:
                self._ran = True
                self._work()
        elif self._thread is None and self._is_due(now):
            self._thread = threading.Thread(target=self._work, name="running", daemon=True)
            self._thread.start()
        if self._done and not self.running:
            self._thread = None
            self._take(watcher, self._done.pop(), now)

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._thread is not None and self._thread.is_alive()

    def _is_due(self, now: float) -> bool:
        found = self._state.execute("SELECT max(at) FROM runs", types=tuple[float | None])[0][0]
        return found is None or now - found >= (self._every or 0)

    def _work(self) -> None:
        try:
            self._done.append(self._run())
        except ToolgaugeError as error:
            self._done.append(error)

    def _take(self, watcher: WatchEngine, done: FinishedRun | ToolgaugeError, now: float) -> None:
        self.failure = done if isinstance(done, ToolgaugeError) else None
        if isinstance(done, ToolgaugeError):
            self._notes.add(str(done))
            self._keep(f"failed-{now:.0f}", now, {"error": str(done)}, accepted=False)
            return
        watcher.observe_all(_observations(done, now))
        accepted = self._accepted()
        verdict = None if accepted is None else self._verdict(done.run, accepted)
        self._keep(done.id, now, _figures(done.run), accepted=verdict is None or verdict.passed)
        if verdict is not None and verdict.ruling == "failed" and accepted is not None:
            watcher.add_alarm(_alarm(done, accepted, verdict, now))

    def _accepted(self) -> Run | None:
        query = "SELECT id FROM runs WHERE accepted = 1 ORDER BY at DESC LIMIT 1"
        rows = self._state.execute(query, types=tuple[str])
        if not rows:
            return None
        try:
            return self._load(rows[0][0])
        except ToolgaugeError as error:
            self._notes.add(f"the last accepted run cannot be opened: {error}")
            return None

    def _verdict(self, run: Run, accepted: Run) -> Verdict | None:
        try:
            return gate(run, min_pass_rate=None, baseline=accepted)
        except ToolgaugeError as error:
            self._notes.add(f"the run cannot be compared with the last accepted one, and replaces it: {error}")
            return None

    def _keep(self, name: str, now: float, figures: dict[str, object], *, accepted: bool) -> None:
        with self._state.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO runs VALUES(?, ?, ?, ?)",
                (name, now, msgspec.json.encode(figures), int(accepted)),
            )


def _observations(done: FinishedRun, now: float) -> list[Observation]:
    return [
        Observation(
            series_name("suite_pass_rate", agent=one.score.agent),
            "rate",
            now,
            float(one.score.passed),
            session=f"{done.id}:{one.score.case}",
            trace=f"{done.id}:{one.score.case}",
        )
        for one in done.run.scored
        if one.score.state not in ("cancelled", "not_run")
    ]


def _figures(run: Run) -> dict[str, object]:
    """The figures of each agent, for the series."""
    rows = [row for row in run.summary.rows if not row.group]
    return {row.agent: {name: msgspec.to_builtins(found) for name, found in row.metrics.items()} for row in rows}


def _pass_rate(run: Run) -> Estimate:
    rows = [row for row in run.summary.rows if not row.group and "pass_rate" in row.metrics]
    return rows[0].metrics["pass_rate"] if rows else Estimate(None)


def _alarm(done: FinishedRun, accepted: Run, verdict: Verdict, now: float) -> Alarm:
    failures = [failure.case for failure in verdict.failures[:MAX_EXAMPLES]]
    return Alarm(
        id=sha256(f"{GATE}:{done.id}".encode()).hexdigest()[:16],
        series=f"{GATE} {verdict.suite}",
        kind="rate",
        direction="down",
        at=now,
        changed_at=now,
        sessions=verdict.counts.planned,
        before=_pass_rate(accepted),
        after=_pass_rate(done.run),
        chart=GATE,
        statistic=0.0,
        limit=0.0,
        label=done.id,
        examples=tuple(failures),
    )
