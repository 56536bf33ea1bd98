"""`toolgauge view` as a command: what it prints, how it ends, and what it says where something is missing."""

from __future__ import annotations

import http.client
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .running import toolgauge


@pytest.fixture
def place(tmp_path: Path) -> Path:
    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    for name in ("monday", "tuesday"):
        toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", name, cwd=tmp_path)
    toolgauge("runs", "export", "monday", "-o", "monday.run.jsonl", cwd=tmp_path)
    return tmp_path


@contextmanager
def started(place: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "toolgauge", "view", "--no-browser", "--port", "0", *arguments]
    process = subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def answered(address: str) -> int:
    found = re.fullmatch(r"Viewer: http://([^/]+)(/.*)", address)
    assert found is not None, address
    connection = http.client.HTTPConnection(found[1], timeout=30)
    connection.request("GET", found[2])
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ((), r"/"),
        (("latest",), r"/runs/[\w-]+"),
        (("monday", "tuesday"), r"/runs/[\w-]+~[\w-]+"),
        (("monday.run.jsonl", "tuesday"), r"/runs/file-1~[\w-]+"),
    ],
)
def test_it_prints_the_address_of_the_page_that_is_asked_for_and_ends_well(
    place: Path, arguments: tuple[str, ...], path: str
) -> None:
    with started(place, *arguments) as (process, line):
        assert re.fullmatch(rf"Viewer: http://127\.0\.0\.1:\d+{path}", line)
        assert answered(line) == 200
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "")


def test_on_other_addresses_it_warns_and_prints_the_token(place: Path) -> None:
    with started(place, "--host", "0.0.0.0", "latest") as (process, line):  # noqa: S104 - that is what is tested
        assert re.search(r"\?token=[\w-]{30,}$", line)
        assert answered(line) == 303
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert "this viewer can be reached from other machines" in errors


def test_nothing_to_look_at_is_said(tmp_path: Path) -> None:
    done = toolgauge("view", "--no-browser", cwd=tmp_path)
    assert (done.returncode, "there is no store of runs" in done.stderr) == (2, True)
    (tmp_path / "x.jsonl").write_text("{}\n", encoding="utf-8")
    done = toolgauge("view", "x.jsonl", "--no-browser", cwd=tmp_path)
    assert (done.returncode, "this is not a run file" in done.stderr) == (2, True)


def test_a_run_that_is_not_there_is_said(place: Path) -> None:
    done = toolgauge("view", "wednesday", "--no-browser", cwd=place)
    assert done.returncode == 2
    assert "there is no run 'wednesday'" in done.stderr


def test_without_the_extra_it_says_what_to_install(place: Path) -> None:
    program = (
        "import sys\n"
        "import importlib.util as util\n"
        "real = util.find_spec\n"
        "gone = ('starlette', 'uvicorn')\n"
        "util.find_spec = lambda name, package=None: None if name in gone else real(name, package)\n"
        "sys.argv = ['toolgauge', 'view']\n"
        "from toolgauge.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'toolgauge[viewer]'" in done.stderr
    assert len(done.stderr.splitlines()) <= 5


def test_nothing_of_it_is_loaded_by_other_commands() -> None:
    program = (
        "import sys, toolgauge, toolgauge.cli.report, toolgauge.cli.view\n"
        "assert not {'starlette', 'uvicorn', 'jinja2', 'toolgauge.viewer'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
