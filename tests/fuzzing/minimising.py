"""Making an input that fails smaller, as long as it fails in the same way and not too many tries are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .execution import execute
from .jobs import Job

__all__ = ["minimised"]

TRIES = 60


def minimised(job: Job) -> Job:
    """A job with less in it and the same fault; hangs and the like are left as they are: each try costs seconds."""
    kind = execute(job).kind
    if not kind.startswith(("crash", "traceback", "left behind")):
        return job
    tries = 0
    going = True
    while going and tries < TRIES:
        going = False
        for smaller in _smaller(job):
            tries += 1
            if execute(smaller).kind == kind:
                job, going = smaller, True
                break
            if tries >= TRIES:
                break
    return job


def _smaller(job: Job) -> Iterator[Job]:
    """Jobs with one thing less, those that lack most first."""
    if len(job.sent) > 1:
        half = len(job.sent) // 2
        yield replace(job, sent=job.sent[:half])
        yield replace(job, sent=job.sent[half:])
    for name, data in job.files.items():
        yield replace(job, files={other: kept for other, kept in job.files.items() if other != name})
        yield from (job.with_file(name, less) for less in _parts_gone(data) if less != data)


def _parts_gone(data: bytes) -> Iterator[bytes]:
    """The data with a part of its lines gone, or of its bytes if it is one line."""
    lines = data.splitlines(keepends=True)
    pieces = lines if len(lines) > 1 else [data[begin : begin + 1] for begin in range(len(data))]
    size = len(pieces) // 2
    while size:
        if len(pieces) // size > 64:
            return
        for begin in range(0, len(pieces), size):
            yield b"".join(pieces[:begin] + pieces[begin + size :])
        size //= 2
