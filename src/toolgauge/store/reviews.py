"""Reviews beside a run file: `today.run.reviews.jsonl` beside `today.run.jsonl`.

The first line says which run they are of, by when that was made and its suite: a run file that is written anew is
another run, and reviews of the old one say nothing of it. Each further line is a review, and the last of the same case,
agent and trial counts, so that several people can append at the same time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from toolgauge.core import Review, Reviews, RunHeader, suite_hash
from toolgauge.errors import InputError, OutputError, Problem
from toolgauge.files import InputFile, RecordDecoder, read_records

__all__ = ["REVIEWS_SCHEMA", "append_reviews", "encode_reviews", "read_reviews", "read_reviews_file", "reviews_path"]

REVIEWS_SCHEMA = "toolgauge.reviews/1"

_ENDINGS = (".jsonl", ".json")


class ReviewsHeader(Struct, frozen=True, kw_only=True):
    """The first line of a file of reviews."""

    schema: str = REVIEWS_SCHEMA
    created: str
    """When the run was made that they are of."""
    suite_hash: str = ""
    """Its suite; empty where a page did not know it."""


def reviews_path(run_file: str) -> str:
    """The file of reviews beside a run file."""
    stem = next((run_file.removesuffix(ending) for ending in _ENDINGS if run_file.endswith(ending)), run_file)
    return f"{stem}.reviews.jsonl"


def read_reviews(run_file: str, header: RunHeader) -> Reviews:
    """The reviews beside a run file; none where there is no such file.

    Raises:
        InputError: The file is none of reviews, or of those of another run.
    """
    path = reviews_path(run_file)
    return read_reviews_file(path, header) if os.path.exists(path) else Reviews()


def read_reviews_file(path: str, header: RunHeader) -> Reviews:
    """The reviews in a file, which have to be of the run with this header.

    Raises:
        InputError: The file is none of reviews, or of those of another run.
    """
    with InputFile(path) as source:
        _check_header(source, header)
        return Reviews([review for _, _, review in read_records(source, RecordDecoder(Review), skip=1)])


def append_reviews(run_file: str, header: RunHeader, reviews: Iterable[Review]) -> None:
    """Write reviews beside a run file, behind those that are there.

    Raises:
        InputError: What is there are not reviews of this run.
        OutputError: They could not be written.
    """
    path = reviews_path(run_file)
    read_reviews(run_file, header)
    try:
        # A link that somebody put there would lead the reviews into a file that has nothing to do with them.
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    with open(descriptor, "ab") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OutputError(f"{path}: cannot be written: not a regular file")
        lines = encode_reviews(header, reviews)
        try:
            stream.write(b"".join(list(lines)[1:] if found.st_size else lines))
            stream.flush()
            os.fsync(stream.fileno())
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def encode_reviews(header: RunHeader, reviews: Iterable[Review]) -> Iterator[bytes]:
    """The lines of a file of reviews."""
    yield msgspec.json.encode(_identity(header)) + b"\n"
    for review in reviews:
        yield msgspec.json.encode(review) + b"\n"


def _identity(header: RunHeader) -> ReviewsHeader:
    return ReviewsHeader(created=header.created, suite_hash=header.suite_hash or suite_hash(header.suite))


def _check_header(source: InputFile, header: RunHeader) -> None:
    number, line = next(((number, line) for number, line in source.lines() if line.strip()), (1, b""))
    try:
        found = msgspec.json.decode(line, type=ReviewsHeader)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    if found is None or found.schema != REVIEWS_SCHEMA:
        what = f'this is not a file of reviews: its first line has no "schema": "{REVIEWS_SCHEMA}"'
        raise InputError(source.name, Problem(what, number, hint="move it away, or correct its first line"))
    wanted = _identity(header)
    if found.created != wanted.created or found.suite_hash not in ("", wanted.suite_hash):
        what = f"these are reviews of another run, which was made {found.created}"
        raise InputError(source.name, Problem(what, number, hint="move the file to where that run is"))
