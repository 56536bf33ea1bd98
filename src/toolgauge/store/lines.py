"""The lines of a run file: a header with the suite, then one line per trajectory with its score.

A line is a native trajectory with one more key, `score`; whatever reads native traces reads run files too.
"""

from __future__ import annotations

import msgspec

from toolgauge.core import RunHeader, Score, Scored, Trajectory

__all__ = ["Line", "append_scored", "encode_header", "encode_scored"]


class Line(Trajectory, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A trajectory as it stands in a run file."""

    score: Score


_encoder = msgspec.json.Encoder()
_encode_into = _encoder.encode_into

END = -1
"""Where `encode_into` is to write: behind what is there."""


def encode_header(header: RunHeader) -> bytes:
    """The first line of a run file."""
    return _encoder.encode(header) + b"\n"


def encode_scored(scored: Scored) -> bytes:
    """The line of one trajectory with its score."""
    line = bytearray()
    append_scored(scored, line)
    return bytes(line)


def append_scored(scored: Scored, lines: bytearray) -> None:
    """Add the line of one trajectory with its score to others."""
    trajectory = scored.trajectory
    _encode_into(trajectory, lines, END)
    # A line that was read from a run file brings its score along.
    if trajectory.__class__ is Line:
        lines += b"\n"
        return
    lines.pop()
    lines += b',"score":'
    _encode_into(scored.score, lines, END)
    lines += b"}\n"
