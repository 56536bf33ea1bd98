"""Spans that come late, twice, mixed or too many: what becomes of them is stated, and counted."""

from __future__ import annotations

from toolgauge.traces.context import ReadOptions
from toolgauge.watch.gathering import SpanGatherer
from toolgauge.watch.otlp import decode_body

from .running import batch, trace


def gatherer(max_bytes: int = 10**8, settled: tuple[str, ...] = ()) -> SpanGatherer:
    return SpanGatherer(ReadOptions(), window=10.0, max_bytes=max_bytes, max_remembered=1000, settled=settled)


def add(found: SpanGatherer, row: int, number: int, at: float, *, first: int = 0, last: int | None = None) -> None:
    spans = decode_body("traces", "protobuf", batch(trace(number, 3)[first:last])).spans
    found.add(row, spans, at)


def test_a_trace_is_settled_when_it_was_silent_for_the_window() -> None:
    found = gatherer()
    add(found, 1, 1, 100.0, first=1)
    add(found, 2, 1, 105.0, last=1)
    assert list(found.settle(114.0)) == []
    (one,) = found.settle(116.0)
    assert [len(each.calls) for each in one.trajectories] == [3]
    assert sorted(found.done_rows()) == [1, 2]


def test_without_its_root_it_is_waited_for_ten_times_as_long() -> None:
    found = gatherer()
    add(found, 1, 1, 100.0, first=1)
    assert list(found.settle(190.0)) == []
    (one,) = found.settle(201.0)
    assert len(one.trajectories) == 1


def test_a_row_with_several_traces_is_kept_until_all_of_them_are_settled() -> None:
    found = gatherer()
    spans = decode_body("traces", "protobuf", batch([*trace(1), *trace(2)[1:]])).spans
    found.add(1, spans, 100.0)
    assert len(list(found.settle(111.0))) == 1
    assert found.done_rows() == []
    assert len(list(found.settle(300.0))) == 1
    assert found.done_rows() == [1]


def test_beyond_the_memory_it_may_take_the_trace_that_was_silent_longest_is_settled() -> None:
    found = gatherer(max_bytes=100_000)
    settled = []
    for number in range(1, 201):
        add(found, number, number, 100.0 + number / 100)
        settled += [each.trace for each in found.settle(100.0 + number / 100)]
        assert found.open_bytes <= 200_000
    assert settled == [f"{number:032x}" for number in range(1, len(settled) + 1)]
    assert len(settled) > 150
    assert found.open_traces == 200 - len(settled)


def test_rootless_traces_that_make_room_are_counted() -> None:
    found = gatherer(max_bytes=50_000)
    for number in range(1, 101):
        add(found, number, number, 100.0, first=1)
        list(found.settle(100.0))
    assert found.lost["a trace is read without its root span, because too many are open at once"] > 50


def test_what_comes_after_its_trace_was_settled_is_left_out_and_counted() -> None:
    found = gatherer(settled=(f"{1:032x}",))
    add(found, 1, 1, 100.0)
    assert list(found.rooted()) == []
    assert sum(found.lost.values()) == 4
    assert found.done_rows() == [1]
