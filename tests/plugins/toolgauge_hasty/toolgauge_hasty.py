"""An agent that another package brings: it makes the first call that comes to mind, and answers with its result."""

from __future__ import annotations

from dataclasses import dataclass

from toolgauge.core import Case, Message, Model, ModelRequest, Toolbox

__all__ = ["HastyAgent"]


@dataclass(frozen=True)
class HastyAgent:
    """Asks once, calls at most one tool, and does not ask again."""

    model: Model
    name: str = "hasty"
    uses_toolbox: bool = True

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case."""
        reply = await tools.ask(self.model, ModelRequest((Message("user", case.input),), tools.definitions))
        if not reply.calls:
            return reply.text
        first = reply.calls[0]
        tools.tell("plan", steps=[{"tool": first.tool}])
        return (await tools.call(first.tool, first.args, id=first.id)).text
