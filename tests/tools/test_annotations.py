"""What tools say of what they do comes from where they come from: Python code, and MCP servers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from toolgauge import api
from toolgauge.core import Annotations, CodeTool
from toolgauge.errors import UsageError
from toolgauge.suites import load_suite
from toolgauge.tools import annotated, load_tools

CODE = """
def pay(to: str) -> str:
    return to

async def agent(case, tools):
    await tools.call("pay", {"to": "An"})
    await tools.call("pay", {"to": "An"})
    return "done"
"""
SUITE = """
name: shop
tools: [{{python: "shop_{name}:pay", annotations: {{{hint}}}}}]
cases:
  - {{id: c, input: Pay An., expect: {{calls: [{{tool: pay, args: {{to: An}}}}]}}}}
"""


@pytest.mark.parametrize(
    ("name", "hint", "passed"), [("w", "readOnlyHint: false", False), ("r", "readOnlyHint: true", True)]
)
def test_code_is_annotated_in_the_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, hint: str, passed: bool
) -> None:
    (tmp_path / f"shop_{name}.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "suite.yaml").write_text(SUITE.format(name=name, hint=hint), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    objects: list[CodeTool] = []
    load_suite(tmp_path / "suite.yaml", objects=objects)
    assert [tool.annotations for tool in objects] == [Annotations(read_only=passed)]
    agents = {"agent": f"shop_{name}:agent"}
    run = api.run(tmp_path / "suite.yaml", agents, allow_code=True, store=tmp_path / "runs.db")
    (score,) = [one.score for one in run.scored]
    assert (score.passed, [issue.kind for issue in score.issues]) == (passed, ["duplicate_call"])
    assert "shop_" + name in sys.modules


def test_only_functions_can_be_annotated_from_outside() -> None:
    class Other:
        definition = load_tools("os.path:basename", allow_code=True)[0].definition

    with pytest.raises(UsageError, match="annotate its own definition"):
        annotated([Other()], Annotations(read_only=False))  # type: ignore[list-item]  # what is refused
