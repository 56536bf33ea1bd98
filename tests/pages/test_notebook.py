"""Values in a notebook, and rows for data frames."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import toolgauge
from tests.pages.making import INPUTS, hostile_run
from tests.report.runs import weather
from toolgauge.errors import UsageError
from toolgauge.report import CASE_FORMATS, ComparisonDocument, RunDocument, render

RUN = toolgauge.score(INPUTS / "trials" / "suite.json", INPUTS / "trials" / "after.jsonl")


def test_runs_comparisons_and_verdicts_show_themselves() -> None:
    shown = RUN._repr_html_()
    assert "passed" in shown
    assert "<svg " in shown
    assert toolgauge.compare(RUN)._repr_html_().count("<table>") >= 1
    assert "Gate" in toolgauge.gate(RUN)._repr_html_()


def test_hostile_texts_stay_texts_in_a_notebook() -> None:
    run = hostile_run()
    for value in (run, toolgauge.compare(run), toolgauge.gate(run)):
        shown = value._repr_html_()
        assert "<script" not in shown
        assert "<img" not in shown
        assert "&lt;script&gt;" in shown


def test_a_row_per_trajectory() -> None:
    rows = RUN.to_dicts()
    assert len(rows) == len(list(RUN.scored))
    assert {"case", "agent", "trial", "passed", "score", "issues", "latency_ms", "label_difficulty"} <= rows[0].keys()
    assert sum(row["passed"] for row in rows) == RUN.summary.counts.passed
    assert weather().to_dicts()[0]["case"] == "T001"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_is_made_where_the_library_is_there(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, SimpleNamespace(DataFrame=lambda rows: ("frame", len(rows))))
    assert getattr(RUN, f"to_{library}")() == ("frame", len(RUN.to_dicts()))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=f"{library} is not installed"):
        getattr(RUN, f"to_{library}")()


def test_one_chart_is_a_file_and_a_wrong_name_is_refused_with_those_there_are() -> None:
    (svg,) = render(RunDocument(RUN), "svg", chart="pass_rate", lang="vi")
    assert svg.startswith("<svg xmlns=")
    assert "href" not in svg
    with pytest.raises(UsageError, match="did you mean 'pass_rate'"):
        render(RunDocument(RUN), "svg", chart="pass_rat")
    with pytest.raises(UsageError, match="--chart NAME: pass_rate"):
        render(RunDocument(RUN), "svg")
    with pytest.raises(UsageError, match="a comparison has no charts"):
        render(ComparisonDocument(toolgauge.compare(RUN)), "svg", chart="pass_rate")
    assert "svg" not in CASE_FORMATS
