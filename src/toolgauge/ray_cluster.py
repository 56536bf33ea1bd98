"""Has work done by the workers of a Ray cluster: tasks, each of which does one chunk by itself.

A chunk whose worker or node dies is begun again elsewhere, by Ray itself, up to three times in all; what it comes to
does not depend on where that is. Nothing is sent to anybody: usage statistics and the dashboard stay off.
"""

from __future__ import annotations

import os
import platform
import socket
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

from toolgauge.core import gc_paused
from toolgauge.errors import ClusterError, UsageError
from toolgauge.parallel import Done, Session, Work, WorkResult
from toolgauge.version import VERSION

__all__ = ["MAX_TRIES", "RayCluster"]

Chunk = TypeVar("Chunk")
Answer = TypeVar("Answer")
Rest = TypeVar("Rest")

MAX_TRIES = 3
"""How often a chunk is begun before it is given up."""

PER_WORKER = 2
"""So many chunks a worker has at once, done or to be done."""

CONNECT_SECONDS = 10.0
"""How long it may take to reach a cluster that is named."""

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
"""What is set before Ray is imported, unless somebody has set it."""


class Versions(NamedTuple):
    """What has to be the same everywhere."""

    python: str
    ray: str
    toolgauge: str


class RayCluster:
    """Has work done by a Ray cluster; by one that is started here where none is named."""

    def __init__(self, address: str | None = None) -> None:
        """At an address; default: that of RAY_ADDRESS."""
        self._address = address or os.environ.get("RAY_ADDRESS") or None

    @contextmanager
    def open(self, work: Work[Chunk, Answer, Rest]) -> Iterator[Session[Chunk, Answer, Rest]]:
        """Connect, and compare versions.

        Raises:
            UsageError: Ray is missing, or a node has other versions than this process.
            ClusterError: The cluster cannot be reached.
        """
        with self.connected() as ray:
            yield _Tasks(ray, work)

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """Connect, compare versions, and have Ray itself.

        Raises:
            UsageError: Ray is missing, or a node has other versions than this process.
            ClusterError: The cluster cannot be reached.
        """
        ray = _imported()
        mine = not ray.is_initialized()
        if mine:
            _connect(ray, self._address)
        try:
            _compare_versions(ray)
            yield ray
        finally:
            if mine:
                ray.shutdown()


def _imported() -> Any:
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise UsageError("--jobs ray needs a package that is missing; pip install 'toolgauge[ray]'") from error
    return ray


def _check_reachable(address: str) -> None:
    """Make sure that something listens there: Ray itself tries for minutes, and says so in lines of its own.

    Raises:
        ClusterError: Nothing does.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        return  # such as auto, which Ray resolves
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClusterError(f"no Ray cluster can be used at {address}: {reason}") from error


def _connect(ray: Any, address: str | None) -> None:
    if address is not None:
        _check_reachable(address)
    quiet = {"include_dashboard": False} if address is None else {}
    try:
        ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **quiet)
    except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
        where = address or "here"
        raise ClusterError(f"no Ray cluster can be used at {where}: {str(error).partition(chr(10))[0]}") from error


def _versions() -> Versions:
    """The versions of whoever runs this."""
    import ray

    return Versions(platform.python_version(), ray.__version__, VERSION)


def _compare_versions(ray: Any) -> None:
    """Make sure that every node does what this process would do.

    Raises:
        UsageError: One has other versions.
        ClusterError: One does not answer.
    """
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

    here = _versions()
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    ask = ray.remote(num_cpus=0, max_retries=1)(_versions)
    asked = {node["NodeID"]: ask.options(scheduling_strategy=On(node["NodeID"], soft=False)).remote() for node in nodes}
    for node, answer in asked.items():
        try:
            found = Versions(*ray.get(answer, timeout=60))
        except ray.exceptions.RayError as error:
            raise ClusterError(
                f"node {node[:8]} of the Ray cluster cannot run toolgauge: {_first_line(error)}"
            ) from error
        for what, ours, theirs in zip(Versions._fields, here, found, strict=True):
            if ours != theirs:
                raise UsageError(
                    f"node {node[:8]} of the Ray cluster has {what} {theirs}, and this process {ours}; "
                    "install the same versions everywhere"
                )


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in reversed(str(error).splitlines()) if line.strip()), type(error).__name__)


def _do(work: Work[Any, Any, Any], chunk: Any) -> tuple[Any, bytes, Any]:
    """What a worker does with a chunk."""
    with gc_paused():
        result = work.process(chunk)
        return result.answer, bytes(result.data), work.finish()


class _Tasks(Generic[Chunk, Answer, Rest]):
    """Chunks as tasks."""

    def __init__(self, ray: Any, work: Work[Chunk, Answer, Rest]) -> None:
        self._ray = ray
        self._work = ray.put(work)
        self._do = ray.remote(num_cpus=1, max_retries=MAX_TRIES - 1, scheduling_strategy="SPREAD")(_do)
        self._ahead = max(PER_WORKER, PER_WORKER * int(ray.cluster_resources().get("CPU", 1)))
        self._rests: list[Rest] = []

    def results(self, chunks: Iterable[Chunk]) -> Iterator[Done[Chunk, Answer]]:
        """What becomes of the chunks, in their order.

        Raises:
            ClusterError: A chunk was begun three times, and no worker came to its end.
        """
        waiting: deque[tuple[Chunk, Any]] = deque()
        left = iter(chunks)
        try:
            while True:
                while len(waiting) < self._ahead:
                    chunk = next(left, None)
                    if chunk is None:
                        break
                    waiting.append((chunk, self._do.remote(self._work, chunk)))
                if not waiting:
                    return
                chunk, task = waiting.popleft()
                yield Done(chunk, self._result(task))
        finally:
            for _, task in waiting:
                self._ray.cancel(task, force=True)

    def _result(self, task: Any) -> WorkResult[Answer]:
        try:
            answer, data, rest = self._ray.get(task)
        except self._ray.exceptions.RayTaskError:
            raise  # a fault of ours, as it would be here
        except self._ray.exceptions.RayError as error:
            raise ClusterError(
                f"a chunk of the input was started {MAX_TRIES} times on the Ray cluster and never finished: "
                f"{_first_line(error)}; nothing was written"
            ) from error
        self._rests.append(rest)
        return WorkResult(answer, data)

    def finish(self) -> list[Rest]:
        """What was said at the end of each chunk."""
        return self._rests
