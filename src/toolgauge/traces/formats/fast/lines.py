"""What the fast ways of reading usual records of messages have in common.

Such records are decoded straight into what is needed of them, several times faster than in general. Whatever is unusual
in one, a result without a call or a request with its response, is left to the full reader, which gives the same for
all. Keys that say nothing about what was done are passed over; those that would say something are named.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import astuple, force_setattr

from toolgauge.core import LARGEST_AMOUNT, UNSAID, Call, JsonValue, Trajectory, Usage
from toolgauge.files import repeats_key

from ...context import ReadContext
from ...parallel_calls import PARALLEL
from ...textcalls.commands import holds_command
from ...textcalls.results import is_observed
from ...values import CASE_KEYS, DEEPEST, TRIAL_KEYS, Record, at, case_of, is_deep, record_of, text, trial_of
from ..conversations import TIMING, LoggedConversation, exchange_usage
from ..threads import thread_of

__all__ = [
    "CASES",
    "TIMES",
    "UNREADABLE",
    "FastBuilder",
    "Never",
    "Text",
    "build_line",
    "check_encoding",
    "joined",
    "line_decoder",
    "passes_over",
    "record_decoder",
]

Never = Annotated[int, Meta(gt=1, lt=0)]
"""No value is of this type: where there is one, the record is unusual."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoders raise at lines that are not as they should be."""

CASES = (*CASE_KEYS[:-1], *TRIAL_KEYS)
"""Keys of a record that say which case and which trial it is of, beside its own `id`."""

TIMES = tuple(sorted(TIMING))
"""Keys of a record that say how long it took."""

_decode = msgspec.json.Decoder().decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode


class Text(Struct, gc=False):
    """A part of a message that is a text."""

    text: str
    type: Literal["text"]
    toolUse: None = None  # noqa: N815 - as it is written
    toolResult: None = None  # noqa: N815 - likewise


def joined(content: str | list[Text] | None) -> str | None:
    """The words of a message; None where it has none."""
    if isinstance(content, list):
        content = "\n".join([part.text for part in content if part.text])
    return content or None


def check_encoding(line: bytes) -> None:
    """Make sure that a line is UTF-8, for decoders do not look at what they pass over.

    Raises:
        UnicodeDecodeError: It is not.
    """
    if not line.isascii():
        line.decode()


def passes_over(context: ReadContext, read_keys: Collection[str]) -> bool:
    """Whether a key that somebody asked for would be passed over, where only these are looked at beside the `id`."""
    return context.kept_key is not None and context.kept_key != "id" and context.kept_key not in read_keys


def record_decoder(
    messages: Any, *, read_keys: Iterable[str], empty: Iterable[str] = (), never: Iterable[str] = ()
) -> Callable[[bytes], tuple[Any, Record]]:
    """Decodes records with messages of a type; gives the messages, and what else the record says.

    Args:
        messages: The type of the list of messages.
        read_keys: Keys beside the own `id` of a record that are looked at.
        empty: Keys under which nothing but null may stand.
        never: Keys that must not be there.
    """
    keys = ("id", *read_keys)
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("messages", messages),
        ("id", JsonValue, None),
        *((key, JsonValue | UnsetType, UNSET) for key in keys[1:]),
        *((key, None, None) for key in sorted(empty)),
        *((key, Never, 0) for key in sorted(never)),
    ]
    decode = msgspec.json.Decoder(msgspec.defstruct("_Record", fields, gc=False)).decode
    end = 1 + len(keys)
    nothing = (UNSET,) * (len(keys) - 1)

    def decode_record(line: bytes) -> tuple[Any, Record]:
        values = astuple(decode(line))
        found = values[1:end]
        if found[1:] == nothing:
            return values[0], {"id": found[0]}
        return values[0], {key: value for key, value in zip(keys, found, strict=True) if value is not UNSET}

    return decode_record


def line_decoder(
    messages: Any, *, read_keys: Iterable[str], empty: Iterable[str] = (), never: Iterable[str] = ()
) -> Callable[[bytes], tuple[Any, Record] | None]:
    """As `record_decoder`, also for lines that are a list of messages; gives None for lines that it cannot decode."""
    decode_record = record_decoder(messages, read_keys=read_keys, empty=empty, never=never)
    decode_messages = msgspec.json.Decoder(messages).decode

    def decode_line(line: bytes) -> tuple[Any, Record] | None:
        try:
            check_encoding(line)
            if not line.startswith(b"["):
                return decode_record(line)
            listed = _decode_list(line)
            if not listed or thread_of(record_of(_decode(listed[0]))) is not None:
                return None
            return decode_messages(line), {}
        except UNREADABLE:
            return None

    return decode_line


def build_line(
    line: bytes,
    context: ReadContext,
    read_keys: Collection[str],
    decode_line: Callable[[bytes], tuple[Any, Record] | None],
    add_messages: Callable[[Any, FastBuilder], bool],
) -> tuple[FastBuilder, Record] | None:
    """A builder with the messages of a line, and the record around them; None where the full reader has to read it.

    Args:
        line: The line.
        context: How names and results are read.
        read_keys: Keys of a record that are looked at.
        decode_line: What `line_decoder` made.
        add_messages: Adds the messages; False where something is not as it should be.
    """
    decoded = None if passes_over(context, read_keys) else decode_line(line)
    if decoded is None:
        return None
    messages, holder = decoded
    builder = FastBuilder(context)
    return (builder, holder) if add_messages(messages, builder) else None


class FastBuilder:
    """A conversation of which every result follows its call, and has its id."""

    __slots__ = ("_calls", "_context", "_open", "input", "output", "turn", "usage")

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._calls: dict[str, Call] = {}
        self._open: dict[str, Call] = {}
        """The calls without a result."""
        self.turn = 0
        self.input: str | None = None
        self.output: str | None = None
        self.usage: Usage | None = None

    def say(self, words: str | None) -> bool:
        """The agent says something; False where calls may be written in it."""
        if words:
            if self._context.text_calls.may_hold(words):
                return False
            self.output = words
        return True

    def hear(self, words: str | None) -> bool:
        """The user says something; False where that may be what a shell answers to a command of the agent."""
        if self.input is None:
            self.input = words or None
            return True
        return not words or self.output is None or not (is_observed(words) and holds_command(self.output))

    def add_call(self, tool: str, arguments: str | Record | None, key: str) -> bool:
        """The agent calls a tool; False where there is something unusual about it."""
        if isinstance(arguments, str):
            try:
                decoded = _decode(arguments)
            except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
                return False
            if not isinstance(decoded, dict) or (len(arguments) > DEEPEST and is_deep(arguments, decoded)):
                return False
            if repeats_key(arguments, decoded):
                return False
            arguments = decoded
        if not key or key in self._calls or tool in PARALLEL:
            return False
        name = self._context.names(tool)
        original = None if name == tool else tool
        call = Call(name, arguments, key, self.turn, None, None, None, None, None, original)
        self._calls[key] = self._open[key] = call
        self.output = None
        return True

    def add_result(self, value: JsonValue, key: str, failed: bool | None) -> bool:
        """A tool answers; False where it was not asked."""
        call = self._open.pop(key, None)
        if call is None:
            return False
        result, error = self._context.resolve_result(value, failed)
        # No one else has seen the call yet, so it may still be changed.
        force_setattr(call, "result", result)
        if error is not None:
            force_setattr(call, "error", error)
        return True

    def build(self, holder: Record, *, agent: str = "", limit: bool = False) -> Trajectory | None:
        """The trajectory; None where nothing was said and nothing done.

        Args:
            holder: What the record says of it.
            agent: The name of the agent, where the record does not say it.
            limit: Whether the agent was cut off.
        """
        if self.input is None and self.output is None and not self._calls:
            return None
        if self._open:
            self._context.note_loss("a call has no recorded result", len(self._open))
        case, latency = holder.get("id"), None
        meta: Record = {}
        trial: int | None = None
        if len(holder) > 1 or not isinstance(case, str):
            meta = record_of(holder.get("metadata") or holder.get("meta"))
            case = case_of(holder, meta, at(holder, "config", "metadata"))
            agent = text(holder.get("agent")) or text(meta.get("agent")) or agent
            trial = trial_of(holder, meta, at(holder, "config", "metadata"))
            latency = _latency(holder)
        return Trajectory(
            case=case,
            agent=agent,
            trial=UNSAID if trial is None else trial,
            state="limit" if limit else "completed",
            calls=tuple(self._calls.values()),
            output=self.output,
            latency_ms=latency,
            usage=self.usage,
            input=self.input,
            meta=self._context.meta_of(holder, meta),
        )


def _latency(holder: Record) -> float | None:
    if TIMING.isdisjoint(holder):
        return None
    latency = LoggedConversation(0, [], [exchange_usage(holder, None)], 0, []).latency_ms()
    return latency if latency is not None and 0 <= latency <= LARGEST_AMOUNT else None
