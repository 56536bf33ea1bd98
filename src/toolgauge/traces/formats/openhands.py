"""Event logs of OpenHands: actions and observations, as its server writes them, and the typed events of its SDK.

An action that the model asked for as a call of a tool carries the reply in which it did. To finish is to hand in the
answer, and no call. A command that ends with another code than 0 failed. Of a call of a tool that there is not, the
server keeps only what it told the model about it.
"""

from __future__ import annotations

import re
from typing import ClassVar

from toolgauge.core import JsonValue

from ..textcalls.values import value_of
from ..values import Record, amount, at, dicts, items_of, list_at, milliseconds, record_of, structured, text, texts
from .conversation_reader import Conversation, GatheringReader
from .usual import call, result, said

__all__ = ["OpenHandsReader"]

PATHS = (("pieces",), ("history",), ("trajectory",), ("events",), ("messages",))
SOURCES = ("agent", "user", "environment")
FINISH = "finish"
TOKENS = ("prompt_tokens", "completion_tokens")
NOT_CALLED = frozenset(
    {
        *("message", "system", "change_agent_state", "recall", "condensation", "condensation_request", "null"),
        *("start", "pause", "resume", "stop", "reject", "loop_recovery", "task_tracking_request"),
    }
)
"""Kinds of actions for which nothing is called."""

NOT_ARGUMENTS = frozenset(
    {
        *("thought", "confirmation_state", "security_risk", "hidden", "is_static", "blocking", "wait_for_response"),
        *("security_analyzer", "impl_source", "include_extra"),
    }
)
"""What stands among the arguments of an action that the model did not give."""

TYPED = frozenset(
    {
        *("ActionEvent", "ObservationEvent", "MessageEvent", "AgentErrorEvent", "UserRejectObservation"),
        *("SystemPromptEvent", "ConversationStateUpdateEvent", "CondensationEvent", "Condensation", "PauseEvent"),
        *("ConversationErrorEvent", "CondensationRequest", "CondensationSummaryEvent", "TokenEvent"),
    }
)
ENDED = (0, -1, None)
"""Codes of commands that did not fail: of one that still runs it is -1."""

UNKNOWN_TOOL = re.compile(r"Tool (?P<name>\S+) is not registered\. \(arguments: (?P<arguments>\{.*\})\)", re.DOTALL)


class OpenHandsReader(GatheringReader):
    """One conversation a list of events."""

    title: ClassVar[str] = "OpenHands events"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Actions with arguments, observations with what they observed, or typed events; in a list, or one."""
        if isinstance(value, list):
            return _are_events(value)
        return _is_event(value) or (isinstance(value, dict) and _are_events(list_at(value, *PATHS)))

    @staticmethod
    def is_piece(value: JsonValue) -> bool:
        """Whether a record is an event."""
        return _is_event(value)

    @staticmethod
    def begins(piece: Record) -> bool:
        """Whether a log begins with an event: they are numbered, or the prompt of the system comes first."""
        return piece.get("id") == 0 or piece.get("kind") == "SystemPromptEvent"

    def conversation(self, holder: Record) -> Conversation:
        """What was said, called and observed."""
        events = list(dicts(_flat(list_at(holder, *PATHS))))
        reading = _Events()
        for event in events:
            reading.add(event)
        found = reading.found
        if not any(message.get("role") == "user" for message in found.messages) and text(holder.get("instruction")):
            found.messages.insert(0, said("user", text(holder.get("instruction"))))
        moments = [moment for event in events if (moment := milliseconds(event.get("timestamp"))) is not None]
        found.latency_ms = max(moments) - min(moments) if len(moments) > 1 else None
        found.case = text(holder.get("instance_id")) or ""
        reading.add_stats(holder.get("stats"))
        return found


def _is_event(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("kind")
    if isinstance(kind, str) and kind in TYPED:
        return "source" in value or "timestamp" in value
    if value.get("source", "agent") not in SOURCES:
        return False
    if isinstance(value.get("action"), str):
        return isinstance(value.get("args"), dict)
    if not isinstance(value.get("observation"), str):
        return False
    return isinstance(value.get("extras"), dict) or ("cause" in value and "content" in value)


def _flat(listed: list[JsonValue]) -> list[JsonValue]:
    """Events by themselves; earlier releases write an action and its observation as a pair."""
    return [event for item in listed for event in (item if isinstance(item, list) else [item])]


def _are_events(value: JsonValue) -> bool:
    first = _flat(items_of(value)[:3])
    return bool(first) and all(map(_is_event, first))


class _Events:
    """A conversation while its events are read."""

    def __init__(self) -> None:
        self.found = Conversation([])
        self._replies: dict[str, Record] = {}
        """The messages of the agent, by the ids of the replies that they come from."""
        self._keys: dict[str, str] = {}
        """The ids of calls, by the numbers of the actions that they are, and by themselves."""
        self._spent = (0, 0)
        """Tokens in and out that the events so far tell of."""

    def add(self, event: Record) -> None:
        """Add an event."""
        kind = event.get("kind")
        if isinstance(kind, str) and kind in TYPED:
            self._add_typed(kind, event)
        elif isinstance(event.get("action"), str):
            self._add_action(str(event["action"]), event)
        elif isinstance(event.get("observation"), str):
            self._add_observation(str(event["observation"]), event)

    def add_stats(self, stats: JsonValue) -> None:
        """Take what the whole conversation cost, which the SDK keeps beside the events or sends as one of them."""
        spent = [record_of(each) for each in record_of(at(stats, "usage_to_metrics")).values()]
        if not spent:
            return
        sums = [amount(at(each, "accumulated_token_usage", key)) or 0 for each in spent for key in TOKENS]
        self.found.total = sum(sums[::2]), sum(sums[1::2])
        self.found.requests = sum(len(items_of(each.get("token_usages"))) for each in spent)
        costs = [cost for each in spent if (cost := _cost(each)) is not None]
        self.found.cost_usd = sum(costs) if costs else None

    def _note_spent(self, event: Record, message: Record) -> None:
        """Put the tokens of a reply with its message: what the sum of all grew by, else what the reply says itself."""
        metrics = record_of(event.get("llm_metrics"))
        sums = [amount(at(metrics, "accumulated_token_usage", key)) for key in TOKENS]
        if sums[0] is not None and sums[1] is not None:
            message["usage"] = {
                "input_tokens": max(sums[0] - self._spent[0], 0),
                "output_tokens": max(sums[1] - self._spent[1], 0),
            }
            self._spent = sums[0], sums[1]
            self.found.cost_usd = _cost(metrics) or self.found.cost_usd
        else:
            message["usage"] = at(event, "tool_call_metadata", "model_response", "usage")

    def _add_call(self, asked: Record, words: str | None, reply: JsonValue, event: Record) -> None:
        """Add a call to the message with the other calls of its reply."""
        known = self._replies.get(reply) if isinstance(reply, str) and reply else None
        if known is None:
            known = said("assistant", words)
            known["tool_calls"] = []
            self._note_spent(event, known)
            self.found.messages.append(known)
            if isinstance(reply, str) and reply:
                self._replies[reply] = known
        known["tool_calls"] = [*items_of(known["tool_calls"]), asked]

    def _add_action(self, action: str, event: Record) -> None:
        arguments = record_of(event.get("args"))
        words = text(arguments.get("content"))
        if action == "message":
            message = said("user" if event.get("source") == "user" else "assistant", words)
            self._note_spent(event, message)
            self.found.messages.append(message)
        elif action == FINISH:
            handed = text(arguments.get("final_thought")) or text(at(arguments, "outputs", "content"))
            message = said("assistant", handed or text(arguments.get("thought")) or text(event.get("message")))
            self._note_spent(event, message)
            self.found.messages.append(message)
        elif action not in NOT_CALLED and event.get("source") != "user":
            metadata = record_of(event.get("tool_call_metadata"))
            key = text(metadata.get("tool_call_id")) or str(event.get("id"))
            self._keys[str(event.get("id"))] = self._keys[key] = key
            own = {name: value for name, value in arguments.items() if name not in NOT_ARGUMENTS}
            asked = _asked(metadata, key)
            name = text(metadata.get("function_name")) or action
            given = asked if asked is not None else own
            reply = at(metadata, "model_response", "id")
            self._add_call(call(name, given, key), text(arguments.get("thought")), reply, event)

    def _add_observation(self, observation: str, event: Record) -> None:
        named = text(at(event, "tool_call_metadata", "tool_call_id")) or str(event.get("cause"))
        key, content = self._keys.get(named), event.get("content")
        if key is not None:
            code = at(event, "extras", "metadata", "exit_code")
            wrong = code if code is not None else at(event, "extras", "exit_code")
            failed = observation == "error" or (event.get("success") is False and wrong != -1) or wrong not in ENDED
            self.found.messages.append(result(content, id=key, failed=failed))
        elif observation == "error" and (unknown := UNKNOWN_TOOL.match(text(content) or "")):
            # The answer names no call, for the server drops a call of a tool that there is not.
            asked = call(unknown["name"], value_of(unknown["arguments"]), f"error {event.get('id')}")
            self.found.messages.append(said("assistant", None, [asked]))
            self.found.messages.append(result(content, id=asked["id"], failed=True))

    def _add_typed(self, kind: str, event: Record) -> None:
        if kind == "MessageEvent":
            message = record_of(event.get("llm_message"))
            role = "user" if event.get("source") == "user" or message.get("role") == "user" else "assistant"
            self.found.messages.append(said(role, texts(message.get("content"))))
        elif kind == "ActionEvent":
            asked = record_of(event.get("tool_call"))
            name = text(event.get("tool_name")) or text(asked.get("name")) or text(at(asked, "function", "name"))
            given = structured(asked.get("arguments", at(asked, "function", "arguments")))
            given = given if isinstance(given, dict) else _action_arguments(event)
            if name == FINISH:
                self.found.messages.append(said("assistant", text(at(given, "message"))))
                return
            key = event.get("tool_call_id") or asked.get("id")
            self._add_call(call(name, given, key), texts(event.get("thought")), event.get("llm_response_id"), event)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            if event.get("tool_name") != FINISH:
                self.found.messages.append(_typed_result(kind, event))
        elif kind == "ConversationStateUpdateEvent":
            value = event.get("value")
            self.add_stats(value if event.get("key") == "stats" else at(value, "stats"))
        elif kind == "ConversationErrorEvent":
            self.found.error = text(event.get("detail")) or text(event.get("code"))


def _asked(metadata: Record, key: str) -> JsonValue:
    """The arguments as the model gave them, from the reply that an action carries."""
    for choice in dicts(at(metadata, "model_response", "choices")):
        for asked in dicts(at(choice, "message", "tool_calls")):
            if asked.get("id") == key:
                return at(asked, "function", "arguments")
    return None


def _cost(metrics: Record) -> float | None:
    """What was paid; 0 stands for a model whose price is not known."""
    cost = metrics.get("accumulated_cost")
    return float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) and cost > 0 else None


def _action_arguments(event: Record) -> Record:
    return {key: value for key, value in record_of(event.get("action")).items() if key != "kind"}


def _typed_result(kind: str, event: Record) -> Record:
    observation = record_of(event.get("observation"))
    error = text(event.get("error")) or text(event.get("rejection_reason"))
    content = observation.get("content", observation.get("output"))
    value = texts(content) if isinstance(content, (list, str)) else observation or None
    failed = kind != "ObservationEvent" or observation.get("is_error") is True or bool(observation.get("error"))
    failed = failed or observation.get("exit_code") not in ENDED
    return result(
        value,
        id=event.get("tool_call_id"),
        tool=event.get("tool_name"),
        failed=failed,
        error=error or text(observation.get("error")),
    )
