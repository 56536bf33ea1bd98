"""`toolgauge answers check`: the rules against people, in every format and language, with faults that have a place."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from toolgauge import api
from toolgauge.core import AnswerCheck, JsonValue
from toolgauge.errors import InputError, NothingToDo
from toolgauge.report import FORMATS, AgreementDocument, render
from toolgauge.stats import wilson

NUMBER: dict[str, JsonValue] = {"type": "number", "value": 42}


def item(output: str, verdict: str, answer: JsonValue = None, **more: JsonValue) -> dict[str, JsonValue]:
    question = "What was the closing price?"
    return {"question": question, "output": output, "answer": answer or NUMBER, "verdict": verdict, **more}


ITEMS = [
    item("It opened at 40. It closed at 42.", "right", id="a", locale="en"),
    item("It opened at 42. It closed at 40.", "wrong", id="b", locale="en"),
    item("It closed at 42.", "wrong", id="c", locale="en", why="not read"),
    item("Answer: 41", "right", locale="en"),
    item("Paris.", "đúng", {"type": "string", "value": "Paris"}, locale="en"),
    item("London.", "Không rõ", {"type": "string", "value": "Paris"}, locale="en"),
]


def written(folder: Path, *items: dict[str, JsonValue], name: str = "judged.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in items), encoding="utf-8")
    return path


def checked(folder: Path, *items: dict[str, JsonValue], baselines: bool = False) -> AnswerCheck:
    return api.check_answers(written(folder, *items), baselines=baselines)


def test_agreement_and_confusion_are_counted_with_an_interval(tmp_path: Path) -> None:
    found = checked(tmp_path, *ITEMS)
    (row,) = found.rows
    assert [(one.id, one.person, one.rules) for one in found.answers] == [
        ("a", "right", "right"),
        ("b", "wrong", "wrong"),
        ("c", "wrong", "right"),
        ("4", "right", "wrong"),
        ("5", "right", "right"),
        ("6", "ambiguous", "wrong"),
    ]
    assert (row.agree.value, row.agree.n) == (0.5, 6)
    assert (row.agree.low, row.agree.high) == wilson(3, 6)
    assert (row.wrong_called_right.value, row.right_called_wrong.value) == (1 / 6, 1 / 6)
    assert row.confusion == {
        "right": {"right": 2, "wrong": 1, "ambiguous": 0},
        "wrong": {"right": 1, "wrong": 1, "ambiguous": 0},
        "ambiguous": {"right": 0, "wrong": 1, "ambiguous": 0},
    }
    assert [one.line for one in found.disagreements] == [3, 4, 6]


def test_naive_readers_are_held_against_the_rules_on_numbers_and_dates(tmp_path: Path) -> None:
    dates = item("Signed on 2024-05-01, in force since 2024-06-01.", "wrong", {"type": "time", "value": "2024-06-02"})
    none = item("I do not know.", "wrong")
    found = checked(tmp_path, *ITEMS, dates, none, baselines=True)
    assert [(row.reader, row.about, row.agree.n) for row in found.rows] == [
        ("rules", "all", 8),
        ("rules", "values", 6),
        ("first", "values", 6),
        ("last", "values", 6),
        ("any", "values", 6),
    ]
    by_id = {one.id: one.naive for one in found.answers}
    assert by_id["a"] == {"first": "wrong", "last": "right", "any": "right"}
    assert by_id["b"] == {"first": "right", "last": "wrong", "any": "right"}
    assert by_id["5"] == by_id["6"] == {}
    assert by_id["7"] == by_id["8"] == {"first": "wrong", "last": "wrong", "any": "wrong"}


def test_a_table_is_read_as_suites_are(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text(
        "câu hỏi,câu trả lời,đáp án,loại đáp án,đơn vị,sai số,ngôn ngữ,ngày hỏi,đánh giá,ghi chú\n"
        'Giá bán ra?,"Mua vào 174 triệu đồng; bán ra 177 triệu đồng.",177,số,triệu đồng,1%,vi,,ĐÚNG,x\n'
        "Khi nào?,Hôm qua,30/01/2026,ngày,,,vi,31/1/2026,dung,\n"
        "Mã nào?,FPT và VNM,FPT; VNM,danh sách,,,vi,,right,\n",
        encoding="utf-8",
    )
    found = api.check_answers(path)
    assert [(one.line, one.id, one.person, one.rules) for one in found.answers] == [
        (2, "2", "right", "right"),
        (3, "3", "right", "right"),
        (4, "4", "right", "right"),
    ]
    assert found.answers[0].want == {"type": "number", "value": "177", "unit": "triệu đồng", "tolerance": "1%"}


def test_json_lines_may_state_the_answer_as_a_table_does(tmp_path: Path) -> None:
    about = {"question": "?", "verdict": "right", "locale": "vi"}
    found = checked(
        tmp_path,
        {**about, "output": "1.500 triệu đồng", "answer": "1,5 tỷ đồng"},
        {**about, "output": "12 °C", "answer": 12, "unit": "°C", "tolerance": 1},
        {**about, "output": "Có.", "answer": True, "input": "Có không?"},
        {**about, "output": "Hôm qua", "answer": "2026-01-30", "answer_type": "ngày", "now": "31/01/2026"},
    )
    assert [one.rules for one in found.answers] == ["right"] * 4


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("lang", ["en", "vi"])
def test_every_format_shows_the_figures_and_what_they_differ_on(tmp_path: Path, form: str, lang: str) -> None:
    path = written(tmp_path, *ITEMS)
    done = toolgauge("answers", "check", path, "--baselines", "--format", form, "--lang", lang)
    assert (done.returncode, done.stderr) == (0, "")
    if form == "json":
        document = json.loads(done.stdout)
        assert (document["schema"], document["items"]) == ("toolgauge.answers/1", 6)
        assert document["rows"][0]["agree"]["value"] == 0.5
        assert [one["line"] for one in document["disagreements"]] == [3, 4, 6]
    elif form == "csv":
        rows = list(csv.DictReader(StringIO(done.stdout)))
        assert [row["agree"] for row in rows] == ["true", "true", "false", "false", "true", "false"]
        assert (rows[0]["chosen"], rows[0]["runner_up"], rows[0]["first"]) == ("42", "40", "wrong")
    else:
        assert ("50,0" in done.stdout or "50{,}0" in done.stdout) if lang == "vi" else "50.0" in done.stdout
        assert "judged.jsonl:3" in done.stdout


def test_a_disagreement_shows_its_evidence(tmp_path: Path) -> None:
    found = checked(tmp_path, item("It opened at 40. It closed at 42.", "wrong", id="x", locale="en"))
    text = " ".join("".join(render(AgreementDocument(found), "text")).split())
    assert "A person says wrong, the rules say right." in text
    assert "It closed at »42«." in text
    assert "Read as the answer: »42« (weight" in text
    assert "Runner-up: »40« (weight" in text
    table = "".join(render(AgreementDocument(found), "md", tables=["agreement"]))
    assert "the rules" in table
    assert "A person says" not in table


def test_where_all_agree_nothing_is_listed(tmp_path: Path) -> None:
    text = "".join(render(AgreementDocument(checked(tmp_path, ITEMS[0])), "text"))
    assert "100.0% (20.7–100.0)" in text
    assert "differ" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"output":"1","answer":{"value":1},"verdict":"rihgt"}', "judged:1:46: 'rihgt' is not a verdict, at verdict"),
        ('{"output":"1","answer":{"value":1}}', "judged:1:1: there is no verdict; write right, wrong or ambiguous"),
        ('{"answer":{"value":1},"verdict":"right"}', "judged:1:1: there is no 'output'"),
        ('{"output":"1","verdict":"right"}', "judged:1:1: there is no 'answer'"),
        ('{"output":"1","answer":{"valeu":1},"verdict":"right"}', "judged:1:33: an answer has no key 'valeu'"),
        ('{"output":"1","answer":"x","answer_type":"y","verdict":"right"}', "judged:1:42: 'y' is not a type of answer"),
        ('{"output":"1","answer":1,"locale":"xx","verdict":"right"}', "judged:1:35: 'xx' is not a locale, at locale"),
        ('{"output":"1","answer":1,"now":"xx","verdict":"right"}', "judged:1:32: "),
        ('{"output":1,"answer":1,"verdict":"right"}', "judged:1:11: expected a string"),
        ('{"output":"1",', "judged:1:15: the JSON ends too early"),
        ("- a\n- b\n", "judged:1:1: not valid JSON"),
        ("question,output,answer,verdict\na,1,1,right\na,1,1,maybe\n", "judged:3, column 'verdict': 'maybe' is not"),
        ("question,output,answer,verdict\na,1,,right\n", "judged:2, column 'answer': the cell is empty"),
        ("question,output,answer,answer_type,verdict\na,1,x,y,right\n", "judged:2, column 'answer_type': 'y' is not"),
        ("question,output,answer\na,1,1\n", "judged:1: there is no column 'verdict'; the columns are: question"),
        ("question,outptu,answer,verdict\na,1,1,right\n", "judged:1: there is no column 'output'; 'outptu' should"),
        ("question,output,verdict\na,1,right\n", "judged:1: there is no column 'answer'"),
    ],
)
def test_bad_input_is_named_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "judged").write_text(text, encoding="utf-8")
    done = toolgauge("answers", "check", "judged", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    with pytest.raises(InputError):
        api.check_answers(tmp_path / "judged")


@pytest.mark.parametrize("text", ["", "\n \n", "question,output,answer,verdict\n"])
def test_nothing_to_check_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "judged").write_text(text, encoding="utf-8")
    done = toolgauge("answers", "check", "judged", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (5, "")
    assert "judged: there is no answer to check" in done.stderr
    with pytest.raises(NothingToDo):
        api.check_answers(tmp_path / "judged")


def test_the_result_does_not_take_the_place_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, *ITEMS)
    assert toolgauge("answers", "check", path, "-o", path).returncode == 2
    assert toolgauge("answers", "check", tmp_path / "nowhere").returncode == 2


def test_our_own_development_set_can_be_checked() -> None:
    path = Path(__file__).parent.parent / "answers" / "development.jsonl"
    found = api.check_answers(path)
    assert len(found.answers) >= 600
    assert found.rows[0].agree.n == len(found.answers)
