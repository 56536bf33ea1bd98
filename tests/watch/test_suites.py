"""A suite in a watch: run on a schedule, scored where its cases turn up, and fed with failures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.exports.receiving import QUICK, TRACE, Receiver
from toolgauge import api
from toolgauge.core import Estimate, ModelReply, ModelRequest, Run
from toolgauge.errors import ModelError
from toolgauge.exports import ScoreExporter
from toolgauge.suites import load_suite
from toolgauge.watch import Watch, WatchOptions, WatchSettings, WatchState, acknowledge, list_alarms
from toolgauge.watch.alarms import Teller
from toolgauge.watch.notes import WatchNotes
from toolgauge.watch.opinions import OpinionSampler, is_sampled
from toolgauge.watch.schedule import FinishedRun, Schedule
from toolgauge.watch.watcher import WatchEngine

SUITE = """
name: weather
tools:
  - name: get_weather
    parameters: {type: object, properties: {city: {type: string}}, required: [city]}
cases:
"""


def suite_of(folder: Path, cases: int = 40) -> str:
    path = folder / "suite.yaml"
    written = [
        f"  - id: c{number}\n    input: How warm is it in town {number}?\n"
        f"    expect: {{calls: [{{tool: get_weather, args: {{city: town {number}}}}}]}}\n"
        for number in range(cases)
    ]
    path.write_text(SUITE + "".join(written))
    return str(path)


def scored(folder: Path, name: str, right: int, cases: int = 40) -> FinishedRun:
    """A run in which so many cases are right."""
    traces = folder / f"{name}.jsonl"
    lines = [
        {
            "case": f"c{number}",
            "calls": [{"tool": "get_weather", "args": {"city": f"town {number if number < right else -1}"}}],
        }
        for number in range(cases)
    ]
    traces.write_text("\n".join(map(json.dumps, lines)))
    return FinishedRun(name, api.score(str(folder / "suite.yaml"), str(traces)))


@pytest.fixture
def watcher(tmp_path: Path) -> WatchEngine:
    settings = WatchSettings(state=str(tmp_path / "watch.db"))
    return WatchEngine(settings, WatchState(settings.state), Teller([]))


def test_runs_are_held_to_the_last_that_was_accepted(tmp_path: Path, watcher: WatchEngine) -> None:
    suite_of(tmp_path)
    done = {name: scored(tmp_path, name, right) for name, right in (("r1", 38), ("r2", 37), ("r3", 12), ("r4", 12))}
    coming = iter(done.values())
    state = str(tmp_path / "watch.db")

    def load(name: str) -> Run:
        return done[name].run

    for moment in (1000.0, 2000.0, 3000.0):
        Schedule(state, lambda: next(coming), load, every=None)(watcher, moment)
    (alarm,) = watcher.alarms
    assert (alarm.series, alarm.label, alarm.direction) == ("gate weather", "r3", "down")
    assert alarm.before.value is not None
    assert alarm.before.value >= 37 / 40
    assert alarm.after.value == pytest.approx(12 / 40)
    assert isinstance(alarm.before, Estimate)
    assert len(alarm.examples) == 5
    assert watcher.save(3000.0)
    opened = WatchState(state)
    accepted = dict(opened.execute("SELECT id, accepted FROM runs"))
    assert (accepted["r1"], accepted["r3"]) == (1, 0)
    acknowledge(opened, ["gate weather"], 3500.0)
    Schedule(state, lambda: next(coming), load, every=None)(watcher, 4000.0)
    assert len(watcher.alarms) == 1, "what was acknowledged is what the next run is held to"
    opened.close()


def test_a_run_is_begun_when_it_is_due(tmp_path: Path, watcher: WatchEngine) -> None:
    suite_of(tmp_path)
    done = scored(tmp_path, "r1", 40)
    began: list[float] = []

    def run() -> FinishedRun:
        began.append(1.0)
        return done

    schedule = Schedule(str(tmp_path / "watch.db"), run, lambda _: done.run, every=100.0)
    for moment in (1000.0, 1050.0, 1099.0):
        schedule(watcher, moment)
        while schedule.running:
            continue
        schedule(watcher, moment)
    assert len(began) == 1
    schedule(watcher, 1101.0)
    while schedule.running:
        continue
    assert len(began) == 2


def test_a_clock_that_was_set_back_does_not_keep_runs_from_being_due(tmp_path: Path, watcher: WatchEngine) -> None:
    suite_of(tmp_path)
    done = scored(tmp_path, "r1", 40)
    began: list[float] = []

    def run() -> FinishedRun:
        began.append(1.0)
        return done

    schedule = Schedule(str(tmp_path / "watch.db"), run, lambda _: done.run, every=100.0)
    for moment in (2_000_000.0, 1000.0):
        schedule(watcher, moment)
        while schedule.running:
            continue
        schedule(watcher, moment)
    assert len(began) == 2


def test_what_no_run_should_raise_is_not_kept_by_its_thread(tmp_path: Path, watcher: WatchEngine) -> None:
    def run() -> FinishedRun:
        raise ZeroDivisionError("a fault of the program")

    schedule = Schedule(str(tmp_path / "watch.db"), run, lambda _: scored(tmp_path, "r1", 1).run, every=100.0)
    with pytest.raises(ZeroDivisionError):
        list(iter(lambda: schedule(watcher, 1000.0), "until it raises"))


def test_a_suite_is_run_once_from_the_command_line(tmp_path: Path) -> None:
    assert toolgauge("init", "x", cwd=tmp_path).returncode == 0
    suite = next((tmp_path / "x").glob("*.yaml"))
    for _ in range(2):
        done = toolgauge(
            "watch", "--suite", str(suite), "--agent", "react", "--model", "local:lexical", "--once", cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
    state = WatchState(str(tmp_path / ".toolgauge" / "watch.db"))
    assert len(state.execute("SELECT id FROM runs")) == 2
    assert state.execute("SELECT accepted FROM runs ORDER BY at LIMIT 1") == [(1,)]
    state.close()


def test_conversations_that_a_case_fits_are_scored_and_failures_are_proposed_once(tmp_path: Path) -> None:
    suite = suite_of(tmp_path)
    question = "How warm is it in town {}?"
    lines = [
        {"input": question.format(1), "calls": [{"tool": "get_weather", "args": {"city": "town 1"}}], "output": "warm"},
        {
            "input": question.format(2),
            "calls": [{"tool": "get_weather", "args": {"city": "Atlantis"}}],
            "output": "wet",
        },
        {"input": "Something else?", "calls": [{"tool": "get_weather", "args": {}, "error": "no city"}], "output": "?"},
        {"input": "Something else?", "calls": [{"tool": "get_weather", "args": {}, "error": "no city"}], "output": "?"},
    ]
    (tmp_path / "live.jsonl").write_text("".join(json.dumps({"case": "", **line}) + "\n" for line in lines))
    settings = WatchSettings(state=str(tmp_path / "watch.db"), live=False)
    proposed = tmp_path / "proposed.yaml"
    options = WatchOptions(settings=settings, follow=(str(tmp_path / "live.jsonl"),), propose=str(proposed))
    watch = Watch(options, suite=load_suite(suite))
    watch.once()
    state = WatchState(settings.state)
    passed = state.execute("SELECT sum(count), sum(total) FROM hours WHERE series = 'pass_rate'")
    assert passed == [(2, 1.0)]
    assert list_alarms(state) == []
    state.close()
    cases = load_suite(str(proposed)).cases
    assert [case.input for case in cases] == [question.format(2), "Something else?"]
    assert not any(case.reviewed for case in cases)


def test_the_judge_is_asked_about_the_same_share_whatever_else_comes() -> None:
    names = [f"{number:032x}" for number in range(20_000)]
    chosen = [name for name in names if is_sampled(name, 0.05)]
    assert 850 < len(chosen) < 1150
    assert chosen == [name for name in names if is_sampled(name, 0.05)]
    assert not any(is_sampled(name, 0.0) for name in names)
    assert all(is_sampled(name, 1.0) for name in names)


class Critic:
    """A model that gives every answer the same mark, and knows what it was asked."""

    name = "critic"

    def __init__(self) -> None:
        self.asked: list[ModelRequest] = []

    async def ask(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        return ModelReply(text='{"score": 0.25, "reason": "thin"}')


def test_what_a_judge_says_is_kept_as_an_opinion_and_is_a_series(tmp_path: Path) -> None:
    lines = [{"case": "", "input": f"Question {number}?", "output": "x", "calls": []} for number in range(6)]
    (tmp_path / "live.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    settings = WatchSettings(state=str(tmp_path / "watch.db"), live=False)
    critic = Critic()
    options = WatchOptions(settings=settings, follow=(str(tmp_path / "live.jsonl"),))
    Watch(options, judge=OpinionSampler(critic, 1.0)).once()
    state = WatchState(settings.state)
    said = [json.loads(body) for (body,) in state.execute("SELECT body FROM opinions")]
    series = state.execute("SELECT sum(count), sum(total) FROM hours WHERE series = 'judge_opinion'")
    state.close()
    assert len(critic.asked) == len(said) == 6
    assert all((each["kind"], each["score"], each["model"]) == ("judge", 0.25, "critic") for each in said)
    assert series == [(6, 1.5)]


def test_scores_of_conversations_flow_back_to_where_their_traces_are(tmp_path: Path) -> None:
    suite = suite_of(tmp_path)
    line = {
        "case": "",
        "input": "How warm is it in town 1?",
        "calls": [{"tool": "get_weather", "args": {"city": "town 1"}}],
        "output": "warm",
        "meta": {"trace_id": TRACE, "started_at": 1_790_000_000_000},
    }
    (tmp_path / "live.jsonl").write_text(json.dumps(line) + "\n")
    settings = WatchSettings(state=str(tmp_path / "watch.db"), live=False)
    options = WatchOptions(settings=settings, follow=(str(tmp_path / "live.jsonl"),))
    with Receiver() as receiver:
        exporter = ScoreExporter(["otel"], endpoint=receiver.url, store=str(tmp_path / "runs.db"), retries=QUICK)
        watch = Watch(options, suite=load_suite(suite), exporter=exporter)
        watch.once()
        watch.close()
        assert watch.notes == []
        sent = b"".join(request.body for request in receiver.received if request.path == "/v1/logs")
    assert TRACE.encode() in sent or bytes.fromhex(TRACE) in sent
    assert b"toolgauge.passed" in sent


class Broken:
    """A model whose key is wrong, or whose adapter is."""

    name = "broken"

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def ask(self, request: ModelRequest) -> ModelReply:
        raise self.error


@pytest.mark.parametrize(
    "error", [ModelError("the key is not valid", kind="unauthorised", fatal=True), ZeroDivisionError("a fault")]
)
def test_a_judge_that_gives_no_opinion_is_named_and_nobody_waits_for_it(tmp_path: Path, error: Exception) -> None:
    lines = [{"case": "", "input": f"Question {number}?", "output": "x", "calls": []} for number in range(3)]
    (tmp_path / "live.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    notes = WatchNotes()
    options = WatchOptions(
        settings=WatchSettings(state=str(tmp_path / "watch.db"), live=False), follow=(str(tmp_path / "live.jsonl"),)
    )
    Watch(options, judge=OpinionSampler(Broken(error), 1.0, notes), notes=notes).once()
    (said,) = notes.summary()
    assert said.startswith("the judge gave no opinion: ")
    assert str(error) in said
    assert said.endswith("(3 times)")
