"""What is recorded is what happened, and no reply, however odd, ends a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import toolgauge
from tests.agents.test_endpoint import serving
from tests.runner.weather import counts, only, suite
from toolgauge.core import Call, Case, JsonValue, Run, Toolbox, Trajectory
from toolgauge.scoring import Scorer
from toolgauge.tools.plain import DEEPEST, IN_ITSELF, TOO_DEEP, plain


def nested(depth: int) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {}
    for _ in range(depth):
        value = {"in": value}
    return value


def holding_itself() -> list[Any]:
    value: list[Any] = []
    value += [value, value]
    return value


def all_but_c1_passed(run: Run) -> bool:
    passed = {one.trajectory.case: one.score.passed for one in run.scored}
    return passed["c0"] and passed["c2"] and len(passed) == 3


ODD: dict[str, Callable[[], Any]] = {
    **{f"{depth} deep": partial(nested, depth) for depth in (100, 199, 256, 600, 990, 5_000, 100_000)},
    "wide": lambda: {f"k{n}": [n] for n in range(5_000)},
    "cyclic": holding_itself,
    "surrogate": lambda: "half \ud800 of a pair",
    "surrogate key": lambda: {"\udfff": 1},
    "not a number": lambda: float("nan"),
    "infinite": lambda: [float("-inf")],
    "large integer": lambda: 10**30,
    "huge integer": lambda: 10**6_000,
    "an object": object,
    "bytes": lambda: b"\xff",
    "keys that are no text": lambda: {1: {None: 2}},
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("way", ["called", "returned"])
def test_odd_arguments_end_no_run_and_it_can_be_resumed(tmp_path: Path, odd: str, way: str) -> None:
    """Arguments that break the schema of their tool, made through the box or told of in a trajectory."""

    async def agent(case: Case, tools: Toolbox) -> str | Trajectory:
        args: dict[str, Any] = {"city": ODD[odd]()} if case.id == "c1" else {"city": "Hanoi"}
        if way == "returned":
            return Trajectory(calls=(Call("get_weather", args, result={"celsius": 31}),), output="31 degrees")
        result = await tools.call("get_weather", args)
        return f"It says {result.text}: 31"

    store = tmp_path / "runs.db"
    run = toolgauge.run(suite(3), agent, store=store)
    found = counts(run)
    assert all_but_c1_passed(run)
    again = toolgauge.run(suite(3), agent, store=store, resume="latest")
    assert counts(again) == found
    loaded = toolgauge.api.load_run("latest", store=store)
    assert counts(loaded) == found
    # What is in memory is what is in the store.
    assert [one.trajectory.calls for one in run.scored] == [one.trajectory.calls for one in loaded.scored]


@pytest.mark.parametrize("depth", [100, 300, 990, 20_000])
def test_a_deep_reply_of_an_endpoint_ends_no_run(tmp_path: Path, depth: int) -> None:
    deep = '{"in":' * depth + "1" + "}" * depth

    def handle(body: dict[str, object], handler: BaseHTTPRequestHandler) -> None:
        city = deep if body["case"] == "c1" else '"Hanoi"'
        call = '{"tool": "get_weather", "args": {"city": ' + city + "}}"
        data = ('{"output": "31", "calls": [' + call + "]}").encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    with serving(handle) as url:
        run = toolgauge.run(suite(3), url, store=tmp_path / "runs.db")
    assert all_but_c1_passed(run)


def test_what_cannot_be_scored_is_an_error_of_its_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score_all = Scorer.score_all

    def fails(self: Scorer, trajectories: list[Trajectory]) -> Any:
        if any(one.case == "c1" and one.calls for one in trajectories):
            raise ZeroDivisionError("a fault of the scorer")
        return score_all(self, trajectories)

    monkeypatch.setattr(Scorer, "score_all", fails)

    async def agent(case: Case, tools: Toolbox) -> str:
        return f"It says {(await tools.call('get_weather', {'city': 'Hanoi'})).text}"

    for store in (tmp_path / "runs.db", False):
        run = toolgauge.run(suite(3), agent, store=store)
        assert counts(run) == {"passed": 2, "error": 1}
        (broken,) = [one.trajectory for one in run.scored if one.trajectory.case == "c1"]
        assert broken.error == "what the agent did could not be scored: ZeroDivisionError: a fault of the scorer"
        (event,) = [event for event in broken.events if event["kind"] == "unscored"]
        assert [call.args for call in broken.calls] == [{"city": "Hanoi"}]
        assert (event["state"], event["error"]) == ("completed", None)
        assert "ZeroDivisionError" in str(event["trace"])


def test_a_trajectory_of_wrong_types_is_an_error_of_its_case(tmp_path: Path) -> None:
    def agent(case: Case, _: Toolbox) -> Trajectory:
        return Trajectory(output=31 if case.id == "c0" else "31")  # type: ignore[arg-type]  # what is tried

    run = toolgauge.run(suite(2), agent, store=tmp_path / "runs.db")
    states = {one.trajectory.case: one.trajectory for one in run.scored}
    assert states["c0"].state == "error"
    assert "cannot be kept: Expected `str | null`, got `int`" in str(states["c0"].error)
    assert states["c1"].state == "completed"
    assert counts(toolgauge.api.load_run("latest", store=tmp_path / "runs.db")) == counts(run)


def test_arguments_are_recorded_as_the_model_sent_them() -> None:
    def order(items: list[dict[str, int]], note: dict[str, list[str]]) -> str:
        items[0]["count"] = 99
        items.append({"count": 1})
        note["tags"].clear()
        return "done"

    sent: dict[str, JsonValue] = {"items": [{"count": 1}], "note": {"tags": ["a", "b"]}}

    async def agent(_: Case, tools: Toolbox) -> str:
        await tools.call("order", sent)
        return "31"

    run = toolgauge.run(suite(1), agent, tools=[order], mock=True, store=False)
    assert only(run).calls[0].args == {"items": [{"count": 1}], "note": {"tags": ["a", "b"]}}


def test_results_are_recorded_as_the_tool_returned_them() -> None:
    async def agent(_: Case, tools: Toolbox) -> str:
        result = await tools.call("get_weather", {"city": "Hanoi"})
        assert isinstance(result.value, dict)
        result.value["celsius"] = -273
        return "31"

    assert only(toolgauge.run(suite(1), agent, store=False)).calls[0].result == {"celsius": 31}


def test_what_an_agent_returned_is_not_changed_by_what_it_does_later() -> None:
    shared: dict[str, JsonValue] = {}

    def agent(case: Case, _: Toolbox) -> Trajectory:
        shared["city"] = case.id
        return Trajectory(calls=(Call("get_weather", shared),), output="31")

    run = toolgauge.run(suite(3), agent, store=False, concurrency=1)
    assert [one.trajectory.calls[0].args for one in run.scored] == [{"city": f"c{n}"} for n in range(3)]


def test_plain_values_are_copied_and_others_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"a": [1, 2.5, None, True, "đ"]}
    copied = plain(value)
    assert copied == value
    assert copied is not value
    assert plain(holding_itself()) == [IN_ITSELF, IN_ITSELF]
    assert plain(float("nan")) == "nan"
    assert plain(10**30) == "1" + "0" * 30
    assert "bits" in str(plain(10**6000))
    assert plain({1: b"x"}) == {"1": "b'x'"}
    assert plain("\ud800") == "\\ud800"
    cut: Any = plain(nested(1_000))
    for _ in range(DEEPEST):
        cut = cut["in"]
    assert cut == TOO_DEEP
    monkeypatch.setattr(import_module("toolgauge.tools.plain"), "MOST_VALUES", 10)
    assert len(json.dumps(plain([[0] * 5] * 1_000))) < 100
