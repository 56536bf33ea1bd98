"""What every matcher means, as plainly as it can be said; shares nothing with the code under test but `same`.

Numbers are fractions, patterns run on Python's engine, dates are tried format by format, results are searched leaf by
leaf. All of it is slow, and none of it is hardened: patterns have to be harmless and numbers finite.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from toolgauge.core import Call, JsonValue, same

DATE_FORMATS = {
    "%Y": 1,
    "%Y-%m": 2,
    "%m/%Y": 2,
    "%B %Y": 2,
    "tháng %m/%Y": 2,
    "%Y-%m-%d": 3,
    "%Y/%m/%d": 3,
    "%Y%m%d": 3,
    "%B %d, %Y": 3,
    "%d %B %Y": 3,
    "ngày %d tháng %m năm %Y": 3,
}
"""Ways of writing a date that mean the same everywhere, and how much of it each says: year, month, day."""

BY_LOCALE = {"vi": ("%d/%m/%Y", "%m/%d/%Y"), "en": ("%m/%d/%Y", "%d/%m/%Y"), None: ("%d/%m/%Y", "%m/%d/%Y")}
"""Ways in which day and month can be swapped; the first one that the calendar has counts, or both without a locale."""

DIGITS = {"%Y": 4, "%Y%m%d": 8}
"""Where nothing stands between the parts, as many digits as there have to be."""


def matches(rule: JsonValue, value: JsonValue, before: Sequence[Call] = (), locale: str | None = None) -> bool:
    """Whether a value that is there fits a literal or matcher, given the calls made before."""

    def fits(inner: JsonValue, item: JsonValue) -> bool:
        return matches(inner, item, before, locale)

    if isinstance(rule, dict):
        name = next(iter(rule), "")
        if name == "$from":
            return comes_from(rule[name], value, before)
        if name == "$date":
            return is_date(rule[name], value, locale)
        if name == "$range":
            return in_range(rule[name], value, locale)
        if name in MEANINGS:
            return MEANINGS[name](rule[name], value, fits)
        return isinstance(value, dict) and value.keys() <= rule.keys() and has_keys(rule, value, fits)
    if isinstance(rule, list):
        if not isinstance(value, list) or len(rule) != len(value):
            return False
        return all(fits(inner, item) for inner, item in zip(rule, value, strict=True))
    return same(rule, value)


def may_be_absent(rule: JsonValue) -> bool:
    """Whether leaving the value out fits."""
    if not isinstance(rule, dict):
        return False
    options = rule.get("$one_of")
    return "$absent" in rule or "$default" in rule or (isinstance(options, list) and any(map(may_be_absent, options)))


Fits = Callable[[JsonValue, JsonValue], bool]


def has_keys(rule: dict[str, JsonValue], value: dict[str, JsonValue], fits: Fits) -> bool:
    """Whether an object has every key that is asked for, with a fitting value."""
    return all(fits(rule[key], value[key]) if key in value else may_be_absent(rule[key]) for key in rule)


def is_number(value: JsonValue) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain(text: str) -> str:
    """A text without differences of case and normal form."""
    return unicodedata.normalize("NFC", text).casefold()


def contains(rule: Any, value: Any, fits: Fits) -> bool:
    """A text that holds all parts, or a list that holds all items."""
    parts = rule if isinstance(rule, list) else [rule]
    if isinstance(value, str):
        return all(isinstance(part, str) and plain(part) in plain(value) for part in parts)
    return isinstance(value, list) and all(any(fits(part, item) for item in value) for part in parts)


def approx(rule: Any, value: Any, fits: Fits) -> bool:
    """A number no further from another than the wider margin."""
    parts = rule if isinstance(rule, dict) else {"value": rule}
    target = Fraction(str(parts["value"]))
    relative = Fraction(str(parts.get("rel", 0 if "abs" in parts else 1e-6)))
    margin = max(abs(target) * relative, Fraction(str(parts.get("abs", 0))))
    return is_number(value) and abs(Fraction(str(value)) - target) <= margin


def in_range(rule: Any, value: Any, locale: str | None) -> bool:
    """A number between two others, or a date all of whose days are between two others; either bound may be missing.

    A month or year as a bound has all its days in the range. Dates in ISO form are in the order of their letters.
    """
    low, high = (rule.get("min"), rule.get("max")) if isinstance(rule, dict) else rule
    if not isinstance(low, str) and not isinstance(high, str):
        return is_number(value) and (low is None or value >= low) and (high is None or value <= high)
    readings = set(read_date(value, locale)) if isinstance(value, str) else set()
    days = ["-".join(f"{part:0{width}}" for part, width in zip(parts, (4, 2, 2), strict=False)) for parts in readings]
    return bool(days) and all(
        (low is None or low <= first_day(day))
        and (high is None or first_day(day, "-12-31") <= first_day(high, "-12-31"))
        for day in days
    )


def first_day(day: str, rest: str = "-01-01") -> str:
    """The first day of a month or year; with another rest, a day that is not before its last one."""
    return day + rest[len(day) - 4 :]


def is_set(rule: Any, value: Any, fits: Fits) -> bool:
    """A list that has something for every rule, and for every item a rule."""
    return (
        isinstance(value, list)
        and all(any(fits(inner, item) for item in value) for inner in rule)
        and all(any(fits(inner, item) for inner in rule) for item in value)
    )


def by_schema(rule: Any, value: Any, fits: Fits) -> bool:
    """A value that a JSON schema allows; the keywords `type`, `minimum`, `enum` and `items` alone."""
    kinds = {
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
        "number": is_number(value),
        "integer": is_number(value) and value == int(value),
    }
    return (
        ("type" not in rule or kinds[rule["type"]])
        and ("minimum" not in rule or not is_number(value) or value >= rule["minimum"])
        and ("enum" not in rule or any(same(option, value) for option in rule["enum"]))
        and (
            "items" not in rule or not isinstance(value, list) or all(by_schema(rule["items"], i, fits) for i in value)
        )
    )


def is_date(rule: Any, value: JsonValue, locale: str | None) -> bool:
    """A date that can only be read as the one asked for, as far as that goes."""
    parts = rule if isinstance(rule, dict) else {"value": rule}
    wanted = str(parts["value"])
    depth = {"year": 1, "month": 2, "day": 3}[parts.get("precision", ("year", "month", "day")[wanted.count("-")])]
    if depth == 1 and isinstance(value, int) and not isinstance(value, bool):
        return value == int(wanted[:4])
    readings = set(read_date(value, locale)) if isinstance(value, str) else set()
    target = tuple(int(part) for part in wanted.split("-"))
    return bool(readings) and all(reading[:depth] == target[:depth] for reading in readings)


def read_date(text: str, locale: str | None) -> Iterator[tuple[int, ...]]:
    """Every way of reading a date."""
    for form, parts in DATE_FORMATS.items():
        if form in DIGITS and not re.fullmatch(f"[0-9]{{{DIGITS[form]}}}", text):
            continue
        if day := parsed(text, form):
            yield (day.year, day.month, day.day)[:parts]
    found = [(day.year, day.month, day.day) for form in BY_LOCALE[locale] if (day := parsed(text, form))]
    yield from found[:1] if locale else found


def parsed(text: str, form: str) -> datetime | None:
    """The date that a text states in one form; None: it states none."""
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None


def comes_from(rule: JsonValue, value: JsonValue, before: Sequence[Call]) -> bool:
    """A value, or every item of a list, that stands in the result of one earlier successful call of a tool."""
    tools = rule if isinstance(rule, list) else [rule]
    results = [call.result for call in before if call.tool in tools and call.error is None]
    return any(appears(value, list(nodes_of(result))) for result in results)


def appears(value: JsonValue, nodes: Sequence[JsonValue]) -> bool:
    """Whether a value is one of the nodes of a result, or a whole word of a text among them."""
    if value is None:
        return False
    if isinstance(value, list):
        return bool(value) and all(appears(item, nodes) for item in value)
    if any(same(value, node) for node in nodes):
        return True
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or not str(value).strip():
        return False
    text = f"{value:.15g}" if isinstance(value, float) else str(value)
    word = rf"(?<![^\W_]){re.escape(plain(text.strip()))}(?![^\W_])"
    return any(isinstance(node, str) and re.search(word, plain(node)) for node in nodes)


def nodes_of(result: JsonValue) -> Iterator[JsonValue]:
    """A result and everything in it."""
    yield result
    inner = result.values() if isinstance(result, dict) else result if isinstance(result, list) else ()
    for item in inner:
        yield from nodes_of(item)


MEANINGS: dict[str, Callable[[Any, Any, Fits], bool]] = {
    "$literal": lambda rule, value, fits: same(rule, value),
    "$any": lambda rule, value, fits: True,
    "$one_of": lambda rule, value, fits: any(fits(option, value) for option in rule),
    "$not": lambda rule, value, fits: not fits(rule, value),
    "$absent": lambda rule, value, fits: False,
    "$default": lambda rule, value, fits: fits(rule, value),
    "$regex": lambda rule, value, fits: isinstance(value, str) and bool(re.search(rule, value)),
    "$contains": contains,
    "$approx": approx,
    "$set": is_set,
    "$items": lambda rule, value, fits: isinstance(value, list) and all(fits(rule, item) for item in value),
    "$partial": lambda rule, value, fits: isinstance(value, dict) and has_keys(rule, value, fits),
    "$schema": by_schema,
}
"""The matchers that need neither a locale nor earlier calls."""
