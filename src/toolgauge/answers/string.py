"""Scores answers that are names or other short strings."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from toolgauge.core import Answer, nfc
from toolgauge.locale import PROFILES, Locale, fold_tones, fold_word

from .answer_type import (
    SWITCH_SCHEMA,
    TEXTS_SCHEMA,
    WORDS_SCHEMA,
    AnswerType,
    Scorer,
    Setting,
    Spec,
    check_switch,
    is_text,
)
from .reading import MAX_CHARACTERS, Surroundings, clean, region_of

__all__ = ["STRING", "FoldedWords", "Needle", "fold_words"]

WORD = re.compile(r"[^\W_]+(?:(?<=\d)[.,](?=\d)[^\W_]+)*(?:[+#]+(?!\w))?")
"""A word; what stands between the figures of one number, such as `1,5` or `3.11.2`, is part of it."""
NEXT_WORD = re.compile(r"\s+[\"'“‘«(*_]*[^\W_]")
PUNCTUATION = re.compile(r"[^\w\s]|_")
DASHES = str.maketrans("–—−‐‑", "-----")
LONGEST_SHOWN = 80
OVERLAP = 500
"""How many characters two pieces of a long answer share on either side, so that no name and its words are cut."""
NEAR = 120
"""How many characters beside a name are looked at for another one."""
NEVER_NAMES = frozenset(("the",))
"""Articles that are one even with a capital."""
MAX_MATCHES = 200
"""How many places of one name are looked at; an answer that rules it out more often than that is no answer."""


class FoldedWords(NamedTuple):
    """A text folded for comparison: its words run together, and where each begins."""

    squeezed: str
    starts: dict[int, int]
    """Where a word begins in the squeezed text: its index."""
    ends: dict[int, int]
    """Where a word ends in the squeezed text: its index."""
    offsets: tuple[int, ...]
    """Where each word begins in the squeezed text."""
    spans: tuple[tuple[int, int], ...]
    """Where each word stands in the text."""
    spaced: frozenset[int]
    """Squeezed places where plain white space, and no punctuation, parts two words."""


def fold_words(text: str, locale: Locale | None, *, ignore_tones: bool, keep_articles: bool = False) -> FoldedWords:
    """Fold a text: case, tone-mark placement, articles and punctuation make no difference.

    Punctuation between figures does: `12:30` is not `1230`, and `1-2` not `12`.
    """
    fold = fold_tones if ignore_tones else fold_word
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    spaced: set[int] = set()
    length = 0
    for match in WORD.finditer(text):
        word = match.group()
        if not keep_articles and _is_article(word, locale, first=not spans) and _goes_on(text, match):
            continue
        if spans:
            marks = "".join(PUNCTUATION.findall(text, spans[-1][1], match.start()))
            if not marks:
                spaced.add(length)
            elif word[0].isdigit() and text[spans[-1][1] - 1].isdigit():
                pieces.append(marks.translate(DASHES))
                length += len(marks)
        folded = fold(word)
        starts[length] = len(spans)
        length += len(folded)
        ends[length] = len(spans)
        pieces.append(folded)
        spans.append(match.span())
    return FoldedWords("".join(pieces), starts, ends, tuple(starts), tuple(spans), frozenset(spaced))


def _is_article(word: str, locale: Locale | None, *, first: bool) -> bool:
    """Whether a word is an article; `An` and `A` may be names, and in Vietnamese `an` is a word."""
    low = word.lower()
    if not any(low in profile.articles for profile in PROFILES.values()):
        return False
    if low in NEVER_NAMES:
        return True
    own = PROFILES[locale] if locale else None
    if word.islower() and (own is None or low not in own.article_homographs):
        return True
    return first and own is not None and low in own.opening_articles


def _goes_on(text: str, article: re.Match[str]) -> bool:
    """Whether a word follows that it can be the article of; `vitamin a.` ends in a name."""
    return article.group().lower() in NEVER_NAMES or NEXT_WORD.match(text, article.end()) is not None


class Needle:
    """A name to be looked for."""

    def __init__(self, name: str, locale: Locale | None, *, ignore_tones: bool) -> None:
        name = nfc(name).strip()
        self.keep_articles = False
        folded = fold_words(name, locale, ignore_tones=ignore_tones)
        if not folded.squeezed:
            self.keep_articles = True
            folded = fold_words(name, locale, ignore_tones=ignore_tones, keep_articles=True)
        self.words = folded
        self.capital = any(letter.isupper() for letter in name)

    def find(self, words: FoldedWords) -> Iterator[tuple[int, int]]:
        """Every place where the whole name stands: indexes of its first word and behind its last one."""
        squeezed = self.words.squeezed
        if not squeezed:
            return
        place = words.squeezed.find(squeezed)
        while place >= 0:
            first, last = words.starts.get(place), words.ends.get(place + len(squeezed))
            if first is not None and last is not None and self._spaces_fit(words, place):
                yield first, last + 1
            place = words.squeezed.find(squeezed, place + 1)

    def equals(self, words: FoldedWords) -> bool:
        """Whether a folded text is nothing but the name."""
        return bool(self.words.squeezed) and words.squeezed == self.words.squeezed and self._spaces_fit(words, 0)

    def begins_at(self, words: FoldedWords, index: int) -> bool:
        """Whether the name stands where a word begins."""
        return index < len(words.offsets) and self._stands(words, words.offsets[index])

    def ends_at(self, words: FoldedWords, index: int) -> bool:
        """Whether the name ends before a word."""
        end = next((end for end, word in words.ends.items() if word == index - 1), 0)
        place = end - len(self.words.squeezed)
        return place in words.starts and self._stands(words, place)

    def _stands(self, words: FoldedWords, place: int) -> bool:
        squeezed = self.words.squeezed
        whole = bool(squeezed) and place + len(squeezed) in words.ends
        return whole and words.squeezed.startswith(squeezed, place)

    def _spaces_fit(self, words: FoldedWords, place: int) -> bool:
        """Punctuation and the spaces beside it may be left out; a plain space may not."""
        mine = self.words
        if any(start + place not in words.starts for start in mine.spaced):
            return False
        inside = range(1, len(mine.squeezed))
        return all(offset in mine.starts for offset in inside if place + offset in words.spaced)


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `string` reference."""
    locale = setting.locale
    aliases = spec.get("aliases") or []
    names = [str(spec["value"]), *(str(alias) for alias in (aliases if isinstance(aliases, list) else [aliases]))]
    ignore_tones = bool(spec.get("ignore_tones"))
    needles = [Needle(name, locale, ignore_tones=ignore_tones) for name in names]
    expected = names[0]

    def score(output: str) -> Answer:
        text = clean(output)
        region = region_of(text)
        answer = _first_sentence(region.text) if region.marked else text
        found = _search(answer, needles, locale, ignore_tones=ignore_tones)
        if found is None and region.marked and not region.firm:
            found = _search(text, needles, locale, ignore_tones=ignore_tones)
        if found is not None:
            return Answer("right", found, f"found {found!r}")
        shown = answer.strip() if len(answer.strip()) <= LONGEST_SHOWN else None
        return Answer("wrong", shown or None, f"{expected!r} is not in the answer")

    return score


def _first_sentence(text: str) -> str:
    """What stands behind a marker, up to the end of the sentence."""
    text = text.lstrip(" \t\n:*>-")
    return Surroundings(text[:2000]).sentence_behind(0)


def _search(text: str, needles: Sequence[Needle], locale: Locale | None, *, ignore_tones: bool) -> str | None:
    """The name as the answer writes it; a long answer is searched piece by piece, to hold little of it folded."""
    for begin in range(0, max(len(text), 1), MAX_CHARACTERS):
        piece = text[max(0, begin - OVERLAP) : begin + MAX_CHARACTERS + OVERLAP]
        found = _search_piece(piece, needles, locale, ignore_tones=ignore_tones)
        if found is not None:
            return found
    return None


def _search_piece(text: str, needles: Sequence[Needle], locale: Locale | None, *, ignore_tones: bool) -> str | None:
    folded: dict[bool, FoldedWords] = {}
    around: Surroundings | None = None
    for needle in needles:
        keep = needle.keep_articles
        if keep not in folded:
            folded[keep] = fold_words(text, locale, ignore_tones=ignore_tones, keep_articles=keep)
        words = folded[keep]
        if needle.equals(words):
            return text.strip()
        hearsay: str | None = None
        for count, (first, last) in enumerate(needle.find(words)):
            if count >= MAX_MATCHES:
                break
            start, end = words.spans[first][0], words.spans[last - 1][1]
            if around is None:
                around = Surroundings(text)
            place = Place(text, words, first, last)
            if place.is_part_of_name(needle) or place.is_alternative(needles):
                continue
            if around.is_ruled_out(start, end):
                # What was only said to be thought is taken back here; what was stated before stands.
                hearsay = None
                continue
            if _is_dropped(around, start, end):
                continue
            if not HEARSAY.search(around.sentence_before(start) + around.sentence_behind(end)):
                return text[start:end]
            hearsay = hearsay or text[start:end]
        if hearsay is not None:
            return hearsay
    return None


RESTATED = re.compile(
    r"\b(?:bạn\s(?:đang\s)?hỏi|câu\shỏi|you\sasked|your\squestion|regarding|question\s?:)", re.IGNORECASE
)
REPLACED = re.compile(
    r"\b(?:now|nowadays|currently|today|since\sthen|nay|bây\sgiờ|hiện(?:\stại|\sgiờ)?|giờ\s(?:là|đây))\b", re.IGNORECASE
)
CORRECTED = re.compile(r"\b(?:nhưng|but|however|tuy\snhiên|thực\s(?:ra|tế)|actually|in\sfact)\b", re.IGNORECASE)


RIVAL = re.compile(
    r"\b(?:á\squân|đối\sthủ|đánh\sbại|thắng|vượt|hơn|so\svới|tiếp\stheo|kế\sđến|(?:hạng|thứ|về)\s(?:nhì|hai|ba)|runners?[\s-]up"
    r"|second|third|beat|beating|defeated|defeating|ahead\sof|over|against|versus|vs|followed\sby|rival)\b",
    re.IGNORECASE,
)
"""What names another one in brackets behind the answer: `France (runner-up: Croatia)`."""


HEARSAY = re.compile(
    r"\b(?:often|frequently|commonly|usually|many\s(?:people|sources|say|think|believe)|some\s(?:say|think|believe)|people\s(?:say|think)"
    r"|might\sthink|may\sthink|although|though|while|famous|well[\s-]known|hay\sđược|thường|nhiều\s(?:người|nơi|nguồn|tài\sliệu)"
    r"|từng|tuy|dù|mặc\sdù|nổi\stiếng|nhắc|tưởng|có\sngười)\b",
    re.IGNORECASE,
)
"""What a sentence says that only mentions a name: a later one that rules it out counts more."""


def _is_dropped(around: Surroundings, start: int, end: int) -> bool:
    """Whether the name is only what was asked about, a rival, or what was thought before a correction."""
    before = around.sentence_before(start)
    if around.is_aside(start) and RIVAL.search(before.rpartition("(")[2]):
        return True
    if RESTATED.search(before) or around.is_question(end):
        return len(around.text) - end > 30 or RESTATED.search(before) is not None
    if not around.is_tentative(start):
        return False
    if REPLACED.search(around.sentence_behind(end)):
        return True
    return CORRECTED.search(around.text[end : end + 300]) is not None


FUNCTION_TEXT = (
    "là ở tại của và với cho từ đến trong chính hoặc hay thì mà được bởi do theo có gồm tên gọi vẫn nên đó này kia"
    " is was are were be the a an in at of on to by from and or it's its it that this as for with called named"
    " answer yes no so thus hence therefore vậy đúng thủ đô capital currently hiện nay like because since when"
    " where he she they we i you his her not but if then than will would can could has have had while who which"
)
FUNCTION_WORDS = frozenset(FUNCTION_TEXT.split())
"""Words that are no part of a name though they stand beside one."""
OPENING_TEXT = (
    "although though even only just perhaps maybe indeed visit choose pick try see consider also both either neither"
    " again once after before until unless whether because hence instead besides overall officially"
    " today yesterday sure right correct yeah ok okay well now here there surprisingly"
    " tuy dù nếu khi vì bởi nhờ do chỉ chắc chọn hiện vậy rồi nhưng song và hoặc còn riêng chính cả sau trước giữa"
    " ngoài trong thế đúng hẳn thực thật quả cũng đây đó ngay từ kể nói xem hãy theo tức dạ vâng ừ"
)
OPENINGS = frozenset(OPENING_TEXT.split())
"""Words that begin a sentence, and have a capital only for that."""
NAMES_LIKE_ADVERBS = frozenset(["emily", "beverly", "kimberly", "connolly", "reilly", "donnelly", "italy", "sicily"])
TITLE_TEXT = (
    "thành phố tp tỉnh huyện quận xã phường nước thủ đô sông núi hồ đảo ông bà anh chị cô chú bác chủ tịch tổng"
    " thống tướng thủ bộ trưởng bí thư vua hoàng đế nhà văn thơ giáo sư tiến sĩ gs ts pgs đại công ty tập đoàn ngân"
    " hàng mã cổ phiếu hãng quốc gia mr mrs ms miss dr prof professor president minister prime king queen sir"
    " general senator city state company ceo author chairman emperor pope saint mayor governor province country"
    " ticker"
)
TITLES = frozenset(TITLE_TEXT.split())
"""Words in front of a name that say what it names."""
ENDINGS = frozenset(["inc", "corp", "corporation", "ltd", "co", "llc", "plc", "jsc", "ctcp", "province", "city"])


NAMED_CITY_TEXT = (
    "new york|mexico|kansas|oklahoma|quebec|québec|panama|guatemala|kuwait|salt lake|vatican|iowa|jefferson|belize"
    "|atlantic|carson|dodge"
)
NAMED_CITIES = frozenset(NAMED_CITY_TEXT.split("|"))
"""What is something else without `City`; `Hanoi City` is only a longer way to say Hanoi."""
OR_BEHIND = re.compile(
    r"[\s\"”’')]*,?\s(?:or|hoặc(?:\slà)?|hay(?:\slà)?)\s(?!so\b|simply|just|also|formally|officially|còn|gọi|more\b|less\b|if\b|nếu\b)"
    r"(?:(?:in|at|the|an?|ở|tại|là)\s)?[\"“‘']?(?P<other>[^\s\"”.,;:!?()]+)",
    re.IGNORECASE,
)
OR_BEFORE = re.compile(
    r"(?P<other>[^\s\"“‘'.,;:!?()]+)[\"”’']?,?\s(?:or|hoặc(?:\slà)?|hay(?:\slà)?)\s(?:(?:in|at|the|an?|ở|tại|là)\s)?[\"“‘']?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands in a text."""

    text: str
    words: FoldedWords
    first: int
    last: int

    def is_part_of_name(self, needle: Needle) -> bool:
        """Whether the name goes on before or behind, so that it is another one: `York` in `New York`."""
        if not needle.capital and not self._is_short():
            return False
        before = self._goes_on(self.first - 1, before=True)
        if before and not any(letter.isalpha() for letter in needle.words.squeezed):
            # `lúc 12:30`: only a name can have figures for its second part.
            start = self.words.spans[self.first - 1][0]
            before = self.text[start].isupper() and not self._begins_sentence(self.first - 1)
        return before or self._goes_on(self.last, before=False)

    def is_alternative(self, needles: Sequence[Needle]) -> bool:
        """Whether another name stands beside it as just as possible: `Hanoi or Hue` states neither."""
        start, end = self.words.spans[self.first][0], self.words.spans[self.last - 1][1]
        behind = OR_BEHIND.match(self.text, end, end + NEAR)
        if behind and self._rivals(behind["other"]):
            index = bisect_left(self.words.spans, (behind.start("other"), 0))
            return not any(needle.begins_at(self.words, index) for needle in needles)
        begin = max(0, start - NEAR)
        before = OR_BEFORE.search(self.text[begin:start])
        if before is None or not self._rivals(before["other"]):
            return False
        index = bisect_left(self.words.spans, (begin + before.end("other"), 0))
        return not any(needle.ends_at(self.words, index) for needle in needles)

    def _rivals(self, other: str) -> bool:
        """Whether a word may be of a name, as this one is."""
        start = self.words.spans[self.first][0]
        return not self.text[start].isupper() or other[0].isupper() or other[0].isdigit()

    def _named(self) -> str:
        return self.text[self.words.spans[self.first][0] : self.words.spans[self.last - 1][1]].lower()

    def _is_short(self) -> bool:
        return len(self.words.spans) <= 5 and "\n" not in self.text.strip()

    def _goes_on(self, index: int, *, before: bool) -> bool:
        spans = self.words.spans
        if not 0 <= index < len(spans):
            return False
        start, end = spans[index]
        gap = self.text[end : spans[index + 1][0]] if before else self.text[spans[index - 1][1] : start]
        word = self.text[start:end]
        low = word.lower()
        if gap in ("-", "–", "’", "'") and low != "s":
            return not (before and low in FUNCTION_WORDS) and not word.isdigit()
        if not before and gap == " " and word == "City" and self._named() in NAMED_CITIES:
            return True
        if gap.strip() or "\n" in gap or low in FUNCTION_WORDS or low in (TITLES if before else ENDINGS):
            return False
        if not before and low == "s":
            return False
        if self.text.isupper() or not any(letter.isupper() for letter in self.text):
            return self._is_short() and word.isalpha()
        return self._is_name_word(word, index, before=before)

    def _is_name_word(self, word: str, index: int, *, before: bool) -> bool:
        """Whether a neighbour is written like part of a name."""
        named = self.text[self.words.spans[self.first][0] : self.words.spans[self.last - 1][1]]
        if before and self._begins_sentence(index) and _is_opening(word.lower()):
            return False
        if before and index == 0 and named.isupper() and len(named) > 1:
            return False  # `Sàn HOSE`: a capital begins the text, and letters are no part of a name before them
        return word[0].isupper() and not (before and word.isupper() and len(word) > 1 and index == 0)

    def _begins_sentence(self, index: int) -> bool:
        earlier = self.text[: self.words.spans[index][0]].rstrip(" \t*_\"'“‘(>-")
        return not earlier or earlier[-1] in ".!?:;\n…"


def _is_opening(word: str) -> bool:
    """Whether a word is one that sentences begin with, as English adverbs do."""
    return word in OPENINGS or (len(word) >= 6 and word.endswith("ly") and word not in NAMES_LIKE_ADVERBS)


def _check(spec: Spec) -> list[str]:
    problems = [] if is_text(spec.get("value")) else ["a string answer needs a value that is a text"]
    aliases = spec.get("aliases", [])
    if not isinstance(aliases, list) or not all(map(is_text, aliases)):
        problems.append("aliases is a list of texts")
    return problems + check_switch(spec, "ignore_tones")


STRING = AnswerType(
    "string",
    _prepare,
    _check,
    {"value": WORDS_SCHEMA, "aliases": TEXTS_SCHEMA, "ignore_tones": SWITCH_SCHEMA},
    called=("string", "name", "entity", "chuỗi", "chuỗi ký tự", "xâu", "tên", "tên riêng", "thực thể"),
)
