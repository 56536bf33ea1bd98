"""How much of what the question says stands beside a value: in its sentence, its row, its column."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from toolgauge.locale import find_dates

from ..page import Cell
from ..question import Question, codes_of, stem
from ..yes_no.weekdays import weekdays_in
from .context import AnswerWords, Context, Label, read_label
from .cues import folded_set
from .subject import Topic

__all__ = ["Nearness"]

EARLIER, SAME_PARAGRAPH, LEAD, BETWEEN, BEHIND, BEFORE = 0.5, 0.6, 0.85, 0.2, 0.9, 1.0
"""How much a word counts by where it stands: anywhere before, in the paragraph, before all values of the sentence,
between other values, right behind the value, right before it."""
HEADING = 0.5
ELIDED = 0.8
MOST_ELIDED = 5
COORDINATING = folded_set("and và còn while")
SAID = folded_set("is was are were has had là có đạt được sold made for so vậy in total")
"""What says something of its own of a value."""
CLOSE = 6
"""How many words stand right before a value."""
SECOND_OF_LINE = 0.7
"""How much a label counts for what is not the first value behind it."""
INCOMPLETE = 0.7
"""How much a label counts of which the question says only a part."""
FEWEST_SYLLABLES = 2
FAMILY = 0.5
"""How much it counts that a label names what is asked of it, such as selling."""
OTHER_CELL = 0.7
"""How much it counts that another cell of the row is named."""
WHOLE_WEEK = 7
NO_SECTION = 0.5
"""How much of what the best heading gives a value gets that stands under none: that says nothing against it."""
FULL_FIT = 1.3
"""How well a row or column has to fit to count fully."""
FEW_WORDS = 2.5
"""Words that are found beside no value but one weigh more; together they have to weigh as much as this to count"
" fully."""
Key = str | tuple[str, str]


class Nearness:
    """Compares the words beside values with those of one question."""

    def __init__(self, words: AnswerWords, asked: Question, subject: Topic, *, dated: bool) -> None:
        self.words, self.asked, self.subject, self.dated = words, asked, subject, dated
        self.keys: tuple[Key, ...] = (*asked.measures, *sorted(asked.pairs))
        self._wanted = frozenset(self.keys)
        self._first: dict[Key, int] | None = None
        self._fits: dict[str, float] = {}
        self._vietnamese = not asked.text.isascii()
        self._weekdays = weekdays_in(asked.text)
        self._beside: dict[tuple[int, int], float] = {}

    def shared(self, contexts: Sequence[Context]) -> list[float]:
        """For each value, from 0 to 1, how much of the question stands beside it, as against the others."""
        totals = [0.0] * len(contexts)
        if len(contexts) < 2 or not self.keys:
            return totals
        covers = [self._cover(context) for context in contexts]
        all_weight = 0.0
        for key in self.keys:
            got = [cover.get(key, 0.0) for cover in covers]
            most = math.fsum(got)
            weight = math.log((len(got) + 0.5) / most) if most else 0.0
            if weight > 0:
                all_weight += weight
                for index, value in enumerate(got):
                    totals[index] += weight * value
        return [total / max(all_weight, FEW_WORDS) for total in totals]

    def _cover(self, context: Context) -> dict[Key, float]:
        """Which words of the question stand near a value, and how near."""
        cover: dict[Key, float] = {}
        for key, place in self._first_places().items():
            if place < context.paragraph:
                cover[key] = EARLIER
        scopes = [(context.paragraph, context.paragraph_end, SAME_PARAGRAPH)]
        if not context.cell:
            scopes += [
                (context.lead, context.lead_end, LEAD),
                (context.lead_end, context.before, ELIDED if self.is_elided(context) else BETWEEN),
                (context.behind, context.after, BEHIND),
                (context.before, context.at, LEAD),
                (max(context.before, context.at - CLOSE), context.behind, BEFORE),
            ]
        for first, last, share in scopes:
            self._count(cover, self.words.stems[first:last], share)
        self._count(cover, self._words_of(context.heading), HEADING)
        if not context.cell:
            self._count(cover, self._words_of(context.label), BEFORE)
        return cover

    def is_elided(self, context: Context) -> bool:
        """Whether it leaves out what was said of the value before: `hardbacks sold 84,000 and paperbacks 131,000`."""
        words = self.words.folded[context.before : context.at]
        if not self.dated or context.cell or not 1 < len(words) <= MOST_ELIDED:
            return False
        return words[0] in COORDINATING and SAID.isdisjoint(words)

    def _words_of(self, label: str) -> tuple[str, ...]:
        """The stems of a label in their order, as the question has them."""
        return tuple(map(self.asked.as_asked, read_label(label).order)) if label else ()

    def _stems(self, text: str) -> frozenset[str]:
        """The stems of a label, as the question has them."""
        return frozenset(map(self.asked.as_asked, read_label(text).stems))

    def _count(self, cover: dict[Key, float], stems: Sequence[str], share: float) -> None:
        before = ""
        for word in stems:
            for meant in self.asked.acronyms.get(word, ()):
                cover[meant] = max(cover.get(meant, 0.0), share)
            for key in (word, (before, word)):
                if key in self._wanted and cover.get(key, 0.0) < share:
                    cover[key] = share
            before = word

    def _first_places(self) -> dict[Key, int]:
        """Where each word of the question is first said."""
        if self._first is None:
            self._first = {}
            before = ""
            for place, word in enumerate(self.words.stems):
                for key in (word, (before, word)):
                    if key in self._wanted:
                        self._first.setdefault(key, place)
                before = word
        return self._first

    # tables

    def cells(self, contexts: Sequence[Context]) -> list[dict[str, float]]:
        """How well the row and the column of a value fit the question, as against the others of its table."""
        found: list[dict[str, float]] = []
        rows = [self._row_fit(context) for context in contexts]
        for index, context in enumerate(contexts[1:], 1):
            before = contexts[index - 1]
            same_line = context.lead == before.lead and context.label == before.label
            if context.label and not context.cell and same_line and not self._is_asked_itself(context):
                rows[index] *= SECOND_OF_LINE
        columns = [self._fit(context.cell.column) if context.cell else 0.0 for context in contexts]
        best_row, best_column = max(rows, default=0.0), max(columns, default=0.0)
        sections = self._section_fits(contexts)
        for row, column, section in zip(rows, columns, sections, strict=True):
            holds: dict[str, float] = {"section": section}
            if row > 0:
                holds["row"] = (row / best_row) ** 2 * min(1.0, best_row / FULL_FIT)
            if column > 0:
                holds["column"] = (column / best_column) ** 2 * min(1.0, best_column / FULL_FIT)
            found.append(holds)
        return found

    def _is_asked_itself(self, context: Context) -> bool:
        """Whether a word of the question stands right before it: `Order 7731: items £64, shipping £5.95`."""
        return not self._wanted.isdisjoint(self.words.stems[max(context.before, context.at - CLOSE) : context.at])

    def _section_fits(self, contexts: Sequence[Context]) -> list[float]:
        """How well the headings and parent bullets over a value fit, where values stand under several."""
        if len({context.section for context in contexts}) < 2:
            return [0.0] * len(contexts)
        fits = [max(0.0, self._fit(context.section)) if context.section else 0.0 for context in contexts]
        best = max(fits)
        most = min(1.0, best / FULL_FIT)
        return [
            (fit / best) ** 2 * most if fit else 0.0 if context.section else NO_SECTION * most
            for fit, context in zip(fits, contexts, strict=True)
        ]

    def _row_fit(self, context: Context) -> float:
        """How well the label of a value fits: the first cell of its row, or what its line says before it."""
        cell = context.cell
        if cell is None:
            return self._fit(context.label) if context.label else 0.0
        if cell.place == 0:
            return 0.0 if self.dated else self._other_cells_fit(cell) / OTHER_CELL  # `| 8 May | Estimated delivery |`
        return self._fit(cell.row) + self._tag_fit(cell) + self._other_cells_fit(cell)

    def _other_cells_fit(self, cell: Cell) -> float:
        """Whether the question says what stands in other cells of the row: `Nonstop`, `Double room`."""
        row = (cell.table, cell.line)
        if row not in self._beside:
            said = [text for _, text in self.words.page.other_cells(cell) if not any(map(str.isdigit, text))]
            self._beside[row] = max([0.0, *(OTHER_CELL * self._fit(text) for text in said if text)])
        return self._beside[row]

    def _tag_fit(self, cell: Cell) -> float:
        """Whether another column of the row has the number that the question names: `2-bedroom`."""
        fit = 0.0
        for column, text in self.words.page.other_cells(cell):
            for word in read_label(column).stems:
                numbers = {number for tagged, number in self.asked.tags if stem(tagged) == word}
                if numbers:
                    fit += 1.5 if text in numbers else -1.5
        return fit

    def _fit(self, text: str) -> float:
        """How much of a label the question says: its words, figures and times."""
        if text not in self._fits:
            self._fits[text] = self._read_fit(text)
        return self._fits[text]

    def _read_fit(self, text: str) -> float:
        asked = self.asked
        label = read_label(spelled_out(BRACKETS.sub(" ", text)))
        stems = self._stems(spelled_out(BRACKETS.sub(" ", text)))
        meant = {word for letters in stems for word in asked.acronyms.get(letters, ())}
        stems -= self._stray(label)
        said = len((stems | meant).intersection(asked.words)) + len(label.figures & asked.figures)
        said += len((label.folded - self._stray(label)) & asked.entities)
        fit = said / max(1.0, math.sqrt(len(label.stems) + len(label.figures)))
        fit += bool(label.stems) and label.folded <= asked.entities
        if said and not stems <= {*asked.words, *asked.acronyms}:
            fit *= INCOMPLETE
        fit += FAMILY * bool(label.families & asked.families) - self.subject.excludes(label.families)
        fit += self._period_fit(text) + self._code_fit(text) + self._weekday_fit(text)
        if "old" in label.roles and "old" not in asked.roles:
            fit -= 0.7
        if "total" in label.roles:
            fit += 1.0 if "total" in asked.roles else -0.5
        return fit

    def _stray(self, label: Label) -> frozenset[str]:
        """A syllable that a label only happens to share with a name of several: `Phát hành` where it is Gỗ An Phát."""
        shared = self.asked.entities & label.folded
        several = len(label.folded) >= FEWEST_SYLLABLES and len(self.asked.entities) >= FEWEST_SYLLABLES
        return shared if several and self._vietnamese and len(shared) == 1 else frozenset()

    def _weekday_fit(self, text: str) -> float:
        """Whether a label names the asked days of the week, or others."""
        asked = self._weekdays
        named = weekdays_in(text) if asked else frozenset()
        return (
            0.0
            if not named or len(named) == WHOLE_WEEK
            else 1.2
            if asked <= named or named <= asked
            else -1.0 * (not asked & named)
        )

    def _code_fit(self, text: str) -> float:
        """Whether a label has the identifier of the question, or another one."""
        codes = codes_of(text) if self.asked.codes else frozenset()
        return 0.0 if not codes else 1.5 if codes & self.asked.codes else -1.0

    def _period_fit(self, text: str) -> float:
        """Whether the date of a label is the asked one; 0 where it has none, or none is asked for."""
        if not self.asked.dates or not self.dated or not DATE_HINT.search(text):
            return 0.0
        found = find_dates(spelled_out(text), self.words.locale, self.words.now)
        holds = self.subject.compare(found[0]) if found else {}
        if not holds:
            return 0.0
        return 1.5 if holds.get("asked period", 0.0) > 0.6 else -1.5


DATE_HINT = re.compile(
    r"[0-9]|hôm|tuần|tháng|quý|năm|ngày|mai\b|nay\b|thứ|chủ\snhật|CN|day|week|month|year|quarter|half|nửa|today|tomorrow"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
    re.IGNORECASE,
)
"""What a text without a date does not have; looking for dates takes long."""
BRACKETS = re.compile(r"\([^()]*\)")
MONTH_HEAD = re.compile(r"\bT(1[0-2]|[1-9])\s?[/-]\s?((?:19|20)[0-9]{2})\b")
WEEKDAY_HEAD = re.compile(r"\b(?:T([2-7])|(CN))\b(?!\s?/\s?(?:19|20))")
WEEKDAYS = {"2": "thứ hai", "3": "thứ ba", "4": "thứ tư", "5": "thứ năm", "6": "thứ sáu", "7": "thứ bảy"}


def spelled_out(text: str) -> str:
    """A label whose month or weekday is written as tables do: `T11/2025`, `T7`."""
    text = MONTH_HEAD.sub(r"tháng \1/\2", text)
    return WEEKDAY_HEAD.sub(lambda match: WEEKDAYS[match[1]] if match[1] else "chủ nhật", text)
