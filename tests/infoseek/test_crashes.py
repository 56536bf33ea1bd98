"""Where the published evaluator would crash, the item is named, counts as wrong, and the rest is scored."""

from __future__ import annotations

from typing import Any

import pytest

from toolgauge.errors import UsageError
from toolgauge.infoseek import (
    ItemFault,
    Unscorable,
    evaluate,
    evaluate_entity,
    evaluate_infoseek_full,
    evaluate_quantity,
    evaluation,
    exact_match_score,
    find_numbers,
    harmonic_mean,
    metric_max_over_ground_truths,
    metric_numerical_range,
    process_numerical_answer,
)

CRASHES = [
    ("Numerical", [1, 2], "-.1.2", "'-.1.2' in the prediction cannot be read as a number"),
    ("Numerical", [1, 2], "1 2 3 -.1.2", "'-.1.2' in the prediction cannot be read as a number"),
    ("Numerical", [1, 2], 5, "the prediction is the number 5, not a string"),
    ("Numerical", [1, 2], None, "the prediction is null, not a string"),
    ("Numerical", [], "5", "the reference list is empty"),
    ("Numerical", ["five"], "5", "the reference ['five'] is not made of numbers"),
    ("Numerical", ["1", "2, 3"], "5", "the reference ['1', '2, 3'] is not made of numbers"),
    ("Numerical", [1, 2, 3], "5", "a reference of 3 numbers cannot be compared as a number or range"),
    ("Numerical", None, "5", "the reference is null, not a list of answers"),
    ("String", [], "x", "the reference list is empty"),
    ("String", ["x", 5], "x", "a reference answer is the number 5, not a string"),
    ("String", {"x": 1}, "x", "the reference is an object, not a list of answers"),
    ("Time", ["1998"], 1998, "the prediction is the number 1998, not a string"),
    ("Time", ["1998"], ["1998"], "the prediction is a list, not a string"),
]


@pytest.mark.parametrize(("question_type", "answers", "prediction", "reason"), CRASHES)
def test_an_item_that_cannot_be_scored_is_named_and_counts_as_wrong(
    question_type: str, answers: Any, prediction: Any, reason: str
) -> None:
    examples = {
        "bad": {"question_type": question_type, "answer_eval": answers},
        "good": {"question_type": "String", "answer_eval": ["x"]},
    }
    predictions = [{"data_id": "bad", "prediction": prediction}, {"data_id": "good", "prediction": "X"}]
    faults: list[ItemFault] = []
    verdicts = evaluation(predictions, examples, faults=faults)
    assert faults == [ItemFault("bad", reason)]
    assert sorted(verdict for group in verdicts for verdict in group) == [0, 1]
    with pytest.raises(Unscorable, match="bad: "):
        evaluation(predictions, examples, strict=True)


def test_without_anybody_to_take_them_the_items_are_named_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    examples = {"bad": {"question_type": "String", "answer_eval": []}}
    assert evaluation([{"data_id": "bad", "prediction": "x"}], examples) == ([], [], [0])
    assert evaluate_entity(["x", None], [["x"], ["y"]]) == [1, 0]  # type: ignore[list-item] # the fault that is meant
    assert evaluate_quantity([5, 5.0, "5"], [[], [4, 6], [4, 6]]) == [0, 1, 0]  # type: ignore[list-item] # as above
    messages = [record.getMessage() for record in caplog.records]
    assert "'bad': the reference list is empty" in messages[0]
    assert "1: the prediction is null, not a string" in messages[1]
    assert "0: the reference list is empty; 2: the string '5' cannot be compared" in messages[2]


def test_a_key_that_is_missing_is_a_fault_of_the_item() -> None:
    faults: list[ItemFault] = []
    examples: dict[str, dict[str, Any]] = {
        "a": {"question_type": "Time"},
        "b": {"question_type": "Time", "answer_eval": ["x"]},
    }
    predictions = [{"data_id": "a", "prediction": "x"}, {"data_id": "b"}]
    assert evaluation(predictions, examples, faults=faults) == ([0, 0], [], [])
    assert [fault.reason for fault in faults] == ["the key 'answer_eval' is missing", "the key 'prediction' is missing"]
    with pytest.raises(UsageError, match="no 'data_id'"):
        evaluation([{"id": "a", "prediction": "x"}], examples)


def test_single_functions_say_why_they_cannot_answer() -> None:
    with pytest.raises(Unscorable):
        find_numbers("-.1.2")
    with pytest.raises(ValueError, match="cannot be read"):
        process_numerical_answer("+.1.2")
    with pytest.raises(Unscorable, match="empty"):
        metric_max_over_ground_truths(exact_match_score, "x", [])
    with pytest.raises(Unscorable, match="not a string"):
        exact_match_score("x", 5)  # type: ignore[arg-type] # the fault that is meant
    with pytest.raises(Unscorable):
        metric_numerical_range(5, [1, 2, 3])
    with pytest.raises(UsageError):
        harmonic_mean()
    with pytest.raises(UsageError, match="unseen_entity"):
        evaluate_infoseek_full({"unseen_question": []}, {})


def test_a_bare_string_is_one_answer_and_one_number_a_tenth_more_or_less() -> None:
    assert metric_max_over_ground_truths(exact_match_score, "Paris", "Paris") is True
    assert evaluate_entity(["Paris", "P"], ["Paris", "Paris"]) == [1, 0]
    assert evaluate_quantity([10.9, 11.1, [9.5, 10.5]], [[10], 10, [10.0]]) == [1, 0, 1]
    # A negative number has its ends the wrong way round in the published evaluator, so nothing is between them.
    assert evaluate_quantity([-5], [-5]) == [0]


REFERENCES = [
    {"data_id": "a", "data_split": "val_unseen_question", "question_type": "String", "answer_eval": ["x"]},
    {"data_id": "b", "data_split": "val_unseen_entity", "question_type": "String", "answer_eval": ["y"]},
]


def test_python_lists_pair_in_order_and_count_doubles_as_the_published_evaluator_does() -> None:
    assert evaluate(["x", "y"], REFERENCES)["final_score"] == 100.0
    assert evaluate(["x"], REFERENCES)["unseen_question_score"]["score"] == 100.0
    assert evaluate(["x", "y", "z"], REFERENCES)["final_score"] == 100.0
    twice = [{"data_id": "a", "prediction": "x"}, {"data_id": "a", "prediction": "z"}]
    assert evaluate(twice, REFERENCES)["unseen_question_score"]["score"] == 50.0
    assert evaluate([], REFERENCES)["final_score"] == 0.0
    with pytest.raises(UsageError, match="prediction 0 has no 'prediction'"):
        evaluate([{"data_id": "a"}], REFERENCES)


def test_a_list_stops_at_a_fault_when_that_is_asked_for() -> None:
    faults: list[ItemFault] = []
    assert evaluate(["x", None], REFERENCES, faults=faults)["final_score"] == 0.0  # type: ignore[list-item] # meant
    assert faults == [ItemFault("b", "the prediction is null, not a string")]
    with pytest.raises(Unscorable, match="'b': the prediction is null"):
        evaluate(["x", None], REFERENCES, strict=True)  # type: ignore[list-item] # meant
