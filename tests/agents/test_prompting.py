"""What models are told: the same files, phrases and places in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import toolgauge.agents
from toolgauge.agents.prompting import language_of, opening, phrase, prompt_of
from toolgauge.core import Case

FOLDER = Path(toolgauge.agents.__file__ or "").parent / "prompts"
LANGUAGES = sorted(file.name.split(".")[1] for file in FOLDER.glob("phrases.*"))


def phrases(lang: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((FOLDER / f"phrases.{lang}.json").read_text(encoding="utf-8"))
    return found


def test_english_and_vietnamese_are_there() -> None:
    assert LANGUAGES == ["en", "vi"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_texts_and_phrases(lang: str) -> None:
    def parts(of: str) -> set[str]:
        return {file.name.split(".")[0] for file in FOLDER.glob(f"*.{of}.*")}

    assert parts(lang) == parts("en")
    assert list(phrases(lang)) == list(phrases("en"))
    for key, text in phrases(lang).items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", phrases("en")[key])), key


def test_a_case_is_spoken_about_in_its_language_and_in_english_where_it_has_none() -> None:
    assert language_of(Case("a", locale="vi")) == "vi"
    assert language_of(Case("a")) == "en"
    assert prompt_of("judge", Case("a")).startswith("You judge an answer by a rubric.")
    assert opening("tools", Case("a", locale="vi", now="2026-01-05")).endswith("Hôm nay là ngày 2026-01-05.")
    assert opening("tools", Case("a"), "mine") == "mine"
    assert phrase("en", "loop.empty").startswith("Your reply was empty.")
