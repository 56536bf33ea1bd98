"""Annotations for Phoenix and assessments for MLflow, as their servers are asked; the servers themselves are deep."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from toolgauge.errors import UsageError
from toolgauge.exports import Evaluation, Evaluations
from toolgauge.exports.mlflow import MlflowTarget, mlflow_assessment
from toolgauge.exports.phoenix import PhoenixTarget

from .receiving import QUICK, TRACE, Received, Receiver, Replied, seen

SPAN = "b7ad6b7169203331"


def told(city: str = "Hue") -> list[Evaluation]:
    return list(Evaluations([seen(city=city, span=SPAN)], suite="weather", created="2026-01-01"))


def test_phoenix_gets_annotations_of_traces_and_of_spans() -> None:
    with Receiver() as server:
        target = PhoenixTarget(f"{server.url}/v1/traces", {"PHOENIX_API_KEY": "k"}, QUICK)
        target.send(told())
        target.close()
    traces, spans = server.received
    assert (traces.path, spans.path) == ("/v1/trace_annotations?sync=true", "/v1/span_annotations?sync=true")
    assert traces.headers["authorization"] == "Bearer k"
    passed = next(one for one in traces.json["data"] if one["name"] == "toolgauge.passed")
    assert passed["result"] == {"score": 0.0, "label": "fail", "explanation": "wrong_arg get_weather.city"}
    assert (passed["trace_id"], passed["annotator_kind"]) == (TRACE, "CODE")
    (call,) = spans.json["data"]
    assert (call["span_id"], call["name"]) == (SPAN, "toolgauge.calls")


def test_mlflow_is_asked_first_and_told_only_what_is_new_or_another() -> None:
    there: dict[str, dict[str, object]] = {}

    def answer(request: Received) -> Replied:
        if request.method == "GET":
            return Replied(body=json.dumps({"trace": {"trace_info": {"assessments": [*there.values()]}}}).encode())
        written = request.json["assessment"]
        if request.method == "POST" and written["assessment_id"] in there:
            return Replied(500, b"{}")
        there[written["assessment_id"]] = written
        return Replied()

    with Receiver(answering=answer) as server:
        target = MlflowTarget(server.url, {"MLFLOW_TRACKING_TOKEN": "t"}, QUICK)
        for city in ("Hanoi", "Hanoi", "Hue"):
            target.send(told(city))
        target.close()
    methods = [request.method for request in server.received]
    first, same, other = len(told("Hanoi")), 0, [one for one in methods if one == "PATCH"]
    assert methods[: first + 2] == ["GET", *["POST"] * first, "GET"]
    assert methods[first + 2 + same] == "GET", "what is there already is not written again"
    assert 0 < len(other) < len(told()), "what has not changed is not written either"
    by_name = {one["assessment_name"]: one for one in there.values()}
    assert by_name["toolgauge.passed"]["feedback"] == {"value": False}
    assert by_name["toolgauge.passed"]["rationale"] == "wrong_arg get_weather.city"
    assert all(request.headers["authorization"] == "Bearer t" for request in server.received)
    assert server.received[0].path == f"/api/3.0/mlflow/traces/tr-{TRACE}"


def test_an_assessment_that_arrived_though_no_reply_came_is_not_taken_for_lost() -> None:
    there: list[dict[str, object]] = []

    def answer(request: Received) -> Replied:
        if request.method == "GET":
            return Replied(body=json.dumps({"trace": {"trace_info": {"assessments": there}}}).encode())
        written = request.json["assessment"]
        if any(one["assessment_id"] == written["assessment_id"] for one in there):
            return Replied(500, b'{"message": "due to a constraint violation"}')
        there.append(written)
        return Replied(cut=True)

    with Receiver(answering=answer) as server, closing(MlflowTarget(server.url, {}, QUICK)) as target:
        target.send(told("Hanoi")[:2])
        assert len(there) == 2
        assert [request.method for request in server.received].count("POST") == 2 * QUICK.tries


def test_an_assessment_of_a_call_names_its_span() -> None:
    found = {str(one["assessment_name"]): one for one in map(mlflow_assessment, told())}
    assert found["toolgauge.calls"]["span_id"] == SPAN
    assert "span_id" not in found["toolgauge.passed"]


def test_addresses_are_found_as_their_own_clients_find_them() -> None:
    assert PhoenixTarget(None, {}).address == "http://localhost:6006"
    assert PhoenixTarget(None, {"PHOENIX_COLLECTOR_ENDPOINT": "http://p:1/v1/traces"}).address == "http://p:1"
    assert MlflowTarget(None, {"MLFLOW_TRACKING_URI": "http://m:5000/"}).address == "http://m:5000"
    with pytest.raises(UsageError, match="MLFLOW_TRACKING_URI"):
        MlflowTarget(None, {})
    with pytest.raises(UsageError, match="not an address to export to"):
        MlflowTarget(None, {"MLFLOW_TRACKING_URI": "databricks"})
