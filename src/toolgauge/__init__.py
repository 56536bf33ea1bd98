"""toolgauge measures how well LLM agents use their tools, and whether their answers are right.

    run = toolgauge.score("suite.yaml", {"react": "react.jsonl", "rewoo": "rewoo.jsonl"})
    for row in run.summary.rows:
        print(row.agent, row.group, row.metrics["f1"].value)

Everything is imported when it is first used.
"""

from __future__ import annotations

from .lazy import lazy_exports
from .version import VERSION

TYPE_CHECKING = False  # see toolgauge/lazy.py
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

__getattr__ = lazy_exports(
    __name__,
    {
        ".analysis.compare": "compare",
        ".analysis.diagnose": "diagnose",
        ".analysis.gate": "gate",
        ".api.runs": "load_run run",
        ".api.traces": "score",
        ".core": "Call Case Comparison Diagnosis Expect ExpectedCall Plan Run Score Suite Summary ToolDefinition "
        "Trajectory Verdict",
        ".errors": "ToolgaugeError",
        ".suites": "load_suite",
    },
)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
