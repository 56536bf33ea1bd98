"""Joining trajectories to cases."""

import unicodedata

import pytest

from toolgauge.core import UNSAID, Case, Suite, Trajectory
from toolgauge.errors import UsageError
from toolgauge.traces import ImportReport, Join


def suite(*cases: Case) -> Suite:
    return Suite("s", cases)


def join(given: Suite, *trajectories: Trajectory, agent: str | None = None) -> tuple[list[Trajectory], ImportReport]:
    report = ImportReport()
    return list(Join(given, report)(trajectories, agent=agent, fallback="file")), report


def test_what_is_complete_is_passed_on_as_the_same_object() -> None:
    trajectory = Trajectory("a", "x", 3)
    found, _ = join(suite(Case("a")), trajectory)
    assert found[0] is trajectory


def test_cases_are_found_by_id_then_by_input_whatever_the_normal_form() -> None:
    question = "Thời tiết ở Huế?"
    given = suite(Case("a", question), Case("Huế", "other"))
    decomposed = unicodedata.normalize("NFD", question)
    found, report = join(
        given,
        Trajectory("a"),
        Trajectory(input=f" {decomposed}\n"),
        Trajectory(decomposed),
        Trajectory(unicodedata.normalize("NFD", "Huế")),
        Trajectory("unknown", input=question),
    )
    assert [t.case for t in found] == ["a", "a", "a", "Huế", "a"]
    assert [t.trial for t in found] == [1, 2, 3, 1, 4]
    assert report.unmatched == 0


def test_the_same_question_goes_to_its_cases_in_turn() -> None:
    given = suite(Case("a", "why?"), Case("b", "why?"))
    found, _ = join(given, *[Trajectory(input="why?")] * 5)
    assert [(t.case, t.trial) for t in found] == [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 3)]
    found, _ = join(given, *[Trajectory(input="why?", trial=n) for n in (1, 2, 1, 2)])
    assert [(t.case, t.trial) for t in found] == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


def test_what_belongs_to_no_case_is_counted_and_the_first_are_named() -> None:
    found, report = join(suite(Case("a")), *[Trajectory(f"x{n}") for n in range(7)], Trajectory("a"))
    assert len(found) == 1
    assert report.unmatched == 7
    assert report.lines() == ["7 trajectories belong to no case of the suite: 'x0', 'x1', 'x2', 'x3', 'x4', ..."]


def test_a_given_name_counts_more_than_the_one_recorded() -> None:
    found, _ = join(suite(Case("a")), Trajectory("a", "old"), Trajectory("a"), agent="new")
    assert [t.agent for t in found] == ["new", "new"]
    found, _ = join(suite(Case("a")), Trajectory("a", "old"), Trajectory("a"))
    assert [t.agent for t in found] == ["old", "file"]


def test_one_name_for_two_agents_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'new' is given to a file with .* several agents, 'x' and 'y'"):
        join(suite(Case("a")), Trajectory("a", "x"), Trajectory("a", "y"), agent="new")


def test_trials_that_are_taken_get_the_next_free_number() -> None:
    given = suite(Case("a"))
    found, report = join(given, *[Trajectory("a", "x", n) for n in (2, UNSAID, 2, UNSAID, 10**12, 10**12)])
    assert [t.trial for t in found] == [2, 1, 3, 4, 10**12, 5]
    assert report.lines() == ["2 trajectories repeat earlier trials, and got the next free number"]


def test_trials_continue_over_files_and_missing_ones_are_told() -> None:
    report = ImportReport()
    joined = Join(suite(Case("a"), Case("b")), report)
    assert [t.trial for t in joined([Trajectory("a")], agent="y", fallback="")] == [1]
    assert [t.trial for t in joined([Trajectory("a")], agent="y", fallback="")] == [2]
    assert list(joined([], agent="x", fallback="")) == []
    assert list(joined([], agent=None, fallback="nobody")) == []
    assert list(joined.missing()) == [("y", "b"), ("x", "a"), ("x", "b")]


def test_a_question_counts_more_than_what_may_be_the_number_of_a_record() -> None:
    given = suite(Case("1", "first?"), Case("2", "second?"))
    recorded = Trajectory("2", input="first?", meta={"id": 2})
    found, report = join(given, recorded)
    assert [trajectory.case for trajectory in found] == ["1"]
    assert report.lines() == [
        "a trajectory has the id of one case and the question of another; the question decides (once)"
    ]
    for kept in (
        Trajectory("2", input="first?"),
        Trajectory("2", input="first?", meta={"id": 7}),
        Trajectory("2", input="third?", meta={"id": 2}),
        Trajectory("2", input=" second?", meta={"id": 2}),
    ):
        found, report = join(given, kept)
        assert ([trajectory.case for trajectory in found], report.lines()) == (["2"], [])


def test_the_question_counts_also_where_all_else_is_said() -> None:
    given = suite(Case("1", "first?"), Case("2", "second?"))
    first = Trajectory("1", "a", 1, input="first?", meta={"id": 1})
    found, _ = join(given, first, Trajectory("1", "a", 2, input="second?", meta={"id": 1}))
    assert [(trajectory.case, trajectory.trial) for trajectory in found] == [("1", 1), ("2", 2)]
