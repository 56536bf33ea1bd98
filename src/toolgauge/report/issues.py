"""Issues in words."""

from __future__ import annotations

from toolgauge.catalogue import Lang, Words, words_of
from toolgauge.core import STATES, Issue, IssueKind, JsonValue

from .display import shorten, visible
from .numbers import amount
from .values import arguments, brief

__all__ = ["word_issue"]

_MOST_NAME = 60
_MOST_MESSAGE = 160

_MESSAGES: frozenset[IssueKind] = frozenset(
    ("agent_error", "schema_error", "tool_error", "unrecovered_error", "wrong_order")
)
"""Kinds whose values are messages or names, shown without quotation marks."""

_COMPARISONS: frozenset[IssueKind] = frozenset(("wrong_arg", "invalid_arg"))
"""Kinds in which a value that is None is the value null, not a missing one."""


def word_issue(issue: Issue, lang: Lang) -> str:
    """An issue as one line in a language, such as `get_weather: argument city is 'Hue', expected 'Hanoi'`.

    Long values are shortened and control characters shown as escapes.
    """
    words = words_of(lang)
    return words(
        f"issue.{issue.kind}",
        tool=_name(issue.tool),
        argument=_name(issue.argument),
        call=None if issue.call is None else issue.call + 1,
        want=_value(issue.kind, issue.want, words),
        got=_value(issue.kind, issue.got, words),
    )


def _name(name: str | None) -> str | None:
    return None if name is None else shorten(visible(name[: _MOST_NAME * 8]), _MOST_NAME)


def _value(kind: IssueKind, value: JsonValue, words: Words) -> str | None:
    if value is None and kind not in _COMPARISONS:
        return None
    if kind == "missing_call" and isinstance(value, dict):
        return shorten(", ".join(arguments(value, words)), _MOST_MESSAGE)
    if kind == "duplicate_call" and isinstance(value, int):
        return str(value + 1)
    if kind == "over_latency" and isinstance(value, (int, float)):
        return amount(value, words("none"))
    if kind in _MESSAGES and isinstance(value, str):
        if kind == "agent_error" and value in STATES:
            return words(f"state.{value}")
        return None if not value else shorten(visible(value[: _MOST_MESSAGE * 8]), _MOST_MESSAGE)
    if kind == "wrong_answer" and isinstance(value, dict) and "value" in value:
        value = value["value"]
    return shorten(brief(value, words), _MOST_MESSAGE)
