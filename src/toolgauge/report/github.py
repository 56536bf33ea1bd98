"""Messages that GitHub Actions shows beside a run of a workflow, written as its workflow commands."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from itertools import islice

from toolgauge.catalogue import Words
from toolgauge.core import Failure, Ruling
from toolgauge.errors import UsageError

from .display import visible
from .render import Document, RenderOptions, find_format
from .run import RunDocument
from .values import redact
from .verdict import VerdictDocument, check_name, measured, reasons, why

__all__ = ["FORMAT"]

MAX_ANNOTATIONS = 10
"""How many of one kind GitHub shows for a step."""

_LEVELS: dict[Ruling, str] = {"failed": "error", "inconclusive": "warning", "passed": "notice"}


class GitHub:
    """A run, or a verdict on one, as text for the log, and then what is shown beside the workflow."""

    suffix = "txt"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a run or a verdict, piece by piece.

        Raises:
            UsageError: The document has no cases with verdicts.
        """
        words = options.words
        if isinstance(document, VerdictDocument):
            return _log(document, options, _of_verdict(document, words))
        if isinstance(document, RunDocument):
            return _log(document, options, _of_run(document, words))
        raise UsageError(f"a {document.name} has no cases with verdicts and cannot be drawn as 'github'")


FORMAT = GitHub()


def _log(document: Document, options: RenderOptions, annotations: Iterator[str]) -> Iterator[str]:
    """The text may quote what agents and tools said, and a line of that could look like a command.

    So commands are turned off while it is written, until a word that nobody can guess.
    """
    token = secrets.token_hex(16)
    yield f"::stop-commands::{token}\n"
    yield from find_format("text").render(document, options)
    yield f"::{token}::\n"
    yield from annotations


def _of_run(document: RunDocument, words: Words) -> Iterator[str]:
    """The first cases that did not pass. Nobody said what the run is held to, so none of them is an error."""
    failed = (item.score for item in document.run.scored if not item.score.passed)
    written = 0
    for score in islice(failed, MAX_ANNOTATIONS):
        failure = Failure(score.case, score.agent, score.trial, score.state, score.score, score.issues)
        yield _of_case("warning", failure, document.places, words)
        written += 1
    if not written:
        yield _command("notice", "toolgauge", document.title(words))


def _of_case(level: str, failure: Failure, places: Mapping[str, tuple[str, int]], words: Words) -> str:
    """A case beside the line of the suite in which it begins, where that is known."""
    title = words("gate.annotation.case", case=failure.case, agent=failure.agent)
    said = _why(failure, words) or words(f"state.{failure.state}")
    return _command(level, title, visible(said), places.get(failure.case))


def _of_verdict(document: VerdictDocument, words: Words) -> Iterator[str]:
    verdict = document.verdict
    written = 0
    for check in verdict.checks:
        if check.ruling != "passed" and written < MAX_ANNOTATIONS:
            written += 1
            title = words("gate.annotation.check", ruling=words(f"gate.ruling.{check.ruling}"))
            value = "" if check.value is None else measured(check, words)
            asked = f"{check.agent}: {check_name(check, words)}" + (f" ({value})" if value else "")
            said = [asked, *why(check, words)]
            yield _command(_LEVELS[check.ruling], title, "\n".join(map(visible, said)))
    # Cases that do not pass are no reason to stop where the gate lets the run through.
    level = "error" if verdict.ruling == "failed" else "warning"
    for failure in verdict.failures[: MAX_ANNOTATIONS - written]:
        yield _of_case(level, failure, document.places, words)
    if not written:
        yield _command(_LEVELS[verdict.ruling], "toolgauge", words(f"gate.title.{verdict.ruling}", suite=verdict.suite))


def _why(failure: Failure, words: Words) -> str:
    """Why a case did not pass; that it was not run stands nowhere else here."""
    said = reasons(failure, words)
    return f"{words('state.not_run')}: {said}" if failure.state == "not_run" else said


def _command(level: str, title: str, message: str, place: tuple[str, int] | None = None) -> str:
    where = "" if place is None else f"file={_property(place[0])},line={place[1]},"
    return f"::{level} {where}title={_property(redact(title))}::{_escape(redact(message))}\n"


def _property(text: str) -> str:
    return _escape(visible(text)).replace(":", "%3A").replace(",", "%2C")


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
