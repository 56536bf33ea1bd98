"""Models for tests of agents and of whatever asks a model, without a network."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from toolgauge.core import ModelReply, ModelRequest
from toolgauge.errors import ModelError

__all__ = ["ScriptedModel", "ScriptedReply"]

ScriptedReply: TypeAlias = ModelReply | str | Exception
"""A reply, the text of one, or what is raised in its place."""


class ScriptedModel:
    """A model that returns scripted replies, and records the requests.

        model = ScriptedModel([ModelReply(calls=(ToolRequest("get_weather", {"city": "Hanoi"}),)), "31 °C."])
        model = ScriptedModel(lambda request: request.messages[-1].text.upper())

    A list is consumed in order, one reply per request; a function, `async` or not, is called with every request, and is
    the better choice if several cases run at once.
    """

    def __init__(
        self,
        script: Sequence[ScriptedReply] | Callable[[ModelRequest], ScriptedReply | Awaitable[ScriptedReply]],
        *,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        """What it was asked, in order."""
        self._script = script if callable(script) else list(script)

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The next reply.

        Raises:
            ModelError: The list is used up, or the script says so.
        """
        self.requests.append(request)
        reply = await self._next(request)
        if isinstance(reply, Exception):
            raise reply
        return ModelReply(reply) if isinstance(reply, str) else reply

    async def _next(self, request: ModelRequest) -> ScriptedReply:
        if callable(self._script):
            reply = self._script(request)
            return await reply if inspect.isawaitable(reply) else reply
        number = len(self.requests)
        if number > len(self._script):
            message = (
                f"the model {self.name!r} was asked {number} times, and its script has {len(self._script)} replies"
            )
            raise ModelError(message, kind="refused")
        return self._script[number - 1]
