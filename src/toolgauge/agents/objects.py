"""Agents of other libraries, known by what they can do. None of these libraries is imported here.

They bring their own model and tools; what they did is read from the messages that they return.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from toolgauge.core import Case, Replied, Toolbox
from toolgauge.errors import PluginError

__all__ = ["adapt"]


def adapt(found: object) -> Any | None:
    """An agent around an object of a library that is known; None: it is not one."""
    if isinstance(found, type):
        return None
    if callable(getattr(found, "ainvoke", None)):
        return GraphAgent(found, _name(found, "graph"))
    if hasattr(found, "instructions") and hasattr(found, "tools") and hasattr(found, "handoffs"):
        return OpenAIAgent(found, _name(found, "agent"))
    if callable(getattr(found, "run", None)) and callable(getattr(found, "run_sync", None)):
        return PydanticAgent(found, _name(found, "agent"))
    return None


def _name(found: object, otherwise: str) -> str:
    name = getattr(found, "name", None)
    return name if isinstance(name, str) and name else otherwise


@dataclass(frozen=True, slots=True)
class GraphAgent:
    """A graph of LangGraph, or whatever else of LangChain takes messages and can be invoked."""

    graph: Any
    name: str

    async def __call__(self, case: Case, _: Toolbox) -> Replied:
        """Invoke it with the question as the only message."""
        result = await self.graph.ainvoke({"messages": [{"role": "user", "content": case.input}]})
        if isinstance(result, (str, Mapping)):
            return result
        return cast(Replied, list(result) if isinstance(result, (list, tuple)) else [result])


@dataclass(frozen=True, slots=True)
class OpenAIAgent:
    """An agent of the OpenAI Agents SDK."""

    agent: Any
    name: str

    async def __call__(self, case: Case, _: Toolbox) -> Replied:
        """Run it with the runner of the package that the agent comes from.

        Raises:
            PluginError: That package has none.
        """
        package = type(self.agent).__module__.partition(".")[0]
        runner = getattr(import_module(package), "Runner", None)
        if runner is None:
            raise PluginError(f"the package {package!r} of the agent {self.name!r} has no Runner to run it with")
        result = await runner.run(self.agent, case.input)
        return {"messages": result, "output": _text(getattr(result, "final_output", None))}


@dataclass(frozen=True, slots=True)
class PydanticAgent:
    """An agent of pydantic-ai."""

    agent: Any
    name: str

    async def __call__(self, case: Case, _: Toolbox) -> Replied:
        """Run it with the question as the prompt."""
        result = await self.agent.run(case.input)
        return {"messages": result.all_messages(), "output": _text(getattr(result, "output", None))}


def _text(output: object) -> object:
    """The answer as a text; what is structured is left to the messages, which show how it was given."""
    return output if isinstance(output, str) else None
