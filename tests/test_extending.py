"""The page on extending is true: what it says is done to a copy of the package, and used from the command line."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import toolgauge
from toolgauge.catalogue import LANGUAGES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
PACKAGE = Path(toolgauge.__file__).parent
CHANGES = (
    "scorer", "metric", "matcher", "issue kind", "answer type", "report format", "language", "locale", "store backend",
)  # fmt: skip


def block(heading: str, kind: str, number: int = 0) -> str:
    """A block of code below a heading of the page."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found: list[str] = re.findall(rf"```{kind}\n(.*?)```", section, re.DOTALL)
    return found[number]


class Copy:
    """A copy of the package that can be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(PACKAGE, folder / "toolgauge", ignore=shutil.ignore_patterns("__pycache__"))

    def put(self, file: str, before: str, text: str) -> None:
        """Put text before something that a file has once."""
        path = self.folder / "toolgauge" / file
        source = path.read_text(encoding="utf-8")
        assert source.count(before) == 1, (file, before)
        path.write_text(source.replace(before, text + before), encoding="utf-8")

    def add_words(self, text: str) -> None:
        """Put words into the catalogue of each language."""
        for lang in LANGUAGES:
            path = self.folder / "toolgauge" / "catalogue" / f"{lang}.json"
            known = json.loads(path.read_text(encoding="utf-8"))
            added = json.loads("{" + text.strip().rstrip(",") + "}")
            path.write_text(json.dumps({**known, **added}, ensure_ascii=False), encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command of the copy."""
        return subprocess.run(
            [sys.executable, "-m", "toolgauge", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def printed(done: subprocess.CompletedProcess[str], code: int = 0) -> str:
    assert done.returncode == code, done.stderr
    return done.stdout


def test_every_change_is_described_and_every_file_is_there() -> None:
    table = PAGE.partition("| --- | --- |\n")[2].partition("\n\n")[0]
    assert [change for change in CHANGES if change not in table] == []
    named = {name for name in re.findall(r"`((?:\w+/)+\w*(?:\.\w+)?)`", PAGE) if "xx" not in name}
    assert len(named) > 15
    assert [name for name in sorted(named) if not any((base / name).exists() for base in (PACKAGE, ROOT))] == []


def test_a_metric_is_its_row_its_sum_and_its_words(copy: Copy) -> None:
    copy.put("metrics/contributions.py", "PARTS: tuple[Part, ...] = (\n", block("A metric", "python", 0) + "\n\n")
    copy.put("metrics/contributions.py", "    _events,\n)", "    _answered,\n")
    row = f"    {block('A metric', 'python', 1).strip()},\n"
    copy.put("metrics/table.py", '    Metric("judge", ', row)
    copy.add_words(block("A metric", "json"))
    copy.run("init", "weather")
    given = ("weather/suite.yaml", "weather/traces.jsonl")
    report = json.loads(printed(copy.run("score", *given, "--format", "json")))
    traces = [json.loads(line) for line in (copy.folder / "weather/traces.jsonl").read_text("utf-8").splitlines()]
    for found in (row for row in report["rows"] if not row["group"]):
        own = [trace for trace in traces if trace["agent"] == found["agent"]]
        answered = sum(bool(trace.get("output")) for trace in own) / len(own)
        assert found["metrics"]["answered_rate"]["value"] == answered
    assert "Answered" in printed(copy.run("score", *given, "--full"))
    printed(copy.run("score", *given, "--format", "run", "-o", "a.run.jsonl"))
    assert "answered" in printed(copy.run("compare", "a.run.jsonl", "--metric", "answered_rate"))
    assert "answered_rate" in printed(copy.run("gate", "a.run.jsonl", "--min", "answered_rate=0.1",
                                               "--min-pass-rate", "0"))  # fmt: skip


def test_a_matcher_is_its_entry_and_its_words(copy: Copy) -> None:
    source = copy.folder / "toolgauge" / "matchers" / "multiple.py"
    opening = (
        "from collections.abc import Iterator\n"
        "from toolgauge.core import JsonValue\n"
        "from toolgauge.files import Fault, Path\n"
        "from .matcher import Description, Matcher, Rule, RuleContext\n\n"
    )
    source.write_text(opening + block("A matcher", "python"), encoding="utf-8")
    copy.put("matchers/table.py", "from .numbers import", "from .multiple import MULTIPLE\n")
    copy.put("matchers/table.py", "        BFCL,\n    )", "        MULTIPLE,\n")
    copy.add_words(block("A matcher", "json"))
    suite = "cases: [{id: a, input: x, expect: {calls: [{tool: book, args: {seats: {$multiple: %s}}}]}}]\n"
    (copy.folder / "suite.yaml").write_text(suite % 2, encoding="utf-8")
    calls = [{"case": "a", "agent": f"a{n}", "calls": [{"tool": "book", "args": {"seats": n}}]} for n in (4, 5)]
    (copy.folder / "traces.jsonl").write_text("\n".join(map(json.dumps, calls)), encoding="utf-8")
    report = json.loads(printed(copy.run("score", "suite.yaml", "traces.jsonl", "--details", "--format", "json")))
    assert [[issue["message"] for issue in case["issues"]] for case in report["cases"]] == [
        [],
        ["book: argument seats is 5, expected a multiple of 2"],
    ]
    printed(copy.run("lint", "suite.yaml"))
    (copy.folder / "suite.yaml").write_text(suite % 0, encoding="utf-8")
    refused = copy.run("score", "suite.yaml", "traces.jsonl")
    assert refused.returncode == 2
    assert "'$multiple' takes a whole number from 1" in refused.stderr


def test_a_scorer_is_an_object(copy: Copy) -> None:
    (copy.folder / "manners.py").write_text(block("A scorer", "python"), encoding="utf-8")
    copy.run("init", "weather")
    given = ("weather/suite.yaml", "weather/traces.jsonl", "--scorer", "manners:polite")
    assert copy.run("score", *given).returncode == 2
    allowed = (*given, "--allow-code")
    report = json.loads(printed(copy.run("score", *allowed, "--format", "json")))
    assert all(row["metrics"]["polite"]["value"] == 0 for row in report["rows"])
    printed(copy.run("score", *allowed, "--format", "run", "-o", "a.run.jsonl"))
    assert "polite" in printed(copy.run("compare", "a.run.jsonl", "--metric", "polite"))
    printed(copy.run("gate", "a.run.jsonl", "--min", "polite=0.9", "--min-pass-rate", "0"), 1)
