"""Finding texts on a page in one file: by its words, and exactly what looking through all texts would find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from tests.pages.browsing import Opened
from tests.pages.making import LONG, MadePages, hostile_run, written
from tests.pages.reading import blocks, words_of_page
from toolgauge.core import Run
from toolgauge.pages.finding import MAX_WORD, WordIndex, _number, searched_texts
from toolgauge.pages.folding import fold
from toolgauge.report import RunDocument


def read(words: list[str], postings: bytes) -> dict[str, list[int]]:
    """The words with their cases, as a page reads them."""
    numbers = _numbers(postings)
    found: dict[str, list[int]] = {}
    for word in words:
        last, cases = -1, []
        for _ in range(next(numbers)):
            last += next(numbers) + 1
            cases.append(last)
        found[word] = cases
    assert next(numbers, None) is None
    return found


def _numbers(postings: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in postings:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


@settings(max_examples=examples(200))
@given(st.lists(st.lists(st.text("aà Đd,:\n\u3000x", max_size=90), max_size=3), min_size=1, max_size=20), st.data())
def test_a_part_of_a_word_is_found_where_the_texts_have_it(cases: list[list[str]], data: st.DataObject) -> None:
    index = WordIndex()
    for number, texts in enumerate(cases):
        index.add(number, texts)
    words = index.vocabulary().split("\n") if index.vocabulary() else []
    known = read(words, index.postings())
    folded = [fold("\n".join(texts)) for texts in cases]
    part = data.draw(st.text("adx", min_size=1, max_size=4))
    told = {number for word, numbers in known.items() if part in word for number in numbers}
    meant = {number for number, text in enumerate(folded) if part in text}
    assert told <= meant
    assert meant <= told | set(index.long)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.5, "-0.5"),
        (1e-5, "0.00001"),
        (1e-7, "1e-7"),
        (1e16, "10000000000000000"),
        (1e21, "1e+21"),
    ],
)
def test_numbers_are_found_as_a_browser_writes_them(value: float, shown: str) -> None:
    assert _number(value) == shown


def test_what_is_too_long_for_a_word_is_looked_for_in_the_texts() -> None:
    index = WordIndex()
    index.add(0, ["short"])
    index.add(1, ["x" * (MAX_WORD + 1)])
    assert (index.vocabulary(), index.long) == ("short", [1])


def _looked_through(run: Run, page: str) -> list[str]:
    head, *rest = blocks(page)
    pages = [one for block in rest for one in block]
    assert len(pages) == len(run.header.suite.cases)
    return [fold("\n".join(searched_texts(row, one))) for row, one in zip(head["rows"], pages, strict=True)]


QUERIES = (
    "gia dong cua",
    "GIÁ đóng cửa",
    "fpt 2025",
    "2025-10-22",
    "09:15",
    "73.400",
    '"rows"',
    'rows":[[',
    "(vnm",
    "zzzz",
    "a,b",
    "alert(1)",
    "</script>",
    "w" * 60,
    "w" * 200,
    "=cmd",
    "đ",
    ",",
)


@pytest.mark.deep
@pytest.mark.parametrize("which", ["finance", "hostile"])
def test_the_browser_finds_what_is_in_the_texts(made: MadePages, open_page: Callable[..., Opened], which: str) -> None:
    path, run = getattr(made, which), getattr(made, f"{which}_run")
    texts = _looked_through(run, path.read_text(encoding="utf-8"))
    opened = open_page(path)
    seen = 0
    for query in QUERIES:
        wanted = sum(all(word in text for word in fold(query).split()) for text in texts)
        opened.tells("(query) => { location.hash = '#cases?q=' + encodeURIComponent(query) }", query)
        opened.until(
            "(shown) => document.querySelector('.counts').innerText.startsWith(shown)", _count(wanted, len(texts))
        )
        opened.until("(query) => document.querySelector('.counts').innerText.includes(query.slice(0, 30))", query)
        assert opened.page.url.endswith("#cases?q=" + quote(query, safe="!'()*~"))
        seen += wanted
    assert seen > 10


def _count(filtered: int, total: int) -> str:
    return f"{total} cases" if filtered == total else f"{filtered} of {total} cases"


def test_a_page_holds_each_word_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    page = written(tmp_path_factory.mktemp("words") / "page.html", RunDocument(hostile_run()))
    words, postings, long = words_of_page(page.read_text(encoding="utf-8"))
    known = read(words, postings)
    assert len(known) == len(words) == len(set(words))
    cases = hostile_run().header.suite.cases
    assert [cases[number].input == LONG for number in long].count(True) == 1
