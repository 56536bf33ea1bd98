"""What a `*.toolgauge.yaml` file says: a suite, what was done on it or who is to do it, and what is good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from toolgauge.analysis.gate import DEFAULT_MAX_DROP, DEFAULT_PASS_RATE, Flaky
from toolgauge.core import CodeTool, JsonValue, Limits, Run, Suite
from toolgauge.errors import InputError, Problem
from toolgauge.files import Fault, InputFile, LocatedDocument, Problems, convert, read_yaml_document
from toolgauge.suites import load_suite

from .checking import beneath
from .sources import RecordedSource, RunSource, SuiteSource

__all__ = ["SuiteTests", "WrittenGate", "read_tests"]

Positive = Annotated[int, Meta(ge=1)]


class WrittenRun(Struct, frozen=True, forbid_unknown_fields=True):
    """How agents are run."""

    agent: str | tuple[str, ...] | dict[str, str] = "tools"
    """One agent, several, or agents by the names that they are to have."""
    model: str | None = None
    base_url: str | None = None
    judge_model: str | None = None
    tools: str | tuple[str, ...] | None = None
    """Python objects, as `module:object`."""
    mcp: tuple[str, ...] = ()
    mock: bool = False
    trials: Positive = 1
    concurrency: Positive = 8
    limits: Limits | None = None
    call_seconds: Annotated[float, Meta(gt=0)] | None = None
    grounding: bool = False
    replay: str | None = None
    """A file of recorded exchanges that answers in the place of models and tools."""


class WrittenGate(Struct, frozen=True, forbid_unknown_fields=True):
    """What is good enough."""

    min_pass_rate: Annotated[float, Meta(ge=0, le=1)] = DEFAULT_PASS_RATE
    min: dict[str, float] = {}
    max: dict[str, float] = {}
    must_pass: tuple[str, ...] = ()
    baseline: str | None = None
    """A run file not to fall behind."""
    max_drop: float | dict[str, float] = DEFAULT_MAX_DROP
    flaky: Flaky = "count"
    strict: bool = False


class WrittenTests(Struct, frozen=True):
    """What stands beside a suite, or beside the name of one."""

    suite: str | None = None
    """A file with the suite, in place of its keys."""
    traces: str | tuple[str, ...] | dict[str, str] | None = None
    run: WrittenRun | None = None
    gate: WrittenGate | None = None


BESIDE = WrittenTests.__struct_fields__


class SuiteTests(Struct, frozen=True):
    """The tests of a file."""

    source: SuiteSource
    gate: WrittenGate | None
    lines: dict[str, int]
    """By case the line it stands in, where it stands in this file."""
    baseline: Run | None = None


def read_tests(path: Path, *, allow_code: bool) -> SuiteTests:
    """Read a file. Paths in it start at its folder.

    Args:
        path: The file.
        allow_code: Whether it may name Python objects.

    Raises:
        InputError: Something is wrong in it; everything is listed, with places.
        ToolgaugeError: The suite, or the baseline, cannot be used.
    """
    with InputFile(path) as source:
        document = read_yaml_document(source, WrittenTests)
        written = _written(document, source.name)
    objects: list[CodeTool] = []
    if written.suite is None:
        suite = load_suite(path, input_format="yaml", objects=objects, beside=BESIDE)
    else:
        suite = load_suite(path.parent / written.suite, objects=objects)
    found = _source(written, suite, objects, path.parent, allow_code=allow_code)
    baseline = None
    if written.gate is not None and written.gate.baseline is not None:
        from toolgauge.api import load_run

        baseline = load_run(path.parent / written.gate.baseline)
    return SuiteTests(found, written.gate, _lines(document, suite), baseline)


def _written(document: LocatedDocument, name: str) -> WrittenTests:
    """What stands beside the suite.

    Raises:
        InputError: It is not as it should be.
    """
    value = document.value
    if not isinstance(value, dict):
        raise InputError(name, Problem("there is no suite in it", 1, hint="write 'cases', or 'suite' with a file"))
    written = convert({key: item for key, item in value.items() if key in BESIDE}, WrittenTests)
    problems = Problems(name)
    if isinstance(written, list):
        problems.add_faults(written, document.locate)
        problems.raise_if_any()
        raise AssertionError("a document that cannot be converted has faults")
    problems.add_faults(_faults(written, value), document.locate)
    problems.raise_if_any()
    return written


def _faults(written: WrittenTests, value: dict[str, JsonValue]) -> list[Fault]:
    faults = []
    if written.suite is not None:
        others = [key for key in value if key not in BESIDE]
        faults += [Fault((key,), f"{key!r} belongs in the file that 'suite' names", at_key=True) for key in others]
    if (written.traces is None) == (written.run is None):
        what = "'traces' and 'run' are both there" if written.run else "there is nothing to test"
        faults.append(Fault((), what, "give 'traces' to score recorded traces, or 'run' to run an agent"))
    return faults


def _source(
    written: WrittenTests, suite: Suite, objects: list[CodeTool], folder: Path, *, allow_code: bool
) -> SuiteSource:
    if written.run is None:
        return RecordedSource(suite, beneath(folder, written.traces or ()))
    options: dict[str, Any] = asdict(written.run)
    agents = options.pop("agent")
    tools = options.pop("tools") or ()
    options["tools"] = [*objects, *([tools] if isinstance(tools, str) else tools)] or None
    options["replay"] = None if written.run.replay is None else folder / written.run.replay
    return RunSource(suite, agents, {**options, "allow_code": allow_code})


def _lines(document: LocatedDocument, suite: Suite) -> dict[str, int]:
    places = {case.id: document.locate(("cases", index), False) for index, case in enumerate(suite.cases)}
    here = isinstance(document.value, dict) and "cases" in document.value
    return {case: place[0] for case, place in places.items() if place is not None} if here else {}
