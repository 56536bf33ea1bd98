"""The table of answer types, and what is asked of it: whether an `answer` can be used, and how it is scored.

A new type is a module with an `AnswerType` and a row here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from toolgauge.core import Answer
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.locale import Locale

from .answer_type import AnswerType, Schema, Setting, Spec
from .boolean import BOOLEAN
from .items import LIST
from .number import NUMBER
from .question import read_question
from .string import STRING
from .text import TEXT
from .time import TIME
from .untyped import either, types_of

__all__ = ["ANSWER_KEYS", "ANSWER_TYPES", "COMMON_KEYS", "check_spec", "likely_types", "prepare"]

ANSWER_TYPES: dict[str, AnswerType] = {kind.name: kind for kind in (NUMBER, TIME, STRING, LIST, BOOLEAN, TEXT)}

ANSWER_KEYS = {
    "type": "How the answer is read and compared.",
    "value": "The expected value of the answer.",
    "range": "From and to, both included, instead of `value`.",
    "tolerance": "How far a number may be off: an amount, or a percentage such as 10%.",
    "unit": "The unit, such as °C, % or tỷ đồng; a number of another unit is not the answer.",
    "units": "`convert`: an amount in another unit of the same kind, such as °F for °C, is converted.",
    "tolerance_years": "How many years a date may be off.",
    "free_text": "Also read dates in other free-text forms; needs the extra `dates`.",
    "aliases": "Other names for the same thing.",
    "ignore_tones": "Compare without Vietnamese diacritics.",
    "contains": "Texts that the answer must contain.",
    "find": "`model`: a language model points to the passage that answers the question, when an agent is run.",
}
"""What each key of an answer means; the JSON schema has it from here."""

COMMON_KEYS: dict[str, Schema] = {"find": {"const": "model"}}
"""The keys that every type has, each with the JSON schema of its value."""


def check_spec(spec: Spec, *, locale: Locale | None = None, now: str | date | None = None) -> list[str]:
    """Everything that is wrong with an `answer` mapping; empty where it can be used.

    Args:
        spec: The mapping. Without a `type` it is an amount, a date or a string, by what its value reads as.
        locale: The locale of the case, in which values that are texts are read.
        now: The day that relative dates count from, as for `prepare`.
    """
    kind = spec.get("type")
    if kind is None:
        every = dict.fromkeys(key for known in ANSWER_TYPES.values() for key in (*known.keys, *COMMON_KEYS))
        problems = [
            f"an answer has no key {key!r}; {did_you_mean(key, list(every))}" for key in spec if key not in every
        ]
        if problems:
            return problems
        if not spec.keys() & {"value", "range", "contains"}:
            return [f"answer has no value, and no type; known: {', '.join(ANSWER_TYPES)}"]
        kind, *_ = types_of(spec, ANSWER_TYPES, locale, _known_day(now))
    if not isinstance(kind, str) or kind not in ANSWER_TYPES:
        return [f"answer type {kind!r} is not known; {did_you_mean(str(kind), list(ANSWER_TYPES))}"]
    known = ("type", *ANSWER_TYPES[kind].keys, *COMMON_KEYS)
    problems = [f"a {kind} answer has no key {key!r}; {did_you_mean(key, known)}" for key in spec if key not in known]
    if spec.get("find", "model") != "model":
        problems.append(f"find is 'model' or left out, not {spec['find']!r}")
    problems += ANSWER_TYPES[kind].check(spec)
    return problems or ANSWER_TYPES[kind].unread(spec, locale, _known_day(now))


def likely_types(spec: Spec, *, locale: Locale | None = None, now: str | date | None = None) -> list[str]:
    """The types that an answer without one may be meant as, by what its value reads as; see `check_spec`."""
    return types_of(spec, ANSWER_TYPES, locale, _known_day(now))


def prepare(
    spec: Spec, *, locale: Locale | None = None, now: str | date | None = None, question: str | None = None
) -> Callable[[str | None], Answer]:
    """A function that scores final answers against the `answer` of a case.

    Args:
        spec: The `answer` mapping; without a `type` its value says what it is.
        locale: How the answer writes figures and dates; None: unknown.
        now: The day that relative dates count from, as a date or in ISO form.
        question: What was asked; which of several values answers it is decided by its words.

    Raises:
        UsageError: The mapping cannot be used; `check_spec` says why without raising.
    """
    day = _day(now)
    problems = check_spec(spec, locale=locale, now=day)
    if problems:
        raise UsageError("; ".join(problems))
    types = [str(spec["type"])] if spec.get("type") is not None else types_of(spec, ANSWER_TYPES, locale, day)
    setting = Setting(locale, day, read_question(question, locale, day))
    score = either([ANSWER_TYPES[kind].prepare(spec, setting) for kind in types])

    def answer(output: str | None) -> Answer:
        if output is None or not output.strip():
            return Answer("wrong", None, "no answer")
        return score(output)

    return answer


def _known_day(now: str | date | None) -> date | None:
    """The day, or None where it is none, which whoever checks the case says."""
    try:
        return _day(now)
    except UsageError:
        return None


def _day(now: str | date | None) -> date | None:
    if now is None or isinstance(now, date):
        return now
    try:
        return date.fromisoformat(now.strip()[:10])
    except ValueError as error:
        raise UsageError(f"now is a day such as 2026-01-31, not {now!r}") from error
