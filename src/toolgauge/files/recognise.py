"""Telling YAML, JSON, JSONL and CSV apart by what is in a file, never by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

from toolgauge.errors import InputError, Problem, UsageError, did_you_mean

from .documents import LARGEST_JSON
from .reading import InputFile

__all__ = ["FORMATS", "Format", "delimiter_of", "recognise", "refuse_workbook"]

Format: TypeAlias = Literal["yaml", "json", "jsonl", "csv"]
FORMATS: tuple[Format, ...] = get_args(Format)

DELIMITERS = (",", ";", "\t")

ZIP = b"PK\x03\x04"
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How files of Excel before 2007 begin."""

WORKBOOK_PARTS = (b"[Content_Types].xml", b"xl/", b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")
"""What stands near the beginning of the archive that a workbook is."""

WORKBOOK_NAMES = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


def recognise(source: InputFile, is_heading: Callable[[str], bool], input_format: str | None = None) -> Format:
    """The format of a file, unless it is given.

    Args:
        source: The file; it can be read from its beginning afterwards.
        is_heading: Whether a word, in small letters, is one by which the first line of a CSV file is known.
        input_format: What somebody says the format is.

    Raises:
        UsageError: There is no such format.
        InputError: It is a workbook of a spreadsheet program.
    """
    refuse_workbook(source)
    if input_format is not None:
        for known in FORMATS:
            if known == input_format:
                return known
        raise UsageError(f"{input_format!r} is not an input format; {did_you_mean(input_format, FORMATS)}")
    if source.is_table:
        return "csv"
    if source.opening.startswith(b"{"):
        return _json_or_jsonl(*_first_lines(source))
    if source.opening.startswith(b"["):
        return "jsonl" if _has_lists_in_lines(source) else "json"
    return "csv" if _is_header(source.opening.splitlines()[0] if source.opening else b"", is_heading) else "yaml"


def refuse_workbook(source: InputFile) -> None:
    """Say how to save a workbook of Excel or another spreadsheet program so that it can be read.

    Raises:
        InputError: It is one.
    """
    opening = source.opening
    named = str(source.name).lower().endswith(WORKBOOK_NAMES)
    if opening.startswith(OLD_WORKBOOK) or (
        opening.startswith(ZIP) and (named or any(part in opening[:4096] for part in WORKBOOK_PARTS))
    ):
        from .workbooks import SAVE_AS_CSV

        what = "this is an Excel workbook (or similar), which is not supported"
        raise InputError(source.name, Problem(what, hint=SAVE_AS_CSV))


def _first_lines(source: InputFile) -> tuple[bytes, bytes]:
    """The first two lines that are not blank."""
    found: list[bytes] = []
    for _, line in source.lines(LARGEST_JSON):
        if line.strip():
            found.append(line.strip() if not found else line.rstrip())
            if len(found) == 2:
                return found[0], found[1]
    return (found[0] if found else b""), b""


def _has_lists_in_lines(source: InputFile) -> bool:
    """Whether each line is a list, as some write conversations, and not a part of one that is still open."""
    try:
        first, second = _first_lines(source)
    except InputError:
        return False  # whoever reads it as a document says that it is too large
    return first.endswith(b"]") and second.startswith((b"[", b"{"))


def _json_or_jsonl(first: bytes, second: bytes) -> Format:
    """One document over several lines is JSON; a line that is an object by itself, followed by more, is JSONL."""
    if not second:
        return "json"
    # A broken line of JSONL is to be named as such: its neighbour begins at the margin, which the second line of a
    # document over several lines hardly ever does.
    return "jsonl" if first.endswith(b"}") or second.startswith(b"{") else "json"


def delimiter_of(header: str) -> str:
    """What separates the columns of a CSV file, by its header line."""
    return max(DELIMITERS, key=header.count)


def _is_header(line: bytes, is_heading: Callable[[str], bool]) -> bool:
    text = line.decode("utf-8", "replace")
    names = [name.strip().strip('"').strip().lower() for name in text.split(delimiter_of(text))]
    return any(map(is_heading, names)) and not any(":" in name for name in names)
