"""Telling a call that failed from one that worked: by what the recorder says of it, else by the text of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.matching import compile_schema, schema_fault

__all__ = ["ERROR_PATTERNS", "Outcomes"]

ERROR_PATTERNS = (
    r"^\s*([Ee]rror|ERROR|[Ll]ỗi|LỖI)( (executing|calling|invoking|running|in|while|when|from|khi)\b[^\n]{0,120})?\s*:",
    r"^\s*Error executing tool",
    r"^\s*An error occurred (while|when) (running|calling|executing|invoking) ",
    r"^\s*Traceback \(most recent call last\)",
    r"^\s*[A-Za-z_.]*(Error|Exception)\s*[:(]",
    r"^\s*[Tt]ool (call |execution |call execution )?(failed|error)",
)
"""How results begin that are messages about a failure. Each is a regular expression, searched in the text."""

LONGEST_LOOKED_AT = 2_000
"""A failure says so at the beginning; of a long result only so many characters are looked at."""

LONGEST_REASON = 2_000
"""Of a long message so many characters are kept as the reason; the result keeps all of it."""

SAYING = frozenset({"isError", "is_error", "success", "ok", "status", "error"})
"""The keys by which a structured result says how it went."""

FAILED_STATES = frozenset({"error", "failed", "failure", "errored", "exception"})


class Outcomes:
    """Finds out whether, and why, a call failed."""

    def __init__(self, patterns: Sequence[str] | None = None) -> None:
        """Patterns of one's own take the place of the built-in ones; none at all: texts are never looked at.

        Raises:
            UsageError: A pattern is no regular expression.
        """
        for pattern in patterns or ():
            if schema_fault({"pattern": pattern}) is not None:
                raise UsageError(f"the error pattern {pattern!r} is no regular expression that takes linear time")
        self._patterns = ERROR_PATTERNS if patterns is None else tuple(patterns)
        self._matches: list[Callable[[JsonValue], bool]] = []

    def reason(self, result: JsonValue, *, failed: bool | None = None, error: str | None = None) -> str | None:
        """Why a call failed, or None where it worked.

        Args:
            result: What came back.
            failed: What the recorder says; None: it does not say.
            error: The recorder's own words for the failure.
        """
        if error:
            return error[:LONGEST_REASON]
        if failed is None:
            failed = _says_failed(result) or self._reads_failed(result)
        return _words(result)[:LONGEST_REASON] or "failed" if failed else None

    def _reads_failed(self, result: JsonValue) -> bool:
        if not isinstance(result, str):
            return False
        if not self._matches:
            self._matches = [compile_schema({"pattern": pattern}).is_valid for pattern in self._patterns]
        beginning = result[:LONGEST_LOOKED_AT]
        return any(matches(beginning) for matches in self._matches)


def _says_failed(result: JsonValue) -> bool:
    """Whether a structured result says of itself that it is a failure."""
    if not isinstance(result, dict) or SAYING.isdisjoint(result):
        return False
    if result.get("isError") is True or result.get("is_error") is True:
        return True
    if result.get("success") is False or result.get("ok") is False:
        return True
    status = result.get("status")
    if isinstance(status, str) and status.lower() in FAILED_STATES:
        return True
    # An object with nothing but an error in it; beside real data the field may mean anything, a deviation for one.
    error = result.get("error")
    return bool(error) and isinstance(error, (str, dict)) and len(result) <= 3 and "result" not in result


def _words(result: JsonValue) -> str:
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        for key in ("error", "message", "detail", "content", "text"):
            value = result.get(key)
            if isinstance(value, str) and value:
                return value
            if isinstance(value, dict) and isinstance(value.get("message"), str):
                return str(value["message"])
    import msgspec

    return msgspec.json.encode(result).decode()
