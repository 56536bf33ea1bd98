"""Words that are frequent in some questions and rare in others: what should make an agent think of a tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from toolgauge.core import nfc

__all__ = ["telling_phrases"]

MAX_WORDS = 3
"""The most words of a phrase, unless it would be cut in the middle of a longer word."""

MAX_GROWN = 6
"""The most words of a phrase that has grown until no word is cut."""

MAX_QUESTIONS = 2000
"""How many questions are looked at on each side."""

MIN_SHARE = 0.2
MIN_LEAD = 0.1

BOUND = 0.5
"""What follows a phrase more often than this belongs to it."""

_PART = re.compile(r"[^\w\s]+|[\n\r]+")
_WORD = re.compile(r"\w+")

_ENGLISH_WORDS = (
    "a an the and or but if of in on at to for from by with about as into is are was were be been am do does did has "
    "have had will would can could should may might must not no it its this that these those there here i me my we us "
    "our you your he she they them his her their what which who whom whose when where why how please tell give show "
    "over out up after before between during until right now get any some all so than then just s t m re ve ll d"
)
_VIETNAMESE_WORDS = (
    "là và hoặc hay của cho từ đến tới tại ở trong ngoài trên dưới với về theo bởi vì do nên thì mà nếu khi như để "
    "được bị có không chưa đã đang sẽ vừa mới rồi này kia đó ấy đây các những một mỗi mọi tôi bạn mình anh chị em "
    "chúng ta họ nó ai gì nào sao bao nhiêu thế nào hãy xin vui lòng giúp hộ biết cần muốn à ạ nhé nhỉ vậy thôi cũng "
    "rất quá lắm hơn nhất ra vào lên xuống lại đi"
)
_PARTS_OF_WORDS = (
    "cổ phiếu sánh khoán chứng nghiệp doanh thị trường suất hối đoái lợi nhuận vốn hóa thống kê tức đông tài chính "
    "ngân thông tin niêm yết danh mục lịch sử hiện khoảng gian kinh tế quốc gia công ty sản phẩm dịch vụ khách "
    "hàng nhiệt độ dự báo thời tiết địa điểm chuyến bay phòng quý đầu tư giao thương mại cáo phân tích đánh"
)
_ENGLISH, _VIETNAMESE = frozenset(_ENGLISH_WORDS.split()), frozenset(_VIETNAMESE_WORDS.split())
"""Words that say little about what is asked. Those of one language may be parts of words in the other."""

_ONLY_PARTS = frozenset(_PARTS_OF_WORDS.split())
"""Syllables that are hardly ever a word by themselves."""

_LETTERS = frozenset("đơưăâêô")
_TONES = frozenset("\u0300\u0301\u0303\u0309\u0323")


def telling_phrases(inside: Sequence[str], outside: Sequence[str], max_phrases: int = 3) -> tuple[str, ...]:
    """The phrases that tell some questions from others, the most telling first.

    In Vietnamese, where a word has several syllables with spaces in between, no word is cut; what is written in
    capitals, such as the symbol of a share, stays so.

    Args:
        inside: The questions that are meant.
        outside: Other questions.
        max_phrases: How many phrases are wanted.
    """
    read = [_Question(text) for text in inside[:MAX_QUESTIONS]]
    ours, theirs = _counted(read), _counted([_Question(text) for text in outside[:MAX_QUESTIONS]])
    total, others = len(read), min(len(outside), MAX_QUESTIONS)
    min_count = 1 if total == 1 else max(2, round(MIN_SHARE * total))
    leads: dict[str, float] = {}
    for phrase, count in ours.items():
        lead = count / total - (theirs[phrase] / others if others else 0.0)
        if count >= min_count and lead >= MIN_LEAD:
            leads[phrase] = lead
    vietnamese = [question for question in read if question.vietnamese]
    chosen: list[str] = []
    for phrase in sorted(leads, key=lambda one: (-round(leads[one], 6), -len(one.split()), one)):
        whole = _grown(phrase, vietnamese, min_count) if vietnamese else phrase
        if whole and not any(_within(whole, other) or _within(other, whole) for other in chosen):
            chosen.append(whole)
            if len(chosen) == max_phrases:
                break
    return tuple(chosen)


class _Question:
    """A question as words, in parts between punctuation marks."""

    __slots__ = ("empty", "parts", "vietnamese")

    def __init__(self, text: str) -> None:
        text = nfc(text)
        self.vietnamese = _is_vietnamese(text)
        self.empty = _VIETNAMESE if self.vietnamese else _ENGLISH
        shouted = text.isupper()
        self.parts = [[_spelled(word, shouted) for word in _WORD.findall(part)] for part in _PART.split(text)]

    def says_little(self, word: str) -> bool:
        return word in self.empty or any(map(str.isdigit, word)) or (len(word) == 1 and word.isascii())

    def phrases(self) -> Iterator[str]:
        for words in self.parts:
            for start in range(len(words)):
                for length in range(1, min(MAX_WORDS, len(words) - start) + 1):
                    phrase = words[start : start + length]
                    if not any(map(self.says_little, phrase)):
                        yield " ".join(phrase)

    def neighbours(self, phrase: Sequence[str], step: int) -> Iterator[str | None]:
        """What stands before (-1) or after (1) each occurrence of a phrase; None where nothing that says much does."""
        for words in self.parts:
            for start in range(len(words) - len(phrase) + 1):
                if words[start : start + len(phrase)] == phrase:
                    place = start - 1 if step < 0 else start + len(phrase)
                    beside = words[place] if 0 <= place < len(words) else None
                    yield None if beside is None or self.says_little(beside) or beside.isupper() else beside


def _is_vietnamese(text: str) -> bool:
    folded = text.casefold()
    return any(letter in _LETTERS for letter in folded) or any(mark in _TONES for mark in normalize("NFD", folded))


def _spelled(word: str, shouted: bool) -> str:
    return word if len(word) > 1 and word.isupper() and not shouted else word.casefold()


def _counted(questions: Sequence[_Question]) -> Counter[str]:
    """In how many questions each phrase stands."""
    counts: Counter[str] = Counter()
    for question in questions:
        counts.update(set(question.phrases()))
    return counts


def _grown(phrase: str, questions: Sequence[_Question], min_count: int) -> str:
    """The phrase with the syllables that nearly always stand beside it; nothing where it is only part of a word."""
    words = phrase.split()
    grows = True
    while grows and len(words) < MAX_GROWN:
        grows = False
        for step in (-1, 1):
            beside = Counter(found for question in questions for found in question.neighbours(words, step))
            total = sum(beside.values())
            found, count = beside.most_common(1)[0] if beside else (None, 0)
            if found is not None and count > BOUND * total and count >= min(min_count, total):
                words = [found, *words] if step < 0 else [*words, found]
                grows = True
    return "" if len(words) == 1 and words[0] in _ONLY_PARTS else " ".join(words)


def _within(phrase: str, other: str) -> bool:
    return f" {phrase} " in f" {other} "
