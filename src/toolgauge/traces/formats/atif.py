"""Trajectories in the Agent Trajectory Interchange Format (ATIF), as Harbor and Terminal-Bench write them.

The format has no place for the error of a tool: writers say in the `extra` of a result whether it is one. Of an agent
that writes commands as text there are no calls, and what was observed answers its words.
"""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from ..values import Record, at, dicts, milliseconds, record_of, text, texts
from .conversation_reader import Conversation, ConversationReader
from .usual import call, result, said

__all__ = ["AtifReader"]

FAILED = ("is_error", "tool_result_is_error")
SPEAKERS = {"agent": "assistant", "user": "user", "system": "system"}


class AtifReader(ConversationReader):
    """One conversation a trajectory."""

    title: ClassVar[str] = "ATIF trajectories"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """The version of its schema says so, or steps with a number and a source."""
        if not isinstance(value, dict) or not isinstance(value.get("steps"), list):
            return False
        version = value.get("schema_version")
        if isinstance(version, str) and version.startswith("ATIF"):
            return True
        first = next(dicts(value["steps"]), {})
        return "step_id" in first and isinstance(first.get("source"), str) and first["source"] in SPEAKERS

    def conversation(self, holder: Record) -> Conversation:
        """What was said and called in its steps."""
        found = Conversation(
            [], agent=text(at(holder, "agent", "name")) or "", case=text(holder.get("session_id")) or ""
        )
        moments: list[float] = []
        for step in dicts(holder.get("steps")):
            role = SPEAKERS.get(str(step.get("source")), "system")
            calls = [
                call(each.get("function_name"), each.get("arguments"), each.get("tool_call_id"))
                for each in dicts(step.get("tool_calls"))
            ]
            message = said(role, texts(step.get("message")), calls)
            metrics = record_of(step.get("metrics"))
            if role == "assistant" and metrics:
                message["usage"] = {key: metrics.get(key) for key in ("prompt_tokens", "completion_tokens")}
            found.messages.append(message)
            found.messages += _results(step, spoken=role == "assistant")
            if (moment := milliseconds(step.get("timestamp"))) is not None:
                moments.append(moment)
        cost = at(holder, "final_metrics", "total_cost_usd")
        found.cost_usd = float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) else None
        if not any(message.get("usage") for message in found.messages):
            found.total = (
                at(holder, "final_metrics", "total_prompt_tokens"),
                at(holder, "final_metrics", "total_completion_tokens"),
            )
        found.latency_ms = max(moments) - min(moments) if len(moments) > 1 else None
        return found


def _results(step: Record, *, spoken: bool) -> list[Record]:
    """What tools gave; what was observed without a call, as a system may, is no result."""
    found: list[Record] = []
    asked = list(dicts(step.get("tool_calls")))
    observed = list(dicts(at(step, "observation", "results")))
    if len(observed) == 1 and len(asked) > 1 and not observed[0].get("source_call_id"):
        # What a terminal shows after all commands of a step is what each of them gave.
        observed = [{**observed[0], "source_call_id": each.get("tool_call_id")} for each in asked]
    for each in observed:
        content = each.get("content")
        value = texts(content) or content if isinstance(content, list) else content
        failed = any(holder.get(key) is True for holder in (each, record_of(each.get("extra"))) for key in FAILED)
        if each.get("source_call_id") or asked:
            found.append(result(value, id=each.get("source_call_id"), failed=failed))
        elif spoken and isinstance(value, str):
            found.append(said("user", value))
    return found
