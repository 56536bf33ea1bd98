"""Arize Phoenix: an annotation of the trace for each evaluation, or of the span where it is about a single call.

Phoenix keeps one annotation of a name and an identifier for each of them, so that what comes again replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from toolgauge.core import JsonValue
from toolgauge.models import Retries

from .evaluation import Evaluation, EvaluationSource
from .http import DELIVERY_RETRIES, HttpClient
from .identity import hexadecimal_span, hexadecimal_trace
from .target import header_list, variable

__all__ = ["PhoenixTarget", "phoenix_annotation"]

ANNOTATIONS = {"trajectory": "/v1/trace_annotations?sync=true", "call": "/v1/span_annotations?sync=true"}
"""Where annotations go; answered when they are kept, or when a trace is missing."""

KINDS: dict[EvaluationSource, str] = {"code": "CODE", "human": "HUMAN", "llm": "LLM"}


class PhoenixTarget:
    """A server of Phoenix."""

    name = "phoenix"

    def __init__(
        self, endpoint: str | None, environment: Mapping[str, str], retries: Retries = DELIVERY_RETRIES
    ) -> None:
        """Find the server, by the variables that Phoenix's own clients know.

        Raises:
            UsageError: The address or the headers cannot be used.
        """
        url = endpoint or variable(
            environment, "PHOENIX_COLLECTOR_ENDPOINT", "PHOENIX_BASE_URL", default="http://localhost:6006"
        )
        headers = header_list(environment, "PHOENIX_CLIENT_HEADERS")
        if key := variable(environment, "PHOENIX_API_KEY"):
            headers.setdefault("Authorization", f"Bearer {key}")
        self._client = HttpClient(url.rstrip("/").removesuffix("/v1/traces"), headers, retries=retries)

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        return self._client.address

    def takes(self, evaluation: Evaluation) -> bool:
        """Whether its ids are those of OpenTelemetry."""
        known = evaluation.about == "trajectory" or hexadecimal_span(evaluation.span_id) is not None
        return known and hexadecimal_trace(evaluation.trace_id) is not None

    def send(self, evaluations: Sequence[Evaluation]) -> None:
        """Send annotations.

        Raises:
            DeliveryError: They were not delivered, or not all of them.
        """
        for about, path in ANNOTATIONS.items():
            if data := [phoenix_annotation(one) for one in evaluations if one.about == about]:
                self._client.request("POST", path, msgspec.json.encode({"data": data})).json()

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()


def phoenix_annotation(evaluation: Evaluation) -> dict[str, JsonValue]:
    """An evaluation as Phoenix's API has it."""
    result: dict[str, JsonValue] = {
        "score": evaluation.value,
        "label": evaluation.label or None,
        "explanation": evaluation.explanation or None,
    }
    metadata: dict[str, JsonValue] = {**evaluation.metadata, "at": evaluation.at}
    trajectory = evaluation.about == "trajectory"
    return {
        **({"trace_id": hexadecimal_trace(evaluation.trace_id)} if trajectory else {}),
        **({} if trajectory else {"span_id": hexadecimal_span(evaluation.span_id)}),
        "name": evaluation.name,
        "annotator_kind": KINDS[evaluation.source],
        "identifier": evaluation.id,
        "result": {key: value for key, value in result.items() if value is not None},
        "metadata": metadata | ({"by": evaluation.by} if evaluation.by else {}),
    }
