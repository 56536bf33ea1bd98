"""Logs that are archives of JSON documents, as Inspect writes them with the ending `.eval`."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET, UnsetType

from toolgauge.core import JsonValue, Trajectory
from toolgauge.errors import InputError, Problem
from toolgauge.files import BadJson, InputFile, decode_json

from .conversation import Reading
from .formats.inspect_log import InspectReader, read_sample
from .normal import normal_trajectory
from .values import Record, record_of
from .zipping import Archive, BadEntry, Entry, MissingMethod

__all__ = ["ARCHIVE", "read_archive"]

ARCHIVE = b"PK\x03\x04"
"""How a ZIP archive begins."""

LARGEST_SAMPLE = 128 * 1024 * 1024
"""The largest document in an archive, in bytes, unpacked. Of most of them, events are the larger part by far."""

LARGEST_HEADER = 64 * 1024 * 1024

HEADERS = ("header.json", "_journal/start.json")
"""Where the evaluation is described: at its end, and at its beginning."""

SAMPLES = "samples/"


class EventKeys(msgspec.Struct, gc=False, omit_defaults=True):
    """What is looked at of an event. Most of its text, a copy of all messages so far, is passed over."""

    event: JsonValue = None
    id: JsonValue = None
    span_id: JsonValue = None
    parent_id: JsonValue = None
    type: JsonValue = None
    name: JsonValue = None
    function: JsonValue = None
    arguments: JsonValue = None
    result: JsonValue = None
    error: JsonValue = None
    agent: JsonValue = None
    timestamp: JsonValue = None
    completed: JsonValue = None
    events: list[EventKeys] | UnsetType = UNSET


class SampleKeys(msgspec.Struct, gc=False, omit_defaults=True):
    """What is looked at of a sample."""

    id: JsonValue = None
    epoch: JsonValue = None
    input: JsonValue = None
    messages: JsonValue = None
    output: JsonValue = None
    scores: JsonValue = None
    score: JsonValue = None
    metadata: JsonValue = None
    model_usage: JsonValue = None
    started_at: JsonValue = None
    completed_at: JsonValue = None
    total_time: JsonValue = None
    error: JsonValue = None
    error_retries: JsonValue = None
    attachments: JsonValue = None
    transcript: JsonValue = None
    limit: JsonValue = None
    events: list[EventKeys] | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(SampleKeys)


def read_archive(source: InputFile, reading: Reading) -> Iterator[Trajectory]:
    """The trajectories in an archive, one document after the other.

    Raises:
        InputError: It is no log of Inspect, or cannot be unpacked.
    """
    archive = _open(source)
    names = [name for name in archive.entries if name.startswith(SAMPLES) and name.endswith(".json")]
    whole = [name for name in names if "/" not in name.removeprefix(SAMPLES)]
    if not names and not any(name in archive.entries for name in HEADERS):
        hint = "unpack it and name the files in it; of archives only logs of Inspect are read"
        raise InputError(source.name, Problem("this is an archive, but no log of Inspect", hint=hint))
    reading.unit = "sample"
    if archive.cut_off:
        reading.lose("the archive is cut off; what is left of it is read")
    try:
        header = _header(archive)
        if len(whole) < len(names):
            pieces = {name.removeprefix(SAMPLES).partition("/")[0] for name in names if name not in whole}
            what = "a sample is left out, for it is kept in pieces; inspect log convert --to json puts them together"
            reading.lose(what, len([piece for piece in pieces if piece]))
        for number, name in enumerate(whole, 1):
            reading.number = number
            sample = _sample(archive, archive.entries[name], reading)
            if sample is not None:
                trajectory = normal_trajectory(read_sample(reading, sample, header))
                reading.report.count_format(InspectReader.title, len(trajectory.calls))
                yield trajectory
    except MissingMethod as error:
        what = f"the samples are compressed with {error}, for which a package is missing"
        hint = "pip install 'toolgauge[inspect]', or write the log as JSON with inspect log convert --to json"
        raise InputError(source.name, Problem(what, hint=hint)) from error
    except OSError as error:
        raise InputError(source.name, Problem(f"cannot be read: {error.strerror or error}")) from error


def _open(source: InputFile) -> Archive:
    try:
        return Archive(source.stream())
    except BadEntry as error:
        raise InputError(source.name, Problem(f"this archive cannot be read: {error}")) from error
    except OSError as error:
        what = "an archive cannot be read from a pipe"
        raise InputError(source.name, Problem(what, hint="save it to a file and name that")) from error


def _header(archive: Archive) -> Record:
    """What the archive says of the evaluation; nothing where it cannot be read."""
    for name in HEADERS:
        entry = archive.entries.get(name)
        if entry is None:
            continue
        try:
            header = decode_json(archive.read(entry, LARGEST_HEADER))
        except (BadEntry, BadJson, UnicodeDecodeError):
            continue
        return record_of(record_of(header).get("eval"))
    return {}


def _sample(archive: Archive, entry: Entry, reading: Reading) -> Record | None:
    try:
        data = archive.read(entry, LARGEST_SAMPLE)
    except BadEntry as error:
        reading.lose(f"a sample is left out: {error}")
        return None
    try:
        decoded: JsonValue = msgspec.to_builtins(_DECODER.decode(data))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        # Something in it is not as it should be; looked at as a whole, it can be used all the same.
        try:
            decoded = decode_json(data)
        except (BadJson, UnicodeDecodeError):
            decoded = None
    if not isinstance(decoded, dict):
        reading.lose("a sample is left out, for it is not a JSON object")
        return None
    return decoded
