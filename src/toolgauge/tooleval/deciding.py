"""Whether a suite is good enough, and what its failures have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from msgspec.structs import replace

from toolgauge.catalogue import Lang, Words, words_of
from toolgauge.core import Case, Diagnosis, FaultGroup, Run, Suite, ToolDefinition, Trajectory, Verdict
from toolgauge.errors import UsageError
from toolgauge.report import DiagnosisDocument, VerdictDocument, render, word_advice
from toolgauge.report.verdict import check_name

from .conversion import SETTINGS
from .evaluator import StorePlace
from .suite import ToolTestSuite, say
from .values import EvalResult, Evidence

__all__ = ["FailureAnalysis", "analyze_failures", "run_eval_in_ci"]


def run_eval_in_ci(
    suite: ToolTestSuite,
    min_pass_rate: float = 0.9,
    *,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    must_pass: Sequence[str] = (),
    concurrency: int = 1,
    store: StorePlace = False,
) -> bool:
    """Run a suite, and say whether it is good enough. The verdict of the gate is printed.

    Args:
        suite: The suite.
        min_pass_rate: The least share of tests that pass, compared unrounded.
        minimum: The least value of metrics, as `--min` of `toolgauge gate` takes them: `{"f1": 0.8}`.
        maximum: The most: `{"tool_fail_rate": 0.02, "latency.p95": 2000}`.
        must_pass: Ids of tests, or patterns such as `safety_*`, that have to pass.
        concurrency: How many tests go on at a time.
        store: Where the run is kept; False: nowhere.

    Raises:
        NothingToDo: There are no tests.
        ToolgaugeError: Nothing can be run.
    """
    from toolgauge.analysis.gate import gate

    report = suite.run(concurrency=concurrency, store=store)
    verdict = gate(report["run"], min_pass_rate=min_pass_rate, minimum=minimum, maximum=maximum, must_pass=must_pass)
    words = words_of(suite.evaluator.lang)
    say("", _ruling(verdict, min_pass_rate, words))
    if not verdict.passed and report["failures"]:
        say(words("tooleval.failing"))
        say(*(f"  - {failure.test_id}: {failure.issues}" for failure in report["failures"]))
    text = "".join(render(VerdictDocument(verdict, report["run"]), lang=suite.evaluator.lang))
    say("", *text.splitlines())
    return verdict.passed


def _ruling(verdict: Verdict, least: float, words: Words) -> str:
    """The verdict in one line: the pass rate beside what is asked for, or else the checks that were not kept."""
    rate = verdict.checks[0].value or 0.0
    digits = next(
        (digits for digits in range(1, 10) if rate >= least or _share(rate, digits) != _share(least, digits)), 1
    )
    shown = {"rate": words.number(_share(rate, digits)), "least": words.number(_share(least, digits))}
    if verdict.passed:
        return words("tooleval.gate.passed", **shown)
    if rate < least:
        return words("tooleval.gate.failed", **shown)
    broken = [check_name(check, words) for check in verdict.checks if check.ruling == "failed"]
    return words("tooleval.gate.broken", checks="; ".join(broken))


def _share(value: float, digits: int) -> str:
    return f"{100 * value:.{digits}f}%"


class FailureAnalysis(TypedDict, total=False):
    """What failures have in common. A test may stand in several lists."""

    message: str
    """That nothing failed; then nothing else is there."""
    param_errors: list[str]
    """Tests that failed with an argument that is wrong, missing, forbidden or against the schema."""
    wrong_tool: list[str]
    """Tests that failed with one tool called in place of another, or one that is forbidden or not there."""
    missing_tool: list[str]
    """Tests that failed without a call that was expected."""
    over_calling: list[str]
    """Tests that failed with calls that nobody asked for, calls that repeat others, or too many."""
    other: list[str]
    """Tests that failed for another reason: the agent or a tool broke down, or the answer is wrong."""
    recommendations: list[str]
    """What to change, by tool and argument; what fails the most tests first."""
    diagnosis: Diagnosis


_LISTS: dict[FaultGroup, str] = {
    "parameters": "param_errors",
    "wrong_tool": "wrong_tool",
    "missing_tool": "missing_tool",
    "over_calling": "over_calling",
    "faults": "other",
    "answers": "other",
}


def analyze_failures(results: Iterable[EvalResult], *, lang: Lang = "en", quiet: bool = False) -> FailureAnalysis:
    """Find what failures have in common, and what to change. The diagnosis is printed.

    Args:
        results: Results of tests, such as `report["results"]`. Those that passed tell what is special about the others.
        lang: The language of the recommendations.
        quiet: Whether nothing is printed.

    Raises:
        UsageError: A result that failed was made by hand, so that nothing is known of the calls behind it.
    """
    listed = list(results)
    if all(result.passed for result in listed):
        message = words_of(lang)("tooleval.nothing")
        if not quiet:
            say(message)
        return FailureAnalysis(message=message)
    from toolgauge.analysis.diagnose import diagnose

    evidence = [_evidence(result) for result in listed if result.evidence is not None or not result.passed]
    run = _joined(evidence)
    diagnosis = diagnose(run)
    failing = [pattern for pattern in diagnosis.patterns if pattern.failed]
    analysis = FailureAnalysis(
        **_lists(run),
        recommendations=list(dict.fromkeys(word_advice(pattern.advice, lang) for pattern in failing)),
        diagnosis=diagnosis,
    )
    if not quiet:
        say(*"".join(render(DiagnosisDocument(diagnosis), lang=lang)).splitlines())
    return analysis


def _evidence(result: EvalResult) -> Evidence:
    if result.evidence is None:
        raise UsageError(
            f"the result of {result.test_id!r} was made by hand and holds no calls to look at; "
            "give those that a ToolEvaluator returns"
        )
    return result.evidence


def _joined(evidence: Sequence[Evidence]) -> Run:
    """One run of all results; a test that is there several times was tried so often.

    Raises:
        UsageError: Two tests are called the same.
    """
    from toolgauge.api import score

    cases: dict[str, Case] = {}
    tools: dict[str, ToolDefinition] = {}
    trials: dict[tuple[str, str], int] = {}
    trajectories: list[Trajectory] = []
    for one in evidence:
        trajectory = one.scored.trajectory
        case = next(case for case in one.suite.cases if case.id == trajectory.case)
        if cases.setdefault(case.id, case) != case:
            raise UsageError(f"two different tests are called {case.id!r}; analyse their suites one at a time")
        tools.update((tool.name, tool) for tool in one.suite.tools)
        key = (trajectory.agent, trajectory.case)
        trials[key] = trials.get(key, 0) + 1
        trajectories.append(replace(trajectory, trial=trials[key]))
    names = dict.fromkeys(one.suite.name for one in evidence)
    return score(Suite(", ".join(names), tuple(cases.values()), tuple(tools.values()), SETTINGS), trajectories)


def _lists(run: Run) -> FailureAnalysis:
    """By group of faults the tests that failed with one of them, each once."""
    from toolgauge.analysis.diagnose.patterns import group_of, signs

    cases = {case.id: case for case in run.header.suite.cases}
    found: dict[str, dict[str, None]] = {name: {} for name in _LISTS.values()}
    for scored in run.scored:
        if not scored.score.passed and scored.score.state != "not_run":
            for sign in signs(cases[scored.score.case], scored):
                found[_LISTS[group_of(sign.key)]].setdefault(scored.score.case)
    return FailureAnalysis(
        param_errors=list(found["param_errors"]),
        wrong_tool=list(found["wrong_tool"]),
        missing_tool=list(found["missing_tool"]),
        over_calling=list(found["over_calling"]),
        other=list(found["other"]),
    )
