"""The matcher `$bfcl`: an argument as the checker of the Berkeley Function-Calling Leaderboard compares it.

    {$bfcl: {type: array, items: string, accept: [[Hanoi, Hue], [hn, hue]]}}

The type comes first: a value of another type than the declared one is right only where the accepted values are of that
type themselves (the leaderboard calls these variables), and is then compared exactly. Values of the declared type are
compared by it: texts without case, spaces and some punctuation; lists item by item; objects key by key, each key with
accepted values of its own. Inside lists and objects equality is Python's, in which 1, 1.0 and true are the same, since
that is what decides on the leaderboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from toolgauge.core import TUPLE, JsonValue
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, Path, shorten

from .matcher import Matcher, Rule, RuleContext, unknown_keys

__all__ = ["BFCL", "BFCL_TYPES"]

BFCL_TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
}
"""The names of types on the leaderboard, and what a value of each is once it is read."""

KEYS = ("type", "items", "accept")

MAY_BE_OMITTED = ""
"""Among accepted values: leaving it out is right too."""

Compare: TypeAlias = Callable[[JsonValue], bool]

_DROPPED = str.maketrans("", "", " ,./-_*^")


def _check_bfcl(value: JsonValue, path: Path) -> Iterator[Fault]:
    """Everything wrong with what is written in `$bfcl`."""
    if not isinstance(value, dict):
        yield Fault(path, "'$bfcl' takes an object with 'type', 'items' and 'accept'")
        return
    yield from unknown_keys("$bfcl", value, KEYS, path)
    for key in ("type", "items"):
        name = value.get(key)
        if key in value or key == "type":
            if not isinstance(name, str):
                yield Fault((*path, key) if key in value else path, f"{key!r} takes one of {', '.join(BFCL_TYPES)}")
            elif name not in BFCL_TYPES:
                yield Fault((*path, key), f"{shorten(name)} is not a type", did_you_mean(name, list(BFCL_TYPES)))
    if not isinstance(value.get("accept"), list):
        yield Fault((*path, "accept") if "accept" in value else path, "'accept' takes a list of accepted values")


def _compile_bfcl(wanted: JsonValue, _: RuleContext) -> Rule:
    """Make a rule of what is written in `$bfcl`."""
    parts = wanted if isinstance(wanted, dict) else {}
    declared = str(parts.get("type"))
    accept = _listed(parts.get("accept"))
    kind = BFCL_TYPES[declared]
    items = BFCL_TYPES[str(parts["items"])] if kind is list and "items" in parts else None
    first = _type_of_first(accept)
    exact = _one_of(accept)
    compare = exact if first not in (None, kind) else _comparison(kind, items, accept)

    def fits(value: JsonValue, _: object) -> bool:
        if declared == "tuple":
            value = _as_list(value)
        if kind is float and type(value) is int:
            try:
                value = float(value)
            except OverflowError:
                return False
        if type(value) is kind:
            return (items is None or _items_fit(value, items, accept)) and compare(value)
        return type(value) is first and exact(value)

    return Rule(fits)


def _as_list(value: JsonValue) -> JsonValue:
    """A tuple as the list that it is compared with; anything else as it is."""
    items = value.get(TUPLE) if isinstance(value, dict) and len(value) == 1 else None
    return items if isinstance(items, list) else value


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _type_of_first(accept: Sequence[JsonValue]) -> type | None:
    """The type of the first accepted value, which stands for that of all."""
    return next((type(value) for value in accept if value != MAY_BE_OMITTED), None)


def _items_fit(value: JsonValue, items: type, accept: Sequence[JsonValue]) -> bool:
    """Whether the items of a list have the declared type, or that of the items of some accepted list.

    An accepted value that is no list, such as the sign for "may be omitted", says nothing about items and allows any.
    """
    return any(
        not isinstance(accepted, list)
        or {type(item) for item in _listed(value)} <= {items, _type_of_first(accepted) or items}
        for accepted in accept
    )


# --- comparing values of the declared type


def _comparison(kind: type, items: type | None, accept: Sequence[JsonValue]) -> Compare:
    if kind is str:
        texts = {_plain(value) for value in accept if isinstance(value, str)}
        return lambda value: _plain(value) in texts
    if kind is dict:
        return lambda value: any(_same_object(value, accepted) for accepted in accept)
    if kind is list and items is dict:
        return lambda value: any(_same_objects(value, accepted) for accepted in accept)
    if kind is list:
        # A text among accepted lists counts as the list of its letters: the sign for "may be omitted" allows [].
        lists = [[_plain(item) for item in value] for value in accept if isinstance(value, (list, str)) or value == {}]
        return lambda value: [_plain(item) for item in _listed(value)] in lists
    return _one_of(accept)


def _one_of(accept: Sequence[JsonValue]) -> Compare:
    return lambda value: value in accept


def _plain(value: JsonValue) -> JsonValue:
    """A text as texts are compared; anything else as it is."""
    return value.translate(_DROPPED).lower().replace("'", '"') if isinstance(value, str) else value


def _same_object(value: JsonValue, accepted: JsonValue) -> bool:
    """Whether every key of an object has one of its accepted values, and no key is missing that has to be there."""
    if not isinstance(value, dict) or not isinstance(accepted, dict):
        return False
    return all(key in accepted and _plain(item) in _options(accepted[key]) for key, item in value.items()) and all(
        key in value or _omissible(options) for key, options in accepted.items()
    )


def _options(options: JsonValue) -> list[JsonValue]:
    """What a key of an object may hold. A bare text, which should not be there, counts as its letters."""
    return [_plain(option) for option in options] if isinstance(options, (list, str)) else []


def _omissible(options: JsonValue) -> bool:
    return isinstance(options, str) or (isinstance(options, list) and MAY_BE_OMITTED in options)


def _same_objects(value: JsonValue, accepted: JsonValue) -> bool:
    """Whether a list of objects is the same as an accepted one, in the same order."""
    if not isinstance(value, list) or not isinstance(accepted, (list, str, dict)) or len(value) != len(accepted):
        return False
    return all(_same_object(item, other) for item, other in zip(value, accepted, strict=True))


BFCL = Matcher(
    "$bfcl",
    _compile_bfcl,
    _check_bfcl,
    {"description": "A value that the Berkeley Function-Calling Leaderboard accepts; made by --profile bfcl."},
)
