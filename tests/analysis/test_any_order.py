"""The order of the lines of a run changes no digit of any figure: not in a summary, a comparison, or a verdict."""

from __future__ import annotations

from random import Random

from toolgauge.analysis.compare import compare
from toolgauge.analysis.gate import gate
from toolgauge.core import Case, Run, RunHeader, Score, Scored, Suite, ToolCounts, Trajectory, Usage
from toolgauge.metrics import METRICS, summarise

CASES = 7
SUITE = Suite("s", tuple(Case(f"c{number}", f"Question {number}?") for number in range(CASES)))


def done(agent: str, dice: Random) -> list[Scored]:
    """What an agent did in three trials of every case."""
    found = []
    for case in SUITE.cases:
        for trial in (1, 2, 3):
            counts = ToolCounts(dice.randrange(3), dice.randrange(3), dice.randrange(3), 3, 1, 1, unknown_tools=1)
            trajectory = Trajectory(
                case.id, agent, trial, latency_ms=dice.uniform(100, 900), usage=Usage(3, 10, 20, dice.random())
            )
            score = Score(
                case.id,
                agent,
                trial,
                "completed",
                dice.random() < 0.5,
                dice.random(),
                dice.random(),
                dice.random(),
                dice.random(),
                dice.random(),
                says_tools=True,
                counts=counts,
            )
            found.append(Scored(trajectory, score))
    return found


def run(scored: list[Scored], dice: Random) -> Run:
    """A run that holds these lines in some order."""
    mixed = list(scored)
    dice.shuffle(mixed)
    header = RunHeader(toolgauge="0", created="", suite=SUITE)
    return Run(header, summarise(SUITE, mixed), tuple(mixed))


def test_the_order_of_lines_changes_no_figure() -> None:
    dice = Random(5)
    before, after = done("a", dice), done("b", dice)
    names = [metric.name for metric in METRICS]
    summaries, comparisons, verdicts = [], [], []
    for _ in range(24):
        first, second = run(before, dice), run(after, dice)
        summaries.append(second.summary)
        comparisons.append(compare(first, second, metrics=names))
        drops = dict.fromkeys(names, 0.05)
        verdicts.append(gate(second, min_pass_rate=None, baseline=first, max_drop=drops).checks)
    for results in (summaries, comparisons, verdicts):
        assert all(one == results[0] for one in results)
