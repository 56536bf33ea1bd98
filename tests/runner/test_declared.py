"""What a suite or an option says of tools and models: isolated tools, and how a model is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import toolgauge
from tests.cli.running import toolgauge as command
from tests.runner.weather import suite, trajectories
from tests.servers import OpenAIServer
from tests.tools import samples
from toolgauge.core import Case, ModelReply, Toolbox
from toolgauge.errors import InputError, UsageError
from toolgauge.models import open_model
from toolgauge.tools import tools_of

WRITTEN = """\
tools:
  - {python: "tests.tools.samples:crash", isolate: process}
  - tests.tools.samples:add
cases:
  - {id: one, input: Crash., expect: {calls: [{tool: add}]}}
"""

ROOT = Path(__file__).parents[2]


async def crashes_and_adds(case: Case, tools: Toolbox) -> str:
    """Call a tool that takes its process down, then one that works."""
    await tools.call("crash", {})
    return (await tools.call("add", {"a": 1, "b": 2})).text


def test_a_tool_that_a_suite_declares_isolated_crashes_alone(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(WRITTEN, encoding="utf-8")
    (done,) = trajectories(toolgauge.run(path, crashes_and_adds, store=False, allow_code=True))
    assert (done.state, done.output) == ("completed", "3")
    assert [call.error for call in done.calls] == ["the process of the tool was killed by SIGSEGV", None]


def test_the_command_isolates_the_functions_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text("cases:\n  - {id: one, input: Crash., expect: {calls: [{tool: add}]}}\n", encoding="utf-8")
    agent = f"{crashes_and_adds.__module__}:crashes_and_adds"
    named = ["--tools", "tests.tools.samples:crash", "--tools", "tests.tools.samples:add"]
    done = command(
        "run", path, "--agent", agent, *named, "--isolate", "--allow-code", "--store", tmp_path / "runs.db",
        "--format", "run", cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "SIGSEGV" in done.stdout


def test_what_is_no_function_cannot_be_isolated() -> None:
    tool = next(iter(tools_of(samples.add)))

    class Wrapped:
        definition = tool.definition
        call = tool.call

    with pytest.raises(UsageError, match="the tool 'add' cannot be isolated because it is not a function"):
        toolgauge.run(suite(1, tools=()), crashes_and_adds, tools=[Wrapped()], isolate=True, store=False)


@pytest.mark.parametrize(
    ("tool", "fault"),
    [
        ("{name: add, isolate: process}", "there is no code that could be isolated"),
        ("{name: add, python: 'a:b'}", "both a name and Python code are given"),
        ("{python: 'a:b', isolate: thread}", "thread"),
    ],
)
def test_declarations_that_make_no_sense_are_faults(tmp_path: Path, tool: str, fault: str) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(f"tools:\n  - {tool}\ncases:\n  - {{id: one, input: Add.}}\n", encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        toolgauge.run(path, crashes_and_adds, store=False, allow_code=True)


def test_code_is_not_loaded_unless_it_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text(WRITTEN, encoding="utf-8")
    with pytest.raises(UsageError, match="--allow-code"):
        toolgauge.run(path, crashes_and_adds, store=False)


@pytest.mark.deep
def test_temperature_and_length_of_replies_reach_the_provider_and_the_header() -> None:
    with OpenAIServer([ModelReply("31 degrees")]) as server:
        model = open_model("openai:some-model", base_url=server.base_url, api_key="k-0123456789")
        run = toolgauge.run(suite(1), "tools", model=model, store=False, temperature=0.25, max_tokens=77)
    (sent,) = [request.json for request in server.requests]
    assert sent["temperature"] == 0.25
    assert 77 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))
    assert {run.header.about["temperature"], run.header.about["max_tokens"]} == {0.25, 77}


def test_temperature_without_a_model_is_refused() -> None:
    with pytest.raises(UsageError, match="name it with --model"):
        toolgauge.run(suite(1), crashes_and_adds, store=False, temperature=0.0)
