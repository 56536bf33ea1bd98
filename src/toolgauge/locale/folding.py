"""Makes texts comparable that differ only in how Vietnamese is written."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["fold_tones", "fold_word"]

TONES = "\u0300\u0301\u0303\u0309\u0323"
"""Grave, acute, tilde, hook above and dot below; what else stands on a vowel makes another letter of it."""


MARKS: dict[int, str | None] = {**dict.fromkeys(range(0x0300, 0x0370)), ord("đ"): "d"}


@lru_cache(maxsize=8192)
def fold_word(word: str) -> str:
    """One word in lower case, with its tone behind it: the tone belongs to the syllable, so `hoà` is `hòa`."""
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFD", word.casefold())
    tones = "".join(letter for letter in letters if letter in TONES)
    if not tones:
        return unicodedata.normalize("NFC", letters)
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if letter not in TONES)) + tones


def fold_tones(text: str) -> str:
    """The text in lower case without any marks: `Đà Nẵng` becomes `da nang`."""
    if text.isascii():
        return text.lower()
    letters = unicodedata.normalize("NFD", text.casefold())
    return letters.translate(MARKS)
