"""Result files of the Berkeley Function-Calling Leaderboard become trajectories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from tests.cli.running import toolgauge
from toolgauge.core import Call, JsonValue, Trajectory, Usage
from toolgauge.traces.formats.bfcl import KINDER, BfclReader
from toolgauge.traces.formats.calltext import literal, read_calls

from .spoiling import read, read_one, survives

FUNCTIONS: JsonValue = {
    "id": "simple_0",
    "result": [{"math_area": '{"base": 3, "height": 4}'}],
    "input_token_count": 120,
    "output_token_count": 18,
    "latency": 0.5,
}
TEXT: JsonValue = {"id": "parallel_0", "result": "[rain(city='Hue'), rain(city='Vinh', days=-2)]", "latency": 1.25}
ANSWER: JsonValue = {"id": "irrelevance_0", "result": "None of the functions can do that (I am sorry)."}
TURNS: JsonValue = {
    "id": "multi_turn_base_0",
    "result": [["[cd(folder='tmp')]", "[ls(a=True), pwd()]", "There is one file."], [[{"mv": '{"a": "x"}'}], "Moved."]],
    "input_token_count": [[10, 20, 30], [40, 50]],
    "output_token_count": [[1, 2, 3], [4, 5]],
    "latency": [[0.5, 0.5, 0.5], [1.0, 0.5]],
    "inference_log": [
        {
            "begin_of_turn_query": [{"role": "user", "content": "What is in tmp?"}],
            "step_0": [{"role": "assistant", "content": "…"}, {"role": "tool", "content": '{"at": "tmp"}'}],
            "step_1": [{"role": "tool", "content": '["x"]'}, {"role": "tool", "content": "Error: no"}],
        },
        [{"role": "state_info"}],
    ],
}
FAILED: JsonValue = {"id": "live_simple_3-1-0", "result": "Error during inference: timeout", "traceback": "…"}

SAMPLES: list[JsonValue] = [FUNCTIONS, TEXT, ANSWER, TURNS, FAILED]


def test_calls_of_a_model_with_an_interface_for_them() -> None:
    assert read_one(BfclReader, FUNCTIONS, known=["math.area"]) == Trajectory(
        case="simple_0",
        calls=(Call("math.area", {"base": 3, "height": 4}, turn=1, original="math_area"),),
        latency_ms=500.0,
        usage=Usage(1, 120, 18),
    )


def test_calls_that_a_model_wrote() -> None:
    assert read_one(BfclReader, TEXT) == Trajectory(
        case="parallel_0",
        calls=(Call("rain", {"city": "Hue"}, turn=1), Call("rain", {"city": "Vinh", "days": -2}, turn=1)),
        latency_ms=1250.0,
    )


def test_a_text_that_is_no_call_is_the_answer() -> None:
    assert read_one(BfclReader, ANSWER) == Trajectory(
        case="irrelevance_0", output="None of the functions can do that (I am sorry)."
    )


def test_turns_and_steps_are_turns() -> None:
    found, lost = read(BfclReader, TURNS)
    assert found == [
        Trajectory(
            case="multi_turn_base_0",
            calls=(
                Call("cd", {"folder": "tmp"}, turn=1, result={"at": "tmp"}),
                Call("ls", {"a": True}, turn=2, result=["x"]),
                Call("pwd", {}, turn=2, error="Error: no"),
                Call("mv", {"a": "x"}, turn=4),
            ),
            output="Moved.",
            latency_ms=3000.0,
            usage=Usage(5, 150, 15),
            input="What is in tmp?",
        )
    ]
    assert lost == {}


def test_a_failed_inference_is_an_error() -> None:
    assert read_one(BfclReader, FAILED) == Trajectory(
        case="live_simple_3-1-0", state="error", error="Error during inference: timeout"
    )


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[f(a=1)]", [("f", {"a": 1})]),
        ("f(a=1), g()", [("f", {"a": 1}), ("g", {})]),
        ("[f(a=1", None),
        ("[f(a=1)", [("f", {"a": 1})]),
        ("```\n[f(a=1)]\n```", [("f", {"a": 1})]),
        ("```python\n[f(a=1)]\n```\nThis calls f.", [("f", {"a": 1})]),
        ("[f(a=1)]\n\nThis [really] calls f.", [("f", {"a": 1})]),
        ("Let me call [f(a=1)]", None),
        ("[a.b.f(x=[1, (2, 3)], y={'k': None, 2: 'v'})]", [("a.b.f", {"x": [1, [2, 3]], "y": {"k": None, "2": "v"}})]),
        ("[f(a=-1.5, b=+2, c=3*4, d='x'+'y', e=2**3)]", [("f", {"a": -1.5, "b": 2, "c": 12, "d": "xy", "e": 8})]),
        (
            "[f(a=true, b=g(c=1), d=h(), e=x[0], f=...)]",
            [("f", {"a": "true", "b": {"g": {"c": 1}}, "d": "h()", "e": "x[0]", "f": "..."})],
        ),
        ("[f(a=9**9**9)]", None),
        ("[f(a=1/0)]", None),
        ("[f(a=lambda: 1)]", None),
        ("[f(**{'a': 1})]", None),
        ("[f(a=__import__('os').system('ls'))]", [("f", {"a": "__import__('os').system('ls')"})]),
        ("[f(a='\\d', b='\\ud800')]", [("f", {"a": "\\d", "b": "?"})]),
        ('[{"name": "f", "arguments": {"a": 1}}]', [("f", {"a": 1})]),
        ('[{"f": {"a": 1}}]', [("f", {"a": 1})]),
        ('{"answer": {"a": 1}}', None),
        ('<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>', [("f", {"a": 1})]),
        ("[]", []),
        ("", None),
        ("(" * 10_000, None),
        ("[f(a=" + "[" * 5_000 + "]" * 5_000 + ")]", None),
        ("\0f()", None),
        ("x" * 300_000 + "()", None),
    ],
)
def test_calls_in_text(text: str, calls: list[tuple[str, JsonValue]] | None) -> None:
    found = read_calls(text)
    assert (None if found is None else [(call.name, call.arguments) for call in found]) == calls


def test_literals_are_read_and_nothing_else() -> None:
    assert literal("{'city': 'Hà Nội', 'days': [1, 2]}") == {"city": "Hà Nội", "days": [1, 2]}
    assert literal("{'a': [x for x in y]}") is None


def test_what_differs_from_the_official_decoder_is_told() -> None:
    _, lost = read(
        BfclReader,
        {"id": "simple_1", "result": "```python\n[f(1, a=2)]\n```"},
        {"id": "simple_2", "result": [{"f": "{not json"}]},
    )
    assert lost == {
        KINDER: 1,
        "an argument without a name is left out, as on the leaderboard": 1,
        "the arguments of a call are not a JSON object; the call is kept without them": 1,
    }


def test_other_records_are_not_recognised() -> None:
    others: list[JsonValue] = [
        {"id": "simple_0", "result": {}},
        {"jsonrpc": "2.0", "id": "simple_0", "result": []},
        {"id": 3, "result": "x", "latency": 1},
        {"id": "abc", "result": "x"},
        [FUNCTIONS],
        None,
    ]
    assert not any(map(BfclReader.recognises, others))
    assert all(map(BfclReader.recognises, SAMPLES))


def test_official_result_files_are_scored_as_they_are(tmp_path: Path) -> None:
    function = {
        "name": "math.area",
        "description": "Area.",
        "parameters": {
            "type": "dict",
            "properties": {"base": {"type": "integer"}, "height": {"type": "integer"}},
            "required": ["base", "height"],
        },
    }
    questions, answers, results = (tmp_path / name for name in ("questions.jsonl", "answers.jsonl", "results.jsonl"))
    asked = [[{"role": "user", "content": "Area of a triangle?"}]]
    truth = {"math.area": {"base": [3], "height": [4]}}
    names = ["simple_0", "simple_1", "simple_2", "irrelevance_0"]
    lines = [{"id": name, "question": asked, "function": [function]} for name in names]
    questions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    lines = [{"id": name, "ground_truth": [truth]} for name in names[:3]]
    answers.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    made: list[JsonValue] = [
        {"id": "simple_0", "result": [{"math_area": '{"base": 3, "height": 4}'}], "latency": 1.0},
        {"id": "simple_1", "result": "[math.area(base=3, height=4)]", "latency": 1.0},
        {"id": "simple_2", "result": "[math.area(base=3, height=5)]", "latency": 1.0},
        {"id": "irrelevance_0", "result": "I cannot tell.", "latency": 1.0},
    ]
    results.write_text("\n".join(map(json.dumps, made)), encoding="utf-8")
    answered = ["--answers", str(answers), "--profile", "bfcl"]
    outcome = toolgauge("score", str(questions), str(results), *answered, "--format", "json", "--details")
    assert outcome.returncode == 0, outcome.stderr
    report = json.loads(outcome.stdout)
    assert {case["id"]: case["passed"] for case in report["cases"]} == {
        "simple_0": True,
        "simple_1": True,
        "simple_2": False,
        "irrelevance_0": True,
    }


@settings(max_examples=examples(300), deadline=None)
@given(st.integers(0, 2**32))
def test_nothing_breaks_the_reader(seed: int) -> None:
    assert survives(BfclReader, SAMPLES, seed)


@settings(max_examples=examples(150), deadline=None)
@given(st.text("[](){}f=a1,.'\"\\ \n`", max_size=30))
def test_no_text_breaks_the_parser(text: str) -> None:
    found = read_calls(text)
    assert found is None or all(call.name for call in found)


def test_a_list_of_written_calls_is_read_call_by_call() -> None:
    written: JsonValue = ["rain(city='Hue')", "rain(city='Vinh')"]
    results: list[tuple[JsonValue, list[int]]] = [(written, [1, 1]), ([written], [1, 2]), ([[written]], [1, 1])]
    for result, turns in results:
        found = read_one(BfclReader, {"id": "simple_0", "result": result, "latency": 1})
        assert [(call.args, call.turn) for call in found.calls] == [
            ({"city": "Hue"}, turns[0]),
            ({"city": "Vinh"}, turns[1]),
        ]
