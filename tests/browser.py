"""A real browser, for the tests of pages and of the viewer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

from .pages.browsing import launch

__all__ = ["browser", "missing"]


def missing(what: str) -> NoReturn:
    """Skip a test that needs something that is not installed; where CI demands it, that is a failure."""
    if os.environ.get("TOOLGAUGE_BROWSER") == "required":
        pytest.fail(f"{what}, and TOOLGAUGE_BROWSER=required", pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's chromium, driven by playwright.

    As long as it is there, so is an event loop of playwright's, and tests of other modules that start one of their own
    would fail: each module has a browser of its own.
    """
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        missing("no chromium is installed; on Debian: apt-get install chromium")
    with launch(path) as started:
        yield started
