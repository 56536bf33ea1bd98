"""Providers that say that the model is somewhere else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.models.clocks import quick_model
from tests.models.test_provider_faults import FINE, KEY, REQUEST, Kind, ask, both
from tests.runner.weather import command, write_suite
from tests.servers import OpenAIServer, Reply
from toolgauge.catalogue.speaking import translated
from toolgauge.errors import ModelError
from toolgauge.models import Retries

pytestmark = pytest.mark.deep

STATUSES = [300, 301, 302, 303, 305, 307, 308]
every_status = pytest.mark.parametrize("status", STATUSES)


@both
@every_status
def test_another_server_is_named_and_gets_no_request(kind: Kind, status: int) -> None:
    with kind([FINE] * 9) as other:
        place = f"http://127.0.0.1:{other.port}"
        location = f"http://me:{KEY}@127.0.0.1:{other.port}{other.path}?key={KEY}"
        with kind(lambda asked: Reply(status, headers={"Location": location})) as server:
            outcome = ask(server)
    assert outcome.failure.kind == "redirected"
    assert outcome.failure.status == status
    assert f"redirected: HTTP {status} to {place}, after 1 try; redirects are not followed" in str(outcome.failure)
    assert "check the address, --base-url" in str(outcome.failure)
    assert KEY not in str(outcome.failure)
    assert other.requests == []
    assert len(server.requests) == 1
    assert outcome.slept == []


@both
@every_status
def test_a_redirect_to_itself_is_asked_once(kind: Kind, status: int) -> None:
    with kind(lambda asked: Reply(status, headers={"Location": asked.request.path})) as server:
        outcome = ask(server)
        itself = f"http://127.0.0.1:{server.port}{server.requests[0].path.partition('?')[0]}"
    assert f"redirected: HTTP {status} to {itself}, after 1 try" in str(outcome.failure)
    assert len(server.requests) == 1


@both
@pytest.mark.parametrize(
    "location",
    ["javascript:alert(1)", "file:///etc/passwd", "http://[::1", "http://:99999/", "//", "data:,x", "http:x"],
)
def test_a_redirect_to_what_is_no_address_is_a_redirect(kind: Kind, location: str) -> None:
    with kind(lambda asked: Reply(302, headers={"Location": location})) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "redirected"
    assert "redirected: HTTP 302 to " in str(outcome.failure)
    assert len(server.requests) == 1


@both
@every_status
@pytest.mark.parametrize("body", [b"", "<html>Moved</html>", {"error": {"message": "moved"}}])
def test_a_redirect_without_an_address_is_one_too(kind: Kind, status: int, body: object) -> None:
    with kind(lambda asked: Reply(status, body)) as server:
        outcome = ask(server)
    assert f"redirected: HTTP {status} without an address, after 1 try" in str(outcome.failure)
    assert len(server.requests) == 1


@both
def test_a_good_reply_with_the_status_of_a_redirect_is_none(kind: Kind) -> None:
    with kind([FINE]) as fine:
        ask(fine)
        body = fine.write(FINE, fine.asked[0])
    with kind(lambda asked: Reply(302, body, {"Location": "/v2"})) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "redirected"
    assert len(server.requests) == 1


@both
@pytest.mark.parametrize("status", [304])
def test_what_is_not_modified_is_refused_with_its_status(kind: Kind, status: int) -> None:
    with kind(lambda asked: Reply(status, b"", {"Location": "/v2"})) as server:
        outcome = ask(server)
    assert outcome.failure.kind == "refused"
    assert f"refused: HTTP {status}, after 1 try" in str(outcome.failure)
    assert len(server.requests) == 1


def test_a_redirect_ends_everything_only_before_the_first_good_reply() -> None:
    async def go(base_url: str) -> list[bool]:
        model, _ = quick_model("openai:m", base_url, retries=Retries(seed=1))
        fatal = []
        for _ in range(3):
            try:
                await model.ask(REQUEST)
            except ModelError as error:
                fatal.append(error.fatal)
        await model.close()
        return fatal

    with OpenAIServer([Reply(302), FINE, Reply(302)]) as server:
        assert asyncio.run(go(server.base_url)) == [True, False]


def test_a_run_stops_at_once_and_says_where_to(tmp_path: Path) -> None:
    write_suite(tmp_path, 5)
    with OpenAIServer([FINE] * 9) as other:
        location = {"Location": f"{other.base_url}/chat/completions"}
        with OpenAIServer(lambda asked: Reply(307, headers=location)) as server:
            arguments = ("suite.json", "--model", "openai:m", "--base-url", server.base_url, "--concurrency", "1")
            code, _, errors = command(tmp_path, *arguments, OPENAI_API_KEY=KEY)
    assert code == 3
    assert f"redirected: HTTP 307 to http://127.0.0.1:{other.port}, after 1 try" in errors
    assert other.requests == []
    assert len(server.requests) == 1


def test_all_of_it_is_said_in_vietnamese() -> None:
    with OpenAIServer(lambda asked: Reply(302)) as server:
        said = translated(str(ask(server).failure), "vi")
    assert said == (
        "openai:some-model: bị chuyển hướng: HTTP 302 không kèm địa chỉ, sau 1 lần thử; "
        "toolgauge không đi theo chuyển hướng, để khóa API không bị gửi đi nơi khác: hãy kiểm tra địa chỉ, "
        "--base-url hoặc biến môi trường của nhà cung cấp"
    )
