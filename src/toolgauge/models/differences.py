"""Where two JSON values differ, in a form that a person can read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, zip_longest

from toolgauge.core import JsonValue

from .failures import shown

__all__ = ["describe_difference", "difference_size"]

MOST_COUNTED = 50
MOST_NAMED = 3
MOST_LETTERS = 60


class _Missing:
    """The place of something that is not there."""


MISSING = _Missing()

Difference = tuple[str, JsonValue | _Missing, JsonValue | _Missing]


def difference_size(left: JsonValue, right: JsonValue) -> float:
    """How far two values are apart: the number of places where they differ, up to a limit."""
    return sum(1 for _ in islice(_differences(left, right, ""), MOST_COUNTED))


def describe_difference(asked: JsonValue, recorded: JsonValue) -> str:
    """The first places at which a request differs from one that was recorded."""
    named = list(islice(_differences(asked, recorded, ""), MOST_NAMED + 1))
    texts = [f"{path or 'all of it'} is {_word(left)}, recorded was {_word(right)}" for path, left, right in named]
    return " and ".join(texts[:MOST_NAMED]) + (" and more" if len(texts) > MOST_NAMED else "")


def _word(value: JsonValue | _Missing) -> str:
    if isinstance(value, _Missing):
        return "missing"
    text = json.dumps(value, ensure_ascii=False)
    return shown(text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "…")


def _differences(left: JsonValue | _Missing, right: JsonValue | _Missing, path: str) -> Iterator[Difference]:
    if isinstance(left, dict) and isinstance(right, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            inner = f"{path}.{key}" if path else key
            yield from _differences(left.get(key, MISSING), right.get(key, MISSING), inner)
    elif isinstance(left, list) and isinstance(right, list):
        for index, (item, other) in enumerate(zip_longest(left, right, fillvalue=MISSING)):
            yield from _differences(item, other, f"{path}[{index}]")
    elif left is not right and (type(left) is not type(right) or left != right):
        yield path, left, right
