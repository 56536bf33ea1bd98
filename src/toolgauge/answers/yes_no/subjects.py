"""What a yes-or-no question is about, and whether a clause of an answer is about that or about something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from toolgauge.locale import fold_word

from ..question import NEVER_NAMES, stem
from .opposites import CAPITAL, Member, find_members, folded_words
from .weekdays import weekdays_in

__all__ = [
    "CODE",
    "DAY",
    "PAIRED",
    "YEAR",
    "Asked",
    "has_other_pair",
    "is_about_another",
    "is_named",
    "is_on_topic",
    "misses_a_name",
    "names_it",
    "things_in",
]

FLAGS = re.IGNORECASE
CODE = re.compile(r"#\s?[A-Za-z]{0,4}-?\d[\w-]*|\b[A-Z]{1,5}-?\d[\w-]*")
DAY = re.compile(r"\b\d{1,2}/\d{1,2}(?!/?\d)|\b\d{1,2}/\d{1,2}(?=/\d{4})")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
OTHERS = re.compile(
    r"^\W*(?:riêng|còn\s(?!hàng|lại\sđúng|hiệu|hạn|chỗ|giá|phòng|vé|trống|\d)|(?:các|những|mọi)\s[\w\s]{0,20}(?:khác"
    r"|còn\slại)|others?\b|the\s(?:other|rest)"
    r"|every\sother|all\sother|other\s|unlike|khác\svới|ngoại\strừ|apart\sfrom|except)",
    FLAGS,
)
ATTRIBUTION = re.compile(r"\W*(?:theo|căn\scứ|dựa|according\sto|based\son|per|under|as\sper|như)\b", FLAGS)
"""What only says where something is from: `Theo Nghị định 51`."""
THINGS = """
doanh thu, revenue, sales, turnover; lợi nhuận, profit, profits, earnings, eps, loss, losses; chi phí, costs; thuế
xuất khẩu, exports, export; nhập khẩu, imports, import
người lớn, adult, adults; trẻ em, child, children, kids; sinh viên, student, students; người cao tuổi, seniors
chiều đi, outbound; chiều về, inbound
ngày thường, weekdays; cuối tuần, weekends
chó, dog, dogs; mèo, cat, cats
nam, men, male; nữ, women, female
"""
"""Things of one kind: what is said of one is not said of another."""
PAIRED = re.compile(rf"(?<!\w)(?=([^\W\d_]+)\s+(?:số\s|#)?([{CAPITAL}][\w-]*|\d[\w./-]*|[IVX]+)\b)")
THROUGH = re.compile(r"\b(?:via|through|qua)\s$", FLAGS)
"""What names a way or an origin, and not what is spoken of."""
CLEFT = re.compile(r"\W*it\s(?:was|is)\s(?:the\s)?(?P<other>[\w\s-]{2,40}?)\s(?:that|which|who)\b", FLAGS)
"""What says that something was so of another thing: `it was the training that moved`."""
SHORT = frozenset(
    map(
        fold_word,
        ("can", "may", "must", "should", "could", "have", "được", "có", "cần", "phải", "nên", "còn", "up", "on"),
    )
)
"""Words with contraries that are in answers about anything."""
SAME_TOPIC = 2
"""How many words of the question make what `riêng` or `còn` leads up to the very thing that is asked about."""
OWN = frozenset(map(fold_word, ("bạn", "hợp", "vậy", "này", "đó", "anh", "chị", "em")))
"""Words for the case of whoever asks."""


@dataclass(frozen=True)
class Asked:
    """What a question wants affirmed or denied."""

    members: tuple[Member, ...] = ()
    key: frozenset[str] = frozenset()
    """Its words that have contraries: what it asks about is not affirmed without one of them."""
    head: str = ""
    """The verb or adjective that a Vietnamese question asks about: `nhận` in `Trường có nhận học sinh không`."""
    echo: frozenset[str] = frozenset()
    """Stems of the words that an answer may repeat."""
    tokens: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()
    years: frozenset[str] = frozenset()
    weekdays: frozenset[int] = frozenset()
    things: frozenset[tuple[int, int]] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring words of it."""
    paired: tuple[tuple[str, str], ...] = ()
    """A word and the name or number behind it: `phòng Sen`, `size M`."""
    in_vietnamese: bool = False
    predicate: frozenset[str] = frozenset()
    """What it asks whether something is: `freshwater`, `lake` in `Is Lake Orin a freshwater lake?`."""
    complement: tuple[str, ...] = ()
    """Stems of what it asks that of: `cổ`, `tức`, `tiền`, `mặt`."""
    needs: bool = False
    """Whether it asks what has to be."""
    claims: bool = False
    """Whether it asks to confirm an amount that it gives."""
    negated: bool = False
    """Whether it asks to confirm that something is not so."""
    perfect: bool = False
    """Whether it asks if something has happened."""
    triggers: frozenset[str] = frozenset()
    """The small words that it asks with: `được`, `còn`, `can`."""
    topic: frozenset[str] = frozenset()
    """Stems of the words that say what it is about, and not what of it."""
    objects: frozenset[str] = frozenset()
    """Stems of what something may include, cover, support or accept: the verb alone does not affirm it."""


def names_it(clause: str, asked: Asked) -> bool:
    """Whether a clause names what the question is about."""
    if any(match.group().lower() in asked.codes for match in CODE.finditer(clause)):
        return True
    if asked.weekdays and not asked.weekdays.isdisjoint(weekdays_in(clause)):
        return True
    words = folded_words(clause)
    return not asked.entities.isdisjoint(words) or not asked.things.isdisjoint(things_in(words))


def is_named(subject: str, asked: Asked) -> bool:
    """Whether what a verdict is said of is in the question, or the case itself."""
    words = folded_words(subject)
    known = asked.echo | asked.entities | OWN
    return any(stem(word) in known or word in known for word in words)


def misses_a_name(sentence: str, asked: Asked) -> bool:
    """Whether a sentence has some names of the question and not all: `born in Ulm` does not say `born in Austria`."""
    named = asked.entities.intersection(folded_words(sentence))
    return bool(named) and named != asked.entities


def is_on_topic(text: str, asked: Asked) -> bool:
    """Whether a text speaks of what is asked, whatever it says of it."""
    words = folded_words(text[:3000])
    if not (asked.echo | asked.topic).isdisjoint(map(stem, words)) or not asked.entities.isdisjoint(words):
        return True
    if len(words) <= 12 and len(asked.echo) > 1:
        return True
    rows = {member.row for member in asked.members}
    return any(member.row in rows and words[member.first] not in SHORT for member in find_members(words[:60]))


def is_about_another(clause: str, asked: Asked, *, opens: bool) -> bool:
    """Whether a clause speaks of something else: another name, code, day or size than the question's."""
    if OTHERS.match(clause) and not _is_same_topic(folded_words(clause), asked):
        return True
    cleft = CLEFT.match(clause)
    if cleft is not None and asked.tokens and asked.tokens.isdisjoint(folded_words(cleft["other"])):
        return True
    for pattern, mine in ((CODE, asked.codes), (DAY, asked.days), (YEAR, asked.years)):
        codes = {match.group().lower() for match in pattern.finditer(clause)}
        if codes and mine and not codes & mine:
            return True
    days = weekdays_in(clause) if asked.weekdays else frozenset()
    if days:
        return days.isdisjoint(asked.weekdays)
    words = re.findall(r"[^\W_]+", clause)
    folded = [fold_word(word) for word in words]
    things = set(things_in(folded))
    if (
        things
        and asked.things
        and any(
            group == other and member != mine and (group, mine) not in things
            for group, member in things
            for other, mine in asked.things
        )
    ):
        return True
    if ATTRIBUTION.match(clause):
        return False
    names = [
        low
        for index, (word, low) in enumerate(zip(words[:6], folded[:6], strict=True))
        if word[0].isupper()
        and word.lower() not in NEVER_NAMES
        and (index or not opens or (word.isupper() and len(word) > 1))
    ]
    kept = {name for name in names if name in asked.tokens and name.upper() not in words}
    titled = any(name in asked.entities and name.upper() in words for name in names)
    if (
        names
        and asked.entities
        and not kept
        and (titled or not asked.entities & set(folded))
        and not all(name in asked.tokens for name in names)
        and not {name for name in asked.entities if name.upper() not in words} & set(folded)
        and (titled or not any(name in asked.tokens for name in names))
    ):
        return True
    return has_other_pair(clause, asked)


def _is_same_topic(words: Sequence[str], asked: Asked) -> bool:
    """Whether what `riêng` leads up to is the very thing that is asked about."""
    if any(pair in asked.pairs and pair[0].isdigit() for pair in pairwise(words)):
        return True
    return len(asked.topic.intersection(map(stem, words))) >= SAME_TOPIC


@lru_cache(maxsize=1)
def _knownthings_in() -> dict[tuple[str, ...], tuple[int, int]]:
    return {
        tuple(map(fold_word, phrase.split())): (group, member)
        for group, line in enumerate(THINGS.strip().splitlines())
        for member, phrases in enumerate(line.split(";"))
        for phrase in phrases.split(",")
    }


def things_in(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The things of known kinds that words name."""
    known = _knownthings_in()
    for index, word in enumerate(words):
        thing = known.get((word,)) or known.get(tuple(words[index : index + 2]))
        if thing is not None:
            yield thing


def has_other_pair(clause: str, asked: Asked) -> bool:
    """Whether it says `size L` where `size M` is asked for."""
    mine: dict[str, set[str]] = {}
    for word, value in asked.paired:
        mine.setdefault(word, set()).add(value)
    low = clause.lower()
    for match in PAIRED.finditer(clause):
        if THROUGH.search(clause, 0, match.start()):
            continue
        wanted = mine.get(match[1].lower(), set())
        alike = {value for value in wanted if value[0].isdigit() == match[2][0].isdigit()}
        if alike and match[2].lower() not in alike and not any(f" {value}" in low for value in wanted):
            return True
    return False
