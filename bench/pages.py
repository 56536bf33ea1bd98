"""How large the pages of a large run are, and how soon a browser shows them.

`python -m bench pages`, about two minutes on quiet cores.
"""

from __future__ import annotations

import lzma
import random
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec.structs import replace

import toolgauge
import toolgauge.api
from toolgauge.core import Run, Scored

from .measuring import ROOT, Part, run

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


def large_run(agents: int, target: Path) -> None:
    """Write a run file: a shipped suite as it was recorded, again and again, each with words of its own."""
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
    cases, items = [], []
    for number in range(CASES):
        case = suite.cases[number % len(suite.cases)]
        name = f"{case.id}-{number}"
        cases.append(replace(case, id=name, input=f"{case.input} {' '.join(chance.choices(words, k=6))}"))
        items += [_renamed(item, name, words, chance) for item in by_case[case.id][:agents]]
    whole = replace(suite, cases=tuple(cases))
    header = replace(small.header, suite=whole, suite_hash="", agents=(), trajectories=len(items))
    toolgauge.api.write_run(Run(header, small.summary, items), str(target))


def _renamed(item: Scored, name: str, words: list[str], chance: random.Random) -> Scored:
    own = item.trajectory
    calls = [replace(call, result=[call.result, " ".join(chance.choices(words, k=20))]) for call in own.calls]
    output = f"{own.output or ''} {' '.join(chance.choices(words, k=12))}"
    return Scored(replace(own, case=name, calls=tuple(calls), output=output), replace(item.score, case=name))


def measure() -> Part:
    """Write pages of one and of four agents, and open them."""
    title = "Pages"
    writing = ("cases × agents", "size", "wanted", "written in", "memory", "wanted")
    header = (*writing, "first row", "wanted", "first find", "later finds", "wanted")
    about = (
        f"`--format html` of {CASES:,} cases with recorded texts, and that file in chromium: from opening it until the "
        "first row of the list is there, and from a search until what it finds is drawn, for the first search right "
        f"after the first row and for the slowest of those that follow; the medians of {ROUNDS}."
    )
    chromium = shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None:
        return Part(title, about, header, [], ("Left out: chromium or playwright is not installed.",))
    rows = []
    with TemporaryDirectory(prefix="toolgauge-bench-") as folder:
        for agents in (1, 4):
            page, file = Path(folder) / f"{agents}.html", Path(folder) / f"{agents}.run.jsonl"
            large_run(agents, file)
            command = [sys.executable, "-m", "toolgauge", "report", str(file), "--format", "html", "-o", str(page)]
            ran = run(command)
            if ran.code:
                raise RuntimeError(ran.errors)
            times = [sorted(found)[len(found) // 2] for found in zip(*_opened(chromium, page), strict=True)]
            first, find, later = (f"{time:.0f} ms" for time in times)
            size, memory = f"{page.stat().st_size / 1e6:.1f} MB", f"{ran.memory / 1e6:.0f} MB"
            written = (size, "< 20 MB", f"{ran.seconds:.0f} s", memory, "< 400 MB")
            rows.append((f"{CASES:,} × {agents}", *written, first, "< 1 s", find, later, "< 200 ms"))
    return Part(title, about, header, rows)


def _opened(chromium: str, page: Path) -> Iterator[tuple[float, float, float]]:
    """How long the first row, the search right after it and later searches take, several times."""
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
            at_once, *later = (opened.evaluate(FIND, wanted) for wanted in FINDS)
            yield first, at_once, max(later)
            opened.close()
        browser.close()
