"""No provider is asked more often than it may be: requests and tokens a minute, and requests at a time."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.core import Message, ModelReply, ModelRequest, RequestLimits, Usage
from toolgauge.models import LocalPacing, Retries, Retrying
from toolgauge.models.pace import Pace

REQUEST = ModelRequest((Message("user", "x" * 400),))


class Time:
    """A clock that jumps to whatever is waited for."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Event]] = []
        self._numbers = count()

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        event = asyncio.Event()
        self._sleepers.append((self.seconds + seconds, next(self._numbers), event))
        await event.wait()

    async def run(self) -> None:
        """Wake whoever sleeps, one after the other."""
        while True:
            for _ in range(20):
                await asyncio.sleep(0)
            if self._sleepers:
                first = min(self._sleepers)
                self._sleepers.remove(first)
                self.seconds = max(self.seconds, first[0])
                first[2].set()


class Provider:
    """Notes when it is asked, and how many ask at once."""

    name = "p:m"

    def __init__(self, clock: Time, tokens: int) -> None:
        self._clock = clock
        self._tokens = tokens
        self.asked: list[float] = []
        self.active = self.most = 0

    async def ask(self, request: ModelRequest) -> ModelReply:
        del request
        self.asked.append(self._clock.seconds)
        self.active += 1
        self.most = max(self.most, self.active)
        await self._clock.sleep(3.0)
        self.active -= 1
        return ModelReply("y", usage=Usage(1, self._tokens, 0))


def ask(limits: RequestLimits, times: int, tokens: int = 100) -> Provider:
    """Ask all at once, as often as that."""
    clock = Time()
    provider = Provider(clock, tokens)
    pace = Pace(LocalPacing(clock.now), limits, "p")
    model = Retrying(provider, Retries(total_seconds=1e6), pace=pace, clock=clock)

    async def everything() -> None:
        ticking = asyncio.create_task(clock.run())
        await asyncio.gather(*(model.ask(REQUEST) for _ in range(times)))
        ticking.cancel()

    asyncio.run(everything())
    assert len(provider.asked) == times
    return provider


def most_within(asked: list[float], seconds: float) -> int:
    """The most that were asked within so many seconds, whenever these begin."""
    return max(sum(begin <= one < begin + seconds - 1e-6 for one in asked) for begin in asked)


@given(st.integers(1, 40), st.integers(1, 30))
def test_no_minute_has_more_requests_than_it_may(a_minute: int, times: int) -> None:
    assert most_within(ask(RequestLimits(requests=a_minute), times).asked, 60.0) <= a_minute


@given(st.integers(1, 5), st.integers(1, 20))
def test_no_more_are_asked_at_a_time_than_may_be(at_once: int, times: int) -> None:
    provider = ask(RequestLimits(concurrent=at_once), times)
    assert provider.most == min(at_once, times)


@pytest.mark.parametrize("tokens", [10, 100, 1000])
def test_tokens_are_counted_as_they_turn_out(tokens: int) -> None:
    provider = ask(RequestLimits(tokens=6000, concurrent=1), 30, tokens)
    # A request begins no earlier than all before it have had their time.
    for number, when in enumerate(provider.asked):
        assert when >= (number * tokens * 60 / 6000) - 1e-6
    spent = 30 * tokens * 60 / 6000
    assert provider.asked[-1] <= max(spent, 30 * 4.0) + 1.0


def test_limits_that_are_none_are_refused() -> None:
    from toolgauge.errors import UsageError
    from toolgauge.runner import RunOptions

    for limits in ({"requests_per_minute": 0.0}, {"tokens_per_minute": -1.0}, {"concurrent_requests": 0}):
        with pytest.raises(UsageError, match="numbers above 0"):
            _ = RunOptions(**limits).request_limits
