"""Reads an answer where its value stands, and both ways where the locale of the case is unknown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from toolgauge.core import Answer
from toolgauge.locale import Locale

from .reading import MOST_CHARACTERS, clean, corrected, is_declined, region_of

__all__ = ["ENOUGH_OVERLAP", "read_answer", "within_reach"]

ENOUGH_OVERLAP = 0.5
"""An answer that is a range has to share at least this part of what it and the reference range cover together."""
MOST_CANDIDATES = 1000
"""Of a text with more values only the last ones are looked at, or the first ones behind a marker."""
TELLING = re.compile(r"[0-9]\s?[.,/-]\s?[0-9]|[0-9][mM]\b")
"""Only such a text can be read in two ways."""

Value = TypeVar("Value")
Reader = Callable[[str, Locale, bool], Answer | None]
"""Takes a text, how to read it, and whether the first value counts; None: the text holds no value."""


def within_reach(values: list[Value], *, first: bool) -> list[Value]:
    """The values near the end that counts."""
    return values[:MOST_CANDIDATES] if first else values[-MOST_CANDIDATES:]


def read_answer(output: str, locale: Locale | None, read: Reader, missing: str) -> Answer:
    """Score an answer behind its last marker, or else as a whole.

    Args:
        output: The final answer.
        locale: How it writes figures; None: unknown, and both readings have to give the same verdict.
        read: Scores a text.
        missing: Why the answer is wrong where it holds no value.
    """
    cleaned = clean(output)
    region = region_of(cleaned)
    end = cleaned[-MOST_CHARACTERS:]
    text = corrected(region.text[:MOST_CHARACTERS]) if region.marked else end

    if region.firm and is_declined(text):
        return Answer("wrong", None, missing)

    def by(style: Locale) -> Answer:
        answer = read(text, style, region.marked)
        if answer is None and region.marked and not region.firm:
            answer = read(end, style, False)
        return answer or Answer("wrong", None, missing)

    if locale is not None:
        return by(locale)
    first = by("vi")
    if not TELLING.search(text) and not (region.marked and TELLING.search(end)):
        return first
    second = by("en")
    if first.verdict == second.verdict:
        return first
    return Answer("ambiguous", [first.found, second.found], f"two readings: {first.found} or {second.found}")
