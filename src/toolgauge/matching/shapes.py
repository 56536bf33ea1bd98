"""What may be written in each matcher, and what is wrong with it otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from toolgauge.core import JsonValue
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, Path, shorten

from .bfcl import check_bfcl
from .dates import first_day, is_iso, last_day, readings
from .meaning import bounds, is_number, pattern
from .schemas import schema_fault

__all__ = ["CHECKS", "check_rule"]

HUGE = 1e300
"""Numbers beyond this cannot be compared with a margin."""

_REPETITION = re.compile(r"\{([0-9]{1,9})(?:,([0-9]{0,9}))?\}")

Check: TypeAlias = Callable[[JsonValue, Path], Iterator[Fault]]


def check_rule(rule: JsonValue, path: Path) -> Iterator[Fault]:
    """Everything wrong with the matchers in an expected value, however deep they stand.

    A literal may hold lists and objects, but a key that starts with `$` is never part of a literal: its object has to
    be a known matcher, with that one key. Only inside `$literal` everything stands for itself.
    """
    if isinstance(rule, list):
        for index, item in enumerate(rule):
            yield from check_rule(item, (*path, index))
    elif isinstance(rule, dict):
        name = next((key for key in rule if key.startswith("$")), None)
        if name is None:
            for key, item in rule.items():
                yield from check_rule(item, (*path, key))
        elif name not in CHECKS:
            hint = did_you_mean(name, list(CHECKS)) or f"matchers are {', '.join(CHECKS)}"
            yield Fault((*path, name), f"{shorten(name)} is not a matcher", hint, at_key=True)
        elif len(rule) > 1:
            other = next(key for key in rule if key != name)
            what = f"a matcher stands alone in its object, but {shorten(other)} is beside {name!r}"
            yield Fault((*path, other), what, at_key=True)
        else:
            yield from CHECKS[name](rule[name], (*path, name))


def _takes_anything(_: JsonValue, __: Path) -> Iterator[Fault]:
    return iter(())


def _takes_nothing(name: str) -> Check:
    def check(value: JsonValue, path: Path) -> Iterator[Fault]:
        if value is not True and value is not None and value != {}:
            yield Fault(path, f"'{name}' takes nothing", f"write {{{name}: true}}")

    return check


def _takes_list(name: str, *, empty: bool = False) -> Check:
    def check(value: JsonValue, path: Path) -> Iterator[Fault]:
        if not isinstance(value, list) or not (value or empty):
            yield Fault(path, f"'{name}' takes a list" + ("" if empty else " with at least one value"))
        else:
            yield from check_rule(value, path)

    return check


def _check_regex(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield Fault(path, "'$regex' takes a pattern as text")
        return
    try:
        pattern(value)
    except ValueError:
        if _is_too_large(value):
            yield Fault(path, f"{shorten(value)} is too large a regular expression", "use smaller repetitions")
            return
        hint = "the engine takes linear time and has no look-around and no back-references"
        yield Fault(path, f"{shorten(value)} is not a regular expression", hint)


def _is_too_large(text: str) -> bool:
    """Whether a pattern that was refused would do if nothing in it were repeated."""

    def once(match: re.Match[str]) -> str:
        upside_down = match[2] and int(match[1]) > int(match[2])
        return match[0] if upside_down else "{1}"

    single = _REPETITION.sub(once, text)
    return single != text and schema_fault({"pattern": single}) is None


def _check_contains(value: JsonValue, path: Path) -> Iterator[Fault]:
    if value == [] or value == "" or value is None:
        yield Fault(path, "'$contains' takes what has to be in the value", "a text, an item, or a list of them")
    else:
        yield from check_rule(value, path)


def _check_approx(value: JsonValue, path: Path) -> Iterator[Fault]:
    parts: Mapping[str, JsonValue] = value if isinstance(value, dict) else {"value": value}
    yield from _unknown_keys("$approx", parts, ("value", "rel", "abs"), path)
    if not is_number(parts.get("value")):
        yield Fault(path, "'$approx' takes a number, or an object with 'value', 'rel' and 'abs'")
    if any(is_number(part) and not -HUGE < part < HUGE for part in parts.values()):  # type: ignore[operator]
        yield Fault(path, "'$approx' takes numbers of an ordinary size")
    for key in ("rel", "abs"):
        margin = parts.get(key, 0)
        if not is_number(margin) or margin < 0:  # type: ignore[operator]  # a number by then
            yield Fault((*path, key), f"{key!r} takes a number of 0 or more")


def _check_range(value: JsonValue, path: Path) -> Iterator[Fault]:
    if isinstance(value, dict):
        yield from _unknown_keys("$range", value, ("min", "max"), path)
    elif not (isinstance(value, list) and len(value) == 2):
        yield Fault(path, "'$range' takes [low, high]", "write null for a side without bound")
        return
    low, high = bounds(value)
    kinds = {"number" if is_number(bound) else "day" for bound in (low, high) if bound is not None}
    if not kinds:
        yield Fault(path, "'$range' has neither a low nor a high bound", "write {$any: true} for any value")
    elif any(b is not None and not is_number(b) and not (isinstance(b, str) and is_iso(b)) for b in (low, high)):
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


def _check_date(value: JsonValue, path: Path) -> Iterator[Fault]:
    parts: Mapping[str, JsonValue] = value if isinstance(value, dict) else {"value": value}
    yield from _unknown_keys("$date", parts, ("value", "precision"), path)
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


def _check_partial(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, "'$partial' takes an object")
    else:
        yield from check_rule(value, path)


def _check_schema(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, "'$schema' takes a JSON schema")
    elif reason := schema_fault(value):
        yield Fault(path, f"this is not a JSON schema: {reason}")


def _check_from(value: JsonValue, path: Path) -> Iterator[Fault]:
    names = value if isinstance(value, list) else [value]
    if not names or not all(isinstance(name, str) and name for name in names):
        yield Fault(path, "'$from' takes the name of a tool, or a list of names")


def _unknown_keys(name: str, value: Mapping[str, JsonValue], known: tuple[str, ...], path: Path) -> Iterator[Fault]:
    for key in value:
        if key not in known:
            yield Fault((*path, key), f"{shorten(key)} is not a key of '{name}'", did_you_mean(key, known), at_key=True)


CHECKS: dict[str, Check] = {
    "$literal": _takes_anything,
    "$any": _takes_nothing("$any"),
    "$one_of": _takes_list("$one_of"),
    "$not": check_rule,
    "$absent": _takes_nothing("$absent"),
    "$default": check_rule,
    "$regex": _check_regex,
    "$contains": _check_contains,
    "$approx": _check_approx,
    "$range": _check_range,
    "$date": _check_date,
    "$set": _takes_list("$set", empty=True),
    "$items": check_rule,
    "$partial": _check_partial,
    "$schema": _check_schema,
    "$from": _check_from,
    "$bfcl": check_bfcl,
}
"""What checks the shape of each matcher."""
