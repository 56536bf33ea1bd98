"""Credentials in places where one does not think of them: the question, headers, everyday words, a killed run."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

import toolgauge
from tests.cli.running import toolgauge as call
from tests.runner.test_faults import MINE, SAMPLES, start, until
from tests.runner.weather import command, counts, only, suite, write_suite
from tests.servers import unused_port
from toolgauge.agents.endpoint import HttpAgent
from toolgauge.core import Case, Toolbox

KEY = "sk-very-secret-0123456789"


def artifacts(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def write_hostile(folder: Path) -> None:
    """A suite that holds a key in a question, in what it expects, and in what a tool answers."""
    tool = {"name": "log_in", "results": [{"when": {"key": KEY}, "result": f"welcome {KEY}"}, {"error": "no"}]}
    case = {
        "id": "a",
        "input": f"Log in with {KEY}",
        "expect": {"calls": [{"tool": "log_in", "args": {"key": KEY}}], "contains": [f"welcome {KEY}"]},
    }
    (folder / "hostile.json").write_text(json.dumps({"tools": [tool], "cases": [case]}), encoding="utf-8")


def test_a_key_in_the_suite_works_and_is_not_kept(tmp_path: Path) -> None:
    """H11: agents and tools get the real one, and the case passes."""
    place = tmp_path / "run"
    place.mkdir()
    write_hostile(tmp_path)
    arguments = ("../hostile.json", "--agent", f"{SAMPLES}:logs_in", *MINE, "--record", "run.cassette")
    code, output, errors = command(place, *arguments, "--details", "--failures", SECRET_API_KEY=KEY)
    assert (code, "1 planned = 1 passed" in output) == (0, True), errors
    printed = [output, errors]
    for form in ("text", "md", "json", "csv", "latex", "run"):
        done = call("report", "latest", "--store", "runs.db", "--format", form, "-o", f"r.{form}", cwd=place)
        printed += [done.stdout, done.stderr]
    done = call("gate", "latest", "--store", "runs.db", "--min-pass-rate", "1", "--junit", "r.xml", cwd=place)
    assert done.returncode == 0, done.stderr
    done = call("runs", "export", "latest", "--store", "runs.db", "-o", "export.jsonl", cwd=place)
    assert done.returncode == 0, done.stderr
    assert KEY not in "".join([*printed, done.stdout, done.stderr])
    names = {path.name for path in artifacts(place)}
    assert {"runs.db", "run.cassette", "r.json", "r.xml", "export.jsonl"} <= names
    for path in artifacts(place):
        assert KEY.encode() not in path.read_bytes(), path
    code, output, errors = command(place, *arguments[:-2], "--resume", "latest", SECRET_API_KEY=KEY)
    assert (code, "1 planned = 1 passed" in output) == (0, True), errors


@pytest.mark.parametrize("word", ["password", "completed", "get_weather", "duration"])
def test_a_password_that_is_an_everyday_word_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """What a thing is known by stays, and the same word in suite and trajectory still fits."""
    monkeypatch.setenv("POSTGRES_PASSWORD", word)
    case = {
        "id": "forgot_password",
        "input": "I forgot my password",
        "expect": {"calls": [{"tool": "get_weather", "args": {"city": "password"}}], "contains": ["completed"]},
    }
    path = tmp_path / "suite.json"
    path.write_text(json.dumps({"tools": [{"name": "get_weather"}], "cases": [case]}), encoding="utf-8")

    async def answer(case: Case, tools: Toolbox) -> str:
        await tools.call("get_weather", {"city": "password"})
        return "It is completed."

    store = tmp_path / "runs.db"
    for resume in (None, "latest"):
        run = toolgauge.run(path, {"my_password_agent": answer}, store=store, resume=resume)
        assert counts(run) == {"passed": 1}
        assert (only(run).case, only(run).agent, only(run).state) == (
            "forgot_password",
            "my_password_agent",
            "completed",
        )


def test_headers_of_an_agent_are_known(tmp_path: Path) -> None:
    """H11: an object from Python brings them, and an error repeats them."""
    token = "bearer-token-0123456789"  # noqa: S105 - not a real one
    agent = HttpAgent(f"http://127.0.0.1:{unused_port()}/agent", headers={"Authorization": f"Bearer {token}"})

    class Repeats:
        name = "repeats"
        url, headers = agent.url, agent.headers

        async def __call__(self, case: Case, tools: Toolbox) -> str:
            raise RuntimeError(f"refused: {self.headers['Authorization']}")

    run = toolgauge.run(suite(1), Repeats(), store=tmp_path / "runs.db")
    assert str(only(run).error).startswith("RuntimeError: refused: Bearer [redacted Authorization] (")
    for path in artifacts(tmp_path):
        assert token.encode() not in path.read_bytes(), path


def test_what_a_killed_run_leaves_behind_holds_no_key(tmp_path: Path) -> None:
    """H11: the journal of a call that was never finished, and the file with the latest changes."""
    write_suite(tmp_path, 2)
    arguments = ("suite.json", "--agent", f"{SAMPLES}:leaks_and_hangs", "--tools", f"{SAMPLES}:leaky", *MINE)
    process = start(tmp_path, *arguments, "--record", "run.cassette", SECRET_API_KEY=KEY)
    until(tmp_path / "hanging-c0")
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    names = {path.name for path in artifacts(tmp_path)}
    assert {"runs.db", "runs.db-wal", "run.cassette"} <= names
    for path in artifacts(tmp_path):
        assert KEY.encode() not in path.read_bytes(), path
    assert b"[redacted SECRET_API_KEY]" in (tmp_path / "runs.db-wal").read_bytes()


def test_a_traceback_for_the_curious_shows_no_key(tmp_path: Path) -> None:
    """H11: `--debug` prints where an error comes from."""
    write_suite(tmp_path, 1)
    url = f"http://me:{KEY}@127.0.0.1:{unused_port()}/mcp"
    done = call("run", "suite.json", "--model", "local:lexical", "--mcp", url, "--debug", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "cannot be used" in done.stderr
    assert KEY not in done.stdout + done.stderr
