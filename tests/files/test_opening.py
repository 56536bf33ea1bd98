"""Whatever an input is packed in, the same is read; what is damaged is named, and never read halfway."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from toolgauge import api
from toolgauge.core import Case, Expect, ExpectedCall, Suite
from toolgauge.errors import InputError, NothingToDo
from toolgauge.files import InputFile, expand_path, unpacking
from toolgauge.files.streams import open_produced

SUITE = Suite(
    "s", tuple(Case(name, f"Weather in {name}?", expect=Expect((ExpectedCall("w", {"c": name}),))) for name in "ab")
)
RECORDS = [
    {"case": case, "agent": agent, "trial": trial, "calls": [{"tool": "w", "args": {"c": "a"}}], "output": "é"}
    for trial in (1, 2)
    for agent in ("p", "q")
    for case in ("a", "b")
]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()


def zstd(data: bytes) -> bytes:
    import zstandard

    return bytes(zstandard.ZstdCompressor().compress(data))


PACKERS: list[Callable[[bytes], bytes]] = [gzip.compress, bz2.compress, lzma.compress]
DEEP_PACKERS = [*PACKERS, pytest.param(zstd, marks=pytest.mark.deep)]


def summary(*paths: Path | str, **options: Any) -> object:
    return api.score(SUITE, [str(path) for path in paths], **options).summary


@pytest.fixture
def plain(tmp_path: Path) -> object:
    (tmp_path / "plain.jsonl").write_bytes(LINES)
    return summary(tmp_path / "plain.jsonl")


@pytest.mark.parametrize("pack", DEEP_PACKERS)
def test_packed_files_are_read_as_what_is_in_them(
    pack: Callable[[bytes], bytes], tmp_path: Path, plain: object
) -> None:
    for name, data in (("one", pack(LINES)), ("two", pack(LINES[:99]) + pack(LINES[99:]) + bytes(7))):
        (tmp_path / name).write_bytes(data)
        assert summary(tmp_path / name) == plain


@pytest.mark.parametrize("pack", DEEP_PACKERS)
@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda data: data[:30] + b"\x55" * 8 + data[38:]])
def test_packed_files_that_are_cut_or_damaged_are_refused(
    pack: Callable[[bytes], bytes], spoil: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    noise = json.dumps({"case": "a", "output": Random(1).randbytes(3000).hex()}).encode()
    (tmp_path / "x").write_bytes(spoil(pack(LINES + noise + b"\n")))
    with pytest.raises(InputError, match="file is damaged"):
        summary(tmp_path / "x")


def test_what_follows_a_packed_file_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(gzip.compress(LINES) + b"and more")
    with pytest.raises(InputError, match="something else follows it"):
        summary(tmp_path / "x")


def test_a_file_that_grows_beyond_all_proportion_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "ALWAYS_ALLOWED", 1024 * 1024)
    (tmp_path / "x").write_bytes(bz2.compress(bytes(30_000_000)))
    with pytest.raises(InputError, match="more than 500 times its size"), InputFile(tmp_path / "x") as source:
        source.read(10**9)


def test_a_packed_file_can_be_gone_back_in_like_any_other(tmp_path: Path) -> None:
    dice = Random(3)
    data = b"\n".join(dice.randbytes(dice.randint(1, 4000)).hex().encode() for _ in range(400))
    whole, packed = (
        io.BytesIO(data),
        open_produced(lambda: iter([data[i : i + 70_000] for i in range(0, len(data), 70_000)])),
    )
    for _ in range(200):
        offset, size = dice.randint(0, len(data)), dice.choice([1, 5000, 100_000])
        assert packed.seek(offset) == whole.seek(offset)
        assert packed.read(size) == whole.read(size)
        assert packed.readline() == whole.readline()
    assert packed.seek(0, io.SEEK_END) == len(data)


def test_lines_longer_than_what_is_kept_are_read_from_packed_files(tmp_path: Path) -> None:
    line = b"x" * 9_000_000
    (tmp_path / "x.gz").write_bytes(gzip.compress(line + b"\n" + line + b"\nshort\n", 1))
    with InputFile(tmp_path / "x.gz") as source:
        assert [(number, len(found)) for number, found in source.lines()] == [(1, 9_000_000), (2, 9_000_000), (3, 5)]


def folder(path: Path) -> Path:
    for agent in ("p", "q"):
        (path / agent).mkdir(parents=True)
        for trial in (1, 2):
            kept = [record for record in RECORDS if record["agent"] == agent and record["trial"] == trial]
            lines = "".join(json.dumps({**record, "agent": ""}) + "\n" for record in kept)
            (path / agent / f"{trial}.jsonl").write_text(lines, encoding="utf-8")
    (path / "README.md").write_text("nothing to score", encoding="utf-8")
    return path


def test_folders_patterns_and_archives_name_agents_by_path(tmp_path: Path, plain: object) -> None:
    found = folder(tmp_path / "d")
    with zipfile.ZipFile(tmp_path / "d.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(found.rglob("*.jsonl")):
            archive.write(path, path.relative_to(found))
    for named in (found, found / "*" / "*.jsonl", tmp_path / "d.zip"):
        assert summary(named, agent_from="path") == plain
    one = api.score(SUITE, {"all": str(found / "p")}).summary
    assert [row.agent for row in one.rows] == ["all"]
    assert summary(tmp_path / "d.zip" / "p" / "1.jsonl")


def test_an_archive_with_several_files_asks_for_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as archive:
        archive.writestr("a.yaml", "x")
        archive.writestr("b.yaml", "x")
    with pytest.raises(InputError, match=r"contains 2 files: a.yaml, b.yaml; name one of them: .*d.zip/a.yaml"):
        api.load_suite(tmp_path / "d.zip")
    with pytest.raises(InputError, match="there is no such file in this archive"):
        api.load_suite(tmp_path / "d.zip" / "c.yaml")


def test_a_folder_or_pattern_without_traces_is_nothing_to_do(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("x", encoding="utf-8")
    with pytest.raises(NothingToDo, match="there are no files of traces"):
        expand_path(str(tmp_path))
    with pytest.raises(NothingToDo, match="no file matches this pattern"):
        expand_path(str(tmp_path / "*.jsonl"))


@pytest.mark.parametrize(
    ("name", "module", "data", "extra"),
    [
        ("x.zst", "zstandard", b"\x28\xb5\x2f\xfd", "zstd"),
        ("x.parquet", "pyarrow.parquet", b"PAR1", "parquet"),
        ("s3://bucket/key", "obstore", b"", "remote"),
    ],
)
def test_what_needs_a_package_names_it(
    name: str, module: str, data: bytes, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    path = name if "://" in name else str(tmp_path / name)
    if data:
        Path(path).write_bytes(data + bytes(50))
    with pytest.raises(InputError, match=rf"for which a package is missing; pip install 'toolgauge\[{extra}\]'"):
        summary(path)


@pytest.mark.deep
def test_tables_of_several_layouts_are_known_by_their_columns(tmp_path: Path, plain: object) -> None:
    import pyarrow
    from pyarrow import parquet

    flat = [{**record, "calls": json.dumps(record["calls"]), "other": 1} for record in RECORDS]
    parquet.write_table(pyarrow.Table.from_pylist(flat), tmp_path / "flat.parquet", row_group_size=3)
    parquet.write_table(pyarrow.Table.from_pylist(RECORDS), tmp_path / "nested.parquet")
    (tmp_path / "x.jsonl").write_bytes(LINES)
    options = api.ConvertOptions()
    blocks = api.convert_parquet([tmp_path / "x.jsonl"], options=options, report=api.ImportReport())
    (tmp_path / "scout.parquet").write_bytes(b"".join(blocks))
    for name in ("flat", "nested", "scout"):
        assert summary(tmp_path / f"{name}.parquet") == plain, name
    runs = [
        {"id": "1", "trace_id": "1", "run_type": "chain", "inputs": '{"input": "Weather in a?"}'}
        | {"name": "x", "parent_run_id": None},
        {"id": "2", "trace_id": "1", "parent_run_id": "1", "run_type": "tool", "name": "w", "inputs": '{"c": "a"}'},
    ]
    observed = [
        {"id": "1", "trace_id": "t", "type": "SPAN", "name": "x", "start_time": "2026-01-01", "input": "Weather in a?"}
        | {"parent_observation_id": None},
        {"id": "2", "trace_id": "t", "type": "TOOL", "name": "w", "start_time": "2026-01-02", "input": '{"c": "a"}'}
        | {"parent_observation_id": "1"},
    ]
    for name, rows in (("LangSmith runs", runs), ("Langfuse traces", observed)):
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "x.parquet")
        report = api.ImportReport()
        assert api.score(SUITE, tmp_path / "x.parquet", report=report).summary.counts.passed == 1
        assert list(report.formats) == [name]


@pytest.mark.deep
def test_what_a_row_lacks_of_a_nested_column_is_not_there(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    calls: list[list[dict[str, Any]]] = [[{"tool": "w", "args": {"c": "a"}}], [{"tool": "v", "args": {"d": [1]}}]]
    rows: list[dict[str, Any]] = [
        {"case": case, "agent": "p", "calls": made} for case, made in zip("ab", calls, strict=True)
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "structs.parquet")
    texts = [{**row, "calls": [{**call, "args": json.dumps(call["args"])} for call in row["calls"]]} for row in rows]
    parquet.write_table(pyarrow.Table.from_pylist(texts), tmp_path / "texts.parquet")
    pairs = pyarrow.map_(pyarrow.string(), pyarrow.string())
    kind = pyarrow.list_(pyarrow.struct([("tool", pyarrow.string()), ("args", pairs)]))
    given = pyarrow.array([[{"tool": "w", "args": [("c", "a")]}], [{"tool": "v", "args": [("d", "1")]}]], kind)
    parquet.write_table(
        pyarrow.table({"case": ["a", "b"], "agent": ["p", "p"], "calls": given}), tmp_path / "maps.parquet"
    )
    for name, second in (("structs", [1]), ("texts", [1]), ("maps", "1")):
        read = list(api.convert(tmp_path / f"{name}.parquet"))
        assert [call.args for one in read for call in one.calls] == [{"c": "a"}, {"d": second}], name


@pytest.mark.deep
def test_a_table_with_other_columns_or_cut_off_is_refused(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"x": [1, 2], "y": ["a", "b"]}), tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"x.parquet.* of a known format"):
        summary(tmp_path / "x.parquet")
    data = (tmp_path / "x.parquet").read_bytes()
    (tmp_path / "y.parquet").write_bytes(data[:-20])
    with pytest.raises(InputError, match=r"y.parquet: this Parquet file cannot be read: it is cut off; fetch"):
        summary(tmp_path / "y.parquet")


@pytest.mark.deep
def test_a_table_from_a_pipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PAR1" + bytes(50))))
    with pytest.raises(InputError, match="standard input: a Parquet file cannot be read from a pipe; save it"):
        summary("-")


@pytest.mark.parametrize("address", ["ftp://host/x.jsonl", "hdfs://a/b", "file:///tmp/x.jsonl"])
def test_addresses_of_another_kind_are_refused_as_such(address: str) -> None:
    with pytest.raises(
        InputError, match="addresses of this kind cannot be read; name a file, or an address with s3://"
    ):
        summary(address)


@pytest.mark.deep
def test_the_first_sheet_of_a_workbook_is_a_suite(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["id", "input", "tools"], ["a", "q", "w"], [2, "r, s", "w"]):
        book.active.append(row)
    book.save(tmp_path / "s.xlsx")
    assert [(case.id, case.input) for case in api.load_suite(tmp_path / "s.xlsx").cases] == [("a", "q"), ("2", "r, s")]
