"""Values as they are written: options that repeat, dates that can be read in two ways."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgauge.core import Case, Finding, JsonValue, identity
from toolgauge.files import Path
from toolgauge.matchers import readings

from .walk import calls_of, choices_in, rules_of, texts_in

__all__ = ["ambiguous_dates", "repeated_options"]

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
