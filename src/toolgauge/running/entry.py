"""Running agents from Python, in a program with an event loop or without."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Literal, Unpack

from toolgauge.core import Model, Run, Suite
from toolgauge.errors import UsageError
from toolgauge.store import Store

from .carrying import carry_out
from .loops import run_in_loop
from .options import Agents, Conducted, PathLike, RunOptions, tell
from .setup import set_up

__all__ = ["run", "run_async", "run_whole"]


def run(
    suite: Suite | PathLike,
    agents: Agents = "tools",
    *,
    model: str | Model | None = None,
    tools: object = None,
    trials: int = 1,
    concurrency: int = 8,
    store: PathLike | Literal[False] | None = None,
    **options: Unpack[RunOptions],
) -> Run:
    """Run agents on every case of a suite, keep what they did, and score it.

    Works inside a running event loop too; there `await toolgauge.api.run_async(...)` holds nobody up.

    Args:
        suite: A suite, or the path of one.
        agents: What is evaluated: a name, a function of case and tools, an agent of another library, or several.
        model: Who agents ask: a name such as `anthropic:claude-haiku-4-5`, or an object that can be asked.
        tools: Functions or tools that agents get; default: mocks of the tools that the suite defines.
        trials: How often each agent works on each case.
        concurrency: How many of them go on at a time.
        store: Where the run is kept; default: `.toolgauge/runs.db`. False: only in memory.
        **options: See `RunOptions`.

    Returns:
        The run: header, summary, and the trajectories with their scores.

    Raises:
        UsageError: Something does not fit together; nothing was run.
        ModelError: No request to the model can succeed. What was finished is in the store.
        StoreError: Nothing more can be kept. What was finished is in the store.
        KeyboardInterrupt: Somebody stopped it. What was finished is in the store.
    """
    work = run_whole(
        suite, agents, model=model, tools=tools, trials=trials, concurrency=concurrency, store=store, **options
    )
    return _whole(run_in_loop(work))


async def run_async(
    suite: Suite | PathLike,
    agents: Agents = "tools",
    *,
    model: str | Model | None = None,
    tools: object = None,
    trials: int = 1,
    concurrency: int = 8,
    store: PathLike | Literal[False] | None = None,
    **options: Unpack[RunOptions],
) -> Run:
    """The same as `run`, for programs that have an event loop."""
    return _whole(
        await run_whole(
            suite, agents, model=model, tools=tools, trials=trials, concurrency=concurrency, store=store, **options
        )
    )


def _whole(conducted: Conducted) -> Run:
    if conducted.error is not None:
        raise conducted.error
    if conducted.stop:
        raise KeyboardInterrupt
    return conducted.run


async def run_whole(
    suite: Suite | PathLike,
    agents: Agents = "tools",
    *,
    model: str | Model | None = None,
    tools: object = None,
    trials: int = 1,
    concurrency: int = 8,
    store: PathLike | Literal[False] | None = None,
    **options: Unpack[RunOptions],
) -> Conducted:
    """Carry out a run, and say how it ended, however that was.

    Raises:
        ToolgaugeError: Nothing was run.
    """
    if trials < 1 or concurrency < 1:
        raise UsageError("there has to be at least one trial, and one at a time")
    async with AsyncExitStack() as stack:
        # The store comes first: where nothing can be kept, nothing is to be asked.
        opened = None if store is False else stack.enter_context(Store(store))
        for warning in opened.warnings if opened is not None else ():
            tell(options, warning)
        setup = await set_up(suite, agents, model, tools, trials, options, stack)
        return await carry_out(setup, opened, concurrency, options)
