"""Agents in processes of their own: the same results, and whatever they do ends no more than their trial."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import toolgauge
from tests.cli import running
from tests.runner import isolated_samples
from tests.runner.test_faults import MINE, end, load, start, states, until
from tests.runner.weather import ROOT, TOOL, counts, suite, trajectories, write_suite
from tests.tools.test_box import ended
from toolgauge.core import Case, Limits, Run, Suite, Toolbox, ToolDefinition
from toolgauge.errors import PluginError, UsageError

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux has what looks after processes"
)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, which finds the samples."""
    return running.toolgauge(*arguments, PYTHONPATH=str(ROOT))


SAMPLES = "tests.runner.isolated_samples"


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def run(agent: str, cases: Suite | int = 3, **options: Any) -> Run:
    """A run of one of the samples, in isolation."""
    given = suite(cases) if isinstance(cases, int) else cases
    named = {"mine": f"{SAMPLES}:{agent}"}
    return toolgauge.run(given, named, store=False, allow_code=True, isolate_agent=True, **options)


@pytest.mark.parametrize("agent", ["answers", "answers_in_a_thread", "answering", "with_model"])
def test_every_kind_of_agent_in_python_does_the_same_in_a_process_of_its_own(agent: str) -> None:
    here = toolgauge.run(suite(3), {"mine": f"{SAMPLES}:{agent}"}, store=False, allow_code=True)
    there = run(agent)
    assert counts(here) == counts(there) == {"passed": 3}
    for one, other in zip(trajectories(here), trajectories(there), strict=True):
        assert (one.output, one.state, one.events) == (other.output, other.state, other.events)
        assert [(call.tool, call.args, call.result, call.turn) for call in one.calls] == [
            (call.tool, call.args, call.result, call.turn) for call in other.calls
        ]
        if one.usage is not None and other.usage is not None:
            assert one.usage.input_tokens == other.usage.input_tokens == 30
            assert one.usage.cost_usd == other.usage.cost_usd
        else:
            assert one.usage is other.usage


def test_processes_of_agents_are_not_taken_for_what_tools_left_behind() -> None:
    told: list[str] = []
    assert counts(run("answers", 6, concurrency=3, tell=told.append)) == {"passed": 6}
    assert [words for words in told if "behind" in words] == []


def test_a_function_is_isolated_as_well_as_its_name() -> None:
    found = toolgauge.run(suite(2), isolated_samples.answers, store=False, isolate_agent=True)
    assert counts(found) == {"passed": 2}
    assert trajectories(found)[0].agent == "answers"


def test_an_agent_that_blocks_is_killed_at_its_limit_while_others_finish() -> None:
    told: list[str] = []
    found = run("blocks", 4, limits=Limits(seconds=2), tell=told.append)
    assert counts(found) == {"passed": 3, "timeout": 1}
    assert trajectories(found)[1].error == "no answer after 2 s"
    assert not any("blocks the event loop" in words for words in told)
    assert ended(int(Path("processes.txt").read_text(encoding="ascii")))


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("crashes", "the process of the agent was killed by SIGSEGV"),
        ("exits", "the process of the agent ended with exit code 7"),
        ("leaves", "SystemExit: enough"),
        ("interrupts", "KeyboardInterrupt"),
        ("raises", "LookupError: 'no such thing: c1' (isolated_samples.py:"),
        ("raises_unprintable", "Unprintable"),
        ("eats_memory", "MemoryError"),
    ],
)
def test_whatever_ends_the_agent_is_the_error_of_its_trial(agent: str, words: str) -> None:
    found = run(agent, 3, concurrency=1, tool_memory=2000)
    assert counts(found) == {"passed": 2, "error": 1}
    assert words.replace("'", "") in (trajectories(found)[1].error or "").replace("'", "")


def test_calls_that_were_made_before_a_crash_are_kept() -> None:
    assert [call.result for call in trajectories(run("crashes"))[1].calls] == [{"celsius": 31}]


def test_a_traceback_of_the_agent_is_kept() -> None:
    (event,) = trajectories(run("raises"))[1].events
    assert event["kind"] == "trace"
    assert "in raises" in str(event["trace"])


def test_what_an_agent_prints_is_never_mixed_with_results() -> None:
    write_suite(Path(), 3)
    done = command("run", "suite.json", "--agent", f"{SAMPLES}:prints", *MINE, "--isolate-agent", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["passed"] == 3
    for printed in ("an agent prints", "past Python", "from a process"):
        assert printed in done.stderr


def test_an_agent_that_prints_without_end_is_killed_at_its_limit() -> None:
    write_suite(Path(), 3)
    arguments = ("--agent", f"{SAMPLES}:prints_without_end", *MINE, "--isolate-agent", "--limit-seconds", "2")
    done = command("run", "suite.json", *arguments, "--format", "json")
    assert json.loads(done.stdout)["counts"]["timeout"] == 1
    assert states(load(Path())) == {"passed": 2, "timeout": 1}


def test_daemons_of_an_agent_end_with_the_run() -> None:
    assert counts(run("forks", 3, limits=Limits(seconds=2))) == {"passed": 2, "timeout": 1}
    started = [int(line) for line in Path("processes.txt").read_text(encoding="ascii").split()]
    assert len(started) == 3
    assert all(ended(pid) for pid in started)


def test_arguments_arrive_as_they_were_when_the_call_was_made() -> None:
    take = ToolDefinition("take", "Take anything.", {"type": "object", "properties": {"value": {}}})
    (found,) = trajectories(run("nests", suite(1, tools=(TOOL, take)), mock=True))
    nested, odd, number, deep, part, none = found.calls
    assert (nested.args or {})["value"] == {"a": [1, {"b": None, "c": [True, 2.5, "đ", str(2**70), "\\ud800"]}]}
    assert (odd.args or {})["value"] == {"1 (int)": "a", "1": "b"}
    assert (number.args or {})["value"] == "nan"
    assert "nested more than" in (deep.error or "")
    assert part.error == "the tool 'take' is not for this part of the work"
    assert (part.round, nested.round) == (2, None)
    assert none.error
    assert found.output is not None
    assert found.output.startswith("done | done | done | the arguments cannot be read: they are nested more than")
    assert [event for event in found.events if event["kind"] == "note"] == [{"kind": "note", "said": "all made"}]


def test_answers_that_are_none_are_read_as_elsewhere() -> None:
    here = toolgauge.run(suite(3), {"mine": f"{SAMPLES}:returns_odd"}, store=False, allow_code=True)
    there = run("returns_odd")
    assert counts(here) == counts(there)
    assert [(one.state, one.output) for one in trajectories(here)] == [
        (one.state, one.output) for one in trajectories(there)
    ]


def test_an_agent_sees_only_plain_variables_and_those_that_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_API_KEY", "sk-0123456789")
    monkeypatch.setenv("NAMED_KEY", "n-0123456789")
    one, two, three = trajectories(run("shows_surroundings", concurrency=1, tool_env=["NAMED_KEY"]))
    assert one.output is not None
    assert one.output.startswith(f"NAMED_KEY PATH in {os.getcwd()} by ")
    assert one.output == two.output == three.output, "it is one process that is used again"
    assert not one.output.endswith(f" {os.getpid()}")


def test_limits_hold_for_what_another_process_wants() -> None:
    found = run("never_ends", 2, limits=Limits(calls=5))
    assert counts(found) == {"limit": 2}
    assert [len(one.calls) for one in trajectories(found)] == [5, 5]


def test_limits_of_turns_hold_for_models_of_another_process() -> None:
    found = run("with_model", 2, limits=Limits(turns=1))
    assert counts(found) == {"limit": 2}
    assert trajectories(found)[0].error == "limit: turns (1)"


def test_retries_of_models_of_another_process_are_events() -> None:
    first = trajectories(run("with_busy_model", 2, concurrency=1))[0]
    assert [(event["kind"], event["reason"], event["status"]) for event in first.events] == [
        ("retry", "server error", 503)
    ]


@pytest.mark.parametrize(
    ("signals", "code"),
    [((signal.SIGINT,), 130), ((signal.SIGINT,) * 2, 130), ((signal.SIGINT,) * 3, 130), ((signal.SIGTERM,), 143)],
    ids=["interrupt", "second", "third", "terminated"],
)
@pytest.mark.parametrize("agent", ["blocks", "forks"])
def test_signals_end_the_process_with_all_that_it_started(agent: str, signals: tuple[int, ...], code: int) -> None:
    write_suite(Path(), 4)
    arguments = ("--agent", f"{SAMPLES}:{agent}", *MINE, "--isolate-agent", "--concurrency", "1", "--grace", "1")
    process = start(Path(), "suite.json", *arguments)
    until(Path("hanging-c1"))
    for number in signals:
        process.send_signal(number)
        time.sleep(0.2)
    left, _, errors = end(process)
    # The third may come when everything is done, and Python has no handler any more.
    assert left == code or (left == -signal.SIGINT and len(signals) == 3), errors
    found = load(Path())
    assert states(found) == {"passed": 1, "not_run": 3}
    assert all(one.trajectory.error in (None, "interrupted", "the run was stopped") for one in found.scored)
    _all_end()


def test_processes_of_agents_end_when_the_run_is_killed() -> None:
    write_suite(Path(), 4)
    process = start(Path(), "suite.json", "--agent", f"{SAMPLES}:forks", *MINE, "--isolate-agent")
    until(Path("hanging-c1"))
    process.kill()
    process.communicate()
    _all_end()


def _all_end() -> None:
    for _ in range(500):
        if all(ended(int(line)) for line in Path("processes.txt").read_text(encoding="ascii").split()):
            return
        time.sleep(0.02)
    raise AssertionError("a process lives on")


@pytest.mark.parametrize("agent", ["tools", "http://127.0.0.1:1/agent"])
def test_agents_that_are_no_python_objects_cannot_be_isolated(agent: str) -> None:
    write_suite(Path(), 1)
    done = command("run", "suite.json", "--agent", agent, "--model", "local:lexical", *MINE, "--isolate-agent")
    assert done.returncode == 2
    assert "--isolate-agent is for agents in Python" in done.stderr


def test_beside_an_isolated_agent_others_run_as_usual() -> None:
    agents = {"mine": f"{SAMPLES}:answers", "built_in": "tools"}
    found = toolgauge.run(suite(2), agents, model="local:lexical", store=False, allow_code=True, isolate_agent=True)
    assert {one.agent for one in trajectories(found) if one.state == "completed"} == {"mine", "built_in"}


def test_what_another_process_cannot_import_is_refused() -> None:
    async def inner(case: Case, tools: Toolbox) -> str:
        return ""

    for agent in (inner, isolated_samples.Answering(), lambda case, tools: "", isolated_samples.answering.__call__):
        with pytest.raises(UsageError, match="cannot be imported by another process"):
            toolgauge.run(suite(1), {"mine": agent}, store=False, isolate_agent=True)


IMPORTED = {
    "raises": "raise ValueError('not today')",
    "ends": "import os; os._exit(5)",
    "leaves": "raise SystemExit(6)",
    "crashes": "import os; os.kill(os.getpid(), 11)",
    "nothing": "",
}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "ValueError: not today"),
        ("ends", "its process ended with exit code 5"),
        ("leaves", "its process ended with exit code 6"),
        ("crashes", "its process was killed by SIGSEGV"),
        ("nothing", "has no attribute 'agent'"),
    ],
)
def test_a_module_that_cannot_be_imported_is_refused_before_anything_runs(name: str, words: str) -> None:
    Path(f"bad_{name}.py").write_text(IMPORTED[name], encoding="utf-8")
    write_suite(Path(), 1)
    done = command("run", "suite.json", "--agent", f"bad_{name}:agent", *MINE, "--isolate-agent")
    assert done.returncode == 2, done.stderr
    assert f"'bad_{name}:agent' cannot be imported: " in done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_agent_is_refused_and_code_has_to_be_allowed() -> None:
    with pytest.raises(UsageError, match="is not an agent"):
        run("not_an_agent")
    with pytest.raises(UsageError, match="--allow-code"):
        toolgauge.run(suite(1), f"{SAMPLES}:answers", store=False, isolate_agent=True)
    with pytest.raises(PluginError, match="cannot be imported"):
        run("nowhere")


def test_a_run_is_resumed_with_and_without_isolation() -> None:
    write_suite(Path(), 3)
    arguments = ("run", "suite.json", "--agent", f"{SAMPLES}:raises", *MINE)
    assert command(*arguments, "--isolate-agent").returncode == 0
    done = command(*arguments, "--resume", "latest", "--retry-errors")
    assert done.returncode == 0, done.stderr
