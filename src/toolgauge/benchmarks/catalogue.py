"""Which benchmarks there are, where their suites lie, and what makes their tools. Nothing is read before it is used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from toolgauge.errors import InputError, Problem, UsageError, did_you_mean

if TYPE_CHECKING:
    from toolgauge.core import Suite, Tool

__all__ = ["BENCHMARKS", "Benchmark", "benchmark_tools", "load_benchmark", "shipped_suite"]

BENCHMARKS = {
    "vn-finance": "toolgauge.benchmarks.vn_finance.tools:finance_tools",
    "weather": "toolgauge.benchmarks.weather.tools:weather_tools",
}
"""The benchmarks by name: what makes their tools, given the definitions of the suite."""

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A suite, and the tools that its agents get."""

    suite: Suite
    tools: tuple[Tool, ...]


def shipped_suite(name: str | os.PathLike[str]) -> Path | None:
    """The file of a shipped suite; None where the name is none of theirs, or a file of that name is at hand.

    A folder of that name is no suite, and does not stand in the way.

    Raises:
        InputError: There is no such file, and the name is nearly that of a shipped suite.
    """
    text = os.fspath(name)
    if text in BENCHMARKS and (os.path.isdir(text) or not os.path.exists(text)):
        return _suite_file(text)
    if text.isascii() and text.replace("-", "").replace("_", "").isalnum() and not os.path.exists(text):
        hint = did_you_mean(text, list(BENCHMARKS))
        if hint.startswith("did you mean"):
            raise InputError(text, Problem("there is no such file", hint=hint))
    return None


def benchmark_tools(name: str | os.PathLike[str], suite: Suite) -> tuple[Tool, ...]:
    """The tools of a shipped suite; none where the name is not that of one.

    Args:
        name: What the suite was asked for by.
        suite: The suite, which defines the tools.
    """
    return () if shipped_suite(name) is None else _make_tools(os.fspath(name), suite)


def load_benchmark(name: str) -> Benchmark:
    """A shipped suite with its tools, whatever files are at hand.

    Args:
        name: One of `BENCHMARKS`.

    Raises:
        UsageError: There is no such benchmark.
    """
    from toolgauge.suites import load_suite

    if name not in BENCHMARKS:
        raise UsageError(f"there is no benchmark {name!r}; {did_you_mean(name, list(BENCHMARKS))}")
    suite = load_suite(_suite_file(name))
    return Benchmark(suite, _make_tools(name, suite))


def _suite_file(name: str) -> Path:
    return HERE / name.replace("-", "_") / "suite.yaml"


def _make_tools(name: str, suite: Suite) -> tuple[Tool, ...]:
    module, _, attribute = BENCHMARKS[name].partition(":")
    return tuple(getattr(import_module(module), attribute)(suite.tools))
