"""Why one attempt to ask a model failed, in words that do not depend on the provider."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from toolgauge.errors import ModelError

__all__ = ["AttemptError", "attempt_error_of_status", "read_retry_after", "shown"]

MOST_SHOWN = 200
"""How many characters of what a provider sent are shown to a person."""

KINDS = {401: "unauthorised", 403: "unauthorised", 408: "timeout", 429: "rate limited"}
PASSING = {409, 425}
"""Statuses below 500 that are worth another try: a conflict, and a request that came too early."""


class AttemptError(ModelError):
    """One attempt failed; whether another is worth making is decided elsewhere."""

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        status: int | None = None,
        fatal: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, kind=kind, status=status, fatal=fatal)
        self.retry_after = retry_after
        """The seconds that the provider asks to wait, where it says so."""


def attempt_error_of_status(status: int, detail: str, headers: Mapping[str, str], now: datetime) -> AttemptError:
    """What a reply with an error status means. The names of the headers are in lower case."""
    kind = KINDS.get(status) or ("server error" if status >= 500 or status in PASSING else "refused")
    message = f"HTTP {status}" + (f" ({shown(detail)})" if detail else "")
    return AttemptError(message, kind=kind, status=status, retry_after=read_retry_after(headers, now))


def read_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds to wait that a reply asks for, in seconds, in milliseconds or as a date; None: it does not say."""
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    written = headers.get("retry-after", "")
    seconds = _seconds(written)
    if seconds is not None or not written:
        return seconds
    try:
        moment = parsedate_to_datetime(written)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _seconds(written: str) -> float | None:
    """A plain figure; a float that is read from more than that could be without end, or no number."""
    return float(written) if re.fullmatch(r"\d{1,12}(\.\d{1,6})?", written.strip(), re.ASCII) else None


def shown(text: str) -> str:
    """The beginning of a text on one line, with everything that does not print as its escape sequence.

    That is control characters, marks that change the direction of a text, lone surrogates and the like.
    """
    begins = text[:MOST_SHOWN]
    if not begins.isprintable():
        begins = "".join(sign if sign.isprintable() else _escape(sign) for sign in begins)
    return begins + ("…" if len(text) > MOST_SHOWN else "")


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
