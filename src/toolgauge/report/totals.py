"""What a run took in all: tokens, money and time, and of how many trajectories that is not known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolgauge.catalogue import Words
from toolgauge.core import Summary

from .display import duration, known, money

__all__ = ["Total", "totals_json", "totals_line", "totals_of"]

_NAMES = ("tokens", "cost", "latency", "waited")


@dataclass(frozen=True, slots=True)
class Total:
    """A quantity over all trajectories of all agents that it is known of."""

    value: float | None
    """None: it is known of none."""
    n: int
    unknown: int
    """Of how many measured trajectories it is not known."""


def totals_of(summary: Summary) -> dict[str, Total]:
    """By the name of the metric what there was of it in all. A mean times its n is the sum again."""
    rows = [row for row in summary.rows if not row.group]
    found = {}
    for name in _NAMES:
        value, number, measured = 0.0, 0, 0
        for row in rows:
            estimate, counted = row.metrics.get(name), row.metrics.get("calls")
            measured += counted.n if counted is not None else row.n
            mean = known(estimate)
            if estimate is not None and mean is not None:
                value, number = value + mean * estimate.n, number + estimate.n
        found[name] = Total(value if number else None, number, max(0, measured - number))
    return found


def totals_line(summary: Summary, words: Words) -> str:
    """The totals in a line; empty: nothing is known of any. Waiting is left out where there was none."""
    parts = list(_parts(totals_of(summary), words))
    return words("totals.line", parts="; ".join(parts)) if parts else ""


def _parts(totals: dict[str, Total], words: Words) -> Iterator[str]:
    for name, total in totals.items():
        if total.value is None or (name == "waited" and not total.value):
            continue
        if name == "tokens":
            value = words.number(f"{total.value:,.0f}")
        else:
            shown = words.number
            value = money(total.value, shown) if name == "cost" else duration(total.value / 1000, shown)
        yield words(f"totals.{name}", value=value, unknown=str(total.unknown) if total.unknown else None)


def totals_json(summary: Summary) -> dict[str, object]:
    """The totals for programs: tokens as whole numbers, dollars and milliseconds as they are."""
    keys = {"tokens": "tokens", "cost": "cost_usd", "latency": "latency_ms", "waited": "waited_ms"}
    told: dict[str, object] = {}
    for name, total in totals_of(summary).items():
        value = round(total.value) if name == "tokens" and total.value is not None else total.value
        told[keys[name]] = {"value": value, "n": total.n, "unknown": total.unknown}
    return told
