"""Runs on some cases of a suite: which ones, what is recorded of that, and what others make of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import toolgauge
from tests.cli.running import toolgauge as command_line
from tests.runner.weather import ROOT, counts, solver, suite, trajectories
from toolgauge import api
from toolgauge.core import Case, Judge, Run, Selection, Suite, Toolbox, suite_hash
from toolgauge.errors import NothingToDo, UsageError
from toolgauge.suites import select_cases
from toolgauge.testing import ScriptedModel


def labelled(count: int = 6) -> Suite:
    made = suite(count)
    levels = ["dễ", "khó", "khó"]
    labels = [{"difficulty": levels[n % 3], "topic": f"t{n % 2}"} for n in range(count)]
    return replace(made, cases=tuple(replace(case, labels=one) for case, one in zip(made.cases, labels, strict=True)))


def chosen(run: Run) -> list[str]:
    return [one.case for one in trajectories(run)]


def ran(**options: Any) -> list[str]:
    return chosen(toolgauge.run(labelled(), "tools", model=solver(), store=False, **options))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"cases": "c1"}, ["c1"]),
        ({"cases": ["c4", "c1"]}, ["c1", "c4"]),
        ({"cases": ["c[0-2]"]}, ["c0", "c1", "c2"]),
        ({"labels": {"difficulty": "khó"}}, ["c1", "c2", "c4", "c5"]),
        ({"labels": ["difficulty=kho\u0301"]}, ["c1", "c2", "c4", "c5"]),
        ({"labels": ["difficulty=khó", "topic=t0"]}, ["c2", "c4"]),
        ({"labels": ["difficulty=khó", "difficulty=dễ", "topic=t1"]}, ["c1", "c3", "c5"]),
        ({"labels": ["difficulty=k*"], "limit": 1}, ["c1"]),
        ({"limit": 99}, [f"c{n}" for n in range(6)]),
        ({"sample": 99}, [f"c{n}" for n in range(6)]),
    ],
)
def test_cases_are_selected(options: dict[str, Any], expected: list[str]) -> None:
    assert ran(**options) == expected


def test_an_id_that_looks_like_a_pattern_is_found_as_it_is() -> None:
    made = replace(suite(2), cases=tuple(replace(case, id=f"{case.id}[x]") for case in suite(2).cases))
    assert [case.id for case in select_cases(made, Selection(cases="c1[x]")).cases] == ["c1[x]"]


def test_a_sample_depends_on_its_seed_only() -> None:
    first = ran(sample=3)
    assert first == ran(sample=3, seed=0)
    assert len(first) == 3
    assert first == sorted(first)
    assert len({tuple(ran(sample=3, seed=seed)) for seed in range(8)}) > 1
    # What is added to the suite takes the place of some at most.
    grown = [case.id for case in select_cases(labelled(7), Selection(sample=3)).cases]
    assert len(set(grown) & set(first)) >= 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cases": ["c1", "cx"]}, "no case matches --case cx; known here: c0, c1"),
        ({"labels": ["difficulty=hard"]}, "no case matches --label difficulty=hard; known here: dễ, khó"),
        ({"labels": ["level=khó"]}, "no case matches --label level=khó"),
        ({"cases": "c0", "labels": ["difficulty=khó"]}, "no case matches --label difficulty=khó"),
        (
            {"cases": "c0", "labels": {"topic": "t0"}, "failed_of": "first"},
            "matches --case c0 --label topic=t0 --failed-of",
        ),
    ],
)
def test_a_selection_that_matches_nothing_names_the_filter(tmp_path: Path, options: dict[str, Any], words: str) -> None:
    store = tmp_path / "runs.db"
    toolgauge.run(labelled(), "tools", model=solver(), store=store, name="first")
    with pytest.raises(NothingToDo, match=re.escape(words)) as caught:
        toolgauge.run(labelled(), "tools", model=solver(), store=store, **options)
    assert caught.value.exit_code == 5


def test_filters_that_cannot_be_read_are_refused() -> None:
    for options in ({"labels": ["khó"]}, {"limit": 0}, {"sample": -1}):
        with pytest.raises(UsageError):
            ran(**options)


async def fails_on_two(case: Case, tools: Toolbox) -> str:
    if case.id == "c2":
        raise RuntimeError("c2 is too hard")
    if case.id == "c4":
        return "no idea"
    return f"It says {(await tools.call('get_weather', {'city': 'Hanoi'})).text}"


def test_what_failed_in_a_run_is_run_alone(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    first = toolgauge.run(labelled(), fails_on_two, store=store)
    assert counts(first) == {"passed": 4, "failed": 1, "error": 1}
    again = toolgauge.run(labelled(), "tools", model=solver(), store=store, failed_of="latest")
    assert chosen(again) == ["c2", "c4"]
    assert again.header.about["selected_by"] == first.header.about["id"]
    file = tmp_path / "first.run.jsonl"
    api.write_run(first, str(file))
    assert ran(failed_of=file) == ["c2", "c4"]


def test_a_selected_run_says_what_it_is_of(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    whole = labelled()
    run = toolgauge.run(whole, "tools", model=solver(), store=store, limit=2)
    loaded = api.load_run("latest", store=store)
    for one in (run, loaded):
        assert one.header.suite_hash == suite_hash(one.header.suite) != suite_hash(whole)
        assert one.header.about["selected_from"] == suite_hash(whole)
        (note,) = [note for note in one.summary.notes if note.kind == "selected"]
        assert note.values == {"count": 2, "of": 6, "reason": "--limit 2"}
        assert one.summary.counts.planned == 2
    # Those who compare see that most cases are missing; those of the gate leave them out.
    other = toolgauge.run(whole, "tools", model=solver(), store=store)
    with pytest.raises(UsageError, match="only in"):
        toolgauge.compare(other, run)
    assert toolgauge.gate(run, baseline=other, min_pass_rate=1.0).ruling != "failed"


def test_a_selected_run_is_resumed_on_the_cases_that_it_began_with(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    toolgauge.run(labelled(), fails_on_two, store=store)
    whole = labelled()

    def stops(case: Case, tools: Toolbox) -> str:
        raise KeyboardInterrupt if case.id == "c4" else RuntimeError

    begun = toolgauge.run(whole, stops, store=store, failed_of="latest", name="begun")
    assert chosen(begun) == ["c2", "c4"]
    # "latest" is another run by now, and the filter is not needed.
    asked: list[dict[str, Any]] = [{}, {"failed_of": "latest"}]
    for options in asked:
        again = toolgauge.run(whole, stops, store=store, resume="begun", **options)
        assert chosen(again) == ["c2", "c4"]
        assert [note.values["of"] for note in again.summary.notes if note.kind == "selected"] == [6]
    with pytest.raises(UsageError, match=r"selection\.limit: was absent, is now 1"):
        toolgauge.run(whole, stops, store=store, resume="begun", limit=1)
    with pytest.raises(UsageError, match="selection: was absent"):
        toolgauge.run(whole, fails_on_two, store=store, resume=api.open_store(store).runs()[-1].id, limit=2)


def test_errors_are_retried_on_resume_and_the_earlier_try_is_kept(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    works = False

    async def agent(case: Case, tools: Toolbox) -> str:
        if case.id == "c1" and not works:
            await tools.call("get_weather", {"city": "Huế"})
            raise RuntimeError("out of order")
        if case.id == "c2":
            return "no idea"
        return f"It says {(await tools.call('get_weather', {'city': 'Hanoi'})).text}"

    first = toolgauge.run(suite(3), agent, store=store)
    assert counts(first) == {"passed": 1, "failed": 1, "error": 1}
    assert counts(toolgauge.run(suite(3), agent, store=store, resume="latest")) == counts(first)
    once = toolgauge.run(suite(3), agent, store=store, resume="latest", retry_errors=True)
    assert counts(once) == counts(first)
    works = True
    twice = toolgauge.run(suite(3), agent, store=store, resume="latest", retry_errors=True)
    assert counts(twice) == {"passed": 2, "failed": 1}
    (retried,) = [one for one in trajectories(twice) if one.case == "c1"]
    tries = [event["trajectory"] for event in retried.events if event["kind"] == "retried"]
    assert [one["state"] for one in tries if isinstance(one, dict)] == ["error", "error"]
    assert isinstance(tries[0], dict)
    assert "out of order" in str(tries[0]["error"])
    calls = tries[0]["calls"]
    assert isinstance(calls, list)
    assert isinstance(calls[0], dict)
    assert calls[0]["args"] == {"city": "Huế"}
    assert counts(api.load_run("latest", store=store)) == {"passed": 2, "failed": 1}
    with pytest.raises(UsageError, match="--retry-errors is for a run that is resumed"):
        toolgauge.run(suite(3), agent, store=store, retry_errors=True)


def test_a_retry_that_is_stopped_leaves_the_earlier_try(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"

    async def fails(case: Case, tools: Toolbox) -> str:
        raise RuntimeError("out of order")

    toolgauge.run(suite(2), {"a": fails}, store=store)
    rejected = ScriptedModel([toolgauge.errors.ModelError("the key is wrong", kind="unauthorised", fatal=True)])

    async def breaks(case: Case, tools: Toolbox) -> str:
        await tools.ask(rejected, toolgauge.core.ModelRequest(()))
        return ""

    breaks.__qualname__, breaks.__module__ = fails.__qualname__, fails.__module__
    outcome = api.execute_run(suite(2), {"a": breaks}, store=store, resume="latest", retry_errors=True, concurrency=1)
    assert outcome.left == 2
    assert counts(outcome.run) == {"error": 2}
    assert all("out of order" in str(one.error) for one in trajectories(outcome.run))


def test_no_judge_is_asked_where_none_is_wanted(tmp_path: Path) -> None:
    judged = replace(suite(1), cases=(replace(suite(1).cases[0], judge=Judge("polite")),))
    run = toolgauge.run(judged, fails_on_two, store=tmp_path / "runs.db", no_judge=True)
    assert counts(run) == {"passed": 1}
    assert not [event for event in trajectories(run)[0].events if event["kind"] == "judge"]
    with pytest.raises(UsageError, match="no model to ask"):
        toolgauge.run(judged, fails_on_two, store=False)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    tool = {"name": "get_weather", "results": [{"result": {"celsius": 31}}]}
    expect = {"calls": [{"tool": "get_weather"}]}
    cases = [
        {"id": f"c{n}", "input": f"{n}?", "labels": {"difficulty": "hard" if n else "easy"}, "expect": expect}
        for n in range(4)
    ]
    written = json.dumps({"name": "weather", "tools": [tool], "cases": cases})
    (tmp_path / "suite.json").write_text(written, encoding="utf-8")
    lines = [{"case": f"c{n}", "agent": "a", "calls": [{"tool": "get_weather"}] if n else []} for n in range(4)]
    (tmp_path / "traces.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_the_commands_select_and_say_so(place: Path) -> None:
    arguments = ("run", "suite.json", "--agent", "tests.runner.sample_agents:scripted", "--allow-code")
    environment = {"PYTHONPATH": str(ROOT)}
    done = command_line(*arguments, "--label", "difficulty=hard", "--sample", "2", cwd=place, **environment)
    assert done.returncode == 0, done.stderr
    assert "2 of 4 cases: --label difficulty=hard --sample 2 --seed 0" in done.stderr
    note = "Only some cases of the suite: 2 of 4 (--label difficulty=hard --sample 2 --seed 0)."
    assert note in " ".join(done.stdout.split())
    none = command_line(*arguments, "--case", "x*", cwd=place, **environment)
    assert (none.returncode, none.stdout) == (5, "")
    assert "no case matches --case x*" in none.stderr
    gated = command_line("gate", "latest", cwd=place)
    assert "the run covers 2 of 4 cases of its suite" in gated.stderr
    again = command_line(*arguments, "--resume", "latest", "--retry-errors", "--no-judge", cwd=place, **environment)
    assert again.returncode == 2
    assert "judge: was null, is now false" in again.stderr


def test_traces_are_scored_for_some_cases(place: Path) -> None:
    done = command_line(
        "score", "suite.json", "traces.jsonl", "--case", "c[12]", "--format", "json", "--details", cwd=place
    )
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert [case["id"] for case in report["cases"]] == ["c1", "c2"]
    assert {"kind": "selected", "count": 2, "of": 4, "reason": "--case c[12]"} in report["notes"]
    none = command_line("score", "suite.json", "traces.jsonl", "--label", "difficulty=odd", cwd=place)
    assert none.returncode == 5
    run = toolgauge.score(place / "suite.json", place / "traces.jsonl", limit=1)
    assert chosen(run) == ["c0"]
