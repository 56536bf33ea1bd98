"""Native trajectories: decoding them from JSONL, JSON, YAML and run files, and encoding them as JSONL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter

import msgspec
from msgspec import Raw, Struct

from toolgauge.core import RUN_SCHEMA, Call, Trajectory
from toolgauge.errors import InputError, Problem
from toolgauge.files import MOST_DEPTH, Fault, RecordDecoder, Rejected, decode_json

from .import_report import ALL_LOOKED_AT, ImportReport
from .unicode_names import normal_trajectory
from .values import repeats

__all__ = ["EncodedBatch", "TrajectoryDecoder", "encode_trajectories", "encode_trajectory", "read_header"]

ABSENT = Raw()

CallKeys = msgspec.defstruct(
    "CallKeys",
    [(name, Raw, ABSENT) for name in Call.__struct_fields__],
    forbid_unknown_fields=True,
    gc=False,
)

TrajectoryKeys = msgspec.defstruct(
    "TrajectoryKeys",
    [
        (name, tuple[CallKeys, ...], ()) if name == "calls" else (name, Raw, ABSENT)  # type: ignore[valid-type]
        for name in Trajectory.__struct_fields__
    ],
    forbid_unknown_fields=True,
    gc=False,
)

EVERY = 50
"""After the first lines, which are all checked for unknown keys, one in this many is."""

PATIENCE = 20
"""How many lines in a row may hold unknown keys before every line is expected to."""


CASE_OF, OUTPUT_OF = attrgetter("case"), attrgetter("output")


class TrajectoryDecoder:
    """Decodes trajectories, and reports keys that a trajectory does not have.

    Unknown keys are no fault, since recorders write what they like, but a misspelt one should be seen. Recorders write
    all lines alike, so of many lines some are looked at.
    """

    def __init__(self, report: ImportReport, decoded: int = 0) -> None:
        """Make ready.

        Args:
            report: Records what is ignored.
            decoded: How many lines were decoded before, by anyone; of very many not all have to be counted.
        """
        self.ignored: frozenset[str] = frozenset()
        """Keys that are not worth a note."""
        self._report = report
        self._decode = RecordDecoder(Trajectory)
        self._check_keys = msgspec.json.Decoder(TrajectoryKeys).decode
        self._keys = msgspec.json.Decoder(dict[str, Raw]).decode
        self._call_keys = msgspec.json.Decoder(list[dict[str, Raw]]).decode
        self._decode_lines = msgspec.json.Decoder(Trajectory).decode_lines
        self._unknown_in_a_row = 0
        self._decoded = decoded

    def __call__(self, data: bytes) -> Trajectory:
        """The trajectory.

        Raises:
            BadJson: It is not JSON.
            Rejected: It is not a trajectory.
            UnicodeDecodeError: It is not UTF-8.
        """
        trajectory = self._decode(data)
        self._decoded += 1
        if self._decoded <= ALL_LOOKED_AT or self._decoded % EVERY == 0:
            self._look_at_keys(data)
        if not (trajectory.case or trajectory.input):
            raise Rejected(Fault((), "neither 'case' nor 'input' says which case this is"))
        if trajectory.output is None and not trajectory.calls and trajectory.state == "completed":
            self._require_content(data)
        return trajectory if _has_plain_names(data) else normal_trajectory(trajectory)

    def many(self, lines: list[bytes]) -> list[Trajectory] | None:
        """The trajectories of many lines at once; None where any is unusual, or among the first lines of the file."""
        data = b"\n".join(lines)
        if self._decoded < ALL_LOOKED_AT or b"" in lines or _may_hold_deep(lines, data):
            return None
        try:
            trajectories = self._decode_lines(data)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
        if len(trajectories) != len(lines) or not _are_complete(trajectories):
            return None
        self._decoded += len(lines)
        self._look_at_keys(lines[0])
        return trajectories if _has_plain_names(data) else list(map(normal_trajectory, trajectories))

    def _look_at_keys(self, data: bytes) -> None:
        if repeats(data):
            self._report.note("a line has a duplicate key; the last value counts")
        self._look_for_unknown_keys(data)

    def _look_for_unknown_keys(self, data: bytes) -> None:
        if self._unknown_in_a_row < PATIENCE:
            try:
                self._check_keys(data)
                self._unknown_in_a_row = 0
                return
            except msgspec.DecodeError:
                self._unknown_in_a_row += 1
        self._note_unknown_keys(data)

    def _note_unknown_keys(self, data: bytes) -> None:
        keys = self._keys_of(data)
        for key in keys:
            if key not in KNOWN and key not in self.ignored:
                self._report.note_unknown_key("trajectory", key)
        calls = self._call_keys(keys["calls"]) if "calls" in keys else []
        unknown = dict.fromkeys(key for call in calls for key in call if key not in KNOWN_OF_CALLS)
        for key in unknown:
            self._report.note_unknown_key("call", key)

    def _keys_of(self, data: bytes) -> dict[str, Raw]:
        try:
            return self._keys(data)
        except msgspec.DecodeError:
            # It was decoded slowly, for a lone surrogate; this way it can be looked at all the same.
            return self._keys(msgspec.json.encode(decode_json(data)))

    def _require_content(self, data: bytes) -> None:
        """A line that says nothing of calls and answer is a fault; an empty list of calls says something."""
        keys = self._keys_of(data)
        if "calls" not in keys and "output" not in keys:
            hint = 'an agent that called nothing has "calls": []'
            raise Rejected(Fault((), "neither 'calls' nor 'output' is there", hint))


def _may_hold_deep(lines: list[bytes], data: bytes) -> bool:
    """Whether a line has brackets enough to be nested too deep; one by one they are looked at more closely.

    Args:
        lines: The lines.
        data: The same as one text.
    """
    # A list takes two bytes at least, and an object five, {"":}, so that what is deep and has few lists is long.
    shortest = max(2 * MOST_DEPTH, 5 * MOST_DEPTH - 3 * data.count(b"["))
    if max(map(len, lines)) < shortest:
        return False
    return any(len(line) >= shortest and line.count(b"[") + line.count(b"{") > MOST_DEPTH for line in lines)


def _are_complete(trajectories: list[Trajectory]) -> bool:
    """Whether all trajectories certainly say which case they are of and what the agent did."""
    if all(map(CASE_OF, trajectories)) and None not in map(OUTPUT_OF, trajectories):
        return True
    return all(
        (trajectory.case or trajectory.input) and (trajectory.output is not None or trajectory.calls)
        for trajectory in trajectories
    )


def _has_plain_names(data: bytes) -> bool:
    """Whether names need no work: all is ASCII, and no error has an empty text, which would be two quotation marks."""
    # A single byte is found many times faster than two; a backslash and the end of "error" are rarely there.
    if not data.isascii() or (b"\\" in data and b"\\u" in data):
        return False
    return b"rror" not in data or b'""' not in data


KNOWN = frozenset(Trajectory.__struct_fields__)
KNOWN_OF_CALLS = frozenset(Call.__struct_fields__)


class Schema(msgspec.Struct):
    """What is looked at in a first line to recognise a run file."""

    schema: msgspec.Raw = ABSENT
    case: msgspec.Raw = ABSENT
    input: msgspec.Raw = ABSENT
    trajectories: msgspec.Raw = ABSENT


class Header(msgspec.Struct, frozen=True):
    """What the reader of traces wants to know of the header of a run file."""

    trajectories: int | None
    """How many it announces; None: it does not say."""


def read_header(data: bytes, source: str, line: int = 1) -> Header | None:
    """The header of a run file; None where a first record is a trajectory.

    Raises:
        InputError: It is the header of something that this version does not read.
    """
    try:
        found = msgspec.json.decode(data, type=Schema)
        if found.schema is ABSENT or found.case is not ABSENT or found.input is not ABSENT:
            return None
        schema = msgspec.json.decode(found.schema)
        count = None if found.trajectories is ABSENT else msgspec.json.decode(found.trajectories)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        # Whoever decodes the record next finds the fault, and its place.
        return None
    if schema != RUN_SCHEMA:
        what = f"this file has the schema {schema!r}, and this version reads {RUN_SCHEMA!r}"
        raise InputError(source, Problem(what, line, hint="read it with the version that wrote it"))
    return Header(count if isinstance(count, int) else None)


MANY = 64 * 1024
"""How many bytes of lines are handed over at once: writing each by itself costs a system call."""

_encode = msgspec.json.Encoder().encode


class EncodedBatch(Struct, frozen=True, gc=False):
    """Some trajectories as native lines. A very long line may be spread over several batches."""

    count: int
    data: bytes

    def __len__(self) -> int:
        """How many trajectories they are."""
        return self.count


def encode_trajectory(trajectory: Trajectory) -> bytes:
    """The line of a trajectory, which can be read again as the same trajectory."""
    return _encoded(trajectory) + b"\n"


def encode_trajectories(trajectories: Iterable[Trajectory]) -> Iterator[EncodedBatch]:
    """The lines of many trajectories, several at once."""
    lines: list[bytes] = []
    count = size = 0
    for trajectory in trajectories:
        data = _encoded(trajectory)
        size += len(data)
        if size < MANY:
            lines += (data, b"\n")
            count += 1
            continue
        # What is very long is not copied once more.
        yield EncodedBatch(count, b"".join(lines))
        yield EncodedBatch(1, data)
        lines, count, size = [b"\n"], 0, 0
    yield EncodedBatch(count, b"".join(lines))


def _encoded(trajectory: Trajectory) -> bytes:
    data = _encode(trajectory)
    if not trajectory.calls and trajectory.output is None and trajectory.state == "completed":
        # What is empty is left out, but a line has to say that nothing was called.
        return b'{"calls":[]' + (b"," if len(data) > 2 else b"") + data[1:]
    return data
