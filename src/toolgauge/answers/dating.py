"""The day that a date means which leaves something out, or is only counted from another: `four days later`."""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from msgspec import structs

from toolgauge.locale import DateFound, Locale, Period, Precision, find_numbers, read_iso

from .answer_type import Setting

__all__ = [
    "ENDS_ASKED",
    "Offset",
    "in_a_year",
    "is_on_other_side",
    "moved",
    "side_of_today",
    "with_offsets",
    "with_weekdays",
]


def moved(day: date, years: int, *, month_end: bool = False) -> date:
    """The same day so many years on, within what the calendar has; the end of a month stays its end."""
    year = min(max(day.year + years, 1), 9999)
    last = monthrange(year, day.month)[1]
    return day.replace(year=year, day=last if month_end else min(day.day, last))


TO_COME = re.compile(
    r"\b(?:next|upcoming|will|due|deadline|expires?|sẽ|sắp|tiếp\stheo|tới\sđây|sắp\stới|dự\skiến|hết\shạn|hạn\s(?:chót|nộp|cuối|đăng\ský))\b",
    re.IGNORECASE,
)
GONE_BY = re.compile(
    r"\b(?:did|was|were|last|most\srecent|previous|đã|gần\s(?:đây\s)?nhất|vừa\squa|trước\sđó|lần\scuối)\b",
    re.IGNORECASE,
)


def side_of_today(question: str) -> int:
    """On which side of today the asked date lies: 1 if it is to come, -1 if it has gone by, 0 if nothing says."""
    return (TO_COME.search(question) is not None) - (GONE_BY.search(question) is not None)


def is_on_other_side(period: Period, side: int, now: date) -> bool:
    """Whether a period lies on the other side of today than the asked one."""
    return period.high < now if side > 0 else period.low > now if side < 0 else False


def in_a_year(found: DateFound, side: int, setting: Setting) -> DateFound:
    """A date that leaves out its year, in the one of the question, or in the one that its side of today wants."""
    if found.relative or found.year_stated or found.precision not in ("day", "month", "quarter"):
        return found
    years = {period.low.year for period in setting.asked.periods if period.low.year == period.high.year}
    if not found.readings:
        month, day = found.month, found.day
        if len(years) != 1 or month is None:
            return found
        if found.precision == "quarter":
            period = read_iso(f"{min(years):04d}-Q{(month + 2) // 3}")
        elif found.last_month in (None, month):
            period = read_iso(f"{min(years):04d}-{month:02d}" + (f"-{day:02d}" if day else ""))
        else:
            return found
        return structs.replace(found, readings=(period,)) if period else found
    if setting.now is None or not is_on_other_side(found.readings[0], side, setting.now):
        return found
    period = found.readings[0]
    shifted = Period(
        moved(period.low, side), moved(period.high, side, month_end=period.precision == "month"), period.precision
    )
    near = abs((shifted.low - setting.now).days) <= MOST_DAYS_AWAY
    return structs.replace(found, readings=(shifted,)) if near else found


MOST_DAYS_AWAY = 200
"""A date without a year is not moved to another year to lie further away from today."""
WEEKDAY = re.compile(
    r"\b(?:(Monday)|(Tuesday)|(Wednesday)|(Thursday)|(Friday)|(Saturday)|(Sunday))\b"
    r"|\b[Tt]hứ\s(?:([Hh]ai|2)|([Bb]a|3)|([Tt]ư|4)|([Nn]ăm|5)|([Ss]áu|6)|([Bb]ảy|7))\b|\b([Cc]hủ\s[Nn]hật)\b"
)
LONGEST_GAP = 25
"""How near a day of the week has to stand to a date, in characters, to be said of that one."""


def with_weekdays(text: str, dates: Sequence[DateFound], side: int, now: date) -> list[DateFound]:
    """The dates of an answer, and the days of the week that stand alone: the next one, or the last if that is asked."""
    starts = [one.start for one in dates]
    alone: list[DateFound] = []
    for match in WEEKDAY.finditer(text):
        start, end = match.span()
        index = bisect_left(starts, start)
        if any(_is_beside(text, match, one) for one in dates[max(0, index - 1) : index + 1]):
            continue
        wanted = next(number for number, group in enumerate(match.groups()) if group) % 7
        ahead = (wanted - now.weekday()) % 7
        day = now + timedelta(days=ahead - 7 if side < 0 and ahead else ahead)
        alone.append(
            DateFound(start=start, end=end, readings=(Period(day, day, "day"),), precision="day", relative=True)
        )
    return sorted([*dates, *alone], key=lambda one: one.start)


def _is_beside(text: str, weekday: re.Match[str], one: DateFound) -> bool:
    """Whether a day of the week is said of a date."""
    first, last = min(weekday.end(), one.end), max(weekday.start(), one.start)
    return last - first <= LONGEST_GAP and "\n" not in text[first:last]


NUMBERS = (
    r"[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|eighteen|twenty"
    r"|thirty|forty-five|sixty|ninety|mười(?:\s(?:một|hai|ba|bốn|lăm|sáu|bảy|tám|chín))?|(?:hai|ba|bốn|sáu|chín)\smươi"
    r"|một|hai|ba|bốn|năm|sáu|bảy|tám|chín"
)
UNITS_SAID = r"days?|weeks?|months?|years?|ngày|hôm|tuần|tháng|năm"
COUNT, UNIT = rf"(?P<count>{NUMBERS})", rf"(?P<unit>{UNITS_SAID})"
LATER_COUNT, LATER_UNIT = rf"(?P<counted>{NUMBERS})", rf"(?P<united>{UNITS_SAID})"
"""The same in the second half of a pattern; names may not stand twice."""
WORKING = r"(?!\s(?:làm\sviệc|working|business))"
AFTERWARDS = re.compile(
    rf"\b(?:(?:just|only|exactly|đúng)\s)?{COUNT}\s(?:full\s|calendar\s)?{UNIT}\s(?P<way>later|afterwards?|earlier"
    r"|after\s(?:that|this)|before\sthat|sau\sđó|trước\sđó|sau(?!\s(?:khi|ngày|tháng|năm|này)\b))\b(?!\sthan)"
    rf"|\b(?P<first>sau\sđó|trước\sđó|đến)\s(?:đúng\s|khoảng\s)?{LATER_COUNT}\s{LATER_UNIT}"
    r"(?=\s?[,.;)]|\sthì|\smới|$)",
    re.IGNORECASE,
)
"""What counts from the date said before."""
NEXT_ONE = re.compile(
    r"\b(?:(?:the\s)?(?:following|next|very\snext)\s(?P<unit>day|week|month|year)\b(?!\s[0-9])"
    r"|(?:the\s)?(?P<day>day)\s(?P<way>after|before)\b"
    r"|(?:ngày\s)?hôm\s(?P<hom>sau)\b|(?P<vi>ngày|tuần|tháng|năm)\s(?:sau\sđó|tiếp\stheo|kế\stiếp|liền\ssau|sau\b))",
    re.IGNORECASE,
)
COUNTED_FROM = re.compile(
    rf"\b{COUNT}\s{UNIT}\s(?P<way>after|before|from|(?:sau|trước)\s(?:khi|ngày)|(?:kể|tính)\stừ)\s"
    r"(?!that\b|this\b|now\b|today\b)[^.,;\n|]{0,60}$"
    rf"|\bsau\s{LATER_COUNT}\s{LATER_UNIT}\s(?:kể\stừ|tính\stừ|từ)\s[^.,;\n|]{{0,60}}$",
    re.IGNORECASE,
)
COUNTING_FROM = ("after", "before", "from", "sau", "trước", "từ")
SEQUENCE = (*COUNTING_FROM, "later", "earlier", "following", "next", "tiếp", "liền", "đến ")
"""Letters of which what counts from another date has some; most answers have none."""
NOUNS = (
    r"term|lease|contract|trial|period|run|warranty|subscription|build|membership|policy|plan|licen[cs]e|visa|deal|loan"
)
LASTING = re.compile(
    r"\b(?:for|within|lasts?|lasted|took|takes|term\sof|period\sof|trong(?:\s(?:vòng|thời\shạn|suốt))?|kéo\sdài"
    r"|(?:thời\s(?:hạn|gian)|bảo\shành)(?:\s[^\W\d_]{1,7}){0,2}?(?:\slà)?|(?:thẻ|gói|visa|hợp\sđồng|khóa|thuê\sbao|bảo\shiểm)(?:\s[^\W\d_]{1,7}){0,2}?|kỳ\shạn(?:\slà)?|hiệu\slực|hạn(?:\slà)?|mất)"
    r"\s(?:just\s|only\s|exactly\s|a\s|the\snext\s|khoảng\s|đúng\s|trọn\s|up\sto\s)?"
    rf"{COUNT}[\s-]{UNIT}\b{WORKING}|\b{LATER_COUNT}-(?P<united>day|week|month|year)\b(?:\s(?:{NOUNS}))"
    r"|\b(?:thời\s(?:hạn|gian)|kỳ\shạn|hạn\sdùng|bảo\shành|term|duration|validity|length|period)(?:\s[^\W\d_]{1,12}){0,2}"
    rf"\s?[:|]\s?(?P<listed>{NUMBERS})[\s-](?P<of>{UNITS_SAID})\b",
    re.IGNORECASE,
)
"""What says how long something lasts, so that it ends so long after the date said before."""
ENDS_ASKED = re.compile(
    r"\b(?:expir\w*|ends?|ended|finish\w*|complet\w*|due|deadline|run\sout|runs\sout|by\swhen|until\swhen|last\sday|no\slater|over|mature\w*|lapse\w*"
    r"|hết\s(?:hạn|hiệu\slực)|kết\sthúc|đáo\shạn|hoàn\sthành|hoàn\stất|hạn\s(?:chót|cuối|nộp|trả|dùng|sử\sdụng|bảo\shành)|đến\skhi\snào|đến\sngày\snào"
    r"|đến\s(?:hết\s)?(?:năm|tháng)\snào|mãn\shạn)\b",
    re.IGNORECASE,
)
UNITS = {"ngày": "day", "hôm": "day", "tuần": "week", "tháng": "month", "năm": "year"}
FINEST = {"day": ("day",), "week": ("day",), "month": ("day", "month"), "year": ("day", "month", "quarter", "year")}
"""How precise a date has to be that so many of a unit can be counted from."""
REACH = 300
"""How far back, in characters, the date is looked for that another one is counted from."""
LONGEST = 400


class Offset(DateFound, frozen=True, gc=False, kw_only=True):
    """A date that is counted from another one."""

    base: int
    """Where the date stands that it is counted from."""
    lasting: bool = False
    """Whether it is the end of what begins then."""


def with_offsets(
    text: str, dates: Sequence[DateFound], locale: Locale, *, asks_end: bool, today: bool
) -> list[DateFound]:
    """The dates of an answer with those that it counts from them.

    Args:
        text: The answer.
        dates: The dates that are written in it.
        locale: How it writes figures.
        asks_end: Whether the question asks when something ends, so that how long it takes tells it.
        today: Whether what is next may be counted from today.
    """
    stated = [one for one in dates if one.readings and one.precision in ("day", "month", "quarter", "year")]
    if not stated:
        return list(dates)
    found = list(_counted(text, stated, locale, today=today))
    if asks_end:
        taken = {one.start for one in found}
        found += [one for one in _lasting(text, stated, locale) if one.start not in taken]
    if not found:
        return list(dates)
    kept = [one for one in dates if not any(new.start <= one.start < new.end for new in found if one.relative)]
    free = [new for new in found if not any(new.start < one.end and one.start < new.end for one in kept)]
    return sorted([*kept, *free], key=lambda one: one.start)


def _counted(text: str, stated: Sequence[DateFound], locale: Locale, *, today: bool) -> Iterator[Offset]:
    """What is said to be so long before or after another date."""
    low = text.lower()
    if not any(word in low for word in SEQUENCE):
        return
    taken: list[int] = []
    for match in AFTERWARDS.finditer(text):
        base = _before(text, stated, match.start())
        words = (match["way"] or match["first"]).lower()
        sign = -1 if words.startswith(("earlier", "before", "trước")) else 1
        new = _made(base, match, sign, locale) if base else None
        if new:
            taken.append(new.end)
            yield new
    for one in stated:
        near = low[max(0, one.start - 90) : one.start]
        if not any(word in near for word in COUNTING_FROM):
            continue
        from_it = COUNTED_FROM.search(text, max(0, one.start - 90), one.start)
        if from_it:
            sign = -1 if (from_it["way"] or "").lower().startswith(("before", "trước")) else 1
            new = _made(one, from_it, sign, locale)
            if new:
                yield new
    for match in NEXT_ONE.finditer(text):
        base = _before(text, stated, match.start())
        anaphoric = "đó" in match.group() or not today or match["unit"] or match["day"] or match["hom"]
        if (
            base is None
            or not anaphoric
            or any(0 <= end - match.start() <= match.end() - match.start() for end in taken)
        ):
            continue
        unit = (match["unit"] or match["day"] or ("day" if match["hom"] else UNITS[match["vi"].lower()])).lower()
        new = _shifted(base, match.start(), match.end(), -1 if match["way"] == "before" else 1, unit)
        if new:
            yield new


def _lasting(text: str, stated: Sequence[DateFound], locale: Locale) -> Iterator[Offset]:
    """The ends of what begins on a date and lasts so long."""
    for match in LASTING.finditer(text):
        base = _before(text, stated, match.start()) or _behind(text, stated, match.end())
        new = _made(base, match, 1, locale, lasting=True) if base else None
        if new:
            yield new


def _before(text: str, stated: Sequence[DateFound], start: int) -> DateFound | None:
    """The last date before a place, in the same paragraph."""
    index = bisect_left(stated, start, key=lambda one: one.start) - 1
    if index < 0 or start - stated[index].end > REACH or "\n\n" in text[stated[index].end : start]:
        return None
    return stated[index]


def _behind(text: str, stated: Sequence[DateFound], end: int) -> DateFound | None:
    """The next date of the same sentence: `Your 12-month membership started on 15 January`."""
    index = bisect_left(stated, end, key=lambda one: one.start)
    if index == len(stated) or re.search(r"[.!?\n]\s", text[end : stated[index].start]):
        return None
    return stated[index] if stated[index].start - end <= REACH else None


def _made(base: DateFound, match: re.Match[str], sign: int, locale: Locale, *, lasting: bool = False) -> Offset | None:
    groups = match.groupdict()
    said = (groups.get("count") or groups.get("counted") or groups.get("listed") or "").lower()
    unit = (groups.get("unit") or groups.get("united") or groups.get("of") or "").lower()
    unit = UNITS.get(unit, unit.rstrip("s"))
    if said in ("a", "an"):
        count = 1
    elif said.isdigit():
        count = int(said)
    else:
        numbers = find_numbers(said, locale)
        count = int(numbers[0].readings[0][0]) if numbers else SPELLED.get(said, 0)
    return _shifted(base, match.start(), match.end(), sign * count, unit, lasting=lasting) if count else None


SPELLED = {"one": 1, "một": 1, "năm": 5}


def _shifted(base: DateFound, start: int, end: int, count: int, unit: str, *, lasting: bool = False) -> Offset | None:
    """A date so many days, weeks, months or years behind another one; as precise as that."""
    if base.precision not in FINEST[unit]:
        return None
    period = _moved(base.readings[0], count, unit)
    if period is None or abs(count) > LONGEST:
        return None
    return Offset(
        start=start,
        end=end,
        readings=(period,),
        precision=period.precision,
        relative=True,
        base=base.start,
        lasting=lasting,
    )


def _moved(period: Period, count: int, unit: str) -> Period | None:
    low = period.low
    try:
        if unit in ("day", "week"):
            day = low + timedelta(days=count * (7 if unit == "week" else 1))
            return Period(day, day, "day")
        index = low.year * 12 + low.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(index, 12)
        day = date(year, month + 1, min(low.day, monthrange(year, month + 1)[1]))
    except (OverflowError, ValueError):
        return None
    precision: Precision = period.precision
    if precision == "day":
        return Period(day, day, "day")
    if precision == "quarter":
        return read_iso(f"{day.year:04d}-Q{(day.month + 2) // 3}")
    return read_iso(f"{day.year:04d}" if precision == "year" else f"{day.year:04d}-{day.month:02d}")
