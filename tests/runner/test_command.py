"""`toolgauge run` as a person meets it: options, exit codes, messages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.runner.weather import command, write_suite

SAMPLES = "tests.runner.sample_agents"


def test_a_run_prints_the_report_and_says_where_it_is_kept(tmp_path: Path) -> None:
    write_suite(tmp_path, 2)
    code, output, errors = command(
        tmp_path, "suite.json", "--agent", f"mine={SAMPLES}:scripted,{SAMPLES}:writes_files", "--allow-code"
    )
    assert code == 0
    assert output.startswith("weather: 2 cases, 2 agents\n")
    assert "4 planned = 4 passed + 0 failed\n" in output
    found = re.search(r"^Note: saved as run (\S+) in \.toolgauge/runs\.db$", errors, re.M)
    assert found is not None
    assert "--resume" not in errors
    shown = toolgauge("report", found[1][:15], cwd=tmp_path).stdout
    assert shown == output
    assert toolgauge("report", "latest", "--format", "json", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("form", ["json", "run", "csv", "md"])
def test_other_formats_go_to_a_file(tmp_path: Path, form: str) -> None:
    write_suite(tmp_path, 2)
    arguments = ("suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code", "--format", form, "-o", "out")
    code, output, _ = command(tmp_path, *arguments)
    assert (code, output) == (0, "")
    written = (tmp_path / "out").read_text(encoding="utf-8")
    if form == "json":
        assert json.loads(written)["counts"]["passed"] == 2
    if form == "run":
        assert toolgauge("report", "out", cwd=tmp_path).stdout.startswith("weather: 2 cases, 1 agent")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--agent", "tools"), "the agent 'tools' needs a model; name one with --model"),
        (("--agent", "toolz"), "there is no agent 'toolz'; did you mean 'tools'?"),
        (("--agent", "a=tools,a=tools"), "two agents are called 'a'"),
        (("--agent", "my_module:agent"), "'my_module:agent' is Python code, which is run only with --allow-code"),
        (("--agent", "no_such_module:agent", "--allow-code"), "'no_such_module:agent' cannot be imported"),
        (("--agent", f"{SAMPLES}:scripted", "--allow-code", "--resume", "latest"), "there are no runs in this store"),
        (("--agent", f"{SAMPLES}:scripted", "--allow-code", "--replay", "none"), "none: "),
        (("--agent", f"{SAMPLES}:scripted", "--tools", f"{SAMPLES}:raises"), "is run only with --allow-code"),
        (
            ("--agent", f"{SAMPLES}:scripted", "--allow-code", "--tools", f"{SAMPLES}:raises"),
            "case 'c0' expects the tool 'get_weather', which agents do not get",
        ),
        (
            ("--agent", f"{SAMPLES}:scripted", "--allow-code", "-o", "suite.json"),
            "is an input and cannot be overwritten",
        ),
        (("--trials", "0"), "Invalid value for '--trials'"),
        (("--limit-seconds", "0"), "Invalid value for '--limit-seconds'"),
    ],
)
def test_what_does_not_fit_together_ends_with_2_and_nothing_is_run(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    write_suite(tmp_path, 1)
    code, output, errors = command(tmp_path, "suite.json", *arguments)
    assert (code, output) == (2, "")
    assert words in errors
    assert len(errors.splitlines()) <= 5


def test_a_schema_that_is_none_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    suite = {"tools": [{"name": "t", "parameters": {"type": "nothing"}}], "cases": [{"id": "a", "input": "?"}]}
    (tmp_path / "suite.json").write_text(json.dumps(suite), encoding="utf-8")
    code, _, errors = command(tmp_path, "suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code")
    assert (code, "not a JSON schema" in errors) == (2, True)


def test_an_empty_suite_is_nothing_to_do(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text('{"cases": []}', encoding="utf-8")
    code, _, errors = command(tmp_path, "suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code")
    assert (code, "there are no cases in this suite" in errors) == (5, True)


def test_a_changed_suite_is_not_gone_on_with(tmp_path: Path) -> None:
    """A7."""
    write_suite(tmp_path, 2)
    arguments = ("suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code")
    assert command(tmp_path, *arguments)[0] == 0
    write_suite(tmp_path, 3)
    code, output, errors = command(tmp_path, *arguments, "--resume", "latest")
    assert (code, output) == (2, "")
    assert "cannot be resumed because its settings differ" in errors
    assert "suite: 1 case added: c2" in errors
    code, output, _ = command(tmp_path, *arguments, "--resume", "latest", "--force")
    assert (code, "3 planned = 3 passed" in output) == (0, True)


def test_the_help_names_every_option_and_loads_little() -> None:
    done = toolgauge("run", "--help")
    assert done.returncode == 0
    for option in ("--agent", "--model", "--base-url", "--trials", "--resume", "--record", "--replay", "--mcp"):
        assert option in done.stdout
