"""What a suite has to obey beyond the types of its keys, whether it is read from a file or made in Python.

Where parts of a case have the wrong type, the others are checked all the same, so that all faults are told at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date, datetime
from itertools import islice
from math import fsum

import msgspec

from toolgauge.core import (
    ROUNDING_SLACK,
    Case,
    CaseSettings,
    ExpectedCall,
    IssueKind,
    JsonValue,
    Settings,
    Suite,
    Times,
    Weights,
    nfc,
)
from toolgauge.errors import MOST_PROBLEMS, NothingToDo, UsageError, did_you_mean
from toolgauge.files import Fault, Path, format_path, list_faults, shorten
from toolgauge.matchers import check_rule, schema_fault

from .unicode_names import normal_case, normal_suite

__all__ = [
    "MAX_TIMES",
    "check_case",
    "check_settings",
    "check_suite",
    "check_written",
    "faults_of_readable_parts",
    "repeated_id_faults",
    "repeated_ids",
]

MAX_TIMES = 1000
"""How often a call can be expected: each of them is a place to be filled."""

_ROUNDS = 5
"""How often faults are listed and taken out; a list of faults is never longer than a person reads."""

_UNKNOWN = "?"
"""Stands for a name that is missing, which is told already."""


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
            yield Fault(("tools", index, "name"), f"there is already a tool called {shorten(tool.name)}")
        names.add(tool.name)
        if tool.parameters is not None and (reason := schema_fault(tool.parameters)):
            yield Fault(("tools", index, "parameters"), f"not a JSON schema: {reason}")
    yield from check_settings(suite.settings, ("settings",))
    for index, case in enumerate(suite.cases):
        yield from check_case(case, ("cases", index))
    yield from repeated_id_faults(case.id for case in suite.cases)


# --- the rules


def repeated_ids(ids: Iterable[str | None]) -> Iterator[tuple[int, int, str]]:
    """Positions of ids that were there before: where, where first, and the id."""
    first: dict[str, int] = {}
    for index, written in enumerate(ids):
        if written is None:
            continue
        name = nfc(written.strip())
        if name in first:
            yield index, first[name], written
        else:
            first[name] = index


def repeated_id_faults(ids: Iterable[str | None]) -> Iterator[Fault]:
    """The ids of cases that were there before."""
    for index, first, name in repeated_ids(ids):
        yield Fault(("cases", index, "id"), f"the id {shorten(name)} is already used by cases[{first}]")


def check_written(case: JsonValue, path: Path) -> Iterator[Fault]:
    """What can be seen only in a case as written: an empty value, which would pass for an absent one."""
    expect = case.get("expect") if isinstance(case, dict) else None
    if not isinstance(expect, dict):
        return
    here = (*path, "expect")
    if "calls" in expect and expect["calls"] is None:
        hint = "write [] if no tool may be called, or leave 'calls' out to say nothing about tools"
        yield Fault((*here, "calls"), "'calls' has no value", hint, at_key=True)
    if expect.get("any_of") == []:
        hint = "list the plans, or leave 'any_of' out"
        yield Fault((*here, "any_of"), "'any_of' has no plan to choose from", hint, at_key=True)


def check_settings(settings: Settings | CaseSettings, path: Path) -> Iterator[Fault]:
    """Everything wrong with settings of a suite or a case whose types are right."""
    weights = settings.weights or Weights()
    total = fsum((weights.call_precision, weights.call_recall, weights.param_accuracy, weights.content))
    if abs(total - 1) > ROUNDING_SLACK:
        hint = "weights that are left out keep their defaults: 0.3, 0.3, 0.3 and 0.1"
        yield Fault((*path, "weights"), f"the weights sum to {total:.6g}, not to 1", hint)
    yield from _check_verdict(settings.fail_on, settings.ignore, path)


def _check_verdict(fail_on: Sequence[IssueKind], ignore: Sequence[IssueKind], path: Path) -> Iterator[Fault]:
    """Issues that are to fail a case and not to, and one that always does."""
    for index, kind in enumerate(ignore):
        if kind in fail_on:
            yield Fault((*path, "ignore", index), f"{kind} is in 'fail_on' as well", "leave one of them out")
        elif kind == "agent_error":
            what = "agent_error cannot be ignored: a trajectory that ended early never passes"
            yield Fault((*path, "ignore", index), what, "leave it out")


def check_case(case: Case, path: Path) -> Iterator[Fault]:
    """Everything wrong with a case whose types are right."""
    if not case.id.strip():
        yield Fault((*path, "id"), "the id is empty")
    if case.now is not None and not _is_day(case.now):
        what = f"{shorten(case.now)} is not a day"
        yield Fault((*path, "now"), what, "write year-month-day, such as 2026-01-31")
    if case.judge is not None and not case.judge.rubric.strip():
        yield Fault((*path, "judge", "rubric"), "the rubric is empty", "describe a good answer")
    if case.settings is not None:
        yield from check_settings(case.settings, (*path, "settings"))
    yield from _check_expect(case, (*path, "expect"))


def _is_day(text: str) -> bool:
    """Whether a text begins with a day as `2026-01-31`, perhaps with a time of that day behind it."""
    try:
        datetime.fromisoformat(text)
        return date.fromisoformat(text[:10]).isoformat() == text[:10]
    except ValueError:
        return False


def _check_expect(case: Case, path: Path) -> Iterator[Fault]:
    expect = case.expect
    if expect.calls is not None and expect.any_of:
        hint = "put the calls into one of the plans of 'any_of'"
        yield Fault((*path, "any_of"), "'calls' and 'any_of' cannot both be given", hint, at_key=True)
    if expect.answer is not None:
        yield from _check_answer(expect.answer, case, (*path, "answer"))
    if expect.calls:
        yield from _check_calls(expect.calls, (*path, "calls"))
    for index, plan in enumerate(expect.any_of):
        yield from _check_calls(plan.calls, (*path, "any_of", index, "calls"))


def _check_answer(spec: Mapping[str, JsonValue], case: Case, path: Path) -> Iterator[Fault]:
    """Everything wrong with a typed answer, each at the key without which it would not be wrong in that way."""
    from toolgauge.answers import check_spec  # many patterns, for the suites that need them

    for problem in check_spec(spec, locale=case.locale, now=case.now):
        for key in spec:
            rest = {other: value for other, value in spec.items() if other != key}
            if key != "type" and problem not in check_spec(rest, locale=case.locale, now=case.now):
                yield Fault((*path, key), problem)
                break
        else:
            yield Fault(path, problem)


def _check_calls(calls: Sequence[ExpectedCall], path: Path) -> Iterator[Fault]:
    for index, call in enumerate(calls):
        here = (*path, index)
        if not call.tool.strip():
            yield Fault((*here, "tool"), "the name of the tool is empty")
        if call.times is not None:
            yield from _check_times(call.times, (*here, "times"))
        for key, rules in (("args", call.args), ("check", call.check)):
            for name, rule in rules.items():
                if name.startswith("$"):
                    what = f"{shorten(name)} is where the name of an argument is expected"
                    hint = "write a matcher below the argument it is for"
                    yield Fault((*here, key, name), what, hint, at_key=True)
                if isinstance(rule, (dict, list)):
                    yield from check_rule(rule, (*here, key, name))
    yield from _check_order(calls, path)


def _check_times(times: Times | int, path: Path) -> Iterator[Fault]:
    numbers: dict[Path, int | None] = {path: times} if isinstance(times, int) else {}
    if isinstance(times, Times):
        numbers = {(*path, "min"): times.min, (*path, "max"): times.max}
    for place, number in numbers.items():
        if number is not None and number > MAX_TIMES:
            yield Fault(place, f"expected {MAX_TIMES:,} or less, found {number}")
    if isinstance(times, Times):
        if times.max is not None and times.max < times.min:
            yield Fault((*path, "max"), f"'max' is {times.max}, less than 'min', which is {times.min}")
    elif times < 1:
        yield Fault(path, f"expected 1 or more, found {times}", "leave out a call that is not expected")


def _check_order(calls: Sequence[ExpectedCall], path: Path) -> Iterator[Fault]:
    """Ids are there once, and `after` names ids and goes in no circle."""
    known: dict[str, int] = {}
    for index, call in enumerate(calls):
        if call.id is None:
            continue
        if call.id in known:
            yield Fault((*path, index, "id"), f"there is already an expected call with the id {shorten(call.id)}")
        known.setdefault(call.id, index)
    before: dict[int, list[int]] = {}
    for index, call in enumerate(calls):
        for position, name in enumerate(call.after):
            here = (*path, index, "after", position)
            if name not in known:
                hint = did_you_mean(name, list(known)) if known else "give the other call an 'id'"
                yield Fault(here, f"no expected call here has the id {shorten(name)}", hint)
            elif known[name] == index:
                yield Fault(here, "a call cannot come after itself")
            else:
                before.setdefault(index, []).append(known[name])
    circle = _circle(before)
    if circle is not None:
        yield Fault((*path, circle, "after"), "'after' is circular: no order can satisfy it")


def _circle(before: dict[int, list[int]]) -> int | None:
    """Some call that has to come before itself, if there is one.

    Calls that wait for nothing are taken away until none is left, or only circles are.
    """
    waiting = {index: set(others) for index, others in before.items()}
    while waiting:
        free = [index for index, others in waiting.items() if not any(other in waiting for other in others)]
        if not free:
            return min(waiting)
        for index in free:
            del waiting[index]
    return None


# --- where parts have the wrong type


def faults_of_readable_parts(case: JsonValue, path: Path) -> Iterator[Fault]:
    """Broken rules in those parts of a case whose types are right."""
    whole = True
    try:
        read: Case | None = normal_case(msgspec.convert(case, Case))
    except (msgspec.ValidationError, OverflowError, RecursionError):
        read = _readable(case)
        whole = not list_faults(case, Case)
    if read is None:
        return
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
