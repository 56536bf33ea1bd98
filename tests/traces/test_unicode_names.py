"""Names in one normal form, errors without text, and amounts within bounds."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from toolgauge.core import UNSAID, Call, Case, Suite, Trajectory, Usage
from toolgauge.errors import InputError, UsageError
from toolgauge.traces import ImportReport, Join, ReadOptions, checked, read_traces

NAME = "thời_tiết"
APART = unicodedata.normalize("NFD", NAME)


def read(path: Path, text: str) -> list[Trajectory]:
    path.write_text(text, encoding="utf-8")
    return list(read_traces(path))


RECORD = {
    "case": APART,
    "agent": APART,
    "calls": [{"tool": APART, "args": {APART: APART, "n": 1}, "result": APART}, {"tool": "plain", "args": None}],
    "output": APART,
}


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("layout", ["jsonl", "json", "yaml"])
def test_names_are_normalised_and_values_are_not(tmp_path: Path, layout: str, escaped: bool) -> None:
    line = json.dumps(RECORD, ensure_ascii=escaped)
    text = {"jsonl": f"{line}\n{line}\n", "json": f"[{line}]", "yaml": f"- {line}\n"}[layout]
    found = read(tmp_path / "t", text)[0]
    assert (found.case, found.agent, found.output) == (NAME, NAME, APART)
    assert found.calls == (Call(NAME, {NAME: APART, "n": 1}, result=APART), Call("plain", None))


def test_names_in_csv_are_normalised_too(tmp_path: Path) -> None:
    calls = json.dumps(RECORD["calls"]).replace('"', '""')
    (found,) = read(tmp_path / "t", f'case,agent,calls\n{APART},{APART},"{calls}"\n')
    assert (found.case, found.agent, found.calls[0].tool) == (NAME, NAME, NAME)
    (plain,) = read(tmp_path / "t", f"case,tools\n{APART},{APART}\n")
    assert plain.calls == (Call(NAME, None),)


def test_trajectories_made_in_python_are_normalised_too() -> None:
    made = Trajectory(APART, "m", calls=(Call(APART, {APART: 1}, error=""),))
    assert checked(made) == Trajectory(NAME, "m", calls=(Call(NAME, {NAME: 1}),))
    same = Trajectory(NAME, NAME, calls=(Call(NAME),))
    assert checked(same) is same


@pytest.mark.parametrize("space", ["", " "])
def test_an_error_without_text_is_none(tmp_path: Path, space: str) -> None:
    line = f'{{"case":"a","error":{space}"","calls":[{{"tool":"t","error":{space}""}},{{"tool":"u","error":"x"}}]}}\n'
    (found,) = read(tmp_path / "t", line)
    assert (found.state, found.error) == ("completed", None)
    assert [call.error for call in found.calls] == [None, "x"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"case":"a","output":"","latency_ms":1e16}', "expected 1e+15 or less, found 1e+16, at latency_ms"),
        ('{"case":"a","output":"","usage":{"input_tokens":1' + "0" * 30 + "}}", "at usage.input_tokens"),
        ('{"case":"a","output":"","usage":{"cost_usd":1' + "0" * 400 + "}}", "at usage.cost_usd"),
        ('{"case":"a","output":"","latency_ms":1e999}', "1e999 is not a number in JSON"),
        ('{"case":"a","calls":[{"tool":"t","duration_ms":1e300}]}', "at calls[0].duration_ms"),
        ('{"case":"a","output":"","latency_ms":-1}', "expected 0 or more, found -1, at latency_ms"),
        ("case,output,latency_ms\na,x,1e300\n", "column 'latency_ms': expected 1e+15 or less, found '1e300'"),
        ("case,output,trial\na,x,1e300\n", "column 'trial': expected 1e+15 or less, found '1e300'"),
    ],
)
def test_absurd_amounts_are_refused_with_line_and_field(tmp_path: Path, text: str, message: str) -> None:
    for given in (text, f"{text}\n{text}\n") if text.startswith("{") else (text,):
        with pytest.raises(InputError) as caught:
            read(tmp_path / "t", given)
        assert message in str(caught.value)
        assert f"{tmp_path / 't'}:{2 if text.startswith('case') else 1}" in str(caught.value)


@pytest.mark.parametrize("usage", [Usage(cost_usd=1e300), Usage(input_tokens=-1), Usage(cost_usd=float("nan"))])
def test_absurd_amounts_from_python_are_refused(usage: Usage) -> None:
    with pytest.raises(UsageError, match=r"trajectory of case 'a', usage\.\w+: expected a number from 0 to 1e\+15"):
        checked(Trajectory("a", usage=usage))


def test_trials_that_are_counted_from_zero_stay_as_they_are() -> None:
    report = ImportReport()
    given = [Trajectory("a", "m", trial) for trial in (0, 1, 2, 0, UNSAID)]
    found = list(Join(Suite("s", (Case("a"),)), report)(given, agent=None, fallback=""))
    assert [trajectory.trial for trajectory in found] == [0, 1, 2, 3, 4]
    assert report.renumbered == 1


def test_columns_that_are_nearly_known_are_named(tmp_path: Path) -> None:
    report = ImportReport()
    path = tmp_path / "t"
    path.write_text("case,output,faild_tools,tool,colour\na,x,,b,red\n", encoding="utf-8")
    list(read_traces(path, ReadOptions(report=report)))
    assert report.lines() == [
        f"{path}: the column 'faild_tools' is not used; did you mean 'failed_tools'?",
        f"{path}: the column 'tool' is not used; did you mean 'tools'?",
        f"{path}: the column 'colour' is not used",
    ]


def test_nan_in_a_cell_of_tools_is_nothing(tmp_path: Path) -> None:
    (found,) = read(tmp_path / "t", "case,tools,failed_tools,output\na,nan,NaN,x\n")
    assert found.calls == ()
