"""Failing a test with what was expected beside what was done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.catalogue import LANGUAGES, Lang
from toolgauge.core import Case, CodeTool, Run, Score, Scored, Suite, Trajectory, Verdict
from toolgauge.errors import ToolgaugeError, UsageError
from toolgauge.report import CaseDocument, VerdictDocument, render, visible, word_issue
from toolgauge.secrets import Secrets
from toolgauge.tooleval import ToolTestSuite

from .sources import RecordedSource, RunSource, SuiteSource, TestsSource, TraceFiles

if TYPE_CHECKING:
    from toolgauge.analysis.gate import Flaky

__all__ = [
    "CaseResult",
    "GateCheck",
    "PendingCase",
    "draw_cases",
    "draw_verdict",
    "in_words",
    "language",
    "pending_cases",
    "settle",
]

MOST_CASES = 10
"""Of how many cases that did not pass a gate shows the calls."""


@dataclass(frozen=True, slots=True)
class PendingCase:
    """A case of a suite that nobody has looked at yet."""

    source: SuiteSource
    id: str

    @property
    def name(self) -> str:
        """What the test is called: the id, which cannot move the cursor of a terminal."""
        return visible(self.id)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What agents did on one case."""

    case: Case
    run: Run
    """The run, of which only this case is looked at."""
    scored: tuple[Scored, ...]
    """One for each agent and trial."""
    lang: Lang = "en"

    @property
    def passed(self) -> bool:
        """Whether every agent passed the case in every trial."""
        return all(one.score.passed for one in self.scored)

    @property
    def score(self) -> Score:
        """The score, where there is one agent and one trial."""
        return self._only.score

    @property
    def trajectory(self) -> Trajectory:
        """What the agent did, where there is one agent and one trial."""
        return self._only.trajectory

    @property
    def _only(self) -> Scored:
        if len(self.scored) != 1:
            raise UsageError(f"case {self.case.id!r} has {len(self.scored)} trajectories; look at them in 'scored'")
        return self.scored[0]

    def check(self) -> None:
        """Fail the test where the case did not pass, with the calls beside what was expected."""
        __tracebackhide__ = True
        if not self.passed:
            pytest.fail(self.shown(), pytrace=False)

    def shown(self) -> str:
        """What did not pass: in one line, for lists of failures, and then expected beside actual."""
        first = next(one.score for one in self.scored if not one.score.passed)
        return f"{_line(first, self.lang)}\n\n{draw_cases(self.run, [self.case], self.scored, self.lang)}"


def _line(score: Score, lang: Lang) -> str:
    """A case that did not pass in one line: what fails it, or else how it ended."""
    issues = sorted(score.issues, key=lambda issue: not issue.failing)
    why = word_issue(issues[0], lang) if issues else score.state
    return Secrets.from_environment().redact(visible(f"{score.case} · {score.agent}: {why}"))


def settle(pending: PendingCase, config: pytest.Config) -> CaseResult:
    """Find out what agents do on a case, or did. What cannot be found out ends the test with a plain message."""
    try:
        run = pending.source.of_case(pending.id)
        case = next(case for case in run.header.suite.cases if case.id == pending.id)
        return CaseResult(case, run, tuple(run.scored), language(config))
    except ToolgaugeError as error:
        pytest.fail(in_words(error), pytrace=False)


def in_words(error: ToolgaugeError) -> str:
    """What an error says, with options as pytest has them."""
    return str(error).replace("with --allow-code", "with --toolgauge-allow-code")


def pending_cases(marker: pytest.Mark, folder: Path) -> list[PendingCase]:
    """The cases of the suite that a marker names.

    Raises:
        pytest.UsageError: It does not say what there is to say, or the suite cannot be read.
    """
    try:
        source = _source(folder, *marker.args, **marker.kwargs)
        return [PendingCase(source, case.id) for case in source.suite.cases]
    except (ToolgaugeError, TypeError) as error:
        raise pytest.UsageError(f"the marker {marker.name!r}: {error}") from error


def _source(
    folder: Path,
    suite: Suite | ToolTestSuite | str | Path,
    agents: object = None,
    *,
    traces: TraceFiles | None = None,
    **options: Any,
) -> SuiteSource:
    if isinstance(suite, ToolTestSuite):
        if agents is not None or traces is not None or options:
            raise UsageError(
                "a suite with an evaluator already says what to test; leave out agents, traces and options"
            )
        return TestsSource(suite)
    loaded, objects = _loaded(suite, folder)
    if traces is not None:
        if agents is not None or options:
            raise UsageError("traces are scored as they are; leave out agents and options")
        return RecordedSource(loaded, beneath(folder, traces))
    tools = [*objects, options.pop("tools")] if options.get("tools") is not None else objects
    chosen = {**options, "tools": tools or None, "allow_code": True}
    return RunSource(loaded, "tools" if agents is None else agents, chosen)


def _loaded(suite: Suite | str | Path, folder: Path) -> tuple[Suite, list[object]]:
    from toolgauge.suites import check_suite, load_suite

    if isinstance(suite, Suite):
        return check_suite(suite), []
    objects: list[CodeTool] = []
    return load_suite(folder / suite, objects=objects), list(objects)


def beneath(folder: Path, traces: TraceFiles) -> TraceFiles:
    """Files of traces by paths that start at a folder."""
    if isinstance(traces, Mapping):
        return {agent: folder / path for agent, path in traces.items()}
    if isinstance(traces, Sequence) and not isinstance(traces, str):
        return [folder / path for path in traces]
    return folder / traces


def language(config: pytest.Config) -> Lang:
    """The language that the project wants."""
    lang = config.getini("toolgauge_lang")
    if lang not in LANGUAGES:
        raise pytest.UsageError(f"toolgauge_lang is {lang!r}; it can be {' or '.join(LANGUAGES)}")
    return str(lang)


def draw_cases(run: Run, cases: Iterable[Case], scored: Iterable[Scored], lang: Lang) -> str:
    """Cases with what did not pass in them, without credentials of this machine."""
    failed = [one for one in scored if not one.score.passed]
    shown = Run(run.header, run.summary, failed)
    text = "\n".join("".join(render(CaseDocument(shown, case.id), lang=lang)) for case in cases)
    return Secrets.from_environment().redact(text)


def draw_verdict(verdict: Verdict, run: Run, lang: Lang) -> str:
    """A verdict, and below it the calls of the first cases that did not pass."""
    wanted = dict.fromkeys(failure.case for failure in verdict.failures)
    known = {case.id: case for case in run.header.suite.cases}
    cases = [known[case] for case in list(wanted)[:MOST_CASES]]
    failed = [one for one in run.scored if one.score.case in wanted and one.score.agent in verdict.agents]
    text = "".join(render(VerdictDocument(verdict, run), lang=lang))
    return f"{Secrets.from_environment().redact(text)}\n{draw_cases(run, cases, failed, lang)}"


class GateCheck:
    """What the fixture `toolgauge_gate` is: called with a run, it fails the test where the gate would."""

    def __init__(self, config: pytest.Config) -> None:
        self._lang = language(config)

    def __call__(
        self,
        run: Run,
        *,
        min_pass_rate: float | None = 0.9,
        minimum: Mapping[str, float] | None = None,
        maximum: Mapping[str, float] | None = None,
        must_pass: Sequence[str] = (),
        baseline: Run | None = None,
        max_drop: float | Mapping[str, float] = 0.05,
        flaky: Flaky = "count",
        strict: bool = False,
    ) -> Verdict:
        """Hold a run to limits, as `toolgauge.gate` does.

        Args:
            run: The run.
            min_pass_rate: The least share of planned trajectories that pass.
            minimum: The least value of metrics.
            maximum: The most.
            must_pass: Cases that have to pass in every trial.
            baseline: A run not to fall behind.
            max_drop: By how much the pass rate, or metrics, may be worse than there.
            flaky: What becomes of cases that pass in some trials only.
            strict: Whether a verdict that is inconclusive fails the test.

        Returns:
            The verdict, where it does not fail the test.
        """
        __tracebackhide__ = True
        from toolgauge.analysis.gate import gate

        try:
            verdict = gate(
                run,
                min_pass_rate=min_pass_rate,
                minimum=minimum,
                maximum=maximum,
                must_pass=must_pass,
                baseline=baseline,
                max_drop=max_drop,
                flaky=flaky,
            )
        except ToolgaugeError as error:
            pytest.fail(in_words(error), pytrace=False)
        if verdict.exit_code(strict=strict):
            pytest.fail(draw_verdict(verdict, run, self._lang), pytrace=False)
        return verdict
