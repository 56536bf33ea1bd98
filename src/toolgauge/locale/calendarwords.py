"""Names of months, days and quarters in Vietnamese and English, and the patterns made of them."""

from __future__ import annotations

from .wording import words

__all__ = [
    "DAYS",
    "ENGLISH_DAY",
    "ENGLISH_MONTH",
    "MONTHS",
    "QUARTERS",
    "VIETNAMESE_DAY",
    "VIETNAMESE_MONTH",
    "WEEKDAYS",
    "alternatives",
    "roman",
]

DIGITS = ["không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín"]
ENDINGS = {1: "mốt", 4: "tư", 5: "lăm"}


def _vietnamese(number: int) -> list[str]:
    """The spellings of a number below 32."""
    tens, one = divmod(number, 10)
    if number < 10:
        return [DIGITS[number], *(["tư"] if number == 4 else [])]
    if tens == 1:
        return ["mười" if one == 0 else f"mười {'lăm' if one == 5 else DIGITS[one]}"]
    head = f"{DIGITS[tens]} mươi"
    if one == 0:
        return [head]
    return sorted({f"{head} {DIGITS[one]}", f"{head} {ENDINGS.get(one, DIGITS[one])}"})


VIETNAMESE_DAYS = {word: number for number in range(1, 32) for word in _vietnamese(number)}
VIETNAMESE_MONTHS = {
    **{word: number for number in range(1, 13) for word in _vietnamese(number)},
    "giêng": 1,
    "chạp": 12,
}
ENGLISH_MONTHS = {
    word: number
    for number, words in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for word in words.split()
}
ENGLISH_DAYS = {
    word: number
    for number, word in enumerate(
        words(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
            " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third"
            " twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
        ),
        1,
    )
}
MONTHS = {**VIETNAMESE_MONTHS, **ENGLISH_MONTHS}
DAYS = {**VIETNAMESE_DAYS, **ENGLISH_DAYS}
QUARTERS = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "một": 1,
    "hai": 2,
    "ba": 3,
    "bốn": 4,
    "tư": 4,
    "nhất": 1,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "last": 4,
    "final": 4,
    "đầu": 1,
    "cuối": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
WEEKDAYS = {
    "thứ hai": 0,
    "thứ ba": 1,
    "thứ tư": 2,
    "thứ năm": 3,
    "thứ sáu": 4,
    "thứ bảy": 5,
    "chủ nhật": 6,
    "monday": 0,
    "tuesday": 1,
    "wednesday": 2,
    "thursday": 3,
    "friday": 4,
    "saturday": 5,
    "sunday": 6,
}


def alternatives(words: dict[str, int]) -> str:
    """A pattern that matches any of the words, the longest first."""
    return "|".join(word.replace(" ", r"\s") for word in sorted(words, key=len, reverse=True))


VIETNAMESE_DAY = alternatives(VIETNAMESE_DAYS)
VIETNAMESE_MONTH = alternatives(VIETNAMESE_MONTHS)
ENGLISH_MONTH = alternatives(ENGLISH_MONTHS)
ENGLISH_DAY = alternatives(ENGLISH_DAYS)

ROMAN = {"i": 1, "v": 5, "x": 10}


def roman(text: str) -> int | None:
    """The value of a Roman numeral up to 39; None where it is none."""
    total = 0
    values = [ROMAN.get(letter, 0) for letter in text.lower()]
    for value, following in zip(values, [*values[1:], 0], strict=True):
        if not value:
            return None
        total += -value if value < following else value
    return total
