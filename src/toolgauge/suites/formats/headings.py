"""Which column of a table means what: by its heading, or because somebody says so.

Headings are compared without regard to case, diacritics and what separates their words, as long as that leaves no
doubt; the usual Vietnamese ones are known.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolgauge.core import nfc
from toolgauge.errors import Problem, UsageError, did_you_mean
from toolgauge.files import near_column, shorten

__all__ = ["MEANINGS", "USUAL_LABELS", "ColumnMeanings", "check_meanings", "find_columns", "folded", "is_heading"]

SPELLINGS: dict[str, tuple[str, ...]] = {
    "id": ("id", "mã câu hỏi", "stt"),
    "input": ("input", "query", "question", "câu hỏi", "nội dung câu hỏi", "truy vấn"),
    "tools": (
        *("tools", "expected_tools", "tools used", "công cụ", "các công cụ"),
        *("công cụ kỳ vọng", "công cụ kì vọng", "công cụ mong đợi"),
    ),
    "calls": ("calls", "expected_calls", "lời gọi", "lời gọi kỳ vọng"),
    "args": ("args", "arguments", "tham số"),
    "contains": ("contains", "từ khóa"),
    "answer": ("answer", "expected_answer", "đáp án", "đáp án đúng"),
    "answer_type": ("answer_type", "loại đáp án", "kiểu đáp án", "dạng đáp án", "loại câu trả lời", "kiểu câu trả lời"),
    "unit": ("unit", "answer_unit", "đơn vị", "đơn vị tính", "đơn vị đáp án"),
    "tolerance": ("tolerance", "answer_tolerance", "sai số", "dung sai", "sai số cho phép", "mức sai số"),
    "locale": ("locale", "ngôn ngữ"),
    "now": ("now", "ngày hỏi", "thời điểm hỏi", "ngày hiện tại"),
}
"""Every column with a meaning, and the headings by which it is known."""

LABEL_SPELLINGS: dict[str, tuple[str, ...]] = {"difficulty": ("difficulty", "độ khó", "mức độ khó")}
"""The same of labels that reports look for by name."""

MEANINGS = tuple(SPELLINGS)

USUAL_LABELS = tuple(LABEL_SPELLINGS)


def folded(heading: str) -> str:
    """A heading without regard to case, diacritics and what separates its words."""
    letters = unicodedata.normalize("NFD", heading.casefold().replace("đ", "d"))
    kept = "".join(" " if letter in "_-./" else letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(kept.split())


_MEANINGS_BY_WORD = {folded(word): name for name, words in {**SPELLINGS, **LABEL_SPELLINGS}.items() for word in words}
_EXACT = {word: name for name, words in SPELLINGS.items() for word in words}


def is_heading(word: str) -> bool:
    """Whether a word is a known heading, however it is written: by one of these a table is told from other files."""
    return _MEANINGS_BY_WORD.get(folded(word)) in SPELLINGS


@dataclass(frozen=True, slots=True)
class ColumnMeanings:
    """What the columns of one table mean."""

    headings: Mapping[str, str]
    """For each meaning that is there the heading as written."""
    labels: Mapping[str, str]
    """For each heading without a meaning of its own the name of the label that it holds."""


def check_meanings(wanted: Mapping[str, str]) -> None:
    """Refuse a slip in what somebody calls a meaning, which would pass for the name of a label.

    Raises:
        UsageError: A name is nearly one with a meaning, or empty.
    """
    for name, heading in wanted.items():
        if not name.strip() or not heading.strip():
            raise UsageError(f"{name}={heading}: a column is given as meaning=heading, such as input=Question")
        if name not in MEANINGS and (hint := near_column(name, MEANINGS)):
            raise UsageError(f"{name!r} is not a meaning of a column; {hint}")


def find_columns(written: Sequence[str], wanted: Mapping[str, str]) -> ColumnMeanings | list[Problem]:
    """What the columns of a table mean, or all the reasons why that cannot be said.

    Args:
        written: The headings.
        wanted: By meaning, or by name of a label, the heading that somebody gives it.
    """
    problems: list[Problem] = []
    names = _as_wanted(written, wanted, problems)
    for name in (*MEANINGS, *USUAL_LABELS):
        if name not in wanted:
            _recognise(name, written, names, problems)
    if problems:
        return problems
    headings = {name: heading for heading, name in names.items() if name in MEANINGS}
    labels = {heading: name for heading, name in names.items() if name not in MEANINGS}
    for heading in written:
        if heading not in names:
            # A label that somebody else's column is called by keeps its own column apart.
            labels[heading] = heading if heading not in labels.values() else f"{heading} (other)"
    return ColumnMeanings(headings, labels)


def _as_wanted(written: Sequence[str], wanted: Mapping[str, str], problems: list[Problem]) -> dict[str, str]:
    names: dict[str, str] = {}
    for name, text in wanted.items():
        heading = nfc(text.strip())
        found = (
            [each for each in written if each == heading]
            or [each for each in written if each.casefold() == heading.casefold()]
            or [each for each in written if folded(each) == folded(heading)]
        )
        if len(found) > 1:
            problems.append(Problem(f"the columns {_listed(found)} can all be {shorten(heading)}", 1))
        elif not found:
            hint = did_you_mean(heading, written) or f"the columns are: {', '.join(written)}"
            problems.append(Problem(f"there is no column {shorten(heading)} for {name!r}", 1, hint=hint))
        elif found[0] in names:
            what = f"the column is given for {names[found[0]]!r} and for {name!r}"
            problems.append(Problem(what, 1, found[0], "give it one meaning"))
        else:
            names[found[0]] = name
    return names


def _recognise(name: str, written: Sequence[str], names: dict[str, str], problems: list[Problem]) -> None:
    """Find the column of a meaning: by one of its usual headings, or else by one that differs in looks only."""
    free = [heading for heading in written if heading not in names]
    exact = [heading for heading in free if _EXACT.get(heading.lower()) == name]
    if len(exact) > 1:
        first, second, *_ = exact
        what = f"the header has {shorten(first)} and {shorten(second)}, which is the same column"
        problems.append(Problem(what, 1, second, f"keep one of them, or say which: --columns {name}={first!r}"))
        return
    alike = exact or [heading for heading in free if _MEANINGS_BY_WORD.get(folded(heading)) == name]
    if len(alike) > 1:
        hint = f"say which: --columns {name}={alike[0]!r}"
        problems.append(Problem(f"the columns {_listed(alike)} can all be {name!r}", 1, hint=hint))
    elif alike:
        names[alike[0]] = name


def _listed(headings: Sequence[str]) -> str:
    return " and ".join(map(shorten, headings))
