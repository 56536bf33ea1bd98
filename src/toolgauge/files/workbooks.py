"""The first sheet of a workbook as CSV, read by openpyxl where it is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import IO, Any

from toolgauge.errors import InputError, Problem

__all__ = ["SAVE_AS_CSV", "read_sheet"]

SAVE_AS_CSV = (
    "save the sheet as CSV and give that file: in Excel, File > Save As > CSV UTF-8 (Comma delimited); in LibreOffice "
    "and Google Sheets, Text CSV in Unicode (UTF-8)"
)

LARGEST = 64 * 1024 * 1024
"""The largest workbook, in bytes as it is stored, and the largest of its parts, unpacked ten times that."""

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
    _check_size(name, stream)
    stream.seek(0)
    try:
        book = load_workbook(stream, read_only=True, data_only=True)
        rows = book.worksheets[0].iter_rows(values_only=True)
        yield from _as_csv(rows)
    except InputError:
        raise
    except Exception as error:
        # openpyxl raises whatever its parsers raise.
        raise InputError(
            name, Problem(f"this is an Excel workbook that cannot be read: {error}", hint=SAVE_AS_CSV)
        ) from error


def _check_size(name: str, stream: IO[bytes]) -> None:
    import zipfile

    stream.seek(0)
    with zipfile.ZipFile(stream) as archive:
        largest = max((info.file_size for info in archive.infolist()), default=0)
    if stream.seek(0, io.SEEK_END) > LARGEST or largest > 10 * LARGEST:
        what = f"this workbook is larger than {LARGEST // 1024**2} MiB, or becomes so when it is unpacked"
        raise InputError(name, Problem(what, hint=SAVE_AS_CSV))


def _as_csv(rows: Iterator[tuple[Any, ...]]) -> Iterator[bytes]:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    width = 0
    for row in rows:
        cells = [_cell(value) for value in row[:MOST_COLUMNS]]
        while cells and not cells[-1] and len(cells) > width:
            cells.pop()
        width = width or len(cells)
        if any(cells):
            writer.writerow(cells)
        if text.tell() > 64 * 1024:
            yield text.getvalue().encode()
            text.seek(0)
            text.truncate()
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
