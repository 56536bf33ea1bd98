"""Typed answers are read with the question in mind, and in the passage that a model has pointed to, where one has."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from toolgauge.core import NOT_POINTED, SCORING_VERSION, Answer, Case, Expect, JsonValue, Score, Scored, Trajectory
from toolgauge.scoring import score
from toolgauge.scoring.answering import pointed_passage
from toolgauge.store.encoding import encode_scored

QUESTION = "What was the closing price of ACME in dollars?"
OUTPUT = "ACME opened at $40 and closed at $42. Its target is $50."


def asked(question: str = QUESTION, **more: JsonValue) -> Case:
    return Case("a", question, locale="en", expect=Expect(answer={"type": "number", "value": 42, **more}))


def pointing(passage: JsonValue, **more: JsonValue) -> dict[str, JsonValue]:
    return {"kind": "answer_pointer", "model": "m:pointer", "passage": passage, **more}


def answered(case: Case, *events: dict[str, JsonValue], output: str | None = OUTPUT) -> Answer:
    found = score(case, Trajectory("a", "x", 1, output=output, events=events)).answer
    assert found is not None
    return found


def test_the_question_decides_which_value_is_meant() -> None:
    output = "It opened at $40. It closed at $42."
    opening = answered(asked("What was the opening price?"), output=output)
    closing = answered(asked("What was the closing price?"), output=output)
    assert (opening.found, closing.found) == (40, 42)
    assert closing.chosen is not None
    assert closing.runner_up is not None
    assert (closing.chosen.words, closing.runner_up.words) == ("$42", "$40")


def test_only_the_passage_is_read_that_a_model_points_to() -> None:
    for passage, verdict, found in (("closed at $42", "right", 42), ("Its target is $50", "wrong", 50)):
        answer = answered(asked(), pointing(passage))
        assert (answer.verdict, answer.found, answer.pointed_by) == (verdict, found, "m:pointer")
        assert NOT_POINTED not in answer.reason


@pytest.mark.parametrize("passage", ["closed at $43", "CLOSED at $42", "", "  ", None, 42, ["$42"]])
def test_a_passage_that_is_not_in_the_answer_is_not_used(passage: Any) -> None:
    plain = answered(asked())
    assert answered(asked(), pointing(passage)) == plain
    assert plain.pointed_by == ""


def test_the_last_word_counts_and_a_failure_is_one() -> None:
    first, last = pointing("$40"), pointing("$42")
    assert answered(asked(), first, last).found == 42
    failed: dict[str, JsonValue] = {"kind": "answer_pointer", "model": "m", "error": "HTTP 500"}
    assert pointed_passage(Trajectory(output=OUTPUT, events=(first, failed))) is None


def test_without_a_pointer_the_rules_decide_and_the_reason_says_so() -> None:
    plain, wanted = answered(asked()), answered(asked(find="model"))
    assert (wanted.verdict, wanted.found) == (plain.verdict, plain.found)
    assert wanted.reason == f"{plain.reason}; {NOT_POINTED}"
    assert answered(asked(find="model"), output=None).reason == "no answer"


def test_a_run_file_keeps_what_was_chosen_and_older_ones_are_read() -> None:
    trajectory = Trajectory("a", "x", 1, output=OUTPUT, events=(pointing("opened at $40 and closed at $42"),))
    scored = score(asked(), trajectory)
    line = msgspec.json.decode(encode_scored(Scored(trajectory, scored)))
    assert line["score"]["answer"]["pointed_by"] == "m:pointer"
    assert set(line["score"]["answer"]["chosen"]) == {"words", "found", "evidence"}
    assert msgspec.json.decode(msgspec.json.encode(scored), type=Score) == scored
    before = {"case": "a", "agent": "x", "trial": 1, "state": "completed", "answer": {"verdict": "right", "found": 42}}
    assert msgspec.convert(before, Score).answer == Answer("right", 42)
    assert SCORING_VERSION == 4
