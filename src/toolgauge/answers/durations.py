"""How long something takes, as people write it: `3h 42m`, `an hour and a half`, `two and three-quarter hours`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgauge.locale import NumberFound, find_numbers

__all__ = ["find_durations"]

WORD = (
    r"(?:[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|(?:twenty|thirty|forty|fifty)(?:-(?:one|two|three"
    r"|four|five|six|seven|eight|nine))?)"
)
UNIT = r"(?:minute|hour|day|week|month|year)"
HOURS = r"(?:h|hrs?\.?|hours?|giờ|tiếng(?:\sđồng\shồ)?)"
MINUTES = r"(?:m|mins?\b\.?|minutes?|ph?|phút|['’′])"
SECONDS = r"(?:s|secs?\b\.?|seconds?|giây)"
LINK = r"(?:\s?,)?\s?(?:and\s|và\s)?"
BEFORE = r"(?<![\w:/.,-])(?<!lúc\s)(?<!\bat\s)"
PARTS = re.compile(
    rf"{BEFORE}(?:(?P<days>[0-9]{{1,3}})\s?(?:d|days?|ngày){LINK})?(?P<hours>[0-9]{{1,3}})\s?{HOURS}{LINK}(?P<minutes>[0-9]{{1,2}})\s?{MINUTES}(?![^\W\d_])"
    rf"(?:{LINK}(?P<seconds>[0-9]{{1,2}})\s?{SECONDS})?(?!\w)",
    re.IGNORECASE,
)
"""`3h 42m`, `1 hr 5 mins`, `2 ngày 3 giờ 10 phút`; a clock time has no sign for the minutes."""
DAYS = re.compile(
    rf"{BEFORE}(?P<days>[0-9]{{1,3}})\s?(?:d|days?|ngày){LINK}(?P<hours>[0-9]{{1,2}})\s?{HOURS}(?!\w)(?!\s?[0-9])",
    re.IGNORECASE,
)
BARE_MINUTES = re.compile(
    rf"(?:{BEFORE}|(?<=mất\s)|(?<=khoảng\s))(?P<hours>[0-9]{{1,2}})\s?(?:hrs?|hours?|tiếng|(?<=mất\s[0-9]\s)giờ|(?<=khoảng\s[0-9]\s)giờ)\s"
    r"(?P<minutes>[0-5][0-9]|5)(?!\w|[:/.,-][0-9]|\s(?:[^\W\d_]|%))",
    re.IGNORECASE,
)
"""`1 tiếng 15`, `2 hours 30`."""
COLON = re.compile(
    rf"{BEFORE}(?P<hours>[0-9]{{1,2}}):(?P<minutes>[0-5][0-9])\s?(?:h|hrs?|hours?|tiếng)\b", re.IGNORECASE
)
PART = r"(?P<part>a\shalf|half|a\squarter|one[\s-]quarter|three[\s-]quarters?)"
AND_A_HALF = re.compile(rf"\b(?P<count>{WORD})[\s-](?P<unit>{UNIT})s?\sand\s{PART}\b(?!\s(?:of|a|an)\b)", re.IGNORECASE)
HALVES = re.compile(rf"\b(?P<count>{WORD})\sand\s{PART}[\s-](?P<unit>{UNIT})s?\b", re.IGNORECASE)
"""`two and three-quarter hours`."""
PART_OF = re.compile(
    rf"\b(?P<part>half|(?:a\s|one\s)?quarter|three[\s-]quarters)\s(?:of\s)?an?\s(?P<unit>{UNIT})\b", re.IGNORECASE
)
WITH_MORE = re.compile(
    rf"\b(?P<count>an|one|a)\s(?P<unit>hour|day)\s(?:and\s)?(?P<more>{WORD})\s(?P<small>minute|hour)s?\b", re.IGNORECASE
)
ALONE = re.compile(
    rf"\b(?:takes?|took|lasts?|lasted|about|around|roughly|over|under|nearly|almost|within|exactly|just|only|is|was)\s(?P<count>an?)\s(?P<unit>{UNIT})"
    r"\b(?!\s(?:and|ago|later|earlier|before|after|old))",
    re.IGNORECASE,
)
FRACTIONS = {"half": 0.5, "quarter": 0.25, "three": 0.75}
IN_MINUTES = {"minute": 1.0, "hour": 60.0, "day": 1440.0}


def find_durations(text: str) -> list[NumberFound]:
    """The durations of a text that other amounts would be made of, in order; they do not overlap."""
    found: list[NumberFound] = []
    for one in sorted(_found(text), key=lambda one: (one.start, -one.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def _found(text: str) -> Iterator[NumberFound]:
    if any(map(str.isdigit, text)):
        for pattern in (PARTS, DAYS, BARE_MINUTES, COLON):
            for match in pattern.finditer(text):
                parts = {name: int(said) for name, said in match.groupdict().items() if said}
                if parts.get("minutes", 0) < 60 and parts.get("seconds", 0) < 60:
                    minutes = parts.get("days", 0) * 1440 + parts["hours"] * 60 + parts.get("minutes", 0)
                    yield _made(match, minutes + parts.get("seconds", 0) / 60, "minute")
    low = text.lower()
    if " and " in low or "-and-" in low:
        for pattern in (AND_A_HALF, HALVES):
            for match in pattern.finditer(text):
                yield _made(match, _number(match["count"]) + _fraction(match["part"]), match["unit"].lower())
    if "half" in low or "quarter" in low:
        for match in PART_OF.finditer(text):
            yield _made(match, _fraction(match["part"]), match["unit"].lower())
    if " hour" in low or " day" in low:
        for match in WITH_MORE.finditer(text):
            whole, small = match["unit"].lower(), match["small"].lower()
            yield _made(match, IN_MINUTES[whole] + _number(match["more"]) * IN_MINUTES[small], "minute")
    if " an " in low or " a " in low:
        for match in ALONE.finditer(text):
            yield _made(match, 1.0, match["unit"].lower(), start=match.start("count"))


def _made(match: re.Match[str], value: float, unit: str, *, start: int | None = None) -> NumberFound:
    begin = match.start() if start is None else start
    return NumberFound(start=begin, end=match.end(), readings=((value, value),), unit=unit)


def _number(words: str) -> float:
    if words.lower() in ("a", "an", "one"):
        return 1.0
    found = find_numbers(words, "en")
    return found[0].readings[0][0] if found else 1.0


def _fraction(words: str) -> float:
    return next((share for word, share in reversed(FRACTIONS.items()) if word in words.lower()), 0.5)
