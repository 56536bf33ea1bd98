"""What a yes-or-no question asks: its verb, what that is said of, and whether it names days, amounts or groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from toolgauge.locale import fold_word

from ..question import Question, stem
from .opposites import CAPITAL, Member, find_members, folded_words
from .polar import (
    EMPTY,
    LINKS,
    MODAL,
    NEEDING,
    NEGATORS,
    PLACES,
    SMALL,
    TRANSITIVE,
    expand,
    folded_set,
    is_linked,
    is_negated,
    says_something,
)
from .subjects import CODE, DAY, PAIRED, YEAR, Asked, things_in
from .weekdays import weekdays_in

__all__ = ["TIMES", "read_asked"]

FLAGS = re.IGNORECASE
TAG = re.compile(
    r"[,\s]+(?:(?:có\s)?(?:đúng|phải)\s(?:không|chứ|chưa)|chứ|(?:is|are|does|do|was|were|has"
    r"|have|can|will|did)(?:n['’]t)?\s(?:it|they|he|she|you|that|there)"
    r"|right|correct|true)\s*\?*\s*$",
    FLAGS,
)
TRUTH = re.compile(
    r"\s*(?:is\sit\s(?:true|correct|right)\sthat|có\sđúng\slà|có\sphải\slà?|phải\schăng|có\sthật\slà)\b", FLAGS
)
CLAIMING = re.compile(
    r"\b(?:have|has|had|there|costs?|weighs?|takes?|lasts?|có|nặng|mất|kéo\sdài|dài|cao|rộng)\s(?:exactly\s"
    r"|about\s|đúng\s|đủ\s)?[$€£]?[0-9]",
    FLAGS,
)
"""A question that claims an amount."""
KIND = re.compile(
    r"^\s*(?:is|are|was|were)\s(?:(?:the|an?)\s)?(?:(?!(?:to|enough|on|in|at|for|with|than|from"
    r"|by|there|it|this|that|\w+ed|\w+ing)\b)[\w'’.&-]+\s){1,5}?(?:an?|the)\s(?P<kind>[\w-]+(?:\s[\w-]+){0,2})\s*\?"
    r"|\b(?:có\s)?phải\slà\s(?P<one>[^?]{2,40}?)\skhông\b",
    FLAGS,
)
OPENED = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)(?:n['’]t" r"|\snot)?\s",
    FLAGS,
)
"""The verb that an English question begins with."""
TRIGGER = re.compile(r"\b(?:có|đã|còn|bị|được|phải|cần|nên|vẫn|đang)\b", FLAGS)
IF = re.compile(r"(?<=\w),?\s(?:if|nếu|given\sthat)\s[^?]{3,200}(?=\?|$)", FLAGS)
CLOSED = re.compile(
    r"[\s,]+(?:không|chưa|hay\s(?:không|chưa)|à|hả|nhỉ|vậy|thế)(?:\s(?:ạ|nhỉ|vậy|thế))?\s*(?:\([^()]*\))?\s*\?*\s*$",
    FLAGS,
)
UPWARDS = folded_set("up down")
WHEN = folded_set("in by on over year this last from compared since during at vs versus against")
WEEKDAYS = folded_set("mondays tuesdays wednesdays thursdays fridays saturdays sundays")
PREPOSITIONS = folded_set(
    "thứ on in at by of from to the for with before after until since between vào lúc ở tại từ đến trước sau"
)
HELPING = folded_set(
    "is are was were does do did has have had can could will would should may must am isn't aren't wasn't weren't"
    " doesn't don't didn't hasn't haven't can't won't there it i you we they he she"
)
"""What an English question begins with, and pronouns: no names."""
OWNING = folded_set("my your our his her its their the a an this that")
ALSO_NOUNS = folded_set("pass return")
"""Nouns that read like verbs: `my boarding pass`."""
INCLUDING = folded_set("include includes gồm bao cover covers kèm")
SERVED = folded_set("come comes made served sold supplied delivered")
PASSIVE = folded_set("included covered supported accepted")
PERFECT = re.compile(r"^\s*(?:has|have|had)\b|\bđã\b.*\bchưa\b|\bchưa\s*\?*\s*$", FLAGS)
ASKED = folded_set("thể phép còn hết kịp từng")
TIMES = frozenset(
    map(
        stem,
        folded_set(
            "năm tháng ngày quý tuần giờ year month day week quarter này nay trước sau qua"
            " morning afternoon evening sáng chiều tối monday tuesday wednesday thursday friday saturday sunday thứ"
        ),
    )
)


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
    stems = frozenset(stem(word) for word in words if says_something(word, SMALL))
    members = _turned(
        words, _predicates(words, [one for one in find_members(words) if not _is_preposition(words, one)])
    )
    key = {word for member in members for word in words[member.first : member.last] if word not in MODAL}
    used = {word for member in members for word in words[member.first : member.last]}
    entities = question.entities - HELPING - WEEKDAYS
    return Asked(
        members=tuple(members),
        key=frozenset(key),
        head=_head(words, SMALL) if TRIGGER.search(sentence) else "",
        echo=stems - entities,
        tokens=frozenset(expand(folded_words(text))),
        entities=entities,
        topic=frozenset(
            stem(word) for word in expand(folded_words(text)) if says_something(word, SMALL) and word not in used
        ),
        codes=frozenset(match.group().lower() for match in CODE.finditer(text)),
        days=frozenset(match.group().lower() for match in DAY.finditer(text)),
        years=frozenset(YEAR.findall(text)),
        weekdays=weekdays_in(text),
        objects=_objects(words, members, stems - entities),
        things=frozenset(things_in(folded_words(text))),
        pairs=frozenset(pairwise(words)),
        in_vietnamese=not text.isascii(),
        paired=tuple((match[1].lower(), match[2].lower()) for match in PAIRED.finditer(text) if _labels(match[1])),
        predicate=_kind(sentence),
        complement=_complement(words, members, entities),
        needs=not NEEDING.isdisjoint(member.row for member in members),
        claims=bool(tag or truth) or CLAIMING.search(sentence) is not None,
        negated=_is_without(words) or (bool(tag or truth) and is_negated(words, len(words), len(words))),
        perfect=PERFECT.search(sentence) is not None,
        triggers=frozenset(fold_word(match.group()) for match in TRIGGER.finditer(sentence))
        | frozenset(word for word in words[:3] if word in MODAL),
    )


def _complement(words: Sequence[str], members: Sequence[Member], entities: frozenset[str]) -> tuple[str, ...]:
    """What is asked of besides the verb: `cổ tức tiền mặt` in `có trả cổ tức tiền mặt năm 2024 không`."""
    first = min((member.last for member in members), default=1)
    while first < len(words) and (words[first] in MODAL or words[first] in LINKS):
        first += 1
    found = (
        word for word in words[first:] if says_something(word, SMALL) and word not in entities and not word.isdigit()
    )
    return tuple(word for word in map(stem, found) if word not in TIMES)


def _kind(sentence: str) -> frozenset[str]:
    """What a question asks whether something is, without words for where and when."""
    match = KIND.search(sentence)
    if match is None:
        return frozenset()
    return frozenset(word for word in folded_words(match["kind"] or match["one"]) if word not in SMALL)


def _labels(word: str) -> bool:
    """Whether a word may be what a name or number behind it tells apart: no `on` or `the`."""
    return fold_word(word.lower()) not in SMALL | HELPING | PREPOSITIONS


def _head(words: Sequence[str], small: frozenset[str]) -> str:
    """The first word of the predicate that says something."""
    known = (
        word for word in words if word not in small and word not in EMPTY and word not in LINKS and word not in ASKED
    )
    return next((word for word in known if word not in NEGATORS), "")


def _predicates(words: Sequence[str], members: Sequence[Member]) -> list[Member]:
    """Those that say what is asked, and not of what: no `refund` in `Has my refund been processed`."""
    first = min((member.first for member in members if words[member.first] in INCLUDING), default=len(words))
    found = [
        member
        for member in members
        if (words[member.first] in INCLUDING or member.first < first) and not _is_subject(words, member)
    ]
    return found or list(members)


def _is_without(words: Sequence[str]) -> bool:
    """Whether a question asks that something lacks: `Does it come without onions?`."""
    place = words.index("without") if "without" in words else 0
    return bool(place) and words[place - 1] in SERVED


def _turned(words: Sequence[str], members: Sequence[Member]) -> list[Member]:
    """Members with the other side where `without` stands before them: `without a fee` asks for what is free."""
    if _is_without(words):
        return list(members)
    return [
        one._replace(side=1 - one.side) if "without" in words[max(0, one.first - 2) : one.first] else one
        for one in members
    ]


def _is_subject(words: Sequence[str], member: Member) -> bool:
    """Whether a noun behind the verb that a question begins with is what that is asked of."""
    if words[0] not in HELPING:
        return False
    owned = [index for index in range(max(1, member.first - 2), member.first) if words[index] in OWNING]
    if not owned:
        return False
    if words[member.last - 1] in ALSO_NOUNS:
        return True
    behind = words[member.last] if member.last < len(words) else ""
    return owned[0] == 1 and behind in LINKS | {"go", "come", "get"}


def _objects(words: Sequence[str], members: Sequence[Member], stems: frozenset[str]) -> frozenset[str]:
    """What stands behind a verb such as `include`, or before one such as `included`."""
    places = [member for member in members if words[member.first] in TRANSITIVE]
    if places:
        return frozenset(map(stem, words[min(one.last for one in places) :])) & stems
    passive = [member.first for member in members if words[member.first] in PASSIVE and words[0] in HELPING]
    return frozenset(map(stem, words[1 : min(passive)])) & stems if passive else frozenset()


def _is_preposition(words: Sequence[str], member: Member) -> bool:
    """Whether a word such as `over` only says of what is asked which one it is: `liquids over 100 ml`."""
    alone = member.last == member.first + 1 and words[member.first] in PLACES
    if words[member.first] in UPWARDS and words[member.last : member.last + 1] and words[member.last] in WHEN:
        return False  # `was revenue up in Q3`
    return alone and member.last < len(words) and not is_linked(words, member.first)


def _last_question(text: str) -> str:
    parts = [part for part in re.split(rf"(?<=[.!?])\s+(?=[{CAPITAL}#\"])", text) if part.strip()]
    asking = [part for part in parts if part.rstrip().endswith("?")]
    return asking[-1] if asking else text


def _predicate(body: str) -> str:
    """The part of a question behind what it is about: `được miễn thuế` in `Cá nhân có được miễn thuế không`."""
    places = [match.start() for match in re.finditer(r"\b(?:có|đã|còn)\b(?!\s(?:chứng|tổng))", body, FLAGS)]
    helping = re.search(r"\bcó\s(?:được|phải|cần|bị|thể|nên)\b", body, FLAGS)
    if places:
        cut = helping.start() if helping else places[-1]
        if re.match(r"còn|có\sthể|có\ssẵn|còn", body[cut:], FLAGS):
            return body[cut:]
        return body[cut:].partition(" ")[2] or body
    opened = OPENED.match(body)
    return body[opened.start() :] if opened else body
