"""Whether the compiled part is there changes nothing but the time that is taken."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from random import Random

import msgspec
import pytest

from bench.scoring_data import make_suite, make_trajectories
from tests.compiled.needed import needs_compiled_part
from toolgauge.compiled import AVAILABLE
from toolgauge.compiled.fingerprint import fingerprint

WITHOUT = "import sys; sys.modules['toolgauge.compiled._compiled'] = None"
"""Python code after which the compiled part cannot be imported."""

SCORE = "from toolgauge.cli import main; sys.exit(main())"


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


@needs_compiled_part
@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--grounding",)], ids=lambda more: more[0] if more else "plain")
def test_runs_and_reports_are_the_same_without(tmp_path: Path, more: tuple[str, ...]) -> None:
    dice = Random(11)
    suite = make_suite(dice, 60)
    (tmp_path / "suite.json").write_bytes(msgspec.json.encode(suite))
    lines = [msgspec.json.encode(trajectory) for trajectory in make_trajectories(dice, suite, 9000)]
    (tmp_path / "traces.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    written = []
    for name, before in (("with", "import sys"), ("without", WITHOUT)):
        run_file, report = tmp_path / f"{name}.run.jsonl", tmp_path / f"{name}.json"
        arguments = (str(tmp_path / "suite.json"), str(tmp_path / "traces.jsonl"), *more, "--format", "json")
        done = run(f"{before}; {SCORE}", "score", *arguments, "--run-file", str(run_file), "-o", str(report))
        assert (done.returncode, done.stderr) == (0, "")
        written.append((run_file.read_bytes().partition(b"\n")[2], report.read_bytes()))
    assert written[0] == written[1]
    assert written[0][0].count(b"\n") == 9000


def test_toolgauge_works_without() -> None:
    done = run(f"{WITHOUT}; from toolgauge.compiled import AVAILABLE; import toolgauge.api; print(AVAILABLE)")
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("built", ["FINGERPRINT=1", "VERSION=3"])
def test_what_was_built_from_other_sources_is_not_used(built: str) -> None:
    code = (
        f"import sys, types; old = types.ModuleType('old'); old.__dict__.update({built}, PlainCase=1, PlainTotals=1, "
        "score_plain=1); sys.modules['toolgauge.compiled._compiled'] = old; "
        "from toolgauge.compiled import AVAILABLE; print(AVAILABLE)"
    )
    assert run(code).stdout == "False\n"


@needs_compiled_part
@pytest.mark.parametrize("name", ["Score", "ToolCounts", "Issue", "Pair"])
def test_it_is_not_used_where_a_class_has_other_fields(name: str) -> None:
    code = (
        f"import msgspec, toolgauge.core as core; core.{name} = msgspec.defstruct('{name}', [('more', int, 0)], "
        f"bases=(core.{name},), frozen=True, gc=False); from toolgauge.compiled import AVAILABLE; print(AVAILABLE)"
    )
    assert (run(code).stdout, run(code.replace("[('more', int, 0)]", "[]")).stdout) == ("False\n", "True\n")


def test_sources_are_told_apart(tmp_path: Path) -> None:
    assert fingerprint(tmp_path) is None
    (tmp_path / "a.c").write_text("int one;")
    (tmp_path / "b.h").write_text("int two;")
    found = {fingerprint(tmp_path)}
    (tmp_path / "b.h").write_text("int three;")
    found.add(fingerprint(tmp_path))
    (tmp_path / "b.h").rename(tmp_path / "c.h")
    found.add(fingerprint(tmp_path))
    assert len(found) == 3
    assert all(one is not None and 0 <= one < 2**31 for one in found)


def test_it_is_there_where_a_compiler_is() -> None:
    compiler = (sysconfig.get_config_var("CC") or "").split()
    headers = Path(sysconfig.get_paths()["include"], "Python.h")
    if not compiler or shutil.which(compiler[0]) is None or not headers.exists():
        pytest.skip("there is no compiler here")
    assert AVAILABLE
