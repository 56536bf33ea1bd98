"""What became of a case from one run to the next, and in what the runs differ."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import toolgauge
from tests.cli.running import toolgauge as command
from tests.pages.making import INPUTS
from tests.pages.reading import blocks
from toolgauge.catalogue import words_of
from toolgauge.core import Call as MadeCall
from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, Run, RunHeader, Suite, Trajectory
from toolgauge.pages import TwoRunsDocument
from toolgauge.pages.two_runs import run_settings_texts
from toolgauge.report import render


def run_of(**cases: str) -> Run:
    """A run of one agent; `p` is a trial that passed, `f` one that did not."""
    suite = Suite("s", tuple(Case(name, name, expect=Expect(calls=(ExpectedCall("t"),))) for name in cases))
    trajectories = [
        Trajectory(name, "a", number, calls=(MadeCall("t" if ended == "p" else "u"),), output="o")
        for name, trials in cases.items()
        for number, ended in enumerate(trials, 1)
    ]
    return toolgauge.score(suite, trajectories)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("p", "f", "broken"),
        ("f", "p", "fixed"),
        ("ppp", "fff", "broken"),
        ("ppp", "pff", "broken"),
        ("ppp", "ppf", "flaky"),
        ("pfp", "fpf", "flaky"),
        ("ppf", "fff", "broken"),
        ("fff", "fpp", "fixed"),
        ("pf", "pp", "flaky"),
        ("ppp", "ppp", "unchanged"),
        ("fff", "fff", "unchanged"),
    ],
)
def test_what_became_of_a_case(before: str, after: str, kind: str) -> None:
    first, second = run_of(c=before, d="p" * len(before)), run_of(c=after, d="p" * len(after))
    page = "".join(render(TwoRunsDocument(toolgauge.compare(first, second), first, second), "html"))
    found = blocks(page)[0]["run"]["differences"]["cases"]
    (entry,) = [(name, one) for name, entries in found.items() for one in entries if one["case"] == "c"]
    assert entry[0] == kind
    assert entry[1]["first"] == [before.count("p"), len(before)]
    assert entry[1]["second"] == [after.count("p"), len(after)]


def test_the_command_makes_the_page_with_the_names_of_the_files(tmp_path: Path) -> None:
    for name in ("before", "after"):
        traces = INPUTS / "trials" / f"{name}.jsonl"
        made = ("--format", "run", "-o", f"{name}.run.jsonl")
        assert command("score", INPUTS / "trials" / "suite.json", traces, *made, cwd=tmp_path).returncode == 0
    two = ("before.run.jsonl", "after.run.jsonl")
    done = command("compare", *two, "--format", "html", cwd=tmp_path)
    page = blocks(done.stdout)[0]["run"]
    assert (page["differences"]["first"], page["differences"]["second"]) == ("before", "after")
    assert page["sentences"]["en"][0].startswith("calm is worse than before: it passed 78% instead of 100%")
    names = ["calm (before)", "calm (after)", "bold (before)", "bold (after)"]
    assert [agent["name"] for agent in page["agents"]] == names
    plain = command("compare", *two, "--format", "html", "--table", "pass_rate", cwd=tmp_path)
    assert "<script" not in plain.stdout


def header(**about: JsonValue) -> RunHeader:
    return RunHeader(toolgauge="0", created="", suite=Suite("s", ()), about=about)


def test_what_differs_in_how_runs_came_about_is_said() -> None:
    first = header(model="a", tools={"x": "1", "y": "2"}, trials=1, python="3.11")
    second = msgspec.structs.replace(first, about={**first.about, "model": "b", "tools": {"x": "1", "y": "3"}})
    assert list(run_settings_texts(first, second, words_of("en"))) == ["model (a, then b)", "tools (y)"]
    assert list(run_settings_texts(first, first, words_of("vi"))) == []
