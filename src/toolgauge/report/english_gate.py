"""The words of the gate in English. `vietnamese_gate.py` has the same keys and places."""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    "gate.title.passed": "✓ Gate passed: {suite}",
    "gate.title.failed": "✗ Gate failed: {suite}",
    "gate.title.inconclusive": "? Gate inconclusive: {suite}",
    "gate.incomplete": "The run is incomplete: {count} planned and not run, counted as not passed.",
    "gate.section.checks": "Checks",
    "gate.section.failures": "What did not pass",
    "gate.section.flaky": "Flaky cases",
    "gate.column.check": "Check",
    "gate.column.value": "Measured",
    "gate.column.result": "Result",
    "gate.ruling.passed": "passed",
    "gate.ruling.failed": "FAILED",
    "gate.ruling.inconclusive": "inconclusive",
    "gate.check.minimum": "{metric} ≥ {limit}",
    "gate.check.maximum": "{metric} ≤ {limit}",
    "gate.check.no_regression": "{metric}: loss ≤ {limit}",
    "gate.check.must_pass": "cases that must pass",
    "gate.check.no_flaky": "no flaky cases",
    "gate.value.of": "{number} of {total}",
    "gate.missing": "{agent}: {check}: there is nothing to measure ({reason}), so the limit is not kept.",
    "gate.broken.must_pass": "{agent}: must pass and did not: {cases}.",
    "gate.broken.no_flaky": "{agent}: passed in some trials only: {cases}.",
    "gate.baseline": "Compared with the baseline {baseline}, paired by case.",
    "gate.compared": "{agent}: {metric} was {before} and is {now}, on {cases} in both runs.",
    "gate.lost": "{agent}: passed more often in the baseline: {cases}.",
    "gate.inconclusive": (
        "{agent}: {metric}: the difference lies between {low} and {high}; that neither rules out a loss of more than "
        "{limit} nor shows it.[ About {needed} cases would settle a difference such as this one.]"
    ),
    "gate.no_pairs": "{agent}: {metric}: there is nothing to compare in both runs ({reason}).",
    "gate.failure": "{case} · {agent}[ · trial {trial}]: {state}[, score {score}][: {issues}]",
    "gate.low_score": "the score is below the threshold",
    "gate.flaky": "{case} · {agent}: passed {passed} of {trials} trials",
    "gate.no_flaky": "No case passed in some trials only.",
    "gate.annotation.case": "{case} ({agent})",
    "gate.annotation.check": "toolgauge gate: {ruling}",
}
