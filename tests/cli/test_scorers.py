"""Scorers of another package, from the command line to every report."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

import toolgauge as api
from tests.installing import PLUGINS, install, python_path
from tests.pages.reading import readable
from toolgauge.core import Measured, Unscored

from .running import toolgauge

SUITE = """\
name: files
cases:
  - {id: keep, input: Read it., labels: {kind: read}, expect: {calls: [{tool: read_file}]}}
  - {id: note, input: Note it., labels: {kind: write}, expect: {calls: [{tool: write_file}], neutral: [ask_user]}}
  - {id: wipe, input: Delete it., labels: {kind: write}, expect: {calls: [{tool: delete_file}], neutral: [ask_user]}}
  - {id: mail, input: Send it., labels: {kind: write}, expect: {calls: [{tool: send_mail}], neutral: [ask_user]}}
"""
TOOLS = {"keep": "read_file", "note": "write_file", "wipe": "delete_file", "mail": "send_mail"}
NAME = "asks_before_writing"


def traces(asked: set[str], times: int = 1) -> str:
    lines = []
    for trial in range(1, times + 1):
        for case, tool in TOOLS.items():
            calls = [{"tool": name, "args": {}} for name in (["ask_user"] if case in asked else []) + [tool]]
            lines.append(json.dumps({"case": case, "trial": trial, "calls": calls, "output": "Done."}))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path on which a package with scorers is installed."""
    return python_path(install("toolgauge_manners", tmp_path_factory.mktemp("installed")))


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory, plugin: str) -> Path:
    """A folder with a suite, traces and the run that came of them."""
    place = tmp_path_factory.mktemp("scored")
    (place / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (place / "polite.jsonl").write_text(traces({"note", "wipe", "mail"}), encoding="utf-8")
    (place / "rash.jsonl").write_text(traces({"mail"}), encoding="utf-8")
    arguments = ["suite.yaml", "polite.jsonl", "rash.jsonl", "--by", "kind", "--scorer", NAME, "--scorer", "brevity"]
    done = toolgauge(
        "score", *arguments, "--run-file", "both.run.jsonl", "--save", "both", cwd=place, PYTHONPATH=plugin
    )
    assert (done.returncode, f" {NAME} " in done.stdout) == (0, True), done.stderr
    return place


def test_a_scorer_is_a_column_of_reports_wherever_the_run_is_read(scored: Path) -> None:
    # Nobody who reads a run needs the package that scored it.
    for run in ("both.run.jsonl", "both"):
        for lang, heading in (("en", "Further scorers"), ("vi", "Bộ chấm bổ sung")):
            for form in ("text", "md", "html", "latex"):
                done = toolgauge("report", run, "--full", "--by", "kind", "--format", form, "--lang", lang, cwd=scored)
                assert (done.returncode, done.stderr) == (0, "")
                shown = readable(done.stdout).replace("\\_", "_").replace("<wbr>", "")
                assert NAME in shown
                assert heading in shown or form in ("latex", "html")
        report = json.loads(toolgauge("report", run, "--details", "--format", "json", cwd=scored).stdout)
        figures = {row["agent"]: row["metrics"][NAME] for row in report["rows"]}
        assert [(figure["value"], figure["n"]) for figure in figures.values()] == [(1.0, 3), (pytest.approx(1 / 3), 3)]
        outcomes = {(one["agent"], one["id"]): one["outcomes"][NAME] for one in report["cases"]}
        assert outcomes["polite", "keep"] == {"value": None, "reason": "keep changes nothing"}
        assert outcomes["rash", "wipe"] == {"value": 0.0, "reason": "not asked before delete_file"}
        assert {"kind": "unscored", "scorer": NAME, "count": 2} in report["notes"]
        rows = list(csv.DictReader(io.StringIO(toolgauge("report", run, "--format", "csv", cwd=scored).stdout)))
        assert [row[NAME] for row in rows] == ["1.0", rows[1][NAME]]
        assert float(rows[1][f"{NAME}_high"]) <= 1
        shown = toolgauge("report", run, "--details", "--format", "csv", cwd=scored).stdout
        values = [row[NAME] for row in csv.DictReader(io.StringIO(shown))]
        assert values == ["", "1.0", "1.0", "1.0", "", "0.0", "0.0", "1.0"]
        one = toolgauge("report", run, "--case", "wipe", cwd=scored).stdout
        assert f"{NAME}: 0.0000 (not asked before delete_file)" in one


def test_a_report_says_why_a_scorer_has_no_figure(scored: Path) -> None:
    shown = toolgauge("report", "both.run.jsonl", "--by", "kind", "--full", cwd=scored).stdout
    assert f"n/a: {NAME} (keep changes nothing)" in shown
    shown = toolgauge("report", "both.run.jsonl", "--case", "keep", "--lang", "vi", cwd=scored).stdout
    assert f"{NAME}: không chấm (keep changes nothing)" in shown


def test_a_scorer_is_compared(scored: Path) -> None:
    done = toolgauge("compare", "both.run.jsonl", "--metric", NAME, "--format", "json", cwd=scored)
    (pairing,) = json.loads(done.stdout)["pairings"]
    whole = next(one for one in pairing["contrasts"] if not one["group"])
    assert (whole["metric"], whole["n"], whole["difference"]["value"]) == (NAME, 3, pytest.approx(-2 / 3))
    by_default = json.loads(toolgauge("compare", "both", "--format", "json", cwd=scored).stdout)
    compared = list(dict.fromkeys(one["metric"] for one in by_default["pairings"][0]["contrasts"]))
    assert (compared[0], compared[-2:]) == ("pass_rate", [NAME, "brevity"])
    unknown = toolgauge("compare", "both.run.jsonl", "--metric", "asks_before", cwd=scored)
    assert (unknown.returncode, f"did you mean '{NAME}'?" in unknown.stderr) == (2, True)


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (["--min", f"{NAME}=0.3"], 0),
        (["--min", f"{NAME}=0.5"], 1),
        (["--min", f"{NAME}[kind=write]=0.5", "--agent", "polite"], 0),
        (["--max", f"{NAME}=50%", "--agent", "rash"], 0),
        (["--min", f"{NAME}[kind=read]=0"], 1),
        (["--min", f"{NAME}=1.5"], 2),
        (["--min", f"{NAME}.p50=0.5"], 2),
        (["--min", "asks=0.5"], 2),
        (["--scorer", NAME], 2),
    ],
)
def test_a_scorer_is_limited(scored: Path, limits: list[str], code: int) -> None:
    for lang in ("en", "vi"):
        done = toolgauge("gate", "both.run.jsonl", *limits, "--lang", lang, cwd=scored)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_traces_are_scored_by_it_on_the_way_to_the_gate(scored: Path, plugin: str) -> None:
    arguments = ["rash.jsonl", "--suite", "suite.yaml", "--scorer", NAME, "--min", f"{NAME}=0.5"]
    done = toolgauge("gate", *arguments, cwd=scored, PYTHONPATH=plugin)
    assert (done.returncode, f"{NAME} ≥ 0.5" in done.stdout) == (1, True)
    done = toolgauge("diagnose", *arguments[:5], cwd=scored, PYTHONPATH=plugin)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_baseline_holds_for_a_scorer_unless_its_version_is_another(scored: Path, tmp_path: Path) -> None:
    for name in ("suite.yaml", "both.run.jsonl"):
        shutil.copy(scored / name, tmp_path / name)
    before = (tmp_path / "both.run.jsonl").read_text(encoding="utf-8")
    (tmp_path / "other.run.jsonl").write_text(before.replace(f'"{NAME}":1', f'"{NAME}":2', 1), encoding="utf-8")
    arguments = ["gate", "both.run.jsonl", "--max-drop", f"{NAME}=0.9", "--agent", "polite", "--baseline"]
    assert toolgauge(*arguments, "both.run.jsonl", cwd=tmp_path).returncode == 0
    done = toolgauge(*arguments, "other.run.jsonl", cwd=tmp_path)
    assert (done.returncode, f"scorers have a different version: {NAME}" in done.stderr) == (2, True)
    assert toolgauge(*arguments, "other.run.jsonl", "--force", cwd=tmp_path).returncode == 0
    done = toolgauge("compare", "both.run.jsonl", "other.run.jsonl", cwd=tmp_path)
    assert (done.returncode, f"different versions of scorers: {NAME}" in done.stderr) == (2, True)
    done = toolgauge("compare", "both.run.jsonl", "other.run.jsonl", "--force", "--lang", "vi", cwd=tmp_path)
    assert (done.returncode, f"phiên bản bộ chấm khác nhau: {NAME}" in " ".join(done.stdout.split())) == (0, True)


def test_a_run_file_whose_header_does_not_name_a_scorer_is_refused(scored: Path, tmp_path: Path) -> None:
    before = (scored / "both.run.jsonl").read_text(encoding="utf-8")
    (tmp_path / "x.run.jsonl").write_text(before.replace(f'"{NAME}":1,', "", 1), encoding="utf-8")
    for command in ("report", "compare", "gate"):
        done = toolgauge(command, "x.run.jsonl", cwd=tmp_path)
        assert (done.returncode, f"the header names no scorer '{NAME}'" in done.stderr) == (2, True), done.stderr


def test_the_run_of_python_is_that_of_the_command(scored: Path, plugin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(plugin.split(":")[0])
    from toolgauge_manners import AsksBeforeWriting, Brevity  # type: ignore[import-not-found]

    paths = {name: scored / f"{name}.jsonl" for name in ("polite", "rash")}
    made = api.score(scored / "suite.yaml", paths, by="kind", scorers=[AsksBeforeWriting(), Brevity(20)])
    read = api.load_run(scored / "both.run.jsonl", by="kind")
    assert made.summary == read.summary
    assert [one.score.outcomes for one in made.scored] == [one.score.outcomes for one in read.scored]
    first = next(iter(read.scored)).score.outcomes
    assert first == {NAME: Unscored("keep changes nothing"), "brevity": Measured(1.0)}
    assert read.header.scorers == {NAME: 1, "brevity": 2}
    suite = api.load_suite(scored / "suite.yaml")
    ran = api.run(suite, lambda case, tools: "Done.", tools=[], store=False, scorers=[Brevity(2), AsksBeforeWriting])
    assert ran.header.scorers == {"brevity": 2, NAME: 1}
    assert [ran.summary.rows[0].metrics[name].value for name in ("brevity", NAME)] == [0.4, None]
    other = api.score(scored / "suite.yaml", paths, scorers=[AsksBeforeWriting(prefixes=("read_",))])
    assert other.summary.rows[0].metrics[NAME].n == 1


def test_code_that_an_option_names_is_run_with_permission_only(scored: Path, tmp_path: Path) -> None:
    for name in ("suite.yaml", "rash.jsonl"):
        shutil.copy(scored / name, tmp_path / name)
    shutil.copy(PLUGINS / "toolgauge_manners" / "toolgauge_manners.py", tmp_path / "mine.py")
    arguments = ["score", "suite.yaml", "rash.jsonl", "--scorer", "mine:AsksBeforeWriting", "--format", "json"]
    done = toolgauge(*arguments, cwd=tmp_path)
    assert (done.returncode, "only with --allow-code" in done.stderr) == (2, True)
    done = toolgauge(*arguments, "--allow-code", cwd=tmp_path)
    assert json.loads(done.stdout)["rows"][0]["metrics"][NAME]["n"] == 3
    done = toolgauge(*arguments, "--scorer", "mine:AsksBeforeWriting", "--allow-code", cwd=tmp_path)
    assert (done.returncode, f"taken by the scorer '{NAME}'" in done.stderr) == (2, True)
    done = toolgauge("score", "suite.yaml", "rash.jsonl", "--scorer", NAME, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"Error: there is no scorer '{NAME}'; write module:object\n"


def test_a_name_that_is_nearly_right_is_recognised(scored: Path, plugin: str) -> None:
    done = toolgauge("score", "suite.yaml", "rash.jsonl", "--scorer", "brief", cwd=scored, PYTHONPATH=plugin)
    known = f"known here: {NAME}, brevity, grumpy; or write module:object"
    assert (done.returncode, done.stderr) == (2, f"Error: there is no scorer 'brief'; {known}\n")
    done = toolgauge("score", "suite.yaml", "rash.jsonl", "--scorer", "brevty", cwd=scored, PYTHONPATH=plugin)
    assert (done.returncode, done.stderr) == (2, "Error: there is no scorer 'brevty'; did you mean 'brevity'?\n")


def test_a_scorer_that_fails_is_reported_and_changes_nothing_else(scored: Path, plugin: str) -> None:
    arguments = ["score", "suite.yaml", "polite.jsonl", "rash.jsonl", "--format", "json"]
    plain = toolgauge(*arguments, cwd=scored)
    done = toolgauge(*arguments, "--scorer", "grumpy", cwd=scored, PYTHONPATH=plugin)
    assert done.returncode == plain.returncode == 0
    wrong = "error: measured nan, which is not a number from 0 to 1"
    assert done.stderr == f"Note: scorer grumpy failed on 8 trajectories, not scored by it: {wrong}\n"
    for row, other in zip(json.loads(done.stdout)["rows"], json.loads(plain.stdout)["rows"], strict=True):
        assert row["metrics"].pop("grumpy") == {"value": None, "reason": wrong, "n": 0}
        assert row == other


def test_several_processes_give_the_same_run(scored: Path, plugin: str, tmp_path: Path) -> None:
    shutil.copy(scored / "suite.yaml", tmp_path / "suite.yaml")
    (tmp_path / "large.jsonl").write_text(traces({"mail"}, 6_000), encoding="utf-8")
    assert (tmp_path / "large.jsonl").stat().st_size > 2 * 1024 * 1024
    arguments = ["score", "suite.yaml", "large.jsonl", "--by", "kind", "--scorer", NAME, "--scorer", "grumpy"]
    found = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.run.jsonl"
        done = toolgauge(
            *arguments, "--jobs", jobs, "--run-file", path.name, "--format", "json", cwd=tmp_path, PYTHONPATH=plugin
        )
        assert done.returncode == 0, done.stderr
        found.append((done.stdout, done.stderr, path.read_bytes().partition(b"\n")[2]))
    assert found[0] == found[1]


def test_agents_that_are_run_are_scored_by_it_and_resumed_with_it_only(plugin: str, tmp_path: Path) -> None:
    suite = SUITE.replace("cases:", "tools: [{name: read_file}, {name: write_file}]\ncases:").split("  - {id: wipe")[0]
    (tmp_path / "suite.yaml").write_text(suite, encoding="utf-8")
    agent = "async def act(case, tools):\n    await tools.call('write_file', {})\n    return 'Done.'\n"
    (tmp_path / "mine.py").write_text(agent, encoding="utf-8")
    arguments = ["run", "suite.yaml", "--agent", "mine:act", "--allow-code", "--format", "json"]
    done = toolgauge(*arguments, "--scorer", NAME, "--name", "first", cwd=tmp_path, PYTHONPATH=plugin)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0]["metrics"][NAME]["value"] == 0.0
    again = toolgauge(*arguments, "--scorer", NAME, "--resume", "first", cwd=tmp_path, PYTHONPATH=plugin)
    assert json.loads(again.stdout)["rows"] == json.loads(done.stdout)["rows"]
    other = toolgauge(*arguments, "--resume", "first", cwd=tmp_path, PYTHONPATH=plugin)
    assert (other.returncode, "scorers: was" in other.stderr) == (2, True)
    exported = toolgauge("runs", "export", "first", "-o", "first.run.jsonl", cwd=tmp_path)
    assert exported.returncode == 0, exported.stderr
    assert api.load_run(tmp_path / "first.run.jsonl").header.scorers == {NAME: 1}
    assert toolgauge("gate", "first", "--min", f"{NAME}=0.5", cwd=tmp_path).returncode == 1
