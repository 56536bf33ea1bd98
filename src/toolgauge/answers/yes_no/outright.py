"""The words that say yes and no outright, and where they are said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolgauge.locale import fold_word

from ..reading import REFUSAL
from .polar import stance_of
from .subjects import Asked

__all__ = ["ELLIPSIS", "Saying", "opening_of", "plainly", "stamped", "verdicts_in"]

FLAGS = re.IGNORECASE
START = (
    r"(?:^|(?<=[.!?\n:;>|→(])|(?<=[.!?:;,→(]\s)|(?<=\n\s)|(?<=[-–—]\s)|(?<=—)|(?<=là\s)|(?<=nên\s)"
    r"|(?<=vậy\s)|(?<=nhưng\s)|(?<=thì\s)|(?<=so\s)|(?<=but\s)|(?<=is\s)"
    r"|(?<=is\s\")|(?<=is\s“)|(?<=thực\sra\s)|(?<=thật\sra\s)|(?<=hóa\sra\s)|(?<=thực\stế\s))"
    r"[ \t\"“'(✅❌]{0,6}"
)
POLITE = r"(?:(?:dạ|thưa|vâng)(?:\s(?:anh|chị|bạn|ông|bà|thầy|cô|quý\skhách|sếp))?,?\s){0,2}"
NOT_DENIED = r"(?!,?\s(?:thưa|không|chưa|sai|hết)\b)"
"""`Dạ` and `vâng` may be mere politeness before a no."""
STOP = r"(?=\s{0,3}(?:[.,;:!?)\"”'\n|—–-]|$))"
PARTICLE = r"(?:\s(?:rồi|vậy|thế|ạ|nhé|nha|chứ|đấy|đó|đâu|nữa|bạn\s(?:nhé|ạ)|anh|chị|sếp)){0,2}"
YES = re.compile(
    rf"{START}{POLITE}(?:không\ssai|yes|yeah|yep|yup|true|có|được|đúng|phải|(?:vâng|dạ(?:\scó"
    rf"|\svâng)?){NOT_DENIED}|ừ|rồi|đã|correct|right|certainly|absolutely|indeed"
    r"|chính\sxác|tất\snhiên|dĩ\snhiên|chắc\schắn|chuẩn|affirmative|of\scourse|definitely|(?:tất\snhiên"
    r"|dĩ\snhiên|đương\snhiên|chắc\schắn|hoàn\stoàn)(?:\slà)?\s(?:có|được|đúng)(?:\sthể)?"
    rf"|indeed\s(?:it|they|he|she)\s(?:is|are|does|do|has|have|did|was|were|can)){PARTICLE}{STOP}",
    FLAGS,
)
NO = re.compile(
    rf"{START}{POLITE}(?:no|nope|nah|false|không(?:\sphải|\sđúng|\scó|\shề|\sthể|\sđược|\scòn"
    rf"|\scần)?|sai|(?:vẫn\s)?chưa(?:\sđược|\scó|\sđủ|\sđúng)?|incorrect|wrong"
    r"|negative|not\s(?:true|correct|really|at\sall|yet|anymore|quite|exactly|currently)|never"
    r"|(?:absolutely|of\scourse|definitely|certainly|unfortunately|sadly|afraid)"
    r"\snot|i['’]m\safraid\snot|not\sany\smore|(?:chắc\schắn|tất\snhiên|dĩ\snhiên|đương\snhiên"
    r"|tuyệt\sđối|nhất\sđịnh|rất\stiếc|tiếc)(?:\slà)?\s(?:không|chưa)(?:\scòn|\sđược)?"
    rf"|hoàn\stoàn\s(?:không|sai)|sai\shoàn\stoàn|no\slonger){PARTICLE}{STOP}",
    FLAGS,
)
TRUE_WORD = re.compile(
    r"\b(?:là\s|hoàn\stoàn\s|is\s|are\s|was\s|that's\s|it's\s|indeed\s|statement:\s)(?:indeed\s"
    r"|hoàn\stoàn\s|completely\s|actually\s)?"
    r"(?:đúng|chính\sxác|true|correct|right|accurate|sự\sthật)\b(?!\s(?:answer|that\swe|now|đắn"
    r"|hạn|giờ|để|là|of|for|in))",
    FLAGS,
)
FALSE_WORD = re.compile(
    r"\b(?:(?:là|hoàn\stoàn|is|are|was|that's|it's)\s(?:indeed\s|hoàn\stoàn\s|completely\s|actually\s)?"
    r"(?:sai|không\sđúng|không\schính\sxác|false|incorrect|wrong|untrue|inaccurate|not\s(?:true"
    r"|correct|right|accurate)|a\smyth)"
    r"|(?:is|are)n['’]t\s(?:true|correct|right|accurate)|(?<!luật\smới\s)không\s(?:đúng|chính\sxác)"
    r"|chưa\s(?:đúng|chính\sxác))\b(?!\s(?:of|for|với|hạn|giờ|lúc|hẹn))",
    FLAGS,
)
DOUBLE = re.compile(
    r"\b(?:không\ssai|not\s(?:wrong|false|incorrect|untrue)|isn['’]t\s(?:wrong|false|incorrect))\b", FLAGS
)
LEAD = re.compile(
    rf"\s*[\"“'(✅❌✔✗*>]*{POLITE}(?:(?:rất\stiếc|thật\stiếc|tiếc\slà|đáng\stiếc|tin\s(?:vui|buồn)"
    rf"|unfortunately|sadly|i['’]m\safraid|afraid|good\snews|short\sanswer|nói\sngắn\sgọn"
    r"|về\scơ\sbản|basically|well|hiện(?:\stại|\snay)?|currently|as\sof\s(?:now|today)|trong\strường\shợp\s(?:này"
    r"|của\sbạn)|in\syour\scase|thực\sra|actually|theo\stôi|i\s(?:think|believe)"
    r"|sorry|xin\slỗi|vậy|như\svậy|so)(?:\slà|\sthì|\srằng|\sthat)?\s?[,:–—-]?\s){0,2}",
    FLAGS,
)
OPENS_YES = re.compile(
    r"(?:yes|yeah|yep|yup|không\ssai|đúng(?:\s(?:là|vậy|thế|rồi))?|vâng|true|correct|indeed)\b(?!\s(?:là\skhông"
    r"|là\schưa|doubt|and\sno)\b)",
    FLAGS,
)
OPENS_NO = re.compile(
    r"(?:nope|false|sai\b|no(?=\s*(?:[.,!;:)\n—–-]|$)|\s(?:it|he|she|they|the|this|that|there|you|we|i)\b)"
    r"|not\b(?!\s(?:only|just|sure|certain|clear|necessarily|enough\s(?:data|information)|able\sto"
    r"|found|everyone|all)\b)"
    r"|chưa(?!\s(?:rõ|biết|tìm|chắc|có\s(?:thông|dữ|đủ\s(?:thông|dữ)|số\sliệu)|xác|thể\s(?:xác|kh|k))\b)"
    r"|(?:không|chẳng)(?!\s(?:sai|thể\s(?:xác|trả|tìm|kh|k|biết|cung)|rõ|biết|tìm|chắc|có\s(?:thông"
    r"|dữ|đủ\s(?:thông|dữ)|câu|gì)|chỉ|những|xác|ai|vấn)\b)"
    r"|(?:vẫn|hiện)\s(?:chưa|không))\b",
    FLAGS,
)
HAVE = re.compile(
    r"có\b(?!\s(?:thể|lẽ|vẻ|khả|lúc|nhiều|một|hai|ba|bốn|năm|số|người|nguồn|vài|tin|ý|khoảng"
    r"|hơn|và|trường|nơi|[0-9]+)\b)",
    FLAGS,
)
ELLIPSIS = re.compile(
    r"(?:it|they|he|she|you|we|i|that|this|there)(?:\s(?:certainly|definitely|indeed|still|sure))?\s"
    r"(?:is|are|does|do|did|has|have|had|can|will|was|were|should|must|may)(?P<no>n['’]t|\snot)?(?:\sindeed"
    r"|\sso)?(?=\s?(?:[.,;:!—–]|$|because|since|as\s|if\s|when\s))"
    r"|(?:it|they|he|she|you|we|i)\s(?P<none>cannot)(?=\s?(?:[.,;:!—–]|$))",
    FLAGS,
)
ASKED_WORDS = re.compile(
    r"(?:(?:vẫn|hoàn\stoàn|đều|cũng|đã|luôn)\s)?(được|còn|cần|phải|nên|đủ|đã|bị|vẫn|đang|kịp"
    r"|hết|rồi|bắt\sbuộc)\b(?!\s(?:biết|thành\slập|tùy))",
    FLAGS,
)
JUDGING = ("sai", "đúng", "chính", "sự", "true", "correct", "right", "accura", "false", "wrong", "myth")
"""Parts of the words that call something true or false, one of which a sentence needs."""
YES_PARTS = (
    *(
        "yes",
        "yea",
        "yep",
        "yup",
        "true",
        "có",
        "được",
        "đúng",
        "phải",
        "vâng",
        "dạ",
        "ừ",
        "rồi",
        "đã",
        "correct",
        "right",
    ),
    *(
        "certainly",
        "absolutely",
        "indeed",
        "chính",
        "nhiên",
        "chắc",
        "chuẩn",
        "affirmative",
        "of course",
        "definitely",
        "sai",
    ),
)
NO_PARTS = ("no", "nah", "false", "không", "sai", "chưa", "incorrect", "wrong", "negative", "never")
"""Parts of the words that say yes and no outright, which are looked for first."""
SIGNS = {"✅": True, "✔": True, "❌": False, "✗": False}
PLAIN_DENIAL = re.compile(
    r"\b(?:không\sphải|is\snot|isn['’]t|are\snot|aren['’]t|was\snot|wasn['’]t|does\snot|doesn['’]t"
    r"|did\snot|didn['’]t|do\snot"
    r"|don['’]t|has\snot|hasn['’]t|have\snot|haven['’]t|cannot|can['’]t|will\snot|won['’]t|chưa"
    r"|không\s(?!chỉ|những))\b",
    FLAGS,
)
PLAIN_STATEMENT = re.compile(
    r"\s*(?:(?:theo|according\sto|based\son|per)\s[^.,;:!?\n]{1,80},\s)?(?!here|there|this\sis"
    r"|sure|i\s|we\s|you\s|what|which|who|if|when|đây|nếu|tôi|mình|bạn|câu\shỏi)"
    r"(?:[^\s.,;:!?\n]+\s){1,5}?(?:(?:is|are|was|were|does|do|did|has|have|can|will)(?!n)\b|(?P<have>có)\s(?!thể"
    r"|lẽ|vẻ|khả|nhiều|ít"
    r"|một|hai|ba|bốn|năm|khoảng|hơn|gần|tới|tổng|[0-9])(?=\w))(?!\s(?:not|un\w+|no|missing|[0-9]+)\b)",
    FLAGS,
)
"""A sentence that says so in its first words, as `không` or `is not` say the contrary: `FPT có trả cổ tức`, `It is.`"""


STAMP = re.compile(
    r"\W*(?:(?P<yes>pass(?:ed)?|met|ok|compliant|approved|success(?:ful)?|hit|đạt|hợp\slệ|thành\scông"
    r"|đã\sđạt|eligible|confirmed|achieved)"
    r"|(?P<no>fail(?:ed)?|not\smet|missed|breach(?:ed)?|non-?compliant|rejected|denied|không\sđạt"
    r"|chưa\sđạt|không\shợp\slệ|vi\sphạm|thất\sbại|ineligible"
    r"|not\seligible))\W*",
    FLAGS,
)
"""A verdict that is stamped on something: `**FAIL**`, `Status: Met`."""


class Saying(NamedTuple):
    """A yes or no, and where it stands in a sentence."""

    value: bool
    start: int
    end: int


def opening_of(sentence: str, asked: Asked) -> Saying | None:
    """The yes or no that a sentence opens with: `Có, …`, `Không phải nộp`, `Được ạ`."""
    if REFUSAL.match(sentence.lstrip()):
        return None
    lead = LEAD.match(sentence)
    place = lead.end() if lead else 0
    for at in {place, len(sentence) - len(sentence.lstrip(" \t\"“'(✅❌✔✗*>"))}:
        found = _opens_at(sentence, at, asked)
        if found is not None:
            return Saying(found, at, min(len(sentence), at + 30))
    return None


def _opens_at(sentence: str, place: int, asked: Asked) -> bool | None:
    yes, no = OPENS_YES.match(sentence, place), OPENS_NO.match(sentence, place)
    if yes:
        return True
    alone = (YES.match(sentence, place), NO.match(sentence, place))
    if no or alone[1]:
        match = no or alone[1]
        if match and match.group().lower() in ("không", "chưa", "không phải", "no") and not alone[1]:
            said = stance_of(re.split(r"[.,;:!?\n(—]", sentence[place:])[0], asked)
            return said.value if said is not None else False
        bare = match is not None and fold_word(match.group().strip()) == fold_word("không")
        return None if bare and asked.negated else False
    if alone[0]:
        return True
    ellipsis = ELLIPSIS.match(sentence, place)
    if ellipsis:
        return not (ellipsis["no"] or ellipsis["none"])
    have = HAVE.match(sentence, place)
    if have:
        return True
    word = ASKED_WORDS.match(sentence, place)
    if word and fold_word(word[1]) in asked.tokens:
        said = stance_of(re.split(r"[.,;:!?\n(—]", sentence[place:])[0], asked)
        return said.value if said is not None else True
    return None


def verdicts_in(sentence: str) -> Iterator[Saying]:
    """Yes and no that stand alone in a sentence, and what is called true or false, in order."""
    low = sentence.lower()
    judged = any(word in low for word in JUDGING)
    doubles = [match.span() for match in DOUBLE.finditer(sentence)] if judged else []
    found = [Saying(True, *span) for span in doubles]
    judging = ((TRUE_WORD, True), (FALSE_WORD, False)) if judged else ()
    alone = ((YES, True, YES_PARTS), (NO, False, NO_PARTS))
    for pattern, value in (
        *judging,
        *((one, said) for one, said, parts in alone if any(part in low for part in parts)),
    ):
        for match in pattern.finditer(sentence):
            if not any(low - 12 <= match.start() < high for low, high in doubles):
                found.append(Saying(value, match.start(), match.end()))
    yield from sorted(found, key=lambda said: said.start)


def stamped(text: str) -> bool | None:
    """What an emphasised word says as a verdict."""
    match = STAMP.fullmatch(text) if len(text) < 30 else None
    return None if match is None else match["yes"] is not None


def plainly(text: str) -> bool | None:
    """What a short answer says without yes or no, whatever is asked: `It is listed`, `FPT không trả cổ tức`."""
    signs = [SIGNS[sign] for sign in text if sign in SIGNS]
    if signs:
        return signs[-1]
    if REFUSAL.search(text) or len(re.findall(r"[.!?](?:\s|$)", text)) > 2:
        return None
    if PLAIN_DENIAL.search(text[:600]):
        return False
    stated = PLAIN_STATEMENT.match(text) and not text.rstrip().endswith("?") and "\n" not in text and len(text) <= 200
    return True if stated else None
