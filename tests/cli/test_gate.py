"""`toolgauge gate`, `baseline` and `diagnose` as they are called."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from xml.etree.ElementTree import fromstring

import pytest

from .running import toolgauge

SUITE = """\
name: sample
tools: [{name: look}]
cases:
  - {id: a, input: one, labels: {difficulty: easy}, expect: {calls: [{tool: look, args: {city: Huế}}]}}
  - {id: b, input: two, labels: {difficulty: hard}, expect: {calls: [{tool: look, args: {city: Vinh}}]}}
"""
RIGHT = [
    {"case": "a", "calls": [{"tool": "look", "args": {"city": "Huế"}}], "output": "x"},
    {"case": "b", "calls": [{"tool": "look", "args": {"city": "Vinh"}}], "output": "x"},
]
WRONG = [RIGHT[0], {"case": "b", "calls": [], "output": "the code is hunter2-hunter2"}]
HALF = [RIGHT[0]]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite, and three runs of it: as traces, as run files, and in a store."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "suite.yaml").write_text(SUITE, encoding="utf-8")
    for name, lines in (("right", RIGHT), ("wrong", WRONG), ("half", HALF)):
        written = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(written, encoding="utf-8")
        kept = ("--run-file", f"{name}.run.jsonl", "--save", name)
        done = toolgauge("score", "suite.yaml", f"agent={name}.jsonl", *kept, cwd=folder)
        assert done.returncode in (0, 3), done.stderr
    return folder


@pytest.fixture
def place(prepared: Path, tmp_path: Path) -> Path:
    return Path(copytree(prepared, tmp_path / "work"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["right.run.jsonl"], 0),
        (["right"], 0),
        (["right.jsonl", "--suite", "suite.yaml"], 0),
        (["wrong.run.jsonl"], 1),
        (["wrong"], 1),
        (["agent=wrong.jsonl", "--suite", "suite.yaml"], 1),
        (["wrong", "--min-pass-rate", "50%"], 0),
        (["wrong", "--min-pass-rate", "0.5", "--min", "f1[difficulty=hard]=0.5"], 1),
        (["wrong", "--min-pass-rate", "0.5", "--must-pass", "b"], 1),
        (["half", "--min-pass-rate", "0.5"], 3),
        (["half"], 1),
        (["right", "--baseline", "right.run.jsonl"], 0),
        (["right", "--baseline", "right.run.jsonl", "--strict"], 4),
        (["right", "--baseline", "right.run.jsonl", "--max-drop", "0.7", "--strict"], 0),
        (["right", "--min", "f2=1"], 2),
        (["right", "--min-pass-rate", "ninety"], 2),
        (["right", "wrong"], 2),
        (["missing.run.jsonl"], 2),
        (["right", "--max-drop", "0.1"], 2),
        (["right", "--max-drop", "5", "--baseline", "right.run.jsonl"], 2),
        (["right", "--min", "f1=0.9", "--min", "f1=0.1"], 2),
        (["right.jsonl"], 2),
        (["wrong", "--min-pass-rate", "0", "--min", "f1=0.66"], 0),
        (["wrong", "--min-pass-rate", "0", "--min", "f1=0.67"], 1),
        (["wrong", "--min-pass-rate", "0", "--min", "pass_rate[difficulty=easy]=100%"], 0),
        (["wrong", "--min-pass-rate", "0.5", "--strict"], 0),
        (["half", "--min-pass-rate", "0.5", "--strict"], 3),
        (["right", "--baseline"], 2),
        (["right", "--junit", "right.jsonl", "--summary", "right.jsonl"], 2),
        (["right.run.jsonl", "--junit", "right.run.jsonl"], 2),
        (["right", "--junit", "no/such/place.xml"], 3),
        (["right", "--min", "f1[difficulty=none]=1"], 5),
        (["right", "--agent", "nobody"], 5),
        (["right", "--must-pass", "z"], 5),
    ],
)
def test_the_gate_ends_as_it_should(place: Path, arguments: list[str], code: int) -> None:
    done = toolgauge("gate", *arguments, cwd=place)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    if code in (2, 5):
        assert done.stderr.startswith("Error: ")
        assert len(done.stderr.splitlines()) <= 5
        assert done.stdout == ""


def test_traces_without_their_suite_are_told_from_other_files(place: Path) -> None:
    for command in ("gate", "diagnose"):
        assert "or name the suite of traces with --suite" in toolgauge(command, "right.jsonl", cwd=place).stderr
        assert "--suite" not in toolgauge(command, "nowhere.jsonl", cwd=place).stderr


def test_one_command_writes_all_reports(place: Path) -> None:
    summary = place / "step.md"
    summary.write_text("# before\n", encoding="utf-8")
    done = toolgauge(
        *("gate", "wrong", "--format", "github", "--junit", "junit.xml", "--summary", "pull.md"),
        cwd=place,
        GITHUB_STEP_SUMMARY=str(summary),
    )
    assert done.returncode == 1
    assert (
        '::error file=suite.yaml,line=5,title=b (agent)::look(city="Vinh") was expected but not called' in done.stdout
    )
    root = fromstring((place / "junit.xml").read_text(encoding="utf-8"))  # noqa: S314 - our own
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["a", "b"]
    pull = (place / "pull.md").read_text(encoding="utf-8")
    assert pull.startswith("# ✗ Gate failed: sample\n")
    assert summary.read_text(encoding="utf-8") == f"# before\n{pull}\n"


@pytest.mark.parametrize("format", ["text", "md", "json", "junit", "github"])
def test_the_result_goes_where_it_is_asked_to(place: Path, format: str) -> None:  # noqa: A002 - the option
    printed = toolgauge("gate", "right", "--format", format, "--lang", "vi", cwd=place)
    written = toolgauge("gate", "right", "--format", format, "--lang", "vi", "-o", "out", cwd=place)
    assert (printed.returncode, written.returncode, written.stdout) == (0, 0, "")
    text = (place / "out").read_text(encoding="utf-8")
    if format == "github":
        text, printed.stdout = (shown.split("\n", 1)[1].split("::notice")[1] for shown in (text, printed.stdout))
    assert text == printed.stdout


def test_the_step_summary_is_left_alone_in_other_formats(place: Path) -> None:
    assert toolgauge("gate", "right", cwd=place, GITHUB_STEP_SUMMARY=str(place / "step.md")).returncode == 0
    assert not (place / "step.md").exists()


@pytest.mark.parametrize("format", ["text", "md", "json", "junit", "github"])
def test_credentials_of_the_environment_are_not_written(place: Path, format: str) -> None:  # noqa: A002
    line = {"case": "a", "calls": [{"tool": "look", "args": {"city": "key hunter2-hunter2"}}], "output": "x"}
    fails = {"case": "b", "state": "error", "calls": [], "error": "401 for hunter2-hunter2"}
    written = json.dumps(line) + "\n" + json.dumps(fails) + "\n"
    (place / "leak.jsonl").write_text(written, encoding="utf-8")
    done = toolgauge(
        *("gate", "leak.jsonl", "--suite", "suite.yaml", "--format", format),
        cwd=place,
        SERVICE_API_KEY="hunter2-hunter2",
    )
    assert done.returncode == 1
    assert "hunter2" not in done.stdout
    assert "redacted" in done.stdout


def test_credentials_are_not_written_by_the_diagnosis(place: Path) -> None:
    line = {"case": "a", "calls": [{"tool": "look", "args": {"city": "key hunter2-hunter2"}}], "output": "x"}
    (place / "leak.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    for name in ("text", "md", "json"):
        done = toolgauge(
            *("diagnose", "leak.jsonl", "--suite", "suite.yaml", "--format", name),
            cwd=place,
            SERVICE_API_KEY="hunter2-hunter2",
        )
        assert done.returncode == 0, done.stderr
        assert "hunter2" not in done.stdout
        assert "redacted" in done.stdout


def test_a_baseline_is_set_shown_and_used(place: Path) -> None:
    assert toolgauge("baseline", "show", cwd=place).stdout.startswith("There are no baselines yet")
    done = toolgauge("baseline", "set", "right", cwd=place)
    assert done.returncode == 0
    assert done.stdout.startswith("sample: run ")
    assert "2 of 2 passed" in done.stdout
    assert toolgauge("baseline", "show", cwd=place).stdout.startswith("sample: run ")
    gated = toolgauge("gate", "wrong", "--min-pass-rate", "0", "--baseline", "--format", "json", cwd=place)
    verdict = json.loads(gated.stdout)
    assert (verdict["ruling"], verdict["baseline"]) == ("inconclusive", "right")
    assert verdict["checks"][-1]["cases"] == ["b"]
    # Another one by name, in place of a run.
    assert toolgauge("baseline", "set", "wrong", "--name", "main", cwd=place).returncode == 0
    gated = toolgauge("gate", "wrong", "--min-pass-rate", "0", "--format", "json", "--baseline", "main", cwd=place)
    assert json.loads(gated.stdout)["checks"][-1]["cases"] == []
    listed = json.loads(toolgauge("baseline", "show", "--format", "json", cwd=place).stdout)
    assert [(one["name"], one["run_name"], one["passed"]) for one in listed] == [
        ("main", "wrong", 1),
        ("sample", "right", 2),
    ]


def test_a_baseline_that_is_deleted_is_one_no_more(place: Path) -> None:
    toolgauge("baseline", "set", "right", cwd=place)
    assert toolgauge("runs", "delete", "right", "--yes", cwd=place).returncode == 0
    done = toolgauge("gate", "wrong", "--baseline", cwd=place)
    assert done.returncode == 2
    assert "there is no baseline for suite 'sample'; name one with toolgauge baseline set RUN" in done.stderr


def test_what_is_no_baseline_is_refused(place: Path) -> None:
    assert toolgauge("baseline", "set", "nothing", cwd=place).returncode == 2
    assert toolgauge("baseline", "show", "--name", "nothing", cwd=place).returncode == 5
    assert toolgauge("baseline", "set", "right", "--name", " ", cwd=place).returncode == 2


def test_a_baseline_of_another_suite_is_refused_unless_forced(place: Path) -> None:
    changed = SUITE.replace("city: Vinh", "city: Hà Nội")
    (place / "other.yaml").write_text(changed, encoding="utf-8")
    toolgauge("score", "other.yaml", "agent=right.jsonl", "--run-file", "other.run.jsonl", cwd=place)
    done = toolgauge("gate", "right", "--baseline", "other.run.jsonl", cwd=place)
    assert done.returncode == 2
    assert "cases changed: b; --force compares them anyway" in done.stderr
    assert toolgauge("gate", "right", "--baseline", "other.run.jsonl", "--force", cwd=place).returncode == 0


def test_the_diagnosis_is_had_from_runs_and_traces(place: Path) -> None:
    for arguments in (["wrong"], ["wrong.run.jsonl"], ["agent=wrong.jsonl", "--suite", "suite.yaml"]):
        done = toolgauge("diagnose", *arguments, cwd=place)
        assert done.returncode == 0, done.stderr
        assert "1. look is not called" in done.stdout
    shown = toolgauge("diagnose", "wrong", "--lang", "vi", "--format", "md", cwd=place).stdout
    assert "không gọi look" in shown
    assert "\n### " in shown
    pattern = json.loads(toolgauge("diagnose", "wrong", "--format", "json", cwd=place).stdout)["patterns"][0]
    assert (pattern["kind"], pattern["tool"], pattern["share"]) == ("missing_call", "look", 1.0)


def test_the_diagnosis_refuses_what_it_cannot_do(place: Path) -> None:
    assert toolgauge("diagnose", "wrong", "--by", "nothing", cwd=place).returncode == 5
    assert toolgauge("diagnose", "nothing", cwd=place).returncode == 2
    assert toolgauge("diagnose", "wrong.run.jsonl", "-o", "wrong.run.jsonl", cwd=place).returncode == 2
