"""What a name is, and the words and forms by which one is recognised."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolgauge.locale import fold_word

from .place import FUNCTION_WORDS

NO_NAME_TEXT = (
    "i usd vnd vnđ eur gbp jpy vat gdp fdi ceo cfo cto coo hđqt hcv hcb clb hlv tp ceo's lntt q1 q2 q3 q4 am pm ok"
    " am pdf faq kpi roi monday tuesday wednesday thursday friday saturday sunday january february march april may june"
    " july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec km kg gb mb tb"
    " hz ghz kwh mr mrs ms dr prof thứ tháng quý năm ngày bước step note lưu ý ghi chú nguồn source tl dr tldr"
    " today's section chapter table figure tnhh ctcp cp jsc inc ltd llc plc ts bs ths gs pgs ông bà anh chị cô"
    " chú bác em"
    " final answer đáp án trả lời kết quả result summary tóm lại conclusion kết luận chairman chairwoman captain"
    " chief officer executive director manager president minister professor giám đốc chủ tịch trưởng phó"
    " huy chương vàng bạc hai ba tư sáu bảy nhật"
)
NO_NAMES = frozenset(NO_NAME_TEXT.split())
"""Words that are no name by themselves, though they are written with a capital."""
NAME_SYLLABLES = frozenset(("lưu", "huy", "bạc", "vàng", "kết", "quý", "nhật", "tư", "bảy", "sáu", "ba", "ý", "đốc"))
"""Those of them with which names of people begin as well."""
OPENER_TEXT = (
    "nothing something everything nobody anyone someone nominees finalists candidates contenders shortlist"
    " members top according based looking after since until"
    " during among following overall these those some many most several"
    " all each every what how why would should could please let my our your their there it's that's one two three four"
    " five first second third last next other another here's given using compared unlike despite from with without"
    " prices price sales results details additionally also early earlier later recently originally initially usually"
    " previously formerly currently due yes no runner winner option options correction update sorry apologies wait"
    " const không có các những một mỗi mọi nhiều vài hầu tổng mình tôi bạn em như với được đang đã sẽ hơn rẻ cao thấp"
    " nhất ngoài trước theo so trên dưới tại ở về để mặc bên ban lúc giá mức tỷ tỉ loại phần điểm việc cách khi"
    " sản chuyến người ca con cuộc đây đơn vị trí số danh bảng hai ba bốn xét cập phiên kim nếu gồm dự chúng thông"
    " xin rất tuyệt chào vâng dạ đính chính muốn cần đối riêng cùng kế tiếp thứ hạng hiện thay thuộc quanh gợi"
)
OPENERS = frozenset(OPENER_TEXT.split())
"""Words that often begin a sentence, and are hardly ever a name where they stand alone."""
HEAD_TEXT = (
    "công ngân tập siêu nhà khách quỹ trường bệnh phòng thành tỉnh đại viện cục bộ sở hãng gói đội câu vườn chợ"
    " sân bảo tổng liên hội ủy đài báo trung nước máy tàu xe chuyến mã cổ hệ phần"
)
HEADS = frozenset(HEAD_TEXT.split())
"""First syllables of words that say what a Vietnamese name names: `Công ty`, `Ngân hàng`."""
LINKS = frozenset(
    [
        "of",
        "de",
        "da",
        "do",
        "van",
        "von",
        "der",
        "den",
        "del",
        "la",
        "le",
        "el",
        "al",
        "di",
        "du",
        "dos",
        "bin",
        "ibn",
        "y",
    ]
)
LONG_HEADS = frozenset(("ty", "hàng", "tnhh", "cp", "ctcp", "đoàn", "học", "viện"))
QUOTED = re.compile(r"\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”|‘([^’\n]{2,80})’|«([^»\n]{1,80})»")
ITEM = re.compile(r"[ \t]*(?:[-•+–*]|\(?[0-9]{1,3}[.)]|[a-zA-Z][.)]|✅|🥇|🥈|🥉)[ \t]+")
HEAD_END = re.compile(r"\s[–—-]\s|:\s|\s\(|:$|\s=\s|\s→\s")
COPULA = re.compile(
    r"(?<![^\W_])(?:là|is|was|are|were|it's|it’s|chọn|dùng)\s(?:(?:the|an?|now|actually|also|still|probably"
    r"|loại|chất|màu|called|con|cây)\s){0,2}"
    r"(?P<name>[^\W\d_]+(?:[ -][^\W\d_]+){0,4})",
    re.IGNORECASE,
)
COPULA_WORDS = frozenset(map(fold_word, ("là", "is", "was", "are", "were", "it", "chọn", "dùng")))
"""What it begins with."""
STOP_TEXT = (
    "which who that with at in on by from for and or but because since as so when while where than if not only also"
    " và hoặc hay với tại ở của từ vì do nên nhưng mà còn khi nếu thì được bởi có đã đang sẽ thêm nằm dài cao"
    " khoảng chứ"
    " không cho trong theo về vào gồm tuy dù"
)
STOPS = frozenset(STOP_TEXT.split())
CLAUSE_WORDS = STOPS | FUNCTION_WORDS - {"của", "chính", "tên", "đô", "thủ", "capital"}
LINKED = frozenset(("is", "was", "has", "remains", "là", "won", "wins"))
"""What follows a name that opens a sentence, more often than another word."""
ROLE_NOUN_TEXT = (
    "officer director manager chairman chairwoman president minister engineer editor secretary executive head"
    " lead chief"
    " captain coach founder partner analyst professor governor mayor"
)
ROLE_NOUNS = frozenset(ROLE_NOUN_TEXT.split())
"""What ends an office and no name: `Chief Financial Officer`."""
ADJECTIVE = re.compile(r"(?:ian|ish|ese|ean|rican|rman|ench|utch|wiss|nish|orean|aeli|raqi)$")
SHORT_NAMES = frozenset(
    ["huế", "mỹ", "pháp", "đức", "nga", "ý", "úc", "nhật", "hàn", "lào", "áo", "bỉ", "séc", "ba_lan", "đài"]
)
"""Names of one syllable that is not plain Latin."""
DIGIT = re.compile(r"[0-9]")
QUARTER = re.compile(r"[IVX]+(?:/[0-9]+)?")
VERSION = re.compile(
    r"(?<![\w.,/:$€£-])v?[0-9]+(?:\.[0-9]+){1,3}(?![\w%:/]|[.,][0-9])|(?<![\w.,/:$€£+-])[0-9]{4,12}(?![\w%:/-]"
    r"|[.,][0-9])"
)
"""Figures that may be a version or an identifier."""
PARTICIPLE = re.compile(
    r"\w{3}(?:ed|ing|ly)$|^(?:written|led|made|built|known|held|run|won|given|taken|set|chosen|found|born|sung"
    r"|sold|said|seen|sent|paid|kept|left|sworn|drawn|grown|shown)$"
)
COMPARATIVE = re.compile(
    r"^(?:(?:long|short|high|low|fast|slow|cheap|larg|small|bigg|great|old|new|young|strong|weak|wid|deep|heavi|light|bett"
    r"|clos|near|lat|earli|dear|warm|cold|hott|rich|poor|safe|easi|hard)er|worse|further)$"
)
IDENTIFIER = re.compile(r"(?<![\w./@-])[a-z](?=[a-z._-]{0,80}[0-9])[a-z0-9]*(?:[-_.][a-z0-9]+)*(?![\w@/])")
"""A name in small letters that ends in figures: `srv-mail01`."""
LONGEST = 6
"""How many words a title or the head of a list item has at most."""
MAX_NAMES = 300
"""How many names of one answer are weighed: the first and the last ones."""


class Name(NamedTuple):
    """A stretch of a text that may be meant as a name."""

    start: int
    end: int
    first: int
    """Index of its first token."""
    last: int
    """Index behind its last token."""
    words: tuple[str, ...]
    """Its words and figures, folded."""
    shape: str = "row"
    """How it was found: a row of capitals, a code, a title, a cell, the head of an item, or what was stated."""
    weak: bool = False
    """Whether it may be no name at all."""


def is_code(text: str) -> bool:
    """Whether a text is written like a ticker, an identifier or a version."""
    if DIGIT.search(text):
        return " " not in text.strip() or (text.upper() == text and sum(map(str.isalpha, text)) <= 4)
    return text.isupper() and sum(map(str.isalpha, text)) <= 6
