"""MLflow: an assessment of the trace for each evaluation, a feedback with a value and a rationale.

An assessment has an id that its sender may choose, but to create it again is an error. So what a trace has already is
asked for first, and what differs is changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from urllib.parse import quote

import msgspec

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.models import Retries

from .evaluation import Evaluation, EvaluationSource
from .http import DELIVERY_RETRIES, DeliveryError, HttpClient
from .identity import hexadecimal_span, hexadecimal_trace
from .target import variable

__all__ = ["MlflowTarget", "mlflow_assessment", "mlflow_trace"]

TRACES = "/api/3.0/mlflow/traces"
KINDS: dict[EvaluationSource, str] = {"code": "CODE", "human": "HUMAN", "llm": "LLM_JUDGE"}
CHANGEABLE = ("feedback", "rationale", "metadata")
"""What of an assessment can be changed when it is there."""


class MlflowTarget:
    """A tracking server of MLflow."""

    name = "mlflow"

    def __init__(
        self, endpoint: str | None, environment: Mapping[str, str], retries: Retries = DELIVERY_RETRIES
    ) -> None:
        """Find the server, by the variables that MLflow's own client knows.

        Raises:
            UsageError: No server is named, or its address cannot be used.
        """
        uri = endpoint or variable(environment, "MLFLOW_TRACKING_URI")
        if not uri:
            raise UsageError("to export to MLflow, name its server with --endpoint or MLFLOW_TRACKING_URI")
        token = variable(environment, "MLFLOW_TRACKING_TOKEN")
        user = variable(environment, "MLFLOW_TRACKING_USERNAME")
        login = (user, environment.get("MLFLOW_TRACKING_PASSWORD", "")) if user and not token else None
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = HttpClient(uri, headers, login=login, retries=retries)

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        return self._client.address

    def takes(self, evaluation: Evaluation) -> bool:
        """Whatever its trace is called."""
        return bool(evaluation.trace_id)

    def send(self, evaluations: Sequence[Evaluation]) -> None:
        """Send assessments.

        Raises:
            DeliveryError: One was not delivered; those before it were.
        """
        for trace, several in groupby(evaluations, key=lambda one: mlflow_trace(one.trace_id)):
            known = self._known(trace)
            for evaluation in several:
                self._put(trace, mlflow_assessment(evaluation), known)

    def _known(self, trace: str) -> dict[str, dict[str, JsonValue]]:
        """By their ids the assessments that a trace has."""
        said = self._client.request("GET", f"{TRACES}/{quote(trace, safe='')}").json()
        info = _part(_part(said, "trace"), "trace_info")
        listed = info.get("assessments")
        found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return {str(one.get("assessment_id")): one for one in found}

    def _put(self, trace: str, assessment: dict[str, JsonValue], known: Mapping[str, Mapping[str, JsonValue]]) -> None:
        path = f"{TRACES}/{quote(trace, safe='')}/assessments"
        name = str(assessment["assessment_id"])
        there = known.get(name)
        if there is None:
            try:
                self._client.request("POST", path, msgspec.json.encode({"assessment": assessment})).json()
            except DeliveryError as failure:
                # It may be there since an attempt that no reply came to, and to create it again is an error.
                if failure.status is None or failure.status < 500 or name not in self._known(trace):
                    raise
        elif any(assessment.get(key) != there.get(key) for key in CHANGEABLE):
            # What there is no more to say is said to be empty: what is left out stays as it was.
            changed = {"rationale": "", **assessment}
            body = {"assessment": changed, "update_mask": ",".join(CHANGEABLE)}
            self._client.request("PATCH", f"{path}/{name}", msgspec.json.encode(body)).json()

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()


def _part(value: JsonValue, key: str) -> dict[str, JsonValue]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def mlflow_trace(trace_id: str) -> str:
    """What MLflow calls a trace: `tr-` before an OpenTelemetry id, and any other id as it is."""
    found = hexadecimal_trace(trace_id)
    return trace_id if found is None else f"tr-{found}"


def mlflow_assessment(evaluation: Evaluation) -> dict[str, JsonValue]:
    """An evaluation as MLflow's API has it."""
    assessment: dict[str, JsonValue] = {
        "assessment_id": f"a-{evaluation.id}",
        "assessment_name": evaluation.name,
        "trace_id": mlflow_trace(evaluation.trace_id),
        "span_id": hexadecimal_span(evaluation.span_id) if evaluation.about == "call" else None,
        "source": {"source_type": KINDS[evaluation.source], "source_id": evaluation.by or "toolgauge"},
        "create_time": evaluation.at,
        "last_update_time": evaluation.at,
        "feedback": {"value": _value(evaluation)},
        "rationale": evaluation.explanation or None,
        "metadata": {key: value for key, value in evaluation.metadata.items() if value},
    }
    return {key: value for key, value in assessment.items() if value is not None}


def _value(evaluation: Evaluation) -> JsonValue:
    """Whether something passed is true or false; else the word, where there is one, or the number."""
    if evaluation.about == "trajectory" and evaluation.label in ("pass", "fail"):
        return evaluation.label == "pass"
    return evaluation.label or evaluation.value
