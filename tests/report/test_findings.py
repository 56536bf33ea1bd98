"""Findings in words, and the page that describes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgauge.core import FINDING_KINDS, Finding, JsonValue
from toolgauge.report import word_finding

PAGE = Path(__file__).parent.parent.parent / "docs" / "lint.md"


@pytest.mark.parametrize("kind", FINDING_KINDS)
def test_every_kind_has_a_line_in_the_documentation(kind: str) -> None:
    assert f"| `{kind}` (" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "values", "words"),
    [
        ("unknown_tool", {"tool": "get_wether", "near": "get_weather"}, "there is no tool get_wether; did you mean"),
        ("unknown_tool", {"tool": "zzz", "near": None}, "there is no tool zzz"),
        ("empty_text", {}, "every answer contains an empty text"),
        (
            "few_cases",
            {"label": "level", "groups": {"hard": 4}, "few": 10, "n": 4, "low": 0.15, "high": 0.85},
            "level: fewer than 10 cases in hard (4); with n = 4, a rate of 50% could be anything from 15% to 85%",
        ),
        (
            "impossible_value",
            {"tool": "w", "argument": "units", "value": "kelvin", "allowed": {"enum": ["c", "f"]}},
            'can never be a valid units of w, which allows {"enum": ["c", "f"]}',
        ),
        ("look_alike_ids", {"id": "a b", "other": "a-b"}, "the id 'a b' looks like a-b"),
        (
            "suspected_gold",
            {
                "issue": "wrong_arg",
                "tool": "w",
                "argument": "city",
                "want": "Hanoi",
                "got": "Hue",
                "agents": ["a", "b"],
            },
            'a, b: all of these strong agents call w with city = "Hue" instead of "Hanoi"',
        ),
    ],
)
def test_findings_read_well(kind: str, values: dict[str, JsonValue], words: str) -> None:
    found = Finding(kind, "hint", values=values)  # type: ignore[arg-type]  # a kind by its name
    assert words in word_finding(found, "en")
    assert "{" not in word_finding(found, "vi").replace('{"enum"', "")


def test_values_are_not_templates_and_long_ones_are_cut() -> None:
    found = Finding("unknown_tool", "error", values={"tool": "{near}" + "x" * 500, "near": None})
    words = word_finding(found, "en")
    assert "{near}" in words
    assert len(words) < 150
