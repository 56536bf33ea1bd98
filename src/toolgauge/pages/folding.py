"""Texts without tones, marks and case, so that `ha noi` finds `Hà Nội`; pages fold what is typed in the same way."""

from __future__ import annotations

import re
from unicodedata import normalize

__all__ = ["fold", "natural_key"]

_MARKS = re.compile("[\u0300-\u036f]+")
_DIGITS = re.compile(r"\d+")
_WIDTH = 12
"""Numbers of so many digits are put in their order within texts."""


def fold(text: str) -> str:
    """The text as it is looked for."""
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", normalize("NFD", text)).lower().replace("đ", "d")


def natural_key(text: str) -> str:
    """By what texts are put in order: `d9` before `d10`, and letters with marks beside those without."""
    folded = _DIGITS.sub(lambda found: found[0].zfill(_WIDTH), fold(text))
    return f"{folded}\x00{text}"
