"""What a reply says it took, looked at before anybody reads the reply: where it cannot be true, it is unknown."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from toolgauge.core import LARGEST_AMOUNT

__all__ = ["are_sound", "with_unknown_usage"]

FIGURE = re.compile(r"(?:tokens|Tokens|okenCount|_requests)$")
"""How the names of counts end, in the spelling of any provider. Times and prices are none, and have fractions."""

OBJECT = re.compile(r"(?:_details|cache_creation|server_tool_use)$")
LIST = re.compile(r"(?:TokensDetails|iterations)$")
"""How the names of what holds more counts end."""


class Layout(NamedTuple):
    """How one kind of provider says what a reply took."""

    sign: str
    """The list by which a reply is recognised."""
    place: str
    """Where in the reply the usage is."""
    needed: tuple[str, ...]
    """The counts without which nothing is known."""

    @property
    def nothing(self) -> msgspec.Raw:
        """A usage that every reader takes, and that says nothing."""
        return msgspec.Raw(msgspec.json.encode(dict.fromkeys(self.needed, 0)))


LAYOUTS = (
    Layout("choices", "usage", ("prompt_tokens", "completion_tokens", "total_tokens")),
    Layout("content", "usage", ("input_tokens", "output_tokens")),
    Layout("output", "usage", ("input_tokens", "output_tokens", "total_tokens")),
    Layout("candidates", "usageMetadata", ("promptTokenCount",)),
)
"""Chat completions, Anthropic's messages, OpenAI's responses, Gemini."""

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


def with_unknown_usage(body: bytes) -> bytes | None:
    """The reply with a usage that says nothing in the place of one that says nothing true; None: it is as it should be.

    Adapters refuse a reply with a count that is missing, no whole number or below 0, and with it an answer that is
    good. Everything but the usage stays as it is, byte for byte. What is no reply is not looked at.
    """
    try:
        members = _members.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None
    layout = next((one for one in LAYOUTS if _is_list(members.get(one.sign))), None)
    if layout is None or _is_usable(members.get(layout.place), layout):
        return None
    return msgspec.json.encode({**members, layout.place: layout.nothing})


def _is_list(member: msgspec.Raw | None) -> bool:
    return member is not None and bytes(member).startswith(b"[")


def _is_usable(member: msgspec.Raw | None, layout: Layout) -> bool:
    if member is None:
        return False
    try:
        usage = msgspec.json.decode(member)
    except (msgspec.DecodeError, RecursionError):
        return False
    return isinstance(usage, dict) and are_sound(usage, layout.needed)


def are_sound(counts: dict[str, Any], needed: tuple[str, ...] = ()) -> bool:
    """Whether every count in an object can be true, and those that are needed are there."""
    return all(counts.get(name) is not None for name in needed) and all(map(_is_sound, counts, counts.values()))


def _is_sound(name: str, value: Any) -> bool:
    if value is None:
        return True
    if FIGURE.search(name):
        return type(value) is int and 0 <= value <= LARGEST_AMOUNT
    if OBJECT.search(name):
        return isinstance(value, dict) and are_sound(value)
    if LIST.search(name):
        return isinstance(value, list) and all(isinstance(one, dict) and are_sound(one) for one in value)
    return True
