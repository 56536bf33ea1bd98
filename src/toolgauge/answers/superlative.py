"""Which of several times has the highest or lowest amount, where a question asks for that one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from toolgauge.locale import DateFound, Locale, NumberFound, find_numbers, tokenise

from .page import Page
from .question import Question, stem

__all__ = ["best_times"]

ASKED = re.compile(
    r"\b(?:which|what)\s(?:\w+\s){0,2}?(?:quarter|month|year|day|week|season|date)|\bwhen\b|\b(?:quý|tháng|năm|ngày|tuần|mùa|khi|lúc)\snào",
    re.IGNORECASE,
)
HIGHEST = re.compile(
    r"\b(?:highest|most(?!\s(?:recent|likely))|largest|biggest|best|peak\w*|strongest|busiest|greatest|hottest|warmest|wettest|record\shigh"
    r"|(?:cao|nhiều|lớn|tốt|đông|nóng|mạnh)\snhất|đạt\sđỉnh|đỉnh\sđiểm|kỷ\slục)\b",
    re.IGNORECASE,
)
LOWEST = re.compile(
    r"\b(?:lowest|fewest|least(?<!at\sleast)|smallest|worst|weakest|quietest|coldest|driest|bottomed"
    r"|(?:thấp|nhỏ|kém|lạnh|yếu|vắng)\snhất|(?<!có\s)ít\snhất|chạm\sđáy)\b",
    re.IGNORECASE,
)
RULE = re.compile(r"[\s|:+-]+")
Pair = tuple[int, float]
"""The index of a date and the amount beside it."""


def best_times(page: Page, dates: Sequence[DateFound], locale: Locale, asked: Question) -> set[int]:
    """The indexes of the dates that have the highest or lowest amount; empty where that is not asked or not told.

    Args:
        page: The answer.
        dates: Its dates, in order.
        locale: How it writes figures.
        asked: The question.
    """
    if not ASKED.search(asked.text) or len(dates) < 2:
        return set()
    high = HIGHEST.search(asked.text) is not None
    if high == (LOWEST.search(asked.text) is not None):
        return set()
    said = list(_said(page, dates, HIGHEST if high else LOWEST, asked))
    if said:
        most = max(share for share, _ in said)
        return {index for share, index in said if share == most}
    amounts = [
        one
        for one in find_numbers(page.text, locale)
        if one.plausible and not any(one.start < day.end and day.start < one.end for day in dates)
    ]
    pairs = _in_table(page, dates, amounts, asked) if "|" in page.text else _in_prose(page, dates, amounts)
    values = dict(pairs)
    if len(values) < 2:
        return set()
    best = (max if high else min)(values.values())
    winners = {index for index, value in values.items() if value == best}
    return winners if len(winners) == 1 else set()


def _said(
    page: Page, dates: Sequence[DateFound], superlative: re.Pattern[str], asked: Question
) -> Iterator[tuple[int, int]]:
    """The dates that a clause calls the one with the most or least, with how many words of the question it has."""
    starts = [one.start for one in dates]
    for begin, end in page.sentences:
        if "|" in page.text[begin:end]:
            continue
        inside = range(bisect_left(starts, begin), bisect_left(starts, end))
        for match in superlative.finditer(page.text, begin, end) if inside else ():
            near = [index for index in inside if _is_in_clause(page.text, match, dates[index])]
            if len(inside) == 1 or len(near) == 1:
                words = tokenise(page.text[_clause_start(page.text, begin, match.start()) : match.end()])
                share = {stem(token.low) for token in words if token.kind == "word"} & set(asked.words)
                yield len(share), (near or inside)[0]


def _is_in_clause(text: str, superlative: re.Match[str], one: DateFound) -> bool:
    """Whether a date stands near a superlative, and no comma between them."""
    first, last = min(superlative.end(), one.end), max(superlative.start(), one.start)
    return last - first <= CLOSE and "," not in text[first:last]


def _clause_start(text: str, begin: int, end: int) -> int:
    return max(begin, text.rfind(",", begin, end) + 1)


CLOSE = 25
"""How near the superlative a date of several has to stand, in characters."""


def _in_prose(page: Page, dates: Sequence[DateFound], amounts: Sequence[NumberFound]) -> Iterator[Pair]:
    """The dates of each sentence or line with the amounts behind or before them, whichever comes first."""
    unit: str | None = None
    known = False
    for begin, end in page.sentences:
        inside = [(index, one) for index, one in enumerate(dates) if begin <= one.start < end]
        said = [one for one in amounts if begin <= one.start < end]
        if not inside or not said:
            continue
        ahead = said[0].start < inside[0][1].start
        bounds = [begin, *(one.end for _, one in inside)] if ahead else [*(one.start for _, one in inside), end]
        for place, (index, _) in enumerate(inside):
            beside = [one for one in said if bounds[place] <= one.start < bounds[place + 1]]
            fitting = [one for one in beside if not known or one.unit == unit]
            if fitting:
                chosen = fitting[-1] if ahead else fitting[0]
                unit, known = chosen.unit, True
                yield index, chosen.readings[0][0]


def _in_table(page: Page, dates: Sequence[DateFound], amounts: Sequence[NumberFound], asked: Question) -> list[Pair]:
    """The dates that are rows of a table, or its columns, with the amounts of the column or row that is asked."""
    rows: dict[str, list[Pair]] = {}
    starts = [one.start for one in amounts]
    heads = _heads(page, dates)
    labels = {(one.table, one.line): index for index, day in enumerate(dates) if (one := page.cell_at(day.start))}
    for cell in page.cells:
        place = bisect_left(starts, cell.start)
        if place >= len(starts) or starts[place] >= cell.end:
            continue
        value = amounts[place].readings[0][0]
        if (cell.table, cell.line) in labels:
            rows.setdefault(cell.column, []).append((labels[cell.table, cell.line], value))
        elif (cell.table, cell.place) in heads:
            rows.setdefault(cell.row, []).append((heads[cell.table, cell.place], value))
    rows = {label: pairs for label, pairs in rows.items() if len(pairs) > 1}
    return rows[_asked_label(rows, asked)] if rows else []


def _asked_label(rows: Mapping[str, Sequence[Pair]], asked: Question) -> str:
    """The row or column with the most words of the question; of several the first one."""
    shares = {
        label: len({stem(token.low) for token in tokenise(label) if token.kind == "word"}.intersection(asked.words))
        for label in rows
    }
    return max(shares, key=lambda label: shares[label])


def _heads(page: Page, dates: Sequence[DateFound]) -> dict[tuple[int, int], int]:
    """The dates that stand over a column, by table and column."""
    found: dict[tuple[int, int], int] = {}
    tables: dict[int, int] = {}
    for cell in page.cells:
        tables.setdefault(page.line_at(cell.start), cell.table)
    for index, one in enumerate(dates):
        line = page.line_at(one.start)
        start, end = page.lines[line]
        behind = page.lines[line + 1 : line + 2]
        ruled = bool(behind) and "|" in page.text[start:end] and RULE.fullmatch(page.text, *behind[0]) is not None
        if ruled and line + 2 in tables:
            place = page.text.count("|", start, one.start) - page.text[start:end].lstrip().startswith("|")
            found[tables[line + 2], place] = index
    return found
