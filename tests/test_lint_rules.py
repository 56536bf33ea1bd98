"""The rules of the linter that keep dangerous constructs out of the code base."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

DANGEROUS = {
    "S301": "import pickle\n\nvalue = pickle.loads(b'')\n",
    "S307": "value = eval('1')\n",
    "S102": "exec('1')\n",
    "S506": "import yaml\n\nvalue = yaml.load('', Loader=yaml.Loader)\n",
    "S602": "import subprocess\n\nsubprocess.run('ls', shell=True)\n",
    "S605": "import os\n\nos.system(input())\n",
}


def found(code: str, name: str) -> str:
    command = [sys.executable, "-m", "ruff", "check", "--output-format", "concise", "--stdin-filename", name, "-"]
    done = subprocess.run(command, cwd=ROOT, input=code, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("rule", DANGEROUS)
def test_dangerous_constructs_fail_the_build(rule: str) -> None:
    """H14."""
    assert rule in found(DANGEROUS[rule], "src/toolgauge/planted.py")


def test_no_exception_is_made_for_them() -> None:
    """H14: nowhere in the package is one of these rules switched off."""
    for path in (ROOT / "src").rglob("*.py"):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "noqa" in line]
        assert not any(rule in line for line in lines for rule in DANGEROUS), path
