"""Scores answers that say yes or no."""

from __future__ import annotations

import re
from collections.abc import Callable

from toolgauge.core import Answer
from toolgauge.locale import PROFILES

from .answer_type import SWITCH_SCHEMA, AnswerType, Scorer, Setting, Spec
from .page import Page, read_page
from .reading import REFUSAL, is_declined
from .yes_no.asking import read_asked
from .yes_no.comparing import asks_change, by_change, by_comparison, read_comparison
from .yes_no.ending import asks_end, asks_year, by_end, by_year
from .yes_no.hours import asks_months, asks_slot, asks_time, by_days, by_event, by_months, by_slot, by_time
from .yes_no.implied import asks_holder, by_holder, implied_by
from .yes_no.labels import asks_group, asks_price, by_group, by_limit, by_price, read_limit
from .yes_no.measures import asks_count, by_amount, by_count, by_measure, read_amounts, read_measures
from .yes_no.opposites import folded_words
from .yes_no.outright import ELLIPSIS, opening_of, plainly, stamped, verdicts_in
from .yes_no.polar import Stance, stance_of
from .yes_no.statements import CONDITION, HEDGE, WEAK_HEDGE, WEIGHTS, Compare, Statement, clauses, says, statements_of
from .yes_no.subjects import Asked, is_on_topic

__all__ = ["BOOLEAN"]

FLAGS = re.IGNORECASE
Survey = Callable[[Page], Stance | None]
PERHAPS = re.compile(r"\W*có\sthể(?=\s?(?:[.,;!—–-]|nhưng|$))", FLAGS)
UNDECIDED = re.compile(
    r"\b(?:nhưng|but|song)\b.{0,30}\b(?:chắc|sure|certain|tùy|depends)\b|\b(?:chưa|không)\schắc\b", FLAGS
)
UNVERIFIED = re.compile(
    r"\b(?:timed\sout|i\shave\sno|i\sdon['’]t\shave|(?:không|chưa)\s(?:tra|tìm|kiểm\stra)\s(?:cứu\s)?(?:được|ra|thấy)|returned\s(?:an?\serror|nothing|no\s))\b|\b(?:(?:was|were|am|are|is)(?:\snot|n['’]t)\sable|(?:was|were|am|are)\sunable|could(?:\snot|n['’]t)|can(?:not|['’]t|\snot)|unable)\s(?:to\s)?(?:\w+\s)?"
    r"(?:verify|confirm|determine|find|locate|check|establish|tell|access)\b|\b(?:không|chưa)\s(?:thể\s)?(?:xác\s(?:minh|nhận|thực)|kiểm\schứng|tra\scứu)\sđược\b"
    r"|\b(?:không|chưa)\sthể\s(?:xác\s(?:minh|nhận|định|thực)|kiểm\s(?:chứng|tra)|tra\scứu)\b|\b(?:no|không\scó|chưa\scó)\s(?:\w+\s)?(?:record|information|data|mention|thông\stin|dữ\sliệu|nguồn)\b",
    FLAGS,
)
"""What an answer opens with that has not found out."""
PARTS = re.compile(r"[,;\n]\s*")
FIELD = re.compile(r"\W*(?:[^:]{0,40}:\s)?\w+:\s\S")
FEWEST_FIELDS = 4
"""Names with values make a record, of which a shorter text may say something."""
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
    compare, survey = _comparison(setting, asked), _survey(setting, asked)

    def score(output: str) -> Answer:
        return _judge(read_page(output), asked, value, compare, survey)

    return score


def _comparison(setting: Setting, asked: Asked) -> Compare | None:
    """What holds a sentence against the numbers of the question."""
    text, locale = setting.asked.text, setting.locale
    if not text:
        return None
    limit, measures, amounts = read_limit(text, locale), read_measures(text), read_amounts(text, locale)

    ways: list[tuple[bool, Compare]] = [
        (limit is not None, lambda said: by_limit(said, asked, limit, locale) if limit else None),
        (True, lambda said: by_measure(said, asked, measures, text)),
        (bool(amounts), lambda said: by_amount(said, asked, amounts, locale)),
        (asks_end(text), lambda said: by_end(said, text, setting)),
        (asks_year(text), lambda said: by_year(said, asked, text)),
        (asks_time(text), lambda said: by_time(said, asked, text)),
        (asks_months(text), lambda said: by_months(said, asked, text)),
        (asks_change(text), lambda said: by_change(said, asked, text, locale)),
        (asks_count(text), lambda said: by_count(said, asked)),
        (asks_price(asked, text), lambda said: by_price(said, asked, text)),
        (asks_group(asked), lambda said: by_group(said, asked)),
    ]
    chosen = [way for fits, way in ways if fits]

    def compare(sentence: str) -> Stance | None:
        return next((held for way in chosen if (held := way(sentence)) is not None), None)

    return compare


def _survey(setting: Setting, asked: Asked) -> Survey | None:
    """What holds figures and days that stand in several places of an answer against each other."""
    text = setting.asked.text
    if not text:
        return None
    sides = read_comparison(text)
    ways: list[tuple[bool, Survey]] = [
        (sides is not None, lambda page: by_comparison(page, asked, sides, setting.locale) if sides else None),
        (bool(asked.weekdays), lambda page: by_event(page, asked, text) or by_days(page, asked, text)),
        (asks_slot(text), lambda page: by_slot(page, asked, text)),
        (asks_holder(text), lambda page: by_holder(page, text)),
    ]
    chosen = [way for fits, way in ways if fits]

    def survey(page: Page) -> Stance | None:
        return next((seen for way in chosen if (seen := way(page)) is not None), None)

    return survey if chosen else None


def _name(value: bool) -> str:
    return "yes" if value else "no"


def _judge(page: Page, asked: Asked, value: bool, compare: Compare | None, survey: Survey | None) -> Answer:
    marked = _marked(page, asked)
    if marked == "declined":
        return Answer("wrong", None, "neither yes nor no in the answer")
    if isinstance(marked, bool):
        return _compare(marked, value)
    statements = list(statements_of(page, asked, compare))
    seen = survey(page) if survey is not None else None
    if seen is not None:
        statements.insert(0, Statement(seen.value, page.text, {seen.rule: seen.weight}))
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
    if strongest >= WEIGHTS["opens the answer"]:
        return None
    unknown = UNVERIFIED.search(first) is not None
    if strongest >= WEIGHTS["yes or no"] and not unknown:
        return None
    if unknown or REFUSAL.search(first):
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
    if _is_record(page.text) and _lacks_what_is_asked(page.text, asked):
        return Answer("wrong", None, "neither yes nor no in the answer")
    if (is_on_topic(page.text, asked) or (asked.tokens and PRONOUN.match(page.text))) and not REFUSAL.search(edges):
        implied = implied_by(page, asked)
        if implied is not None:
            return _compare(implied, value)
        return Answer("ambiguous", None, "the answer says neither clearly yes nor clearly no")
    if asked.tokens and CONDITION.search(page.text) and ELLIPSIS.search(page.text) and not REFUSAL.search(edges):
        return Answer("ambiguous", None, "the answer takes no side")
    return Answer("wrong", None, "neither yes nor no in the answer")


def _is_record(text: str) -> bool:
    """Whether a text only lists names and values that tools gave: `city: London, high: 9, low: 4`."""
    parts = [part for part in PARTS.split(text[:2000]) if part.strip()]
    fields = sum(FIELD.match(part) is not None for part in parts)
    return fields >= FEWEST_FIELDS and 2 * fields > len(parts)


def _lacks_what_is_asked(text: str, asked: Asked) -> bool:
    """Whether a record of what the question names has nothing of what it asks of that."""
    words = folded_words(text[:2000])
    return bool(asked.key) and asked.key.isdisjoint(words) and not asked.entities.isdisjoint(words)


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
