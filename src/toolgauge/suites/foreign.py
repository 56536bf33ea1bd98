"""Suites of other tools: recognised by what is in them, and mapped where the mapping is plain."""

from __future__ import annotations

from collections.abc import Callable

from toolgauge.core import JsonValue, Suite
from toolgauge.files import Document, InputFile, Problems

from . import foreign_adk, foreign_deepeval, foreign_promptfoo
from .borrowed import Borrowed

__all__ = ["is_foreign", "read_foreign"]

_FORMATS = (foreign_promptfoo, foreign_adk, foreign_deepeval)
"""Each with `recognises` and `borrow`; the clearest marks come first."""


def is_foreign(value: JsonValue) -> bool:
    """Whether a document is a suite of another tool."""
    return any(form.recognises(value) for form in _FORMATS)


def read_foreign(source: InputFile, document: Document, remark: Callable[[str], None] | None) -> Suite:
    """The suite that a document of another tool stands for.

    Args:
        source: The file that it is from.
        document: A document that `is_foreign`.
        remark: Takes a line for each kind of thing that has no counterpart here.

    Raises:
        InputError: What is expected in it cannot be used; the faults are listed, with places.
    """
    form = next(form for form in _FORMATS if form.recognises(document.value))
    borrowed = Borrowed()
    form.borrow(document.value, borrowed)
    suite, faults = borrowed.suite(source.stem)
    problems = Problems(source.name)
    problems.add_faults(faults, document.locate)
    problems.raise_if_any()
    if remark is not None:
        for line in borrowed.remarks():
            remark(line)
    return suite
