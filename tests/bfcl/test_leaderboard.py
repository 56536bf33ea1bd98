"""A report on questions of the leaderboard opens with the official accuracy, and has its averages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import toolgauge
from toolgauge.core import Counts, JsonValue, Row, SuiteFacts, Summary
from toolgauge.metrics import official_standings

from .files import function, question, write_lines

AREA = function("math.area", ["base"], base="integer")
TRUTH: JsonValue = [{"math.area": {"base": [3]}}]
FENCED = "```python\n[math.area(base=3)]\n```"


def rows_of(counts: dict[str, tuple[int, int]]) -> Summary:
    every = {**counts, "": tuple(map(sum, zip(*counts.values(), strict=True)))}
    rows = [
        Row("a", {"category": name} if name else {}, planned, Counts(planned, passed, planned - passed), {})
        for name, (passed, planned) in every.items()
    ]
    return Summary(SuiteFacts("s", 1, ()), "category", Counts(), tuple(rows))


def test_averages_are_those_of_the_leaderboard() -> None:
    counts = {
        "simple_python": (300, 400),
        "multiple": (100, 200),
        "parallel": (50, 200),
        "parallel_multiple": (0, 200),
        "live_simple": (1, 2),
        "live_multiple": (9, 10),
        "live_parallel": (0, 2),
        "live_parallel_multiple": (4, 6),
        "irrelevance": (120, 240),
        "live_irrelevance": (900, 1000),
        "live_relevance": (3, 16),
    }
    (found,) = official_standings(rows_of(counts))
    assert (found.passed, found.questions) == (1487, 2276)
    assert found.averages == pytest.approx(
        {
            "non_live_ast": (0.75 + 0.5 + 0.25 + 0) / 4,
            "live_ast": (1 + 9 + 0 + 4) / 20,
            "irrelevance_all": (0.5 + 0.9) / 2,
            "single_turn": (0.375 + 0.7 + 0.7) / 3,
        }
    )


def test_an_average_is_left_out_where_a_category_is_missing() -> None:
    (found,) = official_standings(rows_of({"simple": (1, 2), "irrelevance": (1, 1), "live_irrelevance": (0, 1)}))
    assert found.averages == {"irrelevance_all": 0.5}
    assert found.categories == {"simple": 0.5, "irrelevance": 1.0, "live_irrelevance": 0.0}


def write_files(folder: Path) -> None:
    lines = [question(f"simple_{index}", [AREA], TRUTH) for index in range(4)]
    write_lines(folder / "questions.jsonl", *lines, question("irrelevance_0", [AREA]))
    results: list[dict[str, JsonValue]] = [
        {"id": "simple_0", "result": "[math.area(base=3)]"},
        {"id": "simple_1", "result": FENCED},
        {"id": "simple_2", "result": "[tools.math.area(base=3)]"},
        {"id": "simple_3", "result": "[math_area(base=3)]"},
        {"id": "irrelevance_0", "result": "print('no')"},
    ]
    write_lines(folder / "results.jsonl", *results)


SCORE = ("score", "questions.jsonl", "m=results.jsonl", "--profile", "bfcl")


def verdicts(folder: Path, *options: str) -> list[bool]:
    done = toolgauge(*SCORE, "--format", "json", "--details", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return [case["passed"] for case in json.loads(done.stdout)["cases"]]


def test_strict_options_give_the_official_verdicts(tmp_path: Path) -> None:
    write_files(tmp_path)
    assert verdicts(tmp_path) == [True, True, True, True, True]
    assert verdicts(tmp_path, "--strict-names") == [True, True, False, False, True]
    assert verdicts(tmp_path, "--strict-decoding") == [True, False, True, True, False]
    assert verdicts(tmp_path, "--strict-names", "--strict-decoding") == [True, False, False, False, False]
    strict = ("--strict-names", "--strict-decoding", "--handler", "phi")
    assert verdicts(tmp_path, *strict) == [True, True, False, False, False]
    assert verdicts(tmp_path, "--strict-names", "--handler", "glm") == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("options", "accuracy", "reading"),
    [
        ((), "100.00%, 5 of 5 questions.", "more leniently than on the leaderboard"),
        (("--strict-names",), "60.00%, 3 of 5 questions.", "outputs more leniently"),
        (("--strict-decoding",), "60.00%, 3 of 5 questions.", "names more leniently"),
        (
            ("--strict-names", "--strict-decoding"),
            "20.00%, 1 of 5 questions.",
            "as the leaderboard's own handlers read",
        ),
    ],
)
def test_the_headline_is_the_official_accuracy(
    tmp_path: Path, options: tuple[str, ...], accuracy: str, reading: str
) -> None:
    write_files(tmp_path)
    printed = toolgauge(*SCORE, *options, cwd=tmp_path).stdout.splitlines()
    assert printed[2] == f"Official accuracy (BFCL) of m: {accuracy}"
    assert reading in " ".join(printed[3:7])


def test_a_vietnamese_report_has_it_too_and_a_kept_run_says_how_it_was_read(tmp_path: Path) -> None:
    write_files(tmp_path)
    done = toolgauge(*SCORE, "--strict-decoding", "--format", "run", "-o", "run.jsonl", cwd=tmp_path)
    assert done.returncode == 0
    header: dict[str, Any] = json.loads((tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["about"]["bfcl"] == ["strict_decoding"]
    printed = toolgauge("report", "run.jsonl", "--lang", "vi", cwd=tmp_path).stdout
    assert "Độ chính xác chính thức (BFCL) của m:" in printed
    assert "--strict-names cho kết quả chính thức" in " ".join(printed.split())
    assert "simple" in printed
    assert "irrelevance" in printed


def test_data_for_programs_have_it(tmp_path: Path) -> None:
    write_files(tmp_path)
    (found,) = json.loads(toolgauge(*SCORE, "--format", "json", cwd=tmp_path).stdout)["leaderboard"]
    assert (found["agent"], found["official_accuracy"], found["right"], found["questions"]) == ("m", 1.0, 5, 5)
    assert found["categories"] == {"simple": 1.0, "irrelevance": 1.0}
    assert found["averages"] == {}


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("score", "questions.jsonl", "results.jsonl"), "score --profile bfcl reads them"),
        (("lint", "questions.jsonl"), "these are questions of the Berkeley Function-Calling Leaderboard (BFCL)"),
        (("score", "questions.jsonl", "results.jsonl", "--strict-names"), "add --profile bfcl"),
        ((*SCORE, "--handler", "xlam"), "add --strict-decoding, --strict-names or both"),
        ((*SCORE, "--strict-names", "--handler", "xlan"), "there is no handler 'xlan'; did you mean 'xlam'?"),
    ],
)
def test_options_and_questions_that_do_not_belong_together_are_told(
    tmp_path: Path, command: tuple[str, ...], complaint: str
) -> None:
    write_files(tmp_path)
    done = toolgauge(*command, cwd=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) <= 5
