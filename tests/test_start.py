"""What it costs to import and to start."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

import toolgauge


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_toolgauge_loads_nothing_heavy() -> None:
    loaded = modules_after("import toolgauge")
    assert not loaded & {"pydantic", "numpy", "rich", "jinja2", "asyncio", "yaml", "click", "msgspec"}


def test_what_only_some_inputs_need_is_loaded_for_no_others(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id,input,tools\na,q,t\n", encoding="utf-8")
    (tmp_path / "t.jsonl").write_text('{"case": "a", "calls": []}\n', encoding="utf-8")
    heavy = {"obstore", "pyarrow", "ray", "zstandard", "openpyxl", "bz2", "lzma", "zipfile", "psycopg"}
    ours = {f"toolgauge.{name}" for name in ("ray_cluster", "files.remote", "files.parquet", "files.unpacking")}
    score = f"from toolgauge import score\nscore({str(tmp_path / 's.csv')!r}, {str(tmp_path / 't.jsonl')!r})"
    for statement in ("import toolgauge", "import toolgauge.api, toolgauge.files", score):
        assert not set(modules_after(statement)) & (heavy | ours | {"toolgauge.api.pieces"}), statement


def test_scoring_from_python_loads_nothing_heavy() -> None:
    loaded = modules_after("import toolgauge; toolgauge.score")
    assert not loaded & {"pydantic", "numpy", "rich", "jinja2", "asyncio", "click"}


def test_help_imports_no_command_and_no_library() -> None:
    loaded = modules_after(
        "import contextlib, io; from toolgauge.cli import main; sys.argv = ['toolgauge', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()"
    )
    assert "toolgauge.cli" in loaded
    assert not loaded & {"pydantic", "numpy", "rich", "jinja2", "asyncio", "click", "msgspec"}


def test_the_help_of_a_command_loads_nothing_that_works() -> None:
    loaded = modules_after(
        "import contextlib, io; from toolgauge.cli import main; sys.argv = ['toolgauge', 'score', '--help']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()"
    )
    assert "toolgauge.cli.score" in loaded
    working = ("pipeline", "scoring", "store", "suites", "traces.read", "runner", "benchmarks")
    assert not loaded & {f"toolgauge.{name}" for name in (*working, "pages")}


def loaded_by(command: str, *arguments: str) -> set[str]:
    """What is loaded when a command has done its work."""
    return modules_after(
        "import contextlib, io; from toolgauge.cli import main\n"
        f"sys.argv = ['toolgauge', {command!r}, *{arguments!r}]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()"
    )


EXTRAS = {
    *("datasets", "dateparser", "openpyxl", "zstandard", "mcp", "pyarrow", "psycopg", "psycopg_pool", "ray", "obstore"),
    *("numpy", "pydantic_ai", "starlette", "uvicorn", "opentelemetry"),
}
"""What the extras of this package bring."""


@pytest.mark.parametrize("command", ["score", "convert", "compare", "lint", "infoseek", "merge", "report", "runs"])
def test_commands_load_nothing_of_the_extras_for_plain_files(command: str, tmp_path: Path) -> None:
    suite, traces, run, part, store = (
        str(tmp_path / name) for name in ("s.csv", "t.jsonl", "r.jsonl", "1.part", "x.db")
    )
    Path(suite).write_text("id,input,tools\na,q,t\n", encoding="utf-8")
    lines = [f'{{"case": "a", "agent": "{agent}", "calls": []}}\n' for agent in "xy"]
    Path(traces).write_text("".join(lines), encoding="utf-8")
    predictions, references = tmp_path / "p.jsonl", tmp_path / "r2.jsonl"
    predictions.write_text('{"data_id": "a", "prediction": "x"}\n', encoding="utf-8")
    known = '"answer_eval": ["x"], "data_split": "unseen_entity", "question_type": "String"'
    references.write_text(f'{{"data_id": "a", {known}}}\n', encoding="utf-8")
    assert not loaded_by("score", suite, traces, "--run-file", run, "--save", "--store", store) & EXTRAS
    assert not loaded_by("score", suite, traces, "--shard", "1/1", "-o", part) & EXTRAS
    arguments = {
        "score": [suite, traces],
        "convert": [traces, "-o", str(tmp_path / "c.jsonl")],
        "compare": [run],
        "lint": [suite, "--runs", run],
        "infoseek": [str(predictions), str(references)],
        "merge": [part],
        "report": [run],
        "runs": ["list", "--store", store],
    }
    out = str(tmp_path / "out")
    more = [] if command in ("convert", "runs") else ["--format", "json", "-o", out]
    assert not loaded_by(command, *arguments[command], *more) & EXTRAS
    assert command in ("convert", "runs") or Path(out).read_text(encoding="utf-8")


MESSAGES = (
    '{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": null, "tool_calls": '
    '[{"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}]}\n'
)


def test_converting_loads_nothing_that_scores(tmp_path: Path) -> None:
    log, native = tmp_path / "log.jsonl", tmp_path / "native.jsonl"
    log.write_text(MESSAGES)
    loaded = loaded_by("convert", str(log), "-o", str(native))
    assert native.read_text().count("look") == 1
    scoring = ("pipeline", "scoring", "metrics", "suites.load", "locale", "report.run")
    assert not loaded & {f"toolgauge.{name}" for name in scoring}


def test_a_reader_is_loaded_when_those_before_it_do_not_know_a_record(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"messages": [{"type": "human", "content": "hi"}, {"type": "ai", "content": "hello"}]}\n')
    loaded = loaded_by("convert", str(log), "-o", str(tmp_path / "native.jsonl"))
    assert "toolgauge.traces.formats.langchain" in loaded
    assert not loaded & {f"toolgauge.traces.formats.{name}" for name in ("anthropic", "vercel", "gemini", "bfcl")}


def test_scoring_lines_of_one_agent_loads_no_tables_and_no_statistics_of_several(tmp_path: Path) -> None:
    suite, traces = tmp_path / "suite.json", tmp_path / "traces.jsonl"
    suite.write_text('{"cases": [{"id": "a", "input": "hi", "expect": {"calls": [{"tool": "look"}]}}]}')
    traces.write_text('{"case": "a", "agent": "x", "calls": [{"tool": "look", "args": {}}], "output": "done"}\n')
    loaded = loaded_by("score", str(suite), str(traces))
    assert "toolgauge.pipeline" in loaded
    needless = ("locale", "parallel", "traces.archives", "suites.propose", "stats.permutation", "stats.arrays")
    assert not loaded & {*(f"toolgauge.{name}" for name in needless), "multiprocessing", "tempfile", "zipfile"}


def test_help_takes_at_most_six_times_as_long_as_an_empty_program() -> None:
    def took(*arguments: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        return time.perf_counter() - started

    pairs = [(took("-c", "pass"), took("-m", "toolgauge", "--help")) for _ in range(15)]
    assert min(pair[1] for pair in pairs) <= 6 * min(pair[0] for pair in pairs)


def test_every_public_name_is_there_and_the_list_is_sorted() -> None:
    assert toolgauge.__all__ == sorted(toolgauge.__all__)
    for name in toolgauge.__all__:
        assert getattr(toolgauge, name).__doc__
    assert set(toolgauge.__all__) <= set(dir(toolgauge))
