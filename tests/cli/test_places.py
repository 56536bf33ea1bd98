"""Results never take the place of a store, an input or another result, and are not waited for where they cannot be."""

from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from tests.cli.running import toolgauge
from tests.runner.weather import ROOT, write_suite
from toolgauge import api
from toolgauge.cli import COMMANDS as PROGRAM
from toolgauge.core import suite_hash
from toolgauge.errors import OutputError, UsageError
from toolgauge.store import check_places

SAMPLES = "tests.runner.sample_agents"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite, traces, a store with two runs, and a run file."""
    place = tmp_path_factory.mktemp("made")
    write_suite(place)
    lines = [{"case": f"c{n}", "agent": "a", "calls": [], "output": "31"} for n in range(3)]
    (place / "traces.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    for store in ("s.db", ".toolgauge/runs.db"):
        done = toolgauge("score", "suite.json", "traces.jsonl", "--save", "x", "--store", store, cwd=place)
        assert done.returncode == 0, done.stderr
    assert toolgauge("runs", "export", "latest", "-o", "x.run.jsonl", cwd=place).returncode == 0
    os.link(place / "s.db", place / "hard")
    os.link(place / "traces.jsonl", place / "same.jsonl")
    for file in ("1.part", "judged.jsonl", "predictions.jsonl", "prices.yaml", "x.run.reviews.jsonl"):
        (place / file).write_text("{}\n", encoding="utf-8")
    for folder in ("folder", "references"):
        (place / folder).mkdir()
    (place / "references" / "a.parquet").write_bytes(b"PAR1")
    (place / "folder" / "more.jsonl").write_bytes((place / "traces.jsonl").read_bytes())
    for archive in ("packed.zip", "folder/packed.zip"):
        with zipfile.ZipFile(place / archive, "w") as packed:
            packed.write(place / "traces.jsonl", "traces.jsonl")
            packed.write(place / "traces.jsonl", "more.jsonl")
    (place / "soft").symlink_to("s.db")
    return place


def contents(folder: Path) -> dict[str, bytes]:
    """Everything that is in a folder."""
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


COMMANDS = {
    "export": ("runs", "export", "latest", "--store", "s.db", "-o", "{}"),
    "salvage": ("runs", "salvage", "s.db", "-o", "{}"),
    "score": ("score", "suite.json", "traces.jsonl", "--save", "y", "--store", "s.db", "-o", "{}"),
    "run file": ("score", "suite.json", "traces.jsonl", "--save", "y", "--store", "s.db", "--run-file", "{}"),
    "run": ("run", "suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code", "--store", "s.db", "-o", "{}"),
    "record": (
        "run",
        "suite.json",
        "--agent",
        f"{SAMPLES}:scripted",
        "--allow-code",
        "--store",
        "s.db",
        "--record",
        "{}",
    ),
    "run file of a run": (
        *("run", "suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code"),
        *("--store", "s.db", "--run-file", "{}"),
    ),
    "report": ("report", "latest", "--store", "s.db", "-o", "{}"),
    "compare": ("compare", "x.run.jsonl", "latest", "--store", "s.db", "-o", "{}"),
    "diagnose": ("diagnose", "latest", "--store", "s.db", "-o", "{}"),
    "gate": ("gate", "latest", "--store", "s.db", "-o", "{}"),
    "junit": ("gate", "latest", "--store", "s.db", "--junit", "{}"),
    "summary": ("gate", "latest", "--store", "s.db", "--summary", "{}"),
    "lint": ("lint", "suite.json", "-o", "{}"),
    "convert": ("convert", "traces.jsonl", "-o", "{}"),
    "demo": ("demo", "--store", "s.db", "-o", "{}"),
    "init": ("init", "--from-traces", "traces.jsonl", "--force", "-o", "{}"),
    "merge": ("merge", "1.part", "-o", "{}"),
    "run file of parts": ("merge", "1.part", "--run-file", "{}"),
    "table": ("export", "x.run.jsonl", "--to", "parquet", "-o", "{}"),
    "answers": ("answers", "check", "judged.jsonl", "-o", "{}"),
    "infoseek": ("infoseek", "predictions.jsonl", "references", "-o", "{}"),
    "schema": ("schema", "-o", "{}"),
}
"""Every option by which a file is written, of every command."""

WRITING = {"-o", "--run-file", "--record", "--junit", "--summary"}

READ = {
    "score": ("suite.json", "traces.jsonl", "same.jsonl"),
    "run file": ("suite.json", "traces.jsonl"),
    "run": ("suite.json", "prices.yaml", "x.run.jsonl"),
    "record": ("suite.json", "prices.yaml", "x.run.jsonl"),
    "run file of a run": ("suite.json", "prices.yaml", "x.run.jsonl"),
    "report": ("x.run.jsonl", "x.run.reviews.jsonl"),
    "compare": ("x.run.jsonl", "x.run.reviews.jsonl"),
    "diagnose": ("suite.json", "packed.zip"),
    "gate": ("suite.json", "traces.jsonl", "x.run.jsonl"),
    "junit": ("suite.json", "traces.jsonl", "x.run.jsonl"),
    "summary": ("suite.json", "traces.jsonl", "x.run.jsonl"),
    "lint": ("suite.json", "x.run.jsonl"),
    "convert": ("suite.json", "folder/packed.zip", "folder/more.jsonl"),
    "init": ("traces.jsonl",),
    "merge": ("1.part",),
    "run file of parts": ("1.part",),
    "table": ("x.run.jsonl",),
    "answers": ("judged.jsonl",),
    "infoseek": ("predictions.jsonl", "references/a.parquet"),
}
"""What the commands below read."""

MORE = {
    "run": ("--prices", "prices.yaml", "--failed-of", "x.run.jsonl"),
    "record": ("--prices", "prices.yaml", "--failed-of", "x.run.jsonl"),
    "run file of a run": ("--prices", "prices.yaml", "--failed-of", "x.run.jsonl"),
    "lint": ("--runs", "x.run.jsonl"),
}
OTHERWISE = {
    "report": ("report", "x.run.jsonl", "--with-reviews", "-o", "{}"),
    "diagnose": ("diagnose", "packed.zip/traces.jsonl", "--suite", "suite.json", "-o", "{}"),
    "gate": ("gate", "traces.jsonl", "--suite", "suite.json", "--baseline", "x.run.jsonl", "-o", "{}"),
    "junit": ("gate", "traces.jsonl", "--suite", "suite.json", "--baseline", "x.run.jsonl", "--junit", "{}"),
    "summary": ("gate", "traces.jsonl", "--suite", "suite.json", "--baseline", "x.run.jsonl", "--summary", "{}"),
    "convert": ("convert", "folder", "--suite", "suite.json", "-o", "{}"),
}
"""With more inputs, or others."""


def written_options(command: click.Command, *names: str) -> Iterator[tuple[str, str]]:
    """The commands, each with an option by which it writes a file."""
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from written_options(inner, *names, name)
        return
    for parameter in command.params:
        yield from ((" ".join(names), option) for option in parameter.opts if option in WRITING)


def test_every_option_that_writes_is_tried() -> None:
    known = {
        found for name in PROGRAM for found in written_options(import_module(f"toolgauge.cli.{name}").command, name)
    }
    names = {command for command, _ in known}
    tried = set()
    for words in COMMANDS.values():
        command = " ".join(words[:2]) if " ".join(words[:2]) in names else words[0]
        tried.add((command, words[words.index("{}") - 1]))
    assert tried == known
    assert READ.keys() == COMMANDS.keys() - {"export", "salvage", "demo", "schema"}, "these read nothing but a store"


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_overwrites_a_store(made: Path, name: str) -> None:
    before = {file: (made / file).read_bytes() for file in ("s.db", ".toolgauge/runs.db")}
    for target in ("s.db", "hard", "soft", "./s.db", ".toolgauge/runs.db"):
        arguments = [part.format(target) for part in COMMANDS[name]]
        done = toolgauge(*arguments, cwd=made, PYTHONPATH=str(ROOT))
        assert (done.returncode, done.stdout) == (2, ""), (target, done.stderr)
        assert f"{target.removeprefix('./')} is a store of runs and cannot be overwritten" in done.stderr.replace(
            "./", ""
        )
    assert before == {file: (made / file).read_bytes() for file in before}


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_what_belongs_to_a_store_is_the_store(tmp_path: Path, ending: str) -> None:
    store = tmp_path / "s.db"
    for address in (store, f"sqlite:///{store}"):
        with pytest.raises(UsageError, match="is a store of runs"):
            check_places({"-o": f"{store}{ending}"}, store=address)
    check_places({"-o": tmp_path / "other.txt"}, store=store)


@pytest.mark.parametrize("name", READ)
def test_no_command_overwrites_what_it_reads(made: Path, name: str) -> None:
    before = contents(made)
    for target in READ[name]:
        arguments = [part.format(target) for part in (*OTHERWISE.get(name, COMMANDS[name]), *MORE.get(name, ()))]
        done = toolgauge(*arguments, cwd=made, PYTHONPATH=str(ROOT))
        assert (done.returncode, done.stdout) == (2, ""), (target, done.stderr)
        assert f"{target} is an input and cannot be overwritten" in done.stderr
    assert contents(made) == before


def test_a_suite_is_never_written_over_a_run_or_a_store(made: Path) -> None:
    before = contents(made)
    for target in ("x.run.jsonl", "s.db", "traces.jsonl", "packed.zip"):
        done = toolgauge("cases", "add", "x.run.jsonl", "c0", "--to", target, cwd=made)
        assert (done.returncode, done.stdout) == (2, ""), (target, done.stderr)
    assert contents(made) == before


def test_inputs_and_other_results_are_not_overwritten(made: Path) -> None:
    score = ("score", "suite.json", "traces.jsonl")
    for arguments, words in (
        ((*score, "-o", "same.jsonl"), "same.jsonl is an input and cannot be overwritten; name another file after -o"),
        ((*score, "--run-file", "suite.json"), "suite.json is an input"),
        ((*score, "-o", "new.txt", "--run-file", "./new.txt"), "-o and --run-file name the same file"),
        (("gate", "x.run.jsonl", "--junit", "j", "--summary", "j"), "--junit and --summary name the same file"),
        (("gate", "x.run.jsonl", "--junit", "x.run.jsonl"), "x.run.jsonl is an input"),
        (("run", "suite.json", "-o", "z", "--record", "z"), "-o and --record name the same file"),
        (("run", "suite.json", "--record", "suite.json"), "suite.json is an input"),
    ):  # fmt: skip
        done = toolgauge(*arguments, cwd=made)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
    renamed = toolgauge(*score, "--run-file", "suite.json", cwd=made).stderr
    assert renamed.endswith("; name another file after --run-file\n")
    both = toolgauge("gate", "x.run.jsonl", "-o", "/dev/null", "--junit", "/dev/null", cwd=made)
    assert both.returncode in (0, 1)


def test_a_folder_that_is_not_there_is_noticed_before_the_work(made: Path) -> None:
    for arguments in (
        ("run", "suite.json", "--agent", f"{SAMPLES}:writes_files", "--allow-code", "-o", "nodir/x"),
        ("run", "suite.json", "--agent", f"{SAMPLES}:writes_files", "--allow-code", "--record", "nodir/x"),
        ("score", "suite.json", "traces.jsonl", "--run-file", "nodir/x"),
        ("gate", "x.run.jsonl", "--junit", "nodir/x"),
    ):
        done = toolgauge(*arguments, cwd=made, PYTHONPATH=str(ROOT))
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "Error: nodir/x: cannot be written: the directory does not exist\n"
    assert not (made / "executed.txt").exists()
    with pytest.raises(OutputError, match="this is a directory"):
        check_places({"-o": made})


def test_the_python_door_does_not_record_into_the_store(made: Path) -> None:
    with pytest.raises(UsageError, match="is a store of runs"):
        api.run(made / "suite.json", lambda case, tools: "", store=made / "s.db", record=made / "s.db")


def test_an_imported_run_cannot_change_what_other_runs_rest_on(made: Path, tmp_path: Path) -> None:
    """A file that says that its suite is another one, whose hash everybody can compute."""
    own = api.load_suite(made / "suite.json")
    lines = (made / "x.run.jsonl").read_text(encoding="utf-8").splitlines()
    header = json.loads(lines[0])
    assert header["suite_hash"] == suite_hash(own)
    header["suite"]["cases"][0]["expect"] = {"calls": [{"tool": "transfer_money"}]}
    file = tmp_path / "poisoned.run.jsonl"
    file.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n", encoding="utf-8")
    store = tmp_path / "s.db"
    with api.open_store(store) as opened:
        poisoned = api.import_run(opened, file)
        assert opened.info(poisoned).suite_hash != suite_hash(own)
        assert opened.open_run(poisoned).header.suite_hash == suite_hash(opened.open_run(poisoned).header.suite)
        kept = opened.keep(api.load_run(made / "x.run.jsonl").header, [])
        assert opened.open_run(kept).header.suite == own
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT COUNT(*) FROM suites").fetchone() == (2,)
    connection.close()


LONG = "x" * 300


@pytest.mark.parametrize(
    "words",
    [
        ("init", LONG),
        ("init", LONG, "--from-traces", "traces.jsonl"),
        ("init", "--from-traces", "traces.jsonl", "-o", LONG),
        ("score", LONG, "traces.jsonl"),
        ("score", "suite.yaml", "traces.jsonl", "-o", LONG),
        ("score", "suite.yaml", "traces.jsonl", "--parts", LONG),
        ("report", "traces.jsonl", "-o", LONG),
        ("runs", "list", "--store", LONG),
        ("runs", "salvage", LONG, "-o", "new.db"),
        ("runs", "salvage", "suite.yaml", "-o", LONG),
        ("cases", "add", "traces.jsonl", "x", "--to", LONG),
        ("watch", "--follow", LONG, "--once", "--state", LONG),
        ("run", "suite.yaml", "--model", "local:lexical", "--replay", LONG),
        ("run", "suite.yaml", "--model", "local:lexical", "--record", LONG),
    ],
)
def test_a_name_that_is_too_long_for_a_file_is_no_fault_of_toolgauge(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "suite.yaml").write_text("name: s\ncases: [{id: c, input: q, expect: {calls: []}}]\n")
    (tmp_path / "traces.jsonl").write_text('{"case":"c","output":"x"}\n')
    done = toolgauge(*words, cwd=tmp_path)
    assert done.returncode in (2, 3), done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("baseline", "set", "x@latest", "--name", "\udcff", "--store", "s.db"),
        ("score", "suite.json", "traces.jsonl", "--save", "a\udc80", "--store", "s.db"),
        ("runs", "import", "a.run.jsonl", "--name", "\udcff", "--store", "s.db"),
        ("run", "suite.json", "--model", "local:lexical", "--name", "\udcff", "--store", "s.db"),
        ("runs", "delete", "\udcff", "--yes", "--store", "s.db"),
        ("report", "\udcff", "--store", "s.db"),
        ("gate", "x@latest", "--baseline", "\udcff", "--store", "s.db"),
    ],
)
def test_a_name_that_is_not_utf_8_is_bad_usage(made: Path, words: tuple[str, ...]) -> None:
    done = toolgauge(*words, cwd=made)
    assert done.returncode == 2, done.stderr
    assert "internal error" not in done.stderr
