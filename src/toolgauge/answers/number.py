"""Scores answers that are numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from msgspec import structs

from toolgauge.core import Answer, JsonValue
from toolgauge.locale import KINDS, Locale, NumberFound, read_unit, tokenise, units_agree

from .amounts import AmountFinder
from .answer_type import (
    ENOUGH_OVERLAP,
    WORDS_SCHEMA,
    AnswerType,
    Scorer,
    Setting,
    Spec,
    check_value_or_range,
    read_answer,
    two_of,
    two_ways,
    within_reach,
)
from .evidence.finding import Candidate, Finder, decide, is_plain
from .page import Page
from .question import stem
from .standing import Inheriting, is_calendar_year, is_hyphenated, is_label, is_numbered, lasts, says_again
from .written import WrittenAmount, is_amount, read_number

__all__ = ["NUMBER"]

COUNTED_TEXT = (
    "second|minute|hour|day|week|month|year|point|share|tonne|litre|barrel|mile|percentage point|basis point|degree"
    "|time|tael|ounce"
)
COUNTED_IN_ENGLISH = frozenset(COUNTED_TEXT.split("|"))
"""Units that take an s."""
SLACK = 1e-12
"""Sums and products of decimals are not exact; a difference this small, relative to the value, is none."""


@dataclass(frozen=True, slots=True)
class NumberReference:
    """What the number should be, in the unit without its scale."""

    low: float
    high: float
    is_range: bool
    unit: str | None
    scale: float
    """What a bare number is multiplied by: 1e9 where the asked unit is `tỷ đồng`."""
    words: str
    """How the reference is called in a reason."""
    unit_words: str = ""
    """The unit as the case asks for it."""

    @property
    def is_open(self) -> bool:
        """Whether it is a range without one of its ends."""
        return math.isinf(self.low) or math.isinf(self.high)

    def holds(self, low: float, high: float) -> bool:
        """Whether a value or range lies inside."""
        slack = SLACK * max(abs(bound) for bound in (self.low, self.high, low, high) if math.isfinite(bound))
        return self.low - slack <= low and high <= self.high + slack

    def overlaps(self, low: float, high: float) -> bool:
        """Whether a range covers about the same as the reference range."""
        if not all(map(math.isfinite, (low, high, self.low, self.high))):
            return False
        shared = min(high, self.high) - max(low, self.low)
        covered = max(high, self.high) - min(low, self.low)
        return shared >= 0 and covered > 0 and shared / covered >= ENOUGH_OVERLAP - SLACK


def _read_tolerance(tolerance: JsonValue) -> tuple[float, bool] | None:
    """A tolerance as a number and whether it is relative; None where it is none."""
    if isinstance(tolerance, bool):
        return None
    if isinstance(tolerance, int | float):
        return (float(tolerance), False) if tolerance >= 0 else None
    if not isinstance(tolerance, str):
        return None
    text = tolerance.strip()
    relative = text.endswith("%")
    try:
        value = float(text.rstrip("% ").replace(",", "."))
    except ValueError:
        return None
    return (value / 100 if relative else value, relative) if 0 <= value < float("inf") else None


def _amount(value: JsonValue, scale: float, locale: Locale | None) -> WrittenAmount:
    """An amount in the asked unit without its scale; a bare number is in the asked unit with its scale."""
    found = read_number(value, locale)
    if found is None:
        raise ValueError("a number reference has a value or a range")
    return found if found.whole else found._replace(low=found.low * scale, high=found.high * scale)


def _reference(spec: Spec, locale: Locale | None) -> tuple[NumberReference, dict[tuple[str, ...], str]]:
    unit_text = spec.get("unit")
    scale, unit, words = read_unit(str(unit_text)) if unit_text else (Decimal(1), None, ())
    factor = float(scale)
    asked = spec.get("range")
    written = asked if isinstance(asked, list) else [spec.get("value")]
    amounts = [_amount(value, factor, locale) for value in written if value is not None]
    unit = unit or next((amount.unit for amount in amounts if amount.unit), None)
    unit_words = str(unit_text or unit or "")
    units: dict[tuple[str, ...], str] = {}
    if unit and words:
        units[words] = unit
        if words[-1].isascii() and words[-1].isalpha() and len(words[-1]) > 2:
            last = words[-1]
            units[(*words[:-1], last[:-1] if last.endswith("s") else f"{last}s")] = unit
    if unit == "GBP":
        units |= dict.fromkeys((("pound",), ("pounds",), ("bảng",)), unit)  # else pounds are a weight
    low, high = min(amount.low for amount in amounts), max(amount.high for amount in amounts)
    if None in written:
        low, high = (low, math.inf) if written[1] is None else (-math.inf, high)
    suffix = f" {unit_words}" if unit_words else ""
    is_range = isinstance(asked, list) or low != high
    name = _range_name(low / factor, high / factor) if is_range else _plain(low / factor)
    name += suffix
    margin, relative = _read_tolerance(spec.get("tolerance", 0)) or (0.0, False)
    if margin:
        name += f" ± {_plain(margin * 100)}%" if relative else f" ± {_plain(margin)}"
    reach = max(abs(low), abs(high)) * margin if relative else margin * factor
    return NumberReference(low - reach, high + reach, is_range, unit, factor, name, unit_words), units


def _range_name(low: float, high: float) -> str:
    if math.isinf(high):
        return f"at least {_plain(low)}"
    return f"at most {_plain(high)}" if math.isinf(low) else f"{_plain(low)} to {_plain(high)}"


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `number` reference."""
    reference, units = _reference(spec, setting.locale)
    finder = AmountFinder(reference.unit, units, setting.asked, freely=spec.get("units") == "convert")

    def read(page: Page, style: Locale) -> Answer | None:
        candidates = _candidates(page, finder, finder.find(page, style), reference, setting)
        if is_plain(page, candidates):
            return _judge(candidates[0].found, reference)
        weighed = Finder(page, setting.asked, style, setting.now).weigh(candidates)
        return decide(page, weighed, lambda found: _judge(found, reference))

    return lambda output: read_answer(output, setting.locale, read, "no number in the answer")


def _candidates(
    page: Page, finder: AmountFinder, numbers: list[NumberFound], reference: NumberReference, setting: Setting
) -> list[Candidate[NumberFound]]:
    around = page.around
    candidates: list[Candidate[NumberFound]] = []
    per = reference.unit_words.lower().replace("²", "2").partition("/")[2].strip()
    states_percent = reference.unit == "%" and any(found.unit == "%" for found in numbers)
    inherits = Inheriting(page, reference.unit or "", reference.unit_words, setting.asked)
    order = {found.start: index for index, found in enumerate(numbers)}
    for found in within_reach(numbers):
        if around.is_ruled_out(found.start, found.end) or is_calendar_year(page.text, found):
            continue
        if reference.is_open:
            found = _opened(page.text, found)
        low, high = found.readings[0]
        holds: dict[str, float] = {}
        if (
            not (
                found.plausible
                or (setting.asked.asks_earlier and STARTED.search(page.text, max(0, found.start - 12), found.start))
            )
            or is_numbered(page.text, found)
            or is_label(page, found)
            or is_hyphenated(page.text, found)
        ):
            holds["seldom an answer"] = 1.0
        if reference.unit is not None and found.unit is not None:
            if units_agree(reference.unit, found.unit):
                holds["asked unit"] = 1.0 if finder.states(page.text, found) else CONVERTED
                if HYPHENED_UNIT.search(page.text, found.start, found.end):
                    holds["asked unit"] = ATTRIBUTE
                if per and per not in page.text[found.start : found.end + 12].lower().replace("²", "2"):
                    holds["asked unit"] = PER_UNSAID
            else:
                holds["other unit"] = 1.0
        elif reference.unit is not None:
            holds["asked unit"] = inherits.share(found, numbers, order[found.start])
            if states_percent and not holds["asked unit"]:
                holds["other unit"] = UNASKED
        elif found.unit == "%" and setting.asked.counted:
            holds["other unit"] = 1.0
        elif _is_unasked(page.text, found, setting):
            holds["other unit"] = UNASKED
        if reference.unit is None and found.unit in ("day", "week", "month", "year") and lasts(page.text, found.start):
            holds["duration"] = 1.0
        if low == high and low in setting.asked.numbers:
            holds["given in the question"] = 1.0
        start = found.start
        if candidates and says_again(page.text, candidates[-1].found, found):
            before = candidates[-1]
            if before.own.get("asked unit", 0.0) >= holds.get("asked unit", 0.0):
                candidates[-1] = replace(before, end=found.end)  # `7,825 ft (2,385 m)`
                continue
            start = candidates.pop().start
        candidates.append(Candidate(start, found.end, found, (low, high), holds))
    return candidates


ABOVE = re.compile(
    r"\b(?:more\sthan|over|above|at\sleast|exceeding|hơn|trên|ít\snhất|tối\sthiểu|vượt|từ)\s(?:[$€£]|mức\s|khoảng\s)?$",
    re.IGNORECASE,
)
BELOW = re.compile(
    r"\b(?:less\sthan|fewer\sthan|under|below|at\smost|up\sto|no\smore\sthan|dưới|không\squá|tối\sđa|nhiều\snhất|chưa\s(?:đến|tới))\s"
    r"(?:[$€£]|mức\s)?$",
    re.IGNORECASE,
)


def _opened(text: str, found: NumberFound) -> NumberFound:
    """An amount that only bounds something, as the range that it leaves open: `more than 10`."""
    before = text[max(0, found.start - 30) : found.start]
    low, high = found.readings[0]
    if ABOVE.search(before) and not found.is_range:
        return structs.replace(found, readings=((low, math.inf),), is_range=True)
    if BELOW.search(before) and not found.is_range:
        return structs.replace(found, readings=((-math.inf, high),), is_range=True)
    return found


CONVERTED = 0.9
"""How much an amount is in the asked unit that had to be converted to it."""
ATTRIBUTE = 0.45
"""How much an amount is in the asked unit that is joined to it by a hyphen: `a 2-year warranty`."""
HYPHENED_UNIT = re.compile(r"\w-[^\W\d_]+$")
STARTED = re.compile(r"\b(?:từ|from)\s(?:mức\s)?[$€£]?$", re.IGNORECASE)
PER_UNSAID = 0.75
"""How much an amount is in the asked unit that does not say per what it is, where that is asked."""
UNASKED = 0.25
"""How much a unit speaks against an amount where the case asks for none."""


SHARES = re.compile(
    r"%|\b(?:percent\w*|per\scent|rate|share|margin|growth|proportion|yield|tỷ\slệ|tỉ\slệ|phần\străm|lãi\ssuất|biên|tăng|giảm|chiếm|change\w*|rise|rose|fall|fell"
    r"|increase\w*|decrease\w*|return|how\smuch|up|down)\b",
    re.IGNORECASE,
)
"""What asks for a percentage, or may."""
PHYSICAL = frozenset(unit for kind in KINDS[2:] for unit in kind)


def _is_unasked(text: str, found: NumberFound, setting: Setting) -> bool:
    """Whether the question asks for no such unit: no percentage, or no measure."""
    if found.unit == "%":
        return not SHARES.search(setting.asked.text)
    return found.unit in PHYSICAL and not _names_unit(text, found, setting)


def _names_unit(text: str, found: NumberFound, setting: Setting) -> bool:
    """Whether the question says the unit of an amount, or what it counts."""
    return any(stem(token.low) in setting.asked.words for token in tokenise(text[found.start : found.end]))


def _judge(found: NumberFound, reference: NumberReference) -> Answer:
    low, high = found.readings[0]
    shown: JsonValue = [_bound(low), _bound(high)] if found.is_range else _whole(low)
    name = _name(found, reference)
    if reference.unit and found.unit and not units_agree(reference.unit, found.unit):
        return Answer("wrong", shown, f"found {name}, but the unit should be {reference.unit_words}")
    scales = {1.0, reference.scale} if not found.unit and not found.scaled else {1.0}
    for scale in scales:
        if reference.holds(low * scale, high * scale):
            return Answer("right", shown, f"found {name}, expected {reference.words}")
        if found.is_range and reference.is_range and reference.overlaps(low * scale, high * scale):
            return Answer("right", shown, f"found {name}, which is about {reference.words}")
    return Answer("wrong", shown, f"found {name}, expected {reference.words}")


def _name(found: NumberFound, reference: NumberReference) -> str:
    """What was found, in the asked unit where it has that or none, so that it can be compared by eye."""
    low, high = found.readings[0]
    unit, scale = found.unit or "", 1.0
    if reference.unit_words and (not found.unit or (reference.unit and units_agree(reference.unit, found.unit))):
        unit = reference.unit_words
        scale = reference.scale if found.unit or found.scaled else 1.0
    elif unit in COUNTED_IN_ENGLISH and (low, high) != (1, 1):
        unit += "s"
    amount = _range_name(low / scale, high / scale) if found.is_range else _plain(low / scale)
    return f"{amount} {unit}".rstrip()


def _bound(value: float) -> int | float | None:
    """The end of a range; None where it is open."""
    return None if math.isinf(value) else _whole(value)


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _plain(value: float) -> str:
    whole = _whole(value)
    return str(whole) if isinstance(whole, int) else f"{value:.12g}"


def _check(spec: Spec) -> list[str]:
    bounds = spec.get("range")
    if isinstance(bounds, list) and len(bounds) == 2 and bounds.count(None) == 1:
        spec = {**spec, "range": [next(bound for bound in bounds if bound is not None)] * 2}  # open at one end
    problems = check_value_or_range(spec, "number", is_amount, "a number")
    if not problems and isinstance(bounds, list) and None not in bounds and _falls(bounds):
        problems.append("a range goes from the lower to the higher number")
    if "tolerance" in spec:
        if spec.get("range") is not None:
            problems.append("a range takes no tolerance; widen the range instead")
        elif _read_tolerance(spec["tolerance"]) is None:
            problems.append(
                f"the tolerance {spec['tolerance']!r} is neither a number from 0 nor a percentage such as 10%"
            )
    if spec.get("units", "convert") != "convert":
        problems.append(f"units is 'convert' or left out, not {spec['units']!r}")
    unit = spec.get("unit")
    if "unit" in spec and not (isinstance(unit, str) and unit.strip()):
        problems.append("a unit is a text such as °C, % or tỷ đồng")
    return problems


def _unread(spec: Spec, locale: Locale | None, _: date | None) -> list[str]:
    return two_ways(spec, lambda value: value is None or read_number(value, locale) is not None, "1234.5")


def _falls(bounds: list[JsonValue]) -> bool:
    """Whether a range goes from the higher to the lower number, however its bounds are read."""
    first, last = (read_number(bound, None) for bound in bounds)
    return first is not None and last is not None and first.low > last.high


AMOUNT = {"type": ["number", "string"]}
NUMBER = AnswerType(
    "number",
    _prepare,
    _check,
    {
        "value": AMOUNT,
        "tolerance": AMOUNT,
        "range": two_of({"type": ["number", "string", "null"]}),
        "unit": WORDS_SCHEMA,
        "units": {"const": "convert"},
    },
    forms=(("value", "tolerance", "unit", "units"), ("range", "unit", "units")),
    unread=_unread,
    called=(
        *("number", "amount", "numeric", "numerical", "integer", "float", "money", "percent", "percentage"),
        *("số", "con số", "số liệu", "số tiền", "tiền", "số lượng", "giá trị số", "số nguyên", "số thực"),
        *("phần trăm", "tỉ lệ", "tỷ lệ"),
    ),
)
