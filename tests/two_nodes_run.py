"""Runs agents on a Ray cluster of two nodes on loopback, of which one is killed while it is at work.

Run as a program, since Ray stays in the process that has connected to it. Arguments: a folder with `suite.json`,
and the address of the store. What comes out: the node that was killed in flight, the counts, and what was said.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from toolgauge import api
from toolgauge.core import Case, Score, Toolbox, Trajectory
from toolgauge.ray_cluster import QUIET

SECONDS = 0.15


async def signs_nodes(case: Case, tools: Toolbox) -> str:
    """Leaves a line for every time that it works on a case, with the node."""
    import asyncio

    import ray

    with Path("executed.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{case.id} {ray.get_runtime_context().get_node_id()}\n")
    await asyncio.sleep(SECONDS)
    result = await tools.call("get_weather", {"city": "Hanoi"})
    return f"It says {result.text}."


class Count:
    """Counts what it is notified of."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    def begin(self, planned: int, before: int) -> None:
        self.planned = planned - before

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        self.kept.append(trajectory.case)

    def retried(self) -> None:
        raise AssertionError("no model is asked")

    def stopping(self, words: str) -> None:
        raise AssertionError(words)

    def stuck(self, why: str) -> None:
        raise AssertionError(why)


def kill_when_busy(cluster: Any, node: Any, killed: dict[str, Any], watcher: Count) -> None:
    """Kill a node as soon as something of its was kept and more is in flight there."""
    while not killed["over"]:
        path = Path("executed.txt")
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        theirs = [line.split()[0] for line in lines if line.endswith(node.node_id)]
        kept = set(watcher.kept)
        if any(case in kept for case in theirs) and any(case not in kept for case in theirs):
            cluster.remove_node(node, allow_graceful=False)
            killed["node"] = node.node_id
            return
        time.sleep(0.01)


def main() -> None:
    folder, store = sys.argv[1:]
    os.chdir(folder)
    os.environ.update(QUIET)
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    killed: dict[str, Any] = {"over": False, "node": None}
    watcher = Count()
    try:
        node = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        thread = threading.Thread(target=kill_when_busy, args=(cluster, node, killed, watcher))
        thread.start()
        said: list[str] = []
        run = api.run(
            "suite.json",
            {"signs": "tests.two_nodes_run:signs_nodes"},
            jobs="ray",
            ray_address=cluster.address,
            allow_code=True,
            concurrency=4,
            store=store,
            watcher=watcher,
            tell=said.append,
        )
        killed["over"] = True
        thread.join()
    finally:
        cluster.shutdown()
    counts = run.summary.counts
    found = {
        "killed": killed["node"],
        "planned": counts.planned,
        "kept": watcher.kept,
        "said": said,
        "passed": sum(one.score.passed for one in run.scored),
    }
    print(json.dumps(found))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()
