"""Finds numbers in text: figures and words, with their units, signs and ranges; says which are seldom an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as replace_amount

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import nfc

from .amounts import VULGAR, Amount, AmountReader
from .dates import read_dates
from .profile import Locale, NumberWords, word_set
from .profiles import PROFILES, number_words
from .ranges import Joined, join
from .tokens import Token, attached, tokenise, word_at
from .units import DOLLARS, PREFIXES, unit_at

__all__ = ["NumberFound", "find_numbers", "is_plausible", "list_numbers", "read_numbers"]


class NumberFound(Struct, frozen=True, gc=False, kw_only=True):
    """A number, or a range of numbers, that a text states."""

    start: int
    end: int
    """Where it stands in the text."""
    readings: tuple[tuple[float, float], ...]
    """What it may mean, each as least and greatest value; two where the locale is unknown and `1.234` is met."""
    unit: str | None = None
    """`%`, `VND`, `°C`…; None where none is stated."""
    is_range: bool = False
    scaled: bool = False
    """Whether a scale word such as `triệu` was stated."""
    plausible: bool = True
    """False for what is seldom an answer: `Bước 2`, a bare year, what something rose from."""

    @property
    def value(self) -> float | None:
        """The value, where there is one."""
        if len(self.readings) != 1 or self.is_range:
            return None
        return self.readings[0][0]


def find_numbers(
    text: str, locale: Locale | None, *, units: Mapping[tuple[str, ...], str] | None = None
) -> list[NumberFound]:
    """The numbers of a text in order. List numbering, tickers, clock times, dates and quarters are not numbers.

    Args:
        text: Any text.
        locale: Whether `1.234` is a thousand and more (`vi`) or one and a bit (`en`); None: unknown, two readings.
        units: Units to be known besides the common ones: their words in lower case, and their name.
    """
    text = nfc(text)
    if locale is not None:
        return read_numbers(text, locale, units or {})
    merged, *others = ({found.start: found for found in read_numbers(text, style, units or {})} for style in PROFILES)
    for other in others:
        for start, found in merged.items():
            if start in other:
                more = tuple(reading for reading in other[start].readings if reading not in found.readings)
                merged[start] = replace(found, readings=found.readings + more) if more else found
    return list(merged.values())


def read_numbers(text: str, locale: Locale, units: Mapping[tuple[str, ...], str]) -> list[NumberFound]:
    """The numbers of a text in normal form C, each with one reading."""
    tokens = tokenise(text)
    words = number_words()
    skipped = list_numbers(text)
    taken = [(date.start, date.end) for date in read_dates(text, locale, None) if date.cued]
    scanner = _Scanner(tokens, AmountReader(tokens, locale, units, words), skipped, taken)
    return [_found(tokens, one) for one in join(tokens, scanner.amounts(), words)]


def _found(tokens: Sequence[Token], one: Joined) -> NumberFound:
    low, high = float(one.low), float(one.high)
    return NumberFound(
        start=tokens[one.first].start,
        end=tokens[one.last - 1].end,
        readings=((low, high),),
        unit=one.unit,
        is_range=one.is_range,
        scaled=one.scale is not None,
        plausible=one.plausible,
    )


DASHES = frozenset("-−–")
OPENERS = frozenset("(=:<>≈~|,[{/")
INDEXES = word_set("nikkei ftse csi russell stoxx fortune vn hnx cac dax covid")
INDEX_SIZES = word_set("19 30 40 50 100 200 225 250 300 500 600 1000 2000")
SHORTEST_TELEPHONE = 7
ORDINAL_BEFORE = frozenset(("thứ",))


class _Scanner:
    """Walks over the tokens and reads an amount wherever one may begin."""

    def __init__(
        self, tokens: Sequence[Token], reader: AmountReader, skipped: frozenset[int], taken: Iterable[tuple[int, int]]
    ) -> None:
        self.tokens = tokens
        self.reader = reader
        self.words = reader.words
        self.skipped = skipped
        """Where list numbers begin."""
        self.taken = sorted(taken)
        """Where dates stand."""

    def amounts(self) -> list[tuple[Amount, bool]]:
        """The amounts in order, each with whether it is plausible as an answer."""
        found: list[tuple[Amount, bool]] = []
        index, behind, taken = 0, 0, 0
        while index < len(self.tokens):
            token = self.tokens[index]
            while taken < len(self.taken) and self.taken[taken][1] <= token.start:
                taken += 1
            is_date = taken < len(self.taken) and self.taken[taken][0] < token.end
            if is_date or token.kind == "sign" or token.start in self.skipped or not self._may_begin(index):
                index += 1
                continue
            amount = self._signed(index, behind)
            if amount is None or self._covers_date(amount, taken) or self._is_article(amount):
                index += 1
                continue
            found.append((amount, is_plausible(self.tokens, amount, self.words)))
            index = behind = amount.last
        return found

    def _is_article(self, amount: Amount) -> bool:
        """Whether `một` or `one` just means some: it counts only with a unit or where it ends what is said."""
        first = self.tokens[amount.last - 1]
        if first.low not in self.words.articles or not amount.spelled or amount.unit or amount.last - amount.first > 1:
            return False
        following, before = word_at(self.tokens, amount.last), word_at(self.tokens, amount.first - 1)
        return following.isalnum() or (amount.first > 0 and before not in self.words.claims)

    def _covers_date(self, amount: Amount, taken: int) -> bool:
        return taken < len(self.taken) and self.taken[taken][0] < self.tokens[amount.last - 1].start

    def _may_begin(self, index: int) -> bool:
        token = self.tokens[index]
        if token.kind == "figure":
            return not self._is_name(index)
        if token.low not in self.words.starts and token.low not in VULGAR:
            return False
        if len(token.text) > 1 and token.text.isupper() and token.low not in self.words.shouted:
            return False
        before, after = word_at(self.tokens, index - 1), word_at(self.tokens, index + 1)
        if before in ORDINAL_BEFORE or after in self.words.no_number_before.get(token.low, ()):
            return token.low == "một" and after == "phần" and word_at(self.tokens, index + 2) not in ("", "của")
        if before in self.words.no_number_after.get(token.low, ()):
            return False
        if token.low == "không":
            return after in ("phẩy", "trăm") or (before in ("số", "bằng") and not after.isalpha())
        return True

    def _is_name(self, index: int) -> bool:
        """Whether a figure belongs to a name, a clock time, a version or a document number."""
        tokens = self.tokens
        if attached(tokens, index):
            before = tokens[index - 1]
            if before.kind == "word" and before.low not in PREFIXES:
                return True
            if before.low in ("-", "_", ".", "/", "&") and index > 1 and attached(tokens, index - 1):
                two = tokens[index - 2]
                if two.kind == "word" and (before.low != "/" or two.text.isupper()) and two.low not in PREFIXES:
                    return before.low != "." or len(two.text) > 3
            if before.low in ("#", "@") or (before.low == ":" and self._joins_figures(index - 1)):
                return True
        behind = index + 1
        if behind + 1 < len(tokens) and attached(tokens, behind) and attached(tokens, behind + 1):
            if tokens[behind].low in (":", "h") and tokens[behind + 1].kind == "figure":
                return True
            if tokens[behind].low in ("/", "-") and tokens[behind + 1].kind == "word":
                return tokens[behind + 1].text.isupper() and tokens[behind + 1].low not in PREFIXES
        return self._is_index(index) or self._is_document(index) or self._is_telephone(index)

    def _is_telephone(self, index: int) -> bool:
        """Whether the figure belongs to a telephone number that is called one: `Hotline: 1900 1234`."""
        if len(self.tokens[index].text) < 3:
            return False
        for before in range(index - 1, max(-1, index - 7), -1):
            token = self.tokens[before]
            if token.kind == "word":
                called = token.low in self.words.calls and self.tokens[index].text.isdigit()
                return token.low in self.words.telephones or (
                    called and len(self.tokens[index].text) >= SHORTEST_TELEPHONE
                )
            if token.line or (token.kind == "sign" and token.low not in ":+-()."):
                return False
        return False

    def _is_document(self, index: int) -> bool:
        """Whether the figure begins or continues the number of a decree: `68/2024/TT-BTC`."""
        tokens = self.tokens
        for begin in (index, index - 2):
            if (
                begin < 0
                or begin + 4 >= len(tokens)
                or not all(attached(tokens, begin + step) for step in (1, 2, 3, 4))
            ):
                continue
            if tokens[begin + 1].low == tokens[begin + 3].low == "/" and tokens[begin + 4].text.isupper():
                return tokens[begin + 4].kind == "word"
        return False

    def _joins_figures(self, index: int) -> bool:
        return index > 0 and attached(self.tokens, index) and self.tokens[index - 1].kind == "figure"

    def _is_index(self, index: int) -> bool:
        """Whether the figure is the size of a stock index: `S&P 500`."""
        before = word_at(self.tokens, index - 1)
        if before == "p" and word_at(self.tokens, index - 2) == "&":
            return self.tokens[index].text == "500"
        return before in INDEXES and self.tokens[index].text in INDEX_SIZES

    def _signed(self, index: int, behind: int) -> Amount | None:
        """The amount at a token, with the currency and the sign that stand before it."""
        first, prefix, negative = index, None, False
        before = index - 1
        if before >= behind and self._is_minus(before, behind) and self._touches(before):
            first, negative, before = before, True, before - 1
        if before >= behind and self.tokens[before].low in PREFIXES and not self.tokens[before + 1].line:
            prefix, first, before = PREFIXES[self.tokens[before].low], before, before - 1
            letters = self.tokens[before].low if before >= behind and attached(self.tokens, before + 1) else ""
            if prefix == "USD" and letters in DOLLARS:
                prefix, first, before = DOLLARS[letters], before, before - 1
        if not negative and before >= behind and self._is_minus(before, behind) and self._touches(before):
            first, negative = before, True
        amount = self.reader.read(index, prefix=prefix)
        if amount is None:
            return None
        bracketed = None if negative else self._bracketed(first, amount, behind)
        if bracketed:
            return bracketed
        value = -amount.value if negative else amount.value
        return replace_amount(amount, value=value, first=first)

    def _bracketed(self, first: int, amount: Amount, behind: int) -> Amount | None:
        """A negative amount as accountants write it, `($1.2 million)`; mostly, brackets are only an aside."""
        tokens, opening = self.tokens, first - 1
        if amount.spelled or amount.ordinal or opening < behind:
            return None
        if word_at(tokens, opening) != "(" or word_at(tokens, amount.last) != ")":
            return None
        before = word_at(tokens, opening - 1)
        currency = PREFIXES.get(before) if opening > behind and attached(tokens, opening) else None
        if currency:
            opening -= 1
        elif before not in self.words.before_negative or (not before and not self._ends_line(amount.last + 1)):
            return None
        elif not before and tokens[first].text.isdigit() and len(tokens[first].text) < 3:
            return None  # `(1)` numbers something
        elif self._is_year(amount):
            return None
        last, unit = amount.last + 1, amount.unit or currency
        scale = self.words.scales.get(word_at(tokens, last)) if amount.scale is None else None  # `(12.5) million`
        last += scale is not None
        stated = unit_at(tokens, last, self.reader.units) if unit is None else None
        unit, last = stated or (unit, last)
        value = -amount.value * (scale or 1)
        return replace_amount(amount, value=value, unit=unit, first=opening, last=last, scale=amount.scale or scale)

    def _ends_line(self, index: int) -> bool:
        return word_at(self.tokens, index) in ("", ".")

    def _is_year(self, amount: Amount) -> bool:
        text = self.tokens[amount.first].text
        return amount.last - amount.first == 1 and text.isdigit() and len(text) == 4

    def _touches(self, index: int) -> bool:
        """Whether a minus belongs to what follows; a dash with a space behind it is a bullet or a pause."""
        return self.tokens[index].low in (*self.words.minus, "trừ") or attached(self.tokens, index + 1)

    def _is_minus(self, index: int, behind: int) -> bool:
        token = self.tokens[index]
        if token.low == "trừ":
            return index == 0 or token.line or word_at(self.tokens, index - 1) in ("là", ":", "bằng", "=")
        if token.low in self.words.minus:
            return word_at(self.tokens, index + 1) != ""
        if token.low not in DASHES:
            return False
        if index == 0 or token.line:
            return True
        before = self.tokens[index - 1]
        if before.kind == "figure" or index <= behind - 1:
            return False
        return before.end < token.start or before.low in OPENERS or before.low in PREFIXES or before.low in DASHES


ENUMERATED = re.compile(
    r"^[ \t>#-]*\(?([0-9]{1,3})[.)/][ \t]+(?=\S)|^[ \t]*\|[ \t]*([0-9]{1,3})[ \t]*\||(?<!\S)\(([0-9]{1,2})\)(?=\s\S)",
    re.MULTILINE,
)
HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+([0-9]+(?:\.[0-9]+)*)\b(?=[.):]*[ \t]+[^\W\d])", re.MULTILINE)
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
