"""What an answer says around its value: markers, negations, refusals, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolgauge.core import nfc

__all__ = [
    "ABBREVIATION",
    "AS_OF",
    "BASELINE",
    "CHANGE",
    "CLAUSE",
    "COMPARAND",
    "COMPARING",
    "CONTRAST",
    "DIFFERENCE",
    "MARKER",
    "MAX_CHARACTERS",
    "NEGATION",
    "NO_NEGATION",
    "OFFER",
    "PARTS",
    "REFUSAL",
    "RULED_OUT_BEHIND",
    "SENTENCE_END",
    "STEP",
    "STRONG",
    "STRUCK",
    "TAG",
    "TENTATIVE",
    "UNDECIDED",
    "WINDOW",
    "Region",
    "clean",
    "corrected",
    "is_declined",
    "last_marker",
    "last_match",
    "may_have",
    "region_of",
    "sentence_ends",
    "sentences",
]

MAX_CHARACTERS = 20_000
"""How much of an answer is searched for numbers and dates, so that a huge one costs no more than a long one."""

LINK = re.compile(r"\]\([^()\s]{0,2000}\)")
ADDRESS = re.compile(r"https?://[^\s)\]>]+|www\.[^\s)\]>]+")
TAG = re.compile(r"</?[a-zA-Z][^<>]{0,100}>")
STRUCK = re.compile(r"~~[^~\n]{1,300}~~|<(del|s)>[^<\n]{1,300}</\1>")
STRONG = re.compile(r"\*\*+|__|`+")
STAR = re.compile(r"(?<=[^0-9\s*])\*(?=\s|$|[.,;:!?)])|(?<![^\s(])\*(?=[^\s*])")
FORMULA = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}]{0,200})\}|\\[,;! ]|\\[()\[\]]|\$\$")
ESCAPED = re.compile(r"\\([%$#&_])")
ZERO_WIDTH = re.compile("[\u200b-\u200d\u2060\ufeff]")
LATEX_DOLLARS = re.compile(r"\$([^$\n]{0,200}[\\=^][^$\n]{0,200})\$")


def clean(output: str, *, keep_strong: bool = False) -> str:
    """The answer without markup, addresses and struck-out text, in normal form C.

    Args:
        output: The answer.
        keep_strong: Whether the signs of bold and code stay.
    """
    text = nfc(output).replace("\r\n", "\n").replace("\u2011", "-")
    if not text.isascii():
        text = ZERO_WIDTH.sub("", text)
    if "~~" in text or "<" in text:
        text = TAG.sub(" ", STRUCK.sub(" ", text))
    if "](" in text:
        text = LINK.sub("]", text)
    if "://" in text or "www." in text:
        text = ADDRESS.sub(" ", text)
    if "\\" in text:
        text = text.replace("{,}", ",")
        text = ESCAPED.sub(r" \1", FORMULA.sub(lambda match: f" {match[1] or ''} ", LATEX_DOLLARS.sub(r" \1 ", text)))
    if "*" in text or "`" in text or "__" in text:
        text = STAR.sub("", text if keep_strong else STRONG.sub("", text))
    return text


ANSWER = (
    r"(?:final|correct|short|overall|my)?\s?answer|final\sresult|(?:câu\s)?trả\slời|đáp\s(?:án|số)|kết\squả\scuối\scùng"
    r"|dap\san|tra\sloi"
)
RESULT = r"result|kết\squả|ket\squa|output"
SOFT = r"kết\sluận|conclusion|tóm\slại|summary|in\sshort"
DETAIL = r"(?:\s(?:cuối\scùng|cuối|chính\sxác|đúng|của\stôi|đúng\snhất|chung))?(?:\s?\([^()\n]{0,60}\))?[\"'”]?"
SIGN = r"[:=：]|→|=>|[–-](?=\s)"
OPENING = r"(?:^|(?<=[.!?\n]\s)|(?<=\n))(?:(?:vậy|vì\svậy|do\sđó|như\svậy|so|thus|hence|therefore),?\s(?:thì\s)?)?"
STATED = (
    r"[-−+$€£₫]{0,3}[0-9][0-9.,]{0,20}(?:\s?[^\s.;0-9]{1,12}){0,3}[.;!]?(?:\n|$|(?<=[.;!])\s(?!then|next|now|sau\sđó|tiếp|rồi|cộng|trừ|nhân"
    r"|chia|add|subtract|multiply|divide))"
)
"""A number that ends its sentence, and is not calculated with in the next one."""
MARKER = re.compile(
    rf"\b(?:{ANSWER}){DETAIL}\s?(?:{SIGN}|là\b:?|is\b:?)"
    rf"|(?<!bố\s)(?<!báo\s)(?<!trả\s)(?<!nhận\s)(?<!xét\s)\b(?:{RESULT}){DETAIL}\s?(?:{SIGN})"
    rf"|(?P<soft>\b(?:{SOFT}){DETAIL}\s?(?:{SIGN}|là\b:?|is\b:?|,)"
    rf"|{OPENING}(?:kết\squả|(?:the\s)?(?:result|total))(?:\scuối\scùng)?\s(?:là|is)\s(?={STATED}))"
    r"|\\boxed\{|(?:^|\n)\#{2,4}[ \t](?=[-0-9$])"
    rf"|(?:^|\n)[ \t]{{0,8}}[#>]{{0,6}}[ \t]{{0,8}}(?:{ANSWER}|{RESULT}){DETAIL}[ \t]{{0,8}}\n"
    r"|(?:^|\n)(?:A|Đ|TL)[ \t]?:",
    re.IGNORECASE,
)
"""What announces the answer. A `result` in the middle of a calculation is none, so it needs a sign behind it."""


def last_marker(text: str) -> re.Match[str] | None:
    """The last words that announce the answer."""
    return last_match(MARKER, text) if may_have(MARKER, text.casefold()) else None


class Region(NamedTuple):
    """The part of an answer that holds its value."""

    text: str
    marked: bool
    """Whether a marker stands before it, so that the first value counts and not the last."""
    firm: bool = False
    """Whether the marker promises the answer; a conclusion may just be words."""


def region_of(text: str) -> Region:
    """What stands behind the last marker, or else the whole answer."""
    last = last_marker(text)
    if last is None:
        return Region(text, marked=False)
    return Region(text[last.end() :], marked=True, firm=last["soft"] is None)


CORRECTION = re.compile(
    r"(?:^|(?<=[.!?…\n—–-]\s)|(?<=\n))(?:(?:oh|hmm|wait|sorry|oops|no|à|ồ|khoan|ấy|xin\slỗi),?\s){0,2}"
    r"(?:(?P<firm>correction|(?:that\sis|that['’]s|that\swas|this\sis)\swrong|wait|đính\schính|sửa\slại"
    r"|(?:tôi\s|mình\s)?(?:tính\s)?nhầm(?:\srồi)?|sai\srồi)|actually|thực\sra|thật\sra),?:?\s?[—–-]?\s?"
    r"(?:(?:it|that|the\s(?:correct\s|right\s)?(?:answer|value|figure|number|date|year))(?:\sis|['’]s|\sshould\sbe)\s"
    r"|(?:(?:con\ssố|đáp\sán|kết\squả)\s(?:đúng\s)?)?(?:phải\s)?là\s|(?(firm)|(?!)))"
    r"(?=(?:(?:about|in|on|khoảng|năm|ngày|tháng)\s){0,2}[−$€£₫-]{0,2}[0-9])",
    re.IGNORECASE,
)
"""What takes an answer back and puts a figure in its place: `Wait, that's wrong, it's 6.`"""


def corrected(text: str) -> str:
    """What stands behind a marker, from the last correction on where there is one."""
    last = last_match(CORRECTION, text)
    return text if last is None else text[last.end() :]


CLAUSE = re.compile(
    r"[;:!?\n(→]|=>|[.,](?=\s|$)|\s[-–—]\s|—|\b(?:but|mà|nhưng|however|song|rather(?!\sthan)|it's|it\sis|they\sare)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"\b(?:không\sphải|chẳng\sphải|chứ\skhông|đâu\sphải|không\scòn\slà|thay\svì|không\slà|không\scó(?=\s(?:$|[0-9]))|khác\svới|nhầm\svới|not|isn't|isn’t"
    r"|wasn't|wasn’t|aren't|aren’t|weren't|weren’t|instead\sof|rather\sthan|neither|nor|no\slonger|unlike|never)\b",
    re.IGNORECASE,
)
NO_NEGATION = re.compile(
    r"\b(?:only|just|chỉ|quá|dưới|hơn|more|less|than|until|exceed|exceeds|over|below|under|sure|least|most|thấp|cao|kém|ít"
    r"|merely|simply|before|after|earlier|later)\b",
    re.IGNORECASE,
)
RULED_OUT_BEHIND = re.compile(
    r"[\s\"”'’)*]*(?:%|°\w)?\s?(?:thì\s|mới\s)?(?:is\snot|isn't|isn’t|was\snot|wasn't|are\snot|không\sphải|không\sđúng"
    r"|chưa\sđúng|là\ssai|đều\ssai|bị\ssai|is\swrong|is\sincorrect|was\swrong|is\sfalse|không\schính\sxác)\b(?!\s(?:only|just|chỉ))",
    re.IGNORECASE,
)
TENTATIVE = re.compile(
    r"\b(?:ban\sđầu|lúc\sđầu|thoạt\s(?:đầu|nhìn)|tưởng|initially|at\sfirst|(?:originally|previously|formerly)|first\sthought"
    r"|might\sthink|mistakenly|nhầm|trước\sđây|trước\skia|i\sthought|từng\slà"
    r"|(?:often|commonly|frequently|usually)\s(?:say|think|believe|named?|mention|assume)|(?:many|some|most)\s(?:people\s)?(?:say|think|believe|assume)"
    r"|people\s(?:say|think|believe|assume)|nhiều\sngười\s(?:nói|nghĩ|cho|nhắc|tin))\b",
    re.IGNORECASE,
)
BASELINE = re.compile(
    r"\b(?:so\svới|compared\s(?:to|with)|versus|vs\.?|up\sfrom|down\sfrom|from|từ\smức|against|cùng\skỳ|target\sof|mục\stiêu"
    r"|beating|topping|surpassing|behind|ahead\sof|short\sof|(?:above|below|exceeding|missing)\sthe|vượt\s(?:kế\shoạch|dự\sbáo|kỷ\slục))"
    r"\s(?:[\w$€£₫]+\s){0,3}[$€£₫]?$",
    re.IGNORECASE,
)
COMPARING = re.compile(r"\b(?:than|hơn|while|whereas|trong\skhi|còn)\b", re.IGNORECASE)
COMPARAND = re.compile(
    r"\b(?:than\s(?!(?:about|around|roughly|nearly|approximately|some|an?|one|us)\s[$€£₫]?$)(?:[\w'’-]+\s){1,6}"
    r"|hơn\s(?:so\svới\s)?(?:[\w-]+\s){0,3}?(?:mức|mốc|con\ssố|trung\sbình|bình\squân)\s(?:[\w-]+\s){0,4}\(?"
    r"|(?:while|whereas|trong\skhi|còn)\s(?:[\w'’-]+\s){0,5}?(?:average|median|only|just|trung\sbình|bình\squân|chỉ)\s"
    r"(?:[\w-]+\s){0,4})[$€£₫]?$",
    re.IGNORECASE,
)
"""`more than Nadal's 22`, `cao hơn mức trung bình 15%`, `while the average is 3%`; `more than 22` is an estimate."""
DIFFERENCE = re.compile(
    r"[\s)]{0,2}(?:more|fewer|less|better|worse|[a-z]{2,12}er)\sthan\b"
    r"|\s(?:increase|decrease|rise|drop|decline|jump|gain|reduction|improvement|growth)\s(?:on|over|from|in|compared|versus)\b",
    re.IGNORECASE,
)
STEP = re.compile(
    r"[\s)]{0,2}[,;–—-]\s(?:tức\s)?(?:tăng|giảm|up|down|rising|falling|an?\s(?:increase|decrease|rise|fall|drop|gain)\sof)\s"
    r"(?:(?:khoảng|about|by|thêm|tới|hơn|gần|nearly|mạnh|nhẹ|some|roughly)\s){0,2}[+$€£₫-]{0,2}",
    re.IGNORECASE,
)
"""What stands between a level and how far it moved: `4.284 USD, tăng 160 USD`."""
AS_OF = re.compile(
    r"\b(?:tính\sđến|as\sof|cập\snhật|updated|accessed|truy\scập|retrieved|published|công\sbố|theo\s(?:số\sliệu|báo\scáo"
    r"|dữ\sliệu|thống\skê))\s?:?\s(?:[\w]+\s){0,4}$",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"\b(?:tăng|giảm|up|down|rose|fell|grew|increased|decreased|dropped|climbed|increase\sof|decrease\sof|growth\sof"
    r"|tăng\strưởng|sụt)\s(?:(?:khoảng|about|by|thêm|tới|hơn|gần|nearly|trưởng|mạnh|nhẹ|an?|roughly)\s){0,2}[+-]?$",
    re.IGNORECASE,
)
REFUSAL = re.compile(
    r"\b(?:(?:tôi|mình|em|chúng\stôi|hệ\sthống)\s(?:hiện\s|rất\stiếc\s|hiện\stại\s|vẫn\s|cũng\s)?(?:không|chưa)\s"
    r"(?:thể|tìm\s(?:thấy|được)|biết|rõ|có\s(?:thông\stin|dữ\sliệu|quyền|đủ|câu\strả\slời)|chắc|xác\sđịnh|tra\scứu|truy\scập)"
    r"|không\s(?:thể\s(?:xác\sđịnh|trả\slời|tìm|cung\scấp|biết)|tìm\sthấy|xác\sđịnh\sđược|có\sthông\stin|có\sdữ\sliệu|rõ)"
    r"|(?:chưa|không)\scó\s(?:đủ\s)?(?:thông\stin|dữ\sliệu|số\sliệu)|chưa\srõ|chưa\sxác\sđịnh"
    r"|i\s(?:can't|can’t|cannot|can\snot|could\snot|couldn't|couldn’t|am\sunable|was\sunable|was\snot\sable|am\snot\sable)\b"
    r"|i\shave\sno\b|i\s(?:wasn['’]t|haven['’]t|hadn['’]t)\s(?:been\s)?(?:able|found|seen)"
    r"|(?:hệ\sthống|dữ\sliệu|danh\ssách|hồ\ssơ|bảng|tài\sliệu)\s(?:\w+\s){0,3}(?:không|chưa)\s(?:có|ghi|thấy)"
    r"|(?:there\sis|there['’]s)\sno\s(?:\w+\s){0,2}(?:record|entry|figure|information|mention)\b"
    r"|i\s(?:do\snot|don't|don’t|am\snot|was\snot)\s(?:know|have|find|recall|sure|certain|see|understand)"
    r"|i'm\s(?:not\s(?:sure|able|certain)|unable|sorry)|unable\sto|(?:no|not\senough)\s(?:data|information)\b"
    r"|(?:is|are)\s(?:unknown|not\s(?:available|known|clear))|unclear|cannot\sbe\sdetermined|could\snot\sbe\s(?:found|determined))",
    re.IGNORECASE,
)
UNDECIDED = re.compile(
    r"\b(?:(?:không|chưa)\s(?:thể\s)?(?:xác\sđịnh|biết|rõ|kết\sluận|khẳng\sđịnh)(?:\sđược)?\s(?:con\s)?(?:số|bên|nguồn|mốc|ngày|năm"
    r"|giá\strị|cái|đâu|mức)(?:\sliệu)?\s(?:nào|là)|(?:số\sliệu|nguồn|tài\sliệu|con\ssố)\s(?:\w+\s){0,4}(?:khác\snhau|không\sthống\snhất"
    r"|mâu\sthuẫn|vênh\snhau)|không\sthống\snhất"
    r"|(?:can['’]?t|cannot|could\snot|couldn['’]t|unable\sto|not\ssure|hard\sto|impossible\sto|don['’]t\sknow)\s(?:\w+\s){0,3}(?:which|whether)"
    r"|(?:sources|reports|records|systems|figures|numbers|documents|data|dates|estimates)\s(?:\w+\s){0,3}(?:conflict|disagree|differ|contradict"
    r"|don['’]t\s(?:agree|match))|conflicting\s(?:\w+\s)?(?:figures|reports|sources|data|records|dates|information|numbers)"
    r"|either\s(?:one\s|figure\s|value\s|number\s|date\s)?(?:may|might|could|can)\sbe\s(?:\w+\s)?(?:used|quoted|cited|right|correct|valid)"
    r"|depends\son\s(?:how|which|whether|the\ssource)|tùy\s(?:cách|nguồn|theo\scách|vào\scách)|either\s\S+(?:\s\S+){0,4}\sor\b"
    r"|có\sthể\slà\s[^.\n]{1,40}\s(?:hoặc|hay)\s)",
    re.IGNORECASE,
)
"""What an answer says that names two values and does not know which of them is right."""
PARTS: dict[str, tuple[str, ...]] = {
    MARKER.pattern: (
        *("answer", "result", "trả", "tra", "đáp", "dap", "kết", "ket", "output", "conclus", "tóm", "summary", "short"),
        *("total", "boxed", "#", "a:", "a :", "a\t:", "đ:", "đ :", "đ\t:", "l:", "l :", "l\t:"),
    ),
    REFUSAL.pattern: (
        "there",
        "have",
        "không",
        "chưa",
        "not",
        "n't",
        "n’t",
        "unable",
        "sorry",
        "unknown",
        "unclear",
        "data",
        "format",
    ),
    UNDECIDED.pattern: (
        *("không", "chưa", "khác", "mâu", "vênh", "wh", "confl", "agree", "ffer", "contrad", "match", "depends", "tùy"),
        *("ther", "hoặc", "hay"),
    ),
}
"""For cues that take long to look for: letters in lower case of which every place of the cue has some, without an `i`,
which has more than two cases."""


def may_have(cue: re.Pattern[str], folded: str) -> bool:
    """Whether a text in lower case has a part of a cue; most answers have none, and need not be searched for it."""
    return any(part in folded for part in PARTS[cue.pattern])


DECLINED = re.compile(
    r"[\s:*\"'“(>–-]*(?:n\s?/\s?a\b|tbd\b|unknown|undetermined|unclear|unavailable|none\b|nothing\b|no\s(?:answer|data|information)"
    r"|not\s(?:available|known|found|sure|applicable|specified|given|stated|clear|disclosed|published|certain|determined)"
    r"|(?:it\s)?(?:cannot|can't|could\snot)\sbe|i\s(?:do\snot|don't|don’t|cannot|can't|can’t|could\snot|couldn't)"
    r"|(?:tôi\s|mình\s|em\s)?(?:không|chưa)\s(?:rõ|biết|xác\sđịnh|tìm\s(?:thấy|được|ra)|thể|chắc|có\s(?:dữ\sliệu|thông\stin"
    r"|số\sliệu|đáp\sán|câu\strả\slời|kết\squả)|được\scông\sbố|công\sbố|áp\sdụng))(?![^\W_])[^.,;\n(0-9]{0,80}(?:[.;\n(]|$)",
    re.IGNORECASE,
)
"""A refusal that is the whole sentence: `N/A. Last year it was 6.`"""


GUESS = re.compile(
    r"[\s(]*(?:có\s(?:thể|lẽ)|chắc\slà|ước|theo\sước|nhưng|tuy\snhiên|song|but|however|maybe|perhaps|probably|possibly|still|it\s"
    r"(?:may|might|could)\sbe|my\s(?:best\s)?(?:guess|estimate)|i\s(?:would\s)?(?:guess|estimate|think)|tôi\s(?:đoán|ước|nghĩ))\b",
    re.IGNORECASE,
)
"""What makes an answer of the sentence behind a refusal."""


def is_declined(text: str) -> bool:
    """Whether what stands behind a marker begins by saying that there is no answer."""
    match = DECLINED.match(text)
    if match is None or CONTRAST.search(match.group().rstrip(";")):
        return False
    return GUESS.match(text, match.end()) is None


CONTRAST = re.compile(
    r"\b(?:but|however|nhưng|tuy\snhiên|song|though|although|nonetheless|yet|still|,\sit\sis|chỉ\sbiết|instead)\b|;",
    re.IGNORECASE,
)
OFFER = re.compile(
    r"\b(?:let\sme\sknow|feel\sfree|just\s(?:ask|say)|tell\sme|would\syou\slike|do\syou\swant|if\syou\s(?:need|want|wish|like"
    r"|prefer|would\slike)|if\syou['’]d\slike|i\scan\s(?:also|list|provide|show|share|explain)|happy\sto|hãy\scho\s(?:tôi|mình|em)"
    r"\sbiết|cứ\s(?:hỏi|nói|nhắn)|nếu\s(?:(?:bạn|anh|chị|quý\skhách|ông|bà|em)\s)?(?:cần|muốn)|(?:tôi|mình|em)\scó\sthể\s"
    r"(?:liệt\skê|cung\scấp|gửi|giúp|đưa|gợi\sý)|bạn\scó\s(?:muốn|cần))\b",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n")
ABBREVIATION = re.compile(
    r"(?:\b(?:tp|mr|mrs|ms|dr|prof|st|gs|ts|pgs|ths|tx|no|vs|inc|co|ltd|jr|sr|approx|u\.s|[^\W\d_]))$", re.IGNORECASE
)
WINDOW = 120
"""How many characters before a value are looked at for words that change its meaning."""


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last match of a pattern."""
    found = None
    for match in pattern.finditer(text):
        found = match
    return found


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    found: list[str] = []
    begin = 0
    for end in sentence_ends(text):
        found.append(text[begin:end])
        begin = end
    return [sentence for sentence in (*found, text[begin:]) if sentence.strip()]


def sentence_ends(text: str) -> Iterator[int]:
    """Where sentences end; the stop of an abbreviation ends none."""
    for match in SENTENCE_END.finditer(text):
        place = match.start()
        if text[place] != "." or not ABBREVIATION.search(text[max(0, place - 8) : place]):
            yield match.end()
