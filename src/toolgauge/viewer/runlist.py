"""The list of runs, found and put in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolgauge.pages.folding import natural_key
from toolgauge.store import RunInfo

from .library import Library

__all__ = ["run_list"]

MAX_RUNS = 200

ORDERS: dict[str, Callable[[RunInfo], Any]] = {
    "name": lambda run: natural_key(run.name or run.id),
    "suite": lambda run: natural_key(run.suite),
    "created": lambda run: run.created,
    "finished": lambda run: run.finished,
    "passed": lambda run: run.passed / run.planned if run.planned else -1.0,
}


def run_list(library: Library, asked: Mapping[str, str]) -> dict[str, object]:
    """Some of the runs that fit: `q` is looked for, `suite` and `state` are filters, `sort`, `offset` and `limit`."""
    found = library.search(asked.get("q", ""))
    for name in ("suite", "state"):
        if wanted := asked.get(name):
            found = [run for run in found if (run.suite if name == "suite" else _state(run)) == wanted]
    order = asked.get("sort", "")
    if key := ORDERS.get(order.removeprefix("-")):
        found = sorted(found, key=key, reverse=order.startswith("-"))
    offset = _number(asked.get("offset"), 0)
    limit = min(MAX_RUNS, max(1, _number(asked.get("limit"), 50)))
    every = library.runs()
    return {
        "rows": [_row(run, run.id in library.files) for run in found[offset : offset + limit]],
        "filtered": len(found),
        "total": len(every),
        "suites": sorted({run.suite for run in every}),
    }


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 9 else otherwise


def _state(run: RunInfo) -> str:
    return "interrupted" if run.state == "running" and run.held_by is None else run.state


def _row(run: RunInfo, file: bool) -> dict[str, object]:
    return {
        "id": run.id,
        "name": run.name,
        "created": run.created,
        "state": _state(run),
        "suite": run.suite,
        "suite_hash": run.suite_hash,
        "agents": list(run.agents),
        "model": run.about.get("model"),
        "planned": run.planned,
        "finished": run.finished,
        "passed": run.passed,
        "file": file,
    }
