"""Messages of LangChain and LangGraph: dumped one way or another, as the state of a graph, or as updates of its nodes.

A state that continues the one before it takes its place, as when a graph is streamed with its values. Updates
belong together by a thread id where they have one. Where they have none they are one conversation until a node that
gave its answer speaks again with nothing in between, or a user does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from toolgauge.core import JsonValue, State, Trajectory
from toolgauge.files import BadJson, decode_json

from ..context import ReadContext
from ..open_conversations import TraceGroups
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, items_of, record_of, text, trial_of
from .fast.langchain import PlainState, build_fast, decode_state, is_first
from .messages import add_message, answered_ids, calls_of, cut_off, speaker, unfold, usage_of

__all__ = ["LangchainReader", "add_messages"]

KINDS = frozenset({"human", "ai", "system", "tool", "function", "chat", "remove"})
CLASSES = frozenset(
    f"{name}Message{chunk}" for name in ("Human", "AI", "System", "Tool", "Chat") for chunk in ("", "Chunk")
)
THREADS = ("thread_id", "run_id", "trace_id", "conversation_id")
MAX_KEYS = 8
"""An update has a key for its node, and perhaps a few beside it."""

NOT_NODES = frozenset({"messages", "values", "inputs", "outputs", "data", "kwargs"})


class LangchainReader:
    """One conversation a list of messages or state; several updates a conversation."""

    title: ClassVar[str] = "LangChain messages"
    independent: bool = False
    """A state may continue the one before it."""

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._state: tuple[Record, list[JsonValue]] | None = None
        """The state that the next record may continue."""
        self._plain: PlainState | None = None
        """The same where it was read the fast way."""
        self._threads = TraceGroups(context)
        self._updates: list[tuple[str, Record]] = []
        """Messages of updates that name no thread, with the nodes they come from."""
        self._holder: Record = {}

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """Messages in a layout of LangChain: a list, under `messages` or `values.messages`, or below one node."""
        if isinstance(value, list):
            return _are_messages(value)
        if not isinstance(value, dict):
            return False
        if _stands_alone(value):
            return True
        if "messages" in value:
            return _are_messages(value["messages"])
        inner = value.get("values")
        if isinstance(inner, dict):
            return _are_messages(inner.get("messages"))
        return _node_of(value) is not None

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The conversations that are over with this record."""
        self._look_again()
        holder = record_of(value)
        if _stands_alone(holder):
            yield from self._give_state()
            yield from self._add_messages("", [holder], holder)
            return
        node = _node_of(holder)
        if node is not None:
            yield from self._give_state()
            yield from self._read_update(holder, node)
            return
        yield from self._give_updates()
        messages = items_of(value if isinstance(value, list) else _messages(holder))
        if not messages:
            self._context.note_loss("a conversation without messages is left out")
            return
        if self._state is not None:
            before, known = self._state
            if _goes_on(known, messages) and _case(before) == _case(holder):
                self._state = (holder or before, messages)
                return
        yield from self._give_state()
        self._state = (holder, messages)

    def read_line(self, line: bytes) -> list[Trajectory] | None:
        """The conversations that are over with a line that is not decoded yet; None where it has to be."""
        state = decode_state(line, self._context)
        if state is None or self._updates or self._may_go_on(state):
            return None
        before, self._plain = self._plain, state
        if before is None:
            return list(self._give_state())
        found = build_fast(before, self._context)
        return [found] if found is not None else list(self._give_in_full(before))

    def _may_go_on(self, state: PlainState) -> bool:
        """Whether a conversation may be the one before it, and more."""
        if self._plain is not None:
            return self._plain.first == state.first
        return self._state is not None and is_first(state, self._state[1][0])

    def _give_in_full(self, state: PlainState) -> Iterator[Trajectory]:
        found = self._in_full(state)
        if found is not None:
            holder, messages = found
            yield from self._give(holder, _fields(messages))

    def _look_again(self) -> None:
        """Take a conversation for one that was read in full: only then can one know whether it continues."""
        if self._plain is not None:
            self._state, self._plain = self._in_full(self._plain), None

    def _in_full(self, state: PlainState) -> tuple[Record, list[JsonValue]] | None:
        """The record and the messages of a conversation, with all that stands in them; None where that is not JSON."""
        try:
            value = decode_json(state.line)
        except BadJson as error:
            # A number that no decoder takes stands where the fast way does not look.
            self._context.note_loss(f"a record is left out because it is not JSON: {error.problem.what}")
            return None
        holder = record_of(value)
        return holder, items_of(value if isinstance(value, list) else _messages(holder))

    def finish(self) -> Iterator[Trajectory]:
        """The conversations that might have continued."""
        self._look_again()
        yield from self._give_state()
        yield from self._give_updates()
        for group in self._threads.rest():
            yield from self._give_thread(group)

    def _read_update(self, holder: Record, node: str) -> Iterator[Trajectory]:
        thread = next((found for key in THREADS if (found := text(holder.get(key))) is not None), None)
        if thread is not None:
            for group in self._threads.add(thread, {"node": node, "holder": holder}):
                yield from self._give_thread(group)
            return
        yield from self._add_messages(node, items_of(at(holder, node, "messages")), holder)

    def _add_messages(self, node: str, messages: list[JsonValue], holder: Record) -> Iterator[Trajectory]:
        for message in _fields(messages):
            if self._updates and _begins_anew(self._updates[-1], node, message):
                yield from self._give_updates()
            if not self._updates:
                self._holder = holder
            self._updates.append((node, message))

    def _give_state(self) -> Iterator[Trajectory]:
        if self._state is not None:
            holder, messages = self._state
            self._state = None
            yield from self._give(holder, _fields(messages))

    def _give_updates(self) -> Iterator[Trajectory]:
        messages = [message for _, message in self._updates]
        self._updates = []
        if messages:
            yield from self._give(self._holder, messages)

    def _give_thread(self, group: list[Record]) -> Iterator[Trajectory]:
        holder = record_of(group[0]["holder"])
        messages = [
            message
            for update in group
            for message in _fields(items_of(at(update, "holder", str(update["node"]), "messages")))
        ]
        yield from self._give(holder, messages)

    def _give(self, holder: Record, messages: list[Record]) -> Iterator[Trajectory]:
        builder = TrajectoryBuilder(self._context)
        agent, state = add_messages(builder, messages)
        if builder.empty:
            self._context.note_loss("a conversation without messages is left out")
            return
        metadata = record_of(holder.get("metadata"))
        yield builder.build(
            case=_case(holder),
            agent=text(holder.get("agent")) or text(metadata.get("agent")) or agent,
            trial=trial_of(holder, metadata, at(holder, "config", "metadata")),
            state=state,
            meta=self._context.meta_of(holder, metadata),
        )


def add_messages(
    builder: TrajectoryBuilder, messages: Sequence[Record], took: dict[str, float] | None = None
) -> tuple[str, State]:
    """Add the messages of a conversation; returns the name of the agent that spoke first, and how it ended."""
    unread = any(message.get("invalid_tool_calls") for message in messages)
    answered = answered_ids(list(messages)) if unread else ()
    first, current, state = "", "", "completed"
    for message in messages:
        if speaker(message) == "assistant":
            name = text(message.get("name"))
            if name is not None and name != current:
                if current:
                    builder.add_event("handoff", to=name)
                first, current = first or name, name
            state = "limit" if cut_off(message) else "completed"
            if (tokens := usage_of(message)) is not None:
                builder.add_usage(*tokens)
        add_message(builder, message, answered=answered, took=took)
    return first, "limit" if state == "limit" else "completed"


def _is_message(value: JsonValue) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind == "constructor":
        path = value.get("id")
        return (
            "lc" in value and isinstance(path, list) and bool(path) and str(path[-1]).removesuffix("Chunk") in CLASSES
        )
    if not isinstance(kind, str) or (kind not in KINDS and kind not in CLASSES):
        return False
    # Other formats have a role beside the type; a chat message of LangChain has one, too.
    return isinstance(value.get("data"), dict) or ("content" in value and ("role" not in value or kind == "chat"))


def _stands_alone(value: Record) -> bool:
    """Whether a record is a message by itself, in a layout that only LangChain has."""
    return ("lc" in value or isinstance(value.get("data"), dict)) and _is_message(value)


def _are_messages(value: JsonValue) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_message, value[:3]))


def _messages(holder: Record) -> JsonValue:
    found = holder.get("messages")
    return found if found is not None else at(holder, "values", "messages")


def _node_of(holder: Record) -> str | None:
    """The node of a graph that an update comes from."""
    if len(holder) > MAX_KEYS:
        return None
    for key, value in holder.items():
        if key not in NOT_NODES and isinstance(value, dict) and _are_messages(value.get("messages")):
            return key
    return None


def _fields(messages: list[JsonValue]) -> list[Record]:
    return [fields for message in messages if (fields := unfold(message))]


def _goes_on(before: list[JsonValue], messages: list[JsonValue]) -> bool:
    """Whether a state begins with all of an earlier one, or repeats it."""
    if messages[0] != before[0] or len(messages) < len(before):
        return False
    if len(messages) == len(before) and not text(unfold(messages[0]).get("id")):
        # Without ids two equal conversations may as well be two trials.
        return False
    return messages[: len(before)] == before


def _begins_anew(last: tuple[str, Record], node: str, message: Record) -> bool:
    """Whether a message of an update cannot belong to the conversation that came before it."""
    before, earlier = last
    if speaker(earlier) != "assistant" or calls_of(earlier):
        return False
    who = speaker(message)
    return who in ("user", "system") or (who == "assistant" and before == node)


def _case(holder: Record) -> str:
    metadata = record_of(holder.get("metadata"))
    return case_of(holder, metadata, at(holder, "config", "metadata"))
