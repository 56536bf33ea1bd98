"""The words of comparisons in English. `vietnamese_comparing.py` has the same keys and places."""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    "compare.title": "{suite}: {cases}, {contenders} compared",
    "compare.contenders.one": "{number} agent",
    "compare.contenders.many": "{number} agents",
    "compare.left_out": "Cases left out, because an agent has nothing on them: {number}.",
    # One line for each pair
    "compare.pair.better": "{second} is better than {first} by {metric}: {figures}.[ {others}.]",
    "compare.pair.worse": "{second} is worse than {first} by {metric}: {figures}.[ {others}.]",
    "compare.pair.no_evidence": (
        "{second} and {first}: no evidence either way by {metric}: {figures}.[ {others}.][ {power}.]"
    ),
    "compare.pair.untested": "{second} and {first}: nothing to compare by {metric}.[ {others}.]",
    "compare.figures": "{second} against {first}, difference {difference}[ (95% CI {interval})], p {p}",
    "compare.power.cases": (
        "So many cases show a difference of {detectable} four times out of five; to show the one seen would take "
        "about {more} more cases"
    ),
    "compare.power.enough": "So many cases show a difference of {detectable} four times out of five",
    "compare.others.better": "better by {metrics}",
    "compare.others.worse": "worse by {metrics}",
    "compare.others.no_evidence": "no evidence either way by {metrics}",
    "compare.others": "Besides: {parts}",
    # Sections
    "compare.section.verdicts": "What the figures support",
    "compare.section.pair": "{first} (A) and {second} (B)",
    "compare.section.tests": "Tests and sizes of effect",
    "compare.section.power": "What so many cases can show",
    "compare.section.trials": "Several trials of the same case",
    "compare.section.method": "How agents are compared",
    "compare.section.notes": "Notes",
    # Columns
    "compare.column.metric": "Metric",
    "compare.column.cases": "Cases",
    "compare.column.difference": "B\u00a0-\u00a0A",
    "compare.column.adjusted": "p\u00a0(Holm)",
    "compare.column.verdict": "B\u00a0is",
    "compare.column.test": "Test",
    "compare.column.p": "p",
    "compare.column.mid_p": "mid-p",
    "compare.column.only": "only\u00a0A\u00a0/ only\u00a0B",
    "compare.column.effect": "Effect (95%\u00a0CI)",
    "compare.column.detectable": "Smallest difference shown",
    "compare.column.seen": "Seen",
    "compare.column.more": "More\u00a0cases to\u00a0show\u00a0it",
    "compare.column.agent": "Agent",
    "compare.column.k": "k",
    "compare.column.pass_any": "pass@k",
    "compare.column.pass_all": "pass^k",
    # Metrics as they stand in sentences and tables
    "compare.metric.pass_rate": "pass rate",
    "compare.metric.pass_rate_scored": "pass rate, completed",
    "compare.metric.accuracy": "accuracy",
    "compare.metric.answer": "right answers",
    "compare.metric.precision": "precision",
    "compare.metric.recall": "recall",
    "compare.metric.f1": "F1",
    "compare.metric.score": "score",
    "compare.metric.latency": "latency, ms",
    "compare.metric.tool_fail_rate": "tool fail rate",
    "compare.metric.tool_fail_rate_published": "tool fail rate, published",
    "compare.metric.call_precision": "call precision",
    "compare.metric.call_recall": "call recall",
    "compare.metric.param_accuracy": "parameter accuracy",
    "compare.metric.content": "content",
    "compare.metric.ambiguous_rate": "ambiguous answers",
    "compare.metric.redundant_rate": "redundant calls",
    "compare.metric.unknown_tool_rate": "unknown tools",
    "compare.metric.schema_error_rate": "schema errors",
    "compare.metric.ungrounded_rate": "ungrounded calls",
    "compare.metric.calls": "calls",
    "compare.metric.tokens": "tokens",
    "compare.metric.cost": "cost, USD",
    "compare.metric.requests": "requests to the model",
    "compare.metric.planned_calls": "calls planned ahead",
    "compare.metric.rounds": "rounds",
    "compare.metric.handoffs": "hand-offs",
    "compare.metric.judge": "judge (opinion)",
    # Cells
    "compare.verdict.better": "better",
    "compare.verdict.worse": "worse",
    "compare.verdict.no_evidence": "no evidence",
    "compare.verdict.untested": "not tested",
    "compare.test.mcnemar": "McNemar, exact",
    "compare.test.permutation": "permutation, exact",
    "compare.test.permutation_drawn": "permutation, drawn",
    "compare.interval": "{low} to {high}",
    "compare.odds": "OR {value} ({low}–{high})",
    "compare.standardised": "d {value}",
    "compare.infinite": "∞",
    "compare.enough": "none",
    "compare.no_limit": "unlikely",
    # Trials
    "compare.trials": (
        "{agent}: {flaky} of {cases} cases with several trials passed in some of them only; two trials of a case "
        "end differently with a chance of {flakiness}.[ The flakiest: {examples}.]"
    ),
    # Method
    "compare.method.paired": (
        "Agents are compared on the same cases; A is the first named. Better and worse are said of B, where the "
        "p-value after Holm's correction over all pairs is at most 0.05. No evidence does not mean that they are "
        "equal."
    ),
    "compare.method.mcnemar": (
        "Rates with one trial per case: McNemar's exact test on the cases that only one of the two passed; mid-p, "
        "which is less cautious, is given beside it. OR is the odds ratio of those cases. Interval of the "
        "difference: Tango's score interval."
    ),
    "compare.method.permutation": (
        "Everything else: paired permutation test, in which A and B are swapped case by case, with all trials of a "
        "case; every swap is counted (exact), or 9,999 are drawn from a fixed seed (drawn). F1 is pooled over "
        "cases; of figures that are divided by how much each did, such as precision, the contributions of the "
        "cases are swapped. Interval: delta method over cases with Student's t. d is the difference in standard "
        "deviations (Cohen's)."
    ),
    "compare.method.bootstrap": (
        "Intervals here: {resamples} bootstrap resamples of whole cases within each group (BCa), from a fixed seed."
    ),
    "compare.method.power": (
        "What can be shown: the smallest difference that is found at p ≤ 0.05 four times out of five, with as many "
        "cases and as much spread as here; and the cases beyond these that the difference seen would take."
    ),
    "compare.method.metrics": "Metrics are tested side by side, without correction between them: {metric} decides.",
    # Notes
    "compare.note.forced": "{first} and {second} differ and were paired all the same: {what}.",
    "compare.mismatch.only": "only in {run}: {cases}",
    "compare.mismatch.changed": "other expectations or inputs in {cases}",
    "compare.mismatch.tools": "other tools: {tools}",
    "compare.mismatch.settings": "other weights or threshold",
    "compare.mismatch.scoring": "scored by versions {first} and {second} of the rules",
}
