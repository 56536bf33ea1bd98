"""Lists of words in one cell."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.files import BadList, parse_words

WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"])))


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("['time_now','search_web', \"listing\"]", ["time_now", "search_web", "listing"]),
        (" [ 'a' , ] ", ["a"]),
        ("[]", []),
        ("", []),
        ("a, b ,c", ["a", "b", "c"]),
        ("['it\\'s', 75]", ["it's", "75"]),
    ],
)
def test_the_spellings_of_a_list(cell: str, words: list[str]) -> None:
    assert parse_words(cell) == words


@pytest.mark.parametrize("cell", ["['a' 'b']", "['a", "[a]", "['a',,'b']", "['a'] x", "'a','b'", "a]", "[", "[[]]"])
def test_what_is_no_list_is_refused(cell: str) -> None:
    with pytest.raises(BadList):
        parse_words(cell)


@given(WORDS)
def test_whatever_json_writes_is_read_back(words: list[str]) -> None:
    assert parse_words(json.dumps(words)) == words


@given(WORDS)
def test_whatever_python_writes_without_odd_characters_is_read_back(words: list[str]) -> None:
    printable = [word for word in words if word.isprintable()]
    assert parse_words(repr(printable)) == printable
