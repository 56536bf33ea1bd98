"""Rules in Python that do not keep to what they are for: a fault of the suite, named as such, and of one case only."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import toolgauge
from tests.runner.weather import counts, suite, trajectories
from toolgauge.core import Call, Case, Expect, ExpectedCall, Measured, Suite, Toolbox, Trajectory
from toolgauge.report import word_issue


class Ends(BaseException):
    """Not even an `Exception`."""


class Hostile:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("no such thing")


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def raising(error: BaseException) -> Any:
    def rule(value: object) -> bool:
        raise error

    return rule


def with_rule(rule: Any, where: str = "args") -> Suite:
    """Three cases, the middle one of which has a rule in Python."""
    usual = suite(3)
    call = ExpectedCall("get_weather", {"city": rule}) if where == "args" else ExpectedCall("get_weather", check=rule)
    if where == "nested":
        call = ExpectedCall("get_weather", {"city": {"$one_of": [rule, "Hue"]}})
    odd = Case("c1", "Weather?", expect=Expect(calls=(call,)))
    return Suite("weather", (usual.cases[0], odd, usual.cases[2]), usual.tools)


async def agent(case: Case, tools: Toolbox) -> str:
    return (await tools.call("get_weather", {"city": "Hanoi"})).text


FAULTS = {
    "NaN": (lambda _: float("nan"), "nan"),
    "below 0": (lambda _: -0.1, "-0.1"),
    "a text": (lambda _: "yes", "'yes'"),
    "nothing": (lambda _: None, "None"),
    "one": (lambda _: 1, "1"),
    "a hostile object": (lambda _: Hostile(), "Hostile"),
    "raises": (raising(LookupError("gone")), "LookupError: gone"),
    "raises without a text": (raising(UnspeakableError()), "UnspeakableError"),
    "exits": (raising(SystemExit(3)), "SystemExit: 3"),
    "interrupts": (raising(KeyboardInterrupt()), "KeyboardInterrupt"),
    "ends": (raising(Ends("now")), "Ends: now"),
    "too deep": (raising(RecursionError()), "RecursionError"),
    "no memory": (raising(MemoryError()), "MemoryError"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("where", ["args", "check", "nested"])
def test_a_rule_that_breaks_is_a_fault_of_the_suite_and_of_one_case(tmp_path: Path, fault: str, where: str) -> None:
    rule, words = FAULTS[fault]
    written = {"city": rule} if where == "check" else rule
    run = toolgauge.run(with_rule(written, where), agent, store=tmp_path / "runs.db")
    assert counts(run) == {"passed": 2, "error": 1}
    (odd,) = [one for one in run.scored if one.score.case == "c1"]
    assert str(odd.trajectory.error).startswith("fault of the suite: the rule ")
    assert words in str(odd.trajectory.error)
    assert odd.score.score is None, "the agent is measured by it"
    (issue,) = odd.score.issues
    assert word_issue(issue, "en").startswith("Not scored: fault of the suite: ")
    assert "The agent" not in word_issue(issue, "en")
    assert odd.trajectory.calls[0].args == {"city": "Hanoi"}


def spins(_: object) -> bool:
    while True:
        pass


def spins_on(_: object) -> bool:
    while True:
        try:
            sum(range(1_000))
        except Exception:  # noqa: BLE001, S112 - as careless code does
            continue


def sleeps(_: object) -> bool:
    time.sleep(600)
    return True


def searches(_: object) -> bool:
    return re.fullmatch("(a|aa)+b", "a" * 200) is not None


def listens(_: object) -> bool:
    here, there = socket.socketpair()
    with here, there:
        return bool(here.recv(1))


def catches_everything(_: object) -> bool:
    while True:
        try:
            time.sleep(600)
        except BaseException:  # noqa: BLE001, S112 - as careless code does
            continue


def catches_and_spins(_: object) -> bool:
    while True:
        try:
            sum(range(1_000))
        except BaseException:  # noqa: BLE001, S112 - as careless code does
            continue


RULES = [spins, spins_on, sleeps, searches, listens, catches_everything, catches_and_spins]


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_does_not_end_is_a_fault_of_the_suite_and_of_one_case(
    rule: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolgauge.matchers.python.RULE_SECONDS", 0.2)
    run = toolgauge.run(with_rule(rule), agent, store=False)
    assert counts(run) == {"passed": 2, "error": 1}
    (odd,) = [one for one in run.scored if one.score.case == "c1"]
    assert odd.trajectory.error == f"fault of the suite: the rule {rule.__name__}() took over 0.2 s"
    assert odd.score.score is None


def test_a_rule_that_does_not_end_is_stopped_in_other_threads_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.matchers.python.RULE_SECONDS", 0.2)

    async def program() -> dict[str, int]:
        return counts(toolgauge.run(with_rule(spins_on), agent, store=False))

    assert asyncio.run(program()) == {"passed": 2, "error": 1}


PROFILED = """
import sys, threading, time
from toolgauge.core import OutOfTime, time_limit

def work():
    for number in range(50):
        try:
            with time_limit(0.001 if number % 2 else 5):
                time.sleep(0.001)
        except OutOfTime:
            pass

def work_of_a_function():
    return [number for number in range(3)]

thread = threading.Thread(target=work)
thread.start()
thread.join()
seen = []
sys.setprofile(lambda *given: seen.append(given[1]))
work_of_a_function()
sys.setprofile(None)
print("call" in seen)
"""


def test_a_limit_in_another_thread_leaves_python_as_it_was() -> None:
    """Where a pending exception is withdrawn instead, a profiler that is switched on later hangs."""
    done = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout == "True\n", done.stderr


def test_a_scorer_that_does_not_end_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.scoring.scorers.SCORER_SECONDS", 0.2)

    class Endless:
        name, version = "endless", 1

        def score(self, case: Case, trajectory: Trajectory) -> Measured:
            return Measured(float(spins_on(None)))

    run = toolgauge.run(suite(2), agent, store=False, scorers=[Endless()])
    assert counts(run) == {"passed": 2}
    said = [one.score.by_scorer["endless"] for one in run.scored if isinstance(one.score.by_scorer, dict)]
    assert [getattr(one, "reason", "") for one in said] == ["error: took over 0.2 s"] * 2


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such timer")
def test_the_timer_of_somebody_else_still_rings() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        run = toolgauge.run(with_rule(lambda _: True), agent, store=False)
        assert counts(run) == {"passed": 3}
        while not rung:
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("said", "passes"), [(True, True), (False, False)])
def test_a_rule_that_keeps_to_it_decides(said: bool, passes: bool) -> None:
    run = toolgauge.run(with_rule(lambda _: said), agent, store=False)
    assert counts(run)["passed"] == 2 + passes


def test_traces_are_scored_again_when_the_suite_is_corrected(tmp_path: Path) -> None:
    broken = toolgauge.run(with_rule(lambda _: "yes"), agent, store=False)
    file = tmp_path / "traces.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in trajectories(broken)))
    again = toolgauge.score(with_rule(lambda _: "yes"), file)
    assert counts(again) == {"passed": 2, "error": 1}
    corrected = toolgauge.score(with_rule(lambda _: True), file)
    assert counts(corrected) == {"passed": 3}


def test_what_rules_scorers_and_tools_do_to_values_is_not_recorded() -> None:
    seen: list[Any] = []

    def rule(value: Any) -> bool:
        value["in"].append("changed by the rule")
        return True

    class Scorer:
        name, version = "changing", 1

        def score(self, case: Case, trajectory: Trajectory) -> Measured:
            for call in trajectory.calls:
                assert call.args is not None
                call.args["city"]["in"].append("changed by the scorer")  # type: ignore[index,call-overload,union-attr]
                call.result.append("changed by the scorer")  # type: ignore[union-attr]
            case.labels["difficulty"] = "changed"
            return Measured(1.0)

    def get_weather(city: dict[str, list[str]]) -> list[str]:
        city["in"].append("changed by the tool")
        return ["31"]

    async def changing(case: Case, tools: Toolbox) -> str:
        case.labels["difficulty"] = "changed by the agent"
        parameters: Any = tools.definitions[0].parameters
        parameters["properties"]["city"] = {"type": "integer"}
        args: Any = {"city": {"in": ["Hanoi"]}}
        result: Any = await tools.call("get_weather", args)
        seen.append(args)
        result.value.append("changed by the agent")
        return "31"

    case = Case(
        "c",
        "q",
        labels={"difficulty": "easy"},
        expect=Expect(calls=(ExpectedCall("get_weather", {"city": rule}),)),  # type: ignore[dict-item]
    )
    given = Suite("s", (case, Case("d", "q", labels={"difficulty": "easy"}, expect=case.expect)))
    run = toolgauge.run(
        given, changing, tools=[get_weather], store=False, scorers=[Scorer()], trials=2, by="difficulty", concurrency=1
    )
    assert counts(run) == {"passed": 4}
    for one in trajectories(run):
        assert one.calls == (
            Call("get_weather", {"city": {"in": ["Hanoi"]}}, None, None, None, ["31"], None,
                 one.calls[0].started_ms, one.calls[0].duration_ms),
        )  # fmt: skip
    assert seen == [{"city": {"in": ["Hanoi"]}}] * 4
    assert {case.labels["difficulty"] for case in run.header.suite.cases} == {"easy"}
    assert {str(row.group) for row in run.summary.rows} == {"{}", "{'difficulty': 'easy'}"}
