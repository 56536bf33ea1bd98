"""How large the pages of a large run are, and how soon a browser shows them."""

from __future__ import annotations

import lzma
import random
import shutil
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

import toolgauge
from toolgauge.core import Run, Scored
from toolgauge.report import RunDocument, render

from .measuring import ROOT, Part

__all__ = ["measure"]

CASES = 10_000
ROUNDS = 5
RECORDED = ROOT / "tests" / "frozen" / "inputs" / "shipped" / "vn-finance.jsonl.xz"
FINDS = ("gia dong cua", "co phieu vnm", "FPT 2026", "khong co dau")

FIRST_ROW = """
const seen = new MutationObserver(() => {
  if (document.querySelector('table.list tbody tr')) { window.firstRow = performance.now(); seen.disconnect(); }
});
seen.observe(document, { childList: true, subtree: true });
"""
FIND = """async (wanted) => {
  const started = performance.now();
  const drawn = new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('.counts')?.textContent.includes(wanted)) return;
      watch.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - started));
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  location.hash = '#cases?q=' + encodeURIComponent(wanted);
  return await drawn;
}"""


def large_run(agents: int) -> Run:
    """Recorded trajectories of a shipped suite, again and again, each with words of its own so that none repeats."""
    chance = random.Random(1)
    with TemporaryDirectory(prefix="toolgauge-bench-") as folder:
        traces = Path(folder) / "traces.jsonl"
        traces.write_bytes(lzma.decompress(RECORDED.read_bytes()))
        small = toolgauge.score("vn-finance", traces)
    by_case: dict[str, list[Scored]] = {}
    for item in small.scored:
        by_case.setdefault(item.score.case, []).append(item)
    suite = small.header.suite
    words = [word for case in suite.cases for word in case.input.split()]
    cases, trajectories = [], []
    for number in range(CASES):
        case = suite.cases[number % len(suite.cases)]
        name = f"{case.id}-{number}"
        text = f"{case.input} {' '.join(chance.choices(words, k=6))}"
        cases.append(msgspec.structs.replace(case, id=name, input=text))
        for item in by_case[case.id][:agents]:
            own = item.trajectory
            calls = [
                msgspec.structs.replace(call, result=[call.result, " ".join(chance.choices(words, k=20))])
                for call in own.calls
            ]
            output = f"{own.output or ''} {' '.join(chance.choices(words, k=12))}"
            trajectories.append(msgspec.structs.replace(own, case=name, calls=tuple(calls), output=output))
    return toolgauge.score(msgspec.structs.replace(suite, cases=tuple(cases)), trajectories)


def measure() -> Part:
    """Write pages of one and of four agents, and open them."""
    title, header = "Pages", ("cases × agents", "size", "wanted", "written in", "first row", "wanted", "find", "wanted")
    about = (
        f"`--format html` of {CASES:,} cases with recorded texts, and that file in chromium: from opening it until the "
        f"first row of the list is there, and from a search until what it finds is drawn; the medians of {ROUNDS}."
    )
    chromium = shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None:
        return Part(title, about, header, [], ("Left out: chromium or playwright is not installed.",))
    rows = []
    with TemporaryDirectory(prefix="toolgauge-bench-") as folder:
        for agents in (1, 4):
            page = Path(folder) / f"{agents}.html"
            run = large_run(agents)
            started = time.perf_counter()
            page.write_text("".join(render(RunDocument(run), "html")), encoding="utf-8")
            took = time.perf_counter() - started
            first, find = (sorted(found)[len(found) // 2] for found in zip(*_opened(chromium, page), strict=True))
            size = f"{page.stat().st_size / 1e6:.1f} MB"
            wanted = ("< 20 MB", "< 1 s", "< 200 ms") if agents == 1 else ("", "", "")
            times = (f"{took:.0f} s", f"{first:.0f} ms", wanted[1], f"{find:.0f} ms", wanted[2])
            rows.append((f"{CASES:,} × {agents}", size, wanted[0], *times))
    return Part(title, about, header, rows)


def _opened(chromium: str, page: Path) -> Iterator[tuple[float, float]]:
    """How long the first row and a search take, several times."""
    from playwright.sync_api import sync_playwright

    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        for _ in range(ROUNDS):
            opened: Any = browser.new_page()
            opened.add_init_script(FIRST_ROW)
            opened.goto(page.as_uri(), wait_until="commit")
            while not (first := opened.evaluate("window.firstRow || 0")):
                opened.wait_for_timeout(20)
            opened.evaluate(FIND, "zzzz")  # waits until texts can be found
            finds = sorted(opened.evaluate(FIND, wanted) for wanted in FINDS)
            yield first, finds[-1]
            opened.close()
        browser.close()
