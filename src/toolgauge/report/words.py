"""Looking up and filling in the words of a report; one catalogue per language, with the same keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from toolgauge.errors import UsageError, did_you_mean

__all__ = ["LANGUAGES", "Lang", "Words", "fill", "words_of"]

Lang = Literal["en", "vi"]
"""The languages of reports."""

LANGUAGES: tuple[str, ...] = get_args(Lang)

_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_PLACE = re.compile(r"\{(\w+)\}")


def fill(template: str, values: Mapping[str, str | None]) -> str:
    """A template with its places filled in.

    `{name}` is a place. A part in square brackets is left out where one of its places has no value. Only the
    template is looked at: brackets and braces in a value mean nothing.
    """

    def value(match: re.Match[str]) -> str:
        return values.get(match[1]) or ""

    def optional(part: str) -> str:
        there = all(values.get(name) is not None for name in _PLACE.findall(part))
        return _PLACE.sub(value, part) if there else ""

    pieces = _OPTIONAL.split(template)
    return "".join(optional(piece) if index % 2 else _PLACE.sub(value, piece) for index, piece in enumerate(pieces))


@dataclass(frozen=True, slots=True)
class Words:
    """The catalogue of one language."""

    lang: Lang
    catalogue: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """The words for a key, filled in."""
        if not values and "{" not in self.catalogue[key]:
            return self.catalogue[key]
        given = {name: None if value is None else str(value) for name, value in values.items()}
        return fill(self.catalogue[key], given)

    def known(self, key: str, otherwise: str) -> str:
        """The words for a key that may not be in the catalogue."""
        return self.catalogue.get(key, otherwise)

    def count(self, key: str, number: int) -> str:
        """A number with its noun: `key` is looked up with `.one` or `.many`."""
        return self(f"{key}.one" if number == 1 else f"{key}.many", number=number)


@cache
def words_of(lang: str) -> Words:
    """The words of a language.

    Raises:
        UsageError: There is no such language.
    """
    if lang == "en":
        from .english import CATALOGUE as ENGLISH

        return Words("en", ENGLISH)
    if lang == "vi":
        from .vietnamese import CATALOGUE as VIETNAMESE

        return Words("vi", VIETNAMESE)
    hint = did_you_mean(lang, LANGUAGES)
    raise UsageError(f"there are no reports in the language {lang!r}" + (f"; {hint}" if hint else ""))
