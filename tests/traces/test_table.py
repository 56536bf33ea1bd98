"""Traces as CSV: the published comparison layout with all its traps, and the general one."""

import unicodedata
from pathlib import Path

import pytest

from toolgauge.core import Call, Trajectory
from toolgauge.errors import InputError
from toolgauge.suites import load_suite
from toolgauge.traces import ImportReport, Join, ReadOptions, read_traces
from toolgauge.traces.table import split_failures

TRUTH = """\
query,difficulty,tools
Giá vàng hôm nay?,dễ,['gold_price']
"Tin tức, và thời tiết",khó,"['news','weather', ""time_now""]"
Chào bạn,dễ,[]
Tỷ giá đô la,dễ,"['rates' ]"
Lãi suất,khó,"['rates','news']"
"""

RESULTS = """\
input,difficulty,output,tools,failed_tools,failed_tools_count
 Giá vàng hôm nay? ,dễ,75 triệu, gold_price ,,0
"Tin tức, và thời tiết",khó,"Trời đẹp
Có nắng","news, weather","weather: Error: ValueError('no city, e.g., Huế')
 Please fix, then retry., weather: timeout, reason: slow network",2
Chào bạn,dễ,  ERROR: Recursion limit of 25 reached,,,0
Tỷ giá đô la,dễ,,,"rates: bad symbol, see https://example.org, or news: x",1.0
Lãi suất,khó,Không rõ,,,1
"""


def test_the_published_layout_with_every_trap(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text(unicodedata.normalize("NFD", TRUTH), encoding="utf-8")
    (tmp_path / "react.csv").write_text(RESULTS, encoding="utf-8")
    report = ImportReport()
    suite = load_suite(tmp_path / "truth.csv")
    join = Join(suite, report)
    found = list(join(read_traces(tmp_path / "react.csv", ReadOptions(report=report)), agent=None, fallback="react"))
    assert [(t.case, t.agent, t.trial, t.state) for t in found] == [
        ("q1", "react", 1, "completed"),
        ("q2", "react", 1, "completed"),
        ("q3", "react", 1, "error"),
        ("q4", "react", 1, "completed"),
        ("q5", "react", 1, "completed"),
    ]
    assert [t.calls for t in found] == [
        (Call("gold_price", None),),
        (
            Call("weather", None, error="Error: ValueError('no city, e.g., Huế')\n Please fix, then retry."),
            Call("weather", None, error="timeout, reason: slow network"),
            Call("news", None),
            Call("weather", None),
        ),
        (),
        (Call("rates", None, error="bad symbol, see https://example.org, or news: x"),),
        (Call("unnamed", None, error="failed without a message"),),
    ]
    assert [t.output for t in found] == ["75 triệu", "Trời đẹp\nCó nắng", None, None, "Không rõ"]
    assert found[2].error == "ERROR: Recursion limit of 25 reached"
    assert report.lines() == ["failed calls are counted but not named; a call of 'unnamed' stands for them (once)"]
    assert list(join.missing()) == []


@pytest.mark.parametrize(
    ("text", "count", "known", "names"),
    [
        ("a: x, b: y", 2, [], ["a", "b"]),
        ("a: x, b: y", 1, ["b"], ["a"]),
        ("a: x, b: y", None, ["b"], ["a", "b"]),
        ("a: x, b: y", None, [], ["a"]),
        ("a: x, a: y", None, [], ["a", "a"]),
        ("a: x, reason: slow, b: y", 2, ["b"], ["a", "b"]),
        ("a: x, reason: slow, web_search: y", 2, [], ["a", "web_search"]),
        ("a: x", 3, [], ["a"]),
        ("no colon at all", 1, [], ["unnamed"]),
        ("no colon, then: one", 1, [], ["unnamed"]),
        ("", 2, [], ["unnamed"]),
        ("", 0, [], []),
        ("", None, [], []),
    ],
)
def test_where_failed_tools_are_taken_apart(text: str, count: int | None, known: list[str], names: list[str]) -> None:
    calls = split_failures(text, count, known)
    assert [call.tool for call in calls] == names
    assert all(call.error for call in calls)


def read(path: Path, text: str) -> tuple[list[Trajectory], list[str]]:
    path.write_bytes(text.encode())
    report = ImportReport()
    return list(read_traces(path, ReadOptions(report=report))), report.lines()


def test_the_general_layout(tmp_path: Path) -> None:
    text = (
        "id,calls,output,error,latency_ms,trial,agent,colour\n"
        'a,"[{""tool"":""t"",""args"":{""n"":1}}]",ERROR: is the answer,,12.5,2,x,red\n'
        "b,[],,broke,,,,blue\n"
    )
    assert read(tmp_path / "a", text) == (
        [
            Trajectory("a", "x", 2, calls=(Call("t", {"n": 1}),), output="ERROR: is the answer", latency_ms=12.5),
            Trajectory("b", error="broke"),
        ],
        [f"{tmp_path / 'a'}: the column 'colour' is not used"],
    )


def test_f3_faults_name_line_and_column(tmp_path: Path) -> None:
    text = 'case,calls,latency_ms,trial,state\na,[],fast,1.5,bad\nb,"[{""tol"": 1}]",-1,,\nc,[x],,,\n,[],,,\nd,[]\n'
    with pytest.raises(InputError) as caught:
        read(tmp_path / "a", text)
    lines = [line.removeprefix(str(tmp_path / "a")) for line in str(caught.value).splitlines()]
    assert lines == [
        ":2, column 'state': 'bad' is not a state; known here: completed, error, timeout, limit, cancelled, not_run",
        ":2, column 'trial': expected a whole number, 0 or more, found '1.5'",
        ":2, column 'latency_ms': expected a number, 0 or more, found 'fast'",
        ":3, column 'calls': the key 'tool' is missing, at [0]",
        ":3, column 'latency_ms': expected a number, 0 or more, found '-1'",
        ":4, column 'calls': not valid JSON: expecting value; write a JSON list of calls",
        ":5, column 'case': the cell is empty",
        ":6, column 'latency_ms': 2 fields where the header has 5; 'latency_ms' is the first missing one",
    ]


def test_f3_a_missing_column_is_named_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no column 'case' or 'input'; 'inptu' should perhaps be 'input'"):
        read(tmp_path / "a", "inptu,output\na,b\n")
