"""Making conversations of spans that come as they are made: late, twice, mixed, and out of order.

A trace whose root span has come is settled when none of its spans has come for `window` seconds; one whose root is
missing after ten times as long. All open traces together may take `max_bytes`; beyond, the one that was silent longest
is settled early. What comes after its trace was settled is left out. All of this is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.formats.spans.readers import OpenTrace, SpanWindow
from toolgauge.traces.formats.spans.span import Span
from toolgauge.traces.formats.spans.trajectories import build_trajectories
from toolgauge.traces.unicode_names import normal_trajectory

from .otlp import RESOURCE

__all__ = ["Gathered", "SpanGatherer"]

ROOTLESS = 10
"""How many times as long a trace is waited for whose root span has not come."""

MILLI = 1000


class Gathered:
    """A trace that is settled."""

    __slots__ = ("received", "trace", "trajectories")

    def __init__(self, trace: str, trajectories: list[Trajectory], received: float) -> None:
        self.trace = trace
        self.trajectories = trajectories
        self.received = received
        """When its last span came, in seconds since 1970."""


class SpanGatherer:
    """Gathers the spans of traces, and knows which rows of the inbox are done with."""

    def __init__(
        self,
        options: ReadOptions,
        *,
        window: float,
        max_bytes: int,
        max_remembered: int,
        settled: Iterable[str] = (),
    ) -> None:
        """Make ready.

        Args:
            options: How conversations are read.
            window: How many seconds a trace has to be silent.
            max_bytes: How many bytes all open traces may take.
            max_remembered: Of how many settled traces the ids are remembered.
            settled: Traces that were settled before.
        """
        self._context = ReadContext(options)
        self._context.unit = "batch"
        self._window = SpanWindow(
            self._context,
            max_bytes,
            round(window * MILLI),
            rootless_patience=round(window * MILLI) * ROOTLESS,
            max_remembered=max_remembered,
            settled=settled,
        )
        self._rows_of: dict[str, set[int]] = {}
        self._open_of: dict[int, int] = {}
        """By row of the inbox in how many open traces it is."""
        self._done: list[int] = []

    @property
    def open_traces(self) -> int:
        """How many traces are open."""
        return len(self._window)

    @property
    def open_bytes(self) -> int:
        """About how many bytes they take."""
        return self._window.size

    @property
    def lost(self) -> dict[str, int]:
        """What could not be used, and how often."""
        return self._context.report.lost

    def is_settled(self, trace: str) -> bool:
        """Whether a trace was settled before."""
        return self._window.is_settled(trace)

    def remember(self, trace: str) -> None:
        """Count a trace as settled that came in another way."""
        self._window.remember(trace)

    def add(self, row: int, spans: Iterable[Span], received: float, *, again: bool = False) -> None:
        """Add the spans of a row of the inbox.

        Args:
            row: Its number.
            spans: Its spans.
            received: When it came, in seconds since 1970.
            again: It was there before a restart, when some of its traces may have been settled.
        """
        window = self._window
        window.advance(round(received * MILLI))
        self._context.number = row
        traces: set[str] = set()
        for span in spans:
            if again and window.is_settled(span.trace):
                continue
            if not window.is_settled(span.trace):
                traces.add(span.trace)
            window.add(span)
        for trace in traces:
            self._rows_of.setdefault(trace, set()).add(row)
        open_of = sum(row in self._rows_of[trace] for trace in traces)
        if open_of:
            self._open_of[row] = open_of
        else:
            self._done.append(row)

    def settle(self, now: float) -> Iterator[Gathered]:
        """The traces of which nothing more is expected, and those that there is no more room for."""
        self._window.advance(round(now * MILLI))
        for trace in self._window.complete():
            yield self._gathered(trace)

    def rooted(self) -> Iterator[Gathered]:
        """The traces that are still open, but for those whose root span has not come."""
        for trace in self._window.rooted():
            yield self._gathered(trace)

    def done_rows(self) -> list[int]:
        """The rows of the inbox that were done with since this was asked last."""
        done, self._done = self._done, []
        return done

    def _gathered(self, trace: OpenTrace) -> Gathered:
        spans = trace.spans.values()
        name = next(iter(spans)).trace
        labels = _labels(spans)
        found = [
            replace(normal_trajectory(each), meta={**labels, **each.meta})
            for each in build_trajectories(spans, self._context)
        ]
        for row in self._rows_of.pop(name, ()):
            self._open_of[row] -= 1
            if not self._open_of[row]:
                del self._open_of[row]
                self._done.append(row)
        return Gathered(name, found, trace.touched / MILLI)


def _labels(spans: Iterable[Span]) -> dict[str, JsonValue]:
    """The attributes of the resources that spans came from, the first that says something counts."""
    found: dict[str, JsonValue] = {}
    for span in spans:
        for key, value in span.attributes.items():
            if key.startswith(RESOURCE):
                found.setdefault(key[len(RESOURCE) :], value)
    return found
