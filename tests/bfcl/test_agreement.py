"""The official checker itself as oracle, where an environment that has it is named."""

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench import bfcl_strict
from bench.bfcl_agreement import VARIABLE, Judged, ask_official, classify, judge, measure
from bench.bfcl_oracle import CLASSES, EARLIER_CLASSES
from toolgauge.traces import BFCL_HANDLERS

from .files import function, question, write_lines

PYTHON = os.environ.get(VARIABLE, "")

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(not PYTHON, reason=f"{VARIABLE} names no Python of an environment with bfcl-eval"),
]

TYPES = ("string", "integer", "float", "boolean", "dict", "any")
TEXTS = ("", "a", "A b", "a-b", "it's", 'it"s', "1", "true")


class Truths:
    """Makes questions of our own, of every type, with a ground truth."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def question(self, number: int) -> dict[str, Any]:
        kinds = [self.random.choice(TYPES) for _ in range(self.random.randint(1, 4))]
        kinds = [f"{self.random.choice(['array', 'tuple'])} {k}" if self.random.random() < 0.4 else k for k in kinds]
        named = {f"argument_{index}": kind for index, kind in enumerate(kinds)}
        required = [name for name in named if self.random.random() < 0.5]
        category = self.random.choice(["simple", "multiple", "parallel", "parallel_multiple"])
        described = [function("do.it", required, **named), function("other", x="string")]
        calls = self.random.randint(1, 3) if "parallel" in category else 1
        truth = [{"do.it": {name: self.accepted(kind) for name, kind in named.items()}} for _ in range(calls)]
        return question(f"{category}_{number}", described, json.loads(json.dumps(truth)))

    def accepted(self, kind: str) -> list[Any]:
        values = [self.accepted_value(kind) for _ in range(self.random.randint(1, 3))]
        return [*values, ""] if self.random.random() < 0.4 else values

    def accepted_value(self, kind: str) -> Any:
        if kind.endswith("dict") and kind != "dict":
            return [self.options() for _ in range(self.random.randint(0, 2))]
        if kind == "dict":
            return self.options()
        outer, _, items = kind.partition(" ")
        if items:
            return [self.value(items) for _ in range(self.random.randint(0, 3))]
        return self.value(outer)

    def options(self) -> dict[str, list[Any]]:
        keys = self.random.sample("kqz", self.random.randint(0, 2))
        return {key: [self.value(self.random.choice(TYPES)) for _ in range(self.random.randint(1, 3))] for key in keys}

    def value(self, kind: str) -> Any:
        if self.random.random() < 0.08:
            return self.random.choice([None, "n", 1, 1.0, True, ["a"]])
        choices: dict[str, tuple[Any, ...]] = {
            "integer": (0, 1, 2),
            "float": (0.0, 1.0, 2.5, 1),
            "boolean": (True, False),
            "dict": ({}, {"k": 1}),
        }
        return self.random.choice(choices.get(kind, TEXTS))


def unexplained(results: list[Judged]) -> list[str]:
    """Differences that docs/bfcl.md does not know."""
    found = [item for item in results if isinstance(item.official, bool) and item.ours != item.official]
    classes = [(classify(item), item.asked.line()) for item in found]
    return [f"{name}: {line}" for name, line in classes if name.startswith("unexplained")]


@pytest.mark.parametrize("seed", [1, 2])
def test_verdicts_agree_on_questions_of_our_own(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    path = write_lines(tmp_path / "questions.jsonl", *(Truths(random).question(number) for number in range(400)))
    results = list(judge(path, None, PYTHON, 6_000, random))
    assert not unexplained(results)
    assert sum(item.official is True for item in results) > 1_000


def test_verdicts_agree_on_the_questions_of_the_leaderboard() -> None:
    results = measure(PYTHON, 5_000, seed=3)
    assert not unexplained(results)
    decided = [item for item in results if isinstance(item.official, bool)]
    assert len(decided) > 0.99 * len(results)
    assert sum(item.ours == item.official for item in decided) >= 0.995 * len(decided)


def test_strict_verdicts_are_those_of_the_official_handlers_and_checker() -> None:
    pythons = {PYTHON: tuple(CLASSES)}
    if earlier := os.environ.get(bfcl_strict.EARLIER):
        pythons[earlier] = tuple(EARLIER_CLASSES)
    results = bfcl_strict.measure(pythons, 4_000, seed=7)
    differing = [item for item in results if isinstance(item.official, bool) and item.ours != item.official]
    assert not [f"{item.made.handler}, {item.made.change}: {item.made.line()}" for item in differing]
    assert sum(item.official is True for item in results) > 0.3 * len(results)


def test_the_official_checker_is_the_real_one() -> None:
    asked = {"function": [function("f", x="integer")], "truth": [{"f": {"x": [1]}}], "category": "simple"}
    lines = [json.dumps({**asked, "output": [{"f": {"x": x}}], "spelling": "dots"}) + "\n" for x in (1, 2, True)]
    assert ask_official(PYTHON, lines) == [True, False, False]


def test_every_handler_has_its_official_class() -> None:
    assert {*CLASSES, *EARLIER_CLASSES} == set(BFCL_HANDLERS)
    known = {**CLASSES, **EARLIER_CLASSES}
    assert {name: handler.underscores for name, handler in BFCL_HANDLERS.items()} == {
        name: underscores for name, (_, _, _, underscores) in known.items()
    }
