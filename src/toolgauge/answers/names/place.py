"""Where a name stands in a text: as part of a longer one, beside an alternative, or only to be dropped again."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from toolgauge.locale import fold_word

from ..surroundings import Surroundings
from .folded import FoldedWords, Needle

__all__ = ["ENDINGS", "FUNCTION_WORDS", "HEARSAY", "TITLES", "NamePlace", "is_dropped", "is_opening"]

NEAR = 120
"""How many characters beside a name are looked at for another one."""
RESTATED = re.compile(
    r"\b(?:bạn\s(?:đang\s)?hỏi|câu\shỏi|you\sasked|(?<!answer\s)your\squestion|regarding|question\s?:)", re.IGNORECASE
)
REPLACED = re.compile(
    r"\b(?:now|nowadays|currently|today|since\sthen|nay|bây\sgiờ|hiện(?:\stại|\sgiờ)?|giờ\s(?:là|đây))\b", re.IGNORECASE
)
CORRECTED = re.compile(r"\b(?:nhưng|but|however|tuy\snhiên|thực\s(?:ra|tế)|actually|in\sfact)\b", re.IGNORECASE)
RIVAL = re.compile(
    r"\b(?:á\squân|đối\sthủ|đánh\sbại|thắng|vượt|hơn|so\svới|tiếp\stheo|kế\sđến|(?:hạng|thứ|về)\s(?:nhì|hai|ba)"
    r"|runners?[\s-]up"
    r"|second|third|beat|beating|defeated|defeating|ahead\sof|over|against|versus|vs|followed\sby|rival)\b",
    re.IGNORECASE,
)
"""What names another one in brackets behind the answer: `France (runner-up: Croatia)`."""
HEARSAY = re.compile(
    r"\b(?:often|frequently|commonly|usually|many\s(?:people|sources|say|think|believe)|some\s(?:say|think"
    r"|believe)|people\s(?:say|think)"
    r"|might\sthink|may\sthink|although|though|while|famous|well[\s-]known|hay\sđược|thường|nhiều\s(?:người|nơi"
    r"|nguồn|tài\sliệu)"
    r"|từng|tuy|dù|mặc\sdù|nổi\stiếng|nhắc|tưởng|có\sngười)\b",
    re.IGNORECASE,
)
"""What a sentence says that only mentions a name: a later one that rules it out counts more."""


def is_dropped(around: Surroundings, start: int, end: int, *, tentative: bool = True) -> bool:
    """Whether the name is only what was asked about, a rival, or what was thought before a correction.

    Args:
        around: The answer.
        start: Where the name begins.
        end: Where it ends.
        tentative: Whether the answer has a word that says that something was thought at first.
    """
    before = around.sentence_before(start)
    if around.is_aside(start) and RIVAL.search(before.rpartition("(")[2]):
        return True
    if RESTATED.search(before) or around.is_question(end):
        return len(around.text) - end > 30 or RESTATED.search(before) is not None
    if not tentative or not around.is_tentative(start):
        return False
    if REPLACED.search(around.sentence_behind(end)):
        return True
    return CORRECTED.search(around.text[end : end + 300]) is not None


FUNCTION_TEXT = (
    "là ở tại của và với cho từ đến trong chính hoặc hay thì mà được bởi do theo có gồm tên gọi vẫn nên đó này kia"
    " is was are were be the a an in at of on to by from and or it's its it that this as for with called named"
    " answer yes no so thus hence therefore vậy đúng thủ đô capital currently hiện nay like because since when"
    " where he she they we i you his her not but if then than will would can could has have had while who which"
)
FUNCTION_WORDS = frozenset(FUNCTION_TEXT.split())
"""Words that are no part of a name though they stand beside one."""
OPENING_TEXT = (
    "although though even only just perhaps maybe indeed visit choose pick try see consider also both either neither"
    " again once after before until unless whether because hence instead besides overall officially"
    " take use go head buy call ask check look click open press select get book order board send pick stay"
    " today yesterday sure right correct yeah ok okay well now here there surprisingly"
    " tuy dù nếu khi vì bởi nhờ do chỉ chắc chọn hiện vậy rồi nhưng song và hoặc còn riêng chính cả sau trước giữa"
    " dùng đi mua gọi bấm đặt ngoài trong thế đúng hẳn thực thật quả cũng đây đó ngay từ kể nói xem hãy theo"
    " tức dạ vâng ừ"
)
OPENINGS = frozenset(OPENING_TEXT.split())
"""Words that begin a sentence, and have a capital only for that."""
NAMES_LIKE_ADVERBS = frozenset(["emily", "beverly", "kimberly", "connolly", "reilly", "donnelly", "italy", "sicily"])
TITLE_TEXT = (
    "thành phố tp tỉnh huyện quận xã phường nước thủ đô sông núi hồ đảo ông bà anh chị cô chú bác chủ tịch tổng"
    " thống tướng thủ bộ trưởng bí thư vua hoàng đế nhà văn thơ giáo sư tiến sĩ gs ts pgs đại công ty tập đoàn ngân"
    " hàng mã cổ phiếu hãng quốc gia mr mrs ms miss dr prof professor president minister prime king queen sir"
    " general senator city state company ceo author chairman emperor pope saint mayor governor province country"
    " ticker hlv nsnd nsưt kts mc bs ths ls cfo cto coo gđ tgđ pgđ vđv hr"
)
TITLES = frozenset(TITLE_TEXT.split())
"""Words in front of a name that say what it names."""
CALENDAR_TEXT = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september"
    " october november december"
)
CALENDAR = frozenset(CALENDAR_TEXT.split())
ENDINGS = frozenset(["inc", "corp", "corporation", "ltd", "co", "llc", "plc", "jsc", "ctcp", "province", "city"])


NAMED_CITY_TEXT = (
    "new york|mexico|kansas|oklahoma|quebec|québec|panama|guatemala|kuwait|salt lake|vatican|iowa|jefferson|belize"
    "|atlantic|carson|dodge"
)
NAMED_CITIES = frozenset(NAMED_CITY_TEXT.split("|"))
"""What is something else without `City`; `Hanoi City` is only a longer way to say Hanoi."""
OR_BEHIND = re.compile(
    r"[\s\"”’')]*,?\s(?:or|hoặc(?:\slà)?|hay(?:\slà)?)\s(?!so\b|simply|just|also|formally|officially|còn|gọi"
    r"|more\b|less\b|if\b|nếu\b)"
    r"(?:(?:in|at|the|an?|ở|tại|là)\s)?[\"“‘']?(?P<other>[^\s\"”.,;:!?()]+)",
    re.IGNORECASE,
)
OR_BEFORE = re.compile(
    r"(?P<other>[^\s\"“‘'.,;:!?()]+)[\"”’']?,?\s(?:or|hoặc(?:\slà)?|hay(?:\slà)?)\s(?:(?:in|at|the|an?|ở|tại"
    r"|là)\s)?[\"“‘']?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamePlace:
    """Where a name stands in a text."""

    text: str
    words: FoldedWords
    first: int
    last: int
    kinds: frozenset[str] = frozenset()
    """Folded words that say what it is, and are no part of it: `Shinjuku Station` where a station is asked for."""

    def is_part_of_name(self, needle: Needle) -> bool:
        """Whether the name goes on before or behind, so that it is another one: `York` in `New York`."""
        if not needle.capital and not self._is_short():
            return False
        before = self._goes_on(self.first - 1, before=True)
        if before and not any(letter.isalpha() for letter in needle.words.squeezed):
            # `lúc 12:30`: only a name can have figures for its second part.
            start = self.words.spans[self.first - 1][0]
            before = self.text[start].isupper() and not self._begins_sentence(self.first - 1)
        return before or self._goes_on(self.last, before=False)

    def is_alternative(self, needles: Sequence[Needle]) -> bool:
        """Whether another name stands beside it as just as possible: `Hanoi or Hue` states neither."""
        start, end = self.words.spans[self.first][0], self.words.spans[self.last - 1][1]
        near = self.text[max(0, start - NEAR) : end + NEAR].lower()
        if "or" not in near and "hoặc" not in near and "hay" not in near:
            return False
        behind = OR_BEHIND.match(self.text, end, end + NEAR)
        if behind and self._rivals(behind["other"]):
            index = bisect_left(self.words.spans, (behind.start("other"), 0))
            return not any(needle.begins_at(self.words, index) for needle in needles)
        begin = max(0, start - NEAR)
        before = OR_BEFORE.search(self.text[begin:start])
        if before is None or not self._rivals(before["other"]):
            return False
        index = bisect_left(self.words.spans, (begin + before.end("other"), 0))
        return not any(needle.ends_at(self.words, index) for needle in needles)

    def _rivals(self, other: str) -> bool:
        """Whether a word may be of a name, as this one is."""
        start = self.words.spans[self.first][0]
        return not self.text[start].isupper() or other[0].isupper() or other[0].isdigit()

    def _named(self) -> str:
        return self.text[self.words.spans[self.first][0] : self.words.spans[self.last - 1][1]].lower()

    def _is_short(self) -> bool:
        return len(self.words.spans) <= 5 and "\n" not in self.text.strip()

    def _goes_on(self, index: int, *, before: bool) -> bool:
        spans = self.words.spans
        if not 0 <= index < len(spans):
            return False
        start, end = spans[index]
        gap = self.text[end : spans[index + 1][0]] if before else self.text[spans[index - 1][1] : start]
        word = self.text[start:end]
        low = word.lower()
        if gap in ("-", "–", "’", "'", "_") and low != "s":
            return not (before and low in FUNCTION_WORDS) and not word.isdigit()
        if not before and gap == " " and word == "City" and self._named() in NAMED_CITIES:
            return True
        if (
            gap.strip()
            or "\n" in gap
            or low in FUNCTION_WORDS
            or low in CALENDAR
            or low in (TITLES if before else ENDINGS)
        ):
            return False
        if (not before and low == "s") or fold_word(low) in self.kinds:
            return False
        if self.text.isupper() or not any(letter.isupper() for letter in self.text):
            return self._is_short() and word.isalpha()
        return self._is_name_word(word, index, before=before)

    def _is_name_word(self, word: str, index: int, *, before: bool) -> bool:
        """Whether a neighbour is written like part of a name."""
        named = self.text[self.words.spans[self.first][0] : self.words.spans[self.last - 1][1]]
        if before and self._begins_sentence(index) and is_opening(word.lower()):
            return False
        if before and index == 0 and named.isupper() and len(named) > 1:
            return False  # `Sàn HOSE`: a capital begins the text, and letters are no part of a name before them
        return word[0].isupper() and not (before and word.isupper() and len(word) > 1 and index == 0)

    def _begins_sentence(self, index: int) -> bool:
        start = self.words.spans[index][0]
        earlier = self.text[max(0, start - NEAR) : start].rstrip(" \t*_\"'“‘(>-")
        return not earlier or earlier[-1] in ".!?:;\n…"


def is_opening(word: str) -> bool:
    """Whether a word is one that sentences begin with, as English adverbs do."""
    return word in OPENINGS or (len(word) >= 6 and word.endswith("ly") and word not in NAMES_LIKE_ADVERBS)
