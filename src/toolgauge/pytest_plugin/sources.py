"""Where what is tested comes from: recorded traces, agents that are run, or tests written with `toolgauge.tooleval`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec.structs import replace

from toolgauge.core import Run, Scored, Suite, nfc
from toolgauge.suites import check_suite
from toolgauge.tooleval import ToolTestSuite

__all__ = ["RecordedSource", "RunSource", "SuiteSource", "TestsSource", "TraceFiles"]

TraceFiles: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, str | os.PathLike[str]]
"""A file of traces, several, or files by the name of their agent."""


class SuiteSource(Protocol):
    """A suite, and what agents did on it."""

    @property
    def suite(self) -> Suite:
        """The suite."""

    def of_case(self, case: str) -> Run:
        """What was done on one case."""

    def whole(self) -> Run:
        """What was done on all of them."""


class RecordedSource:
    """Recorded traces, scored once in a process."""

    def __init__(self, suite: Suite, traces: TraceFiles) -> None:
        self.suite = suite
        self._traces = traces
        self._run: Run | None = None
        self._cases: dict[str, list[Scored]] = {}

    def of_case(self, case: str) -> Run:
        """The trajectories of one case; one that no trace belongs to was not run."""
        run = self.whole()
        return Run(run.header, run.summary, self._cases[case])

    def whole(self) -> Run:
        """All trajectories."""
        if self._run is None:
            from toolgauge.api import score

            self._run = score(self.suite, self._traces)
            self._cases = {case.id: [] for case in self.suite.cases}
            for scored in self._run.scored:
                self._cases[scored.score.case].append(scored)
        return self._run


class RunSource:
    """Agents that are run, case by case, so that only those that are asked for cost anything."""

    def __init__(self, suite: Suite, agents: object, options: Mapping[str, Any]) -> None:
        """Make ready.

        Args:
            suite: The suite.
            agents: What `toolgauge.run` takes.
            options: What else it takes.
        """
        self.suite = suite
        self._agents = agents
        self._options = {"store": False, **options}

    def of_case(self, case: str) -> Run:
        """Run the agents on one case."""
        return self._run(replace(self.suite, cases=tuple(one for one in self.suite.cases if one.id == case)))

    def whole(self) -> Run:
        """Run them on all cases at a time."""
        return self._run(self.suite)

    def _run(self, suite: Suite) -> Run:
        from toolgauge.api import run

        return run(suite, self._agents, **self._options)


class TestsSource:
    """Tests that are written with `toolgauge.tooleval`, run by their own evaluator."""

    __test__ = False  # no tests of pytest

    def __init__(self, tests: ToolTestSuite) -> None:
        self.suite = check_suite(tests.as_suite())
        self._tests = tests

    def of_case(self, case: str) -> Run:
        """Run one test."""
        chosen = [test for test in self._tests.test_cases if nfc(test.id) == case]
        return self._tests.evaluator.run_tests(self._tests.name, chosen)

    def whole(self) -> Run:
        """Run all tests."""
        return self._tests.evaluator.run_tests(self._tests.name, self._tests.test_cases)
