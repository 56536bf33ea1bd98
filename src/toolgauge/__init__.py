"""toolgauge measures how well LLM agents use their tools, and whether their answers are right.

    run = toolgauge.score("suite.yaml", {"react": "react.jsonl", "rewoo": "rewoo.jsonl"})
    for row in run.summary.rows:
        print(row.agent, row.group, row.metrics["f1"].value)

Everything is imported when it is first used.
"""

from __future__ import annotations

from .version import VERSION

TYPE_CHECKING = False  # what type checkers take for true; importing it from typing costs more than all of this
if TYPE_CHECKING:
    from .analysis.compare import compare
    from .analysis.diagnose import diagnose
    from .analysis.gate import gate
    from .api import load_run, run, score
    from .core import (
        Call,
        Case,
        Comparison,
        Diagnosis,
        Expect,
        ExpectedCall,
        Plan,
        Run,
        Score,
        Suite,
        Summary,
        ToolDefinition,
        Trajectory,
        Verdict,
    )
    from .errors import ToolgaugeError
    from .suites import load_suite

__version__ = VERSION

__all__ = [
    "Call",
    "Case",
    "Comparison",
    "Diagnosis",
    "Expect",
    "ExpectedCall",
    "Plan",
    "Run",
    "Score",
    "Suite",
    "Summary",
    "ToolDefinition",
    "ToolgaugeError",
    "Trajectory",
    "Verdict",
    "compare",
    "diagnose",
    "gate",
    "load_run",
    "load_suite",
    "run",
    "score",
]

_HOMES = {
    "ToolgaugeError": "errors",
    "compare": "analysis.compare",
    "diagnose": "analysis.diagnose",
    "gate": "analysis.gate",
    "load_run": "api",
    "load_suite": "suites",
    "run": "api",
    "score": "api",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'toolgauge' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES.get(name, 'core')}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
