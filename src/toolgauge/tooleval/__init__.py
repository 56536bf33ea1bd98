"""Tests of how an agent uses its tools, written in Python: what is called, with which arguments, and what is answered.

    evaluator = ToolEvaluator(tools=weather_tools, system_prompt="You are a weather assistant.")
    suite = ToolTestSuite("Weather", evaluator)
    suite.add_test(TestCase(
        id="now",
        user_message="What's the weather in Hanoi?",
        expected_tool_calls=[ToolCallExpectation("get_weather", required_params={"city": "Hanoi"})],
    ))
    report = suite.run()

A thin door: the tests become cases of a suite, which the runner runs, the scorer scores and the gate judges, as on the
command line.
"""

from .deciding import FailureAnalysis, analyze_failures, run_eval_in_ci
from .evaluator import ToolEvaluator
from .suite import SuiteReport, ToolTestSuite
from .values import EvalResult, Evidence, TestCase, ToolCallExpectation

__all__ = [
    "EvalResult",
    "Evidence",
    "FailureAnalysis",
    "SuiteReport",
    "TestCase",
    "ToolCallExpectation",
    "ToolEvaluator",
    "ToolTestSuite",
    "analyze_failures",
    "run_eval_in_ci",
]
