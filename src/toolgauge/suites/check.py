"""Holding a suite that was made in Python to the rules of those that are read from a file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from toolgauge.core import Suite
from toolgauge.errors import MOST_PROBLEMS, NothingToDo, UsageError
from toolgauge.files import Fault, format_path, shorten
from toolgauge.matchers import schema_fault

from .normal import normal_suite
from .rules import check_case, check_settings, repeated_id_faults

__all__ = ["check_suite"]


def check_suite(suite: Suite) -> Suite:
    """The suite, with its names in Unicode normal form.

    Raises:
        UsageError: Rules are broken; they are listed.
        NothingToDo: There are no cases in it.
    """
    if not suite.cases:
        raise NothingToDo(f"there are no cases in the suite {suite.name!r}")
    suite = normal_suite(suite)
    faults = list(islice(_faults(suite), MOST_PROBLEMS + 1))
    if faults:
        lines = [f"suite {suite.name!r}, {_line(fault)}" for fault in faults[:MOST_PROBLEMS]]
        if len(faults) > MOST_PROBLEMS:
            lines.append(f"suite {suite.name!r}: and more; these are the first {MOST_PROBLEMS}")
        raise UsageError("\n".join(lines))
    return suite


def _line(fault: Fault) -> str:
    return f"{format_path(fault.path)}: {fault.what}" + (f"; {fault.hint}" if fault.hint else "")


def _faults(suite: Suite) -> Iterator[Fault]:
    names: set[str] = set()
    for index, tool in enumerate(suite.tools):
        if not tool.name.strip():
            yield Fault(("tools", index, "name"), "the tool has no name")
        elif tool.name in names:
            yield Fault(("tools", index, "name"), f"there is a tool called {shorten(tool.name)} already")
        names.add(tool.name)
        if tool.parameters is not None and (reason := schema_fault(tool.parameters)):
            yield Fault(("tools", index, "parameters"), f"not a JSON schema: {reason}")
    yield from check_settings(suite.settings, ("settings",))
    for index, case in enumerate(suite.cases):
        yield from check_case(case, ("cases", index))
    yield from repeated_id_faults(case.id for case in suite.cases)
