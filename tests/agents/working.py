"""Lets an agent work on a case with the tools of the market, in one process and without a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import toolgauge
from tests.agents.market import tools
from toolgauge.core import (
    Agent,
    Case,
    JsonValue,
    Limits,
    Model,
    ModelReply,
    ModelRequest,
    Suite,
    ToolRequest,
    Trajectory,
)
from toolgauge.testing import ScriptedModel, ScriptedReply

__all__ = ["QUESTION", "calls", "events", "made", "purposes", "said", "work"]

QUESTION = Case("c", "Giá cổ phiếu AAA ngày 05/01/2026?", locale="vi", now="2026-01-30")


def work(
    make: Callable[[Model], Agent],
    script: Sequence[ScriptedReply] | Callable[[ModelRequest], ScriptedReply],
    case: Case = QUESTION,
    limits: Limits | None = None,
) -> tuple[Trajectory, ScriptedModel]:
    """What the agent did, and the model with what it was asked."""
    model = ScriptedModel(script)
    run = toolgauge.run(Suite("market", (case,)), make(model), tools=tools(), limits=limits, store=False)
    (scored,) = run.scored
    return scored.trajectory, model


def calls(*asked: tuple[str, dict[str, JsonValue]], text: str = "") -> ModelReply:
    """A reply that asks for calls."""
    return ModelReply(text, tuple(ToolRequest(tool, args, f"id{n}") for n, (tool, args) in enumerate(asked)))


def made(trajectory: Trajectory) -> list[str]:
    """The tools that were called, in order."""
    return [call.tool for call in trajectory.calls]


def events(trajectory: Trajectory, kind: str) -> list[dict[str, JsonValue]]:
    """The events of a kind, without the kind."""
    found = [event for event in trajectory.events if event["kind"] == kind]
    return [{key: value for key, value in event.items() if key != "kind"} for event in found]


def purposes(model: ScriptedModel) -> list[str]:
    """What the model was asked for, request by request."""
    return [request.purpose for request in model.requests]


def said(request: ModelRequest) -> str:
    """Everything that a request says."""
    return "\n".join(message.text for message in request.messages)
