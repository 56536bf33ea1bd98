"""Labels that reports break figures down by: groups too small to compare, cases that belong to none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolgauge.core import Finding, JsonValue, Suite
from toolgauge.stats import wilson

__all__ = ["FEW", "few_cases", "missing_labels"]

FEW = 10
"""With fewer cases than this, a group is too small to be compared."""

_MOST_NAMED = 5


def few_cases(suite: Suite) -> Iterator[Finding]:
    """Labels with values that few cases have, and how wide the interval of the smallest group would be."""
    for label in _labels(suite):
        counts = Counter(case.labels[label] for case in suite.cases if label in case.labels)
        small = sorted((count, value) for value, count in counts.items() if count < FEW)
        if small:
            low, high = wilson(small[0][0] / 2, small[0][0])
            named: dict[str, JsonValue] = {value: count for count, value in small[:_MOST_NAMED]}
            values: dict[str, JsonValue] = {
                "label": label,
                "groups": named,
                "count": len(small),
                "few": FEW,
                "n": small[0][0],
                "low": low,
                "high": high,
            }
            yield Finding("few_cases", "hint", values=values)


def missing_labels(suite: Suite) -> Iterator[Finding]:
    """Labels that most cases have and some have not. What fewer than half have is taken for a mark, not a group."""
    for label in _labels(suite):
        without = [case.id for case in suite.cases if label not in case.labels]
        if without and len(without) <= len(suite.cases) / 2:
            named: list[JsonValue] = list(without[:_MOST_NAMED])
            values: dict[str, JsonValue] = {"label": label, "count": len(without), "cases": named}
            yield Finding("missing_label", "warning", without[0], values=values)


def _labels(suite: Suite) -> list[str]:
    return list(dict.fromkeys(label for case in suite.cases for label in case.labels))
