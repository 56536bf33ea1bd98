"""Contents and candidates of Gemini, as its Python client and its interface over HTTP write them."""

from __future__ import annotations

import json

import pytest

from tests.budgets import seeds
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.gemini import GeminiReader
from toolgauge.traces.formats.langfuse import LangfuseReader

from .disturbance import convert
from .recorded import recorded
from .spoiling import read, read_one, survives

REAL = recorded("gemini")
QUESTION = "How warm is it in Hanoi and in Hue?"
ANSWER = "Hanoi: 31 °C, Hue: 33 °C."
CALLS = (
    Call("get_weather", {"city": "Hanoi"}, turn=1, result={"celsius": 31}),
    Call("get_weather", {"city": "Hue"}, turn=1, result={"celsius": 33}),
)
CODE: JsonValue = {
    "contents": [
        {"role": "user", "parts": [{"text": "What is 2 to the 10?"}]},
        {"role": "model", "parts": [{"executableCode": {"language": "PYTHON", "code": "1/0"}}]},
        {"role": "model", "parts": [{"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "by zero"}}]},
    ]
}
BATCH: JsonValue = {"key": "hanoi", "response": REAL["exchanges"][1]["response"]}
SAMPLES: list[JsonValue] = [
    *REAL["exchanges"],
    REAL["history"],
    REAL["history_rest"],
    REAL["response"],
    REAL["stream"],
    REAL["stream"][0],
    CODE,
    BATCH,
    {"contents": REAL["history_rest"]},
]


@pytest.mark.parametrize("key", ["history", "history_rest"])
def test_the_history_of_a_chat(key: str) -> None:
    found = read_one(GeminiReader, {"case": "both", "trial": 1, "contents": REAL[key]})
    assert found == Trajectory("both", trial=1, calls=CALLS, output=ANSWER, input=QUESTION)


def test_requests_and_responses_that_repeat_the_history_are_one_conversation() -> None:
    found = read_one(GeminiReader, *REAL["exchanges"])
    assert found == Trajectory(calls=CALLS, output=ANSWER, input=QUESTION, usage=Usage(2, 40, 24))


def test_a_response_for_which_the_client_called_the_functions() -> None:
    found = read_one(GeminiReader, REAL["response"])
    assert (found.calls, found.output, found.input) == (CALLS, ANSWER, QUESTION)


@pytest.mark.parametrize("spread", [True, False])
def test_a_stream_with_code_that_the_provider_ran(spread: bool) -> None:
    found = read_one(GeminiReader, *(REAL["stream"] if spread else [REAL["stream"]]))
    assert found.calls == (Call("code_execution", {"code": "print(2**10)"}, turn=1, result="1024\n"),)
    assert found.output == "It is 1024."
    assert found.usage == Usage(1, 20, 12)


def test_a_stream_without_ids_ends_where_the_model_stopped() -> None:
    bare = [{key: chunk[key] for key in chunk if key != "response_id"} for chunk in REAL["stream"]]
    assert read_one(GeminiReader, *bare) == read_one(GeminiReader, *REAL["stream"])
    found, _ = read(GeminiReader, *bare, *bare)
    assert [one.output for one in found] == ["It is 1024.", "It is 1024."]


def test_responses_that_say_neither_which_they_are_nor_that_they_ended_are_one_each() -> None:
    contents: list[JsonValue] = [{"role": "model", "parts": [{"text": words}]} for words in ("A", "B")]
    responses: list[JsonValue] = [{"candidates": [{"content": content}]} for content in contents]
    assert [one.output for one in read(GeminiReader, *responses)[0]] == ["A", "B"]


def test_streams_of_two_responses_are_two() -> None:
    later = [{**chunk, "response_id": "other"} for chunk in REAL["stream"]]
    found, _ = read(GeminiReader, *REAL["stream"], *later)
    assert [len(one.calls) for one in found] == [1, 1]


def test_code_that_fails_is_a_failed_call() -> None:
    found = read_one(GeminiReader, CODE)
    assert found.calls[0].error == "by zero"


def test_logs_of_vertex_hold_json_as_text() -> None:
    records: list[JsonValue] = [
        {"full_request": json.dumps(exchange["request"]), "full_response": json.dumps(exchange["response"])}
        for exchange in REAL["exchanges"]
    ]
    found = read_one(GeminiReader, *records)
    assert (found.calls, found.output, found.input) == (CALLS, ANSWER, QUESTION)
    streamed = read_one(GeminiReader, {"full_request": {"contents": "2**10?"}, "full_response": REAL["stream"]})
    assert (streamed.input, streamed.output) == ("2**10?", "It is 1024.")


def test_the_failure_of_a_function_is_one() -> None:
    parts: list[JsonValue] = [{"functionResponse": {"name": "f", "response": {"error": "no such city"}}}]
    contents: list[JsonValue] = [
        {"role": "user", "parts": [{"text": "?"}]},
        {"role": "model", "parts": [{"functionCall": {"id": "1", "name": "f", "args": {}}}]},
        {"role": "function", "parts": parts},
    ]
    assert read_one(GeminiReader, contents).calls[0].error == "no such city"


def test_several_candidates_are_several_trials_and_a_cut_off_one_is_told() -> None:
    def candidate(index: int, reason: str) -> JsonValue:
        return {"index": index, "content": {"role": "model", "parts": [{"text": str(index)}]}, "finishReason": reason}

    found, _ = read(GeminiReader, {"candidates": [candidate(0, "STOP"), candidate(1, "MAX_TOKENS")]})
    assert [(one.trial, one.output, one.state) for one in found] == [(0, "0", "completed"), (1, "1", "limit")]


def test_images_are_left_out_with_a_note() -> None:
    parts: list[JsonValue] = [{"text": "What is it?"}, {"inlineData": {"mimeType": "image/png", "data": ""}}]
    found, lost = read(GeminiReader, {"contents": [{"role": "user", "parts": parts}]})
    assert found[0].input == "What is it?"
    assert list(lost.values()) == [1]


@pytest.mark.parametrize("as_text", [True, False])
def test_observations_of_langfuse_hold_contents_and_candidates(as_text: bool) -> None:
    def written(value: JsonValue) -> JsonValue:
        return json.dumps(value) if as_text else value

    observations: list[JsonValue] = [
        {
            "id": f"o{index}",
            "traceId": "t1",
            "type": "GENERATION",
            "name": "gemini",
            "startTime": f"2026-01-02T03:04:0{index}Z",
            "input": written(exchange["request"]),
            "output": written(exchange["response"]),
        }
        for index, exchange in enumerate(REAL["exchanges"])
    ]
    found = read_one(LangfuseReader, {"id": "t1", "input": None, "output": None, "observations": observations})
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31}),
        ("get_weather", {"city": "Hue"}, {"celsius": 33}),
    ]
    assert (found.input, found.output) == (QUESTION, ANSWER)


def test_a_trace_of_langfuse_whose_question_is_a_content() -> None:
    last = REAL["exchanges"][1]
    found = read_one(
        LangfuseReader, {"id": "t1", "input": last["request"], "output": last["response"], "observations": ["o1"]}
    )
    assert (found.input, found.output) == (QUESTION, ANSWER)


@pytest.mark.parametrize("key", ["history", "history_rest"])
def test_contents_one_a_line(key: str) -> None:
    found, report = convert(REAL[key])
    assert [(one.calls, one.input, one.output) for one in found] == [(CALLS, QUESTION, ANSWER)]
    assert list(report.formats) == [GeminiReader.title]


@pytest.mark.parametrize("contents", ["2**10?", ["2**10?"], [{"text": "2**10?"}], {"parts": [{"text": "2**10?"}]}])
def test_what_the_python_client_takes_for_contents(contents: JsonValue) -> None:
    found = read_one(GeminiReader, {"jsonPayload": None, "request": {"contents": contents}, "response": REAL["stream"]})
    assert (found.input, found.output) == ("2**10?", "It is 1024.")


def test_entries_of_a_cloud_log() -> None:
    found, report = convert([{"logName": "l", "jsonPayload": exchange} for exchange in REAL["exchanges"]])
    assert [one.calls for one in found] == [CALLS]
    assert list(report.formats) == [GeminiReader.title]


@pytest.mark.parametrize("seed", seeds(100))
def test_spoiled_records_do_no_harm(seed: int) -> None:
    assert survives(GeminiReader, SAMPLES, seed)
