"""InfoSeek scoring written straight from its description, with the standard library and nothing clever.

It says what the fast implementation has to say, and how long that takes when one does not think about time. It knows
no faults: an item that cannot be scored ends it.
"""

from __future__ import annotations

import json
import re
import string
from typing import Any


def normalise(text: str) -> str:
    lowered = text.lower()
    bare = "".join(character for character in lowered if character not in string.punctuation)
    without_articles = re.sub(r"\b(a|an|the)\b", " ", bare)
    return " ".join(without_articles.split())


def text_is_right(prediction: str, answers: list[str]) -> bool:
    return max([normalise(prediction) == normalise(answer) for answer in answers])


def space_ranges(text: str) -> str:
    spaced = ""
    for place, character in enumerate(text):
        follows_digit = place > 0 and text[place - 1].isdigit()
        spaced += " - " if character == "-" and follows_digit else character
    return spaced


def numbers_in(text: str) -> list[float]:
    numbers = []
    for written in re.findall(r"[-+]?\.?\d+(?:,\d\d\d)*\.?\d*(?:[eE][-+]?\d+)?", space_ranges(text)):
        number = written.replace(",", "").strip(".")
        if number.count(".") > 1:
            number = number.split(".")[0]
        numbers.append(float(number))
    return numbers


def quantity(text: str) -> float | list[float]:
    numbers = numbers_in(text)
    if not numbers:
        return [0, 0]
    if len(numbers) == 1:
        return numbers[0]
    first, second = numbers[:2]
    return [first, second] if first <= second else first


def overlap(one: list[float], other: list[float]) -> float:
    shared = max(0.0, min(max(one), max(other)) - max(min(one), min(other)))
    length = (max(one) - min(one)) + 1e-12
    other_length = (max(other) - min(other)) + 1e-12
    union = length + other_length - shared
    return shared / union if union != 0 else 0


def number_is_right(prediction: str, answers: list[Any]) -> bool:
    predicted = quantity(prediction)
    bounds = [float(answer) for answer in answers]
    if len(bounds) == 1:
        bounds = [bounds[0] * (1 - 0.1), bounds[0] * (1 + 0.1)]
    if not isinstance(predicted, list):
        low, high = bounds
        return low <= predicted <= high
    if bounds[0] <= predicted[0] <= bounds[1] and bounds[0] <= predicted[1] <= bounds[1]:
        return True
    return overlap(predicted, bounds) >= 0.5 - 1e-12


def verdicts(
    predictions: list[dict[str, Any]], examples: dict[str, dict[str, Any]]
) -> tuple[list[int], list[int], list[int]]:
    """Verdicts on time, numerical and string questions."""
    times: list[int] = []
    numbers: list[int] = []
    strings: list[int] = []
    for prediction in predictions:
        if prediction["data_id"] not in examples:
            continue
        example = examples[prediction["data_id"]]
        answers = example["answer_eval"]
        if isinstance(answers, str):
            answers = [answers]
        question_type = example["question_type"].lower()
        if question_type == "numerical":
            numbers.append(int(number_is_right(prediction["prediction"], answers)))
        else:
            chosen = times if question_type == "time" else strings
            chosen.append(int(text_is_right(prediction["prediction"], answers)))
    return times, numbers, strings


def split_scores(predictions: list[dict[str, Any]], examples: dict[str, dict[str, Any]]) -> dict[str, float]:
    found = verdicts(predictions, examples)
    scores = {}
    together = found[0] + found[1] + found[2]
    for name, one in zip(("score", "score_time", "score_num", "score_string"), (together, *found), strict=True):
        scores[name] = round((sum(one) / len(one) if one else 0) * 100, 2)
    return scores


def fixed(text: str) -> str:
    for _ in range(3):
        text = re.sub(r"(\d+[.,]) (\d+)", r"\1\2", text)
    return text


def read(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def prepared(references: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    examples = {}
    for reference in references:
        if reference["question_type"].lower() == "numerical":
            answers = reference["answer_eval"]
            if isinstance(answers, list) and answers and isinstance(answers[0], dict):
                answers = answers[0]
            if isinstance(answers, dict):
                reference["answer_eval"] = [str(bound) for bound in answers["range"]][:2]
        examples[reference["data_id"]] = reference
    return examples


def scores_of_files(prediction_path: str, reference_path: str, fix_spaces: bool = False) -> dict[str, Any]:
    examples = prepared(read(reference_path))
    splits: dict[str, list[dict[str, Any]]] = {"unseen_question": [], "unseen_entity": []}
    for prediction in read(prediction_path):
        if fix_spaces:
            prediction["prediction"] = fixed(prediction["prediction"])
        if prediction["data_id"] in examples:
            split = examples[prediction["data_id"]]["data_split"]
            splits["unseen_question" if split.endswith("unseen_question") else "unseen_entity"].append(prediction)
    scores = {name: split_scores(items, examples) for name, items in splits.items()}
    overall = [one["score"] or 1e-12 for one in scores.values()]
    return {
        "final_score": round(len(overall) / sum(1.0 / score for score in overall), 2),
        **{f"{name}_score": score for name, score in scores.items()},
    }
