"""Decides which of several values answers the question, by evidence: small named rules, each with a weight.

What the value should be is not known here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, TypeVar

from msgspec import structs

from toolgauge.core import Answer, Passage
from toolgauge.locale import DateFound, Locale, Period, find_dates

from .context import Context, Words, read_label
from .cues import CONTRASTS, Cue, folded_set
from .page import Page
from .question import Question, tags_of
from .reading import REFUSAL

__all__ = ["MARGIN", "WEIGHTS", "Candidate", "Finder", "Weighed", "decide"]

WEIGHTS: dict[str, float] = {
    "marked": 9.0,
    "concluded": 2.5,
    "emphasised": 4.0,
    "opens the answer": 2.2,
    "first": 1.0,
    "shared words": 4.0,
    "said beside a table": 4.0,
    "row": 4.0,
    "column": 3.2,
    "asked name": 0.7,
    "other name": -1.5,
    "asked tag": 1.5,
    "other tag": -3.0,
    "asked period": 1.4,
    "other period": -2.7,
    "asked measure": 1.2,
    "other measure": -2.5,
    "asked unit": 4.0,
    "other unit": -5.0,
    "precise enough": 4.0,
    "current": 1.0,
    "exactly": 3.0,
    "counts what is asked": 2.0,
    "result": 1.8,
    "correction": 3.5,
    "corrected later": -4.0,
    "superseded": -3.0,
    "change": -3.0,
    "asked change": 4.0,
    "baseline": -3.0,
    "forecast": -1.5,
    "part": -0.6,
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
    "operand": -4.0,
    "calculated": 2.0,
    "duration": -3.0,
}
MARGIN = 0.5
"""Two values whose evidence differs by less are not told apart."""
UNDECIDED_MARGIN = 4.0
"""The same where the answer says that it does not know which of them is right."""
UNDECIDED = re.compile(
    r"\b(?:(?:không|chưa)\s(?:thể\s)?(?:xác\sđịnh|biết|rõ|kết\sluận|khẳng\sđịnh)(?:\sđược)?\s(?:con\s)?(?:số|bên|nguồn|mốc|ngày|năm|giá\strị|cái|đâu|mức)(?:\sliệu)?\s"
    r"(?:nào|là)|(?:số\sliệu|nguồn|tài\sliệu|con\ssố)\s(?:\w+\s){0,4}(?:khác\snhau|không\sthống\snhất|mâu\sthuẫn|vênh\snhau)|không\sthống\snhất"
    r"|(?:can['’]?t|cannot|could\snot|couldn['’]t|unable\sto|not\ssure|hard\sto|impossible\sto|don['’]t\sknow)\s(?:\w+\s){0,3}(?:which|whether)"
    r"|(?:sources|reports|records|systems|figures|numbers|documents|data|dates)\s(?:\w+\s){0,3}(?:conflict|disagree|differ|contradict|don['’]t\s(?:agree|match))"
    r"|conflicting\s(?:\w+\s)?(?:figures|reports|sources|data|records|dates|information|numbers)|depends\son\s(?:how|which|whether|the\ssource)"
    r"|tùy\s(?:cách|nguồn|theo\scách|vào\scách)|either\s\S+(?:\s\S+){0,4}\sor\b|có\sthể\slà\s[^.\n]{1,40}\s(?:hoặc|hay)\s)",
    re.IGNORECASE,
)

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
    if _declines(page, best):
        return Answer("wrong", None, "the answer declines, and names something else")
    answer = judge(best.candidate.found)
    others = [one for one in weighed[1:] if one.candidate.key != best.candidate.key]
    if not others:
        return answer
    rival = others[0]
    chosen, runner_up = _passage(page, best, answer), _passage(page, rival, judge(rival.candidate.found))
    margin = UNDECIDED_MARGIN if UNDECIDED.search(page.text) else MARGIN
    if rival.weight >= best.weight - margin:
        close = [judge(one.candidate.found) for one in others if one.weight >= best.weight - margin]
        if any(other.verdict != answer.verdict for other in close):
            both = [chosen.found, runner_up.found]
            reason = f"two values that may be meant: {chosen.words} or {runner_up.words}"
            return Answer("ambiguous", both, reason, chosen, runner_up)
    return structs.replace(answer, chosen=chosen, runner_up=runner_up)


ELSEWHERE = frozenset(
    ["other period", "other name", "other tag", "other measure", "forecast", "hearsay", "example", "baseline", "superseded"]
    + ["seldom an answer", "other unit", "given in the question"]
)


def _declines(page: Page, best: Weighed[Found]) -> bool:
    """Whether the answer says that it has none, and the value is one of something else."""
    if "marked" in best.evidence or not ELSEWHERE & best.evidence.keys():
        return False
    refusal = REFUSAL.search(page.text)
    return refusal is not None and refusal.start() < best.candidate.start


def _passage(page: Page, one: Weighed[Found], answer: Answer) -> Passage:
    words = page.text[one.candidate.start : one.candidate.end]
    return Passage(words, answer.found, {name: round(weight, 2) for name, weight in one.evidence.items()})


OPERATOR = re.compile(r"\s?(?:[×x*÷/+]|−(?=\s)|-(?=\s)|\\times|\\div)\s?[($€£]?$")
OPERATOR_BEHIND = re.compile(r"\)?\s?(?:[×x*÷+=≈]|−\s|-\s|/\s|\\times|\\div)\s?[($€£]?[0-9]")
EQUALS = re.compile(r"(?:=|≈|->|→|=>)\s?[$€£₫~≈]{0,2}$")
OPENERS = folded_set("khoảng about approximately around roughly là it is ~ ≈ it's gần nearly đúng exactly $ ( \" “ - :")
ALTERNATIVE = re.compile(r"\s?(?:or|hoặc|hay|/)(?:\slà|\skhoảng)?\s", re.IGNORECASE)
EARLIER, SAME_PARAGRAPH, LEAD, BETWEEN, BEHIND = 0.5, 0.6, 0.85, 0.2, 0.9
"""How much a word of the question counts that stands further off than right before the value."""
LATER = 0.7
"""How much a marker counts for what is not the first value behind it."""
INLINE = re.compile(
    r"\s?(?:…|\.{2,3}|[—–,;.-])?\s?(?:à\s|ồ\s|oh\s|no,?\s)?(?:sorry|i\smean|rather|correction|xin\slỗi|nhầm|à\snhầm|ý\s(?:tôi|mình|em)\slà|đúng\shơn\slà|phải\slà|make\sthat"
    r"|or\srather|nói\sđúng\shơn\slà)\s?[,:—–-]?\s?(?:\w+\s){0,3}[$€£]?",
    re.IGNORECASE,
)
"""Between a value and the one that takes its place."""
NEAR = 4
"""How many words before a value may give it a role such as that of a change."""
SOURCES = folded_set("theo to per by nguồn source via on according báo trang")


class Finder:
    """Weighs the candidates of one answer against one question."""

    def __init__(self, page: Page, asked: Question, locale: Locale, now: date | None, *, dated: bool = True) -> None:
        self.page, self.asked, self.locale, self.now = page, asked, locale, now
        self.dated = dated
        """Whether dates say when a value holds, and are no values themselves."""
        self.words = Words(page, asked, locale, now)

    def weigh(self, candidates: Sequence[Candidate[Found]]) -> list[Weighed[Found]]:
        """The candidates with their evidence, the best first; of the same value the best stands for all."""
        contexts = self.words.contexts([(one.start, one.end) for one in candidates])
        shared = self._shared_words(contexts)
        rows = self._cells(contexts)
        ranks = self._ranks(candidates)
        weighed = []
        for index, one in enumerate(candidates):
            context = contexts[index]
            holds: dict[str, float] = {**one.own, "shared words": shared[index], "first": ranks[index], **rows[index]}
            holds |= self._place(one, context, candidates)
            if index and ranks[index] == ranks[index - 1] and "opens the answer" in weighed[-1].evidence:
                holds["opens the answer"] = 1.0  # `7 or 8`
            holds |= self._role(one, context)
            holds |= self._about(one, context)
            if self.page.cells and not context.cell:
                holds["said beside a table"] = shared[index]
            if self._is_corrected(one, context) or self._is_taken_back(candidates, index):
                holds["corrected later"] = 1.0
            if index and self._is_taken_back(candidates, index - 1):
                holds["correction"] = 1.0
            weighed.append(
                Weighed(one, {name: WEIGHTS[name] * share for name, share in holds.items() if share})
            )
        return sorted(weighed, key=lambda one: -one.weight)

    # words shared with the question

    def _shared_words(self, contexts: Sequence[Context]) -> list[float]:
        """How much of what the question says stands beside each candidate, as against the other candidates."""
        totals = [0.0] * len(contexts)
        keys = (*self.asked.measures, *self.asked.pairs)
        if len(contexts) < 2 or not keys:
            return totals
        covers = [self._cover(context) for context in contexts]
        all_weight = 0.0
        for key in keys:
            got = [cover.get(key, 0.0) for cover in covers]
            if not any(got):
                continue
            weight = math.log((len(got) + 0.5) / math.fsum(got))
            if weight <= 0:
                continue
            all_weight += weight
            for index, value in enumerate(got):
                totals[index] += weight * value
        if not all_weight:
            return totals
        return [total / max(all_weight, 2.5) for total in totals]

    def _cover(self, context: Context) -> dict[object, float]:
        """Which words of the question stand near a candidate, and how near."""
        cover: dict[object, float] = {}
        stems = self.words.stems
        for first, last, share in (
            (0, context.paragraph, EARLIER),
            (context.paragraph, context.paragraph_end, SAME_PARAGRAPH),
            (context.lead, context.lead_end, LEAD),
            (context.lead_end, context.before, BETWEEN),
            (context.behind, context.after, BEHIND),
            (context.before, context.at, 1.0),
        ):
            if context.cell and share in (LEAD, BETWEEN, BEHIND, 1.0):
                continue
            before = ""
            for index in range(first, last):
                word = stems[index]
                for meant in self.asked.acronyms.get(word, ()):
                    if cover.get(meant, 0.0) < share:
                        cover[meant] = share
                if word:
                    if cover.get(word, 0.0) < share:
                        cover[word] = share
                    if before and cover.get((before, word), 0.0) < share:
                        cover[before, word] = share
                before = word
        labels = [(context.heading, 0.5), (context.label, 1.0)]
        if context.cell:
            labels = [(context.heading, 0.5)]
        for text, share in labels:
            if text:
                for word in read_label(text).stems:
                    if cover.get(word, 0.0) < share:
                        cover[word] = share
        return cover

    # tables

    def _cells(self, contexts: Sequence[Context]) -> list[dict[str, float]]:
        """How well the row and the column of a candidate fit the question, as against the others of its table."""
        fits: list[tuple[float, float] | None] = []
        for context in contexts:
            cell = context.cell
            fits.append(None if cell is None else (self._fit(cell.row), self._fit(cell.column)))
        best_row = max((fit[0] for fit in fits if fit), default=0.0)
        best_column = max((fit[1] for fit in fits if fit), default=0.0)
        found: list[dict[str, float]] = []
        for fit in fits:
            holds: dict[str, float] = {}
            if fit:
                if best_row > 0:
                    holds["row"] = max(fit[0], 0.0) / best_row if fit[0] > 0 else 0.0
                if best_column > 0:
                    holds["column"] = max(fit[1], 0.0) / best_column if fit[1] > 0 else 0.0
            found.append(holds)
        return found

    def _fit(self, text: str) -> float:
        """How much of a label the question says: its words, figures and periods."""
        label = read_label(_spelled_out(BRACKETS.sub(" ", text) or text))
        words = set(self.asked.words)
        meant = {word for letters in label.stems for word in self.asked.acronyms.get(letters, ())}
        said = len((label.stems | meant) & words) + len(label.figures & self.asked.figures)
        said += len(label.folded & self.asked.entities)
        fit = said / max(1.0, (len(label.stems) + len(label.figures)) ** 0.5)
        if label.families & self.asked.families:
            fit += 1.0
        if self._excluded(label.families):
            fit -= 1.0
        period = self._label_period(text)
        if period is not None:
            fit += 1.5 if period else -1.5
        if "old" in label.roles and "old" not in self.asked.roles:
            fit -= 0.7
        if "total" in label.roles:
            fit += 1.0 if "total" in self.asked.roles else -0.5
        return fit

    def _label_period(self, text: str) -> bool | None:
        """Whether the date of a label is the asked one; None where it has none, or none is asked for."""
        if not self.asked.dates or not self.dated:
            return None
        found = find_dates(_spelled_out(text), self.locale, self.now)
        if not found:
            return None
        holds = self._compared(found[0])
        return None if not holds else "asked period" in holds and holds["asked period"] > 0.6

    # where it stands

    def _ranks(self, candidates: Sequence[Candidate[Found]]) -> list[float]:
        """1 for what is stated first, and less for what follows."""
        ranks: list[float] = []
        rank = 0
        text = self.page.text
        for index, one in enumerate(candidates):
            if index and ALTERNATIVE.fullmatch(text, candidates[index - 1].end, one.start):
                ranks.append(ranks[-1])
                continue
            ranks.append(1.0 / (1 + 0.7 * rank))
            counts = not one.own.get("other unit") and not one.own.get("seldom an answer")
            if counts and not OPERATOR_BEHIND.match(text, one.end):
                rank += 1
        return ranks

    def _place(
        self, one: Candidate[Found], context: Context, candidates: Sequence[Candidate[Found]]
    ) -> dict[str, float]:
        page, words = self.page, self.words
        holds: dict[str, float] = {}
        marker = page.marker
        if marker is not None and one.start >= marker.end():
            begin = next(
                (
                    other.start
                    for other in candidates
                    if other.start >= marker.end() and not other.own.get("seldom an answer")
                ),
                marker.end(),
            )
            line_end = page.text.find("\n", begin)
            if line_end < 0 or one.start <= line_end:
                holds["marked" if marker["soft"] is None else "concluded"] = 1.0 if one.start <= begin else LATER
        if "marked" not in holds and any(
            cue.role == "conclusion" and words.opening[cue.first] for cue in words.roles(context.lead, context.at)
        ):
            holds["concluded"] = 1.0
        emphasis = page.emphasis_at(one.start, one.end)
        if emphasis:
            inside = {
                other.key
                for other in candidates
                if emphasis[0] <= other.start and other.end <= emphasis[1] and not other.own.get("other unit")
            }
            holds["emphasised"] = 1.0 / len(inside) if inside else 1.0
        opens = not context.cell and not one.own.get("given in the question")
        if opens and all(word in OPENERS for word in words.folded[: context.at]):
            holds["opens the answer"] = 1.0
        return holds

    # the role that the words beside it give it

    def _role(self, one: Candidate[Found], context: Context) -> dict[str, float]:
        around, text, words = self.page.around, self.page.text, self.words
        asked = self.asked.roles
        holds: dict[str, float] = {}
        for name, is_so in (
            ("aside", around.is_aside(one.start)),
            ("question", around.is_question(one.end)),
            ("offer", around.is_offer(one.start, one.end)),
            ("tentative", around.is_tentative(one.start)),
        ):
            if is_so:
                holds[name] = 1.0
        near = words.roles(max(context.before, context.at - NEAR), context.at)
        own = words.roles(context.before, context.at)
        said = words.roles(max(context.lead, self._last_contrast(context)), context.at)
        behind = words.roles(context.behind, min(context.after, context.behind + NEAR + 2))
        label = read_label(f"{context.cell.row} | {context.cell.column}").roles if context.cell else frozenset()
        if not self.dated:
            return holds | self._dated_role(context, said, (*own, *behind))
        if "change" in asked:
            moved = words.roles(context.lead, context.at)
            change = any(cue.role == "change" for cue in moved) and not any(cue.role == "level" for cue in near[-1:])
        else:
            change = self._is_last(near, "change") or ("aside" in holds and text[one.start] in "-−–")
            change = change or any(cue.role == "difference" for cue in own)
        change = change or around.is_difference(one.end) or text[one.start] in "+±"
        if change or (context.cell and "change column" in label):
            holds["asked change" if "change" in asked else "change"] = 1.0
        if around.is_baseline(one.start) or self._is_last(near, "baseline"):
            holds["baseline"] = 1.0
        if self.asked.counted and self.asked.counted & {*words.stems[context.at : min(context.behind + 2, len(words.stems))]}:
            holds["counts what is asked"] = 1.0
        for role in ("forecast", "example", "hearsay", "superseded", "part", "limit", "mean", "total"):
            scope = (*said, *behind) if role in ("forecast", "example", "hearsay") else (*own, *behind)
            if role in label or any(cue.role == role for cue in scope):
                if role == "total" and "total" in asked:
                    holds["asked total"] = 1.0
                elif role not in asked:
                    holds[role] = 1.0
        if "example" in holds and "," in words.folded[context.lead : context.at]:
            holds["example"] = 0.6
        if self._is_correction(context):
            holds["correction"] = 1.0
        for role in ("current", "exactly", "result"):
            if any(cue.role == role for cue in own) and role not in asked:
                holds[role] = 1.0
        before = text[max(0, one.start - 5) : one.start]
        if OPERATOR_BEHIND.match(text, one.end) or (OPERATOR.search(before) and not EQUALS.search(before)):
            holds["operand"] = 1.0
        elif EQUALS.search(before):
            holds["calculated"] = 1.0
        elif any(cue.role == "arithmetic" for cue in words.roles(context.lead, context.at)):
            near_verb = any(cue.role == "arithmetic" for cue in words.roles(context.at - 2, context.at))
            holds["operand" if near_verb else "calculated"] = 1.0
        return holds

    def _dated_role(self, context: Context, said: Sequence[Cue], own: Sequence[Cue]) -> dict[str, float]:
        """The same of a date, which has no changes and parts."""
        holds: dict[str, float] = {}
        for role in ("example", "hearsay", "superseded"):
            scope = own if role == "superseded" else (*said, *own)
            if any(cue.role == role for cue in scope) and role not in self.asked.roles:
                holds[role] = 1.0
        if any(cue.role == "forecast" for cue in said):
            holds["forecast"] = 0.3
        if self._is_correction(context):
            holds["correction"] = 1.0
        return holds

    def _is_correction(self, context: Context) -> bool:
        """Whether it is put in the place of something else: `Wait, it's 6`; `actually` alone does not do that."""
        said = self.words.roles(context.lead, context.at)
        if any(cue.role == "correction" for cue in said):
            return True
        soft = next((cue for cue in said if cue.role == "soft correction"), None)
        return soft is not None and any(cue.role == "level" and cue.first >= soft.last for cue in said)

    def _last_contrast(self, context: Context) -> int:
        for index in range(context.at - 1, context.lead - 1, -1):
            if self.words.folded[index] in CONTRASTS:
                return index
        return context.lead

    def _is_last(self, near: Sequence[Cue], role: str) -> bool:
        """Whether a role is given just before, and no level is stated behind it: `tăng 5`, not `tăng lên 5`."""
        last = next((cue for cue in reversed(near) if cue.role == role), None)
        return last is not None and not any(cue.role == "level" and cue.last >= last.last for cue in near)

    def _is_corrected(self, one: Candidate[Found], context: Context) -> bool:
        """Whether a later sentence takes back what this one says."""
        for cue in self.words.cues:
            if cue.role == "correction" and cue.first > context.behind:
                place = self.words.tokens[cue.first].start
                begin = self.page.sentences[self.page.sentence_at(place)][0]
                if cue.first - self.words.index(begin) <= 4 and begin > one.start:
                    return True
        return False

    def _is_taken_back(self, candidates: Sequence[Candidate[Found]], index: int) -> bool:
        """Whether the next value is put in its place: `47, sorry, 48`."""
        if index + 1 >= len(candidates):
            return False
        return INLINE.fullmatch(self.page.text, candidates[index].end, candidates[index + 1].start) is not None

    # whom, when and what it is said of

    def _about(self, one: Candidate[Found], context: Context) -> dict[str, float]:
        holds: dict[str, float] = {}
        if self.asked.tags and not context.cell:
            holds |= self._tag(context)
        if self.asked.entities and not context.cell:
            holds |= self._name(context)
        if self.dated:
            holds |= self._period(one, context)
        if self.asked.families and not context.cell:
            holds |= self._measure(context)
        return holds

    def _name(self, context: Context) -> dict[str, float]:
        asked, words = self.asked.entities, self.words
        if not any(word in asked for word in words.folded):
            return {}
        for first, last, own in (
            (context.before, context.at, True),
            (context.behind, context.after, True),
            (context.lead, context.lead_end, False),
        ):
            inside = [name for name in words.names if first <= name[0] and name[1] <= last]
            if any(words.folded[index] in asked for begin, end in inside for index in range(begin, end)):
                return {"asked name": 1.0}
            others = [
                begin
                for begin, _ in inside
                if not (begin and words.folded[begin - 1] in SOURCES)
            ]
            if others and own:
                return {"other name": 1.0}
        return {}

    def _tag(self, context: Context) -> dict[str, float]:
        """Whether it is said of the one that the question numbers: `oven A`, `chuyền 4`."""
        tokens = self.words.tokens
        tagged = {word for word, _ in self.asked.tags}
        said = [pair for pair in tags_of(tokens[context.lead : context.after]) if pair[0] in tagged]
        if not said:
            return {}
        return {"asked tag": 1.0} if said[-1] in self.asked.tags else {"other tag": 1.0}

    def _period(self, one: Candidate[Found], context: Context) -> dict[str, float]:
        if context.cell:
            return {}
        near = self._date_near(one, context)
        earlier = "earlier" in self.asked.roles
        if near is None:
            said = any(cue.role == "earlier" for cue in self.words.roles(context.before, context.at))
            return {"other period": 1.0} if said and not earlier else {}
        if self.page.text[near.start : near.end].lower() in self.asked.relative:
            return {"asked period": 1.0}
        if not self.asked.dates:
            if near.relative and near.readings and self.now and not earlier:
                period = near.readings[0]
                if period.high < self.now or period.low > self.now:
                    return {"other period": 0.7}
            return {}
        return self._compared(near)

    def _compared(self, near: DateFound) -> dict[str, float]:
        """Whether a date is the asked one; a quarter is not the year that is asked, a day in it may date the figure."""
        if not near.readings or not self.asked.periods or not self._has_year(near):
            return self._compared_months(near)
        said = near.readings[0]
        periods = self.asked.periods
        if any(said.low == asked.low and said.high == asked.high for asked in periods):
            return {"asked period": 1.0}
        if not any(said.low <= asked.high and asked.low <= said.high for asked in periods):
            return {"other period": 1.0}
        if any(said.low <= asked.low and asked.high <= said.high for asked in periods):
            return {}
        return {"other period": 0.4} if said.precision in ("month", "quarter", "half") else {"asked period": 0.5}

    def _has_year(self, near: DateFound) -> bool:
        """Whether it states its year, and was not given this one."""
        return near.relative or near.year_stated

    def _compared_months(self, near: DateFound) -> dict[str, float]:
        """The same where one of them is without its year: `quý II`."""
        said = _months(near)
        asked = [_months(one) for one in self.asked.dates]
        if said is None or not any(asked):
            return {}
        return {"asked period": 1.0} if said in asked else {"other period": 0.7}

    def _date_near(self, one: Candidate[Found], context: Context) -> DateFound | None:
        words = self.words
        if not words.dates:
            return None
        place = words.tokens[context.before].start if context.before < len(words.tokens) else 0
        inside = [found for found in words.dates if place <= found.start and found.end <= one.start]
        if inside:
            return inside[-1]
        end = words.tokens[context.after - 1].end if context.after > context.behind else one.end
        inside = [found for found in words.dates if one.end <= found.start and found.end <= end + 1]
        if inside:
            return inside[0]
        begin = words.tokens[context.lead].start if context.lead < len(words.tokens) else 0
        inside = [found for found in words.dates if begin <= found.start and found.end <= one.start]
        return inside[-1] if inside else None

    def _measure(self, context: Context) -> dict[str, float]:
        members = {
            cue.role
            for cue in self.words.families
            if context.before <= cue.first < context.after and (cue.last <= context.after)
        }
        if context.label:
            members |= read_label(context.label).families
        holds: dict[str, float] = {}
        if members & self.asked.families:
            holds["asked measure"] = 1.0
        if self._excluded(members):
            holds["other measure"] = 1.0
        return holds

    def _excluded(self, members: frozenset[str] | set[str]) -> bool:
        """Whether something is named that excludes what is asked, such as buying where selling is."""
        asked = {member.partition(".")[0] for member in self.asked.families}
        said = {member.partition(".")[0] for member in members if member in self.asked.families}
        return any(member.partition(".")[0] in asked - said for member in members)


def _months(one: DateFound) -> tuple[int, int] | None:
    """The first and the last month of a date, and whether it has them."""
    if one.month is not None:
        return one.month, one.last_month or one.month
    if one.readings and one.readings[0].low.year == one.readings[0].high.year:
        return one.readings[0].low.month, one.readings[0].high.month
    return None


MONTH_HEAD = re.compile(r"\bT(1[0-2]|[1-9])\s?[/-]\s?((?:19|20)[0-9]{2})\b")


BRACKETS = re.compile(r"\([^()]*\)")
WEEKDAY_HEAD = re.compile(r"\b(?:T([2-7])|(CN))\b(?!\s?/\s?(?:19|20))")
WEEKDAYS = {"2": "thứ hai", "3": "thứ ba", "4": "thứ tư", "5": "thứ năm", "6": "thứ sáu", "7": "thứ bảy"}


def _spelled_out(text: str) -> str:
    """A label whose month or weekday is written as tables do: `T11/2025`, `T7`."""
    text = MONTH_HEAD.sub(r"tháng \1/\2", text)
    return WEEKDAY_HEAD.sub(lambda match: WEEKDAYS[match[1]] if match[1] else "chủ nhật", text)
