"""Messages, events and answers of LlamaIndex, built of its own types."""

from __future__ import annotations

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue
from toolgauge.traces.formats.llama_index import LlamaIndexReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read_one, survives

REAL = recorded("llama_index")
QUESTION = "How warm is it in Hanoi?"
OLDEST: JsonValue = [
    {"role": "user", "content": QUESTION, "additional_kwargs": {}},
    {"role": "assistant", "content": None, "additional_kwargs": REAL["older"][1]["additional_kwargs"]},
    {"role": "tool", "content": "31", "additional_kwargs": REAL["older"][2]["additional_kwargs"]},
    {"role": "assistant", "content": "31 °C.", "additional_kwargs": {}},
]
"""As releases before 0.12 write them."""

ANSWER: JsonValue = {"case": "hanoi", "query": QUESTION, "response": "31 °C.", "sources": REAL["sources"]}
SAMPLES: list[JsonValue] = [REAL["older"], REAL["blocks"], OLDEST, REAL["events"], *REAL["events"], ANSWER]


@pytest.mark.parametrize("messages", [REAL["older"], REAL["blocks"], OLDEST])
def test_messages(messages: JsonValue) -> None:
    found = read_one(LlamaIndexReader, {"case": "hanoi", "messages": messages})
    assert found.calls == (Call("get_weather", {"city": "Hanoi"}, "c1", 1, result="31"),)
    assert (found.case, found.input, found.output) == ("hanoi", QUESTION, "31 °C.")


@pytest.mark.parametrize("records", [[REAL["events"]], REAL["events"]])
def test_events_of_an_agent(records: list[JsonValue]) -> None:
    found = read_one(LlamaIndexReader, *records)
    assert found.calls == (Call("get_weather", {"city": "Hanoi"}, "c1", 1, result=31),)
    assert (found.input, found.output, found.agent) == (QUESTION, "31 °C.", "weather")


def test_two_runs_of_an_agent_are_two() -> None:
    found, _ = convert([*REAL["events"], *REAL["events"]])
    assert [len(one.calls) for one in found] == [1, 1]


def test_an_answer_with_its_sources() -> None:
    found = read_one(LlamaIndexReader, ANSWER)
    assert found.calls == (Call("get_weather", {"city": "Hanoi"}, turn=1, result=31),)
    assert (found.input, found.output) == (QUESTION, "31 °C.")


@pytest.mark.parametrize("key", ["older", "blocks"])
def test_messages_one_a_line(key: str) -> None:
    found, report = convert(REAL[key])
    assert [(len(one.calls), one.input, one.output) for one in found] == [(1, QUESTION, "31 °C.")]
    assert list(report.formats) == [LlamaIndexReader.title]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(LlamaIndexReader, SAMPLES, seed)
