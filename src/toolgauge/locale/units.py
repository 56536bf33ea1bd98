"""Units of measure and currencies: their spellings, and when two of them agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from toolgauge.core import nfc

from .profile import Profile
from .profiles import all_profiles, number_words
from .tokens import Token, tokenise

__all__ = ["COUNTED", "CURRENCIES", "DOLLARS", "PREFIXES", "read_unit", "unit_at", "units_agree"]

SPELLINGS: dict[str, str] = {
    "%": "%",
    "VND": "₫ | vnd",
    "USD": "$ | us $ | usd",
    "EUR": "€ | eur",
    "GBP": "£ | gbp",
    "JPY": "¥ | jpy",
    "CNY": "cny | rmb",
    "KRW": "₩ | krw",
    "AUD": "aud",
    "CAD": "cad",
    "SGD": "sgd",
    "HKD": "hkd",
    "TWD": "twd",
    "NZD": "nzd",
    "THB": "thb | ฿",
    "INR": "inr | ₹",
    "IDR": "idr",
    "MYR": "myr",
    "CHF": "chf",
    "RUB": "rub | ₽",
    "cent": "¢",
    "°C": "c | ° c | º c | ℃",
    "°F": "f | ° f | º f | ℉",
    "degree": "° | º",
    "km": "km",
    "m": "m",
    "cm": "cm",
    "mm": "mm",
    "mi²": "mi² | mi2",
    "ft²": "ft² | ft2",
    "km³": "km³ | km3",
    "km²": "km² | km2 | km ² | km 2",
    "m²": "m² | m2 | m 2",
    "m³": "m³ | m3 | m 3",
    "ha": "ha",
    "kg": "kg",
    "g": "g",
    "mg": "mg",
    "litre": "l",
    "ml": "ml",
    "second": "s",
    "ms": "ms",
    "hour": "h",
    "km/h": "km / h | kmh | kph",
    "m/s": "m / s",
    "mph": "mph",
    "kWh": "kwh",
    "MWh": "mwh",
    "GWh": "gwh",
    "TWh": "twh",
    "kW": "kw",
    "MW": "mw",
    "GW": "gw",
    "KB": "kb",
    "MB": "mb",
    "GB": "gb",
    "TB": "tb",
}
"""The signs and codes that are the same everywhere; the profiles have the words."""
CURRENCIES = frozenset(unit for unit in SPELLINGS if len(unit) == 3 and unit.isalpha() and unit.isupper())
COUNTED = frozenset(("VND", "person", "share"))
"""What comes in whole numbers: `25,500 đồng` has no decimals, whatever the locale."""
PREFIXES = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₫": "VND",
    "₩": "KRW",
    "₹": "INR",
    "₽": "RUB",
    "฿": "THB",
    **{code.lower(): code for code in CURRENCIES},
    "vnđ": "VND",
}
DOLLARS = {
    "us": "USD",
    "u": "USD",
    "a": "AUD",
    "au": "AUD",
    "c": "CAD",
    "ca": "CAD",
    "s": "SGD",
    "hk": "HKD",
    "nt": "TWD",
    "nz": "NZD",
}
"""What the letters that touch a dollar sign make of it."""


SPEEDS = frozenset(("hour", "second", "minute", "h", "s"))
"""Per these a unit is another one: `km/h`."""


class UnitWords(NamedTuple):
    """The spellings of units of all locales."""

    names: dict[tuple[str, ...], str]
    """The unit by the words of a spelling."""
    by_first: dict[str, list[tuple[str, ...]]]
    """The spellings by their first word, the longest first."""
    not_units: dict[str, frozenset[str]]
    per: frozenset[str]


@lru_cache(maxsize=8)
def _unit_words(profiles: tuple[Profile, ...]) -> UnitWords:
    names = {
        tuple(spelling.split()): unit
        for spellings in (SPELLINGS, *(profile.units for profile in profiles))
        for unit, row in spellings.items()
        for spelling in row.split(" | ")
    }
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(names, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append(phrase)
    others = {word: syllables for profile in profiles for word, syllables in profile.not_units.items()}
    return UnitWords(names, by_first, others, frozenset(("/",)).union(*(profile.per for profile in profiles)))


def unit_at(
    tokens: Sequence[Token], index: int, extra: Mapping[tuple[str, ...], str], *, attached: bool = False
) -> tuple[str, int] | None:
    """The unit that begins at a token, and the index behind it."""
    if index >= len(tokens) or tokens[index].line:
        return None
    words = _unit_words(all_profiles())
    for phrases, names in ((tuple(extra), extra), (words.by_first.get(tokens[index].low, ()), words.names)):
        for phrase in phrases:
            end = index + len(phrase)
            if _stands(tokens, index, phrase) and not _is_other(tokens, index, phrase, words, attached=attached):
                return _with_denominator(tokens, end, names[phrase], words)
    return None


def _stands(tokens: Sequence[Token], index: int, phrase: tuple[str, ...]) -> bool:
    if index + len(phrase) > len(tokens):
        return False
    return all(tokens[index + offset].low == word for offset, word in enumerate(phrase))


def _is_other(
    tokens: Sequence[Token], index: int, phrase: tuple[str, ...], words: UnitWords, *, attached: bool
) -> bool:
    """Whether the words mean something else here: a date, another word of two syllables, a name."""
    first, end = tokens[index], index + len(phrase)
    following = tokens[end] if end < len(tokens) else None
    if following and len(phrase) == 1:
        if first.low in ("năm", "tháng", "ngày") and following.kind == "figure":
            return True  # `5 tỷ năm 2023`: a date follows
        if following.low in words.not_units.get(first.low, ()):
            return True
    if len(phrase) > 1 or phrase[0] not in ("c", "f", "m", "g", "s", "h", "x"):
        return False
    if phrase[0] in ("c", "f"):
        return first.text.islower()
    return first.text.isupper() or (phrase[0] in ("s", "x") and not attached)


def _with_denominator(tokens: Sequence[Token], end: int, unit: str, words: UnitWords) -> tuple[str, int]:
    """Add what follows a stroke or `per`: `đồng/cổ phiếu`, `% per year`."""
    if "/" in unit or end >= len(tokens) or tokens[end].line or tokens[end].low not in words.per:
        return unit, end
    after = unit_at(tokens, end + 1, {})
    if after:
        return f"{unit}/{after[0]}", after[1]
    if end + 1 < len(tokens) and tokens[end + 1].kind == "word":
        return f"{unit}/{tokens[end + 1].low}", end + 2
    return unit, end


def units_agree(asked: str, stated: str) -> bool:
    """Whether a stated unit is the asked one.

    A degree without a scale is a degree of any, and money or a percentage need not say again per what.
    """
    if asked == stated:
        return True
    asked_head, _, asked_per = asked.partition("/")
    head, _, per = stated.partition("/")
    if "degree" in (asked_head, head) and {asked_head, head} <= {"degree", "°C", "°F"}:
        return True
    if asked_head != head:
        return False
    if not asked_per and per not in SPEEDS:
        return True  # `520 kcal per serving`
    loose = head in CURRENCIES or head in ("%", "cent")
    return loose and not (asked_per and per and asked_per != per)


def read_unit(text: str) -> tuple[Decimal, str | None, tuple[str, ...]]:
    """What an asked unit multiplies by, its name, and the words it is spelled with: `tỷ đồng` is 1e9, VND."""
    tokens = tokenise(nfc(text))
    scale, index, scales = Decimal(1), 0, number_words().scales
    while index < len(tokens) and tokens[index].low in scales:
        scale *= scales[tokens[index].low]
        index += 1
    rest = tokens[index:]
    if not rest:
        return scale, None, ()
    words = tuple(token.low for token in rest)
    known = unit_at([rest[0]._replace(line=False), *rest[1:]], 0, {}, attached=True)
    if known and known[1] == len(rest):
        return scale, known[0], words
    return scale, " ".join(words), words
