"""Tables as people have them: headings of their own, typed answers, arguments in a column."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgauge.core import ExpectedCall, Suite
from toolgauge.errors import InputError, UsageError
from toolgauge.suites import find_lines, load_suite


def load(path: Path, text: str, columns: dict[str, str] | None = None) -> Suite:
    path.write_bytes(text.encode())
    return load_suite(path, columns=columns)


def refusal(path: Path, text: str, columns: dict[str, str] | None = None) -> str:
    with pytest.raises(InputError) as caught:
        load(path, text, columns)
    return str(caught.value).replace(str(path), "")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_are_named_by_whoever_knows_them(tmp_path: Path, delimiter: str) -> None:
    rows = [["No", "Question text", "Expected tools", "Keywords", "Level"], ["7", "Giá vàng?", "gold|x", "vàng", "2"]]
    text = "\n".join(delimiter.join(row) for row in rows).replace("|", " ")
    names = {"input": "question TEXT", "tools": "Expected tools", "id": "No", "contains": "Keywords", "level": "Level"}
    (case,) = load(tmp_path / "a.csv", text, names).cases
    assert (case.id, case.input, case.labels) == ("7", "Giá vàng?", {"level": "2"})
    assert case.expect.calls == (ExpectedCall("gold x"),)
    assert case.expect.contains == ("vàng",)


@pytest.mark.parametrize("header", ["Câu hỏi,Công cụ,Độ khó,Đáp án", "cau_hoi,CONG CU,do-kho,dap an"])
def test_vietnamese_headings_are_known_with_and_without_diacritics(tmp_path: Path, header: str) -> None:
    (case,) = load(tmp_path / "a.csv", f"{header}\nHà Nội ở đâu?,search;maps,dễ,Việt Nam\n").cases
    assert case.input == "Hà Nội ở đâu?"
    assert case.expect.calls == (ExpectedCall("search"), ExpectedCall("maps"))
    assert case.labels == {"difficulty": "dễ"}
    assert case.expect.answer == {"type": "string", "value": "Việt Nam"}


def test_a_column_that_is_named_wins_and_the_other_is_a_label(tmp_path: Path) -> None:
    (case,) = load(tmp_path / "a.csv", "input,tools,wanted\nq,a,b\n", {"tools": "wanted"}).cases
    assert case.expect.calls == (ExpectedCall("b"),)
    assert case.labels == {"tools": "a"}


@pytest.mark.parametrize(
    ("cell", "kind", "answer"),
    [
        ("31", "number", {"type": "number", "value": "31"}),
        ("1975-04", "time", {"type": "time", "value": "1975-04"}),
        ("Hà Nội", "", {"type": "string", "value": "Hà Nội"}),
        ("a; b", "", {"type": "string", "value": "a; b"}),
        ('"[""x"", ""y""]"', "list", {"type": "list", "value": ["x", "y"]}),
        ("Có", "boolean", {"type": "boolean", "value": True}),
        ("một", "text", {"type": "text", "contains": ["một"]}),
        ('"{""value"": 5, ""tolerance"": ""10%""}"', "number", {"type": "number", "value": 5, "tolerance": "10%"}),
        ("", "number", None),
    ],
)
def test_answers_have_the_type_of_their_row(tmp_path: Path, cell: str, kind: str, answer: object) -> None:
    (case,) = load(tmp_path / "a.csv", f"input,answer,answer_type\nq,{cell},{kind}\n").cases
    assert case.expect.answer == answer


def test_arguments_and_whole_calls_stand_in_columns_of_their_own(tmp_path: Path) -> None:
    text = (
        "input,tools,args,calls\n"
        'a,get_weather,"{""city"": ""Huế""}",\n'
        'b,,,"[{""tool"": ""x"", ""args"": {""n"": {""$any"": true}}, ""optional"": true}, ""y"", {""name"": ""z""}]"\n'
        "c,,,[]\n"
        "d,,,\n"
    )
    calls = [case.expect.calls for case in load(tmp_path / "a.csv", text).cases]
    assert calls == [
        (ExpectedCall("get_weather", {"city": "Huế"}),),
        (ExpectedCall("x", {"n": {"$any": True}}, optional=True), ExpectedCall("y"), ExpectedCall("z")),
        (),
        None,
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Câu hỏi,args\nq,{}\n", ":2, column 'args': there are arguments, and no expected tool"),
        ('input,tools,args\nq,"a,b",{}\n', ":2, column 'args': there are arguments, and 2 expected tools"),
        ("input,tools,args\nq,a,{x\n", ":2, column 'args': not JSON"),
        ("input,tools,args\nq,a,[]\n", ":2, column 'args': expected a JSON object, found '[]'"),
        (
            'input,calls\nq,"[{""tool"": ""a"", ""arg"": 1}]"\n',
            ":2, column 'calls': 'arg' is not a known key, at [0].arg",
        ),
        ('input,calls\nq,"[{""args"": {}}]"\n', ":2, column 'calls': no tool name at [0]"),
        ('input,calls\nq,"[{""tool"":""a"",""args"":{""x"":{""$on"":1}}}]"\n', ":2, column 'calls': "),
        ("input,tools,calls\nq,a,[]\n", ":2, column 'calls': the row has expected calls and tools too"),
        ("input,Đáp án,answer_type\nq,x,number\n", ":2, column 'Đáp án': the value 'x' is not a number"),
        ("input,answer,answer_type\nq,x,numbr\n", ":2, column 'answer_type': 'numbr' is not a type of answer"),
        ("input,answer,answer_type\nq,perhaps,boolean\n", ":2, column 'answer': 'perhaps' is neither true nor false"),
        ("query,question\na,b\n", "the header has 'query' and 'question', which is the same column"),
        ("Cong cu,công-cụ,id\na,b,c\n", "can all be 'tools'; say which: --columns tools="),
    ],
)
def test_faults_name_the_line_and_the_heading_as_written(tmp_path: Path, text: str, message: str) -> None:
    assert message in refusal(tmp_path / "a.csv", text)


def test_a_heading_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    said = refusal(tmp_path / "a.csv", "Question,Toolz\na,b\n", {"tools": "Tools", "input": "Question"})
    assert said == ":1: there is no column 'Tools' for 'tools'; did you mean 'Toolz'?"
    said = refusal(tmp_path / "a.csv", "Question,Tools\na,b\n", {"tools": "Tools", "input": "Tools"})
    assert "the column is given for 'tools' and for 'input'" in said


def test_a_slip_in_a_meaning_and_columns_of_another_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'tool' is not a meaning of a column; did you mean 'tools'"):
        load(tmp_path / "a.csv", "Q,T\na,b\n", {"tool": "T", "input": "Q"})
    with pytest.raises(UsageError, match="--columns is for CSV files, and this is JSON"):
        load(tmp_path / "a.json", '{"cases": []}', {"input": "Q"})


def test_a_dataset_that_deepeval_saved_keeps_its_expected_calls(tmp_path: Path) -> None:
    text = (
        "input,actual_output,expected_output,context,tools_called,expected_tools,topic\n"
        'q,,sunny,,,"[{""name"": ""get_weather"", ""type"": ""FUNCTION"", '
        '""inputParameters"": {""city"": ""Huế""}}]",w\n'
    )
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    remarks: list[str] = []
    (case,) = load_suite(tmp_path / "a.csv", remark=remarks.append).cases
    assert case.expect.calls == (ExpectedCall("get_weather", {"city": "Huế"}),)
    assert case.labels == {"topic": "w"}
    assert remarks == [
        "deepeval columns that have no counterpart here are left out: "
        "actual_output, expected_output, context, tools_called"
    ]


def test_lines_are_found_in_a_table_whose_columns_were_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    load(path, "Q\nx\ny\n", {"input": "Q"})
    assert find_lines(path, [("cases", 1, "input")], columns={"input": "Q"}) == {("cases", 1, "input"): 3}


@pytest.mark.parametrize("heading", ["Công cụ mong đợi", "cong cu mong doi", "Tools used"])
@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("a|b", ["a", "b"]),
        ("a; b", ["a", "b"]),
        ("none", []),
        ("Không", []),
        ("-", []),
        ("", None),
        ("none_such", ["none_such"]),
    ],
)
def test_tools_are_separated_as_people_do_and_none_may_be_wanted(
    tmp_path: Path, heading: str, cell: str, expected: list[str] | None
) -> None:
    calls = load(tmp_path / "a.csv", f"input,{heading}\nq,{cell}\n").cases[0].expect.calls
    assert (None if calls is None else [call.tool for call in calls]) == expected


def test_a_table_without_a_known_heading_lists_those_it_has(tmp_path: Path) -> None:
    said = refusal(tmp_path / "a.csv", "Frage,Werkzeuge\nq,a\n")
    assert said == (
        ":1: this looks like a table, but none of its headings is known; its headings are: Frage, Werkzeuge; "
        "say what they mean: --columns input=HEADING,tools=HEADING"
    )
    found = load(tmp_path / "a.csv", "Frage,Werkzeuge\nq,a\n", {"input": "Frage", "tools": "Werkzeuge"})
    assert found.cases[0].expect.calls == (ExpectedCall("a"),)


def test_a_table_in_which_nothing_is_expected_names_what_was_not_used(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    remarks: list[str] = []
    path.write_text("question,Gold label,difficulty\nq,a,easy\n")
    load_suite(path, remark=remarks.append)
    assert remarks == [
        f"{path}: no column says what is expected; these are treated as labels: 'Gold label'; say which one "
        "has the tools: --columns tools=HEADING"
    ]
    path.write_text("question,tools,Gold label\nq,a,easy\n")
    load_suite(path, remark=remarks.append)
    assert len(remarks) == 1
