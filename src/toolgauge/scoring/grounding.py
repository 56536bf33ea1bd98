"""Where the values of arguments come from: a hint at what an agent made up.

A text, number or date is grounded if it stands in the question or in the result of an earlier call. Values that the
tool's schema lists or has as a default, and booleans, need no ground.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from toolgauge.core import Call, Case, Issue, JsonValue, ToolDefinition, nfc
from toolgauge.locale import Locale, find_dates, find_numbers, fold_tones
from toolgauge.matchers import readings

__all__ = ["Grounding"]

MAX_TEXT = 200_000
"""How many characters of what is known are searched."""

MAX_NUMBER = 200
"""How many characters a number in an argument has at most."""

_WORDS = re.compile(r"\w+")


class Grounding:
    """Finds arguments that came from nowhere, by the definitions of the tools."""

    def __init__(self, tools: Sequence[ToolDefinition]) -> None:
        self._listed = {tool.name: _listed_values(tool.parameters or {}) for tool in tools}

    def issues(self, case: Case, calls: Sequence[Call]) -> Iterator[Issue]:
        """An issue for each argument that carries a value from nowhere."""
        known = _Known(case)
        for index, call in enumerate(calls):
            listed = self._listed.get(call.tool, {})
            for name, value in (call.args or {}).items():
                for part in _scalars(value):
                    if part not in listed.get(name, ()) and not known.holds(part):
                        yield Issue("ungrounded_arg", call.tool, name, index, got=part)
                        break
            known.add(call.result)


def _listed_values(schema: Mapping[str, JsonValue]) -> dict[str, list[JsonValue]]:
    """For each argument the values that its schema names: an enumeration, a constant, a default."""
    listed: dict[str, list[JsonValue]] = {}
    properties = schema.get("properties")
    for name, rules in properties.items() if isinstance(properties, dict) else ():
        if isinstance(rules, dict):
            named = rules.get("enum")
            listed[name] = [*(named if isinstance(named, list) else []), rules.get("default"), rules.get("const")]
    return listed


def _scalars(value: JsonValue) -> Iterator[str | int | float]:
    """The texts and numbers in a value."""
    if isinstance(value, bool):
        return
    if isinstance(value, (str, int, float)):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _scalars(item)


class _Known:
    """What the agent could know: the question, and the results so far."""

    def __init__(self, case: Case) -> None:
        self._locale: Locale | None = case.locale
        self._now = date.fromisoformat(case.now[:10]) if case.now else None
        self._fresh: list[str] = []
        self._words: set[str] = set()
        self._numbers: set[float] = set()
        self._days: set[tuple[date, date]] = set()
        self.add(case.input)

    def add(self, value: JsonValue) -> None:
        """Learn what stands in a value."""
        for part in _scalars(value):
            if isinstance(part, str):
                self._fresh.append(part[:MAX_TEXT])
            else:
                self._numbers.add(part)

    def holds(self, value: str | float) -> bool:
        """Whether a value stands in what is known."""
        self._settle()
        if not isinstance(value, str):
            return value in self._numbers
        words = _WORDS.findall(fold_tones(value))
        # A question put together from known words is not made up, even if it does not stand there as it is.
        if all(word in self._words for word in words):
            return True
        return self._is_known_day(value) or self._is_known_number(value)

    def _settle(self) -> None:
        """Read what was added since the last question."""
        for text in self._fresh:
            self._words.update(_WORDS.findall(fold_tones(text)))
            for number in find_numbers(text, self._locale):
                self._numbers.update(low for low, _ in number.readings)
                self._numbers.update(high for _, high in number.readings)
            for found in find_dates(text, self._locale, self._now):
                self._days.update((period.low, period.high) for period in found.readings)
        self._fresh.clear()

    def _is_known_day(self, value: str) -> bool:
        """Whether a date is, begins or ends a period that is known."""
        for year, month, day in readings(value, self._locale):
            for low, high in self._days:
                first, last = (low.year, low.month, low.day), (high.year, high.month, high.day)
                depth = 1 + (month > 0) + (day > 0)
                if (year, month, day)[:depth] in (first[:depth], last[:depth]):
                    return True
        return False

    def _is_known_number(self, value: str) -> bool:
        """Whether a text is a number that is known, as programs write it or as the locale does."""
        if _as_float(value) in self._numbers:
            return True
        text = nfc(value.strip())
        return any(
            (found.start, found.end) == (0, len(text)) and any(self._numbers.issuperset(one) for one in found.readings)
            for found in find_numbers(text[:MAX_NUMBER], self._locale)
        )


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
