"""A run in a database, to be read as often as one likes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from toolgauge.core import Case, Review, Reviews, RunHeader, Score, Scored, Trajectory
from toolgauge.errors import StoreError, UsageError
from toolgauge.store.checks import LineChecks
from toolgauge.store.encoding import RunLine, encode_header
from toolgauge.store.runs import RunInfo

from .database import Database

__all__ = ["PostgresLines", "PostgresRun"]

MAX_AT_ONCE = 100
"""How many lines are held at once; each may be large."""

MAX_NAMES_AT_ONCE = 10_000


class _Cases(Struct):
    """A suite whose cases are not decoded."""

    cases: list[Raw] = []


class PostgresLines:
    """The trajectories of a run as they are written, without its header, whose suite may be large."""

    def __init__(self, database: Database, key: int) -> None:
        self._database = database
        self._key = key

    def numbered_lines(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of a run file without their ends, each with a number that grows as they are finished.

        What was written since it was opened is among them.

        Args:
            after: Only those with larger numbers.
        """
        query = "SELECT number, line FROM trajectories WHERE run = %s AND number > %s ORDER BY number LIMIT %s"
        while rows := self._database.execute(query, (self._key, after, MAX_AT_ONCE)):
            yield from rows
            after = rows[-1][0]

    def line(self, number: int) -> bytes | None:
        """The line of that number; None: it is not there any more."""
        query = "SELECT line FROM trajectories WHERE run = %s AND number = %s"
        return next((line for (line,) in self._database.execute(query, (self._key, number))), None)

    def cases(self) -> Iterator[Case]:
        """The cases of its suite, decoded one after the other."""
        query = "SELECT suites.suite FROM runs JOIN suites ON suites.hash = runs.suite WHERE runs.key = %s"
        rows = self._database.execute(query, (self._key,))
        if not rows:
            raise UsageError(f"{self._database.shown}: the run no longer exists")
        decode = msgspec.json.Decoder(Case).decode
        for case in msgspec.json.decode(rows[0][0], type=_Cases).cases:
            yield decode(case)

    def reviews(self) -> Reviews:
        """What people said of it, as it is at this moment."""
        rows = self._database.execute("SELECT review FROM reviews WHERE run = %s ORDER BY key", (self._key,))
        decode = msgspec.json.Decoder(Review).decode
        return Reviews([decode(data) for (data,) in rows])


class PostgresRun(PostgresLines):
    """A run of a store, as it was when it was opened: what is written to it from then on is not seen."""

    def __init__(self, database: Database, key: int, info: RunInfo, header: RunHeader, replaced: int) -> None:
        super().__init__(database, key)
        self.info = info
        self.header = header
        self._replaced = replaced
        """How many trajectories had taken the place of others when it was opened."""

    def __iter__(self) -> Iterator[Scored]:
        """Each trajectory with its score, in the order of the plan: agent by agent, case by case."""
        decode, check = msgspec.json.Decoder(RunLine).decode, LineChecks(self.header).check
        query = "SELECT number, line FROM trajectories WHERE run = %s AND number = ANY(%s)"
        numbers = self._in_order()
        for begin in range(0, len(numbers), MAX_AT_ONCE):
            some = numbers[begin : begin + MAX_AT_ONCE]
            lines = dict(self._database.execute(query, (self._key, some)))
            if len(lines) < len(some):
                raise self._changed()
            for number in some:
                with self._database.explained():
                    line = decode(lines[number])
                    check(line, line.score)
                yield Scored(line, line.score)

    def lines(self) -> Iterator[bytes]:
        """The lines of a run file, without their ends, in the order in which they were finished."""
        for (line,) in self._rows("line", MAX_AT_ONCE):
            yield line

    def pairs(self) -> Iterator[tuple[Trajectory, Score]]:
        """Each trajectory and its score as they were finished, then what was planned and is not there as not run."""
        decode, check = msgspec.json.Decoder(RunLine).decode, LineChecks(self.header).check
        for data in self.lines():
            with self._database.explained():
                line = decode(data)
                check(line, line.score)
            yield line, line.score
        for missing in self.missing():
            yield missing, Score(missing.case, missing.agent, missing.trial, "not_run")

    def _rows(self, columns: str, at_once: int) -> Iterator[tuple[Any, ...]]:
        """Columns of the trajectories that were there when it was opened, in the order of their numbers.

        No transaction is held while somebody makes use of them, and a server may be restarted meanwhile. Later ones
        have larger numbers; where one has since taken the place of another, they are not the same any more.

        Raises:
            StoreError: They are not the same any more.
        """
        query = (
            f"SELECT number, (SELECT replaced FROM counts WHERE run = %s), {columns} "  # noqa: S608 - names of ours
            "FROM trajectories WHERE run = %s AND number > %s ORDER BY number LIMIT %s"
        )
        after, left = 0, self.info.finished
        while left:
            rows = self._database.execute(query, (self._key, self._key, after, min(left, at_once)))
            if not rows or rows[0][1] != self._replaced:
                raise self._changed()
            for _, _, *row in rows:
                yield tuple(row)
            after, left = rows[-1][0], left - len(rows)

    def _changed(self) -> StoreError:
        what = f"run {self.info.id} was changed or deleted while it was read"
        return StoreError(f"{self._database.shown}: {what}; try again")

    def _in_order(self) -> list[int]:
        """The numbers of the trajectories in the order of the plan."""
        agents = {name: number for number, name in enumerate(self.header.agents)}
        cases = {case.id: number for number, case in enumerate(self.header.suite.cases)}
        places = [
            (agents.get(agent, len(agents)), cases.get(case, len(cases)), trial, number)
            for agent, case, trial, number in self._rows("agent, case_id, trial, number", MAX_NAMES_AT_ONCE)
        ]
        return [number for *_, number in sorted(places)]

    def export(self) -> Iterator[bytes]:
        """The run as a run file, piece by piece."""
        yield encode_header(replace(self.header, trajectories=self.info.finished))
        for line in islice(self.lines(), self.info.finished):
            yield line + b"\n"

    def missing(self) -> Iterator[Trajectory]:
        """What was planned and is not there, as trajectories that were not run."""
        if self.info.finished >= self.info.planned:
            return
        trials = self.header.about.get("trials", 1)
        done = set(self._rows("agent, case_id, trial", MAX_NAMES_AT_ONCE))
        for agent in self.header.agents:
            for case in self.header.suite.cases:
                for trial in range(1, (trials if isinstance(trials, int) else 1) + 1):
                    if (agent, case.id, trial) not in done:
                        yield Trajectory(case.id, agent, trial, "not_run")
