"""`toolgauge lint`: faults in a suite, found before an agent is blamed for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from toolgauge import api
from toolgauge.core import Finding, Suite
from toolgauge.errors import UsageError
from toolgauge.files import Path
from toolgauge.report import LintDocument

from .options import Output, output_options, tell
from .sources import columns_option

__all__ = ["command"]

FOUND_ERRORS = 2

MAX_LINES = 500
"""For how many findings the line is looked up; in a file with more faults, nobody reads further."""


@click.command()
@click.argument("suite")
@click.argument("more_runs", nargs=-1, metavar="")
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN...",
    help="Run files, or folders or patterns of them: also find expectations that all strong agents contradict.",
)
@output_options()
@columns_option
def command(
    suite: str,
    more_runs: tuple[str, ...],
    runs: tuple[str, ...],
    output: Output,
    columns: dict[str, str],
) -> int:
    """Find mistakes in SUITE: contradictions with its tools or itself, and rules that can never apply.

    The exit code is 2 if there are errors; warnings and hints leave it at 0. With run files, it also finds expectations
    that all strong agents contradict in the same way. No code that the suite names is imported.

    \b
    toolgauge lint suite.yaml
    toolgauge lint suite.yaml --runs monday.run.jsonl tuesday.run.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if more_runs and not runs:
        raise UsageError(f"{more_runs[0]!r} is one argument too many; put --runs before run files")
    output.refuse_inputs(suite, *runs, *more_runs)
    file = api.shipped_suite(suite) or suite
    # A schema that is none is a finding here, with the others.
    loaded = api.load_suite(file, check_schemas=False, remark=tell, columns=columns)
    found = api.lint(loaded, [api.load_run(run) for run in api.named_runs((*runs, *more_runs))])
    output.draw(LintDocument(suite, loaded, found, _lines(str(file), loaded, found, columns)))
    return FOUND_ERRORS if any(finding.severity == "error" for finding in found) else 0


def _lines(source: str, suite: Suite, found: Sequence[Finding], columns: Mapping[str, str]) -> dict[int, int]:
    positions: dict[str, int] = {}
    for index, case in enumerate(suite.cases):
        positions.setdefault(case.id, index)
    paths: dict[int, Path] = {}
    for number, finding in enumerate(found[:MAX_LINES]):
        if finding.case is not None:
            paths[number] = ("cases", positions[finding.case], *finding.path)
        elif finding.path:
            paths[number] = finding.path
    lines = api.find_lines(source, paths.values(), columns=columns) if paths else {}
    return {number: lines[path] for number, path in paths.items() if path in lines}
