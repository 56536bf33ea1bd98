"""Every page of the viewer in a real browser: it keeps nobody out, does nothing that a text asks for, and says the same
figures as `--format json`; every mark and every cell leads to exactly its cases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
import pytest

import toolgauge
from tests.pages.browsing import DESKTOP, PHONE
from tests.pages.conftest import axe, node_modules
from tests.pages.making import INPUTS, hostile_run
from toolgauge.catalogue import words_of
from toolgauge.core import Run, Scored
from toolgauge.report import ComparisonDocument, Document, RunDocument, render
from toolgauge.report.diagnosis import pattern_name
from toolgauge.store import open_store

from .serving import Viewer, ready, viewing

__all__ = ["axe", "node_modules"]

pytestmark = pytest.mark.deep


def trials_run(name: str) -> Run:
    return toolgauge.score(INPUTS / "trials" / "suite.json", INPUTS / "trials" / f"{name}.jsonl")


RUNS = {"before": trials_run("before"), "after": trials_run("after"), "hostile": hostile_run()}


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    path = tmp_path_factory.mktemp("looking") / "runs.db"
    with open_store(path) as store:
        for day, (name, run) in enumerate(RUNS.items(), 1):
            header = msgspec.structs.replace(run.header, created=f"2026-11-{day:02d}T03:00:00+00:00")
            store.keep(header, run.scored, name=name)
    with viewing(path) as opened:
        for name in RUNS:
            ready(opened, opened.library.find(name))
        yield opened


@pytest.fixture
def page(browser: Any, viewer: Viewer) -> Iterator[Any]:
    """A page that may complain of nothing and ask nobody else."""
    heard: list[str] = []
    context = browser.new_context(viewport=DESKTOP, bypass_csp=False)
    context.set_default_timeout(15_000)
    opened = context.new_page()
    _listen(opened, viewer, heard)
    yield opened
    opened.goto("about:blank")
    context.close()
    assert heard == []


def _listen(page: Any, viewer: Viewer, heard: list[str]) -> None:
    own = (f"http://{viewer.host}/", "blob:", "about:")
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", lambda said: heard.append(said.text) if said.type in ("error", "warning") else None)
    page.on("dialog", lambda dialog: heard.append(f"dialog {dialog.message}"))
    page.on("request", lambda asked: None if asked.url.startswith(own) else heard.append(asked.url))


def go(page: Any, viewer: Viewer, path: str) -> None:
    page.goto(f"http://{viewer.host}{path}")
    settle(page)


def settle(page: Any) -> None:
    page.locator("main h1[tabindex]").first.wait_for()
    for _ in range(400):
        if page.evaluate(
            "!document.querySelector('.cases') || document.querySelector('.counts').childNodes.length > 0"
        ):
            return
        page.wait_for_timeout(25)
    raise AssertionError("the list of cases was not drawn")


def addresses(viewer: Viewer) -> list[str]:
    """Every kind of page that there is."""
    ids = {name: viewer.library.find(name) for name in RUNS}
    both = f"/runs/{ids['before']}~{ids['after']}"
    ready(viewer, f"{ids['before']}~{ids['after']}")
    return [
        "/",
        "/?q=after",
        f"/runs/{ids['after']}",
        f"/runs/{ids['after']}?by=1",
        f"/runs/{ids['after']}/cases?outcome=failed",
        f"/runs/{ids['after']}/cases?q=nothing",
        f"/runs/{ids['after']}/case?case=c7",
        both,
        f"{both}/case?case=c7",
        "/history?suite=trials",
        f"/runs/{ids['hostile']}",
    ]


@pytest.mark.parametrize(
    ("lang", "dark", "phone"),
    [("en", False, False), ("vi", True, False), ("vi", False, True), ("en", True, True)],
    ids=["desktop", "dark", "phone", "dark phone"],
)
def test_no_page_keeps_people_out(viewer: Viewer, browser: Any, axe: str, lang: str, dark: bool, phone: bool) -> None:
    context = browser.new_context(
        viewport=PHONE if phone else DESKTOP, color_scheme="dark" if dark else "light", bypass_csp=True
    )
    page = context.new_page()
    serious = []
    for address in addresses(viewer):
        go(page, viewer, address + ("&" if "?" in address else "?") + f"lang={lang}")
        page.evaluate("for (const one of document.querySelectorAll('main details:not(.menu)')) one.open = true")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious += [
            (address, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide), (address, "has to be scrolled sideways")
    page.goto("about:blank")
    context.close()
    assert serious == []


def test_hostile_texts_in_every_field_are_shown_as_texts(viewer: Viewer, page: Any) -> None:
    run = viewer.library.find("hostile")
    suite = RUNS["hostile"].header.suite
    strange = (
        "document.querySelectorAll('main script, main img, main iframe, main image, main object, main form[action]')"
    )
    for path in ("/", f"/runs/{run}", "/history?suite=" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E"):
        go(page, viewer, path)
        assert page.evaluate(f"{strange}.length") == 0
    assert len(suite.cases) == 13
    for case in suite.cases:
        go(page, viewer, f"/runs/{run}/cases")
        page.evaluate(
            "(id) => [...document.querySelectorAll('a.case-link')]"
            ".find((one) => new URL(one.href).searchParams.get('case') === id).click()",
            case.id.encode("utf-8", "replace").decode(),
        )
        page.locator("section.question").wait_for()
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        page.wait_for_timeout(50)
        start = re.split("[\u2028\u202e\x1b]", case.input)[0][:60]
        assert start in page.locator("main").inner_text()
        assert page.evaluate(f"{strange}.length") == 0
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        hrefs = page.evaluate("[...document.querySelectorAll('a[href]')].map((a) => new URL(a.href).protocol)")
        assert set(hrefs) == {"http:"}
    assert page.evaluate("/[\\u202e\\u2028]/.test(document.body.textContent)") is False


# --- figures


def table(page: Any, selector: str) -> list[list[str]]:
    """The table behind a chart."""
    rows = "(selector) => [...document.querySelectorAll(selector + ' tbody tr')]"
    return list(page.evaluate(f"{rows}.map((row) => [...row.children].map((cell) => cell.textContent))", selector))


def as_json(document: Document) -> Any:
    return json.loads("".join(render(document, "json")))


def test_the_run_page_says_what_json_says(viewer: Viewer, page: Any) -> None:
    go(page, viewer, f"/runs/{viewer.library.find('after')}")
    report = as_json(RunDocument(RUNS["after"]))
    rows = {(row["agent"], ",".join(row["group"].values())): row["metrics"] for row in report["rows"]}
    shown = page.evaluate(
        "[...document.querySelectorAll('table.figures td[data-value]')].map((cell) => {"
        " const { agent, group } = cell.closest('tr').dataset;"
        " return [agent, group, cell.dataset.metric, Number(cell.dataset.value)] })"
    )
    assert len(shown) > 60
    for agent, group, metric, value in shown:
        assert value == rows[agent, group][metric]["value"]
    known = sum(figure["value"] is not None for metrics in rows.values() for figure in metrics.values())
    assert len(shown) == known
    tools = table(page, ".chart-tools")
    names = ("expected", "called", "right", "wrong_args", "missed", "superfluous", "failed")
    wanted = {(row["tool"], row["agent"]): [str(row[name]) for name in names] for row in report["tools"]}
    assert tools
    assert all(figures == wanted[tool, agent] for tool, agent, *figures in tools)


def test_a_case_page_says_what_json_says(viewer: Viewer, page: Any) -> None:
    report = as_json(RunDocument(RUNS["after"], details=True))
    run = viewer.library.find("after")
    by_case: dict[str, list[Any]] = {}
    for one in report["cases"]:
        by_case.setdefault(one["id"], []).append(one)
    for case, results in list(by_case.items())[::3]:
        for agent in ("calm", "bold"):
            own = [one for one in results if one["agent"] == agent]
            for one in own:
                go(page, viewer, f"/runs/{run}/case?case={case}&show={agent}%23{one['trial']}")
                title = " ".join(page.locator("#aligned-title").inner_text().split())
                assert f"{agent} · trial {one['trial']} " in title
                if one["score"] is not None:
                    assert f"score {one['score']:.2f}" in title
                assert page.locator("ul.issues li").count() == len(one["issues"])
            passed = sum(one["passed"] for one in own)
            listed = " ".join(page.locator("section.trials li", has_text=agent).inner_text().split())
            assert f"{passed} of {len(own)} passed" in listed


def test_two_runs_say_what_compare_says(viewer: Viewer, page: Any) -> None:
    ids = [viewer.library.find(name) for name in ("before", "after")]
    ready(viewer, "~".join(ids))
    go(page, viewer, f"/runs/{'~'.join(ids)}")
    told = as_json(ComparisonDocument(toolgauge.compare(RUNS["before"], RUNS["after"])))
    text = page.locator(".verdict").inner_text()
    agents = {one["name"]: one["agent"] for one in told["contenders"]}
    seen = 0
    for pairing in told["pairings"]:
        if agents[pairing["first"]] != agents[pairing["second"]]:
            continue
        seen += 1
        (rate,) = [one for one in pairing["contrasts"] if one["metric"] == "pass_rate" and not one["group"]]
        difference = rate["difference"]
        assert f"{abs(100 * difference['value']):.1f}".removesuffix(".0") in text
        assert f"{rate['adjusted_p']:.3f}"[:4] in text or "< 0" in text
    assert seen == 2
    counted = dict.fromkeys(("broken", "fixed", "flaky", "unchanged"), 0)
    for kind in counted:
        heading = page.locator(f"details.{kind} > summary .quiet")
        counted[kind] = int(heading.inner_text()) if heading.count() else 0
    assert counted == _changes()
    (line,) = [line for line in text.splitlines() if " broke, " in line]
    found = list(map(int, re.findall(r"\d+", line)))
    assert found[:4] == list(counted.values())


def _changes() -> dict[str, int]:
    """What became of each case and agent, counted from the trials."""
    shares: dict[tuple[str, str], list[float]] = {}
    for name in ("before", "after"):
        passed: dict[tuple[str, str], list[bool]] = {}
        for item in RUNS[name].scored:
            passed.setdefault((item.score.case, item.score.agent), []).append(item.score.passed)
        for key, found in passed.items():
            shares.setdefault(key, []).append(sum(found) / len(found))
    counted = dict.fromkeys(("broken", "fixed", "flaky", "unchanged"), 0)
    for first, second in shares.values():
        steady = [share in (0.0, 1.0) for share in (first, second)]
        if (first - 0.5) * (second - 0.5) < 0 and any(steady):
            counted["fixed" if second > first else "broken"] += 1
        else:
            counted["unchanged" if all(steady) else "flaky"] += 1
    return counted


@pytest.mark.parametrize("metric", ["pass_rate", "f1", "latency"])
def test_a_history_says_what_json_says(viewer: Viewer, page: Any, metric: str) -> None:
    while viewer.get("/api/history", suite="trials", metric=metric)["pending"]:
        page.wait_for_timeout(50)
    go(page, viewer, f"/history?suite=trials&metric={metric}")
    page.locator("figure.history svg a").first.wait_for()
    rows = table(page, "figure.history")
    found = {}
    for name in ("before", "after"):
        for row in as_json(RunDocument(RUNS[name]))["rows"]:
            if not row["group"]:
                found[name, row["agent"]] = row["metrics"][metric]["value"]
    assert len(rows) == len(found) == 4
    for cells in rows:
        (value,) = [value for (name, agent), value in found.items() if name in cells and agent in cells]
        assert any(_same(cell, value) for cell in cells), (cells, value)


def _same(cell: str, value: float) -> bool:
    try:
        digits = len(cell.partition(".")[2])
        return bool(abs(float(cell) - value) <= 0.5 * 0.1**digits + 1e-9)
    except ValueError:
        return False


def test_the_list_of_runs_says_what_json_says(viewer: Viewer, page: Any) -> None:
    go(page, viewer, "/")
    for name, run in RUNS.items():
        counts = as_json(RunDocument(run))["counts"]
        row = page.locator(f'tr[data-run="{viewer.library.find(name)}"] td.num').inner_text()
        assert row.split() == [f"{counts['passed'] / counts['planned']:.2f}", f"{counts['passed']}/{counts['planned']}"]


# --- every mark and every cell leads to exactly its cases


class Oracle:
    """Which cases stand behind filters: found by scoring each case by itself, and by looking at its results."""

    def __init__(self, run: Run) -> None:
        self.items: dict[str, list[Scored]] = {}
        for item in run.scored:
            self.items.setdefault(item.score.case, []).append(item)
        self.cases = {case.id: case for case in run.header.suite.cases}
        self.alone = {
            name: toolgauge.score(
                msgspec.structs.replace(run.header.suite, cases=(case,)),
                [item.trajectory for item in self.items.get(name, ())],
            )
            for name, case in self.cases.items()
        }

    def count(self, query: str, patterns: list[Any]) -> int:
        pairs = parse_qsl(query, keep_blank_values=True)
        return sum(self._fits(name, pairs, patterns) for name in self.cases)

    def _fits(self, name: str, pairs: list[tuple[str, str]], patterns: list[Any]) -> bool:
        asked = dict(pairs)
        case = self.cases[name]
        for key, value in pairs:
            if key == "label" and case.labels.get(value.partition(":")[0], "") != value.partition(":")[2]:
                return False
        if "set" in asked:
            return self._in_set(name, [unquote(part) for part in asked["set"].split("/")], patterns)
        return any(_result_fits(item, asked) for item in self.items.get(name, ()))

    def _in_set(self, case: str, parts: list[str], patterns: list[Any]) -> bool:
        summary = self.alone[case].summary
        if parts[0] == "tool":
            _, agent, tool, what = parts
            rows = [row for row in summary.tools if row.agent == agent and row.tool == tool]
            return any(getattr(row, what) > 0 for row in rows)
        if parts[0] == "confused":
            return any((one.expected, one.called) == (parts[2], parts[3]) for one in summary.confusion)
        text = patterns[int(parts[1])]["text"]
        name = text if isinstance(text, str) else text["en"]
        found = toolgauge.diagnose(self.alone[case]).patterns
        return name in [pattern_name(one, words_of("en")) for one in found]


def _result_fits(item: Scored, asked: dict[str, str]) -> bool:
    usage = item.trajectory.usage
    figures = {
        "latency": item.trajectory.latency_ms,
        "calls": len(item.trajectory.calls),
        "tokens": None if usage is None else usage.tokens,
        "cost": None if usage is None else usage.cost_usd,
    }
    if asked.get("agent") not in (None, item.score.agent):
        return False
    for name, value in figures.items():
        if name in asked:
            low, _, high = asked[name].partition("..")
            if value is None or not (float(low or "-inf") <= value <= float(high or "inf")):
                return False
    return True


@pytest.mark.parametrize("query", ["", "?by=1"])
def test_every_mark_and_every_cell_leads_to_exactly_its_cases(viewer: Viewer, page: Any, query: str) -> None:
    run = viewer.library.find("after")
    oracle = Oracle(RUNS["after"])
    patterns = viewer.get(f"/api/runs/{run}/run")["patterns"]
    go(page, viewer, f"/runs/{run}{query}")
    links = page.evaluate(
        "[...document.querySelectorAll('main a[data-go]')].map((a) => [a.getAttribute('data-go'),"
        " a.getAttribute('href'), a.closest('figure') ? 'mark' : a.closest('table') ? 'cell' : 'pattern'])"
    )
    assert {kind for _, _, kind in links} == {"mark", "cell", "pattern"}
    followed = {filters: href for filters, href, _ in links}
    assert len(followed) > 30
    for filters, href in followed.items():
        wanted = oracle.count(filters, patterns)
        assert wanted > 0, filters
        assert dict(parse_qsl(urlsplit(href).query)).items() >= dict(parse_qsl(filters)).items()
        page.evaluate(
            "(href) => { const a = document.createElement('a'); a.href = href; document.body.append(a); a.click() }",
            href,
        )
        page.wait_for_timeout(60)
        settle(page)
        told = f"{len(oracle.cases)} cases" if wanted == len(oracle.cases) else f"{wanted} of {len(oracle.cases)} cases"
        for _ in range(100):
            if page.locator(".counts").inner_text().startswith(told):
                break
            page.wait_for_timeout(50)
        assert page.locator(".counts").inner_text().startswith(told), (filters, told)
        assert page.locator("table.list tbody a.case-link").count() == min(wanted, 50)


def test_a_run_that_is_not_there_is_said_to_be_missing_and_no_path_is_told(viewer: Viewer, browser: Any) -> None:
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    for lang, said in (("en", "There is no run “nowhere”"), ("vi", "Không có đợt chạy “nowhere”")):
        go(page, viewer, f"/runs/nowhere?lang={lang}")
        page.get_by_text(said).wait_for()
    assert b"runs.db" not in viewer.ask("/api/runs/nowhere/run").body
    both = f"{viewer.library.find('after')}~nowhere"
    assert viewer.ask(f"/api/runs/{both}/run").status == 404
    assert b"runs.db" not in viewer.ask(f"/api/runs/{both}/run").body
    context.close()
