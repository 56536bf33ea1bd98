"""The trajectories of a run without their evidence: what figures are computed from, at a fraction of the cost.

A comparison of large runs needs neither calls nor issues, so they are not decoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from toolgauge.core import Answer, JsonValue, RunHeader, Score, State, ToolCounts, Trajectory, Usage
from toolgauge.errors import InputError, Problem
from toolgauge.files import BadJson, Fault, RecordDecoder, Rejected, read_records, shorten

from .checks import SLACK
from .runfile import RunFile

if TYPE_CHECKING:
    from .stored import StoredRun

__all__ = ["Brief", "read_briefs"]

Measure = Annotated[float, Meta(ge=0, le=1 + SLACK)]


class BriefScore(Struct, frozen=True, gc=False):
    """A score without alignment and issues."""

    state: State
    passed: bool = False
    score: Measure | None = None
    call_precision: Measure | None = None
    call_recall: Measure | None = None
    param_accuracy: Measure | None = None
    content: Measure | None = None
    answer: Answer | None = None
    says_tools: bool = False
    counts: ToolCounts = ToolCounts()


class BriefLine(Struct, frozen=True, gc=False):
    """A trajectory without calls and output, as it stands in a run file."""

    score: BriefScore
    case: str
    agent: str = ""
    trial: int = 1
    latency_ms: float | None = None
    usage: Usage | None = None
    events: tuple[dict[str, JsonValue], ...] = ()


Brief = tuple[BriefLine | Trajectory, BriefScore | Score]
"""What figures need to know of a trajectory, and its score."""


def read_briefs(run: RunFile | StoredRun) -> Iterator[Brief]:
    """Each trajectory of a run with its score, and those that were planned and are not there as not run.

    Raises:
        InputError: A run file is cut, or lines are not as they should be.
    """
    return _from_file(run) if isinstance(run, RunFile) else _from_store(run)


def _from_store(run: StoredRun) -> Iterator[Brief]:
    decode = msgspec.json.Decoder(BriefLine).decode
    for data in run.lines():
        line = decode(data)
        yield line, line.score
    for missing in run.missing():
        yield missing, Score(missing.case, missing.agent, missing.trial, "not_run")


def _from_file(run: RunFile) -> Iterator[Brief]:
    count = 0
    quick, seen = msgspec.json.Decoder(BriefLine).decode, _Decoder(run.header)
    with run.opened() as source:
        for lines in run.lines_below(source):
            for data in lines:
                try:
                    line = seen.check(quick(data))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Rejected):
                    if not data.strip():
                        continue
                    line = _looked_at(run, seen, data)
                count += 1
                yield line, line.score
        wanted = run.header.trajectories
        if wanted is not None and count != wanted:
            what = f"the header announces {wanted} trajectories, and there are {count}"
            hint = "the file seems to be cut off" if count < wanted else "something was added to the file"
            raise InputError(source.name, Problem(what, 1, hint=hint))


def _looked_at(run: RunFile, seen: _Decoder, data: bytes) -> BriefLine:
    """A line that the quick way refuses, or all the reasons why it has to be refused.

    Raises:
        InputError: Some line is not as it should be.
    """
    try:
        return seen(data)
    except (BadJson, Rejected, UnicodeDecodeError):
        with run.opened() as source:
            for _ in read_records(source, _Decoder(run.header), skip=1):
                continue
        raise


class _Decoder:
    """Decodes lines, and refuses those that do not belong to the run or are there twice."""

    def __init__(self, header: RunHeader) -> None:
        self._decode = RecordDecoder(BriefLine)
        self._cases = {case.id for case in header.suite.cases}
        self._seen: dict[tuple[str, int], set[str]] = {}
        """By agent and trial the cases that were there."""

    def __call__(self, data: bytes) -> BriefLine:
        return self.check(self._decode(data))

    def check(self, line: BriefLine) -> BriefLine:
        """The line, if it belongs to the run."""
        if line.case not in self._cases:
            raise Rejected(Fault(("case",), f"the suite of this run has no case {shorten(line.case)}"))
        key = (line.agent, line.trial)
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = set()
        if line.case in seen:
            name = f"{shorten(line.agent)}, case {shorten(line.case)}, trial {line.trial}"
            raise Rejected(Fault((), f"agent {name} is there already", "a trial is in a run once"))
        seen.add(line.case)
        return line
