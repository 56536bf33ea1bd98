"""Carrying out a run that is set up: kept in the store, its figures added up, and all of its plan accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from toolgauge.core import JsonValue, Run, RunHeader, Scored, Trajectory, suite_hash
from toolgauge.errors import StoreError, UsageError
from toolgauge.pipeline import MemorySink, ScoringOptions, ScoringPipeline
from toolgauge.runner import (
    Finished,
    MemoryRecorder,
    Plan,
    Runner,
    RunRecorder,
    StoreRecorder,
    differences,
    origin,
    suite_differences,
)
from toolgauge.stats import chosen_label
from toolgauge.store import RunWriter, Store
from toolgauge.version import VERSION

from .options import Conducted, RunOptions, tell
from .setup import Setup

__all__ = ["carry_out"]

MOST_DIFFERENCES = 3


async def carry_out(setup: Setup, store: Store | None, concurrency: int, options: RunOptions) -> Conducted:
    """Carry out a run, and say how it ended."""
    plan = setup.plan
    writer = None if store is None else _begin(store, setup, options)
    memory = MemoryRecorder()
    recorder: RunRecorder = memory if writer is None else StoreRecorder(writer, setup.secrets)
    by = chosen_label(setup.shown, options.get("by"))
    scoring = ScoringOptions(setup.shown, by, grounding=options.get("grounding", False))
    pipeline = ScoringPipeline(scoring, recorder, agents=plan.agents)
    done = set() if writer is None else writer.done()
    runner = Runner(
        plan,
        setup.toolset.caller(setup.cassette),
        pipeline,
        recorder,
        done=done,
        interrupted=None if writer is None else writer.interrupted(),
        concurrency=concurrency,
        grace_seconds=options.get("grace_seconds", 5.0),
        secrets=setup.secrets,
        judges=setup.models.judge,
        harmless=[name for name, kind in setup.toolset.kinds.items() if kind == "mock"],
        watcher=options.get("watcher"),
    )
    try:
        ended = await runner.run()
    except BaseException:
        if writer is not None:
            writer.finish("interrupted")
        raise
    for warning in await setup.toolset.box.close():
        tell(options, warning)
    return _conclude(setup, store, writer, memory, pipeline, done, ended)


def _begin(store: Store, setup: Setup, options: RunOptions) -> RunWriter:
    """Begin a run in the store, or go on with one.

    Raises:
        UsageError: The one to go on with was another one.
        StoreError: Another process is writing it.
    """
    reference = options.get("resume")
    if reference is not None:
        info = store.find(reference)
        changed = list(differences(info.settings, setup.settings))
        if not changed:
            return store.resume(info.id)
        if not options.get("force", False):
            before = store.open_run(info.id).header.suite
            listed = [*suite_differences(before, setup.shown), *(line for line in changed if line[:6] != "suite:")]
            lines = "\n".join(f"  {line}" for line in listed[:MOST_DIFFERENCES])
            more = f"\n  and {len(listed) - MOST_DIFFERENCES} more" if len(listed) > MOST_DIFFERENCES else ""
            what = f"run {info.id} cannot be gone on with, for it was another one; --force begins a new run"
            raise UsageError(f"{what}\n{lines}{more}")
    name = options.get("name", "")
    return store.begin(_header(setup, name), len(setup.plan), name=name, settings=setup.settings)


def _header(setup: Setup, name: str = "", run_id: str | None = None) -> RunHeader:
    about: dict[str, JsonValue] = {"name": name, "trials": setup.plan.trials, **setup.settings, **origin()}
    if run_id is not None:
        about["id"] = run_id
    return RunHeader(
        toolgauge=VERSION,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        agents=tuple(setup.plan.agents),
        suite_hash=_digest(setup),
        about=about,
        suite=setup.shown,
    )


def _digest(setup: Setup) -> str:
    """The hash of the suite as it is kept, which is the one of the settings unless a credential was taken out."""
    return str(setup.settings["suite"]) if setup.shown is setup.plan.suite else suite_hash(setup.shown)


def _conclude(
    setup: Setup,
    store: Store | None,
    writer: RunWriter | None,
    memory: MemoryRecorder,
    pipeline: ScoringPipeline,
    before: set[tuple[str, str, int]],
    ended: Finished,
) -> Conducted:
    """Add up what there is, with everything that was planned and did not come about."""
    error = ended.error
    finished: Iterable[Scored] = memory
    run_id = None
    if writer is None or store is None:
        header = _header(setup)
    else:
        run_id = writer.id
        stored = store.open_run(run_id)
        finished = stored
        header = replace(stored.header, about={**stored.header.about, "id": run_id})
    if before:
        pipeline.add(one for one in finished if _key(one.trajectory) in before)
    missing = MemorySink()
    pipeline.redirect(missing)
    for planned in setup.plan:
        if planned.key in before or planned.key in ended.finished:
            continue
        agent, case, trial = planned.key
        pipeline.process([ended.unfinished.get(planned.key) or Trajectory(case, agent, trial, "not_run")])
    if writer is not None:
        try:
            writer.finish("interrupted" if missing else "finished")
        except StoreError as failure:
            error = error or failure
    summary = pipeline.summary()
    ordered = _Ordered(setup.plan, finished, missing)
    header = replace(header, trajectories=len(setup.plan), notes=summary.notes)
    return Conducted(Run(header, summary, ordered), run_id, ended.stop, error, len(missing))


def _key(trajectory: Trajectory) -> tuple[str, str, int]:
    return trajectory.agent, trajectory.case, trajectory.trial


class _Ordered:
    """The trajectories of a run in the order of its plan, whatever the order in which they were finished."""

    def __init__(self, plan: Plan, finished: Iterable[Scored], missing: Sequence[Scored]) -> None:
        self._agents = {name: number for number, name in enumerate(plan.agents)}
        self._cases = {case.id: number for number, case in enumerate(plan.suite.cases)}
        self._finished = finished
        self._missing = missing

    def __iter__(self) -> Iterator[Scored]:
        return iter(sorted([*self._finished, *self._missing], key=self._place))

    def _place(self, scored: Scored) -> tuple[int, int, int]:
        agent, case, trial = _key(scored.trajectory)
        return self._agents[agent], self._cases[case], trial
