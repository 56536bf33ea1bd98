"""What a question asks for: its words, whom and when it names, and whether it wants a change, a total, a forecast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from toolgauge.core import nfc
from toolgauge.locale import PROFILES, Locale, Period, Token, find_dates, find_numbers, fold_word, tokenise

from .cues import find_cues, find_families

__all__ = ["Question", "entities_of", "is_name", "read_question", "stem"]

SUFFIXES = ("'s", "’s", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly")
NEVER_NAMES = frozenset(
    "usd vnd vnđ eur gbp jpy cny aud i the a an q1 q2 q3 q4 đồng gb mb tb kb kwh mwh gwh km kg vat ok tl dr am pm"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
GENERIC = frozenset(
    "bao nhiêu mấy nào gì ai lúc khi hỏi biết how many much what which when who whose where long far old often tell"
    " xin cho hãy vui lòng please giúp là của được number value số con mức figure hiện nay tại current currently".split()
)


@dataclass(frozen=True)
class Question:
    """What is asked."""

    words: tuple[str, ...] = ()
    """Its words that say something, folded, each once."""
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring words of it, folded."""
    entities: frozenset[str] = frozenset()
    """The folded words of names in it."""
    periods: tuple[Period, ...] = ()
    relative: frozenset[str] = frozenset()
    """Words that count from today, as they are written in it."""
    roles: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    """The members of families it names, such as the selling price."""
    numbers: frozenset[float] = frozenset()
    """Numbers that it gives."""
    text: str = ""

    @property
    def wants_change(self) -> bool:
        """Whether by how much something changes or differs is asked."""
        return "change" in self.roles


def stem(word: str) -> str:
    """A folded word without the ending that English words take."""
    if len(word) > 4 and word.isascii():
        for suffix in SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                return word[: -len(suffix)]
    return fold_word(word)


def is_name(token: Token, *, opens: bool) -> bool:
    """Whether a word is written like a name; the first word of a sentence only in capitals."""
    text = token.text
    if token.kind != "word" or not text[0].isupper() or token.low in NEVER_NAMES:
        return False
    return not opens or (len(text) > 1 and text.isupper())


def entities_of(tokens: Sequence[Token], opening: Sequence[bool]) -> list[tuple[int, int]]:
    """Where names stand: rows of words with capitals, as indexes of the first token and behind the last one."""
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(tokens):
        if not is_name(tokens[index], opens=False):
            index += 1
            continue
        end = index + 1
        while end < len(tokens) and is_name(tokens[end], opens=False) and not tokens[end].line and not opening[end]:
            end += 1
        alone = end == index + 1
        if not alone or is_name(tokens[index], opens=opening[index]):
            found.append((index, end))
        index = end
    return found


def read_question(text: str | None, locale: Locale | None, now: date | None) -> Question:
    """Read a question; without one, nothing is known of what is asked."""
    if not text or not text.strip():
        return Question()
    text = nfc(text)[-2000:]
    tokens = tokenise(text)
    folded = [fold_word(token.low) for token in tokens]
    small = frozenset().union(*(profile.small_words for profile in PROFILES.values()))
    stems = [
        stem(token.low) if token.kind == "word" and token.low not in small and token.low not in GENERIC else ""
        for token in tokens
    ]
    style: Locale = locale or "vi"
    dates = find_dates(text, style, now)
    opening = [index == 0 or tokens[index - 1].low in ".!?:" for index in range(len(tokens))]
    names = entities_of(tokens, opening)
    return Question(
        words=tuple(dict.fromkeys(word for word in stems if word)),
        pairs=frozenset((one, two) for one, two in zip(stems, stems[1:], strict=False) if one and two),
        entities=frozenset(folded[index] for first, last in names for index in range(first, last)),
        periods=tuple(found.readings[0] for found in dates if found.readings),
        relative=frozenset(text[found.start : found.end].lower() for found in dates if found.relative),
        roles=frozenset(cue.role for cue in find_cues(tokens, folded)),
        families=frozenset(cue.role for cue in find_families(tokens, folded)),
        numbers=frozenset(
            bound for found in find_numbers(text, style) for bound in found.readings[0]
        ),
        text=text,
    )
