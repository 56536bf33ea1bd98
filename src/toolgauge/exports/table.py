"""Where scores can go, and which: names, without what it takes to send anything."""

from __future__ import annotations

from toolgauge.core import MEASURES

__all__ = ["EXPORT_METRICS", "EXPORT_TARGETS"]

EXPORT_TARGETS = {
    "otel": ".otel:OtelTarget",
    "langfuse": ".langfuse:LangfuseTarget",
    "phoenix": ".phoenix:PhoenixTarget",
    "mlflow": ".mlflow:MlflowTarget",
}
"""By name the systems that scores can be sent to, each with where it is known how."""

EXPORT_METRICS = ("passed", *MEASURES, "accuracy", "answer", "issues", "calls", "judge", "scorers", "review")
"""What can be exported. `calls` are issues of single calls, each about the span of its call; `scorers` is whatever
scorers of other packages say, and `review` what people say."""
