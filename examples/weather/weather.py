"""Three tests of a weather agent in Python; `suite.yaml` says the same.

    python examples/weather/weather.py                            # asks Anthropic, with the key in ANTHROPIC_API_KEY
    python examples/weather/weather.py http://127.0.0.1:8080      # asks whatever speaks as Anthropic does

Ends with 1 where fewer than 85 % of the tests pass.
"""

from __future__ import annotations

import sys

from toolgauge.core import Model
from toolgauge.tooleval import (
    TestCase,
    ToolCallExpectation,
    ToolEvaluator,
    ToolTestSuite,
    analyze_failures,
    run_eval_in_ci,
)

CITY = {"type": "string"}
UNITS = ["celsius", "fahrenheit"]

TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather of a city at this moment",
        "input_schema": {
            "type": "object",
            "properties": {"city": CITY, "units": {"type": "string", "enum": UNITS, "default": "celsius"}},
            "required": ["city"],
        },
    },
    {
        "name": "get_forecast",
        "description": "The weather of a city on each of the coming days",
        "input_schema": {
            "type": "object",
            "properties": {"city": CITY, "days": {"type": "integer", "minimum": 1, "maximum": 7}},
            "required": ["city", "days"],
        },
    },
]

TESTS = [
    TestCase(
        id="T001_current_weather",
        user_message="What's the weather in Hanoi right now?",
        expected_tool_calls=[
            ToolCallExpectation(
                tool_name="get_weather",
                required_params={"city": "Hanoi"},
                param_validators={"units": lambda units: units in UNITS},
            )
        ],
        expected_output_contains=["Hanoi", "weather"],
    ),
    TestCase(
        id="T002_5day_forecast",
        user_message="Give me the 5-day forecast for Ho Chi Minh City",
        expected_tool_calls=[
            ToolCallExpectation(tool_name="get_forecast", required_params={"city": "Ho Chi Minh City", "days": 5})
        ],
    ),
    TestCase(
        id="T003_no_tool_needed",
        user_message="What's the difference between weather and climate?",
        should_not_call_tools=True,
        expected_output_contains=["weather", "climate"],
    ),
]


def weather_suite(*, model: str | Model = "claude-haiku-4-5", base_url: str | None = None) -> ToolTestSuite:
    """The tests, for a model of Anthropic, of anything that speaks as Anthropic does, or one of your own."""
    evaluator = ToolEvaluator(TOOLS, "You answer questions about the weather.", model=model, base_url=base_url)
    suite = ToolTestSuite("Weather agent", evaluator)
    for test in TESTS:
        suite.add_test(test)
    return suite


def main(base_url: str | None = None) -> int:
    """Run the tests, say what failures have in common, and decide."""
    suite = weather_suite(base_url=base_url)
    report = suite.run()
    analyze_failures(report["results"])
    return 0 if run_eval_in_ci(suite, min_pass_rate=0.85) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
