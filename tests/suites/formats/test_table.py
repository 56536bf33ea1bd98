"""Suites as CSV: the published comparison layout and the general one."""

import unicodedata
from pathlib import Path

import pytest

from toolgauge.core import Case, ExpectedCall, Suite
from toolgauge.errors import InputError
from toolgauge.suites import load_suite


def load(path: Path, text: str) -> Suite:
    path.write_bytes(text.encode())
    return load_suite(path)


def tools(case: Case) -> list[str] | None:
    calls = case.expect.calls
    return None if calls is None else [call.tool for call in calls]


def test_the_published_layout(tmp_path: Path) -> None:
    rows = [
        "query,difficulty,tools",
        '"  Giá vàng, hôm nay? ",dễ,"[\'gold_price\',\'search_web\', ""time_now""]"',
        'Chào bạn,dễ,"[]"',
        "Kể chuyện,khó,",
        "So sánh,khó,\"['search_web', 'search_web']\"",
    ]
    suite = load(tmp_path / "truth.csv", unicodedata.normalize("NFD", "\n".join(rows)))
    assert suite.name == "truth"
    assert [case.id for case in suite.cases] == ["q1", "q2", "q3", "q4"]
    assert suite.cases[0].input == unicodedata.normalize("NFC", "Giá vàng, hôm nay?")
    assert suite.cases[0].labels == {"difficulty": unicodedata.normalize("NFC", "dễ")}
    assert [tools(case) for case in suite.cases] == [
        ["gold_price", "search_web", "time_now"],
        [],
        None,
        ["search_web", "search_web"],
    ]


def test_ids_are_padded_so_that_they_sort(tmp_path: Path) -> None:
    suite = load(tmp_path / "a", "question\n" + "".join(f"text {n}\n" for n in range(12)))
    ids = [case.id for case in suite.cases]
    assert ids[:2] == ["q01", "q02"]
    assert ids == sorted(ids)


def test_the_general_layout(tmp_path: Path) -> None:
    text = "id;input;expected_tools;contains;level;topic\nA;x;a, b;31 °C, it's;2;\nB;y;['c'];['x, y', 75];;t\n"
    first, second = load(tmp_path / "a", text).cases
    assert first.expect.calls == (ExpectedCall("a"), ExpectedCall("b"))
    assert first.expect.contains == ("31 °C", "it's")
    assert first.labels == {"level": "2"}
    assert second.expect.contains == ("x, y", "75")
    assert second.labels == {"topic": "t"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query,tools\na,\"['x' 'y']\"\n", ":2, column 'tools': not a list: no comma or ']' at character 6"),
        ("id,input\na,x\nb,y\na,z\n", ":4, column 'id': the id 'a' is already used in line 2"),
        ("id,input\n,x\n", ":2, column 'id': the cell is empty"),
        ("query,tools\n,a\n", ":2, column 'query': the cell is empty"),
        ("tools,level\na,b\n", ":1: there is no column 'id' or 'input'"),
        ("input,tools,failed_tools\na,b,c\n", "'failed_tools' is a column of recorded results, not of a suite"),
    ],
)
def test_faults_name_line_and_column(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path / "a", text)
    assert message in str(caught.value)
