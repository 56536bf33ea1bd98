"""OpenInference spans, as Arize Phoenix and its instrumentations record them.

They come as OTLP JSON, one span a line, or as Phoenix exports them: attributes flat, nested, or as columns of a table
of spans. They are gathered together with all other spans of their trace.
"""

from __future__ import annotations

from typing import ClassVar

from toolgauge.core import JsonValue

from .span_reader import SpanReader
from .spans import is_openinference, is_spans

__all__ = ["OpenInferenceReader"]


class OpenInferenceReader(SpanReader):
    """Reads spans that follow OpenInference."""

    title: ClassVar[str] = "OpenInference spans"
    openinference = True

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A span, or a document of spans, of which one of the first has a kind of OpenInference."""
        return is_spans(value) and is_openinference(value)
