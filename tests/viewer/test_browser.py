"""The viewer in a real browser: open, find, compare, follow a run that is being written, review by key."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from toolgauge import api
from toolgauge.core import Call, Trajectory
from toolgauge.store import open_store

from ..cli.running import toolgauge
from .serving import Viewer, header, kept, ready, scored, suite, viewing

pytestmark = pytest.mark.deep


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page of a real browser, which may not complain."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(10_000)
    opened = context.new_page()
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    yield opened
    context.close()
    assert complaints == []


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    kept(path, suite(12), name="monday")
    kept(path, suite(12), name="tuesday", created="2026-02-01T10:00:00+00:00")
    return path


@contextmanager
def looking(page: Any, store: Path, **options: Any) -> Iterator[Viewer]:
    """A viewer that the page has left when it ends."""
    with viewing(store, **options) as viewer:
        try:
            yield viewer
        finally:
            page.goto("about:blank")


def address(viewer: Viewer, path: str = "/") -> str:
    return f"http://127.0.0.1:{viewer.place.port}{path}"


def test_from_the_list_to_a_run_to_a_case_and_back(page: Any, store: Path) -> None:
    with looking(page, store) as viewer:
        page.goto(address(viewer))
        page.get_by_role("link", name="tuesday").wait_for()
        page.get_by_label("Find by name").fill("MONDAY")
        page.keyboard.press("Enter")
        page.get_by_text("1 of 2 runs").wait_for()
        page.get_by_role("link", name="monday").click()
        page.get_by_role("heading", name="weather").wait_for()
        page.locator("table.list a.case-link", has_text=re.compile("^d3$")).click()
        page.get_by_role("heading", name="d3").wait_for()
        assert "/case?case=d3" in page.url
        page.keyboard.press("j")
        page.get_by_role("heading", name="d4").wait_for()
        page.go_back()
        page.get_by_role("heading", name="d3").wait_for()
        page.reload()
        page.get_by_role("heading", name="d3").wait_for()


@pytest.mark.parametrize("text", ["Hà Nội", "ha noi"])
def test_a_text_is_found_and_the_address_holds_it(page: Any, store: Path, text: str) -> None:
    with looking(page, store) as viewer:
        page.goto(address(viewer, "/runs/" + viewer.library.find("monday")))
        page.locator("table.list").first.wait_for()
        page.keyboard.press("/")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.get_by_text("3 of 12 cases").wait_for()
        page.goto(page.url)
        page.get_by_text("3 of 12 cases").wait_for()
        with page.expect_download() as taken:
            page.get_by_role("link", name="CSV").click()
        lines = Path(taken.value.path()).read_text(encoding="utf-8").splitlines()
        assert len(lines) == 1 + 3 * 2


def test_two_runs_stand_side_by_side(page: Any, store: Path) -> None:
    with looking(page, store) as viewer:
        page.goto(address(viewer))
        page.get_by_role("link", name="tuesday").wait_for()
        for box in page.locator("table.runs input[type=checkbox]").all():
            box.check()
        page.get_by_role("button", name="Compare").click()
        page.get_by_text("From monday to tuesday").wait_for()
        page.get_by_text("0 broke, 0 fixed").first.wait_for()
        assert page.get_by_text("From monday to tuesday").count() == 1


def test_a_run_in_progress_is_followed_without_the_page_jumping(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(30)
    made = scored(of)
    with open_store(path) as opened, looking(page, path) as viewer:
        writer = opened.begin(header(of, trials=1), 60, name="live")
        for one in made[:20]:
            writer.save(one)

        def write() -> None:
            for one in made[20:]:
                time.sleep(0.12)
                writer.save(one)
            writer.finish("finished")

        page.goto(address(viewer, f"/runs/{writer.id}"))
        row = page.locator("a.case-link", has_text=re.compile("^d12$"))
        row.wait_for()
        page.wait_for_timeout(2500)
        row.evaluate("row => row.scrollIntoView({block: 'center', behavior: 'instant'})")
        before = row.bounding_box()["y"]
        thread = Thread(target=write)
        thread.start()
        page.get_by_text("Running:").wait_for()
        seen = []
        while thread.is_alive():
            box = row.bounding_box()
            seen.append(box["y"] if box else None)
            page.wait_for_timeout(100)
        thread.join()
        page.get_by_text("60 planned = ").filter(has_not_text="not run").wait_for(timeout=15_000)
        moved = [place for place in seen if place is not None and abs(place - before) > 40]
        assert len(moved) <= len(seen) // 10, seen
        assert page.locator("p.live").inner_text() == ""


def test_a_case_is_reviewed_by_key_and_the_gate_sees_it(page: Any, tmp_path: Path) -> None:
    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", "nightly", cwd=tmp_path)
    store = tmp_path / ".toolgauge" / "runs.db"
    gate = ("gate", "nightly", "--agent", "hasty", "--min-pass-rate", "0.5")
    assert toolgauge(*gate, cwd=tmp_path).returncode == 1
    with looking(page, store, cases_file=tmp_path / "made.yaml") as viewer:
        run = viewer.library.find("nightly")
        ready(viewer, run)
        page.goto(address(viewer, f"/runs/{run}/case?case=forecast_hue&show=hasty%231"))
        page.get_by_role("heading", name="forecast_hue").wait_for()
        page.get_by_label("Note").fill("It did rain")
        page.get_by_role("heading", name="forecast_hue").click()
        page.keyboard.press("1")
        page.locator('[data-verdict="right"][aria-pressed="true"]').wait_for()
        page.get_by_role("button", name="Make a case of this").click()
        page.get_by_text("forecast_hue is in made.yaml").wait_for()
        page.goto(address(viewer, f"/runs/{run}/cases?review=right"))
        page.get_by_text("1 of 4 cases").wait_for()
    assert "forecast_hue" in (tmp_path / "made.yaml").read_text(encoding="utf-8")
    assert toolgauge(*gate, cwd=tmp_path).returncode == 1
    assert toolgauge(*gate, "--with-reviews", cwd=tmp_path).returncode == 0


def test_every_page_speaks_vietnamese(page: Any, store: Path) -> None:
    with looking(page, store) as viewer:
        run = viewer.library.find("monday")
        for path in ("/", f"/runs/{run}", f"/runs/{run}/cases", f"/runs/{run}/case?case=d1", "/history"):
            page.goto(address(viewer, path + ("&" if "?" in path else "?") + "lang=vi"))
            page.locator("main h1").wait_for()
            page.wait_for_timeout(300)
            shown = page.locator("body").inner_text()
            assert not re.search(r"\bpage\.\w+|\bsection\.\w+|\bcolumn\.\w+", shown), path
            assert re.search("[ợảị]", shown)


def test_hostile_texts_are_shown_as_texts(page: Any, tmp_path: Path) -> None:
    from .test_hostile import SCRIPT, hostile_run, hostile_suite

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append("dialog"))
    run = hostile_run(tmp_path / "runs.db")
    with looking(page, tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        for path in ("/", f"/runs/{run}", "/history"):
            page.goto(address(viewer, path))
            page.locator("main h1").wait_for()
            page.wait_for_timeout(300)
        for number in range(len(hostile_suite().cases)):
            page.goto(address(viewer, f"/runs/{run}/cases"))
            page.locator("a.case-link").nth(number).click()
            page.locator("section.question").wait_for()
        assert SCRIPT in page.content() or "&lt;script&gt;" in page.content()
        assert not [url for url in asked if not url.startswith((address(viewer, "/"), "blob:"))]


def test_a_history_leads_to_its_runs(page: Any, store: Path) -> None:
    with looking(page, store) as viewer:
        page.goto(address(viewer, "/history?metric=f1"))
        page.locator("figure.history svg a").first.wait_for(timeout=20_000)
        page.locator("figure.history svg a").first.click()
        page.get_by_role("heading", name="weather").wait_for()
        assert "/history" not in page.url


def test_a_case_with_50000_calls_and_one_with_a_result_of_50_mb_stay_usable(page: Any, tmp_path: Path) -> None:
    of = suite(2)
    many = Trajectory("d0", "react", 1, calls=tuple(Call("look", {"n": n}) for n in range(50_000)), output="done")
    large = Trajectory("d1", "react", 1, calls=(Call("look", {}, result="x" * 50_000_000),), output="done")
    with open_store(tmp_path / "runs.db") as opened:
        run = opened.keep(header(of, ["react"]), api.score(of, [many, large]).scored)
    page.set_default_timeout(60_000)
    with looking(page, tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        page.goto(address(viewer, f"/runs/{run}/case?case=d0"))
        page.locator("table.aligned").wait_for()
        assert page.locator("table.aligned tbody tr").count() <= 200
        page.get_by_role("button", name="more").first.click()
        assert 200 < page.locator("table.aligned tbody tr").count() <= 400
        assert page.evaluate("document.querySelectorAll('*').length") < 20_000
        page.locator("details.raw summary").click()
        assert page.evaluate("document.querySelector('details.raw pre').textContent.length") <= 200_001
        page.keyboard.press("j")
        page.get_by_role("heading", name="d1").wait_for()
        page.locator("details.raw summary").click()
        assert page.evaluate("document.body.textContent.length") < 1_000_000
