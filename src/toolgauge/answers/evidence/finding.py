"""Decides which of several values answers the question, by the evidence of small named rules.

What the value should be is not known here.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Generic, TypeVar

from msgspec import structs

from toolgauge.core import Answer, Passage
from toolgauge.locale import Locale

from ..page import Page
from ..question import Question
from ..reading import REFUSAL, UNDECIDED
from .context import AnswerWords, Context
from .cues import folded_set
from .nearness import Nearness
from .roles import OPERATOR_BEHIND, Roles
from .subject import Topic
from .weights import MARGIN, UNDECIDED_MARGIN, WEIGHTS

__all__ = ["MARGIN", "WEIGHTS", "Candidate", "Finder", "Weighed", "decide", "is_plain"]

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

    @property
    def likely(self) -> bool:
        """Whether nothing in its own form speaks against it."""
        return not self.own.get("other unit") and not self.own.get("seldom an answer")


@dataclass(frozen=True)
class Weighed(Generic[Found]):
    """A candidate with the evidence for and against it."""

    candidate: Candidate[Found]
    evidence: Mapping[str, float]

    @cached_property
    def weight(self) -> float:
        """All evidence together."""
        return math.fsum(self.evidence.values())


def is_plain(page: Page, candidates: Sequence[Candidate[Found]]) -> bool:
    """Whether there is nothing to choose from, and nothing is declined."""
    return len({one.key for one in candidates}) == 1 and page.around.first(REFUSAL) is None


def decide(
    page: Page, weighed: Sequence[Weighed[Found]], judge: Callable[[Found], Answer], *, margin: float = MARGIN
) -> Answer | None:
    """The verdict on the best candidate; ambiguous where one that says something else is as good.

    Args:
        page: The answer.
        weighed: The candidates, the best first.
        judge: Compares a value with the reference.
        margin: Two values whose evidence differs by less are not told apart.
    """
    if not weighed:
        return None
    best = weighed[0]
    if _declines(page, best):
        return Answer("wrong", None, "the answer declines, and names something else")
    answer = judge(best.candidate.found)
    others = [one for one in weighed[1:] if one.candidate.key != best.candidate.key]
    if not others:
        return answer
    chosen = _passage(page, best, answer)
    runner_up = _passage(page, others[0], judge(others[0].candidate.found))
    least = best.weight - (UNDECIDED_MARGIN if page.around.first(UNDECIDED) else margin)
    close = [
        judge(one.candidate.found)
        for one in others
        if one.weight >= least or (one.weight >= best.weight - TABLE_MARGIN and _contradicts_the_table(one, best))
    ]
    if all(other.verdict == answer.verdict for other in close):
        return structs.replace(answer, chosen=chosen, runner_up=runner_up)
    reason = f"two values that may be meant: {chosen.words} or {runner_up.words}"
    return Answer("ambiguous", [chosen.found, runner_up.found], reason, chosen, runner_up)


def _contradicts_the_table(other: Weighed[Found], best: Weighed[Found]) -> bool:
    """Whether a sentence behind a table says that the answer is another value than its cell."""
    if "said beside a table" in best.evidence or not {"row", "column"} <= best.evidence.keys():
        return False
    return "said beside a table" in other.evidence and other.candidate.start > best.candidate.start


def _passage(page: Page, one: Weighed[Found], answer: Answer) -> Passage:
    words = page.text[one.candidate.start : one.candidate.end]
    return Passage(words, answer.found, {name: round(weight, 2) for name, weight in one.evidence.items()})


TABLE_MARGIN = 1.0
"""The same for a cell of a table and a value that is said behind the table, which people take for the answer."""
OF_ANOTHER = frozenset(["other period", "other name", "other tag"])
OF_SOMETHING_ELSE = OF_ANOTHER | frozenset(
    (
        *("other measure", "other unit", "forecast", "hearsay", "example", "baseline", "superseded"),
        *("seldom an answer", "given in the question"),
    )
)


def _declines(page: Page, best: Weighed[Found]) -> bool:
    """Whether the answer says that it has none, and the value is one of something else."""
    if "marked" in best.evidence or not OF_SOMETHING_ELSE & best.evidence.keys():
        return False
    refusal = page.around.first(REFUSAL)
    if refusal is None or page.around.first(UNDECIDED):
        return False
    return refusal.start() < best.candidate.start or bool(OF_ANOTHER & best.evidence.keys())


def _is_sum(whole: Hashable, parts: Sequence[Hashable]) -> bool:
    """Whether the next two or more amounts add up to one."""
    if not isinstance(whole, tuple) or not whole or not isinstance(whole[0], float):
        return False
    total = 0.0
    for count, part in enumerate(parts, 1):
        if not isinstance(part, tuple) or not isinstance(part[0], float):
            return False
        total += part[0]
        if count > 1 and abs(total - whole[0]) <= 1e-9 * abs(whole[0]):
            return True
    return False


OPENERS = folded_set(
    "dạ vâng thưa ạ , khoảng about approximately around roughly là it is ~ ≈ it's gần nearly đúng exactly $ ( \" “ - :"
)
ALTERNATIVE = re.compile(r"\s?(?:or|hoặc|hay|/)(?:\slà|\skhoảng)?\s", re.IGNORECASE)
INLINE = re.compile(
    r"\s?(?:…|\.{2,3}|[—–,;.-])?\s?(?:à\s|ồ\s|oh\s|no,?\s)?(?:sorry|i\smean|rather|correction|xin\slỗi|nhầm|à\snhầm|ý\s(?:tôi|mình|em)\slà"
    r"|đúng\shơn\slà|phải\slà|make\sthat|or\srather|nói\sđúng\shơn\slà)\s?[,:—–-]?\s?(?:\w+\s){0,3}[$€£]?",
    re.IGNORECASE,
)
"""Between a value and the one that takes its place: `47, sorry, 48`."""
AND = re.compile(r"\s(?:and|và)\s[$€£+−-]{0,2}", re.IGNORECASE)
COMPARED_TOO = re.compile(
    r"(?:\s\([^()\n]{0,30}\))?(?:,?\s(?:and|và|or)|,)\s(?:(?!(?:lên|còn|đạt|là|to|is|was)\b)[\w'’-]+\s){0,3}[$€£]?",
    re.IGNORECASE,
)
OWN_PERIOD = 2.0
"""How much the asked time counts where it is said of a figure that another one is compared with."""
ALL_ASKED, ASKED_OPERAND = 0.8, 0.3
"""How much of the question has to stand beside what is calculated with, so that it may be the answer itself."""
STRESSED = 0.5
"""How much it counts against a whole that it is the one that is bold."""
BEHIND_LABEL = re.compile(r"\s?[:–—]\s")
BOLD_ROW = 0.25
"""How much emphasis is worth where the whole row of a table has it, or the label of a line."""
ADVERBIAL = 0.3
"""How much it counts that a date is said first where several open their clauses: `In 2009, he joined. In 2014, …`"""
MOST_PARTS = 6
RESULTS, FEWEST = ("kết quả:", "result:"), 2
"""Behind these a whole line of figures may follow, as of an election."""
LATER = 0.7
"""How much a marker counts for what is not the first value behind it."""
CONCLUDED_LATER = 0.6
"""How much a conclusion counts that is drawn in the middle of a sentence."""
RANK_STEP = 0.7
FEW_MORE = 4
"""How many more words and signs a sentence has that is little more than a value."""


def _elided(before: Mapping[str, float], holds: Mapping[str, float]) -> dict[str, float]:
    """What a value leaves out because it was said of the one before: its unit, what it counts."""
    rules = ("counts what is asked", "asked measure", "asked per")
    left = {rule: before[rule] for rule in rules if before.get(rule) and not holds.get(rule)}
    if 0.0 < holds.get("asked unit", 0.0) < before.get("asked unit", 0.0):
        left["asked unit"] = before["asked unit"]
    return left


class Finder:
    """Weighs the candidates of one answer against one question.

    Args:
        page: The answer.
        asked: The question.
        locale: How the answer writes figures and dates.
        now: The day that relative dates count from.
        dated: Whether dates say when a value holds, and are no values themselves.
    """

    def __init__(self, page: Page, asked: Question, locale: Locale, now: date | None, *, dated: bool = True) -> None:
        self.page, self.dated = page, dated
        self.words = AnswerWords(page, asked, locale, now, adverbial=not dated)
        self.roles = Roles(self.words, asked)
        self.subject = Topic(self.words, asked, locale, now)
        self.nearness = Nearness(self.words, asked, self.subject, dated=dated)

    def weigh(self, candidates: Sequence[Candidate[Found]]) -> list[Weighed[Found]]:
        """The candidates with their evidence, the best first."""
        spans = [(one.start, one.end) for one in candidates]
        bounds = [(one.start, one.end) for one in candidates if one.likely and not one.own.get("given in the question")]
        contexts = self.words.contexts(spans, bounds)
        shared, cells = self.nearness.shared(contexts), self.nearness.cells(contexts)
        places = self._places(candidates, contexts)
        weighed = []
        earlier: Mapping[str, float] = {}
        asked_parts: set[int] = set()
        for index, (one, context) in enumerate(zip(candidates, contexts, strict=True)):
            holds = {**one.own, "shared words": shared[index], **cells[index], **places[index]}
            if "says nothing else" in holds and "opens the answer" not in holds:
                holds["says nothing else"] = max(0.0, 1.0 - max(shared) + shared[index])
            holds |= self.roles.of(context, one.start, one.end, dated=self.dated)
            if self.page.cells and not context.cell and not OF_SOMETHING_ELSE & holds.keys() and "change" not in holds:
                holds["said beside a table"] = shared[index]
            holds |= self.subject.about(context, one.start, one.end, dated=self.dated)
            if "baseline" in holds and self.dated and self.subject.is_of_asked_time(context, one.start, one.end):
                holds = {name: share for name, share in holds.items() if name not in ("baseline", "change")}
                holds["asked period"] = OWN_PERIOD
            if "operand" in holds and shared[index] >= ALL_ASKED:
                holds["operand"] = ASKED_OPERAND
            if index and self.nearness.is_elided(context):
                holds = {**holds, **_elided(earlier, holds)}
            if self._is_taken_back(candidates, index):
                holds["corrected later"] = 1.0
            if index and self._is_taken_back(candidates, index - 1):
                holds["correction"] = 1.0
            behind = slice(index + 1, index + 1 + MOST_PARTS)
            likely = [other.likely for other in candidates[behind]]
            parts = list(itertools.compress(contexts[behind], likely))
            sums = _is_sum(one.key, [other.key for other in itertools.compress(candidates[behind], likely)])
            meant = self.roles.parts_meant(context, parts, sums=sums) if "opens the answer" not in holds else []
            if meant:
                holds["whole"] = STRESSED if holds["emphasised"] == 1.0 else 1.0
                holds.pop("says nothing else", None)
                asked_parts |= {parts[place].at for place in meant}
            if context.at in asked_parts:
                holds["asked part"] = 1.0
            if index:
                holds |= self._as_before(candidates[index - 1], one, earlier)
            earlier = holds
            weighed.append(Weighed(one, {name: WEIGHTS[name] * share for name, share in holds.items() if share}))
        return sorted(weighed, key=lambda one: -one.weight)

    def _as_before(
        self, before: Candidate[Found], one: Candidate[Found], holds: Mapping[str, float]
    ) -> dict[str, float]:
        """The role of the value before that holds for this one as well: `down 1 chapter and 27 articles`."""
        text = self.page.text
        if "baseline" in holds and COMPARED_TOO.fullmatch(text, before.end, one.start):
            return {"baseline": holds["baseline"]}
        role = next((role for role in ("change", "operand") if role in holds), None)
        return {role: holds[role]} if role and AND.fullmatch(text, before.end, one.start) else {}

    def _places(self, candidates: Sequence[Candidate[Found]], contexts: Sequence[Context]) -> list[dict[str, float]]:
        """The rules on where each candidate stands: marked, emphasised, first."""
        marks = self._marks(candidates)
        found: list[dict[str, float]] = []
        rank = 0
        tells_in_order = not self.dated and sum(map(self._leads, candidates, contexts)) > 1
        for index, (one, context) in enumerate(zip(candidates, contexts, strict=True)):
            holds = {"first": 1.0 / (1 + RANK_STEP * rank), "emphasised": self._emphasis(one, candidates)}
            holds |= marks.get(one.start, {})
            if not holds.get("marked") and not holds.get("concluded"):
                holds["concluded"] = self._concluded(context)
            if self._opens(one, context):
                holds["opens the answer"] = ADVERBIAL if tells_in_order else 1.0
            if self._is_whole(context):
                holds["says nothing else"] = 1.0
            if index and ALTERNATIVE.fullmatch(self.page.text, candidates[index - 1].end, one.start):
                holds |= {name: found[-1].get(name, 0.0) for name in ("first", "opens the answer")}  # `7 or 8`
            elif one.likely and not OPERATOR_BEHIND.match(self.page.text, one.end):
                rank += 1
            found.append(holds)
        return found

    def _leads(self, one: Candidate[Found], context: Context) -> bool:
        """Whether a date opens a clause, or is the label of its line: `2009: hired as counsel`."""
        is_label = self.words.leads(one.start) and BEHIND_LABEL.match(self.page.text, one.end) is not None
        return is_label or self.words.opens_clause(context)

    def _marks(self, candidates: Sequence[Candidate[Found]]) -> dict[int, dict[str, float]]:
        """What the last marker is worth to the candidates on the line behind it, by where they begin."""
        marker = self.page.marker
        if marker is None:
            return {}
        behind = [one for one in candidates if one.start >= marker.end()]
        first = next((one.start for one in behind if one.likely), marker.end())
        line_end = self.page.text.find("\n", first)
        lists = (
            marker.group().strip().lower() in RESULTS
            and sum(first < one.start and (line_end < 0 or one.start < line_end) for one in behind) >= FEWEST
        )
        name = "marked" if marker["soft"] is None else "concluded"
        return {
            one.start: {name: 1.0 if one.start <= first or lists else LATER}
            for one in behind
            if line_end < 0 or one.start <= line_end
        }

    def _concluded(self, context: Context) -> float:
        words = self.words
        said = [cue for cue in words.roles(context.lead, context.at) if cue.role == "conclusion"]
        if any(words.opening[cue.first] for cue in said):
            return 1.0
        later = any(
            "," in (words.folded[cue.first], words.folded[cue.first - 1]) or words.folded[cue.first - 1] in (";", "—")
            for cue in said
        )
        return CONCLUDED_LATER if later else 0.0

    def _emphasis(self, one: Candidate[Found], candidates: Sequence[Candidate[Found]]) -> float:
        span = self.page.emphasis_at(one.start, one.end)
        if span is None:
            return 0.0
        if self._is_bold_row(one) or (self.words.leads(one.start) and BEHIND_LABEL.match(self.page.text, one.end)):
            return BOLD_ROW
        inside = {other.key for other in candidates if span[0] <= other.start and other.end <= span[1] and other.likely}
        return 1.0 / max(1, len(inside))

    def _is_bold_row(self, one: Candidate[Found]) -> bool:
        """Whether the first cell of its row is bold as well, as that of a total."""
        cell = self.page.cell_at(one.start) if self.page.cells else None
        if cell is None:
            return False
        first = self.page.first_cell(cell)
        return first.place != cell.place and self.page.emphasis_at(*self.page.stripped(first)) is not None

    def _opens(self, one: Candidate[Found], context: Context) -> bool:
        if context.cell or context.at > len(OPENERS) or one.own.get("given in the question"):
            return False
        return all(word in OPENERS for word in self.words.folded[: context.at])

    def _is_whole(self, context: Context) -> bool:
        """Whether the first sentence is little more than the value."""
        page = self.page
        if context.cell or context.lead > 0 or not page.sentences or page.marker or page.is_item(page.line_at(0)):
            return False
        stop = self.words.index(self.page.sentences[0][1])
        return stop - (context.behind - context.at) <= FEW_MORE and stop < len(self.words.tokens)

    def _is_taken_back(self, candidates: Sequence[Candidate[Found]], index: int) -> bool:
        """Whether the next value is put in its place."""
        if index + 1 >= len(candidates):
            return False
        return INLINE.fullmatch(self.page.text, candidates[index].end, candidates[index + 1].start) is not None
