"""A monitor: what it raises and when, that sessions are one piece of evidence, and that a restart changes nothing."""

from __future__ import annotations

from itertools import chain, repeat
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.budgets import examples
from tests.drift.streams import START, alarms_of, mixes, quantities, rates
from toolgauge.drift import Alarm, Drift, DriftSettings, Observation

SHORT = DriftSettings(baseline_days=2.0)
TOOLS = {"search": 0.4, "read": 0.3, "write": 0.2, "mail": 0.1}


def changed(before: float, after: float, *, at: int = 800, sessions: int = 1600) -> list[float]:
    return [*repeat(before, at), *repeat(after, sessions - at)]


def number_of(alarm: Alarm, at: float) -> int:
    """The number of the session that began at a time, in streams with a session every twenty minutes."""
    return round((at - START) / 1200)


def within(value: float | None, low: float, high: float) -> bool:
    return value is not None and low <= value <= high


def test_a_rate_that_triples_raises_one_alarm_that_says_when_and_from_what_to_what() -> None:
    [alarm] = alarms_of(Drift(SHORT), rates(changed(0.02, 0.2), seed=1))
    assert (alarm.series, alarm.kind, alarm.direction) == ("fails", "rate", "up")
    assert 800 < number_of(alarm, alarm.at) < 860
    assert 780 < number_of(alarm, alarm.changed_at) < 830
    assert alarm.changed_between[0] <= alarm.changed_at <= alarm.changed_between[1] <= alarm.at
    assert within(alarm.before.value, 0.01, 0.03)
    assert within(alarm.after.value, 0.1, 0.5)
    assert alarm.after.n == alarm.sessions
    assert alarm.before.n + alarm.after.n == number_of(alarm, alarm.at) + 1
    assert alarm.statistic >= alarm.limit > 0
    assert 1 <= len(alarm.examples) <= 5
    assert all(number_of(alarm, alarm.changed_at) <= int(trace[1:]) for trace in alarm.examples)


def test_a_rate_that_falls_to_nothing_is_an_alarm_downwards() -> None:
    [alarm] = alarms_of(Drift(SHORT), rates(changed(0.2, 0.0), seed=2))
    assert alarm.direction == "down"
    assert alarm.after.value == 0.0
    assert number_of(alarm, alarm.at) < 900


def test_durations_half_as_long_again_are_an_alarm_with_medians() -> None:
    [alarm, *_] = alarms_of(Drift(SHORT), quantities(changed(1.0, 1.8), seed=3))
    assert (alarm.kind, alarm.direction) == ("quantity", "up")
    assert within(alarm.before.value, 0.8, 1.2)
    assert within(alarm.after.value, 1.2, 3.0)
    assert 800 < number_of(alarm, alarm.at) < 950


def test_a_chart_of_ranks_does_not_care_for_the_scale_or_one_huge_value() -> None:
    plain = alarms_of(Drift(SHORT), quantities(changed(1.0, 1.8), seed=3))
    scaled = alarms_of(Drift(SHORT), quantities(changed(1024.0, 1.8 * 1024.0), seed=3))
    assert [alarm.at for alarm in plain] == pytest.approx([alarm.at for alarm in scaled], abs=20 * 1200)
    quiet = [*repeat(1.0, 800), 1e15, *repeat(1.0, 400)]
    assert alarms_of(Drift(SHORT), quantities(quiet, seed=4)) == []


def test_a_tool_that_disappears_is_named_with_the_tools_that_took_its_place() -> None:
    without = {label: share for label, share in TOOLS.items() if label != "mail"}
    named = []
    for seed in range(5):
        [alarm, *_] = alarms_of(Drift(SHORT), mixes([*repeat(TOOLS, 800), *repeat(without, 400)], seed=seed))
        assert alarm.kind == "mix"
        named.append((alarm.label, alarm.direction))
        moved = {each.label: each for each in alarm.moved}
        assert moved["mail"].after.value == 0.0
        assert within(moved["mail"].before.value, 0.07, 0.13)
        sizes = [abs((each.after.value or 0) - (each.before.value or 0)) for each in alarm.moved]
        assert sizes == sorted(sizes, reverse=True)
    # A tool that took its place may have its chart over the limit first.
    assert named.count(("mail", "down")) >= 3


def test_a_new_label_is_told_at_once_and_raises_an_alarm_when_it_stays() -> None:
    drift = Drift(SHORT)
    with_new = {**TOOLS, "shell": 0.1}
    [alarm, *_] = alarms_of(drift, mixes([*repeat(TOOLS, 800), *repeat(with_new, 400)], seed=6))
    [first, *_] = drift.first_seen()
    assert (first.label, first.series) == ("shell", "tools")
    assert (alarm.label, alarm.direction) == ("shell", "up")
    assert alarm.before.value == 0.0
    assert first.at <= alarm.at
    assert alarm.examples


def test_one_appearance_of_a_new_label_is_no_alarm() -> None:
    drift = Drift(SHORT)
    assert alarms_of(drift, mixes([*repeat(TOOLS, 800), {"odd": 1.0}, *repeat(TOOLS, 400)], seed=7)) == []
    assert [first.label for first in drift.first_seen()] == ["odd"]


def test_labels_beyond_the_most_share_a_chart() -> None:
    many = {f"tool{number}": 1.0 / (number + 1) for number in range(30)}
    drift = Drift(DriftSettings(baseline_days=2, max_labels=4))
    assert alarms_of(drift, mixes(repeat(many, 600), seed=8)) == []
    labels = {reading.label for reading in drift.readings()}
    assert labels == {"tool0", "tool1", "tool2", "tool3", "(other)", "(new)"}


def test_there_is_no_alarm_while_a_series_is_learned() -> None:
    drift = Drift(DriftSettings(baseline_days=1000))
    assert alarms_of(drift, rates(changed(0.0, 1.0))) == []
    assert {reading.limit for reading in drift.readings()} == {None}


def test_a_baseline_that_was_given_ends_learning() -> None:
    drift = Drift(DriftSettings(baseline_days=1000))
    alarms_of(drift, rates(repeat(0.02, 500)))
    drift.learned()
    later = [
        Observation(each.series, each.kind, each.at + 500 * 1200, each.value, session=each.session)
        for each in rates(repeat(0.5, 100))
    ]
    assert len(alarms_of(drift, later)) == 1


def test_after_an_alarm_the_new_level_is_usual_and_going_back_is_another_alarm() -> None:
    chances = [*repeat(0.02, 800), *repeat(0.4, 800), *repeat(0.02, 800)]
    up, down = alarms_of(Drift(SHORT), rates(chances, seed=9))
    assert (up.direction, down.direction) == ("up", "down")
    assert 1600 < number_of(down, down.at) < 1650
    assert up.id != down.id


def test_reset_goes_back_to_what_was_usual_and_acknowledge_does_not() -> None:
    stream = list(rates([*repeat(0.02, 800), *repeat(0.5, 400)], seed=10))
    half = next(place for place, each in enumerate(stream) if each.session == "s820")
    for reset, expected in ((True, 2), (False, 1)):
        drift = Drift(SHORT)
        found = [alarm for each in stream[:half] for alarm in drift.observe(each)]
        assert len(found) == 1
        if reset:
            assert drift.reset("fails")
        else:
            drift.acknowledge("fails")
            assert not drift.reset("fails")
        found += [alarm for each in stream[half:] for alarm in drift.observe(each)]
        assert len(found) == expected


def test_a_mix_that_is_reset_has_its_labels_again_and_what_was_new_among_the_others() -> None:
    drift = Drift(DriftSettings(baseline_days=2.0, max_labels=3))
    stream = list(mixes([*repeat(TOOLS, 800), *repeat({**TOOLS, "shell": 2.0}, 60)], seed=14))
    [alarm, *_] = alarms_of(drift, stream)
    before = ["search", "read", "write", "(other)", "(new)"]
    assert alarm.label == "shell"
    assert drift.reset("tools")
    assert list(dict.fromkeys(reading.label for reading in drift.readings())) == before
    later = Observation("tools", "mix", START + 861 * 1200, label="shell", session="later")
    assert drift.observe(later) == ()
    drift.finish()
    assert list(dict.fromkeys(reading.label for reading in drift.readings())) == before


def test_relearn_forgets_and_series_are_known_by_name() -> None:
    drift = Drift(SHORT)
    alarms_of(drift, rates(repeat(0.02, 400)))
    assert all(reading.learned == 400 for reading in drift.readings())
    drift.relearn()
    assert all(reading.learned == 0 for reading in drift.readings())
    with pytest.raises(ValueError, match="is a rate, not a mix"):
        drift.observe(Observation("fails", "mix", START))


def test_an_alarm_names_the_labels_that_appeared_with_it() -> None:
    stream = list(mixes([*repeat(TOOLS, 800), *repeat({**TOOLS, "shell": 2.0}, 60)], seed=14))
    drift = Drift(SHORT)
    [alarm, *_] = alarms_of(drift, stream)
    (seen,) = alarm.first_seen
    first = next(each for each in stream if each.label == "shell")
    assert (seen.label, seen.session, seen.trace) == ("shell", first.session, first.trace)
    assert drift.first_seen() == (seen,)


def test_a_session_that_is_said_to_be_over_counts_and_one_that_may_go_on_waits() -> None:
    drift = Drift()
    for session, at in (("a", 0.0), ("b", 10.0), ("c", 5_000.0)):
        drift.observe(Observation("fails", "rate", START, 0.0, session="z" + session))
        drift.observe(Observation("fails", "rate", START + at, 0.0, session=session))

    def seen() -> int:
        return drift.readings()[0].learned

    before = seen()
    drift.end("c")
    drift.end("never seen")
    assert seen() == before + 1
    drift.finish(START - 1)
    assert seen() == before + 1
    drift.finish(START + 5_001)
    assert seen() == 6


def test_other_settings_hold_from_then_on() -> None:
    drift = Drift(SHORT)
    alarms_of(drift, rates(repeat(0.02, 400)))
    before = {reading.run_length for reading in drift.readings()}
    drift.adopt(replace(SHORT, false_alarms=0.1))
    drift.observe(Observation("fails", "rate", START + 500_000, 0.0))
    after = {reading.run_length for reading in drift.readings()}
    assert len(before) == len(after) == 1
    assert (after.pop() or 0) > 9 * (before.pop() or 0)


def test_calls_of_one_session_are_one_piece_of_evidence() -> None:
    # One session in which everything failed is no more than one event, however many calls it has.
    loop = [Observation("fails", "rate", START + 900 * 1200, 1.0, session="loop") for _ in range(500)]
    quiet = list(rates(repeat(0.02, 900), seed=11))
    assert alarms_of(Drift(SHORT), [*quiet, *loop]) == []
    apart = [Observation("fails", "rate", START + 900 * 1200 + number, 1.0) for number in range(500)]
    assert len(alarms_of(Drift(SHORT), [*quiet, *apart])) >= 1


@given(st.integers(0, 10_000))
@settings(max_examples=examples(30), deadline=None)
def test_the_order_of_calls_within_a_session_and_of_series_does_not_matter(seed: int) -> None:
    parts = [
        rates(changed(0.05, 0.5, at=300, sessions=400), seed=seed, calls=4),
        quantities(repeat(1.0, 400), seed=seed),
    ]
    by_session: dict[str, list[Observation]] = {}
    for each in chain(*parts):
        by_session.setdefault(each.session, []).append(each)
    random = Random(seed)
    shuffled = [random.sample(each, len(each)) for each in by_session.values()]
    straight = alarms_of(Drift(SHORT), chain(*by_session.values()))
    mixed = alarms_of(Drift(SHORT), chain(*shuffled))
    assert sorted(alarm.id for alarm in straight) == sorted(alarm.id for alarm in mixed)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 1500), max_size=4))
@settings(max_examples=examples(30), deadline=None)
def test_a_restart_at_any_moment_raises_the_same_alarms(seed: int, restarts: list[int]) -> None:
    stream = sorted(
        chain(
            rates(changed(0.05, 0.4, at=300, sessions=500), seed=seed),
            quantities(changed(1.0, 4.0, at=400, sessions=500), seed=seed),
            mixes([*repeat(TOOLS, 350), *repeat({**TOOLS, "shell": 0.5}, 150)], seed=seed, calls=1),
        ),
        key=lambda each: each.at,
    )
    whole = Drift(SHORT)
    expected = alarms_of(whole, stream)
    drift = Drift(SHORT)
    found: list[Alarm] = []
    for place, each in enumerate(stream):
        if place in restarts:
            drift = Drift.decode(drift.encode())
        found += drift.observe(each)
    found += drift.finish()
    assert found == expected
    assert drift.encode() == whole.encode()
    assert drift.readings() == whole.readings()


def test_false_alarms_are_shared_over_series_by_how_often_each_is_seen() -> None:
    drift = Drift(SHORT)
    alarms_of(drift, rates(repeat(0.02, 400)))
    [alone] = {reading.run_length for reading in drift.readings()}
    # 72 sessions a day, 5 charts, one false alarm in 30 days.
    assert alone == pytest.approx(72 * 30 * 5, rel=0.01)
    for each in chain(rates(repeat(0.02, 400)), quantities(repeat(1.0, 400))):
        drift.observe(Observation(each.series, each.kind, each.at + 500_000, each.value, session=each.session))
    drift.finish()
    shared = {reading.series: reading.run_length for reading in drift.readings()}
    assert shared["fails"] is not None
    assert shared["fails"] > 1.5 * (alone or 0)
    assert shared["latency"] == pytest.approx(2 * 72 * 30 * 5, rel=0.02)


def test_what_is_no_number_is_left_out_and_counted() -> None:
    drift = Drift()
    for value, at in ((float("nan"), START), (float("inf"), START), (1.0, float("nan"))):
        assert drift.observe(Observation("latency", "quantity", at, value)) == ()
    assert drift.ignored == 3
    assert drift.readings() == ()
    assert Drift.decode(drift.encode()).ignored == 3


def test_sessions_end_by_silence_by_being_too_many_and_at_the_end() -> None:
    drift = Drift(DriftSettings(max_open=2))

    def seen() -> int:
        return drift.readings()[0].learned

    def observe(session: str, at: float) -> None:
        drift.observe(Observation("fails", "rate", START + at, 0.0, session=session))

    observe("a", 0)
    observe("b", 10)
    assert (seen(), drift.closed_early) == (0, 0)
    observe("a", 20)
    observe("c", 30)
    assert (seen(), drift.closed_early) == (1, 1), "b was silent longest"
    drift.advance(START + 1819)
    assert seen() == 1
    drift.advance(START + 1821)
    assert seen() == 2
    drift.finish()
    assert seen() == 3


def test_memory_does_not_grow_with_the_stream() -> None:
    drift = Drift(SHORT)
    alarms_of(drift, quantities(repeat(1.0, 2000), seed=12))
    size = len(drift.encode())
    later = (
        Observation(each.series, each.kind, each.at + 2000 * 1200, each.value, session=each.session, trace=each.trace)
        for each in quantities(repeat(1.0, 6000), seed=13)
    )
    alarms_of(drift, later)
    assert len(drift.encode()) < 3 * size
