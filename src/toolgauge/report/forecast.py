"""What a run is likely to take, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from toolgauge.catalogue import Words
from toolgauge.core import AgentForecast, Forecast

from .blocks import Block, Bullets, Column, Heading, Item, Line, Paragraph, Table
from .csv import cell_of, harmless
from .display import amount, duration, money, short
from .json import indented_json

__all__ = ["FORECAST_SCHEMA", "ForecastDocument"]

FORECAST_SCHEMA = "toolgauge.estimate/1"

_MAX_NAME = 40
_FIGURES = ("planned", "requests", "input_tokens", "output_tokens", "cost_usd")


@dataclass(frozen=True, slots=True)
class ForecastDocument:
    """What a run is likely to take, and what that rests on."""

    forecast: Forecast
    name: ClassVar[str] = "estimate"

    def title(self, words: Words) -> str:
        """The plan, as a product."""
        found = self.forecast
        agents = sum(bool(one.agent) for one in found.agents)
        return words(
            "forecast.title",
            suite=short(found.suite, 60),
            cases=words.count("cases", found.cases),
            agents=words.count("agents", agents),
            trials=words.count("forecast.trials", found.trials),
            planned=found.planned,
        )

    def blocks(self, words: Words) -> Iterator[Block]:
        """The sums in a sentence, the agents in a table, and the assumptions."""
        found = self.forecast
        yield Heading(self.title(words), 1)
        tokens, cost, seconds = found.tokens, found.total("cost_usd"), found.seconds
        missing = words("none")
        yield Paragraph(
            words(
                "forecast.sums",
                tokens=missing if tokens is None else words.number(f"{tokens:,.0f}"),
                cost=missing if cost is None else money(cost, words.number),
                time=None if seconds is None else duration(seconds, words.number),
                concurrency=found.concurrency,
            )
        )
        columns = (
            Column(words("column.agent"), "left", key=True),
            *(Column(words(f"forecast.column.{name}")) for name in _FIGURES),
            Column(words("forecast.column.basis"), "left"),
        )
        yield Table(columns, tuple(self._line(one, words) for one in found.agents), name="estimate")
        yield Bullets(tuple(Item(text) for text in self._notes(words)))

    def _line(self, one: AgentForecast, words: Words) -> Line:
        values = (getattr(one, name) for name in _FIGURES[:-1])
        whole = (words("none") if value is None else words.number(f"{value:.0f}") for value in values)
        figures = (*whole, amount(one.cost_usd, words))
        basis = words("forecast.seen", seen=one.seen) if one.seen else words("forecast.assumed")
        return Line((short(one.agent, _MAX_NAME) or words("forecast.opinions"), *figures, basis))

    def _notes(self, words: Words) -> Iterator[str]:
        found = self.forecast
        if any(not one.seen and one.model is not None for one in found.agents):
            yield words("forecast.assumptions", read=found.tokens_of_request, written=found.tokens_of_reply)
        for source in ("own", "measured", "listed", "unknown"):
            models = [one.model for one in found.agents if one.price == source and one.model is not None]
            if models:
                yield words(f"forecast.price.{source}", models=", ".join(dict.fromkeys(short(m, 60) for m in models)))
        if any(one.model is None and not one.seen for one in found.agents):
            yield words("forecast.no_model")
        cost = found.total("cost_usd")
        if found.max_cost is not None and cost is not None and cost > found.max_cost:
            yield words("forecast.over_budget", most=money(found.max_cost, words.number))

    def json(self, words: Words) -> Iterator[str]:  # noqa: ARG002 - figures are the same in every language
        """All figures, unrounded."""
        found = self.forecast
        whole = {
            "schema": FORECAST_SCHEMA,
            "suite": {"name": found.suite, "cases": found.cases},
            "trials": found.trials,
            "planned": found.planned,
            "concurrency": found.concurrency,
            "agents": [msgspec.structs.asdict(one) for one in found.agents],
            "totals": {
                "requests": found.total("requests"),
                "input_tokens": found.total("input_tokens"),
                "output_tokens": found.total("output_tokens"),
                "tokens": found.tokens,
                "cost_usd": found.total("cost_usd"),
                "seconds": found.seconds,
            },
            "assumed": {"input_tokens": found.tokens_of_request, "output_tokens": found.tokens_of_reply},
            "max_cost": found.max_cost,
        }
        yield indented_json(whole)

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per agent, and one without a name for each model that gives opinions."""
        names = AgentForecast.__struct_fields__
        yield list(names)
        for one in self.forecast.agents:
            yield [harmless(one.agent), *(cell_of(getattr(one, name)) for name in names[1:])]
