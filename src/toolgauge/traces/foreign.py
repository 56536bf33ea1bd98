"""Reading records of other tools: which reader understands a record, and what becomes of those that none does."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import starmap
from types import NoneType
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from toolgauge.core import JsonValue, Trajectory
from toolgauge.errors import PluginError, ToolgaugeError, UsageError, did_you_mean
from toolgauge.files import FORMATS, BadJson, InputFile, Rejected, decode_json, split_lines
from toolgauge.plugins import find_plugins, load_plugin

from .context import ReadContext
from .crew import PART, Crew, Part
from .envelopes import CONTAINERS, opened
from .formats import BUILT_IN, Reader, built_in
from .native import TrajectoryDecoder, Written
from .unicode_names import normal_trajectory

__all__ = ["ForeignRecords", "is_reader", "looks_native", "reader_names"]

GROUP = "traces"
"""The entry points `toolgauge.traces`, under which readers of other packages are found."""

Look: TypeAlias = Literal["foreign", "native", "unknown", "broken"]
"""What a line looks like at first sight."""

KNOWN = frozenset(Trajectory.__struct_fields__)
READ_KEYS = frozenset({"case", "calls", "input", "output", "state", "schema"})
"""Keys of which a trajectory, or the header of a run file, has some, however wrong the rest of it is."""


def is_reader(name: str) -> bool:
    """Whether there is a reader of this name, built in or from another package."""
    return name in BUILT_IN or name in find_plugins(GROUP)


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
        self._used: dict[type[Reader], Reader] = {}
        self._last: type[Reader] | None = None
        self._only = _reader(only) if only is not None else None
        self._kinds: list[type[Reader]] | None = None

    def recognises(self, value: JsonValue) -> bool:
        """Whether a record, or a whole document, is one of another tool's, and not one of our own."""
        return not _is_native(value) and bool(self._opened(value))

    def begins_with(self, line: bytes) -> bool:
        """Whether the first line of a file is a record of another tool, or not for us to judge."""
        return self._only is not None or self.look_at(line) == "foreign"

    def look_at(self, line: bytes) -> Look:
        """What a line looks like. Whoever decodes a broken one as a trajectory finds the fault, and its place."""
        try:
            value = decode_json(line)
        except (BadJson, UnicodeDecodeError):
            return "broken"
        if self.recognises(value):
            return "foreign"
        return "native" if looks_native(value) else "unknown"

    def lines(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[Trajectory]:
        """The trajectories of a file with one record a line. What cannot be used is taken down, and left out."""
        yield from self._each(lines)
        yield from self._finish()

    def shared_lines(self, source: InputFile, crew: Crew) -> Iterator[Trajectory | Written]:
        """The same of a large file, of which other processes read what stands for itself."""
        parts = starmap(Part, source.spans(PART))
        number, end = 1, 0
        for part in parts:
            number, end = (yield from self._part(source, part, number)), part.end
            shorter = self._shorter()
            if shorter is not None and shorter.own and self._is_independent():
                with crew.context(source, shorter.kind, parts) as results:
                    number, end = yield from self._shared(source, shorter.kind, results, number, end)
                break
        yield from self._each(source.lines_from(end, number))
        yield from self._finish()

    def _shared(
        self,
        source: InputFile,
        kind: type[Reader],
        results: Iterator[tuple[Part, Written | None]],
        number: int,
        end: int,
    ) -> Generator[Trajectory | Written, None, tuple[int, int]]:
        """What other processes read, as long as it stands for itself; gives where that ends, by number and place."""
        for part, written in results:
            end = part.end
            if written is not None:
                self._context.report.count_format(kind.title, written.calls, written.count)
                number += written.lines
                yield written
                continue
            number = yield from self._part(source, part, number)
            shorter = self._shorter()
            if shorter is None or shorter.kind is not kind or not self._is_independent():
                break
        return number, end

    def _part(self, source: InputFile, part: Part, number: int) -> Generator[Trajectory, None, int]:
        """The trajectories of a part of a file whose first line has this number; gives that of the next part."""
        lines = split_lines(source.span(part.begin, part.end))
        yield from self._each(enumerate(lines, number))
        return number + len(lines)

    def _is_independent(self) -> bool:
        """Whether every record so far stood for itself."""
        return all(getattr(reader, "independent", False) for reader in self._used.values())

    def _each(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[Trajectory]:
        context = self._context
        context.unit = "line"
        shorter: _Shorter | None = None
        for number, line in lines:
            if not line or line.isspace():
                continue
            context.number, context.size = number, len(line)
            trajectories = shorter.read_line(line) if shorter is not None else None
            if shorter is None or trajectories is None:
                yield from self._read_in_full(line)
                shorter = self._shorter()
            elif shorter.own:
                # As `_counted` does it, without what a reader of another package needs.
                for trajectory in trajectories:
                    context.report.count_format(shorter.kind.title, len(trajectory.calls))
                    yield normal_trajectory(trajectory)
            else:
                yield from self._counted(shorter.kind, partial(iter, trajectories))

    def _read_in_full(self, line: bytes) -> Iterator[Trajectory]:
        try:
            value = decode_json(line)
        except BadJson as error:
            self._context.note_loss(f"a record is left out, for it is not JSON: {error.problem.what}")
        except UnicodeDecodeError:
            self._context.note_loss("a record is left out, for it is not UTF-8")
        else:
            yield from self._read(value)

    def _shorter(self) -> _Shorter | None:
        """The shorter way of the reader of the last line, where it has one, for those that are not decoded yet."""
        kind = self._only or self._last
        read_line = None if kind is None else getattr(self._used.get(kind), "read_line", None)
        return None if kind is None or read_line is None else _Shorter(kind, read_line, _is_own(kind))

    def document(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectories of a file that is one JSON document."""
        self._context.unit = "record"
        for number, record in enumerate(self._records(value), 1):
            self._context.number = number
            yield from self._read(record)
        yield from self._finish()

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
            for key in CONTAINERS:
                inner = value.get(key)
                if isinstance(inner, list) and any(map(self.recognises, inner)):
                    return inner
        return [value]

    def _read(self, value: JsonValue) -> Iterator[Trajectory]:
        if self._only is None and _is_native(value):
            yield from self._read_native(value)
            return
        for record in self._opened(value) or [value]:
            kind = self._kind(record)
            if kind is not None:
                yield from self._counted(kind, partial(self._reader_of(kind).read, record))
            elif looks_native(record):
                yield from self._read_native(record)
            else:
                self._context.note_loss("a record is left out, for it is of no known format")

    def _opened(self, value: JsonValue) -> list[JsonValue]:
        """The record itself, or those that are wrapped in it, where a reader knows one of them."""
        if self._only is not None:
            known = self._only.recognises
            return [value] if known(value) else opened(value, known) or [value]
        if self._kind(value) is not None:
            return [value]
        return opened(value, lambda inner: self._kind(inner) is not None)

    def _finish(self) -> Iterator[Trajectory]:
        for kind, reader in self._used.items():
            yield from self._counted(kind, reader.finish)

    def _reader_of(self, kind: type[Reader]) -> Reader:
        reader = self._used.get(kind)
        if reader is None:
            reader = self._used[kind] = kind(self._context)
        return reader

    def _counted(self, kind: type[Reader], read: Callable[[], Iterable[Trajectory]]) -> Iterator[Trajectory]:
        """What a reader gives, counted. One of another package that fails is named, wherever it does."""
        own = _is_own(kind)
        try:
            for trajectory in read():
                self._context.report.count_format(kind.title, len(trajectory.calls))
                yield normal_trajectory(trajectory)
        except Exception as error:
            if own or isinstance(error, ToolgaugeError):
                raise
            where = f"in {self._context.unit} {self._context.number}"
            what = f"{type(error).__name__}: {error}"
            raise PluginError(f"the reader for {kind.title} failed {where}: {what}") from error

    def _read_native(self, value: JsonValue) -> Iterator[Trajectory]:
        try:
            trajectory = self._native(msgspec.json.encode(value))
        except Rejected as error:
            self._context.note_loss(f"a trajectory is left out: {error.faults[0].what}")
        else:
            self._context.report.count_format("toolgauge trajectories", len(trajectory.calls))
            yield trajectory

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

    def _readers(self) -> list[type[Reader]]:
        if self._kinds is None:
            self._kinds = [built_in(name) for name in BUILT_IN]
            self._kinds += [_reader(name) for name in find_plugins(GROUP)]
        return self._kinds


class _Shorter(NamedTuple):
    """The shorter way that a reader knows for lines in a usual layout."""

    kind: type[Reader]
    read_line: Callable[[bytes], Iterable[Trajectory] | None]
    own: bool
    """Whether it comes with toolgauge."""


def _is_own(kind: type[Reader]) -> bool:
    return kind.__module__.startswith(__package__)


def _is_native(value: JsonValue) -> bool:
    """Whether a record is surely one of our own."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("calls"), list):
        return "case" in value or "input" in value
    if not isinstance(value.get("case"), str) or not isinstance(value.get("output"), (str, NoneType)):
        return False
    return ("output" in value or "state" in value or "error" in value) and KNOWN.issuperset(value)


def looks_native(value: JsonValue) -> bool:
    """Whether a record that no reader knows may be meant as one of our own."""
    return isinstance(value, dict) and not READ_KEYS.isdisjoint(value)


def _reader(name: str) -> type[Reader]:
    if name in BUILT_IN:
        return built_in(name)
    if name not in find_plugins(GROUP):
        known = [*FORMATS, *reader_names()]
        hint = did_you_mean(name, known) or f"known here: {', '.join(known)}"
        raise UsageError(f"{name!r} is no input format; {hint}")
    found: type[Reader] = load_plugin(GROUP, name)
    return found
