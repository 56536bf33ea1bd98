"""One worker of a run that is spread over a cluster: the same loop as anywhere, behind a desk."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Literal

from toolgauge.core import CodeTool, JsonValue, PathLike, Suite, Trajectory, TrialKey
from toolgauge.errors import ToolgaugeError, UsageError
from toolgauge.metrics import chosen_label
from toolgauge.pipeline import ScoringOptions, ScoringPipeline
from toolgauge.secrets import Secrets

from .desk import Desk, DeskAnswer, DeskRequest, RemotePacing, RemoteRecorder
from .event_loop import run_in_loop
from .options import Agents, RunOptions
from .scheduler import Scheduler
from .setup import Setup, set_up

__all__ = ["RemoteWorker", "WorkOrder", "WorkerEnd"]


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """Everything that a worker has to know of a run."""

    suite: Suite
    agents: Agents
    options: RunOptions
    secrets: Secrets
    settings: dict[str, JsonValue]
    """What has to be the same there as here."""
    code: Sequence[CodeTool] = ()
    """Tools in Python that the file of the suite names."""
    benchmark: PathLike | None = None
    """The shipped suite that this is, whose tools come along."""
    folder: str = ""
    """Where the run was begun."""


@dataclass(slots=True)
class WorkerEnd:
    """How it ended for one worker."""

    error: ToolgaugeError | None = None
    """What broke it."""
    unfinished: dict[TrialKey, Trajectory] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class RemoteWorker:
    """Runs trials that it gets from elsewhere, and keeps nothing.

    Its methods are called in different threads. None of them is a coroutine: Ray would call all of them in one loop.
    """

    def __init__(self) -> None:
        self.desk = Desk()
        self.scheduler: Scheduler | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.stopped: Literal["", "interrupted", "terminated", "broken", "wind_up"] = ""

    def run(self, order: WorkOrder) -> WorkerEnd:
        """Run trials until there are no more.

        Raises:
            ToolgaugeError: Nothing could be run here.
        """
        if os.path.isdir(order.folder):
            os.chdir(order.folder)  # files and modules are named from where the run was begun
        try:
            return run_in_loop(_run(self, order))
        finally:
            self.desk.close()

    def exchange(self, answers: Iterable[DeskAnswer]) -> list[DeskRequest] | None:
        """Hand over answers, and take the requests that are there; None: there will be no more."""
        return self.desk.exchange(answers)

    def wind_up(self) -> None:
        """Begin nothing more, and give what is in progress a moment to finish."""
        self.stopped = self.stopped or "wind_up"
        if self.scheduler is not None and self.loop is not None:
            self.loop.call_soon_threadsafe(self.scheduler.wind_up)

    def stop(self, why: Literal["interrupted", "terminated", "broken"]) -> None:
        """Stop at once."""
        self.stopped = why
        if self.scheduler is not None and self.loop is not None:
            self.loop.call_soon_threadsafe(self.scheduler.stop, why)


async def _run(worker: RemoteWorker, order: WorkOrder) -> WorkerEnd:
    recorder = RemoteRecorder(worker.desk)
    secrets = order.secrets.joined(Secrets.from_environment())
    if "" not in sys.path:
        sys.path.insert(0, "")
    async with AsyncExitStack() as stack:
        pacing = RemotePacing(worker.desk)
        setup = await set_up(
            order.suite,
            order.agents,
            order.options,
            secrets,
            stack,
            pacing=pacing,
            code=order.code,
            benchmark=order.benchmark,
        )
        _compare(setup, order.settings)
        label = chosen_label(setup.shown, order.options.by)
        scoring = ScoringOptions(setup.shown, label, grounding=order.options.grounding, scorers=setup.scorers)
        pipeline = ScoringPipeline(scoring, recorder, agents=setup.plan.agents)
        worker.loop = asyncio.get_running_loop()
        worker.scheduler = scheduler = Scheduler(setup, pipeline, recorder, order.options)
        recorder.spent = lambda: scheduler.spent
        if worker.stopped:
            return WorkerEnd()
        ended = await scheduler.run()
        return WorkerEnd(ended.error, ended.unfinished, tuple(await setup.close()))


def _compare(setup: Setup, settings: dict[str, JsonValue]) -> None:
    """Make sure that this worker has what the run was begun with.

    Raises:
        UsageError: It has something else.
    """
    for name, value in setup.settings.items():
        # The suite was sent; its hash tells apart texts that are equal and those that are the same object.
        if name != "suite" and settings.get(name) != value:
            raise UsageError(
                f"a worker of the Ray cluster has other settings ({name}) than this process; give every node the same "
                "code, files and environment"
            )
