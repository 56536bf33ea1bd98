"""A real browser: Debian's chromium, driven by playwright. Where there is none, tests that need one are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["browser_page"]

NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str:
    """Where the browser is.

    In CI, which installs one, a missing browser is a failure and no reason to skip.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        why = "no browser was found; install Debian's package chromium"
        pytest.fail(why) if os.environ.get("TOOLGAUGE_NEEDS_BROWSER") else pytest.skip(why)
    return found


@contextmanager
def browser_page(**options: Any) -> Iterator[tuple[Any, list[str]]]:
    """A page of a browser, and what went wrong on it so far: errors of scripts, and of the console."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; see make test-deep")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_page(viewport={"width": 1200, "height": 900}, **options)
            faults: list[str] = []
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
            yield page, faults
        finally:
            browser.close()
