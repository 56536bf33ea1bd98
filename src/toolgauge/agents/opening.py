"""Finding the agent that somebody names: built in, of another package, a Python object, or at an address."""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from toolgauge.core import Agent, Model
from toolgauge.errors import PluginError, UsageError, did_you_mean
from toolgauge.plugins import find_plugins, load_object, load_plugin

__all__ = ["AGENTS", "agent_of", "is_address", "name_of", "open_agent"]

AGENTS = {
    "tools": "toolgauge.agents.loop:ToolsAgent",
    "react": "toolgauge.agents.react:ReactAgent",
    "react-text": "toolgauge.agents.react:text_react",
    "rewoo": "toolgauge.agents.rewoo:RewooAgent",
    "reflexion": "toolgauge.agents.reflexion:ReflexionAgent",
    "multi": "toolgauge.agents.multi:MultiAgent",
}
"""The built-in agents: what makes one, given a model. Packages add others as entry points of `toolgauge.agents`."""


def open_agent(name: str, model: Model | None = None, *, allow_code: bool = False) -> Agent:
    """The agent of a name.

    Args:
        name: A built-in agent, an entry point of `toolgauge.agents`, `module:object`, or an http address.
        model: What agents that need a model get; an entry point is called with it.
        allow_code: Whether somebody said that Python objects may be imported.

    Raises:
        UsageError: There is no such agent, it needs a model, or code was not allowed.
        PluginError: It cannot be imported.
    """
    if is_address(name):
        from .endpoint import HttpAgent

        return HttpAgent(name)
    if name in AGENTS:
        module, _, attribute = AGENTS[name].partition(":")
        return cast(Agent, getattr(import_module(module), attribute)(model))
    if ":" in name:
        return agent_of(load_object(name, allow_code=allow_code), name)
    plugins = find_plugins("agents")
    if name not in plugins:
        hint = did_you_mean(name, [*AGENTS, *plugins])
        if not hint.endswith("?"):
            hint = f"{hint}; or write module:object, or an http address".removeprefix("; ")
        raise UsageError(f"there is no agent {name!r}; {hint}")
    make = load_plugin("agents", name)
    try:
        return agent_of(make(model), name)
    except UsageError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise PluginError(f"the agent {name!r} of another package cannot be made: {what}") from error


def is_address(name: str) -> bool:
    """Whether this is the address of an agent, and no name."""
    return name.startswith(("http://", "https://"))


def agent_of(found: object, name: str = "this object") -> Agent:
    """The agent that a Python object is: a function of case and tools, or an agent of a library that is known.

    Raises:
        UsageError: It is neither.
    """
    from .objects import adapt

    adapted = adapt(found)
    if adapted is not None:
        return cast(Agent, adapted)
    if isinstance(found, type) or not callable(found):
        raise UsageError(
            f"{name} is not an agent; an agent is a function of a case and its tools, or an agent of LangGraph, "
            "pydantic-ai or the OpenAI Agents SDK"
        )
    return cast(Agent, found)


def name_of(agent: Any) -> str:
    """What an agent is called where nobody gave it a name."""
    for attribute in ("name", "__name__"):
        found = getattr(agent, attribute, None)
        if isinstance(found, str) and found:
            return found
    inner = getattr(agent, "func", None)
    return name_of(inner) if inner is not None else type(agent).__name__
