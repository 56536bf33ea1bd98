"""What replies took, as far as that can be true; what models cost, by prices of one's own or by the installed list."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from toolgauge.core import LARGEST_AMOUNT, Model, ModelReply, ModelRequest, Usage
from toolgauge.errors import InputError, Problem, UsageError
from toolgauge.files import Fault, InputFile, LocatedDocument, Problems, convert, read_json_document, read_yaml_document

__all__ = ["Price", "Priced", "Prices", "listed_cost", "price_of", "read_prices", "with_unknown_usage"]

MILLION = 1_000_000
ANY_MODEL = "*"
EXAMPLE = "write them as openai:my-model: {input: 0.5, output: 1.5, cached: 0.05}, in dollars a million tokens"

Dollars = Annotated[float, Meta(ge=0, le=LARGEST_AMOUNT)]


class Price(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a million tokens of a model cost, in US dollars."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    """Those of the tokens in that the provider had read before; absent: as much as the others."""

    def cost(self, usage: Usage) -> float | None:
        """What this took; None: the tokens are not known."""
        read, written = usage.input_tokens, usage.output_tokens
        if read is None or written is None:
            return None
        cached = min(read, usage.cached_tokens or 0)
        again = self.input if self.cached is None else self.cached
        return ((read - cached) * self.input + cached * again + written * self.output) / MILLION


Prices = dict[str, Price]
"""By name of a model its price: the whole name, what stands after its provider, or `*` for all others."""


def read_prices(given: str | os.PathLike[str] | Mapping[str, object]) -> Prices:
    """Prices from a YAML or JSON file, or from an object.

    Raises:
        InputError: The file holds something else.
        UsageError: The object does.
    """
    if isinstance(given, Mapping):
        prices = convert(dict(given), Prices)  # type: ignore[arg-type]  # what it is, is found out here
        if isinstance(prices, list):
            raise UsageError(f"these prices cannot be read: {prices[0].what}; {EXAMPLE}")
        return prices
    with InputFile(given) as source:
        document = _document(source)
        if not document.value:
            raise InputError(source.name, Problem("there are no prices in it", hint=EXAMPLE))
        read = convert(document.value, Prices)
        if not isinstance(read, list):
            return read
        problems = Problems(source.name)
        faults = [Fault(fault.path, fault.what, fault.hint or EXAMPLE, fault.at_key) for fault in read]
        problems.add_faults(faults, document.locate)
        problems.raise_if_any()
        raise InputError(source.name, Problem("the prices in it cannot be read", hint=EXAMPLE))


def _document(source: InputFile) -> LocatedDocument:
    if source.name.endswith(".json"):
        return read_json_document(source)
    return read_yaml_document(source, Prices)


def price_of(model: str, prices: Prices) -> Price | None:
    """The price of a model; None: there is none among these."""
    names = (model, model.partition(":")[2], ANY_MODEL)
    return next((prices[name] for name in names if name in prices), None)


def listed_cost(model: str, usage: Usage) -> float | None:
    """Dollars by the price list that is installed; None: there is no list, or the model is not in it."""
    try:
        from genai_prices import Usage as TheirUsage
        from genai_prices import calc_price
    except ImportError:
        return None
    provider, _, name = model.partition(":")
    taken = TheirUsage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
    try:
        return float(calc_price(taken, name, provider_id=provider.partition("-")[0]).total_price)
    except (LookupError, ValueError, AssertionError):
        return None


@dataclass(frozen=True, slots=True)
class Priced:
    """A model whose replies cost what somebody says, whatever an installed list says."""

    model: Model
    price: Price

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def remark(self) -> str:
        """What the model wants to be known of itself."""
        return getattr(self.model, "remark", "")

    @property
    def base_url(self) -> str | None:
        """Where it is asked."""
        return getattr(self.model, "base_url", None)

    async def ask(self, request: ModelRequest) -> ModelReply:
        """Its reply, with its cost."""
        reply = await self.model.ask(request)
        if reply.usage is None:
            return reply
        return replace(reply, usage=replace(reply.usage, cost_usd=self.price.cost(reply.usage)))

    async def close(self) -> None:
        """Let go of connections."""
        close = getattr(self.model, "close", None)
        if close is not None:
            await close()


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
