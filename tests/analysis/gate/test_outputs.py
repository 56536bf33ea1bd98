"""What the gate writes: text, Markdown, JSON, JUnit XML and messages for GitHub."""

from __future__ import annotations

import json
import re
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from toolgauge.analysis.gate import gate
from toolgauge.api import score
from toolgauge.catalogue import Lang
from toolgauge.core import Call, Case, Check, Expect, ExpectedCall, JsonValue, Run, Suite, Trajectory, Verdict
from toolgauge.report import VerdictDocument, render

from .junit_schema import faults
from .runs import make_run

NASTY = "a<b>&\"'\x00\x1b[31m\ud800]]>\uffff\u202e\n::error::owned\u2028%0A\x85é"


def text(verdict: Verdict, format: str = "text", lang: Lang = "en") -> str:  # noqa: A002 - the name of the option
    return "".join(render(VerdictDocument(verdict), format, lang=lang))


def parsed(run: Run, verdict: Verdict, lang: Lang = "en") -> Element:
    drawn = "".join(render(VerdictDocument(verdict, run), "junit", lang=lang))
    return fromstring(drawn.encode("utf-8"))  # noqa: S314 - our own


def nasty_run() -> Run:
    named = NASTY.replace("\ud800", "")
    suite = Suite(
        f"suite {named}",
        (
            Case(
                f"case {named}", named, expect=Expect((ExpectedCall(f"tool {named}", {f"arg {named}": named, "b": 1}),))
            ),
            Case("two", expect=Expect((), contains=(named,))),
            Case("three", expect=Expect(())),
        ),
    )
    agent = f"agent {named}"
    arguments: dict[str, JsonValue] = {f"arg {named}": NASTY + "x" * 50_000}
    return score(
        suite,
        [
            Trajectory(suite.cases[0].id, agent, 1, calls=(Call(f"tool {named}", arguments),)),
            Trajectory("two", agent, 1, "error", error=NASTY),
        ],
    )


def test_junit_has_a_test_case_for_each_case_and_trial() -> None:
    run = make_run({"a": ["pp", "pf", "e-"], "b": ["pp", "pp", "pp"]})
    root = parsed(run, gate(run))
    assert faults(root) == []
    first, second = root
    assert {name: first.attrib[name] for name in ("name", "tests", "failures", "errors", "skipped", "time")} == {
        "name": "a",
        "tests": "6",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
        "time": "0.550",
    }
    assert [(case.attrib["name"], [child.tag for child in case]) for case in first.iter("testcase")] == [
        ("c0 #1", []),
        ("c0 #2", []),
        ("c1 #1", []),
        ("c1 #2", ["failure"]),
        ("c2 #1", ["error"]),
        ("c2 #2", ["skipped"]),
    ]
    failure = first.find("testcase/failure")
    assert failure is not None
    assert failure.attrib == {"message": "look was expected but not called", "type": "missing_call"}
    error = first.find("testcase/error")
    assert error is not None
    assert error.attrib["type"] == "error"
    assert "broke down" in error.attrib["message"]
    assert len(list(second.iter("testcase"))) == 6
    properties = {one.attrib["name"]: one.attrib["value"] for one in first.iter("property")}
    assert properties["toolgauge.ruling"] == "failed"
    assert properties["pass_rate ≥ 0.9"].startswith("FAILED (0.5")


def test_junit_names_cases_plainly_where_there_is_one_trial() -> None:
    run = make_run(["p", "f"])
    root = parsed(run, gate(run), "vi")
    assert [case.attrib["name"] for case in root.iter("testcase")] == ["c0", "c1"]
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.text == "không gọi look như kỳ vọng"


def test_junit_has_only_the_agents_that_were_looked_at() -> None:
    run = make_run({"a": ["p"], "b": ["p"]})
    root = parsed(run, gate(run, agents=["b"]))
    assert [suite.attrib["name"] for suite in root] == ["b"]


def test_junit_holds_whatever_agents_and_tools_say() -> None:
    run = nasty_run()
    root = parsed(run, gate(run))
    assert faults(root) == []
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.text is not None
    assert "\\x1b" in failure.text
    assert "\\ud800" in failure.text
    assert len("".join(render(VerdictDocument(gate(run), run), "junit"))) < 20_000


def test_messages_for_github_cannot_be_forged() -> None:
    lines = text(gate(nasty_run()), "github").split("\n")
    stop = re.fullmatch("::stop-commands::([0-9a-f]{32})", lines[0])
    assert stop is not None
    end = lines.index(f"::{stop[1]}::")
    commands = lines[end + 1 : -1]
    assert commands
    for command in commands:
        assert re.fullmatch(r"::(error|warning) title=[^:,]+::.*", command), command
        assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\ud800]", command)
    assert not any(line.startswith("::error::owned") for line in commands)


def test_messages_for_github_name_the_broken_limit_and_the_cases() -> None:
    lines = text(gate(make_run(list("pf"))), "github").splitlines()[-2:]
    assert lines == [
        "::error title=toolgauge gate%3A FAILED::agent: pass_rate ≥ 0.9 (0.5000)",
        "::error title=c1 (agent)::look was expected but not called",
    ]


def test_github_is_told_of_a_pass_too_and_cases_are_warnings_then() -> None:
    lines = text(gate(make_run(list("pf")), min_pass_rate=0.5), "github").splitlines()[-2:]
    assert lines == [
        "::warning title=c1 (agent)::look was expected but not called",
        "::notice title=toolgauge::✓ Gate passed: sample",
    ]


def test_github_gets_no_more_messages_than_it_shows() -> None:
    lines = text(gate(make_run(["f"] * 50)), "github").splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 10


def test_the_text_says_what_failed_and_why() -> None:
    shown = text(gate(make_run(list("ppfe")), must_pass=["c0", "c2"], baseline=make_run(["p"] * 4)))
    for part in (
        "✗ Gate failed: sample",
        "4 planned = 2 passed + 1 failed + 1 error",
        "pass_rate ≥ 0.9",
        "0.5000",
        "1 of 2",
        "agent: must pass and did not: c2.",
        "pass_rate was 1.0000 and is 0.5000, on 4 cases in both runs",
        "passed more often in the baseline: c2, c3.",
        "c2 · agent: failed, score 0.4000: look was expected but not called",
        "c3 · agent: error, score 0.4000: The agent did not finish (error): broke down; look",
    ):
        assert part in shown.replace("\n  ", " "), part


@pytest.mark.parametrize(
    ("value", "limit", "shown"),
    [
        (0.89999, 0.9, "0.89999"),
        (0.9, 0.9, "0.9000"),
        (0.99999, 1.0, "0.9999"),
        (2000.4, 2000.0, "2000.4"),
        (0.8, 0.9, "0.8000"),
    ],
)
def test_a_figure_just_beside_its_limit_does_not_look_like_it(value: float, limit: float, shown: str) -> None:
    check = Check(kind="minimum", agent="agent", ruling="failed", metric="f1", limit=limit, value=value)
    verdict = replace(gate(make_run(["p"])), checks=(check,))
    (line,) = (line for line in text(verdict).splitlines() if "≥" in line)
    assert shown in line.split()


@pytest.mark.parametrize("format", ["text", "md"])
@pytest.mark.parametrize("lang", ["en", "vi"])
def test_documents_hold_whatever_agents_and_tools_say(format: str, lang: Lang) -> None:  # noqa: A002
    shown = text(gate(nasty_run(), minimum={"answer": 0.5}), format, lang)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\ud800\u202e]", shown)
    if format == "md":
        assert "<b>" not in shown


def test_markdown_refers_to_no_issue_and_notifies_nobody() -> None:
    suite = Suite("s", (Case("owner/project#7", expect=Expect(())),))
    run = score(suite, [Trajectory("owner/project#7", "@team/all", 1, calls=(Call("look"),))])
    shown = text(gate(run), "md")
    assert "#\u200b1 look" in shown
    assert "&#" not in shown
    assert "owner/project#\u200b7" in shown
    assert "@\u200bteam/all" in shown
    assert not re.search(r"(?<!&)[#@]\w", shown)


def test_a_call_that_failed_for_good_is_told_once() -> None:
    suite = Suite("s", (Case("a", expect=Expect((ExpectedCall("look"),))),))
    shown = text(gate(score(suite, [Trajectory("a", "x", 1, "error", (Call("look", error="boom"),), error="gone")])))
    assert shown.count("boom") == 1


def test_counts_of_cases_are_given_with_how_many_there_are() -> None:
    run = make_run(["p", "f", "p"])
    verdict = gate(run, min_pass_rate=None, must_pass=["c*"])
    properties = {one.attrib["name"]: one.attrib["value"] for one in parsed(run, verdict).iter("property")}
    assert properties["cases that must pass"] == "FAILED (2 of 3)"
    assert "agent: cases that must pass (2 of 3)%0A" in text(verdict, "github")


@pytest.mark.parametrize("limit", [1234567, 0.1234567, 100000000])
def test_limits_are_written_out(limit: float) -> None:
    assert f"latency ≤ {limit} " in text(gate(make_run(["p"]), maximum={"latency": limit}))


def test_lines_of_text_fit_a_terminal() -> None:
    run = make_run({"an agent with a rather long name": ["pf"] * 40})
    shown = text(gate(run, minimum={"call_precision": 0.123456789}, flaky="forbid"))
    assert max(map(len, shown.splitlines())) <= 80


def test_flaky_cases_are_listed_where_there_are_several_trials() -> None:
    assert "c1 · agent: passed 1 of 2 trials" in text(gate(make_run(["pp", "pf"])))
    assert "No case passed in some trials only." in text(gate(make_run(["pp", "ff"])))
    assert "lúc đạt lúc không" in text(gate(make_run(["pp", "ff"])), lang="vi")
    assert "Flaky" not in text(gate(make_run(["p", "f"])))


def test_cases_that_broke_a_rule_are_named_by_what_they_did() -> None:
    verdict = gate(make_run(["pp", "pf"]), must_pass=["c1"], flaky="forbid")
    shown = text(verdict)
    assert "agent: must pass and did not: c1." in shown
    assert "agent: passed in some trials only: c1." in shown
    assert "agent: bắt buộc phải đạt nhưng không đạt: c1." in text(verdict, lang="vi")


def test_json_has_everything_unrounded() -> None:
    verdict = json.loads(text(gate(make_run(list("ppf")), baseline=make_run(list("ppp"))), "json"))
    assert verdict["schema"] == "toolgauge.verdict/1"
    assert verdict["ruling"] == "failed"
    assert verdict["counts"]["planned"] == 3
    assert verdict["checks"][0]["value"] == 2 / 3
    assert verdict["checks"][1]["kind"] == "no_regression"
    assert verdict["checks"][1]["cases"] == ["c2"]
    assert verdict["failures"][0]["issues"][0]["message"] == "look was expected but not called"
    assert json.loads(text(gate(nasty_run()), "json"))["agents"] != []


def test_vietnamese_reads_as_it_should() -> None:
    shown = text(gate(make_run(list("pf")), baseline=make_run(["p"] * 2)), lang="vi")
    assert "✗ Không đạt yêu cầu: sample" in shown
    assert "chưa thể loại trừ" in " ".join(shown.split())
    assert "KHÔNG ĐẠT" in shown
