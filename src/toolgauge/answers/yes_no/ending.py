"""What the day until which something holds says to a question whether it still does."""

from __future__ import annotations

import re

from toolgauge.locale import find_dates

from ..answer_type import Setting
from ..question import stem
from .opposites import folded_words
from .polar import Stance
from .subjects import YEAR, Asked, is_about_another

__all__ = ["asks_end", "asks_year", "by_end", "by_year"]

FLAGS = re.IGNORECASE
VALID = re.compile(
    r"\b(?:valid|active|in\s(?:force|effect)|effective|under\swarranty|current|covered|running"
    r"|still|còn\s(?:hạn|hiệu\slực|bảo\shành|trong\sthời\shạn"
    r"|giá\strị|được\sbảo\shành|hợp\sđồng|thời\shạn)|hiệu\slực|(?P<ended>expired|lapsed|ended"
    r"|hết\s(?:hạn|hiệu\slực|bảo\shành)))\b",
    FLAGS,
)
UNTIL = re.compile(
    r"\b(?:until|till|through|(?:valid|runs|good|lasts|covered)\sto|expir(?:es|ed|ing)(?:\son"
    r"|\sin)?|ends?(?:\son)?|ended(?:\son)?"
    r"|(?:có\s)?(?:hiệu\slực|hạn|giá\strị|bảo\shành|kéo\sdài)\s(?:đến|tới)(?:\shết)?|hết\s(?:hạn"
    r"|hiệu\slực)(?:\svào|\stừ)?|đến\shết)\s(?:the\s|ngày\s)?",
    FLAGS,
)
WEIGHTS = {"holds until then": 2.4, "the year of it": 2.2}
BOUND = re.compile(
    r"\b(?:(?P<before>before|prior\sto|earlier\sthan|trước)|(?P<after>after|later\sthan|sau))\s(?:the\syear\s"
    r"|năm\s)?(?P<year>(?:1[0-9]|20)[0-9]{2})\b",
    FLAGS,
)
"""A year that a question wants something to be before or after."""
IN_YEAR = re.compile(r"(?<![\d.,/#$€£-])(?:1[0-9]|20)[0-9]{2}(?![\d%]|[.,][0-9])")
LOOSE = re.compile(
    r"\b(?:before|after|until|since|trước|sau|đến|từ|between|giữa|replac\w+|thay|not|không|if|nếu)\b", FLAGS
)
NEAR = 3
"""How many characters may stand between `until` and its day."""


def _is_of_another(before: str, question: str) -> bool:
    """Whether the label of a line has few words of the question: `Food licence: valid until …`."""
    label, colon, _ = before.partition(":")
    words, known = folded_words(label), set(folded_words(question))
    return bool(colon and words) and 2 * sum(word in known for word in words) < len(words)


def asks_end(question: str) -> bool:
    """Whether a question asks if something still holds."""
    return VALID.search(question) is not None


def asks_year(question: str) -> bool:
    """Whether a question asks if something was before or after a year."""
    return BOUND.search(question) is not None


def by_end(sentence: str, question: str, setting: Setting) -> Stance | None:
    """What `valid until 30 June 2027` says on the day that is asked about, or else on that of the question.

    Args:
        sentence: A sentence of the answer.
        question: The question as it is written.
        setting: Says what day it is.
    """
    valid = VALID.search(question)
    until = UNTIL.search(sentence) if valid is not None else None
    if valid is None or until is None or _is_of_another(sentence[: until.start()], question):
        return None
    asked = setting.asked.periods
    day = asked[-1].low if asked else setting.now
    if day is None:
        return None
    for found in find_dates(sentence, setting.locale or "vi", setting.now):
        if found.readings and 0 <= found.start - until.end() + NEAR <= 2 * NEAR:
            holds = found.readings[0].high >= day
            return Stance(holds is (valid["ended"] is None), WEIGHTS["holds until then"], "holds until then")
    return None


def by_year(sentence: str, asked: Asked, question: str) -> Stance | None:
    """What the first year that a sentence names says to `Was it built before 1900?`."""
    bound = BOUND.search(question)
    years = list(IN_YEAR.finditer(sentence)) if bound is not None else []
    if bound is None or not years or LOOSE.search(sentence, 0, years[0].start()):
        return None
    said = YEAR.sub(" ", sentence[: years[0].end()])
    if is_about_another(said, asked, opens=True) or not asked.topic.intersection(map(stem, folded_words(said))):
        return None
    year, limit = int(years[0].group()), int(bound["year"])
    if year == limit:
        return None
    value = year < limit if bound["before"] else year > limit
    return Stance(value is not asked.negated, WEIGHTS["the year of it"], "the year of it")
