"""Decides which name of an answer answers the question: small named rules, each with a weight.

What the name should be is not known here.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from toolgauge.locale import Token, fold_word, tokenise

from .finding import WEIGHTS as COMMON
from .finding import Candidate, Weighed
from .names import ITEM, ROLE_NOUNS, Name, is_code
from .page import Page
from .place import TITLES
from .question import stem
from .ranking import Ranking
from .roles import find_concepts, find_roles
from .wanted import Wanted, qualifiers

__all__ = ["WEIGHTS", "Chooser"]

OWN: dict[str, float] = {
    "stated as it": 2.0,
    "said at once": 1.0,
    "said alone": 4.0,
    "label of a list": -1.0,
    "second": -4.0,
    "beaten": -3.5,
    "former": -4.0,
    "confused": -4.0,
    "source": -4.0,
    "parent": -3.5,
    "also": -1.5,
    "denied": -2.5,
    "contender": -3.0,
    "recommended": 2.0,
    "now": 1.5,
    "asked role": 2.0,
    "condition": -2.0,
    "possessor": -2.0,
    "one of several": -1.0,
    "other topic": -2.5,
    "said of the list": 1.0,
    "leads up to others": -1.5,
    "says where": -1.5,
    "asked topic": 1.0,
    "describes another": -2.0,
    "in fact": 2.5,
    "asked kind": 1.0,
    "other kind": -4.0,
    "likely other kind": -2.0,
    "asked number": 1.5,
    "other number": -3.0,
    "other year": -1.5,
    "weak name": -1.5,
    "small letters": -1.0,
    "other column": -2.5,
    "best of the table": 3.0,
    "not the best of the table": -2.0,
    "place in a ranking": 1.5,
}
WEIGHTS = {**COMMON, **OWN}
SENTENCE_ROLES = frozenset(("former", "confused", "now", "contender"))
"""Roles that a phrase gives to a name though other words stand between."""
REACH = {"source": 3, "beaten": 2, "parent": 2, "also": 4, "second": 4, "recommended": 5}
LISTED = ("head", "cell")
BREAKS = frozenset(";:()—–,.!?|→")
MOVES = [[fold_word(word)] for word in ("to", "sang", "thành", "→", "lên", "into")]
CONTRASTS = frozenset(
    fold_word(word)
    for word in [
        "but",
        "however",
        "nhưng",
        "song",
        "although",
        "though",
        "whereas",
        "while",
        "yet",
        "tuy",
        "dù",
        "còn",
        "mà",
    ]
)
COORDINATORS = frozenset(fold_word(word) for word in [",", "and", "và", "&", "or", "/", "hoặc", "hay", "với", "cùng"])
ANSWERS = frozenset(
    map(fold_word, "answer culprit winner choice cause reason pick solution đáp án thủ phạm nguyên".split())
)
DESCRIBED = TITLES | ROLE_NOUNS | frozenset(("corporation", "firm", "writer", "author", "mathematician", "singer"))
COPULAS = frozenset(
    fold_word(word)
    for word in [
        "là",
        "is",
        "was",
        "are",
        "were",
        ":",
        "=",
        "→",
        "gồm",
        "tên",
        "called",
        "named",
        "bởi",
        "by",
        "do",
        "thuộc",
    ]
)
LOCATIVES = frozenset(
    fold_word(word) for word in ["in", "at", "from", "near", "ở", "tại", "từ", "to", "đến", "through", "around", "quê"]
)
WHERE = LOCATIVES - {fold_word(word) for word in ("to", "from", "từ", "đến")} | {"of"}
HONORIFICS = frozenset(
    fold_word(word)
    for word in [
        "ông",
        "bà",
        "anh",
        "chị",
        "cô",
        "chú",
        "bác",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "captain",
        "sir",
        "madam",
        "gs",
        "ts",
        "pgs",
        "bs",
        "ths",
        "nhạc",
        "văn",
        "sĩ",
        "hào",
    ]
)
ORGANISATION = re.compile(
    r"\b(?:inc|corp|ltd|llc|plc|group|bank|university|company|holdings|fund|tập\sđoàn|công\sty|ngân\shàng|tnhh|ctcp|studios|pictures"
    r"|airlines|association|committee|ministry)\b",
    re.IGNORECASE,
)
EXCHANGES = frozenset(("hose", "hnx", "upcom", "nasdaq", "nyse", "lse", "etf", "ipo", "amex", "hsx"))
CONCLUDED = re.compile(
    r"[\s>*#\-–]*(?:👉|→|⇒|=>|✅|🏆|➡️?)|[\s>*#👉→]*(?:so(?!\ssánh|\svới|\sfar)|therefore|thus|hence|in\sshort|overall|in\sconclusion|bottom\sline|conclusion|to\ssum\sup|in\ssummary"
    r"|to\sanswer\syour\squestion|tóm\slại|như\svậy|vậy|do\sđó|vì\s(?:vậy|thế)|kết\sluận|theo\sđó|tổng\skết|chốt\slại|nói\sngắn\sgọn|winner|verdict)\b",
    re.IGNORECASE,
)
CORRECTED = re.compile(
    r"[\s>*#\-–(]*(?:correction|sorry|apologies|wait|scratch\sthat|let\sme\scorrect|i\s(?:misspoke|misread|made\sa\smistake|mixed)|my\smistake|on\ssecond\sthought"
    r"|oops|update|đính\schính|xin\slỗi|sửa\slại|nói\slại|à\snhầm|mình\snhầm|tôi\snhầm|kiểm\stra\slại|xem\slại|cập\snhật)\b(?![^.!?\n]{0,40}(?:không\sthể|unable|can't))",
    re.IGNORECASE,
)
IN_FACT = re.compile(
    r"\b(?:actually|in\sfact|in\sreality|thực\sra|thật\sra|thực\stế|đúng\sra|chính\sxác\slà|đúng\slà|official(?:ly)?|chính\sthức)\b",
    re.IGNORECASE,
)
HEARSAY = re.compile(
    r"\b(?:rumou?rs?|rumou?red|reportedly|allegedly|some\s(?:sources|people|say|blogs|sites|geographers)|several\s(?:\w+\s)?(?:blogs|sites|sources)|many\s(?:people|sources|say|think|believe)"
    r"|people\s(?:say|think|often)|often\s(?:mentioned|cited|named|said)|usually|early\spress|forums?|fan\ssites?|one\s(?:blog|newsletter)|a\s(?:\w+\s)?(?:newsletter|blog)"
    r"|có\s(?:người|nguồn|tin)|nhiều\s(?:người|nguồn|bạn|trang|tài\sliệu)|một\ssố\s(?:nguồn|trang|người|báo|bài)|tin\sđồn|đồn|nghe\snói|mạng\sxã\shội|hay\sđược\snhắc|thường\sđược"
    r"|được\scho\slà|dư\sluận)\b",
    re.IGNORECASE,
)
TOPIC = re.compile(
    r"(?:for|in\sterms\sof|as\sfor|regarding|when\sit\scomes\sto|if\syou\scare\sabout|về|xét\s(?:về\s)?|riêng\s(?:về\s)?|còn\svề|nếu\sxét|đối\svới|tính\stheo)\s?"
    r"(?!example|instance|reference|context|comparison|now\b|you|bạn)(?P<topic>[^,.;:\n]{2,50}),",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"(?<![^\W_])(?:if|nếu|unless|trường\shợp|in\scase|for\sexample|for\sinstance|e\.g|chẳng\shạn|ví\sdụ|suppose|giả\ssử)(?![^\W_])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Span:
    """The words that belong to a name, as indexes of tokens."""

    begin: int
    """Where its sentence begins."""
    stop: int
    """Where its sentence ends."""
    clause: int
    """Where its clause begins."""
    clause_end: int
    previous: int
    """Behind the name before it in the sentence, or where the sentence begins."""
    following: int
    """The name behind it in the sentence, or the end of the sentence."""
    tail: int
    """Behind the name and the brackets right behind it."""
    own: int
    """Where the clauses begin that no earlier name of the sentence claims."""
    subject: int
    """The first name of the sentence; what stands before it may be said of all."""
    lead: int
    """Behind the colon that leads up to all names of the sentence."""


class Chooser:
    """Weighs the names of one answer against one question."""

    def __init__(
        self, page: Page, wanted: Wanted, tokens: Sequence[Token], folded: Sequence[str], starts: Sequence[int]
    ) -> None:
        self.page, self.wanted = page, wanted
        self.tokens, self.folded, self.starts = tokens, folded, starts
        self._texts: dict[str, set[str]] = {}
        self._cues: dict[re.Pattern[str], bool] = {}

    def weigh(self, names: Sequence[Name], keys: Sequence[Hashable]) -> list[Weighed[Name]]:
        """The names with their evidence, the best first.

        Args:
            names: The names in order.
            keys: For each name what it names; names of the same thing have the same.
        """
        self._dependent = self._dependents(names)
        spans = [self._span(names, index) for index in range(len(names))]
        shared = self._shared(names, spans)
        ranking = Ranking(self.page, self.wanted, names)
        corrected = self._corrected(names)
        roles: list[set[str]] = []
        firm = dict.fromkeys(key for name, key in zip(names, keys, strict=True) if not name.weak)
        order = {key: rank for rank, key in enumerate(dict.fromkeys((*firm, *keys)))}
        bold = {key for name, key in zip(names, keys, strict=True) if self._is_bold(name)}
        weighed: list[Weighed[Name]] = []
        for index in range(len(names)):
            roles.append(self._roles(names, index, spans[index], roles))
        listed = {key: name.end for name, key in zip(names, keys, strict=True) if self._is_listed(name)}
        several = self._several(names, keys)
        if any("now" in found for found in roles):
            for index, name in enumerate(names):
                if "now" not in roles[index] and self.folded[name.last : name.last + 1] in (["was"], ["were"]):
                    roles[index].add("former")
        for index, name in enumerate(names):
            holds: dict[str, float] = {"shared words": shared[index], "first": 1.0 / (1 + 0.5 * order[keys[index]])}
            holds |= self._role_rules(roles[index])
            holds |= self._said_where(name, spans[index], len(bold))
            holds |= self._said_how(name, spans[index], roles[index])
            holds |= self._kind(name, spans[index])
            holds |= self._numbers(spans[index], name)
            holds |= ranking.rules(index)
            holds |= self._topic(spans[index])
            if name.shape not in LISTED and keys[index] in listed and listed[keys[index]] < name.start:
                holds["said of the list"] = 1.0
            if index in self._dependent and "place" not in self.wanted.kinds:
                holds["says where"] = 1.0
            if index in several:
                holds["one of several"] = 1.0
            holds |= corrected[index]
            evidence = {rule: WEIGHTS[rule] * share for rule, share in holds.items() if share}
            weighed.append(Weighed(Candidate(name.start, name.end, name, keys[index]), evidence))
        return sorted(weighed, key=lambda one: -one.weight)

    # what stands beside a name

    @cached_property
    def _bounds(self) -> list[int]:
        """Where clauses begin."""
        tokens, folded = self.tokens, self.folded
        found = [0]
        for index in range(1, len(tokens)):
            before = tokens[index - 1].text
            spaced = before == "-" and tokens[index - 1].start > tokens[index - 2].end if index > 1 else False
            if (
                tokens[index].line
                or before in BREAKS
                or spaced
                or folded[index] in CONTRASTS
                or tokens[index].text == "("
            ):
                found.append(index)
        return found

    def _span(self, names: Sequence[Name], index: int) -> _Span:
        name, page = names[index], self.page
        first, last = page.sentences[page.sentence_at(name.start)]
        begin, stop = bisect_left(self.starts, first), bisect_left(self.starts, last)
        place = bisect_right(self._bounds, name.first) - 1
        clause = max(begin, self._bounds[place])
        tail = self._tail(name, stop)
        behind = bisect_left(self._bounds, tail)
        while tail > name.last and behind < len(self._bounds) and self._bounds[behind] <= tail:
            behind += 1
        clause_end = min(stop, self._bounds[behind] if behind < len(self._bounds) else stop)
        previous = names[index - 1].last if index and names[index - 1].last > begin else begin
        after = index + 1
        while after < len(names) and (names[after].first < tail or after in self._dependent):
            after += 1
        following = names[after].first if after < len(names) and names[after].first < stop else stop
        lead = self._lead(begin, name.first)
        return _Span(
            begin,
            stop,
            clause,
            max(clause_end, tail),
            previous,
            following,
            tail,
            self._own(begin, previous, clause),
            self._subject(names, index, begin),
            lead,
        )

    def _dependents(self, names: Sequence[Name]) -> set[int]:
        """Names that only say where another name of the clause is: `Lake Baikal in Siberia, Russia`."""
        found: set[int] = set()
        for index in range(1, len(names)):
            before = self.folded[names[index].first - 1]
            between = names[index].first - names[index - 1].last
            if before in WHERE and between == 1:
                found.add(index)
            elif before == "," and between == 1 and index - 1 in self._after_place(names, found):
                found.add(index)
            elif before == "(" and between == 1 and index - 1 in found:
                found.add(index)
        return found

    def _after_place(self, names: Sequence[Name], found: set[int]) -> set[int]:
        return found if "place" not in self.wanted.kinds else set()

    def _tail(self, name: Name, stop: int) -> int:
        if name.last < stop and self.tokens[name.last].text == "(":
            return next(
                (at + 1 for at in range(name.last, min(stop, name.last + 40)) if self.tokens[at].text == ")"), name.last
            )
        return name.last

    def _own(self, begin: int, previous: int, clause: int) -> int:
        """Where a name's own clauses begin: what follows the name before it belongs to that one, up to a comma."""
        if previous <= begin:
            return begin
        for at in self._bounds[bisect_right(self._bounds, previous) :]:
            if at > clause:
                break
            if self.tokens[at - 1].text in (",", ";", ":", "—", "–", ".") or self.folded[at] in CONTRASTS:
                return at
        return clause

    def _subject(self, names: Sequence[Name], index: int, begin: int) -> int:
        while index and names[index - 1].first >= begin:
            index -= 1
        return names[index].first

    def _lead(self, begin: int, first: int) -> int:
        return next((at + 1 for at in range(begin, first) if self.tokens[at].text == ":"), begin)

    @cached_property
    def _marks(self) -> dict[int, list[str]]:
        """The words of the question that stand at each token."""
        marks: dict[int, list[str]] = {}
        words = self.wanted.words
        for index, token in enumerate(self.tokens):
            if token.kind == "word":
                word = stem(token.low)
                if word in words:
                    marks.setdefault(index, []).append(word)
            elif token.kind == "figure" and token.text in words:
                marks.setdefault(index, []).append(token.text)
        for said in find_concepts(self.folded):
            if said.what in words:
                marks.setdefault(said.first, []).append(said.what)
        return marks

    def _cover(self, name: Name, span: _Span, *, dependent: bool) -> dict[str, float]:
        cover: dict[str, float] = {}
        marks = self._marks

        def take(first: int, last: int, share: float) -> None:
            for index in range(first, last):
                for word in marks.get(index, ()):
                    if cover.get(word, 0.0) < share:
                        cover[word] = share

        near = max(span.previous, span.clause)
        take(near, name.first, 1.0)
        take(name.last, min(span.following, span.clause_end), 0.3 if dependent else 1.0)
        take(name.first, name.last, 0.5)
        take(max(span.own, span.lead), span.clause, 0.8)
        take(span.begin, span.lead, 0.6)
        linked = self._before(name) in COPULAS
        take(span.begin, near, 0.9 if linked and span.previous > span.clause else 0.3)
        take(span.begin, span.subject, 0.5)
        if span.following > span.clause_end:
            take(span.clause_end, span.following, 0.3 if dependent else 0.8 if span.following == span.stop else 0.5)
        for text, share in self._context(name):
            for word in self._words_of(text):
                if cover.get(word, 0.0) < share:
                    cover[word] = share
        return cover

    def _words_of(self, text: str) -> set[str]:
        """The words of the question that a heading or a cell has."""
        if text not in self._texts:
            tokens = tokenise(text)
            found = {stem(token.low) if token.kind == "word" else token.text for token in tokens}
            found |= {said.what for said in find_concepts([fold_word(token.low) for token in tokens])}
            self._texts[text] = found & self.wanted.words
        return self._texts[text]

    def _context(self, name: Name) -> list[tuple[str, float]]:
        """Texts elsewhere that say what a name is: headings, and the row and column of a table."""
        cell = self.page.cell_at(name.start) if "|" in self.page.text else None
        if cell:
            return [(cell.column, 1.0), (cell.row if cell.row not in self._text(name) else "", 1.0)]
        if "\n" not in self.page.text:
            return []
        line = self.page.line_at(name.start)
        found = [(self.page.headings[line], 0.4), (self._leads[line], 0.5)]
        return [(text, share) for text, share in found if text and self._text(name) not in text]

    @cached_property
    def _leads(self) -> list[str]:
        """For each item of a list the line above the list; nothing for other lines."""
        found: list[str] = []
        lead = ""
        for start, end in self.page.lines:
            line = self.page.text[start:end]
            item = ITEM.match(line) is not None
            found.append(lead if item else "")
            if line.strip() and not item:
                lead = line if len(line) <= 200 else ""
        return found

    def _text(self, name: Name) -> str:
        return self.page.text[name.start : name.end]

    def _shared(self, names: Sequence[Name], spans: Sequence[_Span]) -> list[float]:
        """How much of what the question says stands beside each name, as against the other names."""
        if not self.wanted.words or not names:
            return [0.0] * len(names)
        covers = [
            self._cover(name, spans[index], dependent=index in self._dependent) for index, name in enumerate(names)
        ]
        total = [0.0] * len(names)
        weights = 0.0
        for word in self.wanted.words:
            got = [cover.get(word, 0.0) for cover in covers]
            if not max(got):
                continue
            weight = max(0.2, 1.0 + math.log(len(got) / max(1.0, math.fsum(got))))
            if word.startswith("="):
                weight *= 1.5
            weights += weight
            for index, value in enumerate(got):
                total[index] += weight * value
        if not weights:
            return total
        damp = 1.0 / max(weights, 3.0)
        return [value * damp for value in total]

    # roles

    def _roles(self, names: Sequence[Name], index: int, span: _Span, earlier: Sequence[set[str]]) -> set[str]:
        name = names[index]
        found: set[str] = set()
        between = self.folded[span.previous : name.first]
        if index and span.previous > span.begin and between and all(word in COORDINATORS for word in between):
            found |= earlier[index - 1] - {"recommended", "denied", "contender"}
        contrast = max((at for at in range(span.begin, name.first) if self.folded[at] in CONTRASTS), default=span.begin)
        before = find_roles(self.folded, max(span.previous, contrast), name.first, behind=False)
        last: dict[str, int] = {said.what: said.last for said in before}
        for role, at in last.items():
            reach = REACH.get(role)
            if reach is not None and name.first - at > reach:
                continue
            if role not in SENTENCE_ROLES and any(self.tokens[i].text in ";:.—" for i in range(at, name.first)):
                continue
            found.add(role)
        if between in MOVES and index and names[index - 1].first:
            if self.folded[names[index - 1].first - 1] in ("from", fold_word("từ")):
                found.add("now")
                earlier[index - 1].add("former")
        if {"former", "now"} <= found:
            found.discard("former" if last.get("now", 0) > last.get("former", 0) else "now")
        if any(
            said.what == "contender"
            for said in find_roles(self.folded, max(span.begin, contrast), name.first, behind=False)
        ):
            found.add("contender")
        limit = min(span.following, span.clause_end, span.tail + 9)
        for said in find_roles(self.folded, span.tail, limit, behind=True):
            if self.folded[said.first] == "until" and any(
                self.folded[at] in ("is", "are") for at in range(span.tail, said.first)
            ):
                continue
            if said.first - span.tail <= (1 if said.what in ("denied", "also") else 6):
                found.add(said.what)
        if self._is_bracketed_role(name, span):
            found.add("second")
        return found

    def _several(self, names: Sequence[Name], keys: Sequence[Hashable]) -> set[int]:
        """Names that stand in a row with others: `A, B and C`."""
        found: set[int] = set()
        for index in range(1, len(names)):
            between = self.folded[names[index - 1].last : names[index].first]
            line = self.tokens[names[index].first].line
            if (
                between
                and not line
                and keys[index] != keys[index - 1]
                and all(word in COORDINATORS for word in between)
            ):
                found |= {index - 1, index}
        return found

    def _is_bracketed_role(self, name: Name, span: _Span) -> bool:
        """Whether brackets behind a name say that it is another place's: `Rome (second)`."""
        if name.last >= span.stop or self.tokens[name.last].text != "(":
            return False
        close = next((at for at in range(name.last, span.stop) if self.tokens[at].text == ")"), name.last)
        return any(said.what == "second" for said in find_roles(self.folded, name.last, close, behind=True))

    def _role_rules(self, roles: set[str]) -> dict[str, float]:
        asked = self.wanted.roles
        holds = {role: 1.0 for role in roles if role not in asked}
        if roles & asked - {"also", "source"}:
            holds["asked role"] = 1.0
        return holds

    # where and how

    def _said_where(self, name: Name, span: _Span, bold: int) -> dict[str, float]:
        holds: dict[str, float] = {}
        page = self.page
        listed = name.shape in LISTED
        if self._is_bold(name):
            holds["emphasised"] = 1.0 if bold <= 2 else 0.7 if not listed else 0.3
        first = self.tokens[span.begin].start if span.begin < len(self.tokens) else 0
        if CONCLUDED.match(page.text, first, name.start + 1) or self._arrow(first):
            holds["concluded"] = 1.0
        last = self.tokens[span.stop - 1].text if 0 < span.stop <= len(self.tokens) else ""
        if last == ":" and span.stop < len(self.tokens) and name.last < span.stop - 1:
            holds["leads up to others"] = 1.0
        if listed:
            holds["label of a list"] = 1.0
        elif page.sentence_at(name.start) == 0 and page.text[name.end :].strip()[:1] != "?":
            holds["said at once"] = 1.0
            if span.stop <= name.last + 1 and name.first - span.begin <= 2 and span.stop < len(self.tokens):
                holds["said alone"] = 1.0
        return holds

    def _is_bold(self, name: Name) -> bool:
        """Whether a name is emphasised, or the end of it: `nhà xe **Thành Công**`."""
        if not self.page.emphasised:
            return False
        return any(self.page.is_emphasised(at, name.end) for at in (name.start, self.tokens[name.last - 1].start))

    def _is_listed(self, name: Name) -> bool:
        """Whether a name heads an item of a list, or stands in a table."""
        if name.shape in LISTED:
            return True
        start, end = self.page.lines[self.page.line_at(name.start)]
        item = ITEM.match(self.page.text, start, end)
        return (item is not None and item.end() >= name.start - 2) or self.page.text.count("|", start, end) >= 2

    def _arrow(self, first: int) -> bool:
        return self.page.text[max(0, first - 3) : first].strip() in ("→", "👉", "⇒", "=>", "➡")

    def _said_how(self, name: Name, span: _Span, roles: set[str]) -> dict[str, float]:
        page = self.page
        holds: dict[str, float] = {}
        around = page.around
        if around.is_aside(name.start) and "code" not in self.wanted.kinds:
            holds["aside"] = 1.0
        if around.is_question(name.end):
            holds["question"] = 1.0
        recommended = "recommended" in roles
        if around.is_offer(name.start, name.end) and not recommended:
            holds["offer"] = 1.0
        elif around.is_tentative(name.start):
            holds["tentative"] = 0.7
        if name.weak:
            holds["small letters" if name.shape == "stated" else "weak name"] = 1.0
        at = max(span.previous, span.begin)
        begin = self.tokens[at].start if at < len(self.tokens) else name.start
        said = page.text[begin : name.start]
        contrast = max((place for place in range(at, name.first) if self.folded[place] in CONTRASTS), default=-1)
        own = page.text[self.tokens[contrast].start : name.start] if contrast >= 0 else said
        if self._has(HEARSAY) and HEARSAY.search(own):
            holds["hearsay"] = 1.0
        if self._has(IN_FACT) and IN_FACT.search(own):
            holds["in fact"] = 1.0
        after = page.text[name.end : self.tokens[span.clause_end - 1].end if span.clause_end > name.last else name.end]
        if not recommended and self._has(CONDITION) and (CONDITION.search(own) or CONDITION.search(after)):
            holds["condition"] = 1.0
        holds["stated as it"] = self._stated(name, span)
        holds |= self._possessor(name)
        after_stop = name.last + 1 < span.stop and self.tokens[name.last].text == "." and len(name.words[-1]) == 1
        behind = self.tokens[name.last + after_stop].low if name.last + after_stop < span.stop else ""
        labels = behind == ":" and name.last + 1 == span.following
        if labels or (len(name.words) <= 2 and behind in DESCRIBED and self.page.text[name.start : name.end].isascii()):
            holds["describes another"] = 1.0
        return holds

    def _has(self, cue: re.Pattern[str]) -> bool:
        """Whether a cue is anywhere in the answer; most have none, and then no place has to be looked at."""
        if cue not in self._cues:
            self._cues[cue] = cue.search(self.page.text) is not None
        return self._cues[cue]

    def _stated(self, name: Name, span: _Span) -> float:
        """How much a name is what the words before it are said to be."""
        before = self._before(name)
        if name.first <= span.begin or before not in COPULAS or (before == "by" and "title" in self.wanted.kinds):
            return 0.0
        said = range(span.begin, name.first)
        asked = not self.wanted.known or any(at in self._marks or self.folded[at] in ANSWERS for at in said)
        return (0.4 if before == ":" and not self.tokens[span.begin].line else 1.0) if asked else 0.2

    def _before(self, name: Name) -> str:
        """The word before a name and its titles."""
        index = name.first - 1
        while (
            index >= 0
            and self.tokens[index].low in TITLES | {"the", "a", "an", "của", '"', "“"}
            and not self.tokens[index + 1].line
        ):
            index -= 1
        return self.folded[index] if index >= 0 else ""

    def _possessor(self, name: Name) -> dict[str, float]:
        before = self.folded[name.first - 1] if name.first else ""
        behind = self.page.text[name.end : name.end + 2]
        said = self.folded[name.first - 2] if name.first > 1 else ""
        owned = behind in ("'s", "’s") and self.tokens[name.last - 1].low != "s"
        if owned or (before in ("of", fold_word("của")) and said not in COPULAS and "person" not in self.wanted.kinds):
            return {"possessor": 1.0}
        return {}

    # kinds, numbers, corrections

    def _kind(self, name: Name, span: _Span) -> dict[str, float]:
        kinds = self.wanted.kinds
        if not kinds:
            return {}
        text = self._text(name)
        code = is_code(text)
        before = self.folded[name.first - 1] if name.first > span.begin else ""
        honoured = before in HONORIFICS or (
            before == "." and name.first > 1 and self.folded[name.first - 2] in HONORIFICS
        )
        if "code" in kinds:
            return {"asked kind": 1.0} if code and text.lower() not in EXCHANGES else {"other kind": 1.0}
        if "person" in kinds:
            if code or any(letter.isdigit() for letter in text) or ORGANISATION.search(text):
                return {"other kind": 1.0}
            if before in LOCATIVES or name.shape == "title":
                return {"likely other kind": 1.0}
            return {"asked kind": 1.0} if honoured else {}
        if honoured:
            return {"other kind": 1.0}
        if "title" in kinds:
            return {"asked kind": 1.0} if name.shape == "title" else {"other kind": 1.0} if before == "by" else {}
        if "place" in kinds and before in LOCATIVES:
            return {"asked kind": 0.5}
        if "organisation" in kinds and before in LOCATIVES - {"from", fold_word("từ"), "to"}:
            return {"likely other kind": 0.7}
        return {}

    def _numbers(self, span: _Span, name: Name) -> dict[str, float]:
        """Figures beside a name that the question has too, or has otherwise: `12 tháng` where 6 are asked about."""
        wanted = self.wanted
        if not wanted.numbers and not wanted.years:
            return {}
        first = span.own if span.previous <= span.clause else span.previous
        last = min(span.following, span.clause_end)
        holds: dict[str, float] = {}
        here = qualifiers(self.tokens, self.folded, first, name.first) + qualifiers(
            self.tokens, self.folded, name.last, last
        )
        words = {word for word, _ in wanted.numbers}
        if any(pair in wanted.numbers for pair in here):
            holds["asked number"] = 1.0
        elif any(word in words for word, _ in here):
            holds["other number"] = 1.0
        if wanted.years:
            years = {
                self.tokens[at].text
                for at in (*range(first, name.first), *range(name.last, last))
                if len(self.tokens[at].text) == 4
            }
            years = {year for year in years if year.isdigit() and "1500" < year < "2200"}
            if years and not years & wanted.years:
                holds["other year"] = 1.0
        return holds

    def _topic(self, span: _Span) -> dict[str, float]:
        """What a sentence says at its beginning that it is about: `For maths, …`, `Xét về giá, …`."""
        if not self.wanted.known or span.begin >= len(self.tokens):
            return {}
        match = TOPIC.match(self.page.text, self.tokens[span.begin].start)
        if match is None:
            return {}
        return {"asked topic": 1.0} if self._words_of(match["topic"]) else {"other topic": 1.0}

    def _corrected(self, names: Sequence[Name]) -> list[dict[str, float]]:
        """What a correction takes back, and what it puts in its place."""
        sentences = [self.page.sentence_at(name.start) for name in names]
        firsts = [
            number
            for number, (start, end) in enumerate(self.page.sentences)
            if number and CORRECTED.match(self.page.text, start, end)
        ]
        at = firsts[-1] if firsts else None
        if at is None or not any(sentence >= at for sentence in sentences):
            return [{} for _ in names]
        return [{"correction": 1.0} if sentence >= at else {"corrected later": 1.0} for sentence in sentences]
