"""Units of measure and currencies: their spellings, and when two of them agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from toolgauge.core import nfc

from .tokens import Token, tokenise
from .vocabulary import SCALES

__all__ = ["COUNTED", "CURRENCIES", "DOLLARS", "PREFIXES", "TIMES", "read_unit", "unit_at", "units_agree"]

SPELLINGS: dict[str, str] = {
    "%": "% | phần trăm | phan tram | percent | per cent | pct",
    "percentage point": "điểm phần trăm | điểm % | percentage point | percentage points | % points | pp",
    "basis point": "điểm cơ bản | basis point | basis points | bps",
    "VND": "đồng | đ | ₫ | vnd | vnđ | dong | việt nam đồng | đồng việt nam | vietnamese dong",
    "USD": "$ | us $ | usd | dollar | dollars | us dollar | us dollars | đô la | đô la mỹ | đô - la | đôla | đô"
    " | đô mỹ | mỹ kim | american dollars",
    "EUR": "€ | eur | euro | euros | ơ rô",
    "GBP": "£ | gbp | pounds sterling | bảng anh | british pounds",
    "JPY": "¥ | jpy | yen | yên | yên nhật | japanese yen",
    "CNY": "cny | rmb | yuan | nhân dân tệ | tệ",
    "KRW": "₩ | krw | won",
    "AUD": "aud | đô la úc | đô úc | australian dollar | australian dollars",
    "CAD": "cad | đô la canada | canadian dollar | canadian dollars",
    "SGD": "sgd | đô la singapore | đô sing | singapore dollar | singapore dollars",
    "HKD": "hkd | đô la hồng kông | đô la hong kong | hong kong dollar | hong kong dollars",
    "TWD": "twd | đô la đài loan | đài tệ | taiwan dollar | taiwan dollars",
    "NZD": "nzd | đô la new zealand | new zealand dollar | new zealand dollars",
    "THB": "thb | ฿ | baht",
    "INR": "inr | ₹ | rupee | rupees",
    "IDR": "idr | rupiah",
    "MYR": "myr | ringgit",
    "CHF": "chf | swiss franc | swiss francs",
    "RUB": "rub | ₽ | ruble | rubles | rouble | roubles | rúp",
    "cent": "cent | cents | xu | ¢",
    "°C": "c | ° c | º c | ℃ | độ c | độ celsius | celsius | degrees celsius | degree celsius | degrees c | độ xê",
    "°F": "f | ° f | º f | ℉ | độ f | fahrenheit | độ fahrenheit | degrees fahrenheit | degree fahrenheit | degrees f",
    "degree": "° | º | độ | degree | degrees",
    "km": "km | kilometre | kilometres | kilometer | kilometers | ki lô mét | cây số | kilômét",
    "m": "m | metre | metres | meter | meters | mét",
    "cm": "cm | centimetre | centimetres | centimeter | centimeters | xăng ti mét | xentimét | phân",
    "mm": "mm | millimetre | millimetres | millimeter | millimeters | mi li mét | milimét",
    "mile": "mile | miles | dặm | mi",
    "nautical mile": "hải lý | nautical mile | nautical miles",
    "foot": "ft | foot | feet",
    "inch": "inch | inches",
    "yard": "yard | yards",
    "light year": "năm ánh sáng | light year | light years | light - year | light - years",
    "mi²": "mi² | mi2 | square mile | square miles | sq mi | dặm vuông",
    "ft²": "ft² | ft2 | square foot | square feet | sq ft",
    "acre": "acre | acres | mẫu anh",
    "km³": "km³ | km3 | cubic kilometre | cubic kilometres | cubic kilometer | cubic kilometers | km khối",
    "km²": "km² | km2 | km ² | km 2 | square kilometre | square kilometres | square kilometer | square kilometers"
    " | sq km | ki lô mét vuông | kilômét vuông | km vuông",
    "m²": "m² | m2 | m 2 | square metre | square metres | square meter | square meters | sq m | mét vuông",
    "m³": "m³ | m3 | m 3 | cubic metre | cubic metres | cubic meter | cubic meters | mét khối",
    "ha": "ha | hectare | hectares | héc ta | hecta",
    "kg": "kg | kilogram | kilograms | kilo | kilos | ki lô gam | cân | ký | kí",
    "g": "g | gram | grams | gam",
    "mg": "mg | milligram | milligrams",
    "tonne": "tấn | tonne | tonnes | ton | tons | metric tons",
    "quintal": "tạ | quintal | quintals",
    "lb": "lb | lbs | pound | pounds",
    "ounce": "oz | ounce | ounces",
    "tael": "lượng | tael | taels | cây vàng",
    "litre": "l | lít | litre | litres | liter | liters",
    "ml": "ml | millilitre | millilitres | milliliter | milliliters",
    "gallon": "gallon | gallons",
    "barrel": "thùng | barrel | barrels",
    "second": "s | sec | secs | giây | second | seconds",
    "ms": "ms | millisecond | milliseconds | mili giây",
    "minute": "phút | minute | minutes | min | mins",
    "hour": "h | giờ | hour | hours | hr | hrs | tiếng",
    "day": "ngày | day | days",
    "week": "tuần | week | weeks",
    "month": "tháng | month | months",
    "year": "năm | year | years | yr | yrs",
    "year of age": "tuổi | years old | year old | years of age | - year - old",
    "person": "người | people | person | persons | inhabitants | dân",
    "share": "cổ phiếu | cp | share | shares | cổ phần",
    "time": "lần | times | x | times higher",
    "point": "điểm | point | points | pts",
    "km/h": "km / h | km / giờ | km / hour | kmh | kph | km per hour | kilometers per hour | kilometres per hour",
    "m/s": "m / s | m / giây | metres per second | meters per second",
    "mph": "mph | miles per hour",
    "knot": "knot | knots | hải lý / giờ",
    "kWh": "kwh",
    "MWh": "mwh",
    "GWh": "gwh",
    "TWh": "twh",
    "W": "watt | watts",
    "kW": "kw | kilowatt | kilowatts",
    "MW": "mw | megawatt | megawatts",
    "GW": "gw | gigawatt | gigawatts",
    "KB": "kb | kilobytes",
    "MB": "mb | megabyte | megabytes",
    "GB": "gb | gigabyte | gigabytes",
    "TB": "tb | terabyte | terabytes",
}

PHRASES: dict[tuple[str, ...], str] = {
    tuple(spelling.split()): unit for unit, row in SPELLINGS.items() for spelling in row.split(" | ")
}
BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _phrase in sorted(PHRASES, key=len, reverse=True):
    BY_FIRST.setdefault(_phrase[0], []).append(_phrase)

LONGER_WORDS: dict[str, frozenset[str]] = {
    "đô": frozenset(("thị", "vật")),
    "điểm": frozenset(("đến", "tin", "bán", "du", "chính")),
    "dân": frozenset(("số", "cư", "tộc")),
    "phân": frozenset(("khúc", "tích", "bón")),
    "cân": frozenset(("bằng", "đối")),
}
"""Syllables that make another word of a unit: `điểm đến` is a destination."""
CURRENCIES = frozenset(unit for unit in SPELLINGS if len(unit) == 3 and unit.isalpha() and unit.isupper())
TIMES = frozenset(("second", "minute", "hour", "day", "week", "month", "year", "ms"))
COUNTED = frozenset(("VND", "person", "share"))
"""What comes in whole numbers: `25,500 đồng` has no decimals, whatever the locale."""
PREFIXES = {
    **{sign: PHRASES[(sign,)] for sign in ["$", "€", "£", "¥", "₫", "₩", "₹", "₽", "฿"]},
    **{code.lower(): code for code in CURRENCIES},
    "vnđ": "VND",
}


DOLLARS = {
    "us": "USD",
    "u": "USD",
    "a": "AUD",
    "au": "AUD",
    "c": "CAD",
    "ca": "CAD",
    "s": "SGD",
    "hk": "HKD",
    "nt": "TWD",
    "nz": "NZD",
}
"""What the letters that touch a dollar sign make of it."""


def unit_at(
    tokens: Sequence[Token], index: int, extra: Mapping[tuple[str, ...], str], *, attached: bool = False
) -> tuple[str, int] | None:
    """The unit that begins at a token, and the index behind it."""
    if index >= len(tokens) or tokens[index].line:
        return None
    for phrases, names in ((tuple(extra), extra), (BY_FIRST.get(tokens[index].low, ()), PHRASES)):
        for phrase in phrases:
            end = index + len(phrase)
            if _stands(tokens, index, phrase) and not _is_other(tokens, index, end, phrase, attached=attached):
                return _with_denominator(tokens, end, names[phrase])
    return None


def _stands(tokens: Sequence[Token], index: int, phrase: tuple[str, ...]) -> bool:
    if index + len(phrase) > len(tokens):
        return False
    return all(tokens[index + offset].low == word for offset, word in enumerate(phrase))


def _is_other(tokens: Sequence[Token], index: int, end: int, phrase: tuple[str, ...], *, attached: bool) -> bool:
    """Whether the words mean something else here: a date, another word of two syllables, a name."""
    first = tokens[index]
    following = tokens[end] if end < len(tokens) else None
    if following and len(phrase) == 1:
        if first.low in ("năm", "tháng", "ngày") and following.kind == "figure":
            return True  # `5 tỷ năm 2023`: a date follows
        if following.low in LONGER_WORDS.get(first.low, ()):
            return True
    if len(phrase) > 1 or phrase[0] not in ("c", "f", "m", "g", "s", "h", "x"):
        return False
    if phrase[0] in ("c", "f"):
        return first.text.islower()
    return first.text.isupper() or (phrase[0] in ("s", "x") and not attached)


def _with_denominator(tokens: Sequence[Token], end: int, unit: str) -> tuple[str, int]:
    """Add what follows a stroke or `per`: `đồng/cổ phiếu`, `% per year`."""
    if "/" in unit or end >= len(tokens) or tokens[end].low not in ("/", "per", "mỗi"):
        return unit, end
    after = unit_at(tokens, end + 1, {})
    if after:
        return f"{unit}/{after[0]}", after[1]
    if end + 1 < len(tokens) and tokens[end + 1].kind == "word":
        return f"{unit}/{tokens[end + 1].low}", end + 2
    return unit, end


def units_agree(asked: str, stated: str) -> bool:
    """Whether a stated unit is the asked one.

    A degree without a scale is a degree of any, and money or a percentage need not say again per what.
    """
    if asked == stated:
        return True
    asked_head, _, asked_per = asked.partition("/")
    head, _, per = stated.partition("/")
    if "degree" in (asked_head, head) and {asked_head, head} <= {"degree", "°C", "°F"}:
        return True
    if asked_head != head:
        return False
    loose = head in CURRENCIES or head == "%"
    return loose and not (asked_per and per and asked_per != per)


def read_unit(text: str) -> tuple[Decimal, str | None, tuple[str, ...]]:
    """What an asked unit multiplies by, its name, and the words it is spelled with: `tỷ đồng` is 1e9, VND."""
    tokens = tokenise(nfc(text))
    scale, index = Decimal(1), 0
    while index < len(tokens) and tokens[index].low in SCALES:
        scale *= SCALES[tokens[index].low]
        index += 1
    rest = tokens[index:]
    if not rest:
        return scale, None, ()
    words = tuple(token.low for token in rest)
    known = unit_at([rest[0]._replace(line=False), *rest[1:]], 0, {}, attached=True)
    if known and known[1] == len(rest):
        return scale, known[0], words
    return scale, " ".join(words), words
