"""Suites of other tools, one module per format: recognised by what is in them, and mapped where the mapping is plain.

Beside them are tables (CSV), of whose columns headings.py says what they mean, and the questions of the Berkeley
Function-Calling Leaderboard, which are asked for by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from toolgauge.core import JsonValue, Suite
from toolgauge.files import InputFile, LocatedDocument, Problems

from . import adk, deepeval, promptfoo
from .imported import ImportedSuite

__all__ = ["BUILT_IN", "SuiteFormat", "is_foreign", "read_foreign"]


class SuiteFormat(Protocol):
    """Reads the suites of one tool; a module of this package is one."""

    def recognises(self, value: JsonValue) -> bool:
        """Whether a document is of this tool. Looks at few keys, and never raises."""

    def read(self, value: JsonValue, imported: ImportedSuite) -> None:
        """Import all cases of a document that it recognises."""


BUILT_IN: dict[str, SuiteFormat] = {"promptfoo": promptfoo, "adk": adk, "deepeval": deepeval}
"""The formats by the name of the tool, those with the clearest marks first."""


def _format_of(value: JsonValue) -> SuiteFormat | None:
    return next((form for form in BUILT_IN.values() if form.recognises(value)), None)


def is_foreign(value: JsonValue) -> bool:
    """Whether a document is a suite of another tool."""
    return _format_of(value) is not None


def read_foreign(source: InputFile, document: LocatedDocument, remark: Callable[[str], None] | None) -> Suite:
    """The suite that a document of another tool stands for.

    Args:
        source: The file that it is from.
        document: A document that `is_foreign`.
        remark: Takes a line for each kind of thing that has no counterpart here.

    Raises:
        InputError: What is expected in it cannot be used; the faults are listed, with places.
    """
    form = _format_of(document.value)
    if form is None:
        raise AssertionError("a document that no format recognises is not foreign")
    imported = ImportedSuite()
    form.read(document.value, imported)
    suite, faults = imported.suite(source.stem)
    problems = Problems(source.name)
    problems.add_faults(faults, document.locate)
    problems.raise_if_any()
    if remark is not None:
        for line in imported.remarks():
            remark(line)
    return suite
