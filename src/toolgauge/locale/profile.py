"""How the two locales write figures: the decimal sign, the grouping sign, and whether the day comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["PROFILES", "Locale", "Profile"]

Locale: TypeAlias = Literal["vi", "en"]


@dataclass(frozen=True, slots=True)
class Profile:
    """The habits of one locale."""

    decimal: str
    group: str
    day_first: bool
    """Whether 3/4 is the third of April."""


PROFILES: dict[Locale, Profile] = {
    "vi": Profile(decimal=",", group=".", day_first=True),
    "en": Profile(decimal=".", group=",", day_first=False),
}
