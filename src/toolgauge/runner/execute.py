"""Executing a run from beginning to end: set up, scheduled, kept, added up, and all of its plan accounted for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace as with_changes

from msgspec.structs import replace

from toolgauge.agents import read_headers
from toolgauge.core import PathLike, Run, Scored, Suite, Trajectory, TrialKey
from toolgauge.errors import OutputError, StoreError, StoreLost, ToolgaugeError, UsageError
from toolgauge.metrics import chosen_label
from toolgauge.models import address_of
from toolgauge.pipeline import MemorySink, ScoringOptions, ScoringPipeline
from toolgauge.secrets import Secrets
from toolgauge.store import RunFile, check_places, open_store
from toolgauge.tools import adopting

from .credentials import addresses_of, check_addresses, headers_of, known_secrets
from .options import Agents, RunOptions, RunOutcome
from .persist import MemoryRecorder, RunRecorder, store_run
from .plan import RunPlan
from .scheduler import RunEnd, Scheduler, score_alone
from .selecting import ChosenCases
from .setup import Setup, set_up

__all__ = ["execute_run"]

MAX_REASON = 300
"""How many characters are shown of why every trial failed."""


async def execute_run(suite: Suite | PathLike, agents: Agents, options: RunOptions) -> RunOutcome:
    """Run agents on the cases of a suite, and say how that ended, however it was.

    Raises:
        ToolgaugeError: Nothing was run.
    """
    given = read_headers(options.agent_headers) if options.agent_headers else {}
    headers = {**headers_of(agents), **given}
    named = [model for model in (options.model, options.judge_model, options.answer_model) if isinstance(model, str)]
    asked_at = [address for model in named if (address := address_of(model)) is not None]
    check_addresses([*addresses_of(agents, options.mcp), *asked_at, options.base_url or ""])
    secrets = known_secrets(options.base_url, [*addresses_of(agents, options.mcp), *asked_at], headers)
    if options.store:
        secrets = secrets.including(url=os.fspath(options.store))
    if options.tell is not None:
        listener = options.tell
        options = with_changes(options, tell=lambda words: listener(secrets.redact(words)))
    with _redacting(secrets):
        if options.trials < 1 or options.concurrency < 1:
            raise UsageError("trials and concurrency have to be at least 1")
        if options.jobs is None and options.ray_address is not None:
            raise UsageError("--ray-address is for --jobs ray; add it")
        if options.jobs is not None and (options.record is not None or options.replay is not None):
            raise UsageError("exchanges are recorded and replayed by one process; leave out --jobs ray")
        source = None if isinstance(suite, Suite) else suite
        store_url = None if options.store is False else options.store
        prices = None if isinstance(options.prices, Mapping) else options.prices
        check_places({"--record": options.record}, (source, options.replay, prices, options.failed_of), store_url)
        async with AsyncExitStack() as stack:
            # The store comes first: where nothing can be kept, nothing is to be asked.
            store = None if options.store is False else stack.enter_context(open_store(options.store))
            for warning in store.warnings if store is not None else ():
                options.say(warning)
            chosen = ChosenCases(options, store)
            pacing = None if store is None else store.pacing()
            setup = await set_up(suite, agents, options, secrets, stack, chosen, pacing)
            recorder = MemoryRecorder(setup) if store is None else store_run(store, setup, options)
            with adopting():
                return await RunSession(setup, agents, recorder, options).run()


class RunSession:
    """A run that is set up and has a place to be kept."""

    def __init__(self, setup: Setup, agents: Agents, recorder: RunRecorder, options: RunOptions) -> None:
        label = chosen_label(setup.shown, options.by)
        scoring = ScoringOptions(setup.shown, label, grounding=options.grounding, scorers=setup.scorers)
        self._setup = setup
        self._agents = agents
        self._recorder = recorder
        self._options = options
        self._pipeline = ScoringPipeline(scoring, recorder, agents=setup.plan.agents)

    async def run(self) -> RunOutcome:
        """Run what is left of the plan, and account for all of it."""
        try:
            ended = await self._ended()
        except BaseException:
            self._recorder.finish("interrupted")
            raise
        for warning in await self._setup.close():
            self._options.say(warning)
        return self._conclude(ended)

    async def _ended(self) -> RunEnd:
        """How running what is left of the plan ended, here or on a cluster."""
        if self._options.jobs is None:
            return await Scheduler(self._setup, self._pipeline, self._recorder, self._options).run()
        from .distributing import Distributor  # nobody else needs it

        return await Distributor(self._setup, self._agents, self._pipeline, self._recorder, self._options).run()

    def _conclude(self, ended: RunEnd) -> RunOutcome:
        """Add up what there is, with everything that was planned and did not come about."""
        plan, pipeline = self._setup.plan, self._pipeline
        before = (set(self._recorder.done) | ended.elsewhere) - ended.finished
        # What was to be retried, and was not, is what it was.
        standing = self._recorder.retried.keys() - ended.finished - ended.elsewhere
        before |= standing
        header, finished = self._recorder.kept()
        if before:
            pipeline.add(one for one in finished if _key(one.trajectory) in before)
        missing = MemorySink()
        pipeline.redirect(missing)
        for planned in plan:
            if planned.key not in before and planned.key not in ended.finished:
                agent, case, trial = planned.key
                undone = ended.unfinished.get(planned.key) or Trajectory(case, agent, trial, "not_run")
                score_alone(undone, pipeline, self._setup.secrets)
        error = ended.error
        try:
            self._recorder.finish("interrupted" if missing else "finished")
        except StoreError as failure:
            error = error or failure
        if self._recorder.lost is not None:
            error, finished = self._rescued(self._recorder.lost)
        summary = pipeline.summary(header.selection)
        header = replace(header, trajectories=len(plan), notes=summary.notes)
        run = Run(header, summary, _Ordered(plan, finished, missing))
        if error is not None:
            _redact(error, self._setup.secrets)
        left = len(missing) + len(standing)
        why = "" if error is not None or ended.stop else self._setup.secrets.redact(_common_failure(run))
        return RunOutcome(run, self._recorder.run_id, self._setup.secrets, ended.stop, error, left, why)

    def _rescued(self, lost: StoreLost) -> tuple[ToolgaugeError, Iterable[Scored]]:
        """What to say where the store is gone, and the trajectories, which are saved somewhere else."""
        try:
            place = self._recorder.rescue()
        except (StoreError, OutputError) as error:
            return StoreLost(f"{lost}\nFinished work could not be saved: {error}"), ()
        hint = f"Finished work is saved in {place}; import it with: toolgauge runs import {place}"
        return StoreLost(f"{lost}\n{hint}"), RunFile(place)


def _common_failure(run: Run) -> str:
    """Why every trial ended in error, in a line; nothing where one did not."""
    counts = run.summary.counts
    if not counts.planned or counts.error < counts.planned:
        return ""
    reasons = Counter(_first_line(scored.trajectory.error or "no reason was given") for scored in run.scored)
    ((reason, number),) = reasons.most_common(1)
    share = "" if number == counts.planned else f" ({number} of {counts.planned} times)"
    return f"every case ended in error: {reason}{share}"


def _first_line(text: str) -> str:
    begins = (text.strip().splitlines() or [""])[0]
    return begins if len(begins) <= MAX_REASON else begins[:MAX_REASON] + "…"


@contextmanager
def _redacting(secrets: Secrets) -> Iterator[None]:
    """Take credentials out of the messages of errors."""
    try:
        yield
    except BaseException as error:
        _redact(error, secrets)
        raise


def _redact(error: BaseException | None, secrets: Secrets) -> None:
    """Take credentials out of the message of an error, and of those behind it."""
    while error is not None:
        error.args = tuple(secrets.redact(arg) if isinstance(arg, str) else arg for arg in error.args)
        error = error.__cause__ or error.__context__


def _key(trajectory: Trajectory) -> TrialKey:
    return trajectory.agent, trajectory.case, trajectory.trial


class _Ordered:
    """The trajectories of a run in the order of its plan, whatever the order in which they were finished."""

    def __init__(self, plan: RunPlan, finished: Iterable[Scored], missing: Sequence[Scored]) -> None:
        self._agents = {name: number for number, name in enumerate(plan.agents)}
        self._cases = {case.id: number for number, case in enumerate(plan.suite.cases)}
        self._finished = finished
        self._missing = missing

    def __iter__(self) -> Iterator[Scored]:
        return iter(sorted([*self._finished, *self._missing], key=self._place))

    def _place(self, scored: Scored) -> tuple[int, int, int]:
        agent, case, trial = _key(scored.trajectory)
        return self._agents[agent], self._cases[case], trial
