"""Looking at pages with a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

DESKTOP = {"width": 1200, "height": 900}
PHONE = {"width": 390, "height": 800}


@contextmanager
def launch(path: str) -> Iterator[Any]:
    """Start the browser at a path."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield started
        finally:
            started.close()


class Opened:
    """A page that was opened, with everything that it complained about and asked for."""

    def __init__(
        self, browser: Any, path: Path, place: str = "", *, phone: bool = False, dark: bool = False, **options: Any
    ) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        viewport = PHONE if phone else DESKTOP
        self._context = browser.new_context(
            viewport=viewport, color_scheme="dark" if dark else "light", accept_downloads=True, **options
        )
        self.page = self._context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._asked)
        self.address = path.as_uri()
        self.page.on("request", self._requested)
        self.go(place)

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, dialog: Any) -> None:
        self.complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((self.address, "blob:")):
            self.requests.append(request.url)

    def go(self, place: str) -> None:
        """Go to a place of the page, and wait until it is drawn."""
        self.page.goto(self.address + place)
        self.settle()

    def settle(self) -> None:
        """Wait until the page is drawn."""
        self.page.wait_for_selector("main h1[tabindex]")
        self.until("!document.querySelector('.cases') || document.querySelector('.counts').childNodes.length > 0")

    def until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression is true; the browser's own way of waiting is against the policy of the page."""
        ends = monotonic() + 20
        while not self.tells(expression, argument):
            assert monotonic() < ends, expression
            self.page.wait_for_timeout(20)

    def follow(self, selector: str) -> None:
        """Click something that leads elsewhere."""
        self.page.locator(selector).first.click()
        self.page.wait_for_timeout(60)
        self.settle()

    def text(self, selector: str = "main") -> str:
        """What can be read."""
        return str(self.page.locator(selector).first.inner_text())

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(self.page.locator(selector).count())

    def tells(self, expression: str, argument: Any = None) -> Any:
        """What an expression gives."""
        return self.page.evaluate(expression, argument)

    def shown_cases(self) -> list[str]:
        """The ids in the list of cases."""
        return list(self.page.locator("table.list tbody a.case-link").all_inner_texts())

    def overflows(self) -> bool:
        """Whether the page has to be scrolled sideways."""
        return bool(self.tells("document.documentElement.scrollWidth > document.documentElement.clientWidth"))

    def close(self) -> None:
        """Leave the page."""
        self._context.close()
