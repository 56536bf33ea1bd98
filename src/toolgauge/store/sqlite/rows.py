"""Rows of a store as values: what a damaged or a stranger's file holds in them is looked at before it is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from toolgauge.core import JsonValue, Review, Suite
from toolgauge.store.encoding import RunLine, Suites, with_suite
from toolgauge.store.rows import blob, run_row

__all__ = ["COLUMNS", "read_row"]

COLUMNS = {
    "suites": ("hash", "suite"),
    "runs": ("key", "id", "name", "created", "state", "planned", "suite", "header", "settings"),
    "trajectories": ("key", "run", "agent", "case_id", "trial", "state", "passed", "line"),
    "journal": ("key", "run", "agent", "case_id", "trial", "event"),
    "baselines": ("name", "run", "since"),
    "reviews": ("key", "run", "about", "review"),
}
"""The tables that are worth saving, and what is in them; runs before what belongs to them."""


def read_row(table: str, row: Sequence[Any]) -> None:
    """Look at a row of any table of `COLUMNS`.

    Raises:
        msgspec.MsgspecError: It does not hold what it should.
    """
    _READERS[table](row)


def _read_suite(row: Sequence[Any]) -> None:
    _, data = msgspec.convert(row, tuple[str, Any])
    msgspec.json.decode(blob(data), type=Suite)


def _read_run(row: Sequence[Any]) -> None:
    msgspec.convert(row[0], int)
    run = run_row(row[1:])
    if run.planned < 0:
        raise msgspec.ValidationError("Expected a plan")
    with_suite(blob(row[7]), EMPTY_SUITE, Suites())


def _read_trajectory(row: Sequence[Any]) -> None:
    _, _, *named, _, data = msgspec.convert(row, tuple[int, int, str, str, int, str, int, Any])
    line = msgspec.json.decode(blob(data), type=RunLine)
    if [line.agent, line.case, line.trial, line.state] != named:
        raise msgspec.ValidationError("Expected the trajectory that the row names")


def _read_event(row: Sequence[Any]) -> None:
    *_, data = msgspec.convert(row, tuple[int, int, str, str, int, Any])
    msgspec.json.decode(blob(data), type=dict[str, JsonValue])


def _read_baseline(row: Sequence[Any]) -> None:
    msgspec.convert(row, tuple[str, int, str])


def _read_review(row: Sequence[Any]) -> None:
    *_, data = msgspec.convert(row, tuple[int, int, str, Any])
    msgspec.json.decode(blob(data), type=Review)


EMPTY_SUITE = b'{"name":"","cases":[]}'

_READERS: dict[str, Callable[[Sequence[Any]], None]] = {
    "suites": _read_suite,
    "runs": _read_run,
    "trajectories": _read_trajectory,
    "journal": _read_event,
    "baselines": _read_baseline,
    "reviews": _read_review,
}
