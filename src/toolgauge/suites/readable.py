"""What can be checked in a case of which some parts have the wrong type, so that all its faults are told at once."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

import msgspec

from toolgauge.core import Case, JsonValue
from toolgauge.files import Fault, Path, list_faults

from .normal import normal_case
from .rules import check_case

__all__ = ["faults_of_readable_parts"]

_ROUNDS = 5
"""How often faults are listed and taken out; a list of faults is never longer than a person reads."""

_UNKNOWN = "?"
"""Stands for a name that is missing, which is told already."""


def faults_of_readable_parts(case: JsonValue, path: Path) -> Iterator[Fault]:
    """Broken rules in those parts of a case whose types are right."""
    read = _readable(case)
    if read is None:
        return
    whole = not list_faults(case, Case)
    for fault in check_case(read, path):
        # An id that was taken out may be the one that `after` names.
        if whole or "after" not in fault.path[len(path) :]:
            yield fault


def _readable(case: JsonValue) -> Case | None:
    """The case without the parts whose types are wrong; None where too little is left."""
    if not isinstance(case, dict):
        return None
    kept = deepcopy(case)
    _fill(kept)
    for _ in range(_ROUNDS):
        faults = list_faults(kept, Case)
        if not faults:
            break
        for fault in faults:
            _take_out(kept, fault.path)
        _fill(kept)
    try:
        return normal_case(msgspec.convert(kept, Case))
    except (msgspec.ValidationError, OverflowError, RecursionError):
        return None


def _fill(case: dict[str, JsonValue]) -> None:
    """Give names to what has none."""
    case.setdefault("id", _UNKNOWN)
    expect = case.get("expect")
    if not isinstance(expect, dict):
        return
    plans = expect.get("any_of")
    for holder in (expect, *(plans if isinstance(plans, list) else ())):
        calls = holder.get("calls") if isinstance(holder, dict) else None
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                call.setdefault("tool", _UNKNOWN)


def _take_out(case: dict[str, JsonValue], path: Path) -> None:
    """Take out the key that a path leads to, or the nearest one above it where the path ends in a list."""
    while path and isinstance(path[-1], int):
        path = path[:-1]
    holder: JsonValue = case
    for step in path[:-1]:
        # What was taken out already leads nowhere.
        if isinstance(holder, dict):
            holder = holder.get(str(step))
        elif isinstance(holder, list) and isinstance(step, int):
            holder = holder[step]
    if path and isinstance(holder, dict):
        holder.pop(str(path[-1]), None)
