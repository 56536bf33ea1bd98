"""Words of requests and tools as the lexical baseline compares them: without tones, small words and plural endings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from toolgauge.core import nfc
from toolgauge.locale import fold_tones

__all__ = ["content_words", "is_vietnamese", "terms"]

WORD = re.compile(r"[^\W_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
MARKED = re.compile("[ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ]", re.I)

SMALL_WORDS = (
    "và của là cho tôi trong có các những được với thì mà này đó kia nào gì ai ở tại từ đến vào ra lên xuống hay "
    "hoặc như để khi nếu vì bởi về theo trên dưới bao nhiêu một hai mình bạn anh chị em giúp hãy xin vui lòng muốn "
    "biết cần hỏi không chưa đã đang sẽ rồi thế sao vậy nhé ạ nhỉ à ơi cái con "
    "the a an of to in for is are was were be been do does did and or on at by with from as it its this that these "
    "those what which who how when where why i you me my your we our us can could would should will please tell "
    "give show get want need know about there any some if not no"
)
SMALL = frozenset(SMALL_WORDS.split())
"""Words that say nothing about what is wanted."""


def is_vietnamese(text: str) -> bool:
    """Whether a text has letters that only Vietnamese has."""
    return MARKED.search(text) is not None


def content_words(text: str) -> list[str]:
    """The words of a text in order, folded, without those that say nothing; also those joined in a name."""
    return list(_content_words(text))


@lru_cache(maxsize=4096)
def _content_words(text: str) -> tuple[str, ...]:
    words = WORD.findall(CAMEL.sub(" ", nfc(text)))
    # Small words are known by their tones: `có` is one, `cổ` of `cổ phiếu` is not.
    kept = [fold_tones(word) for word in words if word.lower() not in SMALL]
    return tuple(_stem(word) for word in kept if len(word) > 1 or word.isdigit())


def _stem(word: str) -> str:
    """An English plural and its singular are the same word."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def terms(words: Sequence[str]) -> set[str]:
    """Words and pairs of neighbours: most words of Vietnamese are written as two."""
    return {*words, *(f"{first} {second}" for first, second in pairwise(words))}
