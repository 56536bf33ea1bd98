"""`toolgauge gate`: whether a run is good enough."""

from __future__ import annotations

import os
from collections.abc import Iterable

import click
from msgspec.structs import replace

from toolgauge import api
from toolgauge.errors import OutputError, UsageError
from toolgauge.report import VerdictDocument, render

from .options import Output, output_options, tell
from .sources import Subject, review_notes, subject_options, with_reviews_option

__all__ = ["command"]

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


@click.command()
@click.option(
    "--min-pass-rate", metavar="X", help=f"Minimum share of planned cases that pass; default: {api.DEFAULT_PASS_RATE}."
)
@click.option("--min", "minimum", multiple=True, metavar="NAME=X", help="Minimum value of a metric; may be repeated.")
@click.option(
    "--max",
    "maximum",
    multiple=True,
    metavar="NAME=X",
    help="Maximum value of a metric, such as latency.p95 or f1[label=value]; may be repeated.",
)
@click.option(
    "--must-pass",
    multiple=True,
    metavar="CASE",
    help="A case, or a pattern of cases, that must pass every time; may be repeated.",
)
@click.option(
    "--baseline",
    metavar="[RUN]",
    is_flag=False,
    flag_value="",
    help="Run to compare with; without RUN, the one chosen by toolgauge baseline set. Put it after other arguments.",
)
@click.option(
    "--max-drop",
    multiple=True,
    metavar="[NAME=]X",
    help=f"How much worse than the baseline the pass rate, or NAME, may be; default: {api.DEFAULT_MAX_DROP}.",
)
@click.option(
    "--agent", "agents", multiple=True, metavar="NAME", help="Include only this agent; may be repeated. Default: all."
)
@click.option(
    "--flaky",
    type=click.Choice(["count", "forgive", "forbid"]),
    default="count",
    show_default=True,
    help="For cases with several trials: every trial counts, one that passes is enough, or all must agree.",
)
@click.option("--strict", is_flag=True, help="Exit with code 4 if the comparison with the baseline is inconclusive.")
@click.option(
    "--force", is_flag=True, help="Compare with the baseline even if its suite, tools or scoring rules differ."
)
@with_reviews_option
@click.option("--junit", metavar="FILE", help="Also write JUnit XML to FILE.")
@click.option("--summary", metavar="FILE", help="Also write Markdown, such as for a pull request, to FILE.")
@subject_options
@output_options(cases=True)
def command(
    subject: Subject,
    min_pass_rate: str | None,
    minimum: tuple[str, ...],
    maximum: tuple[str, ...],
    must_pass: tuple[str, ...],
    baseline: str | None,
    max_drop: tuple[str, ...],
    agents: tuple[str, ...],
    flaky: api.Flaky,
    strict: bool,
    force: bool,
    with_reviews: bool,
    junit: str | None,
    summary: str | None,
    output: Output,
) -> int:
    """Fail if RUN misses its limits, or is worse than a baseline.

    RUN is a run file, or a run in the store: its id or the beginning of its id, its name, NAME@latest, or latest. With
    --suite, recorded traces are scored first.

    Exit codes: 0 passed, or inconclusive; 1 failed; 3 not failed, but some cases were not run; 4 inconclusive, with
    --strict.

    \b
    toolgauge gate latest --min-pass-rate 0.95 --max tool_fail_rate=0.02
    toolgauge gate latest --min f1[difficulty=hard]=0.7 --must-pass 'safety_*'
    toolgauge gate today.run.jsonl --baseline main.run.jsonl --max-drop 0.03
    toolgauge gate traces.jsonl --suite suite.yaml --format github --junit junit.xml
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if max_drop and baseline is None:
        raise UsageError("--max-drop limits how much worse than the baseline a run may be; add --baseline")
    beside = {"--junit": junit, "--summary": summary}
    if output.format == "github":
        beside[STEP_SUMMARY] = os.environ.get(STEP_SUMMARY) or None
    output.refuse_inputs(*subject.inputs, baseline or None, store=subject.store, beside=beside)
    least = _once("--min", map(api.split_limit, minimum))
    most = _once("--max", map(api.split_limit, maximum))
    drops = _once("--max-drop", map(_drop, max_drop)) or api.DEFAULT_MAX_DROP
    share = api.DEFAULT_PASS_RATE if min_pass_rate is None else api.read_number(min_pass_rate)
    with subject.opened(with_reviews=with_reviews) as run:
        if subject.suite is None:
            # Of traces that are scored now it was said already.
            tell(*api.undefined_tools(run.header.suite))
        before, name = (
            (None, None)
            if baseline is None
            else api.load_baseline(baseline, run.header.suite.name, store=subject.store, with_reviews=with_reviews)
        )
        verdict = api.gate(
            run,
            min_pass_rate=share,
            minimum=least,
            maximum=most,
            must_pass=must_pass,
            baseline=before,
            max_drop=drops,
            agents=agents,
            flaky=flaky,
            force=force,
        )
        verdict = replace(verdict, baseline=name)
        for note in run.header.selection:
            count, of, options = (note.values.get(name) for name in ("count", "of", "reason"))
            tell(f"the run covers {count} of {of} cases of its suite: {options}")
        tell(*review_notes(run))
        if verdict.counts.not_run:
            tell(f"{verdict.counts.not_run} of {verdict.counts.planned} planned were not run; they count as not passed")
        places = api.case_places(run) if output.format == "github" else {}
        _write(VerdictDocument(verdict, run, places), output, junit, summary)
    return verdict.exit_code(strict=strict)


def _once(option: str, limits: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Limits by what they are about, each of which is said once: of two, nobody could tell which one holds."""
    found: dict[str, float] = {}
    for name, bound in limits:
        if name in found:
            raise UsageError(f"{option} is given twice for {name}: {found[name]:g} and {bound:g}; leave one out")
        found[name] = bound
    return found


def _drop(text: str) -> tuple[str, float]:
    name, equals, number = text.rpartition("=")
    return (name if equals else "pass_rate"), api.read_number(number, text)


def _write(document: VerdictDocument, output: Output, junit: str | None, summary: str | None) -> None:
    """Write the results that go beside the main one first: whoever waits for that may then read them."""
    if junit is not None:
        output.beside("junit", junit).draw(document)
    if summary is not None:
        output.beside("md", summary).draw(document)
    if output.format == "github":
        _append_step_summary(document, output)
    output.draw(document)


def _append_step_summary(document: VerdictDocument, output: Output) -> None:
    """Add the verdict to the page that GitHub shows for a job, where there is one."""
    path = os.environ.get(STEP_SUMMARY)
    if not path:
        return
    text = "".join(render(document, "md", lang=output.lang)) + "\n"
    try:
        with open(path, "ab") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
