"""The published comparison, end to end: two small files with every trap of the layout, figures computed by hand."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from .running import toolgauge

TRUTH = """query,difficulty,tools
Giá FPT hôm nay?,dễ,"['time_now','history_price']"
 Mã của Hòa Phát?,dễ,"[ 'listing_symbol' ]"
"Tin về thép, và giá HPG?",khó,"['retrival_vector_db','search_web', 'history_price']"
Vì sao thị trường giảm?,khó,"['search_web']"
Chào bạn,khó,[]
Trái phiếu ra sao?,khó,"['search_web', 'retrival_vector_db']"
"""

# What each line shows: a tool that failed and then worked; a superfluous tool; commas and newlines inside messages
# with every call failed; an agent error; nothing expected and nothing called; a leading space and a tool missed.
RESULTS = """input,difficulty,output,tools,failed_tools,failed_tools_count
Giá FPT hôm nay?,dễ,Giá là 120.,"time_now, history_price","history_price: Error: ValueError('bad symbol, e.g., FPT1')
 Please fix your mistakes.",1
Mã của Hòa Phát?,dễ,HPG,"listing_symbol, search_web",,0
"Tin về thép, và giá HPG?",khó,Không rõ.,,"history_price: Invalid symbol, try another
one, search_web: timeout, retry: later",2
Vì sao thị trường giảm?,khó,"ERROR: Recursion limit of 25 reached, sorry",,,0
Chào bạn,khó,Chào!,,,0
Trái phiếu ra sao?,khó,Ổn định., search_web,,0
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "truth.csv").write_text(TRUTH, encoding="utf-8")
    # The results come in the other normal form: an accented letter is two characters.
    (tmp_path / "results.csv").write_text(unicodedata.normalize("NFD", RESULTS), encoding="utf-8")
    return tmp_path


def scored(files: Path, *options: str) -> Any:
    done = toolgauge("score", files / "truth.csv", f"Thử={files / 'results.csv'}", "--format", "json", *options)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def figures(row: Any, *names: str) -> list[float | None]:
    return [value if (value := row["metrics"][name]["value"]) is None else round(value, 4) for name in names]


def test_figures_per_difficulty_are_those_computed_by_hand(files: Path) -> None:
    easy, hard, overall = scored(files)["rows"]
    assert [(row["agent"], row["group"], row["n"]) for row in (easy, hard, overall)] == [
        ("Thử", {"difficulty": "dễ"}, 2),
        ("Thử", {"difficulty": "khó"}, 4),
        ("Thử", {}, 6),
    ]
    # Easy: E={time_now, history_price}=A; E={listing_symbol}, A adds search_web. TP=3, FP=1, FN=0.
    assert figures(easy, "accuracy", "precision", "recall", "f1") == [0.5, 0.75, 1.0, 0.8571]
    # Hard: A is empty, empty, empty (as it should be), {search_web}. TP=1, FP=0, FN=3+1+0+1=5.
    assert figures(hard, "accuracy", "precision", "recall", "f1") == [0.25, 1.0, 0.1667, 0.2857]
    assert figures(overall, "accuracy", "precision", "recall", "f1") == [0.3333, 0.8, 0.4444, 0.5714]


def test_the_fail_rate_stands_beside_the_published_one_and_a_note_says_why(files: Path) -> None:
    report = scored(files)
    easy, hard, _ = report["rows"]
    # Easy: one of two questions with calls had a failure, and success too. Hard: of two with calls one failed wholly.
    assert figures(easy, "tool_fail_rate", "tool_fail_rate_published") == [0.5, 0.5]
    assert figures(hard, "tool_fail_rate", "tool_fail_rate_published") == [0.5, 0.0]
    (note,) = report["notes"]
    assert (note["kind"], note["group"], note["failed"], note["with_calls"]) == ("fail_rate_published", "khó", 1, 2)
    assert (note["published_failed"], note["published_with_calls"]) == (0, 1)
    text = toolgauge("score", files / "truth.csv", files / "results.csv", "--full").stdout
    assert "khó: 1 of 2 here, 0 of 1 by the published" in " ".join(text.split())


def test_an_error_output_is_an_agent_error_and_states_sum_to_the_plan(files: Path) -> None:
    report = scored(files, "--details")
    counts = report["counts"]
    assert counts["planned"] == 6 == sum(value for state, value in counts.items() if state != "planned")
    assert counts["error"] == 1
    failed = next(case for case in report["cases"] if case["state"] == "error")
    assert failed["passed"] is False
    assert [issue["kind"] for issue in failed["issues"] if issue["failing"]] == ["missing_call", "agent_error"]


def test_messages_with_commas_and_newlines_are_two_failed_calls(files: Path) -> None:
    hard = next(case for case in scored(files, "--details")["cases"] if case["id"] == "q3")
    errors = [(i["tool"], i["got"]) for i in hard["issues"] if i["kind"] == "tool_error"]
    assert errors == [("history_price", "Invalid symbol, try another\none"), ("search_web", "timeout, retry: later")]


def test_the_vietnamese_report_has_the_sections_and_the_same_figures(files: Path) -> None:
    done = toolgauge("score", files / "truth.csv", f"Thử={files / 'results.csv'}", "--lang", "vi", "--full")
    assert done.returncode == 0
    for part in ("Cách tính các chỉ số", "Thông tin ground truth", "Số câu hỏi: 6", "Thử", "dễ", "khó"):
        assert part in done.stdout
    for figure in ("0,8571", "0,1667", "0,2857", "0,5000 (50,00%)", "1/2 câu"):
        assert figure in done.stdout
    assert toolgauge("score", files / "truth.csv", files / "results.csv", LC_ALL="vi_VN.UTF-8").stdout.startswith(
        "truth: 6 câu hỏi"
    )
