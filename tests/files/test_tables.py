"""CSV: strict, with line and column name for everything that is wrong."""

import csv
from pathlib import Path

import pytest

from toolgauge.errors import InputError
from toolgauge.files import CsvTable, InputFile, tables

KNOWN = {"input": "input", "query": "input", "tools": "tools"}


def read(path: Path, text: str) -> list[tuple[int, dict[str, str]]]:
    path.write_bytes(text.encode())
    with InputFile(path) as source:
        table = CsvTable(source, KNOWN)
        table.require(("input",))
        return list(table)


def refusal(path: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(path, text)
    return [line.removeprefix(str(path)) for line in str(caught.value).splitlines()]


def test_records_come_with_the_line_they_begin_in(tmp_path: Path) -> None:
    text = 'Query, level ,tools\r\n"a, ""b""\r\nc", x, "d"\r\n\r\n  \r\n,,\r\ne,f,g\r\n'
    assert read(tmp_path / "a", text) == [
        (2, {"input": 'a, "b"\nc', "level": "x", "tools": "d"}),
        (7, {"input": "e", "level": "f", "tools": "g"}),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_header_tells_the_delimiter(tmp_path: Path, delimiter: str) -> None:
    text = f"query{delimiter}tools\na{delimiter}b\n"
    assert read(tmp_path / "a", text) == [(2, {"input": "a", "tools": "b"})]


def test_f3_ragged_rows_are_all_named_with_the_column(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", "query,level,tools\na,b\n1,2,3\na,b,c,d\n") == [
        ":2, column 'tools': 2 fields where the header has 3; 'tools' is the first missing one",
        ":4, column 'tools': 4 fields where the header has 3; 'd' is the first one too many; "
        "put text that contains the delimiter in double quotes",
    ]


def test_f3_an_unclosed_quote_is_named_where_it_opens(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", 'query,level,tools\na,b,c\nd,"e\n\nf,g,h\n') == [
        ":3, column 'level': the quote that opens here is never closed; "
        "close it, or double it where it is part of the text"
    ]


def test_f3_text_after_a_closing_quote_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", 'query,tools\n"a\nb","c" d\n') == [
        ":3, column 'tools': ' d' after a closing quote; double a quote that is part of the text"
    ]


def test_f3_headers_that_are_double_empty_or_missing_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", "query,tools,input\n1,2,3\n") == [
        ":1, column 'input': the header has 'query' and 'input', which is the same column; keep one of them"
    ]
    assert refusal(tmp_path / "a", "query,,tools\n1,2,3\n") == [
        ":1: column 2 of the header has no name; name it or remove it"
    ]
    assert refusal(tmp_path / "a", "qurey,tools\n1,2\n") == [
        ":1: there is no column 'input'; 'qurey' should perhaps be 'query'"
    ]
    assert refusal(tmp_path / "a", "\n\n") == [": the file is empty; a header line comes first"]


def test_f3_a_huge_field_is_refused_and_the_limit_of_the_process_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = csv.field_size_limit()
    assert len(read(tmp_path / "a", f"query,tools\na,{'b' * 200_000}\n")[0][1]["tools"]) == 200_000
    monkeypatch.setattr(tables, "LARGEST_FIELD", 1000)
    assert refusal(tmp_path / "a", f'query,tools\na,b\na,"{"b," * 900}"\n') == [
        ":3, column 'tools': a field of more than 1,000 characters; look for a quote that is not closed"
    ]
    assert csv.field_size_limit() == before


def test_a_nul_character_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", "query,tools\na,b\0\n") == [":2:4: a NUL character in the text"]
