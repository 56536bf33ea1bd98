"""Reads numbers below a thousand that are spelled out: `hai trăm linh năm`, `two hundred and five`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from .tokens import Token
from .vocabulary import ENGLISH_ONES, ENGLISH_TENS, SCALES, VIETNAMESE_DIGITS, VIETNAMESE_ENDINGS
from .wording import words

__all__ = ["CLAIMS", "DECIMAL_WORDS", "read_decimals", "read_group", "word_at"]

BEFORE_FIVE = frozenset(("mươi", "trăm", "chục", "phẩy", "phần"))
"""`năm` is five before these and before scale words; otherwise it is mostly a year."""
COUNTED_NOUNS = frozenset(
    words(
        "người con cái chiếc tỉnh nước công thành quốc mã cổ lần cây giờ phút giây nhân quả bài trận doanh trường lớp"
        " đội bên nhóm loại phần ngôi tòa đồng độ ngân sao châu lục nguyên"
    )
)
CLAIMS = frozenset(("là", "bằng", "có", "is", "are", "was", "equals", ":", "=", ""))
"""Words behind which a number that ends the clause is stated."""
DECIMAL_WORDS = frozenset(("phẩy", "chấm", "point"))


def word_at(tokens: Sequence[Token], index: int) -> str:
    """The word at an index in lower case; empty where there is none on the same line."""
    if 0 <= index < len(tokens) and (index == 0 or not tokens[index].line):
        return tokens[index].low
    return ""


def read_group(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """A spelled number below a thousand that begins at a token, and the index behind it."""
    found = _vietnamese(tokens, index) or _english(tokens, index)
    return (Decimal(found[0]), found[1]) if found else None


def _vietnamese(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    word = tokens[index].low
    if word == "mười":
        return _ending(tokens, index + 1, 10)
    digit = VIETNAMESE_DIGITS.get(word)
    following = word_at(tokens, index + 1)
    if digit is None or (word == "năm" and not _is_five(tokens, index, following)):
        return None
    if following == "trăm":
        return _below_hundred(tokens, index + 2, digit * 100)
    if following in ("mươi", "chục"):
        return _ending(tokens, index + 2, digit * 10)
    if following in ("mốt", "lăm", "nhăm") and digit > 1:
        return digit * 10 + VIETNAMESE_ENDINGS[following], index + 2
    return digit, index + 1


def _is_five(tokens: Sequence[Token], index: int, following: str) -> bool:
    """Whether `năm` is five: it is mostly a year."""
    if following in BEFORE_FIVE or following in SCALES:
        return True
    if following in COUNTED_NOUNS:
        return word_at(tokens, index - 1) not in ("mỗi", "trong", "vào", "cả", "một", "các", "những", "hàng", "hằng")
    ends = not following or not following.isalnum()
    return ends and (index == 0 or word_at(tokens, index - 1) in CLAIMS)


def _ending(tokens: Sequence[Token], index: int, tens: int) -> tuple[int, int]:
    """Tens and the digit behind them, unless the digit multiplies something of its own."""
    word = word_at(tokens, index)
    if word in VIETNAMESE_ENDINGS and word_at(tokens, index + 1) not in ("trăm", "mươi"):
        return tens + VIETNAMESE_ENDINGS[word], index + 1
    return tens, index


def _below_hundred(tokens: Sequence[Token], index: int, hundreds: int) -> tuple[int, int]:
    word, following = word_at(tokens, index), word_at(tokens, index + 1)
    if word in ("linh", "lẻ"):
        digit = VIETNAMESE_DIGITS.get(following, VIETNAMESE_ENDINGS.get(following))
        return (hundreds, index) if digit is None else (hundreds + digit, index + 2)
    if word == "mười":
        tens, end = _ending(tokens, index + 1, 10)
        return hundreds + tens, end
    if word == "rưỡi":
        return hundreds + 50, index + 1
    if word in VIETNAMESE_DIGITS and following in ("mươi", "chục"):
        tens, end = _ending(tokens, index + 2, VIETNAMESE_DIGITS[word] * 10)
        return hundreds + tens, end
    if word in VIETNAMESE_DIGITS and following in ("mốt", "lăm", "nhăm"):
        return hundreds + VIETNAMESE_DIGITS[word] * 10 + VIETNAMESE_ENDINGS[following], index + 2
    if word in VIETNAMESE_ENDINGS and hundreds:
        return hundreds + VIETNAMESE_ENDINGS[word] * 10, index + 1  # `trăm hai` is short for a hundred and twenty
    return hundreds, index


def _english(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    word = tokens[index].low
    if word in ("a", "an") and word_at(tokens, index + 1) in ("hundred", "dozen"):
        value, end = 1, index + 1
    else:
        small = _english_small(tokens, index)
        if small is None:
            return None
        value, end = small
    if word_at(tokens, end) == "dozen":
        return value * 12, end + 1
    if word_at(tokens, end) not in ("hundred", "hundreds"):
        return value, end
    value, end = value * 100, end + 1
    behind = end + (word_at(tokens, end) == "and")
    rest = _english_small(tokens, behind) if behind < len(tokens) and word_at(tokens, behind) else None
    return (value + rest[0], rest[1]) if rest else (value, end)


def _english_small(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    word = tokens[index].low
    if word in ENGLISH_ONES:
        return ENGLISH_ONES[word], index + 1
    if word not in ENGLISH_TENS:
        return None
    value, end = ENGLISH_TENS[word], index + 1
    behind = end + (word_at(tokens, end) == "-")
    one = ENGLISH_ONES.get(word_at(tokens, behind), 0)
    return (value + one, behind + 1) if 1 <= one <= 9 else (value, end)


def read_decimals(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """The decimals behind `phẩy` or `point`: digit by digit, or as one number (`bảy mươi lăm`)."""
    digits, end = "", index
    while end < len(tokens) and word_at(tokens, end):
        word = tokens[end].low
        if word == "năm" or word in ("lăm", "mốt", "tư"):
            digits, end = digits + str({"năm": 5, "lăm": 5, "mốt": 1, "tư": 4}[word]), end + 1
            continue
        group = read_group(tokens, end) if tokens[end].kind == "word" else None
        if group is None:
            break
        digits, end = digits + str(group[0]), group[1]
    return (Decimal(f"0.{digits}"), end) if digits else None
