"""The scripts and the style of pages: what they may not hold, how they fit together, and their types."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import toolgauge.pages
from tests.pages.reading import CODE, HASH
from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.core import ISSUE_KINDS
from toolgauge.pages.bundle import hashed, modules, script, static_text, style
from toolgauge.report import RunDocument, render

from ..report.runs import weather

STATIC = Path(toolgauge.pages.__file__).parent / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))
DEFINED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
TEXT = re.compile(r'\bt\("((?:page|state|column|section|answer)\.[\w.]*\w)"')
MAX_LINES = 450


def test_no_two_modules_define_the_same_name() -> None:
    names = Counter(name for path in SCRIPTS for name in DEFINED.findall(path.read_text(encoding="utf-8")))
    assert [name for name, count in names.items() if count > 1] == []


def test_one_file_has_every_module_once_behind_what_it_imports() -> None:
    assert modules()[-1] == "onefile.js"
    assert len(set(modules())) == len(modules())
    assert not re.search(r"^\s*(?:import|export)\b", script(), re.MULTILINE)
    for name in modules():
        assert DEFINED.findall(static_text(name)) == [
            found for found in DEFINED.findall(static_text(name)) if re.search(rf"\b{found}\b", script())
        ]


def test_nothing_is_made_of_markup_and_nothing_is_loaded() -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://(?!www\.w3\.org/2000/svg)"
    for path in (*SCRIPTS, STATIC / "style.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(forbidden, text), path.name
        assert "</script" not in text.lower()
        assert "</style" not in text.lower()
        assert len(text.splitlines()) <= MAX_LINES, path.name
    assert "@import" not in style()
    assert "url(" not in style()


def test_the_policy_names_what_is_in_the_page() -> None:
    page = "".join(render(RunDocument(weather()), "html"))
    found = [part.partition(">")[2].rpartition("</")[0] for part in CODE.findall(page)]
    assert sorted(HASH.findall(page)) == sorted(hashed(text) for text in found)
    assert "default-src 'none'" in page
    assert not re.search(r"\son\w+=|style=|https?://", CODE.sub("", page))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_that_scripts_look_up_is_there(lang: str) -> None:
    known = words_of(lang).catalogue
    asked = {key for path in SCRIPTS for key in TEXT.findall(path.read_text(encoding="utf-8"))}
    assert len(asked) > 80
    assert [key for key in sorted(asked) if key not in known] == []
    lines = ("matched", "wrong_arg", "failed", "missing", "optional", "extra", "duplicate", "out_of_order", "neutral")
    families = {
        "page.issue.": ISSUE_KINDS,
        "page.line.": lines,
        "page.step.": ("same", "arguments", "only_a", "only_b"),
        "page.part.": ("same", "arguments", "only_a", "only_b", "other", "a", "b"),
        "page.change.": ("broken", "fixed", "flaky", "unchanged"),
        "page.review.": ("right", "wrong", "gold_is_wrong"),
        "page.filter.": ("agent", "tool", "issue"),
    }
    missing = [start + name for start, names in families.items() for name in names if start + name not in known]
    assert missing == []


@pytest.mark.deep
def test_the_types_of_the_scripts_are_right(node_modules: Path, tmp_path: Path) -> None:
    options = {
        "checkJs": True,
        "allowJs": True,
        "noEmit": True,
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "target": "es2022",
        "module": "es2022",
        "moduleResolution": "bundler",
        "lib": ["es2023", "dom", "dom.iterable"],
        "types": [],
    }
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"compilerOptions": options, "include": [f"{STATIC}/*.js"]}), encoding="utf-8")
    node = shutil.which("node")
    assert node is not None
    command = [node, str(node_modules / "typescript" / "bin" / "tsc"), "-p", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == ""
