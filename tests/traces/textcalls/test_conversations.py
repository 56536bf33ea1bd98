"""Whole conversations as chat templates write them: calls in words, and the messages that answer them."""

# ruff: noqa: E501 - texts of models are shown as they write them

from __future__ import annotations

import json

import pytest
from jinja2 import Environment

from toolgauge.core import Call, JsonValue, Trajectory
from toolgauge.traces import ImportReport, from_messages

ENVIRONMENT = Environment(autoescape=False)  # noqa: S701 - templates of prompts, not of pages
ENVIRONMENT.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)

CALLS: list[dict[str, JsonValue]] = [
    {"name": "get_weather", "arguments": {"city": "Hà Nội", "days": 2, "units": ["c", {"wind": "m/s"}]}},
    {"name": "get_time", "arguments": {}},
]
RESULTS: list[JsonValue] = [{"c": 31}, "12:00"]

FENCE = "```"
TEMPLATES = {
    "hermes": (
        "{% for call in calls %}<tool_call>\n{{ {'name': call.name, 'arguments': call.arguments} | tojson }}\n</tool_call>\n{% endfor %}",
        "{% for result in results %}<tool_response>\n{{ {'name': calls[loop.index0].name, 'content': result} | tojson }}\n</tool_response>\n{% endfor %}",
    ),
    "qwen": (
        'Let me look.{% for call in calls %}\n<tool_call>\n{"name": "{{ call.name }}", "arguments": {{ call.arguments | tojson }}}\n</tool_call>{% endfor %}',
        "{% for result in results %}{{ '\n' if not loop.first }}<tool_response>\n{{ result if result is string else result | tojson }}\n</tool_response>{% endfor %}",
    ),
    "qwen coder": (
        "{% for call in calls %}<tool_call>\n<function={{ call.name }}>\n{% for key, value in call.arguments.items() %}<parameter={{ key }}>\n"
        "{{ value if value is string else value | tojson }}\n</parameter>\n{% endfor %}</function>\n</tool_call>\n{% endfor %}",
        None,
    ),
    "llama": (
        '<|python_tag|>{% for call in calls %}{{ \'; \' if not loop.first }}{"name": "{{ call.name }}", "parameters": {{ call.arguments | tojson }}}{% endfor %}<|eom_id|>',
        None,
    ),
    "mistral": (
        '[TOOL_CALLS] [{% for call in calls %}{{ \', \' if not loop.first }}{"name": "{{ call.name }}", "arguments": {{ call.arguments | tojson }}}{% endfor %}]</s>',
        '{% for result in results %}[TOOL_RESULTS]{"content": {{ result | tojson }}}[/TOOL_RESULTS]{% endfor %}',
    ),
    "deepseek": (
        "<｜tool▁calls▁begin｜>{% for call in calls %}{{ '\n' if not loop.first }}<｜tool▁call▁begin｜>function<｜tool▁sep｜>{{ call.name }}\n"
        f"{FENCE}json\n{{{{ call.arguments | tojson }}}}\n{FENCE}<｜tool▁call▁end｜>{{% endfor %}}<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
        None,
    ),
    "kimi": (
        "<|tool_calls_section_begin|>{% for call in calls %}<|tool_call_begin|>functions.{{ call.name }}:{{ loop.index0 }}<|tool_call_argument_begin|>"
        "{{ call.arguments | tojson }}<|tool_call_end|>{% endfor %}<|tool_calls_section_end|>",
        None,
    ),
    "glm": (
        "{% for call in calls %}<tool_call>{{ call.name }}\n{% for key, value in call.arguments.items() %}<arg_key>{{ key }}</arg_key>\n"
        "<arg_value>{{ value if value is string else value | tojson }}</arg_value>\n{% endfor %}</tool_call>{% endfor %}",
        None,
    ),
    "granite": ("<|tool_call|>{{ calls | tojson }}", None),
    "glaive": (
        '{% for call in calls %}<functioncall> {"name": "{{ call.name }}", "arguments": \'{{ call.arguments | tojson }}\'} <|endoftext|>\n{% endfor %}',
        None,
    ),
}


def rendered(template: str) -> str:
    return ENVIRONMENT.from_string(template).render(calls=CALLS, results=RESULTS)


def conversation(calls: str, *answers: JsonValue) -> tuple[Trajectory, ImportReport]:
    report = ImportReport()
    messages: list[JsonValue] = [
        {"role": "user", "content": "How warm?"},
        {"role": "assistant", "content": calls},
        *answers,
        {"role": "assistant", "content": "31 °C."},
    ]
    return from_messages(messages, report=report), report


@pytest.mark.parametrize("name", TEMPLATES)
def test_what_a_template_writes_is_read_with_the_results(name: str) -> None:
    calls, results = TEMPLATES[name]
    as_tools: list[JsonValue] = [
        {"role": "tool", "content": json.dumps(result) if not isinstance(result, str) else result} for result in RESULTS
    ]
    found, report = conversation(rendered(calls), *as_tools)
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("get_weather", CALLS[0]["arguments"], {"c": 31}),
        ("get_time", {}, "12:00"),
    ]
    assert (found.input, found.output, report.lost, report.doubts) == ("How warm?", "31 °C.", {}, {})
    assert [call.turn for call in found.calls] == [1, 1]
    if results is None:
        return
    again, report = conversation(rendered(calls), {"role": "user", "content": rendered(results)})
    assert [(call.tool, call.args) for call in again.calls] == [(call.tool, call.args) for call in found.calls]
    assert [call.result for call in again.calls] == ([{"c": 31}, "12:00"])
    assert (again.input, again.output, report.lost) == ("How warm?", "31 °C.", {})


def test_the_results_of_react_are_in_the_next_message_or_in_the_same() -> None:
    asked = 'Thought: I look.\nAction: get_weather\nAction Input: {"city": "Hanoi"}\n'
    call = Call("get_weather", {"city": "Hanoi"}, turn=1, result="31")
    found, _ = conversation(asked, {"role": "user", "content": "Observation: 31"})
    assert (found.calls, found.output) == ((call,), "31 °C.")
    report = ImportReport()
    whole = f"{asked}Observation: 31\nThought: I know.\nFinal Answer: 31 °C."
    found = from_messages([{"role": "user", "content": "x"}, {"role": "assistant", "content": whole}], report=report)
    assert (found.calls, found.output, report.lost) == ((call,), "31 °C.", {})


def test_steps_of_react_are_turns_of_their_own_and_the_last_words_are_the_answer() -> None:
    messages: list[JsonValue] = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": "Thought: a\nAction: f\nAction Input: {}"},
        {"role": "user", "content": "Observation: Error: no such thing"},
        {"role": "assistant", "content": "Thought: b\nAction: g\nAction Input: {}"},
        {"role": "user", "content": "Observation: fine"},
        {"role": "assistant", "content": "Thought: I now know the final answer\nFinal Answer: 42"},
    ]
    found = from_messages(messages)
    assert [(call.tool, call.turn, call.error) for call in found.calls] == [
        ("f", 1, "Error: no such thing"),
        ("g", 2, None),
    ]
    assert found.output == "42"


def test_finish_is_the_answer_and_no_call() -> None:
    finish = 'Thought: ok\nAction: Finish\nAction Input: {"return_type": "give_answer", "final_answer": "31 °C."}'
    found = from_messages([{"role": "user", "content": "x"}, {"role": "assistant", "content": finish}])
    assert (found.calls, found.output) == ((), "31 °C.")


def test_words_after_the_results_are_the_user_speaking() -> None:
    report = ImportReport()
    messages: list[JsonValue] = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": '<tool_call>{"name": "f", "arguments": {}}</tool_call>'},
        {"role": "user", "content": "<tool_response>1</tool_response>\nGo on."},
        {"role": "assistant", "content": "Done."},
    ]
    found = from_messages(messages, report=report)
    assert ([call.result for call in found.calls], found.input, found.output) == (["1"], "x", "Done.")


def test_a_message_that_looks_like_a_result_answers_nothing_where_nothing_was_called() -> None:
    messages: list[JsonValue] = [
        {"role": "user", "content": "Observation: the sky is blue. Why?"},
        {"role": "assistant", "content": "Scattering."},
    ]
    assert from_messages(messages).input == "Observation: the sky is blue. Why?"


def test_commands_are_calls_where_a_shell_answers_them() -> None:
    report = ImportReport()
    messages: list[JsonValue] = [
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "THOUGHT: I look.\n\n```bash\nls -la | head\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\na.py\n</output>"},
        {"role": "assistant", "content": "Again.\n\n```bash\ncat b.py\n```"},
        {"role": "user", "content": "<returncode>1</returncode>\n<output>\nno such file\n</output>"},
        {"role": "assistant", "content": "Done.\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"},
    ]
    found = from_messages(messages, report=report)
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("bash", {"command": "ls -la | head"}, "a.py"),
        ("bash", {"command": "cat b.py"}, "no such file"),
        ("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}, None),
    ]
    assert [call.error for call in found.calls] == [None, "the command ended with code 1", None]
    assert (found.input, report.written) == ("Fix it.", {"bash": 3})


def test_commands_between_tags_are_answered_by_an_observation() -> None:
    messages: list[JsonValue] = [
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": "<discussion>\nI look.\n</discussion>\n<command>\nls\n</command>"},
        {"role": "user", "content": "OBSERVATION:\na.py"},
    ]
    assert from_messages(messages).calls == (Call("bash", {"command": "ls"}, turn=1, result="a.py"),)


def test_a_command_that_nobody_ran_is_advice() -> None:
    messages: list[JsonValue] = [
        {"role": "user", "content": "How?"},
        {"role": "assistant", "content": "So:\n\n```bash\nls\n```"},
        {"role": "user", "content": "Thank you."},
        {"role": "assistant", "content": "Welcome."},
    ]
    assert from_messages(messages).calls == ()


@pytest.mark.parametrize(
    "messages",
    [
        [
            {"role": "user", "content": [{"type": "text", "text": "x"}]},
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "I look."}, {"type": "text", "text": "TEXT"}],
                "type": "message",
                "stop_reason": "end_turn",
            },
        ],
        [{"type": "human", "content": "x"}, {"type": "ai", "content": "TEXT"}],
        [
            {"role": "user", "content": "x"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "TEXT"}]},
        ],
        [
            {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "x"}]},
            {"kind": "response", "parts": [{"part_kind": "text", "content": "TEXT"}]},
        ],
        {"conversations": [{"from": "human", "value": "x"}, {"from": "gpt", "value": "TEXT"}]},
        {
            "task_id": "x",
            "traj": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "TEXT"}],
            "reward": 1.0,
            "info": {},
        },
        {
            "id": "t",
            "name": "agent",
            "input": "x",
            "output": "TEXT",
            "observations": [
                {
                    "id": "o",
                    "traceId": "t",
                    "type": "GENERATION",
                    "name": "llm",
                    "startTime": "2026-01-02T03:04:05Z",
                    "endTime": "2026-01-02T03:04:06Z",
                    "input": [{"role": "user", "content": "x"}],
                    "output": {"role": "assistant", "content": "TEXT"},
                }
            ],
        },
        {
            "id": "t",
            "trace_id": "t",
            "parent_run_id": None,
            "run_type": "chain",
            "name": "a",
            "inputs": {"input": "x"},
            "outputs": {"output": "TEXT"},
        },
        {
            "name": "agent",
            "context": {"trace_id": "t1", "span_id": "s1"},
            "parent_id": None,
            "span_kind": "LLM",
            "start_time": "2026-01-02T03:04:05Z",
            "end_time": "2026-01-02T03:04:07Z",
            "attributes": {"openinference.span.kind": "LLM", "input.value": "x", "output.value": "TEXT"},
        },
    ],
)
def test_every_layout_of_messages_is_looked_at(messages: JsonValue) -> None:
    written = '<tool_call>\\n{\\"name\\": \\"f\\", \\"arguments\\": {\\"a\\": 1}}\\n</tool_call>'
    record = json.loads(json.dumps(messages).replace("TEXT", written))
    found = from_messages(record)
    assert [(call.tool, call.args) for call in found.calls] == [("f", {"a": 1})]
    assert found.output is None
