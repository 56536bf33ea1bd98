"""Agents of other libraries, taken for what they can do, and read from the messages that they return."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest

import toolgauge
from tests.runner.weather import counts, only, suite


@dataclass
class Message:
    """A message as LangChain has it."""

    type: str
    content: str
    tool_calls: list[dict[str, object]] = field(default_factory=list)
    tool_call_id: str = ""
    name: str | None = None


class Graph:
    """What a compiled graph of LangGraph can do."""

    name = "graph"

    async def ainvoke(self, state: dict[str, Any]) -> dict[str, Any]:
        asked = state["messages"][0]
        assert asked["role"] == "user"
        call: dict[str, object] = {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "x", "type": "tool_call"}
        return {
            "messages": [
                Message("human", asked["content"]),
                Message("ai", "", [call]),
                Message("tool", '{"celsius": 31}', tool_call_id="x", name="get_weather"),
                Message("ai", "31 degrees"),
            ]
        }


class Runner:
    """What the OpenAI Agents SDK runs agents with; found in the package of the agent, here this test's."""

    @staticmethod
    async def run(agent: SdkAgent, question: str) -> SdkResult:
        return SdkResult(question)


@dataclass
class SdkAgent:
    name: str = "sdk"
    instructions: str = "Use tools."
    tools: tuple[object, ...] = ()
    handoffs: tuple[object, ...] = ()


@dataclass
class SdkResult:
    input: str
    final_output: str = "31 degrees"
    new_items: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        call = {"type": "function_call", "name": "get_weather", "arguments": '{"city": "Hanoi"}', "call_id": "x"}
        result = {"type": "function_call_output", "call_id": "x", "output": '{"celsius": 31}'}
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "31 degrees"}]}
        kinds = ("tool_call_item", "tool_call_output_item", "message_output_item")
        raw: list[dict[str, object]] = [dict(call), dict(result), dict(said)]
        self.new_items = [Item(kind, one) for kind, one in zip(kinds, raw, strict=True)]

    def to_input_list(self) -> list[object]:
        return [{"role": "user", "content": self.input}]


@dataclass
class Item:
    type: str
    raw_item: dict[str, object]


def test_a_graph_is_invoked_and_its_messages_read() -> None:
    run = toolgauge.run(suite(1), Graph(), store=False)
    trajectory = only(run)
    assert counts(run) == {"passed": 1}
    assert (trajectory.agent, trajectory.output) == ("graph", "31 degrees")
    assert [(call.tool, call.args, call.result) for call in trajectory.calls] == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31})
    ]


def test_an_agent_of_the_openai_sdk_is_run_by_the_runner_of_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import tests

    monkeypatch.setattr(tests, "Runner", Runner, raising=False)
    run = toolgauge.run(suite(1), SdkAgent(), store=False)
    trajectory = only(run)
    assert (counts(run), trajectory.agent, trajectory.output) == ({"passed": 1}, "sdk", "31 degrees")


def test_without_a_runner_it_is_said_what_is_missing() -> None:
    trajectory = only(toolgauge.run(suite(1), SdkAgent(), store=False))
    assert trajectory.state == "error"
    assert trajectory.error == "the package 'tests' of the agent 'sdk' has no Runner to run it with"


@pytest.mark.deep
def test_an_agent_of_pydantic_ai_is_run_and_its_messages_read() -> None:
    pydantic_ai = import_module("pydantic_ai")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def reply(messages: list[Any], info: Any) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse(parts=[TextPart("31 degrees")])
        return ModelResponse(parts=[ToolCallPart("get_weather", {"city": "Hanoi"})])

    agent = pydantic_ai.Agent(FunctionModel(reply), name="typed")

    @agent.tool_plain  # type: ignore[untyped-decorator]  # the package is not installed everywhere
    def get_weather(city: str) -> dict[str, int]:
        return {"celsius": 31}

    run = toolgauge.run(suite(1), agent, store=False)
    trajectory = only(run)
    assert (counts(run), trajectory.agent, trajectory.output) == ({"passed": 1}, "typed", "31 degrees")
    assert [(call.tool, call.args) for call in trajectory.calls] == [("get_weather", {"city": "Hanoi"})]


def test_messages_that_nobody_can_read_are_an_error_of_the_agent() -> None:
    async def strange(case: object, tools: object) -> list[int]:
        return [1, 2, 3]

    trajectory = only(toolgauge.run(suite(1), strange, store=False))
    assert trajectory.state == "error"
    assert "is not a list of messages in a known format" in str(trajectory.error)
