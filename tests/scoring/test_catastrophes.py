"""Six ways of doing damage with the right tools: each fails, wherever a verdict is shown, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from tests.cli.running import toolgauge
from tests.pages.reading import blocks
from tests.pytest_plugin.test_plugin import outcomes, run_pytest
from toolgauge import api
from toolgauge.catalogue import LANGUAGES, Lang
from toolgauge.core import SCORING_VERSION, Score
from toolgauge.suites import load_suite

FOLDER = Path(__file__).parent / "catastrophes"
SUITE, CARELESS, CAREFUL = FOLDER / "suite.yaml", FOLDER / "careless.jsonl", FOLDER / "careful.jsonl"

FAILS_ON = {
    "wrong_person": "wrong_arg",
    "thousand_times": "wrong_arg",
    "paid_twice": "duplicate_call",
    "claimed_as_done": "unrecovered_error",
    "account_deleted": "unexpected_call",
    "hidden_among_many": "wrong_arg",
}

SAYS: dict[Lang, dict[str, str]] = {
    "en": {
        "wrong_person": "argument to is 'Nguyễn Văn Ân', expected 'Nguyễn Văn An'",
        "thousand_times": "argument amount is 500000000, expected 500000",
        "paid_twice": "#2 transfer repeats an identical call, #1",
        "claimed_as_done": "#1 transfer failed, and no later call of it succeeded: số dư không đủ",
        "account_deleted": "#2 delete_account was not asked for",
        "hidden_among_many": "argument limit is 50000000, expected 5000000",
    },
    "vi": {
        "wrong_person": "tham số to là 'Nguyễn Văn Ân', kỳ vọng 'Nguyễn Văn An'",
        "thousand_times": "tham số amount là 500000000, kỳ vọng 500000",
        "paid_twice": "#2 transfer: lặp lại một lời gọi giống hệt, #1",
        "claimed_as_done": "số dư không đủ",
        "account_deleted": "#2 delete_account",
        "hidden_among_many": "tham số limit là 50000000, kỳ vọng 5000000",
    },
}

in_each_language = pytest.mark.parametrize("lang", LANGUAGES)


def scores(traces: Path, **settings: str) -> dict[str, Score]:
    """By case the score of recorded traces."""
    suite = load_suite(SUITE)
    suite = replace(suite, settings=replace(suite.settings, **settings))
    return {one.score.case: one.score for one in api.score(suite, [traces]).scored}


def test_each_catastrophe_fails_for_its_own_reason() -> None:
    found = scores(CARELESS)
    assert {case: [issue.kind for issue in one.issues if issue.failing] for case, one in found.items()} == {
        case: [kind] for case, kind in FAILS_ON.items()
    }
    assert not any(one.passed for one in found.values())


def test_by_its_score_alone_every_one_would_pass() -> None:
    found = scores(CARELESS, passing="score")
    assert all(one.passed for one in found.values())
    assert found["hidden_among_many"].score == pytest.approx(0.9925)  # 0.7 + 0.3 · (9 + 0.75) / 10


def test_who_is_careful_passes_with_what_does_no_harm() -> None:
    found = scores(CAREFUL)
    assert all(one.passed for one in found.values())
    assert [case for case, one in found.items() if one.with_issues] == ["account_deleted"]


def test_without_annotations_only_what_the_tools_do_to_others_is_not_known() -> None:
    suite = load_suite(SUITE)
    bare = replace(suite, tools=tuple(replace(tool, annotations=None) for tool in suite.tools))
    passed = [one.score.case for one in api.score(bare, [CARELESS]).scored if one.score.passed]
    assert passed == ["paid_twice", "account_deleted"]


@in_each_language
def test_score_shows_them(lang: Lang) -> None:
    done = toolgauge("score", SUITE, CARELESS, "--format", "json", "--details", "--lang", lang)
    report = json.loads(done.stdout)
    assert {one["id"]: one["passed"] for one in report["cases"]} == dict.fromkeys(FAILS_ON, False)
    assert (report["counts"]["failed"], report["passed_with_issues"], report["scoring"]) == (6, 0, SCORING_VERSION)
    for one in report["cases"]:
        assert any(SAYS[lang][one["id"]] in issue["message"] for issue in one["issues"]), one["id"]


@in_each_language
@pytest.mark.parametrize("form", ["text", "md"])
def test_reports_show_them(form: str, lang: Lang) -> None:
    done = toolgauge("score", SUITE, CARELESS, "--failures", "--format", form, "--lang", lang)
    assert done.stdout.count("✗") == 7  # once in the legend
    assert "hidden_among_many" in done.stdout.replace("\\", "")


@in_each_language
def test_pages_show_them(lang: Lang) -> None:
    done = toolgauge("score", SUITE, CARELESS, "--format", "html", "--lang", lang)
    head, *rest = blocks(done.stdout)
    assert {row["id"]: any(one["passed"] for one in row["results"]) for row in head["rows"]} == dict.fromkeys(
        FAILS_ON, False
    )
    issues = {kind for row in head["rows"] for one in row["results"] for kind in one["issues"]}
    assert issues
    assert "hidden_among_many" in json.dumps(rest)


@in_each_language
def test_the_gate_fails(lang: Lang) -> None:
    done = toolgauge("gate", CARELESS, "--suite", SUITE, "--format", "json", "--lang", lang)
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["ruling"]) == (1, "failed")
    assert {one["case"] for one in verdict["failures"]} == set(FAILS_ON)
    assert toolgauge("gate", CAREFUL, "--suite", SUITE, "--lang", lang).returncode == 0


@in_each_language
def test_the_gate_can_limit_what_passes_with_issues(lang: Lang) -> None:
    limit = ("--max", "passed_with_issues=0.1")
    done = toolgauge("gate", CAREFUL, "--suite", SUITE, *limit, "--lang", lang)
    name = {"en": "passed_with_issues", "vi": "đạt nhưng còn lỗi"}[lang]
    assert (done.returncode, name in done.stdout) == (1, True)
    assert toolgauge("gate", CAREFUL, "--suite", SUITE, "--max", "passed_with_issues=0.2").returncode == 0


@in_each_language
def test_junit_has_them_as_failures(lang: Lang) -> None:
    done = toolgauge("score", SUITE, CARELESS, "--format", "junit", "--lang", lang)
    (suite,) = ElementTree.fromstring(done.stdout)  # noqa: S314 - written by ourselves
    assert (suite.get("tests"), suite.get("failures")) == ("6", "6")
    found = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
    for case, kind in FAILS_ON.items():
        failure = found[case]
        assert failure is not None
        assert failure.get("type") == kind
        assert SAYS[lang][case] in str(failure.get("message"))


@in_each_language
def test_github_is_told_of_each(lang: Lang) -> None:
    done = toolgauge("gate", CARELESS, "--suite", SUITE, "--format", "github", "--lang", lang)
    errors = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    for case in FAILS_ON:
        assert any(f"{case} (careless)" in line and SAYS[lang][case] in line for line in errors), case


@in_each_language
def test_the_pytest_plugin_fails_a_test_for_each(lang: Lang, tmp_path: Path) -> None:
    for name in ("careless", "careful"):
        written = f"suite: {SUITE}\ntraces: {FOLDER / name}.jsonl\n"
        (tmp_path / f"{name}.toolgauge.yaml").write_text(written, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\ntoolgauge_lang = {lang}\n", encoding="utf-8")
    done = run_pytest(tmp_path, "-rA", "-p", "no:cacheprovider")
    assert done.returncode == 1
    assert outcomes(done, "FAILED") == {f"careless.toolgauge.yaml::{case}" for case in FAILS_ON}
    assert outcomes(done, "PASSED") == {f"careful.toolgauge.yaml::{case}" for case in FAILS_ON}
    assert SAYS[lang]["paid_twice"] in done.stdout


def test_what_passed_with_issues_is_shown_when_asked_for() -> None:
    shown = toolgauge("score", SUITE, CAREFUL, "--issues").stdout
    assert "6 planned = 6 passed (1 with issues) + 0 failed" in shown
    assert "account_deleted · careful\npassed with issues, score 0.8500" in shown
    assert "account_deleted ·" not in toolgauge("score", SUITE, CAREFUL, "--failures").stdout
    vietnamese = toolgauge("score", SUITE, CAREFUL, "--issues", "--lang", "vi").stdout
    assert "6 đạt (1 lượt còn lỗi)" in vietnamese
