"""The role that the words beside a value give it: a change, a comparison, a forecast, an example, a correction."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgauge.locale import fold_word

from ..question import PER, Question, stem
from .context import AnswerWords, Context, read_label
from .cues import CONTRASTS, Cue, folded_set

__all__ = ["OPERATOR_BEHIND", "Roles"]

OPERATOR = re.compile(r"[0-9)%\w][ \t]?(?:[×x*÷/+]|−(?=\s)|-(?=\s)|\\times|\\div)\s?[($€£]?$")
OPERATOR_BEHIND = re.compile(r"\)?[ \t]?(?:[×x*÷+=≈]|−\s|-\s|/\s|\\times|\\div)[ \t]?[($€£]?[0-9]")
EQUALS = re.compile(r"(?:=|≈|->|→|=>)\s?[$€£₫~≈]{0,2}$")
DIVIDED = re.compile(
    r"(?<!chưa\s)(?<!không\s)(?<!đã\s)(?<!chưa\sbao\s)(?<!đã\sbao\s)\b(?:gồm|trong\sđó|trong\ssố\s(?:đó|này)|of\swh(?:ich|om)|of\sth(?:em|ose|ese)|including"
    r"|comprising|consisting\sof|made\sup\sof|split\sbetween)\b",
    re.IGNORECASE,
)
OF_THESE = re.compile(
    r"\s*(?:of\sth(?:ese|ose|em)|among\sth(?:ese|em)|trong\s(?:đó|số\s(?:này|đó))|gồm|bao\sgồm)\b", re.IGNORECASE
)
SENTENCE_BETWEEN = re.compile(r"[.!?]\s+\S[^.!?]*[.!?]\s|\n\s*\n")
TIMES_UNITS = re.compile(r"(?:/\w+)?[ \t]?[×x*][ \t]?[0-9]{1,4}[ \t]([^\W\d_]+)", re.IGNORECASE)
ARRIVES = re.compile(r"\b(?:lên|xuống|còn|thành|sang|to)\s(?:mức\s|còn\s|tới\s|ngày\s)?[$€£]?$", re.IGNORECASE)
PUT_OFF = re.compile(
    r"[,;]?\s(?:but|however|nhưng|tuy\snhiên|song),?\s(?:\w+\s){0,3}?(?:push|delay|postpon|mov|slip|reschedul|cancel|missed|dời|hoãn|lùi|hủy|chậm|trễ)",
    re.IGNORECASE,
)
"""What says behind a date that it came otherwise: `3 October, but was pushed back`."""
LONGEST_PER = 26
"""How near what it is for one of has to stand, in characters."""
NEAR = 4
"""How many words before a value may give it a role such as that of a change."""
UNITS_OF_TIME = folded_set("minutes hour hours day days week weeks month months year years decades")
CALCULATE = tuple([fold_word(word)] for word in ("cộng", "trừ", "nhân", "chia", "lấy", "add", "take", "multiply"))
HOW_LONG = re.compile(r"\b(?:bao\slâu|thời\s(?:gian|lượng)|mấy\s(?:giờ|phút|tiếng|ngày)|how\slong)\b", re.IGNORECASE)
LOSES = [fold_word("mất")]
CONDITION = 0.6
"""How much what follows from a condition belongs to it: `If you have 5 and eat 3, you have 2`."""
EXPECTED_DATE = 0.3
"""How much it counts against a date that it is expected: dates to come mostly are."""
OF_SENTENCE = ("forecast", "example", "hearsay")
OF_CLAUSE = ("superseded", "part", "variant", "limit", "mean", "total", "another", "bound")
Holds = dict[str, float]


class Roles:
    """Reads the roles of values in one answer to one question."""

    def __init__(self, words: AnswerWords, asked: Question) -> None:
        self.words, self.asked = words, asked
        self._corrections = self._correcting_sentences()

    def of(self, context: Context, start: int, end: int, *, dated: bool) -> Holds:
        """The rules on roles that hold for a value.

        Args:
            context: The words beside it.
            start: Where it begins.
            end: Where it ends.
            dated: Whether it is an amount, which dates say the time of, and no date itself.
        """
        words = self.words
        holds = self._surroundings(start, end)
        own = words.roles(context.before, context.at)
        said = words.roles(self._behind_contrast(context), context.at)
        behind = words.roles(context.behind, min(context.after, context.behind + NEAR + 2))
        if self._is_correction(context):
            holds["correction"] = 1.0
        if any(begin > start for begin in self._corrections[-1:]):
            holds["corrected later"] = 1.0
        if not dated:
            holds |= self._of_date(said, (*own, *behind), end)
            return self._earlier(holds, start) if self.asked.asks_earlier else holds
        label = read_label(f"{context.cell.row} | {context.cell.column}").roles if context.cell else frozenset()
        holds |= self._movement(context, start, end, own, label, aside="aside" in holds)
        for role in (*OF_SENTENCE, *OF_CLAUSE):
            scope = (*said, *behind) if role in OF_SENTENCE else (*own, *behind)
            if role not in label and not _has(scope, role):
                continue
            if role in ("total", "limit") and role in self.asked.roles:
                holds[f"asked {role}"] = 0.0 if role == "limit" and "change" in self.asked.roles else 1.0
            elif role not in self.asked.roles:
                holds[role] = 2.0 if role == "total" and self.asked.per else 1.0
        if "example" in holds and "," in words.folded[context.lead : context.at]:
            holds["example"] = CONDITION
        for role in ("current", "exactly", "result"):
            if _has(own, role):
                holds[role] = 1.0
        if self.asked.counted:
            holds["counts what is asked"] = self._counts(context)
        if self.asked.per and self._is_per(start, end):
            holds["asked per"] = 1.0
        if self.asked.asks_earlier:
            holds = self._earlier(holds, start)
        return holds | self._calculation(context, start, end)

    def _is_per(self, start: int, end: int) -> bool:
        """Whether it is said to be for one of what the question names: `5.500.000đ/người`."""
        text = self.words.page.text
        behind = PER.search(text, start, min(len(text), end + LONGEST_PER))
        before = [match[1] for match in PER.finditer(text, max(0, start - LONGEST_PER), start)]
        said = [*before[-1:], *([behind[1]] if behind else [])]
        return any(stem(word.lower()) in self.asked.per for word in said)

    def _earlier(self, holds: Holds, start: int) -> Holds:
        """The rules where the question asks how it was before: `from 800 to 1,000`."""
        kept = {role: share for role, share in holds.items() if role not in ("baseline", "tentative", "superseded")}
        if ARRIVES.search(self.words.page.text, max(0, start - 20), start):
            kept["superseded"] = 1.0
        return kept

    def _counts(self, context: Context) -> float:
        """How much of what is to be counted stands right behind a value: all of `gold medals`, or its `medals`."""
        behind = self.words.stems[context.at : max(context.behind + 2, min(context.after, context.behind + 4))]
        said = {meant for word in behind for meant in (word, *self.asked.acronyms.get(word, ()))}
        share = len(self.asked.counted & said) / len(self.asked.counted)
        return (1.0 + share) / 2 if share else 0.0

    def parts_meant(self, context: Context, later: Sequence[Context], *, sums: bool) -> list[int]:
        """Of what it is divided into, the parts that words of the question tell: `446 medals, 205 of them gold`.

        Args:
            context: The words beside it.
            later: The words beside the values that follow.
            sums: Whether these add up to it.
        """
        words, asked = self.words, self.asked
        if not later:
            return []
        parts = [index for index, other in enumerate(later) if self._may_be_part(context, other)]
        if not parts or "total" in asked.roles:
            return []
        first = words.place(later[parts[0]].at)
        if not sums and not DIVIDED.search(words.page.text, words.place(context.behind), first):
            return []
        said = self._meant(context.lead, context.after)
        return [index for index in parts if self._meant(later[index].before, later[index].after) - said]

    def _may_be_part(self, context: Context, other: Context) -> bool:
        """Whether a later value stands in the same sentence, or in the next one that begins with `Of these`."""
        if other.cell:
            return False
        if other.lead == context.lead:
            return True
        text, start = self.words.page.text, self.words.place(other.lead)
        near = not SENTENCE_BETWEEN.search(text, self.words.place(context.behind), start - 1)
        return near and OF_THESE.match(text, start) is not None

    def _meant(self, first: int, last: int) -> frozenset[str]:
        """The words of the question between two tokens, spelled out."""
        asked = self.asked
        said = self.words.stems[first:last]
        return frozenset(
            meant for word in said for meant in (word, *asked.acronyms.get(word, ())) if meant in asked.words
        )

    def _surroundings(self, start: int, end: int) -> Holds:
        around = self.words.page.around
        text = self.words.page.text
        alone = text[start - 1 : start] == "(" and text[end : end + 1] == ")"  # `hydro (28%)`
        found = {
            "aside": around.is_aside(start) and not alone,
            "question": around.is_question(end),
            "offer": around.is_offer(start, end),
            "tentative": around.is_tentative(start),
        }
        return {name: 1.0 for name, holds in found.items() if holds}

    def _of_date(self, said: Sequence[Cue], own: Sequence[Cue], end: int) -> Holds:
        """The same of a date, which has no changes and parts."""
        holds: Holds = {}
        for role in ("example", "hearsay", "superseded"):
            scope = own if role == "superseded" else (*said, *own)
            if _has(scope, role) and role not in self.asked.roles:
                holds[role] = 1.0
        if _has(said, "forecast"):
            holds["forecast"] = EXPECTED_DATE
        if self._is_afterwards(own) and "afterwards" not in self.asked.roles:
            holds["afterwards"] = 1.0
        if PUT_OFF.match(self.words.page.text, end):
            holds["superseded"] = 1.0
        return holds

    def _takes(self, near: Sequence[Cue]) -> bool:
        """Whether `mất` says how long something takes, where that is asked, and not what is lost."""
        said = [cue for cue in near if cue.role == "change"][-1:]
        return (
            bool(said)
            and HOW_LONG.search(self.asked.text) is not None
            and any(self.words.folded[cue.first : cue.last] == LOSES for cue in said)
        )

    def _is_afterwards(self, own: Sequence[Cue]) -> bool:
        """Whether something is said to be done later; `two hours later` only counts."""
        folded = self.words.folded
        said = [cue for cue in own if cue.role == "afterwards"]
        return any(UNITS_OF_TIME.isdisjoint(folded[max(0, cue.first - 1) : cue.first]) for cue in said)

    def _movement(
        self, context: Context, start: int, end: int, own: Sequence[Cue], label: frozenset[str], *, aside: bool
    ) -> Holds:
        """Whether a value says how far something moved, or where it stood before."""
        words, around = self.words, self.words.page.around
        near = words.roles(max(context.before, context.at - NEAR), context.at)
        sign = words.page.text[start]
        asked = "change" in self.asked.roles
        if asked:
            moved = _has(words.roles(context.lead, context.at), "change") and not _has(near[-1:], "level")
        else:
            deducted = sign in "-−–" and (aside or bool(context.label)) and words.page.text[end : end + 1] not in "°"
            moved = (_is_last(near, "change") and not self._takes(near)) or _has(own, "difference") or deducted
        holds: Holds = {}
        if moved or sign in "+±" or around.is_difference(end) or "change column" in label:
            holds["asked change" if asked else "change"] = 1.0
        if (around.is_baseline(start) or _is_last(near, "baseline")) and not _has(near, "limit"):
            holds["baseline"] = 1.0
        return holds

    def _calculation(self, context: Context, start: int, end: int) -> Holds:
        text = self.words.page.text
        before = text[max(0, start - 5) : start]
        equals = EQUALS.search(before) is not None
        times = TIMES_UNITS.match(text, end)
        if times and self._asks_per(stem(times[1].lower())):
            return {"asked measure": 1.0, "asked per": 1.0}  # `€120 × 3 nights`, asked per night
        if OPERATOR_BEHIND.match(text, end) or (OPERATOR.search(before) and not equals):
            return {"operand": 1.0}
        if self.words.folded[context.at - 1 : context.at] in CALCULATE and self.words.opening[context.at - 1]:
            return {"operand": 1.0}  # `Cộng 3 và 12`
        if equals:
            return {"calculated": 1.0}
        if not _has(self.words.roles(context.lead, context.at), "arithmetic"):
            return {}
        return {"operand" if _has(self.words.roles(context.at - 2, context.at), "arithmetic") else "calculated": 1.0}

    def _asks_per(self, unit: str) -> bool:
        """Whether the question asks for how much it is for one of these."""
        return unit in self.asked.per

    def _behind_contrast(self, context: Context) -> int:
        """Where the part of a sentence begins that holds for a value: behind the last `but`."""
        for index in range(context.at - 1, context.lead - 1, -1):
            if self.words.folded[index] in CONTRASTS:
                return index
        return context.lead

    def _is_correction(self, context: Context) -> bool:
        """Whether it is put in the place of something else: `Wait, it's 6`; `actually` alone does not do that."""
        said = self.words.roles(context.lead, context.at)
        if _has(said, "correction"):
            return True
        soft = next((cue for cue in said if cue.role == "soft correction"), None)
        return soft is not None and any(cue.role == "level" and cue.first >= soft.last for cue in said)

    def _correcting_sentences(self) -> list[int]:
        """Where sentences begin that take back what was said before, in order."""
        words, found = self.words, []
        for index, cue in enumerate(words.cues):
            if cue.role not in ("correction", "soft correction"):
                continue
            begin = words.page.sentences[words.page.sentence_at(words.tokens[cue.first].start)][0]
            states = any(
                later.role == "level" for later in words.cues[index + 1 : index + 3] if later.first <= cue.last + NEAR
            )
            if cue.first - words.index(begin) <= NEAR and (cue.role == "correction" or states):
                found.append(begin)
        return found


def _has(cues: Sequence[Cue], role: str) -> bool:
    return any(cue.role == role for cue in cues)


def _is_last(near: Sequence[Cue], role: str) -> bool:
    """Whether a role is given just before, and no level is stated behind it: `tăng 5`, not `tăng lên 5`."""
    last = next((cue for cue in reversed(near) if cue.role == role), None)
    return last is not None and not any(cue.role == "level" and cue.last >= last.last for cue in near)
