"""Dates beyond our own patterns: only where the case allows them, the same everywhere, and never by guessing."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.answers import freetext, prepare
from toolgauge.core import Answer, JsonValue
from toolgauge.errors import UsageError
from toolgauge.locale import Locale

NOW = "2026-01-31"
ROOT = Path(__file__).parents[2]

READ: list[tuple[Locale, str, JsonValue, str]] = [
    ("en", "The ship sank on 05MAR1998.", "1998-03-05", "1998-03-05"),
    ("en", "It was signed 5-Mar-24, in Hanoi.", "2024-03-05", "2024-03-05"),
    ("en", "Logged at 23:30 EST 05MAR2024", "2024-03-05", "2024-03-05"),
    ("en", "Released MARCH/05/2024", "2024-03", "2024-03-05"),
    ("en", "Not 05MAR1998 but 06MAR1998.", "1998-03-06", "1998-03-06"),
    ("en", "Eleven days ago", "2026-01-20", "2026-01-20"),
    ("en", "Two decades ago", 2006, "2006"),
    ("en", "Two decades from now", 2046, "2046"),
    ("en", "Eleven weeks ago", "2025-11", "2025-11-15"),
    ("en", "Hạn là 15 thg 3, 2024", "2024-03-15", "2024-03-15"),
    ("vi", "Hợp đồng ký vào 15 thg 3, 2024.", "2024-03-15", "2024-03-15"),
    ("vi", "Đó là ngày 15 thg 3 năm 2024 ạ.", "2024-03-15", "2024-03-15"),
    ("vi", "Năm 2024, tháng 3, ngày 5", "2024-03-05", "2024-03-05"),
    ("vi", "Tháng mười hai 1991, ngày 25", "1991-12-25", "1991-12-25"),
    ("vi", "Khoảng thg 3 1998", "1998-03", "1998-03"),
    ("vi", "Khoảng 40 giờ trước", "2026-01-29", "2026-01-29"),
    ("vi", "It was 05MAR1998", "1998-03-05", "1998-03-05"),
]
NOT_READ: list[tuple[Locale, str, JsonValue]] = [
    ("en", "It took 12 days.", "2026-01-19"),
    ("en", "The numbers are 1 2 3.", "2003-01-02"),
    ("en", "We sold 12 of them at 10:30.", "2026-01-31"),
    ("en", "The id is 1709600000.", "2024-03-05"),
    ("en", "It may be 42 of them.", 2042),
    ("en", "It is in 3, 2024 edition.", "2024-03"),
    ("en", "Some time after 05MAR1998.", "1998-03-05"),
    ("en", "It was not 05MAR1998.", "1998-03-05"),
    ("vi", "Trước 15 thg 3, 2024", "2024-03-15"),
    ("vi", "Từ 5 thg 3 2024 đến 9 thg 3 2024", "2024-03-09"),
    ("vi", "Thứ Hai, 4 thg 3", "2026-03-04"),
    ("vi", "Mã số th 3 5, 2024", "2024-05-03"),
]


def score(output: str, locale: Locale | None, *, now: str | None = NOW, **spec: JsonValue) -> Answer:
    return prepare({"type": "time", "free_text": True, **spec}, locale=locale, now=now)(output)


@pytest.mark.parametrize(("locale", "output", "value", "found"), READ)
def test_dates_beyond_our_patterns_are_read_where_the_case_allows_it(
    locale: Locale, output: str, value: JsonValue, found: str
) -> None:
    answer = score(output, locale, value=value)
    assert (answer.verdict, answer.found) == ("right", found)
    assert score(output, locale, value=value, free_text=False).verdict == "wrong"


@pytest.mark.parametrize(("locale", "output", "value"), NOT_READ)
def test_what_dateparser_only_guesses_is_no_date(locale: Locale, output: str, value: JsonValue) -> None:
    assert score(output, locale, value=value).verdict == "wrong"


def test_ranges_and_markers_mean_what_they_mean_in_our_own_patterns() -> None:
    assert score("from 05MAR1998 to 09MAR1998", "en", range=["1998-03-05", "1998-03-09"]).found == (
        "1998-03-05/1998-03-09"
    )
    assert score("Seen 07MAR1998.\nAnswer: 05MAR1998\n06MAR1998", "en", value="1998-03-05").verdict == "right"


def test_a_relative_date_is_ambiguous_where_today_is_not_known() -> None:
    assert score("Eleven days ago", "en", now=None, value="2026-01-20").verdict == "ambiguous"


def test_a_date_that_our_own_patterns_read_is_left_to_them() -> None:
    for output in ("3/4/2025", "30/4/1975", "Dec 25", "hôm qua", "quý II/2024", "05MAR1998, no: 6 March 1998"):
        for locale in ("vi", "en", None):
            for value in ("1998-03-05", "2025-04-03", "2026-01-30"):
                ours = score(output, locale, value=value, free_text=False)
                assert score(output, locale, value=value) == ours


def test_an_unknown_locale_gets_the_same_date_either_way() -> None:
    assert score("05MAR1998", None, value="1998-03-05").verdict == "right"
    assert score("15 thg 3, 2024", None, value="2024-03-15").verdict == "right"


def test_only_the_end_that_counts_of_a_long_answer_is_looked_at() -> None:
    words = "and so on " * 2_000
    assert score(f"{words} 05MAR1998", "en", value="1998-03-05").verdict == "right"
    assert score(f"Answer: 05MAR1998 {words}", "en", value="1998-03-05").verdict == "right"
    assert score(f"05MAR1998 {words}", "en", value="1998-03-05").verdict == "wrong"
    assert score("x" * 20_000 + "05MAR1998", "en", value="1998-03-05").verdict == "wrong"


WORDS = [
    "5",
    "31",
    "2024",
    "'24",
    "mar",
    "thg 3",
    "ngày",
    "năm",
    "trước",
    "ago",
    "eleven",
    "days",
    "giờ",
    "10:30",
    "EST",
]


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=7).map(" ".join),
    st.sampled_from([NOW, "0001-01-01", "9999-12-31", None]),
)
def test_any_text_gets_a_verdict(output: str, now: str | None) -> None:
    assert score(output, "vi", now=now, value=2024).verdict in ("right", "wrong", "ambiguous")


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.answers.test_freetext import READ, score
for locale, output, value, _ in READ:
    print(score(output, locale, value=value))
"""


def test_the_time_zone_and_language_of_the_machine_make_no_difference() -> None:
    printed = []
    for zone, language in (("Asia/Ho_Chi_Minh", "C.UTF-8"), ("America/Los_Angeles", "C")):
        environment = os.environ | {"TZ": zone, "LC_ALL": language, "PYTHONUTF8": "1"}
        command = [sys.executable, "-W", "error", "-c", PROGRAM, str(ROOT)]
        done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
        printed.append(done.stdout)
    assert printed[0] == printed[1]
    assert printed[0].count("right") == len(READ)


WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "dateparser":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from toolgauge.cli import main
sys.argv[1:] = ["score", "suite.yaml", "traces.jsonl", "--format", "json"]
main()
"""
SUITE = """
name: dates
cases:
  - {id: a, input: When?, locale: en, expect: {answer: {type: time, value: 1998-03-05, free_text: FREE}}}
"""


@pytest.mark.parametrize("free", [True, False])
def test_without_the_extra_it_is_asked_for_and_only_by_cases_that_need_it(tmp_path: Path, free: bool) -> None:
    (tmp_path / "suite.yaml").write_text(SUITE.replace("FREE", str(free).lower()), encoding="utf-8")
    (tmp_path / "traces.jsonl").write_text('{"case": "a", "output": "5 March 1998"}\n', encoding="utf-8")
    command = [sys.executable, "-c", WITHOUT]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == (2 if free else 0), done.stderr
    assert bool(done.stdout) != free
    assert ("pip install 'toolgauge[dates]'" in done.stderr) == free


def test_another_version_is_refused_since_it_may_read_other_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freetext, "DATEPARSER", "0.1")
    with pytest.raises(UsageError, match=r"dateparser 0\.1, not .*toolgauge\[dates\]"):
        score("05MAR1998", "en", value=1998)


def test_the_extra_brings_the_version_that_is_asked_for() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extras["dates"] == [f"dateparser=={freetext.DATEPARSER}"]


def test_scoring_other_answers_does_not_import_dateparser() -> None:
    program = "import sys; from toolgauge.answers import prepare; prepare({'type': 'time', 'value': 1975})('1975')"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; print('dateparser' in sys.modules)"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == "False"
