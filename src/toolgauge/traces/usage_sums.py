"""What the requests of one trajectory cost, added up while it is put together."""

from __future__ import annotations

from toolgauge.core import JsonValue, Usage

from .values import amount

__all__ = ["UsageSums"]


class UsageSums:
    """Sums of what is known; what nobody said stays unknown."""

    __slots__ = ("cost", "requests", "tokens")

    def __init__(self) -> None:
        """Nothing was said yet."""
        self.requests = 0
        self.tokens: list[int | None] = [None, None]
        self.cost: float | None = None

    def add(self, input_tokens: JsonValue, output_tokens: JsonValue, cost_usd: float | None, requests: int) -> None:
        """Add what a request cost, or several."""
        self.requests += requests
        for index, value in enumerate((amount(input_tokens), amount(output_tokens))):
            if value is not None:
                self.tokens[index] = (self.tokens[index] or 0) + value
        if cost_usd is not None and cost_usd >= 0:
            self.cost = (self.cost or 0.0) + cost_usd

    def usage(self) -> Usage | None:
        """All of it; None where nothing was said."""
        if not self.requests and self.cost is None and self.tokens == [None, None]:
            return None
        return Usage(self.requests or None, self.tokens[0], self.tokens[1], self.cost)
