"""What opening days, opening hours and months say to a question that names a day, a time of day or a month."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from ..page import Page
from ..question import stem
from .asking import TIMES
from .grid import is_in_grid
from .opposites import folded_words
from .polar import ONLY, Stance, stance_of
from .subjects import Asked, is_about_another
from .weekdays import weekdays_in

__all__ = ["asks_months", "asks_slot", "asks_time", "by_days", "by_event", "by_months", "by_slot", "by_time"]

FLAGS = re.IGNORECASE
OPEN = re.compile(
    r"\b(?:open(?:s|ed)?|accepts?|hours|receives?|opening\shours|operat\w+|serves?|sees?\spatients|runs?|mở\scửa"
    r"|mở|hoạt\sđộng|làm\sviệc|phục\svụ|tiếp\s(?:dân|khách|nhận)"
    r"|khám|giờ\s(?:mở|làm)|đón\skhách|chạy)\b",
    FLAGS,
)
SHUT = re.compile(r"\b(?:closed|closes|shut|đóng\scửa|nghỉ|ngừng)\b", FLAGS)
BOOKING = re.compile(r"\b(?:free|available|busy|booked|rảnh|trống|bận|meetings?|(?<!\bcó\s)họp)\b", FLAGS)
CAN = re.compile(r"^\W*(?:can|could|may)\b|\bcó\s(?:được|thể)\b|\bđược\skhông\b", FLAGS)
DENIAL = re.compile(r"\b(?:not|no|never|không|chưa)\b|n['’]t\b", FLAGS)
EXCEPT = re.compile(r"\W*(?:except|excluding|apart\sfrom|but\snot|trừ|ngoại\strừ|không\sgồm)\b", FLAGS)
UNSURE = re.compile(
    r"\b(?:if|nếu|(?-i:may)|might|alternate|every\sother|some|first|last|announced?|decisions?|unclear|not\sclear|công\sbố|quyết\sđịnh|holidays?|usually|previously"
    r"|used\sto|until\slast|trước\sđây|đầu\stiên|cuối\stháng)\b",
    FLAGS,
)
PART = re.compile(
    r"[;\n]|,?\s(?=(?:but|except|excluding|apart\sfrom|trừ|ngoại\strừ|nhưng|còn|while|and\s(?:closed"
    r"|shut))\b)|,\s|\s(?=and\son\b)|[.](?=\s)",
    FLAGS,
)
SINGLE = re.compile(r"\b(?:this|next|last|on|tuần\snày|tuần\ssau|moved|dời|scheduled|is\snow)\b", FLAGS)
"""What speaks of one event, and not of what is so every week."""
SPAN = re.compile(r"\b(?:to|through|until|đến|tới)\b|[-–—]", FLAGS)
ONLY_WORD = re.compile(r"\b(?:only|chỉ|mới)\b", FLAGS)
EVENT = re.compile(
    r"\b(?:meeting|appointment|exam|class|interview|call|event|match|game|flight|session|deadline"
    r"|training|concert|lecture|họp|hẹn|thi|phỏng\svấn|trận|buổi|sự\skiện|hạn)\b",
    FLAGS,
)
HELD = re.compile(
    r"\b(?:is|stays?|remains?|takes\splace|will\sbe|scheduled|moved|set\sfor|diễn\sra|vào|sang|là|lúc)\b", FLAGS
)
ORIGINALLY = re.compile(
    r"\b(?:originally|initially|at\sfirst|earlier|was|from|ban\sđầu|lúc\sđầu|từ\sthứ|thay\svì|instead\sof)\b", FLAGS
)
CORRECTING = re.compile(
    r"\b(?:mistake|correct\w*|actually|double-checked|sorry|đính\schính|nhầm|kiểm\stra\slại|thực\sra)\b", FLAGS
)
MOST_SENTENCES = 60
WEIGHTS = {"day of an event": 2.6, "opening days": 2.6, "opening hours": 2.6, "in those months": 2.8}

TIME = (
    r"(?<![\w.,/$€£-])([0-9]{1,2})(?:[:h.]([0-5][0-9])|\s?(?:giờ|h)\b)?\s?([ap]\.?m\b\.?|noon" r"|sáng|trưa|chiều|tối)?"
)
CLOCK = re.compile(TIME, FLAGS)
RANGE = re.compile(rf"{TIME}\s?(?:[-–—]|to|until|till|đến|tới)\s?(?:lúc\s)?{TIME}", FLAGS)
FROM = re.compile(
    rf"\b(?:opens?|opened|from|mở(?:\scửa)?|bắt\sđầu)\s(?:only\s)?(?:at\s|from\s|từ\s|lúc\s)*{TIME}", FLAGS
)
UNTIL = re.compile(
    rf"\b(?:close[sd]?|shuts?|until|till|ends?|đóng\scửa|đến|tới|nghỉ)\s(?:down\s)?(?:at\s|lúc\s|hết\s)*{TIME}", FLAGS
)
SLOT = re.compile(
    rf"\s*(?:[-•*|]\s*)?{TIME}(?:\s?(?:[-–—]|to|đến)\s?{TIME})?\s*(?::\s|\s[-–—]\s|\|)\s*(?P<what>\S.*)", FLAGS
)
FREE = re.compile(r"\b(?:free|available|open|vacant|rảnh|trống|sẵn\ssàng)\b", FLAGS)
TAKEN = re.compile(r"\b(?:busy|booked|taken|bận|kín)\b", FLAGS)
PART_OF_DAY = re.compile(r"\b(?:morning|afternoon|evening|sáng|trưa|chiều|tối)\b", FLAGS)
PARTS = {
    **dict.fromkeys(("morning", "sáng"), (300, 720)),
    **dict.fromkeys(("afternoon", "chiều"), (750, 1080)),
    **dict.fromkeys(("evening", "tối"), (1080, 1440)),
    "trưa": (660, 810),
}
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
MONTH = (
    r"(?:(?:[0-9]{1,2}(?:st|nd|rd|th)?\s(?:of\s)?|early\s|mid[-\s]|late\s|đầu\s|cuối\s)?(January"
    r"|February|March|April|May|June|July|August|September|October|November|December)|(?:đầu\s"
    r"|giữa\s|cuối\s)?[Tt]háng\s([0-9]{1,2}))"
)
ASKED_MONTH = re.compile(rf"\b{MONTH}")
MONTH_RANGE = re.compile(
    rf"\b{MONTH}(?:\s[0-9]{{1,2}})?\s?(?:[-–—]|to|and|until|through|till|đến|tới)\s?(?:hết\s)?{MONTH}"
)


def by_days(page: Page, asked: Asked, question: str) -> Stance | None:
    """What the days on which something is open say of the one that is asked about: `open Tuesday through Sunday`."""
    if not asked.weekdays or BOOKING.search(question):
        return None
    known = {word for word in asked.echo | asked.topic if not weekdays_in(f"{word.title()}:")} - TIMES
    hours_asked = OPEN.search(question) is not None or SHUT.search(question) is not None
    anyone = replace(asked, weekdays=frozenset())
    opened: set[int] = set()
    shut: set[int] = set()
    complete = False
    for start, end in islice(page.sentences, MOST_SENTENCES):
        sentence = page.text[start:end]
        if is_in_grid(page, start) or sentence.rstrip().endswith("?"):
            continue
        repeated = not known.isdisjoint(map(stem, folded_words(sentence)))
        opens = OPEN.search(sentence) is not None or "|" in sentence or ":" in sentence
        if not hours_asked:
            opens = repeated and not SINGLE.search(sentence)
        holds = opens
        for part in PART.split(sentence):
            days = weekdays_in(part) - asked.weekdays if UNSURE.search(part) else weekdays_in(part)
            if not days or (not EXCEPT.match(part) and is_about_another(part, anyone, opens=True)):
                continue
            if EXCEPT.match(part) or SHUT.search(part) or DENIAL.search(part):
                holds = False
            elif OPEN.search(part) or CLOCK.search(part):
                holds = True
            if holds and _is_another_part(part, question):
                shut |= days & asked.weekdays
                opened |= days - asked.weekdays
            elif holds:
                opened |= days
                complete = complete or len(opened) > 2 or (len(days) > 1 and SPAN.search(part) is not None)
                complete = complete or not ONLY.isdisjoint(folded_words(part))
            elif opens or SHUT.search(sentence):
                shut |= days
    value = _is_open(asked.weekdays, opened, shut, complete=complete)
    if value is None or not (complete or hours_asked):
        return None
    flips = asked.negated is not (SHUT.search(question) is not None and not OPEN.search(question))
    return Stance(value is not flips, WEIGHTS["opening days"], "opening days")


def by_event(page: Page, asked: Asked, question: str) -> Stance | None:
    """What the day of an event says to whether it is on another one: `the meeting stays on Tuesday`."""
    if len(asked.weekdays) != 1 or not EVENT.search(question) or OPEN.search(question):
        return None
    known = {word for word in asked.echo | asked.topic if not weekdays_in(f"{word.title()}:")}
    days: list[frozenset[int]] = []
    for start, end in islice(page.sentences, MOST_SENTENCES):
        for part in PART.split(page.text[start:end]):
            found = weekdays_in(part)
            if len(found) != 1 or known.isdisjoint(map(stem, folded_words(part))) or not HELD.search(part):
                continue
            if not (DENIAL.search(part) or UNSURE.search(part) or ORIGINALLY.search(part)):
                days.append(found)
    if not days or (days[0] != days[-1] and not CORRECTING.search(page.text)):
        return None
    return Stance((days[-1] == asked.weekdays) is not asked.negated, WEIGHTS["day of an event"], "day of an event")


def _is_another_part(text: str, question: str) -> bool:
    """Whether a text speaks of another part of the day than the question: `thứ Bảy: chỉ buổi sáng`."""
    asked = PART_OF_DAY.search(question)
    if asked is None:
        return False
    low, high = PARTS[asked.group().lower()]
    said = [match.group().lower() for match in PART_OF_DAY.finditer(text)]
    if said:
        return all(PARTS[one] != (low, high) for one in said)
    spans = [(_minutes(*match.groups()[:3]), _minutes(*match.groups()[3:])) for match in RANGE.finditer(text)]
    return bool(spans) and all(one is None or two is None or one >= high or two <= low for one, two in spans)


def _is_open(days: frozenset[int], opened: set[int], shut: set[int], *, complete: bool) -> bool | None:
    if days <= shut:
        return False
    if days <= opened:
        return None if days & shut else True
    return False if complete and not days & opened else None


def _minutes(hour: str, minute: str | None, half: str | None) -> int | None:
    count = int(hour) * 60 + int(minute or 0)
    half = (half or "").lower().replace(".", "")
    if half in ("pm", "chiều", "tối", "noon") and int(hour) < 12:
        count += 720
    if half == "am" and int(hour) == 12:
        count -= 720
    return count if count <= 1440 else None


def _asked_time(question: str) -> int | None:
    found = [
        _minutes(*match.groups())
        for match in CLOCK.finditer(question)
        if match[2] or match[3] or match.group().rstrip().lower().endswith(("giờ", "h"))
    ]
    return found[0] if len(found) == 1 else None


def asks_time(question: str) -> bool:
    """Whether a question asks what is open at a time of day."""
    named = _asked_time(question) is not None and BOOKING.search(question) is None
    return named and (OPEN.search(question) is not None or CAN.search(question) is not None)


def asks_slot(question: str) -> bool:
    """Whether a question asks if somebody or something is free or taken."""
    return FREE.search(question) is not None or TAKEN.search(question) is not None


def asks_months(question: str) -> bool:
    """Whether a question names one month."""
    return len(ASKED_MONTH.findall(question)) == 1


def by_time(sentence: str, asked: Asked, question: str) -> Stance | None:
    """What opening hours say of the time that is asked about: `closes at 9 pm`."""
    at = _asked_time(question)
    if at is None or not (OPEN.search(sentence) or SHUT.search(sentence)) or UNSURE.search(sentence):
        return None
    days = weekdays_in(sentence)
    if (asked.weekdays and days and not days & asked.weekdays) or is_about_another(sentence, asked, opens=True):
        return None
    holds = _fits(sentence, at)
    if len(holds) != 1:
        return None
    return Stance(holds.pop() is not asked.negated, WEIGHTS["opening hours"], "opening hours")


def by_slot(page: Page, asked: Asked, question: str) -> Stance | None:
    """What the lines of a calendar say of a time or a part of the day: `13:30–17:00: team meeting`."""
    free = FREE.search(question)
    at, part = _asked_time(question), PART_OF_DAY.search(question)
    low, high = (at, at + 1) if at is not None else PARTS[part.group().lower()] if part else (0, 0)
    held: set[bool] = set()
    for start, end in islice(page.lines, MOST_SENTENCES):
        match = SLOT.match(page.text[start:end])
        first = _minutes(*match.groups()[:3]) if match else None
        if match is None or first is None:
            continue
        last = _minutes(*match.groups()[3:6]) if match[4] else first + 1
        if last is not None and first < high and low < last:
            held.add(FREE.search(match["what"]) is not None)
    if len(held) != 1:
        return None
    return Stance((held.pop() is (free is not None)) is not asked.negated, WEIGHTS["opening hours"], "opening hours")


def _fits(sentence: str, at: int) -> set[bool]:
    """Whether a time lies in the hours of a sentence, for each of them."""
    spans = [match.groups() for match in RANGE.finditer(sentence)]
    holds: set[bool] = set()
    for one in spans:
        low, high = _minutes(*one[:3]), _minutes(*one[3:])
        if low is None or high is None:
            continue
        if high <= low and high <= 720 and one[5] is None:
            high += 720
        holds.add(low <= at < high if low < high else at >= low or at < high)
    if spans:
        return holds
    for pattern, first in ((FROM, True), (UNTIL, False)):
        match = pattern.search(sentence)
        bound = _minutes(*match.groups()) if match and (match[2] or match[3] or re.search("giờ|h", match[0])) else None
        if bound is not None and (not first or at < bound or not UNTIL.search(sentence)):
            holds.add(at >= bound if first else at < bound)
    return {False} if False in holds else holds


def _month(match: re.Match[str], group: int) -> int:
    return MONTHS.index(match[group].lower()) + 1 if match[group] else int(match[group + 1])


def by_months(sentence: str, asked: Asked, question: str) -> Stance | None:
    """What a rule for some months says of the one that is asked about: `banned between 1 May and 30 September`."""
    wanted = [_month(match, 1) for match in ASKED_MONTH.finditer(question)]
    match = MONTH_RANGE.search(sentence) if len(wanted) == 1 else None
    if match is None or UNSURE.search(sentence):
        return None
    said = ONLY_WORD.sub(" ", sentence[: match.start()] + sentence[match.end() :])
    found = stance_of(said, asked)
    if found is None or is_about_another(said, asked, opens=True):
        return None
    low, high = _month(match, 1), _month(match, 3)
    inside = low <= wanted[0] <= high if low <= high else wanted[0] >= low or wanted[0] <= high
    return Stance(found.value is inside, WEIGHTS["in those months"], "in those months")
