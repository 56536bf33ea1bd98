"""Suites and traces as options say that they are read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from toolgauge.core import Case, PathLike, Suite
from toolgauge.files import expand_path
from toolgauge.traces import ImportReport, ReadOptions, kept_key, known_tools

from .options import ConvertOptions, ScoreOptions, SuiteOptions, TraceOptions

if TYPE_CHECKING:
    from toolgauge.suites import Names

__all__ = ["named_runs", "read_options", "read_suite"]


def named_runs(named: Iterable[PathLike]) -> list[str]:
    """Expand paths, folders, patterns and addresses to run files; names of runs in a store are unchanged.

    Raises:
        NothingToDo: There are none in a folder, or the pattern matches none.
        InputError: What is behind an address cannot be listed.
    """
    return [file.path for one in named for file in expand_path(os.fspath(one))]


def read_suite(suite: Suite | PathLike, options: SuiteOptions, report: ImportReport) -> Suite:
    """The suite that is given, or named; what is worth a word of it goes to the report."""
    from toolgauge.suites import check_suite, load_suite, undefined_tools  # for converting there is mostly none

    if isinstance(suite, Suite):
        loaded = check_suite(suite)
    elif options.profile is None:
        from toolgauge.benchmarks import shipped_suite

        path = shipped_suite(suite) or suite
        loaded = load_suite(path, input_format=options.suite_format, remark=report.remark, columns=options.columns)
    else:
        from toolgauge.suites import load_bfcl_suite

        loaded = load_bfcl_suite(suite, answers=options.answers, names=_names(options))
    if not any(map(_expects_something, loaded.cases)):
        report.remark("no case of this suite expects anything: every score is 1")
    for undefined in undefined_tools(loaded):
        report.remark(undefined)
    if unreviewed := sum(not case.reviewed for case in loaded.cases):
        cases = "1 case of this suite was" if unreviewed == 1 else f"{unreviewed} cases of this suite were"
        report.remark(f"{cases} proposed from traces and not yet reviewed")
    return loaded


def read_options(
    suite: Suite | None, options: ScoreOptions | ConvertOptions, report: ImportReport, *, verbatim: bool = False
) -> ReadOptions:
    """How trace files are read that are meant for a suite, or for none."""
    return ReadOptions(
        input_format=options.input_format,
        known_tools=frozenset() if suite is None else known_tools(suite),
        error_patterns=options.error_patterns,
        exact_names=options.strict_names,
        strict_decoding=options.strict_decoding,
        handler=options.handler,
        text_calls=options.text_calls,
        kept_key=None if suite is None else kept_key(options.join_by),
        verbatim=verbatim,
        report=report,
    )


def _names(options: SuiteOptions) -> Names:
    """How names with dots have to be written."""
    if not options.strict_names:
        return "either"
    from toolgauge.traces import BFCL_HANDLERS

    handler = options.handler if isinstance(options, TraceOptions) else None
    return "underscores" if handler is not None and BFCL_HANDLERS[handler].underscores else "dots"


def _expects_something(case: Case) -> bool:
    expect = case.expect
    return expect.calls is not None or bool(
        expect.any_of or expect.contains or expect.answer or expect.forbid or case.budget
    )
