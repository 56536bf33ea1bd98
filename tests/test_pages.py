"""Pages that are made of the code are current, pages in Vietnamese work, and quoted messages are those of the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import reference
from tests.catalogue import templates
from tests.test_docs import ROOT, blocks, follow, steps
from toolgauge.catalogue.speaking import translated
from toolgauge.cli import COMMANDS

from .cli.running import toolgauge

DOCS = ROOT / "docs"


@pytest.mark.parametrize("name", reference.PAGES)
def test_the_reference_is_current(name: str) -> None:
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written == reference.PAGES[name](), "make it anew with: python -m tests.reference"


def test_every_command_option_and_key_is_in_the_reference() -> None:
    commands = (DOCS / "reference.md").read_text(encoding="utf-8")
    for name in templates.command_names():
        assert re.search(rf"^#+ toolgauge {name}$", commands, re.M), name
    for option in ("--failures", "--min-pass-rate", "--resume", "--fix-space", "--from-traces"):
        assert f"`{option}" in commands
    keys = (DOCS / "suite.md").read_text(encoding="utf-8")
    for key in ("any_of", "forbid_args", "tolerance_years", "$one_of", "inputSchema", "latency_ms"):
        assert f"`{key}`" in keys


def test_every_key_of_a_suite_is_described() -> None:
    assert list(reference.undescribed()) == []


def test_the_readme_links_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\((docs/[^)#]+|README\.vi\.md)\)", readme))
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} | {"README.vi.md"} <= linked


def named_blocks(page: Path) -> dict[str, str]:
    """The blocks of a page that are files, by the name that stands beside their kind."""
    text = page.read_text(encoding="utf-8")
    return dict(re.findall(r"```\w+ (\S+\.\w+)\n(.*?)```", text, re.S))


def test_the_page_on_other_tools_works_word_by_word(tmp_path: Path) -> None:
    page = DOCS / "from-other-tools.md"
    files = named_blocks(page)
    assert set(files) == {"chat.jsonl", "promptfooconfig.yaml", "goldens.json", "log.json"}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    consoles = blocks(page, "console")
    assert len(consoles) == 3
    for console in consoles:
        assert follow(steps(console), tmp_path) > 0


def test_what_the_page_on_other_tools_says_of_promptfoo_is_so() -> None:
    text = (DOCS / "from-other-tools.md").read_text(encoding="utf-8")
    source = (ROOT / "src/toolgauge/suites/formats/promptfoo_assertions.py").read_text(encoding="utf-8")
    promptfoo = text[text.index("## promptfoo") : text.index("## deepeval")]
    for row in re.findall(r"^\| (.*?) \|", promptfoo, re.M)[2:]:
        for kind in re.findall(r"`((?:not-)?[a-z]+(?::[a-z-]+|-[a-z-]+)?)`", row):
            if kind not in ("llm-rubric", "vars"):
                assert f'"{kind}"' in source, kind


def quoted() -> list[str]:
    text = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(.*?)` \|", text, re.M)


def test_every_message_of_troubleshooting_is_one_of_the_code() -> None:
    assert len(quoted()) > 25
    for message in quoted():
        assert templates.made_of_templates(message), message
        assert translated(message, "vi") != message
    assert not templates.made_of_templates("nowhere.yaml: there is not such a file; check the path")
    assert not templates.made_of_templates("nowhere.yaml: there is no such file; look at the path")


@pytest.mark.parametrize(
    ("arguments", "written", "message"),
    [
        (["score", "nowhere.yaml", "x"], "", "nowhere.yaml: there is no such file"),
        (["score", "traces.jsonl", "traces.jsonl"], '{"case": "a", "calls": []}\n', "this looks like traces"),
        (["report", "traces.jsonl"], '{"case": "a", "calls": []}\n', "this is not a run file"),
        (["score", "suite.yaml", "log.jsonl"], '{"some": "thing"}\n', "no record of this file is of a known format"),
        (["score", "data.csv", "traces.jsonl"], "A,B\nx,y\n", "none of its headings is known"),
        (["run", "suite.yaml"], "", "the agent 'tools' needs a model; name one with --model"),
        (
            ["run", "suite.yaml", "--agent", "my_module:agent"],
            "",
            "is Python code, which is run only with --allow-code",
        ),
        (["gate", "nightly", "--store", "runs.db"], "", "there is no store of runs"),
        (
            ["score", "suite.yaml", "traces.jsonl", "-o", "suite.yaml"],
            '{"case": "a", "calls": []}\n',
            "is an input and",
        ),
    ],
)
def test_what_troubleshooting_tells_of_happens(
    tmp_path: Path, arguments: list[str], written: str, message: str
) -> None:
    (tmp_path / "suite.yaml").write_text("cases: [{id: a, input: A?, expect: {calls: []}}]\n", encoding="utf-8")
    for name in ("traces.jsonl", "log.jsonl", "data.csv"):
        (tmp_path / name).write_text(written, encoding="utf-8")
    done = toolgauge(*arguments, cwd=tmp_path)
    assert message in done.stderr
    assert done.returncode in (2, 3)
    assert any(message in one for one in quoted())


def test_the_vietnamese_quickstart_works_word_by_word(tmp_path: Path) -> None:
    page = DOCS / "quickstart.vi.md"
    for kind, name in (("csv", "ky_vong.csv"), ("json", "log.jsonl"), ("yaml", "suite.yaml")):
        (tmp_path / name).write_text(blocks(page, kind)[0], encoding="utf-8")
    consoles = blocks(page, "console")
    assert len(consoles) == len(blocks(DOCS / "quickstart.md", "console"))
    for console in consoles:
        assert follow(steps(console), tmp_path) > 0


def test_the_vietnamese_readme_works_word_by_word(tmp_path: Path) -> None:
    page = ROOT / "README.vi.md"
    for console in blocks(page, "console"):
        assert follow(steps(console), tmp_path) > 0
    (tmp_path / "truth.csv").write_text("query,difficulty,tools\nGiá?,dễ,['a']\n", encoding="utf-8")
    for name in ("react.csv", "rewoo.csv"):
        line = "input,difficulty,output,tools,failed_tools,failed_tools_count\nGiá?,dễ,1,a,,0\n"
        (tmp_path / name).write_text(line, encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    (comparison,) = re.findall(r"^    (toolgauge score truth.csv .*)$", text, re.M)
    assert follow([(comparison, [])], tmp_path) > 0
    for command in COMMANDS:
        assert f"toolgauge {command}" in text
    for program in blocks(page, "python"):
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)


def test_vietnamese_pages_have_the_parts_of_the_english_ones() -> None:
    for name in ("README", "docs/quickstart"):
        english, vietnamese = (
            re.findall(r"^## ", (ROOT / f"{name}{suffix}.md").read_text("utf-8"), re.M) for suffix in ("", ".vi")
        )
        assert len(english) == len(vietnamese)
        assert f"]({Path(name).name}.md)" in (ROOT / f"{name}.vi.md").read_text("utf-8")
