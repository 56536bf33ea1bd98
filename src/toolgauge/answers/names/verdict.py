"""The names of one answer, which of them mean the same, and which one answers the question."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import cached_property

from msgspec import structs

from toolgauge.core import Answer
from toolgauge.locale import fold_tones, fold_word, tokenise

from ..evidence.finding import decide
from ..page import Page
from ..question import stem
from ..reading import CONTRAST, REFUSAL
from ..reading import UNDECIDED as TORN
from .choosing import MARGIN, Chooser
from .cues import DENYING_WORDS
from .finder import NameFinder
from .place import FUNCTION_WORDS, TITLES
from .reference import Folded, Reference
from .words import Name, is_code

__all__ = ["NameVerdict"]

REFERENCE = "the reference"
"""The key of all places where the expected name stands."""
SHARED_WITH_REFUSAL = 2
"""How many words of the question a refusal has to say to be one of it."""
CLOSE = 4.0
"""Where an answer says that it cannot decide, names that are nearer than this are not told apart."""
UNDECIDED = re.compile(
    r"\b(?:can(?:'t|’t|not)\s(?:say|tell|decide|determine|confirm)|toss-up|it(?:'s|’s|\sis)\sbetween|either\sof"
    r"|not\sclear\swhich|unclear\swhich|hard\sto\ssay"
    r"|(?:chưa|không)\s(?:rõ|xác\sđịnh\sđược|thể\sxác\sđịnh|chắc|thể\skết\sluận|biết)|mâu\sthuẫn"
    r"|không\sthống\snhất|depends\son\swhich)\b",
    re.IGNORECASE,
)
ALSO_CALLED = re.compile(
    r"\s?[(,–]?\s?(?:vietnamese|tiếng\s(?:việt|anh)|english|tức|aka|a\.k\.a\.?|also\s(?:known\sas|called)"
    r"|(?:hay\s)?còn\sgọi\slà"
    r"|hay\s(?:gọi\slà)|viết\stắt(?:\slà)?|ticker|mã(?:\schứng\skhoán|\scổ\sphiếu)?)\s?:?\s?(?:là\s)?[\"“]?",
    re.IGNORECASE,
)
OTHER_SIGNS = re.compile(r"[.,;:!?\n|\"“‘«0-9(–—-]")
OPENING_WORDS = FUNCTION_WORDS | frozenset(("it", "it's", "đó", "đây", "nó"))
BRACKET = re.compile(r"\s?\((?:hose|hnx|nasdaq|nyse|upcom)?:?\s?", re.IGNORECASE)


ADVICE = re.compile(
    r"\b(?:please\s(?:ask|contact|check)|(?:you\s(?:can|could|may|might|should)|i(?:'d|\swould)\s(?:suggest|recommend))\s(?:\w+\s)?(?:ask|asking|contact|contacting|check|checking|reach|try)"
    r"|(?:bạn|anh|chị|anh/chị|quý\skhách)\s(?:có\sthể|nên|hãy|vui\slòng)\s(?:\w+\s)?(?:hỏi|liên\shệ|tra|xem|kiểm\stra|gọi)|vui\slòng\s(?:hỏi|liên\shệ))\b",
    re.IGNORECASE,
)
"""What says whom to ask."""


OF_ANOTHER = frozenset(("other year", "other number", "other topic", "other label"))
"""Rules by which a name answers another question."""


class NameVerdict:
    """Weighs the names of an answer."""

    def __init__(self, page: Page, reference: Reference, folded: Folded | None = None) -> None:
        self.page, self.reference = page, reference
        self._words: Folded = {} if folded is None else folded

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Where the expected name stands and may be meant."""
        return self.reference.places(self.page, self._words)

    @cached_property
    def others(self) -> list[Name]:
        """All names that may be the answer, in order; those that the question itself gives are none."""
        page = self.page
        self.tokens = tokenise(page.text)
        self.folded = [fold_word(token.low) for token in self.tokens]
        self._denies = not DENYING_WORDS.isdisjoint(self.folded)
        self.starts = [token.start for token in self.tokens]
        names = NameFinder(page, self.tokens, self.folded, self.starts, self.reference.wanted.own)
        taken = [names.name_at(start, end, "name") for start, end in self.places]
        self.own = {(name.start, name.end) for name in taken}
        wanted = self.reference.wanted
        small = bool(taken) and all(page.text[name.start : name.end].islower() for name in taken)
        verbs = wanted.verbs if small else frozenset()
        found = names.find(taken, self._is_given, verbs, codes="code" in wanted.kinds)
        return [name for name in found if self._is_open(name)]

    def _is_open(self, name: Name) -> bool:
        if (name.start, name.end) in self.own:
            return True
        if not name.words or self.reference.is_called(name.words):
            return False
        if name.shape == "stated" and any(word in self.reference.wanted.own for word in name.words):
            return False
        return not (self._denies and self.page.around.is_ruled_out(name.start, name.end))

    def _is_given(self, name: Name) -> bool:
        return not self.reference.wanted.options and all(word in self.reference.wanted.own for word in name.words)

    def decide(self) -> Answer | None:
        """The verdict; None where the expected name is nowhere meant."""
        if not self.places:
            return None
        if self._is_alone():
            start, end = self.places[0]
            return self._right(self.page.text[start:end])
        if self._declines():
            return None
        names = self._unadvised(self.others)
        keys = self._keys(names)
        if REFERENCE not in keys:
            return None
        if all(key == REFERENCE for key in keys):
            return self._answer(names[0], keys[0])
        chooser = Chooser(self.page, self.reference.wanted, self.tokens, self.folded, self.starts)
        weighed = chooser.weigh(names, keys)
        key_of = {(name.start, name.end): key for name, key in zip(names, keys, strict=True)}
        answer = decide(
            self.page, weighed, lambda name: self._answer(name, key_of[name.start, name.end]), margin=MARGIN
        )
        if answer is None or answer.chosen is None or answer.runner_up is None:
            return answer
        best = weighed[0]
        if OF_ANOTHER & best.evidence.keys() and self.page.around.first(REFUSAL) and self.page.marker is None:
            return structs.replace(
                answer, verdict="wrong", found=None, reason="the answer declines, and names something else"
            )
        rival = next(one for one in weighed if one.candidate.key != best.candidate.key)
        close = best.weight - rival.weight < CLOSE and REFERENCE in (best.candidate.key, rival.candidate.key)
        if close and self.page.around.first(UNDECIDED):
            both = f"{answer.chosen.words} or {answer.runner_up.words}"
            found = [answer.chosen.found, answer.runner_up.found]
            return structs.replace(answer, verdict="ambiguous", found=found, reason=f"it is left open: {both}")
        return answer

    def _unadvised(self, names: list[Name]) -> list[Name]:
        """The names without those that only say whom to ask, where the answer says that it does not know."""
        if not self._denies or self.page.around.first(REFUSAL) is None:
            return names
        asked = [self.page.sentences[self.page.sentence_at(name.start)] for name in names]
        return [name for name, span in zip(names, asked, strict=True) if ADVICE.search(self.page.text, *span) is None]

    def _declines(self) -> bool:
        """Whether the answer says that it does not know what the question asks, and does not guess."""
        refusal = self.page.around.first(REFUSAL)
        if refusal is None or self.page.around.first(TORN) or self.page.marker is not None:
            return False
        if CONTRAST.search(self.page.text, refusal.end()):
            return False
        begin, end = self.page.sentences[self.page.sentence_at(refusal.start())]
        said = {stem(token.low) for token in tokenise(self.page.text[begin:end])}
        return len(said & self.reference.wanted.words) >= SHARED_WITH_REFUSAL

    def _right(self, words: str) -> Answer:
        return Answer("right", words, f"found {words!r}")

    def _is_alone(self) -> bool:
        """Whether a short answer can name nothing else: it has one sentence, and no other capital, figure or sign."""
        (start, end), *more = self.places
        before, behind = self.page.text[:start], self.page.text[end:].rstrip(" .!\n")
        if more or self.page.emphasised or OTHER_SIGNS.search(before) or OTHER_SIGNS.search(behind):
            return False
        lead = before.lstrip().partition(" ")
        opening = lead[0].lower() in OPENING_WORDS
        return not _has_capital(lead[2] if opening else before) and not _has_capital(behind)

    def _answer(self, name: Name, key: Hashable) -> Answer:
        words = self.page.text[name.start : name.end]
        if key == REFERENCE:
            return self._right(words)
        return Answer("wrong", words, f"found {words!r}, expected {self.reference.name!r}")

    # what means the same

    def _keys(self, names: Sequence[Name]) -> list[Hashable]:
        """For each name what it names: parts of a name that was said in full, and its code beside it, are the same."""
        keys: list[Hashable] = [REFERENCE if (name.start, name.end) in self.own else _bare(name) for name in names]
        person = "person" in self.reference.wanted.kinds
        club = "organisation" in self.reference.wanted.kinds
        known: dict[str, list[tuple[tuple[str, ...], Hashable]]] = {}
        for name, key in zip(names, keys, strict=True):
            whole = name.words if key == REFERENCE else _bare(name)
            for word in {*whole[:1], *whole[-1:]}:
                known.setdefault(word, []).append((whole, key))
        for index, name in enumerate(names):
            if keys[index] == REFERENCE:
                continue
            words = _bare(name)
            for whole, key in known.get(words[0], []) + known.get(words[-1], []):
                begins, ends = whole[: len(words)] == words, whole[-len(words) :] == words
                if len(whole) > len(words) and (begins or (ends and (person or club or key != REFERENCE))):
                    keys[index] = key
                    break
        return self._beside(names, keys)

    def _beside(self, names: Sequence[Name], keys: list[Hashable]) -> list[Hashable]:
        for index in range(len(names) - 1):
            one, two = names[index], names[index + 1]
            if keys[index] == keys[index + 1] or two.start - one.end > 40:
                continue
            between = self.page.text[one.end : two.start]
            first, second = self.page.text[one.start : one.end], self.page.text[two.start : two.end]
            called = ALSO_CALLED.fullmatch(between)
            alike = BRACKET.fullmatch(between) and (
                is_code(first) != is_code(second)
                or fold_tones(first).replace(" ", "") == fold_tones(second).replace(" ", "")
            )
            if called or (alike and self.page.text[two.end : two.end + 1] == ")"):
                new = REFERENCE if REFERENCE in (keys[index], keys[index + 1]) else keys[index]
                old = {keys[index], keys[index + 1]} - {new}
                keys = [new if key in old else key for key in keys]
        return keys


def _has_capital(text: str) -> bool:
    return text != text.lower()


def _bare(name: Name) -> tuple[str, ...]:
    """The words of a name without titles before it."""
    words = name.words
    while len(words) > 1 and words[0] in FOLDED_TITLES:
        words = words[1:]
    return words


FOLDED_TITLES = frozenset(map(fold_word, TITLES))
