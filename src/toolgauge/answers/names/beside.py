"""What stands beside each name of an answer: its clause and sentence, headings, words shared with the question."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from toolgauge.locale import Token, fold_word, tokenise

from ..page import Page
from ..question import stem
from .cues import ABBREVIATED, BREAKS, CONTRASTS, COPULAS, SKIPPED, WHERE
from .roles import NameCue, find_concepts, find_roles, role_places
from .wanted import WantedName
from .words import ITEM, Name

__all__ = ["Beside", "NameSpan", "root_of"]


_stem = lru_cache(maxsize=8192)(stem)
ENDINGS = ("ation", "ement", "ment", "ator", "ate", "er", "or", "ion", "e")
SHORTEST_ROOT = 5


@lru_cache(maxsize=8192)
def root_of(word: str) -> str:
    """A word without its endings."""
    return _root_of_stem(stem(word))


def _root_of_stem(word: str) -> str:
    """A stem without the ending that makes a noun of a verb: `maintain` for `maintainer`."""
    if word.isascii():
        for ending in ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_ROOT:
                return word[: -len(ending)]
    return word


SETTING, SETTING_EARLIER = 0.9, 0.7
"""How much a name or figure of the question counts for all names behind it in its sentence, and in later ones."""
EARLIER = 0.5
"""How much a word of the question counts that stands in an earlier sentence."""


class NameSpan(NamedTuple):
    """The words that belong to a name, as indexes of tokens."""

    begin: int
    """Where its sentence begins."""
    stop: int
    """Where its sentence ends."""
    clause: int
    """Where its clause begins."""
    clause_end: int
    previous: int
    """Behind the name before it in the sentence, or where the sentence begins."""
    following: int
    """The name behind it in the sentence, or the end of the sentence."""
    tail: int
    """Behind the name and the brackets right behind it."""
    own: int
    """Where the clauses begin that no earlier name of the sentence claims."""
    subject: int
    """The first name of the sentence; what stands before it may be said of all."""
    lead: int
    """Behind the colon that leads up to all names of the sentence."""


class Beside:
    """The surroundings of the names of one answer."""

    def __init__(
        self, page: Page, wanted: WantedName, tokens: Sequence[Token], folded: Sequence[str], starts: Sequence[int]
    ) -> None:
        self.page, self.wanted = page, wanted
        self.tokens, self.folded, self.starts = tokens, folded, starts
        self._dependent: set[int] = set()
        self._texts: dict[str, set[str]] = {}
        self._had: dict[frozenset[str], bool] = {}

    @cached_property
    def _bounds(self) -> list[int]:
        """Where clauses begin."""
        tokens, folded = self.tokens, self.folded
        found = [0]
        for index in range(1, len(tokens)):
            before = tokens[index - 1].text
            if before == "." and index > 1 and tokens[index - 2].low in ABBREVIATED:
                continue
            spaced = before == "-" and tokens[index - 1].start > tokens[index - 2].end if index > 1 else False
            if (
                tokens[index].line
                or before in BREAKS
                or spaced
                or folded[index] in CONTRASTS
                or tokens[index].text == "("
            ):
                found.append(index)
        return found

    def _span(self, names: Sequence[Name], index: int) -> NameSpan:
        name, page = names[index], self.page
        first, last = page.sentences[page.sentence_at(name.start)]
        begin, stop = bisect_left(self.starts, first), bisect_left(self.starts, last)
        place = bisect_right(self._bounds, name.first) - 1
        clause = max(begin, self._bounds[place])
        tail = self._tail(name, stop)
        behind = bisect_left(self._bounds, tail)
        while tail > name.last and behind < len(self._bounds) and self._bounds[behind] <= tail:
            behind += 1
        clause_end = min(stop, self._bounds[behind] if behind < len(self._bounds) else stop)
        previous = names[index - 1].last if index and names[index - 1].last > begin else begin
        after = index + 1
        while after < len(names) and (names[after].first < tail or after in self._dependent):
            after += 1
        following = names[after].first if after < len(names) and names[after].first < stop else stop
        lead = self._lead(begin, name.first)
        return NameSpan(
            begin,
            stop,
            clause,
            max(clause_end, tail),
            previous,
            following,
            tail,
            self._own(begin, previous, clause),
            self._subject(names, index, begin),
            lead,
        )

    def _dependents(self, names: Sequence[Name]) -> set[int]:
        """Names that only say where another name of the clause is: `Lake Baikal in Siberia, Russia`."""
        found: set[int] = set()
        places = "place" in self.wanted.kinds
        for index in range(1, len(names)):
            before = self.folded[names[index].first - 1]
            between = names[index].first - names[index - 1].last
            if (
                (before in WHERE and between == 1)
                or (before == "," and between == 1 and index - 1 in found and not places)
                or (before == "(" and between == 1 and index - 1 in found)
            ):
                found.add(index)
        return found

    def _tail(self, name: Name, stop: int) -> int:
        if name.last < stop and self.tokens[name.last].text == "(":
            return next(
                (at + 1 for at in range(name.last, min(stop, name.last + 40)) if self.tokens[at].text == ")"), name.last
            )
        return name.last

    def _own(self, begin: int, previous: int, clause: int) -> int:
        """Where a name's own clauses begin: what follows the name before it belongs to that one, up to a comma."""
        if previous <= begin:
            return begin
        for at in self._bounds[bisect_right(self._bounds, previous) :]:
            if at > clause:
                break
            if self.tokens[at - 1].text in (",", ";", ":", "—", "–", ".") or self.folded[at] in CONTRASTS:
                return at
        return clause

    def _subject(self, names: Sequence[Name], index: int, begin: int) -> int:
        while index and names[index - 1].first >= begin:
            index -= 1
        return names[index].first

    def _lead(self, begin: int, first: int) -> int:
        at = bisect_left(self._colons, begin)
        return self._colons[at] + 1 if at < len(self._colons) and self._colons[at] < first else begin

    @cached_property
    def _colons(self) -> list[int]:
        return [index for index, token in enumerate(self.tokens) if token.text == ":"]

    @cached_property
    def _contrasts(self) -> list[int]:
        return [index for index, word in enumerate(self.folded) if word in CONTRASTS]

    def _contrast(self, first: int, last: int) -> int | None:
        """Where the last word between two places stands that turns against what was said before."""
        at = bisect_left(self._contrasts, last) - 1
        return self._contrasts[at] if at >= 0 and self._contrasts[at] >= first else None

    @cached_property
    def _marked(self) -> list[int]:
        return sorted(self._marks)

    @cached_property
    def _marks(self) -> dict[int, list[str]]:
        """The words of the question that stand at each token."""
        marks: dict[int, list[str]] = {}
        words = self.wanted.words
        for index, token in enumerate(self.tokens):
            if token.kind == "word":
                word = self._roots.get(root_of(token.low))
                if word is not None:
                    marks.setdefault(index, []).append(word)
            elif token.kind == "figure" and token.text in words:
                marks.setdefault(index, []).append(token.text)
        for said in find_concepts(self.folded):
            if said.what in words:
                marks.setdefault(said.first, []).append(said.what)
        return marks

    @cached_property
    def _first_marks(self) -> dict[str, int]:
        """Where each word of the question is first said; what is said later may be said of it too.

        The labels of a table are said of its cells only.
        """
        found: dict[str, int] = {}
        text = self.page.text
        table = "|" in text
        for at in self._marked:
            if table and "|" in text[slice(*self.page.lines[self.page.line_at(self.starts[at])])]:
                continue
            for word in self._marks[at]:
                found.setdefault(word, at)
        return found

    def _cover(self, name: Name, span: NameSpan, *, dependent: bool) -> dict[str, float]:
        """How near each word of the question stands to a name: 1 in its own clause, less further away."""
        cover: dict[str, float] = {}
        marks, places = self._marks, self._marked
        low, high = bisect_left(places, span.begin), bisect_left(places, max(span.following, span.clause_end))
        for at in places[low:high]:
            share = self._nearness(at, name, span, dependent=dependent)
            for word in marks[at]:
                near = max(share, SETTING) if at < name.first and word in self._settings else share
                if cover.get(word, 0.0) < near:
                    cover[word] = near
        for word, first in self._first_marks.items():
            near = SETTING_EARLIER if word in self._settings else EARLIER
            if first < span.begin and cover.get(word, 0.0) < near:
                cover[word] = near
        for text, share in self._context(name):
            for word in self._words_of(text):
                if cover.get(word, 0.0) < share:
                    cover[word] = share
        return cover

    @cached_property
    def _roots(self) -> dict[str, str]:
        """The words of the question by their roots, so that `maintained` is `maintainer`."""
        return {_root_of_stem(word): word for word in sorted(self.wanted.words)}

    @cached_property
    def _settings(self) -> frozenset[str]:
        """The words of the question that say what it is about: names and figures, which hold for all that follows."""
        about = {_stem(word) for word in self.wanted.about}
        return frozenset(word for word in self.wanted.words if word in about or word[0].isdigit())

    def _nearness(self, at: int, name: Name, span: NameSpan, *, dependent: bool) -> float:
        if at >= name.last:
            if at < min(span.following, span.clause_end):
                return 0.3 if dependent else 1.0
            return 0.0 if at >= span.following else 0.3 if dependent else 0.8 if span.following == span.stop else 0.5
        if at >= name.first:
            return 0.8
        if at >= max(span.previous, span.clause):
            return 1.0
        if span.previous > span.clause and self._before(name) in COPULAS:
            return 0.9
        if max(span.own, span.lead) <= at < span.clause:
            return 0.8
        return 0.6 if at < span.lead else 0.5 if at < span.subject else 0.3

    def _words_of(self, text: str) -> set[str]:
        """The words of the question that a heading or a cell has."""
        if text not in self._texts:
            tokens = tokenise(text)
            found = {
                self._roots.get(root_of(token.low), "") if token.kind == "word" else token.text for token in tokens
            }
            found |= {said.what for said in find_concepts([fold_word(token.low) for token in tokens])}
            self._texts[text] = found & self.wanted.words
        return self._texts[text]

    def _context(self, name: Name) -> list[tuple[str, float]]:
        """Texts elsewhere that say what a name is: headings, and the row and column of a table."""
        cell = self.page.cell_at(name.start) if "|" in self.page.text else None
        if cell:
            return [(cell.column, 1.0), (cell.row if cell.row not in self._text(name) else "", 1.0)]
        if "\n" not in self.page.text:
            return []
        line = self.page.line_at(name.start)
        found = [(self.page.headings[line], 0.4), (self._leads[line], 0.5)]
        return [(text, share) for text, share in found if text and self._text(name) not in text]

    @cached_property
    def _leads(self) -> list[str]:
        """For each item of a list the line above the list; nothing for other lines."""
        found: list[str] = []
        lead = ""
        for start, end in self.page.lines:
            line = self.page.text[start:end]
            item = ITEM.match(line) is not None
            found.append(lead if item else "")
            if line.strip() and not item:
                lead = line if len(line) <= 200 else ""
        return found

    def _text(self, name: Name) -> str:
        return self.page.text[name.start : name.end]

    def _shared(self, names: Sequence[Name], spans: Sequence[NameSpan]) -> list[float]:
        """How much of what the question says stands beside each name, as against the other names."""
        if not self.wanted.words or not names:
            return [0.0] * len(names)
        covers = [
            self._cover(name, spans[index], dependent=index in self._dependent) for index, name in enumerate(names)
        ]
        total = [0.0] * len(names)
        weights = 0.0
        for word in self.wanted.words:
            got = [cover.get(word, 0.0) for cover in covers]
            if not max(got):
                continue
            weight = max(0.2, 1.0 + math.log(len(got) / max(1.0, math.fsum(got))))
            if word.startswith("="):
                weight *= 1.5
            weights += weight
            for index, value in enumerate(got):
                total[index] += weight * value
        if not weights:
            return total
        damp = 1.0 / max(weights, 3.0)
        return [value * damp for value in total]

    @cached_property
    def _places_before(self) -> list[int]:
        return role_places(self.folded, behind=False)

    @cached_property
    def _places_behind(self) -> list[int]:
        return role_places(self.folded, behind=True)

    def _roles_between(self, first: int, last: int, *, behind: bool) -> list[NameCue]:
        """The phrases between two words that give a role to the name before or behind them."""
        places = self._places_behind if behind else self._places_before
        return find_roles(self.folded, places, first, last, behind=behind)

    def _may_have(self, words: frozenset[str]) -> bool:
        """Whether the answer has one of some words, without which a pattern need not be looked for."""
        found = self._had.get(words)
        if found is None:
            found = self._had[words] = not words.isdisjoint(self.folded)
        return found

    def _is_skipped(self, index: int) -> bool:
        low = self.tokens[index].low
        return low in SKIPPED or (low == "." and index > 0 and self.tokens[index - 1].low in ABBREVIATED)

    def _before(self, name: Name) -> str:
        """The word before a name and its titles."""
        index = name.first - 1
        while index >= 0 and self._is_skipped(index) and not self.tokens[index + 1].line:
            index -= 1
        return self.folded[index] if index >= 0 else ""
