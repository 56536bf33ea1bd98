"""A run as it stands in a store: what is known of it, and its trajectories as often as one likes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from toolgauge.core import JsonValue, RunHeader, Score, Scored, Trajectory

from .database import connect_to_read, explained
from .lines import Line, encode_header

__all__ = ["Key", "RunInfo", "RunState", "StoredRun"]

Key = tuple[str, str, int]
"""Agent, case and trial: what is done once in a run."""

RunState = Literal["running", "finished", "interrupted"]

MANY = 500
"""How many trajectories are fetched at once."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What a list of runs says of one."""

    id: str
    name: str
    created: str
    state: RunState
    """`running` also of a run whose process was killed; `held_by` tells them apart."""
    planned: int
    finished: int
    passed: int
    suite: str
    agents: tuple[str, ...]
    held_by: str | None
    """The process that writes it at this moment."""
    about: Mapping[str, JsonValue]
    settings: Mapping[str, JsonValue]
    suite_hash: str


class StoredRun:
    """A run of a store, as it was when it was opened: what is written to it from then on is not seen."""

    def __init__(self, path: Path, key: int, info: RunInfo, header: RunHeader) -> None:
        self.info = info
        self.header = header
        self._path = path
        self._key = key

    def __iter__(self) -> Iterator[Scored]:
        """Each trajectory with its score, in the order of the plan: agent by agent, case by case."""
        decode = msgspec.json.Decoder(Line).decode
        with self._reading() as connection:
            for key in self._in_order(connection):
                (data,) = connection.execute("SELECT line FROM trajectories WHERE key = ?", (key,)).fetchone()
                line = decode(data)
                yield Scored(line, line.score)

    def lines(self) -> Iterator[bytes]:
        """The lines of a run file, without their ends, in the order in which they were finished."""
        with self._reading() as connection:
            for (line,) in self._rows(connection, "line"):
                yield line

    def pairs(self) -> Iterator[tuple[Trajectory, Score]]:
        """Each trajectory and its score as they were finished, then what was planned and is not there as not run."""
        decode = msgspec.json.Decoder(Line).decode
        for data in self.lines():
            line = decode(data)
            yield line, line.score
        for missing in self.missing():
            yield missing, Score(missing.case, missing.agent, missing.trial, "not_run")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees the store as it is at this moment, whatever others write or delete meanwhile."""
        with explained(self._path):
            connection = connect_to_read(self._path)
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                connection.close()

    def _rows(self, connection: sqlite3.Connection, columns: str) -> Iterator[tuple[Any, ...]]:
        """Columns of the trajectories. Later ones have larger keys, so that the first ones are always the same."""
        # The keys are put in order alone: to sort whole lines takes SQLite longer than to read them.
        keys = "SELECT key FROM trajectories WHERE run = ? ORDER BY key LIMIT ?"
        query = f"SELECT {columns} FROM trajectories WHERE key IN ({keys}) ORDER BY key"  # noqa: S608 - names of ours
        cursor = connection.execute(query, (self._key, self.info.finished))
        while rows := cursor.fetchmany(MANY):
            yield from rows

    def _in_order(self, connection: sqlite3.Connection) -> list[int]:
        """The keys of the trajectories in the order of the plan."""
        agents = {name: number for number, name in enumerate(self.header.agents)}
        cases = {case.id: number for number, case in enumerate(self.header.suite.cases)}
        places = [
            (agents.get(agent, len(agents)), cases.get(case, len(cases)), trial, key)
            for agent, case, trial, key in self._rows(connection, "agent, case_id, trial, key")
        ]
        return [key for *_, key in sorted(places)]

    def export(self) -> Iterator[bytes]:
        """The run as a run file, piece by piece."""
        yield encode_header(replace(self.header, trajectories=self.info.finished))
        # It may grow while it is read, and the header says how many there are.
        for line in islice(self.lines(), self.info.finished):
            yield line + b"\n"

    def missing(self) -> Iterator[Trajectory]:
        """What was planned and is not there, as trajectories that were not run."""
        if self.info.finished >= self.info.planned:
            return
        trials = self.header.about.get("trials", 1)
        with self._reading() as connection:
            done = set(self._rows(connection, "agent, case_id, trial"))
        for agent in self.header.agents:
            for case in self.header.suite.cases:
                for trial in range(1, (trials if isinstance(trials, int) else 1) + 1):
                    if (agent, case.id, trial) not in done:
                        yield Trajectory(case.id, agent, trial, "not_run")
