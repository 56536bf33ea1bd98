"""The walks of new users are true: each is walked from its first command to its last, and prints what its page shows.

After a wanted change, TOOLGAUGE_RENEW=1 writes anew what is shown without dots; then read what the page says about it.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "walks.md"
WALKS = ("csv", "empty", "paper")
WIDTH = 80
MESSAGES = ("Note: ", "Error: ", "Lưu ý: ", "Lỗi: ")
"""What goes to standard error is one line each, which a terminal wraps."""
RENEW = bool(os.environ.get("TOOLGAUGE_RENEW"))

FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)


@dataclass(frozen=True)
class Walked:
    """Where a walk was walked, and what its commands printed."""

    place: Path
    printed: dict[str, str]


def sections() -> dict[str, str]:
    """The text of each walk, by its name."""
    _, *parts = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(WALKS, parts, strict=True))


def matches(shown: str, printed: str) -> bool:
    """Whether this was printed; a line `...` stands for any lines, `...` within a line for any characters."""
    pattern = "".join(
        "(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in shown.splitlines()
    )
    return re.fullmatch(pattern, printed) is not None


def walk(command: str, place: Path) -> tuple[int, str]:
    """How a command ends, and what a terminal shows of it, in the order in which it comes."""
    program = f'toolgauge() {{ {shlex.quote(sys.executable)} -m toolgauge "$@"; }}\n{command}'
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("GITHUB_", "TOOLGAUGE_"))}
    done = subprocess.run(
        ["bash", "-c", program],  # noqa: S607
        cwd=place,
        env={**kept, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout


def renew(step: str, command: str, printed: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(step) == 1
    PAGE.write_text(page.replace(step, f"$ {command}\n{printed}"), encoding="utf-8")


def take(walked: str, place: Path) -> Walked:
    """Write the files and run the commands of a walk as they come."""
    found: dict[str, str] = {}
    for kind, name, text in FENCE.findall(walked):
        if name:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8")
        for step in STEP.finditer(text) if kind == "console" else ():
            command, shown = step.groups()
            code, printed = walk(command, place)
            asked = re.search(r"# exit (\d+)$", command)
            assert code == (int(asked[1]) if asked else 0), f"{command}\n{printed}"
            if RENEW and "..." not in shown:
                renew(step[0], command, printed)
            else:
                assert matches(shown, printed), f"{command}\n{printed}"
            found[command] = printed
    return Walked(place, found)


@pytest.fixture(scope="module")
def walks() -> dict[str, Walked]:
    """The walks that were walked so far."""
    return {}


@pytest.fixture
def walked(
    request: pytest.FixtureRequest, walks: dict[str, Walked], tmp_path_factory: pytest.TempPathFactory
) -> Walked:
    """One walk, from its first command to its last: what is wrong on the way fails whoever asks for it."""
    name: str = request.param
    if name not in walks:
        place = tmp_path_factory.mktemp("walk") / name
        if name == "empty":
            place.mkdir()
        else:
            shutil.copytree(ROOT / "examples" / "walks" / name, place)
        walks[name] = take(sections()[name], place)
    return walks[name]


def through(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("walked", [name], indirect=True)


@pytest.mark.parametrize("walked", WALKS, indirect=True)
def test_a_walk_prints_what_the_page_shows(walked: Walked) -> None:
    assert len([command for command in walked.printed if command.startswith("toolgauge ")]) >= 8


@pytest.mark.parametrize("walked", WALKS, indirect=True)
def test_what_people_read_is_80_columns_wide_at_most(walked: Walked) -> None:
    for command, printed in walked.printed.items():
        if re.match(r"toolgauge (?!baseline)", command) and "--format" not in command:
            wide = [line for line in printed.splitlines() if len(line) > WIDTH]
            assert [line for line in wide if not line.startswith(MESSAGES)] == [], command


def test_a_figure_that_is_not_printed_is_noticed() -> None:
    printed = "passed 7 of 12\n\nn  12\nF1  0.85\n"
    assert matches("passed 7 of 12\n...\nF1  0.85\n", printed)
    assert matches("passed ... of 12\n...\n", printed)
    for wrong in ("passed 7 of 12\n...\nF1  0.86\n", "passed 7 of 12\nF1  0.85\n", "passed 7 of 12\n", ""):
        assert not matches(wrong, printed)


@through("csv")
def test_vietnamese_is_for_people_and_files_for_programs_are_the_same_in_every_language(walked: Walked) -> None:
    reports = []
    for lang in ("en", "vi"):
        for form in ("json", "csv"):
            code, printed = walk(f"toolgauge report hom_nay.run.jsonl --format {form} --lang {lang}", walked.place)
            assert code == 0
            reports.append(printed)
    assert reports[:2] == reports[2:]
    report = json.loads(reports[0])
    assert report["schema"] == "toolgauge.report/1"
    assert list(report["counts"]) == [
        *("planned", "passed", "failed", "error", "timeout", "limit", "cancelled", "not_run"),
    ]
    assert sum(report["counts"].values()) == 2 * report["counts"]["planned"] == 48
    (whole,) = (row for row in report["rows"] if row["agent"] == "Văn bản" and not row["group"])
    assert (whole["n"], whole["planned"], whole["metrics"]["pass_rate"]["value"]) == (12, 12, 7 / 12)
    (row,) = (
        row for row in csv.DictReader(reports[1].splitlines()) if row["agent"] == "Văn bản" and not row["difficulty"]
    )
    assert float(row["pass_rate"]) == 7 / 12
    shown = "".join(printed for command, printed in walked.printed.items() if "--lang vi" in command)
    shown = re.sub("hãy viết 0.9 hoặc 90%", "", shown)
    assert not re.findall(r"(?<![\d.])0\.\d", shown), "a decimal point"
    english = r"\b(?:passed|failed|expected|found|Note|Error|cases?|agents|More)\b"
    assert not re.findall(english, re.sub(r"--\S+|toolgauge \w+", "", shown))


@through("csv")
def test_cells_as_vietnamese_write_them_decide_as_they_should(walked: Walked) -> None:
    code, printed = walk("toolgauge report hom_nay.run.jsonl --format json --details", walked.place)
    assert code == 0
    answers = {
        (case["id"], case["agent"]): case["answer"]["verdict"]
        for case in json.loads(printed)["cases"]
        if case["answer"]
    }
    wrong = {key for key, verdict in answers.items() if verdict != "right"}
    assert len(answers) == 22
    assert wrong == {("ct01", "Gọi hàm"), ("tg01", "Văn bản"), ("hm01", "Văn bản"), ("kq02", "Văn bản")}


@through("empty")
def test_what_a_server_reads_is_there(walked: Walked) -> None:
    suites = ElementTree.parse(walked.place / "junit.xml").getroot()  # noqa: S314 - our own
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [("mine", "1")]
    annotations = [
        line for text in walked.printed.values() for line in text.splitlines() if line.startswith("::error ")
    ]
    assert any(line.startswith("::error file=suite.yaml,line=") for line in annotations)
    workflow = yaml.safe_load((walked.place / ".github" / "workflows" / "agent.yml").read_text(encoding="utf-8"))
    (used,) = (step for step in workflow["jobs"]["gate"]["steps"] if "toolgauge@" in step.get("uses", ""))
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert used["with"].keys() <= action["inputs"].keys()
    (ran,) = (step["run"] for step in workflow["jobs"]["gate"]["steps"] if "toolgauge run" in step.get("run", ""))
    assert walk(ran, walked.place)[0] == 0
    assert (walked.place / used["with"]["run"]).exists()


@through("paper")
def test_the_tables_for_the_paper_are_whole_and_the_published_names_are_kept(walked: Walked) -> None:
    tables = {"choice": "report-choice", "compared": "comparison-figures", "infoseek": "infoseek-comparison"}
    for name, label in tables.items():
        table = (walked.place / f"{name}.tex").read_text(encoding="utf-8")
        assert table.count(r"\begin{table}") == table.count(r"\end{table}") == 1
        assert rf"\label{{tab:{label}}}" in table
        assert not re.search(r"(?<![\w$-])-\d", table), "a hyphen for a minus"
    scores = json.loads(walk("toolgauge infoseek small.jsonl references.jsonl --format json", walked.place)[1])
    assert list(scores) == ["final_score", "unseen_question_score", "unseen_entity_score"]
    assert list(scores["unseen_entity_score"]) == ["score", "score_time", "score_num", "score_string"]


@through("paper")
def test_the_table_of_the_paper_has_the_figures_of_the_published_definitions(walked: Walked) -> None:
    """Counted here once more, from the files alone."""
    with (walked.place / "truth.csv").open(encoding="utf-8") as file:
        expected = {row["query"]: set(re.findall(r"\w+", row["tools"])) for row in csv.DictReader(file)}
    for agent, name in (("ReAct", "react.csv"), ("ReWOO", "rewoo.csv")):
        right = hits = extra = missed = 0
        with (walked.place / name).open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                called, wanted = set(re.findall(r"\w+", row["tools"])), expected[row["input"]]
                right += called == wanted and not row["output"].startswith("ERROR:")
                hits += len(called & wanted)
                extra += len(called - wanted)
                missed += len(wanted - called)
        f1 = 2 * hits / (2 * hits + extra + missed)
        (line,) = re.findall(rf"^{agent} +40 .*$", walked.printed[SCORED], re.M)
        assert re.search(rf" {right / 40:.2f}  {f1:.2f} ", line)


SCORED = "toolgauge score truth.csv ReAct=react.csv ReWOO=rewoo.csv --run-file paper.run.jsonl"
