"""What is looked for in a run, in a SQLite file of its own that lasts as long as the viewer.

A run is read once, in the background, from the first trajectory to the last; from then on only what was finished since.
The file holds what lists and filters need, and where the trajectory itself is in the store. Nothing of it is written to
the store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct

from toolgauge.core import UNSAID, Case, Score, State, Trajectory, Usage, encode_sorted
from toolgauge.pages.folding import fold, natural_key
from toolgauge.report.cases import outcome

__all__ = ["SEPARATOR", "CaseIndex"]

SEPARATOR = "\x1f"
"""Between and around the names in one column, so that a whole name can be looked for."""

MAX_TEXT = 64 * 1024
"""So many bytes of each argument, result or answer are looked through."""

MAX_TEXTS = 512 * 1024
"""So many characters of a trajectory are."""

BATCH = 200
"""How many trajectories are written at once: readers wait for no more than these."""

LAYOUT = (
    """CREATE TABLE cases (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, input TEXT NOT NULL, labels TEXT NOT NULL,
        id_key TEXT NOT NULL, input_key TEXT NOT NULL, folded TEXT NOT NULL, data BLOB NOT NULL
    )""",
    """CREATE TABLE results (
        key INTEGER PRIMARY KEY, n INTEGER NOT NULL, agent TEXT NOT NULL, trial INTEGER NOT NULL, state TEXT NOT NULL,
        outcome TEXT NOT NULL, passed INTEGER NOT NULL, answer TEXT, score REAL, latency REAL, calls INTEGER NOT NULL,
        tokens INTEGER, cost REAL, kinds TEXT NOT NULL, tools TEXT NOT NULL, line INTEGER, UNIQUE (n, agent, trial)
    )""",
    """CREATE TABLE texts (
        key INTEGER PRIMARY KEY, n INTEGER NOT NULL, agent TEXT NOT NULL, trial INTEGER NOT NULL, folded TEXT NOT NULL,
        UNIQUE (n, agent, trial)
    )""",
)

INSERT_RESULT = (
    "INSERT OR REPLACE INTO results (n, agent, trial, state, outcome, passed, answer, score, latency, calls, tokens, "
    "cost, kinds, tools, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

INSERT_TEXT = "INSERT OR REPLACE INTO texts (n, agent, trial, folded) VALUES (?, ?, ?, ?)"

Numbered: TypeAlias = Iterable[tuple[int, bytes]]


class _Call(Struct, gc=False):
    tool: str
    args: Raw = Raw(b"")
    result: Raw = Raw(b"")
    error: str | None = None


class _Line(Struct, gc=False):
    """A trajectory without its results, which may be large and are not decoded."""

    case: str
    score: Score
    agent: str = ""
    trial: int = UNSAID
    state: State = "completed"
    calls: tuple[_Call, ...] = ()
    output: str | None = None
    error: str | None = None
    latency_ms: float | None = None
    usage: Usage | None = None

    def texts(self) -> str:
        """What is looked through."""
        parts = [self.output or "", self.error or ""]
        size = 0
        for call in self.calls:
            pieces = (call.tool, _text(call.args), _text(call.result), call.error or "")
            parts += pieces
            size += sum(map(len, pieces))
            if size > MAX_TEXTS:
                break
        return fold("\n".join(part[:MAX_TEXT] for part in parts if part))


def _text(raw: Raw) -> str:
    return bytes(memoryview(raw)[:MAX_TEXT]).decode("utf-8", "replace")


class CaseIndex:
    """The index of one run."""

    def __init__(self, path: Path, cases: Iterable[Case], agents: Iterable[str] = ()) -> None:
        """Make it, with the cases and without results.

        Args:
            path: The new file.
            cases: The cases of the run, in their order.
            agents: The agents in their order; others come behind.
        """
        self._path = path
        path.touch(mode=0o600)
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", *LAYOUT):
            self._connection.execute(statement)
        self._numbers: dict[str, int] = {}
        self.agents = {agent: place for place, agent in enumerate(agents)}
        """The agents with their places."""
        self._decode = msgspec.json.Decoder(_Line).decode
        self.last = 0
        """The number of the last trajectory that was read."""
        with self._transaction():
            for n, case in enumerate(cases):
                self._numbers[case.id] = n
                self._connection.execute("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _case_row(n, case))

    @property
    def total(self) -> int:
        """How many cases there are."""
        return len(self._numbers)

    def number(self, case: str) -> int | None:
        """The number of a case; None: there is no such."""
        return self._numbers.get(case)

    def add(self, lines: Numbered) -> Iterator[int]:
        """Add trajectories as they are in the store, and say after each batch how many these were."""
        source = iter(lines)
        count = BATCH
        while count == BATCH:
            with self._transaction():
                count = 0
                for number, data in islice(source, BATCH):
                    self._add(number, self._decode(data))
                    count, last = count + 1, number
            if count:
                self.last = last
                yield count

    def add_missing(self, missing: Iterable[Trajectory]) -> None:
        """Add what was planned and not run."""
        with self._transaction():
            for one in missing:
                score = Score(one.case, one.agent, one.trial, "not_run")
                self._add(None, _Line(one.case, score, one.agent, one.trial))

    def _add(self, number: int | None, line: _Line) -> None:
        n = self._numbers.get(line.case)
        if n is None:
            return
        score, usage = line.score, line.usage
        self.agents.setdefault(line.agent, len(self.agents))
        row = (
            n,
            line.agent,
            line.trial,
            score.state,
            outcome(score),
            score.passed,
            None if score.answer is None else score.answer.verdict,
            score.score,
            line.latency_ms,
            len(line.calls),
            None if usage is None else usage.tokens,
            None if usage is None else usage.cost_usd,
            _listed(issue.kind for issue in score.issues),
            _listed(call.tool for call in line.calls),
            number,
        )
        self._connection.execute(INSERT_RESULT, row)
        self._connection.execute(INSERT_TEXT, (n, line.agent, line.trial, line.texts()))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that cannot write; what is added meanwhile is not seen."""
        connection = sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.close()

    def close(self) -> None:
        """Close it; the file goes with its folder."""
        self._connection.close()


def _case_row(n: int, case: Case) -> tuple[object, ...]:
    labels = msgspec.json.encode(case.labels).decode()
    folded = fold("\n".join([case.id, case.input, *case.labels.values()]))
    return n, case.id, case.input, labels, natural_key(case.id), natural_key(case.input), folded, encode_sorted(case)


def _listed(names: Iterable[str]) -> str:
    found = dict.fromkeys(names)
    return SEPARATOR.join(["", *found, ""]) if found else ""
