"""What the readers of spans share: one window for all spans of a file, whichever of the readers a record is given to.

The spans of a trace need not all follow the same conventions, so a trace is gathered over both readers. It is given out
by the reader of its own conventions, which counts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ..conversation import Reading
from .span_lines import decode_spans
from .span_logs import log_spans
from .span_story import tell_trace
from .span_window import SpanWindow, Trace
from .spans import Span, spans_of

__all__ = ["SpanReader"]

NAME = "spans"
OPENINFERENCE = "openinference.span.kind"
MOST_WAITING = 100
"""How many traces may wait for the other reader."""


class _Shared:
    """The window of a file, and the complete traces that wait for their reader."""

    def __init__(self, reading: Reading) -> None:
        self.window = SpanWindow(reading)
        self.readers: set[bool] = set()
        self.waiting: list[Trace] = []


class SpanReader:
    """Gathers spans, and gives a trajectory for each trace, or for each independent agent in it."""

    openinference: ClassVar[bool]
    """Whether it is the reader for traces that follow the conventions of OpenInference."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        shared = reading.shared.get(NAME)
        if not isinstance(shared, _Shared):
            shared = reading.shared[NAME] = _Shared(reading)
        self._shared = shared
        shared.readers.add(self.openinference)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectories of the traces that are complete with this record."""
        spans = [*spans_of(value), *log_spans(value)]
        if not spans:
            self._reading.lose("a record holds no span with the id of a trace; it is left out")
        return self._add(spans)

    def read_line(self, line: bytes) -> Iterator[Trajectory] | None:
        """The same for a line that is not decoded yet; None where it has to be, or is for another reader."""
        spans = decode_spans(line)
        if not spans:
            return None
        for span in spans:
            if OPENINFERENCE in span.attributes:
                return self._add(spans) if self.openinference else None
        return None if self.openinference else self._add(spans)

    def _add(self, spans: Iterable[Span]) -> Iterator[Trajectory]:
        window = self._shared.window
        window.next_record()
        for span in spans:
            window.add(span)
        for trace in window.complete():
            yield from self._give(trace)
        if len(self._shared.waiting) > MOST_WAITING:
            yield from self._give_waiting(own=False)

    def finish(self) -> Iterator[Trajectory]:
        """The trajectories of the traces that are still open; those of the other reader are left to it."""
        shared = self._shared
        shared.readers.discard(self.openinference)
        yield from self._give_waiting(own=bool(shared.readers))
        for trace in shared.window.rest():
            yield from self._give(trace)

    def _give(self, trace: Trace) -> Iterator[Trajectory]:
        """Its trajectories, unless the other reader is there and will count them."""
        other = not self.openinference
        if other in self._shared.readers and _is_openinference(trace) == other:
            self._shared.waiting.append(trace)
        else:
            yield from tell_trace(trace.spans.values(), self._reading)

    def _give_waiting(self, *, own: bool) -> Iterator[Trajectory]:
        """Traces that wait: all, or those of this reader."""
        waiting = self._shared.waiting
        given = [trace for trace in waiting if not own or _is_openinference(trace) == self.openinference]
        self._shared.waiting = [trace for trace in waiting if trace not in given]
        for trace in given:
            yield from tell_trace(trace.spans.values(), self._reading)


def _is_openinference(trace: Trace) -> bool:
    return any(OPENINFERENCE in span.attributes for span in trace.spans.values())
