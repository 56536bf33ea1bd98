"""The run itself: so many trials at a time, each scored and kept the moment it is finished."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec.structs import replace

from toolgauge.core import Case, Expect, JsonValue, Model, Score, Trajectory, rarely_looking_for_cycles
from toolgauge.errors import ModelError, OutputError, StoreError, ToolgaugeError
from toolgauge.models import Retry, watch_retries
from toolgauge.pipeline import ScoringPipeline
from toolgauge.secrets import Secrets

from .conduct import Watch, left, perform, settle
from .deadlines import Deadlines
from .eager import start_at_once
from .interrupts import heeding_signals
from .judging import opinion
from .keeping import RunRecorder, storable
from .limits import narrowed
from .plan import Plan, Planned
from .trial import Caller, Trial

__all__ = ["Finished", "Judges", "Runner", "Stop", "Watcher"]

BEAT_SECONDS = 5.0
"""How often the store is told that the run goes on."""

Stop: TypeAlias = Literal["", "interrupted", "terminated", "broken"]
"""Why a run ended before its plan: somebody wanted it to, or no further trial could succeed or be kept."""

Judges: TypeAlias = Callable[[str | None], Model]
"""The model of a name, or the judge of the run."""

Key: TypeAlias = tuple[str, str, int]


class Watcher(Protocol):
    """Is told how a run goes on."""

    def begin(self, planned: int, before: int) -> None:
        """So many trials are planned, of which so many were finished before."""

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        """A trial is finished and kept."""

    def retried(self) -> None:
        """A model is asked again."""

    def stopping(self, words: str) -> None:
        """The run is about to stop."""


@dataclass(slots=True)
class Finished:
    """How a run ended."""

    stop: Stop = ""
    error: ToolgaugeError | None = None
    """What broke it."""
    finished: set[Key] = field(default_factory=set)
    """Trials that were finished and kept in this run."""
    unfinished: dict[Key, Trajectory] = field(default_factory=dict)
    """Trials that were begun and not finished, as far as they got. They are not kept, and begin anew when somebody
    goes on with the run."""


class Runner:
    """Carries out a plan."""

    def __init__(
        self,
        plan: Plan,
        box: Caller,
        pipeline: ScoringPipeline,
        recorder: RunRecorder,
        *,
        done: Iterable[Key] = (),
        interrupted: Mapping[Key, list[dict[str, JsonValue]]] | None = None,
        concurrency: int = 8,
        grace_seconds: float = 5.0,
        secrets: Secrets | None = None,
        judges: Judges | None = None,
        harmless: Collection[str] = (),
        watcher: Watcher | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Make ready.

        Args:
            plan: What is to be done.
            box: What calls the tools.
            pipeline: Scores, keeps and counts a finished trajectory, at once.
            recorder: Records that a trial begins, and what it does that cannot be undone.
            done: What is finished already.
            interrupted: What was begun and never finished, with what had happened by then.
            concurrency: How many trials go on at a time.
            grace_seconds: How long trials may go on after the first Ctrl-C.
            secrets: Credentials, which are not kept.
            judges: Finds the model that is asked for an opinion.
            harmless: Tools that change nothing, so that nobody has to know of a call that was cut short.
            watcher: Is told how the run goes on.
            clock: Seconds that never go back.
        """
        self._plan = plan
        self._box = box
        self._pipeline = pipeline
        self._recorder = recorder
        self._done = set(done)
        self._interrupted = interrupted or {}
        self._concurrency = concurrency
        self._grace = grace_seconds
        self._secrets = secrets or Secrets({})
        self._judges = judges
        self._harmless = frozenset(harmless)
        self._watcher = watcher
        self._clock = clock
        self._left = (planned for planned in plan if planned.key not in self._done)
        self._active: dict[Key, Trial] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._places = 0
        """How many trials go on, or are about to be begun."""
        self._beginning = False
        self._ended = Finished()

    async def run(self) -> Finished:
        """Carry out what is left of the plan."""
        if self._watcher is not None:
            self._watcher.begin(len(self._plan), len(self._done))
        self._places = min(self._concurrency, len(self._plan) - len(self._done))
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._context = copy_context()
        self._deadlines = Deadlines()
        beating = asyncio.create_task(self._beat())
        try:
            with heeding_signals(self.wind_up, self.stop), rarely_looking_for_cycles():
                for _ in range(self._places):
                    self._begin_next()
                if self._places:
                    await self._over
        finally:
            self._over.cancel()
            self._deadlines.close()
            for task in self._tasks:
                task.cancel()
            beating.cancel()
            await asyncio.wait((beating,))
        return self._ended

    def wind_up(self) -> None:
        """Begin nothing more, and give what is going on a moment to finish."""
        if self._ended.stop:
            return
        self._ended.stop = "interrupted"
        if self._watcher is not None and self._active:
            count = len(self._active)
            cases = "1 case that is" if count == 1 else f"{count} cases that are"
            self._watcher.stopping(f"stopping: {cases} going on may take {self._grace:g} s; Ctrl-C again stops at once")
        asyncio.get_running_loop().call_later(self._grace, self._cancel_all, "interrupted")

    def stop(self, why: Stop) -> None:
        """Stop at once."""
        if self._ended.stop in ("", "interrupted"):
            self._ended.stop = why
        self._cancel_all("interrupted" if why == "interrupted" else "the run was stopped")

    def _break(self, error: ToolgaugeError) -> None:
        """Stop because nothing further can succeed, or be kept."""
        if self._ended.error is None:
            self._ended.error = error
        self.stop("broken")

    def _cancel_all(self, reason: str) -> None:
        for trial in list(self._active.values()):
            trial.stop("cancelled", reason)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                self._recorder.beat()
            except StoreError as error:
                self._break(error)
                return

    def _begin_next(self) -> None:
        """Begin the next trial that is left, in a task of its own, or give up the place."""
        if self._beginning:
            # The one that is being begun has ended without having to wait: signals and others come first now.
            asyncio.get_running_loop().call_soon(self._begin_next)
            return
        planned = None if self._ended.stop or self._over.done() else next(self._left, None)
        if planned is None:
            self._places -= 1
            if not self._places and not self._over.done():
                self._over.set_result(None)
            return
        self._beginning = True
        try:
            self._start(self._try(planned))
        finally:
            self._beginning = False

    def _start(self, work: Coroutine[Any, Any, bool]) -> None:
        """Do part of the work on a trial, in a task and with context variables that no other part gets."""
        start_at_once(self._carry(work), self._context.copy())

    async def _carry(self, work: Coroutine[Any, Any, bool]) -> None:
        """Do part of the work on a trial, and begin the next one where that has ended this one."""
        task = _this_task()
        self._tasks.add(task)
        try:
            ended = await work
        except Exception as error:  # noqa: BLE001 - raised again by whoever waits for the run
            self._fail(error)
            return
        finally:
            self._tasks.discard(task)
        if ended:
            self._begin_next()

    async def _try(self, planned: Planned) -> bool:
        """Let the agent work on a trial.

        Returns:
            Whether the trial has ended here; otherwise somebody else goes on with it.
        """
        key = planned.key
        earlier = self._interrupted.get(key)
        agent = self._plan.agents[planned.agent]
        journal = _Journal(self._recorder, key, _attempts(earlier) + 1, self._harmless)
        if not getattr(agent, "uses_toolbox", False):
            # It may do something that cannot be undone without any tool of ours.
            try:
                journal.begin()
            except StoreError as error:
                self._break(error)
                return True
        limits = narrowed(self._plan.limits, planned.case.limits)
        trial = Trial(self._box, limits, journal=journal, clock=self._clock)
        if earlier is not None:
            trial.tell("retried", journal=list(earlier))
        self._active[key] = trial
        self._deadlines.add(trial, limits.seconds)
        task = _this_task()
        with (
            watch_retries(lambda retry: self._retried(trial, retry)),
            Watch(trial, task, lambda: self._leave(key, trial, task)),
        ):
            trajectory = await perform(agent, _question(planned.case), trial)
        if self._active.get(key) is not trial:
            return False  # it was left behind
        self._deadlines.remove(trial)
        judge = planned.case.judge
        wanted = trajectory.state == "completed" and not self._over.done()
        if wanted and judge is not None and self._judges is not None:
            # In a task of its own: the agent may have left something in this one that ends it.
            self._start(self._judge(planned.case, self._judges(judge.model), key, trajectory))
            return False
        self._end(key, trajectory)
        return True

    async def _judge(self, case: Case, model: Model, key: Key, trajectory: Trajectory) -> bool:
        """Ask a judge about a trial, which then has ended."""
        trial = self._active[key]
        with watch_retries(lambda retry: self._retried(trial, retry)):
            judged = await self._judged(case, model, trial, trajectory)
        self._end(key, judged)
        return True

    def _leave(self, key: Key, trial: Trial, task: asyncio.Task[None]) -> None:
        """Go on without a trial that does not stop."""
        self._deadlines.remove(trial)
        self._tasks.discard(task)
        try:
            self._end(key, left(trial))
        except Exception as error:  # noqa: BLE001 - raised again by whoever waits for the run
            self._fail(error)
            return
        self._begin_next()

    def _end(self, key: Key, trajectory: Trajectory) -> None:
        """Keep what came of a trial, unless nobody waits for the run any more."""
        trial = self._active.pop(key)
        if not self._over.done():
            self._keep(key, trajectory, trial)

    def _fail(self, error: Exception) -> None:
        if not self._over.done():
            self._over.set_exception(error)

    def _keep(self, key: Key, done: Trajectory, trial: Trial) -> None:
        trajectory = storable(replace(done, case=key[1], agent=key[0], trial=key[2]), self._secrets)
        if trial.broken is not None:
            self._break(trial.broken)
        if trial.broken is not None or trial.ending == "cancelled":
            self._ended.unfinished[key] = trajectory
            return
        try:
            (score,) = self._pipeline.process([trajectory])
        except StoreError as error:
            self._ended.unfinished[key] = replace(trajectory, state="cancelled", error="it could not be stored")
            self._break(error)
            return
        self._ended.finished.add(key)
        if self._watcher is not None:
            self._watcher.finished(trajectory, score)

    async def _judged(self, case: Case, model: Model, trial: Trial, trajectory: Trajectory) -> Trajectory:
        """The trajectory with the opinion of a judge on it."""
        task = asyncio.ensure_future(opinion(model, case, trajectory.output))
        ended = await settle(trial, task, None)
        if trial.ending is not None:
            return replace(trajectory, state="cancelled", error=trial.reason)
        if not ended or task.cancelled():
            return replace(trajectory, events=(*trajectory.events, {"kind": "judge", "error": "it was cancelled"}))
        error = task.exception()
        if isinstance(error, (ModelError, OutputError)):
            trial.broken = error
            return trajectory
        event = {"kind": "judge", "error": f"{type(error).__name__}: {error}"} if error is not None else task.result()
        return replace(trajectory, events=(*trajectory.events, event))

    def _retried(self, trial: Trial, retry: Retry) -> None:
        trial.events.append({"kind": "retry", **msgspec.to_builtins(retry)})
        if self._watcher is not None:
            self._watcher.retried()


class _Journal:
    """Takes down what cannot be undone, before it is done: first that the trial was begun, then each call."""

    __slots__ = ("_attempt", "_begun", "_harmless", "_key", "_recorder")

    def __init__(self, recorder: RunRecorder, key: Key, attempt: int, harmless: Collection[str]) -> None:
        self._recorder = recorder
        self._key = key
        self._attempt = attempt
        self._harmless = harmless
        self._begun = False

    def begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._recorder.begin(self._key, self._attempt)

    def __call__(self, event: Mapping[str, JsonValue]) -> None:
        if event["tool"] not in self._harmless:
            self.begin()
            self._recorder.journal(self._key, event)


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - whoever asks is in one
    return task


_NOTHING_SAID = Expect()


def _question(case: Case) -> Case:
    """The case without anything that would give the answer away."""
    return replace(case, expect=_NOTHING_SAID, budget=None, judge=None)


def _attempts(events: list[dict[str, JsonValue]] | None) -> int:
    return sum(event.get("kind") == "begun" for event in events) if events else 0
