"""InfoSeek scoring once more: slow, character by character, written from the description and sharing no code with it.

A verdict is True or False, or None where the published evaluator ends with an exception.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def plain_words(text: str) -> str:
    letters = [letter for letter in text.lower() if letter not in PUNCTUATION]
    kept = ""
    while letters:
        run = ""
        while letters and letters[0].isalnum():
            run += letters.pop(0)
        kept += " " if run in ("a", "an", "the") else run
        if letters and not letters[0].isalnum():
            kept += letters.pop(0)
    return " ".join(kept.split())


def judge_text(prediction: object, answers: object) -> bool | None:
    if isinstance(answers, str):
        answers = [answers]
    if not isinstance(prediction, str) or not isinstance(answers, list) or not answers:
        return None
    if not all(isinstance(answer, str) for answer in answers):
        return None
    return any(plain_words(answer) == plain_words(prediction) for answer in answers)


def is_figure(letter: str) -> bool:
    return unicodedata.category(letter) == "Nd" if letter else False


def digits_from(text: str, place: int) -> int:
    while is_figure(text[place : place + 1]):
        place += 1
    return place


def number_at(text: str, start: int) -> int | None:
    """Where a number ends that begins here; None where none begins."""
    place = start + (text[start] in "+-")
    place += text[place : place + 1] == "."
    end = digits_from(text, place)
    if end == place:
        return None
    while text[end : end + 1] == "," and digits_from(text, end + 1) >= end + 4:
        end += 4
    end = digits_from(text, end + (text[end : end + 1] == "."))
    if text[end : end + 1] in ("e", "E"):
        power = end + 1 + (text[end + 1 : end + 2] in ("+", "-"))
        if digits_from(text, power) > power:
            end = digits_from(text, power)
    return end


def spaced(text: str) -> str:
    result = ""
    for place, letter in enumerate(text):
        result += " - " if letter == "-" and place and text[place - 1].isdigit() else letter
    return result


def numbers(text: str) -> list[float] | None:
    text = spaced(text)
    found, place = [], 0
    while place < len(text):
        end = number_at(text, place)
        if end is None:
            place += 1
            continue
        written = text[place:end].replace(",", "")
        while written.startswith("."):
            written = written[1:]
        while written.endswith("."):
            written = written[:-1]
        if written.count(".") > 1:
            written = written[: written.index(".")]
        if written in ("", "+", "-"):
            return None
        found.append(float(written))
        place = end
    return found


def judge_number(prediction: object, answers: object) -> bool | None:
    if isinstance(answers, (str, int, float)):
        answers = [answers]
    if not isinstance(prediction, str) or not isinstance(answers, list) or not answers:
        return None
    try:
        bounds = [float(answer) for answer in answers]
    except (TypeError, ValueError):
        return None
    found = numbers(prediction)
    if found is None:
        return None
    if len(bounds) == 1:
        bounds = [bounds[0] * (1 - 0.1), bounds[0] * (1 + 0.1)]
    if len(found) == 1 or (len(found) > 1 and not found[0] <= found[1]):
        return bounds[0] <= found[0] <= bounds[1] if len(bounds) == 2 else None
    low, high = (0.0, 0.0) if not found else (found[0], found[1])
    if bounds[0] <= low <= bounds[1] and bounds[0] <= high <= bounds[1]:
        return True
    common = max(0.0, min(high, max(bounds)) - max(low, min(bounds)))
    covered = ((high - low) + 1e-12) + ((max(bounds) - min(bounds)) + 1e-12) - common
    return covered != 0 and common / covered >= 0.5 - 1e-12


def judge(prediction: object, question_type: str, answers: object) -> bool | None:
    return (
        judge_number(prediction, answers) if question_type.lower() == "numerical" else judge_text(prediction, answers)
    )


def scores(items: list[tuple[object, str, str, object]]) -> dict[str, Any]:
    """The report on items of prediction, split, question type and answers."""
    report: dict[str, Any] = {}
    for split in ("unseen_question", "unseen_entity"):
        verdicts: dict[str, list[int]] = {"score": [], "score_time": [], "score_num": [], "score_string": []}
        for prediction, where, question_type, answers in items:
            if where.endswith("unseen_question") != (split == "unseen_question"):
                continue
            name = {"time": "score_time", "numerical": "score_num"}.get(question_type.lower(), "score_string")
            verdict = int(judge(prediction, question_type, answers) or 0)
            verdicts[name].append(verdict)
            verdicts["score"].append(verdict)
        report[f"{split}_score"] = {
            name: round((sum(some) / len(some) if some else 0) * 100, 2) for name, some in verdicts.items()
        }
    one, other = (report[f"{split}_score"]["score"] or 1e-12 for split in ("unseen_question", "unseen_entity"))
    return {"final_score": round(2 / (1 / one + 1 / other), 2)} | report


def without_split_names(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without the key that says again which split it is."""
    return {
        key: {name: one for name, one in value.items() if name != "split"} if isinstance(value, dict) else value
        for key, value in report.items()
    }
