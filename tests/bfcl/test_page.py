"""docs/bfcl.md is true: its files are accepted, its command prints what it says, its matchers are valid."""

from pathlib import Path

import yaml

from tests.test_docs import ROOT, blocks, follow, steps
from toolgauge.core import ExpectedCall
from toolgauge.suites import load_bfcl_suite

PAGE = ROOT / "docs" / "bfcl.md"


def write_files(folder: Path) -> None:
    names = ("questions.jsonl", "answers.jsonl", "traces.jsonl")
    for name, text in zip(names, blocks(PAGE, "json"), strict=True):
        (folder / name).write_text(text, encoding="utf-8")


def test_the_example_works_word_by_word(tmp_path: Path) -> None:
    write_files(tmp_path)
    (console,) = blocks(PAGE, "console")
    assert follow(steps(console), tmp_path) > 0


def test_the_case_is_the_one_shown(tmp_path: Path) -> None:
    write_files(tmp_path)
    (shown,) = yaml.safe_load(blocks(PAGE, "yaml")[0])
    case = load_bfcl_suite(tmp_path / "questions.jsonl", answers=tmp_path / "answers.jsonl").cases[0]
    expected = ExpectedCall(shown["tool"], shown["args"], forbid_args=tuple(shown["forbid_args"]))
    assert case.expect.any_of[0].calls == (expected,)
