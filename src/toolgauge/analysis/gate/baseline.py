"""Whether a run falls behind a baseline: non-inferiority by the interval of the paired difference.

A loss is ruled out where the whole interval of the difference lies above it, and shown where the whole interval lies
below it. In between the cases are too few to tell, which is said and not taken for a pass.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, sqrt
from typing import NamedTuple

from toolgauge.core import ROUNDING_SLACK, Check, Ruling, Run
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.metrics import CaseSums, Metric
from toolgauge.stats import Z95, exact_sum
from toolgauge.stats.rates import paired_rates

__all__ = ["check_loss", "partners"]

NO_VARIANCE = 1e-12
MAX_NEEDED = 10_000_000
"""More cases than this are as good as none."""

MAX_CASES = 100
"""How many of the cases that were lost are named."""


def partners(agents: Sequence[str], baseline: Run) -> dict[str, str]:
    """For each agent the one of the baseline: that of the same name, or the only one there is.

    Raises:
        UsageError: There is none.
    """
    known = list(dict.fromkeys(row.agent for row in baseline.summary.rows))
    if len(agents) == 1 and len(known) == 1:
        return {agents[0]: known[0]}
    for agent in agents:
        if agent not in known:
            hint = did_you_mean(agent, known)
            what = f"the baseline has no agent {agent!r} to compare with" + (f"; {hint}" if hint else "")
            raise UsageError(f"{what}; leave it out with --agent, or give it the same name in both runs")
    return {agent: agent for agent in agents}


class Difference(NamedTuple):
    """A paired difference, where less than 0 is worse than the baseline."""

    value: float
    low: float
    high: float
    n: int
    before: float
    """What the baseline has on the same cases."""
    discordant: tuple[int, int] | None = None
    """How many cases only the baseline and only the run passed, where the interval rests on that."""


class Pairs(NamedTuple):
    """The upper and the lower sums of a metric, case by case, of the run and of the baseline."""

    now_above: Sequence[float]
    now_below: Sequence[float]
    then_above: Sequence[float]
    then_below: Sequence[float]


def check_loss(
    metric: Metric, limit: float, agent: str, now: CaseSums, then: CaseSums, suite_cases: Sequence[str]
) -> Check:
    """Check that a metric of an agent is not worse than in the baseline by more than a limit.

    Args:
        metric: The metric.
        limit: The largest loss that is allowed.
        agent: The agent.
        now: By case what it did.
        then: By case what the baseline did.
        suite_cases: The ids of all cases, in the order in which they are added up.
    """
    cases = [case for case in suite_cases if case in now.cases and case in then.cases]
    columns = now.at(cases), then.at(cases)
    found = _difference(
        metric, Pairs(*(one.column(names) for one in columns for names in (metric.above, metric.below)))
    )
    lost = _lost(cases, now, then) if metric.name == "pass_rate" else ()
    if found is None:
        return Check(
            kind="no_regression",
            agent=agent,
            ruling="inconclusive",
            metric=metric.name,
            limit=limit,
            cases=lost,
            lower_is_better=metric.lower_is_better,
            reason=metric.reason,
        )
    ruling: Ruling = "inconclusive"
    if found.low >= -limit - ROUNDING_SLACK:
        ruling = "passed"
    elif found.high < -limit - ROUNDING_SLACK:
        ruling = "failed"
    return Check(
        kind="no_regression",
        agent=agent,
        ruling=ruling,
        metric=metric.name,
        limit=limit,
        value=found.value,
        low=found.low,
        high=found.high,
        n=found.n,
        baseline=found.before,
        cases=lost,
        lower_is_better=metric.lower_is_better,
        needed=_needed(found, limit) if ruling == "inconclusive" else None,
    )


def _lost(cases: Sequence[str], now: CaseSums, then: CaseSums) -> tuple[str, ...]:
    """The cases that passed more often in the baseline."""
    passed, planned = (now.at(cases).column((name,)) for name in ("passed", "planned"))
    passed_then, planned_then = (then.at(cases).column((name,)) for name in ("passed", "planned"))
    worse = [
        case
        for case, good, tried, good_then, tried_then in zip(
            cases, passed, planned, passed_then, planned_then, strict=True
        )
        if good * tried_then < good_then * tried
    ]
    return tuple(worse[:MAX_CASES])


def _difference(metric: Metric, pairs: Pairs) -> Difference | None:
    sign = -1 if metric.lower_is_better else 1
    if metric.kind == "rate" and max([*pairs.now_below, *pairs.then_below], default=0) <= 1:
        return _of_single_trials(pairs, sign)
    return _of_sums(metric, pairs, sign)


def _of_single_trials(pairs: Pairs, sign: int) -> Difference | None:
    """The difference of two rates with one trial a case, by Tango's score interval."""
    counting = [(now, then) for now, now_n, then, then_n in zip(*pairs, strict=True) if now_n and then_n]
    if not counting:
        return None
    only_now = sum(now > then for now, then in counting)
    only_then = sum(now < then for now, then in counting)
    if sign < 0:
        only_now, only_then = only_then, only_now
    n = len(counting)
    low, high = paired_rates(only_then, only_now, n)
    before = sum(then for _, then in counting) / n
    return Difference((only_now - only_then) / n, low, high, n, before, (only_then, only_now))


def _of_sums(metric: Metric, pairs: Pairs, sign: int) -> Difference | None:
    """The difference of two ratios of sums by the delta method, clustered by case.

    Where no case differs, which says nothing about cases that were not asked, the interval is that of as many pairs
    without a difference between two rates; an amount without bounds has none.
    """
    now_total, then_total = exact_sum(pairs.now_below), exact_sum(pairs.then_below)
    n = len(pairs.now_above)
    if not now_total or not then_total:
        return None
    now_ratio, then_ratio = exact_sum(pairs.now_above) / now_total, exact_sum(pairs.then_above) / then_total
    squares = exact_sum(
        ((now - now_ratio * now_n) / now_total - (then - then_ratio * then_n) / then_total) ** 2
        for now, now_n, then, then_n in zip(*pairs, strict=True)
    )
    value = sign * (now_ratio - then_ratio)
    error = sqrt(n / (n - 1) * squares) if n > 1 else 0.0
    if error > NO_VARIANCE:
        return Difference(value, value - Z95 * error, value + Z95 * error, n, then_ratio)
    if metric.kind == "amount":
        return Difference(value, value, value, n, then_ratio) if n > 1 else None
    low, high = paired_rates(0, 0, n)
    return Difference(value, max(-1.0, value + low), min(1.0, value + high), n, then_ratio, (0, 0))


def _needed(found: Difference, limit: float) -> int | None:
    """How many cases would settle the difference that was seen, if more of them looked the same."""
    room = found.value + limit
    if abs(room) < ROUNDING_SLACK:
        return None
    if found.discordant is not None:
        return _needed_pairs(found, limit, found.discordant)
    half = found.value - found.low if room > 0 else found.high - found.value
    needed = ceil(found.n * (half / room) ** 2)
    return needed if needed <= MAX_NEEDED else None


def _needed_pairs(found: Difference, limit: float, discordant: tuple[int, int]) -> int | None:
    """The same of rates, whose intervals grow narrower in another way: by trying multiples of what there is."""
    only_then, only_now = discordant
    # Where every case changed by the same amount, the interval is one without any change, moved by it.
    moved = found.value - (only_now - only_then) / found.n

    def settles(times: int) -> bool:
        low, high = paired_rates(only_then * times, only_now * times, found.n * times)
        return low + moved >= -limit or high + moved < -limit

    most = 2
    while not settles(most):
        most *= 2
        if found.n * most > MAX_NEEDED:
            return None
    times = bisect_left(range(most), True, lo=most // 2, key=settles)
    return found.n * times
