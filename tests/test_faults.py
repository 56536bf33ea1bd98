"""Faults of inputs and of numbers, as a person at the keyboard meets them: by what the command says and how it ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.cli.running import toolgauge
from toolgauge import api
from toolgauge.core import Case, Expect, ExpectedCall, Suite, Trajectory, suite_hash
from toolgauge.store import RunFile
from toolgauge.suites import load_suite

SUITE = """\
name: small
cases:
  - {id: one, expect: {calls: [{tool: t}]}}
  - {id: two, expect: {calls: []}}
"""


def write(folder: Path, suite: str, traces: str = '{"case": "one", "calls": []}\n') -> list[str]:
    """A suite and traces in files; the arguments that score them."""
    (folder / "suite.yaml").write_text(suite, encoding="utf-8")
    (folder / "traces.jsonl").write_text(traces, encoding="utf-8")
    return ["score", "suite.yaml", "traces.jsonl"]


def row_of(folder: Path, traces: str, suite: str = SUITE) -> tuple[int, dict[str, dict[str, float | None]]]:
    """How the command ends, and the metrics of all cases."""
    done = toolgauge(*write(folder, suite, traces), "--format", "json", cwd=folder)
    assert "NaN" not in done.stdout
    rows = [row for row in json.loads(done.stdout)["rows"] if not row["group"]]
    return done.returncode, rows[0]["metrics"]


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        ("cases:\n\t- id: one\n", "suite.yaml:2:1: a tab where YAML needs spaces; indent with spaces"),
        (
            "name: a\ncases: []\nname: b\n",
            "suite.yaml:3:1: duplicate key 'name'; the first is in line 1; keep one of them",
        ),
        (
            "cases:\n  - !!python/object/apply:os.system [echo]\n",
            "suite.yaml:2:5: the tag '!!python/object/apply:os.system' is not allowed; leave it out",
        ),
    ],
)
def test_f4_a_tab_a_repeated_key_and_a_python_tag_are_refused_with_their_line(
    tmp_path: Path, suite: str, message: str
) -> None:
    done = toolgauge(*write(tmp_path, suite), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"Error: {message}\n")


def test_f4_words_that_yaml_takes_for_something_else_stay_words(tmp_path: Path) -> None:
    suite = "cases:\n  - {id: 1e3, input: no, labels: {difficulty: on}, expect: {calls: [], contains: [0777]}}\n"
    write(tmp_path, suite)
    (case,) = load_suite(tmp_path / "suite.yaml").cases
    assert (case.id, case.input, case.labels, case.expect.contains) == ("1e3", "no", {"difficulty": "on"}, ("0777",))


def test_f6_wrong_types_missing_and_misspelt_keys_are_told_together(tmp_path: Path) -> None:
    suite = "cases:\n  - {id: one, inptu: x}\n  - {input: x}\n  - {id: two, expect: {calls: [{tool: t, times: x}]}}\n"
    done = toolgauge(*write(tmp_path, suite), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "Error: suite.yaml:2:15: 'inptu' is not a known key, at cases[0].inptu; did you mean 'input'?",
        "suite.yaml:3:5: the key 'id' is missing, at cases[1]",
        "suite.yaml:4:49: expected an object or a whole number, found the string 'x', "
        "at cases[2].expect.calls[0].times",
    ]


def test_f8_an_invalid_tool_schema_is_refused_with_its_place(tmp_path: Path) -> None:
    suite = "tools:\n  - {name: t, input_schema: {type: strin}}\ncases:\n  - {id: one, expect: {calls: [{tool: t}]}}\n"
    done = toolgauge(*write(tmp_path, suite), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: suite.yaml:2:")
    assert "not a JSON schema" in done.stderr
    assert "tools[0].input_schema" in done.stderr


def test_f8_an_expected_tool_that_is_not_among_the_tools_is_an_error_of_the_suite(tmp_path: Path) -> None:
    write(tmp_path, "tools: [{name: search_web}]\ncases:\n  - {id: one, expect: {calls: [{tool: serch_web}]}}\n")
    done = toolgauge("lint", "suite.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert "suite.yaml:3: one expect.calls[0].tool [unknown_tool]" in done.stdout
    assert "there is no tool serch_web; did you mean search_web?" in done.stdout


def test_f9_an_empty_suite_empty_traces_and_a_label_without_cases_are_nothing_to_do(tmp_path: Path) -> None:
    for suite, traces, more, message in (
        ("cases: []\n", "", [], "suite.yaml: there are no cases in this suite"),
        (SUITE, "\n", [], "traces.jsonl: there are no trajectories in this file"),
        (SUITE, '{"case": "one", "calls": []}', ["--by", "level"], "no case of suite 'small' has the label 'level'"),
    ):
        done = toolgauge(*write(tmp_path, suite, traces), *more, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (5, "")
        assert message in done.stderr


@pytest.mark.parametrize("meanwhile", ["changed", "removed"])
def test_f11_a_suite_that_changes_during_the_run_counts_as_it_was(tmp_path: Path, meanwhile: str) -> None:
    write(tmp_path, SUITE)
    path = tmp_path / "suite.yaml"
    before = load_suite(path)

    def traces() -> Iterator[Trajectory]:
        yield Trajectory("one", "agent", 1, calls=())
        path.unlink() if meanwhile == "removed" else path.write_text("cases: [{id: other}]")
        yield Trajectory("two", "agent", 1, calls=())

    run = api.score(path, traces())
    assert run.header.suite == before
    assert run.header.suite_hash == suite_hash(before)
    assert (run.summary.counts.planned, run.summary.counts.not_run) == (2, 0)


def test_f11_the_hash_stands_in_the_run_file_and_does_not_depend_on_how_the_suite_is_written(tmp_path: Path) -> None:
    write(tmp_path, SUITE)
    suite = load_suite(tmp_path / "suite.yaml")
    (tmp_path / "suite.json").write_bytes(msgspec.json.format(msgspec.json.encode(suite)))
    for name in ("suite.yaml", "suite.json"):
        toolgauge("score", name, "traces.jsonl", "--format", "run", "-o", "out.run", cwd=tmp_path)
        found = RunFile(tmp_path / "out.run").header.suite_hash
        assert found == hashlib.sha256(msgspec.json.encode(suite, order="sorted")).hexdigest()
    other = msgspec.structs.replace(suite, cases=suite.cases[:1])
    assert suite_hash(other) != suite_hash(suite)


def test_f11_a_suite_with_half_a_character_has_a_hash_of_its_own() -> None:
    suites = [Suite("small", (Case("one", text),)) for text in ("\ud800", "\udfff", "?", "")]
    assert len({suite_hash(suite) for suite in suites}) == len(suites)
    # No file can hold it, so it is kept as the text of its escape, and is the same as that.
    assert suite_hash(Suite("small", (Case("one", "\\ud800"),))) == suite_hash(suites[0])
    run = api.score(suites[0], [Trajectory("one", "agent", 1, output="\ud800")])
    assert run.header.suite_hash == suite_hash(suites[0])


def test_f11_a_rule_that_is_python_code_counts_by_its_name() -> None:
    def suite(rule: object) -> Suite:
        return Suite("s", (Case("a", expect=Expect((ExpectedCall("t", {"x": rule}),))),))  # type: ignore[dict-item]  # a callable

    assert suite_hash(suite(str.isupper)) == suite_hash(suite(str.isupper)) != suite_hash(suite(str.islower))


def test_g1_without_cases_there_is_no_report_and_no_success(tmp_path: Path) -> None:
    done = toolgauge(*write(tmp_path, "cases: []\n"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (5, "")


def test_g1_only_errors_are_none_of_the_planned_and_no_rate_over_the_scored(tmp_path: Path) -> None:
    lines = "".join(f'{{"case": "{name}", "error": "boom", "calls": []}}\n' for name in ("one", "two"))
    _, metrics = row_of(tmp_path, lines)
    assert (metrics["pass_rate"]["value"], metrics["pass_rate"]["n"]) == (0, 2)
    assert (metrics["pass_rate_scored"]["value"], metrics["pass_rate_scored"]["n"]) == (None, 0)
    assert metrics["pass_rate_scored"]["reason"]


def test_g1_traces_of_no_case_at_all_end_with_three(tmp_path: Path) -> None:
    code, metrics = row_of(tmp_path, '{"case": "elsewhere", "calls": []}\n')
    assert code == 3
    assert metrics["pass_rate"]["value"] == 0
    assert all(m["value"] is None and m["reason"] for name, m in metrics.items() if name != "pass_rate")


def test_g2_half_errors_and_half_passes_are_half_of_the_planned(tmp_path: Path) -> None:
    code, metrics = row_of(tmp_path, '{"case": "one", "error": "boom"}\n{"case": "two", "calls": []}\n')
    assert code == 0
    assert (metrics["pass_rate"]["value"], metrics["pass_rate_scored"]["value"]) == (0.5, 1.0)


def test_g4_one_case_has_the_interval_of_wilson(tmp_path: Path) -> None:
    suite = "cases: [{id: one, expect: {calls: [{tool: t}]}}]\n"
    _, metrics = row_of(tmp_path, '{"case": "one", "calls": [{"tool": "t"}]}\n', suite)
    for name in ("accuracy", "precision", "recall", "f1", "call_precision", "call_recall", "score", "pass_rate"):
        assert metrics[name]["value"] == 1
        assert metrics[name]["low"] == pytest.approx(1 / (1 + 1.959963984540054**2))
        assert metrics[name]["high"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("wanted", "made", "precision", "recall", "f1"),
    [
        ([], [], 1, 1, 1),
        ([], ["t"], 0, None, 0),
        (["t"], [], None, 0, 0),
        (["t"], ["t", "t", "t"], 1, 1, 1),
        (["t"], ["t", "u"], 0.5, 1, 2 / 3),
    ],
)
def test_g5_precision_recall_and_f1_where_there_is_little(
    tmp_path: Path, wanted: list[str], made: list[str], precision: float | None, recall: float | None, f1: float
) -> None:
    suite = json.dumps({"cases": [{"id": "one", "expect": {"calls": [{"tool": name} for name in wanted]}}]})
    _, metrics = row_of(tmp_path, json.dumps({"case": "one", "calls": [{"tool": name} for name in made]}), suite)
    assert metrics["precision"]["value"] == precision
    assert metrics["recall"]["value"] == recall
    assert metrics["f1"]["value"] == pytest.approx(f1)


def test_a_pattern_in_a_tool_schema_runs_on_a_linear_engine(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
    case = {"id": "one", "expect": {"calls": [{"tool": "t"}]}}
    suite = json.dumps({"tools": [{"name": "t", "input_schema": schema}], "cases": [case]})
    for text, broken in (("a" * 50_000, 0), ("a" * 50_000 + "!", 1)):
        line = json.dumps({"case": "one", "calls": [{"tool": "t", "args": {"x": text}}]})
        _, metrics = row_of(tmp_path, line, suite)
        assert metrics["schema_error_rate"]["value"] == broken
