"""The JSON report: unrounded values for programs, one row or case a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING

import msgspec

from toolgauge.catalogue import Lang, english_reason
from toolgauge.core import Case, Estimate, Issue, Row, Run, Score, Scored

from .issues import word_issue

if TYPE_CHECKING:
    from .document import Report

__all__ = ["CASE_SCHEMA", "REPORT_SCHEMA", "case_json", "encode_json", "issue_json", "list_json", "report_json"]

REPORT_SCHEMA = "toolgauge.report/1"
CASE_SCHEMA = "toolgauge.case/1"

_ESCAPED = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""What JSON allows but a terminal or an encoder does not take well; it can stand in strings only."""


def encode_json(value: object) -> str:
    """A value as JSON that any reader takes: no NaN, no half characters, no control characters."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _finite(value: object) -> object:
    """The value with numbers that JSON does not know written as texts."""
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, (list, tuple)) else value


def report_json(report: Report) -> Iterator[str]:
    """The report as JSON, piece by piece."""
    run = report.run
    summary = run.summary
    suite: dict[str, object] = {
        "name": summary.suite.name,
        "cases": summary.suite.cases,
        "tools": list(summary.suite.tools),
    }
    if run.header.suite_hash:
        suite["hash"] = run.header.suite_hash
    yield f'{{"schema":{encode_json(REPORT_SCHEMA)},\n"suite":{encode_json(suite)},\n'
    yield f'"counts":{encode_json(msgspec.structs.asdict(summary.counts))},\n'
    yield from list_json("rows", map(_row, summary.rows))
    yield from list_json("tools", map(msgspec.structs.asdict, summary.tools))
    yield from list_json("confusion", map(msgspec.structs.asdict, summary.confusion))
    yield from list_json("notes", ({"kind": note.kind, **note.values} for note in summary.notes))
    found: Iterable[Scored] = run.scored if report.details else ()
    yield from list_json("cases", (_case(item.score, report.lang) for item in found), end="}\n")


def case_json(run: Run, case: Case, lang: Lang) -> Iterator[str]:
    """One case with all its trajectories as JSON, piece by piece."""
    stated = {"id": case.id, "input": case.input, "labels": case.labels, "expect": _builtins(case.expect)}
    yield f'{{"schema":{encode_json(CASE_SCHEMA)},\n"suite":{encode_json(run.summary.suite.name)},\n'
    yield f'"case":{encode_json(stated)},\n'
    yield from list_json("cases", _trajectories(run, case, lang), end="}\n")


def _trajectories(run: Run, case: Case, lang: Lang) -> Iterator[dict[str, object]]:
    for item in run.scored:
        if item.score.case == case.id:
            trajectory = item.trajectory
            calls = [_builtins(call) for call in trajectory.calls]
            yield _case(item.score, lang) | {
                "calls": calls,
                "output": trajectory.output,
                "error": trajectory.error,
                "latency_ms": trajectory.latency_ms,
            }


def _builtins(value: object) -> object:
    """A core value as plain dicts and lists; a Python callable in it is named."""
    return msgspec.to_builtins(value, enc_hook=lambda rule: f"{getattr(rule, '__name__', type(rule).__name__)}()")


def list_json(name: str, items: Iterable[object], end: str = ",\n") -> Iterator[str]:
    """A member of an object that is a list, with an item a line, piece by piece."""
    yield f'"{name}":['
    separator = "\n"
    for item in items:
        yield separator + encode_json(item)
        separator = ",\n"
    yield "]" + end


def _row(row: Row) -> dict[str, object]:
    return {
        "agent": row.agent,
        "group": row.group,
        "n": row.n,
        "counts": msgspec.structs.asdict(row.counts),
        "metrics": {name: _estimate(estimate) for name, estimate in row.metrics.items()},
    }


def _estimate(estimate: Estimate) -> dict[str, object]:
    if estimate.value is None or not isfinite(estimate.value):
        return {"value": None, "reason": english_reason(estimate.reason), "n": estimate.n}
    figure: dict[str, object] = {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
    }
    for name in ("p50", "p95"):
        if getattr(estimate, name) is not None:
            figure[name] = getattr(estimate, name)
    return figure


def _case(score: Score, lang: Lang) -> dict[str, object]:
    answer = score.answer
    return {
        "id": score.case,
        "agent": score.agent,
        "trial": score.trial,
        "state": score.state,
        "passed": score.passed,
        "score": score.score,
        "call_precision": score.call_precision,
        "call_recall": score.call_recall,
        "param_accuracy": score.param_accuracy,
        "content": score.content,
        "answer": None
        if answer is None
        else {"verdict": answer.verdict, "found": answer.found} | ({"reason": answer.reason} if answer.reason else {}),
        "alignment": [
            {"expected": pair.expected, "call": pair.call, "params": pair.params} for pair in score.alignment
        ],
        "issues": [issue_json(issue, lang) for issue in score.issues],
    }


def issue_json(issue: Issue, lang: Lang) -> dict[str, object]:
    """An issue as every JSON report has it."""
    entry: dict[str, object] = {
        "kind": issue.kind,
        "tool": issue.tool,
        "argument": issue.argument,
        "call": issue.call,
        "failing": issue.failing,
        "message": word_issue(issue, lang),
    }
    for name in ("expected", "want", "got"):
        if getattr(issue, name) is not None:
            entry[name] = getattr(issue, name)
    return entry
