"""Agents behind HTTP, with real servers on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import toolgauge
from tests.runner.weather import counts, only, suite
from tests.servers import unused_port
from toolgauge.agents import HttpAgent
from toolgauge.core import Limits, Trajectory

Handle = Callable[[dict[str, object], BaseHTTPRequestHandler], None]

CALL = {"tool": "get_weather", "args": {"city": "Hanoi"}, "result": {"celsius": 31}}


@contextmanager
def serving(handle: Handle) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            handle(json.loads(body), self)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/agent"
    finally:
        server.shutdown()
        server.server_close()


def replies(value: object, status: int = 200) -> Handle:
    def handle(_: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return handle


def answer(handle: Handle, **limits: float) -> Trajectory:
    with serving(handle) as url:
        return only(toolgauge.run(suite(1), url, store=False, limits=Limits(seconds=limits.get("seconds"))))


@pytest.mark.parametrize(
    "reply",
    [
        {"output": "31 degrees", "calls": [CALL]},
        {
            "messages": [
                {"role": "user", "content": "Weather?"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "x",
                            "type": "function",
                            "function": {"name": "get_weather", "arguments": '{"city": "Hanoi"}'},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "x", "content": '{"celsius": 31}'},
                {"role": "assistant", "content": "31 degrees"},
            ]
        },
    ],
    ids=["trajectory", "messages"],
)
def test_a_trajectory_or_messages_are_read(reply: object) -> None:
    asked: list[dict[str, object]] = []

    def handle(body: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        asked.append(body)
        replies(reply)(body, handler)

    with serving(handle) as url:
        run = toolgauge.run(suite(1), {"remote": url}, store=False)
    trajectory = only(run)
    assert counts(run) == {"passed": 1}
    assert (trajectory.agent, trajectory.output) == ("remote", "31 degrees")
    assert (asked[0]["case"], asked[0]["input"]) == ("c0", "Weather in Hanoi, 0?")
    assert set(asked[0]) == {"case", "input", "tools"}
    tools = asked[0]["tools"]
    assert isinstance(tools, list)
    assert set(tools[0]) == {"name", "description", "parameters"}


def test_a_plain_text_is_the_answer() -> None:
    trajectory = answer(replies("31 degrees"))
    assert (trajectory.state, trajectory.output, trajectory.calls) == ("completed", "31 degrees", ())


@pytest.mark.parametrize(
    ("handle", "words"),
    [
        (replies({"error": "overloaded"}, 503), 'HTTP 503: \'{"error": "overloaded"}\''),
        (replies(b"<html>hello"), "the reply is not JSON"),
        (replies(b""), "the reply is not JSON"),
        (replies(42), "neither a trajectory nor messages"),
        (replies({"output": 7, "calls": []}), "a trajectory that cannot be read"),
        (lambda _, handler: handler.connection.close(), "connection: "),
    ],
    ids=["status", "html", "empty", "number", "wrong types", "closed"],
)
def test_whatever_is_no_answer_is_an_error_of_the_agent(handle: Handle, words: str) -> None:
    trajectory = answer(handle)
    assert trajectory.state == "error"
    assert words in str(trajectory.error)


def test_nobody_there_is_an_error_of_the_agent() -> None:
    trajectory = only(toolgauge.run(suite(1), f"http://127.0.0.1:{unused_port()}/", store=False))
    assert trajectory.state == "error"
    assert str(trajectory.error).startswith("connection: ConnectionRefusedError")


def test_an_endpoint_that_never_answers_is_left_at_the_limit_of_the_case() -> None:
    over = threading.Event()

    def wait(*_: object) -> None:
        over.wait(20)

    trajectory = answer(wait, seconds=0.2)
    over.set()
    assert (trajectory.state, trajectory.error) == ("timeout", "no answer after 0.2 s")


def test_the_name_and_settings_of_an_endpoint_show_no_credentials() -> None:
    agent = HttpAgent("https://user:password@agents.example:8443/v1/run?key=abcdefgh")
    assert agent.name == "agents.example/v1/run"
    assert agent.settings == {"url": "https://agents.example:8443/v1/run"}
