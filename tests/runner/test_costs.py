"""Money: prices of one's own, a limit, an estimate beforehand, and totals afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import toolgauge
from tests.cli.running import toolgauge as commanded
from tests.runner.weather import command, counts, solves, suite, trajectories, write_suite
from tests.servers import OpenAIServer, Reply
from toolgauge.core import Case, Judge, ModelReply, ModelRequest, Suite, Usage
from toolgauge.errors import InputError, UsageError
from toolgauge.models import Price, price_of, read_prices
from toolgauge.testing import ScriptedModel

PRICES = {"scripted": {"input": 100.0, "output": 1000.0}}
"""A case takes 30 tokens in and 10 out: 0.003 + 0.01 dollars."""

EACH = 0.013


def unpriced(request: ModelRequest) -> ModelReply:
    reply = solves(request)
    assert reply.usage is not None
    return replace(reply, usage=replace(reply.usage, cost_usd=None))


def model() -> ScriptedModel:
    return ScriptedModel(unpriced, name="scripted")


def test_a_price_counts_tokens_by_the_million_and_cached_ones_apart() -> None:
    usage = Usage(1, 2_000_000, 500_000, cached_tokens=1_500_000)
    assert Price(2.0, 10.0, 0.5).cost(usage) == pytest.approx(0.5 * 2 + 1.5 * 0.5 + 0.5 * 10)
    assert Price(2.0, 10.0).cost(usage) == pytest.approx(2 * 2 + 0.5 * 10)
    assert Price(2.0, 10.0).cost(Usage(1, None, 5)) is None


def test_a_price_is_found_by_the_whole_name_then_the_model_then_for_all() -> None:
    prices = {"openai:a": Price(1, 1), "a": Price(2, 2), "*": Price(3, 3)}
    found = [price_of(name, prices) for name in ("openai:a", "groq:a", "groq:b")]
    assert [one.input if one else None for one in found] == [1, 2, 3]
    assert price_of("groq:b", {"a": Price(1, 1)}) is None


@pytest.mark.parametrize("name", ["prices.yaml", "prices.json"])
def test_prices_are_read_from_yaml_and_json(tmp_path: Path, name: str) -> None:
    written = {"openai:m": {"input": 0.5, "output": 1.5, "cached": 0.05}}
    text = json.dumps(written) if name.endswith("json") else "openai:m: {input: 0.5, output: 1.5, cached: 0.05}\n"
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_prices(tmp_path / name) == {"openai:m": Price(0.5, 1.5, 0.05)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no prices in it"),
        ("openai:m: {input: 1}", "output"),
        ("openai:m: {input: -1, output: 2}", ":1:"),
        ("openai:m: {input: 1, output: 2, chached: 1}", "did you mean 'cached'"),
        ("- 1", "expected an object"),
    ],
)
def test_what_is_no_price_is_told_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "prices.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_prices(tmp_path / "prices.yaml")
    assert words in str(caught.value)
    with pytest.raises(UsageError, match="cannot be read"):
        read_prices({"m": {"input": "much"}})


def test_prices_of_ones_own_give_the_cost_of_a_run() -> None:
    run = toolgauge.run(suite(2), "tools", model=model(), store=False, prices=PRICES)
    costs = [one.usage.cost_usd if one.usage else None for one in trajectories(run)]
    assert costs == [pytest.approx(EACH)] * 2
    assert run.header.about["prices"] == {"scripted": {"input": 100.0, "output": 1000.0, "cached": None}}


def test_a_limit_ends_a_run_that_can_be_resumed(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    options = toolgauge.api.RunOptions(model=model(), store=store, prices=PRICES, concurrency=1)
    outcome = toolgauge.api.execute_run(suite(10), "tools", options=options, max_cost=3 * EACH)
    assert counts(outcome.run) == {"passed": 3, "not_run": 7}
    assert (outcome.stop, outcome.left, outcome.error) == ("budget", 7, None)
    again = toolgauge.api.execute_run(suite(10), "tools", options=options, resume="latest")
    assert counts(again.run) == {"passed": 10}


def test_what_is_in_progress_counts_and_is_finished() -> None:
    outcome = toolgauge.api.execute_run(
        suite(10), "tools", model=model(), store=False, prices=PRICES, concurrency=4, max_cost=0.5 * EACH
    )
    assert counts(outcome.run) == {"passed": 4, "not_run": 6}


def test_the_opinions_of_judges_count() -> None:
    plain = suite(4)
    judged = replace(plain, cases=tuple(replace(case, judge=Judge("A figure.")) for case in plain.cases))
    opinion = ModelReply('{"score": 1, "reason": "ok"}', usage=Usage(1, 0, 13))
    judge = ScriptedModel(lambda _: opinion, name="judge")
    outcome = toolgauge.api.execute_run(
        judged,
        "tools",
        model=model(),
        judge_model=judge,
        store=False,
        prices={**PRICES, "judge": {"input": 0, "output": 1000}},
        concurrency=1,
        max_cost=4 * EACH,
    )
    assert counts(outcome.run) == {"passed": 2, "not_run": 2}


def test_a_limit_that_cannot_be_kept_stops_the_run() -> None:
    outcome = toolgauge.api.execute_run(suite(5), "tools", model=model(), store=False, concurrency=1, max_cost=1.0)
    assert counts(outcome.run) == {"passed": 1, "not_run": 4}
    assert "--max-cost cannot be enforced" in str(outcome.error)
    assert "--prices" in str(outcome.error)


def test_a_limit_is_an_amount_above_nothing() -> None:
    with pytest.raises(UsageError, match="above 0"):
        toolgauge.run(suite(1), "tools", model=model(), store=False, max_cost=0.0)


def test_the_command_stops_with_3_and_says_what_was_spent(tmp_path: Path) -> None:
    write_suite(tmp_path, 6)
    (tmp_path / "prices.yaml").write_text('"*": {input: 100, output: 1000}\n', encoding="utf-8")
    (tmp_path / "brought.py").write_text(
        "from tests.runner.test_costs import model\n"
        "from toolgauge.agents import ToolsAgent\n"
        "from toolgauge.models import Priced, read_prices\n"
        "agent = ToolsAgent(Priced(model(), read_prices('prices.yaml')['*']))\n",
        encoding="utf-8",
    )
    arguments = ("suite.json", "--agent", "mine=brought:agent", "--allow-code", "--concurrency", "1")
    code, output, errors = command(tmp_path, *arguments, "--max-cost", "0.02", "--format", "json")
    assert code == 3, errors
    found = json.loads(output)
    assert (found["counts"]["passed"], found["counts"]["not_run"]) == (2, 4)
    assert found["totals"]["tokens"] == {"value": 80, "n": 2, "unknown": 0}
    assert found["totals"]["cost_usd"]["value"] == pytest.approx(2 * EACH)
    assert found["totals"]["waited_ms"] == {"value": 0.0, "n": 2, "unknown": 0}
    assert "no more cases are started: $0.0260 of --max-cost 0.02 spent" in errors
    assert "80 tokens, $0.0260" in errors
    assert "4 cases are left; resume with" in errors
    shown = commanded("report", "latest", "--full", cwd=tmp_path).stdout
    assert "In total: 80 tokens; $0.0260; " in shown
    shown = commanded("report", "latest", "--lang", "vi", "--full", cwd=tmp_path).stdout
    assert "Tổng cộng: 80 token; $0,0260; " in shown


def test_agents_of_which_nobody_knows_the_cost_are_told_where_there_is_a_limit(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    agent = ("suite.json", "--agent", "tests.runner.sample_agents:answers", "--allow-code", "--mock")
    code, _, errors = command(tmp_path, *agent, "--max-cost", "1")
    assert code == 0, errors
    assert "the cost of 2 cases is not known, and did not count towards --max-cost" in errors


def test_what_is_not_known_is_counted_in_the_totals(tmp_path: Path) -> None:
    told = [Usage(1, 10, 5, 0.5), Usage(1, None, None, None)]

    def answer(request: ModelRequest) -> ModelReply:
        return ModelReply("31", usage=told.pop())

    run = toolgauge.run(suite(2), "tools", model=ScriptedModel(answer), store=tmp_path / "runs.db", concurrency=1)
    assert run.summary.rows[-1].metrics["cost"].n == 1
    shown = commanded("report", "latest", "--store", "runs.db", "--format", "json", cwd=tmp_path).stdout
    totals = json.loads(shown)["totals"]
    assert totals["cost_usd"] == {"value": 0.5, "n": 1, "unknown": 1}
    assert totals["tokens"] == {"value": 15, "n": 1, "unknown": 1}


def test_an_estimate_rests_on_stated_assumptions_at_first() -> None:
    found = toolgauge.api.forecast_run(
        suite(10),
        ["tools", "rewoo"],
        model="openai:mine",
        trials=3,
        store=False,
        prices={"mine": {"input": 1, "output": 2}},
    )
    tools, rewoo = found.agents
    assert (found.planned, tools.planned, tools.requests, rewoo.requests, tools.seen) == (60, 30, 90, 60, 0)
    assert tools.input_tokens == 90 * found.tokens_of_request
    assert tools.output_tokens == 90 * 150
    assert tools.cost_usd == pytest.approx(90 * (found.tokens_of_request + 2 * 150) / 1e6)
    assert found.total("cost_usd") == pytest.approx(150 * (found.tokens_of_request + 2 * 150) / 1e6)


def test_an_estimate_rests_on_earlier_runs_of_the_same_suite_agent_and_model(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    for _ in range(2):
        toolgauge.run(suite(3), "tools", model=model(), store=store)
    toolgauge.run(suite(3), "tools", model=ScriptedModel(solves, name="another"), store=store)
    found = toolgauge.api.forecast_run(suite(10), "tools", model="scripted", store=store, trials=2, prices=PRICES)
    (tools,) = found.agents
    assert (tools.seen, tools.runs, tools.requests, tools.input_tokens, tools.output_tokens) == (6, 2, 40, 600, 200)
    assert tools.cost_usd == pytest.approx(20 * EACH)
    assert tools.price == "own"
    assert tools.latency_ms is not None
    (measured,) = toolgauge.api.forecast_run(suite(10), "tools", model="another", store=store).agents
    assert measured.price == "measured"
    assert measured.cost_usd == pytest.approx(10 * 0.002)
    (unknown,) = toolgauge.api.forecast_run(suite(10), "tools", model="scripted", store=store).agents
    assert (unknown.price, unknown.cost_usd) == ("unknown", None)


def test_judges_are_in_the_estimate() -> None:
    judged = Suite("j", (Case("a", "?", judge=Judge("polite")), Case("b", "?")))
    found = toolgauge.api.forecast_run(judged, "tools", model="m:m", judge_model="m:j", trials=2, store=False)
    assert [(one.agent, one.model, one.planned, one.requests) for one in found.agents] == [
        ("tools", "m:m", 4, 12),
        ("", "m:j", 2, 2),
    ]
    assert found.planned == 4


def test_an_estimate_is_about_the_cases_that_are_chosen(tmp_path: Path) -> None:
    write_suite(tmp_path, 6)
    arguments = ("run", "suite.json", "--model", "openai:some-model", "--estimate")
    for chosen, cases in ((["--limit", "2"], 2), (["--sample", "3"], 3), (["--case", "c1"], 1)):
        shown = commanded(*arguments, *chosen, "--trials", "2", "--format", "json", cwd=tmp_path)
        found = json.loads(shown.stdout)
        assert (found["planned"], found["totals"]["requests"]) == (cases * 2, cases * 6), chosen
        assert f"{cases} of 6 cases: {' '.join(chosen)}" in shown.stderr
    nothing = commanded(*arguments, "--case", "nobody", cwd=tmp_path)
    assert (nothing.returncode, nothing.stdout) == (5, "")
    resumed = commanded(*arguments, "--resume", "latest", cwd=tmp_path)
    assert (resumed.returncode, "leave out --resume" in resumed.stderr) == (2, True)


def test_judges_that_are_not_asked_are_not_in_the_estimate() -> None:
    judged = Suite("j", (Case("a", "?", judge=Judge("polite")), Case("b", "?")))
    found = toolgauge.api.forecast_run(judged, "tools", model="m:m", no_judge=True, store=False)
    assert [one.agent for one in found.agents] == ["tools"]


def test_the_command_prints_an_estimate_and_runs_nothing(tmp_path: Path) -> None:
    write_suite(tmp_path, 4)
    (tmp_path / "prices.yaml").write_text("some-model: {input: 1, output: 2}\n", encoding="utf-8")
    arguments = ("run", "suite.json", "--model", "openai:some-model", "--estimate", "--prices", "prices.yaml")
    shown = commanded(*arguments, "--trials", "2", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("weather: 4 cases × 1 agent × 2 trials = 8\n")
    assert "Nothing was run." in shown.stdout
    assert "Assumed where no earlier run" in shown.stdout
    assert "Price of openai:some-model: from --prices." in shown.stdout
    assert not (tmp_path / ".toolgauge").exists()
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    vietnamese = commanded(*arguments, "--lang", "vi", cwd=tmp_path).stdout
    assert "Chưa chạy gì." in vietnamese
    found = json.loads(commanded(*arguments, "--format", "json", "--max-cost", "0.0001", cwd=tmp_path).stdout)
    assert found["schema"] == "toolgauge.estimate/1"
    assert (found["planned"], found["totals"]["requests"], found["max_cost"]) == (4, 12, 0.0001)
    rows = commanded(*arguments, "--format", "csv", cwd=tmp_path).stdout.splitlines()
    assert rows[0].startswith("agent,model,planned,")


@pytest.mark.deep
def test_a_server_of_ones_own_has_a_price_and_cached_tokens_are_cheaper(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    (tmp_path / "prices.yaml").write_text("some-model: {input: 100, output: 1000, cached: 10}\n", encoding="utf-8")
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
    reply = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "31"}}],
        "usage": {**usage, "prompt_tokens_details": {"cached_tokens": 600}},
    }
    with OpenAIServer(lambda _: Reply(200, reply)) as server:
        arguments = ("suite.json", "--model", "openai:some-model", "--base-url", server.base_url)
        code, output, errors = command(tmp_path, *arguments, "--prices", "prices.yaml", "--format", "run")
    assert code == 0, errors
    lines = [json.loads(line) for line in output.splitlines()[1:]]
    assert [line["usage"]["cached_tokens"] for line in lines] == [600, 600]
    assert [line["usage"]["cost_usd"] for line in lines] == [pytest.approx(0.04 + 0.006 + 0.01)] * 2
