"""Whether a clause of an answer affirms or denies it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from toolgauge.locale import PROFILES, fold_word

from ..question import GENERIC, stem
from .opposites import PAIRS, find_members, folded_words
from .subjects import Asked

__all__ = [
    "EMPTY",
    "LINKS",
    "MODAL",
    "NEEDING",
    "NEGATORS",
    "ONLY",
    "PLACES",
    "REQUIRES",
    "SMALL",
    "TRANSITIVE",
    "Stance",
    "behind_link",
    "expand",
    "folded_set",
    "is_contrasted",
    "is_linked",
    "is_negated",
    "says_something",
    "stance_of",
]

FLAGS = re.IGNORECASE


def folded_set(words: str) -> frozenset[str]:
    """Words as they are compared."""
    return frozenset(map(fold_word, words.split()))


MODAL = folded_set(
    "được phép thể có can may able could possible phải cần need needs must nên should còn hết left trên over up down"
    " still continue continues remains change changes changed updated sửa support supports offers hỗ"
    " online dưới thuộc cùng yêu cầu đạt vượt giao gửi trả nộp mở nghỉ within cover covers giữ khác trong đúng right"
)
"""Words of a row that are in too many sentences to answer a question on their own."""
NEGATORS = folded_set("không chưa chẳng chả chớ not never no neither nor without đừng hardly")
NO_NEGATION = {
    fold_word(word): folded_set(behind)
    for word, behind in {
        "không": "chỉ những ít kém quá dưới sai khí gian",
        "not": "only just more less later wrong",
        "no": "later more less matter doubt problem",
    }.items()
}
STOPPED = folded_set(
    "gỡ xóa bỏ khỏi missed removed lifted rejected refused lacks avoided ngừng dừng ngưng stopped ceased discontinued"
    " unable fails"
)
"""Words that deny the verb behind them."""
LINKS = folded_set(
    "made got gets là được đã có vẫn sẽ bị is are was were can does do has have will did may be been phải cần nên thì"
)
ARTICLES = folded_set("a an the một các những fully also still luôn ngay now currently")
PLACES = folded_set("over under up down within before after trên dưới trước sau in off out above below")
"""Words that are mostly prepositions."""
BEING = folded_set("is are was were là")
BY = fold_word("bằng")
MOST_GENERAL = 2
"""Fewer words say too little of what something is said of."""
TRANSITIVE = folded_set("include includes gồm bao cover covers hỗ support supports offers accept accepts nhận kèm")
"""Words that affirm nothing without what they are said of."""
JOINING = folded_set("and và")
AUXILIARY = folded_set("does do did")
PRONOUNS = folded_set("it this that them nó này đó all both everything everyone")
ENDINGS = ("ation", "ment", "ion", "al")
LONGER = 0.1
"""How much more a phrase says for each further word of it."""
ONLY = folded_set("chỉ mới only just")
UNFINISHED = re.compile(
    r"\b(?:still\s(?:being|pending|waiting|awaiting|under|in\s(?:progress|review)|outstanding"
    r"|open|processing|on\shold|to\scome)|pending|awaiting"
    r"|under\sreview|in\s(?:the|a)\squeue|queued|will\s(?:be|get|open|start|take)|in\sprogress"
    r"|not\syet|yet\sto|đang\s(?:chờ|được|xử\slý|xem\sxét|thẩm\sđịnh|trong\squá\strình|làm|tiến\shành"
    r"|đợi)|còn\sđang"
    r"|mới\s(?:chỉ|đạt|được|xong)|chờ\s\w+|expected|due|sẽ|vẫn\sđang|(?:is|are)\sscheduled|dự\skiến|sắp|đang)\b",
    FLAGS,
)
LATER = re.compile(
    r"\b(?:phải|cần)\s(?:chờ|đợi)\b.{0,60}\bmới\s(?:được|có\sthể)\b|\b(?:have|has|need|needs)\sto\swait\b", FLAGS
)
"""What will be so only later is not so now."""
REQUIRES = re.compile(r"\b(?:phải\s(?:đủ|từ|có)|must\s(?:be|have)|trở\slên|required\sto|tối\sthiểu|at\sleast)\b", FLAGS)
DONE = re.compile(r"\b(?:đã|xong|rồi|already|has\sbeen|have\sbeen|was|were)\b", FLAGS)


NEEDING = frozenset(row for row, sides in enumerate(PAIRS) if "bắt buộc" in map(str.strip, sides[0]))
"""The rows of what has to be."""
INCLUDED = next(row for row, sides in enumerate(PAIRS) if "tính riêng" in sides[1])
SMALL = frozenset().union(*(profile.small_words for profile in PROFILES.values())) | GENERIC


EMPTY = folded_set("been be being get got make made tôi mình bạn em anh chị nay hôm year today there")


class Stance(NamedTuple):
    """What a clause says to a question."""

    value: bool
    weight: float
    rule: str


def _says_it_of_another(words: Sequence[str], stems: Sequence[str], asked: Asked) -> bool:
    """Whether a clause says it of something else: `cho phép chụp ảnh` where `quay phim` is asked."""
    missing = set(asked.complement).difference(stems)
    if len(asked.complement) < MOST_GENERAL or not PRONOUNS.isdisjoint(words):
        return False
    by = words.index(BY) + 1 if BY in words else 0
    if by and asked.complement[-1] in missing and not asked.tokens.issuperset(words[by : by + 2]):
        return True  # `trả bằng cổ phiếu`
    if 2 * len(missing) < len(asked.complement) or not missing.issuperset(asked.complement[:2]):
        return False
    rows = {member.row for member in asked.members}
    verbs = [
        index for index, word in enumerate(words) if word in asked.key or word in asked.triggers or word == asked.head
    ]
    verbs += [member.last - 1 for member in find_members(words) if member.row in rows]
    if words[0] in asked.key:
        return False  # `Uống được ngay tại vòi`
    own = [
        word
        for word, one in zip(
            words[(verbs[0] if verbs else 0) + 1 :], stems[(verbs[0] if verbs else 0) + 1 :], strict=True
        )
        if says_something(word, SMALL)
        and not word.isdigit()
        and one not in asked.echo | asked.topic
        and word not in asked.tokens | MODAL
    ]
    return bool(verbs) and len(own) >= MOST_GENERAL


def says_something(word: str, small: frozenset[str]) -> bool:
    """Whether a word says something by itself."""
    return word not in small and word not in EMPTY and len(word) > 1 and word not in NEGATORS


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


def is_negated(words: Sequence[str], first: int, last: int) -> bool:
    """Whether the words from `first` on are denied: an odd number of denials shortly before them."""
    count = joined = 0
    for index in range(max(0, first - 9), first):
        word = words[index]
        if word in JOINING:
            joined, count = joined + count, 0
        behind = words[index + 1] if index + 1 < len(words) else ""
        denied = word in NEGATORS and behind not in NO_NEGATION.get(word, ())
        count += denied or word in STOPPED or (word == "failed" and behind == "to")
    count = count or joined  # `are not listed and do not have access` denies once, `not A and B` both
    if last < len(words) and words[last] == "not":
        count += 1
    return count % 2 == 1


def stance_of(clause: str, asked: Asked) -> Stance | None:
    """Whether a clause affirms or denies what is asked, by words of the question or their contraries."""
    words = expand(folded_words(clause))
    if not words or len(words) > 60:
        return None
    stems = [stem(word) for word in words]
    read = [one for one in (_by_members(words, stems, asked), _by_echo(words, stems, asked)) if one is not None]
    found = max(read, key=lambda one: one.weight, default=None) or _by_auxiliary(words, asked)
    if asked.perfect and UNFINISHED.search(clause) and (found is None or found.value) and not DONE.search(clause):
        found = Stance(False, 1.5, "unfinished")
    if LATER.search(clause) and (found is None or found.value):
        found = Stance(False, 1.6, "only later")
    if found is None or (found.rule == "repeated" and REQUIRES.search(clause)):
        return None
    if found.value and found.rule in ("repeated", "words of the question"):
        if asked.predicate and not asked.predicate <= set(behind_link(words)):
            return None
        if _says_it_of_another(words, stems, asked):
            return None
    if found.value and not ONLY.isdisjoint(words):
        return None  # what is so only for some is not said of what is asked
    return Stance(found.value is not asked.negated, found.weight, found.rule)


def behind_link(words: Sequence[str]) -> Sequence[str]:
    """The words behind the first verb such as `is`, or all where there is none."""
    place = next((index for index, word in enumerate(words) if word in BEING), -1)
    return words[place + 1 :]


def _by_members(words: Sequence[str], stems: list[str], asked: Asked) -> Stance | None:
    rows = {member.row: member.side for member in reversed(asked.members)}
    if not rows:
        return None
    for_it: dict[int, float] = {}
    against: dict[int, float] = {}
    found = [member for member in find_members(words) if member.row in rows]
    for member in found:
        named = tuple(words[member.last - 1 : member.last + 1]) in asked.pairs
        named = named and not (member.first and is_linked(words, member.first))  # `full refund` in both says little
        if member.first and words[member.first - 1] in ONLY:
            continue
        before = [one for one in found if one.row == member.row and one.last == member.first]
        if member.side == rows[member.row] and any(one.side != member.side for one in before):
            continue  # `tránh dùng`
        modal = all(word in MODAL for word in words[member.first : member.last])
        near = stems[max(0, member.first - 5) : member.first] + stems[member.last : member.last + 6]
        denied = is_negated(words, member.first, member.last)
        if modal and len(words) > (7 if denied else 4) and not asked.echo.intersection(near):
            continue
        says = (member.side == rows[member.row]) is not denied
        stated = member.first and is_linked(words, member.first) and not asked.topic.isdisjoint(stems[: member.first])
        weight = 1.0 if named and says else 1.2 if modal and not stated else 1.6 if modal else 2.0
        weight += LONGER * (member.last - member.first - 1)
        objects = asked.objects and not _has_object(words, stems, asked)
        if objects and (
            (says and not TRANSITIVE.isdisjoint(words[member.first : member.last]))
            or (not says and len(words) > 4 and member.row == INCLUDED and member.side != rows[member.row])
        ):
            continue
        said = for_it if says else against
        said[member.row] = max(weight, said.get(member.row, 0.0))
    yes, no = max(for_it.values(), default=0.0), max(against.values(), default=0.0)
    if yes == no and len(rows) > 1 and not against.keys() & for_it.keys():
        yes = 0.0  # what is repeated is the topic: `hủy trước 3 ngày bị tính phí` where `hủy miễn phí` is asked
    if yes == no:
        return None
    return Stance(yes > no, max(yes, no), "words of the question" if yes > no else "contrary of the question")


def _has_object(words: Sequence[str], stems: Sequence[str], asked: Asked) -> bool:
    if words[-1] in TRANSITIVE or not PRONOUNS.isdisjoint(words):
        return True  # `Trường có nhận`
    return 2 * len(asked.objects.intersection(stems)) > len(asked.objects)


def _root(word: str) -> str:
    """A stem without the ending that makes a noun of a verb: `renew` for `renewal`."""
    word = stem(word)
    if word.isascii():
        for ending in ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) > 3:
                return word[: -len(ending)]
    return word


def _by_auxiliary(words: Sequence[str], asked: Asked) -> Stance | None:
    """A verb of the question that is affirmed with stress: `it does auto-renew`."""
    roots = {_root(word) for word in asked.echo}
    for index, word in enumerate(words[:-1]):
        if word in AUXILIARY and words[index + 1] not in NEGATORS:
            behind = words[index + 1 : index + 4]
            if any(_root(one) in roots for one in behind) and NEGATORS.isdisjoint(behind):
                return Stance(not is_negated(words, index, index + 1), 1.6, "said with stress")
    return None


def is_linked(words: Sequence[str], index: int, *, first: bool = True) -> bool:
    """Whether a word is what is said of something: it stands behind a verb, or first where that counts."""
    while index and words[index - 1] in ARTICLES:
        index -= 1
    return words[index - 1] in LINKS if index else first


def is_contrasted(words: Sequence[str], index: int, asked: Asked) -> bool:
    """Whether a word has another one beside it than in the question: `bản photo` where `bản gốc` is asked."""
    word = words[index]
    if asked.in_vietnamese:
        mine = {behind for one, behind in asked.pairs if one == word}
        beside = words[index + 1] if index + 1 < len(words) else ""
    else:
        mine = {before for before, one in asked.pairs if one == word}
        beside = words[index - 1] if index else ""
    known = asked.echo | asked.topic
    return (
        bool(mine)
        and all(stem(one) in known for one in mine)
        and len(beside) > 1
        and beside not in asked.tokens | SMALL
        and beside not in LINKS | ARTICLES | NEGATORS | MODAL
    )


def _by_echo(words: Sequence[str], stems: Sequence[str], asked: Asked) -> Stance | None:
    hits = [index for index, word in enumerate(stems) if word in asked.echo]
    if "free" in words and "free" not in asked.tokens:
        before = words[words.index("free") - 1]
        if before in asked.tokens or f"{before}s" in asked.tokens or stem(before) in asked.echo:
            return Stance(False, 1.8, "denied")  # `nut-free`
    if not hits:
        return None
    for index in hits:
        if is_negated(words, index, index + 1) and not is_contrasted(words, index, asked):
            return Stance(False, 1.6, "denied")
    said = {stems[index] for index in hits}
    if not NEEDING.isdisjoint(member.row for member in asked.members) and not any(
        member.row in NEEDING and not member.side for member in find_members(words)
    ):
        return None  # what may be done is not what has to be done
    if asked.key and not asked.key.intersection(words):
        return None
    if asked.objects and not _has_object(words, stems, asked):
        return None
    if asked.head:
        places = [index for index in hits if words[index] == asked.head]
        if any(is_linked(words, index) for index in places) or (places and len(said) * 2 >= len(asked.echo)):
            return Stance(True, 1.2 if len(said) > 1 else 1.0, "repeated")
        return None
    linked = any(
        index and (is_linked(words, index, first=False) or words[index - 1] in asked.entities) for index in hits
    )
    if linked and (len(said) >= 2 or len(said) == len(asked.echo)) and len(said) * 2 >= min(len(asked.echo), 6):
        return Stance(True, 1.0, "repeated")
    return None
