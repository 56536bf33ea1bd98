"""The tools of the weather benchmark: made-up weather of fourteen cities, the same at every call."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from toolgauge.core import JsonValue, Tool, ToolDefinition
from toolgauge.errors import did_you_mean
from toolgauge.locale import fold_tones
from toolgauge.tools import FunctionTool, ToolFailure

__all__ = ["TODAY", "weather_tools"]

TODAY = date(2026, 1, 30)
"""A Friday; the forecast begins on the day after."""

LONGEST_FORECAST = 7

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Day(NamedTuple):
    """What is forecast for a day."""

    high: int
    low: int
    condition: str


class City(NamedTuple):
    """The weather of a city; temperatures in degrees Celsius, wind in kilometres per hour."""

    name: str
    celsius: int
    condition: str
    humidity: int
    wind: int
    forecast: tuple[Day, ...]


def weather_tools(definitions: Sequence[ToolDefinition]) -> tuple[Tool, ...]:
    """The tools behind the definitions of the suite."""
    functions: Mapping[str, Callable[..., Any]] = {
        "get_weather": get_weather,
        "get_forecast": get_forecast,
        "set_alert": set_alert,
    }
    return tuple(FunctionTool(functions[definition.name], definition, {}) for definition in definitions)


async def get_weather(city: str, units: str = "celsius") -> JsonValue:
    """The weather at this moment.

    Raises:
        ToolFailure: There is no such city, or no such unit.
    """
    found = _city(city)
    if units not in ("celsius", "fahrenheit"):
        raise ToolFailure(f"unknown units {units!r}; use celsius or fahrenheit")
    warmth = found.celsius if units == "celsius" else round(found.celsius * 9 / 5 + 32)
    return {
        "city": found.name,
        "temperature": warmth,
        "units": units,
        "condition": found.condition,
        "humidity_percent": found.humidity,
        "wind_km_h": found.wind,
    }


async def get_forecast(city: str, days: int) -> JsonValue:
    """The weather of the coming days.

    Raises:
        ToolFailure: There is no such city, or no forecast for so many days.
    """
    found = _city(city)
    if not 1 <= days <= LONGEST_FORECAST:
        raise ToolFailure(f"no forecast for {days} days; ask for 1 to {LONGEST_FORECAST}")
    coming: list[JsonValue] = []
    for step, day in enumerate(found.forecast[:days], 1):
        when = TODAY + timedelta(days=step)
        coming.append({"date": when.isoformat(), "weekday": WEEKDAYS[when.weekday()], **day._asdict()})
    return {"city": found.name, "units": "celsius", "days": coming}


async def set_alert(city: str, condition: str) -> JsonValue:
    """Pretend to set an alert; nothing is kept.

    Raises:
        ToolFailure: There is no such city, or no condition.
    """
    if not condition.strip():
        raise ToolFailure("the condition is empty; say what to warn of, such as rain")
    return {"city": _city(city).name, "condition": condition, "status": "set"}


def _city(name: str) -> City:
    """The city of a name, with or without marks and the name of the country behind it."""
    key = _folded(name.partition(",")[0])
    if key not in _cities():
        hint = did_you_mean(name, sorted(city.name for city in _cities().values()))
        raise ToolFailure(f"unknown city {name!r}" + (f"; {hint}" if hint.startswith("did") else ""))
    return _cities()[key]


def _folded(name: str) -> str:
    return "".join(letter for letter in fold_tones(name) if letter.isalnum()).removesuffix("city")


@cache
def _cities() -> dict[str, City]:
    """All cities by all of their names."""
    found: dict[str, City] = {}
    with Path(__file__).with_name("cities.csv").open(encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source):
            city = City(
                row["city"],
                int(row["celsius"]),
                row["condition"],
                int(row["humidity"]),
                int(row["wind"]),
                tuple(map(_day, row["forecast"].split(";"))),
            )
            for name in (row["city"], *filter(None, row["known_as"].split(";"))):
                found[_folded(name)] = city
    return found


def _day(text: str) -> Day:
    """A day as the file writes it: `20/15 cloudy`."""
    bounds, condition = text.split()
    high, low = bounds.split("/")
    return Day(int(high), int(low), condition)
