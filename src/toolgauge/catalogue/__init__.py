"""Every text that people read, and how it is looked up. Prompts, which models read, stand beside their agents.

A language is one file here, such as `en.json`: texts by key, in groups with an empty line between them. A file that is
added is a language that every command offers. All files have the same keys in the same order, and the same places.
Errors, notes and help, which the code says in English, are translated by `speaking.py`.

- `{name}` is a place. A part in square brackets is left out where one of its places has no value; a bracket that is
  meant is doubled.
- Titles of columns may be broken between words; where they may not, as inside a Vietnamese word of two syllables, the
  space is a fixed one.
- `number.decimal` and `number.group` are the marks of decimals and of thousands; a group that is empty is not marked.
- Names that Vietnamese engineers use in English (Accuracy, Precision, Recall, F1, agent) stay in English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from toolgauge.errors import UsageError, did_you_mean

__all__ = ["DEFAULT", "LANGUAGES", "Lang", "Words", "english_reason", "fill", "language", "words_of"]

Lang: TypeAlias = str
"""A language, by the name of its file: one of `LANGUAGES`."""

DEFAULT: Lang = "en"
"""The default language, whose texts are also used where another language lacks one."""

_FOLDER = os.path.dirname(__file__)
_SUFFIX = ".json"

LANGUAGES: tuple[Lang, ...] = (
    DEFAULT,
    *sorted(
        name.removesuffix(_SUFFIX)
        for name in os.listdir(_FOLDER)
        if name.endswith(_SUFFIX) and name != DEFAULT + _SUFFIX
    ),
)
"""The languages there are; the default comes first."""

_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_PLACE = re.compile(r"\{(\w+)\}")
_NUMBER = re.compile(r"(?P<sign>[+\-<≤= ]*)(?P<whole>\d[\d,]*)(?P<part>(?:\.\d+)?)(?P<end>(?:e[+\-]?\d+)?%?)")
_OPENING, _CLOSING = "\x00", "\x01"
"""What stands for doubled brackets while the others are looked for."""


def fill(template: str, values: Mapping[str, str | None]) -> str:
    """A template with its places filled in. Brackets and braces in a value mean nothing.

    Args:
        template: Text with places, as the catalogue has it.
        values: What stands in the places; None is no value.
    """

    def value(match: re.Match[str]) -> str:
        return values.get(match[1]) or ""

    def filled(part: str, *, optional: bool) -> str:
        if optional and any(values.get(name) is None for name in _PLACE.findall(part)):
            return ""
        return _PLACE.sub(value, part.replace(_OPENING, "[").replace(_CLOSING, "]"))

    pieces = _OPTIONAL.split(template.replace("[[", _OPENING).replace("]]", _CLOSING))
    return "".join(filled(piece, optional=index % 2 == 1) for index, piece in enumerate(pieces))


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language."""

    lang: Lang
    catalogue: Mapping[str, str]
    for_programs: bool = False
    """Whether what is written is read by programs, which know numbers and metrics in one spelling only."""

    @property
    def plain(self) -> Words:
        """The same texts with numbers as programs write them."""
        return Words(self.lang, self.catalogue, for_programs=True)

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key, filled in."""
        if not values and "{" not in self.catalogue[key]:
            return self.catalogue[key]
        given = {name: None if value is None else self._shown(value) for name, value in values.items()}
        return fill(self.catalogue[key], given)

    def known(self, key: str, otherwise: str) -> str:
        """The text of a key that may not be in the catalogue."""
        return self.catalogue.get(key, otherwise)

    def count(self, key: str, number: int, /, **values: object) -> str:
        """A number with its noun: `key` is looked up with `.one` or `.many`."""
        return self(f"{key}.one" if number == 1 else f"{key}.many", number=number, **values)

    def number(self, written: str | int) -> str:
        """A number as people of this language write it: `0.65` is `0,65` in Vietnamese, and `1234` is `1.234`.

        Every figure of a report goes through here; files for programs do not.

        Args:
            written: The number as Python writes it, perhaps with a sign, an exponent or a percent sign.
        """
        text = written if isinstance(written, str) else str(written)
        mark, gap = self.catalogue["number.decimal"], self.catalogue["number.group"]
        if self.for_programs or (mark == "." and not gap):
            return text
        found = _NUMBER.fullmatch(text)
        if found is None:
            return text
        whole = found["whole"].replace(",", "")
        groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
        rest = found["part"].replace(".", mark)
        return found["sign"] + gap.join(reversed(groups)) + rest + found["end"]

    def _shown(self, value: object) -> str:
        return self.number(value) if type(value) is int else str(value)


@cache
def words_of(lang: Lang) -> Words:
    """The texts of a language; one that it lacks is that of the default.

    Raises:
        UsageError: There is no such language.
    """
    if lang not in LANGUAGES:
        hint = did_you_mean(lang, LANGUAGES)
        raise UsageError(f"there are no reports in the language {lang!r}" + (f"; {hint}" if hint else ""))
    texts = _read(lang)
    return Words(lang, texts if lang == DEFAULT else {**words_of(DEFAULT).catalogue, **texts})


def english_reason(code: str) -> str:
    """Why there is no figure, in the words that programs read; what is no code is in words already."""
    return words_of(DEFAULT).known(f"reason.{code}", code)


def _read(lang: Lang) -> dict[str, str]:
    import msgspec

    with open(os.path.join(_FOLDER, lang + _SUFFIX), "rb") as stream:
        return msgspec.json.decode(stream.read(), type=dict[str, str])


def language() -> Lang:
    """The language of the environment, found the way other programs find it."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return next((lang for lang in LANGUAGES if value.lower().startswith(lang)), DEFAULT)
    return DEFAULT
