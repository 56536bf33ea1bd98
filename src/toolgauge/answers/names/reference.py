"""The name that is expected: its aliases, its other forms, and where it stands in an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from toolgauge.locale import Locale, fold_tones, fold_word

from ..page import Page
from ..question import Question
from .cues import DENYING_WORDS, TENTATIVE_WORDS
from .folded import FoldedWords, Needle, fold_words
from .place import HEARSAY, NamePlace, is_dropped
from .wanted import read_wanted

__all__ = ["Folded", "Reference"]

Folded: TypeAlias = dict[bool, FoldedWords]
"""A text folded without its articles, and with them."""
INITIAL = re.compile(r"(?<=[^\W_])\s(?:[^\W\d_]\.?\s?)+\s(?=[^\W\d_]{2})")
"""Initials between two names."""
WORDS = re.compile(r"[^\W_]+")
MAX_MATCHES = 200
"""How many places of one name are looked at; an answer that rules it out more often than that is no answer."""
PLAIN_DENYING = frozenset(map(fold_tones, DENYING_WORDS))
PLAIN_TENTATIVE = frozenset(map(fold_tones, TENTATIVE_WORDS))
VIETNAMESE = re.compile(r"[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹàáãèéìíĩòóõùúũý]", re.IGNORECASE)


class Reference:
    """What the name should be."""

    def __init__(self, names: Sequence[str], locale: Locale | None, asked: Question, *, ignore_tones: bool) -> None:
        self.name, self.locale, self.ignore_tones = names[0], locale, ignore_tones
        self.wanted = read_wanted(asked)
        forms = [*names, *(form for name in names for form in self._shorter(name))]
        self.needles = [self._needle(form) for form in dict.fromkeys(forms)]
        self.squeezed = frozenset(needle.words.squeezed for needle in self.needles)
        self.named = len(names)
        self.people = [words for name in names if (words := self._person(name))]
        self.fold = fold_tones if ignore_tones else fold_word

    def _needle(self, name: str) -> Needle:
        return Needle(name, self.locale, ignore_tones=self.ignore_tones)

    def _shorter(self, name: str) -> Iterator[str]:
        """Forms that leave out initials, and what the question says already: `Sen` where a room is asked for."""
        bare = INITIAL.sub(" ", name)
        if bare != name:
            yield bare
        words = name.split()
        kept = words
        while len(kept) > 1 and fold_word(kept[0].lower()) in self.wanted.own:
            kept = kept[1:]
        short = " ".join(kept)
        if kept != words and kept[0][0].isupper() and sum(map(str.isalpha, short)) >= 3:
            yield short

    def _person(self, name: str) -> tuple[str, ...] | None:
        """The words of what may be the name of a person, in whose middle other names can stand."""
        words = WORDS.findall(name)
        if not 2 <= len(words) <= 3 or not all(word[0].isupper() and word.isalpha() for word in words):
            return None
        fold = fold_tones if self.ignore_tones else fold_word
        return tuple(map(fold, words))

    # places in a text

    def place_in(self, text: str, folded: Folded) -> int | None:
        """Where it stands first, in any role.

        Args:
            text: An answer.
            folded: Takes what is folded of it, so that nothing is folded twice.
        """
        for needle in self.needles:
            words = self._fold(text, folded, keep=needle.keep_articles)
            found = next(needle.find(words), None)
            if found is not None:
                return words.spans[found[0]][0]
        first = next(self._with_middle(text, self._fold(text, folded, keep=False)), None)
        return None if first is None else first[0]

    def is_called(self, words: Sequence[str]) -> bool:
        """Whether folded words are nothing but one of its names."""
        return "".join(words) in self.squeezed

    def _fold(self, text: str, folded: Folded, *, keep: bool) -> FoldedWords:
        if keep not in folded:
            folded[keep] = fold_words(text, self.locale, ignore_tones=self.ignore_tones, keep_articles=keep)
        return folded[keep]

    def _with_middle(self, text: str, words: FoldedWords) -> Iterator[tuple[int, int]]:
        """Where it stands with initials or names in its middle: `John F. Kennedy`."""
        for person in self.people:
            if person[0] not in words.squeezed or person[-1] not in words.squeezed:
                continue
            at = [words.squeezed[start:end] for start, end in zip(words.offsets, words.ends, strict=True)]
            for index, word in enumerate(at):
                if word != person[0]:
                    continue
                for extra in (1, 2):
                    end = index + extra + len(person)
                    if end <= len(at) and tuple(at[index + 1 + extra : end]) == person[1:]:
                        middle = [text[slice(*words.spans[place])] for place in range(index + 1, index + 1 + extra)]
                        row = text[words.spans[index][0] : words.spans[end - 1][1]]
                        if self._is_middle(middle, row):
                            yield words.spans[index][0], words.spans[end - 1][1]

    def _is_middle(self, middle: Sequence[str], row: str) -> bool:
        if "\n" in row or re.search(r"[,;:()]|\.\s(?=\S{2})(?<!\b\w\.\s)", row):
            return False
        if all(len(word) == 1 and word.isupper() for word in middle):
            return True
        whole = "person" in self.wanted.kinds and not VIETNAMESE.search(row)
        return whole and all(word[0].isupper() for word in middle)

    def places(self, page: Page, folded: Folded) -> list[tuple[int, int]]:
        """Where it is named, and neither as part of another name, nor to be ruled out."""
        text = page.text
        found: set[tuple[int, int]] = set()
        for number, needle in enumerate(self.needles):
            words = self._fold(text, folded, keep=needle.keep_articles)
            if needle.equals(words):
                stripped = text.strip()
                start = text.index(stripped)
                return [(start, start + len(stripped))]
            self._accept(page, needle, words, found, derived=number >= self.named)
        for span in self._with_middle(text, self._fold(text, folded, keep=False)) if self.people else ():
            if not page.around.is_ruled_out(*span) and not is_dropped(page.around, *span):
                found.add(span)
        return _longest(found)

    def _accept(
        self, page: Page, needle: Needle, words: FoldedWords, found: set[tuple[int, int]], *, derived: bool
    ) -> None:
        text, around = page.text, page.around
        denies = not words.vocabulary.isdisjoint(PLAIN_DENYING if self.ignore_tones else DENYING_WORDS)
        tentative = not words.vocabulary.isdisjoint(PLAIN_TENTATIVE if self.ignore_tones else TENTATIVE_WORDS)
        for count, (first, last) in enumerate(needle.find(words)):
            if count >= MAX_MATCHES:
                break
            start, end = words.spans[first][0], words.spans[last - 1][1]
            place = NamePlace(text, words, first, last, self.wanted.nouns)
            if place.is_part_of_name(needle) or place.is_alternative(self.needles):
                continue
            if derived and not text[start].isupper():
                continue
            if denies and around.is_ruled_out(start, end):
                # What was only said to be thought is taken back here; what was stated before stands.
                found -= {span for span in found if span[1] <= start and _is_hearsay(page, span)}
                continue
            if not is_dropped(around, start, end, tentative=tentative):
                found.add((start, end))


def _is_hearsay(page: Page, span: tuple[int, int]) -> bool:
    said = page.around.sentence_before(span[0]) + page.around.sentence_behind(span[1])
    return HEARSAY.search(said) is not None


def _longest(found: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places in order, without those that lie in another one."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
