"""Which tools a request is about, by the words it shares with them, and what is said of their results in the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log, sqrt

from toolgauge.core import JsonValue, ToolDefinition, nfc
from toolgauge.locale import PROFILES, find_dates, fold_tones, guess_locale

__all__ = ["answer", "choose", "content_words", "is_vietnamese", "overlap", "ranked", "tells_today", "terms"]

MIN_SHARE = 0.75
"""A tool is taken from this share of the best similarity on."""

CLOCK = frozenset(("time", "now", "date", "today", "clock", "ngay", "gio"))


def ranked(question: str, tools: Sequence[ToolDefinition]) -> list[tuple[ToolDefinition, float]]:
    """The tools with their similarity to the question, the most similar first; equal ones in their own order."""
    asked = terms(content_words(question))
    described = [terms(content_words(_described(tool))) for tool in tools]
    seen = Counter(term for one in described for term in one)
    rare = {term: log(1 + len(tools) / count) for term, count in seen.items()}
    min_shared = PROFILES[guess_locale(question)].min_shared_words
    found = [
        (tool, _likeness(asked, words, rare) if len(asked & words) >= min_shared else 0.0)
        for tool, words in zip(tools, described, strict=True)
    ]
    return sorted(found, key=lambda one: -one[1])


def _likeness(asked: set[str], words: set[str], rare: Mapping[str, float]) -> float:
    """Shared words, each by how few tools have it; long descriptions share more by chance, and count less."""
    if not words:
        return 0.0
    # Summed in a fixed order, so that the last digit is the same every time.
    shared = sum(rare[term] for term in sorted(asked & words))
    return shared / sqrt(sum(rare[term] ** 2 for term in sorted(words)))


def choose(
    question: str,
    tools: Sequence[ToolDefinition],
    *,
    wanted: Sequence[str] = (),
    needs_today: bool = False,
    min_share: float = MIN_SHARE,
) -> list[ToolDefinition]:
    """The tools to call, in the order to call them.

    Args:
        question: What is asked.
        tools: What there is.
        wanted: Tools that are taken whatever their words.
        needs_today: Whether something counts from a day that is not known, so that a clock comes first.
        min_share: The share of the best similarity that is enough.
    """
    found = ranked(question, tools)
    best = found[0][1] if found else 0.0
    near = [tool for tool, likeness in found if (best > 0 and likeness >= min_share * best) or tool.name in wanted]
    clocks = [tool for tool in tools if tells_today(tool)] if needs_today else []
    return [*clocks, *(tool for tool in near if tool not in clocks)]


def tells_today(tool: ToolDefinition) -> bool:
    """Whether a tool looks like a clock: its name says so, and it wants nothing."""
    required = (tool.parameters or {}).get("required")
    return not required and bool(CLOCK & set(content_words(tool.name.replace("_", " "))))


def _described(tool: ToolDefinition) -> str:
    return " ".join((tool.name.replace("_", " "), tool.description, *_of_arguments(tool.parameters)))


def _of_arguments(parameters: Mapping[str, JsonValue] | None) -> Iterator[str]:
    properties = (parameters or {}).get("properties")
    for name, about in (properties if isinstance(properties, dict) else {}).items():
        yield name.replace("_", " ")
        if isinstance(about, dict):
            yield str(about.get("description") or "")
            options = about.get("enum")
            yield from map(str, options if isinstance(options, list) else ())


MAX_RECORDS = 3
MAX_LETTERS = 600


def answer(question: str, results: Sequence[JsonValue], *, vietnamese: bool) -> str:
    """The records of the results that are nearest to the question, word for word."""
    records = [record for result in results for record in _records(result)]
    if not records:
        if vietnamese:
            return "Không có kết quả nào để trả lời. (local:lexical, không phải mô hình ngôn ngữ)"
        return "There is no result to answer from. (local:lexical, not a language model)"
    asked = [*content_words(question), *_days(question)]
    nearest = sorted(records, key=lambda record: -overlap(asked, [*content_words(record), *_days(record)]))
    kept = sorted(nearest[:MAX_RECORDS], key=records.index)
    said = "; ".join(kept)[:MAX_LETTERS]
    if vietnamese:
        return f"Các công cụ cho biết: {said} (local:lexical, không phải mô hình ngôn ngữ)"
    return f"The tools say: {said} (local:lexical, not a language model)"


def overlap(wanted: Sequence[str], there: Sequence[str]) -> float:
    """The share of the wanted words that are there."""
    distinct = set(wanted)
    return len(distinct & set(there)) / len(distinct) if distinct else 0.0


def _days(text: str) -> list[str]:
    """The days that a text names, however it writes them."""
    found = find_dates(text[:MAX_LETTERS], guess_locale(text))
    return [str(one.low) for one in found if one.low is not None]


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


WORD = re.compile(r"[^\W_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
SMALL = frozenset[str]().union(*(profile.small_words for profile in PROFILES.values()))
"""Words that say nothing about what is wanted."""


def is_vietnamese(text: str) -> bool:
    """Whether a text has letters that only Vietnamese has."""
    return guess_locale(text) == "vi"


def content_words(text: str) -> list[str]:
    """The words of a text in order, folded, without those that say nothing; also those joined in a name."""
    return list(_content_words(text))


@lru_cache(maxsize=4096)
def _content_words(text: str) -> tuple[str, ...]:
    words = WORD.findall(CAMEL.sub(" ", nfc(text)))
    # Small words are known by their tones: `có` is one, `cổ` of `cổ phiếu` is not.
    kept = [fold_tones(word) for word in words if word.lower() not in SMALL]
    return tuple(_stem(word) for word in kept if len(word) > 1 or word.isdigit())


def _stem(word: str) -> str:
    """An English plural and its singular are the same word."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def terms(words: Sequence[str]) -> set[str]:
    """Words and pairs of neighbours: most words of Vietnamese are written as two."""
    return {*words, *(f"{first} {second}" for first, second in pairwise(words))}
