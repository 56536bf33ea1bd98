"""Trajectory files of SWE-agent (`.traj`) and mini-swe-agent (`.traj.json`): an agent that writes commands for a shell.

A command is a call of `bash`, what the shell answers is its result. Where the model called tools by an interface, these
calls are taken as they are, also those that were sent back as wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..textcalls.commands import COMMAND_TOOL
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, amount, at, case_of, dicts, items_of, milliseconds, record_of, text, texts
from .openai_messages import add_message

__all__ = ["SweAgentReader"]

MINI = "mini-swe-agent"
LIMITS = ("cost", "context", "limit", "exceed", "timeout")
"""What is in the reasons, in small letters, why an agent was stopped."""

SECONDS = 1000.0


class SweAgentReader:
    """One task a record."""

    title: ClassVar[str] = "SWE-agent trajectories"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Steps with an action and what was observed, or messages with the mark of mini-swe-agent."""
        if not isinstance(value, dict):
            return False
        if isinstance(value.get("messages"), list):
            return f"{value.get('trajectory_format')}".startswith(MINI) or "mini_version" in record_of(
                value.get("info")
            )
        steps = items_of(value.get("trajectory"))
        return bool(steps) and all(
            isinstance(step, dict) and "action" in step and "observation" in step for step in steps
        )

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """What the agent did on a task."""
        record = record_of(value)
        info = record_of(record.get("info"))
        builder = TrajectoryBuilder(self._context)
        if isinstance(record.get("messages"), list):
            _add_messages(builder, list(dicts(record["messages"])), text(info.get("submission")))
        else:
            _add_trajectory(builder, record)
        _add_usage(builder, record_of(info.get("model_stats")))
        submission = text(info.get("submission"))
        if submission is not None:
            builder.output = submission
        state, error = _end(text(info.get("exit_status")))
        if builder.empty and error is None:
            self._context.note_loss("a task without steps is left out")
            return
        metadata = record_of(record.get("metadata"))
        yield builder.build(
            case=text(record.get("instance_id")) or case_of(record, metadata),
            agent=text(record.get("agent")) or "",
            state=state,
            error=error,
            latency_ms=_latency(list(dicts(record.get("messages")))),
            meta=self._context.meta_of(record, metadata),
        )

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every record is a task."""
        return iter(())


def _add_messages(builder: TrajectoryBuilder, messages: list[Record], submission: str | None) -> None:
    """The messages of mini-swe-agent; newer ones list the commands beside the words, and what came of them."""
    listed = any(isinstance(at(message, "extra", "actions"), list) for message in messages)
    if not listed and not any(message.get("tool_calls") for message in messages):
        builder.expect_commands()
    for message in messages:
        extra = record_of(message.get("extra"))
        if message is messages[-1] and submission and texts(message.get("content")) == submission:
            # What a command handed in is what it printed.
            if builder.awaits_result():
                builder.add_result(submission)
        elif message.get("role") == "exit":
            continue
        elif extra.get("interrupt_type") is not None:
            _add_rejected(builder, message)
        elif "returncode" in extra:
            _add_observed(builder, message)
        elif message.get("object") == "response":
            _add_reply(builder, message)
        elif message.get("role") == "assistant" and extra.get("actions") and not message.get("tool_calls"):
            builder.begin_turn()
            for action in dicts(extra["actions"]):
                builder.add_call(COMMAND_TOOL, {"command": action.get("command")}, id=action.get("tool_call_id"))
        elif listed and message.get("role") == "user" and builder.awaits_result():
            builder.add_result(texts(message.get("content")))
        else:
            add_message(builder, message)
        _add_tokens(builder, message)


def _add_observed(builder: TrajectoryBuilder, message: Record) -> None:
    """What a command printed; one that ends with another code than 0 failed."""
    extra = record_of(message.get("extra"))
    code = extra.get("returncode")
    wrong = code not in (0, None)
    builder.add_result(
        extra.get("raw_output", texts(message.get("content"))),
        id=message.get("tool_call_id", message.get("call_id")),
        failed=wrong,
        error=text(extra.get("exception_info")) or (f"the command ended with code {code}" if wrong else None),
    )


def _add_reply(builder: TrajectoryBuilder, reply: Record) -> None:
    """A reply of the Responses interface."""
    builder.begin_turn()
    for item in dicts(reply.get("output")):
        if item.get("type") == "function_call":
            builder.add_call(item.get("name"), item.get("arguments"), id=item.get("call_id"))
        elif item.get("type") == "message":
            builder.add_agent_message(texts(item.get("content")))


def _add_rejected(builder: TrajectoryBuilder, message: Record) -> None:
    """A reply that was sent back, with what the model was told: no call in it was carried out."""
    reply = record_of(at(message, "extra", "response"))
    count = builder.calls
    if reply.get("object") == "response":
        _add_reply(builder, reply)
    for choice in dicts(reply.get("choices")):
        add_message(builder, record_of(choice.get("message")))
    words = texts(message.get("content"))
    for _ in range(builder.calls - count):
        builder.add_result(words, failed=True, error=words)


def _add_tokens(builder: TrajectoryBuilder, message: Record) -> None:
    """The tokens of the reply that a message is, or comes with."""
    reply = message if message.get("object") == "response" else record_of(at(message, "extra", "response"))
    usage = record_of(reply.get("usage"))
    if usage:
        sent, received = usage.get("input_tokens"), usage.get("output_tokens")
        builder.add_usage(usage.get("prompt_tokens", sent), usage.get("completion_tokens", received), requests=0)


def _add_trajectory(builder: TrajectoryBuilder, record: Record) -> None:
    history = [message for message in dicts(record.get("history")) if message.get("is_demo") is not True]
    if any(message.get("tool_calls") for message in history):
        for message in history:
            add_message(builder, message)
        return
    asked = next((message for message in history if message.get("role") == "user"), {})
    builder.add_user_message(texts(asked.get("content")))
    for step in dicts(record.get("trajectory")):
        action = text(step.get("action"))
        builder.begin_turn()
        if action is None or not action.strip():
            continue
        seconds = step.get("execution_time")
        took = seconds * SECONDS if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) else None
        builder.add_call(COMMAND_TOOL, {"command": action.strip("\n")})
        builder.add_result(step.get("observation"), duration_ms=took)


def _add_usage(builder: TrajectoryBuilder, stats: Record) -> None:
    cost, requests = stats.get("instance_cost"), amount(stats.get("api_calls"))
    known = isinstance(cost, (int, float)) and not isinstance(cost, bool)
    if known or requests:
        builder.add_usage(
            stats.get("tokens_sent"),
            stats.get("tokens_received"),
            cost_usd=float(cost) if known else None,  # type: ignore[arg-type]  # a number, as was found
            requests=requests or 0,
        )


def _latency(messages: list[Record]) -> float | None:
    """How long the messages took, which newer ones say in `extra`."""
    told = (message.get("timestamp", at(message, "extra", "timestamp")) for message in messages)
    moments = [moment for each in told if (moment := milliseconds(each)) is not None]
    return max(moments) - min(moments) if len(moments) > 1 else None


def _end(status: str | None) -> tuple[State, str | None]:
    """How a task ended whose status is this."""
    if status is None or status.lower().startswith("submitted"):
        return "completed", None
    if any(word in status.lower() for word in LIMITS):
        return "limit", None
    return "error", status
