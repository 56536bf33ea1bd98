"""The days of the week that a text names, with those between them."""

from __future__ import annotations

import re

__all__ = ["weekdays_in"]

NAMES = (
    ("hai", "2", "mon"),
    ("ba", "3", "tue"),
    ("tư", "4", "wed"),
    ("năm", "5", "thu"),
    ("sáu", "6", "fri"),
    ("bảy", "7", "sat"),
    ("nhật", "cn", "sun"),
)
NUMBER = {name: index for index, names in enumerate(NAMES) for name in names}
DAY = re.compile(
    r"\b(?:[Tt]hứ\s(Hai|Ba|Tư|Năm|Sáu|Bảy|[2-7])"
    r"|(?:(?<=sáng )|(?<=chiều )|(?<=tối )|(?<=vào )|(?<=ngày )|(?<=đến ))thứ\s(hai|ba|tư|năm|sáu|bảy)"
    r"|[Cc]hủ\s([Nn]hật)|T([2-7])|(CN)"
    r"|(Mon|Tue|Thu|Fri|Sun)(?:s|rs)?days?|(Wed)nesdays?|(Sat)urdays?"
    r"|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|rs|urs|nes)?(?=\s?[-–—:,/&|)]|\sto\s|\.))\b"
)
RANGE = re.compile(r"\s?(?:[-–—]|đến|tới|to|through|until)\s?")
GROUPS = (
    (re.compile(r"\b(?:weekends?|cuối\stuần)\b", re.IGNORECASE), frozenset({5, 6})),
    (re.compile(r"\b(?:weekdays?|ngày\sthường)\b", re.IGNORECASE), frozenset(range(5))),
    (re.compile(r"\b(?:daily|every\sday|h[ằà]ng\sngày|mỗi\sngày|cả\stuần)\b", re.IGNORECASE), frozenset(range(7))),
)
LONGEST = 600
"""Days that are named later in a text are not looked for."""


def weekdays_in(text: str) -> frozenset[int]:
    """Which days a text names, Monday as 0; `Tue–Fri` names four."""
    text = text[:LONGEST]
    days = {day for pattern, group in GROUPS if pattern.search(text) for day in group}
    last: tuple[int, int] | None = None
    for match in DAY.finditer(text):
        day = NUMBER[next(group for group in match.groups() if group).lower()]
        days.add(day)
        if last is not None and RANGE.fullmatch(text, last[1], match.start()):
            days.update((last[0] + step) % 7 for step in range((day - last[0]) % 7))
        last = (day, match.end())
    return frozenset(days)
