"""Which column of a table a question asks for, and which rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import ge, gt, lt

from ..page import Cell, Page
from ..question import Question, stem
from ..yes_no.opposites import find_members, folded_words
from ..yes_no.weekdays import weekdays_in

__all__ = ["ListEntry", "column_entries", "fitting_entries", "wants_contrary", "wants_unticked"]

FLAGS = re.IGNORECASE
YES = re.compile(
    r"\W*(?:yes|y|true|có|đã|đạt|được|x|pass|passed|ok|done|rồi|met|still|vẫn|paid|✅|✔|✓|☑)\b|\s*[✅✔✓☑]", FLAGS
)
NO = re.compile(
    r"\W*(?:no|n|false|không|chưa|not|none|fail|failed|suspended|unpaid|missing|never|hết|ngừng|❌|✗|☒)\b|\s*[❌✗☒✘]|\s*[-–—]\s*$",
    FLAGS,
)
SIGNED = re.compile(r"\s*([+−–-])?\s?[$€£₫]?\s?[0-9][0-9.,]*\s?(?:%|điểm|pts?)?")
FIGURES = re.compile(r"[\s$€£₫~≈+−–-]*[0-9][0-9.,:/\s]*(?:%|[^\W\d]{0,6}\.?|đồng|triệu|tỷ)?(?:/\w+)?\s*")
DOWN = re.compile(
    r"\b(?:giảm|mất\sđiểm|fell|fall|falling|declined?|dropped|decreased?|lost|losers?|down|lỗ|negative|âm|in\sthe\sred|sụt|(?:showed|had|saw|recorded|posted)\s(?:a\s)?(?:\w+\s){0,2}decline)\b",
    FLAGS,
)
UP = re.compile(
    r"\b(?:tăng|rose|rise|rising|gained|gainers?|increased?|up|lãi|positive|dương|climbed|grew|xanh|profitable|(?:showed|had|saw|recorded|posted)\s(?:\w+\s){0,2}growth)\b",
    FLAGS,
)
CONTRARY = re.compile(
    r"\b(?:not|no|isn['’]t|aren['’]t|didn['’]t|doesn['’]t|don['’]t|haven['’]t|hasn['’]t|weren['’]t|still\s(?:need|needs|to)|yet\sto|chưa|không|còn\sphải|without|never)\b",
    FLAGS,
)
UNTICKED = re.compile(
    r"\b(?:still|remaining|outstanding|open|pending|unfinished|thiếu|missing|lacks?|failed|incomplete|còn\slại|to\sdo|left)\b",
    FLAGS,
)
ASKING = re.compile(r"\((?:[^()]*)\)|(?:đúng|phải|hay|có)\s+không\s*\?*$", FLAGS)
REMARK = re.compile(r"\s[-–—:→]\s|:\s|\s\(|\s=>?\s|,\s")
MORE = re.compile(
    r"\b(?:trên|hơn|over|above|more\sthan|greater\sthan|exceeding|vượt)\s(?:mức\s)?[$€£]?([0-9][0-9.,]*)\s?(%)?", FLAGS
)
LEAST = re.compile(r"\b(?:at\sleast|tối\sthiểu|ít\snhất|từ)\s[$€£]?([0-9][0-9.,]*)\s?(%)?", FLAGS)
LESS = re.compile(r"\b(?:dưới|under|below|less\sthan|fewer\sthan)\s[$€£]?([0-9][0-9.,]*)\s?(%)?", FLAGS)


@dataclass(frozen=True)
class ListEntry:
    """An item of a list, with what is said of it."""

    text: str
    bold: tuple[str, ...] = ()
    ticked: bool | None = None
    whole: bool = False
    """Whether all of it is the item, as in the cell of a table."""

    def head(self) -> str:
        """The item without what is said of it."""
        if self.bold and self.text.lstrip(" ✅❌✔✗").startswith(self.bold[0]) and len(self.bold[0]) > 1:
            return self.bold[0].strip(" :.,")
        cut = None if self.whole else REMARK.search(self.text)
        return (self.text[: cut.start()] if cut else self.text).strip(" \t✅❌✔✗☑☒.:;")

    def said(self) -> bool | None:
        """Whether it is ticked, or said to be so; None where neither is said."""
        if self.ticked is not None:
            return self.ticked
        text = self.text.lstrip()
        if text[:1] in "✅✔☑":
            return True
        if text[:1] in "❌✗☒":
            return False
        remark = self.remark()
        return False if NO.match(remark) else True if YES.match(remark) else None

    def remark(self) -> str:
        """What is said of the item."""
        cut = REMARK.search(self.text)
        return self.text[cut.end() :] if cut else ""


def fitting_entries(entries: list[ListEntry], asked: Question) -> list[ListEntry]:
    """The bullets that a tick, a yes or no, or a status behind them marks as what is asked for."""
    contrary = wants_unticked(asked)
    signs = [entry.said() for entry in entries]
    if None not in signs and len(set(signs)) == 2:
        return [entry for entry, sign in zip(entries, signs, strict=True) if sign is not contrary]
    remarks = [entry.remark() for entry in entries]
    if len(entries) < 2 or not asked.text or not all(remarks) or max(map(len, remarks)) > LONGEST_STATUS:
        return entries
    fits = _by_status([remark.strip(" .;)").casefold() for remark in remarks], "", asked)
    if fits is None or not 0 < sum(fits) < len(fits):
        return entries
    return [entry for entry, fit in zip(entries, fits, strict=True) if fit]


LONGEST_STATUS = 60


def wants_contrary(asked: Question) -> bool:
    """Whether a question asks for what is not so, or not yet."""
    return CONTRARY.search(ASKING.sub(" ", asked.text)) is not None


def wants_unticked(asked: Question) -> bool:
    """Whether a question asks for what has no tick, or a cross."""
    return wants_contrary(asked) or UNTICKED.search(asked.text) is not None


def column_entries(page: Page, cells: Sequence[Cell], asked: Question) -> tuple[list[ListEntry], list[str]]:
    """The cells of the column that is asked for, of the rows that fit; and those of all rows."""
    columns: dict[int, list[Cell]] = {}
    for cell in cells:
        columns.setdefault(cell.place, []).append(cell)
    texts = {place: [page.text[cell.start : cell.end].strip() for cell in column] for place, column in columns.items()}
    heads = {place: column[0].column for place, column in columns.items()}
    chosen = _column(texts, heads, asked)
    if chosen is None:
        return [], []
    fits = _rows(texts, heads, chosen, asked)
    entries = [
        ListEntry(text, _bold(page, cell), whole=True)
        for cell, text in zip(columns[chosen], texts[chosen], strict=True)
        if text and (fits is None or cell.line in fits) and not TOTAL.match(text)
    ]
    return entries, [text for text in texts[chosen] if text and not TOTAL.match(text)]


TOTAL = re.compile(r"\W*(?:tổng|total|sum|cộng|all|tất\scả|trung\sbình|average)\b", FLAGS)


def _bold(page: Page, cell: Cell) -> tuple[str, ...]:
    return tuple(page.text[first:last] for first, last in page.emphasised if cell.start <= first and last <= cell.end)[
        :2
    ]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in folded_words(text)}


def _column(texts: dict[int, list[str]], heads: dict[int, str], asked: Question) -> int | None:
    """The column of items: the one that the question names, else the first with words."""
    best, highest = None, -10.0
    words = set(asked.words)
    for place in sorted(texts):
        column = [text for text in texts[place] if text]
        named = _stems(heads[place]) & words
        ranks = [text.rstrip(".)") for text in column] == [str(number + 1) for number in range(len(column))]
        counts = ranks or not named
        counts = counts and all(text.rstrip(".)").isdigit() and len(text) < 4 for text in column)
        if not column or (len(texts) > 1 and counts):
            continue
        weight = -0.01 * place
        if all(YES.fullmatch(text) or NO.fullmatch(text) for text in column):
            weight -= 4
        if all(FIGURES.fullmatch(text) for text in column):
            weight -= 2
        weight += 1.0 if best is None else 0.0
        weight += 2.5 if _stems(heads[place]) & words else 0.0
        if len(set(column)) < len(column):
            weight -= 1.5
        if weight > highest:
            best, highest = place, weight
    return best


def _rows(texts: dict[int, list[str]], heads: dict[int, str], chosen: int, asked: Question) -> set[int] | None:
    """The rows that fit the question, where a column tells them apart; None: all."""
    if not asked.text:
        return None
    beside = [place for place in texts if place != chosen and len(texts[place]) == len(texts[chosen])]
    beside.sort(key=lambda place: (-_likeness(heads[place], asked), place))
    told = next((fits for place in beside if (fits := _by_column(texts[place], heads[place], asked))), None)
    held = next((fits for place in beside if (fits := _by_threshold(texts[place], heads[place], asked))), None)
    held = held or _by_two_columns([(heads[place], texts[place]) for place in beside], asked)
    rows = [fits for fits in (told, held) if fits is not None and 0 < sum(fits) < len(fits)]
    if not rows:
        return _by_rank(texts, asked)
    return {row for row, fits in enumerate(zip(*rows, strict=True)) if all(fits)}


def _likeness(head: str, asked: Question) -> int:
    """How much the heading of a column is like the question: its words, its days."""
    days = weekdays_in(f"{head}:")
    return len(_stems(head) & {*asked.words, *asked.figures}) + 2 * bool(days & weekdays_in(asked.text))


def _by_column(column: Sequence[str], head: str, asked: Question) -> list[bool] | None:
    for rule in (_by_yes_no, _by_sign, _by_status):
        fits = rule(column, head, asked)
        if fits is not None and 0 < sum(fits) < len(column):
            return fits
    return None


def _by_two_columns(columns: Sequence[tuple[str, Sequence[str]]], asked: Question) -> list[bool] | None:
    """Rows whose figure lies below or above the limit in the column beside it: `Stock | Minimum`."""
    below, above = BELOW.search(asked.text), ABOVE.search(asked.text)
    figures = [(head, column) for head, column in columns if all(FIGURES.fullmatch(text) for text in column)]
    limits = [column for head, column in figures if BOUNDING.search(head)]
    others = [column for head, column in figures if not BOUNDING.search(head)]
    if bool(below) == bool(above) or len(limits) != 1 or len(others) != 1:
        return None
    pairs = [(_value(one), _value(two)) for one, two in zip(others[0], limits[0], strict=True)]
    return [one is not None and two is not None and (one < two if below else one > two) for one, two in pairs]


BELOW = re.compile(r"\b(?:dưới|below|under|thấp\shơn|less\sthan|missed|không\sđạt|chưa\sđạt|hụt)\b", FLAGS)
ABOVE = re.compile(r"\b(?:vượt|trên|above|over|exceed(?:s|ed)?|overspent|cao\shơn|more\sthan|beat)\b", FLAGS)
BOUNDING = re.compile(
    r"\b(?:tối\sthiểu|tối\sđa|minimum|maximum|min|max|budget|plan|planned|target|limit|kế\shoạch|định\smức|chỉ\stiêu|mục\stiêu"
    r"|ngân\ssách|dự\stoán|ngưỡng|giới\shạn|cho\sphép|quota)\b",
    FLAGS,
)
NUMBERS = {"hai": 2, "ba": 3, "bốn": 4, "năm": 5, "two": 2, "three": 3, "four": 4, "five": 5}
TOP = re.compile(
    r"\btop\s(?P<figure>[2-9]|10)\b|\b(?P<word>hai|ba|bốn|năm|two|three|four|five|[2-9])\s(?:[^\s?]+\s){1,6}?nhất\b"
    r"|\b(?P<most>two|three|four|five|[2-9])\s(?:most|largest|biggest|highest|best|cheapest|fastest|top)\b",
    FLAGS,
)


def _by_rank(texts: dict[int, list[str]], asked: Question) -> set[int] | None:
    """The first rows of a numbered table, where the question asks for so many."""
    match = TOP.search(asked.text)
    ranks = texts.get(0, [])
    if match is None or [text.strip(" .#") for text in ranks] != [str(number + 1) for number in range(len(ranks))]:
        return None
    said = next(group for group in match.groups() if group).lower()
    count = NUMBERS.get(said) or int(said)
    return set(range(count)) if count < len(ranks) else None


def _by_yes_no(column: Sequence[str], head: str, asked: Question) -> list[bool] | None:
    if not all(YES.match(text) or NO.match(text) or not text for text in column) or not any(map(YES.match, column)):
        return None
    rows = {member.row: member.side for member in find_members(folded_words(asked.text))}
    sides = [member.side == rows[member.row] for member in find_members(folded_words(head)) if member.row in rows]
    if not sides and not _stems(head) & set(asked.words) and len(_stems(head)) > 0:
        return None
    negated = wants_contrary(asked) if not (sides and not any(sides)) else True
    return [bool(text and NO.match(text) is None) is not negated for text in column]


def _by_sign(column: Sequence[str], _: str, asked: Question) -> list[bool] | None:
    down, up = DOWN.search(asked.text), UP.search(asked.text)
    if any(pattern.search(asked.text) for pattern, _ in LIMITS):
        return None
    if bool(down) == bool(up) or not all(SIGNED.match(text) for text in column):
        return None
    signs = [match[1] for text in column if (match := SIGNED.match(text))]
    if not any(signs):
        return None
    return [(sign is not None and sign != "+") if down else sign == "+" for sign in signs]


def _by_status(column: Sequence[str], _: str, asked: Question) -> list[bool] | None:
    """A column of few words again and again: the rows whose word says what the question asks for."""
    if any(FIGURES.fullmatch(text) for text in column) or len(column) < 2:
        return None
    wanted = not wants_contrary(asked)
    words = set(asked.words)
    rows = {member.row: member.side for member in reversed(find_members(folded_words(asked.text)))}
    known: dict[str, bool | None] = {}
    for text in column:
        if text not in known:
            known[text] = _sense(text, words, rows)
    if len(known) > max(2, len(column) * 2 // 3) and None in known.values():
        return None
    fits = [known[text] is wanted for text in column]
    return fits if any(fits) else None


def _sense(text: str, words: set[str], rows: dict[int, int]) -> bool | None:
    """Whether a status affirms or denies what is asked, or says something else."""
    denied = CONTRARY.search(text) is not None
    sides = [member.side == rows[member.row] for member in find_members(folded_words(text)) if member.row in rows]
    if sides:
        return any(sides) is not denied
    stems = _stems(text) - SMALL
    return not denied if stems and len(stems & words) * 2 >= len(stems) else None


SMALL = frozenset(stem(word) for word in folded_words("not no yet still chưa không đã đang vẫn is has was been"))


def _value(text: str) -> float | None:
    match = re.search(r"[−-]?[0-9]+(?:[.,][0-9]+)?", text)
    return float(match.group().replace(",", ".").replace("−", "-")) if match else None


LIMITS: tuple[tuple[re.Pattern[str], Callable[[float, float], bool]], ...] = ((MORE, gt), (LESS, lt), (LEAST, ge))


def _by_threshold(column: Sequence[str], head: str, asked: Question) -> list[bool] | None:
    """A limit that the question gives, in percent or in the measure of a column that it names."""
    for pattern, fits in LIMITS:
        match = pattern.search(asked.text)
        limit = _value(match[1]) if match else None
        if match is None or limit is None:
            continue
        if match[2] is not None and not all("%" in text or "%" in head for text in column):
            continue
        sign = next((sign for sign in "$€£" if sign in match.group()), None)
        priced = sign is not None and all(sign in text for text in column)
        if match[2] is None and not priced and not _stems(head) & set(asked.words):
            continue
        values = [value for text in column if FIGURES.fullmatch(text) and (value := _value(text)) is not None]
        if len(values) == len(column):
            return [fits(value, limit) for value in values]
    return None
