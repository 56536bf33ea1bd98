"""Alpaca's rows, and the predictions that LLaMA-Factory writes, with calls in all styles that it formats them in."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import JsonValue
from toolgauge.traces.formats.alpaca import AlpacaReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("llama_factory")
QUESTION = "How warm is it in Hanoi?"
SAMPLES: list[JsonValue] = [
    REAL["alpaca"],
    *({"instruction": QUESTION, "input": "", "output": written} for written in REAL["styles"].values()),
    *({"prompt": QUESTION, "predict": written, "label": "x"} for written in REAL["styles"].values()),
]


def test_a_row_is_asked_as_llama_factory_asks_it() -> None:
    found = read_one(AlpacaReader, REAL["alpaca"])
    asked, answered = REAL["alpaca_converted"]["_prompt"][-1], REAL["alpaca_converted"]["_response"][0]
    assert (found.input, found.output) == (asked["content"], answered["content"])


@pytest.mark.parametrize("style", REAL["styles"])
def test_predictions_in_every_style_of_llama_factory(style: str) -> None:
    found, report = convert([{"prompt": QUESTION, "predict": REAL["styles"][style], "label": ""}])
    assert [(call.tool, call.args) for call in found[0].calls] == [
        ("get_weather", {"city": "Hanoi", "days": 3}),
        ("get_time", {}),
    ]
    assert (found[0].input, found[0].output, report.lost, report.doubts) == (QUESTION, None, {}, {})
    assert list(report.formats) == [AlpacaReader.title]


def test_a_record_with_an_instruction_and_more_is_another_format() -> None:
    assert not AlpacaReader.recognises({"instruction": "x", "output": "y", "messages": []})
    assert not AlpacaReader.recognises({"case": "a", "instruction": "x", "output": "y"})


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(AlpacaReader, SAMPLES, seed)
