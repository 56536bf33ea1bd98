"""From what was asked for on the command line to a watch."""

from __future__ import annotations

import os
from collections.abc import Mapping

from msgspec import Struct

from toolgauge.core import Run
from toolgauge.drift import DriftSettings
from toolgauge.errors import InputError, Problem
from toolgauge.exports import CONTINUOUS_RETRIES, ScoreExporter
from toolgauge.models import open_model
from toolgauge.store import check_places
from toolgauge.suites import load_suite

from .matching import check_proposals
from .notes import WatchNotes
from .opinions import OpinionSampler
from .schedule import FinishedRun, Schedule
from .service import Watch, WatchOptions
from .settings import WatchSettings

__all__ = ["WatchParts", "make_settings", "open_watch"]

DAY = 86400.0


def make_settings(given: Mapping[str, object]) -> WatchSettings:
    """The settings by the names of options."""

    def number(name: str) -> float:
        found = given[name]
        return float(found) if isinstance(found, (int, float)) else 0.0

    by = given["by"]
    return WatchSettings(
        state=str(given["state"]),
        by=tuple(map(str, by)) if isinstance(by, tuple) else (),
        window=number("window"),
        live=not given["once"],
        drift=DriftSettings(
            false_alarms=number("false_alarms"),
            baseline_days=number("baseline") / DAY,
            baseline_sessions=int(number("baseline_sessions")),
            relearn_days=min(1.0, number("baseline") / DAY),
            gap=number("gap"),
        ),
    )


class WatchParts(Struct, frozen=True, kw_only=True):
    """What else a watch has to do with, by name."""

    suite: str | None = None
    """The suite whose tools are known, and whose cases are scored where they turn up."""
    agents: tuple[str, ...] = ()
    """Agents that the suite is run with."""
    model: str | None = None
    """The model that they use."""
    trials: int = 1
    every: float | None = None
    """How many seconds lie between two runs; None: one run."""
    exports: tuple[str, ...] = ()
    """Systems that scores are sent to."""
    endpoint: str | None = None
    """The address of the system, where there is one only."""
    judge_model: str | None = None
    """The model that is asked for its opinion."""
    judge_share: float = 0.05
    """On how many of the conversations."""
    store: str | None = None
    """Where runs are kept."""


def open_watch(options: WatchOptions, parts: WatchParts) -> Watch:
    """A watch that has not begun yet.

    Raises:
        ToolgaugeError: Something of it cannot be used.
    """
    if not options.settings.live:
        for path in options.follow:
            if not os.path.exists(path):
                raise InputError(path, Problem("there is no such file", hint="check the path"))
    suite = None if parts.suite is None else load_suite(parts.suite)
    if options.propose is not None:
        check_places({"--propose": options.propose}, options.follow, parts.store)
        check_proposals(options.propose)
    exporter = None
    if parts.exports:
        # One short attempt: what does not arrive is tried again from the spool, and nobody waits meanwhile.
        exporter = ScoreExporter(parts.exports, endpoint=parts.endpoint, store=parts.store, retries=CONTINUOUS_RETRIES)
    judge = None if parts.judge_model is None else OpinionSampler(open_model(parts.judge_model), parts.judge_share)
    notes = WatchNotes()
    schedule = None
    if parts.agents and parts.suite is not None:
        schedule = Schedule(
            options.settings.state,
            lambda: _run(parts),
            lambda name: _load(name, parts.store),
            every=parts.every,
            notes=notes,
        )
    return Watch(options, suite=suite, exporter=exporter, judge=judge, schedule=schedule, notes=notes)


def _run(parts: WatchParts) -> FinishedRun:
    from toolgauge import api

    outcome = api.execute_run(
        parts.suite or "", list(parts.agents), model=parts.model, trials=parts.trials, store=parts.store
    )
    run = outcome.result()
    return FinishedRun(outcome.id or run.header.created, run)


def _load(name: str, store: str | None) -> Run:
    from toolgauge import api

    return api.load_run(name, store=store)
