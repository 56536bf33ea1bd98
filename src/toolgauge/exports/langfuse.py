"""Langfuse: a score for each evaluation.

Scores go in lists, as Langfuse's fifth client sends them; an older server, which says that a list is no score, gets
them one by one. A score counts once by its id and its time, which is why both are always the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.models import Retries

from .evaluation import Evaluation
from .http import DELIVERY_RETRIES, DeliveryError, HttpClient
from .target import variable

__all__ = ["LangfuseTarget", "langfuse_score"]

SCORES = "/api/public/scores"
PARTLY = 207
"""The status by which a server says that it has taken some scores of a list and not others."""

MAX_TEXT = 500
"""How many characters the value of a score has that is a word."""


class LangfuseTarget:
    """A project of Langfuse."""

    name = "langfuse"

    def __init__(
        self, endpoint: str | None, environment: Mapping[str, str], retries: Retries = DELIVERY_RETRIES
    ) -> None:
        """Find the project, by the variables that Langfuse's own clients know.

        Raises:
            UsageError: There are no keys, or the address cannot be used.
        """
        public, secret = (environment.get(f"LANGFUSE_{which}_KEY", "").strip() for which in ("PUBLIC", "SECRET"))
        if not public or not secret:
            raise UsageError("to export to Langfuse, set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY")
        host = endpoint or variable(
            environment, "LANGFUSE_BASE_URL", "LANGFUSE_HOST", default="https://cloud.langfuse.com"
        )
        self._client = HttpClient(host, login=(public, secret), retries=retries)
        self._environment = variable(environment, "LANGFUSE_TRACING_ENVIRONMENT")
        self._one_by_one = False

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        return self._client.address

    def takes(self, evaluation: Evaluation) -> bool:
        """Whatever its trace is called."""
        return bool(evaluation.trace_id)

    def send(self, evaluations: Sequence[Evaluation]) -> None:
        """Send scores.

        Raises:
            DeliveryError: They were not delivered, or not all of them were taken.
        """
        scores = [langfuse_score(one, self._environment) for one in evaluations]
        if not self._one_by_one:
            try:
                self._send_list(scores)
            except DeliveryError as failure:
                if failure.status != 400:
                    raise
                self._one_by_one = True
            else:
                return
        try:
            for score in scores:
                self._client.request("POST", SCORES, msgspec.json.encode(score)).json()
        except DeliveryError:
            self._one_by_one = False  # it may have been the score, and not the list
            raise

    def _send_list(self, scores: list[dict[str, JsonValue]]) -> None:
        reply = self._client.request("POST", SCORES, msgspec.json.encode(scores))
        said = reply.json()
        rejected = said.get("rejected") if isinstance(said, dict) else 0
        if reply.status == PARTLY and rejected:
            raise DeliveryError(f"{self.address}: {rejected} of {len(scores)} scores were rejected", "refused", PARTLY)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()


def langfuse_score(evaluation: Evaluation, environment: str = "") -> dict[str, JsonValue]:
    """An evaluation as Langfuse's API has it."""
    score: dict[str, JsonValue] = {
        "id": evaluation.id,
        "traceId": evaluation.trace_id,
        "observationId": (evaluation.span_id or None) if evaluation.about == "call" else None,
        "name": evaluation.name,
        **_value(evaluation),
        "comment": evaluation.explanation or None,
        "environment": environment or None,
        "timestamp": evaluation.at,
        "metadata": {**evaluation.metadata, "source": evaluation.source, "by": evaluation.by or "toolgauge"},
    }
    return {key: value for key, value in score.items() if value is not None}


def _value(evaluation: Evaluation) -> dict[str, JsonValue]:
    """What has a word is categorical; whether something passed is true or false, and all else a number."""
    if evaluation.label in ("pass", "fail") and evaluation.about == "trajectory":
        return {"value": float(evaluation.value or 0), "dataType": "BOOLEAN"}
    if evaluation.label:
        return {"value": evaluation.label[:MAX_TEXT], "dataType": "CATEGORICAL"}
    return {"value": evaluation.value, "dataType": "NUMERIC"}
