"""The made-up prices: a walk through the sessions that depends on nothing but the symbol.

Nothing here happened. The levels are plausible, the days are those on which the exchanges were open, the steps keep to
the daily limits and to the price units of the exchanges, and a week or a day is the sum of what it is made of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta, timezone
from functools import cache
from itertools import groupby
from typing import NamedTuple, TypeVar

from .listing import Company, companies

__all__ = [
    "FIRST_DAY",
    "NOW",
    "TODAY",
    "WEEKDAYS",
    "Bar",
    "Numbers",
    "daily_bars",
    "is_session",
    "limit_of",
    "quarter_hour_bars",
    "sessions",
    "weekly_bars",
]

LIMITS = {"HOSE": 7, "HNX": 10, "UPCOM": 15}
"""By how many percent a price may move in one session."""

LOT = 100
"""Shares are traded in lots of so many."""

DAILY_MOVE = 640
"""The most that a price moves in a session, in hundredths of a percent; most moves are far smaller."""

PULL = 60
"""How many hundredths of a percent a price that is twice its usual level is drawn back in a session."""

MORNING = [f"{minutes // 60:02}:{minutes % 60:02}" for minutes in range(9 * 60, 11 * 60 + 30, 15)]
AFTERNOON = [f"{minutes // 60:02}:{minutes % 60:02}" for minutes in range(13 * 60, 14 * 60 + 45, 15)]
QUARTER_HOURS = (*MORNING, *AFTERNOON)
"""When the bars of a session begin."""


class Bar(NamedTuple):
    """What became of a price in a span of time; prices in đồng, volume in shares."""

    time: str
    open: int
    high: int
    low: int
    close: int
    volume: int


def limit_of(exchange: str) -> int:
    """By how many percent a price on an exchange may move in one session."""
    return LIMITS[exchange]


def daily_bars(symbol: str, first: date, last: date) -> list[Bar]:
    """The sessions from one day to another, both included."""
    days = _walk(symbol)
    return [days[day] for day in sessions() if first <= day <= last]


def weekly_bars(symbol: str, first: date, last: date) -> list[Bar]:
    """The sessions from one day to another put together by week; each bar is named by its first session."""
    bars = daily_bars(symbol, first, last)
    return [_joined(week) for _, week in groupby(bars, lambda bar: _monday(date.fromisoformat(bar.time)))]


def quarter_hour_bars(symbol: str, first: date, last: date) -> list[Bar]:
    """The sessions from one day to another in bars of 15 minutes."""
    return [bar for day in daily_bars(symbol, first, last) for bar in _within_day(symbol, day)]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _joined(bars: Iterable[Bar]) -> Bar:
    several = list(bars)
    return Bar(
        several[0].time,
        several[0].open,
        max(bar.high for bar in several),
        min(bar.low for bar in several),
        several[-1].close,
        sum(bar.volume for bar in several),
    )


@cache
def _walk(symbol: str) -> dict[date, Bar]:
    """Every session of a symbol."""
    company = companies()[symbol]
    numbers = Numbers(f"vn-finance 1 {symbol}")
    close = _rounded(company.price, company)
    days = {}
    for day in sessions():
        bar = _session(day, close, company, numbers)
        days[day] = bar
        close = bar.close
    return days


def _session(day: date, reference: int, company: Company, numbers: Numbers) -> Bar:
    limit = LIMITS[company.exchange]
    ceiling, floor = reference * (100 + limit) // 100, -(-reference * (100 - limit) // 100)

    def moved(hundredths: int) -> int:
        price = _rounded(reference * (10_000 + hundredths) // 10_000, company)
        unit = _unit(price, company)
        return min(max(price, -(-floor // unit) * unit), ceiling // unit * unit)

    pull = PULL * (company.price - reference) // company.price
    move = numbers.around_zero(DAILY_MOVE) + pull
    opened, closed = moved(numbers.around_zero(DAILY_MOVE // 3)), moved(move)
    high = moved(max(move, 0) + numbers.between(10, 110))
    low = moved(min(move, 0) - numbers.between(10, 110))
    volume = company.volume * numbers.between(55, 150) * (100 + abs(move) // 8) // 10_000 // LOT * LOT
    return Bar(
        day.isoformat(), opened, max(high, opened, closed), min(low, opened, closed), closed, max(volume, 20 * LOT)
    )


def _unit(price: int, company: Company) -> int:
    """The smallest step of a price."""
    if company.exchange != "HOSE":
        return 100
    return 10 if price < 10_000 else 50 if price < 50_000 else 100


def _rounded(price: int, company: Company) -> int:
    unit = _unit(price, company)
    return (price + unit // 2) // unit * unit


def _within_day(symbol: str, day: Bar) -> Iterator[Bar]:
    """The bars of a session: they begin and end with its prices, touch its bounds, and share out its volume."""
    company = companies()[symbol]
    numbers = Numbers(f"vn-finance 1 {symbol} {day.time}")
    count = len(QUARTER_HOURS)
    wide = max((day.high - day.low) // 2, 1)

    def inside(price: int) -> int:
        return min(max(_rounded(price, company), day.low), day.high)

    between = [
        inside(day.open + (day.close - day.open) * step // count + numbers.around_zero(wide))
        for step in range(1, count)
    ]
    points = [day.open, *between, day.close]
    touches_high, touches_low = numbers.below(count), numbers.below(count)
    shares = [numbers.between(40, 160) for _ in range(count)]
    lots, given = day.volume // LOT, 0
    for index, begins in enumerate(QUARTER_HOURS):
        opened, closed = points[index], points[index + 1]
        reach = numbers.between(0, wide // 6)
        high = day.high if index == touches_high else inside(max(opened, closed) + reach)
        low = day.low if index == touches_low else inside(min(opened, closed) - reach)
        part = lots * shares[index] // sum(shares) if index < count - 1 else lots - given
        given += part
        yield Bar(
            f"{day.time} {begins}", opened, max(high, opened, closed), min(low, opened, closed), closed, part * LOT
        )


NOW = datetime(2026, 1, 30, 15, 30, tzinfo=timezone(timedelta(hours=7)))
"""Friday, half an hour after the last order of the day."""

TODAY = NOW.date()

FIRST_DAY = date(2024, 1, 2)
"""The first session of which there are prices."""

WEEKDAYS = ("thứ Hai", "thứ Ba", "thứ Tư", "thứ Năm", "thứ Sáu", "thứ Bảy", "Chủ nhật")

HOLIDAYS = (
    ("2024-02-08", "2024-02-14"),  # Tết Giáp Thìn
    ("2024-04-18", "2024-04-18"),  # Hùng Kings
    ("2024-04-29", "2024-05-01"),  # Reunification and Labour Day, with the day between
    ("2024-09-02", "2024-09-03"),  # National Day
    ("2025-01-01", "2025-01-01"),
    ("2025-01-27", "2025-01-31"),  # Tết Ất Tỵ
    ("2025-04-07", "2025-04-07"),
    ("2025-04-30", "2025-05-02"),
    ("2025-09-01", "2025-09-02"),
    ("2026-01-01", "2026-01-02"),
)
"""Days on which the exchanges are closed, from and to, as far as they are no weekends."""


@cache
def _closed() -> frozenset[date]:
    days = set()
    for first, last in HOLIDAYS:
        day = date.fromisoformat(first)
        while day <= date.fromisoformat(last):
            days.add(day)
            day += timedelta(days=1)
    return frozenset(days)


def is_session(day: date) -> bool:
    """Whether shares are traded on a day."""
    return day.weekday() < 5 and day not in _closed()


@cache
def sessions() -> tuple[date, ...]:
    """All days with prices."""
    span = (TODAY - FIRST_DAY).days + 1
    return tuple(day for step in range(span) if is_session(day := FIRST_DAY + timedelta(days=step)))


Item = TypeVar("Item")


class Numbers:
    """A stream of whole numbers that depends on nothing but its seed.

    Only whole numbers are made and only whole numbers are reckoned with, so that no rounding of a processor or of a
    mathematical library can change a price.
    """

    def __init__(self, seed: str) -> None:
        self._words = _words(seed)

    def below(self, limit: int) -> int:
        """A number from 0 up to, and not including, the limit."""
        return next(self._words) % limit

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def around_zero(self, most: int) -> int:
        """A number around 0, small ones more often: the sum of four between minus and plus a quarter of the most."""
        return sum(self.between(-most // 4, most // 4) for _ in range(4))

    def choose(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]


def _words(seed: str) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(f"{seed}/{counter}".encode()).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1
