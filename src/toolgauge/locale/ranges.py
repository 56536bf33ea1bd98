"""Joins two amounts into a range, or sees that one is what the other rose from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from .amounts import Amount
from .profile import NumberWords
from .tokens import Token, word_at
from .units import CURRENCIES

__all__ = ["Joined", "join"]

TO_SIGNS = frozenset("-–~−")
SENTENCE = frozenset(".;!?")


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


def join(tokens: Sequence[Token], amounts: Iterable[tuple[Amount, bool]], words: NumberWords) -> list[Joined]:
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
            link = _link(tokens, joined[-1], one, words)
            if link == "range":
                joined.append(_range(joined.pop(), one))
                continue
            if link == "change":
                joined.append(replace(joined.pop(), plausible=False))
                one = replace(one, unit=one.unit, plausible=True)
        joined.append(one)
    return joined


def _link(tokens: Sequence[Token], left: Joined, right: Joined, words: NumberWords) -> str | None:
    between = [word_at(tokens, index) for index in range(left.last, right.first)]
    if not between or len(between) > 4 or "" in between:
        return None
    begun = _begun(tokens, left.first, words)
    if between[0] in words.change_links and begun == "from":
        return "change"
    rest = between[1:]
    if any(word not in words.fillers for word in rest):
        return None
    if between[0] in words.range_words or (between[0] in TO_SIGNS and len(between) == 1):
        if left.unit and right.unit and left.unit != right.unit:
            return None
        if (right.unit or right.scale) and word_at(tokens, left.first - 1) in words.numbered:
            return None
        if left.unit and left.unit not in CURRENCIES and not right.unit and right.scale and not left.scale:
            return None
        changing = _is_change(tokens, left.first, words)
        if begun == "from" and changing:
            return "change"
        if changing and between[0] == "to" and left.unit and not right.unit:
            return None
        return "range"
    if between[0] in words.and_words and begun == "between":
        return "range"
    return None


def _begun(tokens: Sequence[Token], first: int, words: NumberWords) -> str | None:
    """Whether `from` or `between` stands before an amount."""
    for index in (first - 1, first - 2, first - 3):
        word = word_at(tokens, index)
        if word in words.from_words:
            return "from"
        if word in words.between_words:
            return "between"
        if word not in words.fillers and word not in ("năm", "mốc"):
            return None
    return None


def _is_change(tokens: Sequence[Token], first: int, words: NumberWords) -> bool:
    """Whether something is said to change, before an amount in the same sentence."""
    for index in range(first - 1, max(-1, first - 13), -1):
        token = tokens[index]
        if token.low in SENTENCE or token.line or token.low in words.spreads:
            return False
        if token.low in words.changes:
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
