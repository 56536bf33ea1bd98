"""Workbooks and Parquet files in which something is damaged: read or refused, and never the end of the process."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random

import pytest

from toolgauge.errors import InputError
from toolgauge.files.parquet_pages import BadPages, columns_of

pytestmark = pytest.mark.deep


def table(rows: int = 300) -> bytes:
    """Trajectories as a Parquet file of several row groups."""
    import pyarrow
    from pyarrow import parquet

    calls = [[{"tool": "f", "args": '{"x": 1}'}, {"tool": "g", "args": None}]] * rows
    columns = {"case": [f"c{number % 7}" for number in range(rows)], "agent": ["a"] * rows, "calls": calls}
    columns["output"] = ["text " * number for number in range(rows)]
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file, row_group_size=100, write_page_index=True)
    return file.getvalue()


def test_where_columns_are_is_what_the_library_says() -> None:
    from pyarrow import parquet

    data = table()
    described = parquet.ParquetFile(io.BytesIO(data)).metadata
    stored = columns_of(io.BytesIO(data))
    assert len(stored) == described.num_row_groups == 3
    for group, columns in enumerate(stored):
        row_group = described.row_group(group)
        assert len(columns) == row_group.num_columns
        for place, column in enumerate(columns):
            theirs = row_group.column(place)
            begin = theirs.data_page_offset
            if theirs.dictionary_page_offset is not None:
                begin = min(begin, theirs.dictionary_page_offset)
            assert column.name == theirs.path_in_schema.partition(".")[0]
            assert (column.begin, column.end - column.begin) == (begin, theirs.total_compressed_size)
            assert column.size == theirs.total_uncompressed_size


def test_a_footer_that_is_no_footer_is_damaged() -> None:
    for data in (b"PAR1" * 3, b"\x19" * 50 + b"\x32\x00\x00\x00PAR1", b"\xff" * 20 + b"\x14\x00\x00\x00PAR1"):
        with pytest.raises(BadPages):
            columns_of(io.BytesIO(data))


SPOILED = """
import sys
from pathlib import Path
from random import Random
from toolgauge.errors import InputError
from toolgauge.files.parquet import open_rows

good, folder, seed = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2]), int(sys.argv[3])
dice = Random(seed)
footer = len(good) - 8 - int.from_bytes(good[-8:-4], "little")
read = refused = 0
for number in range(400):
    data = bytearray(good)
    for _ in range(dice.choice((1, 1, 2, 5))):
        place = dice.randrange(footer, len(data) - 8) if dice.random() < 0.8 else dice.randrange(4, footer)
        data[place] = dice.randrange(256)
    path = folder / "spoiled.parquet"
    path.write_bytes(data)
    print(number, flush=True)
    try:
        with path.open("rb") as stream:
            while open_rows(str(path), stream, None).read(1 << 20):
                break
        read += 1
    except InputError:
        refused += 1
print("read", read, "refused", refused)
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_no_damage_to_a_parquet_file_ends_the_process(tmp_path: Path, seed: int) -> None:
    """Asked for a column whose description is damaged, pyarrow aborts the process."""
    good = tmp_path / "good.parquet"
    good.write_bytes(table())
    ran = subprocess.run(
        [sys.executable, "-c", SPOILED, str(good), str(tmp_path), str(seed)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    _, read, _, refused = ran.stdout.splitlines()[-1].split()
    assert int(read) > 20
    assert int(refused) > 20


def workbook() -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in (("input", "tools"), ("What is it?", "['f']")):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_every_damaged_workbook_is_read_or_refused() -> None:
    from toolgauge.files.workbooks import check_workbook, read_sheet

    good, dice = workbook(), Random(7)
    read, refusals = 0, set()
    for _ in range(600):
        data = bytearray(good)
        for _ in range(dice.choice((1, 2, 8))):
            data[dice.randrange(len(data))] = dice.randrange(256)
        if dice.random() < 0.1:
            del data[dice.randrange(len(data)) :]
        if not zipfile.is_zipfile(io.BytesIO(data)):
            continue
        try:
            check_workbook("suite.xlsx", io.BytesIO(data))
            read += bool(b"".join(read_sheet("suite.xlsx", io.BytesIO(data))))
        except InputError as error:
            refusals.add(str(error).partition(" that cannot be read")[0])
    assert read > 5
    assert any("Excel workbook" in refusal for refusal in refusals)
