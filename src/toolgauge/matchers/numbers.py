"""The matchers of numbers and dates: `$approx`, `$range`, `$date`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import cast

from toolgauge.core import JsonValue
from toolgauge.files import Fault, Path

from .dates import PartialDate, first_day, is_iso, last_day, readings
from .matcher import (
    Description,
    Earlier,
    Fits,
    Fitting,
    Matcher,
    Rule,
    RuleContext,
    Schema,
    object_schema,
    unknown_keys,
)

__all__ = ["APPROX", "DATE", "RANGE"]

HUGE = 1e300
"""Numbers beyond this cannot be compared with a margin."""

_NUMBER: Schema = {"type": "number"}
_MARGIN: Schema = {"type": "number", "minimum": 0}
_BOUND: Schema = {"type": ["number", "string", "null"]}
_DAY: Schema = {"type": ["string", "integer"], "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2}([T ].*)?)?)?$"}

_NUMBERS = frozenset(["integer", "number"])
_TEXTS = frozenset(["string"])


def _is_number(value: JsonValue) -> bool:
    """Whether a value is a number, which a boolean is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _parts(value: JsonValue) -> dict[str, JsonValue]:
    """The long form of what may also be written as its value alone."""
    return value if isinstance(value, dict) else {"value": value}


# --- about a number


def _check_approx(value: JsonValue, path: Path) -> Iterator[Fault]:
    parts = _parts(value)
    yield from unknown_keys("$approx", parts, ("value", "rel", "abs"), path)
    if not _is_number(parts.get("value")):
        yield Fault(path, "'$approx' takes a number, or an object with 'value', 'rel' and 'abs'")
    if any(_is_number(part) and not -HUGE < part < HUGE for part in parts.values()):  # type: ignore[operator]
        yield Fault(path, "'$approx' takes numbers of an ordinary size")
    for key in ("rel", "abs"):
        margin = parts.get(key, 0)
        if not _is_number(margin) or margin < 0:  # type: ignore[operator]  # a number by then
            yield Fault((*path, key), f"{key!r} takes a number of 0 or more")


def _target(wanted: JsonValue) -> tuple[float, float]:
    """The value that is wanted, and how far from it a value may be."""
    parts = _parts(wanted)
    value, relative, absolute = (float(cast("float", parts.get(key, 0))) for key in ("value", "rel", "abs"))
    if "rel" not in parts and "abs" not in parts:
        relative = 1e-6
    return value, max(relative * abs(value), absolute)


def _compile_approx(wanted: JsonValue, _: RuleContext) -> Rule:
    value, margin = _target(wanted)
    # A hair more, so that 0.3 is within 0.1 of 0.2 in spite of binary fractions.
    margin += 1e-12 * max(abs(value), margin)

    def fits(found: JsonValue, _: Earlier) -> bool:
        try:
            return _is_number(found) and abs(float(found) - value) <= margin  # type: ignore[arg-type]  # a number
        except OverflowError:
            return False  # too large for any value that can be written

    return Rule(fits)


def _near(wanted: JsonValue) -> Fitting:
    value, margin = _target(wanted)
    # A hair wider than the rule itself: in doubt a value is possible.
    margin = margin * (1 + 1e-9) + 1e-9 * abs(value)
    return Fitting(types=_NUMBERS, bounds=(value - margin, value + margin))


def _describe_approx(wanted: JsonValue) -> Description:
    parts = _parts(wanted)
    margins: list[tuple[str, str]] = []
    if isinstance(relative := parts.get("rel"), (int, float)):
        margins.append(("", f"±{float(relative) * 100:g}%"))
    if isinstance(absolute := parts.get("abs"), (int, float)):
        margins.append(("", f"±{absolute:g}"))
    return Description("value.approx", {"value": parts.get("value")}, notes=tuple(margins))


APPROX = Matcher(
    "$approx",
    _compile_approx,
    _check_approx,
    {
        "description": "A number, within a relative or an absolute margin.",
        "anyOf": [
            _NUMBER,
            object_schema(
                ["value"],
                value={"description": "The number.", **_NUMBER},
                rel={"description": "How far off it may be, as a share of it.", **_MARGIN},
                abs={"description": "How far off it may be.", **_MARGIN},
            ),
        ],
    },
    fitting=_near,
    describe=_describe_approx,
)


# --- from one number or date to another


def _bounds(wanted: JsonValue) -> tuple[JsonValue, JsonValue]:
    """The low and the high bound of a range; None where there is none."""
    if isinstance(wanted, dict):
        return wanted.get("min"), wanted.get("max")
    return (wanted[0], wanted[1]) if isinstance(wanted, list) and len(wanted) == 2 else (None, None)


def _check_range(value: JsonValue, path: Path) -> Iterator[Fault]:
    if isinstance(value, dict):
        yield from unknown_keys("$range", value, ("min", "max"), path)
    elif not (isinstance(value, list) and len(value) == 2):
        yield Fault(path, "'$range' takes [low, high]", "write null for a side without bound")
        return
    low, high = _bounds(value)
    kinds = {"number" if _is_number(bound) else "day" for bound in (low, high) if bound is not None}
    if not kinds:
        yield Fault(path, "'$range' has neither a low nor a high bound", "write {$any: true} for any value")
    elif any(b is not None and not _is_number(b) and not (isinstance(b, str) and is_iso(b)) for b in (low, high)):
        yield Fault(path, "the bounds of '$range' are numbers, or dates such as '2025-01-31'")
    elif len(kinds) > 1:
        yield Fault(path, "one bound of '$range' is a number and the other a date")
    elif low is not None and high is not None and _upside_down(low, high):
        yield Fault(path, f"the low bound of '$range' is above the high one: {low} and {high}")


def _upside_down(low: JsonValue, high: JsonValue) -> bool:
    if isinstance(low, str) and isinstance(high, str):
        (first,), (last,) = readings(low, None), readings(high, None)
        return first_day(first) > last_day(last)
    return low > high  # type: ignore[operator]  # numbers by then


def _compile_range(wanted: JsonValue, context: RuleContext) -> Rule:
    low, high = _bounds(wanted)
    if isinstance(low, str) or isinstance(high, str):
        return Rule(_between_days(low, high, context.locale))

    def fits(value: JsonValue, _: Earlier) -> bool:
        return (
            _is_number(value)
            and (low is None or value >= low)  # type: ignore[operator]  # numbers by check
            and (high is None or value <= high)  # type: ignore[operator]
        )

    return Rule(fits)


def _between_days(low: JsonValue, high: JsonValue, locale: str | None) -> Fits:
    first = first_day(next(iter(readings(str(low), None)))) if low is not None else PartialDate(0)
    last = last_day(next(iter(readings(str(high), None)))) if high is not None else PartialDate(10_000)

    def fits(value: JsonValue, _: Earlier) -> bool:
        found = readings(value, locale) if isinstance(value, str) else set()
        return bool(found) and all(first <= first_day(day) and last_day(day) <= last for day in found)

    return fits


def _between(wanted: JsonValue) -> Fitting:
    low, high = _bounds(wanted)
    if isinstance(low, str) or isinstance(high, str):
        return Fitting(types=_TEXTS)
    lowest = -inf if low is None else cast("float", low)
    return Fitting(types=_NUMBERS, bounds=(lowest, inf if high is None else cast("float", high)))


def _describe_range(wanted: JsonValue) -> Description:
    low, high = _bounds(wanted)
    if high is None:
        return Description("value.at_least", {"low": low})
    return Description("value.at_most" if low is None else "value.range", {"low": low, "high": high})


RANGE = Matcher(
    "$range",
    _compile_range,
    _check_range,
    {
        "description": "From one number or date to another, both included; null where there is no bound.",
        "anyOf": [
            {"type": "array", "items": _BOUND, "minItems": 2, "maxItems": 2},
            object_schema([], min={"description": "The least.", **_BOUND}, max={"description": "The most.", **_BOUND}),
        ],
    },
    fitting=_between,
    describe=_describe_range,
)


# --- a date


def _check_date(value: JsonValue, path: Path) -> Iterator[Fault]:
    parts: Mapping[str, JsonValue] = _parts(value)
    yield from unknown_keys("$date", parts, ("value", "precision"), path)
    text = parts.get("value")
    if not isinstance(text, (str, int)) or isinstance(text, bool) or not is_iso(str(text)):
        yield Fault(path, "'$date' takes a date such as '2025-01-31', '2025-01' or '2025'")
        return
    precision = parts.get("precision")
    known = ("year", "month", "day")
    if precision is not None and precision not in known:
        yield Fault((*path, "precision"), "'precision' is one of year, month, day")
    elif precision is not None and known.index(str(precision)) > str(text).count("-"):
        yield Fault((*path, "precision"), f"{text} does not say the {precision}")


def _compile_date(wanted: JsonValue, context: RuleContext) -> Rule:
    parts = _parts(wanted)
    target = next(iter(readings(str(parts.get("value")), None)))
    precision = parts.get("precision")
    named = {"year": 1, "month": 2, "day": 3}
    depth = named[str(precision)] if precision else sum(part > 0 for part in target)

    def fits(value: JsonValue, _: Earlier) -> bool:
        if _is_number(value) and depth == 1:
            return value == target.year
        found = readings(value, context.locale) if isinstance(value, str) else set()
        return bool(found) and all(day[:depth] == target[:depth] for day in found)

    return Rule(fits)


def _written_date(wanted: JsonValue) -> Fitting:
    parts = _parts(wanted)
    # A date that says no more than the year can be matched by a number.
    is_year = parts.get("precision") == "year" or "-" not in str(parts.get("value"))
    return Fitting(types=_TEXTS | {"integer"} if is_year else _TEXTS)


def _describe_date(wanted: JsonValue) -> Description:
    parts = _parts(wanted)
    precision = parts.get("precision")
    notes = ((f"precision.{precision}", precision),) if isinstance(precision, str) else ()
    return Description("value.date", {"value": parts.get("value")}, notes=notes)


DATE = Matcher(
    "$date",
    _compile_date,
    _check_date,
    {
        "description": "A date, however it is written; a month or a year means any of its days.",
        "anyOf": [
            _DAY,
            object_schema(
                ["value"],
                value={"description": "The date.", **_DAY},
                precision={"description": "What of it is compared.", "enum": ["year", "month", "day"]},
            ),
        ],
    },
    fitting=_written_date,
    describe=_describe_date,
)
