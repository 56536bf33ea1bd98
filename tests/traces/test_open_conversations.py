"""Records that belong together are held together, within a bound."""

from __future__ import annotations

from toolgauge.traces.context import ReadContext
from toolgauge.traces.open_conversations import OpenConversations, TraceGroups
from toolgauge.traces.values import Record


def record(name: str, number: int) -> Record:
    return {"trace": name, "number": number}


def test_records_come_out_by_their_trace_in_the_order_in_which_traces_began() -> None:
    reading = ReadContext()
    groups = TraceGroups(reading)
    for number, name in enumerate("abacb"):
        reading.number = number
        assert list(groups.add(name, record(name, number))) == []
    assert [[item["number"] for item in group] for group in groups.rest()] == [[0, 2], [1, 4], [3]]
    assert list(groups.rest()) == []


def test_the_trace_that_was_added_to_the_longest_ago_makes_room() -> None:
    reading = ReadContext()
    groups = TraceGroups(reading, OpenConversations(max_bytes=100, max_in_one=250))
    given = []
    for number, (name, size) in enumerate([("a", 40), ("b", 40), ("a", 10), ("c", 40), ("b", 5)]):
        reading.number = number
        given += list(groups.add(name, record(name, number), size))
    assert given == [[record("b", 1)]]
    assert reading.report.lost == {"a record came too long after the others of its trace; it is left out": 1}
    assert [group[0]["trace"] for group in groups.rest()] == ["a", "c"]


def test_a_trace_that_is_alone_may_be_large_but_not_without_end() -> None:
    groups = TraceGroups(ReadContext(), OpenConversations(max_bytes=100, max_in_one=250))
    given = [group for number in range(4) for group in groups.add("a", record("a", number), 90)]
    assert [len(group) for group in given] == [3]


def test_very_many_small_traces_make_room_too() -> None:
    groups = TraceGroups(ReadContext(), OpenConversations(max_kept=2))
    given = [group for name in "abc" for group in groups.add(name, record(name, 0), 1)]
    assert given == [[record("a", 0)]]
