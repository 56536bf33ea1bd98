"""Following files: a growing one, those of a folder, a log that is rotated; in any format that the readers know.

- Lines of spans go to the inbox, like what is received, together with how far the file is read.
- Other lines are read as they come. Where every line stands for itself it counts at once; where conversations are
  spread over lines, they count when the file was silent for the window, or when `MAX_OPEN` bytes are open.
- Any other file counts as a whole, when it was silent for the window; of one that is written anew only what is new.
- A file is known by its inode: what is renamed is followed to its end before the one that took its name is begun.

How far a file is read is written down together with what it said, so that nothing counts twice or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from toolgauge.core import RUN_HEADER_LINE, Trajectory
from toolgauge.errors import InputError, NothingToDo, ToolgaugeError
from toolgauge.files import BadJson, InputFile, decode_json, recognise
from toolgauge.traces import ImportReport, ReadOptions, read_traces
from toolgauge.traces.context import ReadContext
from toolgauge.traces.foreign import ForeignRecords
from toolgauge.traces.formats.spans.records import is_spans
from toolgauge.traces.table import is_column

from .committing import Delivery
from .otlp import LINES, ReceivedSpans, spans_of_lines
from .state import FilePlace, WatchedConversation, WatchState
from .watcher import WatchEngine, conversation_of

__all__ = ["FileFollower"]

SUFFIXES = (".json", ".jsonl", ".ndjson", ".log", ".csv", ".yaml", ".yml", ".eval", ".txt")
"""Of a folder these files are followed."""

LINES_SUFFIXES = (".jsonl", ".ndjson", ".log")
"""Of these files a single line is the first of several."""

CHUNK = 4 * 1024 * 1024
"""So many bytes of a file are read at once."""

MAX_OPEN = 16 * 1024 * 1024


class _Lines:
    """A file of lines while it is read."""

    def __init__(self, place: FilePlace, options: ReadOptions) -> None:
        self.place = place
        self.position = place.position
        """How far it is read; what is behind `place.position` does not count yet."""
        self.context = ReadContext(options)
        self.records = ForeignRecords(self.context)
        self.held: list[Trajectory] = []
        self.number = 0
        self.native_only = True


class FileFollower:
    """Reads what is new in files."""

    def __init__(
        self,
        state: WatchState,
        watcher: WatchEngine,
        paths: Sequence[str],
        *,
        window: float,
        known_tools: Sequence[str] = (),
    ) -> None:
        """Make ready.

        Args:
            state: A connection for the thread that polls.
            watcher: Takes what is found.
            paths: Files and folders; they may come later.
            window: How many seconds a file has to be silent.
            known_tools: The names of the tools.
        """
        self._state = state
        self._watcher = watcher
        self._paths = paths
        self._window = window
        self._known_tools = known_tools
        self._report = ImportReport()
        self._places = {place.path: place for place in state.files()}
        self._lines: dict[int, _Lines] = {}
        """By inode the files of lines that are being read."""
        self.notes: list[str] = []
        """What could not be read, and why."""

    @property
    def lost(self) -> dict[str, int]:
        """What could not be used of the files, and how often."""
        return self._report.lost

    def poll(self, now: float, *, rest: bool = False) -> None:
        """Read what is new.

        Args:
            now: The time, in seconds since 1970.
            rest: Nothing more is expected: everything counts.
        """
        for path in self._files():
            try:
                self._poll_file(path, now, rest=rest)
            except FileNotFoundError:
                continue  # it was renamed or removed since it was listed
            except (ToolgaugeError, OSError) as error:
                self._note(f"{path}: {error}")

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _files(self) -> Iterator[str]:
        for path in self._paths:
            if os.path.isdir(path):
                found = [entry for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")]
                fitting = [entry for entry in found if _is_followed(entry.name)]
                yield from (entry.path for entry in sorted(fitting, key=lambda entry: entry.stat().st_mtime))
            elif os.path.exists(path):
                yield path

    def _poll_file(self, path: str, now: float, *, rest: bool) -> None:
        status = os.stat(path)
        place = self._place_of(path, status.st_ino)
        if place.inode != status.st_ino:
            self._finish_renamed(path, place, now)
            place = FilePlace(path, status.st_ino, 0, 0, 0.0)
        if status.st_size < place.position:
            self._report.note_loss("a file was cut off and begun anew", path)
            self._lines.pop(place.inode, None)
            place = FilePlace(path, status.st_ino, 0, 0, 0.0)
        if status.st_size == 0:
            return
        was_whole = place.size > 0 and place.position == 0
        if status.st_ino in self._lines or (not was_whole and _has_lines(path)):
            self._poll_lines(path, place, now, status, rest=rest)
        elif rest or now - status.st_mtime >= self._window:
            self._read_whole(path, place, status)

    def _place_of(self, path: str, inode: int) -> FilePlace:
        """How far a file is read, also where it was renamed since."""
        for known in self._places.values():
            if known.inode == inode and known.path != path and not _is_at(known.path, inode):
                del self._places[known.path]
                moved = FilePlace(path, inode, known.position, known.size, known.changed)
                self._places[path] = moved
                return moved
        return self._places.get(path) or FilePlace(path, inode, 0, 0, 0.0)

    def _finish_renamed(self, path: str, place: FilePlace, now: float) -> None:
        """Read the rest of a file whose name another one has now."""
        folder = os.path.dirname(path) or "."
        for entry in list(os.scandir(folder)):
            if entry.inode() == place.inode and entry.is_file():
                if _has_lines(entry.path):
                    self._poll_lines(entry.path, place, now, entry.stat(), rest=True)
                self._lines.pop(place.inode, None)
                return
        self._report.note_loss("a file was replaced before its end was read", path)

    # --- lines

    def _poll_lines(self, path: str, place: FilePlace, now: float, status: os.stat_result, *, rest: bool) -> None:
        reading = self._lines.get(status.st_ino)
        if reading is None:
            options = ReadOptions(report=self._report, known_tools=list(self._known_tools))
            reading = self._lines[status.st_ino] = _Lines(place, options)
            reading.context.source = path
        while chunk := self._chunk(path, reading.position, rest=rest):
            reading.position += len(chunk)
            if _holds_spans(chunk):
                self._receive_spans(path, chunk, reading, status, now)
            else:
                self._read_lines(reading, chunk)
                open_bytes = reading.position - reading.place.position
                if reading.native_only or reading.records.independent_format or open_bytes > MAX_OPEN:
                    self._count(path, reading, status, now)
        quiet = now - status.st_mtime >= self._window
        if (rest or quiet) and reading.position > reading.place.position:
            self._count(path, reading, status, now)

    def _chunk(self, path: str, position: int, *, rest: bool) -> bytes:
        """The whole lines from a position on, and at the very end what is there of the last one."""
        with open(path, "rb") as file:
            file.seek(position)
            data = file.read(CHUNK)
            if len(data) == CHUNK and b"\n" not in data:
                data += file.readline(MAX_OPEN)
        end = data.rfind(b"\n") + 1
        return data if rest and not end else data[:end]

    def _receive_spans(self, path: str, chunk: bytes, reading: _Lines, status: os.stat_result, now: float) -> None:
        if reading.held:
            self._count(path, reading, status, now)
        place = FilePlace(path, status.st_ino, reading.position, status.st_size, status.st_mtime)
        row = self._state.receive_lines(f"{LINES} {path}", now, chunk, place)
        reading.place = self._places[path] = place
        spans = spans_of_lines(chunk)
        self._watcher.deliver(Delivery(row, now, ReceivedSpans(spans, count=len(spans))))

    def _read_lines(self, reading: _Lines, chunk: bytes) -> None:
        lines = chunk.splitlines()
        numbered = enumerate(lines, reading.number + 1)
        reading.native_only = reading.native_only and all(map(_is_native, lines))
        for found in reading.records.some_lines(numbered):
            reading.held += found
        reading.number += len(lines)

    def _count(self, path: str, reading: _Lines, status: os.stat_result, now: float) -> None:
        """What was read so far counts."""
        for found in reading.records.finish():
            reading.held += found
        start = reading.place.position
        conversations = [
            conversation_of(trajectory, now, f"{path}:{status.st_ino}:{start}:{number}")
            for number, trajectory in enumerate(reading.held)
        ]
        place = FilePlace(path, status.st_ino, reading.position, status.st_size, status.st_mtime)
        self._watcher.settle(conversations, place)
        reading.place = self._places[path] = place
        reading.held = []
        if not reading.native_only:
            reading.records = ForeignRecords(reading.context)

    # --- other files

    def _read_whole(self, path: str, place: FilePlace, status: os.stat_result) -> None:
        if (place.inode, place.size, place.changed) == (status.st_ino, status.st_size, status.st_mtime):
            return
        new = FilePlace(path, status.st_ino, 0, status.st_size, status.st_mtime)
        self._places[path] = new
        try:
            found = list(read_traces(path, ReadOptions(report=self._report, known_tools=list(self._known_tools))))
        except NothingToDo:
            found = []
        self._watcher.settle(self._fresh(found, status.st_mtime), new)

    def _fresh(self, found: Sequence[Trajectory], changed: float) -> list[WatchedConversation]:
        """Those that were not there when the file was read before."""
        fresh: list[WatchedConversation] = []
        for trajectory in found:
            digest = sha256(msgspec.json.encode(trajectory)).hexdigest()
            conversation = conversation_of(trajectory, changed, digest)
            if self._watcher.is_new(conversation.trace or digest):
                fresh.append(conversation)
        return fresh


def _is_followed(name: str) -> bool:
    """Whether a file of a folder is followed; a log that was rotated has a number behind its suffix."""
    stem = name.lower().rstrip("0123456789").rstrip(".-")
    return stem.endswith(SUFFIXES) or name.lower().endswith(SUFFIXES)


def _is_at(path: str, inode: int) -> bool:
    try:
        return os.stat(path).st_ino == inode
    except OSError:
        return False


def _has_lines(path: str) -> bool:
    """Whether a file is one of records a line, as far as its beginning tells."""
    try:
        with InputFile(path, long_first_line=RUN_HEADER_LINE) as source:
            if not source.opening.lstrip().startswith(b"{"):
                return False
            return path.lower().endswith(LINES_SUFFIXES) or recognise(source, is_column) == "jsonl"
    except InputError:
        return False


def _holds_spans(chunk: bytes) -> bool:
    line = chunk.lstrip().partition(b"\n")[0]
    try:
        return is_spans(decode_json(line))
    except (BadJson, UnicodeDecodeError):
        return False


def _is_native(line: bytes) -> bool:
    return not line.strip() or (b'"calls"' in line and b'"messages"' not in line)
