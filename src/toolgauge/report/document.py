"""What a report shows and in which order: the answer first, then the evidence, single cases last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolgauge.catalogue import Lang, words_of
from toolgauge.core import Case, Run, nfc
from toolgauge.errors import UsageError, did_you_mean

from .blocks import Block
from .cases import case_table, failures, single_case
from .figures import figures, tool_tables
from .sections import facts, method, notes, opening

__all__ = ["Report", "case_document", "document", "find_case"]


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be drawn."""

    run: Run
    details: bool = False
    """Whether to add the single cases."""
    failures: bool = False
    """Whether to show expected beside actual, line by line, for each case that did not pass."""
    lang: Lang = "en"
    brief: bool = False
    """Whether to leave it at the figures that are the same when a run is repeated: no times, no explanations."""


def document(report: Report) -> Iterator[Block]:
    """The report as blocks, made as they are drawn."""
    words = words_of(report.lang)
    run = report.run
    yield from opening(run, words)
    yield from figures(run.summary, words, brief=report.brief)
    if report.brief:
        return
    yield from tool_tables(run.summary, words)
    yield from facts(run.summary, words)
    yield from method(run.header.suite.settings, words)
    yield from notes(run, words)
    if report.details:
        yield from case_table(run, words)
    if report.failures:
        yield from failures(run, words)


def find_case(run: Run, case_id: str) -> Case:
    """The case with an id.

    Raises:
        UsageError: The suite has no such case.
    """
    wanted = nfc(case_id)
    for case in run.header.suite.cases:
        if nfc(case.id) == wanted:
            return case
    hint = did_you_mean(case_id, [case.id for case in run.header.suite.cases])
    raise UsageError(f"the suite has no case {case_id!r}" + (f"; {hint}" if hint else ""))


def case_document(run: Run, case: Case, lang: Lang) -> Iterator[Block]:
    """One case with all its trajectories as blocks."""
    yield from single_case(run, case, words_of(lang))
