"""Scorers of one's own: what may be given as one, and what becomes of whatever it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.builders import case, trajectory
from toolgauge import score as score_traces
from toolgauge.core import Case, Measured, Outcome, Suite, Trajectory, Unscored
from toolgauge.errors import PluginError, ToolgaugeError, UsageError
from toolgauge.pipeline import open_scorers
from toolgauge.scoring.scorers import ask, open_scorer

CASE = case(["a"])
SUITE = Suite("s", (case(["a"], id="c1"), case(["a"], id="c2"), case(["a"], id="c3")))


class Saying:
    """A scorer that says whatever it is given."""

    version = 1

    def __init__(self, says: Callable[[], Any], name: str = "saying") -> None:
        self.says = says
        self.name = name

    def score(self, case: Case, trajectory: Trajectory) -> Outcome:
        return self.says()  # type: ignore[no-any-return]  # that is what is tested


class Silent:
    """An exception that cannot even be shown."""

    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


def fail() -> None:
    raise KeyError("turn")


def leave() -> None:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        (lambda: None, "returned None"),
        (lambda: "good", "returned 'good'"),
        (lambda: 0.5, "returned 0.5"),
        (lambda: float("nan"), "returned nan"),
        (lambda: Measured(float("nan")), "measured nan"),
        (lambda: Measured(float("inf")), "measured inf"),
        (lambda: Measured(1.2), "measured 1.2"),
        (lambda: Measured(-0.1), "measured -0.1"),
        (lambda: Measured("1"), "measured '1'"),  # type: ignore[arg-type]
        (lambda: Measured(None), "measured None"),  # type: ignore[arg-type]
        (lambda: Measured(10**400), "OverflowError"),
        (fail, "KeyError: 'turn'"),
        (leave, "SystemExit: 3"),
        (lambda: "x" * 10_000, "xxx..., which is neither"),
        (Silent, "returned <Silent>"),
    ],
)
def test_what_is_no_outcome_is_not_scored_and_quoted(says: Callable[[], Any], reason: str) -> None:
    found = ask(Saying(says), CASE, trajectory("a"))
    assert isinstance(found, Unscored)
    assert found.reason.startswith("error: ")
    assert reason in found.reason
    assert len(found.reason) < 250


@pytest.mark.parametrize(
    ("says", "outcome"),
    [
        (Measured(1), Measured(1.0)),
        (Measured(True), Measured(1.0)),
        (Measured(1 + 1e-12), Measured(1.0)),
        (Measured(0.25, "so so"), Measured(0.25, "so so")),
        (Measured(0.5, "\ud800"), Measured(0.5, "\\ud800")),
        (Unscored("nothing to see"), Unscored("nothing to see")),
        (Unscored("\udfff"), Unscored("\\udfff")),
    ],
)
def test_an_outcome_is_taken_in_a_form_that_files_can_hold(says: Outcome, outcome: Outcome) -> None:
    found = ask(Saying(lambda: says), CASE, trajectory("a"))
    assert found == outcome
    assert not isinstance(found, Measured) or type(found.value) is float


def test_a_scorer_that_fails_moves_no_figure_and_is_counted() -> None:
    said = iter([Measured(0.5), Measured(1.2), Unscored("no")])
    scorer = Saying(lambda: next(said))
    traces = [trajectory("a", case=name, agent="m") for name in ("c1", "c2", "c3")]
    plain, run = score_traces(SUITE, traces), score_traces(SUITE, traces, scorers=[scorer])
    (before,), (after,) = plain.summary.rows, run.summary.rows
    assert {name: figure for name, figure in after.metrics.items() if name != "saying"} == before.metrics
    assert (after.metrics["saying"].value, after.metrics["saying"].n) == (0.5, 1)
    notes = {note.kind: note.values for note in run.summary.notes}
    assert notes["unscored"] == {"scorer": "saying", "count": 1}
    assert notes["scorer_failed"] == {
        "scorer": "saying",
        "count": 1,
        "reason": "error: measured 1.2, which is not a number from 0 to 1",
    }
    assert run.header.scorers == {"saying": 1}
    assert (plain.header.scorers, plain.header.about) == ({}, {})


def test_what_was_not_run_is_shown_to_no_scorer() -> None:
    run = score_traces(SUITE, [trajectory("a", case="c1", agent="m")], scorers=[Saying(lambda: Measured(1.0))])
    assert [one.score.outcomes for one in run.scored] == [{"saying": Measured(1.0)}, {}, {}]
    (row,) = run.summary.rows
    assert row.metrics["saying"].n == 1


def test_where_nothing_is_measured_the_scorer_says_why() -> None:
    said = iter([Unscored("z"), Unscored("b"), Unscored("b")])
    traces = [trajectory("a", case=name, agent="m") for name in ("c1", "c2", "c3")]
    run = score_traces(SUITE, traces, scorers=[Saying(lambda: next(said))])
    (row,) = run.summary.rows
    assert (row.metrics["saying"].value, row.metrics["saying"].reason) == (None, "b; z")


class Counting(Saying):
    """Made without arguments."""

    def __init__(self) -> None:
        super().__init__(lambda: Measured(1.0), "counting")


class Awaited(Counting):
    """Asynchronous, which a scorer is not."""

    async def score(self, case: Case, trajectory: Trajectory) -> Outcome:  # type: ignore[override]
        return Measured(1.0)


class Nameless:
    """Without a name."""

    version = 1

    def score(self, case: Case, trajectory: Trajectory) -> Outcome:
        return Measured(1.0)


class Unversioned(Nameless):
    """Without a version."""

    name = "unversioned"
    version = True


def test_a_scorer_may_be_given_as_an_object_a_class_or_a_function() -> None:
    made = Counting()
    assert open_scorer(made) is made
    assert open_scorer(Counting).name == "counting"
    assert open_scorer(lambda: made) is made
    assert [scorer.name for scorer in open_scorers(made)] == ["counting"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (3, UsageError, "has no method score"),
        (lambda: 3, UsageError, "has no method score"),
        (Saying, PluginError, "cannot be made without arguments"),
        (Awaited, UsageError, "asynchronous"),
        (Nameless, UsageError, "has no name"),
        (Unversioned, UsageError, "has no version"),
        ("no_such_scorer", UsageError, "there is no scorer 'no_such_scorer'"),
        ("tests.scoring.test_scorers:Counting", UsageError, "--allow-code"),
    ],
)
def test_what_is_no_scorer_is_refused(given: object, kind: type[ToolgaugeError], message: str) -> None:
    with pytest.raises(kind, match=message):
        open_scorer(given)


@pytest.mark.parametrize(
    "name", ["f1", "score", "f1_low", "agent", "passed", "latency_p95", "", "a b", "a=b", "x[y]", "a.p95", "9"]
)
def test_a_name_that_is_taken_or_cannot_be_written_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="a scorer cannot be called"):
        score_traces(SUITE, [trajectory("a")], scorers=[Saying(lambda: Measured(1.0), name)])


def test_two_scorers_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="taken by the scorer 'counting'"):
        open_scorers([Counting(), Counting])
