"""Reads numbers below a thousand that are spelled out: `hai trăm linh năm`, `two hundred and five`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from .profile import GroupReader, NumberWords
from .tokens import Token, word_at

__all__ = ["additive_reader", "read_decimals", "read_group"]


def read_group(tokens: Sequence[Token], index: int, words: NumberWords) -> tuple[Decimal, int] | None:
    """A spelled number below a thousand that begins at a token, and the index behind it."""
    for read in words.grammars:
        found = read(tokens, index, words)
        if found:
            return Decimal(found[0]), found[1]
    return None


def additive_reader(
    ones: Mapping[str, int],
    tens: Mapping[str, int],
    *,
    hundreds: Sequence[str] = ("hundred", "hundreds"),
    dozens: Sequence[str] = ("dozen",),
    one: Sequence[str] = ("a", "an"),
    joining: str = "and",
) -> GroupReader:
    """A reader of numbers whose parts are said one after the other: `two hundred and twenty-five`, `a dozen`.

    Args:
        ones: The words below twenty.
        tens: The words for twenty, thirty and so on, with which ones go.
        hundreds: What multiplies by a hundred.
        dozens: What multiplies by twelve.
        one: What means one only before those.
        joining: What may stand behind the hundreds.
    """

    def small(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
        word = tokens[index].low
        if word in ones:
            return ones[word], index + 1
        if word not in tens:
            return None
        value, end = tens[word], index + 1
        behind = end + (word_at(tokens, end) == "-")
        last = ones.get(word_at(tokens, behind), 0)
        return (value + last, behind + 1) if 1 <= last <= 9 else (value, end)

    def read(tokens: Sequence[Token], index: int, _: NumberWords) -> tuple[int, int] | None:
        multiplied = word_at(tokens, index + 1) in (*hundreds[:1], *dozens)
        found = (1, index + 1) if tokens[index].low in one and multiplied else small(tokens, index)
        if found is None:
            return None
        value, end = found
        if word_at(tokens, end) in dozens:
            return value * 12, end + 1
        if word_at(tokens, end) not in hundreds:
            return value, end
        value, end = value * 100, end + 1
        behind = end + (word_at(tokens, end) == joining)
        rest = small(tokens, behind) if behind < len(tokens) and word_at(tokens, behind) else None
        return (value + rest[0], rest[1]) if rest else (value, end)

    return read


def read_decimals(tokens: Sequence[Token], index: int, words: NumberWords) -> tuple[Decimal, int] | None:
    """The decimals behind `phẩy` or `point`: digit by digit, or as one number (`bảy mươi lăm`)."""
    digits, end = "", index
    while end < len(tokens) and word_at(tokens, end):
        word = tokens[end].low
        if word == "năm" or word in ("lăm", "mốt", "tư"):
            digits, end = digits + str({"năm": 5, "lăm": 5, "mốt": 1, "tư": 4}[word]), end + 1
            continue
        group = read_group(tokens, end, words) if tokens[end].kind == "word" else None
        if group is None:
            break
        digits, end = digits + str(group[0]), group[1]
    return (Decimal(f"0.{digits}"), end) if digits else None
