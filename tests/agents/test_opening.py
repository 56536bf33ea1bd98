"""Finding and calling what is evaluated: functions, objects of libraries, names."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from tests.runner.weather import TOOL, solver
from toolgauge.agents import HttpAgent, ToolsAgent, agent_of, call_agent, name_of, open_agent
from toolgauge.core import Agent, Case, Limits, Replied, Toolbox
from toolgauge.errors import PluginError, UsageError
from toolgauge.runner import Trial
from toolgauge.tools import Box, from_definition

CASE = Case("c", "Weather in Hanoi?")


def work(agent: Any) -> tuple[Replied, Trial]:
    trial = Trial(Box([from_definition(TOOL)]), Limits())
    return asyncio.run(call_agent(agent_of(agent), CASE, trial)), trial


async def asynchronous(case: Case, tools: Toolbox) -> str:
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


def synchronous(case: Case, tools: Any) -> str:
    tools.tell("plan", steps=1)
    tools.begin_round(2)
    text: str = tools.only(["get_weather"]).call("get_weather", {"city": "Hanoi"}).text
    return text


def hands_over(case: Case, tools: Toolbox) -> Any:
    return asynchronous(case, tools)


class Instance:
    async def __call__(self, case: Case, tools: Toolbox) -> str:
        return await asynchronous(case, tools)


class Method:
    def answer(self, case: Case, tools: Any) -> str:
        return synchronous(case, tools)


@pytest.mark.parametrize(
    "agent",
    [asynchronous, synchronous, hands_over, Instance(), Method().answer, partial(asynchronous), partial(synchronous)],
    ids=["async", "sync", "sync that hands over", "instance", "method", "partial", "sync partial"],
)
def test_anything_that_can_be_called_is_an_agent(agent: Agent) -> None:
    replied, trial = work(agent)
    assert replied == '{"celsius":31}'
    assert [call.tool for call in trial.calls] == ["get_weather"]


def test_a_blocking_agent_does_not_hold_up_others() -> None:
    import threading

    both = threading.Barrier(2, timeout=20)

    def meets(case: Case, tools: Toolbox) -> str:
        both.wait()
        return "met"

    async def together() -> list[Replied]:
        return await asyncio.gather(*(call_agent(meets, CASE, Trial(Box(), Limits())) for _ in range(2)))

    assert asyncio.run(together()) == ["met", "met"]


def test_what_a_blocking_agent_raises_comes_out() -> None:
    def leaves(case: Case, tools: Toolbox) -> str:
        sys.exit(3)

    def stops(case: Case, tools: Toolbox) -> str:
        raise StopIteration("over")

    with pytest.raises(RuntimeError, match="SystemExit: 3"):
        work(leaves)
    with pytest.raises(RuntimeError, match="StopIteration"):
        work(stops)


def test_agents_are_found_by_name() -> None:
    assert isinstance(open_agent("tools", solver()), ToolsAgent)
    assert isinstance(open_agent("http://127.0.0.1:1/agent"), HttpAgent)
    found = open_agent("tests.agents.test_opening:asynchronous", allow_code=True)
    assert name_of(found) == "asynchronous"


def test_code_is_not_imported_unless_it_is_allowed() -> None:
    name = "tests.agents.never_imported"
    with pytest.raises(UsageError, match="run only with --allow-code"):
        open_agent(f"{name}:agent")
    assert name not in sys.modules


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tool", "there is no agent 'tool'; did you mean 'tools'?"),
        ("http://", "is not the address of an agent"),
        ("tests.agents.test_opening:CASE", "is not an agent; an agent is a function"),
        ("tests.agents.test_opening:Instance", "is not an agent; an agent is a function"),
    ],
)
def test_what_is_no_agent_is_refused(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("?", r"\?")):
        open_agent(name, solver(), allow_code=True)


def test_packages_bring_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = EntryPoints(
        [
            EntryPoint("loop", "tests.agents.test_opening:make", "toolgauge.agents"),
            EntryPoint("broken", "tests.agents.test_opening:fails", "toolgauge.agents"),
        ]
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries.select(group=group))
    model = solver()
    agent = open_agent("loop", model)
    assert isinstance(agent, ToolsAgent)
    assert agent.model is model
    with pytest.raises(PluginError, match="'broken' of another package cannot be made: ValueError: no"):
        open_agent("broken", model)


def make(model: Any) -> ToolsAgent:
    return ToolsAgent(model, name="loop")


def fails(model: Any) -> None:
    raise ValueError("no")
