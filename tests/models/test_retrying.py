"""Retries, the shared pause and the number of requests at once, without a network."""

from __future__ import annotations

import asyncio
import gc
from datetime import UTC, datetime

import msgspec
import pytest

from tests.models.clocks import FakeClock
from toolgauge.core import Message, ModelReply, ModelRequest
from toolgauge.errors import ModelError, UsageError
from toolgauge.models import AttemptError, Gate, Retries, Retry, Retrying, WaitClock, watch_retries
from toolgauge.models.gate import gate_of
from toolgauge.models.retrying import attempt_error_of_status, read_retry_after, shown
from toolgauge.testing import ScriptedModel

REQUEST = ModelRequest((Message("user", "Hi"),))
NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


def too_many(retry_after: float | None = None) -> AttemptError:
    return AttemptError("HTTP 429", kind="rate limited", status=429, retry_after=retry_after)


class Counting:
    """A model that takes a while, and knows how many asked it at once."""

    name = "counting"

    def __init__(self, refuse: int) -> None:
        self.refuse = refuse
        self.asked = 0
        self.now = 0
        self.most_since_refusal = 0

    async def ask(self, request: ModelRequest) -> ModelReply:
        self.asked += 1
        self.now += 1
        try:
            if self.asked <= self.refuse:
                await asyncio.sleep(0)
                raise too_many(5)
            self.most_since_refusal = max(self.most_since_refusal, self.now)
            for _ in range(3):
                await asyncio.sleep(0)
            return ModelReply("fine")
        finally:
            self.now -= 1


def test_after_refusals_fewer_requests_are_made_at_once() -> None:
    async def go() -> tuple[Counting, Retrying]:
        clock = FakeClock()
        inner = Counting(refuse=16)
        model = Retrying(inner, Retries(seed=3), gate=Gate(clock), clock=clock)
        await asyncio.gather(*(model.ask(REQUEST) for _ in range(16)))
        return inner, model

    inner, model = asyncio.run(go())
    assert inner.asked == 32
    # One round of refusals is one reason to halve, and every reply raises the limit a little.
    assert 8 <= inner.most_since_refusal < 16
    assert model.concurrency is not None
    assert 8 <= model.concurrency < 16


def test_the_limit_falls_by_halves_and_rises_by_ones_until_it_is_gone() -> None:
    async def go() -> list[int | None]:
        clock = FakeClock()
        gate = Gate(clock)
        seen: list[int | None] = []
        async with gate.entered() as first, gate.entered(), gate.entered(), gate.entered():
            gate.reduce(first)
            seen.append(gate.limit)
            gate.reduce(first)  # it began before the limit was set, so it says nothing new
            seen.append(gate.limit)
            gate.reduce(clock.now() + 1)
            seen.append(gate.limit)
            gate.reduce(clock.now() + 2)
            seen.append(gate.limit)
        for _ in range(20):
            gate.praise()
            seen.append(gate.limit)
        return seen

    limits = asyncio.run(go())
    assert limits[:4] == [2, 2, 1, 1]
    rising = [limit for limit in limits[4:] if limit is not None]
    assert rising == sorted(rising)
    assert set(rising) == {2, 3}
    assert limits[-1] is None


def test_everybody_waits_while_the_endpoint_is_left_alone() -> None:
    async def go() -> tuple[list[float], float]:
        clock = FakeClock()
        gate = Gate(clock)
        gate.pause(30)
        gate.pause(10)  # a shorter pause does not end a longer one
        began = []
        for _ in range(3):
            async with gate.entered() as moment:
                began.append(moment)
        return began, clock.slept[0]

    began, slept = asyncio.run(go())
    assert slept == 30
    assert began == [1030.0] * 3


def test_a_cancelled_task_leaves_its_turn_to_the_next() -> None:
    async def go() -> list[str]:
        gate = Gate()
        done: list[str] = []

        async def work(name: str) -> None:
            async with gate.entered():
                done.append(name)

        async with gate.entered():
            gate.reduce(float("inf"))
            first, second = (asyncio.create_task(work(name)) for name in ("first", "second"))
            await asyncio.sleep(0)
        first.cancel()  # just as its turn has come
        await asyncio.gather(first, return_exceptions=True)
        async with asyncio.timeout(5):
            await second
        async with asyncio.timeout(5):
            await work("third")
        return done

    assert asyncio.run(go()) == ["second", "third"]


def test_a_task_cancelled_in_a_pause_leaves_its_turn_to_the_next() -> None:
    async def go() -> list[str]:
        gate = Gate()
        done: list[str] = []

        async def work(name: str) -> None:
            async with gate.entered():
                done.append(name)

        async with gate.entered():
            gate.reduce(float("inf"))
            first, second = (asyncio.create_task(work(name)) for name in ("first", "second"))
            await asyncio.sleep(0)
            gate.pause(0.05)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        first.cancel()  # its turn has come, and it waits for the pause to end
        async with asyncio.timeout(5):
            await asyncio.gather(first, second, return_exceptions=True)
        return done

    assert asyncio.run(go()) == ["second"]


def test_cancelling_a_request_is_not_mistaken_for_a_timeout() -> None:
    class Hanging:
        name = "hanging"

        async def ask(self, request: ModelRequest) -> ModelReply:
            await asyncio.Event().wait()
            raise AssertionError("never gets here")

    async def go() -> int | None:
        gate = Gate()
        task = asyncio.create_task(Retrying(Hanging(), gate=gate).ask(REQUEST))
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return gate._active

    assert asyncio.run(go()) == 0


def test_retries_are_told_to_the_task_that_made_them() -> None:
    async def go() -> dict[str, list[Retry]]:
        clock = FakeClock()
        told: dict[str, list[Retry]] = {"a": [], "b": []}

        async def trial(name: str, failures: int) -> None:
            script = ScriptedModel([*[AttemptError("HTTP 500", kind="server error", status=500)] * failures, "ok"])
            with watch_retries(told[name].append):
                await Retrying(script, gate=Gate(clock), clock=clock).ask(REQUEST)

        await asyncio.gather(trial("a", 2), trial("b", 0))
        return told

    told = asyncio.run(go())
    assert [(retry.attempt, retry.kind, retry.status) for retry in told["a"]] == [
        (1, "server error", 500),
        (2, "server error", 500),
    ]
    assert told["b"] == []


def test_jitter_can_be_repeated_by_its_seed() -> None:
    def waits(seed: int) -> list[float]:
        clock = FakeClock()
        script = ScriptedModel([*[too_many()] * 4, "ok"])
        asyncio.run(Retrying(script, Retries(seed=seed), gate=Gate(clock), clock=clock).ask(REQUEST))
        return clock.slept

    assert waits(1) == waits(1)
    assert waits(1) != waits(2)


@pytest.mark.parametrize("kind", ["refused", "unauthorised", "not recorded", "something else"])
def test_what_another_try_cannot_change_is_not_tried_again(kind: str) -> None:
    script = ScriptedModel(lambda request: AttemptError("no", kind=kind))
    with pytest.raises(ModelError, match="after 1 try"):
        asyncio.run(Retrying(script).ask(REQUEST))
    assert len(script.requests) == 1


@pytest.mark.parametrize("name", ["first_wait", "longest_wait", "attempt_seconds", "total_seconds"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_every_wait_has_an_end(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=name):
        msgspec.structs.replace(Retries(), **{name: value})


def test_a_request_is_tried_at_least_once() -> None:
    with pytest.raises(UsageError, match="at least once"):
        Retries(tries=0)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "5"}, 5.0),
        ({"retry-after": " 2.5 "}, 2.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Sat, 31 Jan 2026 12:00:40 GMT"}, 40.0),
        ({"retry-after": "Sat, 31 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sat, 31 Jan 2026 12:00:40 -0000"}, 40.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "9" * 400}, None),
    ],
)
def test_a_wait_is_read_however_it_is_written(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers, NOW) == seconds


def test_what_is_shown_is_one_line_that_prints() -> None:
    assert shown("Hà Nội\r\n\x00\x1b[2J\u202e\ud800") == "Hà Nội\\r\\n\\x00\\x1b[2J\\u202e\\ud800"
    assert shown("a" * 300) == "a" * 200 + "…"


def test_models_of_one_endpoint_share_a_gate_while_one_is_in_use() -> None:
    gate = gate_of("http://one.test")
    assert gate_of("http://one.test") is gate
    assert gate_of("http://two.test") is not gate
    gate.reduce(float("inf"))
    del gate
    gc.collect()
    assert gate_of("http://one.test").limit is None


def test_a_task_that_was_not_refused_waits_with_the_one_that_was() -> None:
    async def go() -> list[tuple[str, float]]:
        clock = FakeClock()
        asked: list[tuple[str, float]] = []

        def script(request: ModelRequest) -> ModelReply | AttemptError:
            asked.append((request.messages[0].text, clock.now()))
            return too_many(20) if len(asked) == 1 else ModelReply("fine")

        model = Retrying(ScriptedModel(script), Retries(seed=1), gate=Gate(clock), clock=clock)
        await asyncio.gather(*(model.ask(ModelRequest((Message("user", name),))) for name in ("first", "second")))
        return asked

    first, *later = asyncio.run(go())
    assert first == ("first", 1000.0)
    assert sorted(name for name, _ in later) == ["first", "second"]
    assert all(moment >= 1020 for _, moment in later)


def failing_with(*failures: AttemptError) -> tuple[ModelError, ScriptedModel, FakeClock]:
    """What is told when an endpoint that has answered once fails in these ways and then in the last for ever."""
    clock = FakeClock()
    script = ScriptedModel(lambda request: "ok" if number() == 1 else failures[min(number() - 2, len(failures) - 1)])

    def number() -> int:
        return len(script.requests)

    model = Retrying(script, Retries(seed=1), gate=Gate(clock), clock=clock)

    async def go() -> None:
        await model.ask(REQUEST)
        await model.ask(REQUEST)

    with pytest.raises(ModelError) as raised:
        asyncio.run(go())
    return raised.value, script, clock


def test_an_invalid_response_is_tried_once_more() -> None:
    error, script, _ = failing_with(AttemptError("<html>", kind="invalid response"))
    assert str(error) == "scripted: provider returned invalid response: <html>, after 2 tries"
    assert len(script.requests) == 3


def test_a_wait_is_never_longer_than_the_longest() -> None:
    _, _, clock = failing_with(too_many(1e9))
    assert clock.slept == [60.0] * 5


def test_a_key_that_is_no_longer_good_stops_everything_and_a_single_refusal_does_not() -> None:
    def fatal(status: int) -> bool:
        error, _, _ = failing_with(AttemptError("no", kind="unauthorised", status=status))
        return error.fatal

    assert (fatal(401), fatal(403), fatal(404)) == (True, False, False)


def tries_at(temperature: float | None, *failures: AttemptError) -> int:
    """How often a request is tried that fails in these ways in turn, for ever."""
    tried: list[ModelRequest] = []

    class Fails:
        name = "fails"

        async def ask(self, request: ModelRequest) -> ModelReply:
            tried.append(request)
            raise failures[(len(tried) - 1) % len(failures)]

    async def ask() -> None:
        clock = FakeClock()
        model = Retrying(Fails(), Retries(seed=1), gate=Gate(clock), clock=clock)
        with pytest.raises(ModelError):
            await model.ask(msgspec.structs.replace(REQUEST, temperature=temperature))

    asyncio.run(ask())
    return len(tried)


def server_error(words: str, status: int = 500) -> AttemptError:
    return AttemptError(f"HTTP {status} ({words})", kind="server error", status=status)


SAME = server_error("cannot parse the reply, request req-0a1b2c3d4e at 12:00:01")
SAME_AGAIN = server_error("cannot parse the reply, request req-99887766ff at 12:00:07")


@pytest.mark.parametrize(
    ("temperature", "failures", "tries"),
    [
        (0.0, (SAME,), 4),
        (0.0, (SAME, SAME_AGAIN), 4),
        (0.0, (SAME, server_error("out of memory")), 6),
        (0.0, (server_error("overloaded", 503),), 6),
        (0.0, (AttemptError("connection reset", kind="connection"),), 6),
        (0.0, (too_many(),), 6),
        (0.7, (SAME,), 6),
        (None, (SAME,), 6),
    ],
)
def test_what_has_no_chance_in_it_is_not_repeated_as_often(
    temperature: float | None, failures: tuple[AttemptError, ...], tries: int
) -> None:
    assert tries_at(temperature, *failures) == tries


def test_a_server_that_fails_in_the_same_way_three_times_is_asked_a_fourth_time() -> None:
    async def ask() -> ModelReply:
        clock = FakeClock()
        model = ScriptedModel([SAME, SAME, SAME, ModelReply("fine")])
        retrying = Retrying(model, Retries(seed=1), gate=Gate(clock), clock=clock)
        return await retrying.ask(msgspec.structs.replace(REQUEST, temperature=0.0))

    assert asyncio.run(ask()).text == "fine"


def test_waits_that_overlap_count_once() -> None:
    now = [0.0]
    waits = WaitClock(lambda: now[0])
    waits.begin()
    now[0] = 1.0
    waits.begin()
    now[0] = 2.0
    waits.end()
    now[0] = 3.0
    assert waits.seconds == 3.0
    waits.end()
    now[0] = 10.0
    assert waits.seconds == 3.0


def test_a_pause_at_the_gate_is_a_wait() -> None:
    async def asked() -> float:
        gate = Gate()
        gate.pause(0.05)
        waits = WaitClock()
        model = Retrying(ScriptedModel(["fine"]), gate=gate)
        with watch_retries(lambda _: None, waits):
            await model.ask(REQUEST)
        return waits.seconds

    assert asyncio.run(asked()) >= 0.045


@pytest.mark.parametrize(
    ("status", "kind"), [(500, "server error"), (501, "refused"), (503, "server error"), (505, "refused")]
)
def test_what_a_server_cannot_do_at_all_is_refused_and_not_tried_again(status: int, kind: str) -> None:
    assert attempt_error_of_status(status, "", {}, datetime.now(UTC)).kind == kind
