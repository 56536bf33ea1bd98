"""So many trials at a time, each scored and kept the moment it is finished."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, ParamSpec

from msgspec.structs import replace

from toolgauge.core import Score, Trajectory, TrialKey, own_task, relaxed_gc
from toolgauge.errors import StoreError, ToolgaugeError, TrialTaken, UsageError
from toolgauge.models import Retry, watch_retries
from toolgauge.pipeline import ScoringPipeline
from toolgauge.secrets import Secrets

from .agent_task import StopGuard, abandoned, run_agent
from .deadlines import Deadlines
from .event_loop import StopSignals
from .journal import TrialJournal, answer_event, answered_before, attempts, earlier_tries, retry_event
from .opinions import Request, asked_about, cancelled, without_opinions
from .options import RunOptions, Stop
from .persist import RunRecorder
from .plain import storable, unscorable
from .plan import PlannedTrial, with_overrides, without_answer
from .setup import Setup
from .sharing import trial_source
from .spending import Spending
from .store_calls import StoreCalls, keep_beating
from .trial import Trial
from .watchdog import LoopWatch, current_trial

__all__ = ["RunEnd", "Scheduler", "score_alone"]

P = ParamSpec("P")

LOOK_SECONDS = 0.5
"""So often a process that has nothing to do looks whether others have given up something."""


@dataclass(slots=True)
class RunEnd:
    """How a run ended."""

    stop: Stop = ""
    error: ToolgaugeError | None = None
    """What broke it."""
    finished: set[TrialKey] = field(default_factory=set)
    """Trials that were finished, kept and counted here."""
    elsewhere: set[TrialKey] = field(default_factory=set)
    """Trials that workers finished elsewhere, which are kept and not counted yet."""
    unfinished: dict[TrialKey, Trajectory] = field(default_factory=dict)
    """Trials that were begun and not finished, as far as they got. They are not kept, and begin anew when the run is
    resumed."""


class Scheduler:
    """Runs what is left of a plan.

    Of many trials that end together one is kept in each round of the event loop, and the task of its successor comes
    before the next one is kept. So a successor waits for its model while the others are scored and stored; otherwise
    first everybody would wait, and then everybody work.
    """

    def __init__(self, setup: Setup, pipeline: ScoringPipeline, recorder: RunRecorder, options: RunOptions) -> None:
        """Make ready.

        Args:
            setup: What is to be done, and with what.
            pipeline: Scores, keeps and counts a finished trajectory, at once.
            recorder: Records that a trial begins, and what it does that cannot be undone.
            options: How many trials are in progress at a time, how long they may take after Ctrl-C, who is notified.
        """
        self._plan = setup.plan
        self._opinions = setup.opinions
        self._settings = setup.plan.suite.settings
        self._secrets = setup.secrets
        self._box = setup.toolset.caller(setup.cassette)
        self._harmless = setup.toolset.mocks
        # Each agent has definitions of its own: what it does to them changes no schema that calls are checked by.
        self._definitions = {name: deepcopy(self._box.definitions) for name in self._plan.agents}
        self._pipeline = pipeline
        self._recorder = recorder
        self._concurrency = options.concurrency
        self._grace = options.grace_seconds
        self._spending = Spending(options.max_cost)
        self._watcher = options.watcher
        self._say = options.say
        self._before = len(frozenset(recorder.done))
        self._source = trial_source(self._plan, recorder, options.concurrency)
        self._calls = StoreCalls(recorder)
        self._active: dict[TrialKey, Trial] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._finished: deque[tuple[TrialKey, Trajectory, Trial]] = deque()
        """Trials that are over and not kept yet."""
        self._keeper: asyncio.Task[None] | None = None
        self._places = 0
        """How many trials are in progress, or about to be begun."""
        self._idle = 0
        """How many more could be, if others do not finish what they have."""
        self._ended = RunEnd()

    @property
    def spent(self) -> float:
        """Dollars that the trials in progress have taken so far, as far as they are known."""
        return sum(trial.spent for trial in list(self._active.values()))

    async def run(self) -> RunEnd:
        """Run what is left of the plan."""
        if self._watcher is not None:
            self._watcher.begin(len(self._plan), self._before)
        self._places = min(self._concurrency, len(self._plan) - self._before)
        self._loop = asyncio.get_running_loop()
        self._over: asyncio.Future[None] = self._loop.create_future()
        self._context = copy_context()
        self._deadlines = Deadlines()
        stuck = None if self._watcher is None else self._watcher.stuck
        beating = own_task(keep_beating(self._recorder, self._calls, self._break))
        try:
            with (
                StopSignals(self.wind_up, self.stop, self._grace) as signals,
                LoopWatch(self._say, lambda: [agent for agent, _, _ in list(self._active)], signals, stuck),
                relaxed_gc(),
            ):
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
            self._calls.close()
            await asyncio.wait((beating,))
        return self._ended

    def wind_up(self) -> None:
        """Begin nothing more, and give what is in progress a moment to finish."""
        if self._ended.stop not in ("", "budget"):
            return
        self._ended.stop = "interrupted"
        if self._watcher is not None and self._active:
            count = len(self._active)
            cases = "1 case" if count == 1 else f"{count} cases"
            self._watcher.stopping(
                f"stopping: {cases} in flight may take {self._grace:g} s; Ctrl-C again stops at once"
            )
        self._loop.call_later(self._grace, self._cancel_all, "interrupted")

    def stop(self, why: Stop) -> None:
        """Stop at once."""
        if self._ended.stop in ("", "interrupted", "budget"):
            self._ended.stop = why
        self._cancel_all("interrupted" if why == "interrupted" else "the run was stopped")

    def _end_spending(self) -> None:
        """Begin nothing more, because the run may not cost more."""
        self._ended.stop = "budget"
        if self._watcher is not None:
            self._watcher.stopping(self._spending.words(len(self._active)))

    def _break(self, error: ToolgaugeError) -> None:
        """Stop because nothing further can succeed, or be kept."""
        if self._ended.error is None:
            self._ended.error = error
        self.stop("broken")

    def _cancel_all(self, reason: str) -> None:
        for trial in list(self._active.values()):
            trial.stop("cancelled", reason)

    def _begin_next(self) -> None:
        """Begin the next trial that is left, or give up the place."""
        if not self._calls.at_once and not self._is_ending:
            self._start(self._begin_when_known)
            return
        try:
            planned, waits = self._next_trial()
        except StoreError as error:
            self._break(error)
            planned, waits = None, False
        self._begin(planned, waits=waits)

    async def _begin_when_known(self) -> bool:
        """The same, where somebody else has to be asked for the next one; whether there may be one later."""
        try:
            planned, waits = await self._calls.make(self._next_trial)
        except StoreError as error:
            self._break(error)
            planned, waits = None, False
        self._begin(None if self._is_ending else planned, waits=waits and not self._is_ending)
        return waits

    @property
    def _is_ending(self) -> bool:
        return bool(self._ended.stop) or self._over.done()

    def _next_trial(self) -> tuple[PlannedTrial | None, bool]:
        """The next trial, and whether there may be one later where there is none."""
        if self._is_ending:
            return None, False
        planned = self._source.next()
        return planned, planned is None and self._source.left()

    def _begin(self, planned: PlannedTrial | None, *, waits: bool) -> None:
        """Begin a trial; without one, wait or give up the place."""
        if waits:
            self._idle += 1
            if self._idle == 1:
                self._loop.call_later(LOOK_SECONDS, self._start, self._look_again)
            return
        if planned is not None and self._spending.reached(self._active.values()):
            self._end_spending()
        elif planned is not None:
            self._start(self._try, planned)
            return
        self._places -= 1
        if not self._places and not self._over.done():
            self._over.set_result(None)

    async def _look_again(self) -> None:
        """See whether there is something to do after all, because another process gave up what it had."""
        idle, self._idle = self._idle, 0
        while idle:
            idle -= 1
            if await self._begin_when_known():
                break
        self._idle += idle  # where there was nothing for one, there is nothing for the others

    def _start(self, work: Callable[P, Coroutine[Any, Any, object]], *args: P.args, **more: P.kwargs) -> None:
        """Do part of the work on a trial, in a task and with context variables that no other part gets."""
        task = own_task(self._guarded(work, *args, **more), context=self._context.copy())
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # only what ends the loop itself, which raises it: nobody has to be told again

    async def _guarded(self, work: Callable[P, Coroutine[Any, Any, object]], *args: P.args, **more: P.kwargs) -> None:
        try:
            await work(*args, **more)
        except Exception as error:  # noqa: BLE001 - raised again by whoever waits for the run
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        if not self._over.done():
            self._over.set_exception(error)

    async def _try(self, planned: PlannedTrial) -> None:
        """Let the agent work on a trial."""
        if self._ended.stop:
            # The run was stopped after this task was made, and before it had a turn.
            self._begin_next()
            return
        key = planned.key
        earlier, ended = self._recorder.interrupted.get(key), self._recorder.retried.get(key)
        if (answered := answered_before(earlier)) is not None:
            self._resume_asking(planned, answered)
            return
        agent = self._plan.agents[planned.agent]
        journal = TrialJournal(self._recorder, self._calls, key, attempts(earlier, ended) + 1, self._harmless)
        if not getattr(agent, "uses_toolbox", False):
            # It may do something that cannot be undone without any tool of ours.
            try:
                await journal.begin()
            except StoreError as error:
                self._break(error)
                self._begin_next()
                return
        limits = with_overrides(self._plan.limits, planned.case.limits)
        definitions = self._definitions.get(planned.agent)
        trial = self._active[key] = Trial(self._box, limits, journal=journal, definitions=definitions)
        if earlier is not None:
            trial.tell("retried", journal=list(earlier))
        if ended is not None:
            trial.events.extend(earlier_tries(ended))
        current_trial.set((planned.agent, trial))
        task = _this_task()
        with (
            watch_retries(lambda retry: self._retried(trial, retry), trial.waits),
            StopGuard(trial, task, lambda: self._leave(key, trial, task, abandoned(trial))),
        ):
            shown = without_answer(planned.case, self._settings)
            done = await run_agent(agent, shown, trial, lambda: self._deadlines.add(trial, limits.seconds))
        if self._active.get(key) is not trial:
            return  # it was left behind
        self._deadlines.remove(trial)
        trajectory = without_opinions(done)
        if self._opinions.concern(planned.case):
            # What a model is asked about is what will be kept, and not whatever an agent has returned.
            trajectory = storable(replace(trajectory, case=key[1], agent=key[0], trial=key[2]), Secrets({}))
        wanted = self._opinions.wanted(planned.case, trajectory)
        if wanted and not self._over.done():
            try:
                await self._calls.make(self._recorder.journal, key, answer_event(key, trajectory, self._secrets))
            except StoreError as error:
                trial.broken = error
                self._end(key, trajectory)
                return
            # In a task of its own: the agent may have left something in this one that ends it.
            self._start(self._ask, wanted, key, trajectory)
            return
        self._end(key, trajectory)

    def _resume_asking(self, planned: PlannedTrial, trajectory: Trajectory) -> None:
        """Ask models about a trial whose agent was done before: it is not asked again."""
        key = planned.key
        self._active[key] = Trial(self._box, with_overrides(self._plan.limits, planned.case.limits))
        wanted = self._opinions.wanted(planned.case, trajectory)
        if wanted:
            self._start(self._ask, wanted, key, trajectory)
        else:
            self._end(key, trajectory)

    async def _ask(self, wanted: list[Request], key: TrialKey, trajectory: Trajectory) -> None:
        """Ask models about a trial, which then has ended."""
        trial, task = self._active[key], _this_task()
        with (
            watch_retries(lambda retry: self._retried(trial, retry)),
            StopGuard(trial, task, lambda: self._leave(key, trial, task, cancelled(trajectory, trial))),
        ):
            told = await asked_about(wanted, trial, trajectory)
        if self._active.get(key) is trial:
            self._end(key, told)

    def _leave(self, key: TrialKey, trial: Trial, task: asyncio.Task[None], trajectory: Trajectory) -> None:
        """Carry on without a trial that does not stop."""
        self._deadlines.remove(trial)
        self._tasks.discard(task)
        self._end(key, trajectory)

    def _end(self, key: TrialKey, trajectory: Trajectory) -> None:
        """Put a trial that has ended among those that are to be kept."""
        self._finished.append((key, trajectory, self._active.pop(key)))
        if self._keeper is None:
            self._keeper = own_task(self._keep_all(), context=self._context.copy())

    async def _keep_all(self) -> None:
        """Keep what came of trials, one by one, unless nobody waits for the run any more, and begin as many others."""
        while self._finished:
            key, trajectory, trial = self._finished.popleft()
            try:
                if not self._over.done():
                    await self._keep(key, trajectory, trial)
            except Exception as error:  # noqa: BLE001 - raised again by whoever waits for the run
                self._fail(error)
            self._source.over(key)
            self._begin_next()
            if self._finished:
                await asyncio.sleep(0)
        self._keeper = None

    async def _keep(self, key: TrialKey, done: Trajectory, trial: Trial) -> None:
        trajectory = storable(replace(done, case=key[1], agent=key[0], trial=key[2]), self._secrets)
        if trial.broken is not None:
            self._break(trial.broken)
        if trial.broken is not None or trial.ending == "cancelled":
            self._ended.unfinished[key] = trajectory
            return
        try:
            trajectory, score = await self._calls.make(score_alone, trajectory, self._pipeline, self._secrets)
        except TrialTaken:
            return  # another process has it, and what that one keeps counts
        except StoreError as error:
            self._ended.unfinished[key] = replace(trajectory, state="cancelled", error="it could not be stored")
            self._break(error)
            return
        self._ended.finished.add(key)
        if self._recorder.lost is not None:
            self._break(self._recorder.lost)
        if self._watcher is not None:
            self._watcher.finished(trajectory, score)
        try:
            self._spending.add(trajectory)
        except UsageError as error:
            self._break(error)

    def _retried(self, trial: Trial, retry: Retry) -> None:
        trial.events.append(retry_event(retry))
        if self._watcher is not None:
            self._watcher.retried()


def score_alone(trajectory: Trajectory, pipeline: ScoringPipeline, secrets: Secrets) -> tuple[Trajectory, Score]:
    """Score, keep and count one trajectory. If that cannot be done, it is an error of its case.

    Raises:
        ToolgaugeError: Nothing can be kept any more.
    """
    try:
        (score,) = pipeline.process([trajectory])
    except ToolgaugeError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever one trajectory sets off, the others go on
        trajectory = storable(unscorable(trajectory, error), secrets)
        (score,) = pipeline.process([trajectory])
    return trajectory, score


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - whoever asks is in one
    return task
