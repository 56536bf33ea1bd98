"""Scores answers that say yes or no."""

from __future__ import annotations

import re

from toolgauge.core import Answer
from toolgauge.locale import PROFILES

from .answer_type import SWITCH_SCHEMA, AnswerType, Scorer, Setting, Spec
from .page import Page, read_page
from .reading import REFUSAL, is_declined
from .yes_no.ending import by_end
from .yes_no.implied import implied_by
from .yes_no.labels import by_limit, read_limit
from .yes_no.measures import by_measure, read_measures
from .yes_no.outright import opening_of, plainly, stamped, verdicts_in
from .yes_no.polar import Stance, read_asked, stance_of
from .yes_no.statements import CONDITION, HEDGE, WEAK_HEDGE, WEIGHTS, Compare, Statement, clauses, says, statements_of
from .yes_no.subjects import Asked, is_on_topic

__all__ = ["BOOLEAN"]

FLAGS = re.IGNORECASE
PERHAPS = re.compile(r"\W*có\sthể(?=\s?(?:[.,;!—–-]|nhưng|$))", FLAGS)
UNDECIDED = re.compile(
    r"\b(?:nhưng|but|song)\b.{0,30}\b(?:chắc|sure|certain|tùy|depends)\b|\b(?:chưa|không)\schắc\b", FLAGS
)
UNNAMED = {"words of the question", "contrary of the question", "emphasised"}
"""Evidence of a statement that need not be about what is asked."""
MARGIN = 0.5
"""Two contrary statements whose evidence differs by less are not told apart."""
PRONOUN = re.compile(
    r"\W*(?:it|they|he|she|this|nó|họ)\s(?:is|are|was|were|has|have|had|do|does|did|đã|vẫn|đang)\b", FLAGS
)


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `boolean` reference."""
    value = spec["value"] is True
    asked = read_asked(setting.asked)
    compare = _comparison(setting, asked)

    def score(output: str) -> Answer:
        return _judge(read_page(output), asked, value, compare)

    return score


def _comparison(setting: Setting, asked: Asked) -> Compare | None:
    """What holds a sentence against the numbers of the question."""
    text = setting.asked.text
    if not text:
        return None
    limit, measures = read_limit(text, setting.locale), read_measures(text)

    def compare(sentence: str) -> Stance | None:
        held = by_limit(sentence, asked, limit, setting.locale) if limit else None
        return held or by_measure(sentence, asked, measures, text) or by_end(sentence, text, setting)

    return compare


def _name(value: bool) -> str:
    return "yes" if value else "no"


def _judge(page: Page, asked: Asked, value: bool, compare: Compare | None) -> Answer:
    marked = _marked(page, asked)
    if marked == "declined":
        return Answer("wrong", None, "neither yes nor no in the answer")
    if isinstance(marked, bool):
        return _compare(marked, value)
    statements = list(statements_of(page, asked, compare))
    strong = [one for one in statements if one.weight >= 1.2]
    lead = next(
        (one for one in strong if one.is_opening or one.evidence.keys() - UNNAMED), strong[0] if strong else None
    )
    if lead is not None:
        lead.evidence["first"] = WEIGHTS["first"]
    statements.sort(key=lambda one: -one.weight)
    undecided = _undecided(page, asked, statements, value)
    if undecided is not None:
        return _by_stamp(page, value) or undecided
    best = statements[0]
    rival = next((one for one in statements if one.value is not best.value), None)
    if rival is not None and rival.weight > best.weight - MARGIN:
        return Answer("ambiguous", None, "the answer says yes and no", best.passage(), rival.passage())
    answer = _compare(best.value, value)
    if rival is None:
        return answer
    return Answer(answer.verdict, answer.found, answer.reason, best.passage(), rival.passage())


def _by_stamp(page: Page, value: bool) -> Answer | None:
    """The verdict by emphasised words such as `FAIL`, where nothing else is said."""
    said = {stamped(page.text[first:last]) for first, last in page.emphasised[:50]} - {None}
    return _compare(True in said, value) if len(said) == 1 else None


def _compare(found: bool, value: bool) -> Answer:
    return Answer("right" if found is value else "wrong", found, f"says {_name(found)}, expected {_name(value)}")


def _undecided(page: Page, asked: Asked, statements: list[Statement], value: bool) -> Answer | None:
    """What to say of an answer that takes no side; None where it does."""
    strongest = statements[0].weight if statements else 0.0
    first = next((page.text[start:end] for start, end in page.sentences if says(page.text[start:end])), "")
    hedged = _is_hedged(first, asked)
    if hedged and strongest < WEIGHTS["yes or no"] + WEIGHTS["concludes"]:
        return Answer("ambiguous", None, "the answer takes no side")
    if strongest >= WEIGHTS["yes or no"]:
        return None
    if REFUSAL.search(first):
        return Answer("wrong", None, "neither yes nor no in the answer")
    if statements:
        late = page.text[-400:]
        if strongest < 2.4 and HEDGE.search(late) and HEDGE.search(_last_sentence(page)):
            return Answer("ambiguous", None, "the answer takes no side")
        return None
    edges = " ".join(page.text[start:end] for start, end in (*page.sentences[:2], *page.sentences[-2:]))
    if HEDGE.search(edges) or (
        CONDITION.search(page.text) and any(True for _ in verdicts_in(page.text[:4000])) and not REFUSAL.search(edges)
    ):
        return Answer("ambiguous", None, "the answer takes no side")
    said = None if asked.echo or asked.entities else plainly(page.text.strip())
    if said is not None:
        return _compare(said, value)
    if (is_on_topic(page.text, asked) or (asked.tokens and PRONOUN.match(page.text))) and not REFUSAL.search(edges):
        implied = implied_by(page, asked)
        if implied is not None:
            return _compare(implied, value)
        return Answer("ambiguous", None, "the answer says neither clearly yes nor clearly no")
    return Answer("wrong", None, "neither yes nor no in the answer")


def _is_hedged(first: str, asked: Asked) -> bool:
    if PERHAPS.match(first):
        return "thể" not in " ".join(asked.triggers) or UNDECIDED.search(first) is not None
    hedged = HEDGE.search(first) is not None or WEAK_HEDGE.search(first[:50]) is not None
    return hedged and opening_of(first, asked) is None


def _last_sentence(page: Page) -> str:
    start, end = page.sentences[-1] if page.sentences else (0, 0)
    return page.text[start:end]


def _marked(page: Page, asked: Asked) -> bool | str | None:
    """What stands behind the last marker; `declined` where that is a refusal."""
    marker = page.marker
    if marker is None:
        return None
    rest = page.text[marker.end() :].lstrip(" \t\n:*>")
    line = rest.partition("\n")[0]
    said = opening_of(line, asked)
    if said is None:
        said = next((one for one in verdicts_in(line)), None)
    if said is not None:
        return said.value
    if marker["soft"] is None and (is_declined(rest) or REFUSAL.search(line)):
        return "declined"
    stances = [found for _, _, clause in clauses(line, 0) if (found := stance_of(clause, asked)) is not None]
    if stances and len({found.value for found in stances}) == 1:
        return stances[0].value
    return None


def _check(spec: Spec) -> list[str]:
    return [] if isinstance(spec.get("value"), bool) else ["a boolean answer needs the value true or false"]


def _read_cell(cell: str) -> bool:
    said, profiles = cell.casefold(), PROFILES.values()
    if said in ("true", "1") or any(said in profile.yes for profile in profiles):
        return True
    if said in ("false", "0") or any(said in profile.no for profile in profiles):
        return False
    raise ValueError("is neither true nor false")


BOOLEAN = AnswerType(
    "boolean",
    _prepare,
    _check,
    {"value": SWITCH_SCHEMA},
    read_cell=_read_cell,
    called=("boolean", "bool", "yes/no", "true/false", "có/không", "có không", "đúng/sai", "đúng sai", "logic"),
)
