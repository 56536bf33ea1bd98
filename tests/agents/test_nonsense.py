"""Whatever a model says, an agent ends in a state that can be reported, and never in a fault of its own."""

from __future__ import annotations

import random

import pytest

from tests.agents.working import work
from toolgauge.agents import open_agent
from toolgauge.core import Agent, JsonValue, Model, ModelReply, ModelRequest, ToolRequest
from toolgauge.testing import ScriptedReply

DEEP = '{"a":' * 300 + "1" + "}" * 300
TEXTS = [
    "",
    "{",
    "null",
    "\x00",
    "\ud800",
    DEEP,
    DEEP * 10,
    '{"steps": []}',
    '{"steps": [{"id": "#E1", "tool": "time_now", "args": {}}, {"tool": "search_web", "args": {"query": "#E1.x[0]"}}]}',
    '{"steps": [{"id": 1, "tool": "search_web", "args": "{}"}]}',
    f'{{"steps": [{{"id": "#E1", "tool": "search_web", "args": {DEEP}}}]}}',
    '{"steps": [{"tool": "time_now"}, {"tool": "search_web", "args": {"query": "#E1[99999999999999999999].a"}}]}',
    '{"satisfied": true}',
    '{"satisfied": false, "reason": "r"}',
    '{"satisfied": NaN}',
    '{"next": "finance", "task": "?"}',
    '{"next": "research"}',
    '{"next": "finish", "task": null}',
    '{"next": 1e999}',
    "Action: time_now\nAction Input: {}",
    "Action: \nAction Input: {}",
    "Thought: a\nFinal Answer: b",
    "Action: x" * 500,
    "#E1 = time_now()",
    "#E1 = a({" * 500,
]
ARGUMENTS: list[dict[str, JsonValue] | None] = [{}, None, {"query": "x"}, {"query": "\ud800"}, {"query": {"a": []}}]


@pytest.mark.parametrize("name", ["tools", "react", "react-text", "rewoo", "reflexion", "multi"])
def test_nonsense_is_survived(name: str) -> None:
    chance = random.Random(name)

    def says_anything(_: ModelRequest) -> ScriptedReply:
        text = chance.choice(TEXTS)
        if chance.random() < 0.7:
            return text
        tools = chance.choices(["time_now", "search_web", "nope", ""], k=chance.choice([1, 2, 40]))
        return ModelReply(text, tuple(ToolRequest(tool, chance.choice(ARGUMENTS), "c", "?") for tool in tools))

    def make(model: Model) -> Agent:
        return open_agent(name, model)

    for _ in range(60):
        trajectory, _model = work(make, says_anything)
        assert trajectory.state in ("completed", "error", "limit")
        assert not [event for event in trajectory.events if event["kind"] == "trace"], trajectory.events
