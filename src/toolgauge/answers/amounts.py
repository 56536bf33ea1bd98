"""The amounts that an answer states, in the asked unit: by the unit of their column, durations in one piece, signs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from msgspec.structs import replace

from toolgauge.locale import KINDS, Locale, NumberFound, convert, find_numbers, read_unit, units_agree

from .durations import find_durations
from .evidence.context import read_label
from .page import Page
from .question import Question

__all__ = ["AmountFinder"]

TIMES = ("week", "day", "hour", "minute", "second", "ms")
JOINED = re.compile(r"\s?(?:and|và|,)?\s?")
CLOCKED = re.compile(
    r"(?<![\w:/.,])(?<!lúc\s)(?<!\bat\s)([0-9]{1,3})\s?(?:h|giờ|tiếng|g)\s?([0-9]{1,2})\s?(?:m\b|min\b|mins\b|p\b|'|ph\b|phút\b)?(?![\w:])",
    re.IGNORECASE,
)
"""A duration as `2h10` or `2h10p`; a clock time looks the same, and is no duration."""
DAYS_AND_HOURS = re.compile(r"(?<![\w:/.,])([0-9]{1,3})\s?ngày\s(?:và\s)?([0-9]{1,2})\s?(?:giờ|tiếng)\b", re.IGNORECASE)
TIMED = re.compile(
    r"(?<![\w:/.,-])([0-9]{1,2}):([0-5][0-9]):([0-5][0-9])(?:[.,][0-9]{1,3})?(?![\w:])(?!\s?(?:UTC|GMT|AM|PM)\b)"
)
"""A time as races and clips are given: `2:26:30`."""
STATED_UNIT = re.compile(
    r"(?:^|\n)[\s*_(>–-]*(?:đơn\svị(?:\stính)?|đvt|units?|currency|figures|amounts?|values?|all\s(?:figures|amounts|values))\s?(?:are\s|is\s)?(?::|in|=|là)\s?"
    r"(?:in\s)?([^\n.;()]{1,40})",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"\(([^()]{1,40})\)")
UNIT_COLUMN = re.compile(r"\s*(?:đơn\svị(?:\stính)?|đvt|units?)\s*", re.IGNORECASE)
SNAKE_CASE = re.compile(r"[\"']?([a-z0-9]+(?:_[a-z0-9]+)+)[\"']?", re.IGNORECASE)
"""A key of JSON, which may end in a unit: `"price_usd"`."""
LEADING = re.compile(r"^(?:in|tính bằng|đơn vị:?|đvt:?|unit:?)\s+", re.IGNORECASE)
SUFFIX_SCALE = re.compile(
    r"^([$€£₫]|us\$|usd|eur|gbp|vnd|jpy)\s?(m|mn|mln|mil|million|millions|bn|b|billion|billions|k|thousand|thousands|000s?)$",
    re.IGNORECASE,
)
SCALES = {
    "m": "million",
    "mn": "million",
    "mln": "million",
    "mil": "million",
    "b": "billion",
    "bn": "billion",
    "k": "thousand",
    "000": "thousand",
    "000s": "thousand",
}
SHORT = (
    (re.compile(r"\btr\.?\s?đ(?:ồng)?\b\.?", re.IGNORECASE), "triệu đồng"),
    (re.compile(r"\btỷ\s?đ\b\.?", re.IGNORECASE), "tỷ đồng"),
    (re.compile(r"\b(?:ng|nghìn|ngàn)\.?\s?đ\b\.?", re.IGNORECASE), "nghìn đồng"),
    (re.compile(r"['’]?000\s?(?=đ|vnd|đồng|usd|\$)", re.IGNORECASE), "nghìn "),
    (re.compile(r"\btr\b\.?", re.IGNORECASE), "triệu"),
)
DOWN = re.compile(
    r"\b(?:lỗ|thua\slỗ|âm|bán\sròng|thâm\shụt|nhập\ssiêu|rút\sròng|giảm|sụt|mất|hụt|tụt|đi\slùi|co\shẹp|suy\sgiảm|loss|losses|lost|deficit|outflow|outflows|net\ssell(?:ing)?"
    r"|net\ssold|fell|fall|falls|falling|fallen|drop|drops|dropped|dropping|decline|declined|declines|declining|decrease|decreased|decreases|down|shrank"
    r"|shrink|shrunk|shrinking|contracted|contraction|slipped|slid|plunged|lower|cut|reduced|reduction|negative)\b",
    re.IGNORECASE,
)
UP = re.compile(
    r"\b(?:lãi|lời|mua\sròng|thặng\sdư|xuất\ssiêu|tăng|profit|gain|gained|surplus|inflow|rose|rise|risen|grew|growth|increase|increased|up|higher|climbed|jumped)\b",
    re.IGNORECASE,
)
LEVELS = re.compile(
    r"\b(?:to|at|còn|xuống|lên|xuống\scòn|mức|đạt|from|từ|of\sthe|so\svới|than|versus|vs)\s[^\s]{0,8}\s?$",
    re.IGNORECASE,
)
SIGNED = re.compile(
    r"\b(?:số\sâm|âm\snếu|negative\s(?:if|for)|ghi\sâm|dấu\sâm|negative|minus|lãi\shay\slỗ|lãi/lỗ|lời\shay\slỗ|tăng\shay\sgiảm|tăng/giảm|tăng,\sgiảm|mua\sròng\shay\sbán\sròng|gain\sor\sloss"
    r"|profit\sor\sloss|up\sor\sdown|surplus\sor\sdeficit|thặng\sdư\shay\sthâm\shụt|xuất\ssiêu\shay\snhập\ssiêu|rise\sor\sfall|increase\sor\sdecrease)\b",
    re.IGNORECASE,
)
BALANCED = re.compile(
    r"\b(?:lợi\snhuận|lãi|kết\squả\skinh\sdoanh|dòng\stiền|cán\scân|thay\sđổi|biến\sđộng|tăng\strưởng|chênh\slệch|profit|income|earnings|eps|result|change|changed|growth|grow|grew"
    r"|balance|cash\sflow|return|returns|tăng\s|increase|rise|rose|gain|margin|net\s(?:flow|buying)|mua\sròng|performance|difference|thặng\sdư|surplus)\b",
    re.IGNORECASE,
)
LOSSES = re.compile(
    r"\b(?:lỗ|thua\slỗ|giảm|sụt|mất|lose|lost|loses|loss|fall|fell|drop|dropped|decline|declined|decrease|decreased|shrink|shrank|deficit|thâm\shụt)\b",
    re.IGNORECASE,
)
"""What asks for the size of a loss or a fall, so that a minus says nothing."""
UPPER = re.compile(
    r"\b(?:upper|top\send|high\send|cận\strên|mức\strần|tối\sđa|cao\snhất|maximum|highest|(?:week|time|year|month|day)(?:'s|’s)?\shigh|high\stemperature|at\smost|nhiều\snhất|chậm\snhất|lâu\snhất)\b",
    re.IGNORECASE,
)
LOWER = re.compile(
    r"\b(?:lower|bottom\send|low\send|cận\sdưới|tối\sthiểu|thấp\snhất|minimum|lowest|(?:week|time|year|month|day)(?:'s|’s)?\slow|low\stemperature|at\sleast|ít\snhất|sớm\snhất)\b",
    re.IGNORECASE,
)


SPELLED_TWICE = re.compile(
    r"\b((?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
    r"|một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười|mươi|lăm|mốt|tư|trăm))(\s\([0-9]{1,4}\))(?=\s\w)",
    re.IGNORECASE,
)
"""A number in words and again in figures, as contracts have it: `sixty (60) days`."""


CONVERTED = frozenset(unit for kind in KINDS for unit in kind)


class AmountFinder:
    """Finds the amounts of answers to one question.

    Args:
        unit: The asked unit; None: any.
        units: Units to be known besides the common ones.
        asked: The question.
        freely: Whether amounts are converted between systems of units.
    """

    def __init__(
        self, unit: str | None, units: Mapping[tuple[str, ...], str], asked: Question, *, freely: bool
    ) -> None:
        self.unit, self.units, self.freely = unit, units, freely
        self.asked = asked
        self.signed = _wants_sign(asked.text)
        self.unsigned = LOSSES.search(asked.text) is not None and not SIGNED.search(asked.text)
        self.end = "high" if UPPER.search(asked.text) else "low" if LOWER.search(asked.text) else None

    def find(self, page: Page, style: Locale) -> list[NumberFound]:
        """The amounts of an answer in order, in the asked unit where they can be said in it."""
        text = SPELLED_TWICE.sub(lambda match: match[1] + " " * len(match[2]), page.text)
        found = find_numbers(text, style, units=self.units)
        if self.unit in SPANS_OF_TIME:
            found = _with_spans(page.text, found)
            whole = find_durations(page.text)
            found = _instead(found, whole)
        if self.unit in TIMES:
            found = self._durations(page.text, found)
        page_unit = _page_unit(page.text)
        return [self._signed(page.text, self._converted(self._scaled(page, one, page_unit))) for one in found]

    def states(self, text: str, one: NumberFound) -> bool:
        """Whether an amount is written in the asked unit, or in none; what was converted is not."""
        words = text[one.start : one.end]
        if self.unit not in CONVERTED or not any(map(str.isalpha, words)):
            return True
        found = find_numbers(words, "en", units=self.units)
        return not found or found[0].unit is None or units_agree(self.unit or "", found[0].unit)

    def _paired(self, text: str, one: NumberFound) -> str | None:
        """Which end of two numbers is asked, where labels stand beside them: `26.070 – 26.430 (mua vào – bán ra)`."""
        match = PAIR.match(text, one.end) or PAIR_BEFORE.search(text[max(0, one.start - 70) : one.start])
        if match is None:
            return None
        low, high = (bool(read_label(match[side]).families & self.asked.families) for side in (1, 2))
        return None if low == high else "low" if low else "high"

    def _scaled(self, page: Page, one: NumberFound, page_unit: str | None) -> NumberFound:
        """A bare number with the unit and scale that its column, its label or its table state."""
        if one.unit or one.scaled:
            return one
        cell = page.cell_at(one.start) if page.cells else None
        texts = []
        if cell is not None:
            said = [text for column, text in page.other_cells(cell) if UNIT_COLUMN.fullmatch(column)]
            texts = [cell.column, cell.row, *(f"({text})" for text in said), page.corner(cell)]
        else:
            label = page.label_at(one.start)
            texts = [label] if label else []
        for text in texts:
            stated = _stated_unit(text)
            if stated:
                return self._times(one, *stated)
        if cell is None and not texts:
            return one
        heading = page.headings[page.line_at(one.start)]
        for stated in (_stated_unit(heading), _read(page_unit) if page_unit else None, _above(page, one.start)):
            if stated:
                return self._times(one, *stated)
        return one

    def _times(self, one: NumberFound, scale: Decimal, unit: str | None) -> NumberFound:
        """A number in a stated scale and unit; a part of the words of the asked unit means that one."""
        if unit and self.unit and set(unit.split()) < set(self.unit.split()):
            unit = self.unit
        return _times(one, scale, unit)

    def _converted(self, one: NumberFound) -> NumberFound:
        if not self.unit or not one.unit or units_agree(self.unit, one.unit):
            return one
        (low, high), *_ = one.readings
        ends = [convert(value, one.unit, self.unit, freely=self.freely) for value in (low, high)]
        if ends[0] is None or ends[1] is None:
            return one
        return replace(one, readings=((min(ends[0], ends[1]), max(ends[0], ends[1])),), unit=self.unit)

    def _durations(self, text: str, found: Sequence[NumberFound]) -> list[NumberFound]:
        """The amounts, with `2 giờ 10 phút` as one of them."""
        joined: list[NumberFound] = []
        for one in found:
            before = joined[-1] if joined else None
            if before and self._continues(text, before, one):
                larger = convert(before.readings[0][0], before.unit or "", one.unit or "", freely=False) or 0.0
                value = larger + one.readings[0][0]
                joined[-1] = replace(before, end=one.end, readings=((value, value),), unit=one.unit)
            else:
                joined.append(one)
        whole = [
            *_spans(DAYS_AND_HOURS, text, (24.0, 1.0), "hour"),
            *_spans(TIMED, text, (3600.0, 60.0, 1.0), "second"),
        ]
        joined = _instead(joined, whole)
        clocked = _spans(CLOCKED, text, (60.0, 1.0), "minute")
        apart = [one for one in clocked if not any(_overlap(one, other) for other in joined)]
        return sorted([*joined, *apart], key=lambda one: one.start)

    def _continues(self, text: str, before: NumberFound, one: NumberFound) -> bool:
        if before.unit not in TIMES or one.unit not in TIMES or before.is_range or one.is_range:
            return False
        smaller = TIMES.index(one.unit) > TIMES.index(before.unit)
        return smaller and JOINED.fullmatch(text[before.end : one.start]) is not None

    def _signed(self, text: str, one: NumberFound) -> NumberFound:
        """A loss or a fall as a negative amount, where profit or change is asked."""
        end = (self.end or self._paired(text, one)) if one.is_range else None
        if end:
            value = one.readings[0][1 if end == "high" else 0]
            one = replace(one, readings=((value, value),), is_range=False)
        if self.unsigned and one.readings[0][1] < 0:
            low, high = one.readings[0]
            return replace(one, readings=((-high, -low),))
        if not self.signed or one.readings[0][0] <= 0:
            return one
        before = text[max(0, one.start - 60) : one.start]
        cut = max(before.rfind(sign) for sign in (". ", "; ", "\n", ", ", "("))
        before = before[cut + 1 :]
        down = _end_of_last(DOWN, before)
        behind = re.split(r"[,.;()\n]", text[one.end : one.end + 25])[0]
        falls = down >= 0 and _end_of_last(UP, before) < down
        if not falls and down < 0 and _end_of_last(UP, before) < 0:
            falls = (
                re.match(r"\s?(?:loss|contraction|decline|drop|decrease|lower|deficit|fall|reduction|down)\b", behind)
                is not None
            )
        if not falls or LEVELS.search(before[max(down, 0) :]):
            return one
        (low, high), *_ = one.readings
        return replace(one, readings=((-high, -low),))


SPANS_OF_TIME = (*TIMES, "month", "year")
SPELLED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
SPAN = re.compile(
    r"(?<![\w:/.,-])(?P<count>[0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?:-(?P<joined>minute|hour|day|week|month|year)s?\b"
    r"|\s(?P<apart>minute|hour|day|week|month|year)s?\s(?:from\s(?:now|today)|ago|to\sgo|away)\b"
    r"|\s(?P<vi>phút|giờ|ngày|tuần|tháng|năm)\s(?:nữa|trước)\b)",
    re.IGNORECASE,
)
"""A stretch of time that makes a word of something or counts from today: `2-year`, `17 days from now`, `5 ngày nữa`."""
SPAN_UNITS = {"phút": "minute", "giờ": "hour", "ngày": "day", "tuần": "week", "tháng": "month", "năm": "year"}


def _with_spans(text: str, found: Sequence[NumberFound]) -> list[NumberFound]:
    """The amounts of an answer that is asked for a stretch of time, with those that count from today."""
    spans: list[NumberFound] = []
    for match in SPAN.finditer(text):
        said = match["count"].lower()
        value = float(said) if said.isdigit() else float(SPELLED[said])
        unit = (match["joined"] or match["apart"] or SPAN_UNITS[(match["vi"] or "ngày").lower()]).lower()
        spans.append(NumberFound(start=match.start(), end=match.end(), readings=((value, value),), unit=unit))
    if not spans:
        return list(found)
    apart = [one for one in found if not any(_overlap(one, span) for span in spans)]
    return sorted([*apart, *spans], key=lambda one: one.start)


def _instead(found: Sequence[NumberFound], whole: Sequence[NumberFound]) -> list[NumberFound]:
    """The amounts, with some in the place of those that they are made of."""
    if not whole:
        return list(found)
    return sorted(
        [*(one for one in found if not any(_overlap(one, other) for other in whole)), *whole], key=lambda one: one.start
    )


def _spans(pattern: re.Pattern[str], text: str, factors: Sequence[float], unit: str) -> list[NumberFound]:
    """The durations that a pattern finds, its groups multiplied by factors."""
    found: list[NumberFound] = []
    for match in pattern.finditer(text):
        value = sum(int(part) * factor for part, factor in zip(match.groups(), factors, strict=True))
        if unit != "minute" or int(match[2]) < 60:
            found.append(NumberFound(start=match.start(), end=match.end(), readings=((value, value),), unit=unit))
    return found


def _overlap(one: NumberFound, other: NumberFound) -> bool:
    return one.start < other.end and other.start < one.end


PAIR = re.compile(r"\s?\(([^()\n]{2,30}?)\s?[–/-]\s?([^()\n]{2,30}?)\)")
PAIR_BEFORE = re.compile(r"([^\s–/:()-][^–/:()\n]{1,25}?)\s?[–/-]\s?([^–/:()\n]{2,25}?)\)?\s?(?::|là|ở\smức)\s?$")


def _end_of_last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.end() for match in pattern.finditer(text)), default=-1)


def _wants_sign(question: str) -> bool:
    """Whether the question asks for something that may be negative, and not for how large a loss or a fall is."""
    if SIGNED.search(question):
        return True
    return bool(BALANCED.search(question)) and not DOWN.search(question)


def _times(one: NumberFound, scale: Decimal, unit: str | None) -> NumberFound:
    low, high = one.readings[0]
    factor = float(scale)
    return replace(one, readings=((low * factor, high * factor),), unit=unit, scaled=scale != 1)


@lru_cache(maxsize=512)
def _stated_unit(text: str) -> tuple[Decimal, str | None] | None:
    """The unit that a heading or a label states in brackets or behind a comma."""
    pieces = [match[1] for match in BRACKETED.finditer(text)]
    key = SNAKE_CASE.fullmatch(text.strip())
    if key:
        words = key[1].split("_")
        pieces += [" ".join(words[-size:]) for size in (3, 2, 1) if size < len(words)]
    pieces += [piece for bracket in pieces for piece in bracket.split(",")]
    if "," in text:
        pieces.append(text.rpartition(",")[2].rstrip(": "))
    for piece in pieces:
        stated = _read(piece)
        if stated:
            return stated
    return None


@lru_cache(maxsize=512)
def _read(text: str) -> tuple[Decimal, str | None] | None:
    """The scale and unit that a text is, and nothing else."""
    text = LEADING.sub("", text.strip().strip("*_ ")).replace("s of ", "s ")
    for pattern, words in SHORT:
        text = pattern.sub(words, text)
    suffix = SUFFIX_SCALE.match(text)
    if suffix:
        text = f"{SCALES.get(suffix[2].lower(), suffix[2].lower())} {suffix[1]}"
    parts = text.split()
    if len(parts) == 2 and parts[1].lower() in ("millions", "million", "thousands", "thousand", "billions", "billion"):
        text = f"{parts[1]} {parts[0]}"
    scale, unit, spelled = read_unit(text)
    if unit is None:
        return (scale, None) if scale != 1 else None
    known = " ".join(spelled) != unit or scale != 1
    if text.lower() == "m":
        return None  # metres or millions
    return (scale, unit) if known or unit in ("%", "km", "kg", "g", "ha") else None


def _page_unit(text: str) -> str | None:
    match = STATED_UNIT.search(text)
    return match[1] if match else None


def _above(page: Page, place: int) -> tuple[Decimal, str | None] | None:
    """The unit that the line above a table states in brackets."""
    line = page.line_at(place)
    while line and "|" in page.text[page.lines[line][0] : page.lines[line][1]]:
        line -= 1
    for _ in range(3):
        start, end = page.lines[line]
        stated = _stated_unit(page.text[start:end])
        if stated:
            return stated
        if page.text[start:end].strip() or not line:
            break
        line -= 1
    return None
