"""Reports compared with saved ones.

After a wanted change, write them anew and read the difference before committing it:

    TOOLGAUGE_RENEW=1 python -m pytest tests/report/test_saved.py
"""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.pages.reading import readable
from tests.report.runs import comparison, weather
from toolgauge.catalogue import Lang
from toolgauge.report import FORMATS, CaseDocument, RunDocument, render, show
from toolgauge.report.render import find_format

SAVED = Path(__file__).parent / "saved"


def saved(name: str, text: str) -> str:
    """The text that is saved under a name; renewed beforehand where somebody asks for that."""
    file = SAVED / name
    if os.environ.get("TOOLGAUGE_RENEW"):
        file.write_text(text, encoding="utf-8", newline="")
    with file.open(encoding="utf-8", newline="") as stream:
        return stream.read()


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_comparison_looks_as_saved(form: str, lang: Lang) -> None:
    text = readable("".join(render(RunDocument(comparison()), form, lang=lang)))
    assert text == saved(f"comparison.{lang}.{find_format(form).suffix}", text)


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_single_cases_and_failures_look_as_saved(form: str, lang: Lang) -> None:
    text = readable("".join(render(RunDocument(weather(), details=True, failures=True), form, lang=lang)))
    assert text == saved(f"weather.{lang}.{find_format(form).suffix}", text)


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_one_case_looks_as_saved(form: str, lang: Lang) -> None:
    text = readable("".join(render(CaseDocument(weather(), "T001"), form, lang=lang)))
    assert text == saved(f"case.{lang}.{find_format(form).suffix}", text)


def test_a_terminal_looks_as_saved() -> None:
    console = Console(file=StringIO(), width=80, force_terminal=True, color_system="standard", legacy_windows=False)
    show(RunDocument(comparison()), console)
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert text == saved("comparison.en.ansi", text)
