"""Numbers and ranges: finding them in a prediction, and comparing them with a reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from .kinds import Unscorable, as_list, describe

__all__ = [
    "Quantity",
    "clean_str_range",
    "find_all",
    "find_numbers",
    "fix_space",
    "in_range",
    "is_quantity_right",
    "metric_numerical_range",
    "process_numerical_answer",
    "range_intersection_over_union",
    "safe_division",
]

Quantity: TypeAlias = float | list[float] | tuple[float, ...]
"""A number, or the two ends of a range."""

_NUMBER = re.compile(r"[-+]?\.?\d+(?:,\d{3})*\.?\d*(?:[eE][-+]?\d+)?")
_SPACE_IN_NUMBER = re.compile(r"(\d+[.,]) (\d+)")

_TINY = 1e-12
"""Keeps a range of no length from having an empty union, and takes up rounding at the limit of the overlap."""

_ENOUGH = 0.5 - _TINY
"""The least overlap of a predicted range that still counts as right."""


def in_range(number: float, range_list: Sequence[float]) -> bool:
    """Whether a number lies between the two ends of a range, or on one of them."""
    low, high = range_list
    return low <= number <= high


def safe_division(x: float, y: float) -> float:
    """The quotient of x and y, or 0 where y is 0."""
    return x / y if y != 0 else 0


def find_all(s: str, c: str) -> Iterator[int]:
    """Every place in a text at which a character stands."""
    place = s.find(c)
    while place >= 0:
        yield place
        place = s.find(c, place + 1)


def clean_str_range(text: str) -> str:
    """The text with spaces around each hyphen that follows a digit, so that it reads as a range and not as a sign."""
    if "-" not in text:
        return text
    parts = text.split("-")
    cleaned = [parts[0]]
    for before, after in pairwise(parts):
        cleaned.append(" - " if before[-1:].isdigit() else "-")
        cleaned.append(after)
    return "".join(cleaned)


def find_numbers(string_number: str) -> tuple[list[float], list[str]]:
    """The numbers in a text: their values, and as they were written.

    A dot at the beginning of a number is dropped as one at its end is, so `.5` is 5, as in the published evaluator.

    Raises:
        Unscorable: It is not a text, or holds something like `-.1.2`, of which nothing but the sign would be left.
    """
    if not isinstance(string_number, str):
        raise Unscorable(f"the prediction is {describe(string_number)}, not a string")
    written: list[str] = _NUMBER.findall(clean_str_range(string_number) if "-" in string_number else string_number)
    return [_value(number) for number in written], written


def _value(written: str) -> float:
    number = written.replace(",", "")
    if written[0] > "/":
        # It begins with a digit, since signs and the dot come before the slash. So there is at most one dot, and one
        # at the end means nothing to `float` either.
        return float(number)
    number = number.strip(".")
    if number.count(".") > 1:
        number = number.partition(".")[0]
    try:
        return float(number)
    except ValueError as error:
        raise Unscorable(f"{written!r} in the prediction cannot be read as a number") from error


def process_numerical_answer(string_number: str) -> float | list[float]:
    """The number that a text states, or the range that its first two numbers make.

    Two numbers that fall are no range: the first counts. Without any number the answer is the range [0, 0].

    Raises:
        Unscorable: As in `find_numbers`.
    """
    return _first_two(find_numbers(string_number)[0])


def _first_two(numbers: list[float]) -> float | list[float]:
    if not numbers:
        return [0, 0]
    if len(numbers) == 1 or numbers[0] > numbers[1]:
        return numbers[0]
    return numbers[:2]


def range_intersection_over_union(x_list: Sequence[float], y_list: Sequence[float]) -> float:
    """How much two ranges have in common: the length of what they share by the length of what they cover."""
    x_low, x_high = min(x_list), max(x_list)
    y_low, y_high = min(y_list), max(y_list)
    shared = max(0.0, min(x_high, y_high) - max(x_low, y_low))
    x_length = (x_high - x_low) + _TINY
    y_length = (y_high - y_low) + _TINY
    return safe_division(shared, x_length + y_length - shared)


def metric_numerical_range(pred: Quantity, answer: Quantity, tolerance: float = 0.1) -> int:
    """Whether a predicted number or range is right: 1 or 0.

    A number is right inside the range of the answer. A range is right inside it too, or if half of what both cover
    is shared.

    Args:
        pred: The prediction.
        answer: The range that is right. A single number stands for itself give or take `tolerance`.
        tolerance: A share of the answer, not an amount.

    Raises:
        Unscorable: The answer is no range, or something is not a number.
    """
    bounds = answer if isinstance(answer, (list, tuple)) else [answer]
    if not bounds:
        raise Unscorable("the reference list is empty")
    try:
        if len(bounds) == 1:
            bounds = [bounds[0] * (1 - tolerance), bounds[0] * (1 + tolerance)]
        if not isinstance(pred, (list, tuple)):
            return 1 if in_range(pred, bounds) else 0
        if bounds[0] <= pred[0] <= bounds[1] and bounds[0] <= pred[1] <= bounds[1]:
            return 1
        return 1 if range_intersection_over_union(pred, bounds) >= _ENOUGH else 0
    except (TypeError, ValueError, IndexError) as error:
        wrong = f"a reference of {len(bounds)} numbers" if len(bounds) != 2 else describe(pred)
        raise Unscorable(f"{wrong} cannot be compared as a number or range") from error


def is_quantity_right(prediction: object, answer: object) -> bool:
    """Whether what a text predicts agrees with the reference of a numerical question.

    The same as reading both and asking `metric_numerical_range`, with a short way for one number and a range.

    Args:
        prediction: The text that an agent answered.
        answer: One number, or the two ends of a range, as numbers or as text.

    Raises:
        Unscorable: Either of them is not as it should be.
    """
    if not isinstance(prediction, str):
        raise Unscorable(f"the prediction is {describe(prediction)}, not a string")
    if prediction.isdecimal():
        predicted: float | list[float] = float(prediction)
    else:
        written = _NUMBER.findall(clean_str_range(prediction) if "-" in prediction else prediction)
        predicted = _value(written[0]) if len(written) == 1 else _first_two([_value(number) for number in written])
    answers: Any = answer if type(answer) is list else as_list(answer)
    try:
        if len(answers) != 2:
            return metric_numerical_range(predicted, [float(one) for one in answers]) == 1
        low, high = float(answers[0]), float(answers[1])
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, Unscorable):
            raise
        raise Unscorable(f"the reference {_shown(answer)} is not made of numbers") from error
    if type(predicted) is float:
        return low <= predicted <= high
    return metric_numerical_range(predicted, (low, high)) == 1


def _shown(answer: object) -> str:
    text = repr(answer)
    return text if len(text) <= 60 else f"{text[:57]}..."


def fix_space(string: str) -> str:
    """The text without a space inside a number, as in `1, 234` or `3. 14`."""
    if ", " not in string and ". " not in string:
        return string
    return _SPACE_IN_NUMBER.sub(r"\1\2", string)
