"""Ids that look alike, and questions that are asked twice."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from toolgauge.core import Finding, JsonValue, Suite, nfc

__all__ = ["duplicate_inputs", "look_alike_ids"]

_LETTERS = str.maketrans("асеіјорѕухο", "aceijopsyxo")
"""Cyrillic letters and a Greek one that are drawn as Latin letters are."""

_QUOTES = "'\"`´‘’‚“”„′″"


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
        question = " ".join(nfc(case.input).casefold().split())
        if not question:
            continue
        seen = first.setdefault(question, index)
        if seen != index:
            values: dict[str, JsonValue] = {"other": suite.cases[seen].id}
            yield Finding("duplicate_input", "warning", case.id, ("input",), values)
