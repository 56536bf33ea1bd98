"""Where scores can go, and which: names, without what it takes to send anything."""

from __future__ import annotations

from typing import NamedTuple

from toolgauge.core import MEASURES

__all__ = ["EXPORT_METRICS", "EXPORT_TARGETS", "TargetEntry"]


class TargetEntry(NamedTuple):
    """A system that scores can be sent to."""

    home: str
    """Where it is known how."""
    address: str
    """The variable of the environment that says where it is, exactly."""


EXPORT_TARGETS = {
    "otel": TargetEntry(".otel:OtelTarget", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"),
    "langfuse": TargetEntry(".langfuse:LangfuseTarget", "LANGFUSE_BASE_URL"),
    "phoenix": TargetEntry(".phoenix:PhoenixTarget", "PHOENIX_COLLECTOR_ENDPOINT"),
    "mlflow": TargetEntry(".mlflow:MlflowTarget", "MLFLOW_TRACKING_URI"),
}
"""The systems that scores can be sent to, by name."""

EXPORT_METRICS = ("passed", *MEASURES, "accuracy", "answer", "issues", "calls", "judge", "scorers", "review")
"""What can be exported. `calls` are issues of single calls, each about the span of its call; `scorers` is whatever
scorers of other packages say, and `review` what people say."""
