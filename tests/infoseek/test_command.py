"""The command: what it reads and prints, what it says of bad inputs, and that nothing is half written."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from toolgauge.cli import main
from toolgauge.infoseek import evaluate, score

REFERENCES: list[dict[str, Any]] = [
    {"data_id": "q1", "data_split": "val_unseen_question", "question_type": "Time", "answer_eval": ["1998"]},
    {
        "data_id": "q2",
        "data_split": "val_unseen_question",
        "question_type": "Numerical",
        "answer_eval": [{"range": [9, 11]}],
    },
    {
        "data_id": "q3",
        "data_split": "val_unseen_entity",
        "question_type": "String",
        "answer_eval": ["Hồ Tây", "West Lake"],
    },
    {"id": "q4", "data_split": "val_unseen_entity", "question_type": "numerical", "output": {"answer": "1234"}},
]
PREDICTIONS: list[dict[str, Any]] = [
    {"data_id": "q1", "prediction": "1998."},
    {"data_id": "q2", "prediction": "12"},
    {"id": "q3", "prediction": "the west lake"},
    {"data_id": "q4", "prediction": "1, 234"},
]
RESULT = {
    "final_score": 50.0,
    "unseen_question_score": {"score": 50.0, "score_time": 100.0, "score_num": 0.0, "score_string": 0.0},
    "unseen_entity_score": {"score": 50.0, "score_time": 0.0, "score_num": 0.0, "score_string": 100.0},
}


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


class Run:
    """Runs the command on two files in a folder of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self._monkeypatch, self._capture = folder, monkeypatch, capture
        self.write(predictions=lines(PREDICTIONS), references=lines(REFERENCES))

    def write(self, **texts: str | bytes) -> None:
        for name, text in texts.items():
            (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def __call__(self, *options: str, predictions: str = "predictions") -> tuple[int, str, str]:
        self._monkeypatch.chdir(self.folder)
        self._monkeypatch.setenv("LC_ALL", "C.UTF-8")
        self._monkeypatch.setattr("sys.argv", ["toolgauge", "infoseek", predictions, "references", *options])
        with pytest.raises(SystemExit) as left:
            main()
        printed, told = self._capture.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, printed, told


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    return Run(tmp_path, monkeypatch, capfd)


def test_json_holds_the_scores_and_nothing_else(run: Run) -> None:
    code, printed, told = run("--format", "json")
    assert (code, json.loads(printed), told) == (0, RESULT, "")


def test_spaces_in_numbers_are_taken_out_when_asked_for(run: Run) -> None:
    assert json.loads(run("--format", "json", "--fix-space")[1])["final_score"] == 66.67


def test_text_is_a_table_that_fits_on_a_screen(run: Run) -> None:
    code, printed, _ = run()
    assert code == 0
    assert printed == (
        "InfoSeek: right answers in percent\n"
        "\n"
        "Split                 All      95% CI      Time    Number    String     Items\n"
        "Unseen question     50.00  9.45–90.55    100.00      0.00         –         2\n"
        "Unseen entity       50.00  9.45–90.55         –      0.00    100.00         2\n"
        "\n"
        "Final score (harmonic mean of the splits): 50.00, 95% CI 1.78–70.40\n"
    )
    vietnamese = run("--lang", "vi")[1]
    assert "Thực thể mới" in vietnamese
    assert max(map(len, vietnamese.splitlines())) <= 80


def test_csv_has_a_line_for_each_split_and_one_for_the_whole(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("--format", "csv")[1])))
    assert [row["split"] for row in rows] == ["unseen_question", "unseen_entity", "final"]
    assert (rows[0]["score_time"], rows[0]["items_time"], rows[2]["score"], rows[2]["items"]) == (
        "100.0",
        "1",
        "50.0",
        "4",
    )


def test_latex_is_a_table_for_a_paper(run: Run) -> None:
    printed = run("--format", "latex", "--table", "scores")[1]
    assert r"\caption{InfoSeek: right answers in percent}" in printed
    assert r"Unseen entity & 50.00 & 9.45--90.55 & -- & 0.00 & 100.00 & 2 \\" in printed
    assert printed.endswith("\\end{tabular}\n\\end{table}\n")


def test_the_result_goes_to_a_file_as_a_whole(run: Run) -> None:
    assert run("--format", "json", "-o", "out.json") == (0, "", "")
    assert json.loads((run.folder / "out.json").read_text()) == RESULT


def test_predictions_may_be_a_list_in_the_order_of_the_references(run: Run) -> None:
    run.write(predictions=json.dumps([prediction["prediction"] for prediction in PREDICTIONS]))
    assert json.loads(run("--format", "json")[1]) == RESULT
    run.write(predictions=json.dumps(["1998"]))
    code, _, told = run()
    assert code == 0
    assert "Note: 1 predictions for 4 references: paired in order, the rest left out" in told


def test_files_may_be_lists_with_a_byte_order_mark_with_other_line_ends_and_blank_lines(run: Run) -> None:
    run.write(predictions=json.dumps(PREDICTIONS, indent=1), references=json.dumps(REFERENCES, indent=1))
    assert json.loads(run("--format", "json")[1]) == RESULT
    run.write(predictions=lines(PREDICTIONS).replace("\n", "\r\n\r\n"), references="\ufeff" + lines(REFERENCES))
    assert json.loads(run("--format", "json")[1]) == RESULT
    run.write(predictions=lines(PREDICTIONS).replace("\n", "\r"))
    assert json.loads(run("--format", "json")[1]) == RESULT


def test_lone_surrogates_are_text_as_they_are_to_the_published_evaluator(run: Run) -> None:
    run.write(predictions=json.dumps({"data_id": "q2", "prediction": "10\ud800"}))
    assert json.loads(run("--format", "json")[1])["unseen_question_score"]["score_num"] == 100.0


@pytest.mark.parametrize("odd", [{"\ud800": 1}, {"cot": [{"\udc00x": {}}]}, {"a\ud800": {"b": [{"\udfff": None}]}}])
def test_keys_with_half_a_character_are_passed_over(run: Run, odd: dict[str, object]) -> None:
    run.write(predictions=json.dumps({"data_id": "q2", "prediction": "10", **odd}))
    assert json.loads(run("--format", "json")[1])["unseen_question_score"]["score_num"] == 100.0


def test_items_that_cannot_be_scored_are_named_and_strict_stops_there(run: Run) -> None:
    run.write(
        predictions=lines(
            [PREDICTIONS[0], {"data_id": "q2", "prediction": None}, {"data_id": "q4", "prediction": "-.1.2"}]
        )
    )
    code, printed, told = run("--format", "json")
    assert code == 0
    assert json.loads(printed)["unseen_question_score"]["score"] == 50.0
    assert "Note: q2: counted as wrong: the prediction is null, not a string\n" in told
    assert "Note: q4: counted as wrong: '-.1.2' in the prediction cannot be read as a number\n" in told
    code, printed, told = run("--strict", "-o", "out.txt")
    assert (code, printed) == (2, "")
    assert told == "Error: predictions:2: 'q2': the prediction is null, not a string\n"
    assert not (run.folder / "out.txt").exists()


def test_an_empty_reference_list_counts_as_wrong(run: Run) -> None:
    run.write(references=lines([{**REFERENCES[0], "answer_eval": []}, *REFERENCES[1:]]))
    code, _, told = run()
    assert code == 0
    assert "Note: q1: counted as wrong: the reference list is empty" in told


def test_only_some_of_many_faults_are_named(run: Run) -> None:
    run.write(
        predictions=lines([{"data_id": f"q{number}", "prediction": 5} for number in range(300)]),
        references=lines([{**REFERENCES[0], "data_id": f"q{number}"} for number in range(300)]),
    )
    _, _, told = run()
    assert told.count("counted as wrong: the prediction") == 10
    assert "Note: 290 more items are counted as wrong" in told


def test_what_is_left_out_is_said(run: Run) -> None:
    run.write(predictions=lines([PREDICTIONS[0], {"data_id": "other", "prediction": "x"}]))
    code, _, told = run()
    assert code == 0
    assert "Note: references without a prediction, left out: 3\n" in told
    assert "Note: predictions without a reference, left out: 1\n" in told
    assert "Note: no prediction for the split unseen_entity: it counts as 0 in the harmonic mean\n" in told


@pytest.mark.parametrize(
    ("predictions", "references", "told"),
    [
        ('{"data_id": "q1", "prediction": "x"}\n{"data_id": \n', None, "predictions:2:13: the JSON ends too early"),
        ('{"data_id": "q1"}\n', None, "predictions:1:1: the key 'prediction' is missing"),
        ('{"prediction": "x"}\n', None, "predictions:1:1: the key 'data_id' (or 'id') is missing"),
        ('{"data_id": ["q1"], "prediction": "x"}\n', None, "predictions:1:13: expected "),
        ('"Paris"\n', None, "predictions:1:1: expected an object, found the string 'Paris'"),
        (
            lines([PREDICTIONS[0], PREDICTIONS[1], PREDICTIONS[0]]),
            None,
            "predictions:3: duplicate id 'q1'",
        ),
        (json.dumps([PREDICTIONS[0], PREDICTIONS[0]]), None, "item 2 of the list: duplicate id 'q1'"),
        (
            '[{"data_id": "q1", "prediction": "x"},\n {"data_id": "q2"}]',
            None,
            "predictions:2:2: the key 'prediction' is missing",
        ),
        ("[1, 2", None, "predictions:1:6: "),
        (b'{"data_id": "q1", "prediction": "\xff"}\n', None, "predictions:1: byte 0xff at byte offset 33 is not UTF-8"),
        (
            None,
            lines([REFERENCES[0], REFERENCES[0]]),
            "references:2: duplicate id 'q1'; it was first on line 1",
        ),
        (None, lines([{**REFERENCES[0], "answer_eval": None}]), "references:1:1: the reference has no answer"),
        (None, lines([{**REFERENCES[3], "output": {}}]), "references:1:1: the reference has no answer"),
        (
            None,
            lines([{**REFERENCES[0], "question_type": 5}]),
            "references:1:73: expected a string, found the number 5",
        ),
        (None, lines([{"data_id": "q1", "answer_eval": ["x"]}]), "references:1:1: the key 'question_type' is missing"),
        (
            None,
            json.dumps([REFERENCES[0], REFERENCES[0]], indent=1),
            "references:10: duplicate id 'q1'",
        ),
        (None, '{"data_id": "q1"', "references:1:17: the JSON ends too early"),
    ],
)
def test_bad_inputs_are_named_by_file_line_and_reason(
    run: Run, predictions: str | bytes | None, references: str | None, told: str
) -> None:
    if predictions is not None:
        run.write(predictions=predictions)
    if references is not None:
        run.write(references=references)
    code, printed, complaint = run("-o", "out.txt")
    assert (code, printed) == (2, "")
    assert told in complaint
    assert complaint.startswith("Error: ")
    assert "Traceback" not in complaint
    assert not (run.folder / "out.txt").exists()


def test_a_file_that_is_not_there_is_named(run: Run) -> None:
    assert run(predictions="nowhere.jsonl")[::2] == (2, "Error: nowhere.jsonl: there is no such file; check the path\n")


def test_nothing_to_score_has_an_exit_code_of_its_own(run: Run) -> None:
    run.write(predictions="\n")
    assert run()[::2] == (5, "Error: predictions: there is no prediction to score\n")
    run.write(predictions=lines([{"data_id": "other", "prediction": "x"}]))
    assert run()[::2] == (
        5,
        "Error: predictions: there is no prediction to score; 1 has an id that no reference has\n",
    )
    run.write(predictions=lines([{"data_id": other, "prediction": "x"} for other in "xy"]))
    assert "; 2 have an id that no reference has\n" in run()[2]


@pytest.mark.parametrize("empty", ["", "\n", "[]"])
def test_references_that_are_empty_are_named(run: Run, empty: str) -> None:
    run.write(references=empty)
    assert run()[::2] == (5, "Error: references: there is no reference to score against\n")


def test_a_file_that_cannot_be_written_has_an_exit_code_of_its_own(run: Run) -> None:
    assert run("-o", "nowhere/out.txt")[0] == 3


def test_predictions_may_come_from_a_pipe(run: Run) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolgauge", "infoseek", "-", "references", "--format", "json"],
        cwd=run.folder,
        input=lines(PREDICTIONS).encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == RESULT


def test_a_terminal_sees_a_bar_when_it_takes_long(run: Run) -> None:
    program = (
        "import sys; sys.argv = ['toolgauge', 'infoseek', 'predictions', 'references', '-o', 'out.txt']\n"
        "import toolgauge.cli.infoseek as command; command.PATIENCE = -1\n"
        "from toolgauge.cli import main; main()"
    )
    leader, follower = pty.openpty()
    subprocess.run([sys.executable, "-c", program], cwd=run.folder, stderr=follower, check=True)
    os.close(follower)
    shown = b""
    while piece := _read(leader):
        shown += piece
    assert "━" in shown.decode()
    assert shown.endswith(b"\r\x1b[K")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # A terminal whose other end is closed says so this way.
        return b""


def test_many_lines_are_read_in_blocks_and_faults_found_behind_the_first(run: Run) -> None:
    count = 12_000
    references = [{**REFERENCES[number % 4 - 4], "data_id": f"q{number}"} for number in range(count)]
    predictions = [{"data_id": f"q{number}", "prediction": "1998 " + "x" * 40} for number in range(count)]
    run.write(predictions=lines(predictions), references=lines(references))
    assert score(run.folder / "predictions", run.folder / "references").count == count
    predictions[count - 2]["data_id"] = "q7"
    run.write(predictions=lines(predictions))
    assert run()[2] == f"Error: predictions:{count - 1}: duplicate id 'q7'; it was first on line 8\n"
    run.write(predictions=lines(predictions[: count - 2]) + "{\n")
    assert f"predictions:{count - 1}:2: " in run()[2]


def test_a_line_has_the_same_limit_as_in_other_files(run: Run) -> None:
    long = {"data_id": "q2", "prediction": "x" * 33 * 1024 * 1024}
    run.write(predictions=lines([{"data_id": "q1", "prediction": "1998"}, long]))
    assert run()[2].startswith("Error: predictions:2: this line is longer than 32 MiB; ")


@pytest.mark.deep
def test_a_dataset_from_disk_or_at_hand_is_read(run: Run) -> None:
    datasets = import_module("datasets")
    rows = [
        {
            "id": "q1",
            "output": {"answer": ["1998"]},
            "data_split": "unseen_question",
            "question_type": "Time",
            "more": 1,
        },
        {
            "id": "q2",
            "output": {"answer": ["9", "11"]},
            "data_split": "unseen_entity",
            "question_type": "Numerical",
            "more": 2,
        },
    ]
    dataset = datasets.Dataset.from_list(rows)
    assert evaluate(["1998", "10"], dataset)["final_score"] == 100.0
    (run.folder / "references").unlink()
    dataset.save_to_disk(str(run.folder / "references"))
    run.write(predictions=json.dumps(["1998", "10"]))
    assert json.loads(run("--format", "json")[1])["final_score"] == 100.0
    datasets.DatasetDict(test=dataset).save_to_disk(str(run.folder / "several"))
    (run.folder / "references").rename(run.folder / "one")
    (run.folder / "several").rename(run.folder / "references")
    code, _, told = run()
    assert code == 2
    assert "this contains several datasets: test; name the folder of one of them" in told


def test_a_folder_without_a_dataset_or_without_the_extra_is_refused(run: Run) -> None:
    (run.folder / "references").unlink()
    (run.folder / "references").mkdir()
    code, _, told = run()
    assert code == 2
    assert told.startswith("Error: references: ")
    assert "dataset" in told


def test_importing_the_door_stays_light() -> None:
    heavy = ["csv", "datasets", "numpy", "pandas", "rich", "yaml"]
    program = f"import sys, toolgauge.infoseek; print(sorted(set(sys.modules) & set({heavy})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
