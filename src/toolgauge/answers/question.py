"""What a question asks for: its words, whom and when it names, and whether it wants a change, a total, a forecast."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from itertools import pairwise

from toolgauge.core import nfc
from toolgauge.locale import (
    KINDS,
    PROFILES,
    DateFound,
    Locale,
    Period,
    Token,
    find_dates,
    find_numbers,
    fold_word,
    read_unit,
    tokenise,
    word_at,
    word_set,
)

from .evidence.cues import find_asked, find_families, folded_set

__all__ = [
    "Question",
    "all_tags_of",
    "codes_of",
    "entities_of",
    "is_name",
    "read_question",
    "stem",
    "tags_of",
    "title_before",
]

SUFFIXES = ("'s", "’s", "ings", "ing", "ied", "ies", "ed", "es", "s", "ly")
NEVER_NAMES = word_set(
    "usd vnd vnđ eur gbp jpy cny aud i the a an q1 q2 q3 q4 đồng gb mb tb kb kwh mwh gwh km kg vat ok tl dr am"
    " pm ii iii iv v vi vii viii ix x xi xii quý tháng năm ngày tuần monday tuesday wednesday thursday friday"
    " saturday sunday january february march april may june july august september october november december jan"
    " feb mar apr jun jul aug sep sept oct nov dec"
)
GENERIC = word_set(
    "bao nhiêu mấy nào gì ai lúc khi hỏi biết how many much what which when who whose where long far old often"
    " tell day date year month time hour ngày tháng năm giờ xin cho hãy vui lòng please giúp là của được number"
    " value số con mức figure hiện nay tại current currently"
)


CODE = re.compile(
    r"(?<![\w.,/-])#?(?=[A-Za-z0-9#-]*[0-9])(?:[A-Z]{1,6}-?[0-9][A-Z0-9]*|[a-z]{2,12}-[0-9]{1,4}|[0-9]+[A-Z]{1,4}[0-9]*|(?<=#)[0-9]+|[0-9]{5,})(?:-[A-Z0-9]+)*(?!\w|[.,/-][0-9])"
)
PERIOD_CODE = re.compile(r"(?:Q[1-4]|H[12]|T[0-9]{1,2}|FY[0-9]{2,4}|CO2|[0-9]{1,3}[A-Z])")


def codes_of(text: str) -> frozenset[str]:
    """Identifiers with figures, such as `INC-3391`, `#48-2107` and `SE1`."""
    found = (match.group() for match in CODE.finditer(text))
    return frozenset(code.lstrip("#") for code in found if not PERIOD_CODE.fullmatch(code))


EARLIER = re.compile(
    r"\b(?:supposed\sto|meant\sto|originally|initially|formerly|previously|ban\sđầu|lúc\sđầu|trước\s(?:khi|đợt|sáp\snhập|điều\schỉnh|đó|đây)"
    r"|before\s(?:the|it|they|being)|(?:mức|giá|tên|lịch)\scũ)\b",
    re.IGNORECASE,
)
PER = re.compile(r"(?:\b(?:per|mỗi|cho\s(?:một|1)|(?:for|in)\s(?:one|each)|each)\s|/\s?)([^\W\d_]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """What is asked."""

    words: tuple[str, ...] = ()
    """Its words that say something, folded, each once."""
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring words of it, folded."""
    counted: frozenset[str] = frozenset()
    """The stems of what is to be counted, as `people` in `how many people`."""
    measures: tuple[str, ...] = ()
    """Those of its words that are no names."""
    entities: frozenset[str] = frozenset()
    """The folded words of names in it."""
    full_names: tuple[frozenset[str], ...] = ()
    """The folded words of each name of several words."""
    titles: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Whether the bearer of a name is a man or a woman, where a title tells."""
    dates: tuple[DateFound, ...] = ()
    """When it asks about."""
    tags: frozenset[tuple[str, str]] = frozenset()
    """Words with the number or letter that tells which one is meant: `oven A`, `chuyền 4`."""
    codes: frozenset[str] = frozenset()
    """Identifiers with figures: `INC-3391`, `SE1`."""
    relative: frozenset[str] = frozenset()
    """Words that count from today, as they are written in it."""
    roles: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    """The members of families it names, such as the selling price."""
    figures: frozenset[str] = frozenset()
    """Figures as they are written in it."""
    numbers: frozenset[float] = frozenset()
    """Numbers that it gives."""
    acronyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """The stems that letters stand for, such as LNST for `lợi nhuận sau thuế`."""
    text: str = ""

    @cached_property
    def _endings(self) -> dict[str, str]:
        return {word.rstrip("e"): word for word in self.words if word.isascii()}

    def as_asked(self, word: str) -> str:
        """A stem in the form that the question has it in: `price` where `prices` made `pric` of it."""
        return self._endings.get(word.rstrip("e"), word) if word.isascii() else word

    @cached_property
    def asks_earlier(self) -> bool:
        """Whether it asks how something was before it changed."""
        return EARLIER.search(self.text) is not None

    @cached_property
    def per(self) -> frozenset[str]:
        """The stems of what it asks the amount for one of: `person` in `per person`."""
        return frozenset(stem(match[1].lower()) for match in PER.finditer(self.text))

    @property
    def periods(self) -> tuple[Period, ...]:
        """The dates of it that are known to the day."""
        return tuple(found.readings[0] for found in self.dates if found.readings)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A folded word without the ending that English words take."""
    if len(word) > 4 and word.isascii():
        for suffix in SUFFIXES:
            if word.endswith(suffix) and len(word) - len(suffix) >= 3:
                return word[: -len(suffix)]
    return fold_word(word)


def is_name(token: Token, *, opens: bool) -> bool:
    """Whether a word is written like a name; the first word of a sentence only in capitals."""
    text = token.text
    if token.kind != "word" or not text[0].isupper() or token.low in NEVER_NAMES:
        return False
    return not opens or (len(text) > 1 and text.isupper())


def entities_of(tokens: Sequence[Token], opening: Sequence[bool]) -> list[tuple[int, int]]:
    """Where names stand: rows of words with capitals, as indexes of the first token and behind the last one."""
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(tokens):
        if not is_name(tokens[index], opens=False):
            index += 1
            continue
        end = index + 1
        while end < len(tokens) and is_name(tokens[end], opens=False) and not tokens[end].line and not opening[end]:
            end += 1
        previous = tokens[index - 1] if index else None
        if (
            previous
            and previous.kind == "figure"
            and len(tokens[index].text) == 1
            and tokens[index].start > previous.end
        ):
            index += 1  # `351 K`
            continue
        if word_at(tokens, index - 1) == "thứ" or (tokens[index].low, word_at(tokens, index + 1)) == ("chủ", "nhật"):
            index = end
            continue  # a day of the week
        alone = end == index + 1
        owns = word_at(tokens, end) in ("'", "’") and word_at(tokens, end + 1) == "s"
        if not alone or owns or is_name(tokens[index], opens=opening[index]):
            found.append((index, end))
        index = end
    return found


ORDINALS = {
    **{word: str(number) for number, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"], 1)},
    **{word: str(number) for number, word in enumerate(["nhất", "nhì", "ba", "tư", "năm", "sáu", "bảy", "tám"], 1)},
}


def _ordinals(folded: Sequence[str]) -> frozenset[str]:
    """The figures that `fourth` and `thứ tư` stand for."""
    found = {ORDINALS[word] for word in folded if word in ORDINALS and word.isascii()}
    for one, two in pairwise(folded):
        if one == THU and two in FOLDED_ORDINALS:
            found.add(FOLDED_ORDINALS[two])
    return frozenset(found)


THU = fold_word("thứ")
FOLDED_ORDINALS = {fold_word(word): figure for word, figure in ORDINALS.items()}


PHYSICAL = frozenset(unit for kind in KINDS for unit in kind)
TITLES = {
    **dict.fromkeys(map(fold_word, ("mr", "ông", "anh")), "man"),
    **dict.fromkeys(map(fold_word, ("ms", "mrs", "miss", "bà", "chị", "cô")), "woman"),
}


def title_before(folded: Sequence[str], first: int) -> str:
    """Whether a title before a name tells a man or a woman; empty where there is none."""
    place = first - 2 if first > 1 and folded[first - 1] == "." else first - 1
    return TITLES.get(folded[place], "") if place >= 0 else ""


def _is_unit(word: str) -> bool:
    """Whether a word is a unit that is written like a name: `Celsius`, `USD`."""
    unit = read_unit(word)[1]
    return unit != word or unit in PHYSICAL


def tags_of(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Words that are followed by a number or letter which tells which one is meant."""
    for one, two, three in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        if one.kind != "word" or two.line or one.low in UNTAGGED:
            continue
        suffix = three.low if three and three.kind == "word" and three.start == two.end and len(three.low) == 1 else ""
        if two.start == one.end and len(one.text) == 1:
            continue  # `Q3`
        letter = two.kind == "word" and len(two.text) == 1 and two.text.isupper() and two.text.isascii()
        number = two.kind == "figure" and two.text.isdigit() and len(two.text) <= 3
        if letter or number:
            yield fold_word(one.low), two.low + suffix


def all_tags_of(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Both forms of tags: `room 2` and `2-bedroom`."""
    yield from tags_of(tokens)
    yield from _numbered(tokens)


def _numbered(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The same with the number first: `2-bedroom`."""
    for one, dash, two in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if one.kind == "figure" and len(one.text) <= 2 and dash.low == "-" and two.kind == "word" and len(two.text) > 2:
            yield fold_word(two.low), one.text


def _counted(tokens: Sequence[Token]) -> Iterator[str]:
    """The stems of what stands behind `how many`, `bao nhiêu` or `mấy`: `gold medals`, `huy chương vàng`."""
    for index, token in enumerate(tokens):
        two = (tokens[index - 1].low, token.low) if index else ("", "")
        if two in (("how", "many"), ("bao", "nhiêu")) or token.low == "mấy":
            for one in tokens[index + 1 : index + 1 + MOST_COUNTED]:
                if one.low == "-":
                    continue
                if one.kind != "word" or one.low in NOT_COUNTED or one.low in SMALL_WORDS or one.text[0].isupper():
                    break
                yield stem(one.low)


MOST_COUNTED = 4
SMALL_WORDS = frozenset().union(*(profile.small_words for profile in PROFILES.values()))
NOT_COUNTED = word_set(
    "là thì of in on did do does is are was were has have had will would can could should must may phần tiền mỗi per"
    " trong tại ở vào so và hay hoặc để khi theo với cho năm tháng ngày"
)
RIVALS = folded_set("against versus vs gặp trước than hơn")
"""What stands behind these is not what is asked about."""
UNTAGGED = word_set(
    "tháng năm ngày quý tết mùng in on at of to for is the a than hơn là từ đến top only just about khoảng gần"
    " over under with by and và january february march april may june july august september october november"
    " december nhất lúc mấy"
)


def read_question(text: str | None, locale: Locale | None, now: date | None) -> Question:
    """Read a question; without one, nothing is known of what is asked."""
    if not text or not text.strip():
        return Question()
    text = nfc(text)[-2000:]
    tokens = tokenise(text)
    folded = [fold_word(token.low) for token in tokens]
    stems = [
        stem(token.low) if token.kind == "word" and token.low not in SMALL_WORDS and token.low not in GENERIC else ""
        for token in tokens
    ]
    style: Locale = locale or "vi"
    numbers = frozenset(bound for found in find_numbers(text, style) for bound in found.readings[0])
    dates = find_dates(text, style, now)
    opening = [index == 0 or tokens[index - 1].low in ".!?:" for index in range(len(tokens))]
    names = entities_of(tokens, opening)
    named = {index for first, last in names for index in range(first, last)}
    plain = ["" if index in named else word for index, word in enumerate(folded)]
    subject = {
        index
        for place, (first, last) in enumerate(names)
        for index in range(first, last)
        if not place or _is_unit(tokens[index].low)
    }
    """What the question is about, as a rule; further names, but for units, say which of its figures is meant."""
    measured = [word if tokens[index].text.isupper() else plain[index] for index, word in enumerate(folded)]
    rival = next((index for index, word in enumerate(folded) if word in RIVALS), len(folded))
    return Question(
        counted=frozenset(_counted(tokens)),
        measures=_measures(tokens, ["" if index in subject else word for index, word in enumerate(stems)]),
        words=tuple(dict.fromkeys(word for word in stems if word)),
        pairs=frozenset((one, two) for one, two in pairwise(stems) if one and two),
        entities=frozenset(folded[index] for index in named if index < rival),
        full_names=tuple(frozenset(folded[first:last]) for first, last in names if last > first + 1),
        titles={folded[first]: title for first, _ in names if (title := title_before(folded, first))},
        dates=tuple(dates),
        tags=frozenset(all_tags_of(tokens)),
        codes=codes_of(text),
        relative=frozenset(text[found.start : found.end].lower() for found in dates if found.relative),
        roles=frozenset(cue.role for cue in find_asked(plain)),
        families=frozenset(cue.role for cue in find_families(measured)),
        figures=frozenset(token.text for token in tokens if token.kind == "figure")
        | _ordinals(folded)
        | {f"{number:g}" for number in numbers if 0 < number < MOST_SPELLED},
        numbers=numbers,
        acronyms=_acronyms(tokens),
        text=text,
    )


FEWEST_ASKING = 2


def _measures(tokens: Sequence[Token], stems: Sequence[str]) -> tuple[str, ...]:
    """The stems of the last sentence, if that asks by itself: what is told before it is only given."""
    begin = 0
    for index, (token, following) in enumerate(pairwise(tokens)):
        if token.low in (".", "!") and following.text[0].isupper() and following.start > token.end:
            begin = index + 1
    asking = tuple(dict.fromkeys(word for word in stems[begin:] if word))
    if len(asking) >= FEWEST_ASKING and tokens[-1].low == "?":
        return asking
    return tuple(dict.fromkeys(word for word in stems if word))


MOST_SPELLED = 100
"""Smaller numbers may be written as words: `twelve months`."""
SHORTEST_ACRONYM, LONGEST_ACRONYM = 3, 7


def _acronyms(tokens: Sequence[Token]) -> dict[str, tuple[str, ...]]:
    """The first letters of every few words that follow each other, with the stems of those words."""
    words = [token.low for token in tokens if token.kind == "word"]
    found: dict[str, tuple[str, ...]] = {}
    for size in range(SHORTEST_ACRONYM, LONGEST_ACRONYM + 1):
        for begin in range(len(words) - size + 1):
            row = words[begin : begin + size]
            found["".join(word[0] for word in row)] = tuple(stem(word) for word in row)
    return found
