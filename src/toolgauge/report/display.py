"""Text and figures as they are shown: control characters made visible, widths as a terminal counts them, few digits.

Names, questions and answers come from models and tools. What they hold may neither move a cursor, nor turn a line
around, nor break a table, so every renderer passes everything through here. Figures have four decimals and short
intervals, and a number that is not there is never shown as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgauge.catalogue import Words
    from toolgauge.core import Estimate

__all__ = [
    "ELLIPSIS",
    "RETURN",
    "amount",
    "decimal",
    "duration",
    "interval",
    "known",
    "money",
    "pad",
    "percent",
    "points",
    "rounded_interval",
    "rounded_percent",
    "share",
    "short",
    "shorten",
    "signed",
    "span",
    "squeeze",
    "visible",
    "width_of",
    "wrap",
]

ELLIPSIS = "…"
RETURN = "⏎"
"""Stands for a line break where there is one line only."""

_BREAKS = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad"  # controls and the soft hyphen
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # directions and what has no width
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"  # half characters and tags
)
_MAX_CHARACTERS = 8
"""How many characters a column may hold per cell of width: marks take no room, but a thousand of them do harm."""

_STEP = 0.0001
"""The last digit shown."""


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
        if used > width or index >= width * _MAX_CHARACTERS:
            return text[:index]
    return text


def _fits(text: str, width: int) -> bool:
    return len(text) <= width * _MAX_CHARACTERS and width_of(text) <= width


def shorten(text: str, width: int) -> str:
    """The text cut at its end to fit the width, with `…` where something is gone."""
    if _fits(text, width):
        return text
    return _start(text, width - 1).rstrip() + ELLIPSIS


def short(text: str, width: int = 400) -> str:
    """Text from anywhere made visible and cut; a long one is cut first, so that looking at it costs little."""
    return shorten(visible(text[: width * 8]), width)


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
    for index in range(len(text) - 1, max(-1, len(text) - 1 - width * _MAX_CHARACTERS), -1):
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


def wrap(text: str, width: int, *, max_lines: int | None = None) -> list[str]:
    """The text in lines that fit the width, broken at spaces where possible.

    Args:
        text: Text without line breaks.
        width: Cells of a line.
        max_lines: Largest number of lines; the last one is shortened where there would be more.
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
            if max_lines is not None and len(lines) == max_lines - 1:
                return [*lines, shorten(" ".join([longer, *words[number + 1 :]]), width)]
            if line:
                lines.append(line)
                line = ""
            else:
                part = _start(word, width) or word[:1]
                lines.append(part)
                word = word[len(part) :]
    return [*lines, line]


def bounded(value: float) -> float:
    """The value moved off 0 and 1 where only rounding would show it as exactly that.

    0.99999 is not 1.0000, and 99,999 of 100,000 is not 100.00%.
    """
    if 0 < value < _STEP:
        return _STEP
    return 1 - _STEP if 1 - _STEP < value < 1 else value


def known(estimate: Estimate | None) -> float | None:
    """The value of an estimate, where there is one."""
    if estimate is None or estimate.value is None or not isfinite(estimate.value):
        return None
    return estimate.value


def decimal(value: float | None, words: Words) -> str:
    """A share with four decimals, or the words for a missing one."""
    return words("none") if value is None or not isfinite(value) else words.number(f"{bounded(value) + 0.0:.4f}")


def percent(value: float, words: Words) -> str:
    """A share as a percentage with two decimals."""
    return words.number(f"{bounded(value) * 100 + 0.0:.2f}%")


def share(estimate: Estimate | None, words: Words) -> str:
    """A share with its percentage, such as `0.2162 (21.62%)`."""
    value = known(estimate)
    return words("none") if value is None else f"{decimal(value, words)} ({percent(value, words)})"


def rounded_percent(value: float | None, words: Words) -> str:
    """A share in whole percent; what is neither nothing nor all is never shown as that."""
    if value is None or not isfinite(value):
        return words("none")
    if 0 < value < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= value < 1 else f"{100 * value:.0f}%"


def rounded_interval(estimate: Estimate | None, words: Words) -> str:
    """The interval of a share in whole percent, such as `11–37%`; nothing where there is none."""
    if not interval(estimate, words) or estimate is None:
        return ""
    return f"{100 * (estimate.low or 0.0):.0f}–{100 * (estimate.high or 0.0):.0f}%"


def points(value: float, words: Words, *, sign: bool = False) -> str:
    """A difference of shares in points of percent, with as few digits as it takes."""
    shown = round(100 * value, 1) + 0.0
    return words.number(f"{shown:+g}" if sign and shown else f"{shown:g}")


def span(low: float, high: float, words: Words) -> str:
    """From one share to another with two decimals, such as `0.11–0.37`."""
    return f"{words.number(f'{low + 0.0:.2f}')}–{words.number(f'{high + 0.0:.2f}')}"


def interval(estimate: Estimate | None, words: Words) -> str:
    """The interval of a share, or nothing."""
    if known(estimate) is None or estimate is None or estimate.low is None or estimate.high is None:
        return ""
    if not (isfinite(estimate.low) and isfinite(estimate.high)):
        return ""
    return span(estimate.low, estimate.high, words)


def amount(value: float | None, words: Words) -> str:
    """A quantity such as milliseconds, tokens or dollars, with about four digits that count."""
    if value is None or not isfinite(value):
        return words("none")
    if value == 0 or abs(value) >= 1000:
        return words.number(f"{value:.0f}")
    if abs(value) >= 100:
        return words.number(f"{value:.1f}")
    return words.number(f"{value:.2f}" if abs(value) >= 1 else f"{value:.4g}")


def money(dollars: float, number: Callable[[str], str] = str) -> str:
    """An amount of dollars, with cents, or more where it is little; `number` writes it in a language."""
    return f"${number(f'{dollars:,.2f}' if dollars >= 1 or not dollars else f'{dollars:.4f}')}"


def duration(seconds: float, number: Callable[[str], str] = str) -> str:
    """A time that people read at a glance: 0.8 s, 42 s, 3 min 20 s, 2 h 5 min; `number` writes it in a language."""
    if seconds < 60:
        return f"{number(f'{seconds:.1f}')} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def signed(value: float | None, words: Words, digits: int = 3) -> str:
    """A difference with its sign; nothing where there is none."""
    if value is None:
        return ""
    if abs(value) >= 10:
        return words.number(f"{value:+.0f}")
    nothing = f"{0:.{digits}f}"
    text = f"{value:+.{digits}f}"
    return words.number(nothing if text[1:] == nothing else text)
