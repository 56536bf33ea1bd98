"""Commands that are forked from the prepared process do what those do that are started from nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.runner.weather import write_suite

from .prepared import PreparedProcess

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

AGENTS = """
import os, sys, threading, time

async def looks(case, tools):
    seen = [
        [name for name in sys.modules if name.startswith(("tests", "pytest", "_pytest"))],
        sys.path, sys.argv[1:], os.getcwd(), sys.stdin.read(), time.tzname, dict(os.environ),
        [(stream.isatty(), stream.encoding, stream.errors) for stream in (sys.stdin, sys.stdout, sys.stderr)],
        sys.stdout.line_buffering, threading.active_count(), sys.modules["__main__"].__spec__.name,
        len(os.listdir("/proc/self/fd")) if os.path.exists("/proc") else 0,
    ]
    sys.stderr.write(repr(seen) + chr(10))
    os._exit(9)

async def dies(case, tools):
    os.kill(os.getpid(), 9)

async def waits(case, tools):
    time.sleep(60)
"""

RUN = ("run", "suite.json", "--allow-code", "--store", "runs.db", "--agent")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    write_suite(folder, 1)
    (folder / "own_agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "traces.jsonl").write_text('{"case": "c0", "output": "31 độ", "calls": []}\n', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def prepared() -> Iterator[PreparedProcess]:
    with closing(PreparedProcess()) as process:
        yield process


def variables(**environment: str) -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **environment}


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--version"], {}),
        (["scor"], {}),
        (["score", "--help"], {"COLUMNS": "70"}),
        (["score", "suite.json"], {}),
        (["score", "suite.json", "traces.jsonl", "--failures"], {"LC_ALL": "vi_VN.UTF-8"}),
        (["score", "suite.json", "none.jsonl", "--debug"], {}),
        ([*RUN, "own_agents:looks"], {"TZ": "Asia/Tokyo", "X_OF_TEST": "á"}),
        (
            [*RUN, "own_agents:looks"],
            {"PYTHONPATH": os.pathsep.join(["/no", os.environ.get("PYTHONPATH", "/nowhere")])},
        ),
        ([*RUN, "own_agents:dies"], {}),
    ],
)
def test_a_forked_command_does_what_a_started_one_does(
    prepared: PreparedProcess, place: Path, arguments: list[str], environment: dict[str, str]
) -> None:
    started = subprocess.run(
        [sys.executable, "-m", "toolgauge", *arguments],
        cwd=place,
        env=variables(**environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    forked = prepared.run(arguments, place, variables(**environment), 60)
    assert (forked.returncode, forked.stdout) == (started.returncode, started.stdout)
    assert forked.stderr == started.stderr


def test_a_command_that_takes_too_long_is_ended(prepared: PreparedProcess, place: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        prepared.run([*RUN, "own_agents:waits"], place, variables(), 1.5)
    assert prepared.run(["--version"], place, variables(), 60).returncode == 0


def test_what_the_interpreter_reads_itself_needs_one_of_its_own(prepared: PreparedProcess) -> None:
    assert prepared.suits(variables(PYTHONPATH="x", LC_ALL="C"))
    assert not prepared.suits(variables(PYTHONHASHSEED="1"))
    assert not prepared.suits({**os.environ, "PYTHONUTF8": "0"})
