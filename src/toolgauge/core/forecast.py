"""What a run is likely to take, before anything of it is run."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["AgentForecast", "Forecast", "PriceSource"]

PriceSource = Literal["own", "measured", "listed", "unknown"]
"""Where a price is from: the user, what earlier runs cost, or the list that is installed."""


class AgentForecast(Struct, frozen=True, gc=False):
    """What all trials of one agent, or all opinions of one model, are likely to take together. None: nobody knows."""

    agent: str
    """Its name; empty: opinions on what the agents answer."""
    model: str | None
    planned: int
    """How many trials there are."""
    seen: int = 0
    """On how many trajectories of earlier runs it rests; 0: on assumptions alone."""
    runs: int = 0
    """How many runs these are of."""
    requests: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    cost_usd: float | None = None
    price: PriceSource = "unknown"
    latency_ms: float | None = None


class Forecast(Struct, frozen=True, gc=False):
    """What a run is likely to take."""

    suite: str
    cases: int
    trials: int
    concurrency: int
    agents: tuple[AgentForecast, ...]
    tokens_of_request: int
    """How many tokens in a request is assumed to have, where nothing is known."""
    tokens_of_reply: int
    max_cost: float | None = None

    @property
    def planned(self) -> int:
        """How many trials there are."""
        return sum(one.planned for one in self.agents if one.agent)

    def total(
        self, name: Literal["requests", "input_tokens", "output_tokens", "cost_usd", "latency_ms"]
    ) -> float | None:
        """A quantity over all agents; None where one of them is not known."""
        amounts = [getattr(one, name) for one in self.agents]
        return None if any(amount is None for amount in amounts) else float(sum(amounts))

    @property
    def tokens(self) -> float | None:
        """Tokens in and out together."""
        read, written = self.total("input_tokens"), self.total("output_tokens")
        return None if read is None or written is None else read + written

    @property
    def seconds(self) -> float | None:
        """How long it is likely to take, with so many trials at a time."""
        latency = self.total("latency_ms")
        return None if latency is None else latency / 1000 / min(self.concurrency, max(1, self.planned))
