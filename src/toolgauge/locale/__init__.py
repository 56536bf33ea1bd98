"""Numbers, dates and words as the locales write them."""

from .conversion import KINDS, convert
from .dates import DateFound, find_dates, write_date
from .numbers import NumberFound, find_numbers
from .numerals import write_number
from .periods import Period, Precision, read_iso
from .profile import Locale, Profile, word_set
from .profiles import PROFILES, guess_locale
from .tokens import Token, fold_tones, fold_word, tokenise, word_at
from .units import read_unit, units_agree

__all__ = [
    "KINDS",
    "PROFILES",
    "DateFound",
    "Locale",
    "NumberFound",
    "Period",
    "Precision",
    "Profile",
    "Token",
    "convert",
    "find_dates",
    "find_numbers",
    "fold_tones",
    "fold_word",
    "guess_locale",
    "read_iso",
    "read_unit",
    "tokenise",
    "units_agree",
    "word_at",
    "word_set",
    "write_date",
    "write_number",
]
