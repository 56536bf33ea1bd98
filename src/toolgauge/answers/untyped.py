"""An answer without a type: what its keys or its value say that it is.

A value that reads wholly as an amount or a date, by what reads the answers of agents and in the locale of the case, is
one; a list is a list, true and false are a boolean, and anything else is a string. A bare year such as 1975 may be
either an amount or a date, and an answer is right that states either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from toolgauge.core import Answer, JsonValue
from toolgauge.locale import Locale

from .answer_type import AnswerType, Scorer, Spec
from .written import read_amount, read_period

__all__ = ["either", "types_of"]

BY_KEY = {
    "contains": "text",
    "tolerance": "number",
    "unit": "number",
    "tolerance_years": "time",
    "free_text": "time",
    "aliases": "string",
}
"""Keys that only one type has."""


def types_of(
    spec: Spec, known: Mapping[str, AnswerType], locale: Locale | None = None, now: date | None = None
) -> list[str]:
    """The types that an answer without one may be meant as, the likeliest first; never empty.

    Args:
        spec: The `answer` mapping.
        known: The types by name.
        locale: The locale of the case.
        now: The day that relative dates count from.
    """
    for key, name in BY_KEY.items():
        if key in spec and name in known:
            return [name]
    bounds = spec.get("range")
    if isinstance(bounds, list) and bounds:
        found = [_types_of_value(bound, locale, now) for bound in bounds]
        common = [name for name in ("number", "time") if all(name in types for types in found)]
        return common[:1] or ["number"]
    value = spec.get("value")
    if "ignore_tones" in spec:
        return ["list" if isinstance(value, list) else "string"]
    return _types_of_value(value, locale, now)


def _types_of_value(value: JsonValue, locale: Locale | None, now: date | None) -> list[str]:
    if isinstance(value, bool):
        return ["boolean"]
    if isinstance(value, list):
        return ["list"]
    text = str(value)
    amount = read_amount(text, locale) if isinstance(value, str) else isinstance(value, int | float)
    found = ["number"] if amount else []
    if isinstance(value, str | int) and read_period(text, locale, now):
        found.append("time")
    return found or ["string"]


def either(scorers: Sequence[Scorer]) -> Scorer:
    """A scorer by which an answer is right that one of these finds right."""
    if len(scorers) == 1:
        return scorers[0]

    def score(output: str) -> Answer:
        answers = [scorer(output) for scorer in scorers]
        ranks = {"right": 0, "ambiguous": 1}
        return min(answers, key=lambda answer: ranks.get(answer.verdict or "", 2))

    return score
