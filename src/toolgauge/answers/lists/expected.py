"""The expected items of a list, and which of them an item of an answer is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgauge.core import Answer, JsonValue
from toolgauge.locale import Locale, find_numbers, fold_word

from ..question import stem
from ..string import Needle, fold_words
from .columns import ListEntry

__all__ = ["QUOTES", "SEPARATOR", "ExpectedItems"]

SEPARATOR = re.compile(
    r"\s{0,2}(?:(?<![0-9]),|,(?![0-9])|[;、\n]|\s(?:và|and|&|cùng|hoặc|or|cũng\snhư|as\swell\sas|plus)\s|(?<=\s)/(?=\s))\s{0,2}",
    re.IGNORECASE,
)
HEAD_END = re.compile(r"\s[-–—:]\s|:\s|:$|\s\(|\s[-–—]$|\s=>?\s|\s→\s|,\s")
QUOTES = " \t\n\"'“”‘’.!?`*_:;()[]{}«»"
MARKS = re.compile(r"^[^\w\"'“‘(\[]+|[^\w)\]\"'”’.!?%+#]+$")
JOINED = re.compile(r",\s|\s(?:và|and|&)\s", re.IGNORECASE)
JOINING = frozenset(map(fold_word, ("and", "or", "và", "hoặc", "hay", "cùng", "plus")))
MAX_KNOWN = 2000
MOST_QUALIFYING = 7
"""How many words behind an item may say which kind of it is meant."""
QUANTITY = re.compile(
    r"^(?:about\s|khoảng\s)?[0-9][0-9.,/]*\s?(?:x\s|×\s)?(?:(?:cups?|tbsp|tsp|kg|g|ml|l|lít|cans?|pieces?|slices?|cloves?|củ|quả|trái|gói|chai|hộp|thìa|muỗng|cái|chiếc|con|bó|lon|oz|lbs?|pounds?)\.?\s(?:of\s)?)?",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"^(?:(?:and|và|or|hoặc|only|just|chỉ|both|cả|mã|cổ\sphiếu|thành\sphố|tp|tỉnh|huyện|quận|ga|kho|quỹ|nước|đảo|đội|môn|hãng|ngân\shàng|công\sty|ông|bà|anh|chị|cô|em|bác|thầy|mr|mrs|ms|dr|prof|sir"
    r"|a|an|the|some|một|hai|ba|bốn|one|two|three|four|bản|chiếc|tấm|copy\sof|copies\sof|fund|city\sof|province\sof|bão\ssố\s[0-9]+|bão|cơn\sbão|kênh|gói|món|phòng|size)\.?\s)+",
    re.IGNORECASE,
)


class ExpectedItems:
    """The expected items."""

    def __init__(
        self, names: Sequence[str], locale: Locale | None, *, ignore_tones: bool, asked: frozenset[str] = frozenset()
    ) -> None:
        self.names = names
        self.locale: Locale | None = locale
        self.ignore_tones = ignore_tones
        self.asked = asked
        """The words of the question, folded: what kind of thing the items are."""
        self.needles = [Needle(name, locale, ignore_tones=ignore_tones) for name in names]
        self.capitals = all(name[:1].isupper() or name[:1].isdigit() for name in names)
        self.numbers = [_number(name, locale) for name in names]
        self.counts = any(number is not None for number in self.numbers)
        self.articles = sorted({needle.keep_articles for needle in self.needles})
        self.longest = 2 * max(map(len, names), default=0) + 40
        """A longer text is none of the items, whatever its punctuation."""
        self._known: dict[str, int | None] = {}
        self.compound = [index for index, name in enumerate(names) if SEPARATOR.search(name)]
        initials = [_initials(name) for name in names]
        self.initials = {short: index for index, short in enumerate(initials) if short and initials.count(short) == 1}
        self.stems = [tuple(stem(word) for word in name.lower().split()) for name in names]

    def match(self, item: str) -> int | None:
        """Index of the expected item that this one is."""
        item = item.strip(QUOTES)
        if not item or len(item) > self.longest:
            return None
        if item not in self._known:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            self._known[item] = self._match(item)
        return self._known[item]

    def _match(self, item: str) -> int | None:
        for keep in self.articles:
            words = fold_words(item, self.locale, ignore_tones=self.ignore_tones, keep_articles=keep)
            for index, needle in enumerate(self.needles):
                if needle.keep_articles == keep and needle.equals(words):
                    return index
        if self.counts:
            number = _number(item, self.locale)
            if number is not None and number in self.numbers:
                return self.numbers.index(number)
        return self._alike(item)

    def _alike(self, item: str) -> int | None:
        """An item that differs by its ending, as `bean` and `beans` do, or is written by its first letters."""
        short = item.replace(".", "").replace(" ", "")
        if short.isupper() and short in self.initials:
            return self.initials[short]
        if item.isascii():
            stems = tuple(stem(word) for word in item.lower().split())
            if stems in self.stems:
                return self.stems.index(stems)
        return None

    def recognise(self, entry: ListEntry) -> str:
        """The part of an entry that is an expected item, or else all of it without what is said about it."""
        text = MARKS.sub("", entry.text.strip()) or entry.text
        if self.match(text) is not None:
            return text
        for bold in entry.bold:
            if self.match(bold.strip(QUOTES)) is not None:
                return bold
        for cut in HEAD_END.finditer(text):
            if self.match(text[: cut.start()]) is not None:
                return text[: cut.start()]
        longest = [text[: cut.start()] for cut in HEAD_END.finditer(text)]
        named = next((item for head in reversed(longest) if (item := self.bare(head)) is not None), None)
        if named is not None and len(longest) > 1:
            return named
        behind = re.match(r"[^():]{1,120}\(([^()]{1,80})\)", text)
        if behind and self.match(behind[1]) is not None:
            return behind[1]
        parts = re.split(r"\s[-–—:]\s|:\s", text, maxsplit=1)
        if len(parts) == 2 and self.match(parts[1]) is not None:
            return parts[1]
        cut_first = HEAD_END.search(text)
        head = text[: cut_first.start()] if cut_first else text
        inner = self.bare(head)
        return inner if inner is not None else head

    def recognise_all(self, entry: ListEntry) -> list[str]:
        """The items of an entry, which are several in `Austria and Liechtenstein (east)`."""
        item = self.recognise(entry)
        if self.match(item) is None and JOINED.search(item):
            parts = [self.bare(piece) or piece for piece, _ in self.split(item) if piece.strip()]
            if any(self.match(part) is not None for part in parts):
                return parts
        return [item]

    def bare(self, head: str) -> str | None:
        """The expected item in a name with a title, a quantity or a kind before it, or what kind of it behind it."""
        plain = QUANTITY.sub("", MARKS.sub("", head.strip(QUOTES)))
        untitled = TITLE.sub("", plain)
        for form in (plain, untitled):
            if form and self.match(form) is not None:
                return form
        words = untitled.split()
        for count in range(len(words) - 1, 0, -1):
            front, back = " ".join(words[:count]), " ".join(words[-count:])
            if self.match(front) is not None and self._qualifies(words[count:]):
                return front
            kind = [fold_word(word) for word in words[:-count]]
            if self.match(back) is not None and all(
                word in self.asked or words[0].islower() or any(map(str.isdigit, word)) for word in kind
            ):
                return back
        return None

    def _qualifies(self, rest: Sequence[str]) -> bool:
        """Whether words behind a name only say which kind or how much: `da xanh`, `Solea 50 ml`."""
        if len(rest) > MOST_QUALIFYING or fold_word(rest[0]) in JOINING:
            return False
        if any(word[0].isdigit() for word in rest):
            return True
        return rest[0][0].islower() or fold_word(rest[0]) in self.asked

    def resembles(self, item: str) -> int | None:
        """An expected item whose name is part of this one, or the other way round."""
        words = fold_words(item, self.locale, ignore_tones=self.ignore_tones)
        for index, needle in enumerate(self.needles):
            if any(True for _ in needle.find(words)):
                return index
        own = Needle(item, self.locale, ignore_tones=self.ignore_tones)
        for index, needle in enumerate(self.needles):
            if len(own.words.squeezed) > 2 and any(True for _ in own.find(needle.words)):
                return index
        return None

    def mentions(self, text: str) -> int:
        """How many expected items a text names."""
        words = fold_words(text, self.locale, ignore_tones=self.ignore_tones)
        return sum(any(True for _ in needle.find(words)) for needle in self.needles)

    def first_place(self, text: str) -> int:
        """Where the first expected item stands; the end of the text where there is none."""
        words = fold_words(text, self.locale, ignore_tones=self.ignore_tones)
        firsts = (next(needle.find(words), None) for needle in self.needles)
        return min((words.spans[first[0]][0] for first in firsts if first), default=len(text))

    def are_written_small(self, text: str) -> bool:
        """Whether the text writes expected items without a capital."""
        words = fold_words(text, self.locale, ignore_tones=self.ignore_tones)
        places = [words.spans[first][0] for needle in self.needles for first, _ in list(needle.find(words))[:1]]
        return bool(places) and all(text[place].islower() for place in places)

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
        missing = [index for index in range(len(self.names)) if index not in seen and not self._twin(index, seen)]
        found += extra
        names = [self.names[index] for index in missing]
        reasons = [f"missing: {', '.join(names)}"] if missing else []
        reasons += [f"extra: {', '.join(extra[:10])}"] if extra else []
        if not reasons:
            return Answer("right", found[:100], f"all {len(self.names)} items")
        near = [self.resembles(item) for item in extra]
        if extra and seen and len(extra) == len(missing) and sorted(one for one in near if one is not None) == missing:
            return Answer("ambiguous", found[:100], f"named differently: {', '.join(extra[:10])}")
        return Answer("wrong", found[:100], "; ".join(reasons))

    def _twin(self, index: int, seen: set[int]) -> bool:
        """Whether an equal expected item was seen."""
        return any(self.needles[index].words.squeezed == self.needles[other].words.squeezed for other in seen)


def _number(text: str, locale: Locale | None) -> float | None:
    if not any(letter.isdigit() for letter in text):
        return None
    found = find_numbers(text, locale or "en")
    whole = len(found) == 1 and found[0].start == 0 and found[0].end == len(text)
    return found[0].value if whole else None


def _initials(name: str) -> str:
    """The first letters of a name of several words, where all begin with a capital."""
    words = [word for word in re.findall(r"[^\W\d_]+", name) if word.lower() not in ("of", "the", "and", "và")]
    return "".join(word[0] for word in words) if len(words) > 1 and all(word[0].isupper() for word in words) else ""
