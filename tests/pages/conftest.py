"""A browser for the tests of pages, and what is looked up once: axe-core and the compiler that checks types."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import missing
from tests.pages.browsing import Opened
from tests.pages.making import MadePages, make_pages

NPM = Path(__file__).parent / "npm"
INSTALLED = Path(__file__).parents[2] / ".venv" / "npm"


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Opened]]:
    """Opens pages, and makes sure that none of them complained or asked for anything."""
    opened: list[Opened] = []

    def visit(path: Path, place: str = "", **options: Any) -> Opened:
        opened.append(Opened(browser, path, place, **options))
        return opened[-1]

    yield visit
    for one in opened:
        one.close()
    assert [one.complaints for one in opened if one.complaints] == []
    assert [one.requests for one in opened if one.requests] == []


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadePages:
    """Pages of real runs."""
    return make_pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """What the tests need of npm, as locked."""
    npm = shutil.which("npm")
    if npm is None:
        missing("no npm is installed, which axe-core and typescript come by")
    lock = NPM / "package-lock.json"
    stamp = INSTALLED / "installed"
    if not stamp.exists() or stamp.read_text() != lock.read_text():
        place = INSTALLED.with_name(f"npm-{os.getpid()}")
        shutil.copytree(NPM, place)
        done = subprocess.run(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            shutil.rmtree(place)
            missing(f"npm cannot install axe-core and typescript: {done.stderr[-300:]}")
        (place / "installed").write_text(lock.read_text())
        shutil.rmtree(INSTALLED, ignore_errors=True)
        place.rename(INSTALLED)
    return INSTALLED / "node_modules"


@pytest.fixture(scope="session")
def axe(node_modules: Path) -> str:
    """The script that looks for what keeps people out."""
    return (node_modules / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
