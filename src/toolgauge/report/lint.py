"""The findings of the linter as a document."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from toolgauge.catalogue import Lang, Words, words_of
from toolgauge.core import SEVERITIES, Finding, JsonValue, Severity, Suite
from toolgauge.files import format_path

from .blocks import Block, Entry, Findings, Paragraph, Tone
from .csv import cell_of, harmless
from .json import indented_json

__all__ = ["LINT_SCHEMA", "LintDocument", "word_finding"]

LINT_SCHEMA = "toolgauge.lint/1"

_MAX_TEXT = 100
"""How many characters of a value are shown."""

_NAMES = ("reason", "key", "tool", "argument", "label", "text", "id", "other", "near")
"""Values that are names or messages, and shown without quotation marks where they are plain words."""


_TONES: dict[Severity, Tone] = {"error": "bad", "warning": "warn", "hint": "plain"}
_FIELDS = ("place", "case", "path", "kind", "finding")


@dataclass(frozen=True, slots=True)
class LintDocument:
    """The findings of one suite."""

    source: str
    """The suite as it was asked for."""
    suite: Suite
    findings: Sequence[Finding]
    lines: Mapping[int, int]
    """Lines in the file, by the position of the finding."""
    name: ClassVar[str] = "lint"

    def title(self, words: Words) -> str:
        """How many there are."""
        counts = self._counts()
        parts = [words.count(f"lint.{severity}", counts[severity]) for severity in SEVERITIES if counts[severity]]
        return f"{self.source}: {', '.join(parts) or words('lint.none')}"

    def blocks(self, words: Words) -> Iterator[Block]:
        """The findings by severity, and how many there are."""
        place, case, path, kind, text = (words(f"lint.column.{name}") for name in _FIELDS)
        for severity in SEVERITIES:
            entries = tuple(
                self._entry(index, finding, words)
                for index, finding in enumerate(self.findings)
                if finding.severity == severity
            )
            if entries:
                title = words(f"lint.section.{severity}")
                yield Findings(title, (place, case, path, kind, text), entries, _TONES[severity])
        yield Paragraph(self.title(words), wrapped=False)

    def json(self, words: Words) -> Iterator[str]:
        """Every finding with what its words are made of."""
        counts = self._counts()
        document = {
            "schema": LINT_SCHEMA,
            "suite": {"name": self.suite.name, "file": self.source, "cases": len(self.suite.cases)},
            "counts": {severity: counts[severity] for severity in SEVERITIES},
            "findings": [
                {
                    "kind": finding.kind,
                    "severity": finding.severity,
                    "case": finding.case,
                    "path": format_path(finding.path),
                    "line": self.lines.get(index),
                    "message": word_finding(finding, words.lang),
                    "values": finding.values,
                }
                for index, finding in enumerate(self.findings)
            ],
        }
        yield indented_json(document)

    def rows(self, words: Words) -> Iterator[list[str]]:
        """A row per finding."""
        yield ["file", "line", "severity", "kind", "case", "path", "message"]
        for index, finding in enumerate(self.findings):
            yield [
                harmless(self.source),
                cell_of(self.lines.get(index)),
                finding.severity,
                finding.kind,
                cell_of(finding.case),
                harmless(format_path(finding.path)),
                harmless(word_finding(finding, words.lang)),
            ]

    def _counts(self) -> Counter[Severity]:
        return Counter(finding.severity for finding in self.findings)

    def _entry(self, index: int, finding: Finding, words: Words) -> Entry:
        line = self.lines.get(index)
        place = self.source if line is None else f"{self.source}:{line}"
        text = word_finding(finding, words.lang)
        return Entry(place, finding.case or "", format_path(finding.path), finding.kind, text)


def word_finding(finding: Finding, lang: Lang) -> str:
    """A finding as one sentence without a final stop; it may hold control characters that the suite holds."""
    words = words_of(lang)
    values = {name: _shown(name, value) for name, value in finding.values.items()}
    if finding.kind == "suspected_gold":
        values["contradiction"] = words(f"lint.contradiction.{finding.values['issue']}", **values)
    if isinstance(label := finding.values.get("label"), str):
        values["label"] = words.known(f"label.{label}", "").lower() or values["label"]
    near = words("lint.near", **values) if finding.values.get("near") is not None else ""
    return words(f"lint.finding.{finding.kind}", **values) + near


def _shown(name: str, value: JsonValue) -> str:
    if isinstance(value, str) and name in _NAMES:
        return _cut(value if name in ("reason", "key") or _plain(value) else f"'{value}'")
    if name in ("low", "high") and isinstance(value, (int, float)):
        return f"{100 * value:.0f}"
    if name in ("agents", "cases", "meanings", "sources") and isinstance(value, list):
        return _cut(", ".join(map(str, value)), 3 * _MAX_TEXT)
    if name == "groups" and isinstance(value, Mapping):
        return ", ".join(f"{group} ({count})" for group, count in value.items())
    return _cut(_json(value))


def _plain(word: str) -> bool:
    return word.replace("-", "_").replace(".", "_").replace("/", "_").replace("_", "a").isalnum()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=lambda part: getattr(part, "__name__", type(part).__name__))


def _cut(text: str, max_length: int = _MAX_TEXT) -> str:
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"
