"""What is told of a trajectory elsewhere: which values, under which ids, and what cannot be told."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from toolgauge.core import Answer, Measured, Review, Reviews, Scored, Unscored
from toolgauge.errors import UsageError
from toolgauge.exports import EXPORT_METRICS, Evaluation, Evaluations, check_metrics
from toolgauge.exports.identity import digest, hexadecimal_span, hexadecimal_trace, moment_in_utc

from .receiving import TRACE, seen

CREATED = "2026-11-18T05:00:00+07:00"


def told(*scored: Scored, reviews: Reviews | None = None, metrics: tuple[str, ...] = ()) -> dict[str, Evaluation]:
    made = Evaluations(scored, suite="weather", created=CREATED, reviews=reviews, metrics=metrics)
    return {one.name.removeprefix("toolgauge."): one for one in made}


def test_a_passed_trajectory_says_so_with_its_measures_and_where_it_was_recorded() -> None:
    found = told(seen())
    assert set(found) == {
        *("passed", "score", "call_precision", "call_recall", "param_accuracy", "content"),
        *("accuracy", "issues"),
    }
    passed = found["passed"]
    assert (passed.value, passed.label, passed.explanation, passed.source) == (1.0, "pass", "", "code")
    assert (passed.trace_id, passed.session_id, passed.at) == (TRACE, "s1", "2025-10-09T08:53:20.123Z")
    assert passed.metadata == {"suite": "weather", "case": "now", "agent": "react", "trial": "1"}


def test_a_failed_one_names_its_issues_and_not_the_values_that_were_wrong() -> None:
    found = told(seen(city="Huế, a private place"))
    assert (found["passed"].value, found["passed"].label) == (0.0, "fail")
    assert found["passed"].explanation == "wrong_arg get_weather.city"
    assert found["issues"].value == 1
    assert not any("private" in one.explanation for one in found.values())


def test_issues_of_a_call_are_about_the_span_of_that_call() -> None:
    found = told(seen(city="Hue", span="b7ad6b7169203331"))
    assert (found["calls"].about, found["calls"].span_id, found["calls"].label) == ("call", "b7ad6b7169203331", "fail")
    assert found["passed"].about == "trajectory"


def test_the_answer_is_a_word_and_an_ambiguous_one_has_no_value() -> None:
    one = seen()
    for verdict, value in (("right", 1.0), ("wrong", 0.0), ("ambiguous", None)):
        answered = Scored(one.trajectory, replace(one.score, answer=Answer(verdict, reason="because")))  # type: ignore[arg-type]
        found = told(answered)["answer"]
        assert (found.label, found.value, found.explanation) == (verdict, value, "because")


def test_scorers_of_other_packages_are_told_and_their_missing_values_counted() -> None:
    one = seen()
    outcomes = {"asks_first": Measured(0.5, "asked late"), "tone": Unscored("nothing was said")}
    made = Evaluations([Scored(one.trajectory, replace(one.score, by_scorer=outcomes))], suite="s", created=CREATED)
    found = {each.name: each for each in made}
    assert (found["toolgauge.asks_first"].value, found["toolgauge.asks_first"].explanation) == (0.5, "asked late")
    assert "toolgauge.tone" not in found
    assert made.unscored == 1


def test_what_a_person_says_is_told_as_of_a_person() -> None:
    reviews = Reviews([Review("now", "wrong", agent="react", note="it was Huế", by="An")])
    found = told(seen(), reviews=reviews, metrics=("review",))
    assert list(found) == ["review"]
    review = found["review"]
    assert (review.label, review.value, review.explanation, review.source, review.by) == (
        *("wrong", 0.0, "it was Huế", "human", "An"),
    )


def test_trajectories_without_a_trace_are_named_and_nobody_is_told() -> None:
    made = Evaluations([seen(), seen("later", trace=None)], suite="s", created=CREATED)
    assert {one.metadata["case"] for one in made} == {"now"}
    assert (made.trajectories, made.untraced, made.untraced_examples) == (2, 1, ["later, react, 1"])


def test_ids_are_the_same_whenever_the_same_is_told_and_differ_for_all_else() -> None:
    first, again = told(seen()), told(seen(city="Hue"))
    assert {name: one.id for name, one in first.items()} == {name: one.id for name, one in again.items()}
    others = [told(seen("other")), told(seen(trace="1" * 32)), told(seen(agent="b"))]
    ids = [one.id for found in (first, *others) for one in found.values()]
    assert len(set(ids)) == len(ids)


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_a_digest_stands_for_its_parts_and_for_no_others(some: list[str], others: list[str]) -> None:
    assert (digest(*some) == digest(*others)) == (some == others)


def test_unknown_metrics_are_refused_with_a_hint() -> None:
    check_metrics((*EXPORT_METRICS, "tone"), ["tone"])
    with pytest.raises(UsageError, match="did you mean 'passed'"):
        check_metrics(["pased"])


def test_ids_of_traces_are_read_as_opentelemetry_and_mlflow_write_them() -> None:
    assert hexadecimal_trace(TRACE.upper()) == hexadecimal_trace(f"tr-{TRACE}") == TRACE
    assert hexadecimal_trace("0af76519-16cd-43dd-8448-eb211c80319c") == TRACE
    assert hexadecimal_trace("run-7") is None
    assert (hexadecimal_span("B7AD6B7169203331"), hexadecimal_span("7")) == ("b7ad6b7169203331", None)


def test_times_are_written_in_utc_whatever_they_were() -> None:
    assert moment_in_utc(CREATED) == "2026-11-17T22:00:00.000Z"
    assert moment_in_utc("2026-11-18T05:00:00") == "2026-11-18T05:00:00.000Z"
    assert moment_in_utc(1_760_000_000_123) == "2025-10-09T08:53:20.123Z"
    assert [moment_in_utc(value) for value in ("yesterday", None, -1, 1e300)] == ["", "", "", ""]


def test_whatever_texts_hold_can_be_sent() -> None:
    one = seen("half \ud800 a pair", agent="a\udfff", trace="t\ud800")
    reviews = Reviews([Review("half \ud800 a pair", "wrong", note="\udc00", by="\ud83d")])
    found = told(one, reviews=reviews)
    assert msgspec.json.decode(msgspec.json.encode(found["review"]), type=Evaluation) == found["review"]
    assert (found["review"].explanation, found["review"].trace_id) == ("\\udc00", "t\\ud800")
