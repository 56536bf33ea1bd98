"""The page on connecting is true: every sample is scored as it says, and every recipe writes a file that is read."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from toolgauge import api
from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, Suite
from toolgauge.traces import ImportReport
from toolgauge.traces.formats import BUILT_IN, built_in

from .cli.running import toolgauge
from .traces.formats.vendor import vendor

PAGE = (Path(__file__).parent.parent / "docs" / "connect.md").read_text(encoding="utf-8")
SAMPLES = dict(re.findall(r"```json ([\w-]+)\n(.*?)```", PAGE, re.DOTALL))
RECIPES = {
    name: (file, code) for name, file, code in re.findall(r"```python ([\w-]+) (\S+)\n(.*?)```", PAGE, re.DOTALL)
}

QUESTION = "How warm is it in Hanoi?"
SUITE = Suite("weather", (Case("hanoi", QUESTION, expect=Expect((ExpectedCall("get_weather", {"city": "Hanoi"}),))),))
YAML = f"""
cases:
  - id: hanoi
    input: {QUESTION}
    expect: {{calls: [{{tool: get_weather, args: {{city: Hanoi}}}}]}}
"""


def test_every_format_has_a_sample() -> None:
    assert set(SAMPLES) == set(BUILT_IN)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_recognised_and_passes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(SAMPLES[name], encoding="utf-8")
    report = ImportReport()
    run = api.score(SUITE, path, report=report)
    assert run.summary.counts.passed == 1, report.lines()
    assert list(report.formats) == [built_in(name).title]


def test_the_command_scores_all_samples_in_one_file(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "log.jsonl").write_text("".join(SAMPLES.values()), encoding="utf-8")
    done = toolgauge("score", "suite.yaml", "log.jsonl", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0
    assert f'"passed":{len(SAMPLES)}' in done.stdout.replace(" ", "")
    assert done.stderr.count("Note: read 1 trajectory") == len(SAMPLES)


def passes(path: Path) -> bool:
    report = ImportReport()
    counts = api.score(SUITE, path, report=report).summary.counts
    assert counts.passed == 1, report.lines()
    return True


def run_recipe(name: str, place: Path, **known: Any) -> tuple[Path, dict[str, Any]]:
    """Run the code of a recipe where it may write its file."""
    file, code = RECIPES[name]
    names: dict[str, Any] = dict(known)
    exec(compile(code, f"connect.md:{name}", "exec"), names)  # noqa: S102 - what our own page says
    return place / file, names


CALL: JsonValue = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Hanoi"}'}}


def completion(message: JsonValue, finish: str) -> JsonValue:
    choice: JsonValue = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


@pytest.mark.deep
def test_the_recipe_for_chat_completions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openai = import_module("openai")
    monkeypatch.chdir(tmp_path)
    asks = completion({"role": "assistant", "content": None, "tool_calls": [CALL]}, "tool_calls")
    with vendor(asks, completion({"role": "assistant", "content": "31 °C."}, "stop")) as provider:
        client = openai.OpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        path, names = run_recipe("openai-chat", tmp_path, client=client)
        messages = [{"role": "user", "content": QUESTION}]
        messages.append(names["ask"](messages))
        messages.append({"role": "tool", "tool_call_id": "c1", "content": "31"})
        names["ask"](messages)
        client.close()
    assert passes(path)


@pytest.mark.deep
def test_the_recipe_for_responses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openai = import_module("openai")
    monkeypatch.chdir(tmp_path)
    call: JsonValue = {
        "type": "function_call",
        "id": "f1",
        "call_id": "c1",
        "name": "get_weather",
        "status": "completed",
    }
    assert isinstance(call, dict)
    call["arguments"] = '{"city":"Hanoi"}'
    said: JsonValue = {
        "type": "message",
        "id": "m1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "31 °C.", "annotations": []}],
    }

    def response(*output: JsonValue) -> JsonValue:
        return {
            "id": "r1",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "status": "completed",
            "output": list(output),
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }

    with vendor(response(call), response(said)) as provider:
        client = openai.OpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        path, names = run_recipe("openai-responses", tmp_path, client=client)
        items: list[Any] = [{"role": "user", "content": QUESTION}]
        names["ask"](items)
        names["ask"]([*items, call, {"type": "function_call_output", "call_id": "c1", "output": "31"}])
        client.close()
    assert passes(path)


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_recipe_for_anthropic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anthropic = import_module("anthropic")
    monkeypatch.chdir(tmp_path)
    usage: JsonValue = {"input_tokens": 5, "output_tokens": 5}

    def reply(block: JsonValue, stop: str) -> JsonValue:
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [block],
            "stop_reason": stop,
            "usage": usage,
        }

    use: JsonValue = {"type": "tool_use", "id": "c1", "name": "get_weather", "input": {"city": "Hanoi"}}
    with vendor(reply(use, "tool_use"), reply({"type": "text", "text": "31 °C."}, "end_turn")) as provider:
        client = anthropic.Anthropic(api_key="none", base_url=provider.url, max_retries=0)
        path, names = run_recipe("anthropic", tmp_path, client=client)
        messages: list[Any] = [{"role": "user", "content": QUESTION}]
        first = names["ask"](messages)
        result = {"type": "tool_result", "tool_use_id": "c1", "content": "31"}
        messages += [{"role": "assistant", "content": first["content"]}, {"role": "user", "content": [result]}]
        names["ask"](messages)
        client.close()
    assert passes(path)


def get_weather(city: str) -> int:
    """The weather of a city."""
    return 31


@pytest.mark.deep
def test_the_recipe_for_pydantic_ai(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pydantic_ai = import_module("pydantic_ai")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    monkeypatch.chdir(tmp_path)

    def answer(messages: Any, _: Any) -> Any:
        asked = len(messages) > 1
        return ModelResponse(parts=[TextPart("31 °C.") if asked else ToolCallPart("get_weather", {"city": "Hanoi"})])

    agent = pydantic_ai.Agent(FunctionModel(answer), tools=[get_weather])
    assert passes(run_recipe("pydantic-ai", tmp_path, agent=agent)[0])


@pytest.mark.deep
def test_the_recipe_for_langchain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from langchain_core.messages import AIMessage, ToolMessage
    from langgraph.graph import END, START, MessagesState, StateGraph

    monkeypatch.chdir(tmp_path)

    def act(_: Any) -> Any:
        call = {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1"}
        said = [AIMessage("", tool_calls=[call]), ToolMessage("31", tool_call_id="c1"), AIMessage("31 °C.")]
        return {"messages": said}

    builder = StateGraph(MessagesState)
    builder.add_node("act", act)
    builder.add_edge(START, "act")
    builder.add_edge("act", END)
    assert passes(run_recipe("langchain", tmp_path, graph=builder.compile())[0])


@pytest.mark.deep
def test_the_recipe_for_the_agents_sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = import_module("agents")
    import openai

    monkeypatch.chdir(tmp_path)
    agents.set_tracing_disabled(True)
    asks = completion({"role": "assistant", "content": None, "tool_calls": [CALL]}, "tool_calls")
    with vendor(asks, completion({"role": "assistant", "content": "31 °C."}, "stop")) as provider:
        client = openai.AsyncOpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        model = agents.OpenAIChatCompletionsModel("a-model", client)
        agent = agents.Agent("weather", model=model, tools=[agents.function_tool(get_weather)])
        try:
            path, _ = run_recipe("openai-agents", tmp_path, agent=agent, Runner=agents.Runner)
        finally:
            agents.set_tracing_disabled(False)
    assert passes(path)


def test_every_recipe_has_a_test() -> None:
    tried = {"openai-chat", "openai-responses", "anthropic", "pydantic-ai", "langchain", "openai-agents"}
    assert set(RECIPES) == tried
