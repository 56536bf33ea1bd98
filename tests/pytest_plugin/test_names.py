"""What tests are called, and that what cannot be meant is said in words that pytest knows."""

from __future__ import annotations

import re
from pathlib import Path

from .test_plugin import run_pytest

SUITE = r"""
name: cửa hàng
cases:
  - {id: tìm_đơn, input: "Đơn số 7?", expect: {contains: [có]}}
  - {id: "a\e[2J\n::error::b", input: "!", expect: {contains: [có]}}
"""

TRACES = '{"case": "tìm_đơn", "output": "có"}\n{"input": "!", "output": "không"}\n'

PYTHON = """
import pytest
import toolgauge


@pytest.mark.toolgauge("suite.yaml", traces="traces.jsonl")
@pytest.mark.parametrize("number", [1])
def test_case(toolgauge_case, number):
    toolgauge_case.check()


def test_limit(toolgauge_gate):
    toolgauge_gate(toolgauge.score("suite.yaml", "traces.jsonl"), minimum={"f1": 80})
"""


def write(place: Path) -> None:
    (place / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (place / "traces.jsonl").write_text(TRACES, encoding="utf-8")
    (place / "test_python.py").write_text(PYTHON, encoding="utf-8")
    (place / "shop.toolgauge.yaml").write_text("suite: suite.yaml\ntraces: traces.jsonl\n", encoding="utf-8")


def test_tests_are_called_as_their_cases_and_no_name_moves_the_cursor(tmp_path: Path) -> None:
    write(tmp_path)
    done = run_pytest(tmp_path, "-rA", "-p", "no:cacheprovider", "--color=no", "--junitxml=junit.xml")
    assert "PASSED shop.toolgauge.yaml::tìm_đơn\n" in done.stdout
    assert "FAILED shop.toolgauge.yaml::a\\x1b[2J⏎::error::b - " in done.stdout
    assert "PASSED test_python.py::test_case[tìm_đơn-1]\n" in done.stdout
    assert "FAILED test_python.py::test_case[a\\x1b[2J⏎::error::b-1] - " in done.stdout
    assert "\x1b" not in done.stdout
    assert not any(line.startswith("::error::") for line in done.stdout.splitlines())
    assert 'name="tìm_đơn"' in (tmp_path / "junit.xml").read_text(encoding="utf-8")


def test_a_test_is_chosen_by_its_name(tmp_path: Path) -> None:
    write(tmp_path)
    for chosen in (["shop.toolgauge.yaml::tìm_đơn"], ["test_python.py::test_case[tìm_đơn-1]"], ["-k", "tìm_đơn"]):
        done = run_pytest(tmp_path, "-p", "no:cacheprovider", *chosen)
        assert done.returncode == 0, done.stdout
        assert f"{2 if chosen[0] == '-k' else 1} passed" in done.stdout


def test_what_cannot_be_meant_is_said_without_a_traceback(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "code.toolgauge.yaml").write_text("suite: suite.yaml\nrun: {agent: 'a:b'}\n", encoding="utf-8")
    done = run_pytest(tmp_path, "-p", "no:cacheprovider", "code.toolgauge.yaml", "test_python.py::test_limit")
    assert "'a:b' is Python code, which is run only with --toolgauge-allow-code" in done.stdout
    assert "f1 cannot be limited to 80: it lies between 0 and 1" in done.stdout
    assert not re.search(r"\.py:\d", done.stdout)
