"""Makes a typed answer ready for scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from toolgauge.core import Answer, JsonValue
from toolgauge.errors import UsageError
from toolgauge.locale import Locale

from .boolean import prepare_boolean
from .items import prepare_list
from .number import prepare_number
from .specs import check_spec
from .string import prepare_string
from .text import prepare_text
from .time import prepare_time

__all__ = ["prepare"]


def prepare(
    spec: Mapping[str, JsonValue], *, locale: Locale | None = None, now: str | date | None = None
) -> Callable[[str | None], Answer]:
    """A function that scores final answers against the `answer` of a case.

    Args:
        spec: The `answer` mapping, with its `type`.
        locale: How the answer writes figures and dates; None: unknown.
        now: The day that relative dates count from, as a date or in ISO form.

    Raises:
        UsageError: The mapping cannot be used; `check_spec` says why without raising.
    """
    problems = check_spec(spec)
    if problems:
        raise UsageError("; ".join(problems))
    score = _prepared(spec, locale, _day(now))

    def answer(output: str | None) -> Answer:
        if output is None or not output.strip():
            return Answer("wrong", None, "no answer")
        return score(output)

    return answer


def _day(now: str | date | None) -> date | None:
    if now is None or isinstance(now, date):
        return now
    try:
        return date.fromisoformat(now.strip()[:10])
    except ValueError as error:
        raise UsageError(f"now is a day such as 2026-01-31, not {now!r}") from error


def _prepared(spec: Mapping[str, JsonValue], locale: Locale | None, now: date | None) -> Callable[[str], Answer]:
    kind = spec["type"]
    if kind == "number":
        return prepare_number(spec, locale)
    if kind == "time":
        return prepare_time(spec, locale, now)
    if kind == "string":
        return prepare_string(spec, locale)
    if kind == "list":
        return prepare_list(spec, locale)
    if kind == "boolean":
        return prepare_boolean(spec)
    return prepare_text(spec)
