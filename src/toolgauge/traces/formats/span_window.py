"""Gathering the spans of a trace, which may come in any order, mixed with those of other traces, twice, or late.

A trace is complete when its root span has come and none of its spans was in the 20,000 records after the last one. All
open traces together may take 32 MiB of memory; where that is exceeded, the trace that was not added to for the longest
time is given out, one whose root has come before one whose root has not. The trace that was just added to may take
twice as much, and of large messages that models were given only the last are kept, which hold the earlier ones. A span
that comes after its trace was given out is left out, and said to be; the ids of the last 20,000 traces are remembered
for that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from ..conversation import Reading
from .spans import Span

__all__ = ["SpanWindow", "Trace"]

MOST_BYTES = 32 * 1024 * 1024
PATIENCE = 20_000
REMEMBERED = 20_000
LARGE = 1024 * 1024
GIVEN = "gen_ai.input.messages"


class Trace:
    """The spans of one trace, by their ids, and whether the one at its root is there."""

    __slots__ = ("large", "rooted", "size", "spans", "touched")

    def __init__(self) -> None:
        self.spans: dict[str, Span] = {}
        self.rooted = False
        self.size = 0
        self.touched = 0
        """The number of the record that added to it last."""
        self.large: Span | None = None
        """The last span of a model that was given much."""


class SpanWindow:
    """The traces that more spans may come of."""

    def __init__(self, reading: Reading, most_bytes: int = MOST_BYTES, patience: int = PATIENCE) -> None:
        self._reading = reading
        self._most_bytes = most_bytes
        self._patience = patience
        self._rooted: OrderedDict[str, Trace] = OrderedDict()
        self._rootless: OrderedDict[str, Trace] = OrderedDict()
        """Open traces, those that were added to last at the end."""
        self._given: OrderedDict[str, None] = OrderedDict()
        self._size = 0
        self._records = 0

    def next_record(self) -> None:
        """Count a record, by which the patience with traces is measured."""
        self._records += 1

    def add(self, span: Span) -> None:
        """Add a span to its trace."""
        key = span.trace
        trace = self._rooted.get(key)
        if trace is None:
            trace = self._rootless.get(key)
            if trace is None:
                if key in self._given:
                    self._lose_late(span)
                    return
                trace = self._rootless[key] = Trace()
        trace.touched = self._records
        before = trace.size
        known = trace.spans.get(span.id)
        if known is None:
            trace.spans[span.id] = span
            trace.size += span.size
            if span.size > LARGE and GIVEN in span.attributes:
                _keep_last(trace, span)
        else:
            self._join(trace, known, span)
        self._size += trace.size - before
        if trace.rooted:
            self._rooted.move_to_end(key)
        elif span.parent is None and not span.logged:
            trace.rooted = True
            self._rooted[key] = self._rootless.pop(key)
        else:
            self._rootless.move_to_end(key)

    def _join(self, trace: Trace, known: Span, span: Span) -> None:
        """Make one of two spans with the same id: log records add to a span, of two spans the fuller one counts."""
        if known.logged or span.logged:
            whole, other = (span, known) if known.logged else (known, span)
            # What log records tell comes in their order, whether before the span or after it.
            whole.events = known.events + span.events
            for key, value in other.attributes.items():
                whole.attributes.setdefault(key, value)
            whole.numbered = known.numbered or span.numbered
            trace.size += span.size
            trace.spans[whole.id] = whole
            whole.logged = known.logged and span.logged
            return
        self._reading.lose("a span was recorded twice; the fuller one of the two counts")
        if (span.end is not None, len(span.attributes)) > (known.end is not None, len(known.attributes)):
            trace.spans[span.id] = span
            trace.size += span.size - known.size

    def _lose_late(self, span: Span) -> None:
        tool = "gen_ai.tool.name" in span.attributes or "tool.name" in span.attributes
        what = "a span of a tool call" if tool else "a span"
        self._reading.lose(f"{what} came long after the rest of its trace; it is left out")

    def complete(self) -> Iterator[Trace]:
        """The traces of which nothing more is expected, and those for which there is no more room."""
        limit = self._records - self._patience
        while self._rooted and next(iter(self._rooted.values())).touched < limit:
            yield self._give(self._rooted)
        while self._size > self._most_bytes:
            traces = self._rooted or self._rootless
            if self._size < 2 * self._most_bytes and next(iter(traces.values())).touched == self._records:
                break
            if traces is self._rootless:
                self._reading.lose("a trace is given out before its root span came, since too many are open at a time")
            yield self._give(traces)

    def rest(self) -> Iterator[Trace]:
        """All traces that are still open, in the order of their last spans."""
        while self._rooted or self._rootless:
            first = min(
                (traces for traces in (self._rooted, self._rootless) if traces),
                key=lambda traces: next(iter(traces.values())).touched,
            )
            yield self._give(first)

    def _give(self, traces: OrderedDict[str, Trace]) -> Trace:
        key, trace = traces.popitem(last=False)
        self._size -= trace.size
        self._given[key] = None
        if len(self._given) > REMEMBERED:
            self._given.popitem(last=False)
        return trace


def _keep_last(trace: Trace, span: Span) -> None:
    """Keep what the later one of two models was given, and forget it of the other."""
    known = trace.large
    trace.large = span
    if known is None:
        return
    if known.start is not None and span.start is not None and known.start > span.start:
        known, trace.large = span, known
    before = known.attributes.pop(GIVEN, None)
    size = len(before) if isinstance(before, (bytes, str)) else 0
    known.size -= size
    trace.size -= size
