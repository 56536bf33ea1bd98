"""Decides which name of an answer answers the question: small named rules, each with a weight.

What the name should be is not known here.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from toolgauge.locale import fold_word

from ..evidence.finding import Candidate, Weighed
from .beside import NameSpan
from .cues import (
    AFTER_ALL,
    AFTER_ALL_WORDS,
    ANSWERS,
    BY_WHOM,
    CONCLUDED,
    CONDITION,
    CONDITION_WORDS,
    COORDINATORS,
    COPULAS,
    DESCRIBED,
    HEARSAY,
    HEARSAY_WORDS,
    IN_FACT,
    IN_FACT_WORDS,
    LISTED,
    MOVES,
    OF_OTHERS,
    OFFER_WORDS,
    POSTS,
    REACH,
    SENTENCE_ROLES,
    TENTATIVE_WORDS,
)
from .fitting import NameFit
from .ranking import Ranking
from .roles import NameCue
from .words import ITEM, Name

__all__ = ["MARGIN", "WEIGHTS", "Chooser"]

WEIGHTS: dict[str, float] = {
    "concluded": 3.25,
    "emphasised": 3.25,
    "first": 3.0,
    "shared words": 7.0,
    "correction": 4.0,
    "corrected later": -5.0,
    "hearsay": -4.0,
    "aside": -2.0,
    "question": -4.0,
    "offer": -3.75,
    "tentative": -4.0,
    "stated as it": 1.75,
    "said at once": 1.5,
    "said alone": 4.0,
    "label of a list": -1.0,
    "second": -4.0,
    "beaten": -4.0,
    "former": -4.75,
    "confused": -4.0,
    "source": -4.0,
    "parent": -3.5,
    "also": -2.0,
    "denied": -2.75,
    "contender": -3.0,
    "recommended": 2.0,
    "now": 2.0,
    "given": 1.5,
    "asked role": 2.0,
    "condition": -2.0,
    "possessor": -3.25,
    "one of several": -2.0,
    "other topic": -1.75,
    "said of the list": 0.75,
    "leads up to others": -1.5,
    "says where": -1.5,
    "asked topic": 1.25,
    "describes another": -2.5,
    "in fact": 2.5,
    "opens the answer": 4.0,
    "asked office": 2.5,
    "other office": -3.25,
    "asked about": -4.0,
    "asked kind": 0.75,
    "other kind": -4.0,
    "likely other kind": -1.75,
    "asked number": 0.5,
    "other number": -3.25,
    "asked year": 1.5,
    "other year": -3.75,
    "weak name": -1.5,
    "small letters": -1.25,
    "other column": -2.5,
    "best of the table": 2.75,
    "not the best of the table": -1.75,
    "place in a ranking": 2.25,
    "asked label": 2.0,
    "singled out": 2.75,
    "wins": 2.5,
    "other label": -1.5,
    "after all": 1.25,
}


FEWEST_LISTED = 2
LONG_PAST = 1.4
"""How much it counts that something was so before, where the question is for what is now."""
MARGIN = 0.5
"""Two names whose evidence differs by less are not told apart."""


class Chooser(NameFit):
    """Weighs the names of one answer against one question."""

    def weigh(self, names: Sequence[Name], keys: Sequence[Hashable]) -> list[Weighed[Name]]:
        """The names with their evidence, the best first.

        Args:
            names: The names in order.
            keys: For each name what it names; names of the same thing have the same.
        """
        self._dependent = self._dependents(names)
        spans = [self._span(names, index) for index in range(len(names))]
        shared = self._shared(names, spans)
        ranking = Ranking(self.page, self.wanted, names)
        corrected = self._corrected(names)
        offices = self._offices(names)
        roles: list[set[str]] = []
        firm = dict.fromkeys(key for name, key in zip(names, keys, strict=True) if not name.weak)
        order = {key: rank for rank, key in enumerate(dict.fromkeys((*firm, *keys)))}
        bold = {key for name, key in zip(names, keys, strict=True) if self._is_bold(name)}
        weighed: list[Weighed[Name]] = []
        for index in range(len(names)):
            roles.append(self._roles(names, index, spans[index], roles))
            if self._has_ended(names[index], spans[index]):
                roles[index].add("former")
        listed = {key: name.end for name, key in zip(names, keys, strict=True) if self._is_listed(name)}
        several = self._several(names, keys)
        labels = self._labels(names)
        single = None if self.wanted.most else self._single(names, keys, listed)
        if any("now" in found for found in roles):
            for index, name in enumerate(names):
                if "now" not in roles[index] and self.folded[name.last : name.last + 1] in (["was"], ["were"]):
                    roles[index].add("former")
        ranked = [ranking.rules(index) for index in range(len(names))]
        lost = {key for key, rules in zip(keys, ranked, strict=True) if "not the best of the table" in rules}
        for index, name in enumerate(names):
            holds: dict[str, float] = {"shared words": shared[index], "first": 1.0 / (1 + 0.5 * order[keys[index]])}
            holds |= self._role_rules(roles[index])
            holds |= self._said_where(name, spans[index], len(bold))
            holds |= self._said_how(name, spans[index], roles[index])
            holds |= self._kind(name, spans[index])
            holds |= self._numbers(spans[index], name)
            holds |= ranked[index]
            holds |= self._topic(spans[index])
            holds |= labels[index]
            if name.shape not in LISTED and keys[index] in listed and listed[keys[index]] < name.start:
                if keys[index] == single:
                    holds["singled out"] = 1.0
                holds |= {"not the best of the table": 0.5} if keys[index] in lost else {"said of the list": 1.0}
            if index in self._dependent and "place" not in self.wanted.kinds:
                holds["says where"] = 1.0
            if index in several:
                holds["one of several"] = 1.0
            holds |= offices[index]
            if "other office" in holds:
                holds["stated as it"] = 0.0
            if "other kind" in holds:
                holds["asked office"] = 0.0
            if self._asked_about(name):
                holds["asked about"] = 1.0
            holds |= corrected[index]
            evidence = {rule: WEIGHTS[rule] * share for rule, share in holds.items() if share}
            weighed.append(Weighed(Candidate(name.start, name.end, name, keys[index]), evidence))
        return sorted(weighed, key=lambda one: -one.weight)

    # roles

    def _roles(self, names: Sequence[Name], index: int, span: NameSpan, earlier: Sequence[set[str]]) -> set[str]:
        name = names[index]
        found: set[str] = set()
        between = self.folded[span.previous : name.first]
        if index and span.previous > span.begin and between and all(word in COORDINATORS for word in between):
            found |= earlier[index - 1] - {"recommended", "denied", "contender"}
        elif index and span.previous > span.begin and "whose" in between:
            found |= earlier[index - 1] & {"confused", "denied", "beaten", "second", "former"}
        begin = self._contrast(span.begin, name.first) or span.begin
        before = self._roles_between(begin, name.first, behind=False)
        if any(said.what == "contender" for said in before):
            found.add("contender")
        last: dict[str, int] = {said.what: said.last for said in before if said.first >= span.previous}
        for role, at in last.items():
            if role == "also" and at == name.first and span.begin == name.first - 1:
                continue  # `Only X …` says that it is no other
            reach = REACH.get(role)
            if reach is not None and name.first - at > reach:
                continue
            if role not in SENTENCE_ROLES and any(self.tokens[i].text in ";:.—" for i in range(at, name.first)):
                continue
            found.add(role)
        moved = index and between in MOVES and names[index - 1].first
        if moved and self.folded[names[index - 1].first - 1] in ("from", fold_word("từ")):
            found.add("now")
            earlier[index - 1].add("former")
        if {"former", "now"} <= found:
            found.discard("former" if last.get("now", 0) > last.get("former", 0) else "now")
        limit = min(span.following, span.clause_end, span.tail + 9)
        for said in self._roles_between(span.tail, limit, behind=True):
            if self.folded[said.first] == "until" and any(
                self.folded[at] in ("is", "are") for at in range(span.tail, said.first)
            ):
                continue
            if said.what == "contender" and not OF_OTHERS.isdisjoint(self.folded[span.tail : said.first]):
                continue
            if said.first - span.tail <= (1 if said.what in ("denied", "also") else 6):
                found.add(said.what)
        if self._is_bracketed_role(name, span):
            found.add("second")
        resumed = self._behind_relative(span)
        if resumed and any(said.what == "denied" for said in self._roles_at(resumed)):
            found.add("denied")
        return found

    def _behind_relative(self, span: NameSpan) -> int:
        """Where a sentence goes on behind `, who …,`; 0 where nothing of that kind follows a name."""
        words = self.folded[span.tail : span.tail + 2]
        if words not in ([",", "who"], [",", "which"]):
            return 0
        return next((at + 1 for at in range(span.tail + 2, span.stop) if self.tokens[at].text == ","), 0)

    def _roles_at(self, place: int) -> list[NameCue]:
        found = self._roles_between(place, min(place + 3, len(self.folded)), behind=True)
        return [said for said in found if said.first == place]

    def _single(self, names: Sequence[Name], keys: Sequence[Hashable], listed: dict[Hashable, int]) -> Hashable:
        """What alone is named in sentences behind a list of several."""
        if len(listed) < FEWEST_LISTED:
            return None
        last = max(listed.values())
        told = {key for name, key in zip(names, keys, strict=True) if name.start > last}
        return told.pop() if len(told) == 1 else None

    def _several(self, names: Sequence[Name], keys: Sequence[Hashable]) -> set[int]:
        """Names that stand in a row with others: `A, B and C`."""
        found: set[int] = set()
        for index in range(1, len(names)):
            between = self.folded[names[index - 1].last : names[index].first]
            line = self.tokens[names[index].first].line
            if (
                between
                and not line
                and keys[index] != keys[index - 1]
                and all(word in COORDINATORS for word in between)
            ):
                found |= {index - 1, index}
        return found

    def _is_bracketed_role(self, name: Name, span: NameSpan) -> bool:
        """Whether brackets behind a name say that it is another place's: `Rome (second)`."""
        if name.last >= span.stop or self.tokens[name.last].text != "(":
            return False
        close = next((at for at in range(name.last, span.stop) if self.tokens[at].text == ")"), name.last)
        return any(said.what == "second" for said in self._roles_between(name.last, close, behind=True))

    def _role_rules(self, roles: set[str]) -> dict[str, float]:
        asked = self.wanted.roles
        holds = {role: 1.0 for role in roles if role not in asked}
        if "wins" in holds and ("former" in holds or not self.wanted.wins):
            del holds["wins"]
        if self.wanted.current and "former" in holds:
            holds["former"] = LONG_PAST
        if roles & asked - {"also", "source"}:
            holds["asked role"] = 1.0
        return holds

    # where and how

    def _said_where(self, name: Name, span: NameSpan, bold: int) -> dict[str, float]:
        holds: dict[str, float] = {}
        page = self.page
        listed = name.shape in LISTED
        if self._is_bold(name):
            holds["emphasised"] = 1.0 if bold <= 2 else 0.7 if not listed else 0.3
        first = self.tokens[span.begin].start if span.begin < len(self.tokens) else 0
        if CONCLUDED.match(page.text, first, name.start + 1) or self._arrow(first):
            holds["concluded"] = 1.0 if span.previous <= span.begin else 0.6
        if self._may_have(AFTER_ALL_WORDS) and AFTER_ALL.search(page.text, first, name.start):
            holds["after all"] = 1.0
        last = self.tokens[span.stop - 1].text if 0 < span.stop <= len(self.tokens) else ""
        if last == ":" and span.stop < len(self.tokens) and name.last < span.stop - 1:
            holds["leads up to others"] = 1.0
        if listed:
            holds["label of a list"] = 1.0
        elif span.begin == 0 and page.text[name.end :].strip()[:1] != "?":
            holds["said at once"] = 1.0
            holds["opens the answer"] = self._opens_answer(name, span)
            alone = span.stop <= name.last + 1 and name.first - span.begin <= 2 and span.stop < len(self.tokens)
            if alone and not self._has_other_label(name, span):
                holds["said alone"] = 1.0
        return holds

    def _has_other_label(self, name: Name, span: NameSpan) -> bool:
        """Whether a label stands before it that the question has not: `Applicant: …`."""
        if name.first <= span.begin or self.tokens[name.first - 1].text != ":" or not self.wanted.known:
            return False
        return not any(at in self._marks or self.folded[at] in ANSWERS for at in range(span.begin, name.first))

    def _is_listed(self, name: Name) -> bool:
        """Whether a name heads an item of a list, or stands in a table."""
        if name.shape in LISTED:
            return True
        start, end = self.page.lines[self.page.line_at(name.start)]
        item = ITEM.match(self.page.text, start, end)
        return (item is not None and item.end() >= name.start - 2) or self.page.text.count("|", start, end) >= 2

    def _arrow(self, first: int) -> bool:
        return self.page.text[max(0, first - 3) : first].strip() in ("→", "👉", "⇒", "=>", "➡")

    def _said_how(self, name: Name, span: NameSpan, roles: set[str]) -> dict[str, float]:
        page = self.page
        holds: dict[str, float] = {}
        around = page.around
        if around.is_aside(name.start) and "code" not in self.wanted.kinds:
            holds["aside"] = 1.0
        if around.is_question(name.end):
            holds["question"] = 1.0
        recommended = "recommended" in roles
        if not recommended and self._may_have(OFFER_WORDS) and around.is_offer(name.start, name.end):
            holds["offer"] = 1.0
        elif self._may_have(TENTATIVE_WORDS) and around.is_tentative(name.start):
            holds["tentative"] = 0.7
        if name.weak:
            holds["small letters" if name.shape == "stated" else "weak name"] = 1.0
        at = max(span.previous, span.begin)
        begin = self.tokens[at].start if at < len(self.tokens) else name.start
        said = page.text[begin : name.start]
        contrast = self._contrast(at, name.first)
        own = page.text[self.tokens[contrast].start : name.start] if contrast is not None else said
        if self._may_have(HEARSAY_WORDS) and HEARSAY.search(own):
            holds["hearsay"] = 1.0
        if self._may_have(IN_FACT_WORDS) and IN_FACT.search(own):
            holds["in fact"] = 1.0
        after = page.text[name.end : self.tokens[span.clause_end - 1].end if span.clause_end > name.last else name.end]
        if not recommended and self._may_have(CONDITION_WORDS) and (CONDITION.search(own) or CONDITION.search(after)):
            holds["condition"] = 1.0
        holds["stated as it"] = 0.0 if "contender" in roles else self._stated(name, span)
        holds |= self._possessor(name)
        after_stop = name.last + 1 < span.stop and self.tokens[name.last].text == "." and len(name.words[-1]) == 1
        behind = self.tokens[name.last + after_stop].low if name.last + after_stop < span.stop else ""
        labels = behind == ":" and name.last + 1 == span.following
        if labels or (len(name.words) <= 2 and behind in DESCRIBED and self.page.text[name.start : name.end].isascii()):
            holds["describes another"] = 1.0
        return holds

    def _stated(self, name: Name, span: NameSpan) -> float:
        """How much a name is what the words before it are said to be."""
        before = self._before(name)
        if name.first <= span.begin or before not in COPULAS or (before == "by" and "title" in self.wanted.kinds):
            return 0.0
        said: Sequence[int] = range(span.begin, name.first)
        if before == BY_WHOM and name.first - 1 >= span.begin:
            stop = next((at for at in range(name.last, span.stop) if self.tokens[at].text in ",;."), span.stop)
            # `do X lập`: the verb stands behind; `vị trí này do X đảm nhiệm`: what is asked stands before
            said = [*range(name.last, stop), *(at for at in said if self.folded[at] in POSTS)]
        leads = span.begin == 0 and name.first > 0 and self._leads_to(name)
        asked = (
            not self.wanted.known
            or leads
            or any(at in self._marks or self.folded[at] in ANSWERS or self.folded[at] in POSTS for at in said)
        )
        return (0.4 if before == ":" and not self.tokens[span.begin].line else 1.0) if asked else 0.2

    def _possessor(self, name: Name) -> dict[str, float]:
        before = self.folded[name.first - 1] if name.first else ""
        behind = self.page.text[name.end : name.end + 2]
        said = self.folded[name.first - 2] if name.first > 1 else ""
        owned = behind in ("'s", "’s") and self.tokens[name.last - 1].low != "s"
        some = name.first > 2 and self.folded[name.first - 3] in ("a", "an")
        if owned or (
            before in ("of", fold_word("của"))
            and said not in COPULAS
            and not some
            and "person" not in self.wanted.kinds
        ):
            return {"possessor": 1.0}
        return {}
