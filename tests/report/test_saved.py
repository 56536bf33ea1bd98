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
from toolgauge.report import FORMATS, Lang, Report, render, render_case, show

SAVED = Path(__file__).parent / "saved"
SUFFIXES = {"text": "txt", "md": "md", "json": "json", "csv": "csv", "latex": "tex"}


def check(name: str, text: str) -> None:
    file = SAVED / name
    if os.environ.get("TOOLGAUGE_RENEW"):
        file.write_text(text, encoding="utf-8", newline="")
    with file.open(encoding="utf-8", newline="") as saved:
        assert text == saved.read()


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_comparison_looks_as_saved(form: str, lang: Lang) -> None:
    report = Report(comparison(), lang=lang)
    check(f"comparison.{lang}.{SUFFIXES[form]}", "".join(render(report, form)))


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_single_cases_and_failures_look_as_saved(form: str, lang: Lang) -> None:
    report = Report(weather(), details=True, failures=True, lang=lang)
    check(f"weather.{lang}.{SUFFIXES[form]}", "".join(render(report, form)))


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("form", FORMATS)
def test_one_case_looks_as_saved(form: str, lang: Lang) -> None:
    check(f"case.{lang}.{SUFFIXES[form]}", "".join(render_case(weather(), "T001", lang, form)))


def test_a_terminal_looks_as_saved() -> None:
    console = Console(file=StringIO(), width=80, force_terminal=True, color_system="standard", legacy_windows=False)
    show(Report(comparison()), console)
    assert isinstance(console.file, StringIO)
    check("comparison.en.ansi", console.file.getvalue())
