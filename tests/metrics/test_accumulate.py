"""The accumulator: exact sums in columns, whatever the order, the portions and the sums that are asked for."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from toolgauge.core import STATES, Answer, Case, JsonValue, Score, Scored, Suite, ToolCounts, Trajectory, Usage
from toolgauge.metrics import METRICS, PARTS, CaseSums, Metric, Part, Shown, contributions, needed_sums, summarise

COUNT = st.integers(0, 3)
MAYBE = st.none() | COUNT
SHARE = st.just(0.0) | st.floats(2**-40, 1)
EVENTS: list[dict[str, JsonValue]] = [
    {"kind": "judge", "score": 0.25},
    {"kind": "judge", "score": "much"},
    {"kind": "judge", "score": 7},
    {"kind": "plan", "steps": [1, 2]},
    {"kind": "plan", "steps": [1], "usable": False},
    {"kind": "round"},
    {"kind": "route"},
    {"kind": "handoff"},
    {"kind": "retry"},
]

counts = st.builds(ToolCounts, COUNT, COUNT, COUNT, COUNT, COUNT, COUNT, MAYBE, MAYBE, MAYBE)
answers = st.none() | st.builds(Answer, st.sampled_from(["right", "wrong", "ambiguous", None]))
usages = st.none() | st.builds(Usage, MAYBE, MAYBE, MAYBE, st.none() | SHARE)


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[Trajectory, Score]:
    """A trajectory of one of three cases with its score; nothing keeps the two from being odd."""
    case, state = draw(st.sampled_from("abc")), draw(st.sampled_from(STATES))
    measures = draw(st.tuples(SHARE, SHARE, SHARE, SHARE, SHARE)) if draw(st.booleans()) else [None] * 5
    latency = draw(st.none() | st.just(0.0) | st.floats(2**-40, 1e6))
    trajectory = Trajectory(
        case,
        "m",
        1,
        state,
        latency_ms=latency,
        usage=draw(usages),
        events=tuple(draw(st.lists(st.sampled_from(EVENTS), max_size=3))),
    )
    score = Score(
        case,
        "m",
        1,
        state,
        draw(st.booleans()),
        measures[0],
        measures[1],
        measures[2],
        measures[3],
        measures[4],
        draw(answers),
        says_tools=draw(st.booleans()),
        counts=draw(counts),
    )
    return trajectory, score


NAMES = [name for part in PARTS for name in part.names]


@given(st.lists(outcomes(), min_size=1, max_size=9), st.randoms(use_true_random=False), st.integers(1, 9))
def test_columns_are_the_true_sums_of_each_case_in_the_order_asked_for(
    done: list[tuple[Trajectory, Score]], random: Random, portion: int
) -> None:
    sums = CaseSums()
    for start in range(0, len(done), portion):
        some = done[start : start + portion]
        sums.add_all([trajectory for trajectory, _ in some], [score for _, score in some])
        if random.random() < 0.5:
            sums.at([])  # whoever asks in between changes nothing
    cases = random.sample(list(sums.cases), random.randint(1, len(sums.cases)))
    added = [(trajectory.case, contributions(trajectory, score)) for trajectory, score in done]
    columns = sums.at(cases)
    for name in NAMES:
        true = [float(sum(Fraction(more[name]) for case, more in added if case == wanted)) for wanted in cases]
        assert columns.column((name,)) == true, name


@given(st.lists(outcomes(), min_size=1, max_size=9), st.sets(st.sampled_from(METRICS), min_size=1))
def test_whoever_asks_for_some_metrics_gets_the_same_as_who_asks_for_all(
    done: list[tuple[Trajectory, Score]], metrics: set[Metric]
) -> None:
    trajectories, scores = [trajectory for trajectory, _ in done], [score for _, score in done]
    every, some = CaseSums(), CaseSums(names=needed_sums(metrics))
    for sums in (every, some):
        sums.add_all(trajectories, scores)
    for metric in metrics:
        for names in (metric.above, metric.below, metric.n):
            assert some.at(some.cases).column(names) == every.at(every.cases).column(names)


def test_each_sum_has_one_name_and_each_metric_is_made_of_sums_that_there_are() -> None:
    assert len(NAMES) == len(set(NAMES))
    assert needed_sums(METRICS) <= set(NAMES)


def test_many_trials_of_many_cases_are_added_up_as_they_come() -> None:
    sums = CaseSums(names={"passed", "planned"})
    for trial in range(1, 5):
        for start in range(0, 1_500, 400):
            cases = range(start, min(start + 400, 1_500))
            sums.add_all(
                [Trajectory(f"c{case}", "m", trial) for case in cases],
                [Score(f"c{case}", "m", trial, "completed", (case + trial) % 3 == 0) for case in cases],
            )
    columns = sums.at(f"c{case}" for case in range(1_500))
    assert columns.column(("planned",)) == [4] * 1_500
    assert columns.column(("passed",)) == [
        sum((case + trial) % 3 == 0 for trial in range(1, 5)) for case in range(1_500)
    ]


@given(st.permutations("abcd"), st.lists(st.sampled_from("abcd"), unique=True), st.lists(st.integers(0, 9), min_size=4))
def test_sums_from_elsewhere_are_added_case_by_case_in_whatever_order(
    known: list[str], cases: list[str], amounts: list[int]
) -> None:
    sums = CaseSums()
    sums.merge(known, {"passed": [1, 10, 100, 1000]})
    sums.merge(cases, {"passed": amounts[: len(cases)], "failed": [0] * len(cases)})
    expected = dict(zip(known, [1, 10, 100, 1000], strict=True))
    for case, amount in zip(cases, amounts, strict=False):
        expected[case] += amount
    assert sums.at("abcd").column(("passed",)) == [expected[case] for case in "abcd"]
    assert sums.at("dab").column(("passed", "failed")) == [expected[case] for case in "dab"]
    assert sums.at("c").column(("passed",)) == [expected["c"]]
    assert [name for name, _ in sums.columns()] == ["passed"]


def test_what_one_trajectory_adds_by_hand() -> None:
    events: tuple[dict[str, JsonValue], ...] = (
        {"kind": "plan", "steps": [1, 2]},
        {"kind": "judge", "score": 0.25},
        {"kind": "route"},
    )
    trajectory = Trajectory("c", "a", 1, latency_ms=12.5, usage=Usage(2, 3, None, 0.5), events=events)
    score = Score(
        "c",
        "a",
        1,
        "completed",
        True,
        0.9,
        0.8,
        0.7,
        0.6,
        0.5,
        Answer("ambiguous"),
        says_tools=True,
        counts=ToolCounts(2, 1, 2, 5, 1, 1, 1, None, 0),
    )
    told = {name: amount for name, amount in contributions(trajectory, score).items() if amount}
    assert told == {
        "planned": 1,
        "completed": 1,
        "passed": 1,
        "measured": 1,
        "score": 0.9,
        "call_precision": 0.8,
        "call_recall": 0.7,
        "param_accuracy": 0.6,
        "content": 0.5,
        "says_tools": 1,
        "true_positive": 2,
        "false_positive": 1,
        "false_negative": 2,
        "half_of_mistakes": 1.5,
        "calls": 5,
        "redundant_calls": 1,
        "with_calls": 1,
        "with_success": 1,
        "with_failure": 1,
        "with_both": 1,
        "checked_calls": 5,
        "unknown_tools": 1,
        "grounded_calls": 5,
        "ambiguous_answers": 1,
        "timed": 1,
        "latency": 12.5,
        "request_counts": 1,
        "requests": 2,
        "cost_counts": 1,
        "cost": 0.5,
        "planned_calls_counts": 1,
        "planned_calls": 2,
        "handoffs_counts": 1,
        "opinions": 1,
        "judge": 0.25,
    }
    missing = contributions(Trajectory("c", state="not_run"), Score("c", "a", 1, "not_run"))
    assert {name for name, amount in missing.items() if amount} == {"planned", "not_run"}


def test_a_metric_can_be_added_when_the_program_runs() -> None:
    def polite(trajectory: object, score: object) -> tuple[float, ...] | None:
        answer = getattr(trajectory, "output", None)
        return None if answer is None else (1, 1.0 if "please" in answer else 0.5)

    part = Part(("polite_counts", "polite"), polite, frozenset({"polite"}))
    mine = Metric("polite", "mean", ("polite",), ("polite_counts",), Shown("scorers"), "nobody spoke", part=part)
    suite = Suite("s", tuple(Case(name) for name in "abc"))
    texts = {"a": "Wait, please.", "b": "Wait!", "c": None}
    scored = [
        Scored(Trajectory(case, "m", 1, output=text), Score(case, "m", 1, "completed", True, 1, 1, 1, 1, 1))
        for case, text in texts.items()
    ]
    [row] = summarise(suite, scored, metrics=(*METRICS, mine)).rows
    figure = row.metrics["polite"]
    assert (figure.value, figure.n) == (0.75, 2)
    assert figure.low is not None
    assert list(row.metrics) == [*(metric.name for metric in METRICS), "polite"]
    [row] = summarise(suite, scored[2:], metrics=(*METRICS, mine)).rows
    assert (row.metrics["polite"].value, row.metrics["polite"].reason) == (None, "nobody spoke")
