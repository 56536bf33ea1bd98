"""Following files: a growing one, those of a folder, a log that is rotated; in any format that the readers know.

- Lines of spans go to the inbox, like what is received, together with how far the file is read.
- Other lines are read as they come. Where every line stands for itself it counts at once; where conversations are
  spread over lines, they count when the file was silent for the window, or when `MAX_OPEN` bytes are open.
- Any other file counts as a whole, when it was silent for the window; of one that is written anew only what is new.
- A file is known by its inode: what is renamed is followed to its end before the one that took its name is begun.
- What cannot be read is counted, and named with its file and line.

How far a file is read is written down together with what it said, so that nothing counts twice or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from toolgauge.core import RUN_HEADER_LINE, Trajectory
from toolgauge.errors import InputError, NothingToDo, ToolgaugeError
from toolgauge.files import BadJson, InputFile, check_count, decode_json, recognise
from toolgauge.traces import ImportReport, ReadOptions, read_traces
from toolgauge.traces.context import ReadContext
from toolgauge.traces.foreign import ForeignRecords
from toolgauge.traces.formats.spans.records import is_spans
from toolgauge.traces.table import is_column

from .committing import Delivery
from .notes import WatchNotes
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

MAX_UNMEASURED = 1024 * 1024
"""Lines that are longer are measured before they are decoded."""


class _Lines:
    """A file of lines while it is read."""

    def __init__(self, path: str, place: FilePlace, known_tools: Sequence[str]) -> None:
        self.place = place
        self.begun = place.position
        """Where it was begun, from which lines are numbered."""
        self.report = ImportReport()
        options = ReadOptions(report=self.report, known_tools=list(known_tools))
        self.position = place.position
        """How far it is read; what is behind `place.position` does not count yet."""
        self.context = ReadContext(options)
        self.context.source = path
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
        notes: WatchNotes | None = None,
    ) -> None:
        """Make ready.

        Args:
            state: A connection for the thread that polls.
            watcher: Takes what is found.
            paths: Files and folders; they may come later.
            window: How many seconds a file has to be silent.
            known_tools: The names of the tools.
            notes: What could not be read, and why.
        """
        self._state = state
        self._watcher = watcher
        self._paths = paths
        self._window = window
        self._known_tools = known_tools
        self._places = {place.path: place for place in state.files()}
        self._lines: dict[int, _Lines] = {}
        """By inode the files of lines that are being read."""
        self._notes = notes if notes is not None else WatchNotes()
        self.faults = 0
        """How many files, lines and parts of them could not be."""

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
            except InputError as error:
                self._fail(path, str(error))
            except (ToolgaugeError, OSError) as error:
                self._fail(path, f"{path}: {error}")

    def _fail(self, path: str, text: str) -> None:
        """Note that a file cannot be read; it is tried with every poll, and noted once."""
        self.faults += 1
        self._notes.add(text, source=path)

    def _lose(self, path: str, what: str, where: str = "", times: int = 1) -> None:
        """Count something of a file that could not be used."""
        self.faults += times
        self._notes.add(what, where or path, times, source=path)
        self._watcher.note_loss(what, times)

    def _files(self) -> Iterator[str]:
        for path in self._paths:
            if os.path.isdir(path):
                found = [entry for entry in os.scandir(path) if entry.is_file() and not entry.name.startswith(".")]
                fitting = [entry for entry in found if _is_followed(entry.name)]
                if not fitting:
                    self._notes.add(f"no file of this folder is followed; known endings: {', '.join(SUFFIXES)}", path)
                yield from (entry.path for entry in sorted(fitting, key=lambda entry: entry.stat().st_mtime))
            elif os.path.exists(path):
                yield path
            else:
                self._notes.add("there is no such file yet; waiting for it", path)

    def _poll_file(self, path: str, now: float, *, rest: bool) -> None:
        status = os.stat(path)
        place = self._place_of(path, status.st_ino)
        if place.inode != status.st_ino:
            self._finish_renamed(path, place, now)
            place = FilePlace(path, status.st_ino, 0, 0, 0.0)
        if status.st_size < place.position:
            self._lose(path, "a file was truncated and started again")
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
        self._lose(path, "a file was replaced before its end was read")

    # --- lines

    def _poll_lines(self, path: str, place: FilePlace, now: float, status: os.stat_result, *, rest: bool) -> None:
        reading = self._lines.get(status.st_ino)
        if reading is None:
            reading = self._lines[status.st_ino] = _Lines(path, place, self._known_tools)
        while chunk := self._chunk(path, reading.position, rest=rest):
            reading.position += len(chunk)
            if len(chunk) > MAX_UNMEASURED:
                chunk = self._bounded(reading, chunk)
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
        self._take_losses(path, reading)

    def _take_losses(self, path: str, reading: _Lines) -> None:
        """Count what could not be used of the lines that were read since."""
        lost, places = reading.report.lost, reading.report.lost_at
        if not lost:
            return
        before = _lines_before(path, reading.begun)
        for what, times in lost.items():
            number = int(places[what].rpartition(" ")[2])
            self._lose(path, what, f"{path}:{before + number}", times)
        lost.clear()
        places.clear()

    def _chunk(self, path: str, position: int, *, rest: bool) -> bytes:
        """The whole lines from a position on, and at the very end what is there of the last one."""
        with open(path, "rb") as file:
            file.seek(position)
            data = file.read(CHUNK)
            if len(data) == CHUNK and b"\n" not in data:
                data += file.readline(MAX_OPEN)
        end = data.rfind(b"\n") + 1
        # What is too long for a line is read in parts, so that it does not stand in the way of the others for ever.
        return data if not end and (rest or len(data) == CHUNK + MAX_OPEN) else data[:end]

    def _bounded(self, reading: _Lines, chunk: bytes) -> bytes:
        """The lines without those that would take all the memory."""
        lines = chunk.split(b"\n")
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_UNMEASURED:
                try:
                    check_count(line)
                except BadJson as error:
                    what = f"a record is left out because it is not JSON: {error.problem.what}"
                    reading.report.note_loss(what, f"line {reading.number + number}")
                    lines[number - 1] = b""
        return b"\n".join(lines)

    def _receive_spans(self, path: str, chunk: bytes, reading: _Lines, status: os.stat_result, now: float) -> None:
        if reading.held:
            self._count(path, reading, status, now)
        place = FilePlace(path, status.st_ino, reading.position, status.st_size, status.st_mtime)
        received = min(now, status.st_mtime)
        row = self._state.receive_lines(f"{LINES} {path}", received, chunk, place)
        reading.place = self._places[path] = place
        lines = spans_of_lines(chunk)
        for number in lines.bad:
            reading.report.note_loss("a line is left out because it is not JSON", f"line {reading.number + number}")
        reading.number += lines.count
        self._watcher.deliver(Delivery(row, received, ReceivedSpans(lines.spans, count=len(lines.spans))))

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
        report = ImportReport()
        try:
            found = list(read_traces(path, ReadOptions(report=report, known_tools=list(self._known_tools))))
        except NothingToDo:
            found = []
        for what, times in report.lost.items():
            self._lose(path, what, _place(path, report.lost_at[what]), times)
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


def _place(path: str, where: str) -> str:
    """A place in a file, which readers name as `in line 3` or `in record 3`."""
    unit, _, number = where.removeprefix("in ").partition(" ")
    return f"{path}:{number}" if unit == "line" else f"{path}, {unit} {number}"


def _lines_before(path: str, position: int) -> int:
    """How many lines a file has before a position."""
    if not position:
        return 0
    lines, left = 0, position
    with open(path, "rb") as file:
        while left and (data := file.read(min(CHUNK, left))):
            lines += data.count(b"\n")
            left -= len(data)
    return lines


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
