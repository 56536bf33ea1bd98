"""Gathering spans: how long traces are waited for, and what becomes of those that come late."""

from __future__ import annotations

import tracemalloc

from toolgauge.traces import ImportReport
from toolgauge.traces.context import ReadContext, ReadOptions
from toolgauge.traces.formats.spans.readers import OpenTrace, SpanWindow
from toolgauge.traces.formats.spans.span import Span


def made(trace: str, identity: str, parent: str | None = "root", size: int = 1000) -> Span:
    found = Span(trace, identity, parent, "")
    found.size = size
    return found


def names(traces: list[OpenTrace]) -> list[str]:
    return [next(iter(trace.spans.values())).trace for trace in traces]


def fed(window: SpanWindow, *spans: Span) -> list[str]:
    given: list[OpenTrace] = []
    for span in spans:
        window.next_record()
        window.add(span)
        given += window.complete()
    return names(given)


def test_trace_is_complete_when_nothing_came_after_its_root_for_long() -> None:
    window = SpanWindow(ReadContext(), patience=3)
    assert fed(window, made("a", "1"), made("a", "root", None), made("b", "1"), made("b", "2")) == []
    assert fed(window, made("b", "3"), made("b", "4")) == ["a"]
    assert names(list(window.rest())) == ["b"]


def test_span_that_comes_late_puts_the_end_off() -> None:
    window = SpanWindow(ReadContext(), patience=3)
    assert fed(window, made("a", "root", None), made("b", "1"), made("b", "2"), made("a", "1")) == []
    assert fed(window, *(made("b", str(number)) for number in range(3, 6))) == []
    assert fed(window, made("b", "6")) == ["a"]


def test_trace_without_a_root_is_waited_for_to_the_end() -> None:
    window = SpanWindow(ReadContext(), patience=3)
    assert fed(window, made("a", "1"), *(made("b", str(number), size=1) for number in range(50))) == []
    assert names(list(window.rest())) == ["a", "b"]


def test_where_room_is_short_the_trace_that_rested_longest_goes_first_and_rooted_ones_before_others() -> None:
    report = ImportReport()
    window = SpanWindow(ReadContext(ReadOptions(report=report)), max_bytes=4000)
    assert fed(window, made("a", "1"), made("b", "1"), made("b", "root", None), made("a", "2")) == []
    assert fed(window, made("c", "1")) == ["b"]
    assert report.lost == {}
    assert fed(window, made("c", "2"), made("d", "1")) == ["a"]
    assert report.lost == {"a trace is read without its root span, because too many are open at once": 1}


def test_spans_that_come_after_their_trace_was_given_out_are_told_of() -> None:
    report = ImportReport()
    window = SpanWindow(ReadContext(ReadOptions(report=report)), patience=0)
    late = made("a", "2")
    late.attributes["gen_ai.tool.name"] = "get_weather"
    assert fed(window, made("a", "root", None), made("b", "root", None), made("a", "1"), late) == ["a", "b"]
    assert report.lost == {
        "a span came long after the rest of its trace; it is left out": 1,
        "a span of a tool call came long after the rest of its trace; it is left out": 1,
    }


def test_of_two_spans_with_one_id_the_one_that_ended_counts() -> None:
    report = ImportReport()
    window = SpanWindow(ReadContext(ReadOptions(report=report)))
    ended = made("a", "1")
    ended.end = 5
    fed(window, made("a", "1"), ended, made("a", "1"))
    (trace,) = window.rest()
    assert list(trace.spans.values()) == [ended]
    assert report.lost == {"a span was recorded twice; the more complete one is kept": 2}


def test_memory_does_not_grow_with_the_number_of_traces() -> None:
    window = SpanWindow(ReadContext(), max_bytes=1_000_000)
    tracemalloc.start()
    try:
        for number in range(9_000):
            window.next_record()
            window.add(made(f"{number:032x}", "1", size=1500))
            for trace in window.complete():
                assert trace.spans
            if number == 2_000:
                early = tracemalloc.get_traced_memory()[0]
        late = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    # What may grow for a while are the ids of traces that were given out.
    assert late < early + 2_500_000
