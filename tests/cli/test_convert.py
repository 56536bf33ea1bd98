"""`toolgauge convert`, and how `score` reads what other tools recorded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installing import install, python_path
from toolgauge.traces.formats import BUILT_IN

from .running import toolgauge

SUITE = """
name: weather
tools: [{name: get_weather}]
cases:
  - {id: hanoi, input: How warm is it in Hanoi?, labels: {ticket: "7"}, expect: {calls: [{tool: get_weather}]}}
  - {id: hue, input: Ở Huế nóng không?, labels: {ticket: "8"}, expect: {calls: [{tool: get_weather}], forbid: [rm_rf]}}
"""


def conversation(question: str, tool: str, result: str, **more: object) -> str:
    call = {"id": "c1", "type": "function", "function": {"name": tool, "arguments": '{"city": "x"}'}}
    messages = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
        {"role": "assistant", "content": "31."},
    ]
    return json.dumps({"messages": messages, **more}) + "\n"


HANOI = conversation("How warm is it in Hanoi?", "functions.get_weather", '{"c": 31}')
HUE = conversation(" Ở Huế nóng không?\n", "mcp__w__get-weather", "boom: no")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "log.jsonl").write_text(HANOI + HUE, encoding="utf-8")
    return tmp_path


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_traces_of_another_tool_become_native_lines(place: Path) -> None:
    done = toolgauge("convert", "log.jsonl", cwd=place)
    assert (done.returncode, done.stderr) == (
        0,
        "Note: read 2 trajectories with 2 calls as OpenAI chat messages\n",
    )
    first, second = lines(done.stdout)
    assert first == {
        "calls": [
            {
                "tool": "get_weather",
                "args": {"city": "x"},
                "id": "c1",
                "turn": 1,
                "result": {"c": 31},
                "original": "functions.get_weather",
            }
        ],
        "output": "31.",
        "input": "How warm is it in Hanoi?",
    }
    assert second["input"] == " Ở Huế nóng không?\n"


def test_native_traces_stay_what_they_are(place: Path) -> None:
    toolgauge("convert", "log.jsonl", "-o", "once.jsonl", cwd=place)
    done = toolgauge("convert", "once.jsonl", "-o", "twice.jsonl", cwd=place)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Note: read 2 trajectories in a format of toolgauge itself\n"
    assert (place / "twice.jsonl").read_bytes() == (place / "once.jsonl").read_bytes()


def test_an_agent_that_did_nothing_can_be_read_again(place: Path) -> None:
    (place / "idle.jsonl").write_text('{"case":"hanoi","calls":[]}\n{"case":"hue","calls":[]}\n', encoding="utf-8")
    done = toolgauge("convert", "idle.jsonl", "-o", "again.jsonl", cwd=place)
    assert done.returncode == 0
    assert toolgauge("score", "suite.yaml", "again.jsonl", cwd=place).returncode == 0


def test_a_suite_gives_names_of_tools_and_ids_of_cases(place: Path) -> None:
    with (place / "log.jsonl").open("a", encoding="utf-8") as log:
        log.write(conversation("Something else?", "rm.rf", "ok"))
    done = toolgauge("convert", "log.jsonl", "--suite", "suite.yaml", cwd=place)
    assert done.returncode == 0
    assert done.stderr == (
        "Note: read 3 trajectories with 3 calls as OpenAI chat messages\n"
        "Note: 1 trajectory belongs to no case of the suite: 'Something else?'\n"
    )
    assert [(line.get("case"), line["calls"][0]["tool"]) for line in lines(done.stdout)] == [  # type: ignore[index]  # JSON
        ("hanoi", "get_weather"),
        ("hue", "get_weather"),
        (None, "rm_rf"),
    ]


def test_patterns_of_ones_own_say_what_a_failure_is(place: Path) -> None:
    for command in (["convert"], ["score", "suite.yaml"]):
        bad = toolgauge(*command, "log.jsonl", "--error-pattern", "(", cwd=place)
        assert (bad.returncode, bad.stdout) == (2, "")
        assert "the error pattern '(' is not a regular expression" in bad.stderr
    done = toolgauge("convert", "log.jsonl", "--error-pattern", "^boom", "--error-pattern", "^bang", cwd=place)
    assert [line["calls"][0].get("error") for line in lines(done.stdout)] == [None, "boom: no"]  # type: ignore[index]  # JSON
    scored = toolgauge(
        "score", "suite.yaml", "log.jsonl", "--error-pattern", "^boom", "--format", "json", "--details", cwd=place
    )
    kinds = [[issue["kind"] for issue in case["issues"]] for case in json.loads(scored.stdout)["cases"]]
    assert kinds == [[], ["tool_error", "unrecovered_error"]]


def test_what_could_not_be_used_is_told_and_the_rest_is_written(place: Path) -> None:
    (place / "log.jsonl").write_text(HANOI + "{broken\n" + '{"odd": 1}\n' + HUE, encoding="utf-8")
    done = toolgauge("convert", "log.jsonl", "-o", "out.jsonl", cwd=place)
    assert done.returncode == 0
    assert "Note: a record is left out because it is not JSON" in done.stderr
    assert "Note: a record is left out because its format is not known (in line 3)\n" in done.stderr
    assert len((place / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_what_is_nested_deep_in_a_text_can_be_read_again(place: Path) -> None:
    deep = [conversation("q", "t", "[" * depth + "]" * depth) for depth in (100, 198, 300, 5_000)]
    (place / "log.jsonl").write_text("".join(deep), encoding="utf-8")
    assert toolgauge("convert", "log.jsonl", "-o", "once.jsonl", cwd=place).returncode == 0
    done = toolgauge("convert", "once.jsonl", cwd=place)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (place / "once.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", 5),
        ('{"eval":{"model":"m"},"version":2}\n', 5),
        ("case,tools\n", 5),
        ("just words", 2),
        ('{"case": 1}\n{"case": 2}\n', 2),
    ],
)
def test_nothing_and_nonsense_end_with_their_codes_and_leave_the_file_alone(
    place: Path, content: str, code: int
) -> None:
    (place / "log.jsonl").write_text(content, encoding="utf-8")
    (place / "out.jsonl").write_text("before", encoding="utf-8")
    done = toolgauge("convert", "log.jsonl", "-o", "out.jsonl", cwd=place)
    assert (done.returncode, done.stdout) == (code, ""), done.stderr
    assert "Error: " in done.stderr
    assert "Traceback" not in done.stderr
    assert (place / "out.jsonl").read_text(encoding="utf-8") == "before"
    assert not list(place.glob("*.tmp"))


def test_what_is_read_is_not_written_over(place: Path) -> None:
    for target in ("log.jsonl", "suite.yaml"):
        done = toolgauge("convert", "log.jsonl", "--suite", "suite.yaml", "-o", target, cwd=place)
        assert done.returncode == 2
        assert "is an input and cannot be overwritten" in done.stderr


def test_files_that_name_no_agent_are_told_apart(place: Path) -> None:
    (place / "other.jsonl").write_text(HANOI, encoding="utf-8")
    done = toolgauge("convert", "log.jsonl", "other.jsonl", cwd=place)
    assert [line["agent"] for line in lines(done.stdout)] == ["log", "log", "other"]


def test_a_trajectory_without_a_name_gets_one(place: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a", "arguments": {}}}
    (place / "session.jsonl").write_text(json.dumps(call) + "\n", encoding="utf-8")
    done = toolgauge("convert", "session.jsonl", cwd=place)
    assert [line["case"] for line in lines(done.stdout)] == ["session-1"]
    assert "Note: a trajectory names neither a case nor a question; it gets the id session-1, and so on" in done.stderr


@pytest.mark.parametrize("command", [["convert"], ["score", "suite.yaml"]])
def test_formats_are_listed_where_one_is_misspelt(place: Path, command: list[str]) -> None:
    done = toolgauge(*command, "log.jsonl", "--input-format", "openai-chats", cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean 'openai-chat'?" in done.stderr
    assert all(name in done.stderr for name in ("yaml", "csv", *BUILT_IN))
    helped = "".join(toolgauge(command[0], "--help").stdout.split())
    assert all(name in helped for name in BUILT_IN)
    assert toolgauge(*command, "log.jsonl", "--input-format", "openai-chat", cwd=place).returncode == 0


def passed(place: Path, *options: str) -> tuple[int, str, list[tuple[str, str]]]:
    done = toolgauge("score", "suite.yaml", "log.jsonl", "--format", "json", "--details", *options, cwd=place)
    cases = json.loads(done.stdout)["cases"] if done.stdout else []
    return done.returncode, done.stderr, [(case["id"], case["state"]) for case in cases]


def test_a_key_beside_the_messages_names_the_case(place: Path) -> None:
    (place / "log.jsonl").write_text(
        conversation("why?", "get_weather", "1", ticket=8, user="hue")
        + conversation("who?", "get_weather", "1", ticket=7, user="hanoi"),
        encoding="utf-8",
    )
    for key in ("ticket", "user"):
        code, _, cases = passed(place, "--join", key)
        assert (code, cases) == (0, [("hue", "completed"), ("hanoi", "completed")])


def test_cases_are_found_by_what_join_names(place: Path) -> None:
    both = [("hanoi", "completed"), ("hue", "completed")]
    swapped = [("hue", "completed"), ("hanoi", "completed")]
    none = [("hanoi", "not_run"), ("hue", "not_run")]
    (place / "log.jsonl").write_text(
        conversation(
            "How warm is it in Hanoi?", "get_weather", "1", id="hue", metadata={"ticket": 8, "a": {"b": "hue"}}
        )
        + conversation(
            "Ở Huế nóng không?", "get_weather", "1", id="hanoi", metadata={"ticket": "7", "a": {"b": "hanoi"}}
        ),
        encoding="utf-8",
    )
    for options, expected in (
        ([], both),
        (["--join", "id"], swapped),
        (["--join", "input"], both),
        (["--join", "ticket"], swapped),
        (["--join", "meta.a.b"], swapped),
    ):
        code, _, cases = passed(place, *options)
        assert (code, cases) == (0, expected), options
    code, told, cases = passed(place, "--join", "nowhere")
    assert (code, cases) == (3, none)
    assert "a trajectory has no 'nowhere' in its metadata, which should identify its case (2 times)" in told
    assert "2 trajectories belong to no case of the suite: 'How warm is it in Hanoi?', 'Ở Huế nóng không?'" in told
    assert "log: 2 cases were not run: hanoi, hue" in told


def test_what_join_leaves_out_is_told_on_both_sides(place: Path) -> None:
    code, told, cases = passed(place, "--join", "id")
    assert (code, cases) == (3, [("hanoi", "not_run"), ("hue", "not_run")])
    assert "2 trajectories belong to no case of the suite" in told
    assert "2 cases were not run: hanoi, hue" in told


def test_records_of_other_tools_are_not_shared_out(place: Path) -> None:
    (place / "log.jsonl").write_text((HANOI + HUE) * 6_000, encoding="utf-8")
    assert (place / "log.jsonl").stat().st_size > 3 * 1024 * 1024
    one = toolgauge("score", "suite.yaml", "log.jsonl", "--format", "json", cwd=place)
    two = toolgauge("score", "suite.yaml", "log.jsonl", "--format", "json", "--jobs", "2", cwd=place)
    assert (two.returncode, two.stderr) == (one.returncode, one.stderr) == (0, one.stderr)
    assert json.loads(one.stdout)["rows"] == json.loads(two.stdout)["rows"]
    assert "read 12,000 trajectories with 12,000 calls as OpenAI chat messages" in two.stderr


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place where a package with readers is installed."""
    return install("toolgauge_diary", tmp_path_factory.mktemp("installed"))


def test_a_reader_of_another_package_is_found_by_content_and_by_name(place: Path, plugin: Path) -> None:
    page = {
        "dear_diary": "hanoi",
        "entries": [{"used": "get_weather", "with": {"city": "x"}, "got": 31}],
        "moral": "hot",
    }
    (place / "diary.jsonl").write_text(f"{json.dumps(page)}\n{json.dumps(page)}\n", encoding="utf-8")
    for options in ([], ["--input-format", "diary"]):
        done = toolgauge("convert", "diary.jsonl", *options, cwd=place, PYTHONPATH=python_path(plugin))
        assert (done.returncode, done.stderr) == (0, "Note: read 2 trajectories with 2 calls as diaries\n")
        assert lines(done.stdout)[0] == {
            "case": "hanoi",
            "calls": [{"tool": "get_weather", "args": {"city": "x"}, "turn": 1, "result": 31}],
            "output": "hot",
        }
    unknown = toolgauge(
        "convert", "diary.jsonl", "--input-format", "diaries", cwd=place, PYTHONPATH=python_path(plugin)
    )
    assert "Did you mean 'diary'?" in unknown.stderr
    assert toolgauge("convert", "diary.jsonl", "--input-format", "diary", cwd=place).returncode == 2


def test_a_reader_of_another_package_that_fails_is_named(place: Path, plugin: Path) -> None:
    (place / "diary.jsonl").write_text('{"dear_trouble": 1}\n' * 2, encoding="utf-8")
    done = toolgauge("convert", "diary.jsonl", cwd=place, PYTHONPATH=python_path(plugin))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: the reader for clumsy diaries failed in line 1: KeyError: 'entries'\n"


def test_whoever_has_seen_enough_may_close_the_pipe(place: Path) -> None:
    (place / "log.jsonl").write_text((HANOI + HUE) * 2_000, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "toolgauge", "convert", "log.jsonl"],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0
