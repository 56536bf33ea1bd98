"""Rules for arguments: options that repeat, dates with two readings, values from results that come too late."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgauge.core import Case, Finding, JsonValue, Plan, Severity, identity
from toolgauge.files import Path
from toolgauge.matchers import readings

from .walk import calls_of, choices_in, plans_of, rules_of, sources_in, texts_in

__all__ = ["ambiguous_dates", "repeated_options", "sources_too_late"]

_DATE = re.compile(r"(?<![\d/.-])\d{1,2}([-/.])\d{1,2}\1\d{4}(?![\d/-])")


def repeated_options(case: Case) -> Iterator[Finding]:
    """Options of `$one_of` that are there already."""
    for path, call in calls_of(case):
        for place, name, rule in rules_of(call, path):
            for here, options in choices_in(rule, place):
                seen: set[object] = set()
                for index, option in enumerate(options):
                    if identity(option) in seen:
                        values: dict[str, JsonValue] = {"argument": name, "value": option}
                        yield Finding("repeated_option", "hint", case.id, (*here, index), values)
                    seen.add(identity(option))


def ambiguous_dates(case: Case) -> Iterator[Finding]:
    """Dates in the question or in what is expected whose day and month can be swapped, and no locale that decides."""
    if case.locale is not None:
        return
    for place, text in _texts(case):
        for match in _DATE.finditer(text):
            days = sorted(readings(match[0], None))
            if len(days) > 1:
                meant: list[JsonValue] = [f"{day.year:04}-{day.month:02}-{day.day:02}" for day in days]
                yield Finding("ambiguous_date", "warning", case.id, place, {"text": match[0], "meanings": meant})


def _texts(case: Case) -> Iterator[tuple[Path, str]]:
    yield ("input",), case.input
    for path, call in calls_of(case):
        for place, _, rule in rules_of(call, path):
            yield from texts_in(rule, place)
    for index, text in enumerate(case.expect.contains):
        yield ("expect", "contains", index), text
    if case.expect.answer is not None:
        yield from texts_in(dict(case.expect.answer), ("expect", "answer"))


def sources_too_late(case: Case) -> Iterator[Finding]:
    """Rules `$from` whose tools are expected only later, or neither expected nor allowed."""
    for path, plan in plans_of(case):
        later = _later(plan, strict=(plan.order or case.expect.order) == "strict")
        for index, call in enumerate(plan.calls):
            for place, name, rule in rules_of(call, (*path, "calls", index)):
                tools = sources_in(rule)
                severity = _severity(case, plan, index, tools, later[index]) if tools else None
                if severity is not None:
                    certain = severity == "error" and call.min_calls and "args" in place
                    values: dict[str, JsonValue] = {"tool": call.tool, "argument": name, "sources": list(tools)}
                    yield Finding("no_earlier_source", "error" if certain else "warning", case.id, place, values)


def _severity(case: Case, plan: Plan, index: int, tools: tuple[str, ...], later: Path) -> Severity | None:
    """How bad it is that no source comes before a call; None: one can."""
    expect = case.expect
    if expect.extra == "allow" or any(tool in expect.neutral for tool in tools):
        return None
    sources = [other for other, call in enumerate(plan.calls) if call.tool in tools and call.max_calls != 0]
    # A call that is made several times can take its value from the time before.
    if any(other not in later if other != index else plan.calls[index].max_calls != 1 for other in sources):
        return None
    if expect.extra == "forbid" or all(tool in expect.forbid for tool in tools):
        return "error"
    return "warning" if sources else None


def _later(plan: Plan, *, strict: bool) -> list[tuple[int, ...]]:
    """For each call the positions of those that come behind it in every order that is right."""
    count = len(plan.calls)
    if strict:
        return [tuple(range(index + 1, count)) for index in range(count)]
    positions = {call.id: index for index, call in enumerate(plan.calls) if call.id is not None}
    before = [{positions[name] for name in call.after if name in positions} for call in plan.calls]
    for _ in range(count):
        grown = [known.union(*(before[other] for other in known)) for known in before]
        if grown == before:
            break
        before = grown
    return [tuple(other for other in range(count) if index in before[other]) for index in range(count)]
