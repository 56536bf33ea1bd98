"""Short forms of JSON values and matchers, as they stand in issues and in lists of arguments."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from .display import shorten, visible
from .words import Words

__all__ = ["arguments", "brief"]

_MOST_ITEMS = 8
_MOST_DEPTH = 4


def brief(value: object, words: Words, *, quote: str = "'", most: int = 80, depth: int = 0) -> str:
    """A value or a matcher in few characters.

    Args:
        value: A JSON value, a matcher such as `{"$any": true}`, or a Python callable that serves as one.
        words: The words of matchers.
        quote: What stands around texts.
        most: Roughly how many characters a text may have.
        depth: How deep the value lies in another one.
    """
    if isinstance(value, str):
        return quote + shorten(visible(value[: most * 8]), most) + quote
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, float):
        return f"{value:.15g}" if isfinite(value) else str(value)
    if isinstance(value, int):
        return shorten(str(value), most) if value.bit_length() < 4096 else "…"
    if depth > _MOST_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return _matcher(value, words, quote, most, depth) or _mapping(value, words, quote, most, depth)
    if isinstance(value, (list, tuple)):
        return "[" + _items(value, words, quote, most, depth) + "]"
    if callable(value):
        return f"{visible(getattr(value, '__name__', type(value).__name__))}()"
    return shorten(visible(str(value)), most)


def _items(values: list[object] | tuple[object, ...], words: Words, quote: str, most: int, depth: int) -> str:
    shown = [brief(item, words, quote=quote, most=most, depth=depth + 1) for item in values[:_MOST_ITEMS]]
    return ", ".join([*shown, "…"] if len(values) > _MOST_ITEMS else shown)


def _mapping(value: Mapping[str, object], words: Words, quote: str, most: int, depth: int) -> str:
    shown = [
        f"{shorten(visible(str(key)), 40)}: {brief(item, words, quote=quote, most=most, depth=depth + 1)}"
        for key, item in list(value.items())[:_MOST_ITEMS]
    ]
    return "{" + ", ".join([*shown, "…"] if len(value) > _MOST_ITEMS else shown) + "}"


def _matcher(value: Mapping[str, object], words: Words, quote: str, most: int, depth: int) -> str:
    """The words for a matcher, or nothing where the mapping is none."""
    name = next(iter(value), "")
    if len(value) != 1 or not name.startswith("$"):
        return ""
    rule = value[name]
    if name in ("$any", "$absent"):
        return words(f"value.{name[1:]}")
    if name == "$one_of" and isinstance(rule, (list, tuple)):
        return words("value.one_of", options=_items(rule, words, quote, most, depth))
    if name == "$approx" and isinstance(rule, Mapping) and "value" in rule:
        rule = rule["value"]
    shown = brief(rule, words, quote=quote, most=most, depth=depth + 1)
    if f"value.{name[1:]}" in words.catalogue:
        return words(f"value.{name[1:]}", value=shown)
    return f"{shorten(visible(name), 40)} {shown}"


def arguments(values: Mapping[str, object], words: Words, *, sign: str = "=") -> list[str]:
    """Arguments in the form `city="Hanoi"`."""
    shown = [
        f"{shorten(visible(name), 40)}{sign}{brief(value, words, quote=chr(34))}"
        for name, value in list(values.items())[:_MOST_ITEMS]
    ]
    return [*shown, "…"] if len(values) > _MOST_ITEMS else shown
