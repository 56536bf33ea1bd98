"""Scores in Phoenix and MLflow themselves: sent to their own servers, and read back from there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import toolgauge
from toolgauge.core import Review, Reviews, Scored
from toolgauge.exports import Evaluation, Evaluations, ScoreExporter
from toolgauge.models import Retries

from . import foreign_servers
from .foreign_servers import agent_spans, get, otlp_json, put_request, put_trace
from .receiving import seen

pytestmark = pytest.mark.deep

PATIENT = Retries(tries=4, first_wait=0.2, longest_wait=5.0, attempt_seconds=60.0, total_seconds=120.0)

GOOD, BAD, MISSING = "0af7651916cd43dd8448eb211c80319c", "1bf7651916cd43dd8448eb211c80319d", "2" * 32
ROOTS = {GOOD: "a000000000000001", BAD: "a000000000000002"}
CALL = "b7ad6b7169203331"
REVIEWS = Reviews([Review("late", "right", note="Huế was meant", by="An")])


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with foreign_servers.phoenix(tmp_path_factory.mktemp("phoenix")) as url:
        for trace, root in ROOTS.items():
            put_trace(url, trace, {root: "agent"} | ({CALL: "get_weather"} if trace == BAD else {}))
        _until(lambda: len(json.loads(get(f"{url}/v1/projects/default/spans"))["data"]) == 3)
        yield url


@pytest.fixture(scope="module")
def mlflow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with foreign_servers.mlflow(tmp_path_factory.mktemp("mlflow")) as url:
        for trace, root in ROOTS.items():
            spans = {root: "agent"} | ({CALL: "get_weather"} if trace == BAD else {})
            put_trace(url, trace, spans, {"x-mlflow-experiment-id": "0"})
        yield url


def _until(holds: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.2)


def scored() -> list[Scored]:
    return [seen("now", trace=GOOD), seen("late", trace=BAD, city="Hue", span=CALL), seen("lost", trace=MISSING)]


def expected(case: str) -> dict[str, Evaluation]:
    made = Evaluations(scored(), suite="weather", created="2026-01-01", reviews=REVIEWS)
    return {one.name: one for one in made if one.metadata["case"] == case}


def export(to: str, url: str, store: Path, some: list[Scored]) -> tuple[int, int, list[str]]:
    exporter = ScoreExporter([to], endpoint=url, store=store, retries=PATIENT)
    (report,) = exporter.export(some, suite="weather", created="2026-01-01", reviews=REVIEWS).deliveries
    exporter.close()
    return report.delivered, report.waiting, report.reasons


def annotated(url: str, kind: str, ids: str, identity: str) -> dict[str, Any]:
    listed = json.loads(get(f"{url}/v1/projects/default/{kind}_annotations?{ids}={identity}"))["data"]
    by_name = {one["name"]: one for one in listed}
    assert len(by_name) == len(listed), "each is there once"
    return by_name


def test_phoenix_shows_what_was_sent_once_however_often_it_was_sent(phoenix: str, tmp_path: Path) -> None:
    sent = len(expected("now")) + len(expected("late"))
    for times in (1, 2):
        delivered, waiting, reasons = export("phoenix", phoenix, tmp_path / "runs.db", scored())
        assert (delivered, waiting) == (sent, len(expected("lost"))), times
        assert any(MISSING in reason for reason in reasons)
    good = annotated(phoenix, "trace", "trace_ids", GOOD)
    assert good.keys() == expected("now").keys()
    assert good["toolgauge.passed"]["result"] == {"score": 1.0, "label": "pass", "explanation": None}
    bad = annotated(phoenix, "trace", "trace_ids", BAD)
    assert bad["toolgauge.passed"]["result"]["label"] == "fail"
    review = bad["toolgauge.review"]
    assert (review["annotator_kind"], review["result"]["label"]) == ("HUMAN", "right")
    assert review["metadata"]["by"] == "An"
    call = annotated(phoenix, "span", "span_ids", CALL)["toolgauge.calls"]
    assert call["result"] == {"score": 1.0, "label": "fail", "explanation": "wrong_arg get_weather.city"}


def test_phoenix_takes_what_waits_when_the_trace_has_come(phoenix: str, tmp_path: Path) -> None:
    late = "3" * 32
    one = [seen("late_trace", trace=late)]
    delivered, waiting, _ = export("phoenix", phoenix, tmp_path / "runs.db", one)
    assert delivered == 0
    put_trace(phoenix, late, {"a000000000000003": "agent"})
    _until(lambda: export("phoenix", phoenix, tmp_path / "runs.db", [])[1] == 0)
    assert len(annotated(phoenix, "trace", "trace_ids", late)) == waiting


def test_phoenix_has_the_last_word_when_a_trace_is_scored_again(phoenix: str, tmp_path: Path) -> None:
    trace = "4" * 32
    put_trace(phoenix, trace, {"a000000000000004": "agent"})
    _until(lambda: trace.encode() in get(f"{phoenix}/v1/projects/default/spans?limit=100"))
    for city in ("Hanoi", "Hue"):
        export("phoenix", phoenix, tmp_path / "runs.db", [seen("again", trace=trace, city=city)])
    assert annotated(phoenix, "trace", "trace_ids", trace)["toolgauge.passed"]["result"]["score"] == 0


def assessments(url: str, trace: str) -> dict[str, Any]:
    listed = json.loads(get(f"{url}/api/3.0/mlflow/traces/tr-{trace}"))["trace"]["trace_info"]["assessments"]
    by_name = {one["assessment_name"]: one for one in listed}
    assert len(by_name) == len(listed), "each is there once"
    return by_name


def test_mlflow_shows_what_was_sent_once_however_often_it_was_sent(mlflow: str, tmp_path: Path) -> None:
    sent = len(expected("now")) + len(expected("late"))
    for times in (1, 2):
        delivered, waiting, reasons = export("mlflow", mlflow, tmp_path / "runs.db", scored())
        assert (delivered, waiting) == (sent, len(expected("lost"))), times
        assert any(MISSING in reason for reason in reasons)
    good = assessments(mlflow, GOOD)
    assert good.keys() == expected("now").keys()
    assert good["toolgauge.passed"]["feedback"] == {"value": True}
    assert good["toolgauge.passed"]["source"] == {"source_type": "CODE", "source_id": "toolgauge"}
    bad = assessments(mlflow, BAD)
    assert bad["toolgauge.passed"]["feedback"] == {"value": False}
    assert bad["toolgauge.passed"]["rationale"] == "wrong_arg get_weather.city"
    assert bad["toolgauge.review"]["source"] == {"source_type": "HUMAN", "source_id": "An"}
    assert bad["toolgauge.calls"]["span_id"] == CALL
    ids = {name: one["assessment_id"] for name, one in good.items()}
    assert ids == {name: f"a-{one.id}" for name, one in expected("now").items()}


def test_mlflow_has_the_last_word_when_a_trace_is_scored_again(mlflow: str, tmp_path: Path) -> None:
    trace = "4" * 32
    put_trace(mlflow, trace, {"a000000000000004": "agent"}, {"x-mlflow-experiment-id": "0"})
    for city in ("Hue", "Hanoi"):
        export("mlflow", mlflow, tmp_path / "runs.db", [seen("again", trace=trace, city=city)])
    passed = assessments(mlflow, trace)["toolgauge.passed"]
    assert passed["feedback"] == {"value": True}
    assert not passed.get("rationale")


SUITE = """name: production
cases:
  - {id: hanoi, input: "How is the weather in Hanoi?", expect: {calls: [{tool: get_weather, args: {city: Hanoi}}]}}
"""


def test_what_an_agent_recorded_there_is_scored_here_and_shown_there(phoenix: str, mlflow: str, tmp_path: Path) -> None:
    trace = "6" * 32
    recorded = agent_spans(trace, "How is the weather in Hanoi?", "Hue")
    put_request(phoenix, recorded)
    put_request(mlflow, recorded, {"x-mlflow-experiment-id": "0"})
    _until(lambda: trace.encode() in get(f"{phoenix}/v1/projects/default/spans?limit=100"))
    (tmp_path / "traces.json").write_text(otlp_json(recorded), encoding="utf-8")
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    scored = toolgauge("score", "suite.yaml", "traces.json", "--save", "one", cwd=tmp_path)
    assert scored.returncode == 0, scored.stderr
    done = toolgauge(
        *("export", "latest", "--to", "phoenix", "--to", "mlflow"),
        cwd=tmp_path,
        PHOENIX_COLLECTOR_ENDPOINT=phoenix,
        MLFLOW_TRACKING_URI=mlflow,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert annotated(phoenix, "trace", "trace_ids", trace)["toolgauge.passed"]["result"]["label"] == "fail"
    assert annotated(phoenix, "span", "span_ids", "d" * 16)["toolgauge.calls"]["result"]["label"] == "fail"
    assert assessments(mlflow, trace)["toolgauge.passed"]["feedback"] == {"value": False}
    assert assessments(mlflow, trace)["toolgauge.calls"]["span_id"] == "d" * 16
