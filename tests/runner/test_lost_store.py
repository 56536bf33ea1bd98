"""A store that is removed, renamed or replaced while a run writes it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import toolgauge
from tests.cli.running import toolgauge as command_line
from tests.runner.weather import counts, suite, write_suite
from toolgauge import api
from toolgauge.core import Case, Toolbox
from toolgauge.errors import StoreLost


def _rename(store: Path) -> None:
    store.rename(store.with_name("moved.db"))


def _replace(store: Path) -> None:
    store.unlink()
    store.write_bytes(b"something else")


def _with_all(store: Path) -> None:
    for file in store.parent.glob("runs.db*"):
        file.unlink()


def _folder(store: Path) -> None:
    shutil.rmtree(store.parent)


@pytest.mark.parametrize("lose", [Path.unlink, _rename, _replace, _with_all, _folder])
def test_a_store_that_is_lost_is_noticed_and_nothing_else_is(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    store = folder / "runs.db"

    async def agent(case: Case, tools: Toolbox) -> str:
        if case.id == "c2":
            lose(store)
        return f"It says {(await tools.call('get_weather', {'city': 'Hanoi'})).text}"

    outcome = api.execute_run(suite(6), agent, store=store, concurrency=1)
    assert isinstance(outcome.error, StoreLost)
    assert outcome.error.exit_code == 3
    assert counts(outcome.run) == {"passed": 3, "not_run": 3}
    assert "the store was removed, renamed or replaced" in str(outcome.error)
    (saved,) = tmp_path.rglob("*.run.jsonl")
    assert saved.parent in (folder, tmp_path)
    assert f"Finished work is saved in {saved}" in str(outcome.error)
    # It can be read, and put into a store.
    assert [one.trajectory.case for one in outcome.run.scored] == [f"c{n}" for n in range(6)]
    with api.open_store(tmp_path / "new.db") as opened:
        again = api.import_run(opened, saved)
    assert counts(toolgauge.api.load_run(again, store=tmp_path / "new.db")) == {"passed": 3}


def test_the_command_says_where_the_rest_is(tmp_path: Path) -> None:
    write_suite(tmp_path, 4)
    (tmp_path / "loses.py").write_text(
        "import os\n"
        "async def agent(case, tools):\n"
        "    if case.id == 'c1':\n"
        "        os.rename('.toolgauge/runs.db', 'elsewhere.db')\n"
        "    return str((await tools.call('get_weather', {'city': 'Hanoi'})).text)\n",
        encoding="utf-8",
    )
    arguments = ("suite.json", "--agent", "loses:agent", "--allow-code", "--concurrency", "1")
    done = command_line("run", *arguments, cwd=tmp_path, PYTHONPATH=str(tmp_path))
    code, output, errors = done.returncode, done.stdout, done.stderr
    assert code == 3
    assert "4 planned = 2 passed + 0 failed + 2 not run" in output
    assert "saved as run" not in errors
    (saved,) = (tmp_path / ".toolgauge").glob("*.run.jsonl")
    assert f"toolgauge runs import {saved}" in errors
