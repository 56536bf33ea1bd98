"""Short forms of JSON values and matchers, as they stand in issues and in lists of arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite

from toolgauge.catalogue import Words
from toolgauge.matchers import describe

from .display import shorten, visible

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
    described = describe(value)
    if described is None:
        return _without_words(name, value[name], words, quote, most, depth)
    if described.key is None:
        return shorten(visible(json.dumps(value[name], ensure_ascii=False, default=str)), most)
    if described.key not in words.catalogue:
        return _without_words(name, value[name], words, quote, most, depth)
    places = {
        **{name: brief(v, words, quote=quote, most=most, depth=depth + 1) for name, v in described.values.items()},
        **{name: _items(list(values), words, quote, most, depth) for name, values in described.items.items()},
    }
    text = words(described.key, **places)
    notes = [words.known(key, otherwise) for key, otherwise in described.notes]
    return f"{text} ({', '.join(notes)})" if notes else text


def _without_words(name: str, written: object, words: Words, quote: str, most: int, depth: int) -> str:
    return f"{shorten(visible(name), 40)} {brief(written, words, quote=quote, most=most, depth=depth + 1)}"


def arguments(values: Mapping[str, object], words: Words, *, sign: str = "=") -> list[str]:
    """Arguments in the form `city="Hanoi"`."""
    shown = [
        f"{shorten(visible(name), 40)}{sign}{brief(value, words, quote=chr(34))}"
        for name, value in list(values.items())[:_MOST_ITEMS]
    ]
    return [*shown, "…"] if len(values) > _MOST_ITEMS else shown
