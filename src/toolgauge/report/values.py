"""Short forms of JSON values and matchers, as they stand in issues and in lists of arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite

from toolgauge.catalogue import Words

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
    rule = value[name]
    if name == "$literal":
        return shorten(visible(json.dumps(rule, ensure_ascii=False, default=str)), most)
    if name == "$not" and isinstance(rule, Mapping) and "$absent" in rule:
        return words("value.some")
    if name == "$one_of" and isinstance(rule, (list, tuple)):
        return words("value.one_of", options=_items(rule, words, quote, most, depth))
    if name in ("$approx", "$date") and isinstance(rule, Mapping):
        return _with_margin(name, rule, words, quote, most, depth)
    if name == "$range":
        return _range(rule, words, quote)
    shown = brief(rule, words, quote=quote, most=most, depth=depth + 1)
    if f"value.{name[1:]}" in words.catalogue:
        return words(f"value.{name[1:]}", value=shown)
    return f"{shorten(visible(name), 40)} {shown}"


def _with_margin(name: str, rule: Mapping[str, object], words: Words, quote: str, most: int, depth: int) -> str:
    """A number that may be missed by a margin, or a date of which only a part counts."""
    shown = brief(rule.get("value"), words, quote=quote, most=most, depth=depth + 1)
    margins = [f"±{float(rel) * 100:g}%"] if isinstance(rel := rule.get("rel"), (int, float)) else []
    if isinstance(absolute := rule.get("abs"), (int, float)):
        margins.append(f"±{absolute:g}")
    if isinstance(precision := rule.get("precision"), str):
        margins.append(words.known(f"precision.{precision}", precision))
    text = words(f"value.{name[1:]}", value=shown)
    return f"{text} ({', '.join(margins)})" if margins else text


def _range(rule: object, words: Words, quote: str) -> str:
    low, high = (rule.get("min"), rule.get("max")) if isinstance(rule, Mapping) else (None, None)
    if isinstance(rule, (list, tuple)) and len(rule) == 2:
        low, high = rule
    key = (
        "value.range" if low is not None and high is not None else "value.at_least" if high is None else "value.at_most"
    )
    return words(key, low=brief(low, words, quote=quote), high=brief(high, words, quote=quote))


def arguments(values: Mapping[str, object], words: Words, *, sign: str = "=") -> list[str]:
    """Arguments in the form `city="Hanoi"`."""
    shown = [
        f"{shorten(visible(name), 40)}{sign}{brief(value, words, quote=chr(34))}"
        for name, value in list(values.items())[:_MOST_ITEMS]
    ]
    return [*shown, "…"] if len(values) > _MOST_ITEMS else shown
