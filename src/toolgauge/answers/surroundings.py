"""What stands around a place in an answer: asides, clauses, and cues that change what a value means."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from .reading import (
    ABBREVIATION,
    AS_OF,
    BASELINE,
    CHANGE,
    CLAUSE,
    COMPARAND,
    COMPARING,
    CONTRAST,
    DIFFERENCE,
    NEGATION,
    NO_NEGATION,
    OFFER,
    PARTS,
    REFUSAL,
    RULED_OUT_BEHIND,
    SENTENCE_END,
    STEP,
    TENTATIVE,
    UNDECIDED,
    WINDOW,
    last_match,
    may_have,
)

__all__ = ["Surroundings"]


class Surroundings:
    """Answers what stands around a place in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._asides = _asides(text)
        self._cues: dict[str, re.Match[str] | None] = {}

    def is_aside(self, start: int) -> bool:
        """Whether the place lies in round brackets."""
        index = bisect_right(self._asides, (start, len(self.text))) - 1
        return index >= 0 and self._asides[index][0] < start < self._asides[index][1]

    def clause_before(self, start: int) -> str:
        """What is said before a place in the same clause."""
        window = self.text[max(0, start - WINDOW) : start]
        cut = 0
        for match in CLAUSE.finditer(window):
            cut = match.end()
        return window[cut:]

    def is_ruled_out(self, start: int, end: int) -> bool:
        """Whether what stands here is named only to be ruled out, or while refusing to answer."""
        if self.first(NEGATION):
            clause = self.clause_before(start)
            last = last_match(NEGATION, clause)
            if last is not None:
                gap = clause[last.end() :]
                if len(gap.split()) <= 6 and not NO_NEGATION.search(gap):
                    return True
        return RULED_OUT_BEHIND.match(self.text, end, end + 60) is not None or self.is_refused(start)

    def first(self, cue: re.Pattern[str]) -> re.Match[str] | None:
        """The first place of a cue in the text, which is looked for once; most texts have none."""
        try:
            return self._cues[cue.pattern]  # a pattern itself takes long to hash
        except KeyError:
            possible = cue.pattern not in PARTS or may_have(cue, self._folded)
            found = self._cues[cue.pattern] = cue.search(self.text) if possible else None
            return found

    @cached_property
    def _folded(self) -> str:
        return self.text.casefold()

    def is_refused(self, start: int) -> bool:
        """Whether the same sentence says before that there is no answer."""
        if not self.first(REFUSAL) or self.first(UNDECIDED):
            return False
        said = self.sentence_before(start)
        last = last_match(REFUSAL, said)
        return last is not None and not CONTRAST.search(said, last.end())

    def sentence_before(self, start: int) -> str:
        """The sentence that a place lies in, up to it."""
        window = self.text[max(0, start - 3 * WINDOW) : start]
        cut = 0
        for match in SENTENCE_END.finditer(window):
            if window[match.start()] != "." or not ABBREVIATION.search(
                window[max(0, match.start() - 8) : match.start()]
            ):
                cut = match.end()
        return window[cut:]

    def sentence_behind(self, end: int) -> str:
        """The rest of the sentence behind a place, with the sign that ends it."""
        window = self.text[end : end + 3 * WINDOW]
        for match in SENTENCE_END.finditer(window):
            if window[match.start()] != "." or not ABBREVIATION.search(
                window[max(0, match.start() - 8) : match.start()]
            ):
                return window[: match.end()]
        return window

    def is_question(self, end: int) -> bool:
        """Whether the sentence asks."""
        return "?" in self.text and self.sentence_behind(end).rstrip().endswith("?")

    def is_offer(self, start: int, end: int) -> bool:
        """Whether the sentence only offers more: `if you need 5 more examples, let me know`."""
        return (
            bool(self.first(OFFER))
            and OFFER.search(self.sentence_before(start) + self.sentence_behind(end)) is not None
        )

    def is_tentative(self, start: int) -> bool:
        """Whether it is what somebody first thought."""
        return bool(self.first(TENTATIVE)) and TENTATIVE.search(self.clause_before(start)) is not None

    def is_baseline(self, start: int) -> bool:
        """Whether it is what the value is compared with."""
        window = self.text[max(0, start - WINDOW) : start]
        if BASELINE.search(window) is not None:
            return True
        return bool(self.first(COMPARING)) and COMPARAND.search(window) is not None

    def is_difference(self, end: int) -> bool:
        """Whether it says by how much two values differ: `two more than …`."""
        return DIFFERENCE.match(self.text, end, end + 30) is not None

    def is_step(self, level_end: int, start: int) -> bool:
        """Whether it says how far the value before it has moved."""
        return STEP.fullmatch(self.text, level_end, start) is not None

    def is_change(self, start: int) -> bool:
        """Whether it says by how much something changed."""
        return CHANGE.search(self.text[max(0, start - 60) : start]) is not None

    def is_as_of(self, start: int) -> bool:
        """Whether it only dates the information."""
        return AS_OF.search(self.text[max(0, start - WINDOW) : start]) is not None


def _asides(text: str) -> list[tuple[int, int]]:
    """The places in round brackets, outermost ones."""
    found: list[tuple[int, int]] = []
    if "(" not in text:
        return found
    begin, depth = 0, 0
    for match in re.finditer(r"[()\n]", text):
        sign = match.group()
        if sign == "\n":
            depth = 0
        elif sign == "(":
            begin = begin if depth else match.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                found.append((begin, match.end()))
    return found
