"""Faults that show in all cases together: labels, ids that look alike, repeated questions, cases without a review."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from toolgauge.core import Finding, JsonValue, Suite
from toolgauge.stats import wilson
from toolgauge.suites.extend import question_key

__all__ = ["MIN_CASES", "duplicate_inputs", "few_cases", "look_alike_ids", "missing_labels", "unreviewed"]

MIN_CASES = 10
"""With fewer cases than this, a group is too small to be compared."""

_MAX_NAMED = 5
"""How many of several groups or cases a finding names."""

_LETTERS = str.maketrans("асеіјорѕухο", "aceijopsyxo")
"""Cyrillic letters and a Greek one that are drawn as Latin letters are."""

_QUOTES = "'\"`´‘’‚“”„′″"


def few_cases(suite: Suite) -> Iterator[Finding]:
    """Labels with values that few cases have, and how wide the interval of the smallest group would be."""
    for label in _labels(suite):
        counts = Counter(case.labels[label] for case in suite.cases if label in case.labels)
        small = sorted((count, value) for value, count in counts.items() if count < MIN_CASES)
        if small:
            low, high = wilson(small[0][0] / 2, small[0][0])
            named: dict[str, JsonValue] = {value: count for count, value in small[:_MAX_NAMED]}
            values: dict[str, JsonValue] = {
                "label": label,
                "groups": named,
                "count": len(small),
                "few": MIN_CASES,
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
            named: list[JsonValue] = list(without[:_MAX_NAMED])
            values: dict[str, JsonValue] = {"label": label, "count": len(without), "cases": named}
            yield Finding("missing_label", "warning", without[0], values=values)


def _labels(suite: Suite) -> list[str]:
    return list(dict.fromkeys(label for case in suite.cases for label in case.labels))


def look_alike_ids(suite: Suite) -> Iterator[Finding]:
    """Ids that a person takes for each other."""
    first: dict[str, int] = {}
    for index, case in enumerate(suite.cases):
        seen = first.setdefault(_appearance(case.id), index)
        if seen != index:
            values: dict[str, JsonValue] = {"id": case.id, "other": suite.cases[seen].id}
            yield Finding("look_alike_ids", "warning", case.id, ("id",), values)


def _appearance(name: str) -> str:
    """Equal for names that look alike: case, accents written differently, dashes, quotes, spaces, what has no width."""
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_LETTERS)
    return "".join(map(_drawn, folded)).strip("-")


def _drawn(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cf", "Cc") and not character.isspace():
        return ""
    if category in ("Pd", "Zs", "Pc") or character.isspace() or character == "−":
        return "-"
    return "'" if character in _QUOTES else character


def duplicate_inputs(suite: Suite) -> Iterator[Finding]:
    """Cases with the question of another case."""
    first: dict[str, int] = {}
    for index, case in enumerate(suite.cases):
        question = question_key(case.input)
        if not question:
            continue
        seen = first.setdefault(question, index)
        if seen != index:
            values: dict[str, JsonValue] = {"other": suite.cases[seen].id}
            yield Finding("duplicate_input", "warning", case.id, ("input",), values)


def unreviewed(suite: Suite) -> Iterator[Finding]:
    """Cases whose expectations are what recorded agents did, right or wrong; one finding for all of them."""
    open_cases = [case.id for case in suite.cases if not case.reviewed]
    if open_cases:
        named: list[JsonValue] = list(open_cases[:_MAX_NAMED])
        values: dict[str, JsonValue] = {"count": len(open_cases), "total": len(suite.cases), "cases": named}
        yield Finding("unreviewed", "warning", open_cases[0], ("reviewed",), values)
