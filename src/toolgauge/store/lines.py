"""The lines of a run file: a header with the suite, then one line per trajectory with its score.

A line is a native trajectory with one more key, `score`; whatever reads native traces reads run files too.
"""

from __future__ import annotations

import msgspec

from toolgauge.core import RunHeader, Score, Scored, Trajectory

__all__ = ["Line", "encode_header", "encode_scored"]


class Line(Trajectory, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A trajectory as it stands in a run file."""

    score: Score


_encoder = msgspec.json.Encoder()


def encode_header(header: RunHeader) -> bytes:
    """The first line of a run file."""
    return _encoder.encode(header) + b"\n"


def encode_scored(scored: Scored) -> bytes:
    """The line of one trajectory with its score."""
    trajectory = scored.trajectory
    if isinstance(trajectory, Line):
        return _encoder.encode(trajectory) + b"\n"
    return b"%b,%b\n" % (_encoder.encode(trajectory)[:-1], b'"score":%b}' % _encoder.encode(scored.score))
