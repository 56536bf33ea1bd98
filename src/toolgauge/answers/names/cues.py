"""Words and phrases that tell how a name is meant: links, contrasts, titles, conclusions, corrections, hearsay."""

from __future__ import annotations

import re

from toolgauge.locale import fold_word

from .place import TITLES
from .words import ROLE_NOUNS

SENTENCE_ROLES = frozenset(("former", "confused", "now", "given", "contender"))
"""Roles that a phrase gives to a name though other words stand between."""
REACH = {"source": 3, "beaten": 2, "parent": 2, "also": 4, "second": 4, "recommended": 5}
LISTED = ("head", "cell")
BREAKS = frozenset(";:()—–,.!?|→")
MOVES = [[fold_word(word)] for word in ("to", "sang", "thành", "→", "lên", "into")]
CONTRASTS = frozenset(
    fold_word(word)
    for word in [
        "but",
        "however",
        "nhưng",
        "song",
        "although",
        "though",
        "whereas",
        "while",
        "yet",
        "tuy",
        "dù",
        "còn",
        "mà",
    ]
)
COORDINATORS = frozenset(fold_word(word) for word in [",", "and", "và", "&", "or", "/", "hoặc", "hay", "với", "cùng"])
ANSWERS = frozenset(
    map(
        fold_word,
        [
            "answer",
            "culprit",
            "winner",
            "choice",
            "cause",
            "reason",
            "pick",
            "solution",
            "đáp",
            "án",
            "thủ",
            "phạm",
            "nguyên",
        ],
    )
)
DESCRIBED = TITLES | ROLE_NOUNS | frozenset(("corporation", "firm", "writer", "author", "mathematician", "singer"))
COPULAS = frozenset(
    fold_word(word)
    for word in [
        "là",
        "is",
        "was",
        "are",
        "were",
        ":",
        "=",
        "→",
        "gồm",
        "tên",
        "called",
        "named",
        "bởi",
        "by",
        "do",
        "thuộc",
    ]
)
LOCATIVES = frozenset(
    fold_word(word) for word in ["in", "at", "from", "near", "ở", "tại", "từ", "to", "đến", "through", "around", "quê"]
)
WHERE = LOCATIVES - {fold_word(word) for word in ("to", "from", "từ", "đến")} | {"of"}
HONORIFICS = frozenset(
    fold_word(word)
    for word in [
        "ông",
        "bà",
        "anh",
        "chị",
        "cô",
        "chú",
        "bác",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "captain",
        "sir",
        "madam",
        "gs",
        "ts",
        "pgs",
        "bs",
        "ths",
        "nhạc",
        "văn",
        "sĩ",
        "hào",
    ]
)
ORGANISATION = re.compile(
    r"\b(?:inc|corp|ltd|llc|plc|group|bank|university|company|holdings|fund|tập\sđoàn|công\sty|ngân\shàng|tnhh"
    r"|ctcp|studios|pictures"
    r"|airlines|association|committee|ministry)\b",
    re.IGNORECASE,
)
THING = re.compile(
    r"\b(?:prize|award|cup|championships?|league|trophy|medal|tournament|festival|oscars?|giải|cúp|huy\schương)\b",
    re.IGNORECASE,
)
"""What a name names that is neither a person nor an organisation: `Peace Prize`."""
LANDSCAPES = frozenset(
    map(fold_word, ("biển", "sông", "núi", "hồ", "đảo", "vịnh", "đèo", "suối", "sân", "bãi", "rừng", "phố"))
)
"""Words before the name of a place."""
EXCHANGES = frozenset(("hose", "hnx", "upcom", "nasdaq", "nyse", "lse", "etf", "ipo", "amex", "hsx"))
CONCLUDED = re.compile(
    r"[\s>*#\-–]*(?:👉|→|⇒|=>|✅|🏆|➡️?)|[\s>*#👉→]*(?:so(?!\ssánh|\svới|\sfar)|therefore|thus|hence|in\sshort"
    r"|overall|in\sconclusion|bottom\sline|conclusion|to\ssum\sup|in\ssummary"
    r"|to\sanswer\syour\squestion|tóm\slại|như\svậy|vậy|do\sđó|vì\s(?:vậy|thế)|kết\sluận|theo\sđó|tổng\skết"
    r"|chốt\slại|nói\sngắn\sgọn|winner|verdict)\b",
    re.IGNORECASE,
)
CORRECTED = re.compile(
    r"[\s>*#\-–(]*(?:correction|sorry|apologies|wait|scratch\sthat|let\sme\scorrect|i\s(?:misspoke|misread"
    r"|made\sa\smistake|mixed)|my\smistake|on\ssecond\sthought"
    r"|oops|update|à\skhông|no,?\swait|đính\schính|xin\slỗi|sửa\slại|nói\slại|à\snhầm|mình\snhầm|tôi\snhầm|kiểm\stra\slại|xem\slại"
    r"|cập\snhật)\b(?![^.!?\n]{0,40}(?:không\sthể|unable|can't))",
    re.IGNORECASE,
)
ENDED = re.compile(
    r"(?<![0-9])(?:19|20)[0-9]{2}\s?[–—-]\s?(?:(?:19|20)[0-9]{2}|[0-9]{2})(?![0-9])"
    r"|\b(?:19|20)[0-9]{2}\s(?:to|until|đến|tới)\s(?:\w+\s){0,2}(?:19|20)[0-9]{2}\b|\buntil\s(?:\w+\s){0,2}(?:19|20)[0-9]{2}\b"
    r"|\bđến\s(?:hết\s)?(?:tháng\s[0-9/]+|năm\s(?:19|20)[0-9]{2})",
    re.IGNORECASE,
)
"""When something ended."""
NO = re.compile(r"[\s>*#\-–(]*(?:no|nope|không|chưa\sđúng)\b\s?[.,;:!—–-]", re.IGNORECASE)
"""What takes back a question that was asked before: `Use A? No — use B.`"""
CORRECTED_INSIDE = re.compile(
    r"(?:\s[—–-]|…|\.\.\.|,|\?)\s?(?:(?:oh|hmm|ah)\s?,?\s)?(?:wait|hold\son|no,\swait|actually,?\sno|scratch\sthat|à\skhông"
    r"|à\snhầm|ý\s(?:tôi|mình|em)\slà|i\smean|(?<=…\s)no|(?<=…)no|(?<=\.\.\.\s)no|(?<=…\s)không)\b(?!\s(?:for|until|times?|list))",
    re.IGNORECASE,
)
CORRECTING_TEXT = (
    "correction sorry apologies wait scratch correct misspoke misread mistake mixed thought oops update nhầm đính xin"
    " sửa lại cập hold actually à ý mean"
)
CORRECTING_WORDS = frozenset(map(fold_word, CORRECTING_TEXT.split()))
"""Words of which every correction has one, but for a no to one's own question."""
CODE_KIND_TEXT = (
    "bic swift iban isin iata icao sku cusip sedol gtin ean upc isbn issn id vin imei lei mst icd hs cas doi url api"
    " utc gmt tls sql http https qr pin otp rfid gps"
)
CODE_KINDS = frozenset(CODE_KIND_TEXT.split())
"""Letters that name a kind of code, and are none."""
LONG_CODE = re.compile(r"(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:[-./][A-Z0-9]+)*")
OPENING_TEXT = (
    "it is it's ' ’ s that that's this would be must most very likely probably almost certainly i think believe say"
    " the a an so answer based on your should could might"
    " được đó đây là có lẽ khả năng cao nhất chắc hẳn theo tôi mình nghĩ"
    ' thì : , " “ ( nên hãy dạ vâng ạ short use choose pick go with chọn dùng'
)
OPENING = frozenset(map(fold_word, OPENING_TEXT.split()))
"""What may stand before a name with which an answer begins."""
IN_FACT = re.compile(
    r"\b(?:actual(?:\s\w+)?|(?:real|true)\s(?:cause|culprit|reason|trigger|source|owner|author)|root\scause|thực\ssự|actually|in\sfact|in\sreality|thực\sra|thật\sra|(?:trên\s)?thực\stế(?=\s?(?:,|là\b|thì\b|lại\b))|đúng\sra|chính\sxác\slà|đúng\slà"
    r"|official(?:ly)?|chính\sthức)\b",
    re.IGNORECASE,
)
HEARSAY = re.compile(
    r"\b(?:rumou?rs?|rumou?red|reportedly|allegedly|some\s(?:sources|people|say|blogs|sites|geographers)"
    r"|several\s(?:\w+\s)?(?:blogs|sites|sources)|many\s(?:people|sources|say|think|believe)"
    r"|people\s(?:say|think|often)|often\s(?:mentioned|cited|named|said)|usually|early\spress|forums?"
    r"|fan\ssites?|one\s(?:blog|newsletter)|a\s(?:\w+\s)?(?:newsletter|blog)"
    r"|có\s(?:người|nguồn|tin)|nhiều\s(?:người|nguồn|bạn|trang|tài\sliệu)|một\ssố\s(?:nguồn|trang|người|báo"
    r"|bài)|tin\sđồn|đồn|nghe\snói|mạng\sxã\shội|hay\sđược\snhắc|thường\sđược"
    r"|được\scho\slà|dư\sluận)\b",
    re.IGNORECASE,
)
TOPIC = re.compile(
    r"(?:for|in\sterms\sof|as\sfor|regarding|when\sit\scomes\sto|if\syou\scare\sabout|về|xét\s(?:về\s)?"
    r"|riêng\s(?:về\s)?|còn\svề|nếu\sxét|đối\svới|tính\stheo)\s?"
    r"(?!example|instance|reference|context|comparison|now\b|you|bạn)(?P<topic>[^,.;:\n]{2,50}),",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"(?<![^\W_])(?:if|nếu|unless|trường\shợp|in\scase|for\sexample|for\sinstance|e\.g|chẳng\shạn|ví\sdụ"
    r"|suppose|giả\ssử)(?![^\W_])",
    re.IGNORECASE,
)

POSTS = frozenset(map(fold_word, ("vị", "trí", "chức", "position", "role", "post")))
BY_WHOM = "do"
AFTER_ALL = re.compile(
    r"\b(?:however|in\sthe\send|eventually|ultimately|finally|nonetheless|nevertheless|even\sso|tuy\s(?:nhiên|vậy)"
    r"|(?:dù|dẫu)\s(?:vậy|thế)|cuối\scùng|rốt\scuộc|sau\scùng|chung\scuộc)\b",
    re.IGNORECASE,
)
"""What leads up to how it came out."""
AFTER_ALL_TEXT = (
    "however end eventually ultimately finally nonetheless nevertheless even nhiên vậy thế cuối rốt sau chung"
)
AFTER_ALL_WORDS = frozenset(map(fold_word, AFTER_ALL_TEXT.split()))
OF_OTHERS = frozenset(map(fold_word, ("over", "other", "than", "hơn", "vượt", "against", "beat", "beating")))
SKIPPED = TITLES | {"the", "a", "an", "của", '"', "“"}
"""What may stand between a link such as `is` and a name."""
ABBREVIATED = frozenset(("tp", "tx", "st", "dr", "mr", "mrs", "ms", "prof", "ts", "gs", "pgs", "bs", "ths", "ls"))
"""Words that a dot shortens, and ends no sentence behind: `TP. Huế`."""
LED_TO = OPENING | frozenset(map(fold_word, ("tp", "tx", ".", "thành", "phố", "tỉnh", "city")))
"""What may stand before a name that opens the answer: `Đó là TP. Huế`."""
AT = LOCATIVES - {"from", fold_word("từ"), "to"}

HEARSAY_TEXT = (
    "rumor rumour rumors rumours rumored rumoured reportedly allegedly some several many people often usually early"
    " forum forums fan one newsletter blog người nguồn tin bạn trang liệu báo bài đồn nghe mạng hay thường được dư"
)
HEARSAY_WORDS = frozenset(map(fold_word, HEARSAY_TEXT.split()))
"""Words of which hearsay has one; looked up first, since they are found faster than a pattern."""
IN_FACT_TEXT = "actual real true root actually fact reality official officially thực thật đúng chính"
IN_FACT_WORDS = frozenset(map(fold_word, IN_FACT_TEXT.split()))
CONDITION_TEXT = "if nếu unless trường case example instance e chẳng ví suppose giả"
CONDITION_WORDS = frozenset(map(fold_word, CONDITION_TEXT.split()))
OFFER_TEXT = (
    "know free ask say tell like want need wish prefer happy also list provide show share explain biết hỏi nói nhắn cần"
    " muốn liệt cung gửi giúp đưa gợi"
)
OFFER_WORDS = frozenset(map(fold_word, OFFER_TEXT.split()))
TENTATIVE_TEXT = (
    "đầu thoạt tưởng initially first originally previously formerly might mistakenly nhầm trước thought từng say think"
    " believe name named mention assume nhiều"
)
TENTATIVE_WORDS = frozenset(map(fold_word, TENTATIVE_TEXT.split()))
DENYING_TEXT = (
    "không chưa chẳng chứ đâu thay khác nhầm sai not isn wasn aren weren can cannot could couldn don unable instead"
    " rather neither nor no unlike never wrong incorrect false unknown unclear sorry"
)
DENYING_WORDS = frozenset(map(fold_word, DENYING_TEXT.split()))
"""Words of which every denial and refusal has one."""
