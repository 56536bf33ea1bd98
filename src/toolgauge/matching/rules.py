"""What a rule is: a function that says whether a value fits, and whether leaving the value out fits too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from toolgauge.core import Call, JsonValue, nfc

__all__ = ["ALWAYS", "NOTHING_BEFORE", "Earlier", "Fits", "Rule", "every_key", "in_turn", "literal"]


class Earlier(Struct, frozen=True, gc=False):
    """The calls that were made before the one whose argument is looked at."""

    calls: Sequence[Call]
    before: int
    """How many of the calls came before."""


NOTHING_BEFORE = Earlier((), 0)

Fits: TypeAlias = Callable[[JsonValue, Earlier], bool]
"""Says whether a value fits, given the calls before."""


class Rule(Struct, frozen=True, gc=False):
    """A rule for one argument, ready to be applied."""

    fits: Fits
    absent_fits: bool = False
    """Whether leaving the argument out is right as well."""
    looks_back: bool = False
    """Whether it depends on the calls before."""


ALWAYS = Rule(lambda _, __: True)


def literal(expected: JsonValue) -> Fits:
    """Equality with a text, number, boolean or null, without mixing up types."""
    if isinstance(expected, str):
        normal = nfc(expected)
        return lambda value, _: value == normal or (isinstance(value, str) and nfc(value) == normal)
    if expected is None or isinstance(expected, bool):
        return lambda value, _: value is expected
    return lambda value, _: value == expected and not isinstance(value, bool)


def in_turn(items: Sequence[Fits]) -> Fits:
    """A list whose items fit one by one."""

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(items)
            and all(item(part, earlier) for item, part in zip(items, value, strict=True))
        )

    return fits


def every_key(rules: dict[str, Rule], *, others: bool) -> Fits:
    """An object whose keys fit their rules; other keys only where they are allowed."""
    parts = {nfc(key): rule for key, rule in rules.items()}

    def fits(value: JsonValue, earlier: Earlier) -> bool:
        if not isinstance(value, dict):
            return False
        found = {nfc(key): item for key, item in value.items()}
        if not others and not found.keys() <= parts.keys():
            return False
        return all(rule.fits(found[key], earlier) if key in found else rule.absent_fits for key, rule in parts.items())

    return fits
