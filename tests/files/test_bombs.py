"""Small files that become large: archives, workbooks and Parquet are measured before they are taken apart."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .hostile import LINE, MOST_MEMORY, SUITE, run_measured

MOST_OF_LIBRARIES = 200_000_000
"""Bytes for a process that has to import what reads workbooks or Parquet."""


def score(folder: Path, traces: Path, refusal: str, most: int) -> None:
    """Score a file, which has to be refused in little memory."""
    suite = folder / "suite"
    suite.write_text(SUITE)
    ended = run_measured(["score", str(suite), str(traces)])
    assert ended.code == 2, ended.errors
    assert f"{traces}" in ended.errors
    assert refusal in ended.errors
    assert ended.memory < most


def test_an_archive_that_lists_entries_without_number_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "traces.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(150_000):
            archive.writestr(zipfile.ZipInfo(f"a-name-of-some-length-{number}.jsonl"), "")
    score(tmp_path, path, "it lists more entries than can be read", MOST_MEMORY)


def test_an_archive_that_claims_a_directory_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "traces.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("traces.jsonl", LINE)
    data = bytearray(path.read_bytes())
    place = data.rfind(b"PK\x05\x06")
    data[place + 12 : place + 16] = (1 << 31).to_bytes(4, "little")
    path.write_bytes(data)
    score(tmp_path, path, "it lists more entries than can be read", MOST_MEMORY)


def rows(count: int, cells: int) -> str:
    """A sheet of this many rows, each with so many cells."""
    row = "<row>" + "<c><v>1</v></c>" * cells + "</row>"
    return "<worksheet><sheetData>" + row * count + "</sheetData></worksheet>"


SHEETS: dict[str, tuple[Callable[[], str], str]] = {
    "many rows": (lambda: rows(600_000, 0), "more than 500,000 rows"),
    "many cells": (lambda: rows(100_000, 10), "a sheet with too many cells"),
    "a long row": (lambda: rows(1, 50_000), "a row with too many cells"),
    "a long text": (lambda: rows(1, 1) + "x" * 5_000_000, "a text of more than 1 MiB"),
    "a large sheet": (lambda: rows(1, 1) + "<a></a>" + " " * 300_000_000, "unpacks to more than 256 MiB"),
}


@pytest.mark.deep
@pytest.mark.parametrize("kind", SHEETS)
def test_a_workbook_that_becomes_large_is_refused(tmp_path: Path, kind: str) -> None:
    content, refusal = SHEETS[kind]
    path = tmp_path / "traces.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", content())
    assert path.stat().st_size < 3_000_000
    score(tmp_path, path, refusal, MOST_OF_LIBRARIES)


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["one text", "a text that stands for many", "many columns"])
def test_a_parquet_file_that_becomes_large_is_refused_or_read_in_little_memory(tmp_path: Path, kind: str) -> None:
    import pyarrow
    from pyarrow import parquet

    path = tmp_path / "traces.parquet"
    if kind == "one text":
        columns: dict[str, Any] = {"case": ["a"], "output": ["x" * 200_000_000]}
    elif kind == "a text that stands for many":
        dictionary = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 5_000), pyarrow.array(["x" * 1_000_000]))
        columns = {"case": ["a"] * 5_000, "output": dictionary}
    else:
        columns = {f"c{number}": [1] for number in range(12_000)}
    parquet.write_table(pyarrow.table(columns), path, compression="zstd")
    assert path.stat().st_size < 5_000_000
    suite = tmp_path / "suite"
    suite.write_text(SUITE)
    ended = run_measured(["score", str(suite), str(path)])
    assert ended.code in (0, 2), ended.errors
    assert ended.code == 0 or f"{path}" in ended.errors
    assert ended.memory < 400_000_000
