"""What models cost: prices of one's own from a file, else those of the price list that is installed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from toolgauge.core import LARGEST_AMOUNT, Model, ModelReply, ModelRequest, Usage
from toolgauge.errors import InputError, Problem, UsageError
from toolgauge.files import Fault, InputFile, LocatedDocument, Problems, convert, read_json_document, read_yaml_document

__all__ = ["Price", "Priced", "Prices", "listed_cost", "price_of", "read_prices"]

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
