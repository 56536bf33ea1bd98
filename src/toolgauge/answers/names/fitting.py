"""How well a name fits the question: its kind, its office, its numbers and years, the topic; what is corrected."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from toolgauge.locale import fold_word, tokenise

from ..reading import last_match
from .beside import Beside, NameSpan, root_of
from .cues import (
    AT,
    CODE_KINDS,
    CORRECTED,
    CORRECTED_INSIDE,
    CORRECTING_WORDS,
    ENDED,
    EXCHANGES,
    HONORIFICS,
    LANDSCAPES,
    LED_TO,
    LOCATIVES,
    LONG_CODE,
    NO,
    ORGANISATION,
    THING,
    TOPIC,
)
from .offices import offices_of
from .place import FUNCTION_WORDS
from .roles import find_concepts
from .wanted import qualifiers
from .words import Name, is_code

__all__ = ["NameFit"]


HALF = 0.5


class NameFit(Beside):
    """Compares the names of one answer with what one question wants."""

    def _kind(self, name: Name, span: NameSpan) -> dict[str, float]:
        kinds = self.wanted.kinds
        if not kinds:
            return {}
        text = self._text(name)
        code = is_code(text) or ("code" in kinds and LONG_CODE.fullmatch(text) is not None)
        before = self.folded[name.first - 1] if name.first > span.begin else ""
        honoured = before in HONORIFICS or (
            before == "." and name.first > 1 and self.folded[name.first - 2] in HONORIFICS
        )
        if "code" in kinds:
            return {"asked kind": 1.0} if code and not self._names_a_kind(text) else {"other kind": 1.0}
        if "person" in kinds:
            if code or any(letter.isdigit() for letter in text) or ORGANISATION.search(text) or THING.search(text):
                return {"other kind": 1.0}
            if before in LANDSCAPES:
                return {"other kind": 1.0}
            if before in LOCATIVES or name.shape == "title":
                return {"likely other kind": 1.0}
            return {"asked kind": 1.0} if honoured else {}
        if honoured:
            return {"other kind": 1.0}
        if "title" in kinds:
            return {"asked kind": 1.0} if name.shape == "title" else {"other kind": 1.0} if before == "by" else {}
        if "place" in kinds and before in LOCATIVES:
            return {"asked kind": 0.5}
        if "organisation" in kinds and before in AT:
            return {"likely other kind": 0.7}
        return {}

    def _names_a_kind(self, text: str) -> bool:
        """Whether letters name an exchange or a kind of code, and are none."""
        return text.lower() in EXCHANGES or text.lower() in CODE_KINDS

    def _numbers(self, span: NameSpan, name: Name) -> dict[str, float]:
        """Figures beside a name that the question has too, or has otherwise: `12 tháng` where 6 are asked about."""
        wanted = self.wanted
        if not wanted.numbers and not wanted.years:
            return {}
        first = span.own if span.previous <= span.clause else span.previous
        last = min(span.following, span.clause_end)
        holds: dict[str, float] = {}
        here = qualifiers(self.tokens, self.folded, first, name.first) + qualifiers(
            self.tokens, self.folded, name.last, last
        )
        words = {word for word, _ in wanted.numbers}
        if any(pair in wanted.numbers for pair in here):
            holds["asked number"] = 1.0
        elif any(word in words for word, _ in here):
            holds["other number"] = 1.0
        if wanted.years:
            years = {
                self.tokens[at].text
                for at in (*range(first, name.first), *range(name.last, last))
                if len(self.tokens[at].text) == 4
            }
            years = {year for year in years if year.isdigit() and "1500" < year < "2200"}
            if years:
                holds["asked year" if years & wanted.years else "other year"] = 1.0
        return holds

    def _topic(self, span: NameSpan) -> dict[str, float]:
        """What a sentence says at its beginning that it is about: `For maths, …`, `Xét về giá, …`."""
        if not self.wanted.known or span.begin >= len(self.tokens):
            return {}
        match = TOPIC.match(self.page.text, self.tokens[span.begin].start)
        if match is None:
            return {}
        return {"asked topic": 1.0} if self._words_of(match["topic"]) else {"other topic": 1.0}

    def _labels(self, names: Sequence[Name]) -> list[dict[str, float]]:
        """For each name whether its label is asked for; another label speaks against it only where one is."""
        found = [self._labelled(name) for name in names]
        asked = any("asked label" in holds for holds in found)
        return found if asked else [{} for _ in names]

    def _labelled(self, name: Name) -> dict[str, float]:
        """How much the label of its line is what is asked: `Đơn vị vận chuyển: Viettel Post`."""
        if not self.wanted.known or not self._is_labelled:
            return {}
        label = self.page.label_at(name.start)
        if not label or self._text(name) in label:
            return {}
        if label not in self._shares:
            words = {word for word in self._label_words(label) if len(word) > 1}
            self._shares[label] = len(words & self.wanted.words) / len(words) if words else 0.1
        share = self._shares[label]
        return {"asked label": share} if share >= HALF else {"other label": 1.0} if not share else {}

    @cached_property
    def _shares(self) -> dict[str, float]:
        return {}

    def _label_words(self, label: str) -> set[str]:
        tokens = tokenise(label)
        said = [token.low for token in tokens if token.kind == "word" and token.low not in FUNCTION_WORDS]
        found = {self._roots.get(root_of(word), word) for word in said}
        return found | {said.what for said in find_concepts([fold_word(token.low) for token in tokens])}

    @cached_property
    def _is_labelled(self) -> bool:
        return ":" in self.page.text or " – " in self.page.text or " - " in self.page.text

    def _corrected(self, names: Sequence[Name]) -> list[dict[str, float]]:
        """What a correction takes back, and what it puts in its place."""
        place = self._correction()
        if place is None or not names or names[-1].start < place:
            return [{} for _ in names]
        return [{"correction": 1.0} if name.start >= place else {"corrected later": 1.0} for name in names]

    def _correction(self) -> int | None:
        """Where the last correction begins."""
        text, sentences = self.page.text, self.page.sentences
        if not self._may_have(CORRECTING_WORDS) and "?" not in text and "…" not in text and "..." not in text:
            return None
        found = None
        for number, (start, end) in enumerate(sentences):
            asked = number and text[: sentences[number - 1][1]].rstrip()[-1:] in ("?", "…")
            if number and (CORRECTED.match(text, start, end) or (asked and NO.match(text, start, end))):
                found = start
        inside = last_match(CORRECTED_INSIDE, text)
        if inside is not None and (found is None or inside.start() > found):
            return inside.start()
        return found

    # offices

    @cached_property
    def _ends(self) -> list[int]:
        """Where sentences end, as indexes of tokens."""
        return [bisect_left(self.starts, end) for _, end in self.page.sentences]

    def _offices(self, names: Sequence[Name]) -> list[dict[str, float]]:
        """Whether the words beside each name give it the office or work that is asked for, or only another one."""
        asked = self.wanted.offices
        if not asked:
            return [{} for _ in names]
        said = offices_of(names, self.tokens, self.folded, self._ends)
        rules: list[dict[str, float]] = []
        for index in range(len(names)):
            own = said.get(index)
            rules.append({} if not own else {"asked office": 1.0} if own & asked else {"other office": 1.0})
        return rules

    def _has_ended(self, name: Name, span: NameSpan) -> bool:
        """Whether it was so up to some year only, where the question is for what is now."""
        if not self.wanted.current or not self._dated:
            return False
        last = min(span.following, span.stop) - 1
        if last < name.last:
            return False
        if span.tail > name.last and span.following < span.tail:
            return False  # what is in brackets is said of the name in them
        behind = self.page.text[name.end : self.tokens[last].end].lstrip(" *_,(")
        return ENDED.search(re.split(r"[,;)]", behind, maxsplit=1)[0]) is not None

    @cached_property
    def _dated(self) -> bool:
        return ENDED.search(self.page.text) is not None

    # what is asked about

    def _asked_about(self, name: Name) -> bool:
        """Whether it is the very thing that is asked about, in a longer form of its name."""
        about = self.wanted.about
        if self.wanted.options or len(name.words) < 2:
            return False
        shared = [word for word in name.words if word in about]
        most = 3 * len(shared) >= 2 * len(name.words) or (2 * len(shared) >= len(name.words) and name.words[0] in about)
        return most and 2 <= len(shared) < len(name.words)

    # what opens the answer

    def _opens_answer(self, name: Name, span: NameSpan) -> float:
        """How much an answer begins with a name, and says no more in that sentence than what it is."""
        if name.first > 8 or span.begin > 0 or not self._leads_to(name):
            return 0.0
        behind = self.tokens[span.tail].text if span.tail < span.stop else "."
        bold = self._is_bold(name)
        if behind in (",", "—", "–", "-", ".", "(", ";", "!"):
            return 1.0 if bold else 0.5
        return 0.5 if bold else 0.0

    def _leads_to(self, name: Name) -> bool:
        """Whether all that stands before a name only leads up to it: `Đó là TP. Huế`."""
        return all(word in LED_TO for word in self.folded[: name.first])

    def _is_bold(self, name: Name) -> bool:
        """Whether a name is emphasised, or the end of it: `nhà xe **Thành Công**`."""
        page = self.page
        if not page.emphasised:
            return False
        if name.start not in self._bold:
            last = self.tokens[name.last - 1].start
            self._bold[name.start] = page.emphasis_at(name.start, name.end) is not None or (
                last > name.start and page.emphasis_at(last, name.end) is not None
            )
        return self._bold[name.start]

    @cached_property
    def _bold(self) -> dict[int, bool]:
        return {}
