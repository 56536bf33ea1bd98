"""Code under test that prints, or changes its directory: results are what and where they were asked to be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.runner.weather import write_suite

NOISY = """
import os, subprocess, sys, threading, time
print("imported")
sys.stdout.write("at once")

def get_weather(city: str) -> dict:
    print("a tool prints")
    os.write(1, b"past Python\\n")
    subprocess.run(["echo", "from a process"])
    return {"celsius": 31}

def moves(city: str) -> dict:
    os.makedirs("elsewhere", exist_ok=True)
    os.chdir("elsewhere")
    return {"celsius": 31}

async def agent(case, tools):
    print("an agent prints")
    sys.__stdout__.write("and again\\n")
    threading.Thread(target=lambda: [print("later") or time.sleep(0.01) for _ in range(200)], daemon=True).start()
    return str((await tools.call("get_weather", {"city": "Hanoi"})).text)

class Scorer:
    name, version = "noisy", 1
    def score(self, case, trajectory):
        print("a scorer prints")
        os.chdir("/")
        from toolgauge.core import Measured
        return Measured(1.0)

scorer = Scorer()

async def wrong(case, tools):
    return inner(case)

def inner(case):
    raise LookupError(f"no such thing: {case.id}")
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_suite(tmp_path, 2)
    (tmp_path / "noisy.py").write_text(NOISY, encoding="utf-8")
    lines = [{"case": f"c{n}", "agent": "a", "calls": [], "output": "31"} for n in range(2)]
    (tmp_path / "traces.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("isolate", [(), ("--isolate",)], ids=["here", "isolated"])
def test_what_is_printed_is_no_part_of_the_result(place: Path, isolate: tuple[str, ...]) -> None:
    arguments = (
        "run",
        "suite.json",
        "--agent",
        "noisy:agent",
        "--tools",
        "noisy:get_weather",
        "--allow-code",
        *isolate,
    )
    done = toolgauge(*arguments, "--format", "json", cwd=place, PYTHONPATH=str(place))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["passed"] == 2
    for words in ("imported", "a tool prints", "past Python", "from a process", "an agent prints", "and again"):
        assert words in done.stderr


def test_scorers_that_print_and_move_change_no_result(place: Path) -> None:
    arguments = ("suite.json", "traces.jsonl", "--scorer", "noisy:scorer", "--allow-code")
    done = toolgauge("score", *arguments, "--format", "json", cwd=place, PYTHONPATH=str(place))
    assert json.loads(done.stdout)["counts"]["planned"] == 2
    assert "a scorer prints" in done.stderr
    written = toolgauge(
        "score", *arguments, "-o", "out.txt", "--run-file", "x.run.jsonl", cwd=place, PYTHONPATH=str(place)
    )
    assert written.returncode == 0, written.stderr
    assert (place / "out.txt").exists()
    assert (place / "x.run.jsonl").exists()
    gated = toolgauge(
        "gate", "traces.jsonl", "--suite", "suite.json", *arguments[2:], "--format", "json", "--junit", "j.xml",
        cwd=place, PYTHONPATH=str(place),
    )  # fmt: skip
    assert json.loads(gated.stdout)["schema"] == "toolgauge.verdict/1"
    assert (place / "j.xml").exists()


def test_a_tool_that_changes_the_directory_moves_no_result(place: Path) -> None:
    (place / "quiet.py").write_text(
        "from noisy import moves as get_weather\n"
        "async def agent(case, tools):\n"
        "    return str((await tools.call('moves', {'city': 'Hanoi'})).text)\n",
        encoding="utf-8",
    )
    arguments = ("--agent", "quiet:agent", "--tools", "quiet:get_weather", "--mock", "--allow-code", "-o", "out.json")
    done = toolgauge(
        "run", "suite.json", *arguments, "--format", "json", "--trials", "3", cwd=place, PYTHONPATH=str(place)
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((place / "out.json").read_text(encoding="utf-8"))["counts"]["planned"] == 6
    assert not list((place / "elsewhere").rglob("*.json"))
    assert (place / ".toolgauge" / "runs.db").exists()
    shown = toolgauge("runs", "list", "--format", "json", cwd=place)
    assert json.loads(shown.stdout)[0]["finished"] == 6


def test_errors_of_an_agent_say_where_they_came_from(place: Path) -> None:
    line = 1 + NOISY.splitlines().index('    raise LookupError(f"no such thing: {case.id}")')
    arguments = ("run", "suite.json", "--agent", "noisy:wrong", "--allow-code")
    done = toolgauge(*arguments, "--failures", cwd=place, PYTHONPATH=str(place))
    assert f"LookupError: no such thing: c0 (noisy.py:{line})" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stderr
    debugged = toolgauge(*arguments, "--debug", cwd=place, PYTHONPATH=str(place))
    assert f'noisy.py", line {line}, in inner' in debugged.stderr
    assert "wrong, c1:" in debugged.stderr
