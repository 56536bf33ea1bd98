"""Which cases of a run are wanted, in which order, and how many these are.

A case fits where one of its results fits all filters of results (agent, tool, issue, outcome, answer, figures), and the
case itself fits those of cases (label, set, text, review). Pages in one file choose by the same rules, in
`pages/static/filters.js`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isnan
from typing import Any

import msgspec

from toolgauge.pages.folding import fold

from .index import SEPARATOR, CaseIndex

__all__ = ["MAX_ROWS", "CaseQuery", "Found", "chosen", "neighbours", "numbers_of", "read_query"]

MAX_ROWS = 500
"""So many rows are given at once."""

MAX_WORDS = 20

FIGURES = ("score", "latency", "calls", "tokens", "cost")
LISTS = ("agent", "outcome", "answer")
NAMED = {"tool": "tools", "issue": "kinds"}

RESULT = "agent, trial, state, outcome, passed, score, answer, kinds, tools, latency, calls, tokens, cost"


@dataclass(frozen=True, slots=True)
class CaseQuery:
    """What somebody asks for."""

    words: tuple[str, ...] = ()
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By the name of a filter the values of which one has to fit."""
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    set: str = ""
    review: str = ""
    sort: str = ""
    offset: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Found:
    """A page of cases."""

    rows: list[dict[str, object]]
    filtered: int
    total: int


def read_query(given: Iterable[tuple[str, str]]) -> CaseQuery:
    """What the parameters of an address ask for; what is no filter counts for nothing."""
    values: dict[str, list[str]] = {}
    for name, value in given:
        values.setdefault(name, []).append(value)
    one = {name: found[0] for name, found in values.items()}
    labels: dict[str, list[str]] = {}
    for label in values.get("label", ()):
        key, _, value = label.partition(":")
        labels.setdefault(key, []).append(value)
    return CaseQuery(
        words=tuple(fold(one.get("q", "")).split()[:MAX_WORDS]),
        lists={name: values[name] for name in (*LISTS, *NAMED) if name in values},
        labels=labels,
        ranges=dict(_ranges(one)),
        set=one.get("set", ""),
        review=one.get("review", ""),
        sort=one.get("sort", ""),
        offset=max(0, _whole(one.get("offset"), 0)),
        limit=min(MAX_ROWS, max(1, _whole(one.get("limit"), 50))),
    )


def _ranges(given: Mapping[str, str]) -> Iterator[tuple[str, tuple[float, float]]]:
    for name in FIGURES:
        low, dots, high = given.get(name, "").partition("..")
        if dots:
            yield name, (_number(low, -inf), _number(high, inf))


def _number(text: str, otherwise: float) -> float:
    try:
        found = float(text) if text else otherwise
    except ValueError:
        return otherwise
    return otherwise if isnan(found) else found


def _whole(text: str | None, otherwise: int) -> int:
    try:
        return int(text) if text is not None and len(text) < 10 else otherwise
    except ValueError:
        return otherwise


@dataclass(slots=True)
class _Sql:
    """A part of a statement with its values."""

    parts: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def add(self, text: str, *values: object) -> None:
        self.parts.append(text)
        self.values += values

    @property
    def text(self) -> str:
        return " AND ".join(self.parts) or "1"


def _conditions(query: CaseQuery, sets: Collection[int] | None, reviewed: Collection[str] | None) -> _Sql:
    cases = _Sql()
    if sets is not None:
        cases.add("n IN (SELECT value FROM json_each(?))", msgspec.json.encode(list(sets)).decode())
    if reviewed is not None:
        cases.add("id IN (SELECT value FROM json_each(?))", msgspec.json.encode(list(reviewed)).decode())
    for key, values in query.labels.items():
        marks = ", ".join("?" * len(values))
        text = f"(SELECT COALESCE(MAX(value), '') FROM json_each(labels) WHERE key = ?) IN ({marks})"  # noqa: S608
        cases.add(text, key, *values)
    results = _result_conditions(query)
    if results.parts:
        cases.add(f"n IN (SELECT n FROM results WHERE {results.text})", *results.values)  # noqa: S608 - texts of ours
    for word in query.words:
        found = "SELECT n FROM texts WHERE instr(folded, ?) UNION SELECT n FROM cases WHERE instr(folded, ?)"
        cases.add(f"n IN ({found})", word, word)
    return cases


def _result_conditions(query: CaseQuery) -> _Sql:
    results = _Sql()
    for name, values in query.lists.items():
        if name in NAMED:
            parts = " OR ".join([f"instr({NAMED[name]}, ?)"] * len(values))
            results.add(f"({parts})", *(f"{SEPARATOR}{value}{SEPARATOR}" for value in values))
        else:
            results.add(f"COALESCE({name}, '') IN ({', '.join('?' * len(values))})", *values)
    for name, (low, high) in query.ranges.items():
        results.add(f"{name} >= ? AND {name} <= ?", low, high)
    return results


def _order(sort: str) -> _Sql:
    """By what the cases are put in order; without a name as in the suite. What has no figure comes last."""
    by, order = sort.removeprefix("-"), "DESC" if sort.startswith("-") else "ASC"
    key = _Sql()
    if by in ("id", "input"):
        key.add(f"{by}_key")
    elif by == "passed":
        key.add("COALESCE((SELECT AVG(passed) FROM results WHERE results.n = cases.n), -1)")
    elif by == "issues":
        count = f"LENGTH(kinds) - LENGTH(REPLACE(kinds, '{SEPARATOR}', ''))"
        key.add(f"(SELECT SUM(MAX(0, {count} - 1)) FROM results WHERE results.n = cases.n)")  # noqa: S608 - ours
    elif by.startswith("agent:"):
        own = "SELECT AVG(passed) FROM results WHERE results.n = cases.n AND agent = ?"
        key.add(f"COALESCE(({own}), -1)", by.removeprefix("agent:"))
    elif by.startswith("label:"):
        key.add("(SELECT MAX(value) FROM json_each(labels) WHERE key = ?)", by.removeprefix("label:"))
    elif by in FIGURES:
        key.add(f"(SELECT AVG({by}) FROM results WHERE results.n = cases.n)")  # noqa: S608 - names of ours
    else:
        return _Sql(["n"])
    return _Sql([f"{key.text} {order} NULLS LAST, n"], key.values)


def numbers_of(
    connection: sqlite3.Connection,
    query: CaseQuery,
    sets: Collection[int] | None = None,
    reviewed: Collection[str] | None = None,
) -> list[int]:
    """The numbers of all cases that fit, in order.

    Args:
        connection: To the index.
        query: What is asked for.
        sets: The only cases that may fit, by number; None: all.
        reviewed: The only cases that may fit, by id; None: all.
    """
    where, order = _conditions(query, sets, reviewed), _order(query.sort)
    text = f"SELECT n FROM cases WHERE {where.text} ORDER BY {order.text}"  # noqa: S608 - made of texts of ours
    return [n for (n,) in connection.execute(text, [*where.values, *order.values])]


def chosen(index: CaseIndex, query: CaseQuery, numbers: Sequence[int]) -> Found:
    """A page of the cases that fit, whose numbers `numbers_of` found."""
    page = list(numbers[query.offset : query.offset + query.limit])
    with index.reading() as connection:
        rows = _rows(connection, page, index.agents)
    return Found([rows[n] for n in page if n in rows], len(numbers), index.total)


def _rows(
    connection: sqlite3.Connection, numbers: Sequence[int], agents: Mapping[str, int]
) -> dict[int, dict[str, object]]:
    wanted = msgspec.json.encode(numbers).decode()
    inside = "n IN (SELECT value FROM json_each(?))"
    rows: dict[int, dict[str, object]] = {}
    results: dict[int, list[dict[str, object]]] = {n: [] for n in numbers}
    for n, name, question, labels in connection.execute(
        f"SELECT n, id, input, labels FROM cases WHERE {inside}",  # noqa: S608 - texts of ours
        (wanted,),
    ):
        rows[n] = {
            "n": n,
            "id": name,
            "input": question,
            "labels": msgspec.json.decode(labels),
            "results": results[n],
        }
    found = connection.execute(f"SELECT n, {RESULT} FROM results WHERE {inside}", (wanted,)).fetchall()  # noqa: S608
    for n, *row in sorted(found, key=lambda row: (agents.get(row[1], len(agents)), row[2])):
        results[n].append(_result(row))
    return rows


def _result(row: Sequence[Any]) -> dict[str, object]:
    agent, trial, state, outcome, passed, score, answer, kinds, tools, latency, calls, tokens, cost = row
    return {
        "agent": agent,
        "trial": trial,
        "state": state,
        "outcome": outcome,
        "passed": bool(passed),
        "with_issues": bool(passed) and bool(kinds),
        "score": score,
        "answer": answer,
        "issues": kinds.split(SEPARATOR)[1:-1],
        "tools": tools.split(SEPARATOR)[1:-1],
        "latency_ms": latency,
        "calls": calls,
        "tokens": tokens,
        "cost": cost,
    }


def neighbours(index: CaseIndex, numbers: Sequence[int], n: int) -> dict[str, object]:
    """Which cases stand beside one among those that fit."""
    at = numbers.index(n) if n in numbers else -1
    beside = [numbers[place] if at >= 0 and 0 <= place < len(numbers) else -1 for place in (at - 1, at + 1)]
    with index.reading() as connection:
        names = [connection.execute("SELECT id FROM cases WHERE n = ?", (one,)).fetchone() for one in beside]
    before, after = (None if name is None else str(name[0]) for name in names)
    return {"before": before, "after": after, "at": at, "of": len(numbers)}
