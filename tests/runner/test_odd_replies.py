"""What models say that nobody expects, from the server through the store to every report."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import toolgauge
from tests.runner.test_faults import load
from tests.runner.test_providers import KEY, VARIABLES
from tests.runner.weather import command, write_suite
from tests.servers import Answer, Asked, OpenAIServer, Reply
from toolgauge.core import ModelReply, ToolRequest

pytestmark = pytest.mark.deep

HOSTILE = ("", "nope<script>alert(1)</script>", "a\n[red]b\x1b[31m", "x" * 500)


def draw_all(folder: Path) -> dict[str, bytes]:
    """The stored run in every format there is."""
    drawn = {}
    for form in ("text", "md", "json", "csv", "latex", "run"):
        done = toolgauge(
            "report", "latest", "--store", "runs.db", "--failures", "--format", form, "-o", f"r.{form}", cwd=folder
        )
        assert done.returncode == 0, done.stderr
        drawn[form] = (folder / f"r.{form}").read_bytes()
    done = toolgauge("gate", "latest", "--store", "runs.db", "--min-pass-rate", "0", "--junit", "r.xml", cwd=folder)
    assert done.returncode == 0, done.stderr
    drawn["junit"] = (folder / "r.xml").read_bytes()
    json.loads(drawn["json"])
    ElementTree.fromstring(drawn["junit"])  # noqa: S314 - our own
    for form, data in drawn.items():
        assert data.decode("utf-8"), form
    return drawn


def test_names_of_tools_that_are_none_are_failed_calls_and_do_no_harm(tmp_path: Path) -> None:
    """D10: answered to the model as errors, counted, escaped; the run goes on."""
    write_suite(tmp_path, 2)
    told: list[tuple[str, ...]] = []

    def calls_nonsense(asked: Asked) -> Answer:
        if asked.results:
            told.append(asked.results)
            return ModelReply("31")
        names = (*HOSTILE, "get_weather")
        return ModelReply(calls=tuple(ToolRequest(name, {"city": "Hanoi"}) for name in names))

    with OpenAIServer(calls_nonsense, key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, output, errors = command(tmp_path, *arguments, "--store", "runs.db", "--failures", **VARIABLES)
    assert code == 0, errors
    assert "2 planned = 0 passed + 2 failed" in output
    assert "\x1b" not in output
    for results in told:
        assert all("Error: there is no tool" in result for result in results[:-1])
        assert json.loads(results[-1]) == {"celsius": 31}
    (row,) = [row for row in load(tmp_path).summary.rows if not row.group]
    assert row.metrics["unknown_tool_rate"].value == len(HOSTILE) / (len(HOSTILE) + 1)
    for form, data in draw_all(tmp_path).items():
        assert b"\x1b" not in data, form
    assert b"<script>" not in (tmp_path / "r.xml").read_bytes()


def test_half_characters_nul_and_bytes_that_are_no_text_reach_every_report(tmp_path: Path) -> None:
    """D14: kept as escape sequences, in reports that can be read."""
    write_suite(tmp_path, 1)
    message = {"role": "assistant", "content": "31 HALF NUL BYTE"}
    body = json.dumps({
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }).encode()  # fmt: skip
    body = body.replace(b"HALF", rb"\ud83d").replace(b"NUL", rb"\u0000").replace(b"BYTE", b"\xff")
    with OpenAIServer(lambda asked: Reply(200, body), key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, output, errors = command(tmp_path, *arguments, "--store", "runs.db", "--failures", **VARIABLES)
    assert code == 0, errors
    assert "1 planned = 0 passed + 1 failed" in output
    (one,) = load(tmp_path).scored
    assert one.trajectory.output == "31 \\ud83d \x00 \\udcff"
    draw_all(tmp_path)


def test_a_body_that_is_no_reply_is_an_error_with_its_beginning(tmp_path: Path) -> None:
    """D8, within a run: the beginning of the body stands in the report, escaped."""
    write_suite(tmp_path, 2)
    page = "<html>\n\x1b[31mBad gateway</html>"
    with OpenAIServer(lambda asked: Reply(200, page), key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, output, errors = command(tmp_path, *arguments, "--store", "runs.db", "--failures", **VARIABLES)
        assert len(server.requests) == 4
    assert code == 3, errors
    assert "every case ended in error: openai:some-model: provider returned invalid response" in errors
    assert "2 planned = 0 passed + 0 failed + 2 error" in output
    assert "<html>\\n\\x1b[31mBad gateway</html>" in output
    assert "\x1b" not in output + errors
    for one in load(tmp_path).scored:
        assert "<html>\\n\\x1b[31mBad gateway</html>, after 2 tries" in (one.trajectory.error or "")
