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

from tests.report.runs import comparison, weather
from toolgauge.catalogue import Lang
from toolgauge.report import FORMATS, Report, render, render_case, show

SAVED = Path(__file__).parent / "saved"
SUFFIXES = {"text": "txt", "md": "md", "json": "json", "csv": "csv", "latex": "tex"}


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
    report = Report(comparison(), lang=lang)
    text = "".join(render(report, form))
    assert text == saved(f"comparison.{lang}.{SUFFIXES[form]}", text)


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_single_cases_and_failures_look_as_saved(form: str, lang: Lang) -> None:
    report = Report(weather(), details=True, failures=True, lang=lang)
    text = "".join(render(report, form))
    assert text == saved(f"weather.{lang}.{SUFFIXES[form]}", text)


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_one_case_looks_as_saved(form: str, lang: Lang) -> None:
    text = "".join(render_case(weather(), "T001", lang, form))
    assert text == saved(f"case.{lang}.{SUFFIXES[form]}", text)


def test_a_terminal_looks_as_saved() -> None:
    console = Console(file=StringIO(), width=80, force_terminal=True, color_system="standard", legacy_windows=False)
    show(Report(comparison()), console)
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert text == saved("comparison.en.ansi", text)
