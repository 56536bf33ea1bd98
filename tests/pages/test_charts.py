"""Charts: well-formed, with honest axes, words for those who cannot see them, and a table behind each."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.pages.making import INPUTS, hostile_run
from tests.report.runs import comparison
from toolgauge import Run, score
from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.core import Estimate
from toolgauge.pages import Chart, HistoryPoint, history_chart, run_charts
from toolgauge.pages.charts.drawing import COLOURS, SHAPES, mark, nice_ticks, whisker

SVG = "{http://www.w3.org/2000/svg}"
RUNS = {
    "trials": score(INPUTS / "trials" / "suite.json", INPUTS / "trials" / "after.jsonl"),
    "published": comparison(),
    "hostile": hostile_run(),
    "many": comparison(tuple(f"agent {number}" for number in range(9))),
}


def charts(run: Run) -> list[Chart]:
    return run_charts(run.summary, list(run.scored))


ALL = [(name, chart) for name, run in RUNS.items() for chart in charts(run)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "chart"), ALL, ids=[f"{name}-{chart.name}" for name, chart in ALL])
def test_a_chart_is_well_formed_has_words_and_a_table(name: str, chart: Chart, lang: str) -> None:
    words = words_of(lang)
    for text in (chart.svg(words), chart.file(words)):
        root = ElementTree.fromstring(text)  # noqa: S314 - made by us
        assert [child.tag for child in root[:2]] == [SVG + "title", SVG + "desc"]
        assert all(child.text for child in root[:2])
        assert root.get("aria-labelledby") == root[0].get("id")
        assert not any(element.tag in (SVG + "script", SVG + "style", SVG + "image") for element in root.iter())
        keys = {key for element in root.iter() for key in element.attrib}
        assert not any(key == "style" or key.startswith("on") or "href" in key for key in keys)
        for link in root.iter(SVG + "a"):
            assert link[0].tag == SVG + "title"
            assert link[0].text
            assert link.get("data-go")
    table = chart.table(words)
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert len(list(ElementTree.fromstring(chart.svg(words)).iter(SVG + "a"))) > 0  # noqa: S314 - made by us
    assert name in RUNS


def test_the_charts_that_are_asked_for_are_there() -> None:
    names = [chart.name for chart in charts(RUNS["trials"])]
    wanted = ["pass_rate", "accuracy", "precision", "recall", "f1", "tool_fail_rate", "precision_recall", "tools"]
    assert {*wanted, "latency", "calls", "tokens", "pass_rate_by"} <= set(names)
    assert "confusion" in [chart.name for chart in charts(RUNS["published"])]


def test_axes_begin_at_0_and_go_beyond_the_largest_value() -> None:
    for high in (0.003, 0.04, 0.2, 1.0, 7, 12.5, 99, 1234, 10**9):
        ticks = nice_ticks(high)
        assert ticks[0] == 0
        assert ticks[-1] >= high
        assert 2 <= len(ticks) <= 8


def test_agents_differ_in_shape_as_well_as_in_colour() -> None:
    assert (
        len({mark(number, 0, 0).partition('fill="')[0] for number in range(len(COLOURS))})
        == len(SHAPES)
        == len(COLOURS)
    )


def test_runs_that_cannot_be_compared_are_not_joined() -> None:
    points = [
        HistoryPoint("a", f"run {place}", place, Estimate(0.5, 0.4, 0.6, 10), f"run={place}", place != 2, changed)
        for place, changed in enumerate([(), (), ("suite",), ()])
    ]
    chart = history_chart("pass_rate", points)
    root = ElementTree.fromstring(chart.file(words_of("vi")))  # noqa: S314 - made by us
    lines = [one for one in root.iter(SVG + "line") if (one.get("class") or "").startswith("w ")]
    assert len([one for one in lines if one.get("x1") != one.get("x2")]) == 2  # the others are intervals
    assert len(list(root.iter(SVG + "a"))) == 4
    assert [row[-1] for row in chart.table(words_of("en")).rows] == ["", "", "suite", ""]
    assert history_chart("latency", [], bounded=False).svg(words_of("en"))


def test_every_chart_names_its_interval_or_says_what_is_counted() -> None:
    for chart in charts(RUNS["trials"]) + charts(RUNS["published"]):
        for lang, wanted in (("en", ("95%", "Bars count", "Calls that", "How often")), ("vi", ("95%", "Cột", "Số l"))):
            assert any(part in chart.note(words_of(lang)) for part in wanted), (chart.name, chart.note(words_of(lang)))


def test_quantities_have_their_units_and_are_counted_from_0() -> None:
    found = {chart.name: chart for chart in charts(RUNS["trials"])}
    assert found["latency"].title(words_of("en")).endswith(", ms")
    assert found["cost"].title(words_of("en")).endswith("USD")
    for name in ("latency", "calls", "tokens", "cost", "pass_rate", "tool_fail_rate"):
        texts = [one.text for one in ElementTree.fromstring(found[name].svg(words_of("en"))).iter(SVG + "text")]  # noqa: S314
        assert "0" in texts, name


def test_lines_differ_without_colour() -> None:
    dashes = {whisker(number, 0, 0, 10, 0).partition('stroke-dasharray="')[2].partition('"')[0] for number in range(4)}
    assert len(dashes) == 4


def test_names_that_differ_at_their_ends_stay_apart() -> None:
    names = ("an agent with a long name (run 1)", "an agent with a long name (run 2)")
    for chart in charts(comparison(names)):
        root = ElementTree.fromstring(chart.svg(words_of("en")))  # noqa: S314 - made by us
        shown = [one.text or "" for one in root.iter(SVG + "text")]
        if chart.name in ("pass_rate", "f1", "precision_recall"):
            assert any(text.endswith("1)") for text in shown), chart.name
            assert len({text for text in shown if text.startswith("an a")}) == 2, chart.name
