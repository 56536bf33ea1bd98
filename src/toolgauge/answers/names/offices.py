"""What people do and are: words for work and offices, each of which excludes the others where one is asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from toolgauge.locale import Token, fold_word

from .roles import NameCue, PhraseTable, find_said, table_of
from .words import Name

__all__ = ["begins_an_office", "find_offices", "offices_of"]

OFFICES: dict[str, str] = {
    "directed": "directed | director | directs | directed by | đạo diễn",
    "wrote": (
        "wrote | written | writer | author | authored | penned | screenplay | screenwriter | script | tác giả | viết"
        " | nhà văn | nhà thơ | kịch bản | biên kịch | sáng tác | novelist | poet"
    ),
    "composed": "composed | composer | score | soundtrack | nhạc sĩ | âm nhạc | phần nhạc | nhạc phim | sáng tác",
    "lyrics": "lyrics | lyricist | lời | phần lời | viết lời",
    "produced": "produced | producer | producers | nhà sản xuất",
    "played": "stars | starring | starred | actor | actress | diễn viên | thủ vai | vai chính | với sự tham gia của",
    "sang": "sings | sang | sung | singer | vocals | ca sĩ | hát | thể hiện | trình bày",
    "filmed": "cinematography | cinematographer | quay phim",
    "painted": "painted | painter | họa sĩ | vẽ",
    "translated": "translated | translator | dịch giả | người dịch | bản dịch",
    "edited": "edited | editor | biên tập | dựng phim",
    "designed": "designed | designer | thiết kế",
    "architect": "architect | kiến trúc sư",
    "engineer": "engineer | kỹ sư",
    "boss": (
        "ceo | chief executive | tổng giám đốc | tgđ | giám đốc điều hành | managing director | general director"
        " | executive director"
    ),
    "finance": "cfo | chief financial officer | finance director | finance chief | giám đốc tài chính",
    "tech": "cto | chief technology officer | giám đốc công nghệ",
    "operations": "coo | chief operating officer | giám đốc vận hành",
    "marketing": "cmo | chief marketing officer | giám đốc marketing",
    "chair": "chair | chairs | chairman | chairwoman | chairperson | chaired | chủ tịch",
    "treasurer": "treasurer | thủ quỹ",
    "secretary": "secretary | thư ký",
    "accountant": "kế toán trưởng | chief accountant",
    "manager": "manager | quản lý | trưởng phòng",
    "deputy": (
        "deputy | vice | assistant | vice - captain | phó giám đốc | phó tổng giám đốc | phó chủ tịch | đội phó"
        " | phó phòng | trợ lý | trợ giảng | phó trưởng phòng | phó"
    ),
    "captain": "captain | captained | captaincy | captain ' s | đội trưởng | thuyền trưởng | cơ trưởng",
    "coach": "coach | head coach | coached | huấn luyện viên | hlv | trainer",
    "teacher": "lecturer | instructor | giảng viên | teacher | giáo viên",
    "founder": "founder | founded | co - founded | co - founder | sáng lập | nhà sáng lập",
    "auditor": "auditor | audited | kiểm toán",
    "lawyer": "lawyer | counsel | luật sư",
    "doctor": "surgeon | bác sĩ",
    "mayor": "mayor | thị trưởng",
    "governor": "governor | thống đốc",
    "president": "president | tổng thống",
    "minister": "minister | bộ trưởng",
    "licensed": "licensed | licensee",
}
BY = frozenset(fold_word(word) for word in ("by", "bởi", "do", "là", "is", "was", ":", "from"))
"""What links an office to the name behind it."""
OF = frozenset(fold_word(word) for word in ("of", "at", "for", "in", "của", "tại", "ở"))
"""What says of what somebody has an office, where a name stands before it."""
FARTHEST = 8
"""How many words away from a name an office is its."""


@lru_cache(maxsize=1)
def _table() -> PhraseTable:
    return table_of(OFFICES)


def begins_an_office(folded: Sequence[str], first: int, last: int) -> bool:
    """Whether some words begin an office that continues behind them: `Tổng Giám` in `Tổng Giám đốc`."""
    return any(
        len(words) > last - first and tuple(folded[first : first + len(words)]) == words
        for words, _ in _table().get(folded[first], ())
    )


def find_offices(folded: Sequence[str]) -> list[NameCue]:
    """The words for work and offices in a text; of two that begin at the same word the longer one."""
    found: list[NameCue] = []
    end = 0
    longest = 0
    for said in find_said(folded, _table()):
        if said.first >= end or (found and said.first == found[-1].first and said.last == longest):
            found.append(said)
            end, longest = said.last, said.last
    return found


def offices_of(
    names: Sequence[Name], tokens: Sequence[Token], folded: Sequence[str], ends: Sequence[int]
) -> dict[int, set[str]]:
    """For each name, by its index, the offices that the words beside it give to it.

    Args:
        names: The names in order.
        tokens: All words and signs.
        folded: The same, folded.
        ends: Where sentences end, as indexes of tokens.
    """
    found: dict[int, set[str]] = {}
    firsts = [name.first for name in names]
    for said in find_offices(folded):
        behind = bisect_left(firsts, said.first)
        number = bisect_left(ends, said.last)
        stop = ends[number] if number < len(ends) else len(folded)
        begin = ends[number - 1] if number else 0
        if behind and names[behind - 1].last > said.first:
            found.setdefault(behind - 1, set()).add(said.what)  # part of what was taken for the name
            continue
        before = said.first - names[behind - 1].last if behind and names[behind - 1].last > begin else None
        after = names[behind].first - said.last if behind < len(names) and names[behind].first < stop else None
        if after is not None and any(tokens[at].text == ";" for at in range(said.last, names[behind].first)):
            after = None
        if before is not None and any(tokens[at].text == ";" for at in range(names[behind - 1].last, said.first)):
            before = None
        owner = _owner(before, after, folded[said.last] if said.last < len(folded) else "")
        if owner is not None:
            found.setdefault(behind if owner else behind - 1, set()).add(said.what)
    return found


def _owner(before: int | None, after: int | None, link: str) -> bool | None:
    """Whether an office is that of the name behind it, and not of the one before it; None for neither."""
    if link in OF and before is not None and before <= FARTHEST:
        return False
    if after is not None and (link in BY or after == 0) and after <= FARTHEST:
        return True
    if before is not None and before <= FARTHEST and (after is None or before <= after):
        return False
    return True if after is not None and after <= FARTHEST else None
