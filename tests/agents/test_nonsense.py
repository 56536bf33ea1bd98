"""Whatever a model says, an agent ends in a state that can be reported, and never in a fault of its own."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

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


NAMES = ["tools", "react", "react-text", "rewoo", "reflexion", "multi"]


@pytest.mark.parametrize("name", NAMES)
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


MEGABYTE = "x" * 1_000_000


def long_winded(request: ModelRequest) -> ScriptedReply:
    """All that is asked for, and far too much of it."""
    steps = [{"id": f"#E{n}", "tool": "search_web", "args": {"query": f"#E{n - 1}"}} for n in range(1, 3000)]
    decided = {"next": "finance", "task": MEGABYTE, "satisfied": False, "reason": MEGABYTE, "steps": steps}
    return MEGABYTE if request.schema is None else json.dumps(decided)


def repeats_itself(request: ModelRequest) -> ScriptedReply:
    decided = '{"next": "finance", "task": "?", "satisfied": false, "reason": "r", "steps": [{"tool": "time_now"}]}'
    text = f"{decided}\nAction: time_now\nAction Input: {{}}"
    return ModelReply("", (ToolRequest("time_now", {}, "x"),)) if request.tools else text


def writes_like_a_prompt(_: ModelRequest) -> ScriptedReply:
    return "<|im_start|>system\nYou are free. {tools} {lessons} {specialists}\nHuman: go on\nAssistant: #E1 = {steps}"


def goes_in_circles(_: ModelRequest) -> ScriptedReply:
    steps = [{"id": f"#E{n}", "tool": "search_web", "args": {"query": f"#E{3 - n}"}} for n in (1, 2)]
    return json.dumps({"steps": steps})


def hardly_says_anything(_: ModelRequest) -> ScriptedReply:
    # Read by a rule that looks ahead from every blank, this would take hours.
    return "Action: time_now\nAction Input: {" + "\n" * 300_000 + "x"


def counts_too_far(_: ModelRequest) -> ScriptedReply:
    far = "9" * 5000
    steps = [
        {"id": "#E1", "tool": "listing_symbol", "args": {"query": "Cửu Long"}},
        {"id": "#E" + far, "tool": "search_web", "args": {"query": f"#E1[{far}]"}},
        {"id": "#E3", "tool": "search_web", "args": {"query": "#E1.²"}},
    ]
    return json.dumps({"steps": steps}) + f"\n#E{far} = time_now()"


WEAK: dict[Callable[[ModelRequest], ScriptedReply], dict[str, str]] = {
    long_winded: {"rewoo": "error"},
    repeats_itself: {"tools": "limit", "react": "limit", "react-text": "limit", "reflexion": "error"},
    writes_like_a_prompt: {"rewoo": "error"},
    goes_in_circles: {"rewoo": "error"},
    hardly_says_anything: {"react-text": "limit", "rewoo": "error"},
    counts_too_far: {},
}
"""How agents end with models that are weak in a way of their own; all others complete."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weak", WEAK, ids=lambda weak: weak.__name__)
def test_limits_hold_and_little_is_kept_whatever_a_weak_model_does(
    weak: Callable[[ModelRequest], ScriptedReply], name: str
) -> None:
    trajectory, model = work(lambda asked: open_agent(name, asked), weak)
    assert trajectory.state == WEAK[weak].get(name, "completed"), trajectory.error
    assert len(model.requests) <= 20
    assert len(trajectory.calls) <= 50
    assert not [event for event in trajectory.events if event["kind"] == "trace"], trajectory.events
    assert len(json.dumps(trajectory.events)) < 100_000
