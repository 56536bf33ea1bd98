"""The first sheet of a workbook as CSV, read by openpyxl where it is installed."""

from __future__ import annotations

import csv
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import IO, Any

from toolgauge.errors import InputError, Problem

__all__ = ["SAVE_AS_CSV", "check_workbook", "read_sheet"]

SAVE_AS_CSV = (
    "save the sheet as CSV and give that file: in Excel, File > Save As > CSV UTF-8 (Comma delimited); in LibreOffice "
    "and Google Sheets, Text CSV in Unicode (UTF-8)"
)

LARGEST = 64 * 1024 * 1024
"""The largest workbook, in bytes as it is stored."""

LARGEST_UNPACKED = 256 * 1024 * 1024
"""All that openpyxl may be given to read of it, unpacked."""

MOST_ROWS = 500_000
MOST_ELEMENTS = 500_000
"""How many rows a sheet may have, and elements any other part: something is kept of each of them."""
MOST_IN_SHEET = 1_500_000
"""How many elements a sheet may have, two or three for each cell: openpyxl passes them all before the first row."""
MOST_IN_ROW = 20_000
"""How many elements a row may have: all the columns that there are, if only some hold something."""

ROW, END_OF_ROWS = b"<row", b"</sheetData"

BLOCK = 1024 * 1024
MOST_COLUMNS = 1_000


def read_sheet(name: str, stream: IO[bytes]) -> Iterator[bytes]:
    """The first sheet as CSV, a block of rows at a time.

    Raises:
        InputError: openpyxl is missing, or cannot read it.
    """
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        what = "this is an Excel workbook, for which a package is missing"
        raise InputError(name, Problem(what, hint=f"pip install 'toolgauge[excel]', or {SAVE_AS_CSV}")) from error
    stream.seek(0)
    try:
        book = load_workbook(stream, read_only=True, data_only=True)
        rows = book.worksheets[0].iter_rows(values_only=True)
        yield from _as_csv(rows)
    except InputError:
        raise
    except Exception as error:
        # openpyxl raises whatever its parsers raise.
        raise _damaged(name, error) from error


def _damaged(name: str, error: Exception) -> InputError:
    return InputError(name, Problem(f"this is an Excel workbook that cannot be read: {error}", hint=SAVE_AS_CSV))


def check_workbook(name: str, stream: IO[bytes]) -> None:
    """Measure a workbook before openpyxl takes it apart, which needs many times the room.

    Raises:
        InputError: It is too large, or damaged.
    """
    fault = ""
    if stream.seek(0, io.SEEK_END) > LARGEST:
        fault = f"this workbook is larger than {LARGEST // 1024**2} MiB"
    stream.seek(0)
    try:
        fault = fault or _fault(stream)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error) as error:
        raise _damaged(name, error) from error
    if fault:
        raise InputError(name, Problem(fault, hint=SAVE_AS_CSV))


def _fault(stream: IO[bytes]) -> str:
    """What is too large in a workbook; nothing where nothing is."""
    with zipfile.ZipFile(stream) as archive:
        parts = [info for info in archive.infolist() if info.filename.endswith((".xml", ".rels"))]
        if sum(info.file_size for info in parts) > LARGEST_UNPACKED:
            return f"this workbook unpacks to more than {LARGEST_UNPACKED // 1024**2} MiB"
        for info in parts:
            with archive.open(info) as part:
                if fault := _too_much(part, sheet="/worksheets/" in info.filename):
                    return fault
    return ""


def _too_much(part: IO[bytes], *, sheet: bool) -> str:
    """What a part of a workbook has too much of; nothing where it has not."""
    rows = elements = all_elements = 0
    most = MOST_IN_ROW if sheet else MOST_ELEMENTS
    while block := part.read(BLOCK):
        if len(block) == BLOCK and b"<" not in block:
            return "this workbook has a text of more than 1 MiB"
        rows += block.count(ROW) if sheet else 0
        if rows > MOST_ROWS:
            return f"this workbook has more than {MOST_ROWS:,} rows"
        all_elements += _elements(block)
        if all_elements > MOST_IN_SHEET:
            return "this workbook has a sheet with too many cells"
        if sheet and END_OF_ROWS in block:
            block, _, after = block.partition(END_OF_ROWS)
            if _longest_row(block, elements) > most:
                break
            sheet, most, elements, block = False, MOST_ELEMENTS, 0, after
        if elements + _elements(block) > most and (not sheet or _longest_row(block, elements) > most):
            break
        last = block.rfind(ROW) if sheet else -1
        elements = _elements(block[last:]) if last >= 0 else elements + _elements(block)
    else:
        return ""
    return "this workbook has a row with too many cells" if sheet else "this workbook has too many texts"


def _elements(text: bytes) -> int:
    return text.count(b"<") - text.count(b"</")


def _longest_row(block: bytes, before: int) -> int:
    """How many elements the longest row has; so many of the first one stand before."""
    first, *others = block.split(ROW)
    return max(before + _elements(first), *map(_elements, others), 0)


def _as_csv(rows: Iterator[tuple[Any, ...]]) -> Iterator[bytes]:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    width = most = 0  # the headings come by themselves: they may be reason enough to read no further
    for row in rows:
        cells = [_cell(value) for value in row[:MOST_COLUMNS]]
        while cells and not cells[-1] and len(cells) > width:
            cells.pop()
        width = width or len(cells)
        if any(cells):
            writer.writerow(cells)
        if text.tell() > most:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
            most = 16 * 1024
    yield text.getvalue().encode()


def _cell(value: object) -> str:
    """A cell as somebody who saves the sheet as CSV would have it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, (date, time)) else str(value)
