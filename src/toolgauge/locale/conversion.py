"""Units of one kind in terms of each other: hours in minutes, metres in kilometres, Fahrenheit in Celsius."""

from __future__ import annotations

from .units import units_agree

__all__ = ["KINDS", "convert"]

EXACT: tuple[dict[str, float], ...] = (
    {"ms": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800},
    {"month": 1, "year": 12},
    {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000},
    {"mg": 0.001, "g": 1, "kg": 1000, "quintal": 100_000, "tonne": 1_000_000},
    {"ml": 0.001, "litre": 1, "m³": 1000, "km³": 1e12},
    {"m²": 1, "ha": 10_000, "km²": 1_000_000},
    {"W": 1, "kW": 1e3, "MW": 1e6, "GW": 1e9},
    {"kWh": 1, "MWh": 1e3, "GWh": 1e6, "TWh": 1e9},
    {"KB": 1, "MB": 1e3, "GB": 1e6, "TB": 1e9},
    {"m/s": 1, "km/s": 1000, "km / s": 1000},
    {"basis point": 0.01, "percentage point": 1},
)
"""What people say in one unit or the other without thinking, each in terms of the smallest that is 1."""
OTHERS: tuple[dict[str, float], ...] = (
    {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "inch": 0.0254, "foot": 0.3048, "yard": 0.9144, "mile": 1609.344}
    | {"nautical mile": 1852},
    {"mg": 0.001, "g": 1, "kg": 1000, "tonne": 1_000_000, "lb": 453.59237, "ounce": 28.349523125, "tael": 37.5},
    {"ml": 0.001, "litre": 1, "m³": 1000, "gallon": 3.785411784, "barrel": 158.987294928},
    {"m²": 1, "ha": 10_000, "km²": 1_000_000, "ft²": 0.09290304, "acre": 4046.8564224, "mi²": 2589988.110336},
    {"m/s": 3.6, "km/h": 1, "mph": 1.609344, "knot": 1.852},
    {"cent": 0.01, "USD": 1},
)
"""What has to be converted: only where a case allows it."""

KINDS = (*EXACT, *OTHERS, {"°C": 1.0, "°F": 1.0})
"""Units that can be said in terms of each other."""


def convert(value: float, stated: str, asked: str, *, freely: bool) -> float | None:
    """An amount in the asked unit; None where that is another kind of unit.

    Args:
        value: The amount.
        stated: Its unit.
        asked: The unit it is wanted in.
        freely: Whether also between systems of units, such as feet and metres.
    """
    if units_agree(asked, stated):
        return value
    if stated.partition("/")[0] == "cent" and asked.partition("/")[0] in ("USD", "EUR", "AUD", "CAD", "SGD", "NZD"):
        return value / 100
    for kind in (*EXACT, *(OTHERS if freely else ())):
        if stated in kind and asked in kind:
            return value * kind[stated] / kind[asked]
    if freely and (stated, asked) == ("°F", "°C"):
        return (value - 32) / 1.8
    if freely and (stated, asked) == ("°C", "°F"):
        return value * 1.8 + 32
    return None
