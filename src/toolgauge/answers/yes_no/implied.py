"""What a sentence implies that repeats most of a yes-or-no question, where nothing else is said to it."""

from __future__ import annotations

import re

from toolgauge.locale import fold_word

from ..page import Page
from ..question import stem
from ..reading import OFFER, REFUSAL, TENTATIVE
from .grid import is_in_grid
from .opposites import CAPITAL, folded_words
from .polar import ONLY, REQUIRES, SMALL, Stance, behind_link, is_contrasted
from .statements import CONDITION, DENIAL, HEDGE, PAST, WEAK_HEDGE, clauses, says
from .subjects import YEAR, Asked, is_about_another

__all__ = ["asks_holder", "by_holder", "implied_by"]

TITLE = r"(?:(?:[Ôô]ng|[Bb]à|[Aa]nh|[Cc]hị|[Cc]ô|[Tt]hầy|TS\.?|PGS\.?|GS\.?|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Sir)\s)?"
NAME = rf"{TITLE}(?P<{{}}>[{CAPITAL}][^\W\d_]+(?:\s[{CAPITAL}][^\W\d_]+){{{{0,4}}}})"
ASKS_HOLDER = re.compile(
    rf"^\W*(?:(?:Is|Was)\s{NAME.format('en')}\s(?:(?:still|currently|now)\s(?:the\s|an?\s)?"
    rf"|(?:the|an?)\s)(?:current\s)?(?P<role>[^?]+?)\s*\?"
    rf"|{NAME.format('vi')}\s(?:hiện\s|có\s)?(?:vẫn\s|còn\s|đang\s|phải\s|hiện\s|nay\s){{0,3}}(?:là"
    rf"|làm|giữ\schức)\s(?P<post>[^?]+?)\s(?:phải\s|đúng\s|nữa\s)?(?:không|chứ)\s*\?)"
)
HELD_BY = (
    re.compile(
        r"\b(?:is|là|remains|vẫn\slà|hiện\slà|held\sby|run\sby|led\sby|thuộc\svề)\s(?:now\s|currently\s"
        r"|hiện\s|still\s)?"
        rf"{NAME.format('who')}"
    ),
    re.compile(
        rf"{NAME.format('who')}(?:,[^,.;]{{0,40}},)?\s(?:is|là|giữ\schức|đảm\s(?:nhiệm|nhận)|làm|remains"
        rf"|serves\sas|became"
        r"|took\sover\sas|has\sbeen|was\s(?:named|appointed)|đang\slà|hiện\slà|được\sbổ\snhiệm)\b"
    ),
)
WEIGHTS = {"who holds it": 2.8}

REQUIRED = frozenset(
    folded_words("need needs needed must required requires require mandatory compulsory phải cần bắt buộc")
)
MOST_SENTENCES = 5
MOST_WORDS = 40
FEWEST_WORDS = 3
"""A question with fewer words that say something cannot be told by them."""
VAGUE = frozenset(map(fold_word, ("nhiều", "ít", "many", "much", "few", "often", "thường")))
"""Words that mean more or less to everybody, so that a number does not answer them."""
REPEATED, DENIED = 0.6, 0.4
"""The share of a question's words that a sentence repeats which says so, or denies it or says it only of others."""


def implied_by(page: Page, asked: Asked) -> bool | None:
    """Whether the first sentence that repeats much of the question says so, denies it, or says it of others only."""
    known = asked.topic | asked.echo
    if len(known) < FEWEST_WORDS or asked.negated or not VAGUE.isdisjoint(asked.tokens):
        return None
    figures = {word for word in asked.tokens if word.isdigit()}
    parts = [
        (start, part) for start, end in page.sentences[:MOST_SENTENCES] for part in page.text[start:end].split(";")
    ]
    for start, sentence in parts:
        words = folded_words(sentence)
        years = set(YEAR.findall(sentence))
        if asked.years and not years <= asked.years:
            continue
        if len(words) > MOST_WORDS or not says(sentence) or is_in_grid(page, start) or _is_unsaid(sentence):
            continue
        if is_about_another(sentence, asked, opens=True):
            continue
        share = len(known.intersection(map(stem, words))) / len(known)
        only = not ONLY.isdisjoint(words)
        if DENIAL.search(sentence) or only:
            if share >= DENIED and (only or _is_denied(sentence, asked)):
                return None if only and asked.weekdays else False
        elif share >= REPEATED and asked.entities | figures <= set(words) and _has_key(words, asked):
            if asked.needs and REQUIRED.isdisjoint(words):
                return None  # that it is there does not say that it has to be
            return True if asked.predicate <= set(behind_link(words)) else None
    return None


def asks_holder(question: str) -> bool:
    """Whether a question asks if somebody holds an office."""
    return ASKS_HOLDER.match(question) is not None


def by_holder(page: Page, question: str) -> Stance | None:
    """What the name of whoever holds an office says to whether another one does: `The CFO is Grace Lindqvist`."""
    match = ASKS_HOLDER.match(question)
    if match is None:
        return None
    who, office = set(folded_words(match["en"] or match["vi"])), set(folded_words(match["role"] or match["post"]))
    office -= SMALL
    for start, end in page.sentences[:MOST_SENTENCES]:
        for _, _, clause in clauses(page.text[start:end], start):
            said = office.intersection(folded_words(clause))
            if not said or 2 * len(said) < len(office) or DENIAL.search(clause) or _is_unsaid(clause):
                continue
            held = (match for pattern in HELD_BY for match in pattern.finditer(clause))
            names = (set(folded_words(match["who"])) - office for match in held)
            name: set[str] = next((one for one in names if one), set())
            if not name or len(name) < min(2, len(who)) or (len(name) == 1 and said != office):
                continue
            if not name & who:
                return Stance(False, WEIGHTS["who holds it"], "who holds it")
            if name <= who or who <= name:
                return Stance(True, WEIGHTS["who holds it"], "who holds it")
    return None


def _is_denied(sentence: str, asked: Asked) -> bool:
    """Whether what is denied has to do with the question: `không nhận bản photo` denies another `bản`."""
    known = asked.topic | asked.echo | asked.entities
    for _, _, clause in clauses(sentence, 0):
        words = folded_words(clause)
        places = [index for index, word in enumerate(words) if stem(word) in known or word in known]
        if DENIAL.search(clause) and (not places or any(not is_contrasted(words, index, asked) for index in places)):
            return True
    return False


def _has_key(words: list[str], asked: Asked) -> bool:
    return not asked.key or not asked.key.isdisjoint(words)


def _is_unsaid(sentence: str) -> bool:
    cues = (CONDITION, HEDGE, WEAK_HEDGE, PAST, OFFER, REFUSAL, TENTATIVE, REQUIRES)
    return sentence.rstrip().endswith(":") or any(cue.search(sentence) for cue in cues)
