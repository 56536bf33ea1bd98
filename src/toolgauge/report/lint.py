"""The findings of the linter as a document."""

from __future__ import annotations

import json
from collections.abc import Mapping

from toolgauge.catalogue import Lang, words_of
from toolgauge.core import Finding, JsonValue

__all__ = ["word_finding"]

_MOST = 100
"""How many characters of a value are shown."""

_NAMES = ("reason", "key", "tool", "argument", "label", "text", "id", "other", "near")
"""Values that are names or messages, and shown without quotation marks where they are plain words."""


def word_finding(finding: Finding, lang: Lang) -> str:
    """A finding as one sentence without a final stop; it may hold control characters that the suite holds."""
    words = words_of(lang)
    values = {name: _shown(name, value) for name, value in finding.values.items()}
    if finding.kind == "suspected_gold":
        values["contradiction"] = words(f"lint.contradiction.{finding.values['issue']}", **values)
    near = words("lint.near", **values) if finding.values.get("near") is not None else ""
    return words(f"lint.finding.{finding.kind}", **values) + near


def _shown(name: str, value: JsonValue) -> str:
    if isinstance(value, str) and name in _NAMES:
        return _cut(value if name in ("reason", "key") or _plain(value) else f"'{value}'")
    if name in ("low", "high") and isinstance(value, (int, float)):
        return f"{100 * value:.0f}"
    if name in ("agents", "cases", "meanings", "sources") and isinstance(value, list):
        return _cut(", ".join(map(str, value)), 3 * _MOST)
    if name == "groups" and isinstance(value, Mapping):
        return ", ".join(f"{group} ({count})" for group, count in value.items())
    return _cut(_json(value))


def _plain(word: str) -> bool:
    return word.replace("-", "_").replace(".", "_").replace("/", "_").replace("_", "a").isalnum()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=lambda part: getattr(part, "__name__", type(part).__name__))


def _cut(text: str, most: int = _MOST) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
