"""What every matcher means: from what is written in it to a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from toolgauge.core import Call, JsonValue, identity, nfc, same

from .bfcl import compile_bfcl
from .dates import Day, first_day, last_day, readings
from .rules import ALWAYS, Earlier, Fits, Rule, every_key, in_turn, literal
from .schemas import compile_schema

if TYPE_CHECKING:
    from jsonschema_rs import Validator

__all__ = ["COMPILERS", "bounds", "compile_rule", "is_number", "pattern"]


def compile_rule(rule: JsonValue | Callable[[JsonValue], bool], locale: str | None = None) -> Rule:
    """Make a rule of what stands in a suite.

    A dict with one key that starts with `$` is a matcher; anything else is a literal, in whose lists and dicts matchers
    may stand again. A Python callable is asked; where it raises, the value does not fit.

    Args:
        rule: The literal, matcher or callable.
        locale: Which of day and month comes first in dates: `vi`, `en`, or unknown.
    """
    if callable(rule):
        return Rule(_asking(rule))
    if isinstance(rule, dict):
        name = next(iter(rule), "")
        if len(rule) == 1 and name.startswith("$"):
            return COMPILERS[name](rule[name], locale)
        parts = {key: compile_rule(item, locale) for key, item in rule.items()}
        return Rule(every_key(parts, others=False), looks_back=any(part.looks_back for part in parts.values()))
    if isinstance(rule, list):
        items = [compile_rule(item, locale) for item in rule]
        return Rule(in_turn([item.fits for item in items]), looks_back=any(item.looks_back for item in items))
    return Rule(literal(rule))


def _asking(ask: Callable[[JsonValue], bool]) -> Fits:
    def fits(value: JsonValue, _: Earlier) -> bool:
        try:
            return bool(ask(value))
        except Exception:  # noqa: BLE001 - a check that breaks on a value has not accepted it
            return False

    return fits


# --- literal, any, one of, not, absent, default


def _literal(wanted: JsonValue, _: str | None) -> Rule:
    return Rule(lambda value, _: same(wanted, value))


def _any(_: JsonValue, __: str | None) -> Rule:
    return ALWAYS


def _one_of(options: JsonValue, locale: str | None) -> Rule:
    rules = [compile_rule(option, locale) for option in _listed(options)]
    if all(not isinstance(option, (list, dict)) for option in _listed(options)):
        known = {identity(option) for option in _listed(options)}
        return Rule(lambda value, _: not isinstance(value, (list, dict)) and identity(value) in known)
    return Rule(
        lambda value, earlier: any(rule.fits(value, earlier) for rule in rules),
        any(rule.absent_fits for rule in rules),
        any(rule.looks_back for rule in rules),
    )


def _not(unwanted: JsonValue, locale: str | None) -> Rule:
    rule = compile_rule(unwanted, locale)
    return Rule(lambda value, earlier: not rule.fits(value, earlier), looks_back=rule.looks_back)


def _absent(_: JsonValue, __: str | None) -> Rule:
    return Rule(lambda _, __: False, absent_fits=True)


def _default(wanted: JsonValue, locale: str | None) -> Rule:
    rule = compile_rule(wanted, locale)
    return Rule(rule.fits, True, rule.looks_back)


# --- texts


def _regex(text: JsonValue, _: str | None) -> Rule:
    valid = _asking_validator(pattern(str(text)))
    return Rule(lambda value, earlier: isinstance(value, str) and valid(value, earlier))


def pattern(text: str) -> Validator:
    """A validator with an engine that takes linear time whatever the pattern."""
    return compile_schema({"pattern": text})


def _contains(wanted: JsonValue, locale: str | None) -> Rule:
    parts = wanted if isinstance(wanted, list) else [wanted]
    rules = [compile_rule(part, locale) for part in parts]
    texts = [_folded(part) if isinstance(part, str) else None for part in parts]

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        if isinstance(value, str):
            text = _folded(value)
            return all(part is not None and part in text for part in texts)
        return isinstance(value, list) and all(any(rule.fits(item, earlier) for item in value) for rule in rules)

    return Rule(fits, looks_back=any(rule.looks_back for rule in rules))


def _folded(text: str) -> str:
    return nfc(text).casefold()


# --- numbers and dates


def _approx(wanted: JsonValue, _: str | None) -> Rule:
    value, margin = _target(wanted)

    def fits(found: JsonValue, _: Earlier) -> bool:
        try:
            return is_number(found) and abs(float(found) - value) <= margin  # type: ignore[arg-type]  # a number
        except OverflowError:
            return False  # too large for any value that can be written

    return Rule(fits)


def _target(wanted: JsonValue) -> tuple[float, float]:
    """The value that is wanted, and how far from it a value may be."""
    if not isinstance(wanted, dict):
        wanted = {"value": wanted}
    value, relative, absolute = (wanted.get(key, 0) for key in ("value", "rel", "abs"))
    if "rel" not in wanted and "abs" not in wanted:
        relative = 1e-6
    # A hair more, so that 0.3 is within 0.1 of 0.2 in spite of binary fractions.
    margin = max(float(relative) * abs(float(value)), float(absolute))  # type: ignore[arg-type]  # numbers by check
    return float(value), margin + 1e-12 * max(abs(float(value)), margin)  # type: ignore[arg-type]


def _range(wanted: JsonValue, locale: str | None) -> Rule:
    low, high = bounds(wanted)
    if isinstance(low, str) or isinstance(high, str):
        return Rule(_between_days(low, high, locale))

    def fits(value: JsonValue, _: Earlier) -> bool:
        return (
            is_number(value)
            and (low is None or value >= low)  # type: ignore[operator]  # numbers by check
            and (high is None or value <= high)  # type: ignore[operator]
        )

    return Rule(fits)


def bounds(wanted: JsonValue) -> tuple[JsonValue, JsonValue]:
    """The low and the high bound of a range; None where there is none."""
    if isinstance(wanted, dict):
        return wanted.get("min"), wanted.get("max")
    low, high = _listed(wanted)
    return low, high


def _between_days(low: JsonValue, high: JsonValue, locale: str | None) -> Fits:
    first = first_day(next(iter(readings(str(low), None)))) if low is not None else Day(0)
    last = last_day(next(iter(readings(str(high), None)))) if high is not None else Day(10_000)

    def fits(value: JsonValue, _: Earlier) -> bool:
        found = readings(value, locale) if isinstance(value, str) else set()
        return bool(found) and all(first <= first_day(day) and last_day(day) <= last for day in found)

    return fits


def _date(wanted: JsonValue, locale: str | None) -> Rule:
    text, precision = (wanted.get("value"), wanted.get("precision")) if isinstance(wanted, dict) else (wanted, None)
    target = next(iter(readings(str(text), None)))
    named = {"year": 1, "month": 2, "day": 3}
    depth = named[str(precision)] if precision else sum(part > 0 for part in target)

    def fits(value: JsonValue, _: Earlier) -> bool:
        if is_number(value) and depth == 1:
            return value == target.year
        found = readings(value, locale) if isinstance(value, str) else set()
        return bool(found) and all(day[:depth] == target[:depth] for day in found)

    return Rule(fits)


def is_number(value: JsonValue) -> bool:
    """Whether a value is a number, which a boolean is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --- lists and objects


def _set(wanted: JsonValue, locale: str | None) -> Rule:
    rules = [compile_rule(item, locale) for item in _listed(wanted)]

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        return (
            isinstance(value, list)
            and all(any(rule.fits(item, earlier) for item in value) for rule in rules)
            and all(any(rule.fits(item, earlier) for rule in rules) for item in value)
        )

    return Rule(fits, looks_back=any(rule.looks_back for rule in rules))


def _items(wanted: JsonValue, locale: str | None) -> Rule:
    rule = compile_rule(wanted, locale)
    return Rule(
        lambda value, earlier: isinstance(value, list) and all(rule.fits(item, earlier) for item in value),
        looks_back=rule.looks_back,
    )


def _partial(wanted: JsonValue, locale: str | None) -> Rule:
    parts = {key: compile_rule(item, locale) for key, item in _object(wanted).items()}
    return Rule(every_key(parts, others=True), looks_back=any(part.looks_back for part in parts.values()))


def _schema(schema: JsonValue, _: str | None) -> Rule:
    return Rule(_asking_validator(compile_schema(_object(schema))))


def _asking_validator(validator: Validator) -> Fits:
    def fits(value: JsonValue, _: Earlier) -> bool:
        try:
            return validator.is_valid(value)
        except (UnicodeEncodeError, OverflowError):
            return False  # half a surrogate pair, or a number without end, which no JSON holds

    return fits


# --- values from earlier results


def _from(source: JsonValue, _: str | None) -> Rule:
    tools = frozenset(str(name) for name in (source if isinstance(source, list) else [source]))

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        results = (call for call in earlier.calls[: earlier.before] if call.tool in tools and call.error is None)
        return any(_appears(value, call) for call in results)

    return Rule(fits, looks_back=True)


def _appears(value: JsonValue, call: Call) -> bool:
    """Whether a value, or every item of a list, stands somewhere in the result of a call."""
    if isinstance(value, list):
        return bool(value) and all(_appears(item, call) for item in value)
    return value is not None and _within(value, call.result)


def _within(value: JsonValue, result: JsonValue) -> bool:
    if identity(value) == identity(result):
        return True
    if isinstance(result, str) and isinstance(value, (str, int, float)) and not isinstance(value, bool):
        text = f"{value:.15g}" if isinstance(value, float) else str(value)
        return bool(text.strip()) and _as_word(_folded(text.strip()), _folded(result))
    if isinstance(result, list):
        return any(_within(value, item) for item in result)
    return isinstance(result, dict) and any(_within(value, item) for item in result.values())


def _as_word(part: str, text: str) -> bool:
    """Whether a text holds another that neither begins nor ends inside a word or number."""
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        opens = start == 0 or not (text[start - 1].isalnum() and part[0].isalnum())
        closes = end == len(text) or not (text[end].isalnum() and part[-1].isalnum())
        if opens and closes:
            return True
        start = text.find(part, start + 1)
    return False


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else [value]


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


COMPILERS: dict[str, Callable[[JsonValue, str | None], Rule]] = {
    "$literal": _literal,
    "$any": _any,
    "$one_of": _one_of,
    "$not": _not,
    "$absent": _absent,
    "$default": _default,
    "$regex": _regex,
    "$contains": _contains,
    "$approx": _approx,
    "$range": _range,
    "$date": _date,
    "$set": _set,
    "$items": _items,
    "$partial": _partial,
    "$schema": _schema,
    "$from": _from,
    "$bfcl": compile_bfcl,
}
"""What makes a rule of each matcher."""
