"""The words that make up numbers, in Vietnamese and English.

Words of both languages are known in either locale, since an answer is not always in the language of its question; the
locale decides what is written with figures.
"""

from __future__ import annotations

from decimal import Decimal

from .wording import words

__all__ = [
    "DENOMINATORS",
    "ENGLISH_ONES",
    "ENGLISH_TENS",
    "NOT_AFTER_SCALE",
    "SCALES",
    "VIETNAMESE_DIGITS",
    "VIETNAMESE_ENDINGS",
    "VULGAR",
]

VIETNAMESE_DIGITS = {
    "không": 0,
    "một": 1,
    "hai": 2,
    "ba": 3,
    "bốn": 4,
    "năm": 5,
    "sáu": 6,
    "bảy": 7,
    "bẩy": 7,
    "tám": 8,
    "chín": 9,
}

VIETNAMESE_ENDINGS = {
    **{word: value for word, value in VIETNAMESE_DIGITS.items() if word not in ("không", "năm")},
    "mốt": 1,
    "tư": 4,
    "lăm": 5,
    "nhăm": 5,
}
"""What may follow the tens. Five is `lăm` there: `hai mươi năm` are twenty years."""

ENGLISH_ONES = {
    word: value
    for value, word in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen"
        )
    )
}
ENGLISH_TENS = {
    word: value
    for value, word in zip(
        range(20, 100, 10), ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], strict=True
    )
}

SCALES: dict[str, Decimal] = {
    word: Decimal(10) ** power
    for power, words in {
        3: "nghìn ngàn nghin ngan thousand thousands",
        4: "vạn",
        6: "triệu trieu tr million millions mn mln mio mil",
        9: "tỷ tỉ ty billion billions bn bln",
        12: "trillion trillions tn trn",
    }.items()
    for word in words.split()
}
"""Words and abbreviations that multiply; `k`, `m`, `b` and `t` depend on their neighbours."""

NOT_AFTER_SCALE = frozenset(["lệ", "giá", "suất", "trọng", "phú", "số", "lê", "gia"])
"""`tỷ lệ` is a rate and `triệu phú` a person: no scale word before these."""

DENOMINATORS = {
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fourth": 4,
    "fourths": 4,
    "fifth": 5,
    "fifths": 5,
    "sixth": 6,
    "sixths": 6,
    "seventh": 7,
    "sevenths": 7,
    "eighth": 8,
    "eighths": 8,
    "ninth": 9,
    "ninths": 9,
    "tenth": 10,
    "tenths": 10,
    "hundredth": 100,
    "hundredths": 100,
}

VULGAR = {
    "½": Decimal("0.5"),
    "¼": Decimal("0.25"),
    "¾": Decimal("0.75"),
    "⅓": Decimal(1) / 3,
    "⅔": Decimal(2) / 3,
    "⅕": Decimal("0.2"),
    "⅛": Decimal("0.125"),
}
