"""Rows of any store as values: what a damaged or a stranger's store holds in them is looked at before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from toolgauge.core import JsonValue

from .runs import RunInfo, RunState

__all__ = ["RunRow", "blob", "run_info", "run_row"]


class _About(Struct):
    """What is looked at of a header without its suite."""

    suite_name: str = ""
    agents: tuple[str, ...] = ()
    about: dict[str, JsonValue] = {}


class RunRow(Struct):
    """A row of the table of runs."""

    id: str
    name: str
    created: str
    state: RunState
    planned: int
    suite: str
    about: _About
    settings: dict[str, JsonValue]


def blob(data: object) -> bytes:
    """What was written as bytes; text may come back for it from a file that another program has touched.

    Raises:
        msgspec.MsgspecError: Something else is there.
    """
    if isinstance(data, bytes):
        return data
    return msgspec.convert(data, str).encode()


def run_row(columns: Sequence[Any]) -> RunRow:
    """A row of the table of runs, without its key.

    Raises:
        msgspec.MsgspecError: It does not hold what it should.
    """
    row = msgspec.convert(columns, tuple[str, str, str, RunState, int, str, Any, Any])
    about = msgspec.json.decode(blob(row[6]), type=_About)
    return RunRow(*row[:6], about, msgspec.json.decode(blob(row[7]), type=dict[str, JsonValue]))


def run_info(columns: Sequence[Any], counts: Sequence[Any], held_by: str | None) -> RunInfo:
    """What a list says of a run.

    Args:
        columns: Its row, without the key.
        counts: How many trajectories are finished, and how many of them passed.
        held_by: Who writes it.

    Raises:
        msgspec.MsgspecError: It does not hold what it should.
    """
    run = run_row(columns)
    finished, passed = msgspec.convert(counts, tuple[int, int])
    return RunInfo(
        id=run.id,
        name=run.name,
        created=run.created,
        state=run.state,
        planned=run.planned,
        finished=finished,
        passed=passed,
        suite=run.about.suite_name,
        agents=run.about.agents,
        held_by=held_by,
        about=run.about.about,
        settings=run.settings,
        suite_hash=run.suite,
    )
