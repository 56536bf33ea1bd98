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
from toolgauge.files import BadJson, Fault, RecordDecoder, Rejected, leave_out, read_records, shorten

from .checks import SLACK
from .runfile import RunFile

if TYPE_CHECKING:
    from .stored import StoredRun

__all__ = ["Brief", "read_briefs"]

Brief = tuple[Trajectory, Score]
"""A trajectory without calls and output, and its score without alignment and issues."""

Measure = Annotated[float, Meta(ge=0, le=1 + SLACK)]


class _Score(Struct, frozen=True, gc=False):
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


class _Line(Struct, frozen=True, gc=False):
    score: _Score
    case: str
    agent: str = ""
    trial: int = 1
    latency_ms: float | None = None
    usage: Usage | None = None
    events: tuple[dict[str, JsonValue], ...] = ()


def read_briefs(run: RunFile | StoredRun) -> Iterator[Brief]:
    """Each trajectory of a run with its score, and those that were planned and are not there as not run.

    Raises:
        InputError: A run file is cut, or lines are not as they should be.
    """
    if isinstance(run, RunFile):
        yield from _from_file(run)
        return
    decode = msgspec.json.Decoder(_Line).decode
    for line in run.lines():
        yield _brief(decode(line))
    for missing in run.missing():
        yield missing, Score(missing.case, missing.agent, missing.trial, "not_run")


def _from_file(run: RunFile) -> Iterator[Brief]:
    count = 0
    quick, seen = msgspec.json.Decoder(_Line).decode, _Decoder(run.header)
    with run.opened() as source:
        skip = 1
        for first, lines in source.batches():
            if skip:
                first, lines, skip = leave_out(first, lines, skip)
            for data in lines:
                try:
                    line = seen.check(quick(data))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Rejected):
                    if not data.strip():
                        continue
                    line = _looked_at(run, seen, data)
                count += 1
                yield _brief(line)
        wanted = run.header.trajectories
        if wanted is not None and count != wanted:
            what = f"the header announces {wanted} trajectories, and there are {count}"
            hint = "the file seems to be cut off" if count < wanted else "something was added to the file"
            raise InputError(source.name, Problem(what, 1, hint=hint))


def _looked_at(run: RunFile, seen: _Decoder, data: bytes) -> _Line:
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


def _brief(line: _Line) -> Brief:
    score = line.score
    trajectory = Trajectory(
        line.case,
        line.agent,
        line.trial,
        score.state,
        latency_ms=line.latency_ms,
        usage=line.usage,
        events=line.events,
    )
    return trajectory, Score(
        line.case,
        line.agent,
        line.trial,
        score.state,
        score.passed,
        score.score,
        score.call_precision,
        score.call_recall,
        score.param_accuracy,
        score.content,
        score.answer,
        says_tools=score.says_tools,
        counts=score.counts,
    )


class _Decoder:
    """Decodes lines, and refuses those that do not belong to the run or are there twice."""

    def __init__(self, header: RunHeader) -> None:
        self._decode = RecordDecoder(_Line)
        self._cases = {case.id for case in header.suite.cases}
        self._seen: set[tuple[str, str, int]] = set()

    def __call__(self, data: bytes) -> _Line:
        return self.check(self._decode(data))

    def check(self, line: _Line) -> _Line:
        """The line, if it belongs to the run."""
        if line.case not in self._cases:
            raise Rejected(Fault(("case",), f"the suite of this run has no case {shorten(line.case)}"))
        key = (line.agent, line.case, line.trial)
        if key in self._seen:
            name = f"{shorten(line.agent)}, case {shorten(line.case)}, trial {line.trial}"
            raise Rejected(Fault((), f"agent {name} is there already", "a trial is in a run once"))
        self._seen.add(key)
        return line
