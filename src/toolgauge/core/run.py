"""A run: the trajectories of agents on a suite, with their scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec import Struct

from .headline import Headline
from .json import JsonValue
from .review import Reviews
from .score import SCORING_VERSION, Score
from .showing import as_frame, as_html
from .suite import Suite
from .summary import Note, Summary
from .trajectory import Trajectory

__all__ = [
    "MAX_MASKED_TRIAL",
    "RUN_HEADER_LINE",
    "RUN_SCHEMA",
    "Run",
    "RunHeader",
    "Scored",
    "SeenTrials",
    "TrialKey",
]

RUN_SCHEMA = "toolgauge.run/1"

RUN_HEADER_LINE = (b'{"schema":"' + RUN_SCHEMA.encode(), 512 * 1024 * 1024)
"""How the first line of a run file begins, and how many bytes it may have: it holds the whole suite."""


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
    trajectories: int | None = None
    """How many lines follow, by which a file that was cut is known; None: not counted."""
    notes: tuple[Note, ...] = ()
    suite_hash: str = ""
    """What the suite was when the run began; empty in files that were written before there was one."""
    about: dict[str, JsonValue] = {}
    """What else is known of how it came about: id, name, models, settings, scorers, versions, commit."""
    suite: Suite

    @property
    def scorers(self) -> dict[str, int]:
        """By name the versions of the scorers of other packages whose outcomes the scores hold."""
        written = self.about.get("scorers")
        found = written.items() if isinstance(written, dict) else ()
        return {name: version for name, version in found if isinstance(version, int)}

    @property
    def selection(self) -> tuple[Note, ...]:
        """That only some cases of the suite were wanted, and which; nothing where all of them were."""
        of, options = self.about.get("selected_of"), self.about.get("selection_options")
        if not isinstance(of, int):
            return ()
        return (Note("selected", {"count": len(self.suite.cases), "of": of, "reason": options}),)


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: its header, its summary, and its trajectories with their scores."""

    header: RunHeader
    summary: Summary
    scored: Iterable[Scored]
    """Can be iterated several times; read from a file where there are many."""
    headline: Headline | None = None
    """What a report of it begins with, where that was asked for."""
    reviews: Reviews = field(default_factory=Reviews)
    """What people said of it."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """The trajectories as rows: case, agent, trial, verdict, measures, issues, tools, time and cost."""
        rows: list[dict[str, Any]] = as_frame(self, "dicts")
        return rows

    def to_pandas(self) -> Any:
        """The same as a data frame of pandas, which has to be installed."""
        return as_frame(self, "pandas")

    def to_polars(self) -> Any:
        """The same as a data frame of polars, which has to be installed."""
        return as_frame(self, "polars")

    def _repr_html_(self) -> str:
        return as_html(self)


TrialKey: TypeAlias = tuple[str, str, int]
"""Agent, case and trial: what is done once in a run."""

MAX_MASKED_TRIAL = 1024
"""Trials up to this number are bits of one integer; a larger one is kept by itself, so that none costs much memory."""


class SeenTrials:
    """The trials that were seen. Each counts once."""

    __slots__ = ("large", "masks")

    def __init__(self) -> None:
        self.masks: dict[str, dict[str, int]] = {}
        """By agent and case the trials as bits; a case of which only large trials were seen has 0."""
        self.large: dict[tuple[str, str], set[int]] = {}
        """By agent and case the trials beyond the mask."""

    def add(self, agent: str, case: str, trial: int) -> bool:
        """Record a trial, and say whether it is new."""
        masks = self.masks.get(agent)
        if masks is None:
            masks = self.masks[agent] = {}
        mask = masks.get(case, 0)
        if 0 <= trial <= MAX_MASKED_TRIAL:
            masks[case] = mask | 1 << trial
            return not mask >> trial & 1
        masks[case] = mask
        large = self.large.setdefault((agent, case), set())
        known = trial in large or (trial > 0 and mask >> trial & 1)
        large.add(trial)
        return not known

    def add_lowest_free(self, agent: str, case: str) -> int:
        """Record the lowest trial that is free, from 1 on, and return it; 0 is for recorders that count from there."""
        masks = self.masks.setdefault(agent, {})
        mask = masks.get(case, 0)
        large = self.large.get((agent, case), ())
        while (free := _lowest_free(mask)) in large:
            mask |= 1 << free
        masks[case] = mask | 1 << free
        return free


def _lowest_free(mask: int) -> int:
    mask |= 1
    return (~mask & (mask + 1)).bit_length() - 1
