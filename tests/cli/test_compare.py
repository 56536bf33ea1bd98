"""`toolgauge compare`, end to end: pairing, refusing, every format, both languages."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import toolgauge as library
from toolgauge.core import SCORING_VERSION
from toolgauge.errors import NothingToDo, UsageError

from .running import toolgauge

SUITE: dict[str, Any] = {
    "name": "weather",
    "cases": [
        {
            "id": f"c{number}",
            "input": f"Question {number}?",
            "labels": {"difficulty": "easy" if number < 12 else "hard"},
            "expect": {"calls": [{"tool": "get_weather"}]},
        }
        for number in range(24)
    ],
}


def write_run(folder: Path, name: str, passed: dict[str, int], suite: dict[str, Any] | None = None) -> Path:
    """A run in which each agent calls the right tool on its first cases and another on the rest."""
    (folder / f"{name}.json").write_text(json.dumps(suite or SUITE), encoding="utf-8")
    lines = [
        {
            "case": case["id"],
            "agent": agent,
            "calls": [{"tool": "get_weather" if number < good else "get_news"}],
            "latency_ms": 100 + 7 * number + 40 * (agent == "slow"),
        }
        for agent, good in passed.items()
        for number, case in enumerate((suite or SUITE)["cases"])
    ]
    traces = folder / f"{name}.traces.jsonl"
    traces.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run = folder / f"{name}.run.jsonl"
    done = toolgauge("score", folder / f"{name}.json", traces, "--format", "run", "-o", run)
    assert done.returncode == 0, done.stderr
    return run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("compare"), "one", {"slow": 8, "quick": 20})


def compared(*arguments: str | Path) -> Any:
    done = toolgauge("compare", *arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_the_agents_of_a_run_are_compared_by_case(run: Path) -> None:
    found = compared(run)
    assert found["schema"] == "toolgauge.comparison/1"
    (pair,) = found["pairings"]
    assert (pair["first"], pair["second"], pair["verdict"]) == ("slow", "quick", "better")
    overall = {one["metric"]: one for one in pair["contrasts"] if not one["group"]}
    assert list(overall) == ["pass_rate", "accuracy", "f1", "score", "latency"]
    assert (overall["pass_rate"]["only_first"], overall["pass_rate"]["only_second"]) == (0, 12)
    assert overall["pass_rate"]["p"] == pytest.approx(2 / 4096)
    assert overall["latency"]["verdict"] == "better"
    assert overall["latency"]["difference"]["value"] == pytest.approx(-40)
    groups = [one["group"] for one in pair["contrasts"] if one["metric"] == "f1"]
    assert groups == [{}, {"difficulty": "easy"}, {"difficulty": "hard"}]


def test_text_keeps_to_80_columns_and_says_the_verdict_in_words(run: Path) -> None:
    english = toolgauge("compare", run, "--full").stdout
    vietnamese = toolgauge("compare", run, "--full", "--lang", "vi").stdout
    for text in (english, vietnamese):
        assert max(map(len, text.splitlines())) <= 80
    assert "quick is better than slow by pass rate: 0.8333 against 0.3333" in " ".join(english.split())
    assert "quick tốt hơn slow về tỉ lệ đạt: 0,8333 so với 0,3333" in " ".join(vietnamese.split())
    for word in ("McNemar, exact", "permutation", "Holm", "Smallest"):
        assert word in english
    for word in ("McNemar chính xác", "hoán vị", "Holm", "Số câu"):
        assert word in vietnamese


def test_little_evidence_is_called_so_and_power_says_what_it_would_take(tmp_path: Path) -> None:
    text = " ".join(toolgauge("compare", write_run(tmp_path, "close", {"a": 10, "b": 12})).stdout.split())
    assert "b and a: no evidence either way by pass rate" in text
    assert re.search(r"would take about \d+ more cases", text)


def test_markdown_and_html_hold_the_same_table_and_escape_what_comes_from_data(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>|x"
    run = write_run(tmp_path, "evil", {evil: 8, "quick": 20})
    page = toolgauge("compare", run, "--format", "html").stdout
    assert "<script" not in page
    assert html.escape(evil) in page
    assert "default-src 'none'" in page
    assert "src=" not in page.replace("-src ", "")
    markdown = toolgauge("compare", run, "--format", "md").stdout
    assert "| pass rate | better | &lt;0.001 | 0.333 | 0.833 |" in markdown
    assert "<script" not in markdown


def test_runs_of_the_same_suite_are_paired_and_told_apart(tmp_path: Path, run: Path) -> None:
    other = write_run(tmp_path, "two", {"slow": 21})
    found = compared(run, other, "--agent", "slow")
    (pair,) = found["pairings"]
    assert (pair["first"], pair["second"], pair["verdict"]) == ("slow (one)", "slow (two)", "better")
    found = compared(run, other, "--against", "quick")
    assert [one["second"] for one in found["pairings"]] == ["slow (one)", "slow (two)"]


def test_runs_that_differ_are_refused_with_what_differs(tmp_path: Path, run: Path) -> None:
    cases = [*SUITE["cases"][1:], {"id": "new", "input": "New?"}]
    cases[0] = {**cases[0], "expect": {"calls": []}}
    changed = {**SUITE, "cases": cases, "settings": {"threshold": 0.7}, "tools": [{"name": "get_news"}]}
    other = write_run(tmp_path, "other", {"slow": 10}, changed)
    done = toolgauge("compare", run, other)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) <= 5
    for part in ("only in one: c0", "only in other: new", "c1", "get_news", "threshold", "--force"):
        assert part in done.stderr
    found = compared(run, other, "--force", "--agent", "slow")
    assert (found["cases"], found["left_out"]) == (23, 1)
    assert {one["kind"] for one in found["mismatches"]} == {"cases", "changed", "tools", "settings"}
    text = toolgauge("compare", run, other, "--force").stdout
    assert "paired anyway" in text


def test_another_version_of_scoring_is_refused(tmp_path: Path, run: Path) -> None:
    header, *lines = run.read_text(encoding="utf-8").splitlines()
    older = tmp_path / "older.run.jsonl"
    header = header.replace(f'"scoring":{SCORING_VERSION}', '"scoring":1')
    older.write_text("\n".join([header, *lines]), encoding="utf-8")
    done = toolgauge("compare", run, older)
    assert (done.returncode, f"version {SCORING_VERSION} and version 1" in done.stderr) == (2, True)


def test_a_suite_under_another_name_is_the_same_suite(tmp_path: Path, run: Path) -> None:
    assert compared(run, write_run(tmp_path, "two", {"third": 9}, {**SUITE, "name": "renamed"}))["mismatches"] == []


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--agent", "slow"], 5, "one agent only"),
        (["--agent", "slwo"], 2, "did you mean 'slow'?"),
        (["--metric", "acuracy"], 2, "did you mean 'accuracy'?"),
        (["--against", "nobody"], 2, "matches no contender"),
        (["--by", "level"], 5, "level"),
        (["--bootstrap", "3"], 2, "100"),
    ],
)
def test_what_cannot_be_done_is_said(run: Path, arguments: list[str], code: int, said: str) -> None:
    done = toolgauge("compare", run, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_cannot_be_compared_with_itself_nor_a_cut_file_at_all(tmp_path: Path, run: Path) -> None:
    done = toolgauge("compare", run, run)
    assert (done.returncode, "given twice" in done.stderr) == (2, True)
    cut = tmp_path / "cut.run.jsonl"
    cut.write_text("\n".join(run.read_text(encoding="utf-8").splitlines()[:-3]), encoding="utf-8")
    done = toolgauge("compare", cut)
    assert (done.returncode, "cut off" in done.stderr) == (2, True)
    doubled = tmp_path / "doubled.run.jsonl"
    lines = run.read_text(encoding="utf-8").splitlines()
    doubled.write_text("\n".join([*lines[:-1], lines[1]]), encoding="utf-8")
    done = toolgauge("compare", doubled)
    assert (done.returncode, "already exists" in done.stderr) == (2, True)


def test_resampled_intervals_are_near_those_in_closed_form(run: Path) -> None:
    plain, drawn = compared(run, "--metric", "f1"), compared(run, "--metric", "f1", "--bootstrap", "2000")
    assert drawn["resamples"] == 2000
    for one, other in zip(plain["pairings"][0]["contrasts"][:1], drawn["pairings"][0]["contrasts"][:1], strict=True):
        assert other["difference"]["low"] == pytest.approx(one["difference"]["low"], abs=0.08)
        assert other["difference"]["high"] == pytest.approx(one["difference"]["high"], abs=0.08)


def test_the_same_is_had_from_python_and_from_the_store(tmp_path: Path, run: Path) -> None:
    stored = toolgauge("runs", "import", run, "--name", "nightly", "--store", tmp_path / "runs.db")
    assert stored.returncode == 0, stored.stderr
    by_file, by_store = compared(run), compared("nightly", "--store", tmp_path / "runs.db")
    assert by_store["pairings"] == by_file["pairings"]
    from_python = library.compare(library.load_run(run))
    assert [one.verdict for one in from_python.pairings] == ["better"]
    with pytest.raises(UsageError, match="no run to compare"):
        library.compare()
    with pytest.raises(NothingToDo):
        library.compare(run, agents=["quick"])


def test_trials_are_pooled_by_case_and_shown_as_pass_at_k(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text(json.dumps(SUITE), encoding="utf-8")
    lines = [
        {"case": f"c{n}", "agent": agent, "trial": t, "calls": [{"tool": "get_weather" if (n + t) % k else "x"}]}
        for agent, k in (("a", 2), ("b", 5))
        for n in range(24)
        for t in (1, 2, 3)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run = tmp_path / "trials.run.jsonl"
    toolgauge("score", tmp_path / "suite.json", tmp_path / "t.jsonl", "--format", "run", "-o", run)
    found = compared(run)
    assert {one["test"] for one in found["pairings"][0]["contrasts"]} <= {"permutation", "permutation_drawn"}
    assert [each["k"] for each in found["reliability"][0]["repeated"]] == [1, 2, 3]
    assert found["reliability"][0]["flaky"] == 24
    text = toolgauge("compare", run, "--full").stdout
    assert "pass@k" in text
    assert max(map(len, text.splitlines())) <= 80
