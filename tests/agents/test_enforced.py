"""Agents that ask for replies of a certain shape, at servers that enforce the shape they are sent."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from tests.agents.market import CASES, definitions, tools
from tests.servers import Answer, Asked, Server
from tests.servers.enforcing import EnforcingAnthropic, EnforcingOpenAI
from toolgauge.agents.plan_schema import plan_schema
from toolgauge.api import run
from toolgauge.core import (
    Case,
    JsonValue,
    Judge,
    Message,
    ModelReply,
    ModelRequest,
    Suite,
    ToolDefinition,
    ToolRequest,
    Trajectory,
)
from toolgauge.models import Retries, open_model

Kind = type[EnforcingOpenAI] | type[EnforcingAnthropic]

SERVERS: list[tuple[Kind, str]] = [
    (EnforcingOpenAI, "openai:some-model"),
    (EnforcingOpenAI, "openai:gpt-5.2"),
    (EnforcingOpenAI, "openai:qwen2.5-1.5b-instruct"),
    (EnforcingOpenAI, "openai:claude-haiku-4-5"),
    (EnforcingAnthropic, "anthropic:claude-haiku-4-5"),
]

everywhere = pytest.mark.parametrize(("kind", "name"), SERVERS, ids=[name for _, name in SERVERS])

STEPS: list[JsonValue] = [
    {"id": "#E1", "thought": "mã?", "tool": "listing_symbol", "args": {"query": "Cửu Long"}},
    {
        "id": "#E2",
        "thought": "giá",
        "tool": "history_price",
        "args": {"symbol": "#E1.symbol", "start_date": "2026-01-05", "end_date": "2026-01-09"},
    },
]
CALL = ModelReply("Cần tra mã.", (ToolRequest("listing_symbol", {"query": "Cửu Long"}),))
ANSWER = ModelReply("Mã là CCC.")


def said(value: JsonValue) -> ModelReply:
    return ModelReply(json.dumps(value, ensure_ascii=False))


SCRIPTS: dict[str, list[ModelReply]] = {
    "rewoo": [said({"steps": STEPS}), ANSWER],
    "reflexion": [
        CALL,
        ModelReply("Không rõ."),
        said({"satisfied": False, "reason": "chưa có mã"}),
        ModelReply("Tra lại."),
        ANSWER,
        said({"satisfied": True, "reason": "đủ"}),
    ],
    "multi": [
        said({"next": "finance", "task": "Mã của Cửu Long?"}),
        CALL,
        ModelReply("CCC."),
        said({"next": "finish", "task": ""}),
        ANSWER,
    ],
}


def carried_out(server: Server, name: str, agent: str, case: Case = CASES[1]) -> Trajectory:
    suite = Suite("market", (case,), definitions())
    retries = Retries(tries=2, first_wait=0.01, longest_wait=0.02, seed=1)
    model = open_model(name, base_url=server.base_url, api_key="k-0123456789", retries=retries)
    done = run(suite, agent, model=model, tools=tools(), store=False)
    (scored,) = done.scored
    return scored.trajectory


@pytest.mark.deep
@everywhere
def test_a_plan_keeps_its_arguments(kind: Kind, name: str) -> None:
    with kind(list(SCRIPTS["rewoo"])) as server:
        done = carried_out(server, name, "rewoo")
    assert (done.state, done.output, done.error) == ("completed", "Mã là CCC.", None)
    assert [(call.tool, call.args) for call in done.calls] == [
        ("listing_symbol", {"query": "Cửu Long"}),
        ("history_price", {"symbol": "CCC", "start_date": "2026-01-05", "end_date": "2026-01-09"}),
    ]
    assert len(server.requests) == 2


@pytest.mark.deep
@everywhere
@pytest.mark.parametrize("agent", ["reflexion", "multi"])
def test_what_evaluators_and_supervisors_say_arrives(kind: Kind, name: str, agent: str) -> None:
    with kind(list(SCRIPTS[agent])) as server:
        done = carried_out(server, name, agent)
    assert (done.state, done.output, done.error) == ("completed", "Mã là CCC.", None)
    assert len(server.requests) == len(SCRIPTS[agent])
    told = [(event.get("satisfied"), event.get("reason")) for event in done.events if event["kind"] == "round"]
    routes = [(event["next"], event["task"]) for event in done.events if event["kind"] == "route"]
    if agent == "reflexion":
        assert told == [(False, "chưa có mã"), (True, "đủ")]
    else:
        assert routes == [("finance", "Mã của Cửu Long?"), ("finish", "")]


@pytest.mark.deep
@everywhere
def test_what_a_judge_says_arrives(kind: Kind, name: str) -> None:
    case = Case("polite", "Xin chào", judge=Judge("polite"))
    with kind([ModelReply("Chào anh."), said({"score": 0.75, "reason": "lịch sự"})]) as server:
        done = carried_out(server, name, "tools", case)
    (event,) = [event for event in done.events if event["kind"] == "judge"]
    assert (event.get("score"), event.get("reason")) == (0.75, "lịch sự")


@pytest.mark.deep
@everywhere
def test_a_model_that_only_knows_the_schema_makes_calls_with_arguments(kind: Kind, name: str) -> None:
    """What the schema alone gives: the script means nothing but the number of steps."""

    def answer(asked: Asked) -> Answer:
        return ANSWER if asked.number else said({"steps": [{"id": "#E1"}]})

    with kind(answer) as server:
        done = carried_out(server, name, "rewoo")
    assert [(call.tool, sorted(call.args or {})) for call in done.calls] == [
        ("history_price", ["end_date", "start_date", "symbol"])
    ]


OPEN: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"found": {"type": "object"}, "more": {"type": "object", "additionalProperties": {"type": "string"}}},
    "required": ["found"],
}


@pytest.mark.deep
@everywhere
def test_an_open_object_of_ones_own_schema_is_not_closed(kind: Kind, name: str) -> None:
    import asyncio

    async def ask(server: Server) -> ModelReply:
        model: Any = open_model(name, base_url=server.base_url, api_key="k-0123456789")
        reply: ModelReply = await model.ask(ModelRequest((Message("user", "?"),), schema=OPEN))
        await model.close()
        return reply

    meant: JsonValue = {"found": {"a": 1, "b": [2]}, "more": {"c": "d"}}
    with kind([said(meant)]) as server:
        assert json.loads(asyncio.run(ask(server)).text) == meant


PARAMETERS: dict[str, dict[str, JsonValue]] = {
    "typed": {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1},
            "unit": {"enum": ["c", "f"]},
            "days": {"type": "array", "items": {"type": "string", "format": "date"}},
            "where": {"type": "object", "properties": {"city": {"type": "string", "pattern": "^H"}}},
        },
        "required": ["count"],
        "additionalProperties": False,
    },
    "open": {"type": "object"},
    "none": {"type": "object", "properties": {}},
    "pointing": {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/tree"}},
        "$defs": {"tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}}},
    },
    "either": {"oneOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object"}]},
}

PLANNED: list[tuple[str, dict[str, JsonValue], bool]] = [
    ("typed", {"count": 3, "unit": "c", "days": ["2026-01-05"], "where": {"city": "Huế"}}, True),
    ("typed", {"count": "#E1.number", "days": "#E2", "where": {"city": "#E3"}}, True),
    ("typed", {"count": "#E1", "days": ["#E2.day"]}, True),
    ("typed", {"count": "three"}, False),
    ("typed", {"unit": "c"}, False),
    ("typed", {"count": 3, "units": "c"}, False),
    ("open", {"anything": [1, {"goes": None}]}, True),
    ("none", {}, True),
    ("pointing", {"tree": {"left": {"left": {}}}}, True),
    ("either", {"a": "b"}, True),
    ("nobody", {}, False),
]


@pytest.mark.parametrize(("tool", "args", "fits"), PLANNED, ids=[f"{tool} {args}" for tool, args, _ in PLANNED])
def test_the_schema_of_a_plan_takes_what_the_tools_take(tool: str, args: dict[str, JsonValue], fits: bool) -> None:
    known = [ToolDefinition(name, "", parameters) for name, parameters in PARAMETERS.items()]
    plan = {"steps": [{"id": "#E9", "tool": tool, "args": args}]}
    assert jsonschema_rs.is_valid(plan_schema(known), plan) is fits


def test_arguments_of_very_many_tools_are_left_to_the_prompt() -> None:
    many = [ToolDefinition(f"tool_{number}", "", PARAMETERS["typed"]) for number in range(500)]
    schema = plan_schema(many)
    assert len(json.dumps(schema)) < 10_000
    plan = {"steps": [{"id": "#E1", "tool": "tool_499", "args": {"count": 3}}]}
    assert jsonschema_rs.is_valid(schema, plan)
    assert jsonschema_rs.is_valid(plan_schema([]), {"steps": []})
