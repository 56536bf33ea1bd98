"""What a test says, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from toolgauge.core import JsonValue, Scored, Suite

__all__ = ["EvalResult", "Evidence", "Expected", "TestCase", "ToolCallExpectation", "Validator"]

Validator: TypeAlias = Callable[[Any], object]
"""Says of a value whether it is right; one that raises says no."""

Expected: TypeAlias = JsonValue | Validator
"""A literal value, a matcher such as `{"$one_of": [1, 2]}`, a function that says what fits, or None: any value."""


@dataclass
class ToolCallExpectation:
    """A call that is expected. Each call that is made answers one expectation at most."""

    tool_name: str
    required_params: Mapping[str, Expected] = field(default_factory=dict)
    """Arguments that must be there, and what they must be. A wrong value earns a half, a missing one nothing."""
    forbidden_params: Sequence[str] = field(default_factory=list)
    """Arguments that must not be there."""
    param_validators: Mapping[str, Validator] = field(default_factory=dict)
    """Checks of arguments that may be left out."""


@dataclass
class TestCase:
    """A question, and what is expected of the agent that is asked."""

    __test__: ClassVar[bool] = False  # pytest takes classes of such a name for tests

    id: str
    user_message: str
    expected_tool_calls: Sequence[ToolCallExpectation] = field(default_factory=list)
    """In any order. Empty: nothing is said about tools."""
    should_not_call_tools: bool = False
    """Whether any call at all fails the test."""
    expected_output_contains: Sequence[str] = field(default_factory=list)
    """Texts that the answer must contain, ignoring case."""
    max_tool_calls: int = 5
    """A budget of so many calls. The agent is stopped when it wants to be asked more often than this and once more."""
    max_latency_ms: float = 10_000
    """A budget of time; exceeding it is an issue and stops nothing."""


@dataclass(frozen=True)
class Evidence:
    """What a result rests on."""

    suite: Suite
    """The suite that the test was run in."""
    scored: Scored
    """What the agent did, with alignment, issues and unrounded measures."""


@dataclass
class EvalResult:
    """What came of a test. Shares are rounded to three decimals; the verdict rests on unrounded ones."""

    test_id: str
    passed: bool
    score: float
    """From 0 to 1: 0.3 precision, 0.3 recall, 0.3 parameters, 0.1 texts that were found."""
    tool_precision: float
    """Calls that answer an expectation, of all calls."""
    tool_recall: float
    """Expectations that a call answers, of all expectations."""
    param_accuracy: float
    """How well the arguments of the expected calls fit."""
    latency_ms: int
    tool_calls_made: list[dict[str, JsonValue]]
    """Name, input and id of each call."""
    issues: list[str]
    """What is wrong, in words."""
    response: str
    evidence: Evidence | None = field(default=None, repr=False, compare=False)
    """None in a result that somebody made by hand."""
