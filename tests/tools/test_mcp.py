"""Tools of real MCP servers, over standard input and output and over streamable HTTP on loopback."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.runner.weather import write_suite
from toolgauge.errors import PluginError, UsageError
from toolgauge.tools import Box, BoxLimits, Called, McpServer

pytestmark = pytest.mark.deep

SCRIPT = str(Path(__file__).with_name("mcp_server.py"))


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, SCRIPT, str(port)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 0.1).close()
                break
            except OSError:
                assert process.poll() is None, "the server ended"
                asyncio.run(asyncio.sleep(0.1))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


async def use(server: McpServer) -> tuple[list[str], list[Called], list[str]]:
    async with server:
        box = Box(server.tools, limits=BoxLimits(seconds=10))
        calls = [
            await box.call("get_weather", {"city": "Huế"}),
            await box.call("echo", {"text": "xin chào"}),
            await box.call("fail", {"why": "no such city"}),
            await box.call("get_weather", {"town": "Huế"}),
        ]
        names = [definition.name for definition in box.definitions]
        return names, calls, await box.close()


AS_WRITTEN: tuple[object, ...] = (
    ["get_weather", "echo", "fail", "die"],
    {"city": "Huế", "celsius": 31},
    True,
    True,
    True,
    [],
)
"""What comes of using the server."""


def seen(names: list[str], calls: list[Called], warnings: list[str]) -> tuple[object, ...]:
    """The tools, the weather, whether there was an echo, a failure and a refusal, and the warnings."""
    weather, echo, failed, refused = (called.result for called in calls)
    return (
        names,
        weather.value,
        echo.value in ("xin chào", {"result": "xin chào"}),
        "no such city" in (failed.error or ""),
        "do not fit the tool's schema" in (refused.error or ""),
        warnings,
    )


def test_a_server_on_standard_input_and_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert seen(*asyncio.run(use(McpServer([sys.executable, SCRIPT])))) == AS_WRITTEN
    assert "noise" not in capfd.readouterr().err


def test_a_server_on_http(address: str) -> None:
    assert seen(*asyncio.run(use(McpServer(address)))) == AS_WRITTEN


def test_a_server_that_cannot_be_started_is_named() -> None:
    async def start(server: McpServer) -> None:
        async with server:
            pass

    with pytest.raises(PluginError, match="'/no/such/server' cannot be used"):
        asyncio.run(start(McpServer("/no/such/server --x")))
    with pytest.raises(PluginError, match="cannot be used"):
        asyncio.run(start(McpServer("http://127.0.0.1:9/mcp")))
    with pytest.raises(UsageError, match="is empty"):
        McpServer("")
    with pytest.raises(UsageError, match="cannot be read"):
        McpServer("python 'x")


def test_a_server_from_the_registry() -> None:
    async def ask() -> Called:
        async with McpServer(
            [sys.executable, "-m", "mcp_server_time", "--local-timezone", "Asia/Ho_Chi_Minh"]
        ) as server:
            box = Box(server.tools)
            arguments = {"source_timezone": "Asia/Ho_Chi_Minh", "time": "12:00", "target_timezone": "UTC"}
            return await box.call("convert_time", arguments)

    assert "05:00" in asyncio.run(ask()).result.text


def started(command: list[str]) -> str:
    """What is said of a server that cannot be used."""

    async def start() -> None:
        async with McpServer(command):
            pass

    with pytest.raises(PluginError) as caught:
        asyncio.run(start())
    return str(caught.value)


def test_a_server_that_dies_is_reported_with_its_program_exit_code_and_last_lines(
    capfd: pytest.CaptureFixture[str],
) -> None:
    script = "import sys; [print('line', n, file=sys.stderr) for n in range(9)]; print('no key', file=sys.stderr)"
    said = started([sys.executable, "-c", f"{script}; sys.exit(3)"])
    assert said.startswith(f"the MCP server '{sys.executable}' ended")
    assert "ended with exit code 3; it last wrote to standard error:\n  line 7\n  line 8\n  no key" in said
    assert len(said.splitlines()) <= 5
    assert capfd.readouterr().err == ""


def test_a_server_that_dies_without_a_word_is_told() -> None:
    assert "ended with exit code 0; it wrote nothing to standard error" in started([sys.executable, "-c", ""])
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert "ended with signal SIGKILL" in started([sys.executable, "-c", killed])


def test_a_traceback_of_a_server_ends_with_its_exception() -> None:
    said = started([sys.executable, "-c", "x = 10 * ['a' * 500]\nraise RuntimeError(''.join(x))"])
    assert "ended with exit code 1" in said
    assert "RuntimeError: aaa" in said
    assert len(said) < 1200


def test_a_server_that_dies_later_is_told_by_the_call() -> None:
    async def ask() -> Called:
        async with McpServer([sys.executable, SCRIPT]) as server:
            box = Box(server.tools, limits=BoxLimits(seconds=10))
            await box.call("echo", {"text": "hi"})
            return await box.call("die", {})

    failed = asyncio.run(ask()).result.error
    assert failed is not None
    assert "ended with exit code 7; it last wrote to standard error:" in failed
    assert "out of memory" in failed


def test_what_a_server_logs_without_end_is_not_kept() -> None:
    async def ask() -> Called:
        async with McpServer([sys.executable, SCRIPT, "noisy"]) as server:
            return await Box(server.tools).call("echo", {"text": "hi"})

    assert asyncio.run(ask()).result.error is None


GARBAGE = {
    "text": "print('starting up', flush=True)",
    "nothing": "print(flush=True)",
    "JSON": "print('[1, 2, {}]', flush=True)",
    "bytes": "sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); sys.stdout.flush()",
    "half a message": 'print(\'{"jsonrpc": "2.0", "id"\', flush=True)',
    "a long line": "print('x' * 1_000_000, flush=True)",
    "many lines": "[print('line', n, flush=True) for n in range(1000)]",
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_on_standard_output_is_one_remark_and_no_traceback(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    script = f"import runpy, sys; {GARBAGE[kind]}; sys.argv = ['x']; runpy.run_path({SCRIPT!r}, run_name='__main__')"
    said: list[str] = []
    found = asyncio.run(use(McpServer([sys.executable, "-c", script], remark=said.append)))
    assert seen(*found) == AS_WRITTEN
    words = "writes to standard output something other than protocol messages, which is ignored"
    assert said in ([f"the MCP server {sys.executable!r} {words}"], [])
    assert said or kind == "nothing"
    assert capfd.readouterr().err == ""


def test_a_server_that_writes_garbage_and_ends_is_reported_without_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    said = started([sys.executable, "-c", "print('hello'); print('{'); raise SystemExit(4)"])
    assert said == f"the MCP server {sys.executable!r} ended with exit code 4; it wrote nothing to standard error"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "command",
    [
        "/no/such/server --token s3cr3t-value",
        "/no/such/server --token=s3cr3t-value",
        "/no/such/server 's3cr3t-value",
        f"{sys.executable} -c 'import sys; sys.exit(3)' s3cr3t-value",
        "http://user:s3cr3t-value@127.0.0.1:9/mcp",
        "http://127.0.0.1:9/mcp?token=s3cr3t-value",
    ],
)
def test_arguments_of_a_server_that_cannot_be_started_are_not_repeated(tmp_path: Path, command: str) -> None:
    write_suite(tmp_path, 1)
    done = toolgauge("run", "suite.json", "--model", "local:lexical", "--mcp", command, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "the MCP server" in done.stderr
    assert "s3cr3t-value" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
