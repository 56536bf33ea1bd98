"""The weather example, what its agents did, and the verdicts that its documentation gives."""

from __future__ import annotations

import importlib.util
import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from toolgauge.core import ModelReply, ToolRequest

from ..servers import Answer, Asked

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "weather"
SUITE = EXAMPLE / "suite.yaml"
TRACES = EXAMPLE / "traces.jsonl"
PAGE = ROOT / "docs" / "tooleval.md"

LINE = re.compile(r"^\| `(T\d\w+)` \| (\w+) \|(.*)\|$", re.MULTILINE)


def load_example() -> ModuleType:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("weather_example", EXAMPLE / "weather.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Row:
    """One line of the table in the documentation."""

    test: str
    agent: str
    precision: float
    recall: float
    parameters: float
    content: float
    score: float
    passed: bool
    issues: tuple[str, ...]


def table() -> list[Row]:
    """The table that a person computed."""
    rows = []
    for test, agent, rest in LINE.findall(PAGE.read_text(encoding="utf-8")):
        *figures, verdict, issues = (cell.strip() for cell in rest.split("|"))
        precision, recall, parameters, content, score = map(float, figures[-5:])
        kinds = tuple(filter(None, issues.split(", ")))
        rows.append(Row(test, agent, precision, recall, parameters, content, score, verdict == "passed", kinds))
    return rows


def traces() -> dict[tuple[str, str], dict[str, object]]:
    """What the agents did, by agent and test."""
    lines = map(json.loads, TRACES.read_text(encoding="utf-8").splitlines())
    return {(line["agent"], line["case"]): line for line in lines}


def playing(agent: str) -> object:
    """A script by which a server does what one of the agents did, one call a turn."""
    questions = {test.user_message: test.id for test in load_example().TESTS}
    known = traces()

    def answer(asked: Asked) -> Answer:
        line = known[agent, questions[asked.question]]
        calls = line["calls"]
        assert isinstance(calls, list)
        made = len(asked.results)
        if made < len(calls):
            return ModelReply(calls=(ToolRequest(calls[made]["tool"], calls[made]["args"]),))
        return ModelReply(str(line["output"]))

    return answer
