"""Agents behind HTTP, with real servers on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import toolgauge
from tests.runner.weather import command, counts, only, suite, write_suite
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


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:{port}/ask?key=abc", "cannot reach http://127.0.0.1:{port}: connection refused"),
        ("https://127.0.0.1:{port}", "cannot reach https://127.0.0.1:{port}: connection refused"),
        ("http://me:abc@no-such-host.invalid/", "cannot reach http://no-such-host.invalid: there is no such host"),
    ],
)
def test_where_nobody_is_there_the_run_stops_and_names_the_address(tmp_path: Path, url: str, reason: str) -> None:
    write_suite(tmp_path, 12)
    port = unused_port()
    arguments = ("suite.json", "--agent", f"mine={url.format(port=port)}", "--concurrency", "2")
    code, output, errors = command(tmp_path, *arguments)
    assert code == 3
    (line,) = [line for line in errors.splitlines() if line.startswith("Error: ")]
    assert reason.format(port=port) in line
    assert line.endswith("; check that the agent is running, and its address")
    assert "abc" not in line
    assert "12 cases are left; resume with" in errors
    assert "0 passed" in output


def test_an_agent_that_speaks_no_tls_cannot_be_reached(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    with serving(replies("31")) as url:
        code, _, errors = command(tmp_path, "suite.json", "--agent", url.replace("http:", "https:"), "--lang", "vi")
    assert code == 3
    assert "TLS: " in errors
    assert "không kết nối được tới https://127.0.0.1:" in errors
    assert "hãy kiểm tra agent có đang chạy không" in errors


def test_an_agent_that_goes_away_after_it_was_reached_is_an_error_of_its_cases() -> None:
    with serving(replies("31")) as url:
        agent = HttpAgent(url)
        assert "error" not in counts(toolgauge.run(suite(1), agent, store=False))
    trajectory = only(toolgauge.run(suite(1), agent, store=False))
    assert trajectory.state == "error"
    assert str(trajectory.error).startswith("cannot reach http://127.0.0.1:")


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


def says(body: bytes, content_type: str | None) -> Handle:
    def handle(_: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if content_type is not None:
            handler.send_header("Content-Type", content_type)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return handle


@pytest.mark.parametrize(
    ("body", "content_type", "output"),
    [
        ("31 độ".encode(), "text/plain; charset=utf-8", "31 độ"),
        ("31 độ".encode("utf-16"), "text/plain; charset=utf-16", "31 độ"),
        (b"31 degrees", "text/plain; charset=no-such-thing", "31 degrees"),
        (b"**31** degrees", "text/markdown", "**31** degrees"),
        (b"31", "text/plain", "31"),
        (b'"31"', "text/plain", '"31"'),
        (b'{"output": "31 degrees", "calls": []}', "text/plain", "31 degrees"),
        (b"31 degrees", None, "31 degrees"),
        (b'"31 degrees"', "application/json", "31 degrees"),
    ],
)
def test_a_reply_in_plain_text_is_the_answer(body: bytes, content_type: str | None, output: str) -> None:
    trajectory = answer(says(body, content_type))
    assert (trajectory.state, trajectory.output) == ("completed", output)


@pytest.mark.parametrize(
    ("body", "content_type", "words"),
    [
        (b"<html>Log in</html>", "text/html; charset=utf-8", "the reply is a web page: '<html>Log in</html>'"),
        (b"{31 degrees", "application/json", "the reply is not JSON"),
        (b"31 degrees", "application/json", "the reply is not JSON"),
        (b"{31 degrees", None, "the reply is not JSON"),
    ],
)
def test_what_is_neither_text_nor_json_is_an_error(body: bytes, content_type: str | None, words: str) -> None:
    trajectory = answer(says(body, content_type))
    assert trajectory.state == "error"
    assert words in str(trajectory.error)


@pytest.mark.parametrize(
    ("reply", "path", "output"),
    [
        ({"data": {"answer": "31 degrees", "more": 1}}, "data.answer", "31 degrees"),
        ({"choices": [{"text": "a"}, {"text": "31"}]}, "choices.1.text", "31"),
        ({"choices": [{"text": "a"}, {"text": "31"}]}, "choices[-1].text", "31"),
        ([{"answer": 31}], "0.answer", "31"),
        ({"ok": {"value": True}}, "ok.value", "true"),
        ({"data": {"answer": None}}, "data.answer", None),
        ({"data": {"output": "31", "calls": [CALL]}}, "data", "31"),
    ],
)
def test_the_answer_is_taken_from_a_field(reply: object, path: str, output: str | None) -> None:
    with serving(replies(reply)) as url:
        trajectory = only(toolgauge.run(suite(1), url, store=False, agent_field=path))
    assert (trajectory.state, trajectory.output) == ("completed", output)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("data.text", "the reply has no data.text: data is an object with answer"),
        ("data.answer.0", "the reply has no data.answer.0: data.answer is a str"),
        ("items.7", "the reply has no items.7: items is a list of 1"),
        ("answer", "the reply has no answer: the reply is an object with data, items"),
    ],
)
def test_a_field_that_is_not_there_is_an_error_that_says_what_is(path: str, words: str) -> None:
    with serving(replies({"data": {"answer": "31"}, "items": [1]})) as url:
        trajectory = only(toolgauge.run(suite(1), url, store=False, agent_field=path))
    assert (trajectory.state, trajectory.error) == ("error", words)


def test_a_conversation_has_an_id_for_each_trial_that_is_recorded() -> None:
    sent: list[str] = []

    def handle(body: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        sent.append(str(body["session_id"]))
        replies({"session_id": f"theirs-{len(sent)}", "output": "31", "calls": [CALL]})(body, handler)

    with serving(handle) as url:
        run = toolgauge.run(suite(2), url, store=False, agent_conversation="session_id", concurrency=1, trials=2)
    assert counts(run) == {"passed": 4}
    assert len(set(sent)) == 4
    told = [event for one in run.scored for event in one.trajectory.events if event["kind"] == "conversation"]
    assert {event["sent"] for event in told} == set(sent)
    assert {event["replied"] for event in told} == {f"theirs-{n}" for n in range(1, 5)}


def test_headers_are_sent_and_seen_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "tok-0123456789")
    seen: list[dict[str, str]] = []

    def handle(body: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        seen.append(dict(handler.headers.items()))
        said = " ".join(f"{name}={value}" for name, value in handler.headers.items())
        replies({"error": said} if body["case"] == "c1" else said, 500 if body["case"] == "c1" else 200)(body, handler)

    headers = ["Authorization: Bearer ${MY_TOKEN}", "X-Api-Key: k3y!", "X-Team: $$-weather-team", "Accept: text/plain"]
    with serving(handle) as url:
        run = toolgauge.run(suite(2), {"remote": url}, store=tmp_path / "runs.db", agent_headers=headers)
    assert seen[0]["Authorization"] == "Bearer tok-0123456789"
    assert (seen[0]["X-Api-Key"], seen[0]["X-Team"], seen[0]["Accept"]) == ("k3y!", "$-weather-team", "text/plain")
    first, second = (one.trajectory for one in run.scored)
    assert "Bearer [redacted MY_TOKEN]" in str(first.output)
    assert "X-Api-Key=[redacted X-Api-Key]" in str(first.output)
    assert "Accept=text/plain" in str(first.output)
    assert str(second.error).startswith("HTTP 500")
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (b"tok-0123456789", b"k3y!", b"weather-team"):
        assert secret not in kept
        assert secret.decode() not in str(second.error)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        (["secret-without-name"], "the 1. one: write 'Name: value'"),
        (["X-Key: $NO_SUCH_VARIABLE_HERE"], "the environment has no variable NO_SUCH_VARIABLE_HERE"),
        (["X-Key: secret\r\nX-Other: 1"], "X-Key: its value has characters that no header can have"),
        (["X-Key: khóa-bí-mật"], "X-Key: its value has characters that no header can have"),
        (["bad name: secret"], "write 'Name: value'"),
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(headers: list[str], words: str) -> None:
    with pytest.raises(toolgauge.errors.UsageError) as caught:
        toolgauge.run(suite(1), "http://127.0.0.1:9/", store=False, agent_headers=headers)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_headers_are_for_endpoints_only() -> None:
    with pytest.raises(toolgauge.errors.UsageError, match="are for agents at http addresses"):
        toolgauge.run(suite(1), lambda case, tools: "", store=False, agent_field="data")


def test_the_command_shows_no_header_where_it_says_how_to_resume(tmp_path: Path) -> None:
    write_suite(tmp_path, 40)

    def handle(body: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.3)
        replies({"data": {"answer": "31"}})(body, handler)

    with serving(handle) as url:
        process = subprocess.Popen(
            [sys.executable, "-m", "toolgauge", "run", "suite.json", "--agent", url, "--agent-header", "X-Id: s3c",
             "--agent-header=X-Token: $MY_TOKEN", "--agent-field", "data.answer", "--concurrency", "1", "--grace", "0"],
            cwd=tmp_path, env={**os.environ, "MY_TOKEN": "tok-0123456789"}, stderr=subprocess.PIPE, text=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        while not (tmp_path / ".toolgauge" / "runs.db").exists():
            time.sleep(0.05)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "--agent-header 'X-Id: ...' '--agent-header=X-Token: $MY_TOKEN' --agent-field data.answer" in errors
    assert "s3c" not in errors
    assert "tok-0123456789" not in errors


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
@pytest.mark.parametrize("place", ["elsewhere", "itself", "nowhere"])
def test_a_redirect_is_reported_and_never_followed(status: int, place: str) -> None:
    asked: list[str] = []

    def handle(_: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.headers["Authorization"])
        handler.send_response(status)
        if place != "nowhere":
            handler.send_header("Location", elsewhere if place == "elsewhere" else "/agent?key=hidden")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    gone: list[object] = []
    with serving(lambda body, _: gone.append(body)) as other, serving(handle) as url:
        elsewhere = other.replace("http://", "http://me:hidden@") + "?key=hidden"
        agent = HttpAgent(url, headers={"Authorization": "Bearer hidden"})
        error = only(toolgauge.run(suite(1), agent, store=False)).error or ""
    named = {
        "elsewhere": f"to {other.removesuffix('/agent')};",
        "itself": f"to {url};",
        "nowhere": "without an address;",
    }
    assert f"redirected: HTTP {status} {named[place]} redirects are not followed" in error
    assert "check the address" in error
    assert "hidden" not in error
    assert asked == ["Bearer hidden"]
    assert gone == []
