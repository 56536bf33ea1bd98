"""English: how it writes figures and dates, its words for numbers, dates and units."""

from __future__ import annotations

from datetime import date

from .number_words import additive_reader
from .profile import (
    CalendarWords,
    DateForm,
    NumberWords,
    Profile,
    RelativeForm,
    counted_from_one,
    scale_words,
    word_set,
)

__all__ = ["ENGLISH"]

ONES = {
    "zero": 0,
    **counted_from_one(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen"
    ),
}
TENS = {
    word: 10 + 10 * number
    for word, number in counted_from_one("twenty thirty forty fifty sixty seventy eighty ninety").items()
}
MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def _write_date(day: date) -> str:
    return f"{MONTH_NAMES[day.month - 1]} {day.day}, {day.year:04d}"


NUMBERS = NumberWords(
    grammars=(additive_reader(ONES, TENS),),
    starts=frozenset((*ONES, *TENS, "a", "an", "half")),
    shouted=frozenset(ONES),
    scales=scale_words(
        {
            3: "thousand thousands",
            6: "million millions mn mln mio mil",
            9: "billion billions bn bln",
            12: "trillion trillions tn trn",
        }
    ),
    denominators={
        "half": 2,
        "halves": 2,
        "third": 3,
        "thirds": 3,
        "quarter": 4,
        "quarters": 4,
        "fourth": 4,
        "fourths": 4,
        "fifth": 5,
        "fifths": 5,
        "sixth": 6,
        "sixths": 6,
        "seventh": 7,
        "sevenths": 7,
        "eighth": 8,
        "eighths": 8,
        "ninth": 9,
        "ninths": 9,
        "tenth": 10,
        "tenths": 10,
        "hundredth": 100,
        "hundredths": 100,
    },
    decimal_words=frozenset(("point",)),
    minus=frozenset(("minus", "negative")),
    separating=word_set("and or of the in to for per by with at on from as is are was were"),
    claims=frozenset(("is", "are", "was", "equals")),
    years_claimed=word_set(
        "is about are was were total approximately around nearly over than reached equals equal only"
    ),
    before_negative=word_set("was is of at to loss losses income profit earnings ebitda ebit flow"),
    no_number_before={"one": word_set("of can way another more day hand thing might could should may is another's")},
    no_number_after={"one": word_set("no any every each which this that the another only right wrong correct")},
    articles=frozenset(("one",)),
    halves=frozenset(("half",)),
    telephones=word_set("hotline phone telephone tel mobile fax"),
    calls=frozenset(("call",)),
    labels=word_set(
        "step figure fig table chapter section question option choice version page line source top no rank"
        " level grade district room floor phase round part episode item example note class type group article"
        " iphone windows android"
    ),
    numbered=word_set("option choice step question item section"),
    out_of=frozenset((("out", "of"), ("of", "the"))),
    range_words=frozenset(("to", "through")),
    from_words=frozenset(("from",)),
    between_words=frozenset(("between",)),
    and_words=frozenset(("and",)),
    fillers=word_set("about around some roughly the nearly"),
    changes=word_set(
        "rose rise rises rising fell fall falls falling increased increase increases increasing decreased"
        " decrease decreases decreasing dropped drop drops dropping climbed climb climbs went go grew grow"
        " grows grown declined decline declines jumped jump jumps changed change moved move up down surged"
        " soared slipped slid raised cut lowered improved expanded shrank shrunk advanced gained plunged"
        " lifted reduced doubled tripled"
    ),
    spreads=word_set("range ranges ranged ranging vary varies varied between"),
)

SPAN = r"(?P<unit>day|week|month|quarter|year)"
MONTH_STARTS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ORDINAL = r"(?:st|nd|rd|th)?"
DAY = rf"(?P<day>[0-9]{{1,2}}){ORDINAL}"
LAST_DAY = rf"(?P<last>[0-9]{{1,2}}){ORDINAL}"
MONTH = r"(?P<month>%own_months%)"
IN_YEAR = r"(?:\s?,?\s(?:of\s|in\s)?%year%(?![0-9]))"
OF_YEAR = r"(?:of\s)?(?:the\s)?(?:fiscal\s)?(?:year\s)?%year%(?![0-9])"
HALVES = ("half", " months")
FORMS = (
    DateForm(
        ("0",),
        r"\b(?P<cue>in|ad|year)\s(?P<year>[1-9][0-9]{2})%after%%not_era%%not_counted%(?=\s?(?:[.,;)]|ad\b|ce\b|$))",
        "year",
    ),
    DateForm(("0",), r"(?<![\w.,])(?P<decade>[12][0-9]{2}0)'?s\b", "decade"),
    DateForm(
        ("q",),
        rf"\b(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th)\squarter\b(?:\s\(q[1-4]\))?(?:,?\s{OF_YEAR})?",
        "quarter",
    ),
    # Without a year, `last quarter` counts from today.
    DateForm(("q",), rf"\b(?P<quarter>last|final)\squarter,?\s{OF_YEAR}", "quarter"),
    DateForm(
        HALVES,
        r"\b(?P<which>first|last|final)\s(?P<count>[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten)\smonths"
        r"(?:\sof)?(?:\sthe\syear)?\s%year%(?![0-9])",
        "part",
        digits=True,
    ),
    DateForm(
        HALVES,
        r"\b(?P<which>first|second)\shalf(?:\sof)?(?:\sthe\syear)?\s%year%(?![0-9])",
        "half",
        digits=True,
    ),
    DateForm(MONTH_STARTS, rf"\b{MONTH}\.?\s(?:the\s)?{DAY}(?![0-9:%.,]{{0,8}}[0-9]){IN_YEAR}?", "words"),
    DateForm(MONTH_STARTS, rf"\b{MONTH}\.?\s{DAY}\s?(?:[-–—]|to|through)\s?{LAST_DAY}{IN_YEAR}", "days"),
    DateForm(MONTH_STARTS, rf"\b{DAY}\s?(?:[-–—]|to|through)\s?{LAST_DAY}\s(?:of\s)?{MONTH}\b\.?{IN_YEAR}", "days"),
    DateForm(MONTH_STARTS, rf"\b{MONTH}\.?\s(?:the\s)?{DAY}\s?,\s?%year%(?![0-9])", "words"),
    DateForm(MONTH_STARTS, rf"\b(?:the\s)?{DAY}\s(?:day\s)?(?:of\s)?{MONTH}\b\.?{IN_YEAR}?", "words"),
    DateForm(MONTH_STARTS, rf"\b(?:the\s)?(?P<day>%own_days%)\s(?:day\s)?of\s{MONTH}\b\.?{IN_YEAR}?", "words"),
    DateForm(MONTH_STARTS, rf"\b{DAY}-{MONTH}-%year%(?![0-9])", "words"),
    DateForm(MONTH_STARTS, rf"\b{MONTH}\.?[\s,\-]{{1,2}}(?:of\s)?(?:the\syear\s)?%year%(?![0-9])", "month_words"),
    DateForm(
        MONTH_STARTS,
        rf"(?:\b(?:in|since|by|until|during|of|for|early|late|mid)[\s-]|\((?=\w{{3,9}}\))){MONTH}(?![0-9\w])(?!\s[0-9])",
        "month_alone",
    ),
    DateForm(("century",), r"\b(?P<century>[0-9]{1,2})(?:st|nd|rd|th)[\s-]century\b", "century"),
)
CALENDAR = CalendarWords(
    months=counted_from_one(
        "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct"
        " november|nov december|dec"
    ),
    days=counted_from_one(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
        " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third"
        " twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
    ),
    weekdays={
        "monday": 0,
        "tuesday": 1,
        "wednesday": 2,
        "thursday": 3,
        "friday": 4,
        "saturday": 5,
        "sunday": 6,
    },
    quarters={**counted_from_one("first|1st second|2nd third|3rd fourth|4th"), "last": 4, "final": 4},
    counts=counted_from_one("a|one two three four five six seven eight nine ten"),
    not_months=frozenset(("may", "march", "mar")),
    firsts=frozenset(("first",)),
    year_nouns=frozenset(("year",)),
    year_cues=("in", "since", "year", "during", "circa", "early", "late", "mid", "fy", "fiscal", "ad"),
    cues=("on", "date", "dated"),
    eras=("bc", "bce", r"b\.c"),
    counted=(
        r"people|million|billion|thousand|shares|points|years\b|days\b|items|units|customers|dollars|euros|euro|students"
        r"|employees|year\b|months\b|weeks\b|hours\b",
    ),
    numbered=("flight", "room", "bus", "no.", "number", "page", "train", "route", "order"),
    forms=FORMS,
    relative=(
        RelativeForm(("today", "tonight", "this"), r"\b(?:today|tonight|this\s(?:morning|evening))\b", "days", 0),
        RelativeForm(("yesterday",), r"\b(?:the\s)?day\sbefore\syesterday\b", "days", -2),
        RelativeForm(("yesterday", "night"), r"\b(?:yesterday|last\snight)\b", "days", -1),
        RelativeForm(("tomorrow",), r"\b(?:the\s)?day\safter\stomorrow\b", "days", 2),
        RelativeForm(("tomorrow",), r"\btomorrow\b", "days", 1),
        RelativeForm(("day",), r"\b(?P<step>this|last|next)\s(?P<weekday>%weekdays%)\b", "weekday"),
        RelativeForm(("ago", "earlier"), rf"\b%count%\s{SPAN}s?\s(?:ago|earlier)\b", "ago"),
        RelativeForm(
            ("day", "week", "month", "quarter", "year"),
            rf"\bin\s%count%\s{SPAN}s?\b(?!\s(?:of|to|or))",
            "ahead",
        ),
        RelativeForm(("from now", "from today"), rf"\b%count%\s{SPAN}s?\sfrom\s(?:now|today)\b", "ahead"),
        RelativeForm(
            ("day", "week", "month", "quarter", "year"),
            r"\b(?P<step>this|last|next|previous|current)\s(?P<unit>week|month|quarter|year)\b(?!\s[0-9])",
            "named",
        ),
    ),
    spans={"day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year"},
    steps={"this": 0, "current": 0, "last": -1, "previous": -1, "next": 1, "coming": 1},
)

UNITS = {
    "%": "percent | per cent | pct",
    "percentage point": "percentage point | percentage points | % points | pp",
    "basis point": "basis point | basis points | bps",
    "VND": "vietnamese dong",
    "USD": "dollar | dollars | us dollar | us dollars | american dollars",
    "EUR": "euro | euros",
    "GBP": "pounds sterling | british pounds",
    "JPY": "yen | japanese yen",
    "CNY": "yuan",
    "KRW": "won",
    "AUD": "australian dollar | australian dollars",
    "CAD": "canadian dollar | canadian dollars",
    "SGD": "singapore dollar | singapore dollars",
    "HKD": "hong kong dollar | hong kong dollars",
    "TWD": "taiwan dollar | taiwan dollars",
    "NZD": "new zealand dollar | new zealand dollars",
    "THB": "baht",
    "INR": "rupee | rupees",
    "IDR": "rupiah",
    "MYR": "ringgit",
    "CHF": "swiss franc | swiss francs",
    "RUB": "ruble | rubles | rouble | roubles",
    "cent": "cent | cents",
    "°C": "celsius | degrees celsius | degree celsius | degrees c",
    "°F": "fahrenheit | degrees fahrenheit | degree fahrenheit | degrees f",
    "degree": "degree | degrees",
    "km": "kilometre | kilometres | kilometer | kilometers",
    "m": "metre | metres | meter | meters",
    "cm": "centimetre | centimetres | centimeter | centimeters",
    "mm": "millimetre | millimetres | millimeter | millimeters",
    "mile": "mile | miles | mi",
    "nautical mile": "nautical mile | nautical miles",
    "foot": "ft | foot | feet",
    "inch": "inch | inches",
    "yard": "yard | yards",
    "light year": "light year | light years | light - year | light - years",
    "mi²": "square mile | square miles | sq mi",
    "ft²": "square foot | square feet | sq ft",
    "acre": "acre | acres",
    "km³": "cubic kilometre | cubic kilometres | cubic kilometer | cubic kilometers",
    "km²": "square kilometre | square kilometres | square kilometer | square kilometers | sq km",
    "m²": "square metre | square metres | square meter | square meters | sq m",
    "m³": "cubic metre | cubic metres | cubic meter | cubic meters",
    "ha": "hectare | hectares",
    "kg": "kilogram | kilograms | kilo | kilos",
    "g": "gram | grams",
    "mg": "milligram | milligrams",
    "tonne": "tonne | tonnes | ton | tons | metric tons",
    "quintal": "quintal | quintals",
    "lb": "lb | lbs | pound | pounds",
    "ounce": "oz | ounce | ounces",
    "tael": "tael | taels",
    "litre": "litre | litres | liter | liters",
    "ml": "millilitre | millilitres | milliliter | milliliters",
    "gallon": "gallon | gallons",
    "barrel": "barrel | barrels",
    "second": "sec | secs | second | seconds",
    "ms": "millisecond | milliseconds",
    "minute": "minute | minutes | min | mins",
    "hour": "hour | hours | hr | hrs",
    "day": "day | days",
    "week": "week | weeks",
    "month": "month | months",
    "year": "year | years | yr | yrs",
    "year of age": "years old | year old | years of age | - year - old",
    "person": "people | person | persons | inhabitants",
    "share": "share | shares",
    "time": "times | x | times higher",
    "point": "point | points | pts",
    "km/h": "km / hour | km per hour | kilometers per hour | kilometres per hour",
    "m/s": "metres per second | meters per second",
    "mph": "miles per hour",
    "knot": "knot | knots",
    "W": "watt | watts",
    "kW": "kilowatt | kilowatts",
    "MW": "megawatt | megawatts",
    "GW": "gigawatt | gigawatts",
    "KB": "kilobytes",
    "MB": "megabyte | megabytes",
    "GB": "gigabyte | gigabytes",
    "TB": "terabyte | terabytes",
}

ENGLISH = Profile(
    decimal=".",
    group=",",
    day_first=False,
    write_date=_write_date,
    m_is_million=True,
    numbers=NUMBERS,
    calendar=CALENDAR,
    units=UNITS,
    per=frozenset(("per",)),
    yes=frozenset(("yes",)),
    no=frozenset(("no",)),
    articles=frozenset(("the", "a", "an")),
    opening_articles=frozenset(("an",)),
    small_words=word_set(
        "the a an of to in for is are was were be been do does did and or on at by with from as it its this"
        " that these those what which who how when where why i you me my your we our us can could would should"
        " will please tell give show get want need know about there any some if not no"
    ),
)
