"""Scores of runs to other systems, and failures of runs to suites."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from toolgauge.core import PathLike, Scored
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.exports import EXPORT_TARGETS, ExportOutcome, ExportSpool, ScoreExporter, check_metrics, spool_folder
from toolgauge.store import find_run
from toolgauge.suites.extend import AddedCases, propose_cases

from .reviews import reviews_of

__all__ = ["add_cases", "export_run", "export_table", "retry_exports"]


def export_run(
    reference: PathLike,
    to: Sequence[str],
    *,
    endpoint: str | None = None,
    metrics: Sequence[str] = (),
    store: PathLike | None = None,
) -> ExportOutcome:
    """Send the scores of a run to where its traces are. What cannot be delivered is kept beside the store.

    Args:
        reference: A run file, or a run of the store, as for `load_run`.
        to: The systems: names of `EXPORT_TARGETS`.
        endpoint: The address, if there is only one system; default: that of its own environment variables.
        metrics: What to send: names of `EXPORT_METRICS` and of scorers; default: everything.
        store: Where runs are kept; default: `.toolgauge/runs.db`.

    Raises:
        UsageError: There is no such run, system or metric, or the address of a system is missing.
    """
    stored = find_run(reference, store)
    check_metrics(metrics, tuple(stored.header.scorers))
    exporter = ScoreExporter(to, endpoint=endpoint, metrics=metrics, store=store)
    try:
        return exporter.export(
            stored,
            suite=stored.header.suite.name,
            created=stored.header.created,
            reviews=reviews_of(stored, needed=False),
        )
    finally:
        exporter.close()


def export_table(reference: PathLike, path: str, *, store: PathLike | None = None) -> int:
    """Write the trajectories of a run with their scores as a Parquet file.

    Args:
        reference: A run file, or a run of the store, as for `load_run`.
        path: The file.
        store: Where runs are kept; default: `.toolgauge/runs.db`.

    Returns:
        How many rows it has.

    Raises:
        UsageError: There is no such run, or pyarrow is not installed.
        OutputError: The file could not be written.
    """
    from toolgauge.exports import write_parquet

    stored = find_run(reference, store)
    return write_parquet(path, stored.header, stored, reviews_of(stored, needed=False))


def retry_exports(
    to: Sequence[str] = (), *, endpoint: str | None = None, store: PathLike | None = None
) -> ExportOutcome:
    """Send what could not be delivered earlier.

    Args:
        to: Only what waits for these systems; default: for all.
        endpoint: An address with credentials, for what was to go there.
        store: The store that it waits beside; default: `.toolgauge/runs.db`.

    Raises:
        UsageError: It is not said how a system lets us in.
    """
    waiting = {(batch.to, batch.address) for batch in ExportSpool(spool_folder(store)).waiting()}
    outcome = ExportOutcome()
    for name, address in sorted(waiting):
        if to and name not in to:
            continue
        exporter = _exporter_to(name, address, endpoint, store)
        try:
            outcome.deliveries += [one for one in exporter.retry().deliveries if one.address == address]
        finally:
            exporter.close()
    return outcome


def _exporter_to(name: str, address: str, endpoint: str | None, store: PathLike | None) -> ScoreExporter:
    """The way to where something was to go: as it is said now, which may hold credentials, or else as it was then."""
    with suppress(UsageError):
        found = ScoreExporter([name], endpoint=endpoint, store=store)
        if address in found.addresses:
            return found
    return ScoreExporter([name], store=store, environment={**os.environ, EXPORT_TARGETS[name].address: address})


def add_cases(
    reference: PathLike,
    cases: Collection[str],
    path: PathLike,
    *,
    agent: str | None = None,
    store: PathLike | None = None,
) -> AddedCases:
    """Add failures of a run to a suite file as cases to review.

    Args:
        reference: A run file, or a run of the store, as for `load_run`.
        cases: The ids of the cases; none: all that failed.
        path: The suite file, created if there is none.
        agent: Only this agent; default: the first that failed.
        store: Where runs are kept; default: `.toolgauge/runs.db`.

    Raises:
        UsageError: There is no such run or case, or cases cannot be added to such a file.
        NothingToDo: Nothing failed.
        OutputError: The file cannot be written.
    """
    stored = find_run(reference, store)
    known = {case.id: case for case in stored.header.suite.cases}
    for name in cases:
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise UsageError(f"the suite has no case {name!r}" + (f"; {hint}" if hint else ""))
    if agent is not None and stored.header.agents and agent not in stored.header.agents:
        hint = did_you_mean(agent, stored.header.agents)
        raise UsageError(f"this run has no agent {agent!r}" + (f"; {hint}" if hint else ""))
    chosen = list(_chosen(stored, frozenset(cases), agent))
    if not chosen:
        raise NothingToDo("nothing failed, so there is no case to add")
    return propose_cases(path, chosen, stored.header.suite)


def _chosen(scored: Iterable[Scored], cases: frozenset[str], agent: str | None) -> Iterator[Scored]:
    """Of each case one trajectory: the first that failed, or the first where a case is named that passed."""
    first: dict[str, Scored] = {}
    for one in scored:
        case = one.score.case
        if (cases and case not in cases) or agent not in (None, one.score.agent) or one.score.state == "not_run":
            continue
        known = first.get(case)
        if known is None or (known.score.passed and not one.score.passed):
            first[case] = one
    return (one for one in first.values() if cases or not one.score.passed)
