"""Reading records of other tools: which reader understands a record, and what becomes of those that none does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import NoneType
from typing import Literal, ParamSpec, TypeAlias

import msgspec

from toolgauge.core import JsonValue, Trajectory
from toolgauge.errors import PluginError, ToolgaugeError, UsageError, did_you_mean
from toolgauge.files import FORMATS, BadJson, Rejected, decode_json
from toolgauge.plugins import find_plugins, load_plugin

from .answers import AnswerReader
from .context import ReadContext
from .formats import BUILT_IN, Reader, built_in, name_of
from .formats.fast import FastReader
from .import_report import ALL_LOOKED_AT
from .native import TrajectoryDecoder
from .unicode_names import normal_trajectory
from .values import repeats

__all__ = ["ForeignRecords", "looks_native", "reader_names"]

P = ParamSpec("P")

GROUP = "traces"
"""The entry points `toolgauge.traces`, under which readers of other packages are found."""

Look: TypeAlias = Literal["foreign", "native", "unknown", "broken"]
"""What a line looks like at first sight."""

KNOWN = frozenset(Trajectory.__struct_fields__)
OWN_KEYS = frozenset({"case", "calls", "input", "output", "state", "schema"})
"""A trajectory, or the header of a run file, has some of these keys, however wrong the rest of it is."""


def reader_names() -> list[str]:
    """The names of all readers, those of other packages last."""
    return [*BUILT_IN, *find_plugins(GROUP)]


class ForeignRecords:
    """Turns records of other tools into trajectories, whatever mixture of them a file holds."""

    def __init__(self, context: ReadContext, only: str | None = None) -> None:
        """With the name of a reader every record is given to that one.

        Raises:
            UsageError: There is no such reader.
        """
        self._context = context
        self._native = TrajectoryDecoder(context.report)
        self._read_answers = AnswerReader(context)
        self._used: dict[type[Reader], Reader] = {}
        self._fast: dict[type[Reader], FastReader | None] = {}
        self._last: type[Reader] | None = None
        self._only = _reader(only) if only is not None else None
        self._kinds: dict[str, type[Reader]] = {}

    def recognises(self, value: JsonValue) -> bool:
        """Whether a record, or a whole document, is one of another tool's, and not one of our own."""
        return not _is_native(value) and bool(self._opened(value))

    def begins_with(self, line: bytes) -> bool:
        """Whether the first line of a file is a record of another tool, by its looks or by the format that is given."""
        return self._only is not None or self.look_at(line) == "foreign"

    def look_at(self, line: bytes) -> Look:
        """What a line looks like. Decoding a broken one as a trajectory finds the fault, and its place."""
        try:
            value = decode_json(line)
        except (BadJson, UnicodeDecodeError):
            return "broken"
        if self.recognises(value):
            return "foreign"
        return "native" if looks_native(value) else "unknown"

    def lines(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[list[Trajectory]]:
        """The trajectories of a file with one record a line. What cannot be used is reported, and left out."""
        yield from self.some_lines(lines)
        yield from self.finish()

    def some_lines(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[list[Trajectory]]:
        """The trajectories of lines with their numbers, after which more may come."""
        context = self._context
        context.unit = "line"
        fast: FastReader | None = None
        for number, line in lines:
            if not line or line.isspace():
                continue
            context.number, context.size = number, len(line)
            if number <= ALL_LOOKED_AT and repeats(line):
                context.note_loss("a record has a duplicate key; the last value counts")
            trajectories = fast.read_line(line) if fast is not None else None
            if fast is None or trajectories is None:
                yield from self._read_in_full(line)
                fast = self._fast_reader()
            else:
                yield from self._counted(fast, iter, trajectories)

    @property
    def independent_format(self) -> str | None:
        """The format that the next records are likely of, if every record so far stood for itself.

        Then anyone can read the next ones in the fast way of that format, without knowing these.
        """
        fast = self._fast_reader()
        if fast is None or not all(used is not None and used.independent for used in self._fast.values()):
            return None
        return name_of(type(fast))

    def _read_in_full(self, line: bytes) -> Iterator[list[Trajectory]]:
        try:
            value = decode_json(line)
        except BadJson as error:
            self._context.note_loss(f"a record is left out because it is not JSON: {error.problem.what}")
        except UnicodeDecodeError:
            self._context.note_loss("a record is left out because it is not UTF-8")
        else:
            yield from self._read(value)

    def _fast_reader(self) -> FastReader | None:
        """The reader of the last line, where it knows a fast way for lines that are not decoded yet."""
        kind = self._only or self._last
        return None if kind is None else self._fast.get(kind)

    def document(self, value: JsonValue) -> Iterator[list[Trajectory]]:
        """The trajectories of a file that is one JSON document."""
        self._context.unit = "record"
        for number, record in enumerate(self._records(value), 1):
            self._context.number = number
            yield from self._read(record)
        yield from self.finish()

    def holds_records(self, value: JsonValue) -> bool:
        """Whether a document is a record of another tool, or holds some."""
        return any(self.recognises(record) for record in self._records(value))

    def _records(self, value: JsonValue) -> list[JsonValue]:
        if self._only is not None:
            whole = self._only.recognises(value)
            return value if isinstance(value, list) and not whole else [value]
        if self.recognises(value):
            return [value]
        if isinstance(value, list):
            return value
        if isinstance(value, dict) and not _is_native(value):
            from .envelopes import CONTAINERS

            for key in CONTAINERS:
                inner = value.get(key)
                if isinstance(inner, list) and any(map(self.recognises, inner)):
                    return inner
        return [value]

    def _read(self, value: JsonValue) -> Iterator[list[Trajectory]]:
        if self._only is None and _is_native(value):
            yield from self._read_native(value)
            return
        for record in self._opened(value) or [value]:
            kind = self._kind(record)
            if kind is not None:
                reader = self._reader_of(kind)
                yield from self._counted(reader, reader.read, record)
            elif looks_native(record):
                yield from self._read_native(record)
            else:
                self._context.note_loss("a record is left out because its format is not known")

    def _opened(self, value: JsonValue) -> list[JsonValue]:
        """The record itself, or those that are wrapped in it, where a reader knows one of them."""
        from .envelopes import opened  # what a file of our own records does without

        if self._only is not None:
            known = self._only.recognises
            return [value] if known(value) else opened(value, known) or [value]
        if self._kind(value) is not None:
            return [value]
        return opened(value, lambda inner: self._kind(inner) is not None)

    def finish(self) -> Iterator[list[Trajectory]]:
        """The trajectories that were waiting for more records."""
        for reader in self._used.values():
            yield from self._counted(reader, reader.finish)

    def _reader_of(self, kind: type[Reader]) -> Reader:
        reader = self._used.get(kind)
        if reader is None:
            reader = self._used[kind] = kind(self._context)
            self._fast[kind] = reader if isinstance(reader, FastReader) else None
        return reader

    def _counted(
        self, reader: Reader | FastReader, read: Callable[P, Iterable[Trajectory]], *given: P.args, **named: P.kwargs
    ) -> Iterator[list[Trajectory]]:
        """What a reader gives, counted. One of another package that fails is named, wherever it does."""
        title = reader.title
        try:
            for trajectory in read(*given, **named):
                self._context.report.count_format(title, len(trajectory.calls))
                yield [normal_trajectory(trajectory)]
        except Exception as error:
            if name_of(type(reader)) is not None or isinstance(error, ToolgaugeError):
                raise
            where = f"in {self._context.unit} {self._context.number}"
            what = f"{type(error).__name__}: {error}"
            raise PluginError(f"the reader for {title} failed {where}: {what}") from error

    def _read_native(self, value: JsonValue) -> Iterator[list[Trajectory]]:
        try:
            trajectory = self._native(msgspec.json.encode(value))
        except Rejected as error:
            self._context.note_loss(f"a trajectory is left out: {error.faults[0].what}")
        else:
            self._read_answers.numbers = (self._context.number,)
            read = self._read_answers([trajectory])
            self._context.report.count_format("toolgauge trajectories", len(read[0].calls))
            yield read

    def _kind(self, value: JsonValue) -> type[Reader] | None:
        if self._only is not None:
            return self._only
        if self._last is not None and self._last.recognises(value):
            return self._last
        for kind in self._readers():
            if kind.recognises(value):
                self._last = kind
                return kind
        return None

    def _readers(self) -> Iterator[type[Reader]]:
        """All readers, those of other packages last; each is loaded when those before do not know a record."""
        for name in self._names():
            if name not in self._kinds:
                self._kinds[name] = _reader(name)
            yield self._kinds[name]

    def _names(self) -> Iterator[str]:
        yield from BUILT_IN
        yield from self._brought

    @cached_property
    def _brought(self) -> list[str]:
        """The names of readers of other packages, looked for once: that takes longer than to read many records."""
        return find_plugins(GROUP)


def _is_native(value: JsonValue) -> bool:
    """Whether a record is certainly one of our own."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("calls"), list):
        return "case" in value or "input" in value
    if not isinstance(value.get("case"), str) or not isinstance(value.get("output"), (str, NoneType)):
        return False
    return ("output" in value or "state" in value or "error" in value) and KNOWN.issuperset(value)


def looks_native(value: JsonValue) -> bool:
    """Whether a record that no reader knows may be meant as one of our own."""
    return isinstance(value, dict) and not OWN_KEYS.isdisjoint(value)


def _reader(name: str) -> type[Reader]:
    if name in BUILT_IN:
        return built_in(name)
    if name not in find_plugins(GROUP):
        known = [*FORMATS, *reader_names()]
        hint = did_you_mean(name, known) or f"known here: {', '.join(known)}"
        raise UsageError(f"{name!r} is not an input format; {hint}")
    found: type[Reader] = load_plugin(GROUP, name)
    return found
