"""Joins two amounts into a range, or sees that one is what the other rose from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from .amounts import Amount
from .spelled import word_at
from .tokens import Token
from .units import CURRENCIES
from .wording import words

__all__ = ["Joined", "join"]

TO_WORDS = frozenset(("to", "đến", "tới", "through"))
TO_SIGNS = frozenset("-–~−")
CHANGE_LINKS = frozenset(("lên", "xuống", "còn", "thành", "sang", "→", "=>", "->"))
CHANGES = frozenset(
    words(
        "tăng giảm nâng hạ leo rơi chuyển đổi sụt vọt nhảy thu mở rose rise rises rising fell fall falls falling"
        " increased increase increases increasing decreased decrease decreases decreasing dropped drop drops dropping"
        " climbed climb climbs went go grew grow grows grown declined decline declines jumped jump jumps changed change"
        " moved move up down surged soared slipped slid raised cut lowered improved expanded shrank shrunk advanced"
        " gained plunged lifted reduced doubled tripled"
    )
)
SPREADS = frozenset(words("range ranges ranged ranging vary varies varied dao động khoảng between giữa"))
SENTENCE = frozenset(".;!?")
NUMBERED = frozenset(words("option choice step question câu bước mục item section"))
"""What a number behind it only labels: of `option 3 – 25 million` the 3 is no end of a range."""
FILLERS = frozenset(
    ("khoảng", "about", "mức", "gần", "hơn", "around", "some", "roughly", "đến", "tới", "the", "nearly")
)


@dataclass(frozen=True, slots=True)
class Joined:
    """One amount or a range of two."""

    low: Decimal
    high: Decimal
    unit: str | None
    first: int
    last: int
    is_range: bool
    scale: Decimal | None
    plausible: bool


def join(tokens: Sequence[Token], amounts: Iterable[tuple[Amount, bool]]) -> list[Joined]:
    """The amounts in order, joined where they are the ends of a range."""
    joined: list[Joined] = []
    for amount, plausible in amounts:
        first = amount.first
        one = Joined(amount.value, amount.value, amount.unit, first, amount.last, False, amount.scale, plausible)
        if word_at(tokens, first - 1) == "±" or (
            word_at(tokens, first - 1) == "-" and word_at(tokens, first - 2) == "/"
        ):
            continue
        if joined and not joined[-1].is_range:
            link = _link(tokens, joined[-1], one)
            if link == "range":
                joined.append(_range(joined.pop(), one))
                continue
            if link == "change":
                joined.append(replace(joined.pop(), plausible=False))
                one = replace(one, unit=one.unit, plausible=True)
        joined.append(one)
    return joined


def _link(tokens: Sequence[Token], left: Joined, right: Joined) -> str | None:
    between = [word_at(tokens, index) for index in range(left.last, right.first)]
    if not between or len(between) > 4 or "" in between:
        return None
    begun = _begun(tokens, left.first)
    if between[0] in CHANGE_LINKS and begun == "from":
        return "change"
    rest = between[1:]
    if any(word not in FILLERS for word in rest):
        return None
    if between[0] in TO_WORDS or (between[0] in TO_SIGNS and len(between) == 1):
        if left.unit and right.unit and left.unit != right.unit:
            return None
        if (right.unit or right.scale) and word_at(tokens, left.first - 1) in NUMBERED:
            return None
        if left.unit and left.unit not in CURRENCIES and not right.unit and right.scale and not left.scale:
            return None
        changing = _is_change(tokens, left.first)
        if begun == "from" and changing:
            return "change"
        if changing and between[0] == "to" and left.unit and not right.unit:
            return None
        return "range"
    if between[0] in ("and", "và") and begun == "between":
        return "range"
    return None


def _begun(tokens: Sequence[Token], first: int) -> str | None:
    """Whether `from` or `between` stands before an amount."""
    for index in (first - 1, first - 2, first - 3):
        word = word_at(tokens, index)
        if word in ("from", "từ"):
            return "from"
        if word in ("between", "giữa"):
            return "between"
        if word not in FILLERS and word not in ("năm", "mốc"):
            return None
    return None


def _is_change(tokens: Sequence[Token], first: int) -> bool:
    """Whether something is said to change, before an amount in the same sentence."""
    for index in range(first - 1, max(-1, first - 13), -1):
        token = tokens[index]
        if token.low in SENTENCE or token.line or token.low in SPREADS:
            return False
        if token.low in CHANGES:
            return True
    return False


def _range(left: Joined, right: Joined) -> Joined:
    """The range between two amounts; a scale or unit said once holds for both."""
    low, high = left.low, right.high
    once = right.scale and not left.scale and (left.unit is None or left.unit in CURRENCIES)
    if once and right.scale and low * right.scale < high:
        low *= right.scale
    if low > high:
        low, high = high, low
    return Joined(low, high, right.unit or left.unit, left.first, right.last, True, right.scale or left.scale, True)
