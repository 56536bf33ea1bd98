"""Telling a call that failed from one that worked: by what the recorder says of it, else by the result.

A tool mostly answers with the text of a JSON object. To make values of it and text of these again is most of the work
of a conversion, so where nothing looks at the values the text is only scanned: whether it is JSON that can be read
again, and whether it says that the call failed. Whatever is unusual in it is decoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import asdict

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.files import is_shallow
from toolgauge.matchers import compile_schema

from .values import DEEPEST

__all__ = ["ERROR_PATTERNS", "FAILED_STATES", "SAYING", "Outcomes", "RawResults"]

ERROR_PATTERNS = (
    r"^\s*([Ee]rror|ERROR|[Ll]ỗi|LỖI)( (executing|calling|invoking|running|in|while|when|from|khi)\b[^\n]{0,120})?"
    r"(\s*:|\s+[-–—]\s)",
    r"^\s*(Error|ERROR|Lỗi|LỖI)[.!]?\s*$",
    r"^\s*Error executing tool",
    r"^\s*An error occurred (while|when) (running|calling|executing|invoking) ",
    r"^\s*([Đđ]ã )?([Xx]ảy ra lỗi|[Gg]ặp lỗi|[Cc]ó lỗi xảy ra)",
    r"^\s*Traceback \(most recent call last\)",
    r"^\s*[A-Za-z_.]*(Error|Exception)\s*[:(]",
    r"^\s*[Tt]ool (call |execution |call execution )?(failed|error)",
    r"^\s*Failed to (call|execute|run|invoke|fetch|load|connect|retrieve|parse|complete)\b",
    r"^\s*\{'error': ['\"][^\W\d]",
)
"""How results begin that are messages about a failure. Each is a regular expression, searched in the text."""

NOTHING = r"(?:none|null|nil|no errors?|n/a|false|ok|success|không|không có|-|0+(?:[.,]\d+)?\s*%?|[\d.,]+\s*%)"
NO_FAILURE = re.compile(rf"\s*(?:errors?|lỗi)\s*[:\-–—]\s*{NOTHING}[\s.!]*(?:\n|$)", re.IGNORECASE)
"""How results begin that say that there was no error, or how large it is."""

NO_REASON = re.compile(rf"\s*{NOTHING}[\s.!]*", re.IGNORECASE)
"""What stands for an error where there was none."""

LONGEST_LOOKED_AT = 2_000
"""A failure says so at the beginning; of a long result only so many characters are looked at."""

LONGEST_REASON = 2_000
"""Of a long message so many characters are kept as the reason; the result keeps all of it."""

FAILED_IF_TRUE = ("isError", "is_error")
FAILED_IF_FALSE = ("success", "ok")
CODES = ("status_code", "statusCode", "http_status")
SAYING = frozenset({*FAILED_IF_TRUE, *FAILED_IF_FALSE, "status", "error", "errors", "type", *CODES})
"""The keys by which a structured result says how it went."""

FAILED_STATES = frozenset({"error", "failed", "failure", "errored", "exception"})

ABOUT_FAILURES = frozenset(
    {
        *("error", "errors", "message", "msg", "detail", "details", "description", "error_description", "reason"),
        *("code", "error_code", "errorCode", "error_type", "errorType", "type", "title", "name", "hint", "cause"),
        *("status", "success", "ok", "path", "instance", "method", "url", "timestamp", "time", "data", *CODES),
        *("request_id", "requestId", "trace_id", "trace", "traceback", "stack", "retry_after", "retryable", "tool"),
    }
)
"""What is written beside an error; beside real data an `error` may mean anything, a deviation for one."""

MAX_BESIDE = 2
"""Beside an error so many other things may stand, mostly what the tool was asked for."""


class Outcomes:
    """Finds out whether, and why, a call failed."""

    def __init__(self, patterns: Sequence[str] | None = None) -> None:
        """Patterns of one's own take the place of the built-in ones; none at all: texts are never looked at.

        Raises:
            UsageError: A pattern is no regular expression.
        """
        for pattern in patterns or ():
            if not _is_quick(pattern):
                raise UsageError(f"the error pattern {pattern!r} is not a regular expression that runs in linear time")
        self._own = patterns is not None
        self._patterns = ERROR_PATTERNS if patterns is None else tuple(patterns)
        self._matches: Callable[[JsonValue], bool] | None = None

    def reason(
        self,
        result: JsonValue,
        *,
        recorded: JsonValue = None,
        failed: bool | None = None,
        error: str | None = None,
    ) -> str | None:
        """Why a call failed, or None where it worked.

        Args:
            result: What came back.
            recorded: The same as it was recorded, where that is the text of what came back.
            failed: What the recorder says; None: it does not say.
            error: The recorder's own words for the failure.
        """
        if error:
            return error[:LONGEST_REASON]
        if failed is None and not self._own and isinstance(result, dict) and SAYING.isdisjoint(result):
            return None  # as most results are
        if failed is None:
            failed = _says_failed(result) or self._reads_failed(result, recorded)
        return _words(result)[:LONGEST_REASON] or "failed" if failed else None

    def _reads_failed(self, result: JsonValue, recorded: JsonValue) -> bool:
        if self._own:
            # Somebody who gives a pattern has seen the text, which may be that of an object.
            result = recorded if isinstance(recorded, str) else _text(result)
        if not isinstance(result, str) or not self._patterns:
            return False
        if self._matches is None:
            self._matches = _matcher(*self._patterns)
        beginning = result[:LONGEST_LOOKED_AT]
        return self._matches(beginning) and (self._own or NO_FAILURE.match(beginning) is None)


def _is_quick(pattern: str) -> bool:
    try:
        compile_schema({"pattern": pattern}).is_valid("a" * LONGEST_LOOKED_AT)
    except ValueError:
        return False
    return True


@cache
def _matcher(*patterns: str) -> Callable[[JsonValue], bool]:
    """Whether a text matches one of some patterns."""
    if len(patterns) == 1:
        return compile_schema({"pattern": patterns[0]}).is_valid
    return compile_schema({"anyOf": [{"pattern": pattern} for pattern in patterns]}).is_valid


def _text(result: JsonValue) -> str | None:
    return result if isinstance(result, str) or result is None else msgspec.json.encode(result).decode()


def _says_failed(result: JsonValue) -> bool:
    """Whether a structured result says of itself that it is a failure."""
    if not isinstance(result, dict) or SAYING.isdisjoint(result):
        return False
    if _is_marked_failed(result):
        return True
    if any(isinstance(code := result.get(key), int) and 400 <= code < 600 for key in CODES):
        return True
    return _holds_error(result)


def _may_say_failed(said: dict[str, JsonValue]) -> bool:
    """Whether a look at the whole result may find that the call failed, by what it has under the keys that say so."""
    if said["error"] or said["errors"] or _is_marked_failed(said):
        return True
    return any(isinstance(code := said[key], int) and code >= 400 for key in CODES)


def _is_marked_failed(result: dict[str, JsonValue]) -> bool:
    """Whether a flag, a type or a state says that the call failed."""
    if any(result.get(key) is True for key in FAILED_IF_TRUE):
        return True
    if any(result.get(key) is False for key in FAILED_IF_FALSE) or result.get("type") == "error":
        return True
    status = result.get("status")
    return isinstance(status, str) and status.lower() in FAILED_STATES


def _holds_error(result: dict[str, JsonValue]) -> bool:
    """Whether an object has an error in it, and nothing that came back besides."""
    error = result.get("error")
    found = error is True or (isinstance(error, (str, dict)) and _is_error(error))
    errors = result.get("errors")
    listed = isinstance(errors, list) and bool(errors)
    if (not found and not listed) or result.get("result") or result.get("data"):
        return False
    beside = [key for key, value in result.items() if key not in ABOUT_FAILURES and value not in (None, "", [], {})]
    # A flag or a list may be one of several things that a tool found out; words are meant for somebody.
    return len(beside) <= (MAX_BESIDE if isinstance(error, (str, dict)) and found else 0)


def _is_error(error: str | dict[str, JsonValue]) -> bool:
    """Whether what is called an error is one, and not the word for none, or a number."""
    if isinstance(error, str):
        return bool(error.strip()) and NO_REASON.fullmatch(error) is None
    if not error or error.get("code") in (0, "0", 200, "OK"):
        return False
    message = error.get("message")
    return not isinstance(message, str) or not message or NO_REASON.fullmatch(message) is None


def _words(result: JsonValue) -> str:
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        for key in ("error", "message", "detail", "content", "text", "errors"):
            value = result.get(key)
            if key == "errors" and isinstance(value, list) and value:
                value = value[0]
            if isinstance(value, str) and value:
                return value
            if isinstance(value, dict) and isinstance(value.get("message"), str):
                return str(value["message"])
    return msgspec.json.encode(result).decode()


LARGE_NUMBER = r"[0-9](?:[eE]\+?[0-9]{3}|[0-9]{199})"
"""Numbers that may be too large for a float. They are the one thing that decoders refuse and do not see in passing."""

SHORTEST = 200
"""Shorter texts are decoded as soon as they are looked through."""

SHALLOW = DEEPEST - 2
"""What is nested no deeper than this can be read again as a part of a trajectory."""


_Result = msgspec.defstruct("_Result", [(key, Any, None) for key in sorted(SAYING)], gc=False)
"""What a result has under the keys by which it says how it went."""

SILENT = _Result()
"""A result that says nothing of the kind, as most."""

_scan = msgspec.json.Decoder(Raw).decode
_scan_object = msgspec.json.Decoder(_Result).decode


class RawResults:
    """Finds results that can be written as they are."""

    def __init__(self) -> None:
        self._has_large_number = _matcher(LARGE_NUMBER)

    def __call__(self, text: str) -> Raw | None:
        """The JSON object or list that a text holds, encoded in one line; None where it has to be decoded.

        That is where it is not JSON after all, where it may say that the call failed, and where it could not be read
        again.
        """
        if len(text) < SHORTEST:
            return None
        try:
            if self._has_large_number(text):
                return None
            if text[0] == "[":
                _scan(text)
            else:
                said = _scan_object(text)
                if said != SILENT and _may_say_failed(asdict(said)):
                    return None
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        if text.count("{") + text.count("[") > SHALLOW and not is_shallow(text.encode(), SHALLOW):
            return None
        if "\n" in text or "\r" in text:
            # Inside of strings they are written as escape sequences, so these stand between values.
            text = text.replace("\n", " ").replace("\r", " ")
        return Raw(text)
