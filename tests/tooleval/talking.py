"""An evaluator of a model that says what a test wants it to say."""

from __future__ import annotations

from collections.abc import Sequence

from toolgauge.core import JsonValue, ModelReply, ModelRequest, ToolRequest
from toolgauge.testing import ScriptedModel
from toolgauge.tooleval import (
    EvalResult,
    TestCase,
    ToolCallExpectation,
    ToolEvaluator,
)

LOOKUP: dict[str, JsonValue] = {"name": "lookup", "input_schema": {"type": "object"}}
OTHER: dict[str, JsonValue] = {"name": "other", "input_schema": {"type": "object"}}


def calls(*made: tuple[str, dict[str, JsonValue]]) -> ModelReply:
    return ModelReply(calls=tuple(ToolRequest(tool, args) for tool, args in made))


def talk(*replies: ModelReply | str, tools: Sequence[object] = (LOOKUP, OTHER), **options: str) -> ToolEvaluator:
    """An evaluator of a model that gives these replies to every question."""

    def answer(request: ModelRequest) -> ModelReply | str:
        turn = sum(message.role == "assistant" for message in request.messages)
        return replies[min(turn, len(replies) - 1)]

    return ToolEvaluator(tools, options.get("system_prompt", ""), model=ScriptedModel(answer))


def evaluate(evaluator: ToolEvaluator, *expected: ToolCallExpectation, **fields: object) -> EvalResult:
    return evaluator.evaluate_test_case(TestCase("t", "Question?", list(expected), **fields))  # type: ignore[arg-type]  # as the test says


def kinds(result: EvalResult) -> list[str]:
    assert result.evidence is not None
    return [issue.kind for issue in result.evidence.scored.score.issues]
