"""The weather benchmark: what its tools return and refuse, and that its typed answers are true."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from toolgauge.benchmarks import load_benchmark
from toolgauge.tools import Box, ToolFailure

BENCHMARK = load_benchmark("weather")


def call(tool: str, **args: Any) -> Any:
    result = asyncio.run(Box(BENCHMARK.tools).call(tool, args)).result
    assert result.error is None, result.error
    return result.value


def now(city: str, units: str = "celsius") -> Any:
    return call("get_weather", city=city, units=units)


def days(city: str, count: int = 7) -> Any:
    return call("get_forecast", city=city, days=count)["days"]


def on(city: str, date: str) -> Any:
    (found,) = (day for day in days(city) if day["date"] == date)
    return found


ANSWERS: dict[str, Callable[[], object]] = {
    "w01": lambda: now("Hanoi")["temperature"],
    "w02": lambda: now("Hue")["condition"] == "rain",
    "w03": lambda: now("Can Tho")["humidity_percent"],
    "w04": lambda: now("Tokyo", "fahrenheit")["temperature"],
    "w05": lambda: now("London")["temperature"],
    "w06": lambda: now("Da Nang", "fahrenheit")["temperature"],
    "w07": lambda: now("Nha Trang")["wind_km_h"],
    "w08": lambda: now("Saigon")["temperature"],
    "w11": lambda: on("Sapa", "2026-01-31")["low"],
    "w12": lambda: next(day for day in days("Hue") if day["weekday"] == "Sunday")["condition"] == "rain",
    "w13": lambda: max(day["high"] for day in days("Phu Quoc", 3)),
    "w14": lambda: min(days("Haiphong"), key=lambda day: day["low"])["date"],
    "w15": lambda: on("Singapore", "2026-02-03")["high"],
    "w16": lambda: sum(day["condition"] == "rain" for day in days("Da Nang", 5)),
    "w17": lambda: any(day["condition"] == "snow" for day in days("Tokyo", 2)),
    "w18": lambda: on("Can Tho", "2026-02-01")["high"],
    "w20": lambda: days("London", 1)[0]["high"] > now("London")["temperature"],
    "w21": lambda: now("Da Nang")["temperature"] - now("Hanoi")["temperature"],
    "w22": lambda: min(now(city)["temperature"] for city in ("Paris", "London", "Tokyo")),
    "w25": lambda: now("Haiphong")["wind_km_h"],
    "w31": lambda: 30 * 9 / 5 + 32,
    "w38": lambda: next(day["date"] for day in days("Hanoi") if day["condition"] == "sunny"),
}


def test_every_typed_answer_is_worked_out_in_these_tests() -> None:
    assert set(ANSWERS) == {case.id for case in BENCHMARK.suite.cases if case.expect.answer is not None}


@pytest.mark.parametrize("name", ANSWERS)
def test_typed_answers_follow_from_the_data(name: str) -> None:
    (case,) = (case for case in BENCHMARK.suite.cases if case.id == name)
    assert case.expect.answer is not None
    assert case.expect.answer["value"] == ANSWERS[name]()


def test_what_the_words_of_other_cases_rest_on() -> None:
    assert now("Singapore", "fahrenheit")["temperature"] == 84
    assert days("Sapa", 1)[0]["low"] < 10
    assert all("storm" not in day["condition"] for day in days("Phu Quoc", 5))
    assert "cloudy" in (now("Hanoi")["condition"], days("Hanoi", 1)[0]["condition"])
    assert days("Da Nang", 6)[-1]["date"] == "2026-02-05"


@pytest.mark.parametrize("name", ["Hanoi", "hanoi", "Ha Noi", "Hà Nội", "Hanoi, Vietnam"])
def test_a_city_is_known_by_all_spellings_of_its_name(name: str) -> None:
    assert now(name)["city"] == "Hanoi"


def test_the_first_day_of_the_forecast_is_tomorrow() -> None:
    first, *_ = days("Hue", 1)
    assert (first["date"], first["weekday"]) == ("2026-01-31", "Saturday")


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("get_weather", {"city": "Vinhaven"}, "unknown city 'Vinhaven'"),
        ("get_weather", {"city": "Hanio"}, "did you mean 'Hanoi'?"),
        ("get_weather", {"city": "Hanoi", "units": "kelvin"}, "unknown units 'kelvin'"),
        ("get_forecast", {"city": "Hanoi", "days": 10}, "no forecast for 10 days"),
        ("set_alert", {"city": "Hanoi", "condition": " "}, "the condition is empty"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(tool: str, args: dict[str, Any], said: str) -> None:
    (found,) = (one for one in BENCHMARK.tools if one.definition.name == tool)
    with pytest.raises(ToolFailure) as raised:
        asyncio.run(found.call(args))
    assert said in str(raised.value)


def test_an_alert_is_confirmed_and_kept_nowhere() -> None:
    made = call("set_alert", city="Huế", condition="heavy rain")
    assert made == {"city": "Hue", "condition": "heavy rain", "status": "set"}
