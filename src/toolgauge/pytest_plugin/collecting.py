"""`*.toolgauge.yaml` files as pytest sees them: a test for every case, or one for all where the file has a gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from toolgauge.errors import ToolgaugeError

from .checking import GateCheck, PendingCase, in_words, settle
from .written import SuiteTests, WrittenGate, read_tests

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

__all__ = ["SuiteFile"]


class SuiteFile(pytest.File):
    """A file with a suite, and what was done on it or who is to do it."""

    def collect(self) -> Iterator[pytest.Item]:
        """The tests in it."""
        allowed = self.config.getini("toolgauge_allow_code") or self.config.getoption("toolgauge_allow_code")
        tests = read_tests(self.path, allow_code=bool(allowed))
        if tests.gate is not None:
            yield GateItem.from_parent(self, name="gate", tests=tests, limits=tests.gate)
            return
        for case in tests.source.suite.cases:
            pending = PendingCase(tests.source, case.id)
            yield CaseItem.from_parent(self, name=pending.name, tests=tests, pending=pending)

    def repr_failure(  # type: ignore[override]  # as collectors have it
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> str | TerminalRepr:
        """What is wrong with the file, without a traceback."""
        return _plain(excinfo) or super().repr_failure(excinfo)


class SuiteItem(pytest.Item):
    """A test of a suite."""

    def __init__(self, *, tests: SuiteTests, **options: Any) -> None:
        super().__init__(**options)
        self.tests = tests

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """What did not pass, without a traceback."""
        return _plain(excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where it stands."""
        return self.path, None, f"{self.path.name}: {self.name}"


class CaseItem(SuiteItem):
    """A case. It passes where every agent passes it in every trial."""

    def __init__(self, *, pending: PendingCase, **options: Any) -> None:
        super().__init__(**options)
        self.pending = pending

    def runtest(self) -> None:
        """Find out what agents did on it."""
        settle(self.pending, self.config).check()

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where it stands, with its line where that is in this file."""
        path, _, title = super().reportinfo()
        line = self.tests.lines.get(self.pending.id)
        return path, None if line is None else line - 1, title


class GateItem(SuiteItem):
    """A whole suite. It passes where enough of it does."""

    def __init__(self, *, limits: WrittenGate, **options: Any) -> None:
        super().__init__(**options)
        self.limits = limits

    def runtest(self) -> None:
        """Find out what agents did, and hold it to the limits of the file."""
        GateCheck(self.config)(
            self.tests.source.whole(),
            min_pass_rate=self.limits.min_pass_rate,
            minimum=self.limits.min,
            maximum=self.limits.max,
            must_pass=self.limits.must_pass,
            baseline=self.tests.baseline,
            max_drop=self.limits.max_drop,
            flaky=self.limits.flaky,
            strict=self.limits.strict,
        )


def _plain(excinfo: pytest.ExceptionInfo[BaseException]) -> str | None:
    """The message of an error that is meant for people; None: it is a fault of a program."""
    if isinstance(excinfo.value, ToolgaugeError):
        return in_words(excinfo.value)
    return str(excinfo.value) if isinstance(excinfo.value, pytest.fail.Exception) else None
