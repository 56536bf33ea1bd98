"""What the day until which something holds says to a question whether it still does."""

from __future__ import annotations

import re

from toolgauge.locale import find_dates

from ..answer_type import Setting
from .opposites import folded_words
from .polar import Stance

__all__ = ["by_end"]

FLAGS = re.IGNORECASE
VALID = re.compile(
    r"\b(?:valid|active|in\s(?:force|effect)|effective|under\swarranty|current|covered|running|still|còn\s(?:hạn|hiệu\slực|bảo\shành|trong\sthời\shạn"
    r"|giá\strị|được\sbảo\shành|hợp\sđồng|thời\shạn)|hiệu\slực|(?P<ended>expired|lapsed|ended|hết\s(?:hạn|hiệu\slực|bảo\shành)))\b",
    FLAGS,
)
UNTIL = re.compile(
    r"\b(?:until|till|through|(?:valid|runs|good|lasts|covered)\sto|expir(?:es|ed|ing)(?:\son|\sin)?|ends?(?:\son)?|ended(?:\son)?"
    r"|(?:có\s)?(?:hiệu\slực|hạn|giá\strị|bảo\shành|kéo\sdài)\s(?:đến|tới)(?:\shết)?|hết\s(?:hạn|hiệu\slực)(?:\svào|\stừ)?|đến\shết)\s(?:the\s|ngày\s)?",
    FLAGS,
)
WEIGHTS = {"holds until then": 2.4}
NEAR = 3
"""How many characters may stand between `until` and its day."""


def _is_of_another(before: str, question: str) -> bool:
    """Whether the label of a line has few words of the question: `Food licence: valid until …`."""
    label, colon, _ = before.partition(":")
    words, known = folded_words(label), set(folded_words(question))
    return bool(colon and words) and 2 * sum(word in known for word in words) < len(words)


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
