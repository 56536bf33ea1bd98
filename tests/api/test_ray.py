"""A Ray cluster comes to the bytes that one process comes to, also where a node of it dies."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.test_partials import chat, native, otlp, parquet
from toolgauge import ray_cluster
from toolgauge.errors import ClusterError, UsageError
from toolgauge.ray_cluster import QUIET, RayCluster, Versions

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.deep
def test_two_nodes_one_of_them_killed_come_to_the_same_bytes(tmp_path: Path) -> None:
    inputs = [
        native(tmp_path / "native.jsonl"),
        chat(tmp_path / "chat"),
        otlp(tmp_path / "otlp"),
        parquet(tmp_path / "table.parquet"),
    ]
    (tmp_path / "marks").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.two_nodes", str(tmp_path / "marks"), *inputs],
        cwd=ROOT,
        env={**os.environ, **QUIET, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert {name: one["same"] for name, one in found.items()} == dict.fromkeys(inputs, True)
    assert {name: one["killed"] for name, one in found.items()} == dict.fromkeys(inputs, True)


class _Nodes:
    """As much of Ray as comparing versions asks for, with one node that has another version of toolgauge."""

    class exceptions:  # noqa: N801 - as Ray calls it
        RayError = RuntimeError

    @staticmethod
    def nodes() -> list[dict[str, object]]:
        return [{"Alive": True, "NodeID": "a" * 56, "Resources": {"CPU": 1}}]

    @staticmethod
    def remote(**_: object) -> object:
        class Asked:
            def options(self, **_: object) -> Asked:
                return self

            def remote(self) -> Versions:
                return ray_cluster._versions()._replace(toolgauge="0.0.1")

        return lambda _: Asked()

    @staticmethod
    def get(answer: Versions, timeout: float) -> Versions:
        return answer


@pytest.mark.deep
def test_a_node_with_another_version_is_refused() -> None:
    with pytest.raises(UsageError, match=r"node aaaaaaaa of the Ray cluster has toolgauge 0.0.1, and this process"):
        ray_cluster._compare_versions(_Nodes)


def test_ray_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match=r"pip install 'toolgauge\[ray\]'"), RayCluster().open(None):  # type: ignore[arg-type]  # it is never asked
        pass


@pytest.mark.deep
@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_cluster_that_is_not_there_is_refused_at_once(scheme: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"{scheme}127.0.0.1:{free.getsockname()[1]}"
    with (
        pytest.raises(ClusterError, match=f"no Ray cluster can be used at {address}: "),
        RayCluster(address).connected(),
    ):
        pass
