"""ReAct: the model reasons and acts in turns, by tool calls or, where it has none, by a protocol in plain text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolgauge.core import Case, Message, Model, Toolbox

from .asking import ModelAgent, tool_lines
from .prompting import language_of
from .textual import work_in_text

__all__ = ["Protocol", "ReactAgent", "text_react"]

Protocol: TypeAlias = Literal["native", "text"]
"""native: the provider's tool calls; text: Thought, Action and Observation, for models without them."""


@dataclass(frozen=True, slots=True)
class ReactAgent(ModelAgent):
    """Thinks before each call, and looks at its result before the next."""

    name: str = field(default="react", kw_only=True)
    protocol: Protocol = field(default="native", kw_only=True)
    turns: int | None = field(default=None, kw_only=True)
    """How often the model is asked at most; None: as often as the limits of the case allow."""
    parallel: bool = field(default=True, kw_only=True)
    """Whether the calls of one reply are made at the same time."""

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case.

        Raises:
            AgentFailure: The model says nothing, over and over.
            ModelError: The model does not answer.
        """
        language = language_of(case)
        question = Message("user", case.input)
        if self.protocol == "native":
            messages = [Message("system", self.prompt("react", case)), question]
            return await self.loop(parallel=self.parallel).work(messages, tools, language, turns=self.turns)
        prompt = self.prompt("react-text", case, tools=tool_lines(tools.definitions))
        return await work_in_text(self, [Message("system", prompt), question], tools, language, turns=self.turns)


def text_react(model: Model) -> ReactAgent:
    """The agent `react-text`, for models that do not know tool calls."""
    return ReactAgent(model, name="react-text", protocol="text")
