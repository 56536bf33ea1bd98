"""Page data: every figure as JSON has it, and every set of cases as large as what it stands for."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, quote

import pytest

from tests.pages.making import hostile_run
from tests.pages.reading import blocks
from tests.report.runs import comparison, weather
from toolgauge import Run, score
from toolgauge.core import Call, Case, Expect, ExpectedCall, Suite, Trajectory
from toolgauge.pages import PageData
from toolgauge.pages.cases import MAX_RESULT
from toolgauge.report import RunDocument, render

from .making import INPUTS


@pytest.fixture(scope="module")
def run() -> Run:
    return score(INPUTS / "trials" / "suite.json", INPUTS / "trials" / "after.jsonl")


def page_of(run: Run) -> list[Any]:
    head, *rest = blocks("".join(render(RunDocument(run), "html")))
    pages = [page for block in rest for page in block]
    return [head, [page | {"row": row} for row, page in zip(head["rows"], pages, strict=True)]]


def test_the_figures_of_a_run_are_those_of_json(run: Run) -> None:
    report = json.loads("".join(render(RunDocument(run), "json")))
    page = page_of(run)[0]["run"]
    for key in ("counts", "rows", "totals", "tools", "confusion", "passed_with_issues"):
        assert page[key] == report[key], key
    assert page["suite"]["cases"] == report["suite"]["cases"]


def test_every_case_is_a_row_and_a_page_with_the_same_verdicts(run: Run) -> None:
    head, pages = page_of(run)
    report = json.loads("".join(render(RunDocument(run, details=True), "json")))
    found = {(one["id"], one["agent"], one["trial"]): one for one in report["cases"]}
    seen = 0
    for row, page in zip(head["rows"], pages, strict=True):
        for result, trajectory in zip(row["results"], page["trajectories"], strict=True):
            one = found[row["id"], result["agent"], result["trial"]]
            seen += 1
            assert (result["passed"], result["score"], result["state"]) == (one["passed"], one["score"], one["state"])
            assert trajectory["param_accuracy"] == one["param_accuracy"]
            assert [issue["kind"] for issue in trajectory["issues"]] == [issue["kind"] for issue in one["issues"]]
            pairs = {
                (line["expected"], line["call"])
                for line in trajectory["lines"]
                if None not in (line["expected"], line["call"])
            }
            assert pairs == {(pair["expected"], pair["call"]) for pair in one["alignment"]}
            calls = [line["call"] for line in trajectory["lines"] if line["call"] is not None]
            assert sorted(calls) == list(range(len(trajectory["raw"].get("calls", []))))
    assert seen == len(found)


def test_sets_hold_the_cases_that_the_tables_count(run: Run) -> None:
    data = PageData.of(run)
    page, sets = data.page(), data.sets()
    rows = page["tools"]
    assert isinstance(rows, list)
    assert len(rows) > 2
    for row in rows:
        for what in ("expected", "called", "right", "wrong_args", "missed", "superfluous", "failed"):
            cases = sets.get(f"tool/{quote(row['agent'])}/{quote(row['tool'])}/{what}", [])
            assert bool(cases) == bool(row[what]), (row, what)
            assert len(cases) <= max(row[what], 0)
    patterns = page["patterns"]
    assert isinstance(patterns, list)
    assert all(0 < len(sets[pattern["set"]]) <= pattern["trajectories"] for pattern in patterns)


def test_every_set_that_a_mark_leads_to_is_there(run: Run) -> None:
    page = PageData.of(run).page()
    charts = page["charts"]
    sets = page["sets"]
    assert isinstance(charts, dict)
    assert isinstance(sets, dict)
    asked = 0
    for lang in charts.values():
        for chart in lang.values():
            for part in chart["svg"].split('data-go="')[1:]:
                for name, value in parse_qsl(part.partition('"')[0].replace("&amp;", "&")):
                    if name == "set":
                        asked += 1
                        assert sets[value]
    assert asked >= 4


def test_a_line_says_which_argument_is_wrong_and_what_was_asked_for() -> None:
    (page,) = [page for page in page_of(weather())[1] if page["row"]["id"] == "T001"]
    (trajectory,) = page["trajectories"]
    kinds = [line["kind"] for line in trajectory["lines"]]
    assert kinds == ["neutral", "wrong_arg", "missing", "optional", "failed", "extra"]
    arguments = {one["name"]: one for one in trajectory["lines"][1]["arguments"]}
    assert arguments["city"] == {"name": "city", "ok": False, "want": '"Hanoi"'}
    assert arguments["units"]["want"]["vi"] != arguments["units"]["want"]["en"]
    assert arguments["days"]["ok"] is False


def test_a_long_result_is_cut_and_its_length_is_said() -> None:
    suite = Suite("s", (Case("c", "q", expect=Expect(calls=(ExpectedCall("t"),))),))
    long = "x" * (MAX_RESULT + 1)
    run = score(
        suite, [Trajectory("c", "a", 1, calls=(Call("t", result=long), Call("t", result={"a": [long]})), output="o")]
    )
    page = page_of(run)[1][0]
    (trajectory,) = page["trajectories"]
    assert trajectory["cut"] == {"0": len(long), "1": len(long) + len('{"a":[""]}')}
    assert all(len(call["result"]) == MAX_RESULT for call in trajectory["raw"]["calls"])


@pytest.mark.parametrize("made", [comparison(), weather(), hostile_run()], ids=["comparison", "weather", "hostile"])
def test_any_run_becomes_a_page(made: Run) -> None:
    assert page_of(made)[0]["run"]["rows"]
