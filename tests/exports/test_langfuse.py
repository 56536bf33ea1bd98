"""Scores for Langfuse: read by its own client's models, and beside what that client sends."""

from __future__ import annotations

import base64
import json
from contextlib import closing
from datetime import datetime

import pytest

from toolgauge.core import Review, Reviews
from toolgauge.errors import UsageError
from toolgauge.exports import Evaluation, Evaluations
from toolgauge.exports.http import DeliveryError
from toolgauge.exports.langfuse import LangfuseTarget, langfuse_score

from .receiving import QUICK, TRACE, Received, Receiver, Replied, seen

ACCEPTED = b'{"message": "Accepted"}'
KEYS = {"LANGFUSE_PUBLIC_KEY": "pk-lf-1", "LANGFUSE_SECRET_KEY": "-".join(["sk", "lf", "2"])}


def told() -> list[Evaluation]:
    reviews = Reviews([Review("now", "wrong", note="no", by="An")])
    scored = seen(city="Hue", span="b7ad6b7169203331")
    return list(Evaluations([scored], suite="weather", created="2026-01-01", reviews=reviews))


def test_scores_go_in_one_list_with_ids_times_and_the_keys_of_the_project() -> None:
    with Receiver([Replied(202, ACCEPTED)]) as server, closing(LangfuseTarget(server.url, KEYS, QUICK)) as target:
        target.send(told())
    (request,) = server.received
    assert (request.method, request.path) == ("POST", "/api/public/scores")
    assert base64.b64decode(request.headers["authorization"].removeprefix("Basic ")) == b"pk-lf-1:sk-lf-2"
    scores = {one["name"]: one for one in request.json}
    passed, score, review = (scores[f"toolgauge.{name}"] for name in ("passed", "score", "review"))
    assert (passed["value"], passed["dataType"], passed["traceId"]) == (0.0, "BOOLEAN", TRACE)
    assert (score["dataType"], score["timestamp"]) == ("NUMERIC", "2025-10-09T08:53:20.123Z")
    assert (review["value"], review["dataType"], review["comment"]) == ("wrong", "CATEGORICAL", "no")
    assert review["metadata"] == {
        "suite": "weather",
        "case": "now",
        "agent": "react",
        "trial": "1",
        "source": "human",
        "by": "An",
    }
    assert scores["toolgauge.calls"]["observationId"] == "b7ad6b7169203331"
    assert "observationId" not in passed


def test_an_older_server_gets_scores_one_by_one() -> None:
    def answer(request: Received) -> Replied:
        if isinstance(request.json, list):
            return Replied(400, b'{"error": "expected an object"}')
        return Replied(200, json.dumps({"id": request.json["id"]}).encode())

    with Receiver(answering=answer) as server:
        target = LangfuseTarget(server.url, KEYS, QUICK)
        target.send(told())
        target.send(told())
        target.close()
    ids = [request.json["id"] for request in server.received[1:]]
    assert ids == [one.id for one in (*told(), *told())]


def test_scores_that_are_rejected_are_not_taken_for_delivered() -> None:
    reply = Replied(207, b'{"accepted": 9, "rejected": 2, "errors": [{"message": "no"}]}')
    with Receiver([reply]) as server, closing(LangfuseTarget(server.url, KEYS, QUICK)) as target:
        with pytest.raises(DeliveryError, match=f"2 of {len(told())} scores were rejected"):
            target.send(told())
        assert len(server.received) == 1


def test_without_keys_nothing_is_tried() -> None:
    with pytest.raises(UsageError, match="LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY"):
        LangfuseTarget(None, {})
    assert LangfuseTarget(None, KEYS).address == "https://cloud.langfuse.com"
    assert LangfuseTarget(None, {**KEYS, "LANGFUSE_HOST": "http://h:3000/"}).address == "http://h:3000"


@pytest.mark.deep
def test_what_is_sent_are_scores_by_langfuses_own_models() -> None:
    from langfuse.api.core.pydantic_utilities import parse_obj_as
    from langfuse.api.scores.types.create_score_request import CreateScoreRequest

    for evaluation in told():
        sent = langfuse_score(evaluation, "production")
        read = parse_obj_as(CreateScoreRequest, json.loads(json.dumps(sent)))
        assert not read.model_extra, "a field that Langfuse does not know"
        assert (read.id, read.trace_id, read.name) == (evaluation.id, TRACE, evaluation.name)
        assert read.timestamp is not None
        assert read.timestamp.tzinfo is not None


@pytest.mark.deep
def test_what_is_sent_is_what_langfuses_own_client_sends() -> None:
    from langfuse import Langfuse

    evaluation = next(one for one in told() if one.name == "toolgauge.score")
    ours = langfuse_score(evaluation, "production")
    with Receiver(answering=lambda _: Replied(202, ACCEPTED)) as server:
        client = Langfuse(
            public_key=KEYS["LANGFUSE_PUBLIC_KEY"],
            secret_key=KEYS["LANGFUSE_SECRET_KEY"],
            base_url=server.url,
            environment="production",
        )
        client.create_score(
            name=evaluation.name,
            value=float(evaluation.value or 0),
            trace_id=evaluation.trace_id,
            score_id=evaluation.id,
            data_type="NUMERIC",
            metadata=ours["metadata"],
            timestamp=datetime.fromisoformat(evaluation.at),
        )
        client.flush()
        client.shutdown()
        with closing(
            LangfuseTarget(server.url, {**KEYS, "LANGFUSE_TRACING_ENVIRONMENT": "production"}, QUICK)
        ) as target:
            target.send([evaluation])
    theirs, own = (one for one in server.received if one.path == "/api/public/scores")
    assert own.headers["authorization"] == theirs.headers["authorization"]
    (by_client,), (by_us,) = theirs.json, own.json
    assert datetime.fromisoformat(by_client.pop("timestamp")) == datetime.fromisoformat(by_us.pop("timestamp"))
    assert by_client == by_us
