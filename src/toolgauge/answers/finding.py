"""Decides which of several values answers the question, by evidence: small named rules, each with a weight.

What the value should be is not known here.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Generic, TypeVar

from msgspec import structs

from toolgauge.core import Answer, Passage
from toolgauge.locale import DateFound, Locale, find_dates, fold_word, tokenise

from .cues import CONTRASTS, Cue, find_cues, find_families
from .page import Cell, Page
from .question import Question, entities_of, stem

__all__ = ["MARGIN", "WEIGHTS", "Candidate", "Finder", "Weighed", "decide"]

WEIGHTS: dict[str, float] = {
    "marked": 9.0,
    "concluded": 3.0,
    "emphasised": 2.0,
    "first": 2.0,
    "shared words": 5.0,
    "row and column": 3.0,
    "asked name": 1.0,
    "other name": -2.5,
    "asked period": 1.0,
    "other period": -3.0,
    "asked measure": 1.0,
    "other measure": -3.0,
    "asked unit": 4.0,
    "other unit": -5.0,
    "per something else": -2.5,
    "precise enough": 4.0,
    "correction": 4.0,
    "corrected later": -5.0,
    "change": -3.5,
    "asked change": 4.0,
    "baseline": -3.0,
    "forecast": -2.5,
    "part": -1.5,
    "total": -1.0,
    "asked total": 2.0,
    "example": -3.0,
    "hearsay": -4.0,
    "limit": -1.5,
    "mean": -1.5,
    "aside": -1.5,
    "question": -4.0,
    "offer": -4.0,
    "tentative": -4.0,
    "as of": -4.0,
    "given in the question": -2.5,
    "seldom an answer": -5.0,
    "operand": -2.0,
    "calculated": 2.0,
    "refused": -3.0,
}
MARGIN = 0.5
"""Two values whose evidence differs by less are not told apart."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class Candidate(Generic[Found]):
    """A value that may be the answer."""

    start: int
    end: int
    found: Found
    key: Hashable
    """Two candidates with the same key say the same."""
    own: Mapping[str, float] = field(default_factory=dict)
    """What its type says of it: names of rules, and how much each holds."""
    given: bool = False


@dataclass(frozen=True)
class Weighed(Generic[Found]):
    """A candidate with the evidence for and against it."""

    candidate: Candidate[Found]
    evidence: Mapping[str, float]

    @property
    def weight(self) -> float:
        """All evidence together."""
        return math.fsum(self.evidence.values())


def decide(page: Page, weighed: Sequence[Weighed[Found]], judge: Callable[[Found], Answer]) -> Answer | None:
    """The verdict on the best candidate; ambiguous where one that says something else is as good.

    Args:
        page: The answer.
        weighed: The candidates, the best first.
        judge: Compares a value with the reference.
    """
    if not weighed:
        return None
    best = weighed[0]
    answer = judge(best.candidate.found)
    others = [one for one in weighed[1:] if one.candidate.key != best.candidate.key]
    if not others:
        return answer
    rival = others[0]
    chosen, runner_up = _passage(page, best, answer), _passage(page, rival, judge(rival.candidate.found))
    if rival.weight >= best.weight - MARGIN:
        close = [judge(one.candidate.found) for one in others if one.weight >= best.weight - MARGIN]
        if any(other.verdict != answer.verdict for other in close):
            both = [chosen.found, runner_up.found]
            reason = f"two values that may be meant: {chosen.words} or {runner_up.words}"
            return Answer("ambiguous", both, reason, chosen, runner_up)
    return structs.replace(answer, chosen=chosen, runner_up=runner_up)


def _passage(page: Page, one: Weighed[Found], answer: Answer) -> Passage:
    words = page.text[one.candidate.start : one.candidate.end]
    return Passage(words, answer.found, {name: round(weight, 2) for name, weight in one.evidence.items()})


OPERATOR = re.compile(r"\s?(?:[×x*÷/+=]|−(?=\s)|-(?=\s)|\\times|\\div)\s?$")
OPERATOR_BEHIND = re.compile(r"\s?(?:[×x*÷+=]|−\s|-\s|/\s|\\times|\\div)\s?[($€£]?[0-9]")
EQUALS = re.compile(r"(?:=|≈|->|→|=>)\s?[$€£₫~≈]?$")
POST_BREAKS = frozenset([",", ";", ".", "!", "?", ":", "(", ")", "|", "và", "and", "or", "hoặc", "hay", "—", "–", "→", "while"])
NEAR = 4


class Finder:
    """Weighs the candidates of one answer against one question."""

    def __init__(self, page: Page, asked: Question, locale: Locale, now: date | None) -> None:
        self.page, self.asked, self.locale, self.now = page, asked, locale, now
        self.tokens = tokenise(page.text)
        self.starts = [token.start for token in self.tokens]
        self.folded = [fold_word(token.low) for token in self.tokens]
        self.cues = find_cues(self.tokens, self.folded)
        self.cue_places = [cue.first for cue in self.cues]

    @cached_property
    def stems(self) -> list[str]:
        return [stem(token.low) if token.kind == "word" else "" for token in self.tokens]

    @cached_property
    def families(self) -> list[Cue]:
        return find_families(self.tokens, self.folded)

    @cached_property
    def dates(self) -> list[DateFound]:
        return find_dates(self.page.text, self.locale, self.now)

    @cached_property
    def opening(self) -> list[bool]:
        tokens = self.tokens
        return [
            index == 0 or tokens[index].line or tokens[index - 1].low in (".", "!", "?", ":", "|", "•", "-", "–")
            for index in range(len(tokens))
        ]

    @cached_property
    def names(self) -> list[tuple[int, int]]:
        found = entities_of(self.tokens, self.opening)
        single = [
            (index, index + 1)
            for index, token in enumerate(self.tokens)
            if self.opening[index] and token.kind == "word" and self.folded[index] in self.asked.entities
        ]
        return sorted({*found, *single})

    def weigh(self, candidates: Sequence[Candidate[Found]]) -> list[Weighed[Found]]:
        """The candidates with their evidence, the best first; of the same value the best stands for all."""
        places = [self._segment(candidates, index) for index in range(len(candidates))]
        shared = self._shared_words(places)
        weighed = [
            Weighed(candidate, self._evidence(candidates, index, places[index], shared[index]))
            for index, candidate in enumerate(candidates)
        ]
        return sorted(weighed, key=lambda one: -one.weight)

    # what stands beside a candidate

    def _segment(self, candidates: Sequence[Candidate[Found]], index: int) -> _Segment:
        one = candidates[index]
        sentence = self.page.sentence_at(one.start)
        begin, stop = self.page.sentences[sentence] if self.page.sentences else (0, len(self.page.text))
        previous = candidates[index - 1].end if index and candidates[index - 1].end > begin else begin
        following = stop
        if index + 1 < len(candidates) and candidates[index + 1].start < stop:
            following = candidates[index + 1].start
        at = bisect_left(self.starts, one.start)
        behind = bisect_left(self.starts, one.end)
        return _Segment(
            sentence=sentence,
            sentence_first=bisect_left(self.starts, begin),
            before=bisect_left(self.starts, previous),
            at=at,
            behind=behind,
            after=self._post_end(behind, bisect_left(self.starts, following)),
            stop=bisect_left(self.starts, stop),
            cell=self.page.cell_at(one.start) if "|" in self.page.text else None,
            heading=self.page.headings[self.page.line_at(one.start)],
        )

    def _post_end(self, behind: int, stop: int) -> int:
        """Where the words behind a candidate end that still belong to it; brackets right behind it do."""
        index = behind
        if index < stop and self.folded[index] == "(":
            close = next((place for place in range(index, stop) if self.folded[place] == ")"), stop)
            return close
        while index < stop and self.folded[index] not in POST_BREAKS and not self.tokens[index].line:
            index += 1
        return index

    def _shared_words(self, places: Sequence[_Segment]) -> list[float]:
        """How much of what the question says stands beside each candidate, as against the other candidates."""
        words = self.asked.words
        if not words or not places:
            return [0.0] * len(places)
        covers = [self._cover(place) for place in places]
        total = [0.0] * len(places)
        weight_of_all = 0.0
        for word in words:
            got = [cover.get(word, 0.0) for cover in covers]
            most = max(got)
            if not most:
                continue
            weight = 1.0 + math.log(len(got) / max(1.0, math.fsum(got)))
            weight = max(weight, 0.2)
            weight_of_all += weight
            for index, value in enumerate(got):
                total[index] += weight * value
        if not weight_of_all:
            return total
        damp = weight_of_all / max(weight_of_all, 3.0)
        return [value / weight_of_all * damp for value in total]

    def _cover(self, place: _Segment) -> dict[str, float]:
        cover: dict[str, float] = {}
        for first, last, share in (
            (place.sentence_first, place.before, 0.4),
            (place.behind, place.after, 0.8),
            (place.before, place.at, 1.0),
        ):
            for index in range(first, last):
                word = self.stems[index]
                if word and cover.get(word, 0.0) < share:
                    cover[word] = share
        texts = [(place.heading, 0.4)]
        if place.cell:
            texts += [(place.cell.row, 1.0), (place.cell.column, 1.0)]
        for text, share in texts:
            for token in tokenise(text) if text else ():
                word = stem(token.low)
                if cover.get(word, 0.0) < share:
                    cover[word] = share
        return cover

    def _roles(self, first: int, last: int) -> list[Cue]:
        low, high = bisect_left(self.cue_places, first), bisect_left(self.cue_places, last)
        return self.cues[low:high]

    # the rules

    def _evidence(
        self, candidates: Sequence[Candidate[Found]], index: int, place: _Segment, shared: float
    ) -> dict[str, float]:
        one = candidates[index]
        holds: dict[str, float] = dict(one.own)
        holds["shared words"] = shared
        holds |= self._said_where(candidates, index, place)
        holds |= self._said_how(one, place)
        holds |= self._about(one, place)
        return {name: WEIGHTS[name] * share for name, share in holds.items() if share}

    def _said_where(self, candidates: Sequence[Candidate[Found]], index: int, place: _Segment) -> dict[str, float]:
        """Markers, emphasis, and what is said first."""
        one, page = candidates[index], self.page
        holds: dict[str, float] = {}
        marker = page.marker
        if marker is not None and one.start >= marker.end():
            line_end = page.text.find("\n", self._first_line_start(marker.end(), candidates))
            if line_end < 0 or one.start <= line_end:
                holds["marked" if marker["soft"] is None else "concluded"] = 1.0
        if "marked" not in holds and any(
            cue.role == "conclusion" and (self.opening[cue.first] or self.folded[cue.first - 1] in (",", ";", "—"))
            for cue in self._roles(place.sentence_first, place.at)
        ):
            holds["concluded"] = 1.0
        if page.is_emphasised(one.start, one.end):
            holds["emphasised"] = 1.0
        firsts = [candidate for candidate in candidates if candidate.own.get("other unit", 0) == 0 and not candidate.own.get("seldom an answer")]
        rank = sum(1 for candidate in firsts if candidate.start < one.start)
        holds["first"] = 1.0 / (1 + 0.7 * rank)
        return holds

    def _first_line_start(self, begin: int, candidates: Sequence[Candidate[Found]]) -> int:
        return next((one.start for one in candidates if one.start >= begin and not one.own.get("seldom an answer")), begin)

    def _said_how(self, one: Candidate[Found], place: _Segment) -> dict[str, float]:
        """The role that the words beside it give it."""
        around, text = self.page.around, self.page.text
        asked = self.asked.roles
        holds: dict[str, float] = {}
        if around.is_aside(one.start):
            holds["aside"] = 1.0
        if around.is_question(one.end):
            holds["question"] = 1.0
        if around.is_offer(one.start, one.end):
            holds["offer"] = 1.0
        if around.is_tentative(one.start):
            holds["tentative"] = 1.0
        near = self._roles(max(place.before, place.at - NEAR), place.at)
        pre = self._roles(place.before, place.at)
        contrast = self._last_contrast(place)
        earlier = self._roles(max(place.sentence_first, contrast), place.at)
        post = self._roles(place.behind, min(place.after, place.behind + NEAR))
        if self._is_change(near, place) or text[one.start : one.start + 1] in "+±":
            holds["asked change" if self.asked.wants_change else "change"] = 1.0
        elif around.is_difference(one.end):
            holds["asked change" if self.asked.wants_change else "change"] = 1.0
        if around.is_baseline(one.start) or self._is_baseline(near):
            holds["baseline"] = 1.0
        for role in ("forecast", "part", "example", "hearsay", "limit", "mean", "total"):
            scope = (*earlier, *post) if role in ("forecast", "example", "hearsay", "part") else (*pre, *post)
            if any(cue.role == role for cue in scope):
                if role == "total" and "total" in asked:
                    holds["asked total"] = 1.0
                elif role not in asked:
                    holds[role] = 1.0
        if any(cue.role == "correction" for cue in self._roles(place.sentence_first, place.at)):
            holds["correction"] = 1.0
        if OPERATOR_BEHIND.match(text, one.end) or (OPERATOR.search(text[max(0, one.start - 4) : one.start]) and not EQUALS.search(text[max(0, one.start - 4) : one.start])):
            holds["operand"] = 1.0
        elif EQUALS.search(text[max(0, one.start - 4) : one.start]):
            holds["calculated"] = 1.0
        if one.given:
            holds["given in the question"] = 1.0
        return holds

    def _last_contrast(self, place: _Segment) -> int:
        for index in range(place.at - 1, place.sentence_first - 1, -1):
            if self.folded[index] in CONTRASTS:
                return index
        return place.sentence_first

    def _is_change(self, near: Sequence[Cue], place: _Segment) -> bool:
        last = None
        for cue in near:
            if cue.role == "change":
                last = cue
        if last is None:
            return False
        return not any(cue.role == "level" and cue.first >= last.last for cue in near)

    def _is_baseline(self, near: Sequence[Cue]) -> bool:
        last = None
        for cue in near:
            if cue.role == "baseline":
                last = cue
        return last is not None and not any(cue.role == "level" and cue.first >= last.last for cue in near)

    def _about(self, one: Candidate[Found], place: _Segment) -> dict[str, float]:
        """Whom, when and what it is said of."""
        holds: dict[str, float] = {}
        if self.asked.entities:
            holds |= self._name(place)
        holds |= self._period(one, place)
        if self.asked.families:
            holds |= self._measure(place)
        return holds

    def _name(self, place: _Segment) -> dict[str, float]:
        asked = self.asked.entities
        if not any(self.folded[first] in asked for first, _ in self.names) and not any(
            word in asked for word in self.folded
        ):
            return {}
        if place.cell:
            words = {fold_word(token.low) for token in tokenise(f"{place.cell.row} {place.cell.column}")}
            return {"asked name": 1.0} if words & asked else {}
        for first, last in ((place.before, place.at), (place.behind, place.after), (place.sentence_first, place.before)):
            inside = [name for name in self.names if first <= name[0] and name[1] <= last]
            if first == place.behind:
                inside = inside[:1]
            for begin, end in reversed(inside):
                if begin and self.folded[begin - 1] in ("theo", "to", "per", "by", "nguồn", "source", "via", "from", "on", "trên"):
                    continue
                if any(self.folded[index] in asked for index in range(begin, end)):
                    return {"asked name": 1.0}
                return {"other name": 1.0}
        return {}

    def _period(self, one: Candidate[Found], place: _Segment) -> dict[str, float]:
        date_here = self._date_near(one, place)
        if date_here is None:
            roles = {cue.role for cue in self._roles(place.before, place.at)}
            if "earlier" in roles and "earlier" not in self.asked.roles:
                return {"other period": 1.0}
            return {}
        words = self.page.text[date_here.start : date_here.end].lower()
        if words in self.asked.relative:
            return {"asked period": 1.0}
        if not self.asked.periods:
            if date_here.relative and date_here.readings and self.now and date_here.readings[0].high < self.now:
                return {"other period": 0.7} if "earlier" not in self.asked.roles else {}
            if date_here.relative and date_here.readings and self.now and date_here.readings[0].low > self.now:
                return {"other period": 0.7} if not self.asked.relative else {}
            return {}
        if not date_here.readings:
            return {}
        said = date_here.readings[0]
        if any(said.low <= period.high and period.low <= said.high for period in self.asked.periods):
            return {"asked period": 1.0}
        return {"other period": 1.0}

    def _date_near(self, one: Candidate[Found], place: _Segment) -> DateFound | None:
        dates = self.dates
        if not dates:
            return None
        starts = [self.tokens[place.before].start if place.before < len(self.tokens) else 0, one.start]
        inside = [found for found in dates if starts[0] <= found.start and found.end <= one.start]
        if inside:
            return inside[-1]
        end = self.tokens[place.after - 1].end if place.after > place.behind else one.end
        inside = [found for found in dates if one.end <= found.start and found.end <= end + 1]
        if inside:
            return inside[0]
        if place.cell:
            for text in (place.cell.row, place.cell.column):
                found = find_dates(text, self.locale, self.now)
                if found:
                    return None
            return None
        begin = self.tokens[place.sentence_first].start if place.sentence_first < len(self.tokens) else 0
        inside = [found for found in dates if begin <= found.start and found.end <= one.start]
        return inside[-1] if inside else None

    def _measure(self, place: _Segment) -> dict[str, float]:
        members = [cue.role for cue in self.families if place.before <= cue.first and cue.last <= place.at]
        members += [cue.role for cue in self.families if place.behind <= cue.first and cue.last <= place.after]
        if place.cell or place.heading:
            text = f"{place.cell.row} | {place.cell.column}" if place.cell else ""
            tokens = tokenise(text)
            members += [cue.role for cue in find_families(tokens, [fold_word(token.low) for token in tokens])]
        asked = self.asked.families
        if any(member in asked for member in members):
            return {"asked measure": 1.0}
        kinds = {member.partition(".")[0] for member in asked}
        if any(member.partition(".")[0] in kinds for member in members):
            return {"other measure": 1.0}
        return {}


@dataclass(frozen=True)
class _Segment:
    """The words that belong to a candidate, as indexes of tokens."""

    sentence: int
    sentence_first: int
    before: int
    """Where the words before it begin: behind the candidate before it, or where the sentence begins."""
    at: int
    behind: int
    after: int
    """Where the words behind it end."""
    stop: int
    cell: Cell | None
    heading: str
