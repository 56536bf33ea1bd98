"""A run: the trajectories of agents on a suite, with their scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct

from .score import SCORING_VERSION, Score
from .suite import Suite
from .summary import Note, Summary
from .trajectory import Trajectory

__all__ = ["RUN_SCHEMA", "Run", "RunHeader", "Scored"]

RUN_SCHEMA = "toolgauge.run/1"


class Scored(Struct, frozen=True, gc=False):
    """A trajectory with its score."""

    trajectory: Trajectory
    score: Score


class RunHeader(Struct, frozen=True, gc=False, kw_only=True):
    """First line of a run file: how the run came about, and its suite."""

    schema: str = RUN_SCHEMA
    toolgauge: str
    """Version of toolgauge that wrote it."""
    scoring: int = SCORING_VERSION
    created: str
    """When, as an ISO 8601 time."""
    agents: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    suite: Suite


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its header, its summary, and its trajectories with their scores."""

    header: RunHeader
    summary: Summary
    scored: Iterable[Scored]
    """Can be iterated several times; read from a file where there are many."""
