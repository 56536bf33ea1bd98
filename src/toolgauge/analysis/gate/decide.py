"""The gate: from a run and what it is held to, to a verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from toolgauge.core import ROUNDING_SLACK, Check, Estimate, Ruling, Run, Suite, Summary, Verdict, nfc
from toolgauge.errors import NothingToDo, UsageError, did_you_mean
from toolgauge.metrics import (
    CaseSums,
    Metric,
    chosen_agents,
    metrics_with,
    needed_sums,
    parts_of,
    read_pass_at_k,
    sum_by_agent,
)
from toolgauge.metrics.table import NOTHING_PLANNED
from toolgauge.stats import wilson
from toolgauge.store.comparable import baseline_differences

from .baseline import check_loss, partners
from .census import Census, Group, Tries, count_cases, group_key
from .limits import Limit, check_bound, known_metric, matching_cases, read_limit

__all__ = ["DEFAULT_MAX_DROP", "DEFAULT_PASS_RATE", "Flaky", "gate"]

DEFAULT_PASS_RATE = 0.9
DEFAULT_MAX_DROP = 0.05

Flaky = Literal["count", "forgive", "forbid"]
"""What becomes of cases that pass in some trials only: every trial counts; one that passes is enough; none may be."""

MAX_NAMED = 100
"""How many cases a check names."""


def gate(
    run: Run,
    *,
    min_pass_rate: float | None = DEFAULT_PASS_RATE,
    minimum: Mapping[str, float] | None = None,
    maximum: Mapping[str, float] | None = None,
    must_pass: Sequence[str] = (),
    baseline: Run | None = None,
    max_drop: float | Mapping[str, float] = DEFAULT_MAX_DROP,
    agents: Sequence[str] = (),
    flaky: Flaky = "count",
    force: bool = False,
) -> Verdict:
    """Decide whether a run is good enough. All agents have the same limits.

    Args:
        run: The run.
        min_pass_rate: The minimum share of planned trajectories that pass; errors and cases not run do not.
            None, or a minimum of `pass_rate`: no such limit.
        minimum: The minimum values of metrics: `{"f1": 0.8, "f1[difficulty=hard]": 0.7}`.
        maximum: The maximum values: `{"tool_fail_rate": 0.02, "latency.p95": 2000}`.
        must_pass: Ids of cases, or patterns such as `safety_*`, that have to pass in every trial.
        baseline: A run to compare with.
        max_drop: How much worse than there the pass rate may be, or by metric: `{"pass_rate": 0.02, "f1": 0.05}`.
        agents: The agents to include; default: all.
        flaky: How to treat cases that pass in only some trials.
        force: Compare with a baseline even if its suite or rules differ.

    Returns:
        The verdict, with each check and what did not pass.

    Raises:
        UsageError: A limit cannot be read, or the baseline cannot be compared with.
        NothingToDo: There are no trajectories, or no case that a limit is about.
    """
    if not run.header.suite.cases:
        raise NothingToDo(f"suite {run.header.suite.name!r} has no cases")
    names = chosen_agents(run.summary, [nfc(agent) for agent in agents])
    metrics = metrics_with(run.header.scorers)
    limits = _limits(min_pass_rate, minimum or {}, maximum or {}, metrics)
    demands = _Demands(limits, _named_cases(run.header.suite, must_pass), flaky)
    drops = _drops(max_drop, metrics)
    if baseline is not None and not force:
        _refuse_unlike(run, baseline)
    pairs = {} if baseline is None else partners(names, baseline)
    groups = {group_key(limit.group): matching_cases(run.header.suite, limit.group) for limit in demands.limits}
    compared = [metric for metric, _ in drops]
    census = Census(run.header.suite, names, groups, compared=() if baseline is None else compared, metrics=metrics)
    census.add_all(run.scored)
    summaries = {(): run.summary, **census.summaries()}
    before = {} if baseline is None else _baseline_sums(baseline, compared, set(pairs.values()))
    cases = [case.id for case in run.header.suite.cases]
    checks: list[Check] = []
    for agent in names:
        checks += _own_checks(agent, demands, census, summaries, groups)
        if baseline is not None:
            checks += [
                check_loss(metric, drop, agent, census.sums[agent], before[pairs[agent]], cases)
                for metric, drop in drops
            ]
    return Verdict(
        ruling=_ruling(checks),
        suite=run.header.suite.name,
        agents=names,
        counts=count_cases(run, names),
        checks=tuple(checks),
        failures=tuple(census.failures),
        flaky=tuple(census.flaky()),
        several_trials=census.several_trials,
        baseline=None if baseline is None else _name_of(baseline),
        scoring=run.header.scoring,
    )


@dataclass(frozen=True, slots=True)
class _Demands:
    """What an agent is held to, apart from the baseline."""

    limits: tuple[Limit, ...]
    must_pass: frozenset[str]
    flaky: Flaky


def _limits(
    min_pass_rate: float | None,
    minimum: Mapping[str, float],
    maximum: Mapping[str, float],
    metrics: Sequence[Metric],
) -> tuple[Limit, ...]:
    limits = [read_limit(name, "minimum", bound, metrics) for name, bound in minimum.items()]
    if min_pass_rate is not None and not any(limit.metric == "pass_rate" and not limit.group for limit in limits):
        limits.insert(0, read_limit("pass_rate", "minimum", min_pass_rate))
    limits += [read_limit(name, "maximum", bound, metrics) for name, bound in maximum.items()]
    return tuple(limits)


def _named_cases(suite: Suite, wanted: Sequence[str]) -> frozenset[str]:
    known = {nfc(case.id): case.id for case in suite.cases}
    found: set[str] = set()
    for name in map(nfc, wanted):
        # An id may hold characters that mean something in a pattern.
        matching = [name] if name in known else [one for one in known if fnmatchcase(one, name)]
        if not matching:
            hint = did_you_mean(name, list(known))
            raise NothingToDo(f"suite {suite.name!r} has no case {name!r}" + (f"; {hint}" if hint else ""))
        found.update(known[one] for one in matching)
    return frozenset(found)


def _drops(max_drop: float | Mapping[str, float], metrics: Sequence[Metric]) -> list[tuple[Metric, float]]:
    drops = dict(max_drop) if isinstance(max_drop, Mapping) else {"pass_rate": max_drop}
    found = [(known_metric(name, metrics), drop) for name, drop in drops.items()]
    for metric, drop in found:
        check_bound(metric, drop, "allowed to drop by")
    return found


def _baseline_sums(baseline: Run, metrics: Sequence[Metric], agents: Collection[str]) -> dict[str, CaseSums]:
    """By agent what a baseline adds up to, case by case."""
    scored = ((one.trajectory, one.score) for one in baseline.scored)
    empty = {agent: CaseSums() for agent in agents}
    return empty | sum_by_agent(scored, parts_of(metrics), needed_sums(metrics), agents)


def _refuse_unlike(run: Run, baseline: Run) -> None:
    found = baseline_differences(run.header, baseline.header)
    if found:
        raise UsageError(
            f"the run cannot be compared with this baseline: {'; '.join(found)}; --force compares them anyway"
        )


def _own_checks(
    agent: str,
    demands: _Demands,
    census: Census,
    summaries: Mapping[Group, Summary],
    groups: Mapping[Group, frozenset[str]],
) -> Iterator[Check]:
    """What an agent is held to by itself."""
    for limit in demands.limits:
        key = group_key(limit.group)
        asked = read_pass_at_k(limit.metric)
        if asked is not None:
            tries = [one for case, one in census.tries[agent].items() if case in groups[key]]
            yield _check(limit, agent, asked.estimate((one.passed, one.planned) for one in tries))
        elif demands.flaky == "forgive" and limit.metric == "pass_rate":
            yield _check(limit, agent, _forgiving(census, agent, groups[key]))
        else:
            yield _check(limit, agent, _estimate(summaries[key], agent, limit.metric))
    if demands.must_pass:
        yield _must_pass(agent, demands, census)
    if demands.flaky == "forbid":
        cases = [case.case for case in census.flaky() if case.agent == agent]
        yield Check(
            kind="no_flaky",
            agent=agent,
            ruling="failed" if cases else "passed",
            value=float(len(cases)),
            limit=0.0,
            n=len(census.tries[agent]),
            cases=tuple(cases[:MAX_NAMED]),
        )


def _estimate(summary: Summary, agent: str, metric: str) -> Estimate:
    for row in summary.rows:
        if row.agent == agent and not row.group:
            return row.metrics[metric]
    return Estimate(None, reason=NOTHING_PLANNED)


def _forgiving(census: Census, agent: str, cases: frozenset[str]) -> Estimate:
    """The share of cases that passed in at least one trial."""
    tries = [one for case, one in census.tries[agent].items() if case in cases]
    if not tries:
        return Estimate(None, reason=NOTHING_PLANNED)
    passed = sum(one.passed > 0 for one in tries)
    low, high = wilson(passed, len(tries))
    return Estimate(passed / len(tries), low, high, len(tries))


def _check(limit: Limit, agent: str, found: Estimate) -> Check:
    """Hold a figure to a limit. A figure that is not there keeps no limit."""
    value = found.value if limit.percentile is None else getattr(found, limit.percentile)
    whole = limit.percentile is None and value is not None
    return Check(
        kind=limit.side,
        agent=agent,
        ruling="passed" if value is not None and _keeps(limit, value) else "failed",
        metric=limit.name,
        group=limit.group,
        limit=limit.bound,
        value=value,
        low=found.low if whole else None,
        high=found.high if whole else None,
        n=found.n,
        reason=found.reason if value is None else "",
    )


def _keeps(limit: Limit, value: float) -> bool:
    return value >= limit.bound - ROUNDING_SLACK if limit.side == "minimum" else value <= limit.bound + ROUNDING_SLACK


def _must_pass(agent: str, demands: _Demands, census: Census) -> Check:
    tries = census.tries[agent]
    broken = []
    for case in sorted(demands.must_pass):
        one = tries.get(case, Tries())
        enough = one.passed > 0 if demands.flaky == "forgive" else one.passed == one.planned > 0
        if not enough:
            broken.append(case)
    return Check(
        kind="must_pass",
        agent=agent,
        ruling="failed" if broken else "passed",
        value=float(len(demands.must_pass) - len(broken)),
        limit=float(len(demands.must_pass)),
        n=len(demands.must_pass),
        cases=tuple(broken[:MAX_NAMED]),
    )


def _ruling(checks: Sequence[Check]) -> Ruling:
    found = {check.ruling for check in checks}
    return "failed" if "failed" in found else "inconclusive" if "inconclusive" in found else "passed"


def _name_of(run: Run) -> str:
    """What a run is called: by its name or id, or else by when it was made."""
    about = run.header.about
    return next((str(about[key]) for key in ("name", "id") if about.get(key)), run.header.created)
