"""Reading lists of words from a single CSV cell, without evaluating anything."""

from __future__ import annotations

import re

from .problems import shorten

__all__ = ["BadList", "parse_words"]

ITEM = re.compile(
    r"""\s*(?:'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"|(?P<number>-?[0-9]+(?:\.[0-9]+)?))\s*""",
    re.DOTALL,
)
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
STRAY = re.compile(r"""[]['"]""")


class BadList(ValueError):  # noqa: N818 - carries a reason; the reader of the cell makes the problem
    """A cell that begins like a list and is none."""


def parse_words(cell: str, *, quotes_are_text: bool = False) -> list[str]:
    """The words of a cell: a list as Python or JSON writes it, or words separated by commas.

    Args:
        cell: What stands in the cell.
        quotes_are_text: Whether a quote or bracket may be part of a word outside a list.

    Raises:
        BadList: It is neither.
    """
    text = cell.strip()
    if text.startswith("["):
        return _parse_list(text)
    words = [word.strip() for word in text.split(",")]
    if not quotes_are_text and STRAY.search(text):
        raise BadList(f"{shorten(text)} has a quote or bracket but is not a list")
    return [word for word in words if word]


def _parse_list(text: str) -> list[str]:
    words: list[str] = []
    position = 1
    while not text[position:].lstrip().startswith("]"):
        item = ITEM.match(text, position)
        if item is None:
            raise BadList(f"no quoted word at character {position + 1} of {shorten(text)}")
        words.append(_unescape(item))
        position = item.end()
        if text.startswith(",", position):
            position += 1
        elif not text.startswith("]", position):
            raise BadList(f"no comma or ']' at character {position + 1} of {shorten(text)}")
    if text[position:].strip() != "]":
        raise BadList(f"something follows the list {shorten(text)}")
    return words


def _unescape(item: re.Match[str]) -> str:
    text: str = next(group for group in item.groups() if group is not None)
    if "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        code = match[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else ESCAPES.get(code, code)

    # Two escapes may stand for one character beyond the first plane; what is left over of a pair is replaced.
    joined = ESCAPE.sub(replace, text)
    return joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
