"""Layouts of data for training: Glaive, ToolBench, ShareGPT, Alpaca, LLaMA-Factory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import ImportReport, ReadOptions, read_traces

from .recorded import recorded

REAL = recorded("llama_factory")
QUESTION = "How warm is it in Hanoi?"
CALL = '{"name": "get_weather", "arguments": {"city": "Hanoi"}}'
QUOTED = '{"name": "get_weather", "arguments": \'{"city": "Hanoi"}\'}'
TOOLS = '[{"name": "get_weather", "description": "x", "parameters": {"city": {"type": "str"}}}]'


def read(path: Path, *records: JsonValue) -> tuple[list[Trajectory], ImportReport]:
    report = ImportReport()
    (path / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return list(read_traces(path / "a.jsonl", ReadOptions(report=report))), report


def turns(who: tuple[str, str], *said: tuple[str, str]) -> JsonValue:
    return [{who[0]: speaker, who[1]: words} for speaker, words in said]


SHAREGPT = ("from", "value")
DIALOGUES: dict[str, JsonValue] = {
    "ShareGPT": {
        "conversations": turns(
            SHAREGPT,
            ("system", "Use tools: <tools>[...]</tools>"),
            ("human", QUESTION),
            ("gpt", f"<tool_call>\n{CALL}\n</tool_call>"),
            ("tool", '<tool_response>\n{"name": "get_weather", "content": "31"}\n</tool_response>'),
            ("gpt", "31 °C."),
        )
    },
    "LLaMA-Factory": {
        "conversations": turns(
            SHAREGPT, ("human", QUESTION), ("function_call", CALL), ("observation", "31"), ("gpt", "31 °C.")
        ),
        "tools": TOOLS,
    },
    "LLaMA-Factory, several calls": {
        "conversations": turns(
            SHAREGPT, ("human", QUESTION), ("function_call", f"[{CALL}]"), ("observation", "31"), ("gpt", "31 °C.")
        )
    },
    "LLaMA-Factory, roles": {
        "messages": turns(
            ("role", "content"),
            ("user", QUESTION),
            ("function_call", CALL),
            ("observation", "31"),
            ("assistant", "31 °C."),
        )
    },
    "function-call": {
        "conversations": turns(
            SHAREGPT,
            ("human", QUESTION),
            ("function-call", '{"name": "get_weather", "arguments": \'{"city": "Hanoi"}\'}'),
            ("function-response", "31"),
            ("gpt", "31 °C."),
        )
    },
    "Glaive": {
        "system": "SYSTEM: You may use these functions -",
        "chat": f"USER: {QUESTION}\n\n\nASSISTANT: <functioncall> {QUOTED} <|endoftext|>\n\n\n"
        "FUNCTION RESPONSE: 31\n\n\nASSISTANT: 31 °C. <|endoftext|>",
    },
    "Glaive, older": {
        "sample": f"SYSTEM: Functions.\nUSER: {QUESTION}\nASSISTANT: <functioncall> {CALL}\n"
        "FUNCTION RESPONSE: 31\nASSISTANT: 31 °C."
    },
    "ToolBench": {
        "id": "Step 2: How warm",
        "conversations": turns(
            SHAREGPT,
            ("system", "You are AutoGPT."),
            ("user", QUESTION),
            ("assistant", '\nThought: \nAction: get_weather\nAction Input: {"city": "Hanoi"}'),
            ("function", "31"),
            (
                "assistant",
                '\nThought: \nAction: Finish\nAction Input: {"return_type": "give_answer", "final_answer": "31 °C."}',
            ),
        ),
    },
}


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_dialogue_is_read_with_its_call_result_and_answer(name: str, tmp_path: Path) -> None:
    (found,), report = read(tmp_path, DIALOGUES[name])
    assert found.calls == (Call("get_weather", {"city": "Hanoi"}, turn=1, result="31"),)
    assert (found.input, found.output) == (QUESTION, "31 °C.")
    assert (report.lost, report.doubts) == ({}, {})


def test_calls_of_llama_factory_in_the_layout_of_openai(tmp_path: Path) -> None:
    asked = '[{"name": "get_weather", "arguments": {"city": "Hue"}}, {"name": "get_time", "arguments": {}}]'
    messages: list[JsonValue] = [
        {"role": "user", "content": "Weather in Hue?"},
        {"role": "function", "content": asked},
        {"role": "tool", "content": '{"c": 29}'},
        {"role": "tool", "content": '"noon"'},
        {"role": "assistant", "content": "29 C at noon."},
    ]
    (found,), _ = read(tmp_path, {"messages": messages, "tools": "[]"})
    assert [(call.tool, call.args) for call in found.calls] == [("get_weather", {"city": "Hue"}), ("get_time", {})]
    assert found.calls[0].result == {"c": 29}
    assert (found.input, found.output) == ("Weather in Hue?", "29 C at noon.")


def test_a_dialogue_is_read_as_llama_factory_reads_it(tmp_path: Path) -> None:
    converted = REAL["converted"]
    (found,), report = read(tmp_path, REAL["sharegpt"])
    (same,), _ = read(tmp_path, {"messages": [*converted["_prompt"], *converted["_response"]]})
    assert found.calls == same.calls == (Call("get_weather", {"city": "Hanoi"}, turn=1, result="31"),)
    assert (found.input, found.output) == (same.input, same.output) == (QUESTION, "31 °C.")
    assert report.lost == {}


def test_a_row_of_alpaca_is_asked_as_llama_factory_asks_it(tmp_path: Path) -> None:
    (found,), report = read(tmp_path, REAL["alpaca"])
    asked, answered = REAL["alpaca_converted"]["_prompt"][-1], REAL["alpaca_converted"]["_response"][0]
    assert (found.input, found.output) == (asked["content"], answered["content"])
    assert (report.lost, len(report.formats)) == ({}, 1)


@pytest.mark.parametrize("style", REAL["styles"])
def test_predictions_in_every_style_of_llama_factory(style: str, tmp_path: Path) -> None:
    written = REAL["styles"][style]
    for row in ({"prompt": QUESTION, "predict": written, "label": "x"}, {"instruction": QUESTION, "output": written}):
        (found,), report = read(tmp_path, {"id": "hanoi", **row})
        assert [(call.tool, call.args) for call in found.calls] == [
            ("get_weather", {"city": "Hanoi", "days": 3}),
            ("get_time", {}),
        ]
        assert (found.case, found.input, found.output, report.doubts) == ("hanoi", QUESTION, None, {})


def test_an_instruction_beside_something_else_is_no_row(tmp_path: Path) -> None:
    record: JsonValue = {"case": "a", "instruction": QUESTION, "output": "x", "calls": []}
    (found,), report = read(tmp_path, record)
    assert (found.case, found.input, report.formats) == ("a", None, {})
