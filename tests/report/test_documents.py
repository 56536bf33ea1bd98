"""Every document in every format, single tables of it, and formats that other packages bring."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from io import StringIO
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from rich.console import Console

from tests.analysis.gate.junit_schema import faults
from tests.analysis.gate.runs import make_run
from tests.cli.running import toolgauge
from tests.installing import install, python_path
from tests.report.runs import comparison, weather
from toolgauge import compare, diagnose, gate
from toolgauge.catalogue import LANGUAGES, Lang
from toolgauge.core import Case, Finding, Suite
from toolgauge.errors import UsageError
from toolgauge.infoseek import score as score_infoseek
from toolgauge.infoseek.rendering import InfoSeekDocument
from toolgauge.report import (
    CASE_FORMATS,
    FORMATS,
    CaseDocument,
    ComparisonDocument,
    DiagnosisDocument,
    Document,
    LintDocument,
    RenderOptions,
    RunDocument,
    VerdictDocument,
    render,
    show,
)
from toolgauge.report.render import find_format

NASTY = "</td><script>alert(1)</script>=1+1 \\input{x} & | \x1b[31m\u202e"

QUESTIONS = [
    {"data_id": str(number), "answer_eval": ["x"], "data_split": split, "question_type": "String"}
    for number, split in enumerate(("val_unseen_question", "val_unseen_entity"))
]


def lint_document() -> LintDocument:
    suite = Suite("s", (Case("one"), Case(NASTY)))
    found = (
        Finding("unknown_tool", "error", "one", ("expect", "calls", 0, "tool"), {"tool": NASTY, "near": None}),
        Finding("same_plan", "warning", NASTY, ("expect", "any_of", 1), {"other": 0}),
        Finding("empty_text", "hint"),
    )
    return LintDocument("suite.yaml", suite, found, {0: 7})


def documents() -> dict[str, Document]:
    run = make_run({"a": ["pp", "pf", "e-"], NASTY.replace("\x1b", ""): ["pp", "ff", "pp"]})
    result = score_infoseek([{"data_id": "0", "prediction": "x"}, {"data_id": "1", "prediction": "y"}], QUESTIONS)
    return {
        "run": RunDocument(run, details=True, failures=True),
        "published": RunDocument(comparison()),
        "case": CaseDocument(run, "c1"),
        "comparison": ComparisonDocument(compare(run)),
        "verdict": VerdictDocument(gate(run, must_pass=["c1"], baseline=run), run),
        "diagnosis": DiagnosisDocument(diagnose(run)),
        "lint": lint_document(),
        "infoseek": InfoSeekDocument(result),
    }


DOCUMENTS = documents()


def drawn(name: str, form: str, lang: Lang = "en", *tables: str) -> str:
    return "".join(render(DOCUMENTS[name], form, lang=lang, tables=tables))


class Page(HTMLParser):
    """Takes apart a page, and remembers its elements."""

    VOID = ("meta", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[dict[str, str | None]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes.append(dict(attrs))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_is_drawn_in_every_format_and_language(name: str, form: str, lang: Lang) -> None:
    shown = drawn(name, form, lang)
    assert shown.endswith("\n")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", shown)
    assert find_format(form).suffix


@pytest.mark.parametrize("name", DOCUMENTS)
def test_json_is_an_object_and_csv_a_table(name: str) -> None:
    assert isinstance(json.loads(drawn(name, "json")), dict)
    table = list(csv.reader(StringIO(drawn(name, "csv"), newline="")))
    assert len(table) > 1
    assert {len(row) for row in table} == {len(table[0])}
    assert len(set(table[0])) == len(table[0])
    assert not any(cell.startswith(("=", "+", "@", "\t")) for row in table for cell in row)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name not in ("run", "published", "case")])
def test_a_page_is_whole_plain_and_says_its_language(name: str, lang: Lang) -> None:
    shown = drawn(name, "html", lang)
    page = Page(shown)
    assert page.attributes[0] == {"lang": lang}
    assert not {"script", "img", "link", "iframe", "a"} & set(page.elements)
    assert "default-src 'none'" in shown
    assert page.elements.count("h1") == 1
    assert "title" in page.elements
    assert not any(key.startswith("on") or key == "style" for found in page.attributes for key in found)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_tables_of_latex_have_a_caption_and_a_label_of_their_own(name: str, lang: Lang) -> None:
    shown = drawn(name, "latex", lang)
    assert "\\input{x}" not in shown
    labels = re.findall(r"\\label\{([^}]*)\}", shown)
    assert len(labels) == len(set(labels)) == shown.count("\\caption{")
    assert all(re.fullmatch(r"tab:[a-z]+-[a-z0-9-]+", label) for label in labels)
    assert shown.count("\\begin{") == shown.count("\\end{")
    assert "\\hline" not in shown
    assert shown.count("\\toprule") >= shown.count("\\bottomrule") >= len(labels)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_is_shown_on_a_terminal(name: str, lang: Lang) -> None:
    console = Console(file=StringIO(), width=80, force_terminal=False)
    show(DOCUMENTS[name], console, lang=lang)
    assert isinstance(console.file, StringIO)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", console.file.getvalue())


def test_a_long_table_continues_on_the_next_page() -> None:
    shown = "".join(render(RunDocument(make_run({"a": ["p"] * 50}), details=True), "latex"))
    assert shown.count("\\begin{longtable}") == 1
    assert len(re.findall(r"^c\d+ & a ", shown, re.MULTILINE)) == 50
    assert "\\endhead" in shown


def test_letters_and_their_accents_are_one_character_in_latex() -> None:
    run = make_run({"Ho\u0300a Pha\u0301t": ["p"]})
    shown = "".join(render(RunDocument(run), "latex"))
    assert "Hòa Phát" in shown


def test_figures_of_documents_are_unrounded_in_csv() -> None:
    (row, *_) = csv.DictReader(StringIO(drawn("verdict", "csv")))
    assert (row["check"], row["metric"], float(row["limit"])) == ("minimum", "pass_rate", 0.9)
    (pair, *_) = csv.DictReader(StringIO(drawn("comparison", "csv")))
    assert (pair["first"], pair["metric"], pair["verdict"]) == ("a", "pass_rate", "no_evidence")
    contrast = compare(make_run({"a": ["pp", "pf", "e-"], "b": ["pp", "ff", "pp"]})).pairings[0].contrasts[0]
    assert float(pair["p"]) == contrast.p
    patterns = list(csv.DictReader(StringIO(drawn("diagnosis", "csv"))))
    assert len(patterns) == len(json.loads(drawn("diagnosis", "json"))["patterns"])
    (first, *_) = csv.DictReader(StringIO(drawn("lint", "csv")))
    assert (first["line"], first["severity"], first["path"]) == ("7", "error", "expect.calls[0].tool")


@pytest.mark.parametrize("form", ["text", "md", "latex", "html"])
@pytest.mark.parametrize(
    ("name", "table", "there", "gone"),
    [
        ("published", "choice", "Precision", "Tool fail rate"),
        ("published", "f1", "F1", "Precision"),
        ("published", "calls", "Calls", "Accuracy"),
        ("comparison", "figures", "Metric", "McNemar"),
        ("comparison", "pass_rate", "pass rate", "accuracy"),
        ("verdict", "checks", "Check", "did not pass"),
        ("lint", "findings", "empty text", "section*"),
        ("infoseek", "scores", "Unseen entity", "harmonic"),
    ],
)
def test_a_table_or_a_metric_is_picked_by_its_name(name: str, table: str, there: str, gone: str, form: str) -> None:
    shown = drawn(name, form, "en", table)
    body = shown.partition("<body>")[2] or shown
    assert there.replace("_", "") in re.sub(r"\\?_|\\shortstack\[.\]|[{}]", "", body)
    assert gone not in body.replace("\n", " ")
    if form == "latex":
        assert "section*" not in shown


def test_several_tables_are_drawn_in_the_order_of_the_document() -> None:
    shown = drawn("published", "md", "vi", "amounts", "choice")
    assert re.findall("^## (.*)$", shown, re.MULTILINE) == ["Chọn công cụ", "Thời gian và chi phí"]


@pytest.mark.parametrize("form", ["text", "md", "latex", "html"])
def test_a_table_that_is_not_there_is_refused_at_once_with_those_that_are(form: str) -> None:
    with pytest.raises(
        UsageError, match=r"no table or metric 'nothing' here; known here: overview, choice, accuracy, .*tools.*method"
    ):
        render(DOCUMENTS["published"], form, tables=["choice", "nothing"])


@pytest.mark.parametrize("form", ["json", "csv", "junit", "github"])
def test_formats_without_tables_refuse_to_pick_one(form: str) -> None:
    with pytest.raises(UsageError, match=f"no single table can be drawn as '{form}'"):
        render(DOCUMENTS["run"], form, tables=["choice"])


@pytest.mark.parametrize("form", CASE_FORMATS)
@pytest.mark.parametrize("name", ["case", "comparison", "diagnosis", "lint", "infoseek"])
def test_what_has_no_cases_with_verdicts_is_refused_at_once(name: str, form: str) -> None:
    with pytest.raises(UsageError, match=f"no cases with verdicts and cannot be drawn as '{form}'"):
        render(DOCUMENTS[name], form)


def test_junit_is_drawn_of_a_run_without_a_gate() -> None:
    root = fromstring(drawn("run", "junit").encode("utf-8"))  # noqa: S314 - our own
    assert faults(root) == []
    first, second = root
    assert [case.attrib["name"] for case in first.iter("testcase")][:2] == ["c0 #1", "c0 #2"]
    assert (first.attrib["tests"], first.attrib["errors"], first.attrib["skipped"]) == ("6", "1", "1")
    assert len(list(second.iter("failure"))) == 2
    assert list(first.iter("property")) == []


def test_messages_for_github_are_drawn_of_a_run_without_a_gate() -> None:
    lines = "".join(render(RunDocument(make_run(list("pf"))), "github")).splitlines()
    assert lines[-1] == "::warning title=c1 (agent)::look was expected but not called"
    passed = "".join(render(RunDocument(make_run(list("pp"))), "github")).splitlines()
    assert passed[-1] == "::notice title=toolgauge::sample: 2 cases, 1 agent"


class Shouting:
    """A format of one's own."""

    suffix = "txt"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        yield f"{document.name} {options.lang} {document.title(options.words)}".upper()
        for block in document.blocks(options.words):
            yield f" {type(block).__name__}"


def test_a_format_of_ones_own_is_passed_as_an_object() -> None:
    assert "".join(render(RunDocument(weather()), Shouting(), lang="vi", tables=["choice"])) == (
        "REPORT VI WEATHER: 3 CÂU HỎI, 2 AGENT Heading Table"
    )


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place where a package with report formats is installed."""
    return install("toolgauge_slides", tmp_path_factory.mktemp("installed"))


def test_a_format_of_another_package_is_found_by_its_name(plugin: Path) -> None:
    starter = Path(import_module("toolgauge.cli").__file__ or "").parent / "starter" / "vi"
    call = ("score", starter / "suite.yaml", starter / "traces.jsonl", "--lang", "vi", "--full", "--format")
    done = toolgauge(*call, "slides", PYTHONPATH=python_path(plugin))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("=== ")
    assert "(report, vi)\n" in done.stdout
    assert "--- Chọn công cụ\n" in done.stdout
    picked = toolgauge(*call, "slides", "--table", "f1", PYTHONPATH=python_path(plugin))
    assert len(picked.stdout.splitlines()) < 10
    linted = toolgauge("lint", starter / "suite.yaml", "--format", "slides", PYTHONPATH=python_path(plugin))
    assert "(lint, en)\n" in linted.stdout
    unknown = toolgauge(*call, "slide", PYTHONPATH=python_path(plugin))
    assert (unknown.returncode, "'slide' không phải một trong" in unknown.stderr) == (2, True)
    assert toolgauge(*call, "slides").returncode == 2


def test_a_format_of_another_package_that_fails_is_named(plugin: Path) -> None:
    starter = Path(import_module("toolgauge.cli").__file__ or "").parent / "starter" / "en"
    call = ("lint", starter / "suite.yaml", "--format")
    done = toolgauge(*call, "clumsy", PYTHONPATH=python_path(plugin))
    assert done.returncode != 0
    assert done.stderr == "Error: the report format 'clumsy' failed: KeyError: 'lint'\n"
    empty = toolgauge(*call, "empty", PYTHONPATH=python_path(plugin))
    assert empty.stderr == "Error: the report format 'empty' has no method render(document, options)\n"


def test_an_unknown_format_is_refused_with_a_near_one() -> None:
    with pytest.raises(UsageError, match="a comparison cannot be drawn as 'jsn'; did you mean 'json'"):
        render(DOCUMENTS["comparison"], "jsn")
