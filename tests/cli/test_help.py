"""`help`, `-h`, `schema` and `completion`: finding out what there is, by reading and by the tab key."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from tests.catalogue.templates import command_names
from tests.test_start import modules_after
from toolgauge.cli import COMMANDS

from .running import toolgauge


@pytest.mark.parametrize("name", command_names())
def test_help_is_the_same_however_it_is_asked_for(name: str) -> None:
    words = name.split()
    shown = toolgauge(*words, "--help")
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"Usage: toolgauge {name}")
    assert "-h, --help" in shown.stdout
    assert "--lang [en|vi]" in shown.stdout
    assert toolgauge(*words, "-h").stdout == shown.stdout
    assert toolgauge("help", *words).stdout == shown.stdout


def test_help_without_a_command_lists_all() -> None:
    shown = toolgauge("help").stdout
    assert shown == toolgauge("--help").stdout == toolgauge("-h").stdout == toolgauge().stdout
    for name, about in COMMANDS.items():
        assert f"  {name} " in shown
        assert about in shown


def test_help_of_a_command_that_there_is_not() -> None:
    done = toolgauge("help", "scroe")
    assert (done.returncode, done.stderr) == (2, "Error: there is no command 'scroe'; did you mean 'score'?\n")
    done = toolgauge("help", "qqqqqqqq")
    assert (done.returncode, done.stderr) == (
        2,
        "Error: there is no command 'qqqqqqqq'; toolgauge help lists them\n",
    )
    assert toolgauge("help", "runs", "nothing").returncode == 2


def test_the_schema_that_is_printed_accepts_what_init_writes(tmp_path: Path) -> None:
    printed = toolgauge("schema").stdout
    validator = jsonschema_rs.validator_for(json.loads(printed))
    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    suite = yaml.safe_load((tmp_path / "demo" / "suite.yaml").read_text(encoding="utf-8"))
    assert validator.is_valid(suite)
    assert not validator.is_valid({**suite, "casess": []})
    assert toolgauge("schema", "-o", "s.json", cwd=tmp_path).stdout == ""
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == printed


def asked(line: str, shell: str = "bash") -> list[str]:
    """What a line can be completed to, as the script of a shell asks for it."""
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    place = words[-1] if shell == "fish" else str(len(words) - 1)
    done = toolgauge(COMP_WORDS=line, COMP_CWORD=place, _TOOLGAUGE_COMPLETE=f"{shell}_complete")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")


def test_commands_options_choices_and_files_are_completed() -> None:
    assert "plain,score" in asked("toolgauge sc")
    assert {f"plain,{name}" for name in COMMANDS} <= set(asked("toolgauge "))
    assert "plain,--failures" in asked("toolgauge score --fail")
    assert {"plain,json", "plain,html"} <= set(asked("toolgauge score a b --format "))
    assert "plain,vi" in asked("toolgauge runs list --lang ")
    assert "plain,export" in asked("toolgauge runs ex")
    assert "plain,completion" in asked("toolgauge help comp")
    assert asked("toolgauge score ")[0] == "file,"
    assert asked("toolgauge score a b -o ")[0] == "file,"
    assert asked("toolgauge gate x --junit ")[0] == "file,"
    assert asked("toolgauge score --by ") == ["", ""]
    assert any(line.startswith("plain,score\tScore recorded") for line in asked("toolgauge sco", "fish"))
    assert asked("toolgauge sco", "zsh")[:3] == ["plain", "score", "Score recorded traces against a suite."]


def test_a_shell_that_is_not_known_is_refused() -> None:
    assert toolgauge("completion", "tcsh").returncode == 2
    assert toolgauge(_TOOLGAUGE_COMPLETE="tcsh_complete").returncode == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_ask_this_program(shell: str) -> None:
    script = toolgauge("completion", shell).stdout
    assert f"_TOOLGAUGE_COMPLETE={shell}_complete" in script
    assert "toolgauge" in script


def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    """The script is sourced by a real shell, and its function is called as the tab key does."""
    script = toolgauge("completion", "bash").stdout
    (tmp_path / "toolgauge").write_text(f'#!/bin/sh\nexec {sys.executable} -m toolgauge "$@"\n', encoding="utf-8")
    (tmp_path / "toolgauge").chmod(0o755)
    program = f"""{script}
COMP_WORDS=(toolgauge run --mod); COMP_CWORD=2; COMPREPLY=()
_toolgauge_completion toolgauge
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", program],  # noqa: S607 - the one that is there
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["--model"]


def test_completing_imports_only_the_command_that_is_written() -> None:
    loaded = modules_after(
        "import os; os.environ.update(COMP_WORDS='toolgauge score --f', COMP_CWORD='2', "
        "_TOOLGAUGE_COMPLETE='bash_complete')\n"
        "import contextlib, io; from toolgauge.cli import main; sys.argv = ['toolgauge']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()"
    )
    assert "toolgauge.cli.score" in loaded
    assert not loaded & {"toolgauge.cli.run", "toolgauge.cli.gate", "rich", "numpy", "toolgauge.pipeline"}


def test_declining_to_delete_is_no_internal_error(tmp_path: Path) -> None:
    import pty

    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    assert toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", "x", cwd=tmp_path).returncode == 0
    master, slave = pty.openpty()
    os.write(master, b"n\n")
    done = subprocess.run(
        [sys.executable, "-m", "toolgauge", "runs", "delete", "x"],
        cwd=tmp_path,
        stdin=slave,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    os.close(slave)
    os.close(master)
    assert done.returncode == 130
    assert "internal error" not in done.stderr
    assert toolgauge("report", "x", cwd=tmp_path).returncode == 0
