"""Names in answers: which of several answers the question, each judged before the rules were tried on it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from toolgauge.answers import prepare
from toolgauge.answers.names.cues import (
    AFTER_ALL,
    AFTER_ALL_WORDS,
    CORRECTED,
    CORRECTED_INSIDE,
    CORRECTING_WORDS,
    DENYING_WORDS,
    OFFER_WORDS,
    TENTATIVE_WORDS,
)
from toolgauge.answers.reading import NEGATION, OFFER, REFUSAL, RULED_OUT_BEHIND, TENTATIVE
from toolgauge.core import JsonValue
from toolgauge.locale import Locale, fold_word, tokenise


class Item(msgspec.Struct, forbid_unknown_fields=True):
    """One answer, and what a careful reader says of it."""

    question: str
    output: str
    answer: dict[str, JsonValue]
    locale: Locale
    verdict: str
    why: str


LINES = Path(__file__).with_name("strings.jsonl").read_bytes().splitlines()
ITEMS = [msgspec.json.decode(line, type=Item) for line in LINES]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.verdict} {item.answer['value']}: {item.question}")
def test_the_name_that_answers_the_question_decides(item: Item) -> None:
    answer = prepare(item.answer, locale=item.locale, question=item.question)(item.output)
    assert answer.verdict == item.verdict, (answer.reason, answer.chosen, answer.runner_up)


def test_the_set_has_right_and_wrong_answers_in_both_languages() -> None:
    kinds = Counter((item.locale, item.verdict) for item in ITEMS)
    assert min(kinds[locale, verdict] for locale in ("vi", "en") for verdict in ("right", "wrong")) >= 25
    assert sum(kinds[locale, "ambiguous"] for locale in ("vi", "en")) >= 2


CAPITAL = prepare(
    {"type": "string", "value": "Canberra"}, locale="en", question="Which city is the capital of Australia?"
)


@pytest.mark.parametrize(
    "output",
    [
        "The capital of Australia is {}.",
        "{} is the capital of Australia.",
        "**{}**",
        "- Country: Australia\n- Capital: {}",
        "| Country | Capital |\n|---|---|\n| Australia | {} |\n| Kenya | Nairobi |",
        "Answer: {}",
        "<table><tr><th>Country</th><th>Capital</th></tr><tr><td>Australia</td><td>{}</td></tr></table>",
        "The capital of Australia is {}. Sydney is the largest city, and Wellington is the capital of New Zealand.",
        "Many people think of Melbourne, but the capital of Australia is {}.",
    ],
)
def test_the_form_of_an_answer_makes_no_difference(output: str) -> None:
    assert CAPITAL(output.format("Canberra")).verdict == "right"
    assert CAPITAL(output.format("Perth")).verdict == "wrong"
    assert CAPITAL(output.format("Perth") + " Canberra is a smaller city.").verdict == "wrong"


def test_the_choice_and_the_next_best_name_are_kept() -> None:
    answer = CAPITAL("The capital of Australia is **Canberra**. Sydney is the largest city.")
    assert answer.chosen is not None
    assert answer.runner_up is not None
    assert (answer.chosen.words, answer.runner_up.words) == ("Canberra", "Sydney")
    assert answer.chosen.evidence["emphasised"] > 0
    assert answer.reason == "found 'Canberra'"


def test_another_name_is_named_in_the_reason() -> None:
    answer = CAPITAL("The capital of Australia is Sydney. Canberra is smaller.")
    assert answer.reason == "found 'Sydney', expected 'Canberra'"


def test_a_long_answer_that_names_it_late_is_read_at_both_ends() -> None:
    filler = "Nothing is said here about it. " * 3000
    assert CAPITAL(f"The capital of Australia is Sydney. {filler} Canberra was visited. {filler}").verdict == "wrong"
    assert CAPITAL(f"{filler} The capital of Australia is Canberra. {filler}").verdict == "right"


SENTENCES = [
    sentence
    for name in ("strings.jsonl", "items.jsonl", "development.jsonl")
    for line in Path(__file__).with_name(name).read_bytes().splitlines()
    for sentence in msgspec.json.decode(line)["output"].split("\n")
]


OWN_QUESTION = re.compile(r"[?…]|\.\.\.")
"""Behind these a mere no corrects, which is looked for whatever words there are."""


@pytest.mark.parametrize(
    ("words", "patterns"),
    [
        (DENYING_WORDS, (NEGATION, REFUSAL)),
        (OFFER_WORDS, (OFFER,)),
        (TENTATIVE_WORDS, (TENTATIVE,)),
        (CORRECTING_WORDS, (re.compile(f"^(?:{CORRECTED.pattern})", re.IGNORECASE), CORRECTED_INSIDE)),
        (AFTER_ALL_WORDS, (AFTER_ALL,)),
    ],
)
def test_what_is_looked_for_only_beside_some_words_is_never_without_them(
    words: frozenset[str], patterns: tuple[re.Pattern[str], ...]
) -> None:
    for sentence in SENTENCES:
        if any(pattern.search(sentence) for pattern in patterns) and not OWN_QUESTION.search(sentence):
            assert not words.isdisjoint(fold_word(token.low) for token in tokenise(sentence)), sentence


def test_what_rules_a_name_out_behind_it_has_a_denying_word() -> None:
    for said in (
        "is not",
        "isn't",
        "was not",
        "không phải",
        "không đúng",
        "chưa đúng",
        "là sai",
        "is wrong",
        "is false",
    ):
        assert RULED_OUT_BEHIND.match(f" {said} it")
        assert not DENYING_WORDS.isdisjoint(fold_word(token.low) for token in tokenise(said))
