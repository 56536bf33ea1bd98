"""Reports of hostile, empty and large runs in every format."""

from __future__ import annotations

import csv
import json
import re
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import StringIO

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tests.pages.reading import readable
from tests.report.runs import comparison, weather
from toolgauge.catalogue import LANGUAGES, Lang
from toolgauge.core import (
    Call,
    Case,
    Confusion,
    Counts,
    Estimate,
    Expect,
    ExpectedCall,
    Issue,
    Note,
    Row,
    Run,
    RunHeader,
    Score,
    Scored,
    Suite,
    SuiteFacts,
    Summary,
    ToolRow,
    Trajectory,
)
from toolgauge.errors import UsageError
from toolgauge.report import FORMATS, CaseDocument, RunDocument, render, show
from toolgauge.report.csv import harmless
from toolgauge.report.display import width_of

HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07",
    "[bold red]x[/bold red]",
    "=cmd()|'/c calc'!A0",
    "\u200b=1+1",
    "</td><script>alert(1)</script>",
    "\\input{/etc/passwd} $x$ & % # _ ^ ~ {",
    "\u202egnp.exe\u2066",
    "half \ud800 character",
    "two\nlines\rand\r\nmore\u2028",
    "nul\x00 csi\x9b0m",
    "| pipe ` *b* _i_ [a](b) <b>",
    "[bracket] * star",
    "very long " * 500,
    "x" * 5000,
    "河内" * 100,
    "o\u0302\u0323" * 300,
    "",
)


def drawn(report: RunDocument, form: str, lang: Lang = "en") -> str:
    return "".join(render(report, form, lang=lang))


def drawn_case(run: Run, case: str, lang: Lang, form: str) -> str:
    return "".join(render(CaseDocument(run, case), form, lang=lang))


def on_terminal(report: RunDocument, width: int = 80, lang: Lang = "en") -> str:
    console = Console(file=StringIO(), width=width, force_terminal=False)
    show(report, console, lang=lang)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def hostile(text: str) -> Run:
    """A run in which everything that can come from data is the text."""
    case = Case(
        text,
        text,
        {text: text},
        expect=Expect(calls=(ExpectedCall(text, {text: text}, {text: [text]}, (text,)),), contains=(text,)),
    )
    issue = Issue("wrong_arg", text, text, 0, 0, {"$one_of": [text]}, {text: text})
    trajectory = Trajectory(text, text, 1, calls=(Call(text, {text: text}, error=text),), output=text)
    score = Score(
        text,
        text,
        1,
        "completed",
        score=0.5,
        says_tools=True,
        issues=(issue, Issue("tool_error", text, call=0, got=text)),
    )
    figures = {"accuracy": Estimate(0.5, 0.25, 0.75, 4), "f1": Estimate(None, reason=text)}
    rows = tuple(Row(text, group, 4, Counts(4, 2, 2), figures) for group in ({text: text}, {}))
    summary = Summary(
        SuiteFacts(text, 1, (text,), {text: 1}, {text: 1}),
        text,
        Counts(4, 2, 2),
        rows,
        (ToolRow(text, text, 1, 1, 1),),
        (Confusion(text, text, text, 1),),
        (
            Note("fail_rate_published", {"agent": text, "group": text}),
            Note("not_run", {"agent": text, "count": 9, "cases": [text]}),
            Note("unmatched", {"count": 9, "names": [text]}),
        ),
    )
    header = RunHeader(toolgauge="0", created="", agents=(text,), suite=Suite(text, (case,)))
    return Run(header, summary, (Scored(trajectory, score),))


def hostile_report(text: str) -> RunDocument:
    return RunDocument(hostile(text), details=True, failures=True)


def harmful(text: str) -> list[str]:
    """Characters that could do something to a terminal."""
    return re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]", text)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", FORMATS)
def test_no_format_passes_on_control_characters(form: str, text: str) -> None:
    report = hostile_report(text)
    for shown in (drawn(report, form), drawn_case(report.run, text, "vi", form)):
        assert harmful(shown) in ([], ["\t"] * shown.count("\t"))
        shown.encode("utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE)
def test_plain_text_fits_80_columns(text: str, lang: Lang) -> None:
    report = hostile_report(text)
    for shown in (drawn(report, "text", lang), drawn_case(report.run, text, lang, "text")):
        assert max(width_of(line) for line in shown.split("\n")) <= 80


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["R", "a very long name that goes on and on and on, version 1", "tác nhân số một"])
def test_reports_with_names_of_any_length_fit_80_columns(name: str, lang: Lang) -> None:
    shown = drawn(RunDocument(comparison((name, "B"))), "text", lang)
    assert max(width_of(line) for line in shown.split("\n")) <= 80
    assert not re.search(r" $", shown, re.MULTILINE)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_terminal_shows_data_as_data(text: str) -> None:
    shown = on_terminal(hostile_report(text))
    assert not harmful(shown)
    assert max(width_of(line) for line in shown.split("\n")) <= 80


def test_markup_of_the_terminal_library_stays_text() -> None:
    shown = on_terminal(hostile_report("[bold red]x[/bold red]"), 200)
    assert "[bold red]x[/bold red]" in shown


def test_markdown_holds_no_html_and_no_broken_tables() -> None:
    shown = drawn(hostile_report("</td><script>a|b`c*d_"), "md")
    assert "<" not in shown
    assert "script&gt;a\\|b\\`c\\*d\\_" in shown
    for table in re.findall(r"(?:^\|.*\n)+", shown, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1


@pytest.mark.parametrize("text", ["# x", "- x", "+ x", "1. x", "12) x", "---", "===", "> x"])
def test_markdown_does_not_take_the_start_of_an_answer_for_structure(text: str) -> None:
    shown = drawn(RunDocument(hostile(text), failures=True), "md")
    for line in shown.splitlines():
        content = re.sub(r"^(#{1,3}|-) ", "", line)
        assert not re.match(r"(#+|[-+]|\d+[.)]) |---|===|>", content), line


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_is_balanced_and_without_foreign_commands(text: str) -> None:
    shown = drawn(hostile_report(text), "latex")
    body = "\n".join(line for line in shown.split("\n") if not line.startswith("%"))
    assert "\\input" not in body
    plain = re.sub(r"\\[\\{}$&#%_]", "", body)
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") % 2 == 0
    assert not re.search(r"[#%^~]", plain)
    tables = re.findall(r"\\begin\{(tabular|longtable)\}\{@\{\}([^\n]*)@\{\}\}\n(.*?)\\end\{\1\}", body, re.DOTALL)
    assert len(tables) == body.count("\\toprule") - sum(kind == "longtable" for kind, _, _ in tables)
    for _, layout, content in tables:
        columns = len(re.sub(r"\{.*?\}", "", layout))
        rows = [line for line in content.splitlines() if not re.fullmatch(r"\\[a-z]+|\\caption.*", line)]
        assert rows
        for row in rows:
            assert row.endswith(" \\\\")
            assert len(re.findall(r"(?<!\\)&", row)) == columns - 1
            assert not row.startswith(("[", "*"))


@pytest.mark.parametrize("text", HOSTILE)
def test_json_parses_back_to_the_same_data(text: str) -> None:
    report = json.loads(drawn(hostile_report(text), "json"))
    assert report["schema"] == "toolgauge.report/1"
    assert report["suite"] == {"name": text, "cases": 1, "tools": [text]}
    assert report["rows"][0]["group"] == {text: text}
    assert report["rows"][0]["metrics"]["f1"] == {"value": None, "reason": text, "n": 0}
    assert report["rows"][0]["metrics"]["accuracy"] == {"value": 0.5, "low": 0.25, "high": 0.75, "n": 4}
    assert report["confusion"] == [{"agent": text, "expected": text, "called": text, "count": 1}]
    (case,) = report["cases"]
    assert (case["id"], case["agent"], case["answer"]) == (text, text, None)
    assert case["issues"][0]["got"] == {text: text}
    single = json.loads(drawn_case(hostile(text), text, "en", "json"))
    assert single["cases"][0]["calls"][0]["error"] == text


def test_json_knows_no_nan() -> None:
    run = weather()
    row = Row("a", {}, 1, Counts(1), {"score": Estimate(float("nan"), reason="broken")})
    (scored, *_) = run.scored
    odd = msgspec.structs.replace(
        scored, score=msgspec.structs.replace(scored.score, issues=(Issue("wrong_arg", got=float("inf")),))
    )
    run = replace(run, summary=msgspec.structs.replace(run.summary, rows=(row,)), scored=(odd,))

    def refuse(name: str) -> None:
        raise AssertionError(name)

    report = json.loads(drawn(RunDocument(run, details=True), "json"), parse_constant=refuse)
    assert report["rows"][0]["metrics"]["score"] == {"value": None, "reason": "broken", "n": 0}
    assert "nan" not in drawn(RunDocument(run), "text").lower().replace("finance", "")


def test_json_has_cases_only_with_details() -> None:
    assert json.loads(drawn(RunDocument(weather()), "json"))["cases"] == []
    assert len(json.loads(drawn(RunDocument(weather(), details=True), "json"))["cases"]) == 4


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_parses_back_and_holds_no_formula(text: str) -> None:
    for details in (False, True):
        table = list(csv.reader(StringIO(drawn(RunDocument(hostile(text), details=details), "csv"), newline="")))
        assert {len(line) for line in table} == {len(table[0])}
        cells = [cell.lstrip("\u200b") for line in table for cell in line]
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)


@given(st.text(st.characters(exclude_categories=()), max_size=4), st.sampled_from("=+-@\t\r＝＋－＠"), st.text())
def test_a_cell_that_could_be_a_formula_is_marked(before: str, sign: str, after: str) -> None:
    assert harmless(sign + after).startswith("'")
    assert harmless("\ufeff\u200b " + sign + after).startswith("'")
    if before[:1].isalnum():
        assert not harmless(before + sign + after).startswith("'")


def test_csv_figures_stay_numbers() -> None:
    lines = list(csv.DictReader(StringIO(drawn(RunDocument(comparison()), "csv"))))
    assert [(line["agent"], line["difficulty"], line["n"]) for line in lines[:3]] == [
        ("React", "dễ", "37"),
        ("React", "khó", "55"),
        ("React", "", "92"),
    ]
    assert float(lines[0]["accuracy"]) == 8 / 37
    assert lines[0]["latency"] == ""
    assert lines[0]["calls_p95"] == "3.0"


def test_a_label_called_like_a_column_gets_a_column_of_its_own() -> None:
    run = comparison()
    run = replace(run, summary=msgspec.structs.replace(run.summary, by="n"))
    titles = drawn(RunDocument(run), "csv").split("\n")[0].split(",")
    assert len(titles) == len(set(titles))


def empty_run() -> Run:
    summary = Summary(SuiteFacts("empty", 0, ()), None, Counts(), ())
    return Run(RunHeader(toolgauge="0", created="", suite=Suite("empty", ())), summary, ())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_run_can_be_drawn(form: str, lang: Lang) -> None:
    shown = readable(drawn(RunDocument(empty_run(), details=True, failures=True), form, lang))
    assert "nan" not in shown.lower().replace("finance", "")
    assert "100" not in shown
    assert on_terminal(RunDocument(empty_run()), lang=lang)


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_figures_that_are_not_there_are_said_to_be_missing(form: str) -> None:
    row = Row("a", {}, 2, Counts(2, error=2), {"pass_rate": Estimate(0.0, 0.0, 0.66, 2)})
    run = empty_run()
    run = replace(run, summary=msgspec.structs.replace(run.summary, rows=(row,), counts=row.counts))
    shown = drawn(RunDocument(run), form)
    assert "2 planned = 0 passed + 0 failed + 2 error" in shown
    assert "0.0000" in shown
    assert "n/a" in shown


def test_the_rate_over_completed_cases_is_shown_where_it_differs() -> None:
    assert "| Of completed |" in drawn(RunDocument(weather()), "md")
    assert "| Of completed |" not in drawn(RunDocument(comparison()), "md")


@pytest.mark.parametrize("form", FORMATS)
def test_an_unknown_case_is_refused_at_once(form: str) -> None:
    with pytest.raises(UsageError, match="did you mean 'T001'"):
        drawn_case(weather(), "T01", "en", form)


def test_a_case_without_trajectories_says_so() -> None:
    assert "no trajectory" in drawn_case(replace(weather(), scored=()), "T001", "en", "text")


def test_an_unknown_format_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="did you mean 'json'"):
        render(RunDocument(weather()), "jsn")


class Tracked(Scored, frozen=True, gc=True, weakref=True):
    """A scored trajectory of which one can see whether anybody still holds it."""


@dataclass
class Many:
    """Many scored trajectories, made one by one."""

    size: int
    alive: int = 0
    most: int = 0
    made: int = 0

    def __iter__(self) -> Iterator[Scored]:
        for index in range(self.size):
            yield self.make(f"agent {index}")

    def make(self, agent: str) -> Scored:
        trajectory = Trajectory("T001", agent, 1, calls=(Call("search_web"),))
        item = Tracked(trajectory, Score("T001", agent, 1, "completed", score=0.1, says_tools=True))
        weakref.finalize(item, self.forget)
        self.made += 1
        self.alive += 1
        self.most = max(self.most, self.alive)
        return item

    def forget(self) -> None:
        self.alive -= 1


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "html"])  # pages are grouped by case
def test_cases_are_drawn_as_they_are_read(form: str) -> None:
    many = Many(20_000)
    pieces = render(RunDocument(replace(weather(), scored=many), details=True), form)
    for _ in pieces:
        if many.made >= 1000:
            break
    assert many.made < 2000
    length = sum(map(len, pieces))
    assert length > 20_000 * 20
    assert many.made == many.size
    assert many.most <= 3


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_failures_are_drawn_as_they_are_read(form: str) -> None:
    many = Many(2_000)
    for _ in render(RunDocument(replace(weather(), scored=many), failures=True), form):
        pass
    assert many.made == many.size
    assert many.most <= 3


def test_a_terminal_draws_cases_as_they_are_read() -> None:
    many = Many(1_000)
    shown = on_terminal(RunDocument(replace(weather(), scored=many), details=True))
    assert shown.count("T001") == many.made == many.size
    assert many.most <= 3
