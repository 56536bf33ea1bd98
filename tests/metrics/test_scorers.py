"""Metrics of scorers: the same whoever adds up what, and in whatever order."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.builders import case, trajectory
from toolgauge.core import Measured, Outcome, Scored, Suite, Unscored
from toolgauge.metrics import METRICS, PartialTotals, Tally, metrics_with
from toolgauge.metrics.scorers import Reasons
from toolgauge.scoring import score

SUITE = Suite("s", tuple(case(["a"], id=f"c{number}", labels={"kind": str(number % 2)}) for number in range(4)))

outcomes = st.one_of(
    st.floats(0, 1).map(Measured), st.sampled_from(["no", "error: a", "error: b", "never"]).map(Unscored), st.none()
)


def scored(place: int, outcome: Outcome | None, trial: int) -> Scored:
    one = SUITE.cases[place % 4]
    done = trajectory("a", case=one.id, agent="m", trial=trial)
    found = score(one, done)
    return Scored(done, found if outcome is None else replace(found, by_scorer={"mine": outcome}))


@given(st.lists(outcomes, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_parts_that_are_added_up_elsewhere_give_the_same_figures_and_notes(found: list[Outcome | None], random) -> None:  # type: ignore[no-untyped-def]
    every = [scored(place, outcome, place // 4 + 1) for place, outcome in enumerate(found)]
    metrics = metrics_with(["mine"])
    whole, merged = Tally(SUITE, by="kind", metrics=metrics), Tally(SUITE, by="kind", metrics=metrics)
    whole.add_scored(every)
    random.shuffle(every)
    cut = len(every) // 2
    for part in (every[:cut], every[cut:]):
        one = Tally(SUITE, by="kind", metrics=metrics)
        one.add_scored(part)
        merged.merge(PartialTotals.from_bytes(one.totals().to_bytes()))
    assert merged.summary() == whole.summary()
    measured = [outcome.value for outcome in found if isinstance(outcome, Measured)]
    figure = whole.summary().rows[-1].metrics["mine"]
    assert figure.n == len(measured)
    assert (figure.value is None) == (not measured)
    assert figure.value is None or 0 <= figure.value <= 1 + 1e-9


def test_reasons_are_the_same_in_every_order_and_failures_come_first() -> None:
    said = ["zebra", "ant", "error: late", "bee", "cow"]
    for order in permutations(said):
        reasons = Reasons()
        for reason in order:
            reasons.merge({"": {"mine": [reason]}})
        assert reasons.of("mine") == ["error: late", "ant", "bee"]


def test_a_file_cannot_bring_a_second_metric_of_one_name() -> None:
    names = [metric.name for metric in metrics_with(["f1", "mine", "mine"])]
    assert names == [*(metric.name for metric in METRICS), "mine"]
