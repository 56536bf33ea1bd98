"""A kill while a model is asked about an answer: the agent, which was done, is not asked again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os, sys
import toolgauge
from toolgauge.core import Case, Expect, Judge, ModelReply, Suite
from toolgauge.testing import ScriptedModel

folder, point = sys.argv[1], sys.argv[2] == "point"

def count(what):
    with open(os.path.join(folder, what), "a") as stream:
        stream.write("x")
    return os.path.getsize(os.path.join(folder, what))

def agent(case, tools):
    count(f"agent-{case.id}")
    return f"It is 31 degrees in {case.id}."

def judge(request):
    if count("asked") == 2:
        os.kill(os.getpid(), 9)
    if request.purpose == "point":
        return ModelReply('{"passage": "31 degrees"}')
    return ModelReply('{"score": 0.5, "reason": "so so"}')

answer = {"type": "number", "value": 31, "find": "model"} if point else None
rubric = None if point else Judge("Names a temperature.")
suite = Suite("s", tuple(Case(f"c{n}", "How warm?", expect=Expect(answer=answer), judge=rubric) for n in range(3)))
run = toolgauge.run(
    suite, agent, judge_model=ScriptedModel(judge), answer_model=ScriptedModel(judge) if point else None,
    store=os.path.join(folder, "runs.db"), concurrency=1, resume=sys.argv[3] if len(sys.argv) > 3 else None,
)
events = [event for one in run.scored for event in one.trajectory.events]
print([event.get("score", event.get("passage")) for event in events], [one.trajectory.state for one in run.scored])
"""


def start(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("kind", ["judge", "point"])
def test_an_agent_that_was_done_is_not_asked_again(tmp_path: Path, kind: str) -> None:
    assert start(tmp_path, kind).returncode == -9
    resumed = start(tmp_path, kind, "latest")
    assert resumed.returncode == 0, resumed.stderr
    said = "'31 degrees'" if kind == "point" else "0.5"
    assert resumed.stdout.strip() == f"[{said}, {said}, {said}] ['completed', 'completed', 'completed']"
    assert [(tmp_path / f"agent-c{number}").read_text() for number in range(3)] == ["x", "x", "x"]
