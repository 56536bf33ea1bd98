"""What two figures say to a question that compares: which is faster, dearer, higher, or more than before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from toolgauge.locale import Locale, find_numbers, fold_word

from ..page import Cell, Page
from ..question import stem
from .opposites import folded_words
from .polar import SMALL, Stance
from .subjects import Asked

__all__ = ["Sides", "asks_change", "by_change", "by_comparison", "read_comparison"]

FLAGS = re.IGNORECASE
RATHER = re.compile(
    r"\b(?:(?P<more>higher|taller|longer|heavier|larger|bigger|greater|more\sexpensive|pricier"
    r"|costlier|dearer|more|farther|further|hotter|warmer|wider"
    r"|deeper|more\spopulous"
    r"|cao\shơn|dài\shơn|nặng\shơn|lớn\shơn|to\shơn|nhiều(?:\s\w+)?\shơn|đắt\shơn|mắc\shơn|xa\shơn"
    r"|lâu\shơn|nóng\shơn|ấm\shơn|đông(?:\sdân)?\shơn|rộng\shơn|sâu\shơn)"
    r"|(?P<less>lower|shorter|lighter|smaller|cheaper|less\sexpensive|less|fewer|closer|nearer|cooler|colder|narrower"
    r"|thấp\shơn|ngắn\shơn|nhẹ\shơn|nhỏ\shơn|bé\shơn|ít(?:\s\w+)?\shơn|rẻ\shơn|gần\shơn|lạnh\shơn|mát\shơn|hẹp\shơn)"
    r"|(?P<quick>faster|quicker|nhanh\shơn)|(?P<slow>slower|chậm\shơn)"
    r"|(?P<old>older|lâu\sđời\shơn|già\shơn|lớn\stuổi\shơn|cổ\shơn)|(?P<young>younger|newer|trẻ\shơn|mới\shơn))\b",
    FLAGS,
)
QUALITY = re.compile(r"\s(?:\w+-\w+|\w+(?:ent|ant|ive|al|ous|ular|able|ible|ful|ic|ate|ed|ing|ly|y))\sthan\b", FLAGS)
BESIDE = re.compile(r"\b(?:than|hơn|so\svới)\b", FLAGS)
HOW = tuple(
    (re.compile(said, FLAGS), re.compile(kind, FLAGS))
    for said, kind in (
        (r"heav|light|nặng|nhẹ", r"weight|mass|nặng|trọng\slượng|khối\slượng|\b(?:kg|g|lbs?|oz)\b"),
        (
            r"expensive|pric|cheap|cost|dear|đắt|rẻ|mắc",
            r"price|cost|fee|fare|rate|giá|phí|[$€£]|\b(?:đồng|vnd|usd)\b|đ\b",
        ),
        (
            r"fast|quick|slow|nhanh|chậm|lâu",
            r"time|duration|speed|hours?|minutes?|thời\sgian|tốc\sđộ|\b(?:min|phút|giờ)\b",
        ),
        (r"tall|high|cao", r"height|elevation|altitude|cao|\b(?:m|ft|cm)\b"),
        (r"hot|warm|cool|cold|nóng|ấm|lạnh|mát", r"temp|nhiệt|°"),
        (r"far|near|clos|xa\b|gần", r"distance|khoảng\scách|\b(?:km|miles?)\b"),
        (r"popul|đông", r"popul|dân"),
    )
)
"""Which columns of a table say what is compared."""
SPEED = re.compile(r"/|mbps|gbps|kmh|mph|kph|knot|fps", FLAGS)
BREAK = re.compile(
    r"[;\n|]|,(?=\s)|[.!?](?=\s|$)|\s[-–—]+\s|—|\b(?:and|while|whereas|but|compared\s(?:with"
    r"|to)|versus|vs\.?|against|và|còn|trong\skhi|nhưng|so\svới)\b",
    FLAGS,
)
DOUBT = re.compile(
    r"\b(?:if|nếu|at\snight|peak|used\sto|previously|trước\sđây|last\syear|năm\sngoái|dự\skiến"
    r"|expected|forecast|until)\b",
    FLAGS,
)
LETTER = re.compile(r"\b[A-Z]\b(?!')")
MOST_PARTS = 60
WEIGHTS = {"two figures": 2.8, "change between figures": 2.4}
YEARS = (1000, 2100)

RATHER_THAN = re.compile(r"\b(?:forecasts?|estimates?|targets?|plan|expect\w*|dự\sbáo|kế\shoạch|mục\stiêu)\b", FLAGS)
RISING = re.compile(
    r"\b(?:(?:higher|more|cao\shơn|nhiều\shơn)(?=\s(?:than\s)?(?:last|a\syear|(?:cùng"
    r"|năm|tháng|quý|kỳ)\s(?:kỳ|ngoái|trước)))|longer|larger|bigger|rise|rose|risen"
    r"|increased?|up|grow|grew|grown|growth|gain(?:ed)?"
    r"|climb(?:ed)?|go\sup|improved?|tăng(?:\strưởng)?|cải\sthiện)\b",
    FLAGS,
)
FALLING = re.compile(
    r"\b(?:shorter|smaller|fall|fell|fallen|decreased?|declined?|down|drop(?:ped)?|shr[aiu]nk"
    r"|lower(?:ed)?|cut|giảm|sụt)\b",
    FLAGS,
)
TO_FROM = re.compile(
    r"\b(?:to|at|còn|lên|xuống|đạt)\s(?P<now>[^.;\n]{1,40}?)\s(?:,\s)?(?:from|từ(?:\smức)?)\s(?P<then>[^.;\n]{1,40})",
    FLAGS,
)
FROM_TO = re.compile(
    r"\b(?:from|từ)\b(?P<then>[^.;\n]{1,50}?)\s(?:to|lên|xuống|còn|thành)\b(?P<now>[^.;\n]{1,40})", FLAGS
)
AGAINST = re.compile(
    r"\b(?:versus|vs\.?|compared\s(?:with|to)|against|(?:up|down)\sfrom|so\svới|(?:thấp|cao|ít"
    r"|nhiều|lớn|nhỏ)\shơn(?:\smức)?|(?:lower|higher|less|more|fewer)\sthan|,\s(?:the\syear\sbefore"
    r"|last\syear|a\s(?:year|month|quarter)\searlier|(?:năm|tháng|quý|tuần|kỳ)\s(?:ngoái|trước))"
    r"|trong\skhi\s(?:cùng\skỳ|năm)|cùng\skỳ|trong\skhi\s\w+\strước)\b",
    FLAGS,
)
EARLIER = re.compile(
    r"\b(?:earlier|before|last|previous|prior|ago|trước|ngoái|cùng\skỳ|tháng\s[0-9]{1,2}|quý\s[0-9I]"
    r"|(?:in|of)\s(?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)|(?:19|20)[0-9][0-9])\b",
    FLAGS,
)


class Sides(NamedTuple):
    """What a question compares, and how."""

    how: str
    word: str
    one: frozenset[str]
    """Words that only its first side has."""
    other: frozenset[str]


def read_comparison(text: str) -> Sides | None:
    """Read `Is the bus faster than the tram?`; None where a question does not compare two things."""
    match = RATHER.search(text)
    if match and QUALITY.match(text, match.end()) and match.group().lower() in ("more", "less"):
        return None  # `more fuel-efficient`: of which more is better, nobody says
    beside = BESIDE.search(text, match.start()) if match else None
    if match is None or beside is None:
        return None
    head = re.split(r"[.!?]\s", text[: match.start()])[-1]
    tail = re.split(r"[?,;]|\b(?:không|between|for|in|giữa)\b", text[beside.end() :])[0]
    one, other = (_words(part) - SMALL for part in (head, tail))
    mine, theirs = frozenset(_telling(one - other)), frozenset(_telling(other - one))
    how = next(name for name, said in match.groupdict().items() if said)
    return Sides(how, match.group(), mine, theirs) if mine and theirs else None


def _words(text: str) -> set[str]:
    """Stems, and single letters as they are written: `ký túc xá B`."""
    return {stem(word) for word in folded_words(text)} | {match.group() for match in LETTER.finditer(text)}


def _telling(words: set[str]) -> Iterator[str]:
    asks = set(
        map(
            fold_word,
            [
                "is",
                "are",
                "was",
                "were",
                "does",
                "do",
                "did",
                "has",
                "have",
                "có",
                "được",
                "thì",
                "nào",
                "cost",
                "take",
                "weigh",
                "nặng",
            ],
        )
    )
    return (word for word in words if word not in asks)


class Figure(NamedTuple):
    """An amount of one of the two sides."""

    value: float
    unit: str | None


def by_comparison(page: Page, asked: Asked, comparison: Sides, locale: Locale | None) -> Stance | None:
    """What the figures of both sides say, from lines of prose and lists, or from the rows of a table."""
    sides = _in_rows(page, comparison, locale) or _in_parts(page, asked, comparison, locale)
    if sides is None:
        return None
    mine, theirs = sides
    if mine.value == theirs.value or (mine.unit and theirs.unit and mine.unit != theirs.unit):
        return None
    value = (mine.value > theirs.value) is _wants_more(comparison.how, mine, theirs)
    return Stance(value is not asked.negated, WEIGHTS["two figures"], "two figures")


def _wants_more(how: str, mine: Figure, theirs: Figure) -> bool:
    unit = mine.unit or theirs.unit or ""
    if how in ("quick", "slow"):
        return (how == "quick") is (SPEED.search(unit) is not None)
    if how in ("old", "young"):
        dates = all(YEARS[0] < one.value < YEARS[1] for one in (mine, theirs))
        return (how == "old") is not dates
    return how == "more"


def _side(words: set[str], comparison: Sides) -> int | None:
    """Which side words are of; None where they are of none or of both."""
    mine, theirs = len(words & comparison.one), len(words & comparison.other)
    if bool(mine) == bool(theirs):
        return None
    return 0 if mine else 1


def _in_rows(page: Page, comparison: Sides, locale: Locale | None) -> tuple[Figure, Figure] | None:
    if "|" not in page.text:
        return None
    found: dict[tuple[int, int, str], list[Figure | None]] = {}
    for cell in islice(page.cells, 400):
        side = _side(_words(cell.row), comparison)
        down = _side(_words(cell.column), comparison)
        if cell.place == 0 or (side is None) is (down is None):
            continue
        figure = _figure(page.text[cell.start : cell.end], locale)
        if figure is not None:
            key = (
                cell.table,
                cell.place if side is not None else -cell.line - 1,
                _label(cell, by_row=side is not None),
            )
            found.setdefault(key, [None, None])[side if side is not None else (down or 0)] = figure
    pairs = {key: (one[0], one[1]) for key, one in found.items() if one[0] and one[1]}
    if len(pairs) > 1:
        kinds = [kind for said, kind in HOW if said.search(comparison.word)]
        pairs = {key: one for key, one in pairs.items() if any(kind.search(key[2]) for kind in kinds)}
    mine, theirs = next(iter(pairs.values())) if len(pairs) == 1 else (None, None)
    return (mine, theirs) if mine is not None and theirs is not None else None


def _label(cell: Cell, *, by_row: bool) -> str:
    return cell.column if by_row else cell.row


def _figure(text: str, locale: Locale | None) -> Figure | None:
    numbers = find_numbers(text, locale or "vi")
    if len(numbers) != 1 or numbers[0].readings[0][0] != numbers[0].readings[0][1]:
        return None
    return Figure(numbers[0].readings[0][0], numbers[0].unit)


def _in_parts(page: Page, asked: Asked, comparison: Sides, locale: Locale | None) -> tuple[Figure, Figure] | None:
    found: list[Figure | None] = [None, None]
    last: int | None = None
    for first, stop in islice(_parts(page), MOST_PARTS):
        part = page.text[first:stop]
        words = _words(part)
        side = _side(words, comparison)
        if side is None and words & comparison.one:
            last = None  # both are named
            continue
        last = side if side is not None else last
        if DOUBT.search(part) or last is None or found[last] is not None:
            continue
        figure = _first_figure(part, asked, locale)
        if figure is not None:
            found[last] = figure
            last = None
    mine, theirs = found
    return (mine, theirs) if mine is not None and theirs is not None else None


def _parts(page: Page) -> Iterator[tuple[int, int]]:
    for start, end in islice(page.sentences, MOST_PARTS):
        begin = start
        for match in BREAK.finditer(page.text, start, end):
            yield begin, match.start()
            begin = match.end()
        yield begin, end


def _first_figure(part: str, asked: Asked, locale: Locale | None) -> Figure | None:
    """The only amount of a few words that is no number of the question, such as that of a bus line."""
    figures = []
    for number in find_numbers(part, locale or "vi"):
        low, high = number.readings[0]
        if low != high or (number.unit is None and part[number.start : number.end] in asked.tokens):
            continue
        figures.append(Figure(low, number.unit))
    if len({one.unit for one in figures if one.unit}) == 1:
        figures = [one for one in figures if one.unit]
    return figures[0] if len(figures) == 1 else None


def asks_change(question: str) -> bool:
    """Whether a question asks if something rose, or if it fell."""
    return (RISING.search(question) is None) is not (FALLING.search(question) is None)


def by_change(sentence: str, asked: Asked, question: str, locale: Locale | None) -> Stance | None:
    """What a figure beside the earlier one says to whether something rose or fell: `from 1,240 to 1,108`."""
    rises = RISING.search(question)
    if not (asked.echo | asked.topic | asked.entities) & set(map(stem, folded_words(sentence))):
        return None
    pair = _then_and_now(sentence, locale)
    if pair is None or pair[0] == pair[1]:
        return None
    value = (pair[1] > pair[0]) is (rises is not None)
    return Stance(value is not asked.negated, WEIGHTS["change between figures"], "change between figures")


def _then_and_now(sentence: str, locale: Locale | None) -> tuple[float, float] | None:
    moved = TO_FROM.search(sentence) or FROM_TO.search(sentence)
    if moved is not None and _one_of(moved["then"], locale) is not None:
        then, now = _one_of(moved["then"], locale), _one_of(moved["now"], locale)
    else:
        against = AGAINST.search(sentence)
        if against is None or not EARLIER.search(sentence, against.start()) or RATHER_THAN.search(sentence):
            return None
        now, then = _one_of(sentence[: against.start()], locale), _one_of(sentence[against.end() :], locale)
    if then is None or now is None or (then.unit and now.unit and then.unit != now.unit):
        return None
    return then.value, now.value


def _one_of(text: str, locale: Locale | None) -> Figure | None:
    """The only amount in a text that is no year and no share."""
    found = [
        Figure(one.readings[0][0], one.unit)
        for one in find_numbers(text[:200], locale or "vi")
        if one.plausible and one.readings[0][0] == one.readings[0][1]
    ]
    units = [one for one in found if one.unit and one.unit != "%"]
    found = units or found
    return found[0] if len(found) == 1 else None
