"""The three sorts of InfoSeek questions, and what happens to an item that cannot be scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

from toolgauge.errors import ToolgaugeError

__all__ = ["Faults", "ItemFault", "QuestionType", "Unscorable", "as_list", "describe", "kind_of"]


class QuestionType(Enum):
    """What an answer is compared as."""

    String = 0
    Numerical = 1
    Time = 2
    Entity = 0  # noqa: PIE796 - an alias is meant
    """Another name of `String`."""


_KINDS = {
    spelling: kind.value
    for name, kind in QuestionType.__members__.items()
    for spelling in (name, name.lower(), name.upper())
}


def kind_of(question_type: object) -> int:
    """The value of the question type that a name means, whatever its case; a name that is not known means a string."""
    if isinstance(question_type, str):
        kind = _KINDS.get(question_type)
        return _KINDS.get(question_type.lower(), 0) if kind is None else kind
    return question_type.value if isinstance(question_type, QuestionType) else 0


class Unscorable(ToolgaugeError, ValueError):  # noqa: N818 - a statement reads better than an error's name
    """An item for which no verdict can be computed, with the reason.

    The published evaluator ends with an exception there. Functions that score many items count it as wrong and go on.
    """


class ItemFault(NamedTuple):
    """An item that could not be scored and was counted as wrong."""

    item: str | int
    """The id of the question, or the position of the item in its list, from 0, where there are no ids."""
    reason: str


Faults: TypeAlias = list[ItemFault]


def as_list(answer: object) -> list[object]:
    """The reference answers as a list; a single string or number is a list of one.

    Raises:
        Unscorable: It is neither a list nor a string or number.
    """
    if isinstance(answer, str | int | float):
        return [answer]
    if isinstance(answer, Iterable) and not isinstance(answer, Mapping):
        return list(answer)
    raise Unscorable(f"the reference is {describe(answer)}, not a list of answers")


def describe(value: object) -> str:
    """A value in a few words, for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the string {_shortened(value)}"
    if isinstance(value, int | float):
        return f"the number {_shortened(value)}"
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else f"of type {type(value).__name__}"


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
