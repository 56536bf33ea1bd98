"""The readers of OpenTelemetry and OpenInference spans, and the window in which they gather the spans of a trace.

OTLP JSON and one span a line are read, and what Phoenix exports; the current GenAI conventions and older ones, among
them messages recorded as events or log records, numbered attributes (OpenLLMetry, Traceloop) and those of pydantic-ai
and Logfire. A trace is one trajectory; where it holds several independent agents or conversations, each of them is one.

The spans of a trace need not all follow the same conventions, so both readers share one window. A trace is given out by
the reader of its own conventions, which counts it. Spans may come in any order, mixed with those of other traces,
twice, or late:

- A trace is complete when its root span has come and none of its spans was in the 20,000 records after the last one.
- All open traces together may take 32 MiB of memory. Where that is exceeded, the trace that was not added to for the
  longest time is given out, one whose root has come before one whose root has not. The trace that was just added to may
  take twice as much, and of large messages that models were given only the last are kept, which hold the earlier ones.
- A span that comes after its trace was given out is left out, and reported; the ids of the last 20,000 traces are
  remembered for that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory

from ...context import ReadContext
from ..fast.otlp import decode_spans
from .records import is_openinference, is_spans, log_spans, spans_of
from .span import Span
from .trajectories import build_trajectories

__all__ = ["OpenInferenceReader", "OpenTrace", "OtelReader", "SpanReader", "SpanWindow"]

NAME = "spans"
OPENINFERENCE = "openinference.span.kind"
MAX_WAITING = 100
"""How many traces may wait for the other reader."""


class _Shared:
    """The window of a file, and the complete traces that wait for their reader."""

    def __init__(self, context: ReadContext) -> None:
        self.window = SpanWindow(context)
        self.readers: set[bool] = set()
        self.waiting: list[OpenTrace] = []


class SpanReader:
    """Gathers spans, and gives a trajectory for each trace, or for each independent agent in it."""

    openinference: ClassVar[bool]
    """Whether it is the reader for traces that follow the conventions of OpenInference."""
    independent: bool = False
    """The spans of a trace are in several records."""

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        shared = context.shared.get(NAME)
        if not isinstance(shared, _Shared):
            shared = context.shared[NAME] = _Shared(context)
        self._shared = shared
        shared.readers.add(self.openinference)

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectories of the traces that are complete with this record."""
        spans = [*spans_of(value), *log_spans(value)]
        if not spans:
            self._context.note_loss("a record contains no span with a trace id; it is left out")
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
        if len(self._shared.waiting) > MAX_WAITING:
            yield from self._give_waiting(own=False)

    def finish(self) -> Iterator[Trajectory]:
        """The trajectories of the traces that are still open; those of the other reader are left to it."""
        shared = self._shared
        shared.readers.discard(self.openinference)
        yield from self._give_waiting(own=bool(shared.readers))
        for trace in shared.window.rest():
            yield from self._give(trace)

    def _give(self, trace: OpenTrace) -> Iterator[Trajectory]:
        """Its trajectories, unless the other reader is there and will count them."""
        other = not self.openinference
        if other in self._shared.readers and _is_openinference(trace) == other:
            self._shared.waiting.append(trace)
        else:
            yield from build_trajectories(trace.spans.values(), self._context)

    def _give_waiting(self, *, own: bool) -> Iterator[Trajectory]:
        """Traces that wait: all, or those of this reader."""
        waiting = self._shared.waiting
        given = [trace for trace in waiting if not own or _is_openinference(trace) == self.openinference]
        self._shared.waiting = [trace for trace in waiting if trace not in given]
        for trace in given:
            yield from build_trajectories(trace.spans.values(), self._context)


def _is_openinference(trace: OpenTrace) -> bool:
    return any(OPENINFERENCE in span.attributes for span in trace.spans.values())


class OtelReader(SpanReader):
    """Reads spans that do not follow OpenInference."""

    title: ClassVar[str] = "OpenTelemetry spans"
    openinference = False

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A span, or a document of spans or log records, whose first spans are not of OpenInference."""
        return is_spans(value) and not is_openinference(value)


class OpenInferenceReader(SpanReader):
    """Reads spans that follow OpenInference."""

    title: ClassVar[str] = "OpenInference spans"
    openinference = True

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A span, or a document of spans, of which one of the first has a kind of OpenInference."""
        return is_spans(value) and is_openinference(value)


MAX_BYTES = 32 * 1024 * 1024
PATIENCE = 20_000
REMEMBERED = 20_000
LARGE = 1024 * 1024
GIVEN = "gen_ai.input.messages"


class OpenTrace:
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

    def __init__(
        self,
        context: ReadContext,
        max_bytes: int = MAX_BYTES,
        patience: int = PATIENCE,
        *,
        rootless_patience: int | None = None,
        max_remembered: int = REMEMBERED,
        settled: Iterable[str] = (),
    ) -> None:
        """Open it.

        Args:
            context: What is lost is reported to it.
            max_bytes: How many bytes all open traces may take.
            patience: After so many records without one of its spans a trace is complete whose root has come.
            rootless_patience: The same for one whose root has not; None: it is waited for.
            max_remembered: The ids of how many complete traces are remembered.
            settled: Traces that were complete before.
        """
        self._context = context
        self._max_bytes = max_bytes
        self._patience = patience
        self._rootless_patience = rootless_patience
        self._max_remembered = max_remembered
        self._rooted: OrderedDict[str, OpenTrace] = OrderedDict()
        self._rootless: OrderedDict[str, OpenTrace] = OrderedDict()
        """Open traces, those that were added to last at the end."""
        self._given: OrderedDict[str, None] = OrderedDict.fromkeys(settled)
        self._size = 0
        self._records = 0

    @property
    def size(self) -> int:
        """About how many bytes the open traces take."""
        return self._size

    def __len__(self) -> int:
        """How many traces are open."""
        return len(self._rooted) + len(self._rootless)

    def next_record(self) -> None:
        """Count a record, by which the patience with traces is measured."""
        self._records += 1

    def advance(self, moment: int) -> None:
        """Measure patience in time, where records come as they are made: `moment` takes the place of their number."""
        self._records = max(self._records, moment)

    def is_settled(self, trace: str) -> bool:
        """Whether a trace was complete before, as far as that is remembered."""
        return trace in self._given

    def add(self, span: Span) -> None:
        """Add a span to its trace."""
        key = span.trace
        trace = self._rooted.get(key)
        if trace is None:
            trace = self._rootless.get(key)
            if trace is None:
                if key in self._given:
                    self._note_late(span)
                    return
                trace = self._rootless[key] = OpenTrace()
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

    def _join(self, trace: OpenTrace, known: Span, span: Span) -> None:
        """Make one of two spans with the same id: log records add to a span, of two spans the fuller one counts."""
        if known.logged or span.logged:
            whole, other = (span, known) if known.logged else (known, span)
            # What log records hold comes in their order, whether before the span or after it.
            whole.events = known.events + span.events
            for key, value in other.attributes.items():
                whole.attributes.setdefault(key, value)
            whole.numbered = known.numbered or span.numbered
            trace.size += span.size
            trace.spans[whole.id] = whole
            whole.logged = known.logged and span.logged
            return
        self._context.note_loss("a span was recorded twice; the more complete one is kept")
        if (span.end is not None, len(span.attributes)) > (known.end is not None, len(known.attributes)):
            trace.spans[span.id] = span
            trace.size += span.size - known.size

    def _note_late(self, span: Span) -> None:
        tool = "gen_ai.tool.name" in span.attributes or "tool.name" in span.attributes
        what = "a span of a tool call" if tool else "a span"
        self._context.note_loss(f"{what} came long after the rest of its trace; it is left out")

    def complete(self) -> Iterator[OpenTrace]:
        """The traces of which nothing more is expected, and those for which there is no more room."""
        limit = self._records - self._patience
        while self._rooted and next(iter(self._rooted.values())).touched < limit:
            yield self._give(self._rooted)
        if self._rootless_patience is not None:
            limit = self._records - self._rootless_patience
            while self._rootless and next(iter(self._rootless.values())).touched < limit:
                yield self._give(self._rootless)
        while self._size > self._max_bytes:
            traces = self._rooted or self._rootless
            if self._size < 2 * self._max_bytes and next(iter(traces.values())).touched == self._records:
                break
            if traces is self._rootless:
                self._context.note_loss("a trace is read without its root span, because too many are open at once")
            yield self._give(traces)

    def rooted(self) -> Iterator[OpenTrace]:
        """The traces whose root span has come, whether more of them is expected or not."""
        while self._rooted:
            yield self._give(self._rooted)

    def rest(self) -> Iterator[OpenTrace]:
        """All traces that are still open, in the order of their last spans."""
        while self._rooted or self._rootless:
            first = min(
                (traces for traces in (self._rooted, self._rootless) if traces),
                key=lambda traces: next(iter(traces.values())).touched,
            )
            yield self._give(first)

    def _give(self, traces: OrderedDict[str, OpenTrace]) -> OpenTrace:
        key, trace = traces.popitem(last=False)
        self._size -= trace.size
        self.remember(key)
        return trace

    def remember(self, trace: str) -> None:
        """Count a trace as complete."""
        self._given[trace] = None
        if len(self._given) > self._max_remembered:
            self._given.popitem(last=False)


def _keep_last(trace: OpenTrace, span: Span) -> None:
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
