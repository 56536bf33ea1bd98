"""A small suite, and models that solve it, for tests of running agents."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.running import toolgauge
from toolgauge.core import (
    CannedResult,
    Case,
    Counts,
    Expect,
    ExpectedCall,
    ModelReply,
    ModelRequest,
    Run,
    Suite,
    ToolDefinition,
    ToolRequest,
    Trajectory,
    Usage,
)
from toolgauge.testing import ScriptedModel

__all__ = ["ROOT", "TOOL", "command", "counts", "only", "solver", "solves", "suite", "trajectories", "write_suite"]

ROOT = Path(__file__).parent.parent.parent

TOOL = ToolDefinition(
    "get_weather",
    "The weather of a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    results=(CannedResult(when={"city": "Hanoi"}, result={"celsius": 31}), CannedResult(result={"celsius": 25})),
)


def suite(count: int = 3, *, tools: tuple[ToolDefinition, ...] = (TOOL,)) -> Suite:
    """Cases that all expect the same call and a figure in the answer."""
    expect = Expect(calls=(ExpectedCall("get_weather", {"city": "Hanoi"}),), contains=("31",))
    return Suite("weather", tuple(Case(f"c{n}", f"Weather in Hanoi, {n}?", expect=expect) for n in range(count)), tools)


def solves(request: ModelRequest) -> ModelReply:
    """Call the tool, then repeat what it said."""
    last = request.messages[-1]
    if last.role == "tool":
        return ModelReply(f"It says {last.text}.", usage=Usage(1, 20, 5, 0.001))
    return ModelReply(calls=(ToolRequest("get_weather", {"city": "Hanoi"}, "c1"),), usage=Usage(1, 10, 5, 0.001))


def solver() -> ScriptedModel:
    """A model that solves every case."""
    return ScriptedModel(solves)


def counts(run: Run | Counts) -> dict[str, int]:
    """The states that occurred, and how often."""
    found = run.summary.counts if isinstance(run, Run) else run
    named = {
        name: getattr(found, name) for name in found.__struct_fields__ if name not in ("planned", "passed_with_issues")
    }
    assert sum(named.values()) == found.planned
    return {name: number for name, number in named.items() if number}


def trajectories(run: Run) -> list[Trajectory]:
    """What was done, in the order of the plan."""
    return [scored.trajectory for scored in run.scored]


def only(run: Run) -> Trajectory:
    """The one trajectory of a run."""
    (trajectory,) = trajectories(run)
    return trajectory


def write_suite(folder: Path, count: int = 3) -> Path:
    """The suite as a file."""
    tool = {
        "name": TOOL.name,
        "parameters": TOOL.parameters,
        "results": [{"when": {"city": "Hanoi"}, "result": {"celsius": 31}}, {"result": {"celsius": 25}}],
    }
    expect = {"calls": [{"tool": "get_weather", "args": {"city": "Hanoi"}}], "contains": ["31"]}
    cases = [{"id": f"c{n}", "input": f"Weather in Hanoi, {n}?", "expect": expect} for n in range(count)]
    path = folder / "suite.json"
    path.write_text(json.dumps({"name": "weather", "tools": [tool], "cases": cases}), encoding="utf-8")
    return path


def command(folder: Path, *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run `toolgauge run` there; the exit code, and what it printed."""
    done = toolgauge("run", *arguments, cwd=folder, PYTHONPATH=str(ROOT), **environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr
