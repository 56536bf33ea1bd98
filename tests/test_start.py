"""What it costs to import and to start."""

from __future__ import annotations

import subprocess
import sys
import time

import toolgauge


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_toolgauge_loads_nothing_heavy() -> None:
    loaded = modules_after("import toolgauge")
    assert not loaded & {"pydantic", "numpy", "rich", "jinja2", "asyncio", "yaml", "click", "msgspec"}


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
