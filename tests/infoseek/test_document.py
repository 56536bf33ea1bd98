"""The worked examples of the description; where one is mistaken, the name of the test says so and what is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolgauge.infoseek import (
    QuestionType,
    clean_str_range,
    evaluate,
    evaluate_entity,
    evaluate_infoseek,
    evaluate_infoseek_full,
    evaluate_quantity,
    evaluate_time,
    evaluation,
    find_all,
    find_numbers,
    fix_space,
    get_results,
    harmonic_mean,
    in_range,
    load_jsonl,
    metric_numerical_range,
    prepare_qid2example,
    process_numerical_answer,
    range_intersection_over_union,
    safe_division,
)


def test_question_types_have_names_and_values() -> None:
    assert str(QuestionType.String) == "QuestionType.String"
    assert [kind.value for kind in (QuestionType.String, QuestionType.Numerical, QuestionType.Time)] == [0, 1, 2]


def test_entity_which_the_examples_use_but_the_enumeration_lacks_is_another_name_of_string() -> None:
    assert QuestionType["Entity"] is QuestionType.String


def test_a_number_is_in_a_range_or_not() -> None:
    assert in_range(5, (1, 10))
    assert not in_range(15, (1, 10))
    assert in_range(10, (1, 10))


def test_division_by_zero_gives_zero() -> None:
    assert repr(safe_division(10, 2)) == "5.0"
    assert repr(safe_division(10, 0)) == "0"


def test_mistake_tolerance_is_a_share_of_the_answer_and_not_an_amount() -> None:
    # The description says that 4.9 with tolerance 0.1 stands for [4.9, 5.1]; it is [4.41, 5.39].
    assert metric_numerical_range(5.0, 4.9) == 1
    assert metric_numerical_range(4.5, 4.9) == 1
    assert metric_numerical_range(5.35, 4.9) == 1
    assert metric_numerical_range(5.4, 4.9) == 0


def test_a_range_that_overlaps_too_little_is_wrong() -> None:
    assert metric_numerical_range([4.5, 5.0], [4.8, 5.2]) == 0
    assert range_intersection_over_union([4.5, 5.0], [4.8, 5.2]) == pytest.approx(0.2857, abs=1e-4)
    assert metric_numerical_range((4.5, 5.0), (4.8, 5.2)) == 0


def test_mistake_finding_numbers_gives_a_pair_and_not_a_list() -> None:
    values, written = find_numbers("1234.56, 78.9, 1e3")
    assert values == [1234.56, 78.9, 1000.0]
    assert written == ["1234.56", "78.9", "1e3"]


def test_numbers_as_they_were_written_keep_commas_and_dots() -> None:
    assert find_numbers("1,234. and .5") == ([1234.0, 5.0], ["1,234.", ".5"])


def test_a_numerical_answer_is_a_number_a_range_or_nothing() -> None:
    assert process_numerical_answer("10, 20") == [10, 20]
    assert process_numerical_answer("5") == 5
    assert process_numerical_answer("not a number") == [0, 0]
    assert process_numerical_answer("20 to 10") == 20
    assert process_numerical_answer("1 2 3") == [1, 2]


def test_characters_are_found_where_they_stand() -> None:
    assert list(find_all("hello world", "o")) == [4, 7]
    assert list(find_all("hello", "x")) == []


def test_hyphens_of_ranges_get_spaces() -> None:
    assert clean_str_range("9-10") == "9 - 10"
    assert clean_str_range("1-2, 4-5") == "1 - 2, 4 - 5"
    assert clean_str_range("-5--3") == "-5 - -3"


def test_mistake_the_union_of_two_ranges_counts_what_they_share_once() -> None:
    # The description divides by the sum of the lengths, 9, and gets 2/9.
    assert range_intersection_over_union([5, 10], [8, 12]) == pytest.approx(2 / 7)


def test_quantities_are_judged_one_by_one() -> None:
    assert evaluate_quantity([[5, 10], 7], [[6, 9], [5, 8]]) == [1, 1]


def test_entities_are_judged_one_by_one() -> None:
    assert evaluate_entity(["Paris", "Eiffel Tower"], [["Paris"], ["Eiffel"]]) == [1, 0]


def test_times_are_judged_one_by_one() -> None:
    assert evaluate_time(["2023"], [["2023", "2024"]]) == [1]


def test_mistake_times_have_no_leeway_of_a_year_and_a_date_does_not_stand_for_its_year() -> None:
    # The description promises both and then compares strings.
    assert evaluate_time(["2022", "1 May 2023"], [["2023"], ["2023"]]) == [0, 0]


PREDICTIONS = [
    {"data_id": "q1", "prediction": "2023"},
    {"data_id": "q2", "prediction": "5-10"},
    {"data_id": "q3", "prediction": "Paris"},
]
EXAMPLES: dict[str, dict[str, Any]] = {
    "q1": {"answer_eval": ["2022", "2023"], "question_type": "Time"},
    "q2": {"answer_eval": [6, 9], "question_type": "Numerical"},
    "q3": {"answer_eval": ["Paris"], "question_type": "Entity"},
}


def test_verdicts_come_by_question_type() -> None:
    assert evaluation(PREDICTIONS, EXAMPLES) == ([1], [1], [1])


def test_results_are_shares_and_scores_are_percentages() -> None:
    wrong = [*PREDICTIONS[:2], {"data_id": "q3", "prediction": "Rome"}, {"data_id": "unknown", "prediction": "x"}]
    assert get_results(wrong, EXAMPLES) == (2 / 3, 1.0, 1.0, 0.0)
    assert evaluate_infoseek(wrong, EXAMPLES) == {
        "score": 66.67,
        "score_time": 100.0,
        "score_num": 100.0,
        "score_string": 0.0,
    }


def test_harmonic_means() -> None:
    assert harmonic_mean(0.8, 0.9, 1.0) == pytest.approx(0.89, abs=0.005)
    assert harmonic_mean(0, 50) == pytest.approx(2e-12)


def test_mistake_the_harmonic_mean_of_80_and_90_is_not_their_mean() -> None:
    assert round(harmonic_mean(80.0, 90.0), 2) == 84.71


def test_every_split_counts_in_the_final_score() -> None:
    splits = {"train": PREDICTIONS[:1], "unseen_question": PREDICTIONS[1:2], "unseen_entity": PREDICTIONS[2:]}
    assert evaluate_infoseek_full(splits, EXAMPLES) == {
        "final_score": 100.0,
        "unseen_question_score": {
            "score": 100.0,
            "score_time": 0.0,
            "score_num": 100.0,
            "score_string": 0.0,
            "split": "unseen_question",
        },
        "unseen_entity_score": {
            "score": 100.0,
            "score_time": 0.0,
            "score_num": 0.0,
            "score_string": 100.0,
            "split": "unseen_entity",
        },
    }
    splits["train"] = [{"data_id": "q1", "prediction": "1066"}]
    assert evaluate_infoseek_full(splits, EXAMPLES)["final_score"] == 0.0


def test_spaces_are_taken_out_of_numbers() -> None:
    assert fix_space("3. 14159") == "3.14159"
    assert fix_space("1, 234") == "1,234"
    assert fix_space("a, 1. b") == "a, 1. b"
    assert fix_space("1, 2, 3") == "1,2, 3"


def test_mistake_the_files_of_the_example_are_json_lists_in_another_spelling_and_its_figures_cannot_be(
    tmp_path: Path,
) -> None:
    # One item a split gives 0 or 100, never 85 and 95; both are right here.
    predictions, references = tmp_path / "predictions.jsonl", tmp_path / "references.jsonl"
    predictions.write_text(
        '[{"data_id": "q1", "prediction": "3. 14"}, {"data_id": "q2", "prediction": "1, 234"}]', encoding="utf-8"
    )
    references.write_text(
        """[{"id": "q1", "output": {"answer": "3.14"}, "data_split": "unseen_question", "question_type": "Numerical"},
 {"id": "q2", "output": {"answer": "1234"}, "data_split": "unseen_entity", "question_type": "Numerical"}]""",
        encoding="utf-8",
    )
    fixed = evaluate(str(predictions), str(references), do_fix_space=True)
    assert fixed["final_score"] == 100.0
    assert fixed["unseen_question_score"]["score"] == 100.0
    assert evaluate(str(predictions), str(references))["final_score"] == 0.0


def test_references_are_prepared_by_id_and_stay_as_they_were() -> None:
    reference: list[dict[str, Any]] = [
        {"data_id": "q1", "question_type": "Numerical", "answer_eval": [{"range": [0.9, 1.1]}]},
        {"data_id": "q2", "question_type": "Entity", "answer_eval": ["Paris"]},
    ]
    before = json.dumps(reference)
    assert prepare_qid2example(reference) == {
        "q1": {"data_id": "q1", "question_type": "Numerical", "answer_eval": ["0.9", "1.1"]},
        "q2": {"data_id": "q2", "question_type": "Entity", "answer_eval": ["Paris"]},
    }
    assert json.dumps(reference) == before


def test_a_range_may_stand_by_itself_and_is_cut_to_two_numbers() -> None:
    reference = [{"data_id": 1, "question_type": "numerical", "answer_eval": {"wikidata": 1, "range": [1, 2, 3]}}]
    assert prepare_qid2example(reference)[1]["answer_eval"] == ["1", "2"]


def test_lines_of_json_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "q1", "answer": "42"}\n{"id": "q2", "answer": "Paris"}\n', encoding="utf-8")
    assert load_jsonl(str(path)) == [{"id": "q1", "answer": "42"}, {"id": "q2", "answer": "Paris"}]
