"""Results as they were written, for those who only write them again.

A tool mostly answers with the text of a JSON object. To make values of it and text of these again is most of the work
of a conversion, so where nobody looks at the values the text is only looked through: whether it is JSON that can be
read again, and whether it says that the call failed. Whatever is unusual in it is left to those who decode it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, Struct

from toolgauge.files import is_shallow
from toolgauge.matching import compile_schema

from .outcomes import FAILED_STATES
from .values import DEEPEST

__all__ = ["Verbatim"]

LARGE_NUMBER = r"[0-9](?:[eE]\+?[0-9]{3}|[0-9]{199})"
"""Numbers that may be too large for a float. They are the one thing that decoders refuse and do not see in passing."""

SHORTEST = 200
"""Shorter texts are decoded as soon as they are looked through."""

SHALLOW = DEEPEST - 2
"""What is nested no deeper than this can be read again as a part of a trajectory."""


class _Result(Struct, gc=False):
    """The keys by which a result says that the call failed."""

    isError: Any = None  # noqa: N815 - as it is written
    is_error: Any = None
    success: Any = None
    ok: Any = None
    type: Any = None
    status: Any = None
    status_code: Any = None
    statusCode: Any = None  # noqa: N815 - likewise
    http_status: Any = None
    error: Any = None
    errors: Any = None


SILENT = _Result()
"""A result that says nothing of the kind, as most."""

_look_through = msgspec.json.Decoder(Raw).decode
_look_through_object = msgspec.json.Decoder(_Result).decode


class Verbatim:
    """Finds results that can be written as they are."""

    def __init__(self) -> None:
        self._has_large_number = compile_schema({"pattern": LARGE_NUMBER}).is_valid

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
                _look_through(text)
            else:
                said = _look_through_object(text)
                if said != SILENT and _may_say_failed(said):
                    return None
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        if text.count("{") + text.count("[") > SHALLOW and not is_shallow(text.encode(), SHALLOW):
            return None
        if "\n" in text or "\r" in text:
            # Inside of strings they are written as escape sequences, so these stand between values.
            text = text.replace("\n", " ").replace("\r", " ")
        return Raw(text)


def _may_say_failed(result: _Result) -> bool:
    """Whether a look at the whole result may find that the call failed."""
    status = result.status
    return (
        bool(result.error)
        or bool(result.errors)
        or result.type == "error"
        or any(
            isinstance(code, int) and code >= 400
            for code in (result.status_code, result.statusCode, result.http_status)
        )
        or result.isError is True
        or result.is_error is True
        or result.success is False
        or result.ok is False
        or (isinstance(status, str) and status.lower() in FAILED_STATES)
    )
