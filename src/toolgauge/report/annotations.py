"""Messages that GitHub Actions shows beside a run of a workflow, written as its workflow commands."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from toolgauge.catalogue import Lang, words_of
from toolgauge.core import Ruling, Verdict

from .display import visible
from .redaction import redact
from .verdict import check_name, reasons, render_verdict, unrounded, why

__all__ = ["render_annotations"]

MOST_ANNOTATIONS = 10
"""How many of one kind GitHub shows for a step."""

_LEVELS: dict[Ruling, str] = {"failed": "error", "inconclusive": "warning", "passed": "notice"}


def render_annotations(verdict: Verdict, lang: Lang = "en") -> Iterator[str]:
    """The verdict as text for the log, then what is shown beside the workflow.

    The text may quote what agents and tools said, and a line of that could look like a command; so commands are
    turned off while it is written, until a word that nobody can guess.
    """
    token = secrets.token_hex(16)
    yield f"::stop-commands::{token}\n"
    yield from render_verdict(verdict, "text", lang)
    yield f"::{token}::\n"
    yield from _annotations(verdict, lang)


def _annotations(verdict: Verdict, lang: Lang) -> Iterator[str]:
    words = words_of(lang)
    written = 0
    for check in verdict.checks:
        if check.ruling != "passed" and written < MOST_ANNOTATIONS:
            written += 1
            title = words("gate.annotation.check", ruling=words(f"gate.ruling.{check.ruling}"))
            value = unrounded(check, words)
            asked = f"{check.agent}: {check_name(check, words)}" + (f" ({value})" if value else "")
            said = [asked, *why(check, words)]
            yield _command(_LEVELS[check.ruling], title, "\n".join(map(visible, said)))
    # Cases that do not pass are no reason to stop where the gate lets the run through.
    level = "error" if verdict.ruling == "failed" else "warning"
    for failure in verdict.failures[: MOST_ANNOTATIONS - written]:
        title = words("gate.annotation.case", case=failure.case, agent=failure.agent)
        yield _command(level, title, visible(reasons(failure, words)))
    if not written:
        yield _command(_LEVELS[verdict.ruling], "toolgauge", words(f"gate.title.{verdict.ruling}", suite=verdict.suite))


def _command(level: str, title: str, message: str) -> str:
    name = _escape(visible(redact(title))).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={name}::{_escape(redact(message))}\n"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
