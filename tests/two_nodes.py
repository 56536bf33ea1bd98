"""Scores several inputs on a Ray cluster of two nodes on loopback, of which one is killed while it is at work.

Run as a program, since Ray stays in the process that has connected to it. Arguments: a folder to work in, then inputs.
What comes out is, for each input, whether a node was killed in flight, and whether all is as one process has it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.api.test_partials import result
from tests.files.test_opening import SUITE
from toolgauge import api
from toolgauge.core import Case, Measured, Outcome, Trajectory
from toolgauge.ray_cluster import QUIET
from toolgauge.store import Spool


@dataclass(frozen=True)
class Slow:
    """Takes its time, and leaves word on which node it was asked."""

    folder: str
    name: ClassVar[str] = "slow"
    version: ClassVar[int] = 1

    def score(self, case: Case, trajectory: Trajectory) -> Outcome:
        ray = sys.modules.get("ray")
        if ray is not None and ray.is_initialized():
            (Path(self.folder) / ray.get_runtime_context().get_node_id()).touch()
            time.sleep(0.01)
        return Measured(1.0)


def scored(traces: str, folder: str, **options: Any) -> object:
    report = api.ImportReport()
    with Spool() as spool:
        run = api.score(SUITE, traces, sink=spool, report=report, scorers=[Slow(folder)], **options)
        return result(run, report)


def killed_once_busy(cluster: Any, node: Any, folder: Path, stop: threading.Event) -> Callable[[], bool]:
    """Kill a node as soon as it has begun something; says afterwards whether that has happened."""
    done = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            if (folder / node.node_id).exists():
                cluster.remove_node(node, allow_graceful=False)
                done.set()
                return
            time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()

    def ended() -> bool:
        stop.set()
        thread.join()
        return done.is_set()

    return ended


def main() -> None:
    folder, *inputs = sys.argv[1:]
    expected = {name: scored(name, folder) for name in inputs}
    os.environ.update(QUIET)
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    found = {}
    try:
        for name in inputs:
            node = cluster.add_node(num_cpus=1)
            cluster.wait_for_nodes()
            ended = killed_once_busy(cluster, node, Path(folder), threading.Event())
            same = scored(name, folder, jobs="ray", ray_address=cluster.address) == expected[name]
            found[name] = {"killed": ended(), "same": same}
    finally:
        cluster.shutdown()
    print(json.dumps(found))  # noqa: T201 - what the test reads


if __name__ == "__main__":
    main()
