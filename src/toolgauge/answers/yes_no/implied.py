"""What a sentence implies that repeats most of a yes-or-no question, where nothing else is said to it."""

from __future__ import annotations

from toolgauge.locale import fold_word

from ..page import Page
from ..question import stem
from ..reading import OFFER, REFUSAL, TENTATIVE
from .grid import is_in_grid
from .opposites import folded_words
from .polar import ONLY, REQUIRES
from .statements import CONDITION, DENIAL, HEDGE, PAST, WEAK_HEDGE, says
from .subjects import Asked, is_about_another

__all__ = ["implied_by"]

MOST_SENTENCES = 5
MOST_WORDS = 40
FEWEST_WORDS = 3
"""A question with fewer words that say something cannot be told by them."""
VAGUE = frozenset(map(fold_word, ("nhiều", "ít", "many", "much", "few", "often", "thường")))
"""Words that mean more or less to everybody, so that a number does not answer them."""
REPEATED, DENIED = 0.6, 0.4
"""The share of a question's words that a sentence repeats which says so, or denies it or says it only of others."""


def implied_by(page: Page, asked: Asked) -> bool | None:
    """Whether the first sentence that repeats much of the question says so, denies it, or says it of others only."""
    known = asked.topic | asked.echo
    if len(known) < FEWEST_WORDS or asked.negated or not VAGUE.isdisjoint(asked.tokens):
        return None
    figures = {word for word in asked.tokens if word.isdigit()}
    for start, end in page.sentences[:MOST_SENTENCES]:
        sentence = page.text[start:end]
        words = folded_words(sentence)
        if len(words) > MOST_WORDS or not says(sentence) or is_in_grid(page, start) or _is_unsaid(sentence):
            continue
        if is_about_another(sentence, asked, opens=True):
            continue
        share = len(known.intersection(map(stem, words))) / len(known)
        only = not ONLY.isdisjoint(words)
        if DENIAL.search(sentence) or only:
            if share >= DENIED:
                return None if only and asked.weekdays else False
        elif share >= REPEATED and asked.entities | figures <= set(words) and _has_key(words, asked):
            return True
    return None


def _has_key(words: list[str], asked: Asked) -> bool:
    return not asked.key or not asked.key.isdisjoint(words)


def _is_unsaid(sentence: str) -> bool:
    cues = (CONDITION, HEDGE, WEAK_HEDGE, PAST, OFFER, REFUSAL, TENTATIVE, REQUIRES)
    return sentence.rstrip().endswith(":") or any(cue.search(sentence) for cue in cues)
