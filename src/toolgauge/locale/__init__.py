"""Numbers, dates and words as Vietnamese and English write them."""

from .dates import DateFound, find_dates
from .folding import fold_tones, fold_word
from .numbers import NumberFound, find_numbers
from .periods import Period, Precision, read_iso
from .profile import PROFILES, Locale, Profile
from .units import read_unit, units_agree
from .writing import write_date, write_number

__all__ = [
    "PROFILES",
    "DateFound",
    "Locale",
    "NumberFound",
    "Period",
    "Precision",
    "Profile",
    "find_dates",
    "find_numbers",
    "fold_tones",
    "fold_word",
    "read_iso",
    "read_unit",
    "units_agree",
    "write_date",
    "write_number",
]
