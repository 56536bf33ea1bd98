"""Results of tau-bench and tau2-bench: simulated customers who talk to an agent.

What the simulated customer does with tools of its own is no call of the agent's; it becomes an event. The reward that
the benchmark gave goes into `meta`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, amount, at, case_of, dicts, milliseconds, record_of, text, texts
from .messages import calls_of

__all__ = ["TauReader"]

MARKS = ("reward_info", "termination_reason", "agent_cost", "user_cost")
"""What only a simulation of tau2-bench has beside its messages."""

ENDS: dict[str, State] = {
    "max_steps": "limit",
    "too_many_errors": "limit",
    "context_window_exceeded": "limit",
    "timeout": "timeout",
}
"""How simulations end that are neither completed nor broken."""

ACTION, OBSERVED = "Action:", "API output: "
"""What agents of tau-bench write that have no interface for calls, and how they are answered."""


class TauReader:
    """One trajectory a simulation."""

    title: ClassVar[str] = "tau-bench results"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A task with a `traj`, a simulation with its reward or end, or a document with `simulations`."""
        if not isinstance(value, dict):
            return False
        if isinstance(value.get("traj"), list):
            return "task_id" in value or "reward" in value
        if isinstance(value.get("simulations"), list):
            return "tasks" in value or "info" in value
        return "task_id" in value and isinstance(value.get("messages"), list) and any(mark in value for mark in MARKS)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectories of a simulation, or of all in a document."""
        record = record_of(value)
        if isinstance(record.get("simulations"), list):
            for simulation in dicts(record["simulations"]):
                yield self._read_simulation(simulation, record_of(record.get("info")))
        elif isinstance(record.get("traj"), list):
            yield self._read_task(record)
        elif record:
            yield self._read_simulation(record, {})
        else:
            self._context.note_loss("a record without a simulation is left out")

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits: every simulation is whole."""
        return iter(())

    def _read_task(self, record: Record) -> Trajectory:
        builder = TrajectoryBuilder(self._context)
        for message in dicts(record.get("traj")):
            _add_message(builder, message)
        info = record_of(record.get("info"))
        return builder.build(
            case=_task(record),
            trial=_trial(record),
            error=text(info.get("error")),
            meta=_reward(record.get("reward")),
        )

    def _read_simulation(self, record: Record, info: Record) -> Trajectory:
        builder = TrajectoryBuilder(self._context)
        for message in dicts(record.get("messages")):
            _add_message(builder, message)
        if not record.get("messages") and record.get("ticks"):
            self._context.note_loss("a spoken simulation has no messages; its ticks are not read")
        ended = text(record.get("termination_reason"))
        cost = record.get("agent_cost")
        if isinstance(cost, (int, float)) and not isinstance(cost, bool) and 0 <= cost <= 10**15:
            builder.add_usage(cost_usd=float(cost), requests=0)
        meta = _reward(at(record, "reward_info", "reward"))
        if ended is not None:
            meta["termination_reason"] = ended
        return builder.build(
            case=_task(record),
            agent=text(at(info, "agent_info", "llm")) or text(at(info, "agent_info", "implementation")) or "",
            trial=_trial(record),
            state=ENDS.get(ended or "", "completed"),
            error=ended if ended is not None and ended.endswith("_error") else None,
            latency_ms=_latency(record),
            meta=meta,
        )


def _add_message(builder: TrajectoryBuilder, message: Record) -> None:
    role = message.get("role")
    if role == "user":
        _add_user(builder, message)
    elif role == "assistant":
        _add_agent(builder, message)
    elif role in ("tool", "function"):
        answers = message.get("tool_messages")
        for answer in dicts(answers) if isinstance(answers, list) else (message,):
            _add_result(builder, answer)


def _add_user(builder: TrajectoryBuilder, message: Record) -> None:
    words = texts(message.get("content"))
    if words is not None and words.startswith(OBSERVED) and builder.awaits_result():
        builder.add_result(words.removeprefix(OBSERVED))
        return
    builder.add_user_message(words)
    for call in calls_of(message):
        builder.add_event("user_call", tool=call.name, args=call.arguments)


def _add_agent(builder: TrajectoryBuilder, message: Record) -> None:
    builder.begin_turn()
    words, calls = texts(message.get("content")), calls_of(message)
    action = _action(words) if not calls and words is not None else None
    if action is None:
        builder.add_agent_message(words)
        for call in calls:
            builder.add_call(call.name, call.arguments, id=call.id)
    elif action.get("name") == "respond":
        builder.add_agent_message(text(at(action, "arguments", "content")))
    else:
        builder.add_call(action.get("name"), action.get("arguments"))
    usage = message.get("usage")
    if isinstance(usage, dict):
        builder.add_usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))


def _action(words: str) -> Record | None:
    """The action that an agent wrote after its thought."""
    _, found, written = words.rpartition(ACTION)
    if not found:
        return None
    try:
        action = msgspec.json.decode(written.strip())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    return action if isinstance(action, dict) and "name" in action and "arguments" in action else None


def _add_result(builder: TrajectoryBuilder, message: Record) -> None:
    if message.get("requestor") == "user":
        return
    builder.add_result(
        message.get("content"),
        id=message.get("tool_call_id") or message.get("id"),
        tool=message.get("name"),
        failed=True if message.get("error") is True else None,
    )


def _task(record: Record) -> str:
    return case_of({"task_id": record.get("task_id")}, record)


def _trial(record: Record) -> int | None:
    return amount(record.get("trial"))


def _reward(value: JsonValue) -> Record:
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {"reward": value} if known else {}


def _latency(record: Record) -> float | None:
    seconds = record.get("duration")
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool):
        return seconds * 1000.0
    begin, end = milliseconds(record.get("start_time")), milliseconds(record.get("end_time"))
    return end - begin if begin is not None and end is not None else None
