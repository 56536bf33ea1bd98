"""Every verdict against the slow oracle, over thousands of items made to be awkward."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples, seeds
from toolgauge import infoseek
from toolgauge.infoseek import ItemFault

from . import oracle

PIECES = [
    *("0", "1", "5", "9", "10", "12", "100", "234", "1234", "1,234", "1,234,567", "12,34", "1e5", "2E-3", "1e", "e5"),
    *(
        ".",
        ",",
        "-",
        "+",
        " ",
        "--",
        "- ",
        " -",
        ". ",
        ", ",
        "..",
        "-.1.2",
        "+.5",
        "-.5",
        ".5",
        ".1.2",
        "٣",
        "५",
        "²",
        "½",
    ),
    *(
        "9-10",
        "10-9",
        "9 -10",
        "-5--3",
        "−5",
        "–",
        "km",
        "to",
        "about",
        "$",
        "%",
        "1_000",
        "inf",
        "nan",
        "１２",
        "\u200b",
    ),
]
WORDS = [
    *("a", "an", "the", "The", "A", "theatre", "and", "Paris", "PARIS", "paris.", "U.S.", "x", "“the”", "—a—", "an-"),
    *(
        " ",
        "  ",
        "\t",
        "\n",
        "\u00a0",
        "\x00",
        "_",
        "'",
        "!",
        "ß",
        "ẞ",
        "İ",
        "Σ",
        "ς",
        "ΑΣ",
        "e\u0301",
        "é",
        "1998",
        "²",
    ),
    *("Hồ", "Tây", "tha", "\ud800", "a\u0301", "the\u0301", "ａ", "\x1c", "\u2028"),
]


def random_text(dice: random.Random, pieces: list[str]) -> str:
    return dice.choice(["", " "]).join(dice.choices(pieces, k=dice.randint(0, 5)))


def random_bounds(dice: random.Random) -> Any:
    low = round(dice.choice([0, 1, 5, 9, 10, 12, 100, 1234, -5, dice.uniform(-20, 20)]), 3)
    high = round(dice.choice([low, low + 1, low + 10, low * 1.2, low - 3]), 3)
    return dice.choice(
        [
            [low, high],
            [low, high],
            [str(low), str(high)],
            [low],
            low,
            str(low),
            [low, high, high + 1],
            [],
            ["x"],
            [None],
        ]
    )


def near_bounds(dice: random.Random, answers: Any) -> str:
    """A prediction that is right or nearly so, in one of the ways in which people write numbers."""
    known = [str(one) for one in answers if one is not None] if isinstance(answers, list) else [str(answers)]
    low, high = (known[0], known[-1]) if known else ("5", "6")
    middle = f"{(float(low) + float(high)) / 2:,.2f}" if low != "x" else "0"
    ways = [
        low,
        high,
        middle,
        f"{low}-{high}",
        f"{low} - {high}",
        f"{middle}-{high}",
        f"{low} to {middle} km",
        f"{high}-{low}",
    ]
    return dice.choice(ways)


def random_item(dice: random.Random) -> tuple[Any, str, str, Any]:
    split = dice.choice(["val_unseen_question", "unseen_question", "val_unseen_entity", "test", "unseen_questions"])
    question_type = dice.choice(["Time", "time", "Numerical", "NUMERICAL", "numerical", "String", "Entity", "other"])
    if question_type.lower() == "numerical":
        answers = random_bounds(dice)
        prediction: Any = dice.choice([random_text(dice, PIECES), near_bounds(dice, answers)])
    else:
        answers = [random_text(dice, WORDS) for _ in range(dice.randint(0, 3))]
        near = dice.choice(answers) if answers else ""
        prediction = dice.choice([random_text(dice, WORDS), near, near.upper(), f"The {near}.", f"{near} a"])
        answers = dice.choice([answers, answers, near, [*answers, 5]])
    if dice.random() < 0.02:
        prediction = dice.choice([None, 5, 1.5, True, ["x"], {"x": 1}])
    return prediction, split, question_type, answers


def scored_one_by_one(prediction: Any, question_type: str, answers: Any) -> tuple[int, list[ItemFault]]:
    faults: list[ItemFault] = []
    example = {"question_type": question_type, "answer_eval": answers}
    verdicts = infoseek.evaluation([{"data_id": "q", "prediction": prediction}], {"q": example}, faults=faults)
    (verdict,) = [verdict for group in verdicts for verdict in group]
    return verdict, faults


def judged(prediction: Any, question_type: str, answers: Any) -> tuple[int, bool]:
    """The verdict, and whether something is wrong with the item."""
    verdict, faults = scored_one_by_one(prediction, question_type, answers)
    return verdict, bool(faults)


def expected(prediction: Any, question_type: str, answers: Any) -> tuple[int, bool]:
    """The same from the oracle."""
    verdict = oracle.judge(prediction, question_type, answers)
    return int(verdict or 0), verdict is None


@pytest.mark.parametrize("seed", seeds(8))
def test_verdicts_are_those_of_the_oracle_on_random_items(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(2500):
        prediction, _, question_type, answers = random_item(dice)
        item = (prediction, question_type, answers)
        assert judged(*item) == expected(*item), item


NUMBERS = st.one_of(st.floats(-1e6, 1e6), st.integers(-1000, 1000), st.floats().map(str))


@settings(max_examples=examples(600), deadline=None)
@given(
    st.one_of(st.text("0123456789.,-+eE x٣²", max_size=14), st.lists(st.sampled_from(PIECES), max_size=5).map("".join)),
    st.one_of(st.lists(NUMBERS, max_size=3), NUMBERS),
)
def test_numerical_verdicts_are_those_of_the_oracle(prediction: str, answers: Any) -> None:
    assert judged(prediction, "Numerical", answers) == expected(prediction, "Numerical", answers)


@settings(max_examples=examples(600), deadline=None)
@given(
    st.text(st.one_of(st.characters(), st.sampled_from("aAnNtThHeE ._-")), max_size=12),
    st.lists(st.text(st.sampled_from("aAnNtThHeE ._-é\u0301“Σİß\x00\u2003"), max_size=12), max_size=3),
    st.sampled_from(["Time", "String"]),
)
def test_text_verdicts_are_those_of_the_oracle(prediction: str, answers: list[str], question_type: str) -> None:
    for text in (prediction, *(f"the {answer.upper()}!" for answer in answers)):
        assert judged(text, question_type, answers) == expected(text, question_type, answers), text


@given(st.text(max_size=30))
def test_what_is_left_of_a_text_is_what_the_oracle_leaves(text: str) -> None:
    assert infoseek.exact_match_score(text, oracle.plain_words(text)) == (
        oracle.plain_words(text) == oracle.plain_words(oracle.plain_words(text))
    )


@given(st.one_of(st.text("0123456789.,-+eE ٣²", max_size=20), st.text(max_size=20)))
def test_numbers_are_found_where_the_oracle_finds_them(text: str) -> None:
    expected = oracle.numbers(text)
    if expected is None:
        with pytest.raises(infoseek.Unscorable):
            infoseek.find_numbers(text)
    else:
        assert infoseek.find_numbers(text)[0] == expected
    assert infoseek.clean_str_range(text) == oracle.spaced(text)


@pytest.mark.parametrize("seed", range(6))
def test_scores_of_files_lists_and_splits_are_those_of_the_oracle(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    items = [random_item(dice) for _ in range(dice.choice([1, 7, 400]))]
    references = [
        {"data_id": f"q{number}", "data_split": split, "question_type": kind, "answer_eval": answers}
        for number, (_, split, kind, answers) in enumerate(items)
    ]
    predictions = [{"data_id": f"q{number}", "prediction": item[0]} for number, item in enumerate(items)]
    dice.shuffle(predictions)
    expected = oracle.scores(items)
    paths = tmp_path / "predictions.jsonl", tmp_path / "references.jsonl"
    for path, records in zip(paths, (predictions, references), strict=True):
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert infoseek.score(*paths).as_dict() == expected
    faults: list[ItemFault] = []
    assert oracle.without_split_names(infoseek.evaluate(predictions, references, faults=faults)) == expected
    in_order = [item[0] for item in items]
    assert oracle.without_split_names(infoseek.evaluate(in_order, references, faults=faults)) == expected
    examples = {reference["data_id"]: reference for reference in references}
    splits: dict[str, list[dict[str, Any]]] = {"unseen_question": [], "unseen_entity": []}
    for prediction in predictions:
        where = str(examples[prediction["data_id"]]["data_split"])
        splits["unseen_question" if where.endswith("unseen_question") else "unseen_entity"].append(prediction)
    full = infoseek.evaluate_infoseek_full(splits, examples, faults=faults)
    assert oracle.without_split_names(full) == expected
    assert infoseek.evaluate_infoseek(predictions, examples, faults=faults)["score"] == _share(items)


def _share(items: list[tuple[Any, str, str, Any]]) -> float:
    verdicts = [int(oracle.judge(prediction, kind, answers) or 0) for prediction, _, kind, answers in items]
    return round(sum(verdicts) / len(verdicts) * 100, 2) if verdicts else 0.0
