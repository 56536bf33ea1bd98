"""Answers in tables: their type in the words of people, their unit, tolerance, locale and day."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from toolgauge.core import JsonValue
from toolgauge.errors import InputError
from toolgauge.suites import load_suite


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def answer(folder: Path, heading: str, row: str) -> dict[str, JsonValue] | None:
    (case,) = load_suite(write(folder / "s.csv", f"input,{heading}\nq,{row}\n")).cases
    return case.expect.answer


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        *(("số", "number"), ("Số", "number"), ("SO", "number"), ("số tiền", "number"), ("number", "number")),
        *(("phần trăm", "number"), ("Tỷ lệ", "number"), ("so nguyen", "number"), ("money", "number")),
        *(("quý", "time"), ("tháng", "time"), ("Ngày giờ", "time"), ("year", "time"), ("xâu", "string")),
        *(("ngày", "time"), ("thời gian", "time"), ("date", "time"), ("năm", "time")),
        *(("chuỗi", "string"), ("tên", "string"), ("văn bản", "text"), ("từ khóa", "text")),
    ],
)
def test_types_are_known_by_what_people_call_them(tmp_path: Path, word: str, kind: str) -> None:
    found = answer(tmp_path, "answer,answer_type", f"1975,{word}")
    assert found is not None
    assert found["type"] == kind


@pytest.mark.parametrize(
    ("heading", "row", "expected"),
    [
        ("đáp án,loại câu trả lời", "1975,tên", {"type": "string", "value": "1975"}),
        ("đáp án,loại đáp án", 'có,"có/không"', {"type": "boolean", "value": True}),
        ("đáp án,loại đáp án", "sai,đúng/sai", {"type": "boolean", "value": False}),
        ("đáp án,loại đáp án", '"FPT, VNM",danh sách', {"type": "list", "value": ["FPT", "VNM"]}),
        ("đáp án,loại đáp án", "căn cước; giấy mời,danh sách", {"type": "list", "value": ["căn cước", "giấy mời"]}),
        (
            "đáp án,loại đáp án",
            '"Hà Nội, thủ đô | Huế|",danh sách',
            {"type": "list", "value": ["Hà Nội, thủ đô", "Huế"]},
        ),
        ("đáp án,loại đáp án", '"FPT\nVNM, HPG",danh sách', {"type": "list", "value": ["FPT", "VNM, HPG"]}),
        ("answer,answer_type", "\"['a;b', 'c']\",list", {"type": "list", "value": ["a;b", "c"]}),
        ("Đáp án,Ngôn ngữ", '"1,5 tỷ đồng",vi', {"type": "number", "value": "1,5 tỷ đồng"}),
        ("Đáp án,Ngôn ngữ", "quý II/2024,Tiếng Việt", {"type": "time", "value": "quý II/2024"}),
        ("answer,locale", "12 %,en", {"type": "number", "value": "12 %"}),
        ("answer,locale", "1975,en", {"value": "1975"}),
        ("answer,locale", "Hanoi,en", {"type": "string", "value": "Hanoi"}),
        (
            "answer,unit,tolerance,locale",
            "31,°C,10%,vi",
            {"type": "number", "value": "31", "unit": "°C", "tolerance": "10%"},
        ),
        (
            "Đáp án,Đơn vị,Sai số,Ngôn ngữ",
            '"1,5",tỷ đồng,"0,1",vi',
            {"type": "number", "value": "1,5", "unit": "tỷ đồng", "tolerance": "0,1"},
        ),
        ("đáp án,loại đáp án,sai số", "1975,ngày,1 năm", {"type": "time", "value": "1975", "tolerance_years": 1}),
        ("answer,answer_type", '"{""value"": 5, ""tolerance"": 1}",số', {"type": "number", "value": 5, "tolerance": 1}),
    ],
)
def test_cells_take_what_the_reader_of_answers_reads(
    tmp_path: Path, heading: str, row: str, expected: dict[str, JsonValue]
) -> None:
    assert answer(tmp_path, heading, row) == expected


def test_the_day_and_the_locale_are_those_of_the_case(tmp_path: Path) -> None:
    text = "Câu hỏi,Đáp án,Ngôn ngữ,Ngày hỏi\na,hôm qua,tiếng Việt,31/1/2026\nb,x,en,2026-01-31\nc,y,,\n"
    first, second, third = load_suite(write(tmp_path / "s.csv", text)).cases
    assert (first.locale, first.now) == ("vi", "2026-01-31")
    assert first.expect.answer == {"type": "time", "value": "hôm qua"}
    assert (second.locale, second.now) == ("en", "2026-01-31")
    assert (third.locale, third.now) == (None, None)


@pytest.mark.parametrize(
    ("heading", "row", "complaint"),
    [
        ("answer,locale", "x,fr", "'fr' is not a locale"),
        ("answer,now", "x,hôm kia", "is not a day"),
        ("answer,answer_type", "x,màu", "'màu' is not a type of answer"),
        ("answer,answer_type", "abc,số", "not a number"),
        ("answer,tolerance,locale", "5,ten,vi", "tolerance"),
        ("answer,unit", ",kg", "the row has no answer to apply this to"),
        ("answer,answer_type", "3/4/2025,ngày", "is ambiguous"),
    ],
)
def test_a_cell_that_cannot_be_read_is_named(tmp_path: Path, heading: str, row: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        answer(tmp_path, heading, row)
    assert complaint in str(caught.value)
    assert "s.csv:2" in str(caught.value)


def test_a_vietnamese_table_is_scored(tmp_path: Path) -> None:
    table = (
        'STT,Câu hỏi,Đáp án,Loại đáp án,Sai số,Ngôn ngữ\n1,Lãi?,"1,5 tỷ đồng",số,1%,vi\n2,Lãi?,"1,5 tỷ đồng",số,,vi\n'
    )
    write(tmp_path / "s.csv", table)
    lines = ['{"case": "1", "output": "1.510 triệu đồng"}', '{"case": "2", "output": "15 tỷ đồng"}']
    write(tmp_path / "t.jsonl", "\n".join(lines))
    done = toolgauge("score", "s.csv", "t.jsonl", cwd=tmp_path)
    assert "2 planned = 1 passed + 1 failed" in done.stdout


def workbook(path: Path) -> Path:
    """The parts of a workbook that one is known by, in the order in which Excel writes them."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml"):
            archive.writestr(name, "<xml/>")
    return path


@pytest.mark.parametrize("name", ["s.xlsx", "no-ending"])
def test_a_workbook_is_refused_with_a_word_on_how_to_save_it(tmp_path: Path, name: str) -> None:
    workbook(tmp_path / name)
    write(tmp_path / "s.csv", "id,input,tools\na,q,t\n")
    write(tmp_path / "t.jsonl", '{"case": "a", "calls": []}')
    for command in (("score", name, "t.jsonl"), ("score", "s.csv", name), ("lint", name), ("convert", name)):
        done = toolgauge(*command, cwd=tmp_path)
        assert done.returncode == 2
        assert "this is an Excel workbook" in done.stderr
        assert "CSV UTF-8" in done.stderr


def test_a_workbook_of_old_is_known_too(tmp_path: Path) -> None:
    (tmp_path / "s.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500))
    done = toolgauge("lint", "s.xls", cwd=tmp_path)
    assert (done.returncode, "this is an Excel workbook" in done.stderr) == (2, True)
