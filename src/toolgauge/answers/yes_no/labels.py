"""What a line with a label, or a number beside a limit, says to a yes-or-no question."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import ge, gt, le, lt

from toolgauge.locale import Locale, find_numbers

from ..question import stem
from .opposites import folded_words
from .outright import verdicts_in
from .polar import ONLY, Stance, stance_of
from .subjects import Asked
from .weekdays import weekdays_in

__all__ = ["NumberLimit", "by_label", "by_limit", "read_limit"]

FLAGS = re.IGNORECASE
LINE = re.compile(
    r"\s*(?:[-•+*–]\s+|\(?[0-9]{1,2}[.)]\s+)?([^\s:|.!?][^:|.!?\n]{0,70}?)\s?(?::\s+|\s[–—-]\s|\|)\s*(\S[^\n]*)"
)
HOURS = re.compile(
    r"\s*(?:từ\s|from\s)?[0-9]{1,2}(?:[:h.][0-9]{0,2})?\s?(?:[ap]\.?m\.?|giờ)?\s?(?:[-–—]|to\b|đến\b|until\b)\s?[0-9]",
    FLAGS,
)
DENIES = re.compile(r"\W*(?:không|chưa|no|not|none|never|n/a)\b", FLAGS)
PRICE = re.compile(r"(?:[$€£]\s?[1-9]|[1-9][0-9.,]*\s?(?:k\b|đ\b|đồng|vnd|usd|euros?|dollars?|triệu|nghìn))", FLAGS)
FREE = frozenset(folded_words("free miễn"))
CAN = re.compile(r"\b(?:can|may|must|should|need|được|phải|cần|nên|miễn|nếu|if)\b", FLAGS)
MORE = (
    r"more\sthan|beat|beats|top(?:ped)?|surpass(?:ed)?|over|above|exceed(?:s|ed)?|higher\sthan|greater\sthan|larger\sthan|longer\sthan"
    r"|hơn|trên|vượt(?:\squá|\smức|\smốc)?|quá"
)
LEAST = r"at\sleast|ít\snhất|tối\sthiểu"
LESS = r"less\sthan|under|below|fewer\sthan|lower\sthan|shorter\sthan|dưới|thấp\shơn|chưa\s(?:tới|đến)"
MOST = r"at\smost|within|no\smore\sthan|tối\sđa|không\squá"
LIMIT = re.compile(
    rf"\b(?:(?P<most>{MOST})|(?P<least>{LEAST})|(?P<less>{LESS})|(?P<more>{MORE}))\s(?:(?:mức|mốc|kế\shoạch|ngưỡng|chỉ\stiêu|mục\stiêu|hạn\smức|ngân\ssách|a\stotal\sof|the|its|target\sof|consensus\sof|estimate\sof|forecast\sof|record\sof|goal\sof|budget\sof|limit\sof|threshold\sof)\s){{0,2}}[$€£]?(?=[0-9])",
    FLAGS,
)
SIDES: dict[str, Callable[[float, float], bool]] = {"most": le, "least": ge, "less": lt, "more": gt}
EARLIER = re.compile(r"\b(?:from|so\svới|against|versus|vs\.?|compared\s(?:to|with)|từ\smức)\s(?:mức\s)?[$€£]?$", FLAGS)
NEAR = 5.0
"""A number that is so many times more or less than the limit is of something else."""
MOST_NUMBERS = 8
WEIGHTS = {"label": 3.0, "repeated": 2.0, "hours": 2.6, "against a limit": 1.6}
NumberLimit = tuple[str, float, str | None]
"""Which side is asked about, the limit, and its unit."""


def by_label(line: str, asked: Asked) -> Stance | None:
    """What a line says whose label names what is asked: `Chủ nhật và ngày lễ: nghỉ`."""
    match = LINE.match(line.strip().strip("|"))
    if match is None or not _is_asked(match[1], asked):
        return None
    if not ONLY.isdisjoint(folded_words(match[1])):
        return None  # what is so only for some is not said of what is asked
    value = match[2].strip().rstrip("|").strip()
    said = next(verdicts_in(value), None)
    if said is not None and said.start == 0:
        return Stance(said.value is not asked.negated, WEIGHTS["label"], "label")
    if len(value) > 80:
        return None
    found = stance_of(value, asked)
    if found is not None:
        return Stance(found.value, WEIGHTS["label"] if found.rule != "repeated" else WEIGHTS["repeated"], "label")
    if DENIES.match(value) or (PRICE.match(value) and not FREE.isdisjoint(asked.key)):
        return Stance(asked.negated, WEIGHTS["label"], "label")
    if not asked.echo.isdisjoint(stem(word) for word in folded_words(value)) and found is None:
        return Stance(not asked.negated, WEIGHTS["repeated"], "label")
    if asked.weekdays and HOURS.match(value):
        return Stance(not asked.negated, WEIGHTS["hours"], "label")
    return None


def _is_asked(label: str, asked: Asked) -> bool:
    """Whether a label names the day, or most of it the thing, that the question is about."""
    days = weekdays_in(label)
    if days or asked.weekdays:
        return not days.isdisjoint(asked.weekdays)
    words = [word for word in folded_words(label) if len(word) > 1]
    known = [word for word in words if word in asked.tokens or stem(word) in asked.echo]
    return bool(words) and 2 * len(known) > len(words)


def read_limit(text: str, locale: Locale | None) -> NumberLimit | None:
    """The limit in a question such as `Did it sell more than 450,000 cars?`; None where it only says which thing."""
    match = LIMIT.search(text)
    if match is None or CAN.search(text[: match.start()]):
        return None
    rest = text[match.start() :]
    number = next(iter(find_numbers(rest, locale or "vi")), None)
    if number is None or number.start > match.end() - match.start() + 2:
        return None
    low, high = number.readings[0]
    side = next(name for name in SIDES if match[name])
    return (side, low, number.unit) if low == high else None


def by_limit(sentence: str, asked: Asked, limit: NumberLimit, locale: Locale | None) -> Stance | None:
    """What a number of what is asked says, held against the limit in the question."""
    words = {stem(word) for word in folded_words(sentence)}
    side, bound, unit = limit
    if unit is None and words.isdisjoint(asked.echo) and words.isdisjoint(asked.entities):
        return None
    held: set[bool] = set()
    for number in find_numbers(sentence, locale or "vi")[:MOST_NUMBERS]:
        low, high = number.readings[0]
        if EARLIER.search(sentence[max(0, number.start - 20) : number.start]):
            continue
        if (
            not number.plausible
            or low != high
            or low == bound
            or number.unit != unit
            or not bound / NEAR <= low <= bound * NEAR
        ):
            continue
        held.add(SIDES[side](low, bound))
    if len(held) != 1:
        return None
    return Stance(held.pop() is not asked.negated, WEIGHTS["against a limit"], "against a limit")
