"""Runs as bytes: the lines of a run file, and headers, which repeat a suite that may be large.

A run file is a header with the suite, then one line per trajectory with its score: a native trajectory with one more
key, `score`, so that whatever reads native traces reads run files too. A suite that several runs share is kept once, in
a store and in memory.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from toolgauge.core import RUN_SCHEMA, RunHeader, Score, Scored, Suite, Trajectory, suite_hash
from toolgauge.files import BadJson, check_depth

__all__ = [
    "RunLine",
    "Suites",
    "append_scored",
    "encode_header",
    "encode_scored",
    "is_suite",
    "kept_header",
    "with_suite",
    "without_suite",
]


class RunLine(Trajectory, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A trajectory as it stands in a run file."""

    score: Score


_encoder = msgspec.json.Encoder()

END = -1
"""Where `encode_into` is to write: behind what is there."""


def encode_header(header: RunHeader) -> bytes:
    """The first line of a run file."""
    return _encoder.encode(header) + b"\n"


def encode_scored(scored: Scored) -> bytes:
    """The line of one trajectory with its score."""
    line = bytearray()
    append_scored((scored,), line)
    return bytes(line)


def append_scored(several: Iterable[Scored], lines: bytearray) -> None:
    """Add the lines of trajectories with their scores to others."""
    encode_into = _encoder.encode_into
    for scored in several:
        trajectory = scored.trajectory
        # A line that was read from a run file brings its score along, which may have been replaced since.
        if isinstance(trajectory, RunLine):
            own = trajectory.score is scored.score
            encode_into(trajectory if own else replace(trajectory, score=scored.score), lines, END)
            lines += b"\n"
            continue
        encode_into(trajectory, lines, END)
        lines.pop()
        lines += b',"score":'
        encode_into(scored.score, lines, END)
        lines += b"}\n"


LAST_KEY = b',"suite":'
"""What comes before the suite in a header that is written as toolgauge writes it: the suite is the last of its keys."""


class _Shell(RunHeader, frozen=True, gc=False, kw_only=True):
    """A header whose suite is not decoded."""

    schema: str | None = None  # type: ignore[assignment]  # where there is none, it is no header
    suite: Raw  # type: ignore[assignment]  # not yet a suite


class Suites:
    """Decodes the suites of several runs, and one that is the same as the last, to the byte, only once."""

    def __init__(self) -> None:
        self._data: Raw | bytes = b""
        self._suite: Suite | None = None

    def read_header(self, line: bytes) -> RunHeader | None:
        """A header that is as it should be, as a line of JSON; None: look closer at what is wrong with it."""
        try:
            return self._repeated(line) or self._new(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadJson):
            return None

    def read(self, data: bytes) -> Suite:
        """A suite as JSON.

        Raises:
            msgspec.DecodeError: It is none.
        """
        if self._suite is None or len(data) != self._size or not data.startswith(self._data):
            self._suite, self._data = msgspec.json.decode(data, type=Suite), data
        return self._suite

    @property
    def _size(self) -> int:
        return len(memoryview(self._data))

    def _repeated(self, line: bytes) -> RunHeader | None:
        """A header that ends with the suite that was decoded last; None where it does not."""
        if self._suite is None or not line.endswith(self._data, 0, len(line) - 1):
            return None
        rest = line[: len(line) - 1 - self._size]
        if not rest.endswith(LAST_KEY) or line[-1:] != b"}":
            return None
        shell = rest + b"null}"
        check_depth(shell)
        return _filled(msgspec.json.decode(shell, type=_Shell), self._suite)

    def _new(self, line: bytes) -> RunHeader | None:
        check_depth(line)
        shell = msgspec.json.decode(line, type=_Shell)
        suite = msgspec.json.decode(shell.suite, type=Suite)
        self._suite, self._data = suite, shell.suite
        return _filled(shell, suite)


def _filled(shell: _Shell, suite: Suite) -> RunHeader | None:
    """The header with its suite; None where it is one of another schema."""
    return _with(shell, suite) if shell.schema == RUN_SCHEMA else None


def _with(shell: _Shell, suite: Suite) -> RunHeader:
    fields = {name: getattr(shell, name) for name in RunHeader.__struct_fields__}
    return RunHeader(**{**fields, "suite": suite})


def kept_header(header: RunHeader) -> tuple[RunHeader, str]:
    """The header as a store keeps it, and the hash by which it keeps the suite.

    To all other runs of the store the hash stands for the suite, so it is computed, whatever a header says of it.
    """
    digest = suite_hash(header.suite)
    return (replace(header, suite_hash=digest) if header.suite_hash else header), digest


def is_suite(kept: bytes, suite: bytes, digest: str) -> bool:
    """Whether what a store keeps under a hash is the suite that is to be kept there; its keys may be in another order.

    A stranger may have made the store.
    """
    return kept == suite or suite_hash(msgspec.json.decode(kept, type=Suite)) == digest


def without_suite(header: RunHeader) -> bytes:
    """The header as JSON, with no more of its suite than the name."""
    written = {name: getattr(header, name) for name in header.__struct_fields__ if name != "suite"}
    return msgspec.json.encode({**written, "suite_name": header.suite.name})


def with_suite(header: bytes, suite: bytes, suites: Suites) -> RunHeader:
    """The header again, with its suite."""
    written = msgspec.json.decode(header, type=dict[str, Raw])
    written.pop("suite_name", None)
    written["suite"] = Raw(b"null")
    written.setdefault("schema", Raw(msgspec.json.encode(RUN_SCHEMA)))
    shell = msgspec.json.decode(msgspec.json.encode(written), type=_Shell)
    return _with(shell, suites.read(suite))
