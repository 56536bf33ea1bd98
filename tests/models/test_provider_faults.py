"""Every way in which a provider fails, injected by a server, and what comes of it."""

from __future__ import annotations

import asyncio
import tracemalloc
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tests.models.clocks import FakeClock, quick_model
from tests.servers import (
    Answer,
    AnthropicServer,
    Asked,
    BreaksOff,
    Dribbles,
    OpenAIServer,
    Reply,
    Resets,
    Server,
    Silent,
    unused_port,
)
from toolgauge.core import Message, ModelReply, ModelRequest
from toolgauge.errors import ModelError
from toolgauge.models import Retries, Retry, Retrying, watch_retries

pytestmark = pytest.mark.deep

REQUEST = ModelRequest((Message("user", "Hi"),))
FINE = ModelReply("fine")
KEY = "sk-0123456789abcdef"

Kind = type[OpenAIServer] | type[AnthropicServer]
both = pytest.mark.parametrize("kind", [OpenAIServer, AnthropicServer])


class Outcome:
    """What came of asking once."""

    def __init__(self, reply: ModelReply | None, error: ModelError | None, model: Retrying, clock: FakeClock) -> None:
        self.reply = reply
        self.error = error
        self.statistics = model.statistics
        self.slept = clock.slept
        self.retried: list[Retry] = []

    @property
    def failure(self) -> ModelError:
        assert self.error is not None, f"there was a reply: {self.reply}"
        return self.error


def ask_at(kind: Kind, base_url: str, retries: Retries | None = None) -> Outcome:
    name = "openai:some-model" if kind is OpenAIServer else "anthropic:claude-haiku-4-5"

    async def ask() -> Outcome:
        model, clock = quick_model(name, base_url, retries=retries or Retries(seed=1), api_key=KEY)
        retried: list[Retry] = []
        reply = error = None
        with watch_retries(retried.append):
            try:
                reply = await model.ask(REQUEST)
            except ModelError as raised:
                error = raised
            finally:
                await model.close()
        outcome = Outcome(reply, error, model, clock)
        outcome.retried = retried
        return outcome

    return asyncio.run(ask())


def ask(server: Server, retries: Retries | None = None) -> Outcome:
    kind: Kind = OpenAIServer if isinstance(server, OpenAIServer) else AnthropicServer
    return ask_at(kind, server.base_url, retries)


@both
def test_a_wait_that_is_asked_for_in_seconds_is_kept(kind: Kind) -> None:
    with kind([Reply(429, headers={"Retry-After": "7"}), FINE]) as server:
        outcome = ask(server)
    assert outcome.reply is not None
    assert outcome.reply.text == "fine"
    assert 7 <= sum(outcome.slept) < 8
    assert len(server.requests) == 2
    assert outcome.statistics.retries == 1
    assert outcome.statistics.rate_limited == 1
    assert [(retry.kind, retry.status, retry.attempt) for retry in outcome.retried] == [("rate limited", 429, 1)]


@both
def test_a_wait_that_is_asked_for_as_a_date_is_kept(kind: Kind) -> None:
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    with kind([Reply(429, headers={"Retry-After": until}), FINE]) as server:
        outcome = ask(server)
    # The date has whole seconds, and the machine may be slow; it was certainly not the second that is usual.
    assert 5 < sum(outcome.slept) <= 31
    assert len(server.requests) == 2


@both
def test_a_wait_that_has_no_end_is_cut(kind: Kind) -> None:
    with kind([Reply(429, headers={"Retry-After": "999999"}), FINE]) as server:
        outcome = ask(server)
    assert outcome.reply == ModelReply("fine", usage=outcome.reply.usage if outcome.reply else None)
    assert sum(outcome.slept) == Retries().longest_wait


@both
def test_rate_limits_for_ever_end_in_an_error(kind: Kind) -> None:
    with kind(lambda asked: Reply(429)) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "rate limited"
    assert outcome.failure.status == 429
    assert not outcome.failure.fatal
    assert "rate limited: HTTP 429" in str(outcome.failure)
    assert "after 6 tries" in str(outcome.failure)
    assert "--concurrency" in str(outcome.failure)
    assert len(server.requests) == 6
    usual = [1, 2, 4, 8, 16]
    assert len(outcome.slept) == 5
    assert all(wait / 2 <= slept <= wait for slept, wait in zip(outcome.slept, usual, strict=True))


@both
@pytest.mark.parametrize("status", [500, 502, 503])
def test_server_errors_are_tried_again(kind: Kind, status: int) -> None:
    with kind([Reply(status), Reply(status), Reply(status), FINE]) as server:
        outcome = ask(server)
    assert outcome.reply is not None
    assert len(server.requests) == 4
    assert outcome.statistics.retries == 3


@both
def test_a_server_error_for_ever_ends_with_its_status_and_the_number_of_tries(kind: Kind) -> None:
    with kind(lambda asked: Reply(500)) as server:
        outcome = ask(server, Retries(tries=4, seed=1))
    assert outcome.failure.kind == "server error"
    assert "HTTP 500" in str(outcome.failure)
    assert "after 4 tries" in str(outcome.failure)
    assert len(server.requests) == 4


@both
@pytest.mark.parametrize(
    ("status", "what", "fatal", "hint"),
    [
        (400, "refused", False, ""),
        (401, "unauthorised", True, "check the key"),
        (403, "unauthorised", True, "check what the key may be used for"),
        (404, "refused", True, "check the name of the model and the base URL"),
    ],
)
def test_what_is_refused_is_not_tried_again(kind: Kind, status: int, what: str, fatal: bool, hint: str) -> None:
    with kind(lambda asked: Reply(status, server.error(status, "the reason"))) as server:
        outcome = ask(server)
    assert outcome.failure.kind == what
    assert outcome.failure.status == status
    assert outcome.failure.fatal is fatal
    assert f"HTTP {status} (the reason), after 1 try" in str(outcome.failure)
    assert hint in str(outcome.failure)
    assert len(server.requests) == 1
    assert outcome.slept == []


@both
def test_a_wrong_key_stops_everything_and_is_not_shown(kind: Kind) -> None:
    def script(asked: Asked) -> Answer:
        return Reply(401, {"error": {"type": "authentication_error", "message": f"Incorrect API key: {KEY}"}})

    with kind(script) as server:
        outcome = ask(server)
    assert outcome.failure.fatal
    assert KEY not in str(outcome.failure)
    assert "Incorrect API key: [redacted API_KEY]" in str(outcome.failure)
    assert len(server.requests) == 1


def test_a_model_that_has_answered_before_is_not_given_up_for_one_refusal() -> None:
    async def go(base_url: str) -> list[bool]:
        model, _ = quick_model("openai:m", base_url)
        fatal = []
        await model.ask(REQUEST)
        for _ in range(3):
            try:
                await model.ask(REQUEST)
            except ModelError as error:
                fatal.append(error.fatal)
        await model.close()
        return fatal

    with OpenAIServer([FINE, Reply(403), Reply(404), Reply(401)]) as server:
        assert asyncio.run(go(server.base_url)) == [False, False, True]


def test_an_account_without_credit_is_not_tried_again() -> None:
    body = {
        "error": {"message": "You exceeded your quota.", "type": "insufficient_quota", "code": "insufficient_quota"}
    }
    with OpenAIServer(lambda asked: Reply(429, body)) as server:
        outcome = ask(server)
    assert outcome.failure.fatal
    assert "no credit left (You exceeded your quota.)" in str(outcome.failure)
    assert len(server.requests) == 1


@both
def test_a_refused_connection_is_tried_again_for_a_moment_and_then_stops_everything(kind: Kind) -> None:
    port = unused_port()
    outcome = ask_at(kind, f"http://127.0.0.1:{port}/v1")
    assert (outcome.failure.kind, outcome.failure.fatal) == ("connection", True)
    assert f"connection: cannot reach http://127.0.0.1:{port}: connection refused, after 3 tries" in str(
        outcome.failure
    )
    assert "--base-url" in str(outcome.failure)
    assert sum(outcome.slept) < 5


@both
def test_a_name_that_is_no_host_is_a_connection_fault(kind: Kind) -> None:
    outcome = ask_at(kind, "http://no-such-host.invalid/v1", Retries(tries=2, seed=1))
    assert (outcome.failure.kind, outcome.failure.fatal) == ("connection", True)
    assert "cannot reach http://no-such-host.invalid: there is no such host" in str(outcome.failure)
    assert "after 2 tries" in str(outcome.failure)


@both
def test_a_server_without_tls_is_a_connection_fault(kind: Kind) -> None:
    with kind([]) as server:
        outcome = ask_at(kind, server.base_url.replace("http://", "https://user:secret@"))
    assert (outcome.failure.kind, outcome.failure.fatal) == ("connection", True)
    assert f"cannot reach https://127.0.0.1:{server.port}: TLS: " in str(outcome.failure)
    assert "secret" not in str(outcome.failure)


def test_a_server_that_was_there_is_waited_for_and_then_given_up() -> None:
    """It may be starting again; but where nobody gets through any more, no other request will."""

    async def asked() -> tuple[ModelError, FakeClock]:
        with OpenAIServer([FINE]) as server:
            model, clock = quick_model("openai:some-model", server.base_url, api_key=KEY)
            await model.ask(REQUEST)
        clock.time += 1
        with pytest.raises(ModelError) as caught:
            await model.ask(REQUEST)
        await model.close()
        return caught.value, clock

    failure, clock = asyncio.run(asked())
    assert "connection refused, after 6 tries" in str(failure)
    assert failure.fatal
    assert len(clock.slept) == 5


@both
@pytest.mark.parametrize("fault", [Resets(0), Resets(20), BreaksOff(20)])
def test_a_connection_that_breaks_is_tried_again(kind: Kind, fault: Answer) -> None:
    with kind([fault, fault, FINE]) as server:
        outcome = ask(server)
    assert outcome.reply is not None, outcome.error
    assert [retry.kind for retry in outcome.retried] == ["connection", "connection"]
    assert len(server.requests) == 3


@both
def test_a_connection_that_always_breaks_is_told(kind: Kind) -> None:
    with kind(lambda asked: Resets(20)) as server:
        outcome = ask(server, Retries(tries=3, seed=1))
    assert outcome.failure.kind == "connection"
    assert "after 3 tries" in str(outcome.failure)
    assert len(server.requests) == 3


@both
@pytest.mark.parametrize("fault", [Silent(), Dribbles()])
def test_a_reply_that_never_ends_is_a_timeout(kind: Kind, fault: Answer) -> None:
    with kind(lambda asked: fault) as server:
        outcome = ask(server, Retries(tries=2, attempt_seconds=0.3, seed=1))
    assert outcome.failure.kind == "timeout"
    assert "timeout: no reply" in str(outcome.failure)
    assert "after 2 tries" in str(outcome.failure)
    assert len(server.requests) == 2


def test_all_attempts_together_have_a_deadline() -> None:
    with OpenAIServer(lambda asked: Silent()) as server:
        outcome = ask(server, Retries(tries=1000, attempt_seconds=60, total_seconds=0.4, seed=1))
    assert outcome.failure.kind == "timeout"
    assert "after 1 try" in str(outcome.failure)
    assert len(server.requests) == 1


def test_waits_that_would_pass_the_deadline_are_not_begun() -> None:
    with OpenAIServer(lambda asked: Reply(503, headers={"Retry-After": "50"})) as server:
        outcome = ask(server, Retries(tries=1000, total_seconds=120, seed=1))
    assert "after 3 tries" in str(outcome.failure)
    assert sum(outcome.slept) < 120


INVALID = {
    "truncated": (Reply(200, '{"id": "x", "choices": [{"mess'), '{"id": "x", "choices": [{"mess'),
    "html": (Reply(200, "<html>\n\x1b[31mBad gateway</html>"), "<html>\\n\\x1b[31mBad gateway</html>"),
    "html labelled": (Reply(200, "<html>Hi</html>", {"Content-Type": "text/html"}), "<html>Hi</html>"),
    "deep": (Reply(200, '{"a":' * 100_000), '{"a":' * 40 + "…"),
    "empty": (Reply(200, b""), "an empty body"),
    "null": (Reply(200, "null"), "null"),
    "list": (Reply(200, "[1]"), "[1]"),
    "object": (Reply(200, {}), "{}"),
    "error in it": (Reply(200, {"error": {"message": "upstream"}}), '{"error": {"message": "upstream"}}'),
}


@both
@pytest.mark.parametrize("what", INVALID)
def test_an_invalid_response_is_tried_once_more_and_shown(kind: Kind, what: str) -> None:
    answer, shown = INVALID[what]
    with kind(lambda asked: answer) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "invalid response"
    assert f"provider returned invalid response: {shown}, after 2 tries" in str(outcome.failure)
    assert len(server.requests) == 2


def test_a_response_without_choices_is_invalid() -> None:
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}
    with OpenAIServer(lambda asked: Reply(200, body)) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "invalid response"
    assert '"choices": []' in str(outcome.failure)
    assert len(server.requests) == 2


def test_only_the_beginning_of_an_invalid_response_is_shown() -> None:
    with OpenAIServer(lambda asked: Reply(200, "y" * 100_000)) as server:
        outcome = ask(server)
    assert "y" * 200 + "…" in str(outcome.failure)
    assert "y" * 201 not in str(outcome.failure)


def test_a_response_without_end_is_cut_and_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.models.client.MAX_BYTES", 100_000)
    with OpenAIServer(lambda asked: Reply(200, '{"id": "' + "x" * 1_000_000 + '"}')) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "invalid response"
    assert len(server.requests) == 2


def test_a_response_of_too_many_values_is_cut_before_anybody_decodes_it() -> None:
    many = '{"id": "r", "object": "chat.completion", "choices": [' + "[]," * 3_000_000 + "[]]}"
    tracemalloc.start()
    try:
        with OpenAIServer(lambda asked: Reply(200, many)) as server:
            outcome = ask(server)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert outcome.failure.kind == "invalid response"
    assert most < 10 * len(many)


@both
def test_one_invalid_response_is_forgiven(kind: Kind) -> None:
    with kind([Reply(200, "<html>"), FINE]) as server:
        outcome = ask(server)
    assert outcome.reply is not None
    assert len(server.requests) == 2


def test_tasks_that_ask_together_pause_together_and_do_not_storm() -> None:
    refused = 0

    def script(asked: Asked) -> Answer:
        nonlocal refused
        if asked.number < 8:
            refused += 1
            return Reply(429, headers={"Retry-After": "20"})
        return FINE

    async def go(base_url: str) -> tuple[Retrying, list[ModelReply]]:
        model, _ = quick_model("openai:m", base_url)
        replies = await asyncio.gather(*(model.ask(REQUEST) for _ in range(8)))
        await model.close()
        return model, replies

    with OpenAIServer(script) as server:
        model, replies = asyncio.run(go(server.base_url))
    assert [reply.text for reply in replies] == ["fine"] * 8
    assert refused == 8
    assert len(server.requests) == 16
    assert model.statistics.retries == 8
