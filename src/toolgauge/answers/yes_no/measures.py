"""What limits and shares say to a yes-or-no question: `at most 5 days` where 10 are asked about, `92% of plan`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import ge, gt, le, lt

from toolgauge.locale import Locale, find_numbers, fold_word

from ..question import stem
from .opposites import folded_words
from .polar import NEEDING, Stance, stance_of
from .subjects import YEAR, Asked, is_about_another

__all__ = ["AskedMeasures", "asks_count", "by_amount", "by_count", "by_measure", "read_amounts", "read_measures"]

FLAGS = re.IGNORECASE
AMOUNT = r"[0-9]+(?:[.,][0-9]+)?"
MEASURE = re.compile(rf"(?<![\w./-])({AMOUNT})[\s-]?([^\W\d_]+)(?:[\s-](old|tuổi))?", FLAGS)
LIMITED = re.compile(
    r"(?:(?P<most>tối\sđa|(?:tải\strọng|trọng\stải)(?:\scho\sphép|\stối\sđa)?|không\s(?:vượt\s)?quá"
    r"|at\smost|up\sto|no\smore\sthan|a?\s?max(?:imum)?(?:\sof)?"
    r"|(?:giới\shạn|limited|limit|capped)(?:\s(?:is|of|to|at|là))?|≤|within|trong(?:\svòng)?|up\sto\sand\sincluding)"
    r"|(?P<less>dưới|under|less\sthan|below|fewer\sthan|younger\sthan|chưa\sđến)"
    r"|(?P<least>tối\sthiểu|ít\snhất|at\sleast|a?\s?min(?:imum)?(?:\sof)?|từ\sđủ|từ|≥|đủ)"
    r"|(?P<more>trên|hơn|over|more\sthan|above|older\sthan|exceeding))"
    rf"\s?(?:là\s|is\s|the\s|a\s|the\sage\sof\s|độ\s)?(?P<amount>{AMOUNT})[\s-]?(?P<unit>[^\W\d_]+)",
    FLAGS,
)
BEHIND = re.compile(
    rf"(?P<amount>{AMOUNT})[\s-]?(?P<unit>[^\W\d_]+)(?:\sof\sage|\sold)?\s"
    r"(?:(?P<least>trở\slên|or\s(?:more|older|above|over|longer)|and\s(?:over|above|older|up))"
    r"|(?P<most>trở\sxuống|or\s(?:less|under|younger|fewer)|and\s(?:under|below)|(?:weight\s"
    r"|size\s)?(?:limit|maximum|max|window)\b))",
    FLAGS,
)
AGED = re.compile(
    r"\b(?:(?P<least>(?:must|have\sto|need\sto)\sbe\s(?:at\sleast\s|over\s)?|from\sage\s|aged?\s(?:at\sleast\s)?"
    r"|phải\s(?:từ\s|đủ\s|từ\sđủ\s)|từ\s(?:đủ\s)?)"
    r"|(?P<less>under\s(?:the\sage\sof\s)?|below\s(?:the\sage\sof\s)?))(?P<amount>[1-9][0-9])\b(?!\s?[%/:.,]?[0-9]"
    r"|\s(?:days?|hours?|ngày|giờ|tháng|months?))",
    FLAGS,
)
AGE = frozenset(map(fold_word, ("year", "tuổi")))
SIDES: dict[str, Callable[[float, float], bool]] = {"most": le, "least": ge, "less": lt, "more": gt}
NO_UNITS = frozenset(map(fold_word, ("và", "to", "and", "or", "đến", "năm", "của", "the", "of", "at", "in", "is")))
RULED = re.compile(
    r"\b(?:must|phải|allow(?:s|ed)?|permit\w*|được|cho\sphép|can|may|only|chỉ|eligible|qualif\w+"
    r"|điều\skiện|quy\sđịnh|yêu\scầu"
    r"|requires?|required|limit(?:ed)?|giới\shạn|allowance|cap|sleeps?|seats?|accommodates?|fits?|holds?|chứa"
    r"|policy|chính\ssách|valid|áp\sdụng|appl(?:y|ies)|accepts?|nhận)\b",
    FLAGS,
)
DENIED = re.compile(r"\b(?:not|không|chưa)\s|n['’]t\s", FLAGS)
SHARE = re.compile(
    rf"({AMOUNT})\s?%\s(?:(?:so\svới\s|của\s)?(?:kế\shoạch|mục\stiêu|chỉ\stiêu|dự\stoán|ngân\ssách|khối\slượng)"
    r"|of\s(?:the\s|its\s|our\s|annual\s|full-year\s|year\s){0,2}(?:target|plan|goal|quota|budget))\b",
    FLAGS,
)
REACHING = re.compile(
    r"\b(?:đạt|hoàn\sthành|vượt|meet|met|hit|reach(?:ed)?|exceed(?:ed)?|beat|surpass(?:ed)?|achieved?)\b", FLAGS
)
EXCEEDING = re.compile(r"\b(?:vượt|exceed(?:ed)?|beat|surpass(?:ed)?|over|above)\b", FLAGS)
BOUND = re.compile(
    r"\b(?:(?P<over>over|above|beyond|exceed(?:s|ed|ing)?|vượt(?:\squá)?|quá|cao\shơn|lớn\shơn)"
    r"|(?P<under>under|below|within|inside|dưới|trong|thấp\shơn|nhỏ\shơn|not\sexceed(?:ing)?))"
    r"\s(?:the\s|its\s|your\s|our\s|airline's\s)?(?:[0-9][0-9.,]*[\s-]?[^\W\d_]+\s)?(?:weight\s"
    r"|size\s|maximum\s|safe\s|legal\s|mức\s)?"
    r"(?:limits?|capacity|maximum|allowance|ceiling|threshold|giới\shạn|tải\strọng|cho\sphép"
    r"|ngưỡng|sức\schứa|hạn\smức|tối\sđa)\b",
    FLAGS,
)
WEIGHTS = {
    "within a limit": 1.7,
    "share of a plan": 2.2,
    "beyond a limit": 2.0,
    "number in stock": 2.4,
    "amount that is asked": 2.2,
}
ABOVE = re.compile(
    r"\b(?:(?P<most>up\sto|at\smost|within|no\smore\sthan|capped\sat|limited\sto|limit\sof|tối\sđa"
    r"|không\s(?:vượt\s)?quá|đến|hạn\smức)"
    r"|(?P<less>below|under|less\sthan|fewer\sthan|lower\sthan|smaller\sthan|dưới|chưa\sđến)"
    r"|(?P<least>at\sleast|minimum\sof|a\sminimum|from|từ|tối\sthiểu|ít\snhất)"
    r"|(?P<more>above|over|(?:more|larger|bigger|greater|higher|heavier|longer|older)\sthan|exceed\w*"
    r"|trên|hơn|vượt(?:\squá)?))\s(?:là\s|of\s|a\stotal\sof\s)?$",
    FLAGS,
)
BEYOND = re.compile(
    r"\s?(?:(?P<least>trở\slên|or\s(?:more|above|over)|and\s(?:over|above|up))|(?P<most>trở\sxuống"
    r"|or\s(?:less|under|below)))\b",
    FLAGS,
)
IN_STOCK = re.compile(
    r"\b(?:in\sstock|available|any\b.{1,40}\bleft|left|còn\s(?:hàng|vé|chỗ|phòng|bàn|suất|ghế"
    r"|lịch|trống|size|màu)|sẵn\shàng|có\ssẵn)\b"
    r"|\bdo\syou\s(?:have|sell|carry|stock)\b|\bcòn\b[^?]{1,30}\bkhông\b",
    FLAGS,
)
COUNTED = re.compile(
    r"\b(?:còn(?:\slại)?(?:\s(?:đúng|chỉ|là|khoảng|gần|hơn))*|đang\scó|hiện\scó|sẵn\scó|tồn(?:\skho)?(?::"
    r"|\slà)?|(?:we|i|they)(?:\s\w+)?\s(?:have|see|show)|has|there(?:\s(?:are|is)|['’]s)(?:\s(?:currently"
    r"|only|still|just)){0,2}"
    r"|shows?(?:\sstill)?|still\s(?:shows?|has|have)|lists?|stock(?:\slevel)?:)\s(?:about\s|only\s"
    r"|just\s|exactly\s|now\s|still\s|still\sa\s|là\s|khoảng\s)?(?:around\s|roughly\s|nearly\s"
    r"|over\s|some\s)?(?P<count>[0-9]{1,6}|no|zero|one|two|three|four|five|a\sfew|several|vài)\b"
    r"(?!\s?(?:ngày|giờ|phút|tháng|tuần|năm|days?|hours?|minutes?|weeks?|months?|years?|%|[.,:/]?[0-9]"
    r"|đồng|đ\b|usd|k\b))"
    r"|(?<![\w.,:/#$€£-])(?P<left>[0-9]{1,6}|no)\s(?:\w+\s){0,3}(?:left|remaining|remain|available"
    r"|in\sstock|on\shand|còn\slại)\b",
    FLAGS,
)
NONE = frozenset(("0", "no", "zero", "00"))
MOST_NUMBERS = 8
CLAIMED = 2
"""How many words of the question a sentence needs whose amount is held against that of the question."""
AHEAD = re.compile(
    rf"\b(?:(?P<least>trước(?:\s(?:ít\snhất|tối\sthiểu))?)\s(?P<amount>{AMOUNT})\s?(?P<unit>ngày"
    rf"|giờ|tháng|tuần|days?|hours?|weeks?|months?))\b",
    FLAGS,
)
"""How long before: more than that is earlier."""
GROUP = re.compile(
    r"\b(?:groups?|part(?:y|ies)|tables?|famil(?:y|ies)|đoàn|nhóm)\s(?:of\s)?((?:up\sto|at\smost"
    r"|more\sthan|over|tối\sđa|trên)\s)?([0-9]+)(?!\s?(?:people|guests|người|khách|%|[.,:/][0-9]))",
    FLAGS,
)
BOUND_PARTS = (
    *("limit", "capacity", "maximum", "allowance", "ceiling", "threshold", "giới", "tải trọng", "cho phép", "ngưỡng"),
    *("sức chứa", "hạn mức", "tối đa"),
)
"""Parts of the words of a limit, one of which a sentence needs."""
AS_PERSONS = r"\1\2 people"
"""What `a party of 14` counts."""
AskedMeasures = dict[str, float]
"""What the question counts, by its unit; units that it counts twice are left out."""


BLOCKS = re.compile(
    r"\b(?:rejects?|blocks?|refuses?|(?:not|never)\s(?:allowed|accepted|permitted)|từ\schối|chặn)\b", FLAGS
)
MY_AGE = re.compile(r"\b(?:i['’]m|i\sam|(?:he|she)(?:['’]s|\sis))\s([1-9][0-9])(?=[.,;]|\s(?:and|so|years))", FLAGS)
VIOLATING = frozenset(
    map(
        fold_word,
        [
            "phạm",
            "phạt",
            "violate",
            "violates",
            "violation",
            "illegal",
            "fined",
            "exceed",
            "exceeds",
            "exceeding",
            "speeding",
            "vượt",
            "quá",
        ],
    )
)
"""Words of a question to which what is allowed says no."""
NEED = re.compile(r"\b(?:must|ha(?:s|ve)\sto|needs?|requires?|required|phải|cần|yêu\scầu)\b", FLAGS)
HOURS = {
    fold_word(unit): hours
    for unit, hours in (("hour", 1), ("giờ", 1), ("day", 24), ("ngày", 24), ("week", 168), ("tuần", 168))
}
ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SPELLED = re.compile(
    rf"\b(?:{'|'.join(ENGLISH)})\b(?=\s(?:people|guests|persons|adults|days?|hours?|weeks?|months?|years?))", FLAGS
)
EARLY = re.compile(r"\s(?:before|prior|in\sadvance|ahead|trước)\b", FLAGS)
EVERYONE = re.compile(
    r"\b(?:everyone|everybody|all|every|both|entire|tất\scả|mọi|toàn\sbộ|cả\s(?:lớp|nhóm|đội)|hết)\b", FLAGS
)
PART_OF = re.compile(
    r"(?<![\d.,/])([0-9][0-9.,]*)\s?(?:/|of(?:\sthe)?|out\sof|trên(?:\stổng\s(?:số\s)?)?"
    r"|trong\s(?:tổng\s)?số)\s?([0-9][0-9.,]*)(?![\d/])(?!\s?%)",
    FLAGS,
)
PERSONS = frozenset(map(fold_word, ["people", "person", "persons", "guests", "guest", "adults", "khách", "người"]))


def _unit(word: str) -> str:
    word = fold_word(word.lower())
    if word in PERSONS:
        return "person"
    return word.rstrip("s") if word.isascii() and len(word) > 3 else word


def _measures(text: str) -> Iterator[tuple[str, float]]:
    for match in MEASURE.finditer(text):
        unit = _unit(match[2])
        if unit not in NO_UNITS:
            yield unit, float(match[1].replace(",", "."))


def read_measures(text: str) -> AskedMeasures:
    """Read what a question counts: `40 days ago`, `một kiện 25 kg`."""
    found: dict[str, set[float]] = {}
    for unit, amount in _measures(MY_AGE.sub(r"\1 years old", GROUP.sub(AS_PERSONS, text))):
        found.setdefault(unit, set()).add(amount)
    return {unit: amounts.pop() for unit, amounts in found.items() if len(amounts) == 1}


def by_measure(sentence: str, asked: Asked, mine: AskedMeasures, question: str) -> Stance | None:
    """What a limit or a share of a plan in a sentence says to the question."""
    if mine:
        sentence = _in_figures(sentence)
    portion = _portion(sentence, asked, question)
    if portion is not None:
        return portion
    share = SHARE.search(sentence)
    if share is not None and REACHING.search(question):
        percent = float(share[1].replace(",", "."))
        reached = percent > 100 if EXCEEDING.search(question) else percent >= 100
        return Stance(reached is not asked.negated, WEIGHTS["share of a plan"], "share of a plan")
    low = sentence.lower()
    bound = BOUND.search(sentence) if any(part in low for part in BOUND_PARTS) else None
    if bound is not None and not DENIED.search(sentence[max(0, bound.start() - 20) : bound.start()]):
        beyond = bound["over"] is not None
        value = beyond is (EXCEEDING.search(question) is not None)
        return Stance(value is not asked.negated, WEIGHTS["beyond a limit"], "beyond a limit")
    if not mine:
        return None
    aged = AGED.search(sentence) if AGE & mine.keys() else None
    if aged is not None:
        return _held(sentence, aged, mine[min(AGE & mine.keys())], asked)
    kept: Stance | None = None
    for pattern in (BEHIND, LIMITED, *((AHEAD,) if AHEAD.search(question) else ())):
        for match in pattern.finditer(sentence):
            amount = _in_unit(mine, _unit(match["unit"]))
            held = _held(sentence, match, amount, asked) if amount is not None else None
            if held is not None and amount is not None and _fits(match, amount):
                return held
            kept = kept or held
    return kept or (_claimed(sentence, asked, mine) if asked.claims else None)


def _in_figures(sentence: str) -> str:
    """A sentence with numbers in figures before what they count, and people in groups counted."""
    return SPELLED.sub(lambda match: str(ENGLISH.index(match.group().lower()) + 1), GROUP.sub(AS_PERSONS, sentence))


def _in_unit(mine: AskedMeasures, unit: str) -> float | None:
    """The amount of the question in a unit: 3 days in hours."""
    if unit in mine or unit not in HOURS:
        return mine.get(unit)
    known = [amount * HOURS[one] / HOURS[unit] for one, amount in mine.items() if one in HOURS]
    return known[0] if len(known) == 1 else None


def _portion(sentence: str, asked: Asked, question: str) -> Stance | None:
    """What a number of them says to whether all did: `42 of 45 employees have completed it`."""
    match = PART_OF.search(sentence) if EVERYONE.search(question) else None
    if match is None or is_about_another(sentence, asked, opens=True):
        return None
    found = stance_of(YEAR.sub(" ", sentence), asked)
    done, whole = (float(match[group].replace(",", "").replace(".", "") or 0) for group in (1, 2))
    words = folded_words(sentence)
    known = asked.echo | asked.topic
    repeats = len(known.intersection(map(stem, words))) > CLAIMED and not DENIED.search(sentence)
    if (found is None and not repeats) or done > whole or asked.negated:
        return None
    return Stance((found is None or found.value) and done == whole, WEIGHTS["share of a plan"], "share of a plan")


def _claimed(sentence: str, asked: Asked, mine: AskedMeasures) -> Stance | None:
    """What another amount says to one that the question gives: `nghỉ 3 ngày` where 5 are asked to be confirmed."""
    said: dict[str, set[float]] = {}
    for unit, amount in _measures(sentence):
        if unit in mine:
            said.setdefault(unit, set()).add(amount)
    words = set(map(stem, folded_words(sentence)))
    if (
        len(said) != 1
        or is_about_another(sentence, asked, opens=True)
        or len(words & (asked.echo | asked.topic)) < CLAIMED
    ):
        return None
    unit, amounts = said.popitem()
    if len(amounts) != 1 or re.search(r"\b(?:not|không|chưa|if|nếu|about|khoảng)\b|n['’]t\b", sentence, FLAGS):
        return None
    return Stance(
        (amounts.pop() == mine[unit]) is not asked.negated, WEIGHTS["amount that is asked"], "amount that is asked"
    )


def _side(match: re.Match[str]) -> str:
    side = next(name for name, said in match.groupdict().items() if name in SIDES and said)
    return "least" if side == "most" and EARLY.match(match.string, match.end()) else side


def _fits(match: re.Match[str], amount: float) -> bool:
    return SIDES[_side(match)](amount, float(match["amount"].replace(",", ".")))


def _clause_around(sentence: str, place: int) -> str:
    begin = max(sentence.rfind(sign, 0, place) for sign in (";", "—", ". "))
    end = min((at for sign in (";", "—", ". ") if (at := sentence.find(sign, place)) >= 0), default=len(sentence))
    return sentence[begin + 1 : end]


def _held(sentence: str, match: re.Match[str], amount: float, asked: Asked) -> Stance | None:
    bound = float(match["amount"].replace(",", "."))
    side = _side(match)
    if amount == bound and side in ("less", "more"):
        return None
    clause = _clause_around(sentence, match.start())
    inner = stance_of(clause, asked)
    if inner is None and not RULED.search(clause):
        return None
    before = sentence[max(0, match.start() - 60) : match.start()]
    if side == "least" and not NEEDING.isdisjoint(member.row for member in asked.members) and NEED.search(before):
        return Stance((amount <= bound) is not asked.negated, WEIGHTS["within a limit"], "within a limit")
    allowed = asked.negated is VIOLATING.isdisjoint(asked.tokens)
    value = (inner.value if inner is not None else not allowed) is _fits(match, amount)
    return Stance(value, WEIGHTS["within a limit"] + 0.3 * (inner is not None), "within a limit")


def read_amounts(text: str, locale: Locale | None) -> AskedMeasures:
    """Read the amounts of a question with a unit that numbers of answers have too: `$72,000 a year`."""
    found: dict[str, set[float]] = {}
    for number in find_numbers(text, locale or "vi"):
        low, high = number.readings[0]
        if number.unit is not None and low == high:
            found.setdefault(number.unit.partition("/")[0], set()).add(low)
    return {unit: amounts.pop() for unit, amounts in found.items() if len(amounts) == 1}


def by_amount(sentence: str, asked: Asked, mine: AskedMeasures, locale: Locale | None) -> Stance | None:
    """What a limit says to an amount of the question: `open to incomes below $65,000` to somebody with $72,000."""
    for number in find_numbers(sentence, locale or "vi")[:MOST_NUMBERS] if mine else ():
        unit = (number.unit or "").partition("/")[0]
        low, high = number.readings[0]
        if unit not in mine or low != high:
            continue
        match = ABOVE.search(sentence[max(0, number.start - 30) : number.start]) or BEYOND.match(sentence, number.end)
        if match is None:
            continue
        side = next(name for name, said in match.groupdict().items() if said)
        clause = _clause_around(sentence, number.start)
        inner = stance_of(clause, asked)
        if inner is None and BLOCKS.search(clause):
            inner = Stance(False, WEIGHTS["within a limit"], "denied")
        if inner is None or (mine[unit] == low and side in ("less", "more")):
            continue
        return Stance(inner.value is SIDES[side](mine[unit], low), WEIGHTS["within a limit"] + 0.3, "within a limit")
    return None


def asks_count(question: str) -> bool:
    """Whether a question asks if there are any."""
    return IN_STOCK.search(question) is not None


def by_count(sentence: str, asked: Asked) -> Stance | None:
    """What a number of pieces says to whether there are any: `We have 3 left`."""
    said: set[bool] = set()
    known = asked.echo & asked.topic
    best = 0
    for clause in re.split(r"[;\n]|,\s|\.\s", sentence):
        match = COUNTED.search(clause)
        if match is None or is_about_another(clause, asked, opens=True):
            continue
        shared = len(known.intersection(map(stem, folded_words(clause))))
        if shared > best:
            said, best = set(), shared
        if shared == best:
            said.add((match["count"] or match["left"]).lower() not in NONE)
    if len(said) != 1:
        return None
    return Stance(said.pop() is not asked.negated, WEIGHTS["number in stock"], "number in stock")
