"""Rules for one argument value: a literal, a matcher such as `{$one_of: [...]}`, or a Python callable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from toolgauge.core import JsonValue, identity, nfc

__all__ = ["MATCHERS", "Matches", "matcher"]

Matches: TypeAlias = Callable[[JsonValue], bool]
"""Says whether a value fits."""


def matcher(rule: JsonValue | Matches) -> Matches:
    """The function that says whether a value fits a rule.

    A dict with one key that starts with `$` is a matcher; anything else is a literal, in whose lists and dicts
    matchers may stand again.
    """
    if callable(rule):
        return rule
    if isinstance(rule, dict):
        name = next(iter(rule), "")
        if len(rule) == 1 and name.startswith("$"):
            return MATCHERS[name](rule[name])
        return _object(rule)
    if isinstance(rule, list):
        return _list(rule)
    if isinstance(rule, str):
        return _string(rule)
    if rule is None or isinstance(rule, bool):
        return lambda value: value is rule
    return lambda value: value == rule and not isinstance(value, bool)


def _string(expected: str) -> Matches:
    if expected.isascii():
        return lambda value: value == expected
    normal = nfc(expected)
    return lambda value: value == normal or (isinstance(value, str) and nfc(value) == normal)


def _list(expected: list[JsonValue]) -> Matches:
    items = [matcher(item) for item in expected]

    def matches(value: JsonValue) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(items)
            and all(item(part) for item, part in zip(items, value, strict=True))
        )

    return matches


def _object(expected: dict[str, JsonValue]) -> Matches:
    parts = {nfc(key): matcher(item) for key, item in expected.items()}

    def matches(value: JsonValue) -> bool:
        if not isinstance(value, dict) or len(value) != len(parts):
            return False
        found = {nfc(key): item for key, item in value.items()}
        return found.keys() == parts.keys() and all(fits(found[key]) for key, fits in parts.items())

    return matches


def _any(_: JsonValue) -> Matches:
    return lambda _: True


def _one_of(options: JsonValue) -> Matches:
    items = options if isinstance(options, list) else [options]
    if all(isinstance(item, (str, int, float, bool, type(None))) for item in items):
        known = {identity(item) for item in items}
        return lambda value: not isinstance(value, (list, dict)) and identity(value) in known
    return _first_of([matcher(item) for item in items])


def _first_of(options: Iterable[Matches]) -> Matches:
    return lambda value: any(fits(value) for fits in options)


MATCHERS: dict[str, Callable[[JsonValue], Matches]] = {"$any": _any, "$one_of": _one_of}
"""Every matcher by its name."""
