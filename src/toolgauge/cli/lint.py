"""`toolgauge lint`: faults in a suite, found before an agent is blamed for them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from toolgauge import api
from toolgauge.catalogue import LANGUAGES, Lang, language, words_of
from toolgauge.core import SEVERITIES, Finding, Severity, Suite
from toolgauge.errors import UsageError
from toolgauge.files import Path, format_path
from toolgauge.report import visible, word_finding

from .options import Output, tell
from .sources import columns_option

__all__ = ["command"]

SCHEMA = "toolgauge.lint/1"

FOUND_ERRORS = 2

MOST_LINES = 500
"""For how many findings the line is looked up; in a file with more faults, nobody reads further."""

_SPECIAL = re.compile(r"[\\`*_{}\[\]|~$#]")


@click.command()
@click.argument("suite")
@click.argument("more_runs", nargs=-1, metavar="")
@click.option("--runs", multiple=True, metavar="RUN...", help="Run files: find what all strong agents contradict.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="How to write it.",
)
@click.option("-o", "--output", "path", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the findings; default: the locale's.")
@columns_option
def command(
    suite: str,
    more_runs: tuple[str, ...],
    runs: tuple[str, ...],
    form: str,
    path: str | None,
    lang: str | None,
    columns: dict[str, str],
) -> int:
    """Find faults in SUITE: what contradicts its tools or itself, what can never count.

    The exit code is 2 where there are errors; warnings and hints leave it at 0. With run files, expectations are found
    that all strong agents contradict in the same way. No code that the suite names is imported.

    \b
    toolgauge lint suite.yaml
    toolgauge lint suite.yaml --runs monday.run.jsonl tuesday.run.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if more_runs and not runs:
        raise UsageError(f"{more_runs[0]!r} is one argument too many; write --runs before run files")
    output = Output(form, path, lang or language())
    output.refuse_inputs(suite, *runs, *more_runs)
    file = api.shipped_suite(suite) or suite
    # A schema that is none is a finding here, with the others.
    loaded = api.load_suite(file, check_schemas=False, remark=tell, columns=columns)
    found = api.lint(loaded, [api.load_run(run) for run in (*runs, *more_runs)])
    listing = Listing(suite, loaded, found, _lines(str(file), loaded, found, columns), output.lang)
    draw = {"json": _json, "md": _markdown}.get(form, _text)
    output.write(draw(listing))
    return FOUND_ERRORS if any(finding.severity == "error" for finding in found) else 0


@dataclass(frozen=True, slots=True)
class Listing:
    """The findings of one suite, to be drawn."""

    source: str
    suite: Suite
    findings: Sequence[Finding]
    lines: Mapping[int, int]
    """Lines in the file, by the position of the finding."""
    lang: Lang

    def of(self, severity: Severity) -> Iterator[tuple[Finding, int | None]]:
        """The findings of one severity, with their lines."""
        for index, finding in enumerate(self.findings):
            if finding.severity == severity:
                yield finding, self.lines.get(index)

    def closing(self) -> str:
        """How many there are."""
        words = words_of(self.lang)
        counts = Counter(finding.severity for finding in self.findings)
        parts = [words.count(f"lint.{severity}", counts[severity]) for severity in SEVERITIES if counts[severity]]
        return f"{self.source}: {', '.join(parts) or words('lint.none')}"


def _lines(source: str, suite: Suite, found: Sequence[Finding], columns: Mapping[str, str]) -> dict[int, int]:
    positions: dict[str, int] = {}
    for index, case in enumerate(suite.cases):
        positions.setdefault(case.id, index)
    paths: dict[int, Path] = {}
    for number, finding in enumerate(found[:MOST_LINES]):
        if finding.case is not None:
            paths[number] = ("cases", positions[finding.case], *finding.path)
        elif finding.path:
            paths[number] = finding.path
    lines = api.find_lines(source, paths.values(), columns=columns) if paths else {}
    return {number: lines[path] for number, path in paths.items() if path in lines}


def _text(listing: Listing) -> Iterator[str]:
    for severity in SEVERITIES:
        items = list(listing.of(severity))
        if not items:
            continue
        yield f"{words_of(listing.lang)(f'lint.section.{severity}')}\n"
        for finding, line in items:
            place = listing.source if line is None else f"{listing.source}:{line}"
            where = " ".join(part for part in (finding.case or "", format_path(finding.path)) if part)
            yield visible(f"  {place}: {where + ' ' if where else ''}[{finding.kind}]") + "\n"
            yield visible(f"    {word_finding(finding, listing.lang)}") + "\n"
        yield "\n"
    yield visible(listing.closing()) + "\n"


def _markdown(listing: Listing) -> Iterator[str]:
    for severity in SEVERITIES:
        items = list(listing.of(severity))
        if not items:
            continue
        yield f"## {words_of(listing.lang)(f'lint.section.{severity}')}\n\n"
        for finding, line in items:
            place = listing.source if line is None else f"{listing.source}:{line}"
            parts = (f"**{_escape(finding.case)}**" if finding.case else "", _escape(format_path(finding.path)))
            where = " ".join(part for part in parts if part)
            message = _escape(word_finding(finding, listing.lang))
            yield f"- {where + ': ' if where else ''}{message} ({finding.kind.replace('_', chr(92) + '_')}, "
            yield f"{_escape(place)})\n"
        yield "\n"
    yield _escape(listing.closing()) + "\n"


def _escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    text = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\g<0>", text)


def _json(listing: Listing) -> Iterator[str]:
    counts = Counter(finding.severity for finding in listing.findings)
    document = {
        "schema": SCHEMA,
        "suite": {"name": listing.suite.name, "file": listing.source, "cases": len(listing.suite.cases)},
        "counts": {severity: counts[severity] for severity in SEVERITIES},
        "findings": [
            {
                "kind": finding.kind,
                "severity": finding.severity,
                "case": finding.case,
                "path": format_path(finding.path),
                "line": listing.lines.get(index),
                "message": word_finding(finding, listing.lang),
                "values": finding.values,
            }
            for index, finding in enumerate(listing.findings)
        ],
    }
    yield json.dumps(document, indent=2, ensure_ascii=False) + "\n"
