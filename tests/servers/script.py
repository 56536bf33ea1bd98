"""What a server is asked, and what a script may let it answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from toolgauge.core import ModelReply

__all__ = [
    "Answer",
    "Asked",
    "BreaksOff",
    "Dribbles",
    "Later",
    "Reply",
    "Request",
    "Resets",
    "Script",
    "Silent",
    "play",
]


@dataclass(frozen=True)
class Request:
    """An HTTP request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Asked:
    """What a provider understands of a request, whatever its layout."""

    model: str
    system: str
    """Instructions that stand before the conversation."""
    question: str
    """The first thing the user says."""
    last: str
    """The last thing the user says."""
    results: tuple[str, ...]
    """What tools gave back so far, in order."""
    tools: tuple[str, ...]
    """The names of the tools on offer."""
    request: Request
    number: int = 0
    """How many requests came before it."""


@dataclass(frozen=True)
class Reply:
    """A whole HTTP reply, with a body of JSON or whatever bytes are given."""

    status: int = 200
    body: object = None
    """Bytes and text are sent as they are; None: an error in the layout of the provider, or nothing with 200."""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class BreaksOff:
    """A reply that ends, orderly, before all that was promised has been sent."""

    sent: int = 20


@dataclass(frozen=True)
class Resets:
    """A connection that is reset in the middle of a reply; with 0 bytes sent before any of it."""

    sent: int = 20


@dataclass(frozen=True)
class Silent:
    """No answer, ever."""


@dataclass(frozen=True)
class Dribbles:
    """A body that comes byte by byte and has no end."""

    seconds: float = 0.02
    """Between two bytes."""


@dataclass(frozen=True)
class Later:
    """An answer that takes its time."""

    seconds: float
    answer: ModelReply | Reply


Answer: TypeAlias = ModelReply | Reply | BreaksOff | Resets | Silent | Dribbles | Later

Script: TypeAlias = Callable[[Asked], Answer] | Sequence[Answer]


def play(script: Script) -> Callable[[Asked], Answer]:
    """The script as a function. It is called by one thread, one request after the other."""
    if callable(script):
        return script
    answers = list(script)

    def next_answer(asked: Asked) -> Answer:
        if answers:
            return answers.pop(0)
        return Reply(400, {"error": {"type": "script", "message": "the script of this server is over"}})

    return next_answer
