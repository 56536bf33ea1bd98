"""What says which case a trajectory is of, where somebody chooses."""

from __future__ import annotations

import unicodedata

import pytest

from toolgauge.core import Case, JsonValue, Suite, Trajectory
from toolgauge.traces import ImportReport, Join, Naming, by_text

SUITE = Suite(
    "s",
    (
        Case("a", "why?", labels={"ticket": "7", "team": "x"}),
        Case("Huế", "who?", labels={"ticket": "8", "team": "x"}),
        Case("why?", "else?"),
    ),
)


def cases(how: str, *trajectories: Trajectory) -> tuple[list[str], ImportReport]:
    report = ImportReport()
    join = Join(SUITE, report, by_text=by_text(how))
    named = Naming(SUITE, how, report)(trajectories)
    return [trajectory.case for trajectory in join(named, agent=None, fallback="f")], report


def meta(**values: JsonValue) -> Trajectory:
    return Trajectory("a", input="why?", meta=values)


def test_nothing_is_touched_where_nothing_was_chosen() -> None:
    given = [Trajectory("a")]
    assert Naming(SUITE, "auto", ImportReport())(given) is given


def test_by_id_the_question_says_nothing() -> None:
    found, report = cases("id", Trajectory("a"), Trajectory(input="why?"), Trajectory("who?"), Trajectory("Huế"))
    assert found == ["a", "Huế"]
    assert (report.unmatched, report.unmatched_names) == (2, ["why?", "who?"])


def test_by_input_the_id_says_nothing() -> None:
    found, report = cases("input", Trajectory("Huế", input=" why? "), Trajectory("why?"), Trajectory("a"))
    assert found == ["a", "a"]
    assert report.unmatched == 1


@pytest.mark.parametrize(
    ("how", "trajectory", "expected"),
    [
        ("ticket", meta(ticket="8"), ["Huế"]),
        ("ticket", meta(ticket=8), ["Huế"]),
        ("meta.ticket", meta(ticket=" 8 "), ["Huế"]),
        ("ticket", meta(ticket="why?"), ["why?"]),
        ("key", meta(key=unicodedata.normalize("NFD", "Huế")), ["Huế"]),
        ("run.key", meta(run={"key": "why?"}), ["why?"]),
        ("metadata.run.key", meta(**{"run.key": "why?"}), ["why?"]),
        ("key", meta(key="nothing"), []),
        ("key", meta(key=True), []),
        ("key", meta(key=["a"]), []),
        ("key", meta(), []),
        ("team", meta(team="x"), []),
    ],
)
def test_by_a_key_its_value_is_an_id_or_a_label(how: str, trajectory: Trajectory, expected: list[str]) -> None:
    found, report = cases(how, trajectory)
    assert found == expected
    assert report.unmatched == 1 - len(expected)


def test_what_a_key_cannot_tell_is_said() -> None:
    assert cases("key", meta(), meta())[1].lines() == [
        "a trajectory has no 'key' in its metadata, which should identify its case (2 times)",
        "2 trajectories belong to no case of the suite: 'why?', ...",
    ]
    assert cases("team", meta(team="x"))[1].lines()[0] == (
        "several cases have the label 'team' that a trajectory names, so it is matched to none (once)"
    )
