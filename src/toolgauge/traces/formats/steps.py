"""Building a trajectory from the recorded steps of an agent: replies of models and runs of tools, each with its times.

Tracing services record a call twice, as a wish in the reply of the model and as the run of the tool. Both are one call:
they are joined by the id of the call, else by the name of the tool and the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolgauge.core import JsonValue

from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, keyword_arguments, record_of, structured, text, texts
from .calltext import literal
from .messages import (
    add_message,
    answer_in,
    answered_ids,
    calls_of,
    messages_in,
    question_in,
    result_of,
    speaker,
    unfold,
    usage_of,
    words_of,
)

__all__ = ["Step", "add_steps", "beginning_of", "span_of"]


@dataclass(slots=True)
class Step:
    """One recorded step of an agent."""

    kind: Literal["model", "tool", "other"]
    name: str
    input: JsonValue = None
    output: JsonValue = None
    id: str | None = None
    """The id of the call that a tool was run for."""
    start: float | None = None
    end: float | None = None
    """Moments, in milliseconds."""
    failed: bool = False
    error: str | None = None
    tokens: tuple[JsonValue, JsonValue] | None = None
    cost: float | None = None
    span: str | None = None
    """The id under which the step itself is recorded."""

    @property
    def duration(self) -> float | None:
        """How many milliseconds it took."""
        return self.end - self.start if self.start is not None and self.end is not None else None


def span_of(steps: Sequence[Step]) -> float | None:
    """The milliseconds from the beginning of the first step to the end of the last one."""
    starts = [step.start for step in steps if step.start is not None]
    ends = [step.end for step in steps if step.end is not None]
    return max(ends) - min(starts) if starts and ends else None


def beginning_of(steps: Sequence[Step]) -> float | None:
    """When the first step began, in milliseconds since 1970."""
    return min((step.start for step in steps if step.start is not None), default=None)


def add_steps(builder: TrajectoryBuilder, steps: Sequence[Step]) -> None:
    """Add the steps of an agent, which are in the order in which they began."""
    begin = beginning_of(steps)
    models = [step for step in steps if step.kind == "model"]
    if models and not _calls_are_recorded(steps):
        # Only the last request shows what was called: its messages are the conversation so far.
        for message in messages_in(models[-1].input):
            add_message(builder, message)
    for step in steps:
        if step.kind == "model":
            _add_model(builder, step)
        elif step.kind == "tool" or builder.awaits_result(id=step.id, tool=step.name or None):
            _add_tool(builder, step, begin)


def _calls_are_recorded(steps: Sequence[Step]) -> bool:
    """Whether runs of tools or replies of models show the calls, or there are none to be shown."""
    models = [step for step in steps if step.kind == "model"]
    if any(step.kind == "tool" for step in steps):
        return True
    if any(calls_of(message) for step in models for message in messages_in(step.output)):
        return True
    return not any(calls_of(message) for message in messages_in(models[-1].input))


def _add_model(builder: TrajectoryBuilder, step: Step) -> None:
    asked = messages_in(step.input)
    if builder.input is None:
        words = next((words_of(message) for message in asked if speaker(message) == "user"), None)
        builder.add_user_message(words or question_in(step.input))
    newest = max((index for index, message in enumerate(asked) if speaker(message) == "assistant"), default=-1)
    for index, message in enumerate(asked):
        if speaker(message) == "tool":
            value, id_, failed = result_of(message)
            # Without an id only what came after the last reply is certainly new.
            known = isinstance(id_, str) and bool(id_)
            if (known or index > newest) and builder.awaits_result(id=id_, tool=message.get("name")):
                builder.add_result(value, id=id_, tool=message.get("name"), failed=failed)
    replies = _replies(step.output)
    for message in replies:
        add_message(builder, message, answered=answered_ids(asked))
    if not replies and (words := answer_in(step.output)):
        builder.begin_turn()
        builder.add_agent_message(words)
    if step.error is not None:
        builder.add_event("model_error", error=step.error)
    tokens = step.tokens or next((found for message in replies if (found := usage_of(message))), None)
    if tokens is not None or step.cost is not None:
        builder.add_usage(*(tokens or (None, None)), cost_usd=step.cost)


def _replies(output: JsonValue) -> list[Record]:
    found = [message for message in messages_in(output) if speaker(message) == "assistant"]
    if found:
        return found
    output = structured(output)
    holder = record_of(output)
    if calls_of(holder) or texts(holder.get("content")):
        return [{**holder, "role": "assistant"}]
    if isinstance(output, list) and calls_of({"content": output}):
        return [{"role": "assistant", "content": output}]
    return []


def _add_tool(builder: TrajectoryBuilder, step: Step, begin: float | None) -> None:
    value, id_, failed = step.output, step.id, True if step.failed else None
    message = unfold(structured(value))
    if speaker(message) == "tool":
        value, found, says_failed = result_of(message)
        id_ = id_ or text(found)
        failed = failed or says_failed
    if not builder.awaits_result(id=id_, tool=step.name or None):
        builder.add_call(step.name, arguments_of(step.input), id=id_)
    builder.add_result(
        value,
        id=id_,
        tool=step.name,
        failed=failed,
        error=step.error if failed else None,
        duration_ms=step.duration,
        same_turn=True,
        started_ms=step.start - begin if step.start is not None and begin is not None else None,
        span_id=step.span,
    )


def arguments_of(value: JsonValue) -> JsonValue:
    """The arguments that a tool was run with: an object, or a text that holds one in JSON or in Python."""
    value = structured(value)
    holder = record_of(value)
    if (given := keyword_arguments(holder)) is not None:
        return given
    if len(holder) == 1 and isinstance(holder.get("input"), str):
        inner = arguments_of(holder["input"])
        return inner if isinstance(inner, dict) else value
    if isinstance(value, str) and value.lstrip().startswith("{"):
        found = literal(value)
        return found if isinstance(found, dict) else value
    if value is None or isinstance(value, (dict, str)):
        return value
    return {"input": value}
