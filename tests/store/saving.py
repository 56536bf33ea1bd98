"""A process that saves trajectories one by one and says so, until it is killed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from toolgauge import api
from toolgauge.core import Call, Case, Expect, ExpectedCall, RunHeader, Scored, Suite, Trajectory
from toolgauge.store import open_store

CASES = 500
SUITE = Suite(
    "s", tuple(Case(f"c{number:03d}", expect=Expect((ExpectedCall("t", {"x": 1}),))) for number in range(CASES))
)


def scored(count: int, agent: str = "m") -> Iterator[Scored]:
    """That many trajectories with their scores; every other one passes."""
    trajectories = [
        Trajectory(case.id, agent, 1, calls=(Call("t", {"x": 1 + number % 2}),), output="x" * 300)
        for number, case in enumerate(SUITE.cases[:count])
    ]
    return iter(api.score(Suite("s", SUITE.cases[:count]), trajectories).scored)


def header() -> RunHeader:
    """The header of a run of that suite."""
    return RunHeader(toolgauge="0", created="2026-01-31T10:00:00+00:00", agents=("m",), suite=SUITE)


def main(path: str, count: int) -> None:
    """Save, and say after each trajectory that it is saved."""
    with open_store(path) as store:
        writer = store.begin(header(), count, name="killed")
        for one in scored(count):
            trajectory = one.trajectory
            writer.begin_case(trajectory.agent, trajectory.case, trajectory.trial)
            writer.save(one)
            os.write(1, f"{trajectory.case}\n".encode())
        writer.finish("finished")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
