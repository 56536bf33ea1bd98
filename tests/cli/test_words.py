"""Messages that help: near names, rules that are code, cases that were not run."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

import toolgauge
from tests.builders import call, case, expected, trajectory
from tests.cli.running import toolgauge as command_line
from tests.runner.weather import write_suite
from toolgauge.catalogue import words_of
from toolgauge.core import STATES, Failure, Suite
from toolgauge.matchers import name_rule
from toolgauge.report.values import word_issue
from toolgauge.report.verdict import reasons


@pytest.mark.parametrize("name", ["vn-finanse", "vnfinance", "vn_finance", "wether"])
@pytest.mark.parametrize("command", ["run", "score", "lint"])
def test_a_benchmark_that_is_misspelt_is_suggested(tmp_path: Path, name: str, command: str) -> None:
    more = ["traces.jsonl"] if command == "score" else []
    (tmp_path / "traces.jsonl").write_text('{"case": "x", "calls": []}\n', encoding="utf-8")
    done = command_line(command, name, *more, cwd=tmp_path)
    meant = "weather" if name == "wether" else "vn-finance"
    assert (done.returncode, done.stderr) == (2, f"Error: {name}: there is no such file; did you mean {meant!r}?\n")


def test_a_command_that_there_is_not_leaves_no_sentence_open(tmp_path: Path) -> None:
    for name, words in (("qqqq", "toolgauge --help lists them"), ("scor", "did you mean 'score'?")):
        done = command_line(name, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, f"Error: there is no command {name!r}; {words}\n")


def is_long(city: str) -> bool:
    return len(city) > 3


def line_of(rule: object) -> int:
    return int(rule.__code__.co_firstlineno)  # type: ignore[attr-defined]  # a function


def test_rules_that_are_code_are_named_by_what_can_be_read() -> None:
    one = lambda city: len(city) > 3  # noqa: E731 - what is tried
    two, three = lambda x: x > 1, lambda x: x < 2
    here = Path(__file__).name
    assert name_rule(is_long) == "is_long()"
    assert name_rule(partial(is_long)) == "partial()"
    assert name_rule(one) == f"lambda city: len(city) > 3 ({here}:{line_of(one)})"
    assert name_rule(two) == f"lambda x: x > 1 ({here}:{line_of(two)})"
    assert name_rule(three) == f"lambda x: x < 2 ({here}:{line_of(two)})"
    nowhere = eval("lambda city: len(city) > 3")  # noqa: S307 - a rule whose code is in no file
    assert name_rule(nowhere) == "a rule in Python at <string>:1"


def test_an_issue_says_what_a_lambda_allows() -> None:
    rule = lambda city: len(city) > 3  # noqa: E731 - what is tried
    made = Suite("s", (case([expected("get_weather", check={"city": rule})]),))  # type: ignore[dict-item]  # code
    run = toolgauge.score(made, [trajectory([call("get_weather", {"city": "Huế"})])])
    (scored,) = run.scored
    (issue,) = [issue for issue in scored.score.issues if issue.kind == "invalid_arg"]
    words = word_issue(issue, "en")
    assert words.startswith(
        "get_weather: argument city is 'Huế', allowed is 'lambda city: len(city) > 3 (test_words.py:"
    )


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("state", STATES)
def test_a_case_that_did_not_pass_always_has_a_reason(lang: str, state: str) -> None:
    failure = Failure("c1", "a", 1, state, None, ())  # type: ignore[arg-type]  # one of the states
    assert reasons(failure, words_of(lang))


def test_the_annotation_of_a_case_that_was_not_run_says_so(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    line = {"case": "c0", "agent": "a", "calls": [{"tool": "get_weather", "args": {"city": "Hanoi"}}], "output": "31"}
    (tmp_path / "traces.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    for lang, words in (("en", "not run: the run ended before its turn"), ("vi", "chưa chạy: ")):
        done = command_line(
            "gate", "traces.jsonl", "--suite", "suite.json", "--format", "github", "--lang", lang, cwd=tmp_path
        )
        (annotation,) = [one for one in done.stdout.splitlines() if "title=c1 " in one]
        assert annotation.rpartition("::")[2].startswith(words)
