"""A run whose trials are done by the workers of a Ray cluster, while this process gives them out and keeps them.

Each worker is an actor that runs the loop of `scheduler.py` behind a desk. This process fetches what the desks hold and
answers: which trial is next, that a call was recorded, that a trajectory is kept. So the store is written here, limits
of providers are counted here, and a worker that dies costs what it had in flight: others run that again.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from dataclasses import replace as with_changes
from typing import Any, Literal

from toolgauge.core import JsonValue, RequestLimits, RequestTurn, Scored, Selection, Trajectory, TrialKey, own_task
from toolgauge.errors import ClusterError, StoreError, ToolgaugeError, TrialTaken, UsageError
from toolgauge.pipeline import ScoringPipeline
from toolgauge.ray_cluster import MAX_TRIES, RayCluster

from .desk import Claimed, DeskAnswer, DeskRequest
from .event_loop import CLOSING_SECONDS, StopSignals
from .options import Agents, RunOptions
from .persist import RunRecorder
from .plan import PlannedTrial
from .remote_worker import RemoteWorker, WorkerEnd, WorkOrder
from .scheduler import RunEnd, score_alone
from .setup import Setup
from .sharing import trial_source
from .spending import Spending
from .store_calls import StoreCalls, keep_beating

__all__ = ["Distributor"]

THREADS = 4
"""Of one worker: one runs trials, one exchanges requests and answers, one hears that it is to stop."""

MAX_LOST = 3
"""After so many workers in a row that died before any trial was finished, no more are started."""


@dataclass(eq=False, slots=True)
class _Worker:
    """An actor, and what it has."""

    share: int
    """How many trials it runs at a time."""
    actor: Any = None
    flight: dict[TrialKey, PlannedTrial] = field(default_factory=dict)
    turns: dict[str, tuple[str, RequestLimits, RequestTurn]] = field(default_factory=dict)
    """Requests to providers that it may make at the moment."""
    spent: float = 0.0
    """Dollars of its trials in progress."""


class Distributor:
    """Runs what is left of a plan on a cluster."""

    def __init__(
        self, setup: Setup, agents: Agents, pipeline: ScoringPipeline, recorder: RunRecorder, options: RunOptions
    ) -> None:
        """Make ready.

        Args:
            setup: What is to be done, and with what.
            agents: What is run, as it was given.
            pipeline: Scores and keeps what no worker can do.
            recorder: Keeps what workers have done.
            options: How many trials are in progress at a time over all workers, and all else.
        """
        self._setup = setup
        self._agents = agents
        self._pipeline = pipeline
        self._recorder = recorder
        self._options = options
        self._watcher = options.watcher
        self._spending = Spending(options.max_cost)
        self._calls = StoreCalls(recorder)
        self._pacing = setup.models.pacing
        self._before = len(frozenset(recorder.done))
        self._source = trial_source(setup.plan, recorder, 1)
        self._returned: deque[PlannedTrial] = deque()
        """Trials that were in flight where a worker was lost."""
        self._events: dict[TrialKey, list[dict[str, JsonValue]]] = {}
        """What was recorded of trials in flight."""
        self._losses: Counter[TrialKey] = Counter()
        self._lost = 0
        self._workers: list[_Worker] = []
        self._ended = RunEnd()

    async def run(self) -> RunEnd:
        """Run what is left of the plan.

        Raises:
            UsageError: Ray is missing, or versions differ, or something cannot be sent to workers.
            ClusterError: The cluster cannot be used.
        """
        left = len(self._setup.plan) - self._before
        if self._watcher is not None:
            self._watcher.begin(len(self._setup.plan), self._before)
        if not left:
            return self._ended
        with RayCluster(self._options.ray_address).connected() as ray:
            self._ray = ray
            self._loop = asyncio.get_running_loop()
            self._actor = ray.remote(num_cpus=1, max_concurrency=THREADS, scheduling_strategy="SPREAD")(RemoteWorker)
            processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            at_once = min(self._options.concurrency, left)
            count = min(processors, at_once)
            self._workers = [_Worker(at_once // count + (number < at_once % count)) for number in range(count)]
            self._order = self._sent(ray)
            beating = own_task(keep_beating(self._recorder, self._calls, self._break))
            tasks = [own_task(self._employ(worker)) for worker in self._workers]
            try:
                with StopSignals(self.wind_up, self.stop, self._options.grace_seconds):
                    await self._until_over(tasks)
            finally:
                for task in (*tasks, beating):
                    task.cancel()
                await asyncio.wait((*tasks, beating))
                self._calls.close()
                for worker in self._workers:
                    self._kill(worker)
        return self._ended

    def _sent(self, ray: Any) -> Callable[[int], WorkOrder]:
        """What each worker is told, by how many trials it runs at a time."""
        setup, options = self._setup, self._options
        anywhere: dict[str, Any] = {one.name: one.default for one in fields(Selection)}
        plain = with_changes(
            options,
            **anywhere,
            watcher=None,
            tell=None,
            store=False,
            jobs=None,
            ray_address=None,
            resume=None,
            retry_errors=False,
            force=False,
            max_cost=None,
            prices=setup.models.prices or None,
        )

        def order(share: int) -> WorkOrder:
            return WorkOrder(
                setup.plan.suite,
                self._agents,
                with_changes(plain, concurrency=share),
                setup.secrets,
                setup.settings,
                setup.code,
                setup.benchmark,
                os.getcwd(),
            )

        try:
            ray.cloudpickle.dumps(order(1))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise UsageError(f"what is run cannot be sent to the workers of a Ray cluster: {what}") from error
        return order

    async def _until_over(self, tasks: list[asyncio.Task[None]]) -> None:
        """Wait until nothing is left, or nothing more is wanted and nobody has anything in flight."""
        waiting = set(tasks)
        while waiting:
            done, waiting = await asyncio.wait(waiting, timeout=0.2, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            ending = bool(self._ended.stop) or (bool(done) and not self._is_left())
            if ending and not any(worker.flight for worker in self._workers):
                # Those that are about to say how it went may do so; those that never had a place are not waited for.
                if waiting:
                    await asyncio.wait(waiting, timeout=CLOSING_SECONDS)
                return

    async def _employ(self, worker: _Worker) -> None:
        """Have a worker, and another one in its place whenever it is lost, until there is nothing left."""
        while not self._ended.stop:
            worker.actor = self._actor.remote()
            run = worker.actor.run.remote(self._order(worker.share))
            try:
                await self._serve(worker)
                self._over(worker, await run)
                return
            except self._ray.exceptions.RayTaskError as error:
                self._break(_explained(error))
                await self._lose(worker)
            except self._ray.exceptions.RayError as error:
                await self._lose(worker)
                self._lost += 1
                if self._lost >= MAX_LOST and not self._ended.stop:
                    words = (str(error).strip().splitlines() or [type(error).__name__])[0]
                    self._break(ClusterError(f"workers of the Ray cluster die before they finish anything: {words}"))

    async def _serve(self, worker: _Worker) -> None:
        """Do what a worker asks for, until it asks for nothing more."""
        answers: list[DeskAnswer] = []
        while (requests := await worker.actor.exchange.remote(answers)) is not None:
            answers = [await self._answer(worker, DeskRequest(*request)) for request in requests]

    async def _answer(self, worker: _Worker, request: DeskRequest) -> DeskAnswer:
        try:
            return DeskAnswer(request.number, await getattr(self, f"_on_{request.what}")(worker, *request.args))
        except TrialTaken as error:
            return DeskAnswer(request.number, error=error)
        except ToolgaugeError as error:
            self._break(error)
            return DeskAnswer(request.number, error=error)

    async def _on_claim(self, worker: _Worker, most: int, spent: float) -> list[Claimed]:
        worker.spent = spent
        found: list[Claimed] = []
        while len(found) < most and not self._ended.stop:
            planned = await self._next(worker)
            if planned is None:
                break
            if self._spending.reached(self._workers):
                self._returned.appendleft(planned)
                self._end_spending()
                break
            key = planned.key
            worker.flight[key] = planned
            begun = self._events.get(key) or self._recorder.interrupted.get(key)
            found.append(Claimed(key, list(begun) if begun else None, self._recorder.retried.get(key)))
        return found

    async def _next(self, worker: _Worker) -> PlannedTrial | None:
        """The next trial for a worker.

        One that was in flight when workers were lost may be why they were: the last time it is tried, it is alone.
        """
        if any(self._losses[key] >= MAX_TRIES - 1 for key in worker.flight):
            return None
        for planned in self._returned:
            if self._losses[planned.key] < MAX_TRIES - 1 or not worker.flight:
                self._returned.remove(planned)
                return planned
        return await self._calls.make(self._source.next)

    async def _on_left(self, worker: _Worker) -> bool:  # noqa: ARG002 - as all that workers ask
        if self._ended.stop:
            return False
        return self._is_left() or await self._calls.make(self._source.left)

    def _is_left(self) -> bool:
        return bool(self._returned) or any(worker.flight for worker in self._workers)

    async def _on_begin(self, worker: _Worker, key: TrialKey, attempt: int) -> None:
        if key in worker.flight:
            await self._calls.make(self._recorder.begin, key, attempt)
            self._recorded(key).append({"kind": "begun", "attempt": attempt})

    async def _on_journal(self, worker: _Worker, key: TrialKey, event: dict[str, JsonValue]) -> None:
        if key in worker.flight:
            await self._calls.make(self._recorder.journal, key, event)
            self._recorded(key).append(event)

    def _recorded(self, key: TrialKey) -> list[dict[str, JsonValue]]:
        return self._events.setdefault(key, list(self._recorder.interrupted.get(key, ())))

    async def _on_append(self, worker: _Worker, scored: Scored, spent: float) -> None:
        trajectory = scored.trajectory
        key = trajectory.agent, trajectory.case, trajectory.trial
        worker.spent = spent
        if key not in worker.flight:
            raise TrialTaken
        try:
            await self._calls.make(self._recorder.extend, [scored])
        except TrialTaken:
            self._done_with(worker, key)
            raise
        self._done_with(worker, key)
        self._lost = 0
        self._ended.elsewhere.add(key)
        if self._recorder.lost is not None:
            self._break(self._recorder.lost)
        if self._watcher is not None:
            self._watcher.finished(trajectory, scored.score)
            for _ in range(sum(event.get("kind") == "retry" for event in trajectory.events)):
                self._watcher.retried()
        self._spending.add(trajectory)

    def _done_with(self, worker: _Worker, key: TrialKey) -> None:
        worker.flight.pop(key, None)
        self._events.pop(key, None)
        self._source.over(key)

    async def _on_take(
        self, worker: _Worker, endpoint: str, limits: tuple[Any, ...], tokens: float
    ) -> tuple[str, float]:
        known = RequestLimits(*limits)
        turn = await self._calls.make(self._pacing.take, endpoint, known, tokens)
        if turn.id:
            worker.turns[turn.id] = endpoint, known, turn
        return turn.id, turn.wait

    async def _on_give_back(
        self, worker: _Worker, endpoint: str, limits: tuple[Any, ...], turn: tuple[Any, ...], more: float
    ) -> None:
        known = RequestTurn(*turn)
        worker.turns.pop(known.id, None)
        await self._calls.make(self._pacing.give_back, endpoint, RequestLimits(*limits), known, more)

    def _over(self, worker: _Worker, ended: WorkerEnd) -> None:
        """Take note of how it ended for a worker."""
        for warning in ended.warnings:
            self._options.say(warning)
        self._ended.unfinished.update(ended.unfinished)
        worker.flight.clear()
        worker.spent = 0.0
        if ended.error is not None:
            self._break(ended.error)

    async def _lose(self, worker: _Worker) -> None:
        """Have others do what a worker had in flight that is no longer there."""
        self._kill(worker)
        flight, worker.flight, worker.spent = worker.flight, {}, 0.0
        turns, worker.turns = worker.turns, {}
        for endpoint, limits, turn in turns.values():
            await self._calls.make(self._pacing.give_back, endpoint, limits, turn, 0.0)
        if flight and not self._ended.stop:
            count = "1 case" if len(flight) == 1 else f"{len(flight)} cases"
            self._options.say(f"a worker of the Ray cluster was lost; {count} in flight there will be run again")
        for key, planned in flight.items():
            self._losses[key] += 1
            if self._losses[key] < MAX_TRIES:
                self._returned.append(planned)
            else:
                await self._give_up(worker, key)

    async def _give_up(self, worker: _Worker, key: TrialKey) -> None:
        """Keep a trial that no worker survives as one that failed."""
        agent, case, trial = key
        why = f"the worker of the Ray cluster that ran it died, {MAX_TRIES} times"
        failed = Trajectory(case, agent, trial, "error", error=why)
        try:
            made = await self._calls.make(score_alone, failed, self._pipeline, self._setup.secrets)
        except StoreError as error:
            self._break(error)
            return
        self._done_with(worker, key)
        self._ended.finished.add(key)
        self._lost = 0
        if self._watcher is not None:
            self._watcher.finished(*made)

    def wind_up(self) -> None:
        """Begin nothing more, and give what is in progress a moment to finish."""
        if self._ended.stop not in ("", "budget"):
            return
        self._ended.stop = "interrupted"
        count = sum(len(worker.flight) for worker in self._workers)
        grace = self._options.grace_seconds
        if self._watcher is not None and count:
            cases = "1 case" if count == 1 else f"{count} cases"
            self._watcher.stopping(f"stopping: {cases} in flight may take {grace:g} s; Ctrl-C again stops at once")
        for worker in self._workers:
            if worker.actor is not None:
                worker.actor.wind_up.remote()
        self._loop.call_later(grace + CLOSING_SECONDS, self._forget_flights)

    def stop(self, why: Literal["interrupted", "terminated", "broken"]) -> None:
        """Stop at once."""
        if self._ended.stop in ("", "interrupted", "budget"):
            self._ended.stop = why
        for worker in self._workers:
            if worker.actor is not None:
                worker.actor.stop.remote(why)
        self._loop.call_later(CLOSING_SECONDS, self._forget_flights)

    def _forget_flights(self) -> None:
        """Wait no longer for workers that do not stop."""
        for worker in self._workers:
            worker.flight.clear()

    def _end_spending(self) -> None:
        """Begin nothing more, because the run may not cost more."""
        self._ended.stop = "budget"
        if self._watcher is not None:
            count = sum(len(worker.flight) for worker in self._workers)
            self._watcher.stopping(self._spending.words(count))

    def _break(self, error: ToolgaugeError) -> None:
        """Stop because nothing further can succeed, or be kept."""
        if self._ended.error is None:
            self._ended.error = error
        self.stop("broken")

    def _kill(self, worker: _Worker) -> None:
        if worker.actor is not None:
            self._ray.kill(worker.actor)
            worker.actor = None


def _explained(error: Any) -> ToolgaugeError:
    """What a worker could not do, as it would be said here."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, ToolgaugeError):
        return type(cause)(*cause.args)
    words = next((line.strip() for line in reversed(str(error).splitlines()) if line.strip()), type(error).__name__)
    return ClusterError(f"a worker of the Ray cluster failed: {words}")
