"""How a number stands in an answer: in which unit it is meant, whether it only labels something or says one again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgauge.locale import NumberFound, fold_word, units_agree

from .evidence.context import read_label
from .page import Page
from .question import Question, stem

__all__ = ["Inheriting", "is_calendar_year", "is_hyphenated", "is_label", "is_numbered", "lasts", "says_again"]

OUT_OF = re.compile(
    r"\s(?:of|out\sof|trong|trên|/|trong\stổng\ssố|trên\stổng\ssố)\s(?:the\s|its\s|all\s|tổng\ssố\s)?", re.IGNORECASE
)
SAME_SENTENCE = 0.7
PART = 0.85
MOST_PARTS, LONGEST_DIVISION, LEAD_TO_PARTS = 6, 250, 60
DIVIDED = re.compile(
    r"\b(?:gồm|trong\s(?:đó|số\s(?:đó|này))|chia\sthành|of\swh(?:ich|om)|of\sth(?:em|ose|ese)|including|includes|comprising|consisting\sof"
    r"|made\sup\sof|split\s(?:between|into)|divided\sinto|broken\sdown)\b",
    re.IGNORECASE,
)
ANOTHER_WORD = 0.8
"""How much a number is in the asked unit that counts it by another word of the question."""
NEXT_WORD = re.compile(r"\s([^\W\d_]{2,})")
FIGURE = re.compile(r"[0-9]")
COUNTS = re.compile(r"\s(?!(?:và|and|or|hoặc|hay|in|to|at|of|ở|tại|trong|so|là|vào|cho|với)\b)[^\W\d_]{2,}")
"""What is counted, so that the number is in no other unit."""


class Inheriting:
    """Whether a number without a unit is meant in the asked one, which stands near it.

    Args:
        page: The answer.
        unit: The asked unit.
        words: The unit as the case asks for it.
        asked: The question.
    """

    def __init__(self, page: Page, unit: str, words: str, asked: Question) -> None:
        self.page, self.unit, self.asked = page, unit, asked
        self.words = frozenset(fold_word(word) for word in words.split())

    def share(self, found: NumberFound, numbers: Sequence[NumberFound], index: int) -> float:
        """How sure that is, from 0 to 1, of the number at an index of all numbers of the answer."""
        page = self.page
        cell = page.cell_at(found.start) if page.cells else None
        if cell is not None:
            texts = f"{cell.row} {cell.column} {page.headings[page.line_at(found.start)]} {page.caption(cell)}"
            return 1.0 if self.words and self.words <= read_label(texts).folded else 0.0
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        if following and self._agrees(following) and OUT_OF.fullmatch(page.text, found.end, following.start):
            return 1.0  # `112 of the 300 seats`
        if self._counts_asked(found.end):
            return ANOTHER_WORD
        if not found.unit and self._is_part(found, numbers, index):
            return PART
        if found.is_range or COUNTS.match(page.text, found.end) or not FIGURE.search(page.text, found.start, found.end):
            return 0.0
        sentence = page.sentence_at(found.start)
        beside = [numbers[index - 1]] if index else []
        beside += [following] if following else []
        same = any(self._agrees(other) and page.sentence_at(other.start) == sentence for other in beside)
        return SAME_SENTENCE if same else 0.0

    def _is_part(self, found: NumberFound, numbers: Sequence[NumberFound], index: int) -> bool:
        """Whether it is a part that an amount in the asked unit is divided into: `120 staff, of whom 80 …`."""
        text, parts = self.page.text, [found.readings[0][0]]
        for other in reversed(numbers[max(0, index - MOST_PARTS) : index]):
            if other.unit is None:
                parts.append(other.readings[0][0])
                continue
            if not self._agrees(other) or found.start - other.end > LONGEST_DIVISION:
                return False
            whole = other.readings[0][0]
            divided = DIVIDED.search(text, other.end, other.end + LEAD_TO_PARTS) is not None
            return (
                divided
                and sum(parts) <= whole
                and sum(parts[1:]) < whole
                and "\n\n" not in text[other.end : found.start]
            )
        return False

    def _counts_asked(self, end: int) -> bool:
        """Whether the word behind a number is one of what is counted in the asked unit: `15 workers` of nodes."""
        asked = self.asked
        behind = NEXT_WORD.match(self.page.text, end)
        if behind is None or not self.words & asked.counted:
            return False
        word = stem(behind[1].lower())
        return word in asked.counted or not asked.counted.isdisjoint(asked.acronyms.get(word, ()))

    def _agrees(self, other: NumberFound) -> bool:
        return other.unit is not None and units_agree(self.unit, other.unit)


NUMBERED = re.compile(r"(?P<what>[^\W\d_]+)\s(?:số|no\.|number|nr\.)\s?$|#$", re.IGNORECASE)
NO_NOUN = frozenset(["con", "tổng", "là", "chữ", "hệ", "điểm", "the", "a", "có"])
"""Words before `số` that do not make a name of what follows."""


def is_numbered(text: str, found: NumberFound) -> bool:
    """Whether a number tells which one is meant: `bến số 3`."""
    if found.unit or found.scaled or found.end - found.start > 3:
        return False
    match = NUMBERED.search(text, max(0, found.start - 24), found.start)
    return match is not None and (match["what"] or "#").lower() not in NO_NOUN


HYPHENATED = re.compile(r"-[^\W\d_]{3,}")
"""What makes a word of a number: `three-rope`."""


def is_hyphenated(text: str, found: NumberFound) -> bool:
    """Whether a number is the first part of a word."""
    return HYPHENATED.match(text, found.end) is not None


LASTING = re.compile(r"\b(?:trong|sau|suốt|vòng|hạn|within|over|past|last|in|for|next)\s(?:\w+\s){0,2}$", re.IGNORECASE)


def lasts(text: str, start: int) -> bool:
    """Whether it says how long something takes, beside what is asked."""
    return LASTING.search(text[max(0, start - 30) : start]) is not None


def is_label(page: Page, found: NumberFound) -> bool:
    """Whether a number stands in the first column of a table, or in a label: they say what something is about."""
    cell = page.cell_at(found.start) if page.cells else None
    if cell is not None:
        return cell.place == 0
    return page.is_label(found.start, found.end)


AGAIN = re.compile(
    r"(?:\s?[(,–—-]|\s?=|\s?≈|\s?/)?\s?(?:(?:which\sis|that\sis|i\.e\.|or|about|approximately|roughly|equal\sto|equivalent\sto|tức|tức\slà"
    r"|hay|hoặc|khoảng|tương\sđương|bằng|xấp\sxỉ|tương\sđương\svới|~|≈|=)[\s,]?\s?){0,3}",
    re.IGNORECASE,
)
SAME = 0.02
"""How far two amounts may be apart, relative to their size, that are the same one in two units."""


def says_again(text: str, before: NumberFound, found: NumberFound) -> bool:
    """Whether an amount is the one before it in another unit: `2,385 m (7,825 ft)`."""
    if before.unit is None or before.unit != found.unit or before.is_range != found.is_range:
        return False
    (one, _), (other, _) = before.readings[0], found.readings[0]
    close = one != other and abs(one - other) <= SAME * max(abs(one), abs(other))
    return close and AGAIN.fullmatch(text, before.end, found.start) is not None


CALENDAR_YEAR = re.compile(r"\b(?:năm|year|từ\snăm)\s(?:19|20)[0-9]{2}\s[^\W\d_]", re.IGNORECASE)
"""A year with the next word behind it, which may look like a unit: `năm 2025 điểm chuẩn`."""


def is_calendar_year(text: str, found: NumberFound) -> bool:
    """Whether a number is a year that a word stands behind which looks like its unit."""
    return CALENDAR_YEAR.search(text, max(0, found.start - 5), found.end) is not None
