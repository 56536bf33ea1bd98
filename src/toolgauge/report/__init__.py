"""Drawing reports: one document, a renderer for each format, a catalogue of words for each language."""

from .display import visible
from .document import Report
from .issues import word_issue
from .lint import word_finding
from .render import FORMATS, render, render_case, show

__all__ = ["FORMATS", "Report", "render", "render_case", "show", "visible", "word_finding", "word_issue"]
