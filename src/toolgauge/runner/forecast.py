"""What a run is likely to take and to cost, by earlier runs of the store or by assumptions. Nothing is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from toolgauge.core import AgentForecast, Case, Forecast, Model, PathLike, PriceSource, Suite, Usage
from toolgauge.errors import UsageError
from toolgauge.models import Price, Prices, listed_cost, price_of, read_prices
from toolgauge.store import open_store, store_exists

from .opinions import judges, points
from .options import Agents, RunOptions
from .setup import load_run_suite

__all__ = ["forecast_run"]

REQUESTS = {"rewoo": 2, "reflexion": 5, "multi": 6}
"""How many requests an agent is assumed to make on a case; all others make three."""
USUAL_REQUESTS = 3

PROMPT_TOKENS = 300
REPLY_TOKENS = 150
LETTERS_OF_A_TOKEN = 4

MAX_RUNS = 5
"""How many earlier runs are looked at, the newest first."""


@dataclass(slots=True)
class _Seen:
    """What earlier runs took: sums, and over how many trajectories."""

    runs: int = 0
    known: int = 0
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    costs: int = 0
    cost: float = 0.0
    timed: int = 0
    latency_ms: float = 0.0


def forecast_run(suite: Suite | PathLike, agents: Agents, options: RunOptions) -> Forecast:
    """What a run with these options is likely to take.

    Raises:
        ToolgaugeError: The suite, the prices or the store cannot be read.
    """
    if options.trials < 1 or options.concurrency < 1:
        raise UsageError("trials and concurrency have to be at least 1")
    if options.resume is not None:
        raise UsageError("--estimate covers a whole run, not the rest of one; leave out --resume")
    loaded = load_run_suite(suite, options)
    prices: Prices = {} if options.prices is None else read_prices(options.prices)
    model = _name(options.model)
    request = _request_tokens(loaded)
    planned = len(loaded.cases) * options.trials
    named = list(_named(agents))
    rows: list[AgentForecast] = []
    for name, spec in named:
        seen = _earlier(loaded.name, name, model, options)
        if seen.known:
            rows.append(_from_runs(name, model, planned, seen, prices))
        else:
            number = REQUESTS.get(spec, USUAL_REQUESTS) * planned
            rows.append(_assumed(name, model, planned, number, request, prices))
    for asked, cases in _opinions(loaded, options, model).items():
        number = cases * options.trials * len(named)
        rows.append(_assumed("", asked, number, number, PROMPT_TOKENS + REPLY_TOKENS, prices))
    return Forecast(
        loaded.name,
        len(loaded.cases),
        options.trials,
        options.concurrency,
        tuple(rows),
        request,
        REPLY_TOKENS,
        options.max_cost,
    )


def _opinions(suite: Suite, options: RunOptions, model: str | None) -> dict[str | None, int]:
    """By model how many opinions it is asked for in one trial of all cases by one agent."""
    wanted: dict[str | None, int] = {}
    for case in suite.cases:
        asked = []
        if case.judge is not None and judges(case, options):
            asked.append(case.judge.model or _name(options.judge_model) or model)
        if points(case, options):
            asked.append(_name(options.answer_model) or model)
        for name in asked:
            wanted[name] = wanted.get(name, 0) + 1
    return wanted


def _name(model: str | Model | None) -> str | None:
    return model if model is None or isinstance(model, str) else model.name


def _named(agents: Agents) -> Iterator[tuple[str, str]]:
    """The agents by name, each with what it was asked for by."""
    if isinstance(agents, Mapping):
        found = [(str(name), one) for name, one in agents.items()]
    else:
        listed = agents if isinstance(agents, (list, tuple)) else [agents]
        found = [(one if isinstance(one, str) else str(getattr(one, "name", "agent")), one) for one in listed]
    return ((name, one if isinstance(one, str) else "") for name, one in found)


def _request_tokens(suite: Suite) -> int:
    """About how many tokens a request has: the prompt, the tools, and a question of middling length."""
    letters = len(msgspec.json.encode(suite.tools, enc_hook=str))
    questions = sorted(map(_letters, suite.cases))
    letters += questions[len(questions) // 2] if questions else 0
    return PROMPT_TOKENS + letters // LETTERS_OF_A_TOKEN


def _letters(case: Case) -> int:
    return len(case.input)


def _earlier(suite: str, agent: str, model: str | None, options: RunOptions) -> _Seen:
    """What the newest runs of this suite with this agent and model took."""
    seen = _Seen()
    if options.store is False or not store_exists(options.store):
        return seen
    with open_store(options.store, create=False) as store:
        for info in store.runs():
            if info.suite != suite or agent not in info.agents or info.settings.get("model") != model:
                continue
            before = seen.known
            for scored in store.open_run(info.id):
                if scored.trajectory.agent == agent and scored.trajectory.state not in ("not_run", "cancelled"):
                    _add(seen, scored.trajectory.usage, scored.trajectory.latency_ms)
            seen.runs += seen.known > before
            if seen.runs >= MAX_RUNS:
                break
    return seen


def _add(seen: _Seen, usage: Usage | None, latency: float | None) -> None:
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return
    seen.known += 1
    seen.requests += usage.requests or 0
    seen.input_tokens += usage.input_tokens
    seen.output_tokens += usage.output_tokens
    seen.cached_tokens += usage.cached_tokens or 0
    if usage.cost_usd is not None:
        seen.costs, seen.cost = seen.costs + 1, seen.cost + usage.cost_usd
    if latency is not None:
        seen.timed, seen.latency_ms = seen.timed + 1, seen.latency_ms + latency


def _from_runs(name: str, model: str | None, planned: int, seen: _Seen, prices: Prices) -> AgentForecast:
    times = planned / seen.known
    taken = Usage(None, seen.input_tokens, seen.output_tokens, cached_tokens=seen.cached_tokens)
    cost, source = _cost(model, taken, prices)
    if source != "own" and seen.costs:
        cost, source = seen.cost / seen.costs * seen.known, "measured"
    return AgentForecast(
        name,
        model,
        planned,
        seen.known,
        seen.runs,
        seen.requests * times,
        seen.input_tokens * times,
        seen.output_tokens * times,
        None if cost is None else cost * times,
        source,
        seen.latency_ms / seen.timed * planned if seen.timed else None,
    )


def _assumed(name: str, model: str | None, planned: int, requests: int, tokens: int, prices: Prices) -> AgentForecast:
    """What is assumed of an agent that asks the model of the run; of one that asks none, nothing is known."""
    if model is None:
        return AgentForecast(name, None, planned)
    taken = Usage(requests, requests * tokens, requests * REPLY_TOKENS)
    cost, source = _cost(model, taken, prices)
    return AgentForecast(name, model, planned, 0, 0, requests, requests * tokens, requests * REPLY_TOKENS, cost, source)


def _cost(model: str | None, taken: Usage, prices: Prices) -> tuple[float | None, PriceSource]:
    own: Price | None = None if model is None else price_of(model, prices)
    if own is not None:
        return own.cost(taken), "own"
    listed = None if model is None else listed_cost(model, taken)
    return listed, "unknown" if listed is None else "listed"
