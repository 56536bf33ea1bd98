"""What goes to a model and comes back from it, in words of our own: every provider's layout is turned into these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from .json import JsonValue
from .suite import ToolDefinition
from .trajectory import Usage

__all__ = ["Message", "ModelReply", "ModelRequest", "Purpose", "Role", "ToolRequest", "ToolResult"]

Role = Literal["system", "user", "assistant", "tool"]

Purpose = Literal["act", "plan", "solve", "evaluate", "reflect", "route", "judge", "point"]
"""What a model is asked for: to continue the task, or one of the steps that some agents put around it."""


class ToolRequest(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tool call that a model asks for."""

    tool: str
    args: dict[str, JsonValue] | None = {}
    """None: what the model wrote is no JSON object."""
    id: str = ""
    written: str = ""
    """What the model wrote, where that is no JSON object."""


class Message(Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of a conversation."""

    role: Role
    text: str = ""
    calls: tuple[ToolRequest, ...] = ()
    """The calls that an assistant asks for."""
    call_id: str = ""
    """The call that a tool answers."""
    tool: str = ""
    """The tool that answers."""
    failed: bool = False
    """Whether what a tool answers is a failure."""


class ModelRequest(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a model is asked."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    purpose: Purpose = "act"
    schema: Mapping[str, JsonValue] | None = None
    """JSON schema of the reply, where it is to be an object and not prose."""
    temperature: Annotated[float, Meta(ge=0)] | None = None
    """Absent: the provider's own."""
    max_tokens: Annotated[int, Meta(ge=1)] | None = None


class ModelReply(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a model answers: words, calls, or both."""

    text: str = ""
    calls: tuple[ToolRequest, ...] = ()
    usage: Usage | None = None
    """None: the provider did not say."""
    cut: bool = False
    """Whether it ended because it reached the limit of tokens."""


class ToolResult(Struct, frozen=True, gc=False, omit_defaults=True):
    """What came of a tool call."""

    value: JsonValue = None
    error: str | None = None
    """Why it failed; None: it did not."""
    text: str = ""
    """What a model gets to read of it, shortened where it is long."""
