"""The verdict of the gate as a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from toolgauge.catalogue import DEFAULT, Lang, Words, english_reason
from toolgauge.core import SCORING_VERSION, Check, CheckKind, Failure, Ruling, Run, Verdict

from .blocks import Block, Bullets, Column, Heading, Item, Line, Paragraph, Table, Tone
from .comparison_tables import metric_name
from .csv import cell_of, harmless
from .display import amount, decimal, signed, span
from .json import encode_json, list_json
from .run import counts_json, state_counts
from .values import issue_json, redact, redact_issue, short_name, word_issue

__all__ = ["VERDICT_SCHEMA", "VerdictDocument", "check_name", "measured", "reasons", "unrounded", "why"]

VERDICT_SCHEMA = "toolgauge.verdict/1"

MAX_FAILURES = 30
"""How many failures are written out; JSON and JUnit have them all."""

MAX_ISSUES = 5
MAX_CASES = 20
MAX_NAME = 80

_TONES: dict[Ruling, Tone] = {"passed": "good", "failed": "bad", "inconclusive": "warn"}
_COUNTS: frozenset[CheckKind] = frozenset({"must_pass", "no_flaky"})
"""Checks that count cases."""

_SHARE_MOST = 1.0
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class VerdictDocument:
    """What the gate says of a run."""

    verdict: Verdict
    run: Run | None = None
    """The run, of which JUnit XML has the single cases."""
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """By their ids the files and lines of cases, as far as they are known."""
    name: ClassVar[str] = "verdict"

    def title(self, words: Words) -> str:
        """Whether the run is good enough."""
        return words(f"gate.title.{self.verdict.ruling}", suite=_name(self.verdict.suite))

    def blocks(self, words: Words) -> Iterator[Block]:
        """The verdict first, then the checks, then what did not pass."""
        yield Heading(self.title(words), 1)
        yield from _blocks(self.verdict, words)

    def json(self, words: Words) -> Iterator[str]:
        """Everything that was checked, and what did not pass."""
        verdict = self.verdict
        head = {
            "schema": VERDICT_SCHEMA,
            "ruling": verdict.ruling,
            "suite": verdict.suite,
            "agents": list(verdict.agents),
            "baseline": verdict.baseline,
            "scoring": verdict.scoring,
            "counts": counts_json(verdict.counts),
            "passed_with_issues": verdict.counts.passed_with_issues,
        }
        failures = (_failure_json(one, words.lang) for one in verdict.failures)
        yield redact(encode_json(head))[:-1] + ",\n"
        yield from map(redact, list_json("checks", map(_check_json, verdict.checks)))
        yield from map(redact, list_json("failures", failures))
        yield from map(redact, list_json("flaky", map(msgspec.to_builtins, verdict.flaky), end="}\n"))

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per check."""
        figures = ("limit", "value", "low", "high", "n", "baseline", "needed")
        yield ["agent", "check", "metric", "group", *figures, "ruling", "cases", "reason"]
        for check in self.verdict.checks:
            group = ", ".join(f"{label}={value}" for label, value in check.group.items())
            yield [
                harmless(redact(check.agent)),
                check.kind,
                cell_of(check.metric),
                harmless(redact(group)),
                *(cell_of(getattr(check, name)) for name in figures),
                check.ruling,
                harmless(redact(" ".join(check.cases))),
                harmless(english_reason(check.reason)),
            ]


def _blocks(verdict: Verdict, words: Words) -> Iterator[Block]:
    yield Paragraph(state_counts(verdict.counts, words))
    if verdict.counts.not_run:
        yield Paragraph(words("gate.incomplete", count=verdict.counts.not_run), "warn")
    if verdict.scoring != SCORING_VERSION:
        yield Paragraph(words("gate.scoring", version=verdict.scoring, current=SCORING_VERSION), "warn")
    yield Heading(words("gate.section.checks"))
    yield _checks(verdict.checks, words)
    remarks = [remark for check in verdict.checks for remark in why(check, words)]
    if verdict.baseline is not None:
        remarks.insert(0, words("gate.baseline", baseline=_name(verdict.baseline)))
    if remarks:
        yield Bullets(tuple(map(Item, remarks)))
    yield from _failures(verdict, words)
    if verdict.several_trials:
        yield Heading(words("gate.section.flaky"))
        yield from _flaky(verdict, words)


def _checks(checks: Sequence[Check], words: Words) -> Table:
    columns = (
        Column(words("column.agent"), "left", key=True),
        Column(words("gate.column.check"), "left", key=True),
        Column(words("gate.column.value")),
        Column(words("column.interval")),
        Column(words("gate.column.result"), "left"),
    )
    lines = tuple(
        Line(
            (
                check.agent,
                check_name(check, words),
                measured(check, words),
                _interval(check, words),
                words(f"gate.ruling.{check.ruling}"),
            ),
            _TONES[check.ruling],
        )
        for check in checks
    )
    return Table(columns, lines, grouped=True, name="checks")


def check_name(check: Check, words: Words) -> str:
    """What was asked for, in few characters."""
    lower = ".lower" if check.kind == "no_regression" and check.lower_is_better else ""
    return words(f"gate.check.{check.kind}{lower}", metric=_metric(check, words), limit=_plain(check.limit, words))


def _metric(check: Check, words: Words) -> str:
    """What was measured: in English as the options of the gate call it, else in words."""
    group = ",".join(f"{_name(label)}={_name(value)}" for label, value in check.group.items())
    name = check.metric or ""
    shown = name if words.for_programs or words.lang == DEFAULT else metric_name(name, words)
    return f"{shown}[{group}]" if group else shown


def _plain(value: float | None, words: Words) -> str:
    return "" if value is None else words.number(f"{value:.10g}")


def measured(check: Check, words: Words) -> str:
    """What was measured, with as many digits as tell it from what was asked for."""
    if check.value is None:
        return words("none")
    if check.kind in _COUNTS:
        return unrounded(check, words)
    limit = check.limit or 0.0
    if check.kind == "no_regression":
        return _signed(check.value, -limit, words)
    return _figure(check.value, limit, words)


def unrounded(check: Check, words: Words) -> str:
    """What was measured, to ten digits, or so many of so many cases; empty where there is nothing."""
    if check.value is None:
        return ""
    if check.kind in _COUNTS:
        return words("gate.value.of", number=int(check.value), total=check.n)
    return words.number(f"{check.value:.10g}")


def _figure(value: float, limit: float, words: Words) -> str:
    """A figure with as many digits as tell it from the limit."""
    show = decimal if abs(value) <= _SHARE_MOST else amount
    if abs(value - limit) > _CLOSE and show(value, words) == show(limit, words):
        return words.number(f"{value:.10g}")
    return show(value, words)


def _signed(value: float, limit: float, words: Words) -> str:
    shown = f"{value:+.4f}"
    close = abs(value - limit) > _CLOSE and abs(float(shown) - limit) < _CLOSE
    return words.number(f"{value:+.10g}" if close else shown)


def _interval(check: Check, words: Words) -> str:
    if check.low is None or check.high is None:
        return ""
    if check.kind == "no_regression":
        return words("compare.interval", low=signed(check.low, words, 2), high=signed(check.high, words, 2))
    if max(check.low, check.high) > _SHARE_MOST:
        return f"{amount(check.low, words)}–{amount(check.high, words)}"
    return span(check.low, check.high, words)


def why(check: Check, words: Words) -> Iterator[str]:
    """What there is to say of a check beyond its figures."""
    agent, name = _name(check.agent), check_name(check, words)
    reason = words.known(f"reason.{check.reason}", check.reason)
    if check.kind == "no_regression":
        yield from _of_baseline(check, agent, reason, words)
    elif check.value is None:
        yield words("gate.missing", agent=agent, check=name, reason=_name(reason))
    elif check.cases:
        yield words(f"gate.broken.{check.kind}", agent=agent, cases=_listed(check.cases, words))


def _of_baseline(check: Check, agent: str, reason: str, words: Words) -> Iterator[str]:
    if check.value is None:
        yield words("gate.no_pairs", agent=agent, metric=_metric(check, words), reason=_name(reason))
        return
    before = check.baseline or 0.0
    sign = -1 if check.lower_is_better else 1
    cases = words.count("cases", check.n)
    now = before + sign * check.value
    yield words(
        "gate.compared",
        agent=agent,
        metric=_metric(check, words),
        before=_figure(before, -1, words),
        now=_figure(now, -1, words),
        cases=cases,
    )
    if check.ruling == "inconclusive":
        yield words(
            "gate.inconclusive",
            agent=agent,
            metric=_metric(check, words),
            low=signed(check.low or 0.0, words, 4),
            high=signed(check.high or 0.0, words, 4),
            limit=_plain(check.limit, words),
            needed=check.needed,
        )
    if check.cases:
        yield words("gate.lost", agent=agent, cases=_listed(check.cases, words))


def _failures(verdict: Verdict, words: Words) -> Iterator[Block]:
    if not verdict.failures:
        return
    yield Heading(words("gate.section.failures"))
    shown = verdict.failures[:MAX_FAILURES]
    items = [Item(_failure(one, words, several=verdict.several_trials), "bad") for one in shown]
    rest = verdict.counts.planned - verdict.counts.passed - len(shown)
    if rest > 0:
        items.append(Item(words("more", number=rest), "dim"))
    yield Bullets(tuple(items))


def _failure(failure: Failure, words: Words, *, several: bool) -> str:
    return words(
        "gate.failure",
        case=_name(failure.case),
        agent=_name(failure.agent),
        trial=failure.trial if several else None,
        state=words(f"state.{'failed' if failure.state == 'completed' else failure.state}"),
        score=None if failure.score is None else decimal(failure.score, words),
        issues=reasons(failure, words) or None,
    )


def reasons(failure: Failure, words: Words) -> str:
    """The issues of a failure in words: why the agent did not finish, then those that fail it, then the others."""
    # That a call failed for good says that it failed.
    final = {issue.call for issue in failure.issues if issue.kind == "unrecovered_error"}
    told_once = [issue for issue in failure.issues if issue.kind != "tool_error" or issue.call not in final]
    issues = sorted(told_once, key=lambda issue: (issue.kind != "agent_error", not issue.failing))
    told = [word_issue(redact_issue(issue), words.lang) for issue in issues[:MAX_ISSUES]]
    if len(issues) > MAX_ISSUES:
        told.append(words("more", number=len(issues) - MAX_ISSUES))
    if not told:
        told.append(words("gate.low_score" if failure.state == "completed" else f"gate.{failure.state}"))
    return redact("; ".join(told))


def _flaky(verdict: Verdict, words: Words) -> Iterator[Block]:
    if not verdict.flaky:
        yield Paragraph(words("gate.no_flaky"))
        return
    items = [
        Item(
            words("gate.flaky", case=_name(one.case), agent=_name(one.agent), passed=one.passed, trials=one.trials),
            "warn",
        )
        for one in verdict.flaky[:MAX_FAILURES]
    ]
    if len(verdict.flaky) > len(items):
        items.append(Item(words("more", number=len(verdict.flaky) - len(items)), "dim"))
    yield Bullets(tuple(items))


def _listed(names: Iterable[str], words: Words) -> str:
    every = [_name(name) for name in names]
    if len(every) > MAX_CASES:
        every = [*every[:MAX_CASES], words("more", number=len(every) - MAX_CASES)]
    return ", ".join(every)


def _name(text: str) -> str:
    return short_name(text, MAX_NAME)


def _check_json(check: Check) -> object:
    return msgspec.to_builtins(replace(check, reason=english_reason(check.reason)) if check.reason else check)


def _failure_json(failure: Failure, lang: Lang) -> dict[str, object]:
    return {
        "case": failure.case,
        "agent": failure.agent,
        "trial": failure.trial,
        "state": failure.state,
        "score": failure.score,
        "issues": [issue_json(redact_issue(issue), lang) for issue in failure.issues],
    }
