"""Asking again when a provider stumbles, for as long as it makes sense and never for ever; why an attempt failed."""

from __future__ import annotations

import asyncio
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from msgspec import Struct

from toolgauge.core import Model, ModelReply, ModelRequest
from toolgauge.errors import ModelError, UsageError
from toolgauge.secrets import Secrets

from .connection import REDIRECT_HINT
from .gate import Clock, Gate, SystemClock
from .pace import Pace
from .waiting import WaitClock, waiting, watched_waits

__all__ = [
    "REDIRECTED",
    "AttemptError",
    "Retries",
    "Retry",
    "Retrying",
    "Statistics",
    "attempt_error_of_status",
    "read_retry_after",
    "shown",
    "watch_retries",
]

WORTH_RETRYING = {"rate limited", "server error", "connection", "timeout"}
TOO_MUCH = {429, 529}
"""Statuses by which a provider says that it gets too many requests."""
HOPELESS = {401, 403, 404}
"""Statuses that, before the first good reply, every other request would get too; a redirect is another such reply."""
REDIRECTED = "redirected"
"""The kind of an error where a server says that what is wanted is somewhere else."""
OVERLOADED = {502, 503, 504, 520, 521, 522, 523, 524, 529}
"""Statuses by which something in front of a model says that it cannot get through to it at the moment."""
SAME_ERROR_TRIES = 4
"""Attempts at a request without chance in it that gets the same error from the server each time."""
UNREACHABLE_TRIES = 3
UNREACHABLE_SECONDS = 8.0
"""Attempts at a server that has never replied and cannot be reached, and after how many seconds there is no other."""
VARYING = re.compile(r"[0-9a-f-]{8,}|\d+", re.I)
"""What differs between two replies with the same error: times, and ids of requests."""
HINTS = {
    401: "check the key",
    403: "check what the key may be used for",
    404: "check the name of the model and the base URL",
    429: "try fewer at once with --concurrency",
}
UNREACHABLE_HINT = "check that the server is running, and its address: --base-url or the variable of the provider"
REDIRECTED_HINT = f"{REDIRECT_HINT}, --base-url or the variable of the provider"


class Retries(Struct, frozen=True):
    """How often and how long a request is tried. Everything has an end."""

    tries: int = 6
    """Attempts in all."""
    first_wait: float = 1.0
    """Seconds before the second attempt; they double from one to the next, with jitter."""
    longest_wait: float = 60.0
    """The most seconds between two attempts, also where the provider asks for more."""
    attempt_seconds: float = 120.0
    """The most seconds that one attempt may take."""
    total_seconds: float = 600.0
    """The most seconds that a request may take with all its attempts and waits."""
    seed: int | None = None
    """For jitter that can be repeated."""

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise UsageError(f"a request is tried at least once, not {self.tries} times")
        for name in ("first_wait", "longest_wait", "attempt_seconds", "total_seconds"):
            seconds = getattr(self, name)
            if not (math.isfinite(seconds) and seconds > 0):
                raise UsageError(f"{name} is a finite number of seconds above 0, not {seconds}")


class Retry(Struct, frozen=True):
    """An attempt that failed and is made again."""

    model: str
    attempt: int
    """The number of the attempt that failed, from 1."""
    kind: str
    status: int | None
    wait_seconds: float


@dataclass(slots=True)
class Statistics:
    """What a model needed besides good replies."""

    requests: int = 0
    """Requests that were asked, each counted once however often it was tried."""
    retries: int = 0
    waited_seconds: float = 0.0
    """Seconds that were planned to be waited between attempts."""
    rate_limited: int = 0


_watching: ContextVar[Callable[[Retry], None] | None] = ContextVar("watching", default=None)


class watch_retries:  # noqa: N801 - reads like a function, and is cheaper than one with a generator
    """Be notified of every retry that this task, and the tasks that it starts, make inside the block.

    Where a clock is given, it adds up the time that they wait.
    """

    __slots__ = ("_tell", "_token", "_waits", "_waits_token")

    def __init__(self, tell: Callable[[Retry], None], waits: WaitClock | None = None) -> None:
        self._tell = tell
        self._waits = waits

    def __enter__(self) -> None:
        self._token = _watching.set(self._tell)
        self._waits_token = watched_waits.set(self._waits)

    def __exit__(self, *_: object) -> None:
        watched_waits.reset(self._waits_token)
        _watching.reset(self._token)


class Retrying:
    """A model that is asked again where that is worth it."""

    def __init__(
        self,
        model: Model,
        retries: Retries | None = None,
        *,
        gate: Gate | None = None,
        pace: Pace | None = None,
        clock: Clock | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self._model = model
        self._retries = retries or Retries()
        self._clock = clock or SystemClock()
        self._gate = gate or Gate(self._clock)
        self._pace = pace
        self._secrets = secrets or Secrets({})
        self._random = random.Random(self._retries.seed)  # noqa: S311 - spreads waits, keeps no secret
        self.statistics = Statistics()

    @property
    def name(self) -> str:
        """What the model is known by."""
        return self._model.name

    @property
    def base_url(self) -> str | None:
        """Where it is asked; None: where its provider is at home, or not known."""
        return getattr(self._model, "base_url", None)

    @property
    def concurrency(self) -> int | None:
        """How many requests the endpoint takes at a time at present; None: as many as there are."""
        return self._gate.limit

    async def close(self) -> None:
        """Let go of connections."""
        close = getattr(self._model, "close", None)
        if close is not None:
            await close()

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The reply, after as many attempts as it takes.

        Raises:
            ModelError: There is none.
        """
        self.statistics.requests += 1
        began = self._clock.now()
        deadline = began + self._retries.total_seconds
        failures: list[ModelError] = []
        while True:
            try:
                reply = await self._attempt(request, deadline)
            except ModelError as failure:
                failures.append(failure)
                wait = self._next_wait(request, failures, began)
                if wait is None or self._clock.now() + wait >= deadline:
                    raise self._final(failure, len(failures), began) from failure
                await self._wait(failure, wait, len(failures))
            else:
                self._gate.praise()
                return reply

    async def _attempt(self, request: ModelRequest, deadline: float) -> ModelReply:
        remaining = deadline - self._clock.now()
        try:
            async with asyncio.timeout(remaining) as whole, self._gate.entered() as began:
                seconds = min(self._retries.attempt_seconds, max(0.0, deadline - self._clock.now()))
                try:
                    if self._pace is None:
                        return await self._asked(request, seconds)
                    async with self._pace.turn(request, self._clock) as replies:
                        replies.append(await self._asked(request, seconds))
                    return replies[0]
                except TimeoutError as error:
                    if whole.expired():
                        raise
                    raise AttemptError(f"no reply within {seconds:g} s", kind="timeout") from error
                except ModelError as failure:
                    if failure.status in TOO_MUCH:
                        self._gate.reduce(began)
                    raise
        except TimeoutError as error:
            message = f"no reply within {self._retries.total_seconds:g} s, waits included"
            raise AttemptError(message, kind="timeout") from error

    async def _asked(self, request: ModelRequest, seconds: float) -> ModelReply:
        async with asyncio.timeout(seconds):
            return await self._model.ask(request)

    def _next_wait(self, request: ModelRequest, failures: list[ModelError], began: float) -> float | None:
        """Seconds until the next attempt; None: there is none."""
        failure, tries = failures[-1], len(failures)
        self.statistics.rate_limited += failure.kind == "rate limited"
        if failure.fatal or tries >= self._retries.tries:
            return None
        if failure.kind == "invalid response":
            if sum(one.kind == "invalid response" for one in failures) > 1:
                return None
        elif failure.kind not in WORTH_RETRYING:
            return None
        if getattr(failure, "unreachable", False) and not self._gate.answered:
            if tries >= UNREACHABLE_TRIES or self._clock.now() - began >= UNREACHABLE_SECONDS:
                return None
        elif tries >= SAME_ERROR_TRIES and request.temperature == 0 and _are_the_same(failures[-SAME_ERROR_TRIES:]):
            return None
        longest = self._retries.longest_wait
        usual = min(longest, self._retries.first_wait * 2.0 ** min(tries - 1, 60))
        asked = getattr(failure, "retry_after", None)
        if asked is not None:
            # Never earlier than asked for, but not all at the same moment either.
            return float(min(longest, asked + self._random.uniform(0, self._retries.first_wait / 4)))
        return usual * self._random.uniform(0.5, 1.0)

    async def _wait(self, failure: ModelError, wait: float, attempt: int) -> None:
        self.statistics.retries += 1
        self.statistics.waited_seconds += wait
        tell = _watching.get()
        if tell is not None:
            tell(Retry(self.name, attempt, failure.kind, failure.status, wait))
        if failure.status in TOO_MUCH or getattr(failure, "retry_after", None) is not None:
            self._gate.pause(wait)
        with waiting():
            await self._clock.sleep(wait)

    def _final(self, failure: ModelError, tries: int, began: float) -> ModelError:
        """What a person gets to read when no further attempt is made."""
        status = failure.status
        hopeless = status in HOPELESS or failure.kind == REDIRECTED
        fatal = failure.fatal or status == 401 or (hopeless and not self._gate.answered)
        unreachable = getattr(failure, "unreachable", False)
        # Nobody has got through since this request was begun, and so nobody will.
        fatal = fatal or (unreachable and self._gate.answered_at < began)
        what = "provider returned invalid response" if failure.kind == "invalid response" else failure.kind
        hint = REDIRECTED_HINT if failure.kind == REDIRECTED else UNREACHABLE_HINT if unreachable else ""
        hint = HINTS.get(status, hint) if status is not None else hint
        tried = f"{failure}, after {tries} tries" if tries > 1 else f"{failure}, after 1 try"
        message = self._secrets.redact(f"{self.name}: {what}: {tried}" + (f"; {hint}" if hint else ""))
        return ModelError(message, kind=failure.kind, status=status, fatal=fatal)


def _are_the_same(failures: Sequence[ModelError]) -> bool:
    """Whether a server fails for a reason of its own, over and over the same, and not because it has too much to do."""
    if any(one.kind != "server error" or one.status in OVERLOADED or one.status is None for one in failures):
        return False
    return len({VARYING.sub("", str(one)) for one in failures}) == 1


MAX_SHOWN = 200
"""How many characters of what a provider sent are shown to a person."""

KINDS = {401: "unauthorised", 403: "unauthorised", 408: "timeout", 429: "rate limited"}
PASSING = {409, 425}
"""Statuses below 500 that are worth another try: a conflict, and a request that came too early."""


REFUSING = {501, 505}
"""Statuses from 500 on that no other try changes: the server cannot do this at all."""


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
        unreachable: bool = False,
    ) -> None:
        super().__init__(message, kind=kind, status=status, fatal=fatal)
        self.unreachable = unreachable
        """Whether there was no connection at all."""
        self.retry_after = retry_after
        """The seconds that the provider asks to wait, where it says so."""


def attempt_error_of_status(status: int, detail: str, headers: Mapping[str, str], now: datetime) -> AttemptError:
    """What a reply with an error status means. The names of the headers are in lower case."""
    passing = status in PASSING or (status >= 500 and status not in REFUSING)
    kind = KINDS.get(status) or ("server error" if passing else "refused")
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
    begins = text[:MAX_SHOWN]
    if not begins.isprintable():
        begins = "".join(sign if sign.isprintable() else _escape(sign) for sign in begins)
    return begins + ("…" if len(text) > MAX_SHOWN else "")


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
