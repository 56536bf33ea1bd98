"""Finds what may be meant as a name in an answer: capitals, titles, cells, heads of a list, what `is` states."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from ..question import stem
from .place import FUNCTION_WORDS, TITLES
from .rows import Rows
from .words import (
    CLAUSE_WORDS,
    COMPARATIVE,
    COPULA,
    COPULA_WORDS,
    HEAD_END,
    HEADS,
    IDENTIFIER,
    ITEM,
    LONGEST,
    MAX_NAMES,
    NO_NAMES,
    OPENERS,
    PARTICIPLE,
    QUOTED,
    VERSION,
    Name,
    is_code,
)

__all__ = ["NameFinder"]

YEAR = re.compile(r"(?:19|20)[0-9]{2}")
DATED = re.compile(
    r"\b(?:in|since|until|from|before|after|of|năm|từ|đến|trước|sau|[a-z]+[/-]?[0-9]{0,2})[\s/-]$", re.IGNORECASE
)
"""What stands before a year."""
NO_NAMES_BEHIND = TITLES | NO_NAMES


class NameFinder(Rows):
    """Finds the names of one answer."""

    def find(
        self, taken: Sequence[Name], given: Callable[[Name], bool], verbs: frozenset[str], *, codes: bool
    ) -> list[Name]:
        """All names in order, none of which overlaps another.

        Args:
            taken: Names that are known already and go first.
            given: Whether a name is one of the question, and no answer to it.
            verbs: Words behind which a name in small letters may stand.
            codes: Whether mere figures may be what is asked for.
        """
        rows = list(self.rows())
        titles = [*self._titles(), *self._cells(), *self._heads()]
        bold = self._bold()
        figures = self._figures() if codes else []
        if any(IDENTIFIER.fullmatch(self.page.text, name.start, name.end) for name in taken):
            figures += [
                self.name_at(match.start(), match.end(), "code") for match in IDENTIFIER.finditer(self.page.text)
            ]
        chosen = list(taken)
        spans = sorted((name.start, name.end) for name in chosen)
        for group in (titles, bold, figures, rows):
            if not group:
                continue
            kept: list[Name] = []
            for name in sorted(group, key=lambda name: name.start):
                if not _overlaps(name, spans) and (not kept or kept[-1].end <= name.start):
                    kept.append(name)
            chosen += kept
            spans = sorted((*spans, *((name.start, name.end) for name in kept)))
        known = {(name.start, name.end) for name in taken}
        chosen = [name for name in chosen if (name.start, name.end) in known or not given(name)]
        places = sorted(name.start for name in chosen)
        small = bool(verbs)
        stated = [*self._stated(places, small=small), *(self.objects(verbs) if verbs else [])]
        for name in sorted(stated, key=lambda name: name.start):
            if not _overlaps(name, spans) and not given(name):
                chosen.append(name)
                spans = sorted((*spans, (name.start, name.end)))
        chosen.sort(key=lambda name: name.start)
        return chosen if len(chosen) <= MAX_NAMES else [*chosen[: MAX_NAMES // 2], *chosen[-MAX_NAMES // 2 :]]

    # what the layout says

    def _titles(self) -> Iterator[Name]:
        if not any(sign in self.page.text for sign in '"“‘«'):
            return
        for match in QUOTED.finditer(self.page.text):
            group = match.lastindex or 1
            if len(match[group].split()) <= LONGEST + 4 and match[group].strip():
                yield self.name_at(match.start(group), match.end(group), "title")

    def _cells(self) -> Iterator[Name]:
        if "|" not in self.page.text:
            return
        named: set[int] = set()
        """Tables whose first column has names that begin with figures, so that mere figures are names there too."""
        for cell in self.page.cells:
            words = self.page.text[cell.start : cell.end]
            text = words.strip(" \t*_`")
            if not 0 < len(text.split()) <= LONGEST + 2:
                continue
            if cell.place == 0 and text[0].isdigit() and not text.isdigit() and any(map(str.isupper, text)):
                named.add(cell.table)
            numbered = cell.place == 0 and cell.table in named and text.isdigit()
            if numbered or (any(map(str.isalpha, text)) and not _is_amount(text)):
                start = cell.start + words.index(text)
                yield self.name_at(start, start + len(text), "cell")

    def _heads(self) -> Iterator[Name]:
        """Heads of list items, where what follows says something of them; a label before a name is none."""
        text = self.page.text
        for start, end in self.page.lines:
            item = ITEM.match(text, start, end)
            if item is None:
                continue
            cut = HEAD_END.search(text, item.end(), end)
            stop = cut.start() if cut else end
            head = text[item.end() : stop].strip()
            if (
                not head
                or len(head.split()) > LONGEST
                or not (head[0].isupper() or head[0].isdigit())
                or _is_amount(head)
            ):
                continue
            if head.endswith((".", "?", "!")) or (cut and _is_named(text[cut.end() : end], self)):
                continue
            if cut is None and any(word in CLAUSE_WORDS for word in head.lower().split()):
                continue
            yield self.name_at(item.end(), item.end() + len(text[item.end() : stop].rstrip()), "head")

    def _bold(self) -> list[Name]:
        """Emphasised words that are a name as a whole, though not all of them have a capital."""
        found: list[Name] = []
        for start, end in self.page.emphasised:
            words = self.page.text[start:end]
            text = words.strip(' \t:.,;!"“”')
            if not text or len(text.split()) > LONGEST or _is_amount(text) or "\n" in text:
                continue
            start += words.index(text)
            cut = re.search(r",\s|\s[–—(]|:\s", text)
            if cut:
                text = text[: cut.start()]
            lows = text.lower().split()
            if any(word in CLAUSE_WORDS for word in lows) or all(word in NO_NAMES or word.isdigit() for word in lows):
                continue
            if self._is_label(start, start + len(text), lows):
                continue
            found.append(self.name_at(start, start + len(text), "code" if is_code(text) else "bold"))
        return found

    def _is_label(self, start: int, end: int, lows: Sequence[str]) -> bool:
        """Whether emphasised words only head what follows: `**Bước 1:** …`, `**Nhận xét**`."""
        if lows[0] in NO_NAMES:
            return True
        line_start, line_end = self.page.lines[self.page.line_at(start)]
        rest = self.page.text[end:line_end].strip(" *_.")
        opens = not self.page.text[line_start:start].strip(" \t#>-*•0123456789.)")
        capitals = sum(word[0].isupper() for word in self.page.text[start:end].split())
        alone = opens and rest in ("", ":") and line_end < len(self.page.text)
        coded = any(map(str.isdigit, lows[-1]))
        if alone and 2 * capitals < len(lows) and (coded or lows[0] not in HEADS):
            return True
        return (alone or (opens and rest.startswith(":"))) and capitals < 2 and lows[0] not in HEADS

    def _figures(self) -> list[Name]:
        text = self.page.text
        return [
            self.name_at(match.start(), match.end(), "code")
            for match in VERSION.finditer(text)
            if not (YEAR.fullmatch(match.group()) and DATED.search(text, max(0, match.start() - 12), match.start()))
        ]

    def _stated(self, places: Sequence[int], *, small: bool) -> list[Name]:
        """Words in small letters that a clause without another name states: `The metal is silver`."""
        found: list[Name] = []
        done = 0
        for index, head in enumerate(self.folded):
            match = COPULA.match(self.page.text, self.starts[index]) if head in COPULA_WORDS else None
            if match is None or match.start() < done or (index and self.folded[index - 1] == "there"):
                continue
            done = match.end()
            start, words = match.start("name"), match["name"]
            kept: list[str] = []
            for word in words.split(" "):
                if word.lower() in CLAUSE_WORDS or (kept and word[0].isupper()):
                    break
                kept.append(word)
            text = " ".join(kept)
            if (
                not text
                or text[0].isupper()
                or len(kept) > 4
                or PARTICIPLE.search(kept[0])
                or COMPARATIVE.search(kept[0])
                or {kept[0], kept[-1]} & TITLES
            ):
                continue
            begin, end = self._clause(start)
            index = bisect_left(places, begin)
            if index == len(places) or places[index] >= end:
                found.append(self.name_at(start, start + len(text), "stated", weak=not small))
        return found

    def objects(self, verbs: frozenset[str]) -> list[Name]:
        """Words in small letters behind what the question says happens: `the author defends realism`."""
        found: list[Name] = []
        for index, token in enumerate(self.tokens):
            if token.kind != "word" or stem(token.low) not in verbs:
                continue
            end = index + 1
            while end < len(self.tokens) and end - index <= 3 and self._is_plain(end):
                end += 1
            if end > index + 1:
                found.append(self.name_at(self.tokens[index + 1].start, self.tokens[end - 1].end, "stated", weak=True))
        return found

    def _is_plain(self, index: int) -> bool:
        token = self.tokens[index]
        plain = token.kind == "word" and token.text.islower() and not token.line
        return (
            plain and token.low not in CLAUSE_WORDS and self.folded[index] not in self.asked and token.low not in TITLES
        )

    def _clause(self, place: int) -> tuple[int, int]:
        """Where the clause around a place begins and ends."""
        text = self.page.text
        low, high = self.page.sentences[self.page.sentence_at(place)]
        begin = max(text.rfind(sign, low, place) for sign in (", ", "; ", ": "))
        ends = [end for sign in (", ", "; ", " – ") if (end := text.find(sign, place, high)) >= 0]
        return max(begin, low), min(ends, default=high)


def _is_amount(text: str) -> bool:
    """Whether a text begins with a figure or a sign that counts: `12 %`, `$5`; `4You` and `3.13` are none."""
    bare = text.lstrip("~≈+-−<>≥≤ ")
    if not bare:
        return True
    if bare[0] in "$€£₫¥":
        return True
    return bare[0].isdigit() and not (" " not in bare and any(map(str.isupper, bare)))


def _is_named(text: str, names: NameFinder) -> bool:
    """Whether what stands behind a label is a name, so that the label is none."""
    words = text.strip(" \t*_\"“'").split()
    while words and words[0].lower().strip(".,") in NO_NAMES_BEHIND:
        words = words[1:]
    if not words or not words[0][0].isupper():
        return False
    first = words[0].strip(".,;:").lower()
    return (
        first not in OPENERS and first not in FUNCTION_WORDS and first not in names.small and len(words) <= LONGEST + 2
    )


def _overlaps(name: Name, spans: Sequence[tuple[int, int]]) -> bool:
    index = bisect_left(spans, (name.end, 0))
    return index > 0 and spans[index - 1][1] > name.start
