"""Answers worked out from what the tools of `vn-finance` return, the way an agent would have to."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from toolgauge.benchmarks import load_benchmark
from toolgauge.core import JsonValue
from toolgauge.tools import Box


class Row(NamedTuple):
    time: str
    open: int
    high: int
    low: int
    close: int
    volume: int


@cache
def _box() -> Box:
    return Box(load_benchmark("vn-finance").tools)


def call(tool: str, args: Mapping[str, JsonValue]) -> Any:
    """The result of a call that has to work."""
    result = asyncio.run(_box().call(tool, args)).result
    assert result.error is None, result.error
    return result.value


def rows(symbol: str, first: str, last: str | None = None, interval: str = "1D") -> list[Row]:
    args = {"symbol": symbol, "start_date": first, "end_date": last or first, "interval": interval}
    return [Row(*row) for row in call("history_price", args)["rows"]]


def day(symbol: str, when: str) -> Row:
    (row,) = rows(symbol, when)
    return row


def close(symbol: str, when: str) -> int:
    return day(symbol, when).close


def change(symbol: str, first: str, last: str) -> float:
    """By how many percent the closing price moved."""
    return round((close(symbol, last) / close(symbol, first) - 1) * 100, 2)


def mean(values: list[int]) -> int:
    return round(sum(values) / len(values))


def top(found: list[Row], *, by: Any) -> Row:
    """The one row for which a figure is the highest."""
    ordered = sorted(found, key=by, reverse=True)
    assert len(ordered) == 1 or by(ordered[0]) > by(ordered[1])
    return ordered[0]


def listed(**args: str) -> list[dict[str, str]]:
    return cast("list[dict[str, str]]", call("listing_symbol", args)["items"])


def symbols(**args: str) -> list[str]:
    return [item["symbol"] for item in listed(**args)]


def texts(tool: str, query: str) -> list[dict[str, str]]:
    return cast("list[dict[str, str]]", call(tool, {"query": query})["results"])


def item(tool: str, query: str, words: str) -> dict[str, str]:
    """The one result of a search whose title and text hold some words."""
    (found,) = (one for one in texts(tool, query) if words in f"{one['title']} {one['text']}")
    return found


def words(tool: str, query: str, pattern: str) -> str:
    """What a pattern finds in the one result of a search that it fits."""
    found = [match[1] for one in texts(tool, query) if (match := re.search(pattern, f"{one['title']}. {one['text']}"))]
    assert len(set(found)) == 1, found
    return found[0]


def said(tool: str, query: str, pattern: str) -> int:
    """A whole number that a document says, with points between thousands."""
    return int(words(tool, query, pattern).replace(".", ""))


def fraction(query: str, pattern: str) -> float:
    """A percentage that the library says, as a fraction."""
    return float(words("retrival_vector_db", query, pattern).replace(",", ".")) / 100


def iso(day_first: str) -> str:
    """The date that a document writes as 7/1/2026."""
    number, month, year = map(int, day_first.split("/"))
    return f"{year:04}-{month:02}-{number:02}"
