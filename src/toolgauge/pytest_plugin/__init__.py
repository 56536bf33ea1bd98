"""The pytest plugin: `*.toolgauge.yaml` files are tests, and suites can be tested from Python.

pytest loads this module in every project that has toolgauge installed, so it imports next to nothing of toolgauge
before there is something to do.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from toolgauge.lazy import lazy_exports

if TYPE_CHECKING:
    from .checking import CaseResult, GateCheck
    from .collecting import SuiteFile

__all__ = ["CaseResult", "GateCheck", "toolgauge_case", "toolgauge_gate"]

ENDINGS = (".toolgauge.yaml", ".toolgauge.yml")
MARKER = "toolgauge"
FIXTURE = "toolgauge_case"


__getattr__ = lazy_exports(__name__, {".checking": "CaseResult GateCheck"})


def pytest_addoption(parser: pytest.Parser) -> None:
    """What can be said on the command line and in the configuration."""
    parser.addini("toolgauge_allow_code", "Whether *.toolgauge.yaml files may name Python objects.", "bool", False)
    parser.addini("toolgauge_lang", "Language of failure messages: en or vi.", "string", "en")
    parser.getgroup("toolgauge").addoption(
        "--toolgauge-allow-code",
        action="store_true",
        default=False,
        help="Let *.toolgauge.yaml files name Python objects, as agents or tools.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(suite, agents='tools', *, traces=None, **options): run a test on every case of a suite; "
        f"the fixture {FIXTURE} holds the outcome of the case.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SuiteFile | None:
    """Take files that hold a suite with its traces or its agent."""
    if not file_path.name.endswith(ENDINGS):
        return None
    from .collecting import SuiteFile

    found: SuiteFile = SuiteFile.from_parent(parent, path=file_path)
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try a test that has the marker on every case of the suite."""
    marker = metafunc.definition.get_closest_marker(MARKER)
    if marker is None:
        if FIXTURE in metafunc.fixturenames:
            raise pytest.UsageError(
                f"{metafunc.definition.nodeid} asks for {FIXTURE}; name the suite with @pytest.mark.{MARKER}(...)"
            )
        return
    if FIXTURE not in metafunc.fixturenames:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} has the marker {MARKER!r}, but does not ask for the fixture {FIXTURE!r}"
        )
    from .checking import pending_cases

    cases = pending_cases(marker, metafunc.definition.path.parent)
    metafunc.parametrize(FIXTURE, cases, indirect=True)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Call a test by its case. pytest would write what is not English as escapes."""
    if argname != FIXTURE:
        return None
    from .checking import PendingCase

    return val.name if isinstance(val, PendingCase) else None


@pytest.fixture
def toolgauge_case(request: pytest.FixtureRequest) -> CaseResult:
    """What came of one case of the suite that the marker names; `check()` fails the test where it did not pass."""
    from .checking import settle

    return settle(request.param, request.config)


@pytest.fixture
def toolgauge_gate(request: pytest.FixtureRequest) -> GateCheck:
    """Holds a run to limits, as `toolgauge gate` does, and fails the test where it does not keep them."""
    from .checking import GateCheck

    return GateCheck(request.config)
