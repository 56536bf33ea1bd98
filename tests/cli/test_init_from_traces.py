"""`toolgauge init --from-traces`, from a log to a suite that can be reviewed, linted and scored; and `--columns`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .running import toolgauge

NATIVE = [
    {"case": "hà_nội", "input": "Thời tiết Hà Nội?", "calls": [{"tool": "get_weather", "args": {"city": "Hà Nội"}}]},
    {"case": "chào", "input": "Chào bạn", "calls": []},
]

CHAT = {
    "messages": [
        {"role": "user", "content": "Weather in Huế?"},
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Huế"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "31"},
        {"role": "assistant", "content": "31 °C"},
    ]
}

PROPOSED = """\
# yaml-language-server: $schema=suite.schema.json
# Proposed from recorded traces: what is expected here is what was done, right or wrong.
# Go through the cases one by one:
#   1. Is this what should be done? Remove calls and arguments that do not matter,
#      correct wrong ones, and loosen values that may vary: $one_of, $regex, $approx, $date ...
#   2. Say what the answer has to contain (contains) or to be (answer).
#   3. Remove 'reviewed: false'. toolgauge lint lists the cases that still have it.
# docs/concepts.md explains the keys.
name: weather
cases:
  - id: hà_nội
    input: Thời tiết Hà Nội?
    expect:
      calls:
        - tool: get_weather
          args:
            city: Hà Nội
    reviewed: false

  - id: chào
    input: Chào bạn
    expect:
      calls: []
    reviewed: false
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    lines = [json.dumps(line, ensure_ascii=False) for line in NATIVE]
    (tmp_path / "traces.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "chat.jsonl").write_text(json.dumps(CHAT), encoding="utf-8")
    return tmp_path


def test_the_proposed_suite_is_written_as_a_person_would(place: Path) -> None:
    done = toolgauge("init", "--from-traces", "traces.jsonl", "--suite-name", "weather", "new", cwd=place)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "wrote new/suite.yaml\nwrote new/suite.schema.json\n\n"
        "2 cases proposed from 2 trajectories. Review each of them, then:\n\n"
        "    toolgauge lint new/suite.yaml\n    toolgauge score new/suite.yaml traces.jsonl\n\n"
    )
    assert (place / "new" / "suite.yaml").read_text(encoding="utf-8") == PROPOSED


def test_lint_and_score_say_that_nobody_has_reviewed_it(place: Path) -> None:
    assert toolgauge("init", "--from-traces", "traces.jsonl", "-o", "s.yaml", cwd=place).returncode == 0
    linted = toolgauge("lint", "s.yaml", cwd=place)
    assert linted.returncode == 0
    assert "2 of 2 cases proposed from traces and not yet reviewed: hà_nội, chào" in linted.stdout
    scored = toolgauge("score", "s.yaml", "traces.jsonl", "--format", "json", cwd=place)
    assert json.loads(scored.stdout)["counts"]["passed"] == 2
    assert "Note: 2 cases of this suite were proposed from traces and not yet reviewed\n" in scored.stderr
    text = (place / "s.yaml").read_text(encoding="utf-8").replace("    reviewed: false\n", "")
    (place / "s.yaml").write_text(text, encoding="utf-8")
    assert toolgauge("lint", "s.yaml", cwd=place).stdout == "s.yaml: no findings\n"
    assert toolgauge("score", "s.yaml", "traces.jsonl", cwd=place).stderr == ""


def test_logs_of_other_tools_and_several_files(place: Path) -> None:
    options = ("--from-traces", "chat.jsonl", "--from-traces", "traces.jsonl", "-o", "s.yaml", "--lang", "vi")
    done = toolgauge("init", *options, cwd=place)
    assert done.returncode == 0
    assert "đã đọc 1 lượt chạy với 1 lời gọi dưới dạng" in done.stderr
    text = (place / "s.yaml").read_text(encoding="utf-8")
    assert "# Hãy xem lại từng câu một:\n" in text
    assert "name: chat\n" in text
    scored = toolgauge("score", "s.yaml", "chat.jsonl", "--format", "json", cwd=place)
    assert json.loads(scored.stdout)["counts"]["passed"] == 1


def test_nothing_is_overwritten_unless_asked_for(place: Path) -> None:
    assert toolgauge("init", "--from-traces", "traces.jsonl", cwd=place).returncode == 0
    again = toolgauge("init", "--from-traces", "traces.jsonl", cwd=place)
    assert (again.returncode, again.stderr) == (
        2,
        "Error: suite.yaml already exists; name another place, or overwrite it with --force\n",
    )
    assert toolgauge("init", "--from-traces", "traces.jsonl", "--force", cwd=place).returncode == 0
    own = toolgauge("init", "--from-traces", "traces.jsonl", "-o", "traces.jsonl", "--force", cwd=place)
    assert own.returncode == 2
    assert "is an input and cannot be overwritten" in own.stderr
    (place / "suite.schema.json").write_text("{}", encoding="utf-8")
    other = toolgauge("init", "--from-traces", "traces.jsonl", "-o", "other.yaml", cwd=place)
    assert other.returncode == 2
    assert "suite.schema.json already exists" in other.stderr
    assert not (place / "other.yaml").exists()


def test_options_that_do_not_fit_together_and_traces_that_name_nothing(place: Path) -> None:
    assert "add --from-traces TRACES" in toolgauge("init", "-o", "s.yaml", cwd=place).stderr
    both = toolgauge("init", "--from-traces", "traces.jsonl", "new", "-o", "s.yaml", cwd=place)
    assert (both.returncode, "not both" in both.stderr) == (2, True)
    (place / "empty.jsonl").write_text("", encoding="utf-8")
    assert toolgauge("init", "--from-traces", "empty.jsonl", "new", cwd=place).returncode == 5
    assert not (place / "new").exists()


def test_columns_of_a_table_are_named_on_the_command_line(place: Path) -> None:
    table = 'No;"Question, as asked";Expected tools\n1;Thời tiết Hà Nội?;get_weather\n2;Chào bạn;[]\n'
    (place / "truth.csv").write_text(table, encoding="utf-8")
    columns = "input=Question, as asked,tools=Expected tools, id=No"
    scored = toolgauge("score", "truth.csv", "traces.jsonl", "--columns", columns, "--format", "json", cwd=place)
    assert (scored.returncode, scored.stderr) == (0, "")
    assert json.loads(scored.stdout)["counts"]["passed"] == 2
    linted = toolgauge("lint", "truth.csv", "--columns", columns, cwd=place)
    assert (linted.returncode, linted.stdout) == (0, "truth.csv: no findings\n")
    converted = toolgauge("convert", "traces.jsonl", "--suite", "truth.csv", "--columns", columns, cwd=place)
    assert [json.loads(line)["case"] for line in converted.stdout.splitlines()] == ["1", "2"]
    wrong = toolgauge("score", "truth.csv", "traces.jsonl", "--columns", "input", cwd=place)
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "Error: --columns input: write MEANING=HEADING, such as input=Question\n",
    )
