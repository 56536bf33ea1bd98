"""What `score` makes of its arguments: whose traces they are, and whether the suite can be used."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from toolgauge import api
from toolgauge.core import Case, Expect, ExpectedCall, Plan, Settings, Suite, Times, ToolDefinition, Trajectory, Weights
from toolgauge.errors import NothingToDo, UsageError
from toolgauge.traces import ImportReport

SUITE = Suite("s", (Case("a", labels={"Mức": "dễ"}, expect=Expect(())),))
LINE = '{"case":"a","calls":[]}\n'


def write(path: Path, text: str = LINE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def agents(*traces: Path | api.Source) -> tuple[str, ...]:
    return api.score(SUITE, traces).header.agents


def test_files_that_are_called_the_same_are_different_agents(tmp_path: Path) -> None:
    one, two = write(tmp_path / "runA" / "traces.jsonl"), write(tmp_path / "runB" / "traces.jsonl")
    assert agents(one, two) == ("runA/traces", "runB/traces")
    assert agents(one) == ("traces",)
    deep, deeper = write(tmp_path / "x" / "r" / "t.jsonl"), write(tmp_path / "y" / "r" / "t.jsonl")
    assert agents(deep, deeper, one) == ("x/r/t", "y/r/t", "traces")
    assert agents(one, api.Source(two, "traces")) == ("runA/traces", "traces")
    same_stem = write(tmp_path / "runA" / "traces.json", f"[{LINE}]")
    assert len(set(agents(one, same_stem))) == 2


def test_names_in_the_lines_count_more_than_the_file(tmp_path: Path) -> None:
    named = LINE.replace('"calls"', '"agent":"m","trial":2,"calls"')
    one, two = write(tmp_path / "a" / "t.jsonl"), write(tmp_path / "b" / "t.jsonl", named)
    assert agents(one, two) == ("a/t", "m")


def test_the_same_file_twice_is_refused_unless_the_names_differ(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl")
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    for again in (path, link, tmp_path / "." / "t.jsonl"):
        with pytest.raises(UsageError, match="is given twice"):
            agents(path, again)
        with pytest.raises(UsageError, match="is given twice"):
            agents(api.Source(path, "é"), api.Source(again, "e\u0301"))
    assert agents(api.Source(path, "x"), api.Source(path, "y")) == ("x", "y")


def test_standard_input_is_not_both(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="standard input can be the suite or the traces, not both"):
        api.score("-", "-")


def test_names_and_labels_are_found_in_any_normal_form(tmp_path: Path) -> None:
    apart = unicodedata.normalize("NFD", "Mức")
    run = api.score(SUITE, {apart: write(tmp_path / "t.jsonl")}, by=apart)
    assert (run.header.agents, run.summary.by) == (("Mức",), "Mức")


def test_a_suite_made_in_python_is_held_to_the_rules_of_files() -> None:
    calls = (ExpectedCall("", times=Times(3, 2)), ExpectedCall("t", {"x": {"$nonsense": 1}}, after=("nobody",)))
    wrong = Suite(
        "s",
        (Case("a", expect=Expect(calls)), Case("a", now="soon", expect=Expect((), any_of=(Plan(()),)))),
        (ToolDefinition("t", parameters={"type": 3}), ToolDefinition("t"), ToolDefinition(" ")),
        Settings(Weights(1, 1, 1, 1)),
    )
    with pytest.raises(UsageError) as caught:
        api.score(wrong, [Trajectory("a", "m", calls=())])
    lines = str(caught.value).splitlines()
    for place in ("tools[0].parameters", "tools[1].name", "tools[2].name", "settings.weights", "cases[0].expect.calls"):
        assert any(line.startswith(f"suite 's', {place}") for line in lines)
    assert len(lines) == 10 or lines[-1].endswith("these are the first 10")


def test_a_rule_that_is_python_code_is_no_fault() -> None:
    suite = Suite("s", (Case("a", expect=Expect((ExpectedCall("t", {"x": str.isupper}),))),))  # type: ignore[dict-item]  # a callable
    assert api.score(suite, [Trajectory("a", "m", calls=())]).summary.counts.failed == 1


def test_an_empty_suite_made_in_python_is_nothing_to_do() -> None:
    with pytest.raises(NothingToDo, match="there are no cases in the suite 's'"):
        api.score(Suite("s", ()), [Trajectory("a")])


def test_a_suite_that_expects_nothing_is_remarked_on() -> None:
    report = ImportReport()
    api.score(Suite("s", (Case("a"), Case("b"))), [Trajectory("a", "m", calls=())], report=report)
    assert report.lines()[0] == "no case of this suite expects anything: every score is 1"
    report = ImportReport()
    api.score(SUITE, [Trajectory("a", "m", calls=())], report=report)
    assert report.lines() == []
