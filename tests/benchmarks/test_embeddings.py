"""Vectors from a server, where somebody names one."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from toolgauge.benchmarks import load_benchmark
from toolgauge.benchmarks.vn_finance.embeddings import Embedder
from toolgauge.benchmarks.vn_finance.index import IndexedDocument
from toolgauge.benchmarks.vn_finance.searching import Collection
from toolgauge.benchmarks.vn_finance.tools import finance_tools
from toolgauge.errors import UsageError
from toolgauge.tools import Box, ToolFailure

MEANINGS = {"mèo": (1.0, 0.0), "con vật kêu gừ gừ": (0.9, 0.1), "xe tải": (0.0, 1.0)}


class Server(BaseHTTPRequestHandler):
    """Gives vectors for known texts, in the wrong order, as the protocol allows."""

    requests: list[dict[str, object]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append({"path": self.path, "key": self.headers["Authorization"], **body})
        data = [
            {"index": index, "embedding": next((v for k, v in MEANINGS.items() if k in text.lower()), (0.5, 0.5))}
            for index, text in enumerate(body["input"])
        ]
        broken = body["model"] == "broken"
        reply = b"<html>" if broken else json.dumps({"data": data[::-1], "usage": {}}).encode()
        self.send_response(500 if body["model"] == "failing" else 200)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class has
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[dict[str, object]]]]:
    seen: list[dict[str, object]] = []
    handler = type("Handler", (Server,), {"requests": seen})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/v1", seen
        listening.shutdown()
        thread.join()


def documents() -> list[IndexedDocument]:
    return [
        IndexedDocument("a", "concept", "Xe tải", "Chở hàng."),
        IndexedDocument("b", "concept", "Mèo", "Bắt chuột."),
    ]


def test_vectors_find_what_words_do_not(server: tuple[str, list[dict[str, object]]]) -> None:
    url, seen = server
    query = "con vật kêu gừ gừ"
    assert Collection(documents()).find(query) == []
    collection = Collection(documents(), Embedder(url, "any", "secret"))
    assert [one.id for one in collection.find(query)] == ["b", "a"]
    assert [one.id for one in collection.find("xe tải")] == ["a", "b"]
    assert seen[0]["path"] == "/v1/embeddings"
    assert seen[0]["key"] == "Bearer secret"
    assert len(seen) == 3, "the documents are sent once, each query once"


@pytest.mark.parametrize(("model", "said"), [("failing", "status 500"), ("broken", "did not send vectors")])
def test_a_server_that_gives_no_vectors_is_a_failed_call(
    server: tuple[str, list[dict[str, object]]], model: str, said: str
) -> None:
    with pytest.raises(ToolFailure, match=said):
        Collection(documents(), Embedder(server[0], model)).find("mèo")


def test_a_server_that_is_not_there_is_a_failed_call_of_the_tool() -> None:
    suite = load_benchmark("vn-finance").suite
    box = Box(finance_tools(suite.tools, Embedder("http://127.0.0.1:9")))
    made = asyncio.run(box.call("retrival_vector_db", {"query": "beta"}))
    assert made.result.error is not None
    assert "does not answer" in made.result.error
    assert asyncio.run(box.call("search_web", {"query": "beta"})).result.error is None


def test_the_environment_names_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOOLGAUGE_EMBEDDINGS_URL", raising=False)
    assert Embedder.from_environment() is None
    monkeypatch.setenv("TOOLGAUGE_EMBEDDINGS_URL", "http://127.0.0.1:8080/v1")
    monkeypatch.setenv("TOOLGAUGE_EMBEDDINGS_MODEL", "small")
    assert Embedder.from_environment() == Embedder("http://127.0.0.1:8080/v1", "small")
    with pytest.raises(UsageError, match="is not an address"):
        Embedder("ftp://example.org")
