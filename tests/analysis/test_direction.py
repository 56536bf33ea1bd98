"""Which way a metric is better, `compare` and `gate` say alike."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from toolgauge.analysis.compare import compare
from toolgauge.analysis.gate import gate
from toolgauge.core import (
    Answer,
    Case,
    Issue,
    JsonValue,
    Run,
    RunHeader,
    Score,
    Scored,
    Suite,
    ToolCounts,
    Trajectory,
    Usage,
)
from toolgauge.metrics import METRICS, Metric, summarise

CASES = 40
SUITE = Suite("s", tuple(Case(f"c{number:02d}", f"Question {number}?") for number in range(CASES)))


@dataclass(frozen=True)
class Habit:
    """What an agent does on every case: much of everything, or little."""

    agent: str
    much: bool

    def on(self, number: int) -> Scored:
        """What it did on one case. Cases differ a little, so that there is something to test."""
        much, some = self.much, number % 3
        amount = 20 + some if much else 1 + some
        share = 0.9 + some / 100 if much else 0.2 + some / 100
        faults = 3 if much else 0
        kinds = ["round"] * amount + ["route"] + ["handoff"] * amount
        events: list[dict[str, JsonValue]] = [{"kind": kind} for kind in kinds]
        events.append({"kind": "plan", "steps": [0] * amount})
        events.append({"kind": "judge", "score": share})
        case = SUITE.cases[number].id
        # Ambiguous answers count for themselves only, and so may come as often as right ones.
        verdict = "ambiguous" if much and number % 2 else "right" if much else "wrong"
        found = (3, 0, 0) if much else (1, 2, 2)
        trajectory = Trajectory(
            case,
            self.agent,
            1,
            latency_ms=100.0 * amount,
            usage=Usage(amount, amount, amount, 0.01 * amount, waited_ms=10.0 * amount),
            events=tuple(events),
        )
        score = Score(
            case,
            self.agent,
            1,
            "completed",
            much,
            share,
            share,
            share,
            share,
            share,
            Answer(verdict),  # type: ignore[arg-type]  # one of three words
            says_tools=True,
            counts=ToolCounts(*found, amount, faults, faults, faults, faults, faults),
            issues=(Issue("over_latency"),),
        )
        return Scored(trajectory, score)

    def run(self) -> Run:
        """All that it did."""
        scored = [self.on(number) for number in range(CASES)]
        return Run(RunHeader(toolgauge="0", created="", suite=SUITE), summarise(SUITE, scored), tuple(scored))


LITTLE, MUCH = Habit("little", much=False).run(), Habit("much", much=True).run()


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_compare_and_gate_agree_on_which_way_is_better(metric: Metric) -> None:
    name = metric.name
    [pairing] = compare(LITTLE, MUCH, metrics=[name]).pairings
    [whole] = pairing.contrasts
    assert (whole.difference.value or 0) > 0
    assert pairing.verdict == ("worse" if metric.lower_is_better else "better")
    drops = {name: 0.0}
    verdict = gate(MUCH, min_pass_rate=None, baseline=LITTLE, max_drop=drops)
    [check] = verdict.checks
    assert check.lower_is_better == metric.lower_is_better
    assert check.ruling == ("failed" if metric.lower_is_better else "passed")


def test_every_amount_and_every_rate_of_faults_is_better_when_it_is_lower() -> None:
    faults = {
        "tool_fail_rate",
        "tool_fail_rate_published",
        "passed_with_issues",
        "ambiguous_rate",
        "redundant_rate",
        "unknown_tool_rate",
        "schema_error_rate",
        "ungrounded_rate",
    }
    amounts = {metric.name for metric in METRICS if metric.kind == "amount"}
    assert {metric.name for metric in METRICS if metric.lower_is_better} == faults | amounts
