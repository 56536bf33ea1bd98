"""The models of a run, each opened once and closed at the end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from toolgauge.core import Judge, Model, ModelReply, ModelRequest, Pacing, RequestLimits
from toolgauge.errors import UsageError
from toolgauge.models import (
    Cassette,
    LocalPacing,
    Priced,
    Prices,
    Recorded,
    address_of,
    open_model,
    price_of,
    read_prices,
    without_credentials,
)
from toolgauge.secrets import Secrets

from .event_loop import CLOSING_SECONDS
from .options import RunOptions

__all__ = ["RunModels"]


class Tuning(NamedTuple):
    """What a model is asked with, where an agent does not say."""

    temperature: float | None = None
    max_tokens: int | None = None


NOT_TUNED = Tuning()


@dataclass(frozen=True, slots=True)
class Tuned:
    """A model that is asked with settings of the run, where a request leaves them open."""

    model: Model
    tuning: Tuning

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def remark(self) -> str:
        """What the model wants to be known of itself."""
        return getattr(self.model, "remark", "")

    async def ask(self, request: ModelRequest) -> ModelReply:
        """Its reply."""
        temperature, max_tokens = self.tuning
        if request.temperature is None and temperature is not None:
            request = replace(request, temperature=temperature)
        if request.max_tokens is None and max_tokens is not None:
            request = replace(request, max_tokens=max_tokens)
        return await self.model.ask(request)


class RunModels:
    """The models of a run, each opened once."""

    def __init__(
        self, options: RunOptions, cassette: Cassette | None, secrets: Secrets, pacing: Pacing | None = None
    ) -> None:
        limits = options.request_limits
        self.pacing = pacing or LocalPacing()
        """Says whose turn it is, where there are limits."""
        self._pacing = None if limits == RequestLimits() else (self.pacing, limits)
        tuning = Tuning(options.temperature, options.max_tokens)
        self._base_url = options.base_url
        self._cassette = cassette
        self._secrets = secrets
        self._opened: dict[str, Model] = {}
        self.prices: Prices = {} if options.prices is None else read_prices(options.prices)
        """Prices of one's own."""
        self._asked = None if options.model is None else self._open(options.model)
        self.main = self._asked if self._asked is None or tuning == NOT_TUNED else Tuned(self._asked, tuning)
        """Who agents ask."""
        if self.main is None and tuning != NOT_TUNED:
            raise UsageError("--temperature and --max-tokens are for a model; name it with --model")
        self._judge = options.judge_model
        self._pointer = options.answer_model

    def _open(self, model: str | Model) -> Model:
        name = model if isinstance(model, str) else model.name
        if name not in self._opened:
            if isinstance(model, str):
                opened = open_model(
                    model,
                    base_url=self._base_url,
                    cassette=self._cassette,
                    secrets=self._secrets,
                    pacing=self._pacing,
                )
            else:
                opened = model if self._cassette is None else Recorded(name, self._cassette, model)
            price = price_of(name, self.prices)
            self._opened[name] = opened if price is None else Priced(opened, price)
        return self._opened[name]

    def address(self, model: str | Model | None) -> str | None:
        """Where a model is asked, without credentials; None: where its provider is at home, or nobody knows."""
        if model is None:
            return None
        known = address_of(model, self._base_url) if isinstance(model, str) else getattr(model, "base_url", None)
        return without_credentials(known) if isinstance(known, str) else None

    def judge(self, asked: Judge | None) -> Model:
        """The model that gives opinions, by what a case says of that.

        Raises:
            UsageError: Nobody is there to be asked.
        """
        wanted = (asked.model if asked is not None else None) or self._judge
        if wanted is not None:
            return self._open(wanted)
        if self._asked is None:
            raise UsageError("some cases need a judge, but there is no model to ask; name one with --judge-model")
        return self._asked

    def pointer(self) -> Model:
        """The model that points to answers.

        Raises:
            UsageError: Nobody is there to be asked.
        """
        if self._pointer is not None:
            return self._open(self._pointer)
        if self._asked is None:
            raise UsageError("some cases say 'find: model', but there is no model to ask; name one with --answer-model")
        return self._asked

    async def close(self) -> None:
        """Let go of connections."""
        for model in self._opened.values():
            close = getattr(model, "close", None)
            if close is not None:
                async with asyncio.timeout(CLOSING_SECONDS):
                    await close()
