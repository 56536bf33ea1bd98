"""The companies that the benchmark knows: real tickers and names, with invented levels for their made-up figures."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from toolgauge.core import nfc
from toolgauge.locale import fold_tones, fold_word

__all__ = ["EXCHANGES", "Company", "companies", "company_of", "find_companies", "industries", "named_in", "words_of"]

EXCHANGES = ("HOSE", "HNX", "UPCOM")

ENOUGH = 0.6
"""How much of the weight of a query a company has to match to be found."""

FILLERS = frozenset(
    re.findall(
        r"\w+",
        "ma co phieu chung cua cong ty la gi nao tra cuu tim doanh nghiep to chuc niem yet san nganh ve cho cp ctcp",
    )
)
"""Words of a query that say nothing about which company is meant."""


class Company(NamedTuple):
    """A company of the listing."""

    symbol: str
    name: str
    known_as: tuple[str, ...]
    """Short names by which people look for it."""
    exchange: str
    industry: str
    price: int
    """Around which price in đồng its made-up shares are traded."""
    volume: int
    """How many of them in a session."""
    revenue: int
    """Invented revenue of a quarter in billions of đồng."""
    profit: int
    """Invented profit of a quarter in billions of đồng."""

    @property
    def short(self) -> str:
        """The name that a newspaper would use."""
        return self.known_as[0]


@cache
def companies() -> dict[str, Company]:
    """All companies by symbol, in the order of the file."""
    with Path(__file__).with_name("listing.csv").open(encoding="utf-8", newline="") as source:
        return {row["symbol"]: _company(row) for row in csv.DictReader(source)}


def _company(row: dict[str, str]) -> Company:
    return Company(
        row["symbol"],
        row["name"],
        tuple(name.strip() for name in row["known_as"].split(";")),
        row["exchange"],
        row["industry"],
        int(row["price"]),
        int(row["volume"]),
        int(row["revenue"]),
        int(row["profit"]),
    )


def company_of(symbol: str) -> Company | None:
    """The company of a symbol, in capitals or not."""
    return companies().get(symbol.strip().upper())


def named_in(text: str) -> frozenset[str]:
    """The symbols of the companies that a text names, by symbol in capitals or by name; a longer name goes first."""
    words = _words(text)
    plain = [fold_tones(word).lower() for word in words]
    names, longest = _whole_names(), max(len(name.split()) for name in _whole_names())
    found: set[str] = set()
    at = 0
    while at < len(words):
        lengths = range(min(longest, len(words) - at), 0, -1)
        length = next((one for one in lengths if " ".join(plain[at : at + one]) in names), 0)
        if length:
            found.add(names[" ".join(plain[at : at + length])].symbol)
        elif words[at].isupper() and words[at] in companies():
            found.add(words[at])
        at += length or 1
    return frozenset(found)


def industries() -> list[str]:
    """The industries, each once."""
    return list(dict.fromkeys(company.industry for company in companies().values()))


def find_companies(query: str | None, exchange: str | None, industry: str | None) -> list[Company]:
    """Companies that fit all that is asked.

    Args:
        query: A symbol, or words of a name; None: any company. Marks on letters make no difference.
        exchange: The exchange, as it is written in the listing.
        industry: A part of the industry's name.
    """
    found: Iterable[Company] = companies().values()
    if query is not None:
        found = _by_name(query)
    if exchange is not None:
        found = [company for company in found if company.exchange == exchange]
    if industry is not None:
        wanted = " ".join(words_of(industry))
        found = [company for company in found if wanted in " ".join(words_of(company.industry))]
    return list(found)


def _by_name(query: str) -> list[Company]:
    """The company that the query names and nothing else; else those named in it, and then those that fit best."""
    asked = " ".join(words_of(query))
    whole = company_of(query) or _whole_names().get(asked)
    if whole is not None:
        return [whole]
    within = [company for name, company in _whole_names().items() if f" {name} " in f" {asked} "]
    named = [company for word in re.findall(r"\b[A-Z]{3}\b", query) if (company := company_of(word))]
    fitting = _by_words(query, fold_word) or _by_words(query, fold_tones)
    return list(dict.fromkeys([*within, *named, *fitting]))


def _by_words(query: str, fold: Callable[[str], str]) -> list[Company]:
    """Companies whose names hold most of what the words of a query weigh, best first."""
    wanted = [fold(word) for word in _words(query) if fold_tones(word) not in FILLERS]
    if not wanted:
        return []
    names, weights = _names(fold), _weights(fold)
    unknown = max(weights.values())
    total = sum(weights.get(word, unknown) for word in wanted)
    shares = {symbol: sum(weights[word] for word in wanted if word in words) / total for symbol, words in names.items()}
    best = sorted((symbol for symbol, share in shares.items() if share >= ENOUGH), key=lambda one: -shares[one])
    return [companies()[symbol] for symbol in best]


@cache
def _whole_names() -> dict[str, Company]:
    """Companies by each of their names, without marks."""
    return {
        " ".join(words_of(name)): company
        for company in companies().values()
        for name in (company.name, *company.known_as)
    }


@cache
def _names(fold: Callable[[str], str]) -> dict[str, frozenset[str]]:
    """The words of all names of each company."""
    return {
        symbol: frozenset(map(fold, _words(" ".join((symbol, company.name, *company.known_as, company.industry)))))
        for symbol, company in companies().items()
    }


@cache
def _weights(fold: Callable[[str], str]) -> dict[str, float]:
    """What each word of the names weighs: more, the fewer companies have it."""
    names = _names(fold)
    counts = Counter(word for words in names.values() for word in words)
    return {word: math.log(1 + len(names) / count) for word, count in counts.items()}


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without marks."""
    return _words(fold_tones(text))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", nfc(text))
