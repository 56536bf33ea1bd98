"""JUnit XML for servers that run tests: a suite for each agent, a test case for each case and trial.

It keeps to the schemas that are in use: that of Ant's JUnit reports, which asks for the most (every attribute,
properties first, both streams last, times without a zone), and those of Jenkins, which allow all of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from toolgauge.catalogue import Words
from toolgauge.core import Failure, Row, Run, Score, Scored, Verdict
from toolgauge.errors import UsageError

from .cases import several_trials
from .display import visible
from .figures import agents_of
from .render import Document, RenderOptions
from .run import RunDocument
from .values import redact, redact_issue, word_issue
from .verdict import VerdictDocument, check_name, reasons, unrounded

__all__ = ["FORMAT"]

MAX_TEXT = 20_000
"""How many characters of one text are written."""

ANY_TIME = "1970-01-01T00:00:00"
"""The time of a run that does not say when it was."""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JUnit:
    """The cases of a run as tests; what the gate says of it, where it was asked, as properties."""

    suffix = "xml"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a run, or a verdict on one, piece by piece; the single cases are read while they are drawn.

        Raises:
            UsageError: The document has no cases with verdicts.
        """
        if isinstance(document, VerdictDocument) and document.run is not None:
            verdict = document.verdict
            return _suites(document.run, verdict.agents, verdict, options.words.plain)
        if isinstance(document, RunDocument):
            return _suites(document.run, agents_of(document.run.summary), None, options.words.plain)
        raise UsageError(f"a {document.name} has no cases with verdicts and cannot be drawn as 'junit'")


FORMAT = JUnit()


def _suites(run: Run, agents: Sequence[str], verdict: Verdict | None, words: Words) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    rows = {row.agent: row for row in run.summary.rows if not row.group}
    for number, agent in enumerate(agents):
        yield from _suite(number, rows[agent], run, verdict, words)
    yield "</testsuites>\n"


def _suite(number: int, row: Row, run: Run, verdict: Verdict | None, words: Words) -> Iterator[str]:
    counts = row.counts
    attributes = {
        "name": row.agent.strip() or "agent",
        "package": run.header.suite.name,
        "id": str(number),
        "timestamp": _time(run.header.created),
        "hostname": "localhost",
        "tests": str(counts.planned),
        "failures": str(counts.failed),
        "errors": str(counts.error + counts.timeout + counts.limit + counts.cancelled),
        "skipped": str(counts.not_run),
        "time": _seconds(_total_latency(row)),
    }
    yield f" <testsuite {_attributes(attributes)}>\n  <properties>\n"
    for name, value in _properties(row.agent, verdict, words):
        yield f"   <property {_attributes({'name': name, 'value': value})}/>\n"
    yield "  </properties>\n"
    several = several_trials(run.summary.notes) if verdict is None else verdict.several_trials
    class_name = f"{run.header.suite.name}.{row.agent}"
    for one in run.scored:
        if one.score.agent == row.agent:
            yield _case(one, class_name, words, several=several)
    yield "  <system-out/>\n  <system-err/>\n </testsuite>\n"


def _properties(agent: str, verdict: Verdict | None, words: Words) -> Iterator[tuple[str, str]]:
    """What the gate says, for whoever looks at the report only."""
    if verdict is None:
        return
    yield "toolgauge.ruling", verdict.ruling
    for check in verdict.checks:
        if check.agent == agent:
            value = unrounded(check, words)
            yield check_name(check, words), words(f"gate.ruling.{check.ruling}") + (f" ({value})" if value else "")


def _case(one: Scored, class_name: str, words: Words, *, several: bool) -> str:
    score = one.score
    attributes = {
        "name": f"{score.case} #{score.trial}" if several else score.case,
        "classname": class_name,
        "time": _seconds(one.trajectory.latency_ms or 0.0),
    }
    start = f"  <testcase {_attributes(attributes)}"
    if score.passed:
        return f"{start}/>\n"
    if score.state == "not_run":
        return f"{start}><skipped/></testcase>\n"
    kind = "failure" if score.state == "completed" else "error"
    details = {"message": _message(score, words), "type": _type(score)}
    body = "\n".join(word_issue(redact_issue(issue), words.lang) for issue in score.issues)
    return f"{start}><{kind} {_attributes(details)}>{escape(_harmless(body))}</{kind}></testcase>\n"


def _type(score: Score) -> str:
    """The kind of issue that fails the case, or how the agent ended."""
    if score.state != "completed":
        return score.state
    failing = [issue.kind for issue in score.issues if issue.failing]
    return failing[0] if failing else "low_score"


def _message(score: Score, words: Words) -> str:
    return reasons(Failure(score.case, score.agent, score.trial, score.state, score.score, score.issues), words)


def _attributes(values: dict[str, str]) -> str:
    return " ".join(f"{name}={quoteattr(_harmless(value, one_line=True))}" for name, value in values.items())


def _harmless(text: str, *, one_line: bool = False) -> str:
    """Text that XML can hold: what it cannot is written as an escape."""
    shown = visible(redact(text[:MAX_TEXT]), one_line=one_line)
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", shown)


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"


def _total_latency(row: Row) -> float:
    latency = row.metrics.get("latency")
    return 0.0 if latency is None or latency.value is None else latency.value * latency.n


def _time(created: str) -> str:
    """A time as the schema wants it: in UTC, without saying so."""
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return ANY_TIME
    moment = moment.astimezone(UTC) if moment.tzinfo is not None else moment
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")
