"""The items of a sentence such as `Hai mã là FPT và VNM`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..surroundings import Surroundings
from ..yes_no.opposites import CAPITAL
from .expected import QUOTES, SEPARATOR, ExpectedItems

__all__ = ["array_items", "sentence_items"]

LEAD = re.compile(
    r"(?:^|\s)(?:là|gồm|bao\sgồm|gồm\scó|are|is|were|include|includes|including|namely|như|đó\slà|có|:)\s?(?::\s)?",
    re.IGNORECASE,
)
FILLER = re.compile(
    r"^(?:(?:and|và|or|hoặc|only|just|chỉ|both|cả|mã|cổ\sphiếu|thành\sphố|tỉnh|ông|bà|anh|chị|cô|mr|mrs|ms|dr|in|some|a\sbit\sof|a\slittle|thêm|together\swith|cùng\svới|most\srecently|finally|cuối\scùng\slà|also)\.?\s)+",
    re.IGNORECASE,
)
ANNOUNCED = re.compile(
    r":(?=\s)|\b(?:là|gồm(?:\scó)?|như\ssau|are|were|include|includes|including|namely)(?=[\s:])", re.IGNORECASE
)
"""What parts the opening of a sentence from the items that it announces."""
OPENING = re.compile(
    r"\s*(?:after|based|according|from|in|on|as|per|given|looking|using|upon|following|for|with|overall|so|thus|hence|therefore|yes"
    r"|sure|certainly|to\s\w+|theo|sau\skhi|dựa|qua|trong|với|vậy|do\sđó|vì\svậy|như\svậy|tóm\slại|có|vâng|dạ|tính|căn\scứ|từ|để|tại|ở|ngày|hiện|hôm)\b"
    r"[^,;\n]{0,200},\s",
    re.IGNORECASE,
)
"""Words before the first comma that only lead up to the items: `Based on the data, `."""
TIMED = re.compile(
    r"\s*(?:(?:(?:buổi\s)?(?:sáng|trưa|chiều|tối|đêm)|cuối|đầu|giữa|rạng\ssáng)\s(?:thứ|chủ|qua|nay|mai|ngày|hôm|tháng|năm|tuần|quý|\d)|thứ\s(?:hai|ba|tư|năm|sáu|bảy|\d)"
    r"|chủ\snhật|(?:năm|tháng|quý|mùa|tuần)\s(?:\d|nay|này|trước|qua|tới|[ivx]+\b|hè|đông|xuân|thu)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|yesterday|today|tonight|tomorrow"
    r"|(?:last|this|next)\s\w+|during|by\s|since\s|at\s|early\s|late\s|q[1-4]\b)[^,;\n]{0,60},\s",
    re.IGNORECASE,
)
"""A time before the first comma: `Chiều thứ Bảy, `."""
REMARK = re.compile(r"\s?\([^()\n]{1,300}\)")
QUOTED = re.compile(r"\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'(?=\s*[,\]])")
DENIED = re.compile(
    r"\s*(?:(?:chứ\s)?không\s(?:phải|có|gồm|bao|kể|tính)|not\b|nhưng\s|but\s|excluding|trừ\b|except|ngoại\strừ|followed\sby|tiếp\stheo|rồi\sđến|while\s|trong\skhi|còn\s|có\sthể\sthêm|though|although|dù\s)",
    re.IGNORECASE,
)
FINAL = re.compile(r"\s(?:và|and|&|or|hoặc)\s*$", re.IGNORECASE)


def array_items(text: str, expected: ExpectedItems) -> list[str]:
    """The items of a JSON-like list; what is in quotes is one item, whatever it holds."""
    quoted = [one[1] or one[2] for one in QUOTED.finditer(text)]
    if quoted and not QUOTED.sub("", text).strip("[], \t\n"):
        return quoted
    return [piece for piece, _ in expected.split(text[1:-1])]


def sentence_items(
    sentence: str, expected: ExpectedItems, bold: Sequence[str] = (), *, labelled: bool = False
) -> list[str]:
    """The items that a sentence lists.

    Args:
        sentence: The sentence, or what stands behind a label.
        expected: The expected items, to tell items from the words around them.
        bold: What is emphasised in it.
        labelled: Whether it lists from its first word on.
    """
    for span in bold:
        if SEPARATOR.search(span) and expected.mentions(span) and not _goes_on(sentence, span):
            return _pieces(span, expected, labelled=False)
    return _pieces(sentence, expected, labelled=labelled)


def _goes_on(sentence: str, span: str) -> bool:
    """Whether the list goes on behind its emphasised part."""
    behind = sentence[sentence.find(span) + len(span) :] if span in sentence else ""
    return re.match(rf"\s?(?:\([^()]*\))?(?:,\s(?=[{CAPITAL}])|,?\s(?:và|and|&)\s)", behind) is not None


def _without_opening(sentence: str, expected: ExpectedItems) -> str:
    """The part of a sentence that lists, without what leads up to it: `Theo dữ liệu, hai mã là FPT và VNM`."""
    first = expected.first_place(sentence)
    separator = SEPARATOR.search(sentence, 0, first)
    announced = ANNOUNCED.search(sentence, separator.end()) if separator else None
    if announced and announced.start() < first:
        return sentence[announced.end() :].lstrip(": ")
    opening = OPENING.match(sentence) or TIMED.match(sentence)
    return sentence[opening.end() :] if opening and opening.end() <= first else sentence


def _without_remarks(sentence: str, expected: ExpectedItems) -> str:
    """The sentence without brackets that name no expected item: `FPT (technology, Hanoi) and VNM`."""
    return REMARK.sub(lambda match: match.group() if expected.mentions(match.group()) else "", sentence)


def _pieces(sentence: str, expected: ExpectedItems, *, labelled: bool) -> list[str]:
    sentence = _without_remarks(sentence, expected)
    if not labelled:
        sentence = _without_opening(sentence, expected)
    around = Surroundings(sentence)
    small = expected.are_written_small(sentence)
    any_case = small or not expected.capitals
    items: list[str] = []
    final = False
    previous_end = 0
    for piece, start in expected.split(sentence):
        joined = sentence[previous_end:start]
        previous_end = start + len(piece)
        matched = expected.match(piece) is not None
        ended = final and ("," in joined or ";" in joined)
        if items and ended and not matched:
            break
        if around.is_ruled_out(start + len(piece) - len(piece.lstrip()), start + len(piece)) or DENIED.match(piece):
            if items and DENIED.match(piece):
                break
            continue
        found = _piece(piece, expected, first=not items and not labelled, any_case=any_case)
        items += found
        final = final or (
            bool(items and found) and bool(FINAL.search(joined) or re.search(r"\b(?:và|and|&|or|hoặc)\b", joined))
        )
    return items


def _is_item(piece: str, expected: ExpectedItems, *, any_case: bool) -> bool:
    """Whether a piece of a sentence looks like an item and not like the rest of the sentence."""
    piece = piece.strip(QUOTES)
    if not piece or len(piece.split()) > (4 if any_case and expected.capitals else 8):
        return False
    return any_case or piece[0].isupper() or piece[0].isdigit()


def _piece(piece: str, expected: ExpectedItems, *, first: bool, any_case: bool) -> list[str]:
    """The item in a piece between commas; the first and the last one may carry the rest of the sentence."""
    if expected.match(piece) is not None:
        return [piece]
    parts = piece.split("/")
    if len(parts) > 1 and any(expected.match(part) is not None for part in parts):
        return parts
    piece = FILLER.sub("", piece.strip())
    remarks = [remark.group().strip(" ()") for remark in REMARK.finditer(piece)]
    meant = [remark for remark in remarks if expected.match(remark) is not None]
    if len(meant) == 1:
        return meant  # `Vinamilk (VNM) lost 4 %`
    bare = REMARK.sub("", piece).strip()
    if expected.match(bare) is not None or expected.match(piece) is not None:
        return [bare if expected.match(bare) is not None else piece]
    tail = bare
    if first:
        for cut in LEAD.finditer(bare):
            tail = bare[cut.end() :]
            if expected.match(tail) is not None:
                return [tail]
        ending = _edge(bare, expected, at_end=True)
        if ending:
            return [ending]
    beginning = _edge(tail, expected, at_end=False) or _edge(tail, expected, at_end=True) or _inside(tail, expected)
    if beginning:
        return [beginning]
    named = expected.bare(tail) if len(tail) < 80 else None
    if named is not None:
        return [named]
    if first and tail is bare and len(bare.split()) > 4:
        return []
    return [tail] if _is_item(tail, expected, any_case=any_case) else []


def _edge(piece: str, expected: ExpectedItems, *, at_end: bool) -> str | None:
    """An expected item at the start or the end of a piece, with a lower-case word beside it."""
    words = piece.split()
    for count in range(min(8, len(words) - 1), 0, -1):
        item = " ".join(words[-count:] if at_end else words[:count])
        beside = words[-count - 1] if at_end else words[count]
        opens = at_end and count == len(words) - 1 and item[0].islower()
        if expected.match(item) is not None and (
            beside[0].islower() or beside[0] in "(-–—:" or beside[-1] in ":" or opens
        ):
            return item
    return None


def _inside(piece: str, expected: ExpectedItems) -> str | None:
    """An expected item among words in lower case: `She speaks English fluently`."""
    words = piece.split()
    if not 2 < len(words) <= 12:
        return None
    for first in range(1, len(words) - 1):
        for last in range(len(words) - 1, first, -1):
            around = words[first - 1][0].islower() and words[last][0].islower()
            if around and words[first][0].isupper() and expected.match(" ".join(words[first:last])) is not None:
                return " ".join(words[first:last])
    return None
