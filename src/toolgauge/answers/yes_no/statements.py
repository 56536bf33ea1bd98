"""The places of an answer that affirm or deny what a yes-or-no question asks, with their evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from toolgauge.core import Passage
from toolgauge.locale import fold_word

from ..page import Page
from ..question import stem
from ..reading import OFFER, REFUSAL, TENTATIVE
from .grid import by_grid, is_in_grid, rows_beside
from .labels import by_label
from .opposites import CAPITAL, folded_words
from .outright import opening_of, verdicts_in
from .polar import ONLY, TRANSITIVE, Stance, stance_of
from .subjects import YEAR, Asked, has_other_pair, is_about_another, is_named, misses_a_name, names_it
from .weekdays import weekdays_in

__all__ = ["CONDITION", "HEDGE", "WEAK_HEDGE", "WEIGHTS", "Compare", "Statement", "clauses", "says", "statements_of"]

FLAGS = re.IGNORECASE
HOURS = re.compile(r"\b[0-9]{1,2}[:h][0-9]{0,2}\s?(?:[ap]m)?\s?(?:[-–—]|to\b|đến\b|until\b)\s?[0-9]", FLAGS)
BOOKABLE = frozenset(map(fold_word, ("available", "free", "busy", "rảnh", "trống", "bận")))
"""What hours do not say of whom they are: those of a calendar are taken."""
SHUT = re.compile(r"\b(?:closed|shut|đóng\scửa|nghỉ|unavailable)\b", FLAGS)
CLAUSE = re.compile(
    r"[;(){}→➡⇒|\n]|:(?![0-9])|=>|,(?=\s)|\s[-–—]+\s|—|[.!?…](?=\s|$)|\b(?:but|nhưng|however"
    r"|song|tuy\snhiên|although|though|whereas|while|trong\skhi|mặc\sdù"
    r"|because|vì|instead|after|before|despite|sau\skhi|trước\skhi|nên|so|therefore|thus|hence|vậy|do\sđó)\b",
    FLAGS,
)
CONDITION = re.compile(
    r"\b(?:nếu|trừ\skhi|giả\ssử|if|unless|except|assuming|suppose|in\scase|provided|when\syou"
    r"|khi\snào|trường\shợp\s(?!của\sbạn|này|bạn))\b",
    FLAGS,
)
CONCLUSION = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|in\sshort|in\sother\swords|which\smeans|meaning|overall"
    r"|in\sconclusion|(?<!tuy\s)(?<!dù\s)vậy|vì\svậy|do\sđó|như\svậy|nên|tóm\slại|kết\sluận"
    r"|vì\sthế|suy\sra|nói\scách\skhác|tức\slà|cho\snên|in\syour\scase|trường\shợp\scủa\sbạn)"
    r"|kết\squả\slà|→|=>|➡|⇒|👉)\W{0,3}(?:là\s|thì\s)?$",
    FLAGS,
)
CORRECTION = re.compile(
    r"\b(?:correction|actually|in\sfact|in\sreality|on\ssecond\sthought|scratch\sthat|i\s(?:misread"
    r"|misspoke|was\swrong|made\sa\smistake)|my\smistake|let\sme\scorrect|wait"
    r"|đính\schính|thực\sra|thật\sra|thực\stế(?:\slà|\sthì)?|sửa\slại|nhầm|nói\slại|kiểm\stra\slại|đúng\sra)\b",
    FLAGS,
)
WEAK_HEDGE = re.compile(
    r"\b(?:possibly|probably|likely|unlikely|partly|partially|sometimes|có\slẽ|có\skhả\snăng"
    r"|nhiều\skhả\snăng|một\sphần)\b",
    FLAGS,
)
"""Decides nothing at the beginning of a sentence, and little behind it."""
HEDGE = re.compile(
    r"\b(?:(?:may|might|could)\s(?:well\s)?be(?=\s?[,.;]|\sbut)|can['’]t\ssay\sfor\s(?:sure|certain)|không\sdám\schắc"
    r"|maybe|perhaps|depends|depending|it\smight|might\sbe|may\sor\smay\snot|could\s(?:go|be)\seither"
    r"|either\sway|too\s(?:early|soon)\sto"
    r"|comes\sdown\sto|(?:some|một\ssố|vài|nhiều)\s(?:people|experts|analysts|chuyên\sgia"
    r"|người)\s(?:say|believe|expect|think|argue|cho|nói|dự)|có\s(?:ý\skiến|chuyên\sgia"
    r"|người)\s(?:cho|nói|dự)|hard\sto\s(?:say|tell)|(?:not|isn['’]t)\s(?:certain|clear\swhether"
    r"|guaranteed|necessarily)"
    r"|unclear\s(?:whether|if)|(?:reports|sources)\s(?:conflict|differ|disagree)"
    r"|conflicting|not\snecessarily|to\ssome\sextent|in\ssome\scases|yes\sand\sno|(?:research"
    r"|evidence|results?|opinions?|studies|experts|analysts|economists|scientists|doctors|views"
    r"|reviews)\s(?:is|are|remains?)\s(?:mixed|divided|split|inconclusive)"
    r"|phụ\sthuộc|ý\skiến\s(?:trái\schiều|khác\snhau|chia\srẽ)|chưa\s(?:có\skết\sluận|thống\snhất)"
    r"|có\svà\skhông|vừa\s(?:có|đúng)\svừa|khả\snăng\scao|chưa\schắc|không\schắc|chẳng\schắc"
    r"|tùy|tuỳ|khó\s(?:nói|đoán|khẳng)"
    r"|(?:chưa|không)\sthể\s(?:khẳng\sđịnh|kết\sluận|nói\schắc)|chưa\s(?:khẳng\sđịnh|kết\sluận)"
    r"|hên\sxui|năm\săn\snăm\sthua|mâu\sthuẫn|không\sthống\snhất"
    r"|có\sthể\s(?:có|sẽ|là\scó|không))\b",
    FLAGS,
)
CORRECTS = re.compile(
    r"\b(?:let\sme\scorrect|correction|scratch\sthat|i\s(?:misread|misspoke|was\swrong|made\sa\smistake)|my\smistake"
    r"|đính\schính|sửa\slại|nói\slại|mình\snhầm|tôi\snhầm|em\snhầm)\b",
    FLAGS,
)
CONCLUDES = re.compile(
    r"\W*(?:which\smeans|meaning|that\smeans|this\smeans|hence|tức\slà|nghĩa\slà|có\snghĩa\slà)\b", FLAGS
)
PAST = re.compile(
    r"\b(?:trước\sđây|trước\sđó|từng|năm\sngoái|previously|formerly|used\sto|earlier\sversions?"
    r"|last\s(?:year|month|quarter))\b",
    FLAGS,
)
THEN = re.compile(r"\w\s+thì\s+$", FLAGS)
"""What a short verdict is said of: `Phòng gym thì không`."""
UNSAID = re.compile(
    r"^\s*(?:what|how|which(?!\smeans)|where|who|why|when)\b|\b(?:whether(?!\s[\w-]+\sor\b)|liệu|check\sif)\b"
    r"|\b(?:to|not|cannot|please|can|should|must|cần|chưa|thể|để|hãy|nên|chờ|đợi|không|n['’]t)\s(?:confirm"
    r"|determine|verify|xác\snhận)\b",
    FLAGS,
)
PASSING = re.compile(r"[^\W\d_](?:[^:→]*[^\W\d_])?(?:,|\s[—–-]|\sbut|\snhưng)?\s*(?:(?:but|nhưng)\s)?$", FLAGS)
"""Words of the same sentence before a yes that is said in passing: `…, but yes, always check`."""
ADDRESSED = re.compile(r"\s*(?:bạn|anh|chị|em|you|it|they|he|she)\b", FLAGS)
DENIED_TO_YOU = re.compile(
    r"\s*(?:you\s(?:can(?:not|['’]t)|may\snot|won['’]t|do\snot|don['’]t)|bạn\s(?:không|chưa))\b", FLAGS
)
INCLUDED_ENDS = re.compile(
    r"[;.](?=\s|$)|\b(?:but|nhưng|không|chưa|not|excluding|except|trừ|còn|while)\b|n['’]t\b", FLAGS
)
"""Where a list of what is included ends."""
ITEM = re.compile(r"\s*(?:[-•+*–]|\(?[0-9]{1,2}[.)])\s+\S")
LABEL = re.compile(r"\s*(?:[-•+*–]\s+)?([^\W_][\w/-]*(?:\s[^\W_][\w/-]*){0,3}):\s+\S")
CONCLUDING = re.compile(
    r"(?:answer|conclusion|so|result|note|summary|đáp\sán|kết\sluận|trả\slời|tóm\slại|kết\squả|lưu\sý)\b", FLAGS
)
QUOTE_END = re.compile(rf"(?:[.!?][\"”’)]|\bạ[.!])\s+(?=[{CAPITAL}])")
"""Where a sentence ends inside quotes or politely, and the next one begins."""
RESERVED = re.compile(
    r"(?:\b(?:but|however|though|nhưng|tuy\snhiên|song)\b|—).{0,80}\b(?:only|reserved|limited"
    r"|exclusive|requires?|not|chỉ|dành\sriêng|không|chưa)\b|n['’]t\b",
    FLAGS | re.DOTALL,
)
DENIAL = re.compile(r"\b(?:not|cannot|never|no\slonger|không(?!\s(?:chỉ|những|sao|vấn))|chưa|chẳng)\b|n['’]t\b", FLAGS)
MAX_SENTENCES = 80
MAX_BACK, MAX_CLAUSES = 6, 200
"""How many clauses back what a clause speaks of is looked for, and how many of a sentence are read."""
FAINT = 1.2
"""The weight of what only repeats words of the question."""
ADVERBIAL = 4
"""How many words say when all of a sentence was: `Trong năm 2022, …`."""
LONGEST_SHOWN = 120
LONGEST_COMPARED = 300
LONGEST_LINE = 160
BACK = re.compile(r"\b(?:it|they|that|this|you|bạn|nó)\b", FLAGS)
AIMED = re.compile(
    r"\b(?:it|that|them|you|bạn|điều\snày|việc\snày|unfortunately|sadly|afraid|rất\stiếc|tiếc\slà)\b", FLAGS
)
"""What turns a sentence to the question, whose words it does not repeat."""
Compare = Callable[[str], Stance | None]
"""Holds a sentence against the limit that the question gives."""
WEIGHTS = {
    "opens the answer": 5.0,
    "yes or no": 3.0,
    "concludes": 2.0,
    "emphasised": 1.0,
    "corrects": 4.0,
    "first": 1.0,
    "names it": 0.5,
    "of what is asked": 0.3,
    "in a list": -0.8,
    "with a reservation": -2.0,
    "in passing": -1.5,
    "only of another": 1.8,
    "hours": 1.8,
    "said to you": 1.5,
    "behind a correction": 3.0,
    "a denial that concludes": 1.2,
}
"""What speaks for a statement's being the verdict, beside its own words."""
GREETING = re.compile(
    r"(?:chào|xin\schào|dạ\schào|hello|hi\b|hey|good\s(?:news|question|morning)|great\squestion"
    r"|tin\s(?:vui|tốt|buồn)|câu\shỏi\shay|cảm\sơn|thanks?)[^.!?\n]{0,80}[.!?:,]*",
    FLAGS,
)


@dataclass(frozen=True)
class Statement:
    """A place that affirms or denies what is asked."""

    value: bool
    words: str
    evidence: dict[str, float]
    opens: bool = False
    """Whether it stands in the first sentence."""

    @property
    def weight(self) -> float:
        """All evidence together."""
        return sum(self.evidence.values())

    @property
    def is_opening(self) -> bool:
        """Whether it is the first thing that is said, of what is asked: `I would advise against it`."""
        return self.opens and AIMED.search(self.words) is not None

    def passage(self) -> Passage:
        """As scores keep it."""
        return Passage(self.words.strip()[:LONGEST_SHOWN], self.value, self.evidence)


def says(sentence: str) -> bool:
    """Whether a sentence says something, and does not greet, ask or offer."""
    return (
        len(sentence.strip()) > 1 and not sentence.rstrip().endswith("?") and not GREETING.fullmatch(sentence.strip())
    )


def clauses(text: str, start: int) -> Iterator[tuple[int, int, str]]:
    """The clauses of a sentence, with where they stand."""
    begin = 0
    for match in CLAUSE.finditer(text):
        if text[begin : match.start()].strip():
            yield start + begin, start + match.start(), text[begin : match.start()]
        begin = match.end()
    if text[begin:].strip():
        yield start + begin, start + len(text), text[begin:]


def statements_of(page: Page, asked: Asked, compare: Compare | None = None) -> Iterator[Statement]:
    """Everything in an answer that affirms or denies what is asked."""
    spans = page.sentences
    if len(spans) > 2 * MAX_SENTENCES:
        spans = spans[:MAX_SENTENCES] + spans[-MAX_SENTENCES:]
    opened = corrected = False
    cells = list(by_grid(page, asked))
    beside = rows_beside(page, asked) if cells else []
    for cell_says, cell in cells:
        yield Statement(cell_says.value, page.text[cell.start : cell.end], {cell_says.rule: cell_says.weight})
    named = ":" in page.text and _has_named_label(page, spans, asked)
    for start, end in _parted(page.text, spans):
        sentence = page.text[start:end]
        if named and _is_labelled_for_another(sentence, asked):
            continue
        if not says(sentence) or OFFER.search(sentence) or is_in_grid(page, start) or (cells and "|" in sentence):
            continue
        first = not opened
        if first:
            opened = True
            said = opening_of(sentence, asked)
            if said is not None:
                evidence = {"opens the answer": WEIGHTS["opens the answer"]}
                reserved = said.value and RESERVED.search(sentence, said.start) is not None
                if reserved:
                    evidence["with a reservation"] = WEIGHTS["with a reservation"]
                yield Statement(said.value, sentence, evidence)
                if not reserved and CORRECTION.search(page.text) is None:
                    return  # nothing but a correction weighs more
                if reserved:
                    yield from _of_clauses(page, asked, (start, end))
                    continue
        held = compare(sentence) if compare and len(sentence) < LONGEST_COMPARED else None
        if held is not None:
            yield Statement(held.value, sentence, {held.rule: held.weight}, first)
        corrected = corrected or (not first and CORRECTS.search(sentence) is not None)
        for one in _of_sentence(page, asked, (start, end), held=held is not None):
            if corrected and "corrects" not in one.evidence:
                one.evidence["behind a correction"] = WEIGHTS["behind a correction"]
            words = set(folded_words(one.words)) if beside else ()
            if any(label <= words for label in beside if words):
                continue  # what is said of another row of the table
            yield replace(one, opens=first)


def _has_named_label(page: Page, spans: list[tuple[int, int]], asked: Asked) -> bool:
    """Whether a line has a label that is in the question, so that lines with other labels are of other things."""
    return any(
        (match := LABEL.match(page.text, start, min(end, start + LONGEST_LINE))) is not None
        and asked.tokens.issuperset(folded_words(match[1]))
        for start, end in spans
    )


def _is_labelled_for_another(sentence: str, asked: Asked) -> bool:
    match = LABEL.match(sentence[:LONGEST_LINE])
    return match is not None and len(set(folded_words(match[1])) - asked.tokens) > 0 and not CONCLUDING.match(match[1])


def _parted(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentences, parted where one ends inside quotes."""
    for start, end in spans:
        begin = start
        for match in QUOTE_END.finditer(text, start, end):
            yield begin, match.end()
            begin = match.end()
        if begin < end:
            yield begin, end


def _of_sentence(page: Page, asked: Asked, span: tuple[int, int], *, held: bool) -> Iterator[Statement]:
    start, end = span
    sentence = page.text[start:end]
    correcting, condition = _turns_of(sentence)
    for said in verdicts_in(sentence):
        place = start + said.start
        subject = page.around.clause_before(place)
        if is_about_another(subject, asked, opens=True) or (THEN.search(subject) and not is_named(subject, asked)):
            continue
        if page.around.is_aside(place) or (condition and condition.start() < said.start) or TENTATIVE.search(subject):
            continue
        evidence = {"yes or no": WEIGHTS["yes or no"]}
        if not CONCLUSION.search(sentence[: said.start][-40:]) and PASSING.search(sentence, 0, said.start):
            evidence["in passing"] = WEIGHTS["in passing"]
        if said.value and RESERVED.search(sentence, said.end):
            evidence["with a reservation"] = WEIGHTS["with a reservation"]
        _add(evidence, page, sentence, said.start, place, said.end - said.start, correcting)
        yield Statement(said.value, sentence[said.start : said.start + 60], evidence)
    leads_up = sentence.rstrip().endswith(":") and not ADDRESSED.match(sentence)
    if not held and not REFUSAL.search(sentence) and not leads_up:
        yield from _of_clauses(page, asked, span)


def _of_clauses(page: Page, asked: Asked, span: tuple[int, int]) -> Iterator[Statement]:
    """The clauses of a sentence that affirm or deny what is asked by what they say."""
    start, end = span
    sentence = page.text[start:end]
    correcting, condition = _turns_of(sentence)
    is_item = ITEM.match(sentence) is not None or "|" in sentence or (page.cell_at(start) is not None)
    labelled = by_label(sentence, asked) if len(sentence) < LONGEST_LINE else None
    if labelled is not None and not condition:
        yield Statement(labelled.value, sentence, {labelled.rule: labelled.weight})
        return
    before: list[str] = []
    for begin, stop, clause in islice(clauses(sentence, start), MAX_CLAUSES):
        offset = begin - start
        before.append(clause)
        if asked.objects and not TRANSITIVE.isdisjoint(folded_words(clause)):
            listed = INCLUDED_ENDS.split(sentence[offset : offset + LONGEST_COMPARED], maxsplit=1)
            clause = max(clause, listed[0], key=len)  # a list goes on behind its commas
        found = (
            _said_of_days(clause, asked) or stance_of(clause, asked) or _concluding(sentence[:offset], clause, asked)
        )
        if _is_only_another(clause, asked):
            yield Statement(False, clause, {"only of another": WEIGHTS["only of another"]})
            continue
        if found is None or (is_item and found.weight < 2.0):
            continue
        if found.rule == "repeated" and misses_a_name(sentence, asked):
            continue
        if (
            found.value
            and found.weight <= FAINT
            and asked.days
            and asked.entities
            and not names_it(" ".join(before), asked)
        ):
            continue  # of a day and a name that are asked about, words alone that neither names say nothing
        if (
            page.around.is_aside(begin)
            or _is_dropped(clause, offset, condition, found.rule)
            or _is_of_another(before, asked)
        ):
            continue
        evidence = {found.rule: found.weight}
        if not found.value and DENIED_TO_YOU.match(clause):
            evidence["said to you"] = WEIGHTS["said to you"]
        if names_it(clause, asked):
            evidence["names it"] = WEIGHTS["names it"]
        shared = asked.topic.intersection(map(stem, folded_words(clause))) if found.rule != "repeated" else ()
        if shared:
            evidence["of what is asked"] = WEIGHTS["of what is asked"] * min(len(shared), 3)
        if is_item:
            evidence["in a list"] = WEIGHTS["in a list"]
        _add(evidence, page, sentence, offset, begin, stop - begin, correcting)
        yield Statement(found.value, clause, evidence)


@lru_cache(maxsize=8)
def _turns_of(sentence: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Where a sentence corrects something, and where it makes a condition."""
    return CORRECTION.search(sentence), CONDITION.search(sentence)


def _is_only_another(clause: str, asked: Asked) -> bool:
    """Whether something of the question is so only of another thing: `SSO is only on the Enterprise plan`."""
    words = folded_words(clause)
    if asked.negated or ONLY.isdisjoint(words) or DENIAL.search(clause):
        return False
    known = asked.topic | asked.echo
    return not known.isdisjoint(map(stem, words)) and has_other_pair(clause, asked)


def _said_of_days(clause: str, asked: Asked) -> Stance | None:
    """Hours of the day that is asked about: `10:00–18:00 every day`."""
    if not asked.weekdays or asked.weekdays.isdisjoint(weekdays_in(clause)):
        return None
    if SHUT.search(clause):
        return Stance(asked.negated, WEIGHTS["hours"], "hours")
    if not HOURS.search(clause) or not BOOKABLE.isdisjoint(asked.tokens):
        return None
    return Stance(not asked.negated, WEIGHTS["hours"], "hours")


def _concluding(before: str, clause: str, asked: Asked) -> Stance | None:
    """A denial behind `so` or an arrow, whatever its words: `so Standard users don't get it`."""
    concludes = CONCLUSION.search(before[-40:]) or CONCLUDES.match(clause)
    if not concludes or not DENIAL.search(clause) or not asked.tokens or asked.negated:
        return None
    words = folded_words(clause)
    if len(words) > 16 or (asked.tokens.isdisjoint(words) and BACK.search(clause) is None):
        return None
    return Stance(False, WEIGHTS["a denial that concludes"], "a denial that concludes")


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
    if CONCLUSION.search(before) or CONCLUDES.match(sentence, offset):
        evidence["concludes"] = WEIGHTS["concludes"]
    if any(first < place + length and place < last and last - first > 1 for first, last in page.emphasised[:200]):
        evidence["emphasised"] = WEIGHTS["emphasised"]
    if correcting and correcting.start() <= offset + 3:
        evidence["corrects"] = WEIGHTS["corrects"]


def _is_of_another(clauses: list[str], asked: Asked) -> bool:
    """Whether the last clause speaks of something else: itself, or by one before it that it goes on with."""
    first = folded_words(clauses[0])
    if len(first) <= ADVERBIAL and YEAR.search(clauses[0]) and is_about_another(clauses[0], asked, opens=True):
        return not any(year in clause for clause in clauses[1:] for year in asked.years)
    if asked.years and not asked.years.isdisjoint(YEAR.findall(clauses[-1])):
        return is_about_another(clauses[-1], asked, opens=len(clauses) == 1)
    for index in range(len(clauses) - 1, max(-1, len(clauses) - 1 - MAX_BACK), -1):
        if is_about_another(clauses[index], asked, opens=index == 0):
            return True
        if names_it(clauses[index], asked):
            return False
    return False


def _is_dropped(clause: str, offset: int, condition: re.Match[str] | None, rule: str) -> bool:
    """Whether a clause is about a condition, the past, hearsay or a doubt."""
    if condition and condition.start() < offset + len(clause):
        return True
    cues = (PAST, HEDGE, WEAK_HEDGE, UNSAID) if rule == "unfinished" else (PAST, TENTATIVE, HEDGE, WEAK_HEDGE, UNSAID)
    return any(cue.search(clause) for cue in cues)
