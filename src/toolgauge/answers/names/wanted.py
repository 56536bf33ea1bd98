"""What a question for a name wants: a person, a place, a code; the most or the least; one of some options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from toolgauge.locale import Token, fold_word, tokenise

from ..question import Question, stem
from .offices import find_offices
from .roles import find_concepts

__all__ = ["WantedName", "qualifiers", "read_wanted"]

KINDS: dict[str, re.Pattern[str]] = {
    kind: re.compile(rf"(?<![^\W_])(?:{cues})(?![^\W_])", re.IGNORECASE)
    for kind, cues in {
        "person": (
            r"ai|who|whom|whose|người\snào|nhân\sviên\snào|bác\ssĩ\snào|nghệ\ssĩ\snào|cầu\sthủ\snào|ca\ssĩ\snào"
            r"|tác\sgiả\s(?:nào|là)|tên\sngười"
            r"|(?:which|what)\s(?:\w+\s)?(?:person|player|author|employee|scientist|president|king|artist|actor"
            r"|actress|director|minister|writer|engineer|member|candidate|student|doctor|nurse|driver|speaker|singer"
            r"|teacher|manager|agent|lawyer|athlete|striker|goalkeeper|composer|painter|poet|colleague|founder|chairman"
            r"|coach|captain|tenant|teammate)"
            r"|(?:học\ssinh|sinh\sviên|thành\sviên|giáo\sviên|giảng\sviên|tài\sxế|luật\ssư|kỹ\ssư|vận\sđộng\sviên|ứng\sviên"
            r"|diễn\sviên|nhạc\ssĩ|họa\ssĩ|nhà\sthơ|nhà\svăn|đạo\sdiễn|thủ\smôn|tiền\sđạo|hướng\sdẫn\sviên|bạn)\snào"
        ),
        "code": (
            r"(?:mã|số\shiệu|ký\shiệu|biển\ssố)(?:\s[^\s?]+){0,10}?\s(?:là\sgì|nào|gì)|(?:ticker|symbol|code"
            r"|flight\snumber|order\snumber|invoice(?:\snumber)?"
            r"|isin|(?:license|number)\splate|iban|swift|bic|barcode|(?:part|model|reference|registration|account)\snumber|sku|serial\snumber|gate|tracking\snumber|booking\sreference|ticket\snumber|case\snumber)(?!\s\S*[0-9])"
            r"|which\sflight|chuyến\sbay\snào|which\s(?:\w+\s)?version|what\s(?:\w+\s){0,4}version"
            r"|phiên\sbản\snào|what\sis\sthe\sid"
        ),
        "place": (
            r"where|ở\sđâu|(?:which|what)\s(?:\w+\s)?(?:city|country|town|state|province|island|region|district"
            r"|continent|airport|village)|capital"
            r"|thủ\sđô|(?:thành\sphố|tỉnh|quốc\sgia|nước|huyện|quận|xã|địa\sphương|vùng|hòn\sđảo|sân\sbay)\snào"
        ),
        "organisation": (
            r"(?:which|what)\s(?:[\w-]+\s)?(?:company|firm|bank|vendor|supplier|agency|airline|brand|team|club"
            r"|studio|university|carrier|publisher|fund)"
            r"|(?:công\sty|ngân\shàng|hãng|đội|câu\slạc\sbộ|clb|tập\sđoàn|doanh\snghiệp|quỹ|trường|đơn\svị"
            r"|tổ\schức|cơ\squan|nhà\sthầu|đội\sbóng)\snào"
        ),
        "title": (
            r"(?:which|what)\s(?:\w+\s)?(?:novel|book|film|movie|song|album|play|poem|painting|show|series"
            r"|track|article)"
            r"|(?:bộ\sphim|phim|bài\shát|ca\skhúc|tiểu\sthuyết|truyện|cuốn\ssách|cuốn|tập\struyện|tập\sthơ"
            r"|bài\sthơ|tác\sphẩm|vở\skịch)\snào"
        ),
    }.items()
}
OPTIONS = re.compile(
    r"\b(?:or|hay(?!\skhông)|hoặc|among|between|out\sof|trong\ssố|giữa|trong\s(?:hai|ba|bốn|các)"
    r"|of\sthe\s(?:two|three|four))\b"
    r"|[^\s,]+,\s[^\s,]+(?:\s[^\s,]+)?,?\s(?:and|và|or|hay|hoặc)\s",
    re.IGNORECASE,
)
ASKED_ROLES: dict[str, re.Pattern[str]] = {
    "former": re.compile(
        r"\b(?:former|previous|previously|formerly|originally|original|predecessor|used\sto|before|trước\sđây"
        r"|cựu|tiền\snhiệm|ban\sđầu|từng|cũ"
        r"|trước\skhi|replaced|thay\sthế|succeeded|kế\snhiệm)\b",
        re.IGNORECASE,
    ),
    "second": re.compile(
        r"\b(?:second|third|runner|runners|next|nhì|thứ\s(?:hai|ba|nhì)|á\squân|sau\sđó|tiếp\stheo)\b", re.IGNORECASE
    ),
    "parent": re.compile(
        r"\b(?:parent|owns|owned|owner|thuộc|công\sty\smẹ|sở\shữu|belongs?|part\sof)\b", re.IGNORECASE
    ),
    "beaten": re.compile(
        r"\b(?:lost|loser|beat|beaten|defeat\w*|thua|đối\sthủ|opponent|rival|against)\b", re.IGNORECASE
    ),
    "source": re.compile(r"\b(?:source|nguồn|according|theo|published|reported|cited)\b", re.IGNORECASE),
    "also": re.compile(r"\b(?:also|other|else|another|khác|cũng|besides|ngoài)\b", re.IGNORECASE),
    "confused": re.compile(r"\b(?:confused|mistaken|nhầm)\b", re.IGNORECASE),
}
SAME_UNIT = {"quarter": "q", fold_word("quý"): "q", "version": "v", fold_word("bản"): "v", "release": "v", "giay": "s"}
CURRENT = re.compile(
    r"\b(?:current|currently|now|today|nowadays|present|is|are|hiện|đang|bây\sgiờ|nay|đương\snhiệm)\b", re.IGNORECASE
)
HIGHEST = frozenset(("=best", "=late"))
MOST = fold_word("nhất")
LITTLE = frozenset(map(fold_word, ("ít", "thấp", "rẻ", "nhỏ", "sớm", "ngắn", "kém", "nhẹ", "gần")))
"""With `nhất` what asks for the least: `ít lỗi nhất`."""
SYLLABLES = 2
"""How many words in small letters stand between the capitals of one name."""
YEAR = re.compile(r"(?:1[5-9]|20|21)[0-9]{2}")


@dataclass(frozen=True)
class WantedName:
    """What a name has to be, to answer a question."""

    words: frozenset[str] = frozenset()
    """What the question says: stems of words, figures, and what several words have in common."""
    own: frozenset[str] = frozenset()
    """All its words and figures, folded."""
    kinds: frozenset[str] = frozenset()
    options: bool = False
    """Whether the question names what there is to choose from."""
    roles: frozenset[str] = frozenset()
    """Roles that it asks for, such as who held an office before."""
    numbers: frozenset[tuple[str, str]] = frozenset()
    """Figures with the word that they stand beside: the 6 of `6 tháng`."""
    years: frozenset[str] = frozenset()
    most: int = 0
    """1 where the highest, latest or first is asked, -1 where the lowest or earliest is, 0 for neither."""
    nouns: frozenset[str] = frozenset()
    """Its longer words in small letters, folded."""
    verbs: frozenset[str] = frozenset()
    """The last words of the question, which say what happens."""
    offices: frozenset[str] = frozenset()
    """The work or office that it asks for, such as to direct or to be a treasurer."""
    about: frozenset[str] = frozenset()
    """The folded words of names in it, and those beside them."""
    current: bool = False
    """Whether it asks for what is now."""
    wins: bool = False
    """Whether it asks who won or is best."""
    known: bool = False
    """Whether there is a question at all."""


def qualifiers(tokens: Sequence[Token], folded: Sequence[str], first: int, last: int) -> list[tuple[str, str]]:
    """Figures between two tokens with the words that they stand beside, which say what they count or name."""
    found: list[tuple[str, str]] = []
    for index in range(first, last):
        if tokens[index].kind != "figure" or len(tokens[index].text) > 5 or YEAR.fullmatch(tokens[index].text):
            continue
        for place in (index - 1, index + 1):
            if first <= place < last and tokens[place].kind == "word":
                found.append((SAME_UNIT.get(folded[place], folded[place]), tokens[index].text))
    return found


def _about(tokens: Sequence[Token], folded: Sequence[str]) -> frozenset[str]:
    """The words from the first to the last capital of each name: `Hạ tầng Giao thông Đèo Cả`."""
    found: set[str] = set()
    row: list[int] = []
    last = -SYLLABLES - 1
    for index, token in enumerate(tokens):
        if token.kind == "word" and index and token.text[0].isupper():
            if index - last > SYLLABLES:
                row = []
            found.update(folded[at] for at in (*row, index))
            row, last = [], index
        elif token.kind == "word":
            row.append(index)
        else:
            row, last = [], -SYLLABLES - 1
    return frozenset(found)


@lru_cache(maxsize=512)
def read_wanted(asked: Question) -> WantedName:
    """Read what a question for a name wants."""
    text = asked.text
    if not text:
        return WantedName()
    tokens = tokenise(text)
    folded = [fold_word(token.low) for token in tokens]
    concepts = find_concepts(folded)
    covered = {index for said in concepts for index in range(said.first, said.last)}
    figures = {token.text for token in tokens if token.kind == "figure"}
    small = {stem(folded[index]) for index in covered}
    words = {word for word in asked.words if word not in small or len(word) > 5}
    said = {one.what for one in concepts}
    numbers = set(qualifiers(tokens, folded, 0, len(tokens)))
    for index, token in enumerate(tokens):
        if token.kind == "figure" and index and tokens[index - 1].text[0].isupper() and len(token.text) <= 4:
            numbers.add(("v", token.text))
    least = said & {"=least", "=early"}
    return WantedName(
        words=frozenset(words | figures | said),
        own=frozenset(folded),
        kinds=frozenset(kind for kind, pattern in KINDS.items() if pattern.search(text)),
        options=OPTIONS.search(text) is not None,
        roles=frozenset(role for role, pattern in ASKED_ROLES.items() if pattern.search(text)),
        numbers=frozenset(numbers),
        years=frozenset(figure for figure in figures if YEAR.fullmatch(figure)),
        most=-1 if least or (MOST in folded and LITTLE & set(folded)) else int(MOST in folded or bool(said & HIGHEST)),
        nouns=frozenset(
            folded[index] for index, token in enumerate(tokens) if len(token.text) >= 4 and token.text.islower()
        ),
        verbs=frozenset(asked.words[-2:]),
        offices=frozenset(() if "=win" in said else (one.what for one in find_offices(folded))),
        about=_about(tokens, folded),
        current=CURRENT.search(text) is not None and not any(map(YEAR.fullmatch, figures)),
        wins=bool(said & {"=win", "=best"}),
        known=True,
    )
