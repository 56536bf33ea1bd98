"""Opening everything that a run needs, and refusing what cannot work, before any model is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import cast

import msgspec
from msgspec.structs import replace

from toolgauge.agents import AGENTS, HttpAgent, agent_of, is_address, name_of, open_agent, read_headers
from toolgauge.benchmarks import benchmark_tools, shipped_suite
from toolgauge.core import Agent, CaseScorer, CodeTool, JsonValue, Pacing, PathLike, Suite, Tool, suite_hash
from toolgauge.errors import UsageError
from toolgauge.files import MEBIBYTE
from toolgauge.metrics import chosen_label
from toolgauge.models import Cassette
from toolgauge.pipeline import open_scorers, scorer_versions
from toolgauge.plugins import check_object_name
from toolgauge.secrets import Secrets
from toolgauge.suites import check_suite, load_suite, suite_file
from toolgauge.tools import BoxLimits, Isolation, McpServer, annotated, importable_name, isolated, load_tools, tools_of

from .agent_task import described_agent
from .isolated_agent import IsolatedAgent
from .models import RunModels
from .opinions import Opinions
from .options import Agents, RunOptions
from .plan import DEFAULT_LIMITS, RunPlan, describe_tools, with_overrides
from .selecting import ChosenCases
from .toolset import RunTools, check_expected, gather_tools

__all__ = ["Setup", "load_run_suite", "set_up"]


@dataclass(slots=True)
class Setup:
    """Everything that a run needs, opened."""

    plan: RunPlan
    shown: Suite
    """The suite without credentials: what is kept, and what trajectories without credentials are scored by."""
    toolset: RunTools
    cassette: Cassette | None
    secrets: Secrets
    models: RunModels
    opinions: Opinions
    scorers: tuple[CaseScorer, ...] = ()
    settings: dict[str, JsonValue] = field(default_factory=dict)
    """What has to be the same for the run to be resumed."""
    about: dict[str, JsonValue] = field(default_factory=dict)
    """What else is recorded of how the run came about."""
    source: str | None = None
    """The file of the suite, as far as it is kept."""
    code: tuple[CodeTool, ...] = ()
    """Tools in Python that the file of the suite names."""
    benchmark: PathLike | None = None
    """What the suite was asked for by, which may be the name of a shipped one."""

    async def close(self) -> list[str]:
        """End the processes of agents, then what tools left behind, and say what that was."""
        for agent in self.plan.agents.values():
            if isinstance(agent, IsolatedAgent):
                await agent.close()
        return await self.toolset.box.close()


async def set_up(
    suite: Suite | PathLike,
    agents: Agents,
    options: RunOptions,
    secrets: Secrets,
    stack: AsyncExitStack,
    chosen: ChosenCases | None = None,
    pacing: Pacing | None = None,
    *,
    code: Sequence[CodeTool] = (),
    benchmark: PathLike | None = None,
) -> Setup:
    """Open suite, models, agents and tools.

    Args:
        suite: A suite, or the path of one.
        agents: What is run.
        options: What else was said.
        secrets: Credentials, which are not kept.
        stack: Closes what is opened.
        chosen: Finds the cases that are wanted; default: as the options say.
        pacing: Says who may ask a provider, where that is limited; default: this process alone.
        code: Tools in Python that belong to a suite which is given as a value.
        benchmark: What a suite that is given as a value was asked for by.

    Raises:
        ToolgaugeError: Something cannot be opened, or does not fit together.
    """
    objects = list(code)
    benchmark = benchmark if isinstance(suite, Suite) else suite
    chosen = chosen or ChosenCases(options)
    loaded = chosen.of(_load(suite, objects, options))
    if chosen.words:
        options.say(chosen.words)
    chosen_label(loaded, options.by)
    scorers = open_scorers(options.scorers, allow_code=options.allow_code)
    cassette = _cassette(options, secrets)
    if cassette is not None:
        stack.callback(cassette.close)
    models = RunModels(options, cassette, secrets, pacing)
    stack.push_async_callback(models.close)
    memory = options.tool_memory and options.tool_memory * MEBIBYTE
    isolation = Isolation(memory, frozenset(options.tool_env))
    opened = _open_agents(agents, models, options, isolation)
    await _open_processes(opened.values(), stack)
    opinions = Opinions(models, options)
    opinions.check(loaded)
    given = _given_tools(objects, options.allow_code, isolation)
    asked_for = _given_tools(options.tools, options.allow_code, isolation)
    given += isolated(asked_for, isolation) if options.isolate else asked_for
    servers = [McpServer(target, remark=options.say) for target in options.mcp]
    if benchmark is not None and not given and not servers and not options.mock:
        given += benchmark_tools(benchmark, loaded)
    limits = None if options.call_seconds is None else BoxLimits(seconds=options.call_seconds)
    toolset = await gather_tools(loaded, given, servers, stack, mock=options.mock, limits=limits, cassette=cassette)
    if toolset.kinds or any(getattr(agent, "uses_toolbox", False) for agent in opened.values()):
        check_expected(loaded, toolset)
    if not loaded.tools:
        loaded = replace(loaded, tools=toolset.box.definitions)
    _remark(models, toolset, options)
    plan = RunPlan(loaded, opened, options.trials, with_overrides(DEFAULT_LIMITS, options.limits))
    setup = Setup(plan, _without_credentials(loaded, secrets), toolset, cassette, secrets, models, opinions, scorers)
    setup.source = suite_file(suite)
    setup.code, setup.benchmark = tuple(objects), benchmark
    setup.settings = {**_settings(setup, options), **chosen.settings}
    setup.about = chosen.about
    return setup


def _load(suite: Suite | PathLike, objects: list[CodeTool], options: RunOptions) -> Suite:
    """The suite, read once: whatever becomes of the file, the run rests on what was read here."""
    if isinstance(suite, Suite):
        return check_suite(suite)
    path = shipped_suite(suite) or suite
    return load_suite(path, input_format=options.suite_format, remark=options.tell, objects=objects)


def load_run_suite(suite: Suite | PathLike, options: RunOptions) -> Suite:
    """The suite with the cases that a run with these options is on; no code that it names is imported.

    Raises:
        NothingToDo: There are none.
        ToolgaugeError: The suite cannot be read, or the run whose failures are wanted.
    """
    chosen = ChosenCases(options)
    loaded = chosen.of(_load(suite, [], options))
    if chosen.words:
        options.say(chosen.words)
    return loaded


def _remark(models: RunModels, toolset: RunTools, options: RunOptions) -> None:
    """Say what is worth knowing of models and tools."""
    if remark := getattr(models.main, "remark", ""):
        options.say(remark)
    if echoes := toolset.echoes:
        listed = ", ".join(echoes[:3]) + (", ..." if len(echoes) > 3 else "")
        options.say(f"mocks without results repeat their arguments: {listed}")


def _without_credentials(suite: Suite, secrets: Secrets) -> Suite:
    try:
        written = msgspec.json.encode(suite, enc_hook=str)
    except UnicodeEncodeError:
        return secrets.redact_struct(suite)
    # Looking through the text is much quicker, and nearly always enough.
    return suite if secrets.redact(written) is written else secrets.redact_struct(suite)


def _cassette(options: RunOptions, secrets: Secrets) -> Cassette | None:
    record, replay = options.record, options.replay
    if record is not None and replay is not None:
        raise UsageError("a run is recorded or replayed, not both; leave out --record or --replay")
    if record is not None:
        return Cassette.record(record, secrets=secrets, append=options.resume is not None)
    return Cassette.replay(replay, secrets=secrets) if replay is not None else None


def _given_tools(tools: object, allow_code: bool, isolation: Isolation) -> list[Tool]:
    if tools is None:
        return []
    if isinstance(tools, str):
        return load_tools(tools, allow_code=allow_code)
    if isinstance(tools, CodeTool):
        wanted = isolation if tools.isolate == "process" else None
        return annotated(load_tools(tools.python, allow_code=allow_code, isolation=wanted), tools.annotations)
    if isinstance(tools, (list, tuple)):
        return [tool for item in tools for tool in _given_tools(item, allow_code, isolation)]
    return tools_of(tools, "tools")


def _open_agents(agents: Agents, models: RunModels, options: RunOptions, isolation: Isolation) -> dict[str, Agent]:
    """The agents by name.

    Raises:
        UsageError: There are none, or two with one name.
    """
    named: Iterable[tuple[str | None, object]]
    if isinstance(agents, Mapping):
        named = agents.items()
    elif isinstance(agents, (list, tuple)):
        named = [(None, agent) for agent in agents]
    else:
        named = [(None, agents)]
    opened: dict[str, Agent] = {}
    for name, one in named:
        if options.isolate_agent and (target := _target(one, options)):
            agent = cast(Agent, IsolatedAgent(target, isolation, target.rpartition(":")[2]))
        elif isinstance(one, str):
            agent = _at_address(one, options) or open_agent(one, models.main, allow_code=options.allow_code)
        else:
            agent = agent_of(one, f"the agent {name!r}" if name else "this object")
        called = name or (name_of(agent) if not isinstance(one, str) or "://" in one else one)
        if called in opened:
            raise UsageError(f"two agents are called {called!r}; give one of them another name: NAME=AGENT")
        opened[called] = agent
    if not opened:
        raise UsageError("there is no agent to run")
    if options.isolate_agent and not any(isinstance(agent, IsolatedAgent) for agent in opened.values()):
        raise UsageError("--isolate-agent is for agents in Python, named as module:object; no agent of this run is one")
    if _asks_endpoints(options) and not any(hasattr(agent, "url") for agent in opened.values()):
        raise UsageError("--agent-header, --agent-field and --agent-conversation are for agents at http addresses")
    return opened


def _target(agent: object, options: RunOptions) -> str:
    """Where another process finds an agent, as `module:object`; empty: it is no Python object of somebody's own.

    Raises:
        UsageError: Another process cannot import it, or code is not allowed.
    """
    if not isinstance(agent, str):
        return importable_name(agent)
    if is_address(agent) or agent in AGENTS or ":" not in agent:
        return ""
    check_object_name(agent, allow_code=options.allow_code)
    return agent


async def _open_processes(agents: Iterable[Agent], stack: AsyncExitStack) -> None:
    """Start a process for every agent that has its own, which shows whether there is such an agent."""
    for agent in agents:
        if isinstance(agent, IsolatedAgent):
            stack.push_async_callback(agent.close)
            await agent.open()


def _at_address(name: str, options: RunOptions) -> Agent | None:
    """The agent at an address, with what the run says of such agents; None: it says nothing, or this is none."""
    if not is_address(name) or not _asks_endpoints(options):
        return None
    return HttpAgent(
        name,
        headers=read_headers(options.agent_headers),
        field=options.agent_field,
        conversation=options.agent_conversation,
    )


def _asks_endpoints(options: RunOptions) -> bool:
    """Whether the run says how agents at addresses are asked."""
    return bool(options.agent_headers or options.agent_field or options.agent_conversation)


def _settings(setup: Setup, options: RunOptions) -> dict[str, JsonValue]:
    plan, judge = setup.plan, options.judge_model
    settings: dict[str, JsonValue] = {
        "suite": suite_hash(plan.suite),
        "agents": {name: described_agent(agent) for name, agent in plan.agents.items()},
        "model": None if setup.models.main is None else setup.models.main.name,
        "base_url": setup.models.address(options.model) or options.base_url,
        "judge": False if options.no_judge else judge if judge is None or isinstance(judge, str) else judge.name,
        "tools": describe_tools(setup.toolset.box.definitions, setup.toolset.kinds),
        "trials": plan.trials,
        "limits": msgspec.to_builtins(plan.limits),
        "grounding": options.grounding,
        **scorer_versions(setup.scorers),
    }
    if (address := setup.models.address(judge)) not in (None, settings["base_url"]):
        settings["judge_base_url"] = address
    if (pointing := options.answer_model) is not None:
        settings["answer_model"] = pointing if isinstance(pointing, str) else pointing.name
        if (address := setup.models.address(pointing)) not in (None, settings["base_url"]):
            settings["answer_base_url"] = address
    if setup.models.prices:
        settings["prices"] = msgspec.to_builtins(setup.models.prices)
    tuned: dict[str, JsonValue] = {"temperature": options.temperature, "max_tokens": options.max_tokens}
    settings.update({name: value for name, value in tuned.items() if value is not None})
    return setup.secrets.redact(cast(JsonValue, settings))  # type: ignore[return-value]  # an object stays one
