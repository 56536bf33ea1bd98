"""Servers that cannot be reached, errors that all cases share, what is waited for, and where a model was asked."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

import toolgauge
from tests.cli.running import toolgauge as commanded
from tests.runner.test_providers import KEY, VARIABLES, solve
from tests.runner.weather import command, counts, only, solves, suite, trajectories, write_suite
from tests.servers import Answer, Asked, OpenAIServer, Reply, unused_port
from toolgauge.core import Judge, ModelReply, ModelRequest
from toolgauge.errors import ModelError
from toolgauge.models import AttemptError, Retries, Retrying
from toolgauge.testing import ScriptedModel

SAMPLES = "tests.runner.sample_agents"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:{port}/v1", "cannot reach http://127.0.0.1:{port}: connection refused"),
        ("http://no-such-host.invalid/v1", "cannot reach http://no-such-host.invalid: there is no such host"),
    ],
)
@pytest.mark.parametrize("model", ["openai:some-model", "anthropic:claude-haiku-4-5"])
def test_a_server_that_cannot_be_reached_stops_the_run_within_seconds(
    tmp_path: Path, model: str, url: str, reason: str
) -> None:
    write_suite(tmp_path, 12)
    port = unused_port()
    began = time.monotonic()
    code, output, errors = command(
        tmp_path, "suite.json", "--model", model, "--base-url", url.format(port=port), **VARIABLES
    )
    assert time.monotonic() - began < 25, "loading the packages of the provider included"
    assert code == 3
    (line,) = [line for line in errors.splitlines() if line.startswith("Error: ")]
    assert reason.format(port=port) in line
    assert "no running event loop" not in errors
    assert "12 cases are left; resume with" in errors
    assert "0 passed" in output


def test_a_run_in_which_every_case_erred_says_why_in_a_line(tmp_path: Path) -> None:
    write_suite(tmp_path, 3)
    code, output, errors = command(tmp_path, "suite.json", "--agent", f"{SAMPLES}:raises_always", "--allow-code")
    assert code == 3
    assert "3 error" in output
    lines = Path(__file__).with_name("sample_agents.py").read_text(encoding="utf-8").splitlines()
    (place,) = (number for number, line in enumerate(lines, 1) if "this agent always raises" in line)
    assert [line for line in errors.splitlines() if line.startswith("Error: ")] == [
        f"Error: every case ended in error: ValueError: this agent always raises (sample_agents.py:{place})"
    ]


def test_where_one_case_did_not_err_the_run_is_done(tmp_path: Path) -> None:
    write_suite(tmp_path, 3)
    code, _, errors = command(tmp_path, "suite.json", "--agent", f"{SAMPLES}:raises_at_first", "--allow-code")
    assert code == 0
    assert "every case" not in errors


@pytest.mark.deep
def test_a_server_error_for_ever_says_why_and_how_often(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    with OpenAIServer(lambda _: Reply(500, {"error": {"message": "no such grammar"}}), key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, _, errors = command(tmp_path, *arguments, "--temperature", "0", **VARIABLES)
    assert code == 3
    assert "Error: every case ended in error: openai:some-model: server error: HTTP 500 (no such grammar)" in errors
    assert "after 4 tries" in errors
    assert len(server.requests) == 8


def test_waiting_is_not_latency() -> None:
    failures = [AttemptError("HTTP 503", kind="server error", status=503, retry_after=0.2)] * 2
    left: list[ModelError] = list(failures)

    def stumbles(request: ModelRequest) -> ModelReply | ModelError:
        return left.pop() if left else solves(request)

    model = Retrying(ScriptedModel(stumbles), Retries(first_wait=0.01, seed=1))
    run = toolgauge.run(suite(2), "tools", model=model, store=False, concurrency=1)
    first, second = trajectories(run)
    assert first.usage is not None
    assert second.usage is not None
    assert first.usage.waited_ms is not None
    assert 400 <= first.usage.waited_ms < 1000
    assert second.usage.waited_ms == 0
    assert first.latency_ms is not None
    assert first.latency_ms < 200
    assert [event["wait_seconds"] >= 0.2 for event in first.events] == [True, True]  # type: ignore[operator]
    waited = run.summary.rows[-1].metrics["waited"]
    assert waited.value == pytest.approx(first.usage.waited_ms / 2)
    assert waited.n == 2


@pytest.mark.parametrize(
    ("failure", "reason", "status"),
    [
        (AttemptError("HTTP 429", kind="rate limited", status=429), "rate limited", 429),
        (AttemptError("HTTP 503", kind="server error", status=503), "server error", 503),
        (AttemptError("reset", kind="connection"), "connection", None),
        (AttemptError("no reply in time", kind="timeout"), "timeout", None),
        (AttemptError("<html>", kind="invalid response", status=200), "invalid response", 200),
    ],
)
def test_a_retry_is_an_event_of_that_kind_with_its_reason(
    tmp_path: Path, failure: AttemptError, reason: str, status: int | None
) -> None:
    left: list[ModelError] = [failure]

    def stumbles(request: ModelRequest) -> ModelReply | ModelError:
        return left.pop() if left else solves(request)

    model = Retrying(ScriptedModel(stumbles), Retries(first_wait=0.001, seed=1))
    toolgauge.run(suite(1), "tools", model=model, store=tmp_path / "runs.db")
    (event,) = only(toolgauge.api.load_run("latest", store=tmp_path / "runs.db")).events
    wait = event.pop("wait_seconds")
    assert isinstance(wait, float)
    assert event == {"kind": "retry", "model": "scripted", "attempt": 1, "reason": reason, "status": status}


def test_retries_while_a_judge_is_asked_are_such_events_too() -> None:
    left: list[ModelError] = [AttemptError("HTTP 429", kind="rate limited", status=429)]

    def judges(request: ModelRequest) -> ModelReply | ModelError:
        if request.purpose != "judge":
            return solves(request)
        return left.pop() if left else ModelReply('{"score": 1.0, "reason": "yes"}')

    model = Retrying(ScriptedModel(judges), Retries(first_wait=0.001, seed=1))
    judged = replace(suite(1), cases=(replace(suite(1).cases[0], judge=Judge("Names a temperature.")),))
    run = toolgauge.run(judged, "tools", model=model, store=False)
    events = only(run).events
    assert [event["kind"] for event in events] == ["retry", "judge"]
    assert events[0]["reason"] == "rate limited"


def test_what_waited_is_unknown_where_nobody_recorded_it() -> None:
    def quiet(case: object, tools: object) -> str:
        return "31"

    run = toolgauge.run(suite(1), quiet, store=False)
    assert only(run).usage is None
    assert run.summary.rows[-1].metrics["waited"].value is None


@pytest.mark.deep
def test_the_address_of_the_environment_is_recorded_without_credentials(tmp_path: Path) -> None:
    write_suite(tmp_path, 1)

    def answer(asked: Asked) -> Answer:
        return solve(asked)

    with OpenAIServer(answer) as server:
        address = server.base_url.replace("http://", "http://me:pw@")
        code, output, errors = command(
            tmp_path,
            "suite.json",
            *("--model", "openai:some-model", "--format", "run"),
            **{**VARIABLES, "OPENAI_BASE_URL": address},
        )
    assert code == 0, errors
    header = json.loads(output.splitlines()[0])
    assert header["about"]["base_url"] == server.base_url
    shown = commanded("runs", "show", "latest", "--format", "json", cwd=tmp_path).stdout
    assert "me:pw" not in output + errors + shown


def test_the_counts_of_a_run_that_erred_throughout_sum_to_its_plan() -> None:
    def raises(case: object, tools: object) -> str:
        raise ValueError("no")

    outcome = toolgauge.api.execute_run(suite(2), raises, store=False)
    assert counts(outcome.run) == {"error": 2}
    assert outcome.failure.startswith("every case ended in error: ValueError: no (")
