"""Cues that are not searched for where no part of them stands: the parts must be in every place of the cue."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.answers.reading import PARTS, may_have

ITEMS = [Path(__file__).parent / name for name in ("items.jsonl", "development.jsonl", "strings.jsonl")]
CUES = [re.compile(pattern, re.IGNORECASE) for pattern in PARTS]


@pytest.mark.parametrize("cue", CUES, ids=["marker", "refusal", "undecided"])
def test_every_place_of_a_cue_in_judged_answers_has_a_part_of_it(cue: re.Pattern[str]) -> None:
    outputs = [json.loads(line)["output"] for path in ITEMS for line in path.read_text(encoding="utf-8").splitlines()]
    found = [match.group() for output in outputs for match in cue.finditer(output)]
    assert len(found) > 20
    assert [words for words in found if not may_have(cue, words.casefold())] == []


@pytest.mark.parametrize("cue", CUES, ids=["marker", "refusal", "undecided"])
def test_every_text_that_a_cue_can_match_has_a_part_of_it(cue: re.Pattern[str]) -> None:
    @settings(max_examples=examples(300))
    @given(st.from_regex(cue))
    def has_a_part(text: str) -> None:
        match = cue.search(text)
        assert match is None or may_have(cue, match.group().casefold()), match.group()

    has_a_part()
