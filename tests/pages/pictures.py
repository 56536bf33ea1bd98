"""Pictures of every page, to be looked at one by one: `python -m tests.pages.pictures FOLDER [PART OF A NAME ...]`.

Pages of the viewer and of one file, in both languages, light and dark, on a desktop, on a phone and in print. They are
made of the recorded runs that the tests use. With `--readme` the four pictures of the README go into the folder.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import msgspec

import toolgauge
from tests.pages.browsing import DESKTOP, PHONE, launch
from tests.pages.making import INPUTS, make_pages
from tests.viewer.serving import Viewer, ready, viewing
from toolgauge.core import Run
from toolgauge.store import open_store

PAPER = {"width": 718, "height": 1000}
"""The width of A4 between margins of 10 mm."""

LOOKS = {
    "en-light-desktop": ("en", False, DESKTOP),
    "vi-dark-desktop": ("vi", True, DESKTOP),
    "vi-light-phone": ("vi", False, PHONE),
    "en-dark-phone": ("en", True, PHONE),
    "en-dark-desktop": ("en", True, DESKTOP),
    "vi-light-desktop": ("vi", False, DESKTOP),
    "en-light-phone": ("en", False, PHONE),
    "vi-dark-phone": ("vi", True, PHONE),
    "en-print": ("en", False, PAPER),
    "vi-print": ("vi", True, PAPER),
}

README = {"width": 1100, "height": 800}

SLICE, MAX_SLICES = 1500, 5
"""A page is cut into pictures of so many pixels, and no more than so many of them."""


def _kept(store: Any, run: Run, name: str, created: str, **about: Any) -> str:
    header = msgspec.structs.replace(run.header, created=created, about={**run.header.about, **about})
    return str(store.keep(header, run.scored, name=name))


@contextmanager
def made_store(path: Path, finance: Run) -> Iterator[dict[str, str]]:
    """Several runs of two suites, one of them in progress: by what they are called their ids."""
    suite = INPUTS / "trials" / "suite.json"
    before, after = (toolgauge.score(suite, INPUTS / "trials" / f"{name}.jsonl") for name in ("before", "after"))
    found: dict[str, str] = {}
    with open_store(path) as store:
        for number in range(9):
            run = (before, after)[number % 2]
            model = "lexical-2" if number > 5 else "lexical-1"
            if number == 3:  # another suite under the same name cannot be compared with those before
                cases = (*run.header.suite.cases[:-1],)
                run = toolgauge.score(
                    msgspec.structs.replace(run.header.suite, cases=cases), INPUTS / "trials" / "after.jsonl"
                )
            name = f"nightly-{number + 1}"
            found[name] = _kept(store, run, name, f"2026-11-{number + 1:02d}T03:00:00+00:00", model=model)
        found["finance"] = _kept(store, finance, "vn-finance", "2026-11-12T09:30:00+00:00", model="lexical-1")
        # One that is still being made.
        header = msgspec.structs.replace(finance.header, created="2026-11-14T08:00:00+00:00", notes=())
        writer = store.begin(header, 368, name="in progress")
        for item, _ in zip(finance.scored, range(150), strict=False):
            writer.save(item)
        found["live"] = writer.id
        yield found


def places(runs: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The pages of the viewer: what they are called, and their addresses."""
    finance = f"/runs/{runs['finance']}"
    trials = f"/runs/{runs['nightly-9']}"
    two = f"/runs/{runs['nightly-8']}~{runs['nightly-9']}"
    yield "runs", "/"
    yield "runs-found", "/?q=nightly&sort=-passed"
    yield "run", finance
    yield "run-by-label", f"{finance}?by=1"
    yield "run-trials", trials
    yield "run-in-progress", f"/runs/{runs['live']}"
    yield "cases", f"{finance}/cases?q=gia+dong+cua&outcome=failed"
    yield "cases-columns", f"{trials}/cases?cols=input%7Clatency%7Ccalls%7Ctokens%7Ccost%7Cscore&sort=-latency"
    yield "cases-none", f"{finance}/cases?q=zzzz"
    yield "case", f"{finance}/case?case=d23"
    yield "case-trials", f"{trials}/case?case=c7"
    yield "case-missing", f"{finance}/case?case=nowhere"
    yield "two-runs", two
    yield "two-runs-case", f"{two}/case?case=c7"
    yield "history", "/history?metric=pass_rate&suite=" + quote("trials")
    yield "run-missing", "/runs/nowhere"


class Pictures:
    """Takes pictures of pages."""

    def __init__(self, browser: Any, folder: Path, wanted: list[str]) -> None:
        self._browser, self._folder, self._wanted = browser, folder, wanted

    def take(self, name: str, address: str) -> None:
        """Take pictures of a page in all its looks, from top to bottom."""
        for look, (lang, dark, viewport) in LOOKS.items():
            if self._wanted and not any(part in f"{name}.{look}" for part in self._wanted):
                continue
            with self._opened(address, lang, dark, viewport) as page:
                if "print" in look:
                    page.emulate_media(media="print")
                for number, clip in enumerate(_slices(page), 1):
                    file = f"{name}.{look}.{number}.png"
                    page.screenshot(path=self._folder / file, full_page=True, clip=clip)
                    sys.stdout.write(f"{file}\n")

    @contextmanager
    def _opened(self, address: str, lang: str, dark: bool, viewport: Any) -> Iterator[Any]:
        context = self._browser.new_context(viewport=viewport, color_scheme="dark" if dark else "light")
        page = context.new_page()
        path, _, place = address.partition("#")
        if address.startswith("file:"):
            page.goto(f"{path}#{place or 'run'}{'&' if '?' in place else '?'}lang={lang}")
        else:
            page.goto(f"{path}{'&' if '?' in path else '?'}lang={lang}")
        page.wait_for_selector("main h1[tabindex]")
        page.wait_for_timeout(1200)
        yield page
        page.goto("about:blank")
        context.close()


def _slices(page: Any) -> Iterator[dict[str, float]]:
    width, height = page.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
    for top in range(0, min(height, SLICE * MAX_SLICES), SLICE):
        yield {"x": 0, "y": top, "width": width, "height": min(SLICE, height - top)}


def main() -> None:
    """Take them."""
    parser = argparse.ArgumentParser(prog="python -m tests.pages.pictures")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--readme", action="store_true", help="the pictures of the README: for docs/images")
    parser.add_argument("wanted", nargs="*", help="only those in whose name one of these stands")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    assert chromium is not None, "no chromium is installed"
    with TemporaryDirectory(prefix="toolgauge-pictures-") as made:
        pages = make_pages(Path(made))
        with (
            made_store(Path(made) / "runs.db", pages.finance_run) as runs,
            viewing(Path(made) / "runs.db", cases_file=Path(made) / "made.yaml") as viewer,
            launch(chromium) as browser,
        ):
            if options.readme:
                _readme(browser, options.folder, pages)
            else:
                _all(Pictures(browser, options.folder, options.wanted), viewer, runs, pages)


def _readme(browser: Any, folder: Path, pages: Any) -> None:
    for name, path, place, dark in (
        ("run-page", pages.finance, "run", False),
        ("case-page", pages.finance, "case/d23", False),
        ("two-runs", pages.two, "run", False),
        ("cases-vi", pages.finance, "cases?q=gia+dong+cua&lang=vi", True),
    ):
        context = browser.new_context(viewport=README, color_scheme="dark" if dark else "light")
        page = context.new_page()
        page.goto(f"{path.as_uri()}#{place}")
        page.wait_for_selector("main h1[tabindex]")
        page.wait_for_timeout(1000)
        page.screenshot(path=folder / f"{name}.png")
        context.close()


def _all(pictures: Pictures, viewer: Viewer, runs: dict[str, str], pages: Any) -> None:
    for run in (runs["finance"], runs["nightly-9"]):
        ready(viewer, run)
    viewer.get("/api/history")
    for name, address in places(runs):
        pictures.take(name, f"http://{viewer.host}{address}")
    for name, path, place in (
        ("file-run", pages.finance, "run"),
        ("file-case", pages.finance, "case/d23"),
        ("file-two-runs", pages.two, "run"),
        ("file-hostile", pages.hostile, "run"),
        ("file-hostile-case", pages.hostile, f"case/{quote(pages.hostile_run.header.suite.cases[0].id, safe='')}"),
    ):
        pictures.take(name, f"{path.as_uri()}#{place}")


if __name__ == "__main__":
    main()
