"""What a type of answer is, and what the types have in common: checks, JSON schemas, the reading of a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeAlias, TypeVar

from toolgauge.core import Answer, JsonValue, nfc
from toolgauge.locale import PROFILES, Locale

from .page import Page, read_page
from .question import Question
from .reading import is_declined

__all__ = [
    "ENOUGH_OVERLAP",
    "SWITCH_SCHEMA",
    "TEXTS_SCHEMA",
    "WORDS_SCHEMA",
    "AnswerType",
    "Scorer",
    "Setting",
    "Spec",
    "check_switch",
    "check_value_or_range",
    "is_text",
    "read_answer",
    "two_of",
    "two_ways",
    "within_reach",
]

Spec: TypeAlias = Mapping[str, JsonValue]
"""The `answer` of a case, with its `type`."""
Scorer: TypeAlias = Callable[[str], Answer]
Schema: TypeAlias = dict[str, Any]

WORDS_SCHEMA: Schema = {"type": "string", "pattern": "\\S"}
TEXTS_SCHEMA: Schema = {"type": "array", "items": WORDS_SCHEMA}
SWITCH_SCHEMA: Schema = {"type": "boolean"}


class Setting(NamedTuple):
    """What a case says besides its answer."""

    locale: Locale | None = None
    """How answers write figures; None: unknown."""
    now: date | None = None
    """The day that relative dates count from."""
    asked: Question = Question()
    """What the question asks for."""


def _all_read(*_: object) -> list[str]:
    return []


@dataclass(frozen=True, slots=True)
class AnswerType:
    """One type of answer: how a case states it, and how an answer is scored against it."""

    name: str
    prepare: Callable[[Spec, Setting], Scorer]
    """Takes a checked `answer`, and what the case says besides."""
    check: Callable[[Spec], list[str]]
    """Everything wrong with the values of the keys; unknown keys are refused before."""
    keys: Mapping[str, Schema]
    """The keys beside `type`, each with the JSON schema of its value."""
    forms: tuple[tuple[str, ...], ...] = ()
    """Keys that go together, the one that has to be there first; empty: one form with all keys."""
    words_key: str = ""
    """The key that takes the words of a table's cell, where the type has a list; empty: `value` takes the cell."""
    read_cell: Callable[[str], JsonValue] = nfc
    """The value that a table's cell states. Raises ValueError, with what is wrong with the cell."""
    unread: Callable[[Spec, Locale | None, date | None], list[str]] = _all_read
    """What is wrong with values that are texts of the locale: they cannot be read, or in two ways."""
    called: tuple[str, ...] = ()
    """What people call it in the column of a table, in small letters."""

    @property
    def schemas(self) -> list[tuple[str, Schema]]:
        """For each form the key that has to be there, and the schemas of all its keys."""
        return [(form[0], {key: self.keys[key] for key in form}) for form in self.forms or (tuple(self.keys),)]


def two_of(bound: Schema) -> Schema:
    """The schema of a range."""
    return {"type": "array", "items": bound, "minItems": 2, "maxItems": 2}


def is_text(value: JsonValue) -> bool:
    """Whether a value can be meant as a text; YAML makes numbers of some."""
    return isinstance(value, str | int | float) and not isinstance(value, bool) and bool(str(value).strip())


def check_switch(spec: Spec, key: str) -> list[str]:
    """What is wrong with a key that is true or false."""
    return [] if isinstance(spec.get(key, False), bool) else [f"{key} is true or false"]


def check_value_or_range(spec: Spec, kind: str, is_one: Callable[[JsonValue], bool], form: str) -> list[str]:
    """What is wrong with a spec that has exactly one of `value` and `range`, of the right form."""
    has_value, has_range = spec.get("value") is not None, spec.get("range") is not None
    if has_value == has_range:
        return [f"a {kind} answer needs either a value or a range"]
    if has_value:
        value = spec["value"]
        return [] if is_one(value) else [f"the value {value!r} is not {form}"]
    bounds = spec["range"]
    if not isinstance(bounds, list) or len(bounds) != 2 or not all(map(is_one, bounds)):
        return [f"a range is a list of two, from and to, each {form}"]
    return []


def two_ways(spec: Spec, reads: Callable[[JsonValue], bool], clear: str) -> list[str]:
    """What to say of values that mean different things in different locales, or nothing in this one.

    Args:
        spec: The `answer` mapping.
        reads: Whether a value can be read in the locale of the case.
        clear: How such a value is written so that everybody reads it alike.
    """
    asked = spec.get("range")
    values = asked if isinstance(asked, list) else [spec.get("value")]
    return [
        f"{value!r} is ambiguous; give the case a locale, or write it as in {clear}"
        for value in values
        if not reads(value)
    ]


ENOUGH_OVERLAP = 0.5
"""An answer that is a range has to share at least this part of what it and the reference range cover together."""
MAX_CANDIDATES = 400
"""Of a text with more values only the first and the last ones are looked at."""
TELLING = re.compile(r"[0-9]\s?[.,/-]\s?[0-9]|[0-9][mM]\b")
"""Only such a text can be read in more than one way."""

Value = TypeVar("Value")
Reader = Callable[[Page, Locale], Answer | None]
"""Takes an answer and how to read it; None: the answer holds no value."""


def within_reach(values: list[Value]) -> list[Value]:
    """The values near the beginning and the end."""
    if len(values) <= MAX_CANDIDATES:
        return values
    return values[: MAX_CANDIDATES // 2] + values[-MAX_CANDIDATES // 2 :]


def read_answer(output: str, locale: Locale | None, read: Reader, missing: str) -> Answer:
    """Score an answer.

    Args:
        output: The final answer.
        locale: How it writes figures; None: unknown, and all readings have to give the same verdict.
        read: Scores a text.
        missing: Why the answer is wrong where it holds no value.
    """
    page = read_page(output)
    marker = page.marker
    if marker is not None and marker["soft"] is None and is_declined(page.text[marker.end() :]):
        return Answer("wrong", None, missing)

    def by(style: Locale) -> Answer:
        return read(page, style) or Answer("wrong", None, missing)

    if locale is not None:
        return by(locale)
    styles = iter(PROFILES)
    readings = [by(next(styles))]
    if TELLING.search(page.text):
        readings += map(by, styles)
    first = readings[0]
    if all(reading.verdict == first.verdict for reading in readings):
        return first
    different = list({(reading.verdict, str(reading.found)): reading.found for reading in readings}.values())
    count = "two" if len(different) == 2 else len(different)
    return Answer("ambiguous", different, f"{count} readings: {' or '.join(map(str, different))}")
