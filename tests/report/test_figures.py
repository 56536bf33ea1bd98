"""Which metric is shown where, as the table of metrics says."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from toolgauge import api
from toolgauge.catalogue import LANGUAGES, Lang, words_of
from toolgauge.core import Case, Estimate, Expect, Run, Suite, Trajectory
from toolgauge.metrics import METRICS, SECTIONS
from toolgauge.report import RunDocument, render


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_metric_has_words_for_its_title_and_for_being_missing(lang: Lang) -> None:
    words = words_of(lang).catalogue
    for metric in METRICS:
        title = "quantity" if metric.shown.section == "amounts" else "column"
        assert {f"{title}.{metric.name}", f"compare.metric.{metric.name}", f"reason.{metric.reason}"} <= words.keys()
    assert {f"section.{section}" for section in SECTIONS} <= words.keys()


def with_figure(run: Run, figure: Estimate) -> Run:
    """The run with a metric that is not in the table."""
    rows = [msgspec.structs.replace(row, metrics={**row.metrics, "tone": figure}) for row in run.summary.rows]
    return replace(run, summary=msgspec.structs.replace(run.summary, rows=tuple(rows)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_metric_of_a_scorer_has_a_table_of_its_own(lang: Lang) -> None:
    case = Case("a", expect=Expect(()))
    run = api.score(Suite("s", (case,)), [Trajectory("a", "m", calls=())])
    heading = words_of(lang)("section.scorers")
    assert heading not in "".join(render(RunDocument(run), "md", lang=lang))
    known = with_figure(run, Estimate(0.75, 0.5, 0.9, 4))
    shown = "".join(render(RunDocument(known), "md", lang=lang))
    assert f"## {heading}" in shown
    assert "| tone |" in shown
    assert words_of(lang).number("0.75") in shown
    missing = with_figure(run, Estimate(None, reason="nobody spoke"))
    assert "tone (nobody spoke)" in "".join(render(RunDocument(missing), "md", lang=lang))
    assert ",tone,tone_low,tone_high" in "".join(render(RunDocument(known), "csv", lang=lang))
    assert '"reason":"nobody spoke"' in "".join(render(RunDocument(missing), "json", lang=lang))
