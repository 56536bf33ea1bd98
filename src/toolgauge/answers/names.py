"""Finds what may be meant as a name in an answer: rows of capitals, codes, titles, cells, heads of a list, what `is` states."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toolgauge.locale import Token

from .page import Page
from .place import FUNCTION_WORDS, TITLES, is_opening
from .question import stem

__all__ = ["ITEM", "ROLE_NOUNS", "Name", "Names", "is_code"]

NO_NAME_TEXT = (
    "i usd vnd vnđ eur gbp jpy vat gdp fdi ceo cfo cto coo hđqt hcv hcb clb hlv tp ubnd ceo's lntt q1 q2 q3 q4 am pm ok"
    " am pdf faq kpi roi monday tuesday wednesday thursday friday saturday sunday january february march april may june"
    " july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec km kg gb mb tb"
    " hz ghz kwh mr mrs ms dr prof thứ tháng quý năm ngày bước step note lưu ý ghi chú nguồn source tl dr tldr"
    " today's section chapter table figure tnhh ctcp cp jsc inc ltd llc plc ts bs ths gs pgs ông bà anh chị cô chú bác em"
    " final answer đáp án trả lời kết quả result summary tóm lại conclusion kết luận chairman chairwoman captain"
    " chief officer executive director manager president minister professor giám đốc chủ tịch trưởng phó"
    " huy chương vàng bạc hai ba tư sáu bảy nhật"
)
NO_NAMES = frozenset(NO_NAME_TEXT.split())
"""Words that are no name by themselves, though they are written with a capital."""
OPENER_TEXT = (
    "nominees finalists candidates contenders shortlist members top according based looking after since until during among following overall these those some many most several"
    " all each every what how why would should could please let my our your their there it's that's one two three four"
    " five first second third last next other another here's given using compared unlike despite from with without"
    " prices price sales results details additionally also early earlier later recently originally initially usually"
    " previously formerly currently due yes no runner winner option options correction update sorry apologies wait"
    " const không có các những một mỗi mọi nhiều vài hầu tổng mình tôi bạn em như với được đang đã sẽ hơn rẻ cao thấp"
    " nhất ngoài trước theo so trên dưới tại ở về để mặc bên ban lúc giá mức tỷ tỉ loại phần điểm việc cách khi"
    " sản chuyến người ca con cuộc đây đơn vị trí số danh bảng hai ba bốn xét cập phiên kim nếu gồm dự chúng thông"
    " xin rất tuyệt chào vâng dạ đính chính muốn cần đối riêng cùng kế tiếp thứ hạng hiện thay thuộc quanh gợi"
)
OPENERS = frozenset(OPENER_TEXT.split())
"""Words that often begin a sentence, and are hardly ever a name where they stand alone."""
HEAD_TEXT = (
    "công ngân tập siêu nhà khách quỹ trường bệnh phòng thành tỉnh đại viện cục bộ sở hãng gói đội câu vườn chợ"
    " sân bảo tổng liên hội ủy đài báo trung nước máy tàu xe chuyến mã cổ hệ phần"
)
HEADS = frozenset(HEAD_TEXT.split())
"""First syllables of words that say what a Vietnamese name names: `Công ty`, `Ngân hàng`."""
LINKS = frozenset(
    [
        "of",
        "de",
        "da",
        "do",
        "van",
        "von",
        "der",
        "den",
        "del",
        "la",
        "le",
        "el",
        "al",
        "di",
        "du",
        "dos",
        "bin",
        "ibn",
        "y",
    ]
)
LONG_HEADS = frozenset(("ty", "hàng", "tnhh", "cp", "ctcp", "đoàn", "học", "viện"))
QUOTED = re.compile(r"\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”|‘([^’\n]{2,80})’|«([^»\n]{1,80})»")
ITEM = re.compile(r"[ \t]*(?:[-•+–*]|\(?[0-9]{1,3}[.)]|[a-zA-Z][.)]|✅|🥇|🥈|🥉)[ \t]+")
HEAD_END = re.compile(r"\s[–—-]\s|:\s|\s\(|:$|\s=\s|\s→\s")
COPULA = re.compile(
    r"(?<![^\W_])(?:là|is|was|are|were|it's|it’s|chọn|dùng)\s(?:(?:the|an?|now|actually|also|still|probably|loại|chất|màu|called|con|cây)\s){0,2}"
    r"(?P<name>[^\W\d_]+(?:[ -][^\W\d_]+){0,4})",
    re.IGNORECASE,
)
STOP_TEXT = (
    "which who that with at in on by from for and or but because since as so when while where than if not only also"
    " và hoặc hay với tại ở của từ vì do nên nhưng mà còn khi nếu thì được bởi có đã đang sẽ thêm nằm dài cao khoảng chứ"
    " không cho trong theo về vào gồm tuy dù"
)
STOPS = frozenset(STOP_TEXT.split())
CLAUSE_WORDS = STOPS | FUNCTION_WORDS - {"của", "chính", "tên", "đô", "thủ", "capital"}
ROLE_NOUN_TEXT = (
    "officer director manager chairman chairwoman president minister engineer editor secretary executive head lead chief"
    " captain coach founder partner analyst professor governor mayor"
)
ROLE_NOUNS = frozenset(ROLE_NOUN_TEXT.split())
"""What ends an office and no name: `Chief Financial Officer`."""
ADJECTIVE = re.compile(r"(?:ian|ish|ese|ean|rican|rman|ench|utch|wiss|nish|orean|aeli|raqi)$")
SHORT_NAMES = frozenset("huế mỹ pháp đức nga ý úc nhật hàn lào áo bỉ séc ba_lan đài".split())
"""Names of one syllable that is not plain Latin."""
DIGIT = re.compile(r"[0-9]")
QUARTER = re.compile(r"[IVX]+(?:/[0-9]+)?")
VERSION = re.compile(
    r"(?<![\w.,/:$€£-])v?[0-9]+(?:\.[0-9]+){1,3}(?![\w%:/]|[.,][0-9])|(?<![\w.,/:$€£+-])[0-9]{4,12}(?![\w%:/-]|[.,][0-9])"
)
"""Figures that may be a version or an identifier."""
PARTICIPLE = re.compile(
    r"\w{3}(?:ed|ing|ly)$|^(?:written|led|made|built|known|held|run|won|given|taken|set|chosen|found|born|sung|sold|sworn|drawn|grown|shown)$"
)
LONGEST = 6
"""How many words a title or the head of a list item has at most."""
MAX_NAMES = 300
"""How many names of one answer are weighed: the first and the last ones."""


@dataclass(frozen=True, slots=True)
class Name:
    """A stretch of a text that may be meant as a name."""

    start: int
    end: int
    first: int
    """Index of its first token."""
    last: int
    """Index behind its last token."""
    words: tuple[str, ...]
    """Its words and figures, folded."""
    shape: str = "row"
    """How it was found: a row of capitals, a code, a title, a cell, the head of an item, or what was stated."""
    weak: bool = False
    """Whether it may be no name at all."""


def is_code(text: str) -> bool:
    """Whether a text is written like a ticker, an identifier or a version."""
    if DIGIT.search(text):
        return " " not in text.strip() or (text.upper() == text and sum(map(str.isalpha, text)) <= 4)
    return text.isupper() and sum(map(str.isalpha, text)) <= 6


class Names:
    """Finds the names of one answer."""

    def __init__(
        self, page: Page, tokens: Sequence[Token], folded: Sequence[str], starts: Sequence[int], asked: frozenset[str]
    ) -> None:
        self.page, self.tokens, self.folded, self.starts = page, tokens, folded, starts
        self.asked = asked
        self.small = {token.low for token in tokens if token.text[0].islower()}
        self.inner: set[str] = set()

    def find(
        self, taken: Sequence[Name], given: Callable[[Name], bool], verbs: frozenset[str], *, codes: bool
    ) -> list[Name]:
        """All names in order, none of which overlaps another.

        Args:
            taken: Names that are known already and go first.
            given: Whether a name is one of the question, and no answer to it.
            verbs: Words behind which a name in small letters may stand.
            codes: Whether mere figures may be what is asked for.
        """
        rows = list(self._rows())
        titles = [*self._titles(), *self._cells(), *self._heads()]
        bold = self._bold()
        figures = self._figures() if codes else []
        chosen = list(taken)
        spans = sorted((name.start, name.end) for name in chosen)
        for group in (titles, bold, figures, rows):
            fresh = [name for name in sorted(group, key=lambda name: name.start) if not _overlaps(name, spans)]
            kept: list[Name] = []
            for name in fresh:
                if not kept or kept[-1].end <= name.start:
                    kept.append(name)
            chosen += kept
            spans = sorted((name.start, name.end) for name in chosen)
        known = {(name.start, name.end) for name in taken}
        chosen = [name for name in chosen if (name.start, name.end) in known or not given(name)]
        places = sorted(name.start for name in chosen)
        small = bool(verbs)
        stated = [*self._stated(places, small=small), *(self.objects(verbs) if verbs else [])]
        for name in sorted(stated, key=lambda name: name.start):
            if not _overlaps(name, spans) and not given(name):
                chosen.append(name)
                spans = sorted((*spans, (name.start, name.end)))
        chosen.sort(key=lambda name: name.start)
        return chosen if len(chosen) <= MAX_NAMES else [*chosen[: MAX_NAMES // 2], *chosen[-MAX_NAMES // 2 :]]

    def name_at(self, start: int, end: int, shape: str = "row", *, weak: bool = False) -> Name:
        """The name between two places of the text."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        words = tuple(self.folded[index] for index in range(first, last) if self.tokens[index].kind != "sign")
        return Name(start, end, first, last, words, shape, weak)

    # rows of words with capitals

    def _rows(self) -> Iterator[Name]:
        tokens = self.tokens
        index, count = 0, len(tokens)
        found: list[tuple[int, int]] = []
        while index < count:
            token = tokens[index]
            if token.kind != "word" or not token.text[0].isupper():
                index += 1
                continue
            end = self._row_end(index)
            found.append((index, end))
            index = end
        for first, end in found:
            if not self._opens(first):
                self.inner.add(self.folded[first])
        for first, end in found:
            name = self._row(first, end)
            if name is not None:
                yield name

    def _row_end(self, first: int) -> int:
        tokens, end = self.tokens, first + 1
        bridges = (first >= 1 and self.folded[first - 1] in LONG_HEADS) or tokens[first].low in LONG_HEADS
        while end < len(tokens) and not tokens[end].line:
            token, gap = tokens[end], tokens[end].start - tokens[end - 1].end
            if gap > 1:
                break
            if token.kind == "word" and token.text[0].isupper():
                bridges = bridges or token.low in LONG_HEADS
                end += 1
            elif (token.kind == "figure" and (gap == 0 or (len(token.text) <= 5 and self._ends_row(end + 1)))) or (
                token.kind == "word" and gap == 0 and tokens[end - 1].kind == "figure"
            ):
                end += 1
            elif token.low == "số" and end + 1 < len(tokens) and tokens[end + 1].kind == "figure":
                end += 2
            elif (token.kind == "sign" and gap == 0 and (step := self._joined(end))) or (
                token.kind == "word" and (step := self._linked(end, bridges=bridges))
            ):
                end += step
            else:
                break
        return end

    def _ends_row(self, index: int) -> bool:
        """Whether a figure before a token belongs to a name, and counts nothing: `Zephyr 14`, not `Zephyr 14 %`."""
        if index >= len(self.tokens) or self.tokens[index].line:
            return True
        token = self.tokens[index]
        if token.kind == "word":
            return token.low in FUNCTION_WORDS or token.low in STOPS or token.text[0].isupper()
        return token.text not in "%$€£°×x/–-:"

    def _joined(self, index: int) -> int:
        """How many tokens a sign adds that stands inside a name: `AC-204`, `S&P`, `O'Neill`, `T. Oyelaran`."""
        tokens = self.tokens
        if index + 1 >= len(tokens) or tokens[index + 1].line:
            return 0
        sign, before, behind = tokens[index].text, tokens[index - 1], tokens[index + 1]
        touching = behind.start == tokens[index].end
        if behind.kind == "sign":
            return 0
        if sign in "-‑&+/" and touching:
            return 2 if behind.kind == "figure" or behind.text[0].isalpha() else 0
        if sign in "'’" and touching:
            return 2 if behind.text[0].isupper() else 0
        if sign == "." and behind.text[0].isupper():
            short = (len(before.text) == 1 and before.kind == "word") or before.low in (
                "tp",
                "st",
                "dr",
                "ts",
                "bs",
                "ths",
                "gs",
                "pgs",
                "mr",
                "mrs",
            )
            return 2 if short and (touching or behind.start == tokens[index].end + 1) else 0
        return 0

    def _linked(self, index: int, *, bridges: bool) -> int:
        """How many small words stand between the parts of one name: `Rio de Janeiro`, `Bank of the West`."""
        tokens = self.tokens
        reach = index
        while reach < len(tokens) and reach - index < 2 and tokens[reach].kind == "word" and not tokens[reach].line:
            low = tokens[reach].low
            if tokens[reach].text[0].isupper():
                break
            if low not in LINKS and not (low == "the" and reach > index) and not (bridges and low not in STOPS):
                return 0
            reach += 1
        ends = reach < len(tokens) and tokens[reach].kind == "word" and tokens[reach].text[0].isupper()
        return reach - index if ends and not tokens[reach].line else 0

    def _opens(self, index: int) -> bool:
        """Whether a word has a capital only because it opens a sentence, a line, a quotation or a cell."""
        if index == 0 or self.tokens[index].line:
            return True
        before = self.tokens[index - 1]
        if before.kind != "sign" or before.text in ",;)%&'’/]":
            return False
        return before.text != "." or index < 2 or len(self.tokens[index - 2].text) > 1

    def _row(self, first: int, end: int) -> Name | None:
        tokens = self.tokens
        opens = self._opens(first)
        while first < end and self._is_lead(first, end, opens=opens):
            first += 1
            while first < end and (tokens[first].kind == "sign" or tokens[first].text[0].islower()):
                first += 1
            opens = False
        words = sum(token.kind == "word" for token in tokens[first:end])
        if not words or tokens[end - 1].low in ROLE_NOUNS:
            return None
        single = words == 1
        text = self.page.text[tokens[first].start : tokens[end - 1].end]
        sign = tokens[end].text if end < len(tokens) and tokens[end].start == tokens[end - 1].end else ""
        if QUARTER.fullmatch(text) or self._in_heading(tokens[first].start) or sign in ("$", "€", "£"):
            return None
        shape = "code" if is_code(text) else "row"
        weak = False
        if single and shape == "row":
            low = tokens[first].low
            if end < len(tokens) and low in HEADS and tokens[end].text[0].islower() and not tokens[end].line:
                return None
            describes = (
                end < len(tokens)
                and tokens[end].kind == "word"
                and tokens[end].text[0].islower()
                and not tokens[end].line
            )
            noun = describes and tokens[end].low not in FUNCTION_WORDS
            if (noun or sign == ":") and ADJECTIVE.search(low):
                return None
            syllable = describes and not tokens[first].text.isascii() and low not in SHORT_NAMES
            if opens and not self._is_alone(first, end):
                if syllable or low in self.small or low in OPENERS or low in FUNCTION_WORDS or is_opening(low):
                    return None
                weak = self.folded[first] not in self.inner
            elif syllable and tokens[end].low not in FUNCTION_WORDS:
                weak = True
        return self.name_at(tokens[first].start, tokens[end - 1].end, shape, weak=weak)

    def _is_lead(self, first: int, end: int, *, opens: bool) -> bool:
        """Whether a row begins with a word that is no part of the name."""
        token = self.tokens[first]
        low = token.low
        letters = len(token.text) > 1 and token.text.isupper()
        counted = first + 1 < end and self.tokens[first + 1].kind == "figure" and self.folded[first] in self.asked
        if (low in NO_NAMES and not counted) or low == "the":
            return True
        if low in TITLES and end > first + 1 and self.tokens[first + 1].text[0].islower():
            return True
        return (
            opens and end > first + 1 and not letters and (low in OPENERS or low in FUNCTION_WORDS or is_opening(low))
        )

    def _in_heading(self, start: int) -> bool:
        """Whether a place lies in the heading of a table."""
        if "|" not in self.page.text:
            return False
        first, last = self.page.lines[self.page.line_at(start)]
        return self.page.text.count("|", first, last) >= 2

    def _is_alone(self, first: int, end: int) -> bool:
        """Whether nothing else is said in its sentence."""
        if first and not self.tokens[first].line and self.tokens[first - 1].text not in ".!?":
            return False
        return end >= len(self.tokens) or self.tokens[end].line or self.tokens[end].text in ".!"

    # what the layout says

    def _titles(self) -> Iterator[Name]:
        if not any(sign in self.page.text for sign in '"“‘«'):
            return
        for match in QUOTED.finditer(self.page.text):
            group = match.lastindex or 1
            if len(match[group].split()) <= LONGEST + 4 and match[group].strip():
                yield self.name_at(match.start(group), match.end(group), "title")

    def _cells(self) -> Iterator[Name]:
        if "|" not in self.page.text:
            return
        for cell in self.page.cells:
            words = self.page.text[cell.start : cell.end]
            text = words.strip(" \t*_`")
            if 0 < len(text.split()) <= LONGEST + 2 and any(map(str.isalpha, text)) and not _is_amount(text):
                start = cell.start + words.index(text)
                yield self.name_at(start, start + len(text), "cell")

    def _heads(self) -> Iterator[Name]:
        """Heads of list items, where what follows says something of them; a label before a name is none."""
        text = self.page.text
        for start, end in self.page.lines:
            item = ITEM.match(text, start, end)
            if item is None:
                continue
            cut = HEAD_END.search(text, item.end(), end)
            stop = cut.start() if cut else end
            head = text[item.end() : stop].strip()
            if (
                not head
                or len(head.split()) > LONGEST
                or not (head[0].isupper() or head[0].isdigit())
                or _is_amount(head)
            ):
                continue
            if head.endswith((".", "?", "!")) or (cut and _is_named(text[cut.end() : end], self)):
                continue
            if cut is None and any(word in CLAUSE_WORDS for word in head.lower().split()):
                continue
            yield self.name_at(item.end(), item.end() + len(text[item.end() : stop].rstrip()), "head")

    def _bold(self) -> list[Name]:
        """Emphasised words that are a name as a whole, though not all of them have a capital."""
        found: list[Name] = []
        for start, end in self.page.emphasised:
            words = self.page.text[start:end]
            text = words.strip(' \t:.,;!"“”')
            if not text or len(text.split()) > LONGEST or _is_amount(text) or "\n" in text:
                continue
            start += words.index(text)
            cut = re.search(r",\s|\s[–—(]|:\s", text)
            if cut:
                text = text[: cut.start()]
            lows = text.lower().split()
            if any(word in CLAUSE_WORDS for word in lows) or all(word in NO_NAMES or word.isdigit() for word in lows):
                continue
            if self._is_label(start, start + len(text), lows):
                continue
            found.append(self.name_at(start, start + len(text), "code" if is_code(text) else "bold"))
        return found

    def _is_label(self, start: int, end: int, lows: Sequence[str]) -> bool:
        """Whether emphasised words only head what follows: `**Bước 1:** …`, `**Nhận xét**`."""
        if lows[0] in NO_NAMES:
            return True
        line_start, line_end = self.page.lines[self.page.line_at(start)]
        rest = self.page.text[end:line_end].strip(" *_.")
        opens = not self.page.text[line_start:start].strip(" \t#>-*•0123456789.)")
        capitals = sum(word[0].isupper() for word in self.page.text[start:end].split())
        alone = opens and rest in ("", ":") and line_end < len(self.page.text)
        return (alone or (opens and rest.startswith(":"))) and capitals < 2 and lows[0] not in HEADS

    def _figures(self) -> list[Name]:
        return [self.name_at(match.start(), match.end(), "code") for match in VERSION.finditer(self.page.text)]

    def _stated(self, places: Sequence[int], *, small: bool) -> list[Name]:
        """Words in small letters that a clause without another name states: `The metal is silver`."""
        found: list[Name] = []
        for match in COPULA.finditer(self.page.text):
            start, words = match.start("name"), match["name"]
            kept: list[str] = []
            for word in words.split(" "):
                if word.lower() in CLAUSE_WORDS or (kept and word[0].isupper()):
                    break
                kept.append(word)
            text = " ".join(kept)
            if (
                not text
                or text[0].isupper()
                or len(kept) > 4
                or PARTICIPLE.search(kept[0])
                or {kept[0], kept[-1]} & TITLES
            ):
                continue
            begin, end = self._clause(start)
            index = bisect_left(places, begin)
            if index == len(places) or places[index] >= end:
                found.append(self.name_at(start, start + len(text), "stated", weak=not small))
        return found

    def objects(self, verbs: frozenset[str]) -> list[Name]:
        """Words in small letters behind what the question says happens: `the author defends realism`."""
        found: list[Name] = []
        for index, token in enumerate(self.tokens):
            if token.kind != "word" or stem(token.low) not in verbs:
                continue
            end = index + 1
            while end < len(self.tokens) and end - index <= 3 and self._is_plain(end):
                end += 1
            if end > index + 1:
                found.append(self.name_at(self.tokens[index + 1].start, self.tokens[end - 1].end, "stated", weak=True))
        return found

    def _is_plain(self, index: int) -> bool:
        token = self.tokens[index]
        plain = token.kind == "word" and token.text.islower() and not token.line
        return (
            plain and token.low not in CLAUSE_WORDS and self.folded[index] not in self.asked and token.low not in TITLES
        )

    def _clause(self, place: int) -> tuple[int, int]:
        """Where the clause around a place begins and ends."""
        text = self.page.text
        low, high = self.page.sentences[self.page.sentence_at(place)]
        begin = max(text.rfind(sign, low, place) for sign in (", ", "; ", ": "))
        ends = [end for sign in (", ", "; ", " – ") if (end := text.find(sign, place, high)) >= 0]
        return max(begin, low), min(ends, default=high)


def _is_amount(text: str) -> bool:
    """Whether a text begins with a figure or a sign that counts: `12 %`, `$5`; `4You` and `3.13` are none."""
    bare = text.lstrip("~≈+-−<>≥≤ ")
    if not bare:
        return True
    if bare[0] in "$€£₫¥":
        return True
    return bare[0].isdigit() and not (" " not in bare and any(map(str.isupper, bare)))


def _is_named(text: str, names: Names) -> bool:
    """Whether what stands behind a label is a name, so that the label is none."""
    words = text.strip(" \t*_\"“'").split()
    while words and words[0].lower().strip(".,") in TITLES | NO_NAMES:
        words = words[1:]
    if not words or not words[0][0].isupper():
        return False
    first = words[0].strip(".,;:").lower()
    return (
        first not in OPENERS and first not in FUNCTION_WORDS and first not in names.small and len(words) <= LONGEST + 2
    )


def _overlaps(name: Name, spans: Sequence[tuple[int, int]]) -> bool:
    index = bisect_left(spans, (name.end, 0))
    return index > 0 and spans[index - 1][1] > name.start
