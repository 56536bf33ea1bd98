"""The catalogue: every language has the same texts with the same places, and a file is all that a language needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

import toolgauge.catalogue
from toolgauge.analysis.lint.runs import CONTRADICTIONS
from toolgauge.catalogue import LANGUAGES, fill, language, words_of
from toolgauge.core import FINDING_KINDS, ISSUE_KINDS, UNSCORED
from toolgauge.errors import UsageError
from toolgauge.metrics import METRICS

FOLDER = Path(toolgauge.catalogue.__file__).parent


def texts(lang: str) -> dict[str, str]:
    """What the file of a language holds itself."""
    found: dict[str, str] = json.loads((FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return found


ENGLISH = texts("en")


REPEATED = {"lint.finding.order_contradiction"}
"""Texts in which a language may name the same thing twice."""


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", text))


def test_english_and_vietnamese_are_there() -> None:
    assert LANGUAGES == ("en", "vi")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_keys_in_the_same_order(lang: str) -> None:
    assert list(texts(lang)) == list(ENGLISH)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_places(lang: str) -> None:
    for key, text in texts(lang).items():
        if key in REPEATED:
            assert set(places(text)) == set(places(ENGLISH[key])), key
        else:
            assert places(text) == places(ENGLISH[key]), key
        assert text.strip() == text, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_is_written_once_and_groups_stand_apart(lang: str) -> None:
    source = (FOLDER / f"{lang}.json").read_text(encoding="utf-8")
    keys = re.findall(r'^  "([^"]+)": ', source, re.MULTILINE)
    assert keys == list(ENGLISH)
    empty = [number for number, line in enumerate(source.splitlines()) if not line]
    assert empty == [
        n for n, line in enumerate((FOLDER / "en.json").read_text(encoding="utf-8").splitlines()) if not line
    ]


def test_every_kind_has_its_text() -> None:
    assert [key.removeprefix("lint.finding.") for key in ENGLISH if key.startswith("lint.finding.")] == list(
        FINDING_KINDS
    )
    assert {key.rpartition(".")[2] for key in ENGLISH if key.startswith("lint.contradiction.")} == CONTRADICTIONS
    assert {key.removeprefix("issue.") for key in ENGLISH if key.startswith("issue.")} == {*ISSUE_KINDS, UNSCORED}
    assert [metric.name for metric in METRICS if f"compare.metric.{metric.name}" not in ENGLISH] == []


def test_a_part_in_brackets_is_left_out_without_its_value() -> None:
    assert fill("{a}[, {b}]", {"a": "x", "b": "y"}) == "x, y"
    assert fill("{a}[, {b}]", {"a": "x", "b": None}) == "x"
    assert fill("{a}[, {b}]", {"a": "x"}) == "x"


def test_doubled_brackets_are_meant() -> None:
    assert fill("list[[{a}]][ of {b}]", {"a": "1"}) == "list[1]"
    assert fill("[{b}: ]list[[{a}]]", {"a": "1", "b": "2"}) == "2: list[1]"


def test_values_are_not_templates() -> None:
    assert fill("{a} and {b}", {"a": "{b}", "b": "[{a}]"}) == "{b} and [{a}]"


def test_a_number_comes_with_its_noun() -> None:
    words = words_of("en")
    assert (words.count("cases", 1), words.count("cases", 2)) == ("1 case", "2 cases")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UsageError, match="'fr'"):
        words_of("fr")


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({}, "en"),
        ({"LANG": "vi_VN.UTF-8"}, "vi"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "vi_VN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_MESSAGES": "VI", "LC_ALL": ""}, "vi"),
    ],
)
def test_the_environment_says_which_language(
    variables: dict[str, str], lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language() == lang


def test_a_file_is_all_that_a_language_needs(tmp_path: Path) -> None:
    """A copy of the package with one file more speaks one language more, and has English where a text is missing."""
    package = copytree(
        FOLDER.parent, tmp_path / "toolgauge", ignore=lambda folder, names: [n for n in names if n == "__pycache__"]
    )
    (package / "catalogue" / "fr.json").write_text('{"state.passed": "réussi"}', encoding="utf-8")
    suite = package / "cli" / "starter" / "en"
    done = subprocess.run(
        [sys.executable, "-m", "toolgauge", "score", suite / "suite.yaml", suite / "traces.jsonl", "--lang", "fr"],
        capture_output=True,
        env={"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "réussi" in done.stdout
    assert "passed 4 of 4" in done.stdout
