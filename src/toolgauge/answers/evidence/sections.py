"""Under which headings and parent bullets each line of an answer stands: they say whose figures follow."""

from __future__ import annotations

import re

from ..page import Page

__all__ = ["read_sections"]

HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(\S.*)")
ITEM = re.compile(r"(?P<indent>[ \t]*)(?:(?P<bullet>[-•+–*▪◦])|\(?[0-9]{1,3}[.)]|[a-zA-Z][.)])\s+(?=\S)")
LONGEST_TITLE = 90
TITLE_LEVEL, LEAD_LEVEL, ITEM_LEVEL = 7, 8, 9
"""How deep a line of bold words, a line that ends in a colon, and the first level of bullets stand below headings."""


def read_sections(page: Page) -> list[str]:
    """For each line the headings, leading lines and parent bullets that it stands under, the outermost first."""
    titles: list[tuple[int, str]] = []
    found: list[str] = []
    for number, (start, end) in enumerate(page.lines):
        line = page.text[start:end]
        if line.strip() and "|" not in line:
            level = _level(page, number, line)
            behind_list = bool(titles) and titles[-1][0] >= ITEM_LEVEL
            least = level or (LEAD_LEVEL if behind_list else ITEM_LEVEL)
            while titles and titles[-1][0] >= least:
                titles.pop()
            found.append(" | ".join(words for _, words in titles))
            if level is not None:
                titles.append((level, line.strip(" \t#-•+*▪◦:")))
        else:
            found.append(" | ".join(words for _, words in titles))
    return found


def _level(page: Page, number: int, line: str) -> int | None:
    """How deep a line stands that others may stand under; None for plain words."""
    heading = HEADING.fullmatch(line)
    if heading:
        return len(heading[1])
    item = ITEM.match(line)
    if item:
        return ITEM_LEVEL + 2 * len(item["indent"]) + (item["bullet"] is not None)  # bullets may follow `1. Oslo`
    if _is_bold_title(page, number, line):
        return TITLE_LEVEL
    if line[:1].isspace():
        return None
    return LEAD_LEVEL if line.rstrip().endswith(":") else None


def _is_bold_title(page: Page, number: int, line: str) -> bool:
    """Whether a line is nothing but emphasised words, and something follows it that it may be the title of."""
    words = line.strip().rstrip(":")
    if not words or len(words) > LONGEST_TITLE or words[-1] in ".!?" or not any(map(str.isalpha, words)):
        return False
    if len(words.split()) == 1 and any(map(str.isdigit, words)):
        return False
    start = page.lines[number][0] + len(line) - len(line.lstrip())
    if not any(begin <= start + 4 and start + len(words) <= stop for begin, stop in page.emphasised_from(start)):
        return False
    return any(page.text[slice(*span)].strip() for span in page.lines[number + 1 : number + 3])
