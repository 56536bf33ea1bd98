"""Finds rows of words with capitals, and codes, that may be names."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from toolgauge.locale import Token

from ..page import Page
from .offices import begins_an_office
from .place import FUNCTION_WORDS, TITLES, is_opening
from .words import (
    ADJECTIVE,
    HEADS,
    LINKED,
    LINKS,
    LONG_HEADS,
    NAME_SYLLABLES,
    NO_NAMES,
    OPENERS,
    QUARTER,
    ROLE_NOUNS,
    SHORT_NAMES,
    STOPS,
    Name,
    is_code,
)

__all__ = ["Rows"]


class Rows:
    """Finds the names of one answer that are written with capitals."""

    def __init__(
        self, page: Page, tokens: Sequence[Token], folded: Sequence[str], starts: Sequence[int], asked: frozenset[str]
    ) -> None:
        self.page, self.tokens, self.folded, self.starts = page, tokens, folded, starts
        self.asked = asked
        self.small = {token.low for token in tokens if token.text[0].islower()}
        self.inner: set[str] = set()

    def name_at(self, start: int, end: int, shape: str = "row", *, weak: bool = False) -> Name:
        """The name between two places of the text."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        words = tuple(self.folded[index] for index in range(first, last) if self.tokens[index].kind != "sign")
        return Name(start, end, first, last, words, shape, weak)

    # rows of words with capitals

    def rows(self) -> Iterator[Name]:
        """The names in order."""
        tokens = self.tokens
        index, count = 0, len(tokens)
        found: list[tuple[int, int]] = []
        while index < count:
            token = tokens[index]
            if token.kind != "word" or not token.text[0].isupper():
                index += 1
                continue
            end = self._row_end(index)
            found.append((index, end))
            index = end
        for first, _ in found:
            if not self._opens(first):
                self.inner.add(self.folded[first])
        for first, end in found:
            name = self._row(first, end)
            if name is not None:
                yield name

    def _row_end(self, first: int) -> int:
        tokens, end = self.tokens, first + 1
        bridges = (first >= 1 and self.folded[first - 1] in LONG_HEADS) or tokens[first].low in LONG_HEADS
        while end < len(tokens) and not tokens[end].line:
            token, gap = tokens[end], tokens[end].start - tokens[end - 1].end
            if gap > 1:
                break
            if token.kind == "word" and token.text[0].isupper():
                bridges = bridges or token.low in LONG_HEADS
                end += 1
            elif (token.kind == "figure" and (gap == 0 or (len(token.text) <= 5 and self._ends_row(end + 1)))) or (
                token.kind == "word" and gap == 0 and tokens[end - 1].kind == "figure"
            ):
                end += 1
            elif token.low == "số" and end + 1 < len(tokens) and tokens[end + 1].kind == "figure":
                end += 2
            elif (token.kind == "sign" and gap == 0 and (step := self._joined(end))) or (
                token.kind == "word" and (step := self._linked(end, bridges=bridges))
            ):
                end += step
            else:
                break
        return end

    def _ends_row(self, index: int) -> bool:
        """Whether a figure before a token belongs to a name, and counts nothing: `Zephyr 14`, not `Zephyr 14 %`."""
        if index >= len(self.tokens) or self.tokens[index].line:
            return True
        token = self.tokens[index]
        if token.kind == "word":
            return token.low in FUNCTION_WORDS or token.low in STOPS or token.text[0].isupper()
        return token.text not in "%$€£°×x/–-:"

    def _joined(self, index: int) -> int:
        """How many tokens a sign adds that stands inside a name: `AC-204`, `S&P`, `O'Neill`, `T. Oyelaran`."""
        tokens = self.tokens
        if index + 1 >= len(tokens) or tokens[index + 1].line:
            return 0
        sign, before, behind = tokens[index].text, tokens[index - 1], tokens[index + 1]
        touching = behind.start == tokens[index].end
        if behind.kind == "sign":
            return 0
        if sign in "-‑&+/" and touching:
            return 2 if behind.kind == "figure" or behind.text[0].isalpha() else 0
        if sign in "'’" and touching:
            return 2 if behind.text[0].isupper() else 0
        if sign == "." and behind.text[0].isupper():
            short = (len(before.text) == 1 and before.kind == "word") or before.low in (
                "tp",
                "st",
                "dr",
                "ts",
                "bs",
                "ths",
                "gs",
                "pgs",
                "mr",
                "mrs",
            )
            return 2 if short and (touching or behind.start == tokens[index].end + 1) else 0
        return 0

    def _linked(self, index: int, *, bridges: bool) -> int:
        """How many small words stand between the parts of one name: `Rio de Janeiro`, `Bank of the West`."""
        tokens = self.tokens
        reach = index
        while reach < len(tokens) and reach - index < 2 and tokens[reach].kind == "word" and not tokens[reach].line:
            low = tokens[reach].low
            if tokens[reach].text[0].isupper():
                break
            if low not in LINKS and not (low == "the" and reach > index) and not (bridges and low not in STOPS):
                return 0
            reach += 1
        ends = reach < len(tokens) and tokens[reach].kind == "word" and tokens[reach].text[0].isupper()
        return reach - index if ends and not tokens[reach].line else 0

    def _opens(self, index: int) -> bool:
        """Whether a word has a capital only because it opens a sentence, a line, a quotation or a cell."""
        if index == 0 or self.tokens[index].line:
            return True
        before = self.tokens[index - 1]
        if before.kind != "sign" or before.text in ",;)%&'’/]":
            return False
        return before.text != "." or index < 2 or len(self.tokens[index - 2].text) > 1

    def _row(self, first: int, end: int) -> Name | None:
        tokens = self.tokens
        opens = self._opens(first)
        while first < end and self._is_lead(first, end, opens=opens):
            first += 1
            while first < end and (tokens[first].kind == "sign" or tokens[first].text[0].islower()):
                first += 1
            opens = False
        words = sum(token.kind == "word" for token in tokens[first:end])
        if not words or tokens[end - 1].low in ROLE_NOUNS or begins_an_office(self.folded, first, end):
            return None
        single = words == 1
        text = self.page.text[tokens[first].start : tokens[end - 1].end]
        sign = tokens[end].text if end < len(tokens) and tokens[end].start == tokens[end - 1].end else ""
        if QUARTER.fullmatch(text) or self._in_heading(tokens[first].start) or sign in ("$", "€", "£"):
            return None
        if len(text) == 1 and first and tokens[first - 1].text in "°º":
            return None
        shape = "code" if is_code(text) else "row"
        weak = False
        if single and shape == "row":
            low = tokens[first].low
            if end < len(tokens) and low in HEADS and tokens[end].text[0].islower() and not tokens[end].line:
                return None
            describes = (
                end < len(tokens)
                and tokens[end].kind == "word"
                and tokens[end].text[0].islower()
                and not tokens[end].line
            )
            noun = describes and tokens[end].low not in FUNCTION_WORDS
            if (noun or sign == ":") and ADJECTIVE.search(low):
                return None
            syllable = describes and not tokens[first].text.isascii() and low not in SHORT_NAMES
            syllable = syllable and not (opens and tokens[end].low in LINKED)
            if opens and not self._is_alone(first, end):
                if syllable or low in self.small or low in OPENERS or low in FUNCTION_WORDS or is_opening(low):
                    return None
                weak = self.folded[first] not in self.inner and not (end < len(tokens) and tokens[end].low in LINKED)
            elif syllable and tokens[end].low not in FUNCTION_WORDS:
                weak = True
        return self.name_at(tokens[first].start, tokens[end - 1].end, shape, weak=weak)

    def _is_lead(self, first: int, end: int, *, opens: bool) -> bool:
        """Whether a row begins with a word that is no part of the name."""
        token = self.tokens[first]
        low = token.low
        letters = len(token.text) > 1 and token.text.isupper()
        counted = first + 1 < end and self.tokens[first + 1].kind == "figure" and self.folded[first] in self.asked
        named = low in NAME_SYLLABLES and first + 1 < end and self.tokens[first + 1].text[0].isupper()
        if (low in NO_NAMES and not counted and not named) or low == "the":
            return True
        if low in TITLES and end > first + 1 and self.tokens[first + 1].text[0].islower():
            return True
        return (
            opens and end > first + 1 and not letters and (low in OPENERS or low in FUNCTION_WORDS or is_opening(low))
        )

    def _in_heading(self, start: int) -> bool:
        """Whether a place lies in the heading of a table."""
        if "|" not in self.page.text:
            return False
        first, last = self.page.lines[self.page.line_at(start)]
        return self.page.text.count("|", first, last) >= 2

    def _is_alone(self, first: int, end: int) -> bool:
        """Whether nothing else is said in its sentence."""
        if first and not self.tokens[first].line and self.tokens[first - 1].text not in ".!?":
            return False
        return end >= len(self.tokens) or self.tokens[end].line or self.tokens[end].text in ".!"
