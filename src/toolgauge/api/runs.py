"""Runs: made by running agents, loaded from files and stores, and written there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from toolgauge.core import PathLike, ReviewedRun, Reviews, Run, Scored, Suite
from toolgauge.errors import UsageError
from toolgauge.metrics import chosen_label
from toolgauge.pipeline import MemorySink, ScoringOptions, ScoringPipeline
from toolgauge.store import (
    RunFile,
    Spool,
    encode_header,
    encode_scored,
    find_run,
    open_store,
    store_exists,
)
from toolgauge.suites import case_lines

from .headlines import with_headline
from .options import with_keywords
from .reviews import Disagreeing, reviews_of

if TYPE_CHECKING:
    from toolgauge.core import Forecast
    from toolgauge.runner import Agents, RunOptions, RunOutcome

__all__ = [
    "case_places",
    "encode_run",
    "execute_run",
    "forecast_run",
    "load_baseline",
    "load_run",
    "run",
    "run_async",
    "write_run",
]


def run(suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object) -> Run:
    """Run agents on every case of a suite, record what they do, and score it.

    Works inside a running event loop too; there `await toolgauge.api.run_async(...)` does not block it.

    Args:
        suite: A suite, or the path of one.
        agents: What is evaluated: a name, a function of case and tools, an agent of another library, or several.
        options: Further settings of the run.
        **more: The same as keywords: `model`, `tools`, `trials`, `concurrency`, `store`, `cases` and all others of
            `RunOptions`.

    Returns:
        The run: header, summary, and the trajectories with their scores.

    Raises:
        UsageError: Something does not fit together; nothing was run.
        ModelError: No request to the model can succeed. What was finished is in the store.
        StoreError: The store cannot be written any more. What was finished is in the store.
        KeyboardInterrupt: The run was interrupted. What was finished is in the store.
    """
    return execute_run(suite, agents, options=options, **more).result()


async def run_async(
    suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object
) -> Run:
    """Like `run`, for programs with an event loop."""
    from toolgauge.runner import execute_run

    return (await execute_run(suite, agents, _run_options(options, more))).result()


def execute_run(
    suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object
) -> RunOutcome:
    """Like `run`, but also returns how it ended, even on failure.

    Raises:
        ToolgaugeError: Nothing was run.
    """
    from toolgauge.runner import execute_run, run_in_loop

    return run_in_loop(execute_run(suite, agents, _run_options(options, more)))


def forecast_run(
    suite: Suite | PathLike, agents: Agents = "tools", *, options: RunOptions | None = None, **more: object
) -> Forecast:
    """Estimate the tokens, time and cost of a run, from earlier runs in the store or from assumptions. Nothing is run.

    Raises:
        ToolgaugeError: The suite, the prices or the store cannot be read.
    """
    from toolgauge.runner import forecast_run

    return forecast_run(suite, agents, _run_options(options, more))


def _run_options(options: RunOptions | None, more: Mapping[str, object]) -> RunOptions:
    from toolgauge.runner import RunOptions

    return with_keywords(options or RunOptions(), more, "a run")


def load_run(
    reference: PathLike,
    *,
    by: str | None = None,
    store: PathLike | None = None,
    headline: bool = False,
    with_reviews: bool = False,
) -> Run:
    """Open a run. Its summary is computed again from its scores.

    Args:
        reference: A run file, or a run of the store: its id or the beginning of it, its name, NAME@latest, or latest.
        by: The label to break figures down by.
        store: Where runs are kept; default: `.toolgauge/runs.db`.
        headline: Whether to compute the opening of the report, too.
        with_reviews: Let reviews decide whether a trajectory passed, if it has some; cases whose expectations are
            wrong according to a review are left out.
    """
    stored = find_run(reference, store)
    reviews = reviews_of(stored, needed=with_reviews)
    run = ReviewedRun.of(stored.header, stored, reviews if with_reviews else Reviews())
    header = run.header
    counted: Iterable[Scored] = run if with_reviews and reviews else stored
    options = ScoringOptions(header.suite, chosen_label(header.suite, by), scored_by=tuple(header.scorers))
    missing = MemorySink()
    pipeline = ScoringPipeline(options, missing, agents=() if isinstance(stored, RunFile) else header.agents)
    disagreeing = Disagreeing(counted, reviews)
    pipeline.add(disagreeing if reviews else counted)
    if not isinstance(stored, RunFile):
        pipeline.process([one for one in stored.missing() if one.case not in run.left_out])
    kept = [*header.selection, *(note for note in header.notes if note.kind == "unmatched")]
    if reviews:
        kept.append(reviews.note(counted=with_reviews, disagreeing=disagreeing.count))
    scored = Chained(counted, missing) if missing else counted
    found = Run(header, pipeline.summary(kept), scored, reviews=reviews)
    return with_headline(found, pipeline.tally.sums()) if headline else found


def case_places(run: Run) -> dict[str, tuple[str, int]]:
    """Where the cases of a run are, by id: the file of its suite, and the line, if both still exist.

    The path is written as GitHub wants it in annotations: from the folder of the repository, where that is known.
    """
    file = run.header.about.get("suite_file")
    if not isinstance(file, str) or not os.path.isfile(file):
        return {}
    root = os.path.realpath(os.environ.get("GITHUB_WORKSPACE") or os.curdir)
    path = os.path.relpath(os.path.realpath(file), root)
    shown = file if path.split(os.sep)[0] == os.pardir else path
    lines = case_lines(file, [case.id for case in run.header.suite.cases])
    return {case: (shown.replace(os.sep, "/"), line) for case, line in lines.items()}


class Chained:
    """Several sources of scored trajectories as one, which can be gone through as often as they can."""

    def __init__(self, *parts: Iterable[Scored]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[Scored]:
        return chain.from_iterable(self._parts)


def load_baseline(
    reference: str, suite: str, *, store: PathLike | None = None, with_reviews: bool = False
) -> tuple[Run, str]:
    """The run to compare with, and what it is called.

    Args:
        reference: The name of a baseline, or any run as for `load_run`; empty: the baseline of the suite.
        suite: The name of the suite.
        store: Where runs and baselines are kept; default: `.toolgauge/runs.db`.
        with_reviews: Whether its reviews count, as for `load_run`.

    Raises:
        UsageError: There is no baseline for the suite.
    """
    if not os.path.exists(reference) and store_exists(store):
        with open_store(store, create=False) as opened:
            found = opened.baselines().get(reference or suite)
        if found is not None:
            return load_run(found[0].id, store=store, with_reviews=with_reviews), found[0].name or found[0].id
    if not reference:
        raise UsageError(f"there is no baseline for suite {suite!r}; name one with toolgauge baseline set RUN")
    return load_run(reference, store=store, with_reviews=with_reviews), reference


def encode_run(run: Run) -> Iterator[bytes]:
    """The bytes of a run file."""
    yield encode_header(run.header)
    yield from run.scored.blocks() if isinstance(run.scored, Spool) else map(encode_scored, run.scored)


def write_run(run: Run, path: str) -> None:
    """Write a run file, completely or not at all.

    Raises:
        OutputError: It could not be written.
    """
    if isinstance(run.scored, Spool):
        run.scored.write_run(path, encode_header(run.header))
        return
    from toolgauge.files import write_file

    write_file(path, encode_run(run))
