"""Whom, when and what a value is said of, as against what the question asks about."""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import date

from toolgauge.locale import DateFound, Locale

from ..question import TITLES, Question, all_tags_of, codes_of, title_before
from ..yes_no.weekdays import weekdays_in
from .context import AnswerWords, Context, read_label
from .cues import folded_set

__all__ = ["Topic"]

SOURCES = folded_set("theo to per by nguồn source via on according báo trang")
"""What stands behind these says where something was read."""
CLOSE = 6
"""How many words before a value belong to it for sure."""
OF_TIME = re.compile(
    r"(?:\s(?:match|level|figure|mark|record|total|peak|mức|kỷ\slục))?\s?(?:\(|(?:(?:recorded|reported|seen|posted|set|achieved|registered|ghi\snhận|đạt\sđược)\s)?(?:in|of|for|from|during|của|vào|trong|hồi)\s)(?:the\s|cả\s)?",
    re.IGNORECASE,
)
"""What ties a time to the value before it."""
YEAR_BEFORE = re.compile(
    r"\b(?:(?:a|one)\syear\s(?:earlier|before|ago)|the\s(?:year\sbefore|previous\syear|prior\syear|preceding\syear)|năm\strước(?:\sđó)?|năm\sliền\strước)\b",
    re.IGNORECASE,
)
SHORT_WEEKDAY = re.compile(r"\b(Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b\.?")
WEEKDAYS = {day[:3]: day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")}
UNKNOWN_TIME = 0.4
BESIDE_DATE = 0.5
"""How much another name counts beside a date: an event has many people and places."""
Holds = dict[str, float]


class Topic:
    """Compares what stands beside values with what one question names."""

    def __init__(self, words: AnswerWords, asked: Question, locale: Locale, now: date | None) -> None:
        self.words, self.asked, self.locale, self.now = words, asked, locale, now
        self._named = any(word in asked.entities for word in words.folded) if asked.entities else False
        self._weekdays = weekdays_in(asked.text)
        self._tagged = {word for word, _ in asked.tags}
        self._kinds = {_kind(member) for member in asked.families}

    def about(self, context: Context, start: int, end: int, *, dated: bool) -> Holds:
        """The rules on names, tags, times and measures that hold for a value.

        Args:
            context: The words beside it.
            start: Where it begins.
            end: Where it ends.
            dated: Whether dates say when it holds.
        """
        if context.cell:
            return {}
        holds = self._tag(context) if self._tagged else {}
        if self.asked.codes:
            holds |= self._code(context)
        if self._named:
            holds |= self._name(context, dated=dated)
        if dated:
            holds |= self._period(context, start, end)
        if self.asked.families:
            holds |= self._measure(context)
        return holds

    def _name(self, context: Context, *, dated: bool) -> Holds:
        asked, words = self.asked.entities, self.words
        for first, last, own in (
            (context.before, context.at, True),
            (context.behind, context.after, True),
            (context.lead, context.lead_end, False),
        ):
            low = bisect_left(words.names, (first, 0))
            inside = [name for name in words.names[low : bisect_left(words.names, (last, 0))] if name[1] <= last]
            whole = [name for name in inside if not any(_is_within(name, other) for other in inside)]
            meant = [name for name in whole if not asked.isdisjoint(words.folded[slice(*name)])]
            if meant:
                nearest = meant[0] if first == context.behind and own else meant[-1]
                return {"other name" if self._is_namesake(*nearest) else "asked name": 1.0}
            if own and any(self._is_another(begin, end) for begin, end in inside):
                return {"other name": 1.0 if dated else BESIDE_DATE}
        return {}

    def _is_namesake(self, begin: int, end: int) -> bool:
        """Whether a name only shares words with the asked one: `Phạm Quốc Hưng` where Phạm Quốc Huy is asked."""
        folded, asked = self.words.folded, self.asked
        title = title_before(folded, begin)
        if title and asked.titles.get(folded[begin], title) != title:
            return True
        said = frozenset(folded[begin:end]) - TITLES.keys()
        shared = [name for name in asked.full_names if name & said]
        return bool(shared) and bool(said - asked.entities) and all(name - said for name in shared)

    def _is_another(self, begin: int, end: int) -> bool:
        """Whether a name is no source, and not one of the things that the question speaks of."""
        words = self.words
        if begin and words.folded[begin - 1] in SOURCES:
            return False
        said = (words.stems[index] for index in range(begin, end))
        return not all(word in self.asked.words or word in self.asked.acronyms for word in said)

    def _tag(self, context: Context) -> Holds:
        """Whether it is said of the one that the question numbers: `oven A`, `chuyền 4`."""
        said = [
            pair for pair in all_tags_of(self.words.tokens[context.lead : context.after]) if pair[0] in self._tagged
        ]
        if not said:
            return {}
        return {"asked tag": 1.0} if said[-1] in self.asked.tags else {"other tag": 1.0}

    def _code(self, context: Context) -> Holds:
        """Whether the identifier of the question stands before it in its sentence, or another one."""
        words = self.words
        codes = codes_of(words.page.text[words.place(context.lead) : words.place(context.at)])
        if not codes:
            return {}
        return {"asked tag": 1.0} if codes & self.asked.codes else {"other tag": 1.0}

    def _measure(self, context: Context) -> Holds:
        members = {cue.role for cue in self.words.families_in(context.before, context.after)}
        if context.label:
            members |= read_label(context.label).families
        holds: Holds = {}
        matched = len(members & self.asked.families)
        if matched:
            holds["asked measure"] = (1.0 + matched / len(self.asked.families)) / 2
        if self.excludes(members):
            holds["other measure"] = 1.0
        return holds

    def excludes(self, members: frozenset[str] | set[str]) -> bool:
        """Whether something is named that excludes what is asked, such as buying where selling is."""
        said = {_kind(member) for member in members if member in self.asked.families}
        return any(_kind(member) in self._kinds - said for member in members)

    # when

    def _period(self, context: Context, start: int, end: int) -> Holds:
        near = self._date_near(context, start, end)
        earlier = "earlier" in self.asked.roles
        if self._weekdays and self._is_asked_weekday(context):
            return {"asked period": 1.0}
        if self.asked.dates and self._year_before(context, start, end):
            return {"asked period": 1.0}
        if near is None:
            said = any(cue.role == "earlier" for cue in self.words.roles(context.before, context.at))
            return {"other period": 1.0} if said and not earlier else {}
        if self.words.page.text[near.start : near.end].lower() in self.asked.relative:
            return {"asked period": 1.0}
        if (
            near.relative
            and not near.readings
            and any(one.year_stated and not one.relative for one in self.asked.dates)
        ):
            return {"other period": UNKNOWN_TIME}  # `last quarter` where 2020 is asked
        if self.asked.relative and near.relative and not near.readings:
            return {"other period": 0.7}  # `this year` where next year is asked
        if self.asked.dates:
            return self.compare(near)
        if near.relative and near.readings and self.now and not earlier:
            period = near.readings[0]
            if period.high < self.now or period.low > self.now:
                return {"other period": 0.7}
        return {}

    def is_of_asked_time(self, context: Context, start: int, end: int) -> bool:
        """Whether the asked time is said of a value itself, not only of its sentence: `the 8.1% recorded in 2021`."""
        words, asked = self.words, self.asked
        if self._is_asked_weekday(context):
            return True
        if not asked.dates:
            return False
        if self._year_before(context, start, end):
            return True
        behind = words.dates_in(end, words.place(context.after) + 1)
        if behind and OF_TIME.fullmatch(words.page.text, end, behind[0].start):
            return self.compare(behind[0]).get("asked period", 0.0) == 1.0
        before = words.dates_in(words.place(context.before), start)
        compared = [cue for cue in words.roles(context.before, context.at) if cue.role in ("baseline", "earlier")]
        if not before or not compared or before[-1].start < words.place(compared[-1].first):
            return False
        return self.compare(before[-1]).get("asked period", 0.0) == 1.0

    def _is_asked_weekday(self, context: Context) -> bool:
        """Whether the day of the week that the question names stands right beside it: `Monday's 4,875`."""
        if not self._weekdays:
            return False
        words = self.words
        last = words.tokens[context.after - 1].end if context.after > context.behind else words.place(context.behind)
        own = words.page.text[words.place(max(context.before, context.at - CLOSE)) : last]
        said = weekdays_in(SHORT_WEEKDAY.sub(lambda match: f" {WEEKDAYS[match[1][:3]]} ", own))
        return bool(said) and said <= self._weekdays

    def _year_before(self, context: Context, start: int, end: int) -> bool:
        """Whether it is of the year before a stated one, and that is asked: `versus 13.2% the year before`."""
        words = self.words
        own = words.page.text[words.place(context.before) : start] + " ~ "
        own += words.page.text[end : words.tokens[context.after - 1].end if context.after > context.behind else end]
        if not YEAR_BEFORE.search(own):
            return False
        years = {one.low.year for one in self.asked.periods if one.low.year == one.high.year}
        led = [one for one in words.dates_in(words.place(context.lead), start) if one.readings]
        return len(years) == 1 and bool(led) and led[-1].readings[0].low.year - 1 in years

    def _date_near(self, context: Context, start: int, end: int) -> DateFound | None:
        """The date that says when a value holds: before it, right behind it, or earlier in its sentence."""
        words = self.words
        if not words.dates:
            return None
        before = words.dates_in(words.place(context.before), start)
        stop = words.tokens[context.after - 1].end if context.after > context.behind else end
        behind = words.dates_in(end, stop + 1)
        if behind and OF_TIME.fullmatch(words.page.text, end, behind[0].start):
            return behind[0]
        if before:
            return before[-1]
        if behind:
            return behind[0]
        led = words.dates_in(words.place(context.lead), start)
        text = words.page.text
        return next((one for one in reversed(led) if text[one.start - 1 : one.start] != "(" or one is led[0]), None)

    def compare(self, near: DateFound) -> Holds:
        """Whether a date is the asked one; a quarter is not the year that is asked, a day in it may date the figure."""
        periods = self.asked.periods
        if not near.readings or not periods or not (near.relative or near.year_stated):
            return self._compare_months(near)
        said = near.readings[0]
        if any(said.low == asked.low and said.high == asked.high for asked in periods):
            return {"asked period": 1.0}
        if not any(said.low <= asked.high and asked.low <= said.high for asked in periods):
            return {"other period": 1.0}
        if said.precision == "range" and any(asked.precision == "range" for asked in periods):
            return {"other period": 1.0}  # `2024-2025` is another school year than `2025-2026`
        if any(said.low <= asked.low and asked.high <= said.high for asked in periods):
            return {}
        return (
            {"other period": 0.4} if said.precision in ("week", "month", "quarter", "half") else {"asked period": 0.5}
        )

    def _compare_months(self, near: DateFound) -> Holds:
        """The same where one of them is without its year: `quý II`."""
        said = _months(near)
        asked = [_months(one) for one in self.asked.dates]
        if said is None or not any(asked):
            return {}
        return {"asked period": 1.0} if said in asked else {"other period": 0.7}


def _is_within(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a name is only a part of another one."""
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def _kind(member: str) -> str:
    """The family of a member."""
    return member.partition(".")[0]


def _months(one: DateFound) -> tuple[int, int] | None:
    """The first and the last month of a date that lies in one year."""
    if one.month is not None:
        return one.month, one.last_month or one.month
    if one.readings and one.readings[0].low.year == one.readings[0].high.year:
        return one.readings[0].low.month, one.readings[0].high.month
    return None
