"""The HTTP client at many requests at a time: what a request costs does not grow with the others."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.servers import Answer, Asked, Later, OpenAIServer
from toolgauge.core import Message, ModelReply, ModelRequest
from toolgauge.models import open_model

pytestmark = pytest.mark.deep

AT_ONCE = 120
REQUEST = ModelRequest((Message("user", "Hi"),))


def slowly(_: Asked) -> Answer:
    return Later(0.05, ModelReply("fine"))


async def asked(server: OpenAIServer, rounds: int) -> Any:
    model: Any = open_model("openai:m", base_url=server.base_url, api_key="none")

    async def work(left: Iterator[int]) -> None:
        for _ in left:
            assert (await model.ask(REQUEST)).text == "fine"

    left = iter(range(AT_ONCE * rounds))
    await asyncio.gather(*(work(left) for _ in range(AT_ONCE)))
    return model


def test_a_request_looks_at_few_connections_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from httpcore2 import AsyncHTTP11Connection

    from toolgauge.models.client import POOL_SIZE

    looked = 0
    real = AsyncHTTP11Connection.has_expired

    def counted(self: Any) -> Any:
        nonlocal looked
        looked += 1
        return real(self)

    monkeypatch.setattr(AsyncHTTP11Connection, "has_expired", counted)

    async def program(server: OpenAIServer) -> None:
        model = await asked(server, 4)
        await model.close()

    with OpenAIServer(slowly) as server:
        asyncio.run(program(server))
        assert len(server.requests) == 4 * AT_ONCE
        assert server.most_at_once == AT_ONCE
    assert looked <= 2 * POOL_SIZE * 4 * AT_ONCE, "an idle connection is looked at when a request begins and ends"
    assert looked / (4 * AT_ONCE) < AT_ONCE / 4


def test_connections_are_used_again_and_no_more_opened_than_needed() -> None:
    async def program(server: OpenAIServer) -> tuple[int, int]:
        model = await asked(server, 3)
        open_ones = len(server._connections)
        for _ in range(5):
            await model.ask(REQUEST)
        later = len(server._connections)
        await model.close()
        return open_ones, later

    with OpenAIServer(slowly) as server:
        assert asyncio.run(program(server)) == (AT_ONCE, AT_ONCE)


def test_a_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)

        async def program() -> str:
            model: Any = open_model("openai:m", base_url="http://model.invalid/v1", api_key="none")
            with pytest.raises(Exception, match="404") as caught:
                await model.ask(REQUEST)
            await model.close()
            return str(caught.value)

        asyncio.run(program())
    assert [request.path for request in proxy.requests] == ["http://model.invalid/v1/chat/completions"]


def test_the_sdk_makes_no_client_of_its_own_for_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    from openai import AsyncOpenAI

    def refuse(*_: object, **__: object) -> object:
        raise AssertionError("a copy was made")

    monkeypatch.setattr(AsyncOpenAI, "with_options", refuse)
    monkeypatch.setattr(AsyncOpenAI, "copy", refuse)

    async def program(server: OpenAIServer) -> None:
        model: Any = open_model("openai:m", base_url=server.base_url, api_key="none")
        await model.ask(REQUEST)
        await model.close()

    with OpenAIServer(slowly) as server:
        asyncio.run(program(server))
    assert server.requests[0].headers["x-stainless-retry-count"] == "0"
