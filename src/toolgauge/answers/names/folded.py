"""Names folded for comparison, and where a name stands in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolgauge.core import nfc
from toolgauge.locale import PROFILES, Locale, fold_tones, fold_word

__all__ = ["FoldedWords", "Needle", "fold_words"]

WORD = re.compile(r"[^\W_]+(?:(?<=\d)[.,](?=\d)[^\W_]+)*(?:[+#]+(?!\w))?")
"""A word; what stands between the figures of one number, such as `1,5` or `3.11.2`, is part of it."""
NEXT_WORD = re.compile(r"\s+[\"'“‘«(*_]*[^\W_]")
PUNCTUATION = re.compile(r"[^\w\s]|_")
DASHES = str.maketrans("–—−‐‑", "-----")
ARTICLES = frozenset().union(*(profile.articles for profile in PROFILES.values()))
LONGEST_ARTICLE = max(map(len, ARTICLES))
NEVER_NAMES = frozenset(("the",))
"""Articles that are one even with a capital."""


class FoldedWords(NamedTuple):
    """A text folded for comparison: its words run together, and where each begins."""

    squeezed: str
    starts: dict[int, int]
    """Where a word begins in the squeezed text: its index."""
    ends: dict[int, int]
    """Where a word ends in the squeezed text: its index."""
    offsets: tuple[int, ...]
    """Where each word begins in the squeezed text."""
    spans: tuple[tuple[int, int], ...]
    """Where each word stands in the text."""
    spaced: frozenset[int]
    """Squeezed places where plain white space, and no punctuation, parts two words."""
    vocabulary: frozenset[str]
    """All its words."""


def fold_words(text: str, locale: Locale | None, *, ignore_tones: bool, keep_articles: bool = False) -> FoldedWords:
    """Fold a text: case, tone-mark placement, articles and punctuation make no difference.

    Punctuation between figures does: `12:30` is not `1230`, and `1-2` not `12`.
    """
    fold = fold_tones if ignore_tones else fold_word
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    spaced: set[int] = set()
    length = end = index = 0
    longest = 0 if keep_articles else LONGEST_ARTICLE
    for match in WORD.finditer(text):
        start, behind = match.span()
        word = text[start:behind]
        if (
            behind - start <= longest
            and word.lower() in ARTICLES
            and _is_article(word, locale, first=not index)
            and _goes_on(text, match)
        ):
            continue
        if index and start == end + 1 and text[end] == " ":
            spaced.add(length)
        elif index:
            marks = "".join(PUNCTUATION.findall(text, end, start))
            if not marks:
                spaced.add(length)
            elif word[0].isdigit() and text[end - 1].isdigit():
                pieces.append(marks.translate(DASHES))
                length += len(marks)
        folded = fold(word)
        starts[length] = index
        length += len(folded)
        ends[length] = index
        pieces.append(folded)
        end = behind
        spans.append((start, end))
        index += 1
    return FoldedWords("".join(pieces), starts, ends, tuple(starts), tuple(spans), frozenset(spaced), frozenset(pieces))


def _is_article(word: str, locale: Locale | None, *, first: bool) -> bool:
    """Whether a word is an article; `An` and `A` may be names, and in Vietnamese `an` is a word."""
    low = word.lower()
    if low not in ARTICLES:
        return False
    if low in NEVER_NAMES:
        return True
    own = PROFILES[locale] if locale else None
    if word.islower() and (own is None or low not in own.article_homographs):
        return True
    return first and own is not None and low in own.opening_articles


def _goes_on(text: str, article: re.Match[str]) -> bool:
    """Whether a word follows that it can be the article of; `vitamin a.` ends in a name."""
    return article.group().lower() in NEVER_NAMES or NEXT_WORD.match(text, article.end()) is not None


class Needle:
    """A name to be looked for."""

    def __init__(self, name: str, locale: Locale | None, *, ignore_tones: bool) -> None:
        name = nfc(name).strip()
        self.keep_articles = False
        folded = fold_words(name, locale, ignore_tones=ignore_tones)
        if not folded.squeezed:
            self.keep_articles = True
            folded = fold_words(name, locale, ignore_tones=ignore_tones, keep_articles=True)
        self.words = folded
        self.capital = any(letter.isupper() for letter in name)

    def find(self, words: FoldedWords) -> Iterator[tuple[int, int]]:
        """Every place where the whole name stands: indexes of its first word and behind its last one."""
        squeezed = self.words.squeezed
        if not squeezed:
            return
        place = words.squeezed.find(squeezed)
        while place >= 0:
            first, last = words.starts.get(place), words.ends.get(place + len(squeezed))
            if first is not None and last is not None and self._spaces_fit(words, place):
                yield first, last + 1
            place = words.squeezed.find(squeezed, place + 1)

    def equals(self, words: FoldedWords) -> bool:
        """Whether a folded text is nothing but the name."""
        return bool(self.words.squeezed) and words.squeezed == self.words.squeezed and self._spaces_fit(words, 0)

    def begins_at(self, words: FoldedWords, index: int) -> bool:
        """Whether the name stands where a word begins."""
        return index < len(words.offsets) and self._stands(words, words.offsets[index])

    def ends_at(self, words: FoldedWords, index: int) -> bool:
        """Whether the name ends before a word."""
        end = next((end for end, word in words.ends.items() if word == index - 1), 0)
        place = end - len(self.words.squeezed)
        return place in words.starts and self._stands(words, place)

    def _stands(self, words: FoldedWords, place: int) -> bool:
        squeezed = self.words.squeezed
        whole = bool(squeezed) and place + len(squeezed) in words.ends
        return whole and words.squeezed.startswith(squeezed, place)

    def _spaces_fit(self, words: FoldedWords, place: int) -> bool:
        """Punctuation and the spaces beside it may be left out; a plain space may not."""
        mine = self.words
        if any(start + place not in words.starts for start in mine.spaced):
            return False
        inside = range(1, len(mine.squeezed))
        return all(offset in mine.starts for offset in inside if place + offset in words.spaced)
