"""Scores for other systems: evaluations of traces, sent to where the traces are, or written as a table.

What a trajectory has to say elsewhere is in `evaluation.py`; how it is sent to each system is in a module of its name.
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .evaluation import Evaluation, Evaluations, check_metrics
    from .exporter import DeliveryReport, ExportOutcome, ScoreExporter
    from .http import CONTINUOUS_RETRIES
    from .opening import open_target
    from .parquet import write_parquet
    from .spool import ExportSpool, spool_folder
    from .table import EXPORT_METRICS, EXPORT_TARGETS
    from .target import ExportTarget

__all__ = [
    "CONTINUOUS_RETRIES",
    "EXPORT_METRICS",
    "EXPORT_TARGETS",
    "DeliveryReport",
    "Evaluation",
    "Evaluations",
    "ExportOutcome",
    "ExportSpool",
    "ExportTarget",
    "ScoreExporter",
    "check_metrics",
    "open_target",
    "spool_folder",
    "write_parquet",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".evaluation": "Evaluation Evaluations check_metrics",
        ".exporter": "DeliveryReport ExportOutcome ScoreExporter",
        ".http": "CONTINUOUS_RETRIES",
        ".opening": "open_target",
        ".parquet": "write_parquet",
        ".spool": "ExportSpool spool_folder",
        ".table": "EXPORT_METRICS EXPORT_TARGETS",
        ".target": "ExportTarget",
    },
)
