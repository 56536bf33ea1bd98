"""Vietnamese: how it writes figures and dates, its words for numbers, dates and units."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from .profile import CalendarWords, DateForm, NumberWords, Profile, RelativeForm, scale_words, word_set
from .tokens import Token, word_at

__all__ = ["VIETNAMESE"]

DIGITS = {
    "không": 0,
    "một": 1,
    "hai": 2,
    "ba": 3,
    "bốn": 4,
    "năm": 5,
    "sáu": 6,
    "bảy": 7,
    "bẩy": 7,
    "tám": 8,
    "chín": 9,
}
ENDINGS = {
    **{word: value for word, value in DIGITS.items() if word not in ("không", "năm")},
    "mốt": 1,
    "tư": 4,
    "lăm": 5,
    "nhăm": 5,
}
"""What may follow the tens. Five is `lăm` there: `hai mươi năm` are twenty years."""
BEFORE_FIVE = frozenset(("mươi", "trăm", "chục", "phẩy", "phần"))
"""`năm` is five before these and before scale words; otherwise it is mostly a year."""
COUNTED_NOUNS = word_set(
    "người con cái chiếc tỉnh nước công thành quốc mã cổ lần cây giờ phút giây nhân quả bài trận doanh"
    " trường lớp đội bên nhóm loại phần ngôi tòa đồng độ ngân sao châu lục nguyên"
)


def _read_group(tokens: Sequence[Token], index: int, words: NumberWords) -> tuple[int, int] | None:
    """`hai trăm linh năm`."""
    word = tokens[index].low
    if word == "mười":
        return _ending(tokens, index + 1, 10)
    digit = DIGITS.get(word)
    following = word_at(tokens, index + 1)
    if digit is None or (word == "năm" and not _is_five(tokens, index, following, words)):
        return None
    if following == "trăm":
        return _below_hundred(tokens, index + 2, digit * 100)
    if following in ("mươi", "chục"):
        return _ending(tokens, index + 2, digit * 10)
    if following in ("mốt", "lăm", "nhăm") and digit > 1:
        return digit * 10 + ENDINGS[following], index + 2
    return digit, index + 1


def _is_five(tokens: Sequence[Token], index: int, following: str, words: NumberWords) -> bool:
    """Whether `năm` is five: it is mostly a year."""
    if following in BEFORE_FIVE or following in words.scales:
        return True
    if following in COUNTED_NOUNS:
        return word_at(tokens, index - 1) not in ("mỗi", "trong", "vào", "cả", "một", "các", "những", "hàng", "hằng")
    ends = not following or not following.isalnum()
    return ends and (index == 0 or word_at(tokens, index - 1) in words.claims)


def _ending(tokens: Sequence[Token], index: int, tens: int) -> tuple[int, int]:
    """Tens and the digit behind them, unless the digit multiplies something of its own."""
    word = word_at(tokens, index)
    if word in ENDINGS and word_at(tokens, index + 1) not in ("trăm", "mươi"):
        return tens + ENDINGS[word], index + 1
    return tens, index


def _below_hundred(tokens: Sequence[Token], index: int, hundreds: int) -> tuple[int, int]:
    word, following = word_at(tokens, index), word_at(tokens, index + 1)
    if word in ("linh", "lẻ"):
        digit = DIGITS.get(following, ENDINGS.get(following))
        return (hundreds, index) if digit is None else (hundreds + digit, index + 2)
    if word == "mười":
        tens, end = _ending(tokens, index + 1, 10)
        return hundreds + tens, end
    if word == "rưỡi":
        return hundreds + 50, index + 1
    if word in DIGITS and following in ("mươi", "chục"):
        tens, end = _ending(tokens, index + 2, DIGITS[word] * 10)
        return hundreds + tens, end
    if word in DIGITS and following in ("mốt", "lăm", "nhăm"):
        return hundreds + DIGITS[word] * 10 + ENDINGS[following], index + 2
    if word in ENDINGS and hundreds:
        return hundreds + ENDINGS[word] * 10, index + 1  # `trăm hai` is short for a hundred and twenty
    return hundreds, index


SPELLED_DIGITS = ["không", "một", "hai", "ba", "bốn", "năm", "sáu", "bảy", "tám", "chín"]


def _spellings(number: int) -> list[str]:
    """The spellings of a number below 32, as days and months have them."""
    tens, one = divmod(number, 10)
    if number < 10:
        return [SPELLED_DIGITS[number], *(["tư"] if number == 4 else [])]
    if tens == 1:
        return ["mười" if one == 0 else f"mười {'lăm' if one == 5 else SPELLED_DIGITS[one]}"]
    head = f"{SPELLED_DIGITS[tens]} mươi"
    if one == 0:
        return [head]
    endings = {1: "mốt", 4: "tư", 5: "lăm"}
    return sorted({f"{head} {SPELLED_DIGITS[one]}", f"{head} {endings.get(one, SPELLED_DIGITS[one])}"})


def _write_date(day: date) -> str:
    return f"ngày {day.day} tháng {day.month} năm {day.year:04d}"


NUMBERS = NumberWords(
    grammars=(_read_group,),
    starts=frozenset((*DIGITS, "mười", "nửa")),
    scales=scale_words({3: "nghìn ngàn nghin ngan", 4: "vạn", 6: "triệu trieu tr", 9: "tỷ tỉ ty"}),
    not_after_scale=word_set("lệ giá suất trọng phú số lê gia"),
    tenths=DIGITS,
    decimal_words=frozenset(("phẩy", "chấm")),
    minus=frozenset(("âm",)),
    separating=word_set("và hoặc hay của trong với cho là đến từ ở so"),
    claims=frozenset(("là", "bằng", "có")),
    years_claimed=word_set("là khoảng bằng gồm có gần hơn đạt được chỉ tổng"),
    before_negative=frozenset(["là", "đạt", "lỗ", "ròng", "thuế"]),
    no_number_before={
        "một": word_set("trong số vài ít chút cách khi mặt phần lần lúc cái nào mình điều câu bài"),
        "ba": frozenset(["mẹ", "má", "lô", "con"]),
        "hai": frozenset(["bên", "mặt", "chiều", "chữ"]),
        "chín": frozenset(["muồi", "chắn"]),
    },
    no_number_after={"một": frozenset(["từng", "mỗi", "thứ"]), "hai": frozenset(["cả", "thứ"])},
    articles=frozenset(("một",)),
    halves=frozenset(("nửa",)),
    telephones=frozenset(("sđt", "đt", "thoại", "zalo", "hệ")),  # `hệ` ends `liên hệ`
    calls=frozenset(("gọi",)),
    labels=word_set(
        "bước câu bài điều khoản mục chương phần bảng hình trang dòng nguồn hạng thứ cấp lớp quận phường"
        " phòng tầng vòng kỳ tập ví cách loại nhóm"
    ),
    numbered=frozenset(("câu", "bước", "mục")),
    out_of=frozenset((("trong", "số"), ("tổng", "số"))),
    range_words=frozenset(("đến", "tới")),
    from_words=frozenset(("từ",)),
    between_words=frozenset(("giữa",)),
    and_words=frozenset(("và",)),
    fillers=word_set("khoảng mức gần hơn đến tới"),
    change_links=frozenset(("lên", "xuống", "còn", "thành", "sang")),
    changes=word_set("tăng giảm nâng hạ leo rơi chuyển đổi sụt vọt nhảy thu mở"),
    spreads=frozenset(("dao", "động", "khoảng", "giữa")),
)

DAYTIMES = r"(?:sáng|trưa|chiều|tối|đêm)"
SPAN = r"(?P<unit>ngày|tuần|tháng|quý|năm)"
IN_YEAR = r"(?:\s?[,/\-–.]?\s?(?:năm\s)?%year%(?![0-9]))"
DAY = r"(?P<day>[0-9]{1,2}|%own_days%)"
MONTH = r"(?P<month>[0-9]{1,2}|%own_months%)(?![0-9\w])"
CALENDAR = CalendarWords(
    months={**{word: number for number in range(1, 13) for word in _spellings(number)}, "giêng": 1, "chạp": 12},
    days={word: number for number in range(1, 32) for word in _spellings(number)},
    weekdays={
        "thứ hai": 0,
        "thứ ba": 1,
        "thứ tư": 2,
        "thứ năm": 3,
        "thứ sáu": 4,
        "thứ bảy": 5,
        "chủ nhật": 6,
        **{f"thứ {number}": number - 2 for number in range(2, 8)},
    },
    quarters={"một": 1, "hai": 2, "ba": 3, "bốn": 4, "tư": 4, "nhất": 1, "đầu": 1, "cuối": 4},
    counts={
        "một": 1,
        "hai": 2,
        "ba": 3,
        "bốn": 4,
        "năm": 5,
        "sáu": 6,
        "bảy": 7,
        "tám": 8,
        "chín": 9,
        "mười": 10,
    },
    firsts=frozenset(("đầu",)),
    year_nouns=frozenset(("năm",)),
    year_cues=("năm", "cuối"),
    cues=("ngày", "hôm", "mùng", "mồng", "bữa", "phiên", "sáng", "chiều", "tối", "đêm", "trưa", "lễ", "dịp"),
    further_cues=("mùng", "mồng", "ngày"),
    eras=("tcn", r"trước\scông", r"trước\scn"),
    lunar=(r"âm\slịch", r"\(âm\slịch", r"al\b"),
    counted=(
        r"đồng|đ\b|người|tỷ|tỉ|triệu|nghìn|ngàn|tấn|cổ\sphiếu|điểm|độ|ngày\b|khách|đơn\svị|căn|chiếc|cái|con\b|trường"
        r"|doanh\snghiệp|công\sty|học\ssinh|sinh\sviên|tuổi|mét|lít|giờ|phút|xe\b|nhân\sviên|năm(?!\s[0-9])|tháng\b|tuần\b",
    ),
    numbered=("số", "chuyến", "phòng", "mã", "trang"),
    forms=(
        DateForm(("tháng",), rf"\b%cue%?{DAY}\stháng\s{MONTH}{IN_YEAR}?%not_lunar%", "words"),
        DateForm(
            ("/",),
            r"%before%(?P<day>[0-9]{1,2})\s?(?:[-–—]|đến|tới)\s?(?:ngày\s)?(?P<last>[0-9]{1,2})/(?P<month>[0-9]{1,2})/%year%%after_stroke%",
            "numeric_days",
            digits=True,
        ),
        DateForm(
            ("tháng",),
            rf"\b(?P<day>[0-9]{{1,2}})\s?(?:[-–—]|đến|tới)\s?(?:ngày\s)?(?P<last>[0-9]{{1,2}})\stháng\s{MONTH}{IN_YEAR}",
            "days",
            digits=True,
        ),
        DateForm(("tháng",), rf"\btháng\s{MONTH}{IN_YEAR}?%not_lunar%", "month_words"),
        DateForm(
            ("tháng",),
            r"\b(?P<count>[0-9]{1,2}|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười)\stháng\s(?P<which>đầu|cuối)(?:\scủa)?"
            r"(?:\snăm)?(?:\s%year%(?![0-9]))?",
            "part",
        ),
        DateForm(
            ("q",), r"\bqu[ýí]\s(?P<quarter>đầu|cuối)(?:\scùng)?(?:\stiên)?(?:\scủa)?\snăm\s%year%(?![0-9])", "quarter"
        ),
        DateForm(("/",), r"\b(?P<quarter>iv|i{1,3})/%year%(?![0-9/])", "quarter", digits=True),
        DateForm(
            ("nửa",), r"\bnửa\s(?P<which>đầu|cuối)(?:\scủa)?(?:\snăm)?(?:\s%year%(?![0-9]))?", "half", digits=True
        ),
        DateForm(("năm",), r"\b(?P<cue>năm)\s(?P<year>[0-9]{2,3})%after%%not_era%", "year"),
        DateForm(
            ("năm",),
            r"\b(?P<cue>năm)\s(?P<words>(?:một|hai)\s(?:nghìn|ngàn)(?:\s[^\W\d_]+){0,8})",
            "spelled_year",
        ),
        DateForm(
            ("thập", "những năm"),
            r"\b(?:thập\sniên|thập\skỷ|thập\skỉ|những\snăm)\s(?P<decade>[0-9]{3}0|[0-9]0)(?![0-9])",
            "decade",
        ),
        DateForm(("thế k",), r"\bthế\sk[ỷỉ]\s(?:thứ\s)?(?P<century>[0-9]{1,2}|[ivx]{1,5})\b", "century"),
    ),
    relative=(
        RelativeForm(("nay",), rf"\b(?:(?:ngày\s)?hôm\snay|{DAYTIMES}\snay)\b", "days", 0),
        RelativeForm(("kia",), r"\b(?:ngày\s)?hôm\skia\b", "days", -2),
        RelativeForm(("qua",), rf"\b(?:(?:ngày\s)?hôm\squa|{DAYTIMES}\s(?:hôm\s)?qua)\b", "days", -1),
        RelativeForm(("kia", "mốt"), r"\bngày\s(?:kia|mốt)\b", "days", 2),
        RelativeForm(("mai",), r"\b(?:ngày|sáng|chiều|tối)\smai\b", "days", 1),
        RelativeForm(("sang năm",), r"\bsang\snăm(?:\ssau|\stới)?\b(?!\s[0-9])", "years", 1),
        RelativeForm(("tuần",), r"\b(?P<weekday>%weekdays%)\stuần\s(?P<step>này|trước|sau|tới)\b", "weekday_of_week"),
        RelativeForm(("thứ", "chủ nhật"), r"\b(?P<weekday>%weekdays%)\s(?P<step>này|tới)\b", "weekday"),
        RelativeForm(("cách",), rf"\bcách\s(?:đây|nay)\s(?:khoảng\s)?%count%\s{SPAN}\b", "ago"),
        RelativeForm(("trước",), rf"\b%count%\s{SPAN}\s(?:trước|về\strước)\b", "ago"),
        RelativeForm(("nữa",), rf"\b(?:sau\s)?%count%\s{SPAN}\snữa\b", "ahead"),
        RelativeForm(
            ("tuần", "tháng", "quý", "năm"),
            r"\b(?P<unit>tuần|tháng|quý|năm)\s"
            r"(?P<step>này|nay|hiện\stại|trước|ngoái|vừa\srồi|vừa\squa|qua|sau|tới)\b",
            "named",
        ),
        RelativeForm(("năm",), r"\b(?P<unit>năm)\s(?P<step>kìa|kia)\b", "named"),
    ),
    spans={"ngày": "day", "hôm": "day", "tuần": "week", "tháng": "month", "quý": "quarter", "năm": "year"},
    steps={
        "này": 0,
        "nay": 0,
        "hiện tại": 0,
        "trước": -1,
        "ngoái": -1,
        "vừa rồi": -1,
        "vừa qua": -1,
        "kia": -2,
        "kìa": -3,
        "qua": -1,
        "rồi": -1,
        "sau": 1,
        "tới": 1,
    },
)

UNITS = {
    "%": "phần trăm | phan tram",
    "percentage point": "điểm phần trăm | điểm %",
    "basis point": "điểm cơ bản",
    "VND": "đồng | đ | vnđ | dong | việt nam đồng | đồng việt nam",
    "USD": "đô la | đô la mỹ | đô - la | đôla | đô | đô mỹ | mỹ kim",
    "EUR": "ơ rô",
    "GBP": "bảng anh",
    "JPY": "yên | yên nhật",
    "CNY": "nhân dân tệ | tệ",
    "AUD": "đô la úc | đô úc",
    "CAD": "đô la canada",
    "SGD": "đô la singapore | đô sing",
    "HKD": "đô la hồng kông | đô la hong kong",
    "TWD": "đô la đài loan | đài tệ",
    "NZD": "đô la new zealand",
    "RUB": "rúp",
    "cent": "xu",
    "°C": "độ c | độ celsius | độ xê",
    "°F": "độ f | độ fahrenheit",
    "degree": "độ",
    "km": "ki lô mét | cây số | kilômét",
    "m": "mét",
    "cm": "xăng ti mét | xentimét | phân",
    "mm": "mi li mét | milimét",
    "mile": "dặm",
    "nautical mile": "hải lý",
    "light year": "năm ánh sáng",
    "mi²": "dặm vuông",
    "acre": "mẫu anh",
    "km³": "km khối",
    "km²": "ki lô mét vuông | kilômét vuông | km vuông",
    "m²": "mét vuông",
    "m³": "mét khối",
    "ha": "héc ta | hecta",
    "kg": "ki lô gam | cân | ký | kí",
    "g": "gam",
    "tonne": "tấn",
    "quintal": "tạ",
    "tael": "lượng | cây vàng",
    "litre": "lít",
    "barrel": "thùng",
    "second": "giây",
    "ms": "mili giây",
    "minute": "phút",
    "hour": "giờ | tiếng",
    "day": "ngày",
    "week": "tuần",
    "month": "tháng",
    "year": "năm",
    "year of age": "tuổi",
    "person": "người | dân",
    "share": "cổ phiếu | cp | cổ phần",
    "time": "lần",
    "point": "điểm",
    "km/h": "km / giờ",
    "m/s": "m / giây",
    "knot": "hải lý / giờ",
}

VIETNAMESE = Profile(
    decimal=",",
    group=".",
    day_first=True,
    write_date=_write_date,
    numbers=NUMBERS,
    calendar=CALENDAR,
    units=UNITS,
    not_units={
        "đô": frozenset(("thị", "vật")),
        "điểm": frozenset(("đến", "tin", "bán", "du", "chính")),
        "dân": frozenset(("số", "cư", "tộc")),
        "phân": frozenset(("khúc", "tích", "bón")),
        "cân": frozenset(("bằng", "đối")),
    },
    per=frozenset(("mỗi",)),
    yes=frozenset(("có", "đúng")),
    no=frozenset(("không", "sai")),
    article_homographs=frozenset(("an",)),
    letters="ăâđêôơưàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ",
    min_shared_words=2,  # what stands between spaces is a syllable, half a word
    small_words=word_set(
        "và của là cho tôi trong có các những được với thì mà này đó kia nào gì ai ở tại từ đến vào ra lên"
        " xuống hay hoặc như để khi nếu vì bởi về theo trên dưới bao nhiêu một hai mình bạn anh chị em giúp"
        " hãy xin vui lòng muốn biết cần hỏi không chưa đã đang sẽ rồi thế sao vậy nhé ạ nhỉ à ơi cái con"
    ),
)
