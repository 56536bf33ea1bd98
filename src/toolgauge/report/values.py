"""What comes from data in few words: JSON values, matchers and issues, without the credentials of this machine."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from math import isfinite

from msgspec.structs import replace

from toolgauge.catalogue import Lang, Words, words_of
from toolgauge.catalogue.speaking import translated
from toolgauge.core import ISSUE_TYPES, STATES, UNSCORED, Issue, IssueKind, JsonValue
from toolgauge.matchers import describe, name_rule
from toolgauge.secrets import Secrets

from .display import amount, short, shorten, visible

__all__ = [
    "answer_reason",
    "answer_value",
    "arguments",
    "brief",
    "issue_json",
    "redact",
    "redact_issue",
    "redact_value",
    "short_name",
    "word_issue",
]

_MAX_ITEMS = 8
_MAX_DEPTH = 4
_MAX_NAME = 60
_MAX_MESSAGE = 160

_COMPARED = re.compile(r"found (.+?), expected (.+)", re.DOTALL)
"""The reason that the scorers of amounts and dates give, in the asked unit."""

_NUMBER = re.compile(r"(?<![\w.,-])-?\d+(?:\.\d+)?(?![\w.,]*\d)")
_RANGE = re.compile(r"(\S+) to (\S+)")


def brief(value: object, words: Words, *, quote: str = "'", max_length: int = 80, depth: int = 0) -> str:
    """A value or a matcher in few characters.

    Args:
        value: A JSON value, a matcher such as `{"$any": true}`, or a Python callable that serves as one.
        words: The words of matchers.
        quote: What stands around texts.
        max_length: Roughly how many characters a text may have.
        depth: How deep the value lies in another one.
    """
    if isinstance(value, str):
        return quote + shorten(visible(value[: max_length * 8]), max_length) + quote
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, float):
        return f"{value:.15g}" if isfinite(value) else str(value)
    if isinstance(value, int):
        return shorten(str(value), max_length) if value.bit_length() < 4096 else "…"
    if depth > _MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return _matcher(value, words, quote, max_length, depth) or _mapping(value, words, quote, max_length, depth)
    if isinstance(value, (list, tuple)):
        return "[" + _items(value, words, quote, max_length, depth) + "]"
    if callable(value):
        return visible(name_rule(value))
    return shorten(visible(str(value)), max_length)


def _items(values: list[object] | tuple[object, ...], words: Words, quote: str, max_length: int, depth: int) -> str:
    shown = [brief(item, words, quote=quote, max_length=max_length, depth=depth + 1) for item in values[:_MAX_ITEMS]]
    return ", ".join([*shown, "…"] if len(values) > _MAX_ITEMS else shown)


def _mapping(value: Mapping[str, object], words: Words, quote: str, max_length: int, depth: int) -> str:
    shown = [
        f"{shorten(visible(str(key)), 40)}: {brief(item, words, quote=quote, max_length=max_length, depth=depth + 1)}"
        for key, item in list(value.items())[:_MAX_ITEMS]
    ]
    return "{" + ", ".join([*shown, "…"] if len(value) > _MAX_ITEMS else shown) + "}"


def _matcher(value: Mapping[str, object], words: Words, quote: str, max_length: int, depth: int) -> str:
    """The words for a matcher, or nothing where the mapping is none."""
    name = next(iter(value), "")
    if len(value) != 1 or not name.startswith("$"):
        return ""
    described = describe(value)
    if described is None:
        return _without_words(name, value[name], words, quote, max_length, depth)
    if described.key is None:
        return shorten(visible(json.dumps(value[name], ensure_ascii=False, default=str)), max_length)
    if described.key not in words.catalogue:
        return _without_words(name, value[name], words, quote, max_length, depth)
    places = {
        **{
            name: brief(v, words, quote=quote, max_length=max_length, depth=depth + 1)
            for name, v in described.values.items()
        },
        **{name: _items(list(values), words, quote, max_length, depth) for name, values in described.items.items()},
    }
    text = words(described.key, **places)
    notes = [words.known(key, otherwise) for key, otherwise in described.notes]
    return f"{text} ({', '.join(notes)})" if notes else text


def _without_words(name: str, written: object, words: Words, quote: str, max_length: int, depth: int) -> str:
    return f"{shorten(visible(name), 40)} {brief(written, words, quote=quote, max_length=max_length, depth=depth + 1)}"


def arguments(values: Mapping[str, object], words: Words, *, sign: str = "=") -> list[str]:
    """Arguments in the form `city="Hanoi"`."""
    shown = [
        f"{shorten(visible(name), 40)}{sign}{brief(value, words, quote=chr(34))}"
        for name, value in list(values.items())[:_MAX_ITEMS]
    ]
    return [*shown, "…"] if len(values) > _MAX_ITEMS else shown


def answer_value(value: JsonValue, words: Words) -> str:
    """A typed answer that was asked for, or what was found: an amount without quotes and with its unit."""
    amount = False
    if isinstance(value, dict) and "value" in value:
        unit, amount = value.get("unit"), value.get("type") in ("number", "time")
        value = value["value"]
        if isinstance(unit, str) and unit and isinstance(value, (str, int, float)):
            return shorten(visible(f"{_number(value, words)} {unit}"), _MAX_MESSAGE)
    if (amount and isinstance(value, str)) or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return shorten(visible(_number(value, words)), _MAX_MESSAGE)
    return shorten(brief(value, words), _MAX_MESSAGE)


def _number(value: str | float, words: Words) -> str:
    return value if isinstance(value, str) else words.number(brief(value, words))


def answer_reason(reason: str, words: Words, *, amount: bool) -> tuple[str, str] | None:
    """What was found and what was asked for as the reason of a verdict has them, in one unit; None: it says neither.

    Args:
        reason: The reason, as the scorer of the answer gave it.
        words: The words of the language.
        amount: Whether these are amounts, which are written as the language does.
    """
    compared = _COMPARED.fullmatch(reason)
    if compared is None:
        return None
    found, want = compared.groups()
    return (_figures(found, words), _figures(want, words)) if amount else (found, want)


def _figures(text: str, words: Words) -> str:
    """A text of ours with its numbers, and a range of them, as people of this language write them."""
    text = _NUMBER.sub(lambda number: words.number(number[0]), text)
    return _RANGE.sub(lambda both: words("compare.interval", low=both[1], high=both[2]), text)


def word_issue(issue: Issue, lang: Lang) -> str:
    """An issue as one line in a language, such as `get_weather: argument city is 'Hue', expected 'Hanoi'`.

    Long values are shortened and control characters shown as escapes.
    """
    return _issue_text(issue, words_of(lang))


def _issue_text(issue: Issue, words: Words) -> str:
    return words(
        "issue.unscored" if issue.kind == "agent_error" and issue.want == UNSCORED else f"issue.{issue.kind}",
        tool=_issue_name(issue.tool),
        argument=_issue_name(issue.argument),
        call=None if issue.call is None else issue.call + 1,
        want=_issue_value(issue.kind, issue.want, words),
        got=_issue_value(issue.kind, issue.got, words),
    )


def _issue_name(name: str | None) -> str | None:
    return None if name is None else short(name, _MAX_NAME)


def _issue_value(kind: IssueKind, value: JsonValue, words: Words) -> str | None:
    known = ISSUE_TYPES[kind]
    if value is None and not (known.about == "argument" and known.shows == "both"):
        return None  # there is none; where an argument is compared with what was asked for, it is the value null
    if kind == "missing_call" and isinstance(value, dict):
        return shorten(", ".join(arguments(value, words)), _MAX_MESSAGE)
    if kind == "duplicate_call" and isinstance(value, int):
        return str(value + 1)
    if kind == "over_latency" and isinstance(value, (int, float)):
        return amount(value, words)
    if known.messages and isinstance(value, str):
        if kind == "agent_error" and value in STATES:
            return words(f"state.{value}")
        said = translated(value, words.lang) if kind == "agent_error" else value
        return None if not value else short(said, _MAX_MESSAGE)
    if kind == "wrong_answer":
        return answer_value(value, words)
    return shorten(brief(value, words), _MAX_MESSAGE)


def issue_json(issue: Issue, lang: Lang) -> dict[str, object]:
    """An issue as every JSON report has it."""
    entry: dict[str, object] = {
        "kind": issue.kind,
        "tool": issue.tool,
        "argument": issue.argument,
        "call": issue.call,
        "failing": issue.failing,
        "message": _issue_text(issue, words_of(lang).plain),
    }
    for name in ("expected", "want", "got"):
        if getattr(issue, name) is not None:
            entry[name] = getattr(issue, name)
    return entry


@cache
def _secrets() -> Secrets:
    return Secrets.from_environment()


def redact(text: str) -> str:
    """The text with a mark in the place of every credential of the environment."""
    return _secrets().redact(text)


def short_name(text: str, width: int) -> str:
    """A name from data: without credentials, harmless, and not too long."""
    return shorten(visible(redact(text[: width * 8])), width)


def redact_value(value: JsonValue) -> JsonValue:
    """A JSON value likewise."""
    return _secrets().redact(value)


def redact_issue(issue: Issue) -> Issue:
    """An issue likewise."""
    if not len(_secrets()):
        return issue
    return replace(
        issue,
        tool=issue.tool and redact(issue.tool),
        argument=issue.argument and redact(issue.argument),
        want=redact_value(issue.want),
        got=redact_value(issue.got),
    )
