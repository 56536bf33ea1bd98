"""Drawing reports: one document, a renderer for each format, a catalogue of words for each language."""

from .display import visible
from .document import Report
from .issues import word_issue
from .render import FORMATS, render, render_case, show
from .words import Lang

__all__ = ["FORMATS", "Lang", "Report", "render", "render_case", "show", "visible", "word_issue"]
