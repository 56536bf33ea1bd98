"""What people see and do on the pages of one file, in a real browser."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import toolgauge
from tests.pages.browsing import Opened
from tests.pages.making import HOSTILE, LONG, MadePages, written
from toolgauge.catalogue import Lang
from toolgauge.core import Call, Case, Expect, ExpectedCall, Suite, Trajectory
from toolgauge.report import CaseDocument, RunDocument, render
from toolgauge.store.reviews import REVIEWS_SCHEMA

pytestmark = pytest.mark.deep

Open = Callable[..., Opened]

PLACES = ("", "#cases?outcome=failed&sort=-issues", "#case/d23", "#case/nowhere")


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("phone", [False, True])
def test_every_page_is_drawn_without_a_complaint_and_fits(
    made: MadePages, open_page: Open, lang: str, dark: bool, phone: bool
) -> None:
    looks = {"phone": phone, "dark": dark}
    for path, places in ((made.finance, PLACES), (made.trials, ("", "#case/c1")), (made.two, ("", "#case/c7"))):
        for place in places:
            sign = "&" if "?" in place else "?"
            if place == "#case/nowhere":
                continue
            opened = open_page(path, (place or "#run") + f"{sign}lang={lang}", **looks)
            assert not opened.overflows(), place
            assert opened.tells("document.documentElement.lang") == lang
            for key in ("page.", "state.", "column."):
                assert f" {key}" not in opened.text(), place


def test_a_case_that_is_not_there_is_said_to_be_missing(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    opened.tells("location.hash = '#case/nowhere'")
    opened.until("document.querySelector('main').innerText.includes('nowhere')")
    assert "nowhere" in opened.text()


def test_every_mark_leads_to_its_cases(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    marks = opened.tells(
        "[...document.querySelectorAll('svg a')].map((a) =>"
        " [a.getAttribute('href'), a.querySelector('title').textContent, a.closest('figure').className])"
    )
    assert len(marks) > 60
    results = {(item.score.case, item.score.agent): item for item in made.finance_run.scored}
    assert len(results) == 368
    for href, label, figure in {mark[0]: mark for mark in marks}.values():
        assert href.startswith("#cases?"), label
        opened.tells("(href) => { location.hash = href }", href)
        opened.page.wait_for_timeout(30)
        opened.settle()
        first = opened.text(".counts").split()[0]
        assert int(first) > 0, label
        if "chart-latency" in figure or "chart-calls" in figure or "chart-confusion" in figure:
            figures = [int(word.strip(":,")) for word in label.split() if word.strip(":,").isdigit()]
            counted = figures[-1] if "confusion" in figure else int(label.split(": ")[1].split()[0])
            assert int(first) <= counted, label
            if "confusion" not in figure:
                assert int(first) == counted, label


def test_a_mark_is_followed_by_a_click_and_the_way_back_works(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    opened.follow(".chart-tools svg a")
    assert "of 92" in opened.text(".counts")
    assert opened.count(".counts .chip") == 1
    opened.follow("table.list a.case-link")
    assert opened.count("table.aligned") == 1
    opened.page.go_back()
    opened.page.wait_for_selector(".counts .chip")
    opened.page.go_back()
    opened.until("location.hash === ''")


def test_the_figures_are_those_of_json(made: MadePages, open_page: Open) -> None:
    report = json.loads("".join(render(RunDocument(made.finance_run), "json")))
    opened = open_page(made.finance)
    opened.page.locator("#figures details summary").click()
    shown = opened.tells(
        "[...document.querySelectorAll('table.figures tbody tr [data-metric]')].map((cell) => {"
        " const { agent, group } = cell.closest('tr').dataset;"
        " return [agent, group, cell.dataset.metric, cell.dataset.value, cell.innerText] })"
    )
    seen = set()
    rows = {(row["agent"], ",".join(row["group"].values())): row["metrics"] for row in report["rows"]}
    for agent, group, metric, value, text in shown:
        figure = rows[agent, group][metric]
        seen.add((agent, group, metric))
        if figure["value"] is None:
            assert value is None
            assert text == "–"
            continue
        assert float(value) == figure["value"]
        if metric in ("pass_rate", "f1", "tool_fail_rate"):
            assert text.split()[0] == f"{figure['value']:.2f}"
            assert text.split()[1] == f"{figure['low']:.2f}–{figure['high']:.2f}"
    known = {
        (agent, group, name)
        for (agent, group), metrics in rows.items()
        for name in metrics
        if any(other[name]["value"] is not None for other in rows.values())
    }
    assert seen == known
    counts = report["counts"]
    assert f"{counts['planned']} planned = {counts['passed']} passed" in opened.text(".verdict")
    labels = "[...document.querySelectorAll('.chart-pass_rate svg a')].map((a) => a.querySelector('title').textContent)"
    marks = opened.tells(labels)
    for label in marks:
        agent, _, rest = label.partition(": ")
        assert rest.startswith(f"{rows[agent, '']['pass_rate']['value']:.2f}")


def test_a_text_is_found_with_and_without_tones(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#cases?q=" + quote("giá đóng cửa"))
    with_tones = opened.text(".counts")
    opened.go("#cases?q=gia+dong+cua")
    assert opened.text(".counts").split(" cases")[0] == with_tones.split(" cases")[0]
    assert 0 < int(with_tones.split()[0]) < 92
    opened.page.fill("#find", "GIA DONG CUA vnm")
    opened.page.press("#find", "Enter")
    opened.until("location.hash.includes('vnm')")
    opened.settle()
    assert 0 < int(opened.text(".counts").split()[0]) < int(with_tones.split()[0])
    assert opened.page.input_value("#find") == "GIA DONG CUA vnm"


def test_filters_count_and_the_address_opens_the_same_view(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#cases")
    for label, value in (("Agent", "react"), ("Result", "failed"), ("Issue", "unexpected_call")):
        opened.page.get_by_label(label, exact=True).first.select_option(value)
        opened.page.wait_for_timeout(80)
        opened.settle()
    wanted = [
        item.score.case
        for item in made.finance_run.scored
        if item.score.agent == "react"
        and not item.score.passed
        and item.score.state == "completed"
        and any(issue.kind == "unexpected_call" for issue in item.score.issues)
    ]
    assert opened.text(".counts").startswith(f"{len(wanted)} of 92")
    assert opened.shown_cases() == [case for case in opened.shown_cases() if case in wanted]
    again = open_page(made.finance, "#" + opened.page.url.split("#")[1])
    assert again.shown_cases() == opened.shown_cases()
    again.follow(".counts .chip")
    assert again.shown_cases() != opened.shown_cases()


def test_columns_and_order_are_kept_in_the_address(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#cases?cols=" + quote("input|calls") + "&sort=-calls")
    titles = opened.page.locator("table.list thead th").all_inner_texts()
    assert [title.split(" ")[0] for title in titles] == ["Case", "Question", "Calls"]
    calls = [float(text) for text in opened.page.locator("table.list td.num").all_inner_texts()]
    assert calls == sorted(calls, reverse=True)
    assert opened.page.locator("th[aria-sort=descending]").count() == 1


def test_what_is_filtered_can_be_saved(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.hostile, "#cases")
    saved = {}
    for kind in ("CSV", "JSONL"):
        with opened.page.expect_download() as waiting:
            opened.page.get_by_role("button", name=kind, exact=True).click()
        saved[kind] = waiting.value.path().read_text(encoding="utf-8")
    rows = list(csv.DictReader(StringIO(saved["CSV"], newline="")))
    cases = [json.loads(line) for line in saved["JSONL"].split("\n") if line]
    assert len(rows) == 2 * len(cases) == 2 * len(made.hostile_run.header.suite.cases)
    assert [case["input"] for case in cases] == [case.input for case in made.hostile_run.header.suite.cases]
    assert not any(cell.startswith(("=", "+", "@", "\t")) for row in rows for cell in row.values())


def test_hostile_texts_are_shown_as_texts(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.hostile)
    assert "[object" not in opened.text()  # a label called __proto__ is one that most cases do not have
    assert "<script>alert(1)</script>" in opened.text()
    places = opened.tells("[...document.querySelectorAll('a')].map((a) => a.getAttribute('href')).filter(Boolean)")
    assert all(place.startswith("#") for place in places)
    for case in made.hostile_run.header.suite.cases:
        opened.go("#case/" + quote(case.id, safe="", errors="replace"))
        for details in opened.page.locator("main details summary").all():
            details.click()
        shown = opened.text()
        start = case.input.split("\u2028")[0].split("\u202e")[0].split("\x1b")[0][:60]
        assert start in shown
        assert not opened.overflows()
        assert opened.tells("document.querySelectorAll('main script, main img, main iframe, main image').length") == 0
    assert opened.tells("document.body.textContent.includes('\\u202e')") is False


def test_a_long_word_and_every_hostile_text_are_on_the_page_of_their_case(made: MadePages) -> None:
    assert len({case.input for case in made.hostile_run.header.suite.cases}) == len(HOSTILE) + 1
    assert LONG in [case.input for case in made.hostile_run.header.suite.cases]


def test_language_and_darkness_are_switched(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#case/d23")
    opened.follow(".languages a[lang=vi]")
    assert "Câu trả lời" in opened.text()
    assert opened.tells("document.documentElement.lang") == "vi"
    paper = "getComputedStyle(document.body).backgroundColor"
    before = opened.tells(paper)
    opened.page.locator(".theme").click()
    assert opened.tells(paper) != before
    opened.follow(".languages a[lang=en]")
    assert "Answer" in opened.text()


def test_everything_can_be_done_with_the_keyboard(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.trials)
    keyboard = opened.page.keyboard
    keyboard.press("Tab")
    assert "skip" in opened.tells("document.activeElement.className")
    keyboard.press("Enter")
    assert opened.tells("document.activeElement.tagName") == "H1"
    opened.page.locator(".chart-pass_rate svg a").first.focus()
    keyboard.press("Enter")
    opened.page.wait_for_selector(".counts .chip")
    keyboard.press("/")
    assert opened.tells("document.activeElement.id") == "find"
    keyboard.press("Escape")
    opened.page.locator("table.list a.case-link").first.focus()
    keyboard.press("Enter")
    opened.page.wait_for_selector("table.aligned")
    first = opened.text("h1")
    keyboard.press("j")
    opened.until("(was) => document.querySelector('h1').innerText !== was", first)
    keyboard.press("k")
    opened.until("(was) => document.querySelector('h1').innerText === was", first)
    keyboard.press("2")
    opened.page.wait_for_selector(".review [data-verdict=wrong][aria-pressed=true]")
    keyboard.press("u")
    opened.page.wait_for_selector("table.list")


def test_reviews_are_kept_filtered_by_and_downloaded(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.trials, "#case/c1")
    opened.page.fill(".review input", "đáp án cũ")
    opened.page.locator("[data-verdict=gold_is_wrong]").click()
    opened.page.wait_for_selector("[data-verdict=gold_is_wrong][aria-pressed=true]")
    with opened.page.expect_download() as waiting:
        opened.page.locator(".review button").last.click()
    head, review = map(json.loads, waiting.value.path().read_text(encoding="utf-8").splitlines())
    assert head["schema"] == REVIEWS_SCHEMA
    assert (review["case"], review["verdict"], review["note"]) == ("c1", "gold_is_wrong", "đáp án cũ")
    assert {"agent", "trial", "at"} <= review.keys()
    opened.tells("location.hash = '#cases?review=gold_is_wrong'")
    opened.page.wait_for_selector("table.list")
    assert opened.shown_cases() == ["c1"]


def test_two_trajectories_part_where_their_calls_first_differ(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    by_case: dict[str, dict[str, Any]] = {}
    for item in made.finance_run.scored:
        by_case.setdefault(item.score.case, {})[item.score.agent] = item.trajectory.calls
    seen = 0
    for case, calls in list(by_case.items())[::4]:
        one, other = ([(call.tool, call.args) for call in calls[agent]] for agent in ("react", "multi"))
        same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        opened.go(f"#case/{case}?a=" + quote("react#1") + "&b=" + quote("multi#1"))
        sentence = opened.text(".part .sentence")
        if one == other:
            assert "same calls" in sentence
        else:
            seen += 1
            assert f"at call {same + 1}:" in sentence
            assert opened.count("tr.parting") == 1
            assert opened.count("table.pair tr.same") >= same
    assert seen > 2


def test_two_runs_open_with_what_changed_and_lead_to_both_trajectories(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.two)
    assert "calm is worse than before" in opened.text(".lead")
    assert "1 broke, 0 fixed" in opened.text(".verdict")
    opened.follow("details.broken a.case-link")
    assert opened.text("h1") == "c7"
    chosen = opened.tells("[...document.querySelectorAll('table.pair select')].map((one) => one.value)")
    assert ["(run 1)" in chosen[0], "(run 2)" in chosen[1]] == [True, True]


def test_print_leaves_out_what_cannot_be_pressed(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    opened.page.emulate_media(media="print")
    for pressed in (".settings", ".filters", ".toolbar", ".pager a"):
        assert opened.tells(f"getComputedStyle(document.querySelector('{pressed}')).display") == "none"
    assert "1–50 of 92" in opened.text(".pager")  # paper says which of the cases it has
    assert "vn-finance" in opened.text("header")


@pytest.mark.parametrize(("lang", "dark"), [("en", False), ("vi", True)])
def test_nothing_keeps_people_out(
    made: MadePages, open_page: Open, axe: str, tmp_path: Path, lang: Lang, dark: bool
) -> None:
    case = written(tmp_path / "case.html", CaseDocument(made.trials_run, "c7"), lang)
    pages = (
        (made.finance, "#run"),
        (made.finance, "#cases?outcome=failed&sort=-issues"),
        (made.finance, "#case/d23"),
        (made.two, "#run"),
        (made.two, "#case/c7"),
        (made.trials, "#case/c7"),
        (made.hostile, "#run"),
        (case, "#run"),
    )
    for path, place in pages:
        sign = "&" if "?" in place else "?"
        opened = open_page(path, f"{place}{sign}lang={lang}", dark=dark, bypass_csp=True)
        for details in opened.page.locator("main details:not(.menu) > summary").all():
            details.click()
        opened.page.evaluate(axe)
        found = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == []


def test_a_file_of_one_case_is_its_page(made: MadePages, open_page: Open, tmp_path: Path) -> None:
    opened = open_page(written(tmp_path / "case.html", CaseDocument(made.trials_run, "c7")))
    assert opened.text("h1") == "c7"
    whole = open_page(made.trials, "#case/c7")
    for part in ("section.trials", "section.aligned", "section.answer", "section.beside"):
        assert opened.text(part) == whole.text(part)
    opened.page.keyboard.press("1")
    opened.page.wait_for_selector("[data-verdict=right][aria-pressed=true]")
    opened.page.keyboard.press("u")
    opened.page.wait_for_timeout(100)
    assert opened.text("h1") == "c7"
    assert opened.count("a[rel=next], table.list") == 0


@pytest.mark.parametrize(("lang", "title"), [("en", "Retry"), ("vi", "Thử lại")])
@pytest.mark.parametrize("reason", ["rate limited", "server error", "connection", "timeout", "invalid response"])
def test_retries_of_earlier_runs_are_shown_as_those_of_today(
    tmp_path: Path, open_page: Open, reason: str, lang: Lang, title: str
) -> None:
    told: dict[str, Any] = {"model": "m", "attempt": 1, "status": 429, "wait_seconds": 1.5}
    today = {"kind": "retry", "reason": reason, **told}
    earlier = {"kind": reason, **told}
    other: dict[str, Any] = {"kind": "timeout", "attempt": 3}
    shown = []
    for number, event in enumerate((today, earlier)):
        done = Trajectory("a", "x", 1, calls=(Call("f", {}),), output="1", events=(event, other))
        run = toolgauge.score(Suite("s", (Case("a", "q", expect=Expect(calls=(ExpectedCall("f"),))),)), [done])
        path = written(tmp_path / f"{number}.html", RunDocument(run), lang)
        opened = open_page(path, f"#case/a?lang={lang}")
        opened.page.locator("details.turns > summary").click()
        items = "[...document.querySelectorAll('ol.turns > li')].map((item) => item.innerText)"
        opened.until(f"{items}.length === 3")
        shown.append(opened.tells(items))
    assert shown[0] == shown[1]
    assert shown[0][0].startswith(f"{title} reason: {reason} · model: m · attempt: 1")
    assert shown[0][2].startswith("timeout attempt: 3")
