"""Text as it is shown: control characters made visible, widths as a terminal counts them, cutting and wrapping.

Names, questions and answers come from models and tools. What they hold may neither move a cursor, nor turn a line
around, nor break a table, so every renderer passes everything through here.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["ELLIPSIS", "RETURN", "pad", "shorten", "squeeze", "visible", "width_of", "wrap"]

ELLIPSIS = "…"
RETURN = "⏎"
"""Stands for a line break where there is one line only."""

_BREAKS = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad"  # controls and the soft hyphen
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # directions and what has no width
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"  # half characters and tags
)
_MOST_CHARACTERS = 8
"""How many characters a column may hold per cell of width: marks take no room, but a thousand of them do harm."""


def visible(text: str, *, one_line: bool = True) -> str:
    r"""The text with everything that cannot be seen written as an escape such as `\x1b`.

    Args:
        text: Text from anywhere.
        one_line: Whether line breaks become a sign, tabs and fixed spaces a space; otherwise they stay,
            and a line break is one character.
    """
    if text.isascii() and text.isprintable():
        return text
    if one_line:
        text = _BREAKS.sub(RETURN, text).replace("\t", " ").replace("\u00a0", " ")
    else:
        text = text.replace("\r\n", "\n")
    return _HIDDEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def width_of(text: str) -> int:
    """How many cells of a terminal the text takes: marks none, wide characters two."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _start(text: str, width: int) -> str:
    """The longest beginning of the text that fits."""
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > width or index >= width * _MOST_CHARACTERS:
            return text[:index]
    return text


def _fits(text: str, width: int) -> bool:
    return len(text) <= width * _MOST_CHARACTERS and width_of(text) <= width


def shorten(text: str, width: int) -> str:
    """The text cut at its end to fit the width, with `…` where something is gone."""
    if _fits(text, width):
        return text
    return _start(text, width - 1).rstrip() + ELLIPSIS


def squeeze(text: str, width: int) -> str:
    """The text cut in its middle to fit the width: long names often differ only at their ends."""
    if _fits(text, width):
        return text
    if width < 8:
        return shorten(text, width)
    tail = _end(text, width // 3)
    return _start(text, width - 1 - width_of(tail)) + ELLIPSIS + tail


def _end(text: str, width: int) -> str:
    """The longest ending that fits and does not begin with a mark of the character before it."""
    used = 0
    begin = len(text)
    for index in range(len(text) - 1, max(-1, len(text) - 1 - width * _MOST_CHARACTERS), -1):
        cells = _cells(text[index])
        used += cells
        if used > width:
            break
        if cells:
            begin = index
    return text[begin:]


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text filled up with spaces to the width, on its left where it is to stand at the right."""
    space = " " * (width - width_of(text))
    return space + text if right else text + space


def wrap(text: str, width: int, *, most: int | None = None) -> list[str]:
    """The text in lines that fit the width, broken at spaces where possible.

    Args:
        text: Text without line breaks.
        width: Cells of a line.
        most: Largest number of lines; the last one is shortened where there would be more.
    """
    lines: list[str] = []
    line = ""
    words = text.split(" ")
    for number, word in enumerate(words):
        while True:
            longer = f"{line} {word}" if line else word
            if _fits(longer, width):
                line = longer
                break
            if most is not None and len(lines) == most - 1:
                return [*lines, shorten(" ".join([longer, *words[number + 1 :]]), width)]
            if line:
                lines.append(line)
                line = ""
            else:
                part = _start(word, width) or word[:1]
                lines.append(part)
                word = word[len(part) :]
    return [*lines, line]
