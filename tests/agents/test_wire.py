"""The agents through both wire protocols, with a model that does well and with models that do badly."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from tests.agents.market import CASES, definitions, tools
from tests.servers import Answer, AnthropicServer, Asked, OpenAIServer, Reply, Server
from toolgauge.api import run
from toolgauge.core import ModelReply, Run, Suite, ToolRequest, Trajectory
from toolgauge.models import Retries, open_model

pytestmark = pytest.mark.deep

Kind = type[OpenAIServer] | type[AnthropicServer]
NAMES = {OpenAIServer: "openai:some-model", AnthropicServer: "anthropic:claude-haiku-4-5"}
AGENTS = ["tools", "react", "react-text", "rewoo", "reflexion", "multi"]

both = pytest.mark.parametrize("kind", [OpenAIServer, AnthropicServer])

CALL = ModelReply("Cần tra mã.", (ToolRequest("listing_symbol", {"query": "Cửu Long"}),))
ANSWER = ModelReply("Mã là CCC.")
PLAN = ModelReply(json.dumps({"steps": [{"id": "#E1", "tool": "listing_symbol", "args": {"query": "Cửu Long"}}]}))
SCRIPTS: dict[str, list[ModelReply]] = {
    "tools": [CALL, ANSWER],
    "react": [CALL, ANSWER],
    "react-text": [
        ModelReply('Thought: t\nAction: listing_symbol\nAction Input: {"query": "Cửu Long"}'),
        ModelReply("Final Answer: Mã là CCC."),
    ],
    "rewoo": [PLAN, ANSWER],
    "reflexion": [CALL, ANSWER, ModelReply('{"satisfied": true, "reason": "đủ"}')],
    "multi": [
        ModelReply('{"next": "finance", "task": "Mã của Cửu Long?"}'),
        CALL,
        ModelReply("CCC."),
        ModelReply('{"next": "finish", "task": ""}'),
        ANSWER,
    ],
}


def carried_out(server: Server, agents: Sequence[str]) -> Run:
    suite = Suite("market", (CASES[1],), definitions())
    retries = Retries(tries=2, first_wait=0.01, longest_wait=0.02, seed=1)
    model = open_model(NAMES[type(server)], base_url=server.base_url, api_key="k-0123456789", retries=retries)
    return run(suite, list(agents), model=model, tools=tools(), store=False, concurrency=2)


def trajectories(done: Run) -> list[Trajectory]:
    return [scored.trajectory for scored in done.scored]


@both
@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_speaks_both_protocols(kind: Kind, agent: str) -> None:
    script = SCRIPTS[agent]
    with kind(list(script)) as server:
        (done,) = trajectories(carried_out(server, [agent]))
    assert (done.state, done.output) == ("completed", "Mã là CCC.")
    assert [(call.tool, call.args) for call in done.calls] == [("listing_symbol", {"query": "Cửu Long"})]
    assert done.usage is not None
    assert done.usage.requests == len(script) == len(server.requests)


def says_nothing(_: Asked) -> Answer:
    return ModelReply("")


def repeats_itself(asked: Asked) -> Answer:
    return CALL if asked.tools else ModelReply('Action: time_now\nAction Input: {}\n{"next": "finance", "task": "?"}')


def writes_no_json(asked: Asked) -> Answer:
    broken = (ToolRequest("listing_symbol", None, "", '{"query": '),) if asked.tools else ()
    return ModelReply('{"steps": [{"id": ', broken)


def makes_up_tools(asked: Asked) -> Answer:
    made_up = (ToolRequest("get_rich", {"quick": True}),) if asked.tools else ()
    return ModelReply('{"steps": [{"id": "#E1", "tool": "get_rich", "args": {}}], "next": "boss"}', made_up)


def cannot_be_parsed(_: Asked) -> Answer:
    return Reply(500, {"error": {"message": "Failed to parse tool call arguments as JSON"}})


WEAK = [
    *((kind, weak) for kind in NAMES for weak in (says_nothing, repeats_itself, makes_up_tools, cannot_be_parsed)),
    (OpenAIServer, writes_no_json),  # in the other protocol arguments are an object, never a text
]


@pytest.mark.parametrize(("kind", "weak"), WEAK, ids=[f"{weak.__name__} {kind.__name__}" for kind, weak in WEAK])
def test_no_agent_breaks_on_what_a_weak_model_returns(kind: Kind, weak: Callable[[Asked], Answer]) -> None:
    with kind(weak) as server:
        done = trajectories(carried_out(server, AGENTS))
    assert [one.agent for one in done] == AGENTS
    for one in done:
        assert one.state in ("completed", "error", "limit")
        assert (one.error is None) == (one.state == "completed")
        assert not [event for event in one.events if event["kind"] == "trace"], one
