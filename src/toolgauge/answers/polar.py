"""What a yes-or-no question asks, and whether a clause of an answer affirms or denies it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from toolgauge.locale import PROFILES, fold_word

from .opposites import CAPITAL, Member, find_members, folded_words
from .question import GENERIC, Question, stem

__all__ = ["Asked", "Stance", "is_about_another", "is_on_topic", "names_it", "read_asked", "stance_of"]

FLAGS = re.IGNORECASE
TAG = re.compile(
    r"[,\s]+(?:(?:có\s)?(?:đúng|phải)\s(?:không|chứ|chưa)|chứ|(?:is|are|does|do|was|were|has|have|can|will|did)(?:n['’]t)?\s(?:it|they|he|she|you|that|there)"
    r"|right|correct|true)\s*\?*\s*$",
    FLAGS,
)
TRUTH = re.compile(
    r"\s*(?:is\sit\s(?:true|correct|right)\sthat|có\sđúng\slà|có\sphải\slà?|phải\schăng|có\sthật\slà)\b", FLAGS
)
OPENED = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)(?:n['’]t|\snot)?\s", FLAGS
)
"""The verb that an English question begins with."""
TRIGGER = re.compile(r"\b(?:có|đã|còn|bị|được|phải|cần|nên|vẫn|đang)\b", FLAGS)
IF = re.compile(r"(?<=\w),?\s(?:if|nếu|given\sthat)\s[^?]{3,200}(?=\?|$)", FLAGS)
CLOSED = re.compile(
    r"[\s,]+(?:không|chưa|hay\s(?:không|chưa)|à|hả|nhỉ|vậy|thế)(?:\s(?:ạ|nhỉ|vậy|thế))?\s*(?:\([^()]*\))?\s*\?*\s*$",
    FLAGS,
)


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold_word, words.split()))


MODAL = _folded(
    "được phép thể có can may able could possible phải cần need needs must nên should còn hết left trên over up down"
    " dưới thuộc cùng yêu cầu đạt vượt giao gửi trả nộp mở nghỉ within cover covers giữ khác trong đúng right"
)
"""Words of a row that are in too many sentences to answer a question on their own."""
NEGATORS = _folded("không chưa chẳng chả chớ not never no neither nor without đừng hardly")
NO_NEGATION = {
    fold_word(word): _folded(behind)
    for word, behind in {
        "không": "chỉ những ít kém quá dưới sai khí gian",
        "not": "only just more less later wrong",
        "no": "later more less matter doubt problem",
    }.items()
}
STOPPED = _folded("ngừng dừng ngưng ngưng stopped ceased discontinued unable fails")
"""Words that deny the verb behind them."""
LINKS = _folded("là được đã có vẫn sẽ bị is are was were can does do has have will did may be been phải cần nên thì")
ARTICLES = _folded("a an the một các những fully also still luôn ngay now currently")
ASKED = _folded("thể phép còn hết kịp từng")
ONLY = _folded("chỉ mới only just")
EMPTY = _folded("been be being get got make made tôi mình bạn em anh chị nay hôm year today there")
PERFECT = re.compile(r"^\s*(?:has|have|had)\b|\bđã\b.*\bchưa\b|\bchưa\s*\?*\s*$", FLAGS)
UNFINISHED = re.compile(
    r"\b(?:still\s(?:being|pending|waiting|awaiting|under|in\s(?:progress|review)|outstanding|open|processing|on\shold|to\scome)|pending|awaiting"
    r"|under\sreview|in\sprogress|not\syet|yet\sto|đang\s(?:chờ|được|xử\slý|xem\sxét|thẩm\sđịnh|trong\squá\strình|làm|tiến\shành|đợi)|còn\sđang"
    r"|mới\schỉ|chờ\s(?:duyệt|xử\slý|phê\sduyệt|thẩm\sđịnh)|vẫn\sđang|(?:is|are)\sscheduled|dự\skiến|sắp|đang)\b",
    FLAGS,
)
DONE = re.compile(r"\b(?:đã|xong|rồi|already|has\sbeen|have\sbeen|was|were)\b", FLAGS)
CODE = re.compile(r"#\s?[A-Za-z]{0,4}-?\d[\w-]*|\b[A-Z]{1,5}-?\d[\w-]*")
DAY = re.compile(r"\b\d{1,2}/\d{1,2}(?!/?\d)|\b\d{1,2}/\d{1,2}(?=/\d{4})")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
OTHERS = re.compile(
    r"^\W*(?:riêng|còn\s(?!hàng|lại\sđúng|hiệu|hạn|chỗ|giá|phòng|vé|trống|\d)|(?:các|những|mọi)\s[\w\s]{0,20}(?:khác|còn\slại)|others?\b|the\s(?:other|rest)"
    r"|every\sother|all\sother|other\s|unlike|khác\svới|ngoại\strừ|apart\sfrom|except)",
    FLAGS,
)
THINGS = """
doanh thu, revenue, sales, turnover; lợi nhuận, profit, profits, earnings, eps; chi phí, cost, costs, expenses; thuế
xuất khẩu, exports, export; nhập khẩu, imports, import
người lớn, adult, adults; trẻ em, child, children, kids; sinh viên, student, students; người cao tuổi, seniors
chiều đi, outbound; chiều về, inbound
ngày thường, weekdays; cuối tuần, weekends
chó, dog, dogs; mèo, cat, cats
nam, men, male; nữ, women, female
"""
"""Things of one kind: what is said of one is not said of another."""
PAIRED = re.compile(rf"([^\W\d_]+)\s+(?:số\s|#)?([{CAPITAL}][\w-]*|\d[\w./-]*|[IVX]+)\b")


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
    things: frozenset[tuple[int, int]] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()
    """Neighbouring words of it."""
    paired: tuple[tuple[str, str], ...] = ()
    """A word and the name or number behind it: `phòng Sen`, `size M`."""
    negated: bool = False
    """Whether it asks to confirm that something is not so."""
    perfect: bool = False
    """Whether it asks if something has happened."""
    triggers: frozenset[str] = frozenset()
    """The small words that it asks with: `được`, `còn`, `can`."""


class Stance(NamedTuple):
    """What a clause says to a question."""

    value: bool
    weight: float
    rule: str


def read_asked(question: Question) -> Asked:
    """Read a yes-or-no question; without one only yes and no themselves are understood."""
    text = question.text.strip()
    if not text:
        return Asked()
    sentence = re.split(r"(?<=[.!?])\s+(?=\S)", text)[-1] if not text.endswith("?") else _last_question(text)
    tag = TAG.search(sentence)
    truth = TRUTH.match(sentence)
    body = sentence[truth.end() :] if truth else sentence
    body = TAG.sub("", body) if tag else CLOSED.sub("", IF.sub("", body))
    region = body if tag or truth else _predicate(body)
    words = expand(folded_words(region))
    small = frozenset().union(*(profile.small_words for profile in PROFILES.values())) | GENERIC
    stems = frozenset(
        stem(word)
        for word in words
        if word not in small and word not in EMPTY and len(word) > 1 and word not in NEGATORS
    )
    members = find_members(words)
    key = {word for member in members for word in words[member.first : member.last] if word not in MODAL}
    return Asked(
        members=tuple(members),
        key=frozenset(key),
        head=_head(words, small) if TRIGGER.search(sentence) else "",
        echo=stems - question.entities,
        tokens=frozenset(expand(folded_words(text))),
        entities=question.entities,
        codes=frozenset(match.group().lower() for match in CODE.finditer(text)),
        days=frozenset(match.group().lower() for match in DAY.finditer(text)),
        years=frozenset(YEAR.findall(text)),
        things=frozenset(_things(folded_words(text))),
        pairs=frozenset(pairwise(words)),
        paired=tuple((match[1].lower(), match[2].lower()) for match in PAIRED.finditer(text)),
        negated=bool(tag or truth) and _is_negated(words, len(words), len(words)),
        perfect=PERFECT.search(sentence) is not None,
        triggers=frozenset(fold_word(match.group()) for match in TRIGGER.finditer(sentence))
        | frozenset(word for word in words[:3] if word in MODAL),
    )


def _head(words: Sequence[str], small: frozenset[str]) -> str:
    """The first word of the predicate that says something."""
    known = (word for word in words if word not in small and word not in EMPTY and word not in LINKS and word not in ASKED)
    return next((word for word in known if word not in NEGATORS), "")


def _last_question(text: str) -> str:
    parts = [part for part in re.split(rf"(?<=[.!?])\s+(?=[{CAPITAL}#\"])", text) if part.strip()]
    asking = [part for part in parts if part.rstrip().endswith("?")]
    return asking[-1] if asking else text


def _predicate(body: str) -> str:
    """The part of a question behind what it is about: `được miễn thuế` in `Cá nhân có được miễn thuế không`."""
    places = [match.start() for match in re.finditer(r"\b(?:có|đã|còn)\b(?!\s(?:chứng|tổng))", body, FLAGS)]
    if places:
        cut = places[-1]
        if re.match(r"còn|có\sthể|có\ssẵn|còn", body[cut:], FLAGS):
            return body[cut:]
        return body[cut:].partition(" ")[2] or body
    opened = OPENED.match(body)
    return body[opened.start() :] if opened else body


def expand(words: Sequence[str]) -> list[str]:
    """`can't` as `not can`."""
    found: list[str] = []
    for word in words:
        if word == "cannot":
            found += ["not", "can"]
        elif word.endswith("n't"):
            found += ["not", {"wo": "will", "ca": "can", "sha": "shall"}.get(word[:-3], word[:-3])]
        elif "'" in word and not word.endswith("'s"):
            found.append(word.partition("'")[0])
        else:
            found.append(word.removesuffix("'s"))
    return found


def _is_negated(words: Sequence[str], first: int, last: int) -> bool:
    """Whether the words from `first` on are denied: an odd number of denials shortly before them."""
    count = 0
    for index in range(max(0, first - 9), first):
        word = words[index]
        behind = words[index + 1] if index + 1 < len(words) else ""
        denied = word in NEGATORS and behind not in NO_NEGATION.get(word, ())
        count += denied or word in STOPPED or (word == "failed" and behind == "to")
    if last < len(words) and words[last] == "not":
        count += 1
    return count % 2 == 1


def names_it(clause: str, asked: Asked) -> bool:
    """Whether a clause names what the question is about."""
    if any(match.group().lower() in asked.codes for match in CODE.finditer(clause)):
        return True
    words = folded_words(clause)
    return not asked.entities.isdisjoint(words) or not asked.things.isdisjoint(_things(words))


def is_on_topic(text: str, asked: Asked) -> bool:
    """Whether a text speaks of what is asked, whatever it says of it."""
    words = folded_words(text[:3000])
    if not asked.echo.isdisjoint(map(stem, words)) or not asked.entities.isdisjoint(words):
        return True
    return len(words) <= 12 and len(asked.echo) > 1


def is_about_another(clause: str, asked: Asked, *, opens: bool) -> bool:
    """Whether a clause speaks of something else: another name, code, day or size than the question's."""
    if OTHERS.match(clause):
        return True
    for pattern, mine in ((CODE, asked.codes), (DAY, asked.days), (YEAR, asked.years)):
        codes = {match.group().lower() for match in pattern.finditer(clause)}
        if codes and mine and not codes & mine:
            return True
    words = re.findall(r"[^\W_]+", clause)
    folded = [fold_word(word) for word in words]
    things = set(_things(folded))
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
    names = [
        low
        for index, (word, low) in enumerate(zip(words[:6], folded[:6], strict=True))
        if word[0].isupper() and (index or not opens or (word.isupper() and len(word) > 1))
    ]
    if (
        names
        and asked.entities
        and not asked.entities & set(folded)
        and not any(name in asked.tokens for name in names)
    ):
        return True
    return _has_other_pair(clause, asked)


@lru_cache(maxsize=1)
def _known_things() -> dict[tuple[str, ...], tuple[int, int]]:
    return {
        tuple(map(fold_word, phrase.split())): (group, member)
        for group, line in enumerate(THINGS.strip().splitlines())
        for member, phrases in enumerate(line.split(";"))
        for phrase in phrases.split(",")
    }


def _things(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    known = _known_things()
    for index, word in enumerate(words):
        thing = known.get((word,)) or known.get(tuple(words[index : index + 2]))
        if thing is not None:
            yield thing


def _has_other_pair(clause: str, asked: Asked) -> bool:
    """Whether it says `size L` where `size M` is asked for."""
    mine: dict[str, set[str]] = {}
    for word, value in asked.paired:
        mine.setdefault(word, set()).add(value)
    low = clause.lower()
    for match in PAIRED.finditer(clause):
        wanted = mine.get(match[1].lower())
        if wanted and match[2].lower() not in wanted and not any(f" {value}" in low for value in wanted):
            return True
    return False


def stance_of(clause: str, asked: Asked) -> Stance | None:
    """Whether a clause affirms or denies what is asked, by words of the question or their contraries."""
    words = expand(folded_words(clause))
    if not words or len(words) > 60:
        return None
    stems = [stem(word) for word in words]
    read = [one for one in (_by_members(words, stems, asked), _by_echo(words, stems, asked)) if one is not None]
    found = max(read, key=lambda one: one.weight, default=None)
    if asked.perfect and UNFINISHED.search(clause) and (found is None or found.value) and not DONE.search(clause):
        found = Stance(False, 1.5, "unfinished")
    if found is None:
        return None
    return Stance(found.value is not asked.negated, found.weight, found.rule)


def _by_members(words: Sequence[str], stems: list[str], asked: Asked) -> Stance | None:
    rows = {member.row: member.side for member in reversed(asked.members)}
    if not rows:
        return None
    for_it: list[float] = []
    against: list[float] = []
    for member in find_members(words):
        if member.row not in rows:
            continue
        named = tuple(words[member.last - 1 : member.last + 1]) in asked.pairs
        named = named and not (member.first and _is_linked(words, member.first))  # `full refund` in both says little
        if member.first and words[member.first - 1] in ONLY:
            continue
        modal = all(word in MODAL for word in words[member.first : member.last])
        near = stems[max(0, member.first - 5) : member.first] + stems[member.last : member.last + 6]
        denied = _is_negated(words, member.first, member.last)
        if modal and len(words) > (7 if denied else 4) and not asked.echo.intersection(near):
            continue
        says = (member.side == rows[member.row]) is not denied
        (for_it if says else against).append(1.0 if named and says else 1.2 if modal else 2.0)
    yes, no = max(for_it, default=0.0), max(against, default=0.0)
    if yes == no:
        return None
    return Stance(yes > no, max(yes, no), "words of the question" if yes > no else "contrary of the question")


def _is_linked(words: Sequence[str], index: int) -> bool:
    """Whether a word is what is said of something: it stands behind a verb, or first."""
    while index and words[index - 1] in ARTICLES:
        index -= 1
    return index == 0 or words[index - 1] in LINKS


def _by_echo(words: Sequence[str], stems: Sequence[str], asked: Asked) -> Stance | None:
    hits = [index for index, word in enumerate(stems) if word in asked.echo]
    if not hits:
        return None
    for index in hits:
        if _is_negated(words, index, index + 1):
            return Stance(False, 1.6, "denied")
    said = {stems[index] for index in hits}
    if asked.key and not asked.key.intersection(words):
        return None
    if asked.head:
        places = [index for index in hits if words[index] == asked.head]
        if any(_is_linked(words, index) for index in places) or (places and len(said) * 2 >= len(asked.echo)):
            return Stance(True, 1.2 if len(said) > 1 else 1.0, "repeated")
        return None
    linked = any(_is_linked(words, index) for index in hits)
    if linked and (len(said) >= 2 or len(said) == len(asked.echo)) and len(said) * 2 >= min(len(asked.echo), 6):
        return Stance(True, 1.0, "repeated")
    return None
