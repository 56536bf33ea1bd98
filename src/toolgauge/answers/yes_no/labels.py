"""What a line with a label, or a number beside a limit, says to a yes-or-no question."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import ge, gt, le, lt

from toolgauge.locale import Locale, find_numbers

from ..question import stem
from .opposites import folded_words
from .outright import verdicts_in
from .polar import ONLY, Stance, expand, is_contrasted, stance_of
from .subjects import Asked, is_about_another
from .weekdays import weekdays_in

__all__ = ["NumberLimit", "asks_group", "asks_price", "by_group", "by_label", "by_limit", "by_price", "read_limit"]

FLAGS = re.IGNORECASE
LINE = re.compile(
    r"\s*(?:[-•+*–]\s+|\(?[0-9]{1,2}[.)]\s+)?([^\s:|.!?][^:|.!?\n]{0,70}?)\s?(?::\s+|\s[–—-]\s|\|)\s*(\S[^\n]*)"
)
HOURS = re.compile(
    r"\s*(?:từ\s|from\s)?[0-9]{1,2}(?:[:h.][0-9]{0,2})?\s?(?:[ap]\.?m\.?|giờ)?\s?(?:[-–—]|to\b"
    r"|đến\b|until\b)\s?[0-9]",
    FLAGS,
)
DENIES = re.compile(r"\W*(?:không|chưa|no|not|none|never|n/a)\b", FLAGS)
PRICE = re.compile(r"(?:[$€£]\s?[1-9]|[1-9][0-9.,]*\s?(?:k\b|đ\b|đồng|vnd|usd|euros?|dollars?|triệu|nghìn))", FLAGS)
FREE = frozenset(folded_words("free miễn"))
BESIDES = frozenset(folded_words("còn riêng"))
CAN_DO = frozenset(folded_words("can may could được phép thể có allowed able"))
ONLY_FOR = re.compile(
    r"\b(?:(?:reserved|restricted|limited|exclusive(?:ly)?|open\sonly|only\s(?:available|open"
    r"|for))\s(?:(?:to|for)\s)?|(?:chỉ\s)?(?:dành|ưu\stiên)\s(?:riêng\s)?cho\s)"
    r"(?P<who>(?!\d|up\b|a\smax)[^.;,\n]{3,60})",
    FLAGS,
)
MANY = 4
"""Of so many words one alone does not make a group the asked one."""
IF = re.compile(r"\b(?:if|when|unless|nếu|khi)\b", FLAGS)
VERB = re.compile(r"\b(?:là|is|are|was|were|được|has|have)\b", FLAGS)
"""What a sentence has, and no label."""
FREE_OF = re.compile(
    r"\b(?:free(?!\s(?:on|at|slot|time|from|of\s(?!charge)))|free\sof\scharge|no\scharge|miễn\sphí|complimentary)\b",
    FLAGS,
)
INCLUDED = re.compile(r"\b(?:included?|cover(?:ed|s)?|(?:bao\s)?gồm|đi\skèm|tặng\skèm)\b", FLAGS)
CHARGED = re.compile(
    rf"{PRICE.pattern}|\b(?:extra|additional|separate|surcharge|phụ)\s(?:charge|fee|cost|phí|thu)\b", FLAGS
)
GRATIS = re.compile(
    r"\b(?:no\s(?:extra|additional|added)\s|không\s(?:thu|tính|mất)\s|includ\w+|covers?|comes\swith"
    r"|free|no\s(?:charge|cost|fee)|waived|miễn|(?:bao\s)?gồm|kèm|trọn\sgói|tặng|0\s?đ|worth"
    r"|trị\sgiá|refund\w*"
    r"|from|over|trên|orders?|đơn\shàng|instead|formerly|trước\sđây)\b",
    FLAGS,
)
OTHER_PRICE = re.compile(r"\b(?:save|saving|discount|off|giảm|hoàn)\b", FLAGS)
CAN = re.compile(r"\b(?:can|may|must|should|need|được|phải|cần|nên|miễn|nếu|if)\b", FLAGS)
MORE = (
    r"more\sthan|beat|beats|top(?:ped)?|surpass(?:ed)?|over|above|exceed(?:s|ed)?|higher\sthan"
    r"|greater\sthan|larger\sthan|longer\sthan"
    r"|hơn|trên|vượt(?:\squá|\smức|\smốc)?|quá"
)
LEAST = r"at\sleast|ít\snhất|tối\sthiểu"
LESS = r"less\sthan|under|below|fewer\sthan|lower\sthan|shorter\sthan|dưới|thấp\shơn|chưa\s(?:tới|đến)"
MOST = r"at\smost|within|no\smore\sthan|tối\sđa|không\squá"
LIMIT = re.compile(
    rf"\b(?:(?P<most>{MOST})|(?P<least>{LEAST})|(?P<less>{LESS})|(?P<more>{MORE}))\s(?:(?:mức"
    rf"|mốc|kế\shoạch|ngưỡng|chỉ\stiêu|mục\stiêu|hạn\smức|ngân\ssách|a\stotal\sof|the|its|target\sof"
    rf"|consensus\sof|estimate\sof|forecast\sof|record\sof|goal\sof|budget\sof|limit\sof"
    rf"|threshold\sof)\s){{0,2}}[$€£]?(?=[0-9])",
    FLAGS,
)
SIDES: dict[str, Callable[[float, float], bool]] = {"most": le, "least": ge, "less": lt, "more": gt}
EARLIER = re.compile(r"\b(?:from|so\svới|against|versus|vs\.?|compared\s(?:to|with)|từ\smức)\s(?:mức\s)?[$€£]?$", FLAGS)
NEAR = 5.0
"""A number that is so many times more or less than the limit is of something else."""
MOST_NUMBERS = 8
WEIGHTS = {"label": 3.0, "repeated": 2.0, "hours": 2.6, "against a limit": 1.6, "price": 2.2, "only for others": 2.6}
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
    if VERB.search(label):
        return False
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


def _part_of(sentence: str, place: int) -> str:
    """What stands between semicolons around a place."""
    end = sentence.find(";", place)
    return sentence[sentence.rfind(";", 0, place) + 1 : end if end >= 0 else len(sentence)]


def by_group(sentence: str, asked: Asked) -> Stance | None:
    """What a rule for some only says to others: `Lot C is reserved for staff` to students."""
    match = ONLY_FOR.search(sentence)
    place = max(0, sentence.rfind(";", 0, match.start()) + 1) if match else 0
    if match is None or is_about_another(sentence[place : match.start()], asked, opens=True):
        return None
    words = expand(folded_words(sentence[place : match.start()]))
    before = set(map(stem, words))
    known = asked.echo | asked.topic | asked.entities
    places = [index for index, word in enumerate(words) if stem(word) in known]
    if not places or any(is_contrasted(words, index, asked) for index in places):
        return None
    who = {word for word in known - before if word not in CAN_DO and len(word) > 1 and not word.isdigit()}
    shared = who.intersection(map(stem, folded_words(match["who"])))
    if shared and 2 * len(shared) < len(who):
        return None if len(who) < MANY else Stance(asked.negated, WEIGHTS["only for others"], "only for others")
    return Stance(bool(shared) is not asked.negated, WEIGHTS["only for others"], "only for others")


def _is_unasked(clause: str, asked: Asked) -> bool:
    """Whether a clause is of a case that the question does not name."""
    match = IF.search(clause)
    words = folded_words(clause[match.end() :]) if match else []
    return match is not None and asked.topic.isdisjoint(map(stem, words)) and asked.entities.isdisjoint(words)


def asks_price(asked: Asked, question: str) -> bool:
    """Whether a question asks if something is free or included."""
    included = bool(asked.objects) and INCLUDED.search(question) is not None
    return (included or FREE_OF.search(question) is not None) and PRICE.search(question) is None


def asks_group(asked: Asked) -> bool:
    """Whether a question asks who may."""
    return not CAN_DO.isdisjoint(asked.triggers)


def by_price(sentence: str, asked: Asked, question: str) -> Stance | None:
    """What a price says to whether something is free or included: `Breakfast costs an extra $12 per person`."""
    free = FREE_OF.search(question)
    included = INCLUDED.search(question)
    for clause in re.split(r"[;\n]|,\s|\.\s|\s[—–]\s", sentence):
        words = folded_words(clause)
        match = CHARGED.search(clause)
        if match is None or GRATIS.search(clause) or OTHER_PRICE.search(clause):
            continue
        spoken = words[1:] if words[:1] and words[0] in BESIDES else words
        named = spoken is not words and not asked.objects.isdisjoint(map(stem, spoken[:3]))
        if (not named and is_about_another(clause, asked, opens=True)) or _is_unasked(clause, asked):
            continue
        known = asked.objects if included and not free else asked.topic | asked.echo
        if known and known.isdisjoint(map(stem, words)):
            continue
        return Stance(asked.negated, WEIGHTS["price"], "price")
    return None


def by_limit(sentence: str, asked: Asked, limit: NumberLimit, locale: Locale | None) -> Stance | None:
    """What a number of what is asked says, held against the limit in the question."""
    words = {stem(word) for word in folded_words(sentence)}
    side, bound, unit = limit
    if unit is None and words.isdisjoint(asked.echo) and words.isdisjoint(asked.entities):
        return None
    held: set[bool] = set()
    for number in find_numbers(sentence, locale or "vi")[:MOST_NUMBERS]:
        low, high = number.readings[0]
        if asked.years and is_about_another(_part_of(sentence, number.start), asked, opens=True):
            continue
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
