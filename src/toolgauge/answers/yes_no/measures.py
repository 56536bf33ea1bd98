"""What limits and shares say to a yes-or-no question: `at most 5 days` where 10 are asked about, `92% of plan`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import ge, gt, le, lt

from toolgauge.locale import fold_word

from .polar import Stance, stance_of
from .subjects import Asked

__all__ = ["AskedMeasures", "by_measure", "read_measures"]

FLAGS = re.IGNORECASE
AMOUNT = r"[0-9]+(?:[.,][0-9]+)?"
MEASURE = re.compile(rf"(?<![\w./-])({AMOUNT})[\s-]?([^\W\d_]+)(?:[\s-](old|tuổi))?", FLAGS)
LIMITED = re.compile(
    r"(?:(?P<most>tối\sđa|không\s(?:vượt\s)?quá|at\smost|up\sto|no\smore\sthan|a?\s?max(?:imum)?(?:\sof)?"
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
    r"|(?P<most>trở\sxuống|or\s(?:less|under|younger|fewer)|and\s(?:under|below)|(?:weight\s|size\s)?(?:limit|maximum|max|window)\b))",
    FLAGS,
)
AGED = re.compile(
    r"\b(?:(?P<least>(?:must|have\sto|need\sto)\sbe\s(?:at\sleast\s|over\s)?|from\sage\s|aged?\s(?:at\sleast\s)?|phải\s(?:từ\s|đủ\s|từ\sđủ\s)|từ\s(?:đủ\s)?)"
    r"|(?P<less>under\s(?:the\sage\sof\s)?|below\s(?:the\sage\sof\s)?))(?P<amount>[1-9][0-9])\b(?!\s?[%/:.,]?[0-9]|\s(?:days?|hours?|ngày|giờ|tháng|months?))",
    FLAGS,
)
AGE = frozenset(map(fold_word, ("year", "tuổi")))
SIDES: dict[str, Callable[[float, float], bool]] = {"most": le, "least": ge, "less": lt, "more": gt}
NO_UNITS = frozenset(map(fold_word, ("và", "to", "and", "or", "đến", "năm", "của", "the", "of", "at", "in", "is")))
RULED = re.compile(
    r"\b(?:must|phải|allow(?:s|ed)?|permit\w*|được|cho\sphép|can|may|only|chỉ|eligible|qualif\w+|điều\skiện|quy\sđịnh|yêu\scầu"
    r"|requires?|required|limit(?:ed)?|giới\shạn|policy|chính\ssách|valid|áp\sdụng|appl(?:y|ies)|accepts?|nhận)\b",
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
    r"\s(?:the\s|its\s|your\s|our\s|airline's\s)?(?:[0-9][0-9.,]*[\s-]?[^\W\d_]+\s)?(?:weight\s|size\s|maximum\s|safe\s|legal\s|mức\s)?"
    r"(?:limits?|capacity|maximum|allowance|ceiling|threshold|giới\shạn|tải\strọng|cho\sphép|ngưỡng|sức\schứa|hạn\smức|tối\sđa)\b",
    FLAGS,
)
WEIGHTS = {"within a limit": 1.7, "share of a plan": 2.2, "beyond a limit": 2.0}
AskedMeasures = dict[str, float]
"""What the question counts, by its unit; units that it counts twice are left out."""


def _unit(word: str) -> str:
    word = fold_word(word.lower())
    return word.rstrip("s") if word.isascii() and len(word) > 3 else word


def _measures(text: str) -> Iterator[tuple[str, float]]:
    for match in MEASURE.finditer(text):
        unit = _unit(match[2])
        if unit not in NO_UNITS:
            yield unit, float(match[1].replace(",", "."))


def read_measures(text: str) -> AskedMeasures:
    """Read what a question counts: `40 days ago`, `một kiện 25 kg`."""
    found: dict[str, set[float]] = {}
    for unit, amount in _measures(text):
        found.setdefault(unit, set()).add(amount)
    return {unit: amounts.pop() for unit, amounts in found.items() if len(amounts) == 1}


def by_measure(sentence: str, asked: Asked, mine: AskedMeasures, question: str) -> Stance | None:
    """What a limit or a share of a plan in a sentence says to the question."""
    share = SHARE.search(sentence)
    if share is not None and REACHING.search(question):
        percent = float(share[1].replace(",", "."))
        reached = percent > 100 if EXCEEDING.search(question) else percent >= 100
        return Stance(reached is not asked.negated, WEIGHTS["share of a plan"], "share of a plan")
    bound = BOUND.search(sentence)
    if bound is not None and not DENIED.search(sentence[max(0, bound.start() - 20) : bound.start()]):
        beyond = bound["over"] is not None
        value = beyond is (EXCEEDING.search(question) is not None)
        return Stance(value is not asked.negated, WEIGHTS["beyond a limit"], "beyond a limit")
    if not mine:
        return None
    aged = AGED.search(sentence) if AGE & mine.keys() else None
    if aged is not None:
        return _held(sentence, aged, mine[min(AGE & mine.keys())], asked)
    for pattern in (BEHIND, LIMITED):
        for match in pattern.finditer(sentence):
            unit = _unit(match["unit"])
            if unit in mine:
                return _held(sentence, match, mine[unit], asked)
    return None


def _clause_around(sentence: str, place: int) -> str:
    begin = max(sentence.rfind(sign, 0, place) for sign in (";", "—", ". "))
    end = min((at for sign in (";", "—", ". ") if (at := sentence.find(sign, place)) >= 0), default=len(sentence))
    return sentence[begin + 1 : end]


def _held(sentence: str, match: re.Match[str], amount: float, asked: Asked) -> Stance | None:
    bound = float(match["amount"].replace(",", "."))
    side = next(name for name, said in match.groupdict().items() if name in SIDES and said)
    if amount == bound and side in ("less", "more"):
        return None
    clause = _clause_around(sentence, match.start())
    inner = stance_of(clause, asked)
    if inner is None and not RULED.search(clause):
        return None
    fits = SIDES[side](amount, bound)
    value = (inner.value if inner is not None else not asked.negated) is fits
    return Stance(value, WEIGHTS["within a limit"] + 0.3 * (inner is not None), "within a limit")
