"""From tests to cases of a suite, and from scored trajectories to results."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, ClassVar, TypeAlias, cast

from toolgauge.catalogue import Lang
from toolgauge.core import (
    Budget,
    Call,
    Case,
    Expect,
    ExpectedCall,
    JsonValue,
    Limits,
    Scored,
    Settings,
    Suite,
    Tool,
    ToolDefinition,
)
from toolgauge.errors import UsageError

from .issues import word_issues
from .values import EvalResult, Evidence, Expected, TestCase, ToolCallExpectation

__all__ = ["SETTINGS", "MockResults", "case_of", "open_tools", "result_of"]

MockResults: TypeAlias = Callable[[str, dict[str, JsonValue]], JsonValue | Awaitable[JsonValue]]
"""What a tool without code answers, given its name and the arguments."""

SETTINGS = Settings(passing="score")
"""Tests pass by the rule of the document."""

ANY: JsonValue = {"$any": True}

USUAL_CALLS = 50
USUAL_SECONDS = 120.0
"""What a run allows where a case says nothing. A budget that is larger than half of it gets twice itself."""


def case_of(test: TestCase) -> Case:
    """The case that a test is.

    Raises:
        UsageError: It contradicts itself, or a budget is none.
    """
    if test.should_not_call_tools and test.expected_tool_calls:
        raise UsageError(
            f"test {test.id!r} expects calls and says that no tool may be called; leave out expected_tool_calls or "
            "should_not_call_tools"
        )
    if test.max_tool_calls < 0 or not test.max_latency_ms > 0:
        raise UsageError(f"test {test.id!r} has a budget that nothing can keep; max_latency_ms has to be more than 0")
    calls = tuple(map(_expected, test.expected_tool_calls)) or (() if test.should_not_call_tools else None)
    return Case(
        test.id,
        test.user_message,
        expect=Expect(calls, contains=tuple(test.expected_output_contains)),
        budget=Budget(test.max_tool_calls, test.max_latency_ms),
        limits=_limits(test),
    )


def _limits(test: TestCase) -> Limits:
    """What stops the agent: the number of turns. The limits of a run are widened where they would come before it."""
    calls, seconds = 2 * test.max_tool_calls, 2 * test.max_latency_ms / 1000
    return Limits(
        turns=test.max_tool_calls + 1,
        calls=calls if calls > USUAL_CALLS else None,
        seconds=seconds if seconds > USUAL_SECONDS else None,
    )


def _expected(call: ToolCallExpectation) -> ExpectedCall:
    return ExpectedCall(
        call.tool_name,
        args={name: ANY if value is None else _rule(value) for name, value in call.required_params.items()},
        check={name: _rule(value) for name, value in call.param_validators.items()},
        forbid_args=tuple(call.forbidden_params),
    )


def _rule(value: Expected) -> JsonValue:
    """The value as a suite has it: what is a tuple in Python is a list there."""
    if isinstance(value, (list, tuple)):
        return [_rule(item) for item in value]
    if isinstance(value, dict):
        return {key: _rule(item) for key, item in value.items()}
    return cast(JsonValue, value)  # a function stands in a suite as it is


@dataclass(frozen=True, slots=True)
class MockedTool:
    """A tool of which only the definition is there, and a function that answers in its place."""

    definition: ToolDefinition
    answer: MockResults

    checks_arguments: ClassVar[bool] = False
    """A call that breaks the schema is answered, too; scoring records that it does."""

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """What the function says."""
        result = self.answer(self.definition.name, dict(args))
        return await result if isawaitable(result) else result


def open_tools(tools: Sequence[object], answer: MockResults, *, canned: bool) -> list[Tool]:
    """The tools of an evaluator.

    Args:
        tools: Definitions as Anthropic, OpenAI or MCP spell them, Python functions, or tools.
        answer: What answers in the place of a tool of which only the definition is there.
        canned: Whether the `results` of a definition come before that.

    Raises:
        UsageError: One of them is no tool.
    """
    from toolgauge.tools import from_definition, tools_of

    opened: list[Tool] = []
    for index, item in enumerate(tools):
        if not isinstance(item, (Mapping, ToolDefinition)):
            opened += tools_of(item, f"tools[{index}]")
            continue
        definition = item if isinstance(item, ToolDefinition) else _definition(item, index)
        if canned and definition.results:
            opened.append(from_definition(definition))
        else:
            opened.append(MockedTool(definition, answer))
    return opened


def _definition(written: Mapping[Any, Any], index: int) -> ToolDefinition:
    from toolgauge.files import convert, format_path
    from toolgauge.suites.definitions import WrittenTool, check_tools, tool_definition

    read = convert(dict(written), WrittenTool)
    faults = read if isinstance(read, list) else list(check_tools([read], ()))
    if isinstance(read, list) or faults:
        lines = [f"{_place(index, format_path(fault.path))}: {fault.what}" for fault in faults]
        raise UsageError("\n".join(lines))
    return tool_definition(read)


def _place(index: int, path: str) -> str:
    inner = path.removeprefix("[0]").removeprefix(".")
    return f"tools[{index}].{inner}" if inner else f"tools[{index}]"


def result_of(suite: Suite, scored: Scored, lang: Lang = "en") -> EvalResult:
    """What came of a test, from what the agent did and how that was scored.

    Raises:
        UsageError: The test was not run.
    """
    trajectory, score = scored.trajectory, scored.score

    def rounded(part: float | None) -> float:
        if part is None and score.state == "error":
            return 0.0  # it could not be scored, and the issues say why
        if part is None:
            raise UsageError(f"test {score.case!r} was not run, so there is no result of it")
        return round(part, 3)

    return EvalResult(
        test_id=score.case,
        passed=score.passed,
        score=rounded(score.score),
        tool_precision=rounded(score.call_precision),
        tool_recall=rounded(score.call_recall),
        param_accuracy=rounded(score.param_accuracy),
        latency_ms=int(trajectory.latency_ms or 0),
        tool_calls_made=[_made(call) for call in trajectory.calls],
        issues=word_issues(scored, lang),
        response=trajectory.output or "",
        evidence=Evidence(suite, scored),
    )


def _made(call: Call) -> dict[str, JsonValue]:
    return {"name": call.tool, "input": call.args, "id": call.id}
