"""What a reply says it took, looked at before anybody reads the reply: where it cannot be true, it is unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec

from toolgauge.core import LARGEST_AMOUNT

__all__ = ["with_unknown_usage"]

FIGURE = re.compile(r"(?:tokens|Tokens|okenCount|_requests)$")
"""How the names of counts end, in the spelling of any provider. Times and prices are none, and have fractions."""

OBJECT = re.compile(r"(?:_details|cache_creation|server_tool_use)$")
LIST = re.compile(r"(?:TokensDetails|iterations|cacheDetails)$")
"""How the names of what holds more counts end."""

Needed: TypeAlias = Mapping[str, tuple[str, ...]]
"""By the name of an object the counts that adapters take for granted in it."""


class Layout(NamedTuple):
    """How one kind of provider says what a reply took."""

    sign: str
    """The list or object by which a reply is recognised."""
    opens: bytes
    """How that begins."""
    place: str
    """Where in the reply the usage is."""
    needed: Needed
    """Under the empty name: the counts without which nothing is known."""

    @property
    def nothing(self) -> msgspec.Raw:
        """A usage that every reader takes, and that says nothing."""
        return msgspec.Raw(msgspec.json.encode(dict.fromkeys(self.needed[""], 0)))


_IN_AND_OUT = ("input_tokens", "output_tokens")

ANTHROPIC: Needed = {
    "": _IN_AND_OUT,
    "cache_creation": ("ephemeral_1h_input_tokens",),
    "iterations": (*_IN_AND_OUT, "cache_creation_input_tokens", "cache_read_input_tokens"),
    "output_tokens_details": ("thinking_tokens",),
    "server_tool_use": ("web_search_requests",),
}

LAYOUTS = (
    Layout("choices", b"[", "usage", {"": ("prompt_tokens", "completion_tokens", "total_tokens")}),
    Layout("content", b"[", "usage", ANTHROPIC),
    Layout("output", b"[", "usage", {"": (*_IN_AND_OUT, "total_tokens")}),
    Layout("output", b"{", "usage", {"": ("inputTokens", "outputTokens")}),
    Layout("candidates", b"[", "usageMetadata", {"": ("promptTokenCount",)}),
)
"""Chat completions, Anthropic's messages, OpenAI's responses, Bedrock, Gemini."""

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
    layout = next((one for one in LAYOUTS if bytes(members.get(one.sign, b"")).startswith(one.opens)), None)
    if layout is None or _is_usable(members.get(layout.place), layout):
        return None
    return msgspec.json.encode({**members, layout.place: layout.nothing})


def _is_usable(member: msgspec.Raw | None, layout: Layout) -> bool:
    if member is None:
        return False
    try:
        usage = msgspec.json.decode(member)
    except (msgspec.DecodeError, RecursionError):
        return False
    return _are_sound("", usage, layout.needed)


def _are_sound(name: str, counts: Any, needed: Needed) -> bool:
    """Whether this is an object, every count in it can be true, and those that are needed are there."""
    if not isinstance(counts, dict) or any(counts.get(one) is None for one in needed.get(name, ())):
        return False
    return all(value is None or _is_sound(inner, value, needed) for inner, value in counts.items())


def _is_sound(name: str, value: Any, needed: Needed) -> bool:
    if FIGURE.search(name):
        return type(value) is int and 0 <= value <= LARGEST_AMOUNT
    if OBJECT.search(name):
        return _are_sound(name, value, needed)
    if LIST.search(name):
        return isinstance(value, list) and all(_are_sound(name, one, needed) for one in value)
    return True
