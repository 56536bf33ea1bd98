"""Suites tested from Python: with the marker, with the gate, and with tests of `toolgauge.tooleval`."""

from __future__ import annotations

from pathlib import Path

import pytest
from agents import add, adder

import toolgauge
from toolgauge.core import Case, Expect, ExpectedCall, Suite
from toolgauge.pytest_plugin import CaseResult, GateCheck
from toolgauge.testing import ScriptedModel
from toolgauge.tooleval import TestCase, ToolCallExpectation, ToolEvaluator, ToolTestSuite

HERE = Path(__file__).parent / "suites"
SUM = Suite("sum", (Case("one_and_two", "1 + 2?", expect=Expect((ExpectedCall("add", {"a": 1, "b": 2}),))),))

tests = ToolTestSuite("talk", ToolEvaluator([add], model=ScriptedModel(lambda _: "Hello.")))
tests.add_test(TestCase("greets", "Hi", expected_output_contains=["hello"]))
tests.add_test(TestCase("adds", "1 + 2?", [ToolCallExpectation("add", {"a": 1, "b": None})]))


@pytest.mark.toolgauge("suites/shop.yaml", traces="suites/good.jsonl")
def test_recorded(toolgauge_case: CaseResult) -> None:
    toolgauge_case.check()
    assert toolgauge_case.score.score == 1.0
    assert toolgauge_case.trajectory.agent == "good"


@pytest.mark.toolgauge(SUM, adder, tools=add)
def test_running(toolgauge_case: CaseResult) -> None:
    toolgauge_case.check()
    assert [call.tool for call in toolgauge_case.trajectory.calls] == ["add"]


@pytest.mark.toolgauge(tests)
def test_tooleval(toolgauge_case: CaseResult) -> None:
    toolgauge_case.check()
    assert toolgauge_case.score.passed


def test_good_enough(toolgauge_gate: GateCheck) -> None:
    verdict = toolgauge_gate(toolgauge.score(HERE / "shop.yaml", HERE / "good.jsonl"))
    assert verdict.passed


def test_not_good_enough(toolgauge_gate: GateCheck) -> None:
    verdict = toolgauge_gate(toolgauge.score(HERE / "shop.yaml", HERE / "bad.jsonl"), min_pass_rate=0.5)
    assert verdict.passed
