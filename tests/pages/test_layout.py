"""How the pages of one file are laid out, in a real browser: nothing lies over anything else, on screens or paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.pages.browsing import Opened
from tests.pages.making import MadePages

pytestmark = pytest.mark.deep

Open = Callable[..., Opened]

PAPER = {"width": 718, "height": 1000}
"""A4 between margins of 10 mm."""

OVERLAPS = """[...document.querySelectorAll('main svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter((one) => !one.hasAttribute('transform'))
    .map((one) => [one.textContent, one.getBoundingClientRect()]);
  const name = svg.closest('figure').className;
  const outside = texts.filter(([, box]) => box.right > frame.right + 2 || box.left < frame.left - 2)
    .map(([text]) => `${name}: ${text} is cut`);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const pairs = texts.flatMap(([text, box], at) => texts.slice(at + 1).filter(([, other]) => over(box, other))
    .map(([other]) => `${name}: ${text} over ${other}`));
  const shapes = [...svg.querySelectorAll('a rect:not(.hit)')].map((one) => one.getBoundingClientRect());
  const covered = name.includes('tools') || name.includes('confusion')
    ? texts.filter(([, box]) => shapes.some((shape) => box.left < shape.left - 1 && over(box, shape)))
      .map(([text]) => `${name}: ${text} runs into a cell`) : [];
  return [...outside, ...pairs, ...covered];
})"""


@pytest.mark.parametrize("page", ["finance", "trials", "two", "hostile"])
@pytest.mark.parametrize("lang", ["en", "vi"])
def test_no_text_of_a_chart_is_cut_or_lies_over_another(made: MadePages, open_page: Open, page: str, lang: str) -> None:
    opened = open_page(getattr(made, page), f"#run?lang={lang}")
    assert opened.tells(OVERLAPS) == []


@pytest.mark.parametrize("page", ["finance", "trials"])
def test_a_phone_shows_whole_charts(made: MadePages, open_page: Open, page: str) -> None:
    opened = open_page(getattr(made, page), phone=True)
    wide = "[...document.querySelectorAll('.drawing')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert opened.tells(wide) == 0


def test_what_the_tallest_bar_counts_is_said_of_every_chart(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.trials)
    for name in ("latency", "calls", "tokens", "cost"):
        titles = opened.page.locator(f".chart-{name} svg a title").all_text_contents()
        most = max(int(title.split(": ")[1].split()[0]) for title in titles)
        assert f"The tallest bar counts {most}." in opened.text(f".chart-{name} figcaption")


def test_words_of_labels_are_not_broken(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#cases?label=topic%3Ano_tool")
    heights = opened.tells("[...document.querySelectorAll('td.label bdi')].map((one) => one.offsetHeight)")
    assert heights
    assert max(heights) < 30


def test_short_arguments_are_not_broken(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#case/d23", phone=True)
    found = opened.tells(
        "[...document.querySelectorAll('.arg.short')].map((one) => [one.textContent, one.getClientRects().length])"
    )
    assert ['start_date="2026-01-01"', 1] in found
    assert {lines for _, lines in found} == {1}


@pytest.mark.parametrize("chosen", ["light", "dark"])
def test_paper_is_white_with_black_ink_whatever_was_chosen(made: MadePages, open_page: Open, chosen: str) -> None:
    opened = open_page(made.finance, dark=chosen == "light")
    opened.page.get_by_role("button", name="Light or dark").click()
    assert opened.tells("document.documentElement.dataset.theme") == chosen
    opened.page.emulate_media(media="print")
    colour = "(name) => getComputedStyle(document.body)[name]"
    assert opened.tells(colour, "color") == "rgb(27, 31, 36)"
    assert opened.tells(colour, "backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("page", ["finance", "trials", "two"])
def test_paper_has_every_pattern_and_nothing_runs_over_its_edge(made: MadePages, open_page: Open, page: str) -> None:
    opened = open_page(getattr(made, page), "#run?lang=vi")
    patterns = opened.count(".patterns li")
    opened.page.set_viewport_size(PAPER)
    opened.page.emulate_media(media="print")
    shown = "[...document.querySelectorAll('.patterns li')].filter((one) => one.offsetHeight > 0).length"
    assert opened.tells(shown) == patterns
    assert page == "trials" or patterns > 5
    assert opened.tells("document.documentElement.scrollWidth") <= PAPER["width"]
    wide = "[...document.querySelectorAll('main table')].map((one) => one.getBoundingClientRect().right)"
    assert max(opened.tells(wide)) <= PAPER["width"]


def test_names_that_turn_lines_around_are_written_out_on_a_phone(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.hostile, "#cases", phone=True)
    labels = opened.tells("[...document.querySelectorAll('td.signs')].map((one) => one.dataset.label)")
    assert labels
    assert not [label for label in labels if re.search("[\u202a-\u202e]", label)]


def test_light_or_dark_is_remembered(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    opened.page.get_by_role("button", name="Light or dark").click()
    opened.page.reload()
    opened.settle()
    assert opened.tells("document.documentElement.dataset.theme") == "dark"


def test_back_leads_to_the_place_that_was_left(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance)
    link = opened.page.locator(".patterns li:not(.later) a:not(.what)").last
    link.scroll_into_view_if_needed()
    left = opened.tells("scrollY")
    assert left > 500
    link.click()
    opened.page.locator("table.aligned").wait_for()
    opened.page.go_back()
    opened.page.locator(".patterns").wait_for()
    opened.until("(left) => Math.abs(scrollY - left) < 5", left)


def test_the_keyboard_stays_where_it_is_used(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#case/d04")
    focused: Any = "document.activeElement.textContent"
    opened.page.keyboard.press("j")
    opened.until("document.querySelector('main h1').textContent === 'd05'")
    assert opened.tells(focused) == "d05"
    opened.page.locator("[data-verdict=wrong]").focus()
    opened.page.keyboard.press("Enter")
    opened.page.locator("[data-verdict=wrong][aria-pressed=true]").wait_for()
    assert opened.tells("document.activeElement.dataset.verdict") == "wrong"


def test_a_note_that_is_changed_later_is_kept_with_its_verdict(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#case/d04")
    opened.page.keyboard.press("2")
    opened.page.locator("[data-verdict=wrong][aria-pressed=true]").wait_for()
    note = opened.page.locator(".review input")
    note.fill("the unit is missing")
    note.press("Enter")
    opened.page.locator("h1").click()
    opened.page.keyboard.press("j")
    opened.until("document.querySelector('main h1').textContent === 'd05'")
    opened.page.keyboard.press("k")
    opened.until("document.querySelector('main h1').textContent === 'd04'")
    assert opened.page.locator(".review input").input_value() == "the unit is missing"
    assert opened.count("[data-verdict=wrong][aria-pressed=true]") == 1


def test_of_two_runs_the_same_agent_stands_beside_itself(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.two, "#case/c7")
    sides = opened.tells("[...document.querySelectorAll('table.pair select')].map((one) => one.value)")
    assert sorted(re.sub(r"#\d+", "", side) for side in sides) in (
        ["bold (run 1)", "bold (run 2)"],
        ["calm (run 1)", "calm (run 2)"],
    )
    assert "2 agents" in open_page(made.two).text(".title")


def test_copying_the_raw_record_is_confirmed(made: MadePages, open_page: Open) -> None:
    opened = open_page(made.finance, "#case/d04", permissions=["clipboard-read", "clipboard-write"])
    opened.page.locator("details.raw summary").click()
    opened.page.get_by_role("button", name="Copy").click()
    opened.page.get_by_text("Copied.").wait_for()
    assert '"case": "d04"' in opened.tells("navigator.clipboard.readText()")
