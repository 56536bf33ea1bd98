"""Words that are frequent in some questions and rare in others: what should make an agent think of a tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from toolgauge.core import nfc

__all__ = ["telling_phrases"]

LONGEST = 3
"""The most words of a phrase."""

MOST_QUESTIONS = 2000
"""How many questions are looked at on each side."""

LEAST_SHARE = 0.2
LEAST_LEAD = 0.1

_PART = re.compile(r"[^\w\s]+|[\n\r]+")
_WORD = re.compile(r"\w+")

_LISTED = (
    "a an the and or but if of in on at to for from by with about as into is are was were be been am do does did has "
    "have had will would can could should may might must not no it its this that these those there here i me my we us "
    "our you your he she they them his her their what which who whom whose when where why how please tell give show "
    "over out up after before between during until right now get any some all so than then just s t m re ve ll d "
    "là và hoặc hay của cho từ đến tới tại ở trong ngoài trên dưới với về theo bởi vì do nên thì mà nếu khi như để "
    "được bị có không chưa đã đang sẽ vừa mới rồi này kia đó ấy đây các những một mỗi mọi tôi bạn mình anh chị em "
    "chúng ta họ nó ai gì nào sao bao nhiêu thế nào hãy xin vui lòng giúp hộ biết cần muốn à ạ nhé nhỉ vậy thôi cũng "
    "rất quá lắm hơn nhất ra vào lên xuống lại đi"
)
_EMPTY_WORDS = frozenset(_LISTED.split())
"""Words of English and Vietnamese that say little about what is asked."""


def telling_phrases(inside: Sequence[str], outside: Sequence[str], most: int = 3) -> tuple[str, ...]:
    """The phrases that tell some questions from others, the most telling first.

    Args:
        inside: The questions that are meant.
        outside: Other questions.
        most: How many phrases are wanted.
    """
    ours, theirs = _counted(inside), _counted(outside)
    total, others = min(len(inside), MOST_QUESTIONS), min(len(outside), MOST_QUESTIONS)
    least = 1 if total == 1 else max(2, round(LEAST_SHARE * total))
    leads: dict[str, float] = {}
    for phrase, count in ours.items():
        lead = count / total - (theirs[phrase] / others if others else 0.0)
        if count >= least and lead >= LEAST_LEAD:
            leads[phrase] = lead
    chosen: list[str] = []
    for phrase in sorted(leads, key=lambda one: (-round(leads[one], 6), -len(one.split()), one)):
        if not any(_within(phrase, other) or _within(other, phrase) for other in chosen):
            chosen.append(phrase)
            if len(chosen) == most:
                break
    return tuple(chosen)


def _counted(questions: Sequence[str]) -> Counter[str]:
    """In how many questions each phrase stands."""
    counts: Counter[str] = Counter()
    for question in questions[:MOST_QUESTIONS]:
        counts.update(set(_phrases(question)))
    return counts


def _phrases(question: str) -> Iterator[str]:
    for part in _PART.split(nfc(question).casefold()):
        words = _WORD.findall(part)
        for start in range(len(words)):
            for length in range(1, min(LONGEST, len(words) - start) + 1):
                phrase = words[start : start + length]
                if not any(map(_says_little, phrase)):
                    yield " ".join(phrase)


def _says_little(word: str) -> bool:
    return word in _EMPTY_WORDS or any(map(str.isdigit, word)) or (len(word) == 1 and word.isascii())


def _within(phrase: str, other: str) -> bool:
    return f" {phrase} " in f" {other} "
