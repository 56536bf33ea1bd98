"""Which numbers of a text are seldom its answer: labels, list numbers, bare years."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .amounts import Amount
from .profile import NumberWords
from .tokens import Token, word_at

__all__ = ["is_plausible", "list_numbers"]

ENUMERATED = re.compile(
    r"^[ \t>#-]*\(?([0-9]{1,3})[.)/][ \t]+(?=\S)|^[ \t]*\|[ \t]*([0-9]{1,3})[ \t]*\||(?<!\S)\(([0-9]{1,2})\)(?=\s\S)",
    re.MULTILINE,
)
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+([0-9]+(?:\.[0-9]+)*)\b", re.MULTILINE)
SUBNUMBER = re.compile(r"^[ \t>-]*([0-9]{1,2}(?:\.[0-9]{1,2}){1,3})[.)][ \t]+(?=\S)", re.MULTILINE)
CITATION = re.compile(r"(?<=[\w.,;%)\]\"”])[ ]?\[\^?([0-9]{1,3})\]|^\[\^?([0-9]{1,3})\]:?[ \t]+(?=\S)", re.MULTILINE)

INLINE = re.compile(r"(?:^|(?<=[\s:]))([0-9]{1,2})[.)][ \t](?=[^\W\d_])", re.MULTILINE)
"""A list within a line, `1. FPT 2. VNM`: only where it counts from one."""


def list_numbers(text: str) -> frozenset[int]:
    """Where the numbers of lists, tables, headings and footnotes begin.

    `42. That is the total.` begins like a list; it is one only if the number is 1 or stands beside its neighbour.
    """
    found = [(match.start(match.lastindex or 0), match[match.lastindex or 0]) for match in ENUMERATED.finditer(text)]
    numbers = {int(number) for _, number in found}
    places = {
        start for start, number in found if int(number) == 1 or int(number) - 1 in numbers or int(number) + 1 in numbers
    }
    places.update(_inline_numbers(text))
    for pattern in (HEADING, SUBNUMBER, CITATION):
        places.update(match.start(match.lastindex or 0) for match in pattern.finditer(text))
    return frozenset(places)


def _inline_numbers(text: str) -> list[int]:
    """Where the numbers of lists within a line begin."""
    found: list[int] = []
    run: list[re.Match[str]] = []
    for match in INLINE.finditer(text):
        follows = run and int(match[1]) == len(run) + 1 and "\n" not in text[run[-1].end() : match.start()]
        if not follows:
            run = []
        if follows or match[1] == "1":
            run.append(match)
        if len(run) > 1:
            found += [one.start(1) for one in run[-2:]]
    return found


def is_plausible(tokens: Sequence[Token], amount: Amount, words: NumberWords) -> bool:
    """Whether an amount may well be an answer."""
    before = word_at(tokens, amount.first - 1)
    if amount.ordinal or before in words.labels:
        return False
    if (word_at(tokens, amount.first - 2), before) in words.out_of:
        return False
    if amount.spelled and amount.last - amount.first == 1 and tokens[amount.first].low in words.articles | words.halves:
        return False
    return not _is_bare_year(tokens, amount, before, words)


def _is_bare_year(tokens: Sequence[Token], amount: Amount, before: str, words: NumberWords) -> bool:
    token = tokens[amount.first]
    if amount.unit or amount.last - amount.first != 1 or not token.text.isdigit() or len(token.text) != 4:
        return False
    return 1900 <= int(token.text) < 2100 and before not in words.years_claimed and amount.first > 0
