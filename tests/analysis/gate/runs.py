"""Small runs for the tests of the gate, scored as any other run is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolgauge.api import score
from toolgauge.core import Call, Case, Expect, ExpectedCall, Run, Suite, ToolDefinition, Trajectory

__all__ = ["make_run", "suite_of"]


def suite_of(cases: int, labels: Mapping[int, dict[str, str]] | None = None, *, name: str = "sample") -> Suite:
    """A suite whose every case expects one call of the tool `look`."""
    found = labels or {}
    return Suite(
        name,
        tuple(
            Case(f"c{number}", f"question {number}", found.get(number, {}), expect=Expect((ExpectedCall("look"),)))
            for number in range(cases)
        ),
        (ToolDefinition("look"),),
    )


def make_run(outcomes: Mapping[str, Sequence[str]] | Sequence[str], suite: Suite | None = None) -> Run:
    """A run in which each case of each agent ends as its letters say, one for each trial.

    `p` passes, `f` calls nothing, `x` calls with a failure first and then with success, `e` ends with an error, and
    `-` was not run.
    """
    by_agent = outcomes if isinstance(outcomes, Mapping) else {"agent": outcomes}
    chosen = suite or suite_of(max(map(len, by_agent.values())))
    trajectories = [
        _trajectory(letter, chosen.cases[number].id, agent, trial)
        for agent, cases in by_agent.items()
        for number, letters in enumerate(cases)
        for trial, letter in enumerate(letters, 1)
    ]
    return score(chosen, trajectories)


def _trajectory(letter: str, case: str, agent: str, trial: int) -> Trajectory:
    right = Call("look")
    if letter == "p":
        return Trajectory(case, agent, trial, calls=(right,), output="done", latency_ms=100.0)
    if letter == "x":
        return Trajectory(
            case, agent, trial, calls=(Call("look", error="boom"), right), output="done", latency_ms=300.0
        )
    if letter == "e":
        return Trajectory(case, agent, trial, "error", error="broke down", latency_ms=50.0)
    if letter == "-":
        return Trajectory(case, agent, trial, "not_run")
    return Trajectory(case, agent, trial, output="done", latency_ms=200.0)
