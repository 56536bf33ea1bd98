"""The answer sets: what people would say of each answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import msgspec
import pytest

from toolgauge.analysis.answers import check_answers
from toolgauge.answers import check_spec, prepare
from toolgauge.answers.evidence.weights import RULES
from toolgauge.core import JsonValue
from toolgauge.locale import Locale

FOLDER = Path(__file__).parent


class Item(msgspec.Struct):
    """One answer, and what it is worth."""

    question: str
    output: str
    answer: dict[str, JsonValue]
    locale: Locale | None
    verdict: str
    why: str
    now: str | None = None
    id: str = ""
    styles: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return json.dumps([self.question, self.output, self.answer], sort_keys=True)

    def judge(self) -> str:
        score = prepare(self.answer, locale=self.locale, now=self.now, question=self.question)
        return score(self.output).verdict or "ambiguous"


def read(name: str) -> list[Item]:
    return [msgspec.json.decode(line, type=Item) for line in (FOLDER / name).read_bytes().splitlines()]


ITEMS, DEVELOPMENT, HELD_OUT = read("items.jsonl"), read("development.jsonl"), read("heldout.jsonl")
FRESH = read("fresh.jsonl")
"""Written last, by people who knew neither the rules nor the other items."""
CHANGED = {
    json.dumps([row["question"], row["output"], row["answer"]], sort_keys=True): row
    for row in map(json.loads, (FOLDER / "changed.jsonl").read_text(encoding="utf-8").splitlines())
}
"""Verdicts that are others since values are found by the question, each with its reason."""


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.answer['type']}: {item.why}")
def test_the_verdict_is_what_a_careful_reader_says(item: Item) -> None:
    changed = CHANGED.get(item.key)
    assert item.judge() == (changed["now"] if changed else item.verdict)


def test_changed_verdicts_are_few_and_have_a_reason() -> None:
    verdicts = {item.key: item.verdict for item in ITEMS}
    assert len(CHANGED) <= 40
    for key, row in CHANGED.items():
        assert verdicts[key] == row["was"] != row["now"]
        assert row["why"]


def test_the_set_is_large_and_covers_every_type_and_verdict() -> None:
    kinds = Counter((item.answer["type"], item.verdict) for item in ITEMS)
    assert len(ITEMS) >= 300
    for kind in ("number", "time", "string", "list", "boolean", "text"):
        assert kinds[kind, "right"] >= 3
        assert kinds[kind, "wrong"] >= 3
    assert kinds["number", "ambiguous"] >= 3
    assert kinds["time", "ambiguous"] >= 3
    assert all(not check_spec(item.answer) for item in ITEMS)


def test_the_development_set_is_written_as_language_models_write() -> None:
    verdicts = Counter(item.verdict for item in DEVELOPMENT)
    languages = Counter(item.locale for item in DEVELOPMENT)
    assert len(DEVELOPMENT) >= 600
    assert len(HELD_OUT) >= 300
    assert verdicts["wrong"] >= 0.35 * len(DEVELOPMENT)
    assert 0.4 <= languages["vi"] / len(DEVELOPMENT) <= 0.6
    assert sum("|---" in item.output or "|:" in item.output or "<table" in item.output for item in DEVELOPMENT) >= 60
    assert len({item.id for item in (*DEVELOPMENT, *HELD_OUT)}) == len(DEVELOPMENT) + len(HELD_OUT)


def agreement(items: list[Item]) -> tuple[float, float, float]:
    """The shares that agree, that are wrong and called right, and that are right and called wrong."""
    pairs = Counter((item.verdict, item.judge()) for item in items)
    agree = sum(count for (said, judged), count in pairs.items() if said == judged)
    counts = (agree, pairs["wrong", "right"], pairs["right", "wrong"])
    return counts[0] / len(items), counts[1] / len(items), counts[2] / len(items)


@pytest.mark.parametrize(
    ("name", "least", "most_wrong_called_right", "most_right_called_wrong"),
    [("development", 0.9588, 0.0088, 0.013), ("heldout", 0.934, 0.0063, 0.0344), ("fresh", 0.811, 0.0308, 0.0654)],
)
def test_agreement_with_people_does_not_fall_behind_what_the_documentation_says(
    name: str, least: float, most_wrong_called_right: float, most_right_called_wrong: float
) -> None:
    agree, wrong_called_right, right_called_wrong = agreement(
        {"development": DEVELOPMENT, "heldout": HELD_OUT, "fresh": FRESH}[name]
    )
    assert agree >= least
    assert wrong_called_right <= most_wrong_called_right
    assert right_called_wrong <= most_right_called_wrong


def test_answers_that_imply_yes_or_no_are_read_or_ambiguous() -> None:
    """None of the set that is wrong is called right; what the documentation says of it holds."""
    items = read("yes_no.jsonl")
    agree, wrong_called_right, right_called_wrong = agreement(items)
    assert len(items) == 332
    assert agree >= 0.831
    assert wrong_called_right == 0
    assert right_called_wrong <= 0.0031


@pytest.mark.parametrize("name", ["development", "heldout"])
def test_the_command_that_checks_answers_judges_every_item_as_the_tests_do(name: str) -> None:
    checked = check_answers(FOLDER / f"{name}.jsonl")
    items = DEVELOPMENT if name == "development" else HELD_OUT
    assert [(one.id, one.rules) for one in checked.answers] == [(item.id, item.judge()) for item in items]


VERDICTS = """
from tests.answers.test_items import DEVELOPMENT, HELD_OUT
print([item.judge() for item in (*DEVELOPMENT[-600:], *HELD_OUT)])
"""


def test_verdicts_are_the_same_in_every_process() -> None:
    """Whatever order sets have there."""
    root = FOLDER.parent.parent
    said = {
        subprocess.run(
            [sys.executable, "-c", VERDICTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=root,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "6", "11")
    }
    assert len(said) == 1


def test_the_rules_are_documented_with_their_weights() -> None:
    page = (FOLDER.parent.parent / "docs" / "answers.md").read_text(encoding="utf-8")
    for name, rule in RULES.items():
        assert f"| {name} | {rule.weight:+g} | {rule.looks_at} |" in page


def test_now_may_be_a_date() -> None:
    assert (
        prepare({"type": "time", "value": "2026-01-30"}, locale="vi", now=date(2026, 1, 31))("hôm qua").verdict
        == "right"
    )
