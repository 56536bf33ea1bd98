"""`toolgauge lint` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ...cli.running import toolgauge

ROOT = Path(__file__).parent.parent.parent.parent

FAULTY = """\
name: faulty
tools:
  - {name: get_weather, input_schema: {type: object, properties: {days: {type: integer, maximum: 7}}}}
  - {name: idle}
cases:
  - id: one
    input: On 03/04/2025?
    expect:
      calls:
        - tool: get_wether
        - tool: get_weather
          args:
            days: 9
  - {id: One, expect: {calls: []}}
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "suite.yaml").write_text(FAULTY, encoding="utf-8")
    return tmp_path


def test_the_list_is_grouped_by_severity_with_places(place: Path) -> None:
    done = toolgauge("lint", "suite.yaml", cwd=place)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.splitlines() == [
        "Errors",
        "  suite.yaml:10: one expect.calls[0].tool [unknown_tool]",
        "    there is no tool get_wether; did you mean get_weather?",
        "  suite.yaml:13: one expect.calls[1].args.days [impossible_value]",
        '    9 can never be a valid days of get_weather, which allows {"type": "integer",',
        '    "maximum": 7}',
        "",
        "Warnings",
        "  suite.yaml:7: one input [ambiguous_date]",
        "    03/04/2025 can be 2025-03-04, 2025-04-03, and the case has no locale",
        "  suite.yaml:14: One id [look_alike_ids]",
        "    the id One looks like one",
        "",
        "Hints",
        "  suite.yaml:4: tools[1] [unused_tool]",
        "    no case expects the tool idle",
        "",
        "suite.yaml: 2 errors, 2 warnings, 1 hint",
    ]


def test_vietnamese_json_markdown_and_a_file(place: Path) -> None:
    spoken = toolgauge("lint", "suite.yaml", "--lang", "vi", cwd=place).stdout
    assert "không có công cụ get_wether; có phải ý bạn là get_weather?" in spoken
    assert spoken.endswith("suite.yaml: 2 lỗi, 2 cảnh báo, 1 gợi ý\n")
    kept = toolgauge("lint", "suite.yaml", "--format", "json", "-o", "out.json", cwd=place)
    assert (kept.returncode, kept.stdout) == (2, "")
    document = json.loads((place / "out.json").read_text(encoding="utf-8"))
    assert document["schema"] == "toolgauge.lint/1"
    assert document["counts"] == {"error": 2, "warning": 2, "hint": 1}
    assert document["findings"][0] == {
        "kind": "unknown_tool",
        "severity": "error",
        "case": "one",
        "path": "expect.calls[0].tool",
        "line": 10,
        "message": "there is no tool get_wether; did you mean get_weather?",
        "values": {"tool": "get_wether", "near": "get_weather"},
    }
    drawn = toolgauge("lint", "suite.yaml", "--format", "md", cwd=place).stdout
    assert drawn.startswith("## Errors\n\n- **one** expect.calls\\[0].tool: there is no tool get_wether;")


def test_lines_are_found_in_every_format(tmp_path: Path) -> None:
    cases = [{"id": "a", "input": "x"}, {"id": "b", "input": "Am 03/04/2025?"}]
    texts = {
        "s.jsonl": "\n".join(map(json.dumps, cases)),
        "s.json": json.dumps({"cases": cases}, indent=0),
        "one.json": json.dumps(cases[1]),
        "s.csv": 'id,input\na,"x\ny"\nb,Am 03/04/2025?\n',
    }
    for name, line in (("s.jsonl", 2), ("s.json", 9), ("one.json", 1), ("s.csv", 4)):
        (tmp_path / name).write_text(texts[name], encoding="utf-8")
        done = toolgauge("lint", name, cwd=tmp_path)
        assert f"{name}:{line}: b input [ambiguous_date]" in done.stdout
        assert done.returncode == 0


def test_warnings_and_hints_do_not_matter_to_the_exit_code_and_a_clean_suite_says_so(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("cases: [{id: a, expect: {calls: [{tool: t}]}}]\n", encoding="utf-8")
    done = toolgauge("lint", "s.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "s.yaml: no findings\n")
    empty = json.loads(toolgauge("lint", "s.yaml", "--format", "json", cwd=tmp_path).stdout)
    assert empty["findings"] == []


@pytest.mark.parametrize("name", ["src/toolgauge/cli/starter/en", "src/toolgauge/cli/starter/vi", "examples/demo"])
def test_the_suites_that_come_with_toolgauge_have_no_errors_and_no_warnings(name: str) -> None:
    done = toolgauge("lint", ROOT / name / "suite.yaml", "--format", "json")
    counts = json.loads(done.stdout)["counts"]
    assert (done.returncode, counts["error"], counts["warning"]) == (0, 0, 0)


def test_runs_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(
        "cases:\n  - {id: a, expect: {calls: [{tool: x}]}}\n  - {id: b, expect: {calls: [{tool: x}]}}\n",
        encoding="utf-8",
    )
    for agent in ("one", "two"):
        lines = [
            f'{{"case":"a","agent":"{agent}","calls":[{{"tool":"x"}}]}}',
            f'{{"case":"b","agent":"{agent}","calls":[]}}',
        ]
        (tmp_path / f"{agent}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        options = ("--format", "run", "-o", f"{agent}.run")
        assert toolgauge("score", "s.yaml", f"{agent}.jsonl", *options, cwd=tmp_path).returncode == 0
    for between in ((), ("--runs",)):
        done = toolgauge("lint", "s.yaml", "--runs", "one.run", *between, "two.run", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        said = "one, two: all of these strong agents leave out x; perhaps the expectation is wrong"
        assert said in " ".join(done.stdout.split())
        assert max(map(len, done.stdout.splitlines())) <= 80
    missing = toolgauge("lint", "s.yaml", "--runs", "none.run", cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (2, "")
    stray = toolgauge("lint", "s.yaml", "one.run", cwd=tmp_path)
    assert stray.returncode == 2
    assert "put --runs before run files" in stray.stderr


def test_a_suite_that_does_not_load_or_is_empty_ends_as_in_other_commands(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("cases: [{id: a, expct: {}}]\n", encoding="utf-8")
    (tmp_path / "empty.yaml").write_text("cases: []\n", encoding="utf-8")
    bad = toolgauge("lint", "bad.yaml", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "Error: bad.yaml:1:17: 'expct' is not a known key, at cases[0].expct; did you mean 'expect'?\n"
    assert toolgauge("lint", "empty.yaml", cwd=tmp_path).returncode == 5


def test_code_that_a_suite_names_is_never_imported(tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text("open('sprung', 'w')\n", encoding="utf-8")
    (tmp_path / "s.yaml").write_text("tools: ['trap:tools']\ncases: [{id: a}]\n", encoding="utf-8")
    assert toolgauge("lint", "s.yaml", cwd=tmp_path).returncode == 2
    assert not (tmp_path / "sprung").exists()


def test_what_a_suite_holds_cannot_harm_a_terminal_or_markdown(tmp_path: Path) -> None:
    suite = 'tools: [{name: t}]\ncases: [{id: "a\\e[31m", expect: {calls: [{tool: "<b>*x*\\u202e"}]}}]\n'
    (tmp_path / "s.yaml").write_text(suite, encoding="utf-8")
    for form in ("text", "md"):
        shown = toolgauge("lint", "s.yaml", "--format", form, cwd=tmp_path).stdout
        assert "unknown" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert "&lt;b&gt;\\*x\\*" in shown
