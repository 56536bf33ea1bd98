"""OpenTelemetry spans of models, tools and agents: OTLP JSON, or one span a line.

The current GenAI conventions and older ones are read, among them messages told as events or log records, numbered
attributes (OpenLLMetry, Traceloop) and those of pydantic-ai and Logfire. A trace is one trajectory; where it holds
several independent agents or conversations, each of them is one. Spans may come in any order: how long they are waited
for is said in `span_window`.
"""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from .span_reader import SpanReader
from .spans import is_openinference, is_spans

__all__ = ["OtelReader"]


class OtelReader(SpanReader):
    """Reads spans that do not follow OpenInference."""

    title: ClassVar[str] = "OpenTelemetry spans"
    openinference = False

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A span, or a document of spans or log records, whose first spans are not of OpenInference."""
        return is_spans(value) and not is_openinference(value)
