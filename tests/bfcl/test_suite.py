"""Questions of the leaderboard as cases: what passes, what does not, what is refused."""

from pathlib import Path

import msgspec
import pytest

from toolgauge.core import Call, JsonValue, Suite, Trajectory
from toolgauge.errors import InputError, NothingToDo
from toolgauge.scoring import Scorer
from toolgauge.suites import load_bfcl_suite

from .files import function, passes, question, suite_of, write_lines

AREA = function("math.area", ["base", "height"], base="integer", height="integer", unit="string", color="string")
WEATHER = function("weather", ["city"], city="string", days="integer")
TIDES = function("tides", ["place"], place="string")
ONE = question("simple_0", [AREA], [{"math.area": {"base": [3], "height": [4], "unit": ["cm", ""]}}])
RIGHT: dict[str, JsonValue] = {"base": 3, "height": 4}


def test_one_call_is_right_with_every_accepted_combination(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, ONE)
    assert passes(suite, ("math.area", RIGHT))
    assert passes(suite, ("math.area", {**RIGHT, "unit": "CM."}))


def test_a_name_with_a_dot_may_be_written_with_an_underscore(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, ONE)
    assert passes(suite, ("math_area", RIGHT))
    assert not passes(suite, ("area", RIGHT))
    two = question("parallel_0", [AREA, WEATHER], [{"math.area": {"base": [1]}}, {"math.area": {"base": [2]}}])
    two["function"] = [function("math.area", base="integer")]
    suite = suite_of(tmp_path, two)
    assert passes(suite, ("math_area", {"base": 2}), ("math_area", {"base": 1}))
    assert not passes(suite, ("math_area", {"base": 2}), ("math.area", {"base": 1}))


@pytest.mark.parametrize(
    "args",
    [
        {"base": 3},
        {"base": 3, "height": 5},
        {"base": 3, "height": 4.0},
        {**RIGHT, "unit": "m"},
        {**RIGHT, "color": "red"},
        {**RIGHT, "made_up": 1},
    ],
)
def test_a_missing_wrong_or_unwanted_argument_fails(tmp_path: Path, args: dict[str, JsonValue]) -> None:
    assert not passes(suite_of(tmp_path, ONE), ("math.area", args))


def test_the_number_of_calls_has_to_be_right(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, ONE)
    assert not passes(suite)
    assert not passes(suite, ("math.area", RIGHT), ("math.area", RIGHT))
    assert not passes(suite, ("math.area", RIGHT), ("other", {}))


def test_a_required_argument_cannot_be_omitted_whatever_the_answer_says(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("simple_1", [WEATHER], [{"weather": {"city": ["Hue", ""], "days": [1, ""]}}]))
    assert passes(suite, ("weather", {"city": "hue"}))
    assert not passes(suite, ("weather", {"days": 1}))


def test_nothing_is_right_where_a_required_argument_is_not_in_the_answer(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("simple_1", [WEATHER], [{"weather": {"days": [1, ""]}}]))
    assert not passes(suite, ("weather", {}))
    assert not passes(suite, ("weather", {"city": "Hue"}))


def test_an_argument_in_the_answer_that_is_not_declared_is_never_right(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("simple_1", [WEATHER], [{"weather": {"city": ["Hue"], "hour": [1, ""]}}]))
    assert passes(suite, ("weather", {"city": "Hue"}))
    assert not passes(suite, ("weather", {"city": "Hue", "hour": 1}))
    suite = suite_of(tmp_path, question("simple_1", [WEATHER], [{"weather": {"city": ["Hue"], "hour": [1]}}]))
    assert not passes(suite, ("weather", {"city": "Hue"}))
    assert not passes(suite, ("weather", {"city": "Hue", "hour": 1}))


def test_one_of_several_functions_has_to_be_chosen(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("live_multiple_3-1-0", [TIDES, WEATHER], [{"weather": {"city": ["Hue"]}}]))
    assert passes(suite, ("weather", {"city": "Hue"}))
    assert not passes(suite, ("tides", {"place": "Hue"}))


def test_parallel_calls_may_come_in_any_order(tmp_path: Path) -> None:
    truth: JsonValue = [{"weather": {"city": ["Hue"]}}, {"tides": {"place": ["Hue"]}}, {"weather": {"city": ["Vinh"]}}]
    suite = suite_of(tmp_path, question("parallel_multiple_9", [WEATHER, TIDES], truth))
    calls: list[tuple[str, dict[str, JsonValue]]] = [
        ("weather", {"city": "Vinh"}),
        ("weather", {"city": "Hue"}),
        ("tides", {"place": "Hue"}),
    ]
    assert passes(suite, *calls)
    assert passes(suite, *reversed(calls))
    assert not passes(suite, *calls[:2])
    assert not passes(suite, *calls, calls[0])
    assert not passes(suite, calls[0], calls[0], calls[2])


def test_calls_are_assigned_in_order_and_never_again_as_by_the_official_checker(tmp_path: Path) -> None:
    truth: JsonValue = [{"weather": {"city": ["Hue", "Vinh"]}}, {"weather": {"city": ["Hue"]}}]
    suite = suite_of(tmp_path, question("parallel_1", [WEATHER], truth))
    assert passes(suite, ("weather", {"city": "Vinh"}), ("weather", {"city": "Hue"}))
    assert not passes(suite, ("weather", {"city": "Hue"}), ("weather", {"city": "Vinh"}))
    made = (Call("weather", {"city": "Hue"}), Call("weather", {"city": "Vinh"}))
    score = Scorer(suite).score(Trajectory("parallel_1", "a", 1, calls=made))
    assert [(issue.kind, issue.expected, issue.failing) for issue in score.issues] == [("missing_call", 1, True)]


def test_a_call_of_any_function_is_relevant_and_the_case_is_passed_with_an_issue(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("live_relevance_1-1-0", [WEATHER]))
    score = Scorer(suite).score(Trajectory("live_relevance_1-1-0", "a", 1, calls=(Call("wether", {}),)))
    assert score.passed
    assert [(issue.kind, issue.failing) for issue in score.issues] == [("missing_call", False)]


def test_what_did_not_complete_is_never_passed(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, question("irrelevance_0", [WEATHER]))
    assert not Scorer(suite).score(Trajectory("irrelevance_0", "a", 1, "error", error="no")).passed


def test_names_may_have_to_be_written_one_way(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "questions.jsonl", ONE, question("live_relevance_0-0-0", [AREA]))
    dots, underscores = (load_bfcl_suite(path, names=names) for names in ("dots", "underscores"))
    assert passes(dots, ("math.area", RIGHT))
    assert not passes(dots, ("math_area", RIGHT))
    assert passes(underscores, ("math_area", RIGHT))
    assert not passes(underscores, ("math.area", RIGHT))


def test_irrelevance_wants_no_call_and_relevance_some(tmp_path: Path) -> None:
    for name in ("irrelevance_4", "live_irrelevance_4-0-0"):
        suite = suite_of(tmp_path, question(name, [WEATHER]))
        assert passes(suite)
        assert not passes(suite, ("weather", {"city": "Hue"}))
    suite = suite_of(tmp_path, question("live_relevance_1-1-0", [WEATHER, AREA]))
    assert not passes(suite)
    assert passes(suite, ("weather", {}))
    assert passes(suite, ("math_area", {"x": 1}), ("math.area", {}), ("other", {}))


def test_the_case_carries_question_and_category(tmp_path: Path) -> None:
    plain = {**question("live_simple_1-0-0", [WEATHER], [{"weather": {"city": ["Hue"]}}]), "question": "Rain?"}
    first, second = suite_of(tmp_path, ONE, plain).cases
    assert (first.input, first.labels) == ("What of simple_0?", {"category": "simple"})
    assert (second.input, second.labels) == ("Rain?", {"category": "live_simple"})


def test_a_suite_is_data_and_comes_back_as_it_was(tmp_path: Path) -> None:
    lines = [ONE, question("irrelevance_0", []), question("live_relevance_0-0-0", [WEATHER])]
    suite = suite_of(tmp_path, *lines)
    assert msgspec.json.decode(msgspec.json.encode(suite), type=Suite) == suite


def test_answers_may_be_in_a_file_of_their_own(tmp_path: Path) -> None:
    without = {key: value for key, value in ONE.items() if key != "ground_truth"}
    questions = write_lines(tmp_path / "questions.jsonl", without)
    answers = write_lines(
        tmp_path / "answers.jsonl",
        {"id": "simple_0", "ground_truth": ONE["ground_truth"]},
        {"id": "multi_turn_base_0", "ground_truth": [["ls()"]]},
        {"id": "simple_9", "ground_truth": [{"other": {}}]},
    )
    assert load_bfcl_suite(questions, answers=answers) == suite_of(tmp_path, ONE)


def test_types_of_json_schema_are_understood(tmp_path: Path) -> None:
    described = function("f", n="number", o="object", b="bool", l="list number")
    truth: JsonValue = [{"f": {"n": [1.5], "o": [{"a": [1]}], "b": [True], "l": [[1.0]]}}]
    suite = suite_of(tmp_path, question("simple_0", [described], truth))
    assert passes(suite, ("f", {"n": 1.5, "o": {"a": 1}, "b": True, "l": [1.0]}))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (question("simple_0", [WEATHER]), ":1:1: there is no 'ground_truth' for 'simple_0'; give the file"),
        (question("multi_turn_base_0", [], [["ls()"]]), "'multi_turn_base' are not judged by their calls"),
        (question("simple_java_0", [WEATHER], [{"weather": {}}]), "'simple_java' have source text as arguments"),
        (question("javascript_0", [WEATHER], [{"weather": {}}]), "'javascript' have source text as arguments"),
        (
            question("simpel_0", [WEATHER], [{"weather": {}}]),
            "'simpel' is not a known category, at id; did",
        ),
        (question("exec_simple_0", [WEATHER], [{"weather": {}}]), "'exec_simple' is not a known category"),
        (question("nonsense", [WEATHER], [{"weather": {}}]), "the id does not begin with a category"),
        (question(" ", [WEATHER], [{"weather": {}}]), "the id is empty"),
        (question("simple_0", [], [{"weather": {}}]), "there is no function"),
        (question("live_relevance_0-0-0", []), "there is no function"),
        (question("simple_0", [WEATHER], [{"weather": {"city": "Hue"}}]), "expected a list, found the string 'Hue'"),
        (question("simple_0", [WEATHER], {"weather": {}}), "expected a list, found an object, at ground_truth"),
        (question("parallel_0", [WEATHER], [{"weather": {}, "x": {}}]), "expected one function, found 2"),
        (
            question("simple_0", [WEATHER], [{"weather": {}}, {"weather": {}}]),
            "has one right call, but the ground truth has 2",
        ),
        (question("multiple_0", [WEATHER, TIDES], [{"wether": {}}]), "no function here is called 'wether'"),
        (
            question("simple_0", [function("f", x="strng")], [{"f": {"x": ["a"]}}]),
            "'strng' is not a type, at function[0].parameters.properties.x.type; did you mean 'string'?",
        ),
        ({"question": "?", "function": []}, "the key 'id' is missing"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: dict[str, JsonValue], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        suite_of(tmp_path, line)
    assert complaint in str(caught.value)
    assert "questions.jsonl:1:" in str(caught.value)


def test_all_bad_lines_are_listed_and_repeated_ids_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        suite_of(tmp_path, ONE, ONE, question("simple_5", [WEATHER]))
    first, second = str(caught.value).splitlines()
    assert "questions.jsonl:2:8: the id 'simple_0' is already used" in first
    assert "questions.jsonl:3:1: there is no 'ground_truth'" in second


def test_bad_answers_are_named_by_their_own_file_and_line(tmp_path: Path) -> None:
    questions = write_lines(tmp_path / "questions.jsonl", ONE)
    good: dict[str, JsonValue] = {"id": "simple_1", "ground_truth": []}
    bad: dict[str, JsonValue] = {"id": "simple_0", "ground_truth": [{"f": {"x": 1}}]}
    with pytest.raises(InputError, match=r"answers\.jsonl:2:\d+: expected a list, found the number 1, at ground_truth"):
        load_bfcl_suite(questions, answers=write_lines(tmp_path / "answers.jsonl", good, bad))


def test_an_empty_file_is_nothing_to_do(tmp_path: Path) -> None:
    with pytest.raises(NothingToDo):
        suite_of(tmp_path)
