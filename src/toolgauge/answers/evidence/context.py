"""What stands beside a value: the words of its clause, its sentence, its row and column, its heading."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

from toolgauge.locale import DateFound, Locale, Token, find_dates, fold_word, tokenise

from ..page import Cell, Page, Span
from ..question import Question, entities_of, stem
from .cues import Cue, find_cues, find_families, folded_set
from .sections import read_sections

__all__ = ["AnswerWords", "Context", "Label", "read_label"]

BREAKS = folded_set(", ; . ! ? : ( ) | — – → và and or hoặc hay but nhưng while còn whereas versus vs which rồi")
"""Behind a value, where the words end that belong to it."""

ADVERBIAL = folded_set(
    "in on by from since until till at during late early mid then around about circa finally later the later eventually"
    " đến vào năm ngày tháng từ cuối đầu giữa khoảng hồi sang tới rồi sau đó cho trong ( -"
)
"""What stands between the beginning of a clause and the date that opens it."""
OPENERS_BEFORE = folded_set(", ; . ! ? : | — – and và but nhưng rồi then")
VERBS = folded_set("brings bring brought makes make made gives give leaves leave comes totals takes took")
PREPOSITIONS = folded_set("in on at of for from to by with per a an is was are were has had")
NAMED_BEFORE_BRACKET = 2
LONGEST_NOUN = 4
"""How many words the thing has at most that an amount is of: `£4.50 booking fee`."""
ABOUT = re.compile(r"(?:c|ca|circa|khoảng|about|around)\b\.?|~", re.IGNORECASE)
LONGEST_ABOUT = 6
CLAUSES = folded_set("before until then rồi")
"""Behind a date, where another event begins: `listed in 2007 before being bought out`."""
SAYS = folded_set("has had is was were reported recorded posted scored won sold")
NO_SUBJECTS = folded_set("this that there these those they she what which here who it he total overall answer the its")
LONGEST_SENTENCE, LONGEST_PARAGRAPH, MOST_LINES = 150, 400, 60
"""How many words and lines are looked at, so that an endless sentence costs no more than a long one."""


@dataclass(frozen=True)
class Context:
    """The words that belong to a value, as indexes of tokens."""

    lead: int
    """Where its sentence begins."""
    lead_end: int
    """Where the first value of the sentence stands: what is said before it holds for all of them."""
    before: int
    """Where its own words begin: behind the value before it, or where the sentence begins."""
    at: int
    behind: int
    after: int
    """Where its own words behind it end."""
    paragraph: int
    """Where its paragraph begins."""
    paragraph_end: int
    """Where the sentences of its paragraph end that lead up to it; other items of the same list do not."""
    cell: Cell | None
    heading: str
    label: str
    """What its line says of it, in a list of labels and values."""
    section: str
    """The headings and parent bullets that it stands under."""


@dataclass(frozen=True)
class Label:
    """A short text beside a value, such as the heading of a column."""

    stems: frozenset[str]
    figures: frozenset[str]
    families: frozenset[str]
    folded: frozenset[str]
    roles: frozenset[str]
    order: tuple[str, ...]
    """The stems as they follow each other; empty for signs and figures."""


@lru_cache(maxsize=512)
def read_label(text: str) -> Label:
    """The words of a label."""
    tokens = tokenise(text)
    folded = [fold_word(token.low) for token in tokens]
    return Label(
        frozenset(stem(token.low) for token in tokens if token.kind == "word"),
        frozenset(token.text for token in tokens if token.kind == "figure"),
        frozenset(cue.role for cue in find_families(folded)),
        frozenset(folded),
        frozenset(cue.role for cue in find_cues(folded)),
        tuple(stem(token.low) if token.kind == "word" else "" for token in tokens),
    )


class AnswerWords:
    """The words of an answer, and what is known of them."""

    def __init__(
        self, page: Page, asked: Question, locale: Locale, now: date | None, *, adverbial: bool = False
    ) -> None:
        self.page, self.asked, self.locale, self.now = page, asked, locale, now
        self.adverbial = adverbial
        """Whether values are dates, which may open the clause that they belong to: `In 2019, she left`."""
        self.tokens: list[Token] = tokenise(page.text)
        self.starts = [token.start for token in self.tokens]
        self.folded = [fold_word(token.low) for token in self.tokens]
        self.cues = find_cues(self.folded)
        self._cue_places = [cue.first for cue in self.cues]

    @cached_property
    def stems(self) -> list[str]:
        """The stems of the words; empty for signs and figures."""
        asked = self.asked
        return [asked.as_asked(stem(token.low)) if token.kind == "word" else "" for token in self.tokens]

    @cached_property
    def sections(self) -> list[str]:
        """For each line the headings and parent bullets that it stands under."""
        return read_sections(self.page)

    @cached_property
    def families(self) -> list[Cue]:
        """The words that exclude others, such as buying and selling."""
        return find_families(self.folded)

    @cached_property
    def dates(self) -> list[DateFound]:
        """The dates of the answer."""
        return find_dates(self.page.text, self.locale, self.now)

    @cached_property
    def opening(self) -> list[bool]:
        """Whether each token begins a sentence, a line or a cell."""
        signs = (".", "!", "?", ":", "|", "•", "-", "–", "—", "#")
        return [
            index == 0 or token.line or self.tokens[index - 1].low in signs for index, token in enumerate(self.tokens)
        ]

    @cached_property
    def names(self) -> list[tuple[int, int]]:
        """Where names stand, and words of the names in the question."""
        found = set(entities_of(self.tokens, self.opening))
        found |= {
            (index, index + 1)
            for index, word in enumerate(self.folded)
            if word in self.asked.entities and self.tokens[index].text[0].isupper()
        }
        found |= {(index, index + 1) for index in range(len(self.tokens) - 1) if self._is_subject(index)}
        return sorted(found)

    def _is_subject(self, index: int) -> bool:
        """Whether the first word of a sentence is what it speaks of: `Saturn has 146`."""
        token = self.tokens[index]
        if not self.opening[index] or not token.text[0].isupper() or self.folded[index + 1] not in SAYS:
            return False
        return len(token.text) > 2 and token.low not in NO_SUBJECTS

    def index(self, place: int) -> int:
        """The token at or behind a place of the text."""
        return bisect_left(self.starts, place)

    def roles(self, first: int, last: int) -> list[Cue]:
        """The cues that begin between two tokens."""
        low, high = bisect_left(self._cue_places, first), bisect_left(self._cue_places, last)
        return self.cues[low:high]

    def families_in(self, first: int, last: int) -> list[Cue]:
        """The words that exclude others, between two tokens."""
        low, high = bisect_left(self._family_places, first), bisect_left(self._family_places, last)
        return [cue for cue in self.families[low:high] if cue.last <= last]

    @cached_property
    def _family_places(self) -> list[int]:
        return [cue.first for cue in self.families]

    def dates_in(self, start: int, end: int) -> list[DateFound]:
        """The dates that stand between two places of the text."""
        low, high = bisect_left(self._date_places, start), bisect_left(self._date_places, end)
        return [found for found in self.dates[low:high] if found.end <= end]

    @cached_property
    def _date_places(self) -> list[int]:
        return [found.start for found in self.dates]

    def place(self, index: int) -> int:
        """Where a token begins."""
        return self.starts[index] if index < len(self.starts) else len(self.page.text)

    def contexts(self, spans: Sequence[Span], bounds: Sequence[Span]) -> list[Context]:
        """What stands beside each of the values that stand at some places.

        Args:
            spans: Where the values stand.
            bounds: Where those stand that words belong to; others just stand between the words.
        """
        return [self._context(start, end, bounds) for start, end in spans]

    def _context(self, start: int, end: int, bounds: Sequence[Span]) -> Context:
        page = self.page
        begin, stop = page.sentences[page.sentence_at(start)] if page.sentences else (0, len(page.text))
        index = bisect_left(bounds, (start, 0))
        previous = bounds[index - 1][1] if index and bounds[index - 1][0] >= begin else begin
        first = bounds[min(bisect_left(bounds, (begin, 0)), index)][0] if bounds and index < len(bounds) else start
        first = min(first, start)
        later = bisect_left(bounds, (max(end, start + 1), 0))
        following = bounds[later][0] if later < len(bounds) and bounds[later][0] < stop else stop
        at, behind = self.index(start), self.index(end)
        lead = max(self.index(begin), at - LONGEST_SENTENCE)
        line = page.line_at(start)
        paragraph, led = self._paragraph(line)
        paragraph_end = min(self.index(page.lines[led][0]), lead) if led < line else lead
        own = self.index(previous)
        if previous > begin and self.adverbial:
            own = self._opened_clause(self.index(bounds[index - 1][0]), own, lead)
        return Context(
            lead=lead,
            lead_end=max(self._lead_end(self.index(first)), lead),
            before=max(self._behind(own, at) if previous > begin else 0, lead),
            at=at,
            behind=behind,
            after=self._after(
                self._opened_clause(at, behind, lead),
                behind + 1 if self._ends_bracket(at, behind) else min(self.index(following), behind + LONGEST_SENTENCE),
                leads=self.leads(start),
            ),
            paragraph=max(self.index(page.lines[paragraph][0]), paragraph_end - LONGEST_PARAGRAPH),
            paragraph_end=paragraph_end,
            cell=page.cell_at(start) if page.cells else None,
            heading=page.headings[line],
            label=page.label_at(start),
            section=self.sections[line],
        )

    def _paragraph(self, line: int) -> tuple[int, int]:
        """The line where a paragraph begins, and that of the first item where the line is one of a list."""
        page = self.page
        first = led = line
        in_list = page.is_item(line)
        while first > max(0, line - MOST_LINES) and page.lines[first - 1][0] < page.lines[first - 1][1]:
            first -= 1
            if in_list and page.is_item(first):
                led = first
        return first, led

    def _behind(self, previous: int, at: int) -> int:
        """Where the words end that belong to the value before: at a comma or an `and`, if there is one."""
        place = self._after(previous, at)
        if place < at:
            return place
        for index in range(previous + 1, min(at, previous + LONGEST_NOUN + 1)):
            if self.folded[index] in VERBS and self.folded[previous] not in PREPOSITIONS:
                return index  # `the £4.50 booking fee brings the total to £80.50`
        return previous

    def _inside(self, behind: int, stop: int) -> int:
        """Where the words end that belong to a value before brackets in which another one stands."""
        return behind if self.adverbial else stop

    def leads(self, start: int) -> bool:
        """Whether a value is the label of its line: `14/02/2026: Sự kiện chính`."""
        first, _ = self.page.lines[self.page.line_at(start)]
        before = self.page.text[first:start].strip(" \t-•+*–▪◦")
        return not before or (len(before) <= LONGEST_ABOUT and ABOUT.fullmatch(before) is not None)

    def _lead_end(self, first: int) -> int:
        """Where the words end that hold for all values of a sentence; `a deposit (£1,673)` is one of the first only."""
        return first - NAMED_BEFORE_BRACKET if first > 0 and self.folded[first - 1] == "(" else first

    def opens_clause(self, context: Context) -> bool:
        """Whether a value is a date that opens a clause, which goes on behind a comma."""
        return self._opened_clause(context.at, context.behind, context.lead) > context.behind

    def _ends_bracket(self, at: int, behind: int) -> bool:
        """Whether it is the last of several things in brackets, so that nothing behind them is said of it."""
        ends = behind < len(self.folded) and self.folded[behind] == ")"
        return ends and 0 < at < behind and "(" not in self.folded[at - 1 : behind]

    def _opened_clause(self, at: int, behind: int, lead: int) -> int:
        """Where the clause begins that a date opens; behind the date where it opens none."""
        if not self.adverbial or behind >= len(self.folded):
            return behind
        index = at
        while index > lead and self.folded[index - 1] in ADVERBIAL and not self.tokens[index].line:
            index -= 1
        if index > lead and self.folded[index - 1] not in OPENERS_BEFORE and not self.opening[index]:
            return behind
        comma = behind + (self.folded[behind] == ")")
        opens = comma < len(self.folded) and self.folded[comma] == "," and not self.tokens[comma].line
        return comma + 1 if opens and (index < at or index <= lead) else behind

    def _after(self, behind: int, stop: int, *, leads: bool = False) -> int:
        """Where the words behind a value end that still belong to it; brackets right behind it do.

        Args:
            behind: The token behind the value.
            stop: The last token that may belong to it.
            leads: Whether what stands behind a colon or a dash is said of it.
        """
        if behind < stop and self.folded[behind] == ")":
            behind += 1
        if leads and behind < stop and self.folded[behind] in (":", "–", "—", "-"):
            behind += 1
        if behind < stop and self.folded[behind] == "(":
            return next(
                (place for place in range(behind, stop) if self.folded[place] == ")"), self._inside(behind, stop)
            )
        index = behind
        breaks = BREAKS | CLAUSES if self.adverbial else BREAKS
        while index < stop and self.folded[index] not in breaks and not self.tokens[index].line:
            index += 1
        return index
