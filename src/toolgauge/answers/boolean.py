"""Scores answers that say yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from toolgauge.core import Answer, Passage
from toolgauge.locale import PROFILES

from .answer_type import SWITCH_SCHEMA, AnswerType, Scorer, Setting, Spec
from .page import Page, read_page
from .polar import read_asked, stance_of
from .reading import OFFER, REFUSAL, TENTATIVE, is_declined
from .subjects import Asked, is_about_another, is_named, is_on_topic, misses_a_name, names_it
from .yes_no import opening_of, plainly, stamped, verdicts_in

__all__ = ["BOOLEAN"]

FLAGS = re.IGNORECASE
CLAUSE = re.compile(
    r"[;:(){}→|\n]|=>|,(?=\s)|\s[-–—]+\s|—|[.!?…](?=\s|$)|\b(?:but|nhưng|however|song|tuy\snhiên|although|though|whereas|while|trong\skhi|mặc\sdù"
    r"|because|vì|instead|after|before|despite|sau\skhi|trước\skhi|nên|so|therefore|thus|hence|vậy|do\sđó)\b",
    FLAGS,
)
CONDITION = re.compile(
    r"\b(?:nếu|trừ\skhi|giả\ssử|if|unless|except|assuming|suppose|in\scase|provided|when\syou|khi\snào|trường\shợp\s(?!của\sbạn|này|bạn))\b",
    FLAGS,
)
CONCLUSION = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|in\sshort|in\sother\swords|which\smeans|meaning|overall|in\sconclusion|vậy|vì\svậy|do\sđó|như\svậy|nên|tóm\slại|kết\sluận"
    r"|vì\sthế|suy\sra|nói\scách\skhác|tức\slà|cho\snên|in\syour\scase|trường\shợp\scủa\sbạn)|→|=>)\W{0,3}(?:là\s|thì\s)?$",
    FLAGS,
)
CORRECTION = re.compile(
    r"\b(?:correction|actually|in\sfact|in\sreality|on\ssecond\sthought|scratch\sthat|i\s(?:misread|misspoke|was\swrong|made\sa\smistake)|my\smistake|let\sme\scorrect|wait"
    r"|đính\schính|thực\sra|thật\sra|thực\stế(?:\slà|\sthì)?|sửa\slại|nhầm|nói\slại|kiểm\stra\slại|đúng\sra)\b",
    FLAGS,
)
WEAK_HEDGE = re.compile(
    r"\b(?:possibly|probably|likely|unlikely|partly|partially|sometimes|có\slẽ|có\skhả\snăng|nhiều\skhả\snăng|một\sphần)\b",
    FLAGS,
)
"""Decides nothing at the beginning of a sentence, and little behind it."""
HEDGE = re.compile(
    r"\b(?:maybe|perhaps|depends|depending|it\smight|might\sbe|may\sor\smay\snot|could\s(?:go|be)\seither|either\sway|too\s(?:early|soon)\sto"
    r"|hard\sto\s(?:say|tell)|(?:not|isn['’]t)\s(?:certain|clear\swhether|guaranteed|necessarily)|unclear\s(?:whether|if)|(?:reports|sources)\s(?:conflict|differ|disagree)"
    r"|conflicting|not\snecessarily|to\ssome\sextent|in\ssome\scases|yes\sand\sno"
    r"|có\svà\skhông|vừa\s(?:có|đúng)\svừa|khả\snăng\scao|chưa\schắc|không\schắc|chẳng\schắc|tùy|tuỳ|khó\s(?:nói|đoán|khẳng)"
    r"|(?:chưa|không)\sthể\s(?:khẳng\sđịnh|kết\sluận|nói\schắc)|chưa\s(?:khẳng\sđịnh|kết\sluận)|hên\sxui|năm\săn\snăm\sthua|mâu\sthuẫn|không\sthống\snhất"
    r"|có\sthể\s(?:có|sẽ|là\scó|không))\b",
    FLAGS,
)
PERHAPS = re.compile(r"\W*có\sthể(?=\s?(?:[.,;!—–-]|nhưng|$))", FLAGS)
UNDECIDED = re.compile(
    r"\b(?:nhưng|but|song)\b.{0,30}\b(?:chắc|sure|certain|tùy|depends)\b|\b(?:chưa|không)\schắc\b", FLAGS
)
PAST = re.compile(
    r"\b(?:trước\sđây|trước\sđó|từng|năm\sngoái|previously|formerly|used\sto|earlier\sversions?|last\s(?:year|month|quarter))\b",
    FLAGS,
)
THEN = re.compile(r"\w\s+thì\s+$", FLAGS)
"""What a short verdict is said of: `Phòng gym thì không`."""
UNSAID = re.compile(
    r"^\s*(?:what|how|which|where|who|why|when)\b|\b(?:whether|liệu|confirm|determine|verify|xác\snhận|check\sif)\b",
    FLAGS,
)
ITEM = re.compile(r"\s*(?:[-•+*–]|\(?[0-9]{1,2}[.)])\s+\S")
MARGIN = 0.5
"""Two contrary statements whose evidence differs by less are not told apart."""
MAX_SENTENCES = 80
LONGEST_SHOWN = 120
WEIGHTS = {
    "opens the answer": 5.0,
    "yes or no": 3.0,
    "concludes": 1.5,
    "emphasised": 1.0,
    "corrects": 4.0,
    "first": 1.0,
    "names it": 0.5,
    "in a list": -0.8,
}
"""What speaks for a statement's being the verdict, beside its own words."""


@dataclass(frozen=True)
class Statement:
    """A place that affirms or denies what is asked."""

    value: bool
    words: str
    evidence: dict[str, float]

    @property
    def weight(self) -> float:
        """All evidence together."""
        return sum(self.evidence.values())

    def passage(self) -> Passage:
        """As scores keep it."""
        return Passage(self.words.strip()[:LONGEST_SHOWN], self.value, self.evidence)


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `boolean` reference."""
    value = spec["value"] is True
    asked = read_asked(setting.asked)

    def score(output: str) -> Answer:
        return _judge(read_page(output), asked, value)

    return score


def _name(value: bool) -> str:
    return "yes" if value else "no"


def _judge(page: Page, asked: Asked, value: bool) -> Answer:
    marked = _marked(page, asked)
    if marked == "declined":
        return Answer("wrong", None, "neither yes nor no in the answer")
    if isinstance(marked, bool):
        return _compare(marked, value)
    statements = list(_statements(page, asked))
    lead = next((one for one in statements if one.weight >= 1.2), None)
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
    first = next((page.text[start:end] for start, end in page.sentences if _says(page.text[start:end])), "")
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
    if is_on_topic(page.text, asked) and not REFUSAL.search(edges):
        return Answer("ambiguous", None, "whether yes or no cannot be read from the answer")
    return Answer("wrong", None, "neither yes nor no in the answer")


def _is_hedged(first: str, asked: Asked) -> bool:
    if PERHAPS.match(first):
        return "thể" not in " ".join(asked.triggers) or UNDECIDED.search(first) is not None
    hedged = HEDGE.search(first) is not None or WEAK_HEDGE.search(first[:50]) is not None
    return hedged and opening_of(first, asked) is None


def _last_sentence(page: Page) -> str:
    start, end = page.sentences[-1] if page.sentences else (0, 0)
    return page.text[start:end]


def _says(sentence: str) -> bool:
    """Whether a sentence says something, and does not greet, ask or offer."""
    return (
        len(sentence.strip()) > 1 and not sentence.rstrip().endswith("?") and not GREETING.fullmatch(sentence.strip())
    )


GREETING = re.compile(
    r"(?:chào|xin\schào|dạ\schào|hello|hi\b|hey|good\s(?:news|question|morning)|great\squestion|tin\s(?:vui|tốt|buồn)|câu\shỏi\shay|cảm\sơn|thanks?)[^.!?\n]{0,80}[.!?:,]*",
    FLAGS,
)


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
    stances = [found for _, _, clause in _clauses(line, 0) if (found := stance_of(clause, asked)) is not None]
    if stances and len({found.value for found in stances}) == 1:
        return stances[0].value
    return None


def _clauses(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    """The clauses of a sentence, with where they stand."""
    begin = 0
    for match in CLAUSE.finditer(text):
        if text[begin : match.start()].strip():
            yield start + begin, start + match.start(), text[begin : match.start()]
        begin = match.end()
    if text[begin:].strip():
        yield start + begin, start + len(text), text[begin:]


def _statements(page: Page, asked: Asked) -> Iterator[Statement]:
    """Everything in an answer that affirms or denies what is asked."""
    spans = page.sentences
    if len(spans) > 2 * MAX_SENTENCES:
        spans = spans[:MAX_SENTENCES] + spans[-MAX_SENTENCES:]
    opened = False
    for start, end in spans:
        sentence = page.text[start:end]
        if not _says(sentence) or OFFER.search(sentence):
            continue
        first = not opened
        if first:
            opened = True
            said = opening_of(sentence, asked)
            if said is not None:
                yield Statement(said.value, sentence, {"opens the answer": WEIGHTS["opens the answer"]})
                if CORRECTION.search(page.text) is None:
                    return  # nothing but a correction weighs more
        yield from _of_sentence(page, asked, (start, end))


def _of_sentence(page: Page, asked: Asked, span: tuple[int, int]) -> Iterator[Statement]:
    start, end = span
    sentence = page.text[start:end]
    correcting = CORRECTION.search(sentence)
    condition = CONDITION.search(sentence)
    is_item = ITEM.match(sentence) is not None or "|" in sentence or (page.cell_at(start) is not None)
    for said in verdicts_in(sentence):
        place = start + said.start
        subject = page.around.clause_before(place)
        if is_about_another(subject, asked, opens=True) or (THEN.search(subject) and not is_named(subject, asked)):
            continue
        if page.around.is_aside(place) or (condition and condition.start() < said.start) or TENTATIVE.search(subject):
            continue
        evidence = {"yes or no": WEIGHTS["yes or no"]}
        _add(evidence, page, sentence, said.start, place, said.end - said.start, correcting)
        yield Statement(said.value, sentence[said.start : said.start + 60], evidence)
    if REFUSAL.search(sentence):
        return
    before: list[str] = []
    for begin, stop, clause in _clauses(sentence, start):
        offset = begin - start
        before.append(clause)
        found = stance_of(clause, asked)
        if found is None or (is_item and found.weight < 2.0):
            continue
        if found.rule == "repeated" and misses_a_name(sentence, asked):
            continue
        if page.around.is_aside(begin) or _is_dropped(clause, offset, condition) or _is_of_another(before, asked):
            continue
        evidence = {found.rule: found.weight}
        if names_it(clause, asked):
            evidence["names it"] = WEIGHTS["names it"]
        if is_item:
            evidence["in a list"] = WEIGHTS["in a list"]
        _add(evidence, page, sentence, offset, begin, stop - begin, correcting)
        yield Statement(found.value, clause, evidence)


def _add(
    evidence: dict[str, float],
    page: Page,
    sentence: str,
    offset: int,
    place: int,
    length: int,
    correcting: re.Match[str] | None,
) -> None:
    """Add what the surroundings of a statement say."""
    before = sentence[:offset][-40:]
    if CONCLUSION.search(before):
        evidence["concludes"] = WEIGHTS["concludes"]
    if any(first < place + length and place < last and last - first > 1 for first, last in page.emphasised[:200]):
        evidence["emphasised"] = WEIGHTS["emphasised"]
    if correcting and correcting.start() <= offset + 3:
        evidence["corrects"] = WEIGHTS["corrects"]


def _is_of_another(clauses: list[str], asked: Asked) -> bool:
    """Whether the last clause speaks of something else: itself, or by one before it that it goes on with."""
    for index in range(len(clauses) - 1, -1, -1):
        if is_about_another(clauses[index], asked, opens=index == 0):
            return True
        if names_it(clauses[index], asked):
            return False
    return False


def _is_dropped(clause: str, offset: int, condition: re.Match[str] | None) -> bool:
    """Whether a clause is about a condition, the past, hearsay or a doubt."""
    if condition and condition.start() < offset + len(clause):
        return True
    return any(cue.search(clause) for cue in (PAST, TENTATIVE, HEDGE, WEAK_HEDGE, UNSAID))


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
