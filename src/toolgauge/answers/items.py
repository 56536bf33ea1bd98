"""Scores answers that are lists, in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from toolgauge.core import Answer, JsonValue
from toolgauge.locale import Locale, find_numbers

from .answer_type import SWITCH_SCHEMA, TEXTS_SCHEMA, AnswerType, Scorer, Setting, Spec, check_switch, is_text
from .reading import MAX_CHARACTERS, Surroundings, clean, region_of, sentences
from .string import Needle, fold_words

__all__ = ["LIST"]

BULLET = re.compile(r"^[ \t]*(?:[-*•+–]|\(?[0-9]{1,3}[.)]|[a-zA-Z][.)])[ \t]+(\S.*)$")
ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$")
RULE = re.compile(r"^[\s|:-]+$")
HEAD_END = re.compile(r"\s[-–—:]\s|:\s|:$|\s\(|\s[-–—]$|\s=>?\s|,\s")
SEPARATOR = re.compile(
    r"\s{0,2}(?:(?<![0-9]),|,(?![0-9])|[;、\n]|\s(?:và|and|&|cùng|hoặc|or|cũng\snhư|as\swell\sas|plus)\s|(?<=\s)/(?=\s))\s{0,2}",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"(?:^|\s)(?:là|gồm|bao\sgồm|gồm\scó|are|is|were|include|includes|including|namely|như|đó\slà|có|:)\s?(?::\s)?",
    re.IGNORECASE,
)
ARRAY = re.compile(r"\[[^\[\]]{1,20000}\]")
NOTHING = re.compile(
    r"\b(?:none|no\s(?:items?|results?|matches|matching)|nothing|empty|không\scó|không\stìm\sthấy|rỗng|trống)\b|\[\s*\]",
    re.IGNORECASE,
)
FILLER = re.compile(
    r"^(?:(?:and|và|or|hoặc|only|just|chỉ|both|cả|mã|cổ\sphiếu|thành\sphố|tỉnh|ông|bà|anh|chị|cô|mr|mrs|ms|dr)\.?\s)+",
    re.IGNORECASE,
)
ANNOUNCED = re.compile(
    r":(?=\s)|\b(?:là|gồm(?:\scó)?|như\ssau|are|were|include|includes|including|namely)(?=[\s:])", re.IGNORECASE
)
"""What parts the opening of a sentence from the items that it announces."""
OPENING = re.compile(
    r"\s*(?:after|based|according|from|in|on|as|per|given|looking|using|upon|following|for|with|overall|so|thus|hence|therefore|yes"
    r"|sure|certainly|to\s\w+|theo|sau\skhi|dựa|qua|trong|với|vậy|do\sđó|vì\svậy|như\svậy|tóm\slại|có|vâng|dạ|tính|căn\scứ|từ|để|tại|ở)\b"
    r"[^,;\n]{0,200},\s",
    re.IGNORECASE,
)
"""Words before the first comma that only lead up to the items: `Based on the data, `."""
REMARK = re.compile(r"\s?\([^()\n]{1,300}\)")
QUOTED = re.compile(r"\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'(?=\s*[,\]])")
MAX_SENTENCES = 2000
QUOTES = " \t\"'“”‘’.!?`*_:;()[]{}"


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `list` reference: the same items, no more and no fewer."""
    locale = setting.locale
    value = spec["value"]
    names = [_text(item) for item in (value if isinstance(value, list) else [value])]
    matcher = _Matcher(names, locale, ignore_tones=bool(spec.get("ignore_tones")))

    def score(output: str) -> Answer:
        cleaned = clean(output)
        region = region_of(cleaned)
        text = region.text[:MAX_CHARACTERS].strip() if region.marked else cleaned[-MAX_CHARACTERS:].strip()
        if not names:
            said = NOTHING.search(text) is not None
            return Answer("right" if said else "wrong", [] if said else None, "expected no items")
        best = matcher.judge(_items(text, matcher, first=region.marked))
        if best.verdict == "wrong" and region.marked and not region.firm:
            other = matcher.judge(_items(cleaned, matcher, first=False))
            return other if other.verdict == "right" else best
        return best

    return score


def _text(item: JsonValue) -> str:
    if isinstance(item, bool):
        return str(item).lower()
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)


class _Matcher:
    """Compares items with the expected ones."""

    def __init__(self, names: Sequence[str], locale: Locale | None, *, ignore_tones: bool) -> None:
        self.names = names
        self.locale: Locale | None = locale
        self.ignore_tones = ignore_tones
        self.needles = [Needle(name, locale, ignore_tones=ignore_tones) for name in names]
        self.capitals = all(name[:1].isupper() or name[:1].isdigit() for name in names)
        self.numbers = [_number(name, locale) for name in names]
        self.compound = [index for index, name in enumerate(names) if SEPARATOR.search(name)]

    def match(self, item: str) -> int | None:
        """Index of the expected item that this one is."""
        item = item.strip(QUOTES)
        if not item:
            return None
        for keep in (False, True):
            words = fold_words(item, self.locale, ignore_tones=self.ignore_tones, keep_articles=keep)
            for index, needle in enumerate(self.needles):
                if needle.keep_articles == keep and needle.equals(words):
                    return index
        number = _number(item, self.locale)
        return self.numbers.index(number) if number is not None and number in self.numbers else None

    def mentions(self, text: str) -> int:
        """How many expected items a text names."""
        words = fold_words(text, self.locale, ignore_tones=self.ignore_tones)
        return sum(any(True for _ in needle.find(words)) for needle in self.needles)

    def first_place(self, text: str) -> int:
        """Where the first expected item stands; the end of the text where there is none."""
        words = fold_words(text, self.locale, ignore_tones=self.ignore_tones)
        firsts = (next(needle.find(words), None) for needle in self.needles)
        return min((words.spans[first[0]][0] for first in firsts if first), default=len(text))

    def _compounds(self, text: str) -> list[tuple[int, int]]:
        """Where expected items stand that have a separator in them, such as `Trinidad and Tobago`, in order."""
        found: list[tuple[int, int]] = []
        for index in self.compound:
            needle = self.needles[index]
            words = fold_words(text, self.locale, ignore_tones=self.ignore_tones, keep_articles=needle.keep_articles)
            found += [(words.spans[first][0], words.spans[last - 1][1]) for first, last in needle.find(words)]
        return sorted(found)

    def split(self, text: str) -> list[tuple[str, int]]:
        """The pieces between commas and the like, with their places; expected items stay whole."""
        compounds = self._compounds(text)
        pieces: list[tuple[str, int]] = []
        place = passed = whole = 0
        for match in SEPARATOR.finditer(text):
            while passed < len(compounds) and compounds[passed][0] < match.end():
                whole = max(whole, compounds[passed][1])
                passed += 1
            if whole <= match.start():
                pieces.append((text[place : match.start()], place))
                place = match.end()
        return [*pieces, (text[place:], place)]

    def is_item(self, piece: str) -> bool:
        """Whether a piece of a sentence looks like an item and not like the rest of the sentence."""
        piece = piece.strip(QUOTES)
        if not piece or len(piece.split()) > 8:
            return False
        return not self.capitals or piece[0].isupper() or piece[0].isdigit()

    def judge(self, items: Sequence[str]) -> Answer:
        """The verdict on the items of an answer."""
        found: list[JsonValue] = []
        seen: set[int] = set()
        extra: list[str] = []
        for item in items:
            index = self.match(item)
            if index is None:
                extra.append(item.strip(QUOTES))
            elif index not in seen:
                seen.add(index)
                found.append(self.names[index])
        missing = [name for index, name in enumerate(self.names) if index not in seen and not self._twin(index, seen)]
        found += extra
        reasons = [f"missing: {', '.join(missing)}"] if missing else []
        reasons += [f"extra: {', '.join(extra[:10])}"] if extra else []
        if reasons:
            return Answer("wrong", found[:100], "; ".join(reasons))
        return Answer("right", found[:100], f"all {len(self.names)} items")

    def _twin(self, index: int, seen: set[int]) -> bool:
        """Whether an equal expected item was seen."""
        return any(self.needles[index].words.squeezed == self.needles[other].words.squeezed for other in seen)


def _number(text: str, locale: Locale | None) -> float | None:
    if not any(letter.isdigit() for letter in text):
        return None
    found = find_numbers(text, locale or "en")
    whole = len(found) == 1 and found[0].start == 0 and found[0].end == len(text)
    return found[0].value if whole else None


def _items(text: str, matcher: _Matcher, *, first: bool) -> list[str]:
    """The items that an answer lists."""
    candidates = [*_blocks(text, matcher), *_arrays(text, matcher)]
    named = [items for items in candidates if any(matcher.match(item) is not None for item in items)]
    if named:
        return named[0] if first else named[-1]
    return _enumeration(text, matcher, first=first)


def _arrays(text: str, matcher: _Matcher) -> list[list[str]]:
    """JSON-like lists; what is in quotes is one item, whatever it holds."""
    arrays: list[list[str]] = []
    for match in ARRAY.finditer(text):
        array = match.group()[1:-1]
        quoted = [one[1] or one[2] for one in QUOTED.finditer(match.group())]
        if quoted and not QUOTED.sub("", match.group()).strip("[], \t\n"):
            arrays.append(quoted)
        elif "," in array or '"' in array:
            arrays.append([piece for piece, _ in matcher.split(array)])
    return arrays


def _blocks(text: str, matcher: _Matcher) -> list[list[str]]:
    """Bulleted lists, and the columns of tables."""
    blocks: list[list[str]] = []
    bullets: list[str] = []
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        bullet = BULLET.match(line)
        row = ROW.match(line)
        if bullet:
            if not line[:1].isspace() or not bullets or matcher.match(_head(bullet[1], matcher)) is not None:
                bullets.append(_head(bullet[1], matcher))
            continue
        if row:
            if not RULE.match(line):
                rows.append([cell.strip() for cell in row[1].split("|")])
            continue
        if line.strip() and line[:1].isspace() and bullets:
            continue
        if not line.strip() and bullets and not rows:
            blocks.append(bullets)
            bullets = []
        if line.strip() or rows:
            blocks += [bullets] if bullets else []
            blocks += _columns(rows)
            bullets, rows = [], []
    return [block for block in blocks if block]


def _columns(rows: list[list[str]]) -> list[list[str]]:
    """The columns of a table without their headings."""
    if len(rows) < 2:
        return []
    return [[row[column] for row in rows[1:] if column < len(row)] for column in range(len(rows[0]))]


def _head(item: str, matcher: _Matcher) -> str:
    """The item itself, without what is said about it."""
    if matcher.match(item) is not None:
        return item
    for cut in HEAD_END.finditer(item):
        if matcher.match(item[: cut.start()]) is not None:
            return item[: cut.start()]
    behind = re.match(r"[^():]{1,80}\(([^()]{1,80})\)", item)
    if behind and matcher.match(behind[1]) is not None:
        return behind[1]
    parts = re.split(r"\s[-–—:]\s|:\s", item, maxsplit=1)
    if len(parts) == 2 and matcher.match(parts[1]) is not None:
        return parts[1]
    cut_first = HEAD_END.search(item)
    return item[: cut_first.start()] if cut_first else item


def _enumeration(text: str, matcher: _Matcher, *, first: bool) -> list[str]:
    """The items of a sentence such as `Hai mã là FPT và VNM`."""
    said = sentences(text)[:MAX_SENTENCES] if first else sentences(text)[-MAX_SENTENCES:]
    scored = [(matcher.mentions(sentence), index) for index, sentence in enumerate(said)]
    highest = max((count for count, _ in scored), default=0)
    if not highest:
        return [text] if len(text) < 200 else []
    if len(said) > 1 and all(matcher.match(said[index]) is not None for _, index in scored):
        return said
    best = [index for count, index in scored if count == highest]
    return _pieces(said[best[0] if first else best[-1]], matcher)


def _without_opening(sentence: str, matcher: _Matcher) -> str:
    """The part of a sentence that lists, without what leads up to it: `Theo dữ liệu, hai mã là FPT và VNM`."""
    first = matcher.first_place(sentence)
    separator = SEPARATOR.search(sentence, 0, first)
    announced = ANNOUNCED.search(sentence, separator.end()) if separator else None
    if announced and announced.start() < first:
        return sentence[announced.end() :].lstrip(": ")
    opening = OPENING.match(sentence)
    return sentence[opening.end() :] if opening and opening.end() <= first else sentence


def _without_remarks(sentence: str, matcher: _Matcher) -> str:
    """The sentence without brackets that name no expected item: `FPT (technology, Hanoi) and VNM`."""
    return REMARK.sub(lambda match: match.group() if matcher.mentions(match.group()) else "", sentence)


def _pieces(sentence: str, matcher: _Matcher) -> list[str]:
    sentence = _without_opening(_without_remarks(sentence, matcher), matcher)
    around = Surroundings(sentence)
    items: list[str] = []
    for piece, start in matcher.split(sentence):
        if around.is_ruled_out(start + len(piece) - len(piece.lstrip()), start + len(piece)) or _is_denied(piece):
            continue
        items += _piece(piece, matcher, first=not items)
    return items


def _is_denied(piece: str) -> bool:
    return (
        re.match(
            r"\s*(?:(?:chứ\s)?không\s(?:phải|có|gồm|bao)|not\b|nhưng\skhông|but\snot|excluding|trừ\b|except)",
            piece,
            re.IGNORECASE,
        )
        is not None
    )


def _piece(piece: str, matcher: _Matcher, *, first: bool) -> list[str]:
    """The item in a piece between commas; the first and the last one may carry the rest of the sentence."""
    if matcher.match(piece) is not None:
        return [piece]
    parts = piece.split("/")
    if len(parts) > 1 and any(matcher.match(part) is not None for part in parts):
        return parts
    piece = FILLER.sub("", piece.strip())
    bare = re.sub(r"\s?\([^()]*\)", "", piece).strip()
    if matcher.match(bare) is not None or matcher.match(piece) is not None:
        return [bare if matcher.match(bare) is not None else piece]
    tail = bare
    if first:
        for cut in LEAD.finditer(bare):
            tail = bare[cut.end() :]
            if matcher.match(tail) is not None:
                return [tail]
        ending = _edge(bare, matcher, at_end=True)
        if ending:
            return [ending]
    beginning = _edge(tail, matcher, at_end=False) or _edge(tail, matcher, at_end=True)
    if beginning:
        return [beginning]
    if first and tail is bare and len(bare.split()) > 4:
        return []
    return [tail] if matcher.is_item(tail) else []


def _edge(piece: str, matcher: _Matcher, *, at_end: bool) -> str | None:
    """An expected item at the start or the end of a piece, with a lower-case word beside it."""
    words = piece.split()
    for count in range(min(8, len(words) - 1), 0, -1):
        item = " ".join(words[-count:] if at_end else words[:count])
        beside = words[-count - 1] if at_end else words[count]
        if matcher.match(item) is not None and (beside[0].islower() or beside[0] in "(-–—:" or beside[-1] in ":"):
            return item
    return None


def _check(spec: Spec) -> list[str]:
    value = spec.get("value")
    problems = []
    if not isinstance(value, list) or not all(map(is_text, value)):
        problems.append("a list answer needs a value that is a list of texts or numbers")
    return problems + check_switch(spec, "ignore_tones")


LIST = AnswerType(
    "list",
    _prepare,
    _check,
    {"value": TEXTS_SCHEMA, "ignore_tones": SWITCH_SCHEMA},
    words_key="value",
    called=("list", "set", "danh sách", "liệt kê", "tập hợp"),
)
