"""Drawing reports: documents, which say what there is to say, and formats, each of which draws any of them."""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

from .render import (
    CASE_FORMATS,
    CHART_FORMATS,
    FORMATS,
    Document,
    Format,
    RenderOptions,
    brought_formats,
    check_tables,
    render,
    show,
)

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from .agreement import AgreementDocument
    from .comparison import ComparisonDocument
    from .diagnosis import DiagnosisDocument, word_advice
    from .display import duration, money, visible
    from .forecast import ForecastDocument
    from .lint import LintDocument, word_finding
    from .run import CaseDocument, RunDocument
    from .values import word_issue
    from .verdict import VerdictDocument

__all__ = [
    "CASE_FORMATS",
    "CHART_FORMATS",
    "FORMATS",
    "AgreementDocument",
    "CaseDocument",
    "ComparisonDocument",
    "DiagnosisDocument",
    "Document",
    "ForecastDocument",
    "Format",
    "LintDocument",
    "RenderOptions",
    "RunDocument",
    "VerdictDocument",
    "brought_formats",
    "check_tables",
    "duration",
    "money",
    "render",
    "show",
    "visible",
    "word_advice",
    "word_finding",
    "word_issue",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".agreement": "AgreementDocument",
        ".comparison": "ComparisonDocument",
        ".diagnosis": "DiagnosisDocument word_advice",
        ".display": "duration money visible",
        ".forecast": "ForecastDocument",
        ".lint": "LintDocument word_finding",
        ".run": "CaseDocument RunDocument",
        ".values": "word_issue",
        ".verdict": "VerdictDocument",
    },
)
