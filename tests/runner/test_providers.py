"""Whole runs against servers that speak as the providers do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.runner.weather import command, write_suite
from tests.servers import Answer, AnthropicServer, Asked, OpenAIServer, Reply
from toolgauge.core import ModelReply, ToolRequest, Usage

pytestmark = pytest.mark.deep

KEY = "k-0123456789-abcdef"
NAMES = {OpenAIServer: "openai:some-model", AnthropicServer: "anthropic:claude-haiku-4-5"}
VARIABLES = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}

both = pytest.mark.parametrize("kind", [OpenAIServer, AnthropicServer])

Kind = type[OpenAIServer] | type[AnthropicServer]


def solve(asked: Asked) -> Answer:
    if asked.results:
        return ModelReply(f"It says {asked.results[-1]}.", usage=Usage(1, 30, 5))
    cities = ("Hanoi", "Hue") if ", 1?" in asked.question else ("Hanoi",)
    return ModelReply(calls=tuple(ToolRequest("get_weather", {"city": city}) for city in cities), usage=Usage(1, 10, 5))


@both
def test_a_suite_is_run_through_a_provider(tmp_path: Path, kind: Kind) -> None:
    write_suite(tmp_path, 3)
    with kind(solve) as server:
        code, output, errors = command(
            tmp_path,
            "suite.json",
            "--model",
            NAMES[kind],
            "--base-url",
            server.base_url,
            "--format",
            "json",
            "--details",
            **VARIABLES,
        )
    assert code == 0, errors
    report = json.loads(output)
    assert {name: number for name, number in report["counts"].items() if number} == {
        "planned": 3,
        "passed": 2,
        "failed": 1,
    }
    assert report["rows"][0]["metrics"]["tokens"]["value"] == 50
    assert len(server.requests) == 6
    assert KEY not in output + errors


@both
def test_a_wrong_key_stops_the_run_with_a_hint(tmp_path: Path, kind: Kind) -> None:
    """D5."""
    write_suite(tmp_path, 20)
    arguments = ("suite.json", "--model", NAMES[kind], "--concurrency", "2")
    with kind(solve, key="another-key-altogether") as server:
        code, output, errors = command(tmp_path, *arguments, "--base-url", server.base_url, **VARIABLES)
        assert len(server.requests) <= 2
    assert code == 3
    assert "20 planned" in output
    assert "check the key" in errors
    assert "--resume" in errors


def test_a_provider_that_fails_for_one_case_fails_that_case(tmp_path: Path) -> None:
    """D4 and D5, within a run."""
    write_suite(tmp_path, 3)

    def flaky(asked: Asked) -> Answer:
        return Reply(400) if ", 1?" in asked.question else solve(asked)

    with OpenAIServer(flaky, key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, output, errors = command(tmp_path, *arguments, "--format", "json", "--details", **VARIABLES)
    assert code == 0, errors
    assert json.loads(output)["counts"]["error"] == 1


def test_a_recorded_run_is_replayed_without_key_server_or_package(tmp_path: Path) -> None:
    write_suite(tmp_path, 3)
    with OpenAIServer(solve, key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url, "--format", "json")
        code, first, errors = command(tmp_path, *arguments, "--record", "run.cassette", **VARIABLES)
        assert code == 0, errors
        asked = len(server.requests)
    code, again, errors = command(tmp_path, *arguments, "--replay", "run.cassette", OPENAI_API_KEY="")
    assert code == 0, errors
    assert len(server.requests) == asked
    assert json.loads(again)["counts"] == json.loads(first)["counts"]
    write_suite(tmp_path, 4)
    code, _, errors = command(tmp_path, *arguments, "--replay", "run.cassette", OPENAI_API_KEY="")
    assert code == 3
    assert "was not recorded" in errors


def test_tools_of_a_server_are_used_in_a_run(tmp_path: Path) -> None:
    import sys

    case = {
        "id": "now",
        "input": "What time is it in Hanoi?",
        "expect": {"calls": [{"tool": "get_current_time", "args": {"timezone": "Asia/Ho_Chi_Minh"}}]},
    }
    (tmp_path / "suite.json").write_text(json.dumps({"cases": [case]}), encoding="utf-8")

    def ask_time(asked: Asked) -> Answer:
        assert "get_current_time" in asked.tools
        if asked.results:
            return ModelReply(f"It is {json.loads(asked.results[0])['datetime']}.")
        return ModelReply(calls=(ToolRequest("get_current_time", {"timezone": "Asia/Ho_Chi_Minh"}),))

    server_command = f"{sys.executable} -m mcp_server_time --local-timezone UTC"
    with OpenAIServer(ask_time, key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        common = (*arguments, "--mcp", server_command, "--format", "json", "--details")
        code, output, errors = command(tmp_path, *common, "--record", "run.cassette", **VARIABLES)
    assert code == 0, errors
    assert json.loads(output)["counts"]["passed"] == 1
    code, output, errors = command(tmp_path, *common, "--replay", "run.cassette")
    assert (code, json.loads(output)["counts"]["passed"]) == (0, 1), errors
