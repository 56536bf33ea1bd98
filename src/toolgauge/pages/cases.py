"""Cases as page data: a row of the list, and a page with everything that was done on it.

Texts that depend on the language are an object by language; where all say the same, they are that text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import msgspec

from toolgauge.catalogue import LANGUAGES, Words, words_of
from toolgauge.core import Call, Case, Expect, ExpectedCall, JsonValue, Scored, Trajectory
from toolgauge.report.aligned import AlignedLine, aligned_lines, expected_calls
from toolgauge.report.cases import answer_line, case_json, outcome
from toolgauge.report.json import builtins, encode_json
from toolgauge.report.values import brief, word_issue

__all__ = ["MAX_RESULT", "Said", "case_page", "case_row", "result_row", "said", "trajectory_page"]

MAX_RESULT = 64 * 1024
"""So many characters of one result are in a page; how many there were stands beside it."""

MAX_ISSUES = 200
"""So many issues of a trajectory are put into words, those that fail it first."""

Said = dict[str, str] | str
"""A text in every language, or the one text that all of them have."""


def said(make: Callable[[Words], str]) -> Said:
    """A text in every language."""
    texts = {lang: make(words_of(lang)) for lang in LANGUAGES}
    return texts if len(set(texts.values())) > 1 else next(iter(texts.values()))


def case_row(number: int, case: Case, items: Sequence[Scored]) -> dict[str, object]:
    """A case as the list shows it."""
    return {
        "n": number,
        "id": case.id,
        "input": case.input,
        "labels": case.labels,
        "results": [result_row(item) for item in items],
    }


def result_row(item: Scored) -> dict[str, object]:
    """A trajectory as the list shows it."""
    score, trajectory = item.score, item.trajectory
    usage = trajectory.usage
    return {
        "agent": score.agent,
        "trial": score.trial,
        "state": score.state,
        "outcome": outcome(score),
        "passed": score.passed,
        "with_issues": score.with_issues,
        "score": score.score,
        "answer": None if score.answer is None else score.answer.verdict,
        "issues": list(dict.fromkeys(issue.kind for issue in score.issues)),
        "tools": list(dict.fromkeys(call.tool for call in trajectory.calls)),
        "latency_ms": trajectory.latency_ms,
        "calls": len(trajectory.calls),
        "tokens": None if usage is None else usage.tokens,
        "cost": None if usage is None else usage.cost_usd,
    }


def case_page(number: int, case: Case, items: Sequence[Scored]) -> dict[str, object]:
    """A case with what is expected and every trajectory."""
    return {
        "row": case_row(number, case, items),
        "expect": _expect(case.expect),
        "trajectories": [trajectory_page(case, item) for item in items],
    }


def _expect(expect: Expect) -> dict[str, object]:
    plans = [list(map(_expected, plan.calls)) for plan in expect.plans]
    return {
        "says_tools": bool(expect.any_of) or expect.calls is not None,
        "plans": plans,
        "order": expect.order,
        "extra": expect.extra,
        "neutral": list(expect.neutral),
        "forbid": list(expect.forbid),
        "contains": list(expect.contains),
        "answer": expect.answer,
    }


def _expected(call: ExpectedCall) -> dict[str, object]:
    arguments = [
        *({"name": name, "want": _wanted(value)} for name, value in call.args.items()),
        *({"name": name, "want": _wanted(value), "may": True} for name, value in call.check.items()),
    ]
    return {
        "tool": call.tool,
        "args": arguments,
        "without": list(call.forbid_args),
        "optional": call.optional,
        "times": builtins(call.times),
    }


def _wanted(value: object) -> Said:
    return said(lambda words: brief(value, words, quote='"', max_length=2000))


def trajectory_page(case: Case, item: Scored) -> dict[str, object]:
    """What one agent did on the case in one trial, line by line beside what was expected."""
    score, trajectory = item.score, item.trajectory
    answer = None if score.answer is None else cast(dict[str, object], msgspec.to_builtins(score.answer))
    if answer is not None:
        answer["text"] = said(lambda words: answer_line(case, score, words))
    raw, cut = _raw(trajectory)
    plan = expected_calls(case.expect, score.plan) or ()
    told = score.issues
    if len(told) > MAX_ISSUES:
        told = tuple(sorted(told, key=lambda issue: not issue.failing)[:MAX_ISSUES])
    judged = case_json(msgspec.structs.replace(score, issues=told), LANGUAGES[0])
    del judged["alignment"], judged["answer"]
    issues = [
        entry | {"message": said(lambda words, issue=issue: word_issue(issue, words.lang))}  # type: ignore[misc]
        for entry, issue in zip(cast(list[dict[str, object]], judged["issues"]), told, strict=True)
    ]
    return judged | {
        "outcome": outcome(score),
        "plan": score.plan,
        "answer": answer,
        "issues": issues,
        **({"more_issues": more} if (more := len(score.issues) - len(told)) else {}),
        "lines": [_line(line, plan, item) for line in aligned_lines(case.expect, item)],
        "raw": raw,
        "cut": cut,
    }


def _line(line: AlignedLine, plan: Sequence[ExpectedCall], item: Scored) -> dict[str, object]:
    found: dict[str, object] = {
        "kind": "out_of_order" if line.early and line.kind == "matched" else line.kind,
        "expected": line.expected,
        "call": line.call,
    }
    if line.times > 1:
        found["times"] = line.times
    if line.expected is not None and line.call is not None:
        found["arguments"] = _arguments(plan[line.expected], line.call, item)
    return found


def _arguments(wanted: ExpectedCall, index: int, item: Scored) -> list[dict[str, object]]:
    """The arguments that were asked for or given: whether each fits, where something is said about it."""
    call: Call = item.trajectory.calls[index]
    given: Mapping[str, JsonValue] = call.args or {}
    wrong = {issue.argument: issue.kind for issue in item.score.issues if issue.call == index and issue.argument}
    found: list[dict[str, object]] = []
    for name in dict.fromkeys((*wanted.args, *given)):
        asked = name in wanted.args or (name in wanted.check and name in given)
        one: dict[str, object] = {"name": name, "ok": None if not asked and name not in wrong else name not in wrong}
        if asked and name in wrong:
            one["want"] = _wanted(wanted.args.get(name, wanted.check.get(name)))
        found.append(one)
    return found


def _raw(trajectory: Trajectory) -> tuple[dict[str, JsonValue], dict[str, int]]:
    """The trajectory as it is kept, and by the index of a call how long its result was, where it is cut."""
    raw = cast(dict[str, JsonValue], builtins(trajectory))
    raw.pop("score", None)  # that of a line of a run file, which the page has already
    cut: dict[str, int] = {}
    for index, call in enumerate(cast(list[dict[str, JsonValue]], raw.get("calls", []))):
        result = call.get("result")
        if isinstance(result, (int, float)) or result is None:
            continue
        text = result if isinstance(result, str) else encode_json(result)
        if len(text) > MAX_RESULT:
            call["result"], cut[str(index)] = text[:MAX_RESULT], len(text)
    return raw, cut
