"""What the lexical baseline says at the end: the results that share most words with the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgauge.core import JsonValue
from toolgauge.locale import Locale, find_dates

from .lexical_words import content_words, is_vietnamese

__all__ = ["answer", "overlap"]

MOST_RECORDS = 3
MOST_LETTERS = 600


def answer(question: str, results: Sequence[JsonValue], *, vietnamese: bool) -> str:
    """The records of the results that are nearest to the question, word for word."""
    records = [record for result in results for record in _records(result)]
    if not records:
        if vietnamese:
            return "Không có kết quả nào để trả lời. (local:lexical, không phải mô hình ngôn ngữ)"
        return "There is no result to answer from. (local:lexical, not a language model)"
    asked = [*content_words(question), *_days(question)]
    nearest = sorted(records, key=lambda record: -overlap(asked, [*content_words(record), *_days(record)]))
    kept = sorted(nearest[:MOST_RECORDS], key=records.index)
    said = "; ".join(kept)[:MOST_LETTERS]
    if vietnamese:
        return f"Các công cụ cho biết: {said} (local:lexical, không phải mô hình ngôn ngữ)"
    return f"The tools say: {said} (local:lexical, not a language model)"


def overlap(wanted: Sequence[str], there: Sequence[str]) -> float:
    """The share of the wanted words that are there."""
    distinct = set(wanted)
    return len(distinct & set(there)) / len(distinct) if distinct else 0.0


def _days(text: str) -> list[str]:
    """The days that a text names, however it writes them."""
    locale: Locale = "vi" if is_vietnamese(text) else "en"
    return [str(found.low) for found in find_dates(text[:MOST_LETTERS], locale) if found.low is not None]


def _records(value: JsonValue) -> Iterator[str]:
    """The smallest objects of a result as text, and whatever stands outside of them."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left.extend(reversed(one))
        elif not isinstance(one, dict):
            if one is not None and str(one).strip():
                yield str(one).strip()
        elif (table := _table(one)) is not None:
            yield from table
        else:
            plain = {key: part for key, part in one.items() if not isinstance(part, (dict, list))}
            if plain:
                yield ", ".join(f"{key}: {part}" for key, part in plain.items())
            left.extend(part for part in reversed(one.values()) if isinstance(part, (dict, list)))


def _table(value: dict[str, JsonValue]) -> list[str] | None:
    """The rows of a result that gives the names of its columns once; None: it is no such table."""
    columns, rows = value.get("columns"), value.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return None
    whole = [row for row in rows if isinstance(row, list) and len(row) == len(columns)]
    return [", ".join(f"{name}: {one}" for name, one in zip(columns, row, strict=True)) for row in whole]
