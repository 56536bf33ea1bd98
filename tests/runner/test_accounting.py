"""What a run says of itself: what it took, what it tried again, what is left, and what a record does not hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

import toolgauge
from tests.runner.test_providers import KEY, VARIABLES, solve
from tests.runner.weather import command, counts, only, solves, suite, trajectories, write_suite
from tests.servers import Answer, Asked, OpenAIServer, Reply
from toolgauge.core import Judge, ModelReply, ModelRequest, Suite
from toolgauge.errors import ModelError
from toolgauge.testing import ScriptedModel


def test_what_a_request_without_a_reply_took_is_unknown() -> None:
    def breaks(request: ModelRequest) -> ModelReply | ModelError:
        if request.messages[-1].role == "tool":
            return ModelError("server error: HTTP 500, after 6 tries", kind="server error", status=500)
        return solves(request)

    run = toolgauge.run(suite(1), "tools", model=ScriptedModel(breaks), store=False)
    assert counts(run) == {"error": 1}
    usage = only(run).usage
    assert usage is not None
    assert (usage.requests, usage.tokens, usage.cost_usd) == (2, None, None)
    for name in ("tokens", "cost"):
        assert run.summary.rows[-1].metrics[name].value is None


def judged() -> Suite:
    plain = suite(2)
    return replace(plain, cases=tuple(replace(case, judge=Judge("Names a temperature.")) for case in plain.cases))


def test_a_judge_that_was_not_recorded_stops_the_replay(tmp_path: Path) -> None:
    """A replay that silently goes without opinions would not be one."""
    cassette = tmp_path / "run.cassette"
    model = ScriptedModel(solves)
    toolgauge.run(suite(2), "tools", model=model, store=False, record=cassette)
    with pytest.raises(ModelError, match="was not recorded") as caught:
        toolgauge.run(judged(), "tools", model=model, store=False, replay=cassette)
    assert caught.value.kind == "not recorded"


def test_a_judge_that_is_cancelled_by_itself_fails_nothing() -> None:
    import asyncio

    class GivesUp:
        name = "judge"

        async def ask(self, _: ModelRequest) -> ModelReply:
            raise asyncio.CancelledError

    run = toolgauge.run(judged(), "tools", model=ScriptedModel(solves), judge_model=GivesUp(), store=False)
    assert counts(run) == {"passed": 2}
    assert [one.events[-1] for one in trajectories(run)] == [{"kind": "judge", "error": "it was cancelled"}] * 2


def test_a_network_file_system_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B5: before anything is run."""
    monkeypatch.setattr("toolgauge.store.sqlite.store.network_file_system", lambda _: "nfs4")
    told: list[str] = []
    model = ScriptedModel(solves)
    toolgauge.run(suite(1), "tools", model=model, store=tmp_path / "runs.db", tell=told.append)
    (warning,) = told
    assert (
        warning
        == f"{tmp_path / 'runs.db'} is on a network file system (nfs4), where locks between writers may not work"
    )


@pytest.mark.deep
def test_all_that_is_left_is_counted_where_a_key_is_wrong(tmp_path: Path) -> None:
    """D5: those that met the refusal are not finished either."""
    write_suite(tmp_path, 5)
    with OpenAIServer(solve, key="another-key-altogether") as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url, "--concurrency", "2")
        code, _, errors = command(tmp_path, *arguments, **VARIABLES)
    assert code == 3
    assert "5 cases are left; resume with: toolgauge run suite.json" in errors


@pytest.mark.deep
def test_requests_that_were_tried_again_are_told(tmp_path: Path) -> None:
    """D1: the counter can be seen where there is no terminal."""
    write_suite(tmp_path, 2)

    def busy_at_first(asked: Asked) -> Answer:
        return Reply(429, headers={"Retry-After": "0"}) if asked.number < 2 else solve(asked)

    with OpenAIServer(busy_at_first, key=KEY) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, _, errors = command(tmp_path, *arguments, **VARIABLES)
    assert code == 0, errors
    assert re.search(r"requests to models were retried (2|3) times", errors)
