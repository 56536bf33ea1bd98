"""Scores answers that say yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from toolgauge.core import Answer
from toolgauge.locale import PROFILES, Locale

from .answer_type import SWITCH_SCHEMA, AnswerType, Scorer, Setting, Spec
from .reading import MAX_CHARACTERS, REFUSAL, clean, region_of

__all__ = ["BOOLEAN"]

FLAGS = re.IGNORECASE
START = (
    r"(?:^|(?<=[.!?\n:;>|])|(?<=[.!?:;,]\s)|(?<=\n\s)|(?<=[-–—]\s)|(?<=là\s)|(?<=nên\s)|(?<=so\s)|(?<=is\s)|(?<=is\s\")|(?<=is\s“))"
    r"[ \t\"“'(✅❌]{0,6}"
)
POLITE = r"(?:(?:dạ|thưa|vâng)(?:\s(?:anh|chị|bạn|ông|bà|thầy|cô|quý\skhách|sếp))?,?\s){0,2}"
NOT_DENIED = r"(?!,?\s(?:thưa|không|chưa|sai)\b)"
"""`Dạ` and `vâng` may be mere politeness before a no."""
STOP = r"(?=\s{0,3}(?:[.,;:!?)\"”'\n|—–-]|$))"
YES = re.compile(
    rf"{START}{POLITE}(?:không\ssai|yes|yeah|yep|yup|true|có|đúng|phải|(?:vâng|dạ(?:\scó|\svâng)?){NOT_DENIED}|ừ|rồi|đã|correct|right|certainly|absolutely|indeed"
    rf"|chính\sxác|tất\snhiên|dĩ\snhiên|chắc\schắn|affirmative|of\scourse|definitely)(?:\s(?:rồi|vậy|thế|ạ|nhé|chứ|đấy|đó))?{STOP}",
    FLAGS,
)
NO = re.compile(
    rf"{START}{POLITE}(?:no|nope|false|không(?:\sphải|\sđúng|\scó|\shề|\sạ|\sđâu|\sthể)?|sai|chưa|incorrect|wrong|negative|not\s(?:true|correct"
    rf"|really|at\sall)|never|absolutely\snot|of\scourse\snot|definitely\snot|chắc\schắn\skhông|tất\snhiên\slà\skhông"
    rf"|hoàn\stoàn\s(?:không|sai))(?:\s(?:rồi|vậy|thế|ạ|nhé|đâu))?{STOP}",
    FLAGS,
)
OPENING = re.compile(
    rf"\s*[\"“'(✅❌]*{POLITE}(?:(?P<yes>yes|yeah|yep|không\ssai|đúng(?:\s(?:là|vậy|thế|rồi))?|vâng|true|correct)|(?P<no>no|nope|false|sai|chưa(?=\s?[.,!]|\sạ\b|$)|không"
    r"(?!\s(?:sai|thể|rõ|biết|tìm|chắc|có\s(?:thông|dữ|đủ)|chỉ|những|xác)))|(?P<have>có))\b(?!\s(?:thể|lẽ|vẻ|khả|lúc|nhiều|một|hai"
    r"|ba|số|doubt|matter|problem|one|company|data|information|phải)\b)",
    FLAGS,
)
TRUE_WORD = re.compile(
    r"\b(?:là\s|hoàn\stoàn\s|is\s|are\s|was\s|that's\s|it's\s|indeed\s|statement:\s)(?:indeed\s|hoàn\stoàn\s|completely\s|actually\s)?"
    r"(?:đúng|chính\sxác|true|correct|right|accurate|sự\sthật)\b(?!\s(?:answer|that\swe|now|đắn|hạn|giờ|để))",
    FLAGS,
)
FALSE_WORD = re.compile(
    r"\b(?:(?:là|hoàn\stoàn|is|are|was|that's|it's)\s(?:indeed\s|hoàn\stoàn\s|completely\s|actually\s)?"
    r"(?:sai|không\sđúng|không\schính\sxác|false|incorrect|wrong|untrue|inaccurate|not\s(?:true|correct|right|accurate)|a\smyth)"
    r"|(?:is|are)n['’]t\s(?:true|correct|right|accurate)|không\s(?:đúng|chính\sxác)|chưa\s(?:đúng|chính\sxác))\b",
    FLAGS,
)
DOUBLE = re.compile(
    r"\b(?:không\ssai|not\s(?:wrong|false|incorrect|untrue)|isn['’]t\s(?:wrong|false|incorrect))\b", FLAGS
)
MIXED = re.compile(
    r"\b(?:yes\sand\sno|có\svà\skhông|vừa\s(?:có|đúng)\svừa\s(?:không|sai)|có\sthể\scó,?\scó\sthể\skhông"
    r"|maybe|perhaps|có\sthể\scó|depends|tùy\sthuộc|tuỳ\sthuộc|đúng\smột\sphần|partly\strue|partially\s(?:true|correct))\b",
    FLAGS,
)
DENIAL = re.compile(
    r"\b(?:không\sphải|is\snot|isn['’]t|are\snot|aren['’]t|was\snot|wasn['’]t|does\snot|doesn['’]t|did\snot|didn['’]t|do\snot"
    r"|don['’]t|has\snot|hasn['’]t|have\snot|haven['’]t|cannot|can['’]t|will\snot|won['’]t|chưa|không\s(?!chỉ|những))\b",
    FLAGS,
)
STATEMENT = re.compile(
    r"\s*(?:(?:theo|according\sto|based\son|per)\s[^.,;:!?\n]{1,80},\s)?(?!here|there|this\sis|sure|i\s|we\s|you\s|what|which|who|if|when|đây|nếu|tôi|mình|bạn|câu\shỏi)"
    r"(?:[^\s.,;:!?\n]+\s){1,5}?(?:(?:is|are|was|were|does|do|did|has|have|can|will)(?!n)\b|(?P<have>có)\s(?!thể|lẽ|vẻ|khả|nhiều|ít"
    r"|một|hai|ba|bốn|năm|khoảng|hơn|gần|tới|tổng|[0-9])(?=\w))(?!\s(?:not|un\w+|no|missing|[0-9]+)\b)",
    FLAGS,
)
"""A sentence that says so in its first words, as `không` or `is not` say the contrary: `FPT có trả cổ tức`, `It is.`"""
SIGNS = {"✅": True, "✔": True, "❌": False, "✗": False}


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `boolean` reference."""
    value = spec["value"] is True

    def score(output: str) -> Answer:
        found = _said(clean(output))
        if found is None:
            return Answer("wrong", None, "neither yes nor no in the answer")
        if found == "both":
            return Answer("ambiguous", None, "the answer says yes and no")
        return Answer(
            "right" if found is value else "wrong", found, f"says {_name(found is True)}, expected {_name(value)}"
        )

    return score


def _name(value: bool) -> str:
    return "yes" if value else "no"


def _said(cleaned: str) -> bool | str | None:
    """What the answer says; `both` where it takes no side."""
    region = region_of(cleaned)
    if region.marked:
        text = region.text[:MAX_CHARACTERS].lstrip(" \t\n:*>")
        line = text.partition("\n")[0]
        said = _opening(line)
        if said is None:
            said = next(iter([value for _, value in sorted(_candidates(line))]), None)
        if said is not None:
            return said
        if region.firm and REFUSAL.search(line):
            return None
    return _whole(cleaned.strip()[-MAX_CHARACTERS:])


def _whole(text: str) -> bool | str | None:
    opening = _opening(text)
    if MIXED.search(text[:200]) and (opening is None or re.match(r"\s*(?:yes\sand\sno|có\svà\skhông)", text, FLAGS)):
        return None if REFUSAL.search(text) else "both"
    strong = sorted(
        (match.start(), value) for pattern, value in ((YES, True), (NO, False)) for match in pattern.finditer(text)
    )
    if opening is not None and not any(value is not opening for _, value in strong):
        return opening
    if strong:
        return strong[-1][1]
    candidates = sorted(_candidates(text))
    if candidates:
        return candidates[-1][1]
    signs = [SIGNS[sign] for sign in text if sign in SIGNS]
    if signs:
        return signs[-1]
    if REFUSAL.search(text) or len(re.findall(r"[.!?](?:\s|$)", text)) > 2:
        return None
    if DENIAL.search(text[:600]):
        return False
    stated = STATEMENT.match(text) and not text.rstrip().endswith("?") and "\n" not in text and len(text) <= 200
    return True if stated else None


def _opening(text: str) -> bool | None:
    """A yes or no that the answer opens with: `Có, …`, `Không phải …`."""
    if REFUSAL.match(text.lstrip()):
        return None
    match = OPENING.match(text)
    if match is None:
        return None
    if match["have"]:
        rest = text[match.end() :]
        return True if re.match(r"\s*(?:[.,!;:)\n—–-]|$|chứ\b|ạ\b|đấy\b|rồi\b)|\s\w", rest) else None
    if match["no"]:
        rest = text[match.end() :]
        if match["no"].lower() == "no" and not re.match(
            r"\s*(?:[.,!;:)\n—–-]|$)|\s(?:it|he|she|they|the|this|that|there)\b", rest
        ):
            return None
        return False
    return True


def _candidates(text: str) -> Iterator[tuple[int, bool]]:
    """Places where something is called true or false."""
    doubles = [match.span() for match in DOUBLE.finditer(text)]
    for start, _ in doubles:
        yield start, True
    for pattern, value in ((TRUE_WORD, True), (FALSE_WORD, False)):
        for match in pattern.finditer(text):
            inside = any(low - 12 <= match.start() < high for low, high in doubles)
            if not inside:
                yield match.start(), value
    for pattern, value in ((YES, True), (NO, False)):
        for match in pattern.finditer(text):
            yield match.start(), value


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
