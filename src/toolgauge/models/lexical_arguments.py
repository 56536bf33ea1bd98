"""Which calls a request seems to want, and their arguments: by type and pattern of the schema, and by near words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple

from toolgauge.core import JsonValue, ToolDefinition, nfc
from toolgauge.locale import DateFound, Locale, find_dates, find_numbers, guess_locale, read_iso

from .lexical_choice import choose, content_words, ranked

__all__ = ["Known", "Wanted", "fills", "wanted_calls"]

TODAY = re.compile(r"(?:today is|hôm nay là ngày)\s+(\d{4}-\d{2}-\d{2})", re.I)
ISO_DAY = re.compile(r"(?<!\d)(?:19|20)\d{2}-\d{2}-\d{2}(?!\d)")
TICKER = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{2}(?![\w-])")
NO_TICKER = frozenset(
    ("VND", "USD", "EUR", "GDP", "CPI", "CEO", "CFO", "ETF", "IPO", "USA", "ROE", "ROA", "EPS", "HNX")
)
"""Three capital letters that are something else more often than not."""
WORD = re.compile(r"[\w&-]+")

SYMBOLS = frozenset(("symbol", "ticker", "code", "ma", "stock"))
QUERIES = frozenset(("query", "question", "text", "keyword", "search", "q", "topic", "cau", "tu"))
FIRST = frozenset(("start", "from", "begin", "since", "tu", "dau"))
LAST = frozenset(("end", "to", "until", "till", "den", "cuoi"))
DAYS = frozenset(("date", "day", "ngay", "when"))
NAMES = frozenset(("name", "ten", "called"))
"""Words in the description of an argument that wants a name rather than a whole question."""

MAX_TICKERS = 4
"""For so many tickers of a question a tool is called once each."""


class Known:
    """What arguments can be made from: the question, what the instructions say of today, and earlier results."""

    def __init__(self, question: str, instructions: str, results: tuple[JsonValue, ...]) -> None:
        self.question = question
        self.results = results
        self._instructions = instructions

    @cached_property
    def locale(self) -> Locale:
        """The language of the question."""
        return guess_locale(self.question)

    @cached_property
    def today(self) -> date | None:
        """The day it is, where the instructions or a clock say so."""
        said = TODAY.search(self._instructions)
        if said:
            return _day(said[1])
        for result in self.results:
            if isinstance(result, str) or (isinstance(result, dict) and len(result) <= 6):
                found = ISO_DAY.search(str(result))
                if found:
                    return _day(found[0])
        return None

    @cached_property
    def dates(self) -> list[DateFound]:
        """The dates of the question."""
        return find_dates(self.question, self.locale, self.today)

    @cached_property
    def needs_today(self) -> bool:
        """Whether the question counts from a day that is not known."""
        return self.today is None and any(one.relative for one in self.dates)

    @cached_property
    def subject(self) -> str:
        """The question without the days that it names, which say when and not what."""
        return _without(self.question, [one for one in self.dates if not one.relative])

    @cached_property
    def manner(self) -> str:
        """The question without any date: what is left may say how."""
        return _without(self.question, self.dates)

    @cached_property
    def tickers(self) -> list[str]:
        """What looks like a ticker, in order."""
        found = dict.fromkeys(TICKER.findall(self.question))
        return [ticker for ticker in found if ticker not in NO_TICKER][:MAX_TICKERS]

    def named(self, name: str) -> Iterator[JsonValue]:
        """What results say under a name, in order."""
        for result in self.results:
            yield from _values(result, name)


def fills(tool: ToolDefinition, known: Known) -> Iterator[tuple[dict[str, JsonValue], list[str]]]:
    """The arguments of a call, and the names of those that are required and cannot be found.

    A tool that takes one ticker is called for each that the question names.
    """
    args, missing = _fill(tool, known)
    single = [name for name, value in args.items() if value in known.tickers[:1] and _words(name) & SYMBOLS]
    if not single:
        yield args, missing
        return
    for ticker in known.tickers:
        yield {**args, **dict.fromkeys(single, ticker)}, missing


def _fill(tool: ToolDefinition, known: Known) -> tuple[dict[str, JsonValue], list[str]]:
    parameters = tool.parameters or {}
    properties = parameters.get("properties")
    required = parameters.get("required")
    needed = [str(one) for one in required] if isinstance(required, list) else []
    args: dict[str, JsonValue] = {}
    missing: list[str] = []
    for name, about in (properties if isinstance(properties, dict) else {}).items():
        schema = about if isinstance(about, dict) else {}
        value = _find(name, schema, known, needed=name in needed)
        if value is not None:
            args[name] = value
        elif name in needed:
            missing.append(name)
    return args, missing


def _find(name: str, schema: Mapping[str, JsonValue], known: Known, *, needed: bool) -> JsonValue:
    """The value of an argument; None: nothing tells it."""
    kind = _kind(schema)
    words = _words(name)
    if kind == "array":
        items = schema.get("items")
        found = list(_several(words, items if isinstance(items, dict) else {}, known))
        return found or None
    options = schema.get("enum")
    if isinstance(options, list) and options:
        return _option(options, schema, known, needed=needed)
    if kind in ("integer", "number"):
        return _number(kind, schema, known, needed=needed)
    if kind == "string":
        return _text(name, words, schema, known, needed=needed)
    default = schema.get("default")
    return default if needed else None


def _words(name: str) -> set[str]:
    return set(content_words(name.replace("_", " "))) | ({*name.lower().split("_")} & {"q", "to", "from"})


def _kind(schema: Mapping[str, JsonValue]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "string")
    return kind if isinstance(kind, str) else "string"


def _text(name: str, words: set[str], schema: Mapping[str, JsonValue], known: Known, *, needed: bool) -> JsonValue:
    if _is_date(words, schema):
        return _date(words, schema, known)
    if words & SYMBOLS:
        return next(iter(known.tickers), None) or next(_texts(known.named(name)), None)
    if words & QUERIES:
        wants_name = NAMES & set(content_words(str(schema.get("description") or "")))
        names = _names(known.question) if wants_name else []
        return names[0] if names else known.question.strip() or None
    if not needed:
        return None
    names = _names(known.question)
    return names[0] if names else next(_texts(known.named(name)), None) or known.question.strip() or None


def _several(words: set[str], items: Mapping[str, JsonValue], known: Known) -> Iterator[JsonValue]:
    if words & {*SYMBOLS, *(f"{word}s" for word in SYMBOLS)}:
        yield from known.tickers
    elif _kind(items) in ("number", "integer"):
        yield from (found.readings[0][0] for found in find_numbers(known.question, known.locale))
    else:
        yield from _names(known.question)


def _names(question: str) -> list[str]:
    """Names by their capital letters; the first word of a sentence has one anyway, so that it is not one."""
    names: list[str] = []
    end = -1
    for found in WORD.finditer(question):
        before = question[: found.start()].rstrip()
        opens = not before or before[-1] in ".?!:"
        if not found.group()[0].isupper() or opens:
            continue
        if question[end : found.start()] == " " and names:
            names[-1] = f"{names[-1]} {found.group()}"
        else:
            names.append(found.group())
        end = found.end()
    return names


def _number(kind: str, schema: Mapping[str, JsonValue], known: Known, *, needed: bool) -> JsonValue:
    for found in find_numbers(known.question, known.locale):
        value = found.readings[0][0]
        low, high = schema.get("minimum"), schema.get("maximum")
        too_low = isinstance(low, (int, float)) and value < low
        too_high = isinstance(high, (int, float)) and value > high
        if too_low or too_high:
            continue
        if kind == "number":
            return value
        if value == int(value):
            return int(value)
    return schema.get("default", schema.get("minimum")) if needed else None


def _option(options: list[JsonValue], schema: Mapping[str, JsonValue], known: Known, *, needed: bool) -> JsonValue:
    """The choice whose own words, or words in the description beside it, the question has most of."""
    asked = set(content_words(known.manner))
    about = str(schema.get("description") or "")
    likeness = [len(asked & set(content_words(f"{one} {_beside(str(one), options, about)}"))) for one in options]
    best = max(likeness)
    if best:
        return options[likeness.index(best)]
    return schema.get("default", options[0]) if needed else None


def _beside(option: str, options: list[JsonValue], about: str) -> str:
    """What a description says after an option, up to the next one."""
    at = about.find(option)
    if at < 0:
        return ""
    start = at + len(option)
    ends = [place for one in options if (place := about.find(str(one), start)) >= 0]
    return about[start : min(ends, default=len(about))]


def _is_date(words: set[str], schema: Mapping[str, JsonValue]) -> bool:
    return schema.get("format") in ("date", "date-time") or bool(words & DAYS)


def _date(words: set[str], schema: Mapping[str, JsonValue], known: Known) -> JsonValue:
    told = [one for one in known.dates if one.low is not None]
    # Beside a day, a month or a year only says which one is meant.
    found = [one for one in told if one.precision in ("day", "range")] or told
    days = [day for one in found for day in (one.low, one.high) if day is not None]
    if words & LAST:
        day = max(days, default=known.today)
    elif words & FIRST:
        day = min(days, default=known.today)
    else:
        day = days[0] if days else known.today
    if day is not None and known.today is not None and words & LAST and min(days, default=day) <= known.today:
        day = min(day, known.today)  # a period that is not over yet ends today
    return None if day is None else _written(day, schema)


def _written(day: date, schema: Mapping[str, JsonValue]) -> str:
    about = f"{schema.get('description') or ''} {schema.get('pattern') or ''}".lower()
    if "dd/mm/yyyy" in about:
        return f"{day:%d/%m/%Y}"
    if "dd-mm-yyyy" in about:
        return f"{day:%d-%m-%Y}"
    return day.isoformat()


def _without(text: str, dates: list[DateFound]) -> str:
    """A text without the dates in it."""
    text = nfc(text)
    for one in reversed(dates):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _day(text: str) -> date | None:
    read = read_iso(text)
    return read.low if read is not None else None


def _texts(values: Iterator[JsonValue]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value)


def _values(value: JsonValue, name: str) -> Iterator[JsonValue]:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if name in one:
                yield one[name]
            left.extend(reversed(one.values()))
        elif isinstance(one, list):
            left.extend(reversed(one))


class Wanted(NamedTuple):
    """A call that seems to be wanted."""

    tool: ToolDefinition
    args: dict[str, JsonValue]
    missing: tuple[str, ...] = ()
    """Required arguments that nothing tells yet."""
    provider: str | None = None
    """The tool whose result may tell them."""


def wanted_calls(tools: Sequence[ToolDefinition], known: Known, named: Sequence[str] = ()) -> list[Wanted]:
    """The calls that a question seems to want.

    Args:
        tools: What there is.
        known: What arguments are made from.
        named: Tools that somebody asks for by name.
    """
    chosen = choose(known.subject, tools, wanted=named, needs_today=known.needs_today)
    calls: list[Wanted] = []
    for tool in chosen:
        for args, missing in fills(tool, known):
            provider = _provider(tool, missing, tools, known) if missing else None
            if provider is not None:
                calls.append(provider)
            calls.append(Wanted(tool, args, tuple(missing), provider.tool.name if provider else None))
    distinct = [one for number, one in enumerate(calls) if one[:2] not in [other[:2] for other in calls[:number]]]
    # What can be called at once comes first, so that the others may use it.
    return sorted(distinct, key=lambda one: bool(one.missing))


def _provider(
    tool: ToolDefinition, missing: Sequence[str], tools: Sequence[ToolDefinition], known: Known
) -> Wanted | None:
    """The call that is most likely to tell what is missing, by the words that describe it."""
    about = " ".join(_about(tool.parameters, missing))
    others = [other for other in tools if other.name != tool.name]
    for other, likeness in ranked(about, others):
        if likeness <= 0:
            return None
        args, lacking = next(fills(other, known))
        if not lacking:
            return Wanted(other, args)
    return None


def _about(parameters: Mapping[str, JsonValue] | None, names: Sequence[str]) -> Iterator[str]:
    properties = (parameters or {}).get("properties")
    for name in names:
        about = properties.get(name) if isinstance(properties, dict) else None
        yield name.replace("_", " ")
        yield str(about.get("description") or "") if isinstance(about, dict) else ""
